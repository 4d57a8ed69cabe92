"""Schedules as code: one printer walks the tree of every kernel, and asks the form of a node for its text.

    for (size_t t_i = ...; t_i < trips_i; ...) {          an Axis: its form's head, and what the loop begins with
        const int i = (int)(t_i);                         the user's variable, if something inside names it
        ...                                               the other axes, then the body
    }

What is inside is printed first, so that a loop knows which variables are wanted.

    In: Schedule, the texts of its nodes.   Out: lines, indented from the kernel's braces on.
    Not here: what stands in front of the loops and behind them -- kernels.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ompc.base.frozen import dataclass
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Axis, Node, Schedule, Steps
from ompc.render.code.statements import INDENT

Lines = list[str]


@dataclass(frozen=True, slots=True)
class AxisText:
    """`before` the loop, its `head`, the declarations it begins with, the `last` lines of a turn, and how it ends."""

    head: Lines
    declared: Lines
    before: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    end: str = "}"


@dataclass(frozen=True, slots=True)
class Inside:
    """What the text of a node needs of the printer: `lines` prints a node inside of it, `depth` is its own."""

    lines: Callable[[Node], Lines]
    depth: int


NodeText = Callable[[Any, Inside], Lines]
"""The lines of a node of one kind, not indented, though long ones are broken as they will stand at the depth."""


@dataclass(frozen=True, slots=True)
class SchedulePrinter:
    """`axes` and `nodes`: the text of each kind of part that an axis takes, and of each kind of node."""

    axes: Mapping[type, Callable[[Axis], AxisText]]
    nodes: Mapping[type, NodeText]

    def lines(self, schedule: Schedule) -> Lines:
        """The loops over the axes of `schedule`, with all that is in them."""
        return indented(self._axes(schedule, 0))

    def _axes(self, schedule: Schedule, number: int) -> Lines:
        depth = number + 1
        if number == len(schedule.axes):
            return self._node(schedule.body, depth)
        axis = schedule.axes[number]
        inside = self._axes(schedule, number + 1)
        text = self.axes[type(axis.taken)](axis)
        return [*text.before, *text.head, *indented([*text.declared, *inside, *text.last]), text.end]

    def _node(self, node: Node, depth: int) -> Lines:
        if isinstance(node, Steps):
            return [line for step in node.steps for line in self._node(step, depth)]
        return self.nodes[type(node)](node, Inside(lambda child: self._node(child, depth + 1), depth))


def indented(lines: Iterable[str]) -> Lines:
    return [INDENT + line for line in lines]


def only_turn(once: Name | None) -> tuple[str, ...]:
    """How a turn of a loop over the grid ends where threads have one: by leaving it. A step to the loop's end says the
    same, but a kernel with much to keep in registers takes a seventh longer then (nvcc 13.0, sm_90).
    """
    return () if once is None else (f"if ({once})", "    break;")
