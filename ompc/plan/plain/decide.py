"""Plan: the launches of plain output, and why other loops stay on the host (OMPC417).

    In: the Plan of each file of the program, its units, text for types.   Out: PlainFile, or what it refuses.
    Not here: where arrays stay on the device -- data_regions.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.plain.arrays import Arrays, Refused
from ompc.plan.plain.model import PlainArray, PlainFile, PlainLaunch, TeamRegion, TypeText
from ompc.plan.plain.refusals import needs_runtime
from ompc.plan.plain.row_lengths import told_otherwise
from ompc.plan.plain.sizes import number_of
from ompc.plan.plain.team_regions import asks_for_threads, region_of, team_region, why_its_own


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
    teams, apart = _teams(file, launches, arrays)
    return replace(file, launches=tuple(launches), teams=teams), {**refused, **apart}


def _teams(
    file: PlainFile, launches: Sequence[PlainLaunch], arrays: Arrays
) -> tuple[tuple[TeamRegion, ...], Mapping[str, Reason]]:
    """The regions whose loops teams share, and the loops of those that the host cannot run by itself."""
    known: dict[t.Pragma, TeamRegion | str] = {}
    refused: dict[str, Reason] = {}
    shared = [launch for launch in launches if launch.plan.team is not None]
    asks = bool(shared) and asks_for_threads(arrays.pointers.program.units)
    for launch in shared:
        loop, found = launch.region.loop, region_of(launch.region.loop, file.unit)
        why = "the program asks for numbers of threads" if asks else why_its_own(loop, launch.plan)
        if found is None:
            why = "the threads of a team come to it, and one must launch for all"
        elif why is None:
            if found not in known:
                own = {each.region.loop.pragma for each in shared if region_of(each.region.loop, file.unit) is found}
                known[found] = team_region(found, file.path, own)
            team = known[found]
            why = team if isinstance(team, str) else None
        if why is not None:
            refused[launch.region.id] = refusal(launch.region, why)
    return tuple(team for team in known.values() if isinstance(team, TeamRegion)), refused


def _used(kernel: KernelPlan, arrays: Sequence[PlainArray]) -> set[str]:
    """What the kernel and its launch function name: a clause may list more."""
    bounds = [bound for loop in kernel.grid for bound in (loop.lower, loop.upper, loop.step)]
    named = {spelled(symbol.name) for b in bounds if b.expr is not None for symbol in symbols_in(b.expr)}
    named |= {str(bound.name) for bound in bounds} | {str(v.device_name) for v in kernel.values}
    named |= {str(name) for v in kernel.arrays for name in (*v.dimensions, *v.sizes)}
    return named.union(*(re.findall(r"\w+", f"{a.extent.bytes} {a.extent.first}") for a in arrays))


def _launch(region: RegionPlan, kernel: KernelPlan, arrays: Arrays, types: TypeText) -> PlainLaunch | Refused:
    why = needs_runtime(region, kernel)
    if why is not None:
        return Refused(why)
    found = arrays.of(kernel, types)
    if isinstance(found, Refused):
        return found
    known = {str(name) for v in kernel.arrays for name in v.sizes}
    told = told_otherwise(kernel)
    used = _used(kernel, found[0]) | set(told.values())
    agreed = {symbol.name for symbol in region.loop.agreed}
    arguments = (
        a for a in kernel.arguments
        if str(a.name) not in told and not (str(a.name) in known and number_of(a.host_text))
        if not (a.host_text in agreed and str(a.name).startswith(f"{a.host_text}_agreed"))
        if isinstance(a.type, ty.Pointer) or str(a.name) in used
    )  # fmt: skip
    return PlainLaunch(region, kernel, tuple(arguments), *found, lengths=told)
