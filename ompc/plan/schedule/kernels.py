"""All schedules of a loop: that of its kernel, and those of a second kernel which its launcher may take.

    In: KernelPlan.   Out: Schedules.   Not here: when a launch takes which -- render/launcher/launcher.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.schedule.lanes import in_groups
from ompc.plan.schedule.points import one_point_a_thread
from ompc.plan.schedule.slices import in_slices
from ompc.plan.schedule.strips import in_neighbours, in_rows
from ompc.plan.schedule.tiles import in_tiles
from ompc.plan.schedule.transposed import in_transposed_tiles


def schedules(kernel: KernelPlan) -> tuple[Schedule, ...]:
    """The first one is that of any launch."""
    found = list(_schedules(kernel))
    if kernel.slices is not None:
        found = [in_slices(schedule, kernel.slices) for schedule in found]
    return tuple(found)


def kernels_of(kernel: KernelPlan) -> Iterator[tuple[KernelPlan, Schedule]]:
    """All kernels that the launcher may launch, each with the plan that it is printed from."""
    yield from ((kernel, schedule) for schedule in schedules(kernel))
    if kernel.split is not None:
        yield from kernels_of(kernel.split)


def _schedules(kernel: KernelPlan) -> Iterator[Schedule]:
    points = one_point_a_thread(kernel)
    if kernel.lanes is not None:
        yield in_groups(points, kernel.lanes)
        return
    if kernel.coarsened is not None:
        yield in_neighbours(points, kernel.coarsened)
        return
    match kernel.tiles:
        case RowCoarsening() as rows:
            yield in_rows(points, rows)
        case TilePlan() as tiles:
            yield from (points, in_tiles(points, tiles))
        case TransposedPlan() as transposed:
            yield from (points, in_transposed_tiles(points, transposed))
        case _:
            yield points
