"""Analysis: do iterations race for a member of a shared struct variable?

A scalar that iterations both read and write is a race; elements of an array are the user's to keep apart. A struct
variable has members of both kinds:

    s.f[i] = s.f[i] + s.scale;          elements of f, and a scalar that is only read: no race
    s.count = s.count + 1;              a race for count
    s.last = i;  t = s;                 a race for last, of which t has a copy

Bit-fields of one struct count as one member, as do all members of a union.

    In: the accesses to one struct variable.   Out: the write of a member that is also read, or None.
    Not here: which writes are atomic -- atomic_operations.py.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.access_paths import Subscript, access_path

_BITS = "bit-fields"


@dataclass(frozen=True, slots=True)
class _Member:
    """`path` of members, up to the first subscript if the access goes under one."""

    path: tuple[str | int, ...]
    is_element: bool

    def overlaps(self, other: _Member) -> bool:
        common = min(len(self.path), len(other.path))
        return self.path[:common] == other.path[:common]


def raced_member(found: Collection[Access], writes: Collection[Access]) -> Access | None:
    """The first of `writes` to something that is no element of a member array and that one of `found` reads."""
    read = [_member(access.node) for access in found if access.mode.reads]
    whole = [member for member in read if member is None or not member.is_element]
    for write in writes:
        member = _member(write.node)
        if member is None:
            return write
        rivals = whole if member.is_element else read
        if any(other is None or other.overlaps(member) for other in rivals):
            return write
    return None


def _member(lvalue: t.Expr) -> _Member | None:
    """What `lvalue`, a part of a variable, is; None where a pointer leads to it."""
    path = access_path(lvalue)
    if path.variable is None:
        return None
    members: list[str | int] = []
    is_single = True
    for step in path.steps:
        if isinstance(step, Subscript):
            return _Member(tuple(members), is_element=True)
        is_single = is_single and not (step.record is not None and step.record.kind == "union")
        if is_single:
            members.append(_BITS if step.member.bits is not None else step.member.name or step.member.offset)
    return _Member(tuple(members), is_element=False)
