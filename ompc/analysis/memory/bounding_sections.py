"""Analysis: bounding sections: from which byte to which a launch touches an array with rows of variable length.

    for (i = 0; i < rows; i++)                      from 0 on, rows * columns elements
        for (j = 0; j < columns; j++)
            sum += w[i * columns + j] * x[j];

The bounding section of the LMADs of all accesses. It is exact where its first and its last byte are certainly touched:
then all between them is one object's (C11 6.5.6), as of the sections of extents.py, whose forms have no products of
variables. Else it says how much of a block can matter: many programs have all their arrays in one.

    In: DeviceCode, accesses, canonical loops, LMADs.   Out: BoundingSection or None: some access is not known.
    Not here: which bytes that are, which the launch finds out (ompc_lmad.h).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.integers.polynomials import Length, Polynomial, number, variable
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.extents import is_beyond_type
from ompc.analysis.memory.lmad import Lmad, Lmads, Placed
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject, target_type
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path


@dataclass(frozen=True, slots=True)
class BoundingSection:
    """Nothing before the first byte of these LMADs is touched, and nothing behind the last; `exact`: both are."""

    lmads: tuple[Lmad, ...]
    exact: bool

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        """The variables that the launcher needs."""
        return frozenset(symbol for lmad in self.lmads for symbol in lmad.symbols)


class BoundingSections:
    """The bounding sections of one launch."""

    def __init__(self, device_code: DeviceCode, accesses: Sequence[Access], lmads: Lmads) -> None:
        self._reach = device_code
        self._accesses = accesses
        self._lmads = lmads

    def of(self, obj: MemoryObject, written: bool = False) -> BoundingSection | None:
        """Of all that is accessed behind the pointer `obj`, or of all that is `written` there."""
        if obj.path != (PLAIN,) or any(loop.dependent for loop in self._reach.loop.loops):
            return None
        certain: list[Lmad] = []
        others: list[Lmad] = []
        for access in self._accesses:
            if access.obj != obj or (written and not access.mode.writes):
                continue
            place = self._lmads.place(access, within=True)
            if place is None or is_beyond_type(access.node):
                return None
            (certain if self._is_certain(place) else others).append(_lmad(place))
        sure = tuple(_outermost(tuple(_joined(_needed(certain)))))
        both = tuple(_outermost(tuple(_joined(_needed([*certain, *others])))))
        return BoundingSection(both, exact=bool(sure) and sure == both) if both else None

    def _is_certain(self, place: Placed) -> bool:
        """Is all of it touched, if no loop of its turns is empty?"""
        access = place.access
        known = not place.within and all(node in place.dimensions for node in access.context)
        whole = _element_pointed_to(access.node) == ty.unqualified(ty.element_of(target_type(access.obj)))
        return known and whole and self._lmads.relations.is_certain(access)


def _element_pointed_to(lvalue: t.Expr) -> ty.Type | None:
    """What the pointer that is followed points to, elements of arrays: all of that exists where a part is accessed."""
    path = access_path(lvalue)
    return ty.unqualified(ty.element_of(path.steps[0].type)) if path.follows else None


def _lmad(place: Placed) -> Lmad:
    dimensions = tuple(
        dimension for dimension in place.dimensions.values() if dimension.count is not None or dimension.stride.terms
    )
    return Lmad(place.access.node, place.first, place.bytes, dimensions)


def _needed(lmads: Sequence[Lmad]) -> list[Lmad]:
    """Without those that are another one in loops that do not move it, if those turn at all."""
    plain = {(lmad.first, lmad.bytes, _shape(lmad)) for lmad in lmads if lmad.rank == len(lmad.dimensions)}
    return [
        lmad
        for lmad in lmads
        if lmad.rank == len(lmad.dimensions) or (lmad.first, lmad.bytes, _moving(lmad)) not in plain
    ]


def _moving(lmad: Lmad) -> tuple[object, ...]:
    return tuple(dimension.shape for dimension in lmad.dimensions if dimension.stride.terms)


def _joined(lmads: Iterable[Lmad]) -> Iterator[Lmad]:
    """One for all that lie a constant distance apart, in loops of the same shape: from the first to the last byte."""
    found: dict[tuple[object, ...], Lmad] = {}
    for lmad in lmads:
        moving, begin = lmad.first.split()
        key = (moving, tuple(dimension.shape for dimension in lmad.dimensions))
        known = found.setdefault(key, lmad)
        known_begin = known.first.split()[1]
        end = max(known_begin + known.bytes, begin + lmad.bytes)
        least = lmad if begin < known_begin else known
        found[key] = replace(least, bytes=end - min(begin, known_begin))
    return iter(found.values())


def _outermost(lmads: Sequence[Lmad]) -> Iterator[Lmad]:
    """Those that do not lie between others of the same shape: of the 27 neighbours of a point, the two at the ends."""
    for lmad in lmads:
        alike = [other for other in lmads if other is not lmad and _shape(other) == _shape(lmad)]
        behind_one = any(_is_not_negative(lmad.first + -other.first) for other in alike)
        if not behind_one or not any(_is_not_negative(_end(other) + -_end(lmad)) for other in alike):
            yield lmad


def _shape(lmad: Lmad) -> tuple[object, ...]:
    return tuple(dimension.shape for dimension in lmad.dimensions)


def _end(lmad: Lmad) -> Polynomial:
    return lmad.first + number(lmad.bytes)


def _is_not_negative(distance: Polynomial) -> bool:
    """Is it certainly 0 or more, as the lengths of rows are at least 1 (C11 6.7.6.2)?"""
    lengths = [factor for factor in distance.factors if isinstance(factor, Length)]
    for length in lengths:
        distance = distance.with_value(length, variable(length) + number(1))
    return distance.factors <= {*lengths} and all(coefficient > 0 for _, coefficient in distance.terms)
