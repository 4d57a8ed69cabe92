"""Additions that a block collects in shared memory (plan/forms/collected_adds.py), in the kernel.

    const ompc::BlockStretch stretch(0, trips);                                     at the top
    const ompc::CollectedAdds<int> sums(stretch.pays());
    stretch.each<4>(sums, [&](size_t t, ompc::Addition<int> &sum) { ... });     where an iteration adds once at most
    sums.write_back();                                                         at the end

or around a loop that a block shares:

    const ompc::CollectedAdds<int, ompc::lines_of_entries<int>> sums(ompc::are_many(group, k_entries));
    ompc::adding<8>(group, k_entries, 1, sums, [&](int k, ompc::Addition<int> &sum) { ... });
    sums.write_back();

In: CollectedAdds, a TypePrinter.   Out: lines without line ends.
Not here: the operations -- operations.py; the loops -- grid.py, lanes.py.
"""

from __future__ import annotations

from ompc.analysis.reductions.operations import Operation
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.model.lane_steps import LaneSharing, SharedLoop
from ompc.plan.model.launch import CollectedAdds
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Schedule
from ompc.render.code.types import TypePrinter

TOGETHER, TOGETHER_IN_LOOP = 4, 8
"""The iterations of a thread, and the entries of a loop, that wait together for what they read: registers for all."""


def names_of(schedule: Schedule) -> dict[Operation, Name]:
    """The operations that are collected, with the name of what collects them."""
    return {operation: each.once or each.name for each in collected_by(schedule) for operation in each.operations}


def addition(each: CollectedAdds, types: TypePrinter) -> list[str]:
    """The parameter for what an iteration adds, if that is once."""
    return [] if each.once is None else [f"ompc::Addition<{types.declare(each.type)}> &{each.once}"]


def declarations(schedule: Schedule, types: TypePrinter) -> list[str]:
    """What stands at the top of a kernel whose blocks have neighbouring iterations."""
    lines: list[str] = []
    for each in schedule.collected:
        axis = schedule.axis("x")
        begin, trips = axis.begin or "0", " * ".join(str(loop.trips) for loop in axis.loops)
        lines.append(f"const ompc::BlockStretch {each.stretch}({begin}, {trips});")
        lines.append(f"const ompc::CollectedAdds<{types.declare(each.type)}> {each.name}({each.stretch}.pays());")
    return lines


def collector(sharing: LaneSharing, shared: SharedLoop, types: TypePrinter) -> list[str]:
    """What stands in front of a loop that the block shares."""
    each = sharing.collected.get(shared)
    if each is None:
        return []
    kind = types.declare(each.type)
    entries = ", ".join(map(str, (sharing.group, shared.entries, *(nested.entries for nested in shared.nest))))
    head = f"const ompc::CollectedAdds<{kind}, ompc::lines_of_entries<{kind}>> {each.name}"
    return [f"{head}(ompc::are_many({entries}));"]


def stretch_text(each: CollectedAdds, counter: Name, types: TypePrinter) -> tuple[str, str]:
    """How the loop over a block's iterations begins and ends."""
    if each.once is None:
        to = each.stretch
        return f"for (size_t {counter} = {to}.first(); {counter} < {to}.end; {counter} += blockDim.x) {{", "}"
    (added,) = addition(each, types)
    return f"{each.stretch}.each<{TOGETHER}>({each.name}, [&](size_t {counter}, {added}) {{", "});"


def write_backs(schedule: Schedule) -> list[str]:
    """The statements that add what is collected to memory, at the end of the kernel."""
    return [f"{each.name}.write_back();" for each in schedule.collected]
