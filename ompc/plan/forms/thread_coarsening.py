"""Plan: thread coarsening along x: several neighbouring iterations for each thread of a kernel with histograms.

    count[data[i]]++        const auto iteration = [&](int, unsigned char data_near) { ... &count[data_near] ... };
                            ompc::each<neighbours>(trips - first, iteration, data + (int)first);

The updates of a block's copies are quick, so what such a loop waits for are its reads. A thread that has several
neighbouring iterations reads their elements before it works on them, 16 bytes at once where they are aligned. Only
elements that every iteration reads anyway, of arrays that the kernel does not write: `a[i]`, outside of conditions and
in front of all jumps, in a loop with a step of one. How many iterations that are goes by the narrowest element, and by
how long the body is, which is there as many times.

The schedule:

    axis x: i ...                        axis x: i ..., 16 a thread
        body                                 strip of i
                                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: nests of which several loops are axes of the grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from ompc.analysis.memory.accesses import Access, Mode
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto, is_jump, leaves_loop
from ompc.ir.queries import unread_in
from ompc.ir.walk import walk
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.launch import CoarseningPlan, GridLoop, NearRead
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule, StripLoop, Strips
from ompc.plan.model.variable import Role, Variable
from ompc.plan.nest import Nest

FEW = 4
"""The fewest iterations of a thread: with fewer the form gains nothing, whatever the device is."""


def in_neighbours(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Several neighbouring iterations of the x axis a thread, where there are copies."""
    form = _form(nest) if schedule.form is None and schedule.accumulators else None
    if form is None:
        return Refused()
    (loop,) = schedule.axis("x").loops
    strips = Strips(form.count, form)
    body = StripLoop(loop, strips, schedule.body)
    return replace(schedule, what="several neighbours a thread", axes=schedule.with_axes({"x": strips}), body=body)


def _form(nest: Nest) -> CoarseningPlan | None:
    body, grid, effects = nest.body, nest.grid, nest.effects
    size = sum(1 for _ in walk(body))
    if len(grid) != 1 or grid[0].step.constant != 1 or grid[0].loop.down or grid[0].loop.dependent:
        return None
    if effects.last_values or not effects.is_order_free or size > DEVICE.coarsened_body:
        return None
    if has_goto(body) or leaves_loop(body) or unread_in(body) is not None:
        return None
    reads = tuple(_reads(nest.kernel, grid[0], nest.variables))
    if not reads:
        return None
    sizes = [ty.size_of(read.type) or DEVICE.vector for read in reads]
    narrowest = min(sizes)
    many = DEVICE.neighbours_vectors * DEVICE.vector // narrowest
    count = max(FEW, many) if size <= DEVICE.coarsened_body_small else FEW
    while count > FEW and count * sum(sizes) > DEVICE.neighbours_bytes:
        count //= 2
    names = {what: Local(what) for what in ("neighbours", "first", "iteration", "nth")}
    return CoarseningPlan(count, reads, names)


def _reads(kernel: Kernel, loop: GridLoop, variables: Sequence[Variable]) -> Iterator[NearRead]:
    nodes = list(walk(kernel.mapping.body))
    in_body, before = set(nodes), set(takewhile(lambda node: not is_jump(node), nodes))
    for v in variables:
        if v.role is not Role.ARRAY or not v.is_only_read or v.obj is None:
            continue
        found = [access for access in kernel.facts.of(v.obj) if access.node in in_body and _is_own(access, loop)]
        kind = ty.unqualified(v.element)
        certain = any(access.context == () and access.node in before for access in found)
        if certain and isinstance(kind, (ty.Int, ty.Float)):
            own = tuple(access.node for access in found)
            yield NearRead(own, v.device_name, kind, Local("_near", after=v.device_name))


def _is_own(access: Access, loop: GridLoop) -> bool:
    """Does an iteration read the element of its own number?"""
    if access.mode is not Mode.READ or access.function is not None or access.subscripts is None:
        return False
    if not isinstance(access.node, t.Index) or not isinstance(access.node.base, t.Name) or len(access.subscripts) != 1:
        return False
    subscript = access.subscripts[0]
    return isinstance(subscript, t.Name) and subscript.symbol is loop.loop.var
