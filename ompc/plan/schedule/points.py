"""The schedule that a kernel begins with: one thread for each point of its grid, what is combined at the end.

    axis y: i ...                        grid-stride loops over the axes, outermost first
    axis x: j ...
        body, line 12                    what the program does in an iteration
        in the last iteration: x         lastprivate variables
    combine sum, Sum, grid               reductions

    In: the loops of the grid, the body, what is combined.   Out: Schedule.   Not here: forms, which rewrite it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.plan.model.launch import ArgReductionPlan, GridLoop
from ompc.plan.model.names import Name
from ompc.plan.model.plan import LastPrivate, Reduction
from ompc.plan.model.schedule import Accumulate, Axis, Body, Last, Node, Schedule, Scope, in_order


def one_point_a_thread(
    name: Name,
    grid: Sequence[GridLoop],
    body: t.Stmt,
    lastprivates: Sequence[LastPrivate],
    reductions: Sequence[Reduction],
    arg_reductions: Sequence[ArgReductionPlan],
) -> Schedule:
    """The kernel of that name without any form; reductions are combined in the order in which they are given."""
    iteration: list[Node] = [Body((body,))]
    if lastprivates:
        iteration.append(Last(tuple(last.name for last in lastprivates)))
    axes = (Axis(tuple(group)) for _, group in groupby(grid, key=lambda loop: loop.axis))
    combined = [Accumulate(r.symbol.name, r.op, Scope.GRID) for r in reductions]
    combined += [Accumulate(c_expr(a.key), a.relation, Scope.GRID) for a in arg_reductions]
    return Schedule(name, "one point a thread", tuple(axes), in_order(iteration), tuple(combined))
