"""Plan: a kernel for few points with long sums: all threads of a block divide each point's loop (split-K).

    for (i ...) for (j ...) {                     64 x 64 points: 4,096 threads, where a device has room for 270,000
        double s = 0;
        for (k = 0; k < 1000000; k++)             256 threads have a part each, which are combined in a fixed order
            s += a[k * m + i] * b[k * n + j];
        c[i * n + j] = s;
    }

Where neighbouring points read neighbouring elements, the lanes of a warp go on having neighbouring points, and the
warps of a block have other parts of the loop; where neighbouring entries of a sum do, lanes divide it before warps. The
launcher takes this kernel where one thread for each point, or tiles, would leave most of the device without work, and
the loop is long enough.

The schedule:

    axis y: i ...                        axis x: i ..., j ..., together
    axis x: j ...                            alone: s = 0;
        s = 0;                               together, k: each has a part of s
        for (k ...) s += ...;                alone: c[i * n + j] = s;
        c[i * n + j] = s;

    In: the kernels that there are, Nest.   Out: the schedule of another kernel, or why there is none.
    Not here: sums in rows of one axis, which are shared anyway -- lanes.py; how many threads -- ompc_sharing.h.
    Source: split-K products, as in CUTLASS; Nath, Tomov, Dongarra, "An improved MAGMA GEMM" (2010).
"""

from __future__ import annotations

from dataclasses import replace

from ompc.plan.groups.lane_choices import Kind, LaneChoices, may_choose
from ompc.plan.groups.lane_finder import Finder
from ompc.plan.groups.lane_work import is_contiguous
from ompc.plan.groups.lanes import by_groups, has_loops_alone, sharing_by, with_counted
from ompc.plan.groups.shared_work import with_work
from ompc.plan.model.lane_steps import GroupOf, Instead, LaneSharing
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.tile_model import TilePlan
from ompc.plan.nest import Nest


def with_split_sums(kernels: tuple[Schedule, ...], nest: Nest) -> Schedule | Refused:
    """The kernel for few points."""
    own = kernels[0]
    if len(nest.grid) < 2 or not may_choose(nest.asked) or not nest.effects.has_points_and_sums:
        return Refused()
    if nest.has_expanded or not own.is_plain or nest.facts.loop.team is not None:
        return Refused()
    tiles = next((tiles for each in kernels if (tiles := each.form_of(TilePlan)) is not None), None)
    if tiles is None and len(kernels) > 1:
        return Refused()  # its loops are short
    mapping = nest.kernel.mapping
    *others, x = (loop.var for loop in mapping.loops)
    choices = LaneChoices.of(nest.choices, nest.constants)
    finder = Finder(nest.facts, x, Kind.SPLIT, choices, others=tuple(others))
    if not any(finder.candidates(mapping.body)):
        return Refused()
    sharing = sharing_by(nest.facts, mapping, finder)
    if not isinstance(sharing, LaneSharing) or has_loops_alone(nest.facts, sharing):
        return Refused()
    known = {} if tiles is None else {tiles.loop.loop: tiles.loop}
    found = with_counted(nest.facts, sharing, lambda loop: known.get(loop) or nest.counted(loop))
    if found is None:
        return Refused()
    form = replace(
        found,
        group_of=GroupOf.WARPS,
        point=Local("point", inside=True),
        instead=Instead.THREAD if tiles is None else Instead.TILES,
        lanes_first=all(is_contiguous(nest.facts, each.loop, x) for each in found.body.loops()),
    )
    return by_groups(replace(own, kernel=Local("_split", after=own.kernel), vectors=None), with_work(nest, form))
