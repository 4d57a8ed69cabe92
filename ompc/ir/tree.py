"""The typed tree: what every stage after the front end reads.

sema lowers pycparser's tree to these frozen nodes: names are resolved to symbols, every expression has its C type,
every pragma holds the statement it applies to. No later stage imports pycparser. Nodes compare and hash by identity,
so side tables may be keyed by node. What ompc does not understand becomes `OpaqueExpr`/`OpaqueStmt` with the reason:
an analysis must read it as "may do anything". `named` is for printers: by which macros the user's
text calls it.

Implicit conversions are not nodes; a consumer that needs one compares the types (`Assign.target.type` with
`value.type`, parameters with arguments). Arrays and functions keep their undecayed type; see `types.decayed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ompc.base.frozen import dataclass, field
from ompc.base.macros import Named
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.directive import UNREAD, Directive


class Storage(Enum):
    """Where an object lives (C11 6.2.4), or what else a name can be."""

    GLOBAL = "global"  # file scope, external linkage, defined or declared here
    FILE_STATIC = "file static"  # file scope, internal linkage
    LOCAL_STATIC = "local static"  # block scope, `static`
    AUTO = "auto"
    REGISTER = "register"
    PARAMETER = "parameter"
    EXTERN = "extern"  # declared `extern`, not defined in this unit
    THREAD = "thread"  # _Thread_local / __thread, any scope
    FUNCTION = "function"


@dataclass(eq=False, slots=True)
class Symbol:
    """An object or function. Identity is the symbol: two objects of one name are two symbols.

    `position` numbers the symbols of a unit in the order of their declaration. `function` is the name of the function
    it is declared in, None at file scope. `address_taken` is true when `&x` (or decay outside a subscript, for
    arrays) occurs anywhere in the unit. `threadprivate` is set by `#pragma omp threadprivate`, `varies` by `declare
    variant`: a call of the function may be one of another function. `written` is the array type with which a parameter
    is written; `value` that of a `const` integer whose initialiser is a constant, for which expressions have it.
    `for_any_type`: an array that objects of any type may be in, aligned as a block of `malloc` is.
    """

    name: str
    type: ty.Type
    storage: Storage
    loc: Location
    position: int
    function: str | None = None
    address_taken: bool = False
    threadprivate: bool = False
    varies: bool = False
    written: ty.Type | None = None
    value: int | None = None
    for_any_type: bool = False

    @property
    def is_automatic(self) -> bool:
        """Is it a variable of a block, or a parameter, of which each call has its own (C11 6.2.4)?"""
        return self.storage in (Storage.AUTO, Storage.REGISTER, Storage.PARAMETER)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    type: ty.Type
    loc: Location
    named: Named | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class IntConst(Expr):
    """An integer, character or enum constant; `text` is how to print it in C (characters and enum names as written)."""

    value: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class FloatConst(Expr):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class StringConst(Expr):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Name(Expr):
    symbol: Symbol


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expr):
    """`op` is one of + - ~ ! * &."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class IncDec(Expr):
    """`op` is ++ or --."""

    op: str
    prefix: bool
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expr):
    """Arithmetic, shifts, comparisons, && and ||; `op` as in C."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Expr):
    """`op` is = or a compound operator such as +=."""

    op: str
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Expr):
    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Comma(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Index(Expr):
    """base[index]; the pointer or array is always `base`, also where the text says `3[a]`."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Member(Expr):
    """base.name, or base->name when `arrow`."""

    base: Expr
    member: ty.Field
    arrow: bool


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expr):
    """A call; `function` is a Name of a function symbol for a direct call."""

    function: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Leave(Call):
    """Gives up the launch, so that the host runs the whole loop (transform/early_exit.py); it does not return."""


@dataclass(frozen=True, slots=True, eq=False)
class Print(Call):
    """Notes what the host is to print by its function `name` (transform/device_prints.py).

    `given` is what that gets: a constant as it is, the type of the next one of `args`, or the texts among which the
    next one of `args` chooses.
    """

    name: str
    given: tuple[str | ty.Type | tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Expr):
    """An explicit cast to `type`."""

    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Sizeof(Expr):
    """sizeof of a type of no constant size; constant ones are folded to IntConst (text "sizeof(...)" kept)."""

    of: ty.Type


@dataclass(frozen=True, slots=True, eq=False)
class InitList(Expr):
    """A braced initialiser; each item is (designators, value): a designator is a member name or an index.

    `places` says of each item which part it initialises, braces left out and anonymous members included: the position
    among the record's `fields`, or the index, at each level.
    """

    items: tuple[tuple[tuple[str | int, ...], Expr], ...]
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Expr):
    init: InitList


@dataclass(frozen=True, slots=True, eq=False)
class OpaqueExpr(Expr):
    """`names`: the objects that it, or an OpaqueStmt, names; `members`: all identifiers in it; some are members."""

    why: str
    names: tuple[Symbol, ...] = ()
    members: frozenset[str] = frozenset()


# ----------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, eq=False)
class Stmt:
    loc: Location


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt(Stmt):
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Empty(Stmt):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class VarDecl:
    """One declarator with its initialiser."""

    symbol: Symbol
    init: Expr | None
    loc: Location


@dataclass(frozen=True, slots=True, eq=False)
class DeclStmt(Stmt):
    """A declaration in a block; type-only declarations have no `decls`."""

    decls: tuple[VarDecl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Block(Stmt):
    items: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Stmt):
    condition: Expr
    then: Stmt
    other: Stmt | None


@dataclass(frozen=True, slots=True, eq=False)
class While(Stmt):
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Stmt):
    body: Stmt
    condition: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For(Stmt):
    """`init` is a DeclStmt, an ExprStmt or None."""

    init: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Stmt):
    value: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Case(Stmt):
    """A `case value:` label, or `default:` when `value` is None; the statements it labels follow it as siblings."""

    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Label(Stmt):
    """`name:`; the labelled statement follows it as a sibling."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Stmt):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Break(Stmt):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Stmt):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Return(Stmt):
    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Pragma(Stmt):
    """A pragma; `loc` is the line of `#pragma` itself. `directive` is what it says, as stage omp has read it in
    `spelling`, the text after `#pragma` with macros expanded, which later stages only print. `body` is the statement
    that it applies to; None for stand-alone directives and other pragmas. `scope`: the names visible there (names.py).
    `in_macro`: no `#pragma` line of the user's stands at `loc`.
    """

    spelling: str
    body: Stmt | None
    scope: Mapping[str, Symbol]
    in_macro: bool = False
    directive: Directive = UNREAD


@dataclass(frozen=True, slots=True, eq=False)
class OpaqueStmt(Stmt):
    why: str
    names: tuple[Symbol, ...] = ()
    members: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function defined in this unit. `opaque` says why ompc cannot look into it: then `body` is None, and `unread` is
    it, which does not say in which order it runs. `pragmas` are those of its text that are not in its body."""

    symbol: Symbol
    params: tuple[Symbol, ...]
    body: Block | None
    opaque: str | None = None
    inline: bool = False
    unread: Block | None = None
    pragmas: tuple[Pragma, ...] = ()

    @property
    def name(self) -> str:
        return self.symbol.name


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A translation unit: file-scope objects and functions, in the order of the text.

    `functions` are those defined here, headers included; `variables` the objects of file scope that are named; `file`
    is the main file, as on the command line; `linked` what has linkage, by name, `internal` the static functions of it.
    Only the text has `hidden`, names in attributes and the like, and all target constructs (`offloads`).
    """

    file: str
    variables: tuple[VarDecl, ...]
    functions: Mapping[str, Function]
    pragmas: tuple[Pragma, ...] = ()
    records: tuple[ty.Record, ...] = field(default=())
    enums: tuple[ty.Enumeration, ...] = field(default=())
    linked: Mapping[str, Symbol] = field(default_factory=dict)
    internal: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    offloads: bool = False
