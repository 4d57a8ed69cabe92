"""Loops that one thread runs alone though they are long, each with the reason: for the report.

    for (i ...) {                 axis x
        double t = 0;
        for (k ...)               alone: 't' carries a value from one iteration to the next
            t = t * x[i] + a[i][k];
        for (j ...)               alone: its iterations are independent, but line 4 is beside it
            b[i][j] = t;
    }

Long is a loop that may turn more than `SHORT` times, or nobody knows how often. Loops that a group of threads goes
through together, to share them or what is inside of them, are not alone; those of called functions are not looked at.

    In: a RegionPlan on the device.   Out: LoopAlone of each, in the order of the text.
    Not here: the choice of the axes -- mapping/mapping.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.locality.most_trips import most_trips
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir.exits import breaks, leaves_loop
from ompc.ir.queries import called_functions, changed_in, names_in
from ompc.ir.walk import Node, children, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.inner_axes import why_in_order, why_no_axis
from ompc.plan.mapping.mapping import only_loop
from ompc.plan.mapping.trip_text import trip_text
from ompc.plan.model.lane_steps import Alone, Chosen, Repeated, Scope, SharedLoop
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.schedule import Schedule, Serial

SHORT = 16
"""The most iterations of a loop that needs no excuse: nvcc unrolls it, and as many threads more would be few."""


@dataclass(frozen=True, slots=True)
class LoopAlone:
    """`line` of the user's, `variable` and `iterations` where the loop is counted, `because`: a clause. `independent`:
    its iterations are, so that threads could share it.
    """

    line: int
    variable: str | None
    iterations: str | None
    because: str
    independent: bool = False


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
            yield LoopAlone(node.loc.line, None, None, _what_decides(node))
        elif isinstance(node, t.For):
            yield from self._loop(node, around, serial)
            return
        for child in children(node):
            yield from self.loops(child, around, serial)

    def _loop(self, node: t.For, around: Sequence[CanonicalLoop], serial: str | None) -> Iterator[LoopAlone]:
        loop = self.facts.inner_loops.get(node)
        if loop is None:
            yield LoopAlone(node.loc.line, None, None, _what_decides(node))
            for child in children(node):
                yield from self.loops(child, around, serial)
            return
        if not self._is_shared(node) and not self._is_short(loop):
            fixed = self.facts.loop.fixed
            independent, because = self._because(loop, around, serial)
            yield LoopAlone(node.loc.line, loop.var.name, trip_text(loop, fixed), because, independent)
        yield from self.loops(loop.body, (*around, loop), loop.var.name)

    def _is_short(self, loop: CanonicalLoop) -> bool:
        trips = most_trips(self.facts, loop)
        return trips is not None and trips <= SHORT

    def _is_shared(self, node: t.For) -> bool:
        """Do lanes divide it, or does a group go through it together, for what it shares inside of it?"""
        return any(node in _together(schedule) for schedule in self.kernel.schedules)

    def _because(self, loop: CanonicalLoop, around: Sequence[CanonicalLoop], serial: str | None) -> tuple[bool, str]:
        """Are its iterations independent, and why has it one thread?"""
        inside = set(walk(loop.statement))
        functions = {function.symbol: function for function in self.facts.device_code.functions}
        called = called_functions(loop.statement, functions)
        accesses = [a for a in self.facts.accesses if a.node in inside or a.function in called]
        depends = why_in_order(self.facts, loop, around, accesses)
        if depends is not None:
            return False, depends
        return True, f"its iterations are independent, but {self._why_not_shared(loop, around, serial, accesses)}"

    def _why_not_shared(
        self, loop: CanonicalLoop, around: Sequence[CanonicalLoop], serial: str | None, accesses: Sequence[Access]
    ) -> str:
        if (why_not := why_no_axis(self.facts, loop, around, accesses)) is not None:
            return why_not
        if serial is not None:
            return f"it is inside of the loop over {serial}, which is alone"
        if len(self.axes) >= DEVICE.axes:
            return f"the grid has {DEVICE.axes} axes already"
        if self.facts.loop.override.annotated_only:
            return "`#pragma cuda` asks for the annotated loops alone"
        if not self.joins:
            return "only annotated loops are axes at this level of `--opt`"
        if only_loop(self.facts, self.kernel.body) is loop:
            return self.kernel.mapped_because or "the kernel is not made of them"
        beside = _beside(self.kernel.body, loop.statement)
        where = "" if beside is None else f": line {beside} is beside it"
        return f"it is not all that an iteration of {around[-1].var.name} does{where}"


def _what_decides(node: t.While | t.DoWhile | t.For) -> str:
    """Why a loop that is not counted has one thread: what each turn hands on, of what its end depends on."""
    asked = () if node.condition is None else names_in(node.condition)
    parts = (node.condition, node.body, node.step if isinstance(node, t.For) else None)
    changed = {symbol for part in parts if part is not None for symbol in changed_in(part)}
    decides = next((symbol for symbol in asked if symbol in changed), None)
    if decides is not None:
        return f"whether it turns again depends on '{decides.name}', which its turns change"
    if leaves_loop(node.body) or breaks(node.body):
        return "it can be left early"
    return "how often it turns is not known before it begins"


def _together(schedule: Schedule) -> frozenset[t.Stmt]:
    """The loops that threads divide, or repeat around one that they divide, or for which a block stages elements."""
    staged = [part.loop.loop.statement for part, _ in schedule.nodes() if isinstance(part, Serial)]
    lanes = () if schedule.lanes is None else _of_group(schedule.lanes.body)
    return frozenset((*staged, *lanes))


def _of_group(scope: Scope) -> Iterator[t.Stmt]:
    for step in scope.steps:
        match step:
            case SharedLoop(loops=loops):
                yield from (loop.statement for loop in loops)
            case Repeated(loop=statement, body=body):
                yield statement
                yield from _of_group(body)
            case Scope():
                yield from _of_group(step)
            case Chosen(then=then, other=other):
                yield from _of_group(then)
                yield from () if other is None else _of_group(other)
            case Alone():
                pass


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

