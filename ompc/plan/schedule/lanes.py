"""Cooperation: lanes of a warp, or warps of a block, take an iteration together (forms/lanes.py).

    axis x: i ...                        axis x: i ..., together
        double sum = 0;                      alone: sum = 0;
        for (k ...) sum += ...;              together, k: each has a part of sum
        y[i] = sum;                          alone: y[i] = sum;

The points of several loops are counted as one axis.

    In: Schedule, LaneSharing.   Out: Schedule.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.plan.model.lane_steps import GroupOf, LaneSharing
from ompc.plan.model.schedule import Axis, Schedule, SharedBody, Slots


def in_groups(schedule: Schedule, form: LaneSharing) -> Schedule:
    """Whole warps, or whole blocks, stay in the loop over the iterations."""
    who = "lanes" if form.group_of is GroupOf.LANES else "warps"
    loops = tuple(loop for axis in schedule.axes for loop in axis.loops)
    if form.point is not None:
        loops = tuple(replace(loop, axis="x", axis_counter=form.point) for loop in loops)
    return replace(
        schedule, what=f"{who} share an iteration", axes=(Axis(loops, Slots(form)),), body=SharedBody(form)
    )
