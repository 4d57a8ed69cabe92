"""Plan: register tiles, transposed tiles or coarsening: how a thread computes several points of a nest, if it does.

c[i][j] += a[i][k] * b[k][j]       tiles.py: what points share is staged in shared memory
b[j][i] = a[i][j]                  transposed.py: accesses along the other axis go through it
v[i][j] = u[i - 1][j] + u[i][j]    row_coarsening.py: neighbouring rows share what is in registers

In: the kernel, its grid and variables, what is wanted.   Out: the first of these plans that the kernel can have;
NotTiled with a reason, or None.   Not here: the three themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ompc.omp.model import CanonicalLoop
from ompc.plan.forms.tiles import tile_plan
from ompc.plan.forms.transposed import transposed_plan
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.mapping.row_coarsening import row_coarsening
from ompc.plan.memory.variables import Choices
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Namer
from ompc.plan.model.tile_model import NotTiled, RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Variable

PointsOfThread = TilePlan | TransposedPlan | RowCoarsening | NotTiled | None


def points_of_a_thread(
    kernel: Kernel,
    grid: Sequence[GridLoop],
    variables: Sequence[Variable],
    inner: Callable[[CanonicalLoop], GridLoop],
    namer: Namer,
    choices: Choices,
) -> PointsOfThread:
    """`inner` plans the inner loop of a tile as the grid's loops are planned."""
    found: PointsOfThread = None
    if choices.does("tiles"):
        contraction = choices.contraction if choices.does("tensor-cores") else None
        found = tile_plan(kernel, grid, variables, inner, namer, contraction)
    if not found and choices.does("transposed-tiles"):
        found = transposed_plan(kernel, grid, variables, namer)
    if not found and choices.does("rows"):
        found = row_coarsening(kernel, grid, variables, namer)
    return found
