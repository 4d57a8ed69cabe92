"""Thread coarsening along x (plan/mapping/thread_coarsening.py).

    constexpr int neighbours = copies ? 16 : 1;
    for (size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * neighbours; first < trips;
         first += (size_t)gridDim.x * blockDim.x * neighbours) {
        const auto iteration = [&](int nth, unsigned char data_near) {
            const size_t t = first + nth;                       `opening`, the counter, the user's variable, the body
            ...
        };                                                      `closing`
        ompc::each<neighbours>(trips - first, iteration, data + (int)first);
    }

In: KernelPlan, CoarseningPlan, the printers.   Out: CoarseningView for templates/kernel.cu.j2.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ompc.ir import tree as t
from ompc.plan.model.launch import CoarseningPlan
from ompc.plan.model.plan import KernelPlan
from ompc.render.forms.grid import GridPrinter, LoopView


@dataclass(frozen=True, slots=True)
class CoarseningView:
    """The loop of a thread that has several iterations.

    `count`               a declaration at the top
    `level`               the loop over all threads' iterations
    `opening`, `closing`  around what is done in one iteration
    `variables`           what that begins with
    """

    count: str
    level: LoopView
    opening: str
    variables: list[str]
    closing: list[str]


def read_before(plan: CoarseningPlan) -> dict[t.Expr, str]:
    """What stands for the reads in an iteration."""
    return {node: read.name for read in plan.reads for node in read.nodes}


def coarsening_view(
    kernel: KernelPlan, plan: CoarseningPlan, grid: GridPrinter, used: Collection[str]
) -> CoarseningView:
    """The view of a kernel whose body uses the names in `used`."""
    (loop,) = kernel.grid
    n, left = plan.names, f"{loop.trips} - {plan.names['first']}"
    first, many, iteration, nth = n["first"], n["neighbours"], n["iteration"], n["nth"]
    head = [
        f"for (size_t {first} = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * {many}; {first} < {loop.trips};",
        f"     {first} += (size_t)gridDim.x * blockDim.x * {many}) {{",
    ]
    own, counted = loop.variable in used, loop.variable in used or loop.counter in used
    variables = [f"const size_t {loop.counter} = {first} + {nth};"] * counted
    parameters = [f"int {nth}" if counted else "int", *(grid.types.declare(r.type, r.name) for r in plan.reads)]
    arguments = [left, iteration, *(f"{read.array} + {grid.value(loop, first)}" for read in plan.reads)]
    return CoarseningView(
        count=f"constexpr int {many} = {kernel.accumulators[0].exist} ? {plan.count} : 1;",
        level=LoopView([], head, [], 1),
        opening=f"const auto {iteration} = [&]({', '.join(parameters)}) {{",
        variables=[*variables, *[grid.variable(loop)] * own],
        closing=["};", f"ompc::each<{many}>({', '.join(arguments)});"],
    )
