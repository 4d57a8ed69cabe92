"""Plan: what one launch for a team rests on besides the values that the runtime compares.

In a team of one thread there is nothing to compare. Where iterations are independent of each other that does no harm;
else a variable that may be another one in each thread (analysis/flow/thread_dependence.py) could be what keeps them
apart:

    int me = omp_get_thread_num();
    #pragma omp for
    for (i...) for (k...) scratch[me][k] = ...;         one thread may use the row for one iteration after the other

The launcher then leaves the loop to a team of one.

    In: Facts of a team's loop.   Out: TeamLaunch.   Not here: the comparison -- runtime/launch/ompc_team.h.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.dependence.dependence import obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.flow.thread_dependence import of_one_thread
from ompc.ir import tree as t
from ompc.omp.model import ParallelLoop, Sharing
from ompc.plan.arguments import TURNS
from ompc.plan.model.launch import PartsOfThreads, TeamLaunch
from ompc.plan.model.names import Name


def team_launch(facts: Facts, names: Mapping[t.Symbol, Name]) -> TeamLaunch:
    """`names`: of the launcher's arguments for values."""
    loop = facts.loop
    return TeamLaunch(loop.directive.first("nowait") is not None, _keeps_apart(facts), _parts(loop, names))


def _parts(loop: ParallelLoop, names: Mapping[t.Symbol, Name]) -> PartsOfThreads | None:
    divided = loop.divided
    if divided is None:
        return None
    return PartsOfThreads(names[divided.first], names[divided.end], None if divided.turns is None else TURNS)


def _keeps_apart(facts: Facts) -> t.Symbol | None:
    """The first variable that may be another one in each thread, if iterations may depend on each other."""
    used = [symbol for symbol, how in facts.loop.sharing.items() if how is Sharing.SHARED]
    apart = of_one_thread(facts.loop)
    first = next((symbol for symbol in used if symbol in apart), None)
    return None if first is None or _are_independent(facts) else first


def _are_independent(facts: Facts) -> bool:
    outermost, *others = facts.loop.loops
    shared = [access for access in facts.accesses if not facts.is_thread_private(access.obj)]
    if others or any(obj.stored for obj in facts.written):
        return False
    candidate = facts.candidate(outermost, ())
    return obstacle(candidate, shared, facts.atomic_operations) is None
