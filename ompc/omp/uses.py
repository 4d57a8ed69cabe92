"""What a piece of a program names, declares, reads as a plain object and assigns: what OpenMP's rules ask.

All answers are lexical. What pointers reach and what called functions do is analysis' business. Trees do not change, so
answers about a whole function, which each of its loops asks for, are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ompc.ir import types as ty
from ompc.ir.tree import (
    Assign,
    Call,
    Cast,
    CompoundLiteral,
    DeclStmt,
    Expr,
    IncDec,
    Member,
    Name,
    OpaqueExpr,
    OpaqueStmt,
    Pragma,
    Sizeof,
    Stmt,
    Symbol,
    VarDecl,
)
from ompc.ir.walk import Node, children, type_expressions, walk

_MATHEMATICS = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim
floor fma fmax fmin fmod hypot ilogb ldexp llrint llround log log10 log1p log2 logb lrint lround nearbyint pow remainder
rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc""".split()
_TEXTS = "strlen strnlen strcmp strncmp strchr strrchr strstr memcmp atoi atol atoll atof".split()
_BITS = [f"__builtin_{name}{width}" for name in "clz ctz ffs parity popcount".split() for width in ("", "l", "ll")]
_OF_OPENMP = """max_threads num_procs num_threads thread_limit default_device initial_device num_devices dynamic nested
max_active_levels supported_active_levels""".split()

_QUERIES = frozenset(
    {
        *(prefix + name + width for prefix in ("", "__builtin_") for name in _MATHEMATICS for width in ("", "f", "l")),
        *(prefix + name for prefix in ("", "__builtin_") for name in (*_TEXTS, "abs", "labs", "llabs")),
        *_BITS,
        "__builtin_expect",
        "omp_in_parallel",
        *(f"omp_get_{name}" for name in _OF_OPENMP),
    }
)
"""Library functions that can be called once more, or not at all, without anyone noticing; their names are reserved."""

_ABOUT_THE_TEAM = frozenset({"omp_get_max_threads", "omp_get_num_threads", "omp_in_parallel"})
"""Those that may have another answer inside a parallel region than in front of it (OpenMP 5.2, 2.4 and 18.2)."""

_KEPT = 256
"""How many answers of a kind are kept: those about the functions and loops that are being looked at."""


@dataclass(frozen=True, slots=True)
class Place:
    """A variable or a member of one, by name: `n`, `grid.size.x`."""

    symbol: Symbol
    members: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((self.symbol.name, *filter(None, self.members)))

    def overlaps(self, other: Place) -> bool:
        """Is one the other, or a part of it?"""
        shorter = min(len(self.members), len(other.members))
        return self.symbol is other.symbol and self.members[:shorter] == other.members[:shorter]


def nodes(root: Node) -> Iterator[Node]:
    """Everything in `root`, itself first, the lengths of variable arrays in its types included."""
    for node in walk(root):
        yield node
        if type(node) in _SPELL_TYPES:
            for length in type_expressions(type_written_at(node)):
                yield from nodes(length)


_SPELL_TYPES = frozenset({Cast, CompoundLiteral, Sizeof, VarDecl})
"""The nodes with a type that the text spells."""


def type_written_at(node: Node) -> ty.Type:
    """The type that the text spells here; `void` when it spells none."""
    match node:
        case Cast(type=t) | CompoundLiteral(type=t) | Sizeof(of=t):
            return t
        case VarDecl(symbol=symbol):
            return symbol.type
        case _:
            return ty.VOID


@lru_cache(maxsize=_KEPT)
def unread_in(root: Node) -> OpaqueExpr | OpaqueStmt | None:
    """The first piece of `root` that sema could not read."""
    return next((node for node in nodes(root) if isinstance(node, (OpaqueExpr, OpaqueStmt))), None)


def place_of(e: Expr) -> Place | None:
    """The variable or member that an lvalue names; None when it goes through a pointer or an index."""
    match e:
        case Name(symbol=symbol):
            return Place(symbol)
        case Member(base=base, member=member, arrow=False) if (whole := place_of(base)) is not None:
            return Place(whole.symbol, (*whole.members, member.name or ""))
        case _:
            return None


def places_read(e: Expr) -> Iterator[Place]:
    """The variables and members that `e` names, each as its longest path."""
    inside: set[Expr] = set()
    for node in nodes(e):
        if isinstance(node, Expr) and node not in inside and (place := place_of(node)) is not None:
            inside.update(n for n in nodes(node) if isinstance(n, Expr))
            yield place


@lru_cache(maxsize=_KEPT)
def symbols_in(root: Expr | Stmt) -> frozenset[Symbol]:
    """All symbols named in `root`, functions too."""
    return frozenset(node.symbol for node in nodes(root) if isinstance(node, Name))


@lru_cache(maxsize=_KEPT)
def declared_in(root: Stmt) -> frozenset[Symbol]:
    """All objects declared in `root`, static and extern ones too."""
    return frozenset(
        decl.symbol for statement in statements_in(root) if isinstance(statement, DeclStmt) for decl in statement.decls
    )


@lru_cache(maxsize=_KEPT)
def names_in(root: Stmt) -> Mapping[Symbol, tuple[Name, ...]]:
    """Where `root` names each symbol, in the order of `nodes`."""
    found: dict[Symbol, list[Name]] = {}
    for node in nodes(root):
        if isinstance(node, Name):
            found.setdefault(node.symbol, []).append(node)
    return {symbol: tuple(names) for symbol, names in found.items()}


def is_named_outside(code: Stmt, part: Stmt, symbol: Symbol) -> bool:
    """Does `code` name `symbol` elsewhere than in its `part`? The lengths of variable arrays are no part's."""
    inside = _nodes_of(part)
    return any(name not in inside for name in names_in(code).get(symbol, ()))


@lru_cache(maxsize=16)
def _nodes_of(root: Stmt) -> frozenset[Node]:
    return frozenset(walk(root))


def named_in_clauses(root: Stmt, but: Pragma | None) -> frozenset[Symbol]:
    """What the pragmas in `root`, except for `but`, may read: all that their clauses name, and do not only replace."""
    return frozenset[Symbol]().union(*(named for pragma, named in _named_by_pragmas(root) if pragma is not but))


@lru_cache(maxsize=_KEPT)
def _named_by_pragmas(root: Stmt) -> tuple[tuple[Pragma, frozenset[Symbol]], ...]:
    return tuple((node, node.directive.used) for node in walk(root) if isinstance(node, Pragma))


def statements_in(root: Stmt) -> Iterator[Stmt]:
    """`root` and every statement in it, in the order of the text; expressions have none."""
    stack = [root]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(child for child in reversed(children(current)) if isinstance(child, Stmt))


def targets_written(root: Expr | Stmt) -> Iterator[Expr]:
    """The operands of assignments, ++ and -- in `root`."""
    for node in nodes(root):
        match node:
            case Assign(target=target):
                yield target
            case IncDec(operand=operand):
                yield operand
            case _:
                continue


def is_query(function: Symbol, call: Expr) -> bool:
    """Is this the C library's function, or OpenMP's, that answers without a trace?"""
    declared_in_header = function.loc.file != call.loc.file
    return function.name in _QUERIES and (declared_in_header or function.name.startswith("__builtin_"))


def question_about_team(e: Expr) -> str | None:
    """A function called in `e` that may have another answer inside a parallel region than in front of it."""
    calls = (node for node in nodes(e) if isinstance(node, Call))
    names = (call.function.symbol.name for call in calls if isinstance(call.function, Name))
    return next((name for name in names if name in _ABOUT_THE_TEAM), None)


def has_side_effects(e: Expr, pure: Collection[Symbol] = frozenset()) -> bool:
    """May evaluating `e` once more be noticed: an assignment, ++, a call, a volatile object, something unknown?

    Calls of the functions in `pure` are not (omp/purity.py).
    """
    return any(_is_effect(node, pure) for node in nodes(e) if isinstance(node, Expr))


def _is_effect(e: Expr, pure: Collection[Symbol]) -> bool:
    match e:
        case Call(function=Name(symbol=symbol)) if symbol in pure:
            return False
        case Assign() | IncDec() | OpaqueExpr():
            return True
        case Call(function=Name(symbol=symbol)):
            return not is_query(symbol, e)
        case Call():
            return True
        case _:
            return bool(e.type.quals & {"volatile", "_Atomic"})
