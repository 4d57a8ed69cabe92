"""Analysis: rows of arrays that an iteration works on in several pieces, under conditions of their own.

    if (1 <= j && j <= n) { r[j][0] = r[j][0] + a; r[j][1] = r[j][1] + b; }
    if (j == 1)
        for (m = 0; m < 2; m++) r[j][m] = r[j][m] - c * u[j][m];

The elements of the row `r[j]` may stay in variables from the first piece to the last one, which the compiler for the
device does not see: a piece need not be done, and what it stores might be what another array's load reads.

    or whole      an element is changed once, but all elements of the row are, and the row behind it is the neighbouring
                  thread's: then it is stored as one (plan/forms/row_stores.py)
    one row       all that the kernel does to the array has the same subscripts, which the iteration does not change,
                  and behind them constants
    pieces        an element is given a value under two conditions; each is a comparison of what the iteration does not
                  change, so it says at the beginning whether the element is loaded, and at the end whether it is stored
    straight      no statement uses an element on a condition of its own

    In: Facts, what a thread does for a point of the grid.   Out: IterationRow of each.
    Not here: what becomes of them -- plan/rewrites/elements/iteration_rows.py; rows of a thread's own arrays --
    kept_rows.py; elements during a loop -- scalar_replacement.py.
    Source: scalar replacement with control flow (Carr and Kennedy, "Scalar replacement in the presence of conditional
    control flow", Software: Practice and Experience 24(1), 1994).
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import form
from ompc.analysis.locality.iteration_steps import (
    NotInStepsError,
    Step,
    affine,
    is_fixed,
    iteration_of_grid,
    steps_of,
)
from ompc.analysis.locality.recurrences import is_straight, lvalues_of
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Subscript, access_path
from ompc.ir.exits import has_goto, jumps_in, labels_in
from ompc.ir.queries import set_in, unread_in
from ompc.ir.walk import walk
from ompc.omp.model import Sharing

Entry = tuple[int, ...]
"""The constant subscripts of an element."""

MOST_ELEMENTS = 16
LEAST_ROW, MOST_ROW = 16, 80
"""Bytes of a row that lanes store together: longer than what one thread stores at once, and at most 20 KB for the 256
threads of a block.
"""


@dataclass(frozen=True, slots=True, eq=False)
class RowUse:
    """An lvalue of a step."""

    step: Step
    node: t.Expr
    reads: bool
    writes: bool


@dataclass(slots=True, eq=False)
class IterationRow:
    """A row of `obj`, and the uses of its elements in their order; `levels`: its last subscripts that are constants."""

    obj: MemoryObject
    levels: int
    elements: dict[Entry, list[RowUse]] = field(default_factory=dict)

    @property
    def pieces(self) -> int:
        """Under how many conditions an element is written, at most."""
        return max(len({use.step.guards for use in uses if use.writes}) for uses in self.elements.values())

    def is_whole_beside_next(self, x: t.Symbol) -> bool:
        """Is all of it written, by neighbouring threads side by side?"""
        node = self.uses[0].node
        row = node.base if isinstance(node, t.Index) else None
        if self.levels != 1 or not isinstance(row, t.Index) or not isinstance(row.type, ty.Array):
            return False
        known = affine(row.index, {x: (1, 0)})
        size = ty.size_of(row.type)
        is_whole = len(self.elements) == row.type.length
        return is_whole and known is not None and known[0] == 1 and size is not None and LEAST_ROW < size <= MOST_ROW

    @property
    def uses(self) -> list[RowUse]:
        return [use for uses in self.elements.values() for use in uses]


def iteration_rows(facts: Facts, body: t.Stmt, x: t.Symbol) -> tuple[IterationRow, ...]:
    """The rows of what a thread does for a point of the grid, of which `x` is counted from thread to thread."""
    if facts.device_code.leaves or has_goto(body) or jumps_in(body) or labels_in(body) or unread_in(body) is not None:
        return ()
    if any(isinstance(node, t.Pragma) for node in walk(body)) or facts.device_code.says_anything(body):
        return ()
    try:
        steps = tuple(steps_of(iteration_of_grid(facts, body)))
    except NotInStepsError:
        return ()
    return _Rows(facts, set_in(body), steps).found(x)


class _Rows:
    def __init__(self, facts: Facts, changed: frozenset[t.Symbol], steps: Sequence[Step]) -> None:
        self._facts = facts
        self._changed = changed
        self._steps = steps
        self._unfit: set[MemoryObject] = set()
        self._rows: dict[MemoryObject, object] = {}
        self._found: dict[MemoryObject, IterationRow] = {}

    def found(self, x: t.Symbol) -> tuple[IterationRow, ...]:
        for step in self._steps:
            if not is_straight(step.statement):
                self._unfit |= {access.obj for node in walk(step.statement) for access in self._facts.at(node)}
                continue
            for node, reads, writes in lvalues_of(step.statement):
                objects = {access.obj for access in self._facts.at(node)}
                if len(objects) == 1:
                    self._use(next(iter(objects)), RowUse(step, node, reads, writes))
                self._unfit |= objects if len(objects) > 1 else set()
        fit = [row for row in self._found.values() if row.pieces > 0 and self._is_fit(row)]
        rows = [row for row in fit if row.pieces > 1 or (x not in self._changed and row.is_whole_beside_next(x))]
        return tuple(rows) if sum(len(row.elements) for row in rows) <= MOST_ELEMENTS else ()

    def _use(self, obj: MemoryObject, use: RowUse) -> None:
        found = self._place(obj, use)
        if found is None or self._rows.setdefault(obj, found[0]) != found[0]:
            self._unfit.add(obj)
            return
        row = self._found.setdefault(obj, IterationRow(obj, len(found[1])))
        row.elements.setdefault(found[1], []).append(use)

    def _place(self, obj: MemoryObject, use: RowUse) -> tuple[object, Entry] | None:
        """What the same elements have in common, and the constants."""
        path = access_path(use.node)
        origin = path.origin
        if not isinstance(origin, t.Name) or origin.symbol in self._changed or obj.stored:
            return None
        if path.follows and origin.symbol != obj.symbol:
            return None
        row: list[object] = [origin.symbol]
        entry: list[int] = []
        for each in path.steps:
            if not isinstance(each, Subscript):
                return None
            known = affine(each.index, use.step.values)
            length = each.whole.length if isinstance(each.whole, ty.Array) else None
            if known is not None and known[0] == 0 and isinstance(length, int) and 0 <= known[1] < length:
                entry.append(known[1])
            elif is_fixed(each.index, self._facts, self._changed) and not entry:
                row.append(form(each.index))
            else:
                return None
        return (tuple(row), tuple(entry)) if _is_indexed(use.node, len(path.steps)) else None

    def _is_fit(self, row: IterationRow) -> bool:
        """Numbers in memory that threads have in common, to which the kernel does nothing else."""
        facts, obj = self._facts, row.obj
        if obj in self._unfit or facts.is_thread_private(obj):
            return False
        if facts.loop.sharing.get(obj.symbol) in (Sharing.SHARED_REDUCTION, Sharing.REDUCTION):
            return False
        known = {use.node for use in row.uses}
        if any(access.node not in known or access.function is not None for access in facts.of(obj)):
            return False
        if any(facts.atomic_operations.covers(access) for access in facts.of(obj)):
            return False
        kinds = {use.node.type for use in row.uses}
        return len(kinds) == 1 and all(isinstance(kind, (ty.Int, ty.Float)) and not kind.quals for kind in kinds)


def _is_indexed(node: t.Expr, levels: int) -> bool:
    """Are all subscripts written as such?"""
    for _ in range(levels):
        if not isinstance(node, t.Index):
            return False
        node = node.base
    return isinstance(node, t.Name)
