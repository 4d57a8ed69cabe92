"""Slices: the launcher makes the launch in parts of its outermost axis (forms/slices.py).

    axis y: i ...                        axis y: i ..., from begin on

    In: Schedule, SlicePlan.   Out: Schedule.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.plan.model.launch import SlicePlan
from ompc.plan.model.schedule import Schedule


def in_slices(schedule: Schedule, form: SlicePlan) -> Schedule:
    """All kernels of a launch are made in the same slices."""
    outermost, *others = schedule.axes
    return replace(schedule, axes=(replace(outermost, begin=form.begin), *others))
