"""Plan: objects that the kernel reaches through pointers in memory, and where those pointers are.

The launcher reads the pointers on the host, copies what they lead to, and gives the device's copy of the holder device
addresses in their place. For that it must know where in the holder they are, and which of them the loop may follow:
an entry that it may follow and that leads nowhere known keeps the loop on the host, others do not matter.

    double **a;   a[i][j], i < n      pointers in `a`, at 0 of every 8 bytes, entries 0 .. n - 1
    struct v { int n; double *x; };   cells[k].x[j]      in `cells`, at 8 of every 16 bytes

    In: Facts, the root of the object, names of the objects before it.   Out: its name, Slots.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.memory.roots import Root, element_type, slots_of, target_type
from ompc.ir import types as ty
from ompc.plan.model.extent import Slots
from ompc.plan.model.names import spelled


def linked_name(root: Root, holders: Mapping[Root, str]) -> str:
    """What the launcher calls the objects: by the member that leads to them, else as rows of the table."""
    member = root.links[-1].member
    return f"{holders[root.holder]}_{'rows' if member is None else spelled(member.name or '')}"


def slots(facts: Facts, root: Root, holders: Mapping[Root, str]) -> Slots:
    """The pointers that lead to `root`; `holders` names the objects."""
    link, holder = root.links[-1], root.holder
    offsets, stride = slots_of(root), ty.size_of(element_type(holder))
    assert offsets is not None and stride, f"{root} was followed without its pointers being known"
    unit = ty.size_of(target_type(holder) if holder.links else _row_type(holder))
    entries = None if unit is None or unit % stride else facts.footprints.hull(holder)
    member = None if link.member is None else link.member.name
    return Slots(holders[holder], offsets, link.record, member, stride, unit or stride, entries)


def _row_type(holder: Root) -> ty.Type:
    """What the first subscript of a variable counts."""
    kind = holder.symbol.type
    return kind.of if isinstance(kind, ty.Array) else kind
