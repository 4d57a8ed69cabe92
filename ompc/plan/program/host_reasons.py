"""What is said of the loops that stay on the host: one line for each, with the place that is to blame.

    a.c:13: note: this loop stays on the host: the threads of its team wait for one another ... (line 10) [OMPC364]

In: the plan.   Out: Diagnostics.   Not here: why a loop stays there -- each reason is found where its code arises.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.plan.model.plan import Plan


def host_reasons(plan: Plan, told: Collection[str]) -> tuple[Diagnostic, ...]:
    """One line for each loop that stays on the host, but for those of which a warning has `told` so; and one where
    mapped data does not stay on the device.
    """
    found = []
    if plan.data_not_kept is not None:
        message = f"mapped data is copied by each launch: {plan.data_not_kept.message}"
        found.append(Diagnostic(plan.data_not_kept.code, Kind.HOST, message, plan.data_not_kept.at))
    for region in plan.regions:
        if region.reason is not None and region.id not in told:
            at = region.reason.at
            where = f" (line {at.line})" if at is not None and at.line != region.loop.line else ""
            if at is not None and at.file != region.loop.loc.file:
                where = f" ({at.file}, line {at.line})"
            message = f"this loop stays on the host: {region.reason.message}{where}"
            found.append(Diagnostic(region.reason.code, Kind.HOST, message, region.loop.loc))
    return tuple(found)
