"""The schedule that a kernel begins with: one thread for each point of its grid, what is combined at the end.

    axis y: i ...                        grid-stride loops over the axes, outermost first
    axis x: j ...
        body, line 12                    what the program does in an iteration
        in the last iteration: x         lastprivate variables
    combine sum, Sum, grid               reductions

    In: KernelPlan.   Out: Schedule.   Not here: forms, which rewrite it.
"""

from __future__ import annotations

from itertools import groupby

from ompc.ir.show import c_expr
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import Accumulate, Axis, Body, Last, Node, Schedule, Scope, in_order


def one_point_a_thread(kernel: KernelPlan) -> Schedule:
    """The kernel without any form."""
    iteration: list[Node] = [Body((kernel.body,))]
    if kernel.lastprivates:
        iteration.append(Last(tuple(last.name for last in kernel.lastprivates)))
    axes = (Axis(tuple(group)) for _, group in groupby(kernel.grid, key=lambda loop: loop.axis))
    return Schedule(kernel.name, "one point a thread", tuple(axes), in_order(iteration), tuple(_combined(kernel)))


def _combined(kernel: KernelPlan) -> list[Accumulate]:
    """What threads combine behind their iterations, in the order in which the kernel does it."""
    found = [Accumulate(a.symbol.name, a.op, Scope.BLOCK) for a in kernel.accumulators]
    found += [Accumulate(r.symbol.name, r.op, Scope.GRID) for r in kernel.reductions]
    return found + [Accumulate(c_expr(a.key), a.relation, Scope.GRID) for a in kernel.arg_reductions]
