"""The lines of a kernel that choose the best value of all iterations (plan/forms/contests.py).

    static __device__ ompc::Contest<double, double, int> main_12_best;          where blocks meet
        double best_own = *best;  int where_own = *where;  unsigned long long best_won = 0;
        ...
        ompc::settle<ompc::Less>(main_12_best, best_won, best_own, ompc::pack(best, where),
                                 ompc::pack(best_own, where_own));

In: KernelPlan.   Out: lines for templates/kernel.cu.j2.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.plan import KernelPlan
from ompc.render.expressions import ExpressionPrinter
from ompc.render.types import TypePrinter


def contest_objects(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    """The objects at file scope."""
    lines = []
    for contest in kernel.contests:
        kinds = [types.declare(ty.unqualified(contest.key.type)), *(types.declare(o.type) for o in contest.objects)]
        lines.append(f"static __device__ ompc::Contest<{', '.join(kinds)}> {contest.name};")
    return lines


def own_copies(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    """The thread's own copies, at the top of the kernel."""
    lines = []
    for contest in kernel.contests:
        lines += [f"{types.declare(item.type, item.own)} = *{item.cell};" for item in contest.objects]
        lines.append(f"unsigned long long {contest.won} = 0; // one more than the number of the best iteration")
    return lines


def entries(kernel: KernelPlan) -> dict[t.Stmt, str]:
    """What follows in a branch that takes a new best: the iteration's number."""
    return {contest.statement: f"{contest.won} = {contest.iteration};" for contest in kernel.contests}


def settled(kernel: KernelPlan, expressions: ExpressionPrinter) -> list[str]:
    """The end of the kernel."""
    lines = []
    for contest in kernel.contests:
        cells = ", ".join(item.cell for item in contest.objects)
        own = ", ".join(item.own for item in contest.objects)
        key = expressions.text(contest.key)
        head = f"ompc::settle<ompc::{contest.relation}>({contest.name}, {contest.won}, {key},"
        lines += [head, f"                         ompc::pack({cells}), ompc::pack({own}));"]
    return lines
