"""Plan: rows of a thread's own arrays stay in variables while straight-line code works on them (`auto`).

                                                     double lhs_j[3][5][5];
                                                     for (...) lhs_j[1][e0][e1] = lhs[j][1][e0][e1];
    pivot = 1 / lhs[j][1][0][0];                     pivot = 1 / lhs_j[1][0][0];
    lhs[j][1][1][0] = lhs[j][1][1][0] * pivot;  ->   lhs_j[1][1][0] = lhs_j[1][1][0] * pivot;
    ...                                              ...
                                                     for (...) lhs[j][1][e0][e1] = lhs_j[1][e0][e1];

All subscripts of the variable are constants, so that its elements are registers. Such arrays of a thread are in memory,
where each statement would load what the one before has stored.

    In: Facts.   Out: the Facts of the same loop with such variables; or the same Facts.
    Not here: which rows -- analysis/locality/kept_rows.py; elements of loops -- scalar_replacement.py.
    Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.locality.kept_rows import Element, KeptRow, KeptRows, Room, whole
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import copied, rewritten, with_items
from ompc.ir.walk import Node
from ompc.plan.machine import DEVICE
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.free_names import FreeNames

_POSITION = -3_000
"""The position of the first new variable, which puts such variables before all others."""


def with_rows_in_variables(facts: Facts) -> Facts:
    """`facts` with the rows that runs of statements work on in variables."""
    loop, body = facts.loop, facts.device_code.body
    writer = _Writer(facts)
    if not writer.rows.may_be_kept:
        return facts
    after = rewritten(body, writer.of_block)
    if after is body:
        return facts
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=after))
    found = gather_again(facts, replace(loop, body=after, loops=loops))
    return facts if isinstance(found, Reason) else found


_Copy = Callable[[Sequence[t.Expr]], t.Stmt]


class _Writer:
    def __init__(self, facts: Facts) -> None:
        self._function = facts.loop.function
        self._names = FreeNames(facts)
        self.rows = KeptRows(facts, Room(DEVICE.small_array, DEVICE.kept_row, DEVICE.kept_rows))
        self._position = _POSITION
        self._counters: list[str] = []  # of the loops that copy, outermost first

    def of_block(self, node: Node) -> Node | None:
        if not isinstance(node, t.Block) or any(isinstance(item, t.Case) for item in node.items):
            return None
        items: list[t.Stmt] = []
        done = 0
        for first, end in self.rows.straight_runs(node.items):
            run = node.items[first:end]
            rows = self.rows.of_run(run)
            if rows:
                items += (rewritten(item, self.of_block) for item in node.items[done:first])
                items += self._of_run(run, rows)
                done = end
        items += (rewritten(item, self.of_block) for item in node.items[done:])
        return with_items(node, items)

    def _of_run(self, run: Sequence[t.Stmt], rows: Sequence[KeptRow]) -> Iterator[t.Stmt]:
        variables = [(row, self._variable(row)) for row in rows]
        names = {node: _element(symbol, at, node) for row, symbol in variables for node, at in row.nodes.items()}
        for row, symbol in variables:
            yield t.DeclStmt(row.row.loc, (t.VarDecl(symbol, None, row.row.loc),))
            yield from self._copies(row, symbol, row.loaded, load=True)
        for item in run:
            yield rewritten(item, lambda part: names.get(part) if isinstance(part, t.Expr) else None)
        for row, symbol in variables:
            yield from self._copies(row, symbol, row.stored, load=False)

    def _variable(self, row: KeptRow) -> t.Symbol:
        kind: ty.Type = row.element
        for length in reversed(row.lengths):
            kind = ty.Array(kind, length)
        self._position += 1
        name = self._names.take(name_of(row.row))
        return t.Symbol(name, kind, t.Storage.AUTO, row.row.loc, self._position, self._function)

    def _copies(self, row: KeptRow, symbol: t.Symbol, elements: Iterable[Element], load: bool) -> Iterator[t.Stmt]:
        """Statements that copy these elements; loops where it is all of an array."""

        def copy(at: Sequence[t.Expr]) -> t.Stmt:
            there, here = copied(row.row), t.Name(symbol.type, row.row.loc, symbol)
            ends = _subscripted(here, at), _subscripted(there, at)
            target, value = ends if load else ends[::-1]
            return t.ExprStmt(row.row.loc, t.Assign(row.element, row.row.loc, "=", target, value))

        yield from self._of_part(row, (), tuple(elements), copy)

    def _of_part(self, row: KeptRow, fixed: Element, elements: Sequence[Element], copy: _Copy) -> Iterator[t.Stmt]:
        """Of `elements`, all of which begin with the subscripts `fixed`."""
        constants = tuple(_constant(row, value) for value in fixed)
        lengths = row.lengths[len(fixed) :]
        if not elements:
            return
        if not lengths:
            yield copy(constants)
        elif whole(elements, lengths):
            yield self._loops(row, constants, lengths, copy)
        else:
            for value in range(lengths[0]):
                inside = [element for element in elements if element[len(fixed)] == value]
                yield from self._of_part(row, (*fixed, value), inside, copy)

    def _counter(self, level: int) -> str:
        while len(self._counters) <= level:
            self._counters.append(self._names.take(f"e{len(self._counters)}"))
        return self._counters[level]

    def _loops(self, row: KeptRow, at: Sequence[t.Expr], lengths: Sequence[int], copy: _Copy) -> t.Stmt:
        """Loops over all of the last dimensions."""
        if not lengths:
            return copy(at)
        loc, self._position = row.row.loc, self._position + 1
        counter = t.Symbol(self._counter(len(at)), ty.INT, t.Storage.AUTO, loc, self._position, self._function)
        name = partial(t.Name, ty.INT, loc, counter)
        init = t.DeclStmt(loc, (t.VarDecl(counter, _constant(row, 0), loc),))
        condition = t.Binary(ty.INT, loc, "<", name(), _constant(row, lengths[0]))
        step = t.IncDec(ty.INT, loc, "++", False, name())
        return t.For(loc, init, condition, step, self._loops(row, (*at, name()), lengths[1:], copy))


def _constant(row: KeptRow, value: int) -> t.IntConst:
    return t.IntConst(ty.INT, row.row.loc, value, str(value))


def _element(symbol: t.Symbol, at: Element, node: t.Expr) -> t.Expr:
    return _subscripted(
        t.Name(symbol.type, node.loc, symbol), [t.IntConst(ty.INT, node.loc, value, str(value)) for value in at]
    )


def _subscripted(array: t.Expr, at: Iterable[t.Expr]) -> t.Expr:
    for subscript in at:
        assert isinstance(array.type, ty.Array)
        array = t.Index(array.type.of, array.loc, array, copied(subscript))
    return array
