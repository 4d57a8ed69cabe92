"""The lines of a kernel for argmin and argmax reductions (plan/forms/argmin_argmax.py).

    static __device__ ompc::ArgReduction<double, double, int> main_12_best;          where blocks meet
        double best_own = *best;  int where_own = *where;  unsigned long long best_won = 0;
        ...
        ompc::settle<ompc::Less>(main_12_best, best_won, best_own, ompc::pack(best, where),
                                 ompc::pack(best_own, where_own));

In: KernelPlan.   Out: lines of the kernel.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.launch import ArgReductionPlan
from ompc.plan.model.plan import KernelPlan
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.forms.grid import iteration_number

_PAD = " " * 25


def arg_reduction_objects(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    """The objects at file scope."""
    lines = []
    for arg_reduction in kernel.arg_reductions:
        kinds = [_key_type(arg_reduction, types), *(types.declare(o.type) for o in arg_reduction.objects)]
        lines.append(f"static __device__ ompc::ArgReduction<{', '.join(kinds)}> {arg_reduction.name};")
    return lines


def _key_type(arg_reduction: ArgReductionPlan, types: TypePrinter) -> str:
    first = types.declare(ty.unqualified(arg_reduction.key.type))
    if arg_reduction.tie is None:
        return first
    return f"ompc::KeyPair<{first}, {types.declare(ty.unqualified(arg_reduction.tie.type))}>"


def own_copies(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    """The thread's own copies, at the top of the kernel."""
    lines = []
    for arg_reduction in kernel.arg_reductions:
        lines += [f"{types.declare(item.type, item.own)} = *{item.cell};" for item in arg_reduction.objects]
        lines.append(f"unsigned long long {arg_reduction.won} = 0; // one more than the number of the best iteration")
    return lines


def entries(kernel: KernelPlan) -> dict[t.Stmt, str]:
    """What follows in a branch that takes a new best: the iteration's number."""
    return {
        arg_reduction.statement: f"{arg_reduction.won} = {iteration_number(kernel.grid)} + 1;"
        for arg_reduction in kernel.arg_reductions
    }


def settled(kernel: KernelPlan, expressions: ExpressionPrinter) -> list[str]:
    """The end of the kernel."""
    lines = []
    for arg_reduction in kernel.arg_reductions:
        cells = ", ".join(str(item.cell) for item in arg_reduction.objects)
        own = ", ".join(str(item.own) for item in arg_reduction.objects)
        key, packs = expressions.text(arg_reduction.key), f"ompc::pack({cells}), ompc::pack({own}));"
        head = f"ompc::settle<ompc::{arg_reduction.relation}>({arg_reduction.name}, {arg_reduction.won},"
        if arg_reduction.tie is None:
            lines += [f"{head} {key},", f"{_PAD}{packs}"]
        else:
            pair = f"ompc::key_pair({key}, {expressions.text(arg_reduction.tie)}),"
            lines += [head, f"{_PAD}{pair}", f"{_PAD}{packs}"]
    return lines
