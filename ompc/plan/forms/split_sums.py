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

    In: the kernel, its plan.   Out: the plan of the other kernel, or None.
    Not here: sums in rows of one axis, which are shared anyway -- lanes.py; how many threads -- ompc_sharing.h.
    Source: split-K products, as in CUTLASS; Nath, Tomov, Dongarra, "An improved MAGMA GEMM" (2010).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop
from ompc.plan.forms.batched_division import batches
from ompc.plan.forms.lane_finder import Finder, Kind, LaneChoices
from ompc.plan.forms.lane_work import is_contiguous
from ompc.plan.forms.lanes import has_loops_alone, sharing_by, with_counted
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.variables import Choices
from ompc.plan.model.lane_steps import GroupOf, LaneSharing, SplitOf
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Namer
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.tile_model import NotTiled, TilePlan


def split_kernel(
    kernel: Kernel,
    plan: KernelPlan,
    choices: Choices,
    namer: Namer,
    counted: Callable[[CanonicalLoop], GridLoop],
) -> KernelPlan | None:
    """`plan` for few points; `counted` plans a loop as the grid's loops are planned."""
    asked = kernel.facts.loop.override
    by_user = asked.threads or asked.blocks or asked.annotated_only or asked.shape.lanes == 0
    if len(plan.grid) < 2 or by_user or not plan.effects.has_points_and_sums:
        return None
    if plan.expanded or plan.accumulators or plan.team is not None or plan.per_launch_allocation:
        return None
    if not isinstance(plan.tiles, (TilePlan, NotTiled, type(None))):
        return None  # its loops are short
    lanes = LaneChoices.of(choices, plan.constants)
    *others, x = (loop.var for loop in kernel.mapping.loops)
    finder = Finder(kernel.facts, x, namer, Kind.SPLIT, lanes, others=tuple(others))
    if not any(finder.candidates(kernel.mapping.body)):
        return None
    sharing = sharing_by(kernel.facts, kernel.mapping, finder)
    if not isinstance(sharing, LaneSharing) or has_loops_alone(kernel.facts, sharing):
        return None
    known = {plan.tiles.loop.loop: plan.tiles.loop} if isinstance(plan.tiles, TilePlan) else {}
    found = with_counted(kernel.facts, sharing, lambda loop: known.get(loop) or counted(loop))
    if found is None:
        return None
    found = replace(
        found,
        group_of=GroupOf.WARPS,
        point=namer.take("point"),
        split_of=_purpose(kernel, plan, found, x),
    )
    return replace(
        plan,
        name=namer.take(f"{plan.name}_split"),
        mapped_because=None,
        privates=tuple(p for p in plan.privates if p.symbol not in found.replaced),
        tiles=None,
        lanes=found,
        batches=batches(kernel, None, found, choices.contraction, namer) if choices.does("quick-quotients") else None,
        vector_accesses=None,
        tuned=(),
    )


def _purpose(kernel: Kernel, plan: KernelPlan, sharing: LaneSharing, x: t.Symbol) -> SplitOf:
    """Lanes along the sum where they read neighbours there; of tiles it is known that they read less."""
    if all(is_contiguous(kernel.facts, shared.loop, x) for shared in sharing.body.loops()):
        return SplitOf.ALONG
    return SplitOf.TILES if isinstance(plan.tiles, TilePlan) else SplitOf.ACROSS
