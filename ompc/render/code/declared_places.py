"""Where variables without a first value are declared: with the first value, as a person would write it.

    double t;  int m;                        double t = a[i];
    t = a[i];                                for (int m = 0; m < 5; m++)
    for (m = 0; m < 5; m++)           ->         b[m] = t;
        b[m] = t;                            {
    {                                            double t_2 = b[0];
        double t_2;                              ...
        t_2 = b[0]; ...                      }

C of the old kind declares all variables at the top of a function, and OpenMP's clauses make those of an iteration
private: in a kernel they would be a column of names without values. A variable moves where that says the same: in each
block that names it, the first statement that does sets it, or is a loop or a branch of which that can be said in turn.

Blocks inside of others need no braces where they hide no name.

    In: statements as they are printed, the variables that may move.   Out: the statements that declare what they set.
    Not here: how a declaration is spelled -- statements.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, symbols_in
from ompc.plan.model.names import spelled


@dataclass(frozen=True, slots=True)
class Kept:
    """Statements with a text of their own: `special` ones, and loops that are `calls`, which name no counter; variables
    that are `bound` to another name.
    """

    special: Collection[t.Stmt] = frozenset()
    calls: Collection[t.Stmt] = frozenset()
    bound: Collection[t.Symbol] = frozenset()


class Blocks:
    """The statements of blocks, without braces that say nothing. `symbols` are all that the text around them names."""

    def __init__(self, symbols: Iterable[t.Symbol], special: Collection[t.Stmt]) -> None:
        self._special = special
        seen: dict[str, t.Symbol] = {}
        self.twice: set[str] = set()
        for symbol in symbols:
            name = spelled(symbol.name)
            if seen.setdefault(name, symbol) is not symbol:
                self.twice.add(name)

    def items(self, items: Iterable[t.Stmt]) -> Iterator[t.Stmt]:
        """`items`, in the place of each such block what is in it."""
        for item in items:
            block = self._without_directives(item)
            if isinstance(block, t.Block) and block not in self._special:
                inside = list(self.items(block.items))
                if not any(spelled(symbol.name) in self.twice for symbol in _declared_by(inside)):
                    yield from inside
                    continue
            yield item

    def _without_directives(self, item: t.Stmt) -> t.Stmt:
        while isinstance(item, t.Pragma) and item.body is not None and item not in self._special:
            item = item.body
        return item


def _declared_by(items: Iterable[t.Stmt]) -> Iterator[t.Symbol]:
    for item in items:
        if isinstance(item, t.DeclStmt):
            yield from (decl.symbol for decl in item.decls)


@dataclass(frozen=True, slots=True)
class Places:
    """`first`: statements that declare the variable that they set; `moved`: those that are declared so; `unread`: the
    statements that set one to a constant which nothing reads.
    """

    first: Mapping[t.Stmt, t.Symbol]
    moved: frozenset[t.Symbol]
    unread: Collection[t.Stmt] = frozenset()


def places_of(around: Collection[t.Symbol], body: Sequence[t.Stmt], blocks: Blocks, kept: Kept) -> Places:
    """Of the variables declared `around` the statements of `body`, and of those that they declare."""
    finder, first = _Finder(blocks, kept), dict[t.Stmt, t.Symbol]()
    moved, unread = set[t.Symbol](), set[t.Stmt]()
    lists = [tuple(blocks.items(body))]
    declared = [(around, lists[0])]
    while lists:
        items = lists.pop()
        for number, item in enumerate(items):
            if isinstance(item, t.DeclStmt):
                declared.append(({d.symbol for d in item.decls if d.init is None}, items[number + 1 :]))
            lists += [tuple(blocks.items(inner.items)) for inner in _outermost_blocks(item)]
    for symbols, items in declared:
        for symbol in filter(finder.may_move, symbols):
            finder.unread.clear()
            found = finder.of_list(items, symbol)
            if found is not None and not (symbol.address_taken and not finder.is_set_first(items, symbol)):
                first |= dict.fromkeys(found, symbol)
                moved.add(symbol)
                unread |= finder.unread
    return Places(first, frozenset(moved), unread)


def _outermost_blocks(item: t.Stmt) -> Iterator[t.Block]:
    match item:
        case t.Block():
            yield item
        case t.If(then=then, other=other):
            yield from _outermost_blocks(then)
            yield from () if other is None else _outermost_blocks(other)
        case t.For(body=t.Stmt() as body) | t.While(body=body) | t.DoWhile(body=body) | t.Pragma(body=t.Stmt() as body):
            yield from _outermost_blocks(body)
        case _:
            pass


@dataclass(frozen=True, slots=True)
class _Finder:
    """`unread`: statements that set the variable last asked about to a constant which nothing reads; `named`: what is
    named in each part that has been asked about.
    """

    blocks: Blocks
    kept: Kept
    unread: set[t.Stmt] = field(default_factory=set)
    named: dict[t.Stmt | t.Expr, frozenset[t.Symbol]] = field(default_factory=dict)

    def may_move(self, symbol: t.Symbol) -> bool:
        """Is it a plain variable, with a name that nothing else has?"""
        kind = symbol.type
        plain = ty.is_scalar(kind) or isinstance(kind, ty.Struct)
        automatic = symbol.storage is t.Storage.AUTO and not kind.quals
        own = symbol not in self.kept.bound and spelled(symbol.name) not in self.blocks.twice
        return plain and automatic and own

    def is_set_first(self, items: Sequence[t.Stmt], symbol: t.Symbol) -> bool:
        """Is it declared where it was, so that it lives as long?"""
        first = next((item for item in items if self._names(item, symbol)), None)
        return first is not None and self._sets(first, symbol)

    def of_list(self, items: Sequence[t.Stmt], symbol: t.Symbol) -> list[t.Stmt] | None:
        """The statements of a block that may declare it; None: it must be there before one of them."""
        found: list[t.Stmt] = []
        naming = [item for item in items if self._names(item, symbol)]
        for number, item in enumerate(naming):
            if self._sets(item, symbol):
                if all(self._sets_constant(each, symbol) for each in naming[number:]):
                    self.unread.update(naming[number:])
                return [*found, item]
            inside = self._of(item, symbol)
            if inside is None:
                return None
            found += inside
        return found

    def _sets(self, item: t.Stmt, symbol: t.Symbol) -> bool:
        """Is it `symbol = ...;`, of a value that does not depend on it?"""
        match item:
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=target), value=value)):
                return target is symbol and not self._names(value, symbol) and item not in self.kept.special
            case _:
                return False

    def _sets_constant(self, item: t.Stmt, symbol: t.Symbol) -> bool:
        return (
            self._sets(item, symbol)
            and isinstance(item, t.ExprStmt)
            and isinstance(item.expr, t.Assign)
            and constant_value(item.expr.value) is not None
        )

    def _of(self, item: t.Stmt, symbol: t.Symbol) -> list[t.Stmt] | None:
        """The same inside of one statement that names it."""
        if item in self.kept.calls and isinstance(item, t.For):
            return [] if item.init is not None and self._sets(item.init, symbol) else None
        if item in self.kept.special:
            return None
        match item:
            case t.For(init=t.Stmt() as init) if self._sets(init, symbol):
                return [item]
            case t.For(init=init, condition=condition, step=step, body=body):
                return self._inside((init, condition, step), (body,), symbol)
            case t.While(condition=condition, body=body) | t.DoWhile(condition=condition, body=body):
                return self._inside((condition,), (body,), symbol)
            case t.If(condition=condition, then=then, other=other):
                return self._inside((condition,), (then, other), symbol)
            case t.Pragma(body=t.Stmt() as body):
                return self._inside((), (body,), symbol)
            case t.Block(items=items):
                return self.of_list(tuple(self.blocks.items(items)), symbol)
            case _:
                return None

    def _inside(
        self, head: Iterable[t.Stmt | t.Expr | None], bodies: Iterable[t.Stmt | None], symbol: t.Symbol
    ) -> list[t.Stmt] | None:
        if any(part is not None and self._names(part, symbol) for part in head):
            return None
        found: list[t.Stmt] = []
        for body in bodies:
            if body is None or not self._names(body, symbol):
                continue
            inside = self._of(body, symbol)
            if inside is None:
                return None
            found += inside
        return found

    def _names(self, node: t.Stmt | t.Expr, symbol: t.Symbol) -> bool:
        if node not in self.named:
            self.named[node] = symbols_in(node) | declared_in(node)
        return symbol in self.named[node]
