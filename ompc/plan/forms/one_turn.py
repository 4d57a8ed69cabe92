"""Plan: a thread for each point, where the grid may have so many: kernels without the loops over the grid.

    for (t_y = ...; t_y < trips_y; t_y += ...)          template <bool once>
        for (t_x = ...; t_x < trips_x; t_x += ...)      for (t_y = ...; t_y < trips_y; t_y += ...) {
            v[y][x] = ...                                   for (t_x = ...; t_x < trips_x; t_x += ...) {
                                                                v[y][x] = ...
                                                                if (once)
                                                                    break;
                                                            }
                                                            ...

Loops over the grid are right for any shape of it, but their counters, bounds and strides take registers all the time,
in 64 bits for each axis: of a body that reads a dozen elements the threads of half as many warps have room, and such
loops wait for memory. A grid with two or three axes has a thread for each point but where an axis is longer than CUDA
allows, or a user, or `ompc tune`, asks for fewer blocks: the launcher finds that out, and takes the form with loops.

Not where threads have something to do behind the loops, or as many of them as there is memory for: sums, arrays of
their own in memory of the launch. Nor where there are as many points as the kernel itself finds out (triangles). A
small body has the registers that it needs in either form, and a very large one takes long to compile twice.

The schedule:

    axis y: i ...                        axis y: i ..., or one turn
    axis x: j ...                        axis x: j ..., or one turn
        body                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: rows, which leave in the same way -- row_coarsening.py; when a grid is whole -- ompc_shape.h.
    Source: measured (benchmarks/results, fdtd-apml); CUDA C++ Best Practices Guide, "Occupancy", "Register Pressure".
"""

from __future__ import annotations

from dataclasses import replace

from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.plan.machine import DEVICE
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.nest import Nest


def in_one_turn(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """With a form for grids that have a thread for each point."""
    loops = [loop for axis in schedule.axes for loop in axis.loops]
    if not schedule.is_plain or schedule.vectors is not None or schedule.batches is not None or len(schedule.axes) == 1:
        return Refused()
    if schedule.combined or nest.has_expanded or any(loop.loop.dependent for loop in loops):
        return Refused()
    if nest.asked.threads is not None or nest.asked.blocks is not None:
        return Refused()
    if _places(nest) < DEVICE.one_turn_places or sum(1 for _ in walk(nest.body)) > DEVICE.one_turn_body:
        return Refused()
    return replace(schedule, once=Local("once"))


def _places(nest: Nest) -> int:
    """How many different elements a point names, of memory that threads have in common."""
    facts = nest.facts
    return len({c_expr(access.node) for access in facts.accesses if not facts.is_thread_private(access.obj)})
