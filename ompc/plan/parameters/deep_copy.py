"""Plan: deep copy: objects that the kernel reaches through pointers in memory, and where those pointers are.

The launcher reads the pointers on the host, copies what they lead to, and gives the device's copy of the holder device
addresses in their place. For that it must know where in the holder they are, and which of them the loop may follow:
an entry that it may follow and that leads nowhere known keeps the loop on the host, others do not matter.

    double **a;   a[i][j], i < n      pointers in `a`, at 0 of every 8 bytes, entries 0 .. n - 1
    struct v { int n; double *x; };   cells[k].x[j]      in `cells`, at 8 of every 16 bytes

    In: Facts, the object, names of the objects before it.   Out: its name, Slots.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MemoryObject, element_type, slots_of, target_type
from ompc.ir import types as ty
from ompc.plan.model.extent import Slots
from ompc.plan.model.names import Local, Name, spelled


def deep_copy_name(obj: MemoryObject, holders: Mapping[MemoryObject, Name]) -> Local:
    """What the launcher calls the objects: by the member that leads to them, else as rows of the table."""
    member = obj.path[-1].member
    return Local(f"_{'rows' if member is None else spelled(member.name or '')}", after=holders[obj.holder])


def slots(facts: Facts, obj: MemoryObject, holders: Mapping[MemoryObject, Name]) -> Slots:
    """The pointers that lead to `obj`; `holders` names the objects."""
    step, holder = obj.path[-1], obj.holder
    offsets, stride = slots_of(obj), ty.size_of(element_type(holder))
    assert offsets is not None and stride, f"{obj} was followed without its pointers being known"
    unit = ty.size_of(target_type(holder) if holder.path else _row_type(holder))
    entries = None if unit is None or unit % stride else facts.footprints.bounding_section(holder)
    member = None if step.member is None else step.member.name
    return Slots(holders[holder], offsets, step.record, member, stride, unit or stride, entries)


def _row_type(holder: MemoryObject) -> ty.Type:
    """What the first subscript of a variable counts."""
    kind = holder.symbol.type
    return kind.of if isinstance(kind, ty.Array) else kind
