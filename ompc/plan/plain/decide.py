"""Plan: the launches of plain output, and why other loops stay on the host (OMPC417).

    In: Plan, the program's units, text for types.   Out: PlainPlan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.plan.model.plan import KernelPlan, Plan, RegionPlan
from ompc.plan.plain.arrays import Arrays, Refused
from ompc.plan.plain.data_regions import with_data_regions
from ompc.plan.plain.model import DataRegion, PlainLaunch
from ompc.plan.plain.refusals import needs_runtime
from ompc.plan.plain.row_lengths import told_otherwise
from ompc.plan.plain.sizes import TypeText, number_of


@dataclass(frozen=True, slots=True)
class PlainPlan:
    """`refused`: regions that stay on the host, by id; `data`: where arrays stay on the device."""

    launches: tuple[PlainLaunch, ...]
    refused: Mapping[str, Reason]
    data: tuple[DataRegion, ...] = ()


def refusal(region: RegionPlan, why: str) -> Reason:
    return Reason("OMPC417", f"it needs ompc's runtime: {why}", region.loop.pragma.loc)


def plain_plan(plan: Plan, file: str, units: Sequence[t.Unit], types: TypeText, keeps: bool = True) -> PlainPlan:
    """`file`: the main file; without `keeps`, every launch copies all of its arrays."""
    arrays = Arrays(units)
    launches: list[PlainLaunch] = []
    refused = {}
    for region in plan.on_device:
        assert region.kernel is not None
        if region.loop.pragma.loc.file != file:
            message = "plain output leaves headers as they are"
            refused[region.id] = Reason("OMPC417", message, region.loop.pragma.loc)
            continue
        found = _launch(region, region.kernel, arrays, types)
        if isinstance(found, Refused):
            refused[region.id] = refusal(region, found.why)
        else:
            launches.append(found)
    if refused or not keeps:
        return PlainPlan(tuple(launches), refused)
    kept, data = with_data_regions(launches, plan, file, units, arrays, types)
    return PlainPlan(kept, {}, data)


def _launch(region: RegionPlan, kernel: KernelPlan, arrays: Arrays, types: TypeText) -> PlainLaunch | Refused:
    why = needs_runtime(region, kernel)
    if why is not None:
        return Refused(why)
    found = arrays.of(kernel, types)
    if isinstance(found, Refused):
        return found
    known = {str(name) for v in kernel.arrays for name in v.sizes}
    told = told_otherwise(kernel)
    arguments = (
        a for a in kernel.arguments
        if str(a.name) not in told and not (str(a.name) in known and number_of(a.host_text))
    )  # fmt: skip
    return PlainLaunch(region, kernel, tuple(arguments), *found, lengths=told)
