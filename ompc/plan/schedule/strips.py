"""Strip-mining: a thread takes several consecutive iterations of an axis, and goes through them inside all axes.

    axis y: i ...                        axis y: i ..., 8 a thread
    axis x: j ...                        axis x: j ...
        body                                 strip of i
                                                 body

The iterations of a strip lie inside of the loops over the other axes, so that neighbouring ones can share what they
read: rows (mapping/row_coarsening.py), or elements that lie behind each other (mapping/thread_coarsening.py).

    In: Schedule, the form.   Out: Schedule.   Source: strip-mine and interchange (Allen and Kennedy, "Optimizing
    Compilers for Modern Architectures", 2001, 8.5).
"""

from __future__ import annotations

from dataclasses import replace

from ompc.plan.model.launch import CoarseningPlan
from ompc.plan.model.schedule import OnePoint, Schedule, StripLoop, Strips
from ompc.plan.model.tile_model import RowCoarsening


def in_rows(schedule: Schedule, form: RowCoarsening) -> Schedule:
    """Several neighbouring iterations of `form.axis` a thread; the lanes of a warp begin where its memory does."""
    (loop,) = schedule.axis(form.axis).loops
    strips = Strips(form.counts[0], form)
    axes = schedule.with_axes({form.axis: strips, "x": OnePoint(form.lead)})
    return replace(schedule, what="several rows a thread", axes=axes, body=StripLoop(loop, strips, schedule.body))


def in_neighbours(schedule: Schedule, form: CoarseningPlan) -> Schedule:
    """Several neighbouring iterations of the x axis a thread."""
    (loop,) = schedule.axis("x").loops
    strips = Strips(form.count, form)
    body = StripLoop(loop, strips, schedule.body)
    return replace(schedule, what="several neighbours a thread", axes=schedule.with_axes({"x": strips}), body=body)
