"""What a file's plan lacks of the program's other files, which `ompc cc` reads at the link
(toolchain/objects/cc_units.py).

    mat = pick_mat(&seed);                    in a loop: it stays on the host, since the function's source is not here
    #pragma omp for  in a function            which team comes to it, and what else its threads do, another file says

In: the plan, the unit.   Out: functions without a source; whether there are such teams.
Not here: what the other files then show -- sema/imports.py, analysis/eligibility/team_waiting.py.
"""

from __future__ import annotations

from ompc.ir.tree import Unit
from ompc.plan.model.plan import Plan
from ompc.sema.imports import missing_functions


def lacking_functions(unit: Unit, plan: Plan) -> tuple[str, ...]:
    """The functions without a source that keep loops on the host."""
    refused = (region.loop.body for region in plan.regions if region.reason and region.reason.code == "OMPC320")
    return missing_functions(unit, [body for body in refused if body is not None])


def has_unseen_teams(unit: Unit, plan: Plan) -> bool:
    """Does a loop on the device have a team that runs code of other files: around it, or in what it calls beside it?"""
    teams = [region.loop.team for region in plan.on_device if region.loop.team is not None]
    return any(team.region is None or missing_functions(unit, [team.code]) for team in teams)
