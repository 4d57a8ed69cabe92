"""The layout of structs and unions, as the System V ABI of x86-64 fixes it; and members by name.

    bit-fields    packed into units of their declared type; one that would cross a unit's boundary starts the next;
                  a width of zero closes the unit; unnamed ones do not raise the alignment
    unions        every member at offset 0

In: members in order.   Out: `Field`s with offsets, size and alignment.
Not here: packed records, and alignments that are no numbers; sema marks them opaque and trusts no layout.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.base.frozen import dataclass
from ompc.ir import types as ty


@dataclass(frozen=True, slots=True)
class MemberDecl:
    """A member as declared: `bits` is the width of a bit-field, `align` what `_Alignas` says in bytes (0: none)."""

    name: str | None
    type: ty.Type
    bits: int | None = None
    align: int = 0


def align_of(t: ty.Type) -> int | None:
    """`_Alignof` in bytes; None when unknown."""
    match t:
        case ty.Int(size=size) | ty.Float(size=size):
            return size
        case ty.Complex(of=of):
            return of.size
        case ty.Pointer():
            return 8
        case ty.Enum(underlying=u):
            return u.size
        case ty.Array(of=of):
            return align_of(of)
        case ty.Struct(record=r):
            return r.align
        case _:
            return None


def complete(record: ty.Record, members: Iterable[MemberDecl]) -> None:
    """Give `record` its fields, size and alignment. A member of unknown size makes it opaque."""
    layout = _Layout(union=record.kind == "union")
    for member in members:
        layout.add(member)
    record.fields = tuple(layout.fields)
    record.opaque = record.opaque or layout.opaque
    if record.opaque is None:
        record.align = max(layout.align, record.aligned)
        record.size = _round_up(layout.bits_used, 8 * record.align) // 8


class _Layout:
    def __init__(self, union: bool) -> None:
        self.union = union
        self.fields: list[ty.Field] = []
        self.position = 0  # next free bit
        self.bits_used = 0  # end of the furthest member
        self.align = 1
        self.opaque: str | None = None

    def add(self, member: MemberDecl) -> None:
        flexible = isinstance(member.type, ty.Array) and member.type.length is None
        size = 0 if flexible else ty.size_of(member.type)
        align = align_of(member.type)
        if size is None or align is None:
            name = member.name or "a member"
            self.opaque = self.opaque or f"the size of {name} is not known"
            size, align = 0, 1
        if self.union:
            self.position = 0
        if member.bits is None:
            self._ordinary(member, size, max(align, member.align))
        else:
            self._bit_field(member, size, max(align, member.align))
        self.bits_used = max(self.bits_used, self.position)

    def _ordinary(self, member: MemberDecl, size: int, align: int) -> None:
        self.position = _round_up(self.position, 8 * align)
        self.fields.append(ty.Field(member.name, member.type, self.position // 8, align=member.align))
        self.position += 8 * size
        self.align = max(self.align, align)

    def _bit_field(self, member: MemberDecl, size: int, align: int) -> None:
        unit, width = 8 * size, member.bits or 0
        if unit == 0:
            return
        if width == 0:
            self.position = _round_up(self.position, unit)
            return
        if member.align or self.position // unit != (self.position + width - 1) // unit:
            self.position = _round_up(self.position, max(unit, 8 * member.align) if member.align else unit)
        if member.name is not None:
            offset = self.position // unit * size
            self.fields.append(ty.Field(member.name, member.type, offset, (self.position % unit, width)))
            self.align = max(self.align, align)
        self.position += width


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def find_member(record: ty.Record, name: str) -> tuple[ty.Field, ...] | None:
    """The fields that lead to member `name`: one, or the anonymous members around it first. None when there is none."""
    for field in record.fields or ():
        if field.name == name:
            return (field,)
        if field.name is None and isinstance(field.type, ty.Struct):
            inner = find_member(field.type.record, name)
            if inner is not None:
                return (field, *inner)
    return None
