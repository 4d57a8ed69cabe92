"""Analysis: must-write regions: which bytes of an array a launch certainly writes before it reads them.

Of each write that every iteration makes, the bytes as an LMAD over the loops around it (lmad.py), so that the
launch can say where they have no gap, also of rows whose length is a variable.

A read is allowed where the same iteration has certainly written what it reads: `c[i][j] = 0` before a loop that adds to
`c[i][j]`. What another iteration has written it cannot read, or the program has a race. Never more than is written: a
write that a condition, a jump or a call may skip, that is not a whole member, or whose place is no polynomial, counts
for nothing.

    In: DeviceCode, accesses and their places.   Out: tuple[Lmad, ...], largest nests first.
    Not here: whether the LMAD has gaps, which the launch finds out (ompc_lmad.h); arrays of constant size
    that isl proves to be overwritten as a whole (extents.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access, Mode, by_object
from ompc.analysis.memory.lmad import Lmad, LmadDimension, Lmads, Placed
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.constructs import constituents, is_openmps

_RUN_BY_EACH_ITERATION = frozenset({"atomic", "critical", "simd", "flush", "parallel", "for", "loop"})
"""Constructs in a loop's body whose own body every iteration still runs."""


class MustWrites:
    """The parts of one launch that are certainly written."""

    def __init__(self, device_code: DeviceCode, accesses: Sequence[Access], lmads: Lmads) -> None:
        self._loops = device_code.loop.loops
        self._body = device_code.body
        self._accesses = by_object(accesses)
        self._lmads = lmads

    def of(self, obj: MemoryObject) -> tuple[Lmad, ...]:
        """The parts of the array `obj`; none where the launch may read what it has not written."""
        if obj.stored or not self._is_followed():
            return ()
        found = self._accesses.get(obj, ())
        certain = [a for a in found if a.mode is Mode.WRITE and self._lmads.relations.is_certain(a)]
        placed = [p for p in map(self._lmads.place, certain) if p is not None and _is_solid(p.access.node.type)]
        for access in found:
            if access.mode.reads and not self._reads_own(access, placed):
                return ()
        parts = [Lmad(p.access.node, p.first, p.bytes, _that_matter(p.dimensions.values())) for p in placed]
        useful = [part for part in _merged(parts) if _may_be_whole(part)]
        return tuple(sorted(useful, key=lambda part: -part.rank)) if any(part.rank for part in useful) else ()

    def _is_followed(self) -> bool:
        """Does each iteration of the nest do what the body's text says?"""
        pragmas = (node for node in walk(self._body) if isinstance(node, t.Pragma) and is_openmps(node))
        constructs = frozenset[str]().union(*(constituents(pragma.directive.name) for pragma in pragmas))
        return not any(loop.dependent for loop in self._loops) and constructs <= _RUN_BY_EACH_ITERATION

    # ---------------------------------------------------------------- reads

    def _reads_own(self, read: Access, writes: Sequence[Placed]) -> bool:
        """Has the same iteration certainly written before what `read` reads?"""
        place = self._lmads.place(read)
        return place is not None and any(_precedes(write, place) for write in writes)


def _precedes(write: Placed, read: Placed) -> bool:
    """Is what `read` reads written by `write`, which is never skipped, earlier in the same turns of common loops?"""
    if write.number >= read.number:
        return False
    common = set(read.access.context)
    own = {
        node: dimension
        for node, dimension in write.dimensions.items()
        if node in write.access.context and node not in common
    }
    others = [
        dimension for node, dimension in read.dimensions.items() if node in common and node not in write.dimensions
    ]
    shared = [node for node in write.dimensions if node not in own]
    if any(write.dimensions[node] != read.dimensions.get(node) for node in shared):
        return False
    for dimension in own.values():  # each value of its counter is one of a loop of the read's
        if not dimension.stride.terms or dimension not in [replace(other, loop=dimension.loop) for other in others]:
            return False
        others.remove(next(other for other in others if replace(other, loop=dimension.loop) == dimension))
    if any(other.stride.terms for other in others):
        return False
    distance = (read.first + -write.first).constant
    return distance is not None and distance >= 0 and distance + read.bytes <= write.bytes


def _that_matter(dimensions: Iterable[LmadDimension]) -> tuple[LmadDimension, ...]:
    """But for parallel loops that do not move the access: they are not empty, or nothing is launched."""
    return tuple(dimension for dimension in dimensions if dimension.count is not None or dimension.stride.terms)


def _is_solid(kind: ty.Type) -> bool:
    """Does an assignment write every byte of an object of this type? Not those between the members of a struct."""
    match kind:
        case ty.Struct(record=record):
            fields = record.fields or ()
            plain = all(field.bits is None and _is_solid(field.type) for field in fields)
            return record.kind == "struct" and plain and sum(ty.size_of(f.type) or 0 for f in fields) == record.size
        case ty.Array(of=of):
            return _is_solid(of)
        case ty.Float(size=size) | ty.Complex(of=ty.Float(size=size)):
            return size <= 8
        case _:
            return ty.is_scalar(kind)


def _merged(parts: Sequence[Lmad]) -> list[Lmad]:
    """Members and contiguous elements, written in loops of the same shape, as one part."""
    found: dict[tuple[object, ...], list[Lmad]] = {}
    for part in parts:
        moving, _ = part.first.split()
        key = (moving, tuple(dimension.shape for dimension in part.dimensions))
        found.setdefault(key, []).append(part)
    return [whole for group in found.values() for whole in _contiguous(group)]


def _contiguous(parts: Sequence[Lmad]) -> Iterator[Lmad]:
    whole: Lmad | None = None
    for part in sorted(parts, key=lambda part: part.first.split()[1]):
        begin = part.first.split()[1]
        end = None if whole is None else whole.first.split()[1] + whole.bytes
        if whole is not None and end is not None and begin <= end:
            whole = replace(whole, bytes=max(whole.bytes, begin + part.bytes - (end - whole.bytes)))
            continue
        if whole is not None:
            yield whole
        whole = part
    if whole is not None:
        yield whole


def _may_be_whole(part: Lmad) -> bool:
    """Can it be without gaps? Not if the constants among its distances say otherwise."""
    dimensions = [
        (abs(dimension.stride.constant or 0), dimension.count)
        for dimension in part.dimensions
        if dimension.stride.terms
    ]
    extent = part.bytes
    for stride, count in sorted(dimensions, key=lambda dimension: dimension[0]):
        if stride == 0:
            continue  # not known: perhaps it is just as far
        if stride > extent:
            return any(known == 0 for known, _ in dimensions)
        turned = None if count is None else count.constant
        if turned is None:
            return True
        extent += stride * max(turned - 1, 0)
    return True
