"""Plan: argmin and argmax reductions: how a kernel chooses the best value of all iterations and its companions.

if (e < best) { best = e; where = i; }        each thread: best_own, where_own, best_won (the iteration's number)
                                              at the end: ompc::settle<ompc::Less>(...) into best and where
if (e < best || (e == best && i < where))     ompc::Lexicographic<ompc::Less, ompc::Less>, of best and where

In: a kernel's facts (analysis/reductions/argmin_argmax.py), its variables.   Out: tuple[ArgReductionPlan, ...].
Not here: the iterations of loops whose bounds depend on outer ones have no number, so they stay on the host
(OMPC348).
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.argmin_argmax import ArgReduction
from ompc.analysis.reductions.operations import RELATIONS
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.launch import ArgReductionObject, ArgReductionPlan
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.plan import Binding
from ompc.plan.model.variable import Variable


def why_not_numbered(facts: Facts) -> Reason | None:
    """Why the iterations of a loop with an argmin/argmax reduction have no number to tell equal values by."""
    if facts.atomic_operations.arg_reductions and any(loop.dependent for loop in facts.loop.loops):
        at = facts.atomic_operations.arg_reductions[0].statement.loc
        return Reason("OMPC348", "chooses a best value in a nest of loops that is not rectangular", at)
    return None


def arg_reduction_plans(
    arg_reductions: Sequence[ArgReduction], variables: Sequence[Variable], loop_id: str
) -> tuple[ArgReductionPlan, ...]:
    """The plan of each argmin/argmax reduction of one kernel."""
    return tuple(_plan(arg_reduction, variables, loop_id) for arg_reduction in arg_reductions)


def _plan(arg_reduction: ArgReduction, variables: Sequence[Variable], loop_id: str) -> ArgReductionPlan:
    cells = {v.symbol: v.device_name for v in variables if v.symbol in arg_reduction.objects and not v.is_pointee}
    objects = tuple(
        ArgReductionObject(symbol, ty.unqualified(symbol.type), Local(f"{spelled(symbol.name)}_own"), cells[symbol])
        for symbol in arg_reduction.objects
    )
    first = spelled(arg_reduction.objects[0].name)
    return ArgReductionPlan(
        statement=arg_reduction.statement,
        key=arg_reduction.key,
        relation=_relation(arg_reduction),
        name=Local(f"{loop_id}_{first}"),
        won=Local(f"{first}_won"),
        objects=objects,
        tie=None if arg_reduction.tie is None else arg_reduction.tie.place,
    )


def _relation(arg_reduction: ArgReduction) -> str:
    first, tie = RELATIONS[arg_reduction.relation], arg_reduction.tie
    return first if tie is None else f"Lexicographic<ompc::{first}, ompc::{RELATIONS[tie.relation]}>"


def own_bindings(arg_reductions: Sequence[ArgReductionPlan]) -> dict[t.Symbol, Binding]:
    """How the kernel's text spells the objects: the thread's own."""
    return {item.symbol: Binding(item.own) for arg_reduction in arg_reductions for item in arg_reduction.objects}
