"""Plan: launches that go in slices, so that their kernels run beside the first copies of large arrays.

    for (const ompc::Slice slice : launch.slices(trips))        iterations slice.begin to slice.end
        OMPC_LAUNCH(launch, launch.shape(slice.trips), ...);

Where an array of some hundred megabytes comes to the device for the first time, the launch is made in several parts: a
part of the array is copied while the kernel works on the one before. It needs to be known how far the first iterations
of the outermost loop reach into the array (iteration_footprints.py); arrays of which that is not known are copied
before. With nothing large to copy, a launch is one slice.

Not where nothing is gained: a kernel that does less than DEVICE.slice_work operations for an iteration is over in a
thirtieth of the time of the copies. Not in kernels that know which iteration is the last, or in which blocks combine
arrays or records at the end. Numbers that are combined may be: a slice begins with what those before it have come to
(ompc_reduce.h). But with --fp strict not where that rounds: a launch that finds its data on the device is one slice,
and there the same launch gives the same bits.

With `--gpus several` also so that several devices may do a slice each at once (ompc_parts.h): then however little
an iteration does, and with all that is known of what iterations touch, since that tells which device should do which.
Not where iterations meet in atomic operations, which are those of one device.

The schedule:

    axis y: i ...                        axis y: i ..., from begin on

    In: the kernels of a launch, Nest.   Out: the same kernels, all of which are for slices.
    Not here: how large the parts are, and when there are any -- ompc_slices.h.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.memory.iteration_footprints import IterationFootprint, iteration_footprints
from ompc.base.options import FloatingPoint
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import ReductionItem
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.launch import GridLoop, SlicePlan
from ompc.plan.model.names import Local, Name, spelled
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.variable import Role, Variable
from ompc.plan.nest import Nest

MOST_PARTS, MOST_DIMENSIONS, MOST_SPREAD_PARTS = 8, 8, 24
"""The most parts, and dimensions of each, that ompc_slices.h has room for. They do not depend on the device."""


def in_slices(kernels: tuple[Schedule, ...], nest: Nest) -> tuple[Schedule, ...] | Refused:
    """All kernels of a launch are made in the same slices."""
    combines = kernels[0].lanes is not None or kernels[0].accumulators or nest.has_expanded
    combines = combines or nest.facts.loop.phases is not None  # each of them is of all iterations
    combines = combines or any(v.former is not None for v in nest.variables)  # copies are made of all before the first
    form = None
    if not combines and not nest.kernel.overlaps:
        form = (_spread_form(nest) if nest.choices.several_devices else None) or _form(nest)
    return Refused() if form is None else tuple(sliced(schedule, form) for schedule in kernels)


def sliced(schedule: Schedule, form: SlicePlan) -> Schedule:
    outermost, *others = schedule.axes
    return replace(schedule, axes=(replace(outermost, slices=form), *others))


def _may_have_slices(nest: Nest) -> bool:
    """Does the kernel nothing but its iterations, in a grid of which the outermost loop can be cut?"""
    if not nest.effects.may_be_split or nest.facts.loop.target is not None:
        return False
    if nest.choices.contraction.fp is FloatingPoint.STRICT and any(map(_rounds, nest.facts.loop.reductions)):
        return False
    outermost = [other for other in nest.grid if other.axis == nest.grid[0].axis]
    return len(outermost) == 1 and not any(other.loop.dependent for other in nest.grid)


def _form(nest: Nest) -> SlicePlan | None:
    """For what comes to the device while kernels run."""
    grid, work = nest.grid, nest.work
    if not _may_have_slices(nest):
        return None
    if work is not None and not work.factors and (work.constant or 0) < DEVICE.slice_work:
        return None
    by_value = frozenset(v.symbol for v in nest.variables if _keeps_name(v))
    found = {v.device_name: parts for v in nest.variables if (parts := _parts(nest.kernel, v, grid[0], by_value))}
    if not found or sum(map(len, found.values())) > MOST_PARTS:
        return None
    return SlicePlan(_begin(nest), found)


def _spread_form(nest: Nest) -> SlicePlan | None:
    """For several devices, each of which does nothing but its iterations."""
    if not _may_have_slices(nest) or not nest.effects.may_be_spread or nest.facts.loop.chain:
        return None
    by_value = frozenset(v.symbol for v in nest.variables if _keeps_name(v))
    found: dict[Name, tuple[IterationFootprint, ...]] = {}
    for v in sorted(nest.variables, key=lambda v: not v.writes):  # what is written says more
        parts = _known_parts(nest.kernel, v, nest.grid[0], by_value)
        if sum(map(len, found.values())) + len(parts) <= MOST_SPREAD_PARTS and parts:
            found[v.device_name] = parts
    return SlicePlan(_begin(nest), found, spreads=True)


def _begin(nest: Nest) -> Local:
    suffix = f"_{nest.grid[0].variable}" if len(nest.grid) > 1 else ""
    return Local(f"begin{suffix}")


def _rounds(reduction: ReductionItem) -> bool:
    """Does its result depend on which values are combined first?"""
    return not ty.is_integer(reduction.symbol.type) and reduction.op in ("+", "-", "*")


def _keeps_name(v: Variable) -> bool:
    return v.role in (Role.VALUE, Role.FIRSTPRIVATE) and v.device_name == spelled(v.symbol.name)


def _parts(
    kernel: Kernel, v: Variable, loop: GridLoop, by_value: frozenset[t.Symbol]
) -> tuple[IterationFootprint, ...]:
    """Of an array that may be large, and of which the first iterations need little; none: it is copied before."""
    if v.overwrites:
        return ()
    parts = _known_parts(kernel, v, loop, by_value)
    moves = any(part.stride.terms for part in parts)
    return parts if moves and not any(map(_starts_far, parts)) else ()


def _known_parts(
    kernel: Kernel, v: Variable, loop: GridLoop, by_value: frozenset[t.Symbol]
) -> tuple[IterationFootprint, ...]:
    """What iterations touch of an array that may be large; none: that is not known."""
    if v.role is not Role.ARRAY or not v.in_device_memory or v.obj is None:
        return ()
    if v.bytes is not None and v.bytes <= DEVICE.copied_whole:
        return ()
    parts = iteration_footprints(kernel.facts.lmads, kernel.facts.of(v.obj), loop.loop) or ()
    known = all(part.symbols <= by_value and len(part.lmad.dimensions) <= MOST_DIMENSIONS for part in parts)
    return parts if known else ()


def _starts_far(part: IterationFootprint) -> bool:
    """Does the first iteration, as far as is known, touch what lies as far apart as what the last one does?"""
    own = part.stride.constant
    if own is None:
        return False
    others = [dimension.stride.constant for dimension in part.lmad.dimensions]
    return own < 0 or any(other is None or abs(other) > own for other in others)


def slices_text(plan: SlicePlan, loop: GridLoop) -> str:
    """For the comment above the kernel, and the plan as text."""
    if plan.spreads:
        return f"in slices of {loop.variable}: several devices may do one each"
    names = ", ".join(map(str, plan.parts))
    return f"in slices of {loop.variable}, each while the next one's data is copied, where there is much of {names}"
