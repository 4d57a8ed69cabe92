"""Plan: the launches of plain output, and why other loops stay on the host (OMPC417).

    In: the Plan of each file of the program, its units, text for types.   Out: PlainFile, or what it refuses.
    Not here: where arrays stay on the device -- data_regions.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.plain.arrays import Arrays, Refused
from ompc.plan.plain.model import PlainFile, PlainLaunch, TypeText
from ompc.plan.plain.refusals import needs_runtime
from ompc.plan.plain.row_lengths import told_otherwise
from ompc.plan.plain.sizes import number_of


def refusal(region: RegionPlan, why: str) -> Reason:
    return Reason("OMPC417", f"it needs ompc's runtime: {why}", region.loop.pragma.loc)


def with_launches(file: PlainFile, arrays: Arrays, unread: str = "") -> tuple[PlainFile, Mapping[str, Reason]]:
    """And the regions that stay on the host, by id. `unread`: a file of the program of which nothing is known."""
    launches: list[PlainLaunch] = []
    refused = {}
    for region in file.plan.on_device:
        assert region.kernel is not None
        if region.loop.pragma.loc.file != file.path:
            message = "plain output leaves headers as they are"
            refused[region.id] = Reason("OMPC417", message, region.loop.pragma.loc)
            continue
        found = _launch(region, region.kernel, arrays, file.types)
        if unread:
            refused[region.id] = refusal(region, f"{unread} cannot be analysed, and may use any array")
        elif isinstance(found, Refused):
            refused[region.id] = refusal(region, found.why)
        else:
            launches.append(found)
    return replace(file, launches=tuple(launches)), refused


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
