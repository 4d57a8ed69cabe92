"""What lowering carries along: the scopes, the symbols made so far, and the two mutually recursive halves of C.

Types contain expressions (array lengths) and expressions contain types (casts), so declarators.py and expressions.py
each reach the other through `Context.expression` and `Context.type_of`, which analyse.py sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count

from pycparser import c_ast

from ompc.base.frozen import dataclass, field
from ompc.base.macros import Macro
from ompc.base.source import NOWHERE, Location, file_named
from ompc.ir import types as ty
from ompc.ir.tree import Expr, OpaqueExpr, Storage, Symbol, VarDecl
from ompc.sema.linkage import Linkage
from ompc.sema.scope import Entity, FileScope, Scope, Tag, Visible


@dataclass(slots=True)
class Context:
    """`file` is the user's main file, `lines` its text; `function` is the one being lowered (None at file scope)."""

    file: str
    lines: list[str]
    char: ty.Int
    file_scope: FileScope
    expression: Callable[[c_ast.Node], Expr]
    type_of: Callable[[c_ast.Node], ty.Type]
    blocks: list[Scope] = field(default_factory=list)
    function: str | None = None
    symbols: list[Symbol] = field(default_factory=list)
    inits: dict[Symbol, Expr] = field(default_factory=dict)  # of file-scope objects
    linkage: Linkage = field(default_factory=Linkage)  # the symbols that names with linkage stand for
    linked: dict[str, Symbol] = field(default_factory=dict)  # objects and functions with linkage, by that
    internal: set[str] = field(default_factory=set)  # the functions among them that are static
    records: list[ty.Record] = field(default_factory=list)
    enums: list[ty.Enumeration] = field(default_factory=list)
    wide_enums: bool = False  # Preprocessed.wide_enums
    macros: Mapping[c_ast.Node, tuple[Macro, ...]] = field(default_factory=dict)  # operands
    specifiers: dict[int, ty.Type] = field(default_factory=dict)  # by id of the struct/union/enum node that defines one
    packed: list[str] = field(default_factory=list)  # the state of #pragma pack; last is current
    varies: bool = False  # does a `declare variant` belong to the next function that is declared?
    hoisted: list[VarDecl] = field(default_factory=list)  # to be declared in front of the current statement

    @property
    def scope(self) -> Scope:
        return self.blocks[-1] if self.blocks else self.file_scope

    def lookup(self, name: str) -> Entity | None:
        for scope in reversed(self.blocks):
            if (found := scope.names.get(name)) is not None:
                return found
        return self.file_scope.name(name)

    def lookup_tag(self, tag: str) -> Tag | None:
        for scope in reversed(self.blocks):
            if (found := scope.tags.get(tag)) is not None:
                return found
        return self.file_scope.tags.get(tag)

    def new_symbol(self, name: str, t: ty.Type, storage: Storage, loc: Location) -> Symbol:
        symbol = Symbol(name, t, storage, loc, position=len(self.symbols), function=self.function)
        self.symbols.append(symbol)
        return symbol

    def hoist(self, name: str, t: ty.Type, loc: Location) -> Symbol:
        """A variable of an expression's own, with a name that the user's text does not have."""
        text = "\n".join(self.lines)
        names = (f"{name}_{number}" for number in count(1))
        taken = {decl.name for decl in self.symbols if decl.function == self.function}
        unique = next(name for name in names if name not in taken and name not in text)
        symbol = self.new_symbol(unique, t, Storage.AUTO, loc)
        self.hoisted.append(VarDecl(symbol, None, loc))
        return symbol

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """The operand of `sizeof` and the like needs no variables."""
        outer, self.hoisted = self.hoisted, []
        try:
            yield
        finally:
            self.hoisted = outer

    def visible(self) -> Visible:
        """A snapshot of what is visible now; later declarations in this block are not in it."""
        return Visible(self.file_scope, tuple(scope.copy() for scope in self.blocks))

    @contextmanager
    def block(self) -> Iterator[Scope]:
        scope = Scope()
        self.blocks.append(scope)
        try:
            yield scope
        finally:
            self.blocks.pop()

    @contextmanager
    def at_file_scope(self) -> Iterator[None]:
        """Lower a deferred file-scope declaration, wherever its name was first used."""
        blocks, function = self.blocks, self.function
        self.blocks, self.function = [], None
        try:
            yield
        finally:
            self.blocks, self.function = blocks, function


def location(node: c_ast.Node) -> Location:
    """Where a node of pycparser's stands. Columns there count in the preprocessed text, so they are dropped."""
    coord = node.coord
    return NOWHERE if coord is None else Location(file_named(coord.file), coord.line)


def named_in(ctx: Context, node: c_ast.Node) -> tuple[tuple[Symbol, ...], frozenset[str]]:
    """The objects that code names which is not modelled, and all identifiers in it, members' among them."""
    return named(ctx, _identifiers(node))


def named(ctx: Context, identifiers: Iterable[str]) -> tuple[tuple[Symbol, ...], frozenset[str]]:
    """The objects among `identifiers`, and all of these."""
    known = frozenset(identifiers)
    found = map(ctx.lookup, sorted(known))
    return tuple(entity for entity in found if isinstance(entity, Symbol)), known


def _identifiers(node: c_ast.Node) -> Iterator[str]:
    if isinstance(node, c_ast.ID):
        yield node.name
    for _, child in node.children():
        yield from _identifiers(child)


def opaque(node: c_ast.Node, why: str) -> OpaqueExpr:
    """What ompc does not model, with the reason."""
    return OpaqueExpr(ty.Unknown(why), location(node), why)
