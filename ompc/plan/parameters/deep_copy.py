"""Plan: deep copy: objects that the kernel reaches through pointers in memory, and where those pointers are.

The launcher reads the pointers on the host, copies what they lead to, and gives the device's copy of the holder device
addresses in their place. For that it must know where in the holder they are, and which of them the loop may follow:
an entry that it may follow and that leads nowhere known keeps the loop on the host, others do not matter.

    double **a;   a[i][j], i < n      pointers in `a`, at 0 of every 8 bytes, entries 0 .. n - 1
    struct v { int n; double *x; };   cells[k].x[j]      in `cells`, at 8 of every 16 bytes
    struct w { struct v a, b[3]; };   p->b[1].x[j]       at 40, not at 8, 24 and 56, which may never have been set

    In: Facts, the object, names of the objects before it.   Out: its name, Slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MOST_SLOTS, MemoryObject, element_type, slots_of, target_type
from ompc.analysis.memory.points_to import step_of
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Selection, Subscript, access_path
from ompc.ir.constants import constant_value
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
    offsets = _read(facts, obj, offsets)
    unit = ty.size_of(target_type(holder) if holder.path else _row_type(holder))
    entries = None if unit is None or unit % stride else facts.footprints.bounding_section(holder)
    member = None if step.member is None else step.member.name
    return Slots(holders[holder], offsets, step.record, member, stride, unit or stride, entries)


def _row_type(holder: MemoryObject) -> ty.Type:
    """What the first subscript of a variable counts."""
    kind = holder.symbol.type
    return kind.of if isinstance(kind, ty.Array) else kind


def _read(facts: Facts, obj: MemoryObject, offsets: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the pointers that the loop may read, of a member that is an array, or of several such structs."""
    step, kind = obj.path[-1], element_type(obj.holder)
    found: set[int] = set()
    for access in facts.of(obj.holder) if len(offsets) > 1 else ():
        if isinstance(access.node.type, (ty.Struct, ty.Array)):  # with all its pointers
            return offsets
        if isinstance(access.node.type, ty.Pointer) and step_of(access.node) == step:
            places = _places(access.node, kind)
            if places is None:
                return offsets
            found |= places
    return tuple(offset for offset in offsets if offset in found) or offsets


def _places(pointer: t.Expr, kind: ty.Type) -> set[int] | None:
    """Where in an element of this type a pointer may be that is read; None: that is not known."""
    steps = list(dropwhile(lambda step: isinstance(step, Subscript), access_path(pointer).steps))
    if not steps or not _is_whole(steps[0].whole, kind):
        return None
    found = {0}
    for step in steps:
        if isinstance(step, Selection):
            found = {place + step.member.offset for place in found}
            continue
        length, size = step.whole.length if isinstance(step.whole, ty.Array) else None, ty.size_of(step.type)
        if not isinstance(length, int) or length * len(found) > MOST_SLOTS or not size:
            return None
        at = constant_value(step.index)
        if at is not None and not 0 <= at < length:
            return None
        found = {place + k * size for place in found for k in (range(length) if at is None else (at,))}
    return found


def _is_whole(kind: ty.Type, element: ty.Type) -> bool:
    """Is it the element itself, and not a struct inside of it to which another pointer leads?"""
    return ty.unqualified(kind) == ty.unqualified(element)
