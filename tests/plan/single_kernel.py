"""The kernels of a plan of one region."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ompc.plan.model.plan import KernelPlan, Plan
from ompc.plan.model.schedule import Schedule

F = TypeVar("F")


def kernel(plan: Plan) -> KernelPlan:
    (region,) = plan.regions
    assert region.kernel is not None, region.reason
    return region.kernel


def form(plan: Plan, kind: type[F]) -> F | None:
    """That of any of the kernels which is of that kind."""
    return next((each.form for each in kernel(plan).schedules if isinstance(each.form, kind)), None)


def with_schedule(plan: Plan, schedule: Schedule) -> Plan:
    """`plan` with another kernel for any launch."""
    (region,) = plan.regions
    made = replace(kernel(plan), schedules=(schedule, *kernel(plan).schedules[1:]))
    return replace(plan, regions=(replace(region, kernel=made),))
