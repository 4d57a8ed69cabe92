"""Plan: what one loop of an iteration makes for the next one stays in variables: both are one loop (`auto`).

    double x[2 * N];                                  for (j = 0; j < N; j++) {
    for (i = 0; i < 2 * N; i++) {                         double x_0, x_1;
        seed = next(seed);                                seed = next(seed);
        x[i] = seed;                            ->        x_0 = seed;
    }                                                     seed = next(seed);
    for (j = 0; j < N; j++)                               x_1 = seed;
        use(x[2 * j], x[2 * j + 1]);                      use(x_0, x_1);
                                                      }

Each iteration of the second loop is put behind those of the first one that make what it uses. An array of a thread is
in memory, of which each thread has its own part: then there is none. Only of loops that one thread does step by step,
since others are better shared by a group of threads.

    In: Facts.   Out: the Facts of the same loop without such arrays, and a line that says so; or the same Facts.
    Not here: which loops -- analysis/locality/producers.py.
    Source: Gao, Olsen, Sarkar, Thekkath, "Collective loop fusion for array contraction" (LCPC 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.locality.producers import Entry, Pair, pair_in
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declarations_in, declared_in, names_in, nodes, symbols_in
from ompc.ir.rewrite import copied_around, rewritten
from ompc.ir.walk import Node
from ompc.plan.rewrites.elements.unread_variables import without_unread
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

_POSITION = -6_000
"""The position of the first new variable, which puts such variables before all others."""

_MOST_NODES = 4_000
"""Of the first loop's iterations that stand in one of the second."""


def with_producers_fused(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` without the arrays between such loops, and a line about them."""
    lines: list[str] = []
    position = _POSITION
    while (found := _one_fused(facts, position)) is not None:
        facts, line = found
        lines.append(line)
        position += 100
    return facts, "; ".join(lines) or None


def _one_fused(facts: Facts, position: int) -> tuple[Facts, str] | None:
    if not facts.inner_loops or not any(map(facts.is_thread_private, facts.written)):
        return None
    body = facts.device_code.body
    for block in (node for node in nodes(body) if isinstance(node, t.Block)):
        if sum(isinstance(item, (t.For, t.Block)) for item in block.items) < 2:
            continue
        items = tuple(_without_braces(body, block))
        pair = pair_in(facts, items)
        if pair is None or pair.turns * sum(1 for _ in nodes(pair.producer.statement)) > _MOST_NODES:
            continue
        writer = _Writer(facts, pair, position)
        loop = writer.fused()
        if loop is None:
            continue
        between = [item for item in items[pair.first + 1 : pair.second] if item not in pair.dropped]
        made = (*items[: pair.first], *between, loop, *items[pair.second + 1 :])
        arrays = dict.fromkeys(symbol for symbol, _ in pair.made.values())
        new: t.Stmt = replace(block, items=made)
        left = {*symbols_in(pair.producer.statement), *arrays} - symbols_in(loop)
        whole = rewritten(body, lambda node, old=block, new=new: new if node is old else None)  # type: ignore[misc]
        after = with_body(facts, body, without_unread(whole, left, facts), frozenset(arrays))
        if isinstance(after, Reason):
            continue
        names = ", ".join(symbol.name for symbol in arrays)
        lines = pair.producer.statement.loc.line, pair.consumer.statement.loc.line
        return after, f"the loops of lines {lines[0]} and {lines[1]} are one, so that {names} needs no memory"
    return None


def _without_braces(body: t.Stmt, block: t.Block) -> Iterator[t.Stmt]:
    """The items of a block and of blocks in it, whose names nothing else has."""
    for item in block.items:
        if isinstance(item, t.Block) and not any(isinstance(part, t.Case) for part in item.items):
            own = {decl.symbol for part in item.items if isinstance(part, t.DeclStmt) for decl in _variables(part)}
            names = {symbol.name for symbol in own}
            others = {symbol for symbol in (*names_in(body), *declared_in(body)) if symbol.name in names}
            if others <= own and len(names) == len(own):
                yield from _without_braces(body, item)
                continue
        yield item


def _variables(part: t.DeclStmt) -> list[t.VarDecl]:
    return [decl for decl in part.decls if isinstance(decl, t.VarDecl)]


@dataclass(eq=False)
class _Writer:
    facts: Facts
    pair: Pair
    position: int
    symbols: dict[tuple[t.Symbol, Entry, int], t.Symbol] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._free = FreeNames(self.facts)

    def fused(self) -> t.For | None:
        """The consumer's loop with both bodies; None: the producer's counter cannot be written there."""
        producer, consumer = self.pair.producer.statement, self.pair.consumer.statement
        turns: list[t.Stmt] = []
        for turn in range(self.pair.turns):
            body = self._turn(producer.body, turn)
            if body is None:
                return None
            turns += body
        used = {node: self._element(node, *place) for node, place in self.pair.used.items()}
        behind = rewritten(consumer.body, lambda node: used.get(node) if isinstance(node, t.Index) else None)
        rest = behind.items if isinstance(behind, t.Block) else (behind,)
        declared = (t.DeclStmt(producer.loc, (t.VarDecl(s, None, producer.loc),)) for s in self.symbols.values())
        return replace(consumer, body=t.Block(consumer.body.loc, (*declared, *turns, *rest)))

    def _turn(self, body: t.Stmt, turn: int) -> Sequence[t.Stmt] | None:
        """An iteration of the producer, as the `turn`-th one of the consumer's: with nodes and variables of its own."""
        var = self.pair.producer.var
        own: dict[t.Symbol, t.Symbol] = {}
        for decl in declarations_in(body):
            kind, name = decl.symbol.type, self._free.take(decl.symbol.name) if turn else decl.symbol.name
            own[decl.symbol] = replace(decl.symbol, name=name, type=kind)
        needs_counter = False

        def change(node: Node) -> Node | None:
            nonlocal needs_counter
            match node:
                case t.Index() if node in self.pair.made:
                    symbol, entry = self.pair.made[node]
                    return self._element(node, symbol, entry, turn)
                case t.Name(symbol=symbol) if symbol is var:
                    needs_counter = True
                    return self._counter(node, turn)
                case t.Name(symbol=symbol) if symbol in own:
                    return replace(node, symbol=own[symbol])
                case t.VarDecl(symbol=symbol):
                    return replace(node, symbol=own[symbol], init=rewritten(node.init, change))
                case _:
                    return copied_around(node, change)

        made = rewritten(body, change)
        if needs_counter and self.pair.offset.constant is None:
            return None
        items = made.items if isinstance(made, t.Block) else (made,)
        return [made] if any(isinstance(item, t.DeclStmt) for item in items) else items

    def _counter(self, node: t.Name, turn: int) -> t.Expr:
        """What the producer's counter is."""
        kind, where = ty.unqualified(node.type), node.loc
        value: t.Expr = t.Name(kind, where, self.pair.consumer.var)
        if self.pair.turns != 1:
            value = t.Binary(kind, where, "*", _number(self.pair.turns, node), value)
        more = (self.pair.offset.constant or 0) + turn
        if more == 0:
            return value
        return t.Binary(kind, where, "+" if more > 0 else "-", value, _number(abs(more), node))

    def _element(self, node: t.Index, symbol: t.Symbol, entry: Entry, turn: int) -> t.Name:
        key = symbol, entry, turn
        if key not in self.symbols:
            at = "".join(f"_{value}" for value in (*entry, turn if self.pair.turns > 1 else None) if value is not None)
            name = self._free.take(f"{symbol.name}{at}" if at else f"{symbol.name}_now")
            kind = ty.unqualified(ty.element_of(symbol.type))
            position = self.position + len(self.symbols)
            self.symbols[key] = t.Symbol(name, kind, t.Storage.AUTO, node.loc, position, self.facts.loop.function)
        own = self.symbols[key]
        return t.Name(own.type, node.loc, own)


def _number(value: int, at: t.Expr) -> t.IntConst:
    return t.IntConst(ty.INT, at.loc, value, str(value))
