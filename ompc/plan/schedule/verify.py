"""Check what a schedule promises, whatever forms have made it.

    axes go from z to x, each once
    what is taken of the iterations at a time is nothing that the launch's effects forbid
    a barrier is where all threads of a block come: in tiles, and not inside of what each thread does for itself; so is
    where prefixes are combined, in tiles that blocks take in their order, between the two phases
    what is staged fits into shared memory; what is staged in, the kernel only reads, unless it is staged out
    what the points of a thread keep fits into its registers
    behind the iterations the threads of a block combine values only if all of them come there
    threads leave after one turn of the grid only where nothing is behind it, and the launcher knows how many there are

    In: KernelPlan, its schedules.   Out: what is broken, in words.   Not here: rules about what forms say besides --
    plan/verify.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.plan.forms.collected_adds import NAMES, collected_by
from ompc.plan.forms.histograms import is_one_operation
from ompc.plan.forms.tiles import shared_bytes
from ompc.plan.forms.transposed import tile_bytes
from ompc.plan.machine import DEVICE
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import (
    Axis,
    Barrier,
    InOrderTiles,
    Node,
    OnePoint,
    PointsOfThread,
    Prefix,
    RegisterTile,
    Schedule,
    Scope,
    Slots,
    Stage,
    StripLoop,
    Strips,
    TilePoints,
    Tiles,
)
from ompc.plan.model.tile_model import TilePlan, TransposedElement, TransposedPlan

_BY_THREADS = (StripLoop, TilePoints, RegisterTile, PointsOfThread)
"""Inside of these each thread has iterations of its own, or none."""

_ALLOWED: dict[type, Callable[[LaunchEffects], bool]] = {
    OnePoint: lambda effects: not effects.scans,
    Strips: lambda effects: effects.is_order_free and not effects.last_values,
    Tiles: lambda effects: effects.has_points_and_sums,
    Slots: lambda effects: effects.all_threads_end and not (effects.last_values or effects.scans),
    InOrderTiles: lambda effects: effects.scans and effects.all_threads_end and not (effects.extrema or effects.latest),
}
"""Whether a launch with such effects may have its iterations taken in this way."""


def broken_rules(kernel: KernelPlan, schedule: Schedule) -> Iterator[str]:
    """The rules that `schedule`, one of those of `kernel`, breaks."""
    names = [axis.name for axis in schedule.axes]
    if names != sorted(set(names), reverse=True) or names[-1:] != ["x"]:
        yield f"loops on the axes {', '.join(names)}"
    for axis in schedule.axes:
        yield from (f"axis {axis.name}: {broken}" for broken in _axis_rules(kernel, axis))
    for node, around in schedule.nodes():
        if isinstance(node, Barrier):
            yield from _barrier_rules(schedule, around)
        if isinstance(node, Prefix) and (len(names) != 1 or schedule.axes[0].scan is not node.scan or around[1:]):
            yield "prefixes of iterations that blocks do not take in their order, or inside of what each thread does"
        if isinstance(node, Stage):
            yield from _stage_rules(kernel, node)
    forms = {axis.taken.form for axis in schedule.axes if isinstance(axis.taken, Tiles)}
    if any(_shared_bytes(form) > (DEVICE.shared_asked if _asks(form) else DEVICE.shared) for form in forms):
        yield "tiles that do not fit into shared memory"
    dependent = any(loop.loop.dependent for loop in kernel.grid)
    if schedule.once is not None and (schedule.combined or kernel.expanded or dependent):
        yield "threads that leave after one turn, though there is something to combine, or turns that only they count"
    if any(isinstance(form, TilePlan) and form.registers > DEVICE.registers for form in forms):
        yield "tiles whose points keep more than a thread's registers"
    yield from _collected_rules(kernel, schedule)
    by_blocks = any(each.scope is Scope.BLOCK for each in schedule.combined)
    if by_blocks and not kernel.effects.all_threads_end:
        yield "accumulators of blocks, of which not all threads come to the end"


def _collected_rules(kernel: KernelPlan, schedule: Schedule) -> Iterator[str]:
    taken = {axis.taken.collected for axis in schedule.axes if isinstance(axis.taken, OnePoint)} - {None}
    if taken != {*schedule.collected} or (taken and len(schedule.axes) != 1):
        yield "blocks have neighbouring iterations and nothing to collect, or the other way round"
    for each in collected_by(schedule):
        if not isinstance(each.type, ty.Int) or not is_one_operation(each.operations, each.type):
            yield f"collects what is added to {each.words}, for operations whose order or grouping shows"
        if kernel.per_launch_allocation or not {operation.name for operation in each.operations} <= NAMES:
            yield f"collects what is done to {each.words} in a kernel that is not made for that"
    lanes = schedule.lanes
    if lanes is not None and lanes.collected and (lanes.held or any(count.length for count in lanes.counts)):
        yield "collects in a block's memory in which it has arrays"


def _axis_rules(kernel: KernelPlan, axis: Axis) -> Iterator[str]:
    if not _ALLOWED[type(axis.taken)](kernel.effects):
        yield "iterations are taken in a way that the launch's effects forbid"
    if not isinstance(axis.taken, OnePoint):
        if kernel.per_launch_allocation and not isinstance(axis.taken, InOrderTiles):
            yield "a form in a kernel that is as the thesis has it"
        several = len(axis.loops) != 1 and not isinstance(axis.taken, (Slots, InOrderTiles))
        if several or any(x.loop.dependent for x in axis.loops):
            yield "iterations of several loops are taken together, or of one whose bounds depend on others"
    if any(loop.loop.dependent and loop.axis_counter != loop.counter for loop in axis.loops):
        yield "a loop whose bounds depend on outer ones shares it"
    several = len(axis.loops) != 1 and not isinstance(axis.taken, Slots)
    if axis.begin is not None and (not kernel.effects.may_be_split or several):
        yield "in slices, but there is one last value, iterations may end the launch, or there are several loops"


def _barrier_rules(schedule: Schedule, around: tuple[Node, ...]) -> Iterator[str]:
    # A block has one thread along z.
    if not all(isinstance(axis.taken, Tiles) for axis in schedule.axes if axis.name != "z"):
        yield "a barrier in loops that the threads of a block leave at different times"
    if any(isinstance(node, _BY_THREADS) for node in around):
        yield "a barrier inside of what each thread does for itself"


def _stage_rules(kernel: KernelPlan, stage: Stage) -> Iterator[str]:
    unchanged = {v.symbol for v in (*kernel.arrays, *kernel.constants) if not v.writes}
    for element in stage.elements:
        if isinstance(element, TransposedElement) and element.stored:
            continue
        for symbol in (symbol for node in element.nodes for symbol in symbols_in(node)):
            if isinstance(symbol.type, (ty.Array, ty.Pointer)) and symbol not in unchanged:
                yield f"stages '{symbol.name}', which is not read-only"


def _asks(form: TilePlan | TransposedPlan) -> bool:
    """Does the launch give its shared memory to the blocks?"""
    return isinstance(form, TilePlan) and bool(form.memory)


def _shared_bytes(form: TilePlan | TransposedPlan) -> int:
    """The most that a block of the form has."""
    if isinstance(form, TransposedPlan):
        return sum(tile_bytes(element, form.side) for element in form.elements)
    bytes_of = partial(shared_bytes, form.staged, narrower=form.narrower, padding=form.padding)
    return max(bytes_of(depth=form.depth), bytes_of(depth=form.depth_of_one, points=1))
