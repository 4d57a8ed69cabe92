"""Loops that one thread runs alone though they are long, each with the reason: for the report.

    for (i ...) {                 axis x
        double sum = 0;
        for (k ...)               alone: 'sum' carries a value from one iteration to the next
            sum += a[i][k];
        for (j ...)               alone: it is not all that an iteration of i does: line 4 is beside it
            b[i][j] = sum;
    }

Long is a loop that turns more than `SHORT` times, or nobody knows how often. Loops that a group of threads goes through
together are not alone; those of called functions are not looked at.

    In: a RegionPlan on the device.   Out: LoopAlone of each, in the order of the text.
    Not here: the choice of the axes -- mapping/mapping.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.locality.trips import constant_trips
from ompc.base.frozen import dataclass
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir.walk import Node, children, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import only_loop, why_no_axis
from ompc.plan.mapping.trip_text import trip_text
from ompc.plan.model.plan import KernelPlan, RegionPlan

SHORT = 16
"""The most iterations of a loop that needs no excuse: nvcc unrolls it, and as many threads more would be few."""


@dataclass(frozen=True, slots=True)
class LoopAlone:
    """`line` of the user's, `variable` and `iterations` where the loop is counted, `because`: a clause."""

    line: int
    variable: str | None
    iterations: str | None
    because: str


def loops_alone(region: RegionPlan, level: Level) -> tuple[LoopAlone, ...]:
    """Of the loop's own kernel; none where it is on the host."""
    kernel, facts = region.kernel, region.facts
    if kernel is None or facts is None:
        return ()
    axes = tuple(loop.loop for loop in kernel.grid)
    return tuple(_Finder(facts, kernel, axes, level is Level.AUTO).loops(kernel.body, axes, None))


@dataclass(frozen=True, slots=True)
class _Finder:
    facts: Facts
    kernel: KernelPlan
    axes: Sequence[CanonicalLoop]
    joins: bool

    def loops(self, node: Node, around: Sequence[CanonicalLoop], serial: str | None) -> Iterator[LoopAlone]:
        """Those in `node`, inside of `around`; `serial`: the variable of the innermost loop around that is alone."""
        if isinstance(node, (t.While, t.DoWhile)):
            yield LoopAlone(node.loc.line, None, None, "how often it turns is not known before it begins")
        elif isinstance(node, t.For):
            yield from self._loop(node, around, serial)
            return
        for child in children(node):
            yield from self.loops(child, around, serial)

    def _loop(self, node: t.For, around: Sequence[CanonicalLoop], serial: str | None) -> Iterator[LoopAlone]:
        loop = self.facts.inner_loops.get(node)
        if loop is None:
            yield LoopAlone(node.loc.line, None, None, "how often it turns is not known before it begins")
            for child in children(node):
                yield from self.loops(child, around, serial)
            return
        trips = constant_trips(loop)
        if not self._is_shared(node) and (trips is None or trips > SHORT):
            fixed = self.facts.loop.fixed
            yield LoopAlone(node.loc.line, loop.var.name, trip_text(loop, fixed), self._because(loop, around, serial))
        yield from self.loops(loop.body, (*around, loop), loop.var.name)

    def _is_shared(self, node: t.For) -> bool:
        found = [schedule.lanes for schedule in self.kernel.schedules if schedule.lanes is not None]
        return any(shared.loop.statement is node for lanes in found for shared in lanes.body.loops())

    def _because(self, loop: CanonicalLoop, around: Sequence[CanonicalLoop], serial: str | None) -> str:
        inside = set(walk(loop.statement))
        accesses = [a for a in self.facts.accesses if a.node in inside or a.function is not None]
        why_not = why_no_axis(self.facts, loop, around, accesses)
        if why_not is not None:
            return why_not
        if serial is not None:
            return f"its iterations are independent, but it is inside of the loop over {serial}, which is alone"
        if len(self.axes) >= DEVICE.axes:
            return f"its iterations are independent, but the grid has {DEVICE.axes} axes already"
        if self.facts.loop.override.annotated_only:
            return "the annotated loops alone, as `#pragma cuda` asks"
        if not self.joins:
            return "its iterations are independent, but only annotated loops are axes at this level of `--opt`"
        if only_loop(self.facts, self.kernel.body) is loop:
            return self.kernel.mapped_because or "its iterations are independent, but the kernel is not made of them"
        beside = _beside(self.kernel.body, loop.statement)
        where = "" if beside is None else f": line {beside} is beside it"
        whole = f"it is not all that an iteration of {around[-1].var.name} does{where}"
        return f"its iterations are independent, but {whole}"


def _beside(body: t.Stmt, loop: t.For) -> int | None:
    """The line of the first statement next to the loop, or next to what it stands in."""
    while isinstance(body, t.Block):
        items = [item for item in body.items if not isinstance(item, t.Empty)]
        others = [item for item in items if not any(part is loop for part in walk(item))]
        if others:
            return others[0].loc.line
        if len(items) != 1:
            return None
        body = items[0]
    return None if body is loop else body.loc.line

