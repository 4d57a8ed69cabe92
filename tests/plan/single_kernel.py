"""The kernel of a plan of one region."""

from __future__ import annotations

from ompc.plan.model.plan import KernelPlan, Plan


def kernel(plan: Plan) -> KernelPlan:
    (region,) = plan.regions
    assert region.kernel is not None, region.reason
    return region.kernel
