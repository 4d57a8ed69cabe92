"""Additions that a block collects in shared memory (plan/forms/collected_adds.py), in the kernel.

    const ompc::BlockStretch stretch(0, trips);                                     at the top
    const ompc::CollectedAdds<int> sums(stretch.pays());
    sums.write_back();                                                         at the end

or around a loop that a block shares:

    const ompc::CollectedAdds<int, ompc::lines_of_entries<int>> sums(ompc::are_many(group, k_entries));
    ompc::by_stretches<4>(...);
    sums.write_back();

In: CollectedAdds, a TypePrinter.   Out: lines without line ends.
Not here: the operations -- operations.py; the loops -- grid.py, lanes.py.
"""

from __future__ import annotations

from ompc.analysis.reductions.operations import Operation
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.model.lane_steps import LaneSharing, SharedLoop
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Schedule
from ompc.render.code.types import TypePrinter


def names_of(schedule: Schedule) -> dict[Operation, Name]:
    """The operations that are collected, with the name of what collects them."""
    return {operation: each.name for each in collected_by(schedule) for operation in each.operations}


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


def write_backs(schedule: Schedule) -> list[str]:
    """The statements that add what is collected to memory, at the end of the kernel."""
    return [f"{each.name}.write_back();" for each in schedule.collected]
