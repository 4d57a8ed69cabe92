"""Plan: how a kernel chooses the best value of all iterations, with the variables that go along with it.

if (e < best) { best = e; where = i; }        each thread: best_own, where_own, best_won (the iteration's number)
                                              at the end: ompc::settle<ompc::Less>(...) into best and where

In: a kernel's facts (analysis/reductions/contests.py), its variables.   Out: tuple[ContestPlan, ...].
Not here: the iterations of loops whose bounds depend on outer ones have no number, so they stay on the host
(OMPC348).
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.contests import Contest
from ompc.analysis.reductions.operations import RELATIONS
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.launch import ContestObject, ContestPlan, GridLoop
from ompc.plan.model.names import Namer, spelled
from ompc.plan.model.plan import Binding, Variable


def why_not_numbered(facts: Facts) -> Reason | None:
    """Why the iterations of a loop with a contest have no number to tell equal values by."""
    if facts.indivisible.contests and any(loop.dependent for loop in facts.loop.loops):
        at = facts.indivisible.contests[0].statement.loc
        return Reason("OMPC348", "chooses a best value in a nest of loops that is not rectangular", at)
    return None


def contest_plans(
    contests: Sequence[Contest], variables: Sequence[Variable], grid: Sequence[GridLoop], loop_id: str, namer: Namer
) -> tuple[ContestPlan, ...]:
    """The plan of each contest of one kernel."""
    return tuple(_plan(contest, variables, grid, loop_id, namer) for contest in contests)


def _plan(
    contest: Contest, variables: Sequence[Variable], grid: Sequence[GridLoop], loop_id: str, namer: Namer
) -> ContestPlan:
    cells = {v.symbol: v.device_name for v in variables if v.symbol in contest.objects and not v.is_pointee}
    objects = tuple(
        ContestObject(symbol, ty.unqualified(symbol.type), namer.take(f"{spelled(symbol.name)}_own"), cells[symbol])
        for symbol in contest.objects
    )
    first = spelled(contest.objects[0].name)
    return ContestPlan(
        statement=contest.statement,
        key=contest.key,
        relation=RELATIONS[contest.relation],
        name=namer.take(f"{loop_id}_{first}"),
        won=namer.take(f"{first}_won"),
        iteration=_number(grid),
        objects=objects,
    )


def _number(grid: Sequence[GridLoop]) -> str:
    """The number of the iteration, from 1, in the order of the loops."""
    text = grid[0].counter
    for loop in grid[1:]:
        text = f"({text}) * {loop.trips} + {loop.counter}" if " " in text else f"{text} * {loop.trips} + {loop.counter}"
    return f"{text} + 1"


def own_bindings(contests: Sequence[ContestPlan]) -> dict[t.Symbol, Binding]:
    """How the kernel's text spells the objects: the thread's own."""
    return {item.symbol: Binding(item.own) for contest in contests for item in contest.objects}
