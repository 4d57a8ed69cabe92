"""Analysis: from which byte to which a launch touches an array whose rows are as long as a variable says.

    for (i = 0; i < rows; i++)                      from 0 on, rows * columns elements
        for (j = 0; j < columns; j++)
            sum += w[i * columns + j] * x[j];

The hull of the lattices of all accesses. It is exact where its first and its last byte are certainly touched: then all
between them is one object's (C11 6.5.6), as of the sections of extents.py, whose forms have no products of variables.
Else it says how much of a block can matter: many programs have all their arrays in one.

    In: Reach, accesses, canonical loops, lattices.   Out: Hull or None: some access is not known.
    Not here: which bytes that are, which the launch finds out (ompc_lattice.h).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ompc.analysis.eligibility.reach import Reach
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.extents import is_beyond_type, is_certain
from ompc.analysis.memory.lattice import Lattice, Lattices, Placed
from ompc.analysis.memory.roots import PLAIN, Root, target_type
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True)
class Hull:
    """Nothing before the first byte of these lattices is touched, and nothing behind the last; `exact`: both are."""

    lattices: tuple[Lattice, ...]
    exact: bool

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        """The variables that the launcher needs."""
        return frozenset(symbol for lattice in self.lattices for symbol in lattice.symbols)


class Hulls:
    """The hulls of one launch."""

    def __init__(
        self, reach: Reach, accesses: Sequence[Access], inner: Mapping[t.For, CanonicalLoop], lattices: Lattices
    ) -> None:
        self._reach = reach
        self._accesses = accesses
        self._inner = inner
        self._lattices = lattices

    def of(self, root: Root) -> Hull | None:
        """Of all that is accessed behind the pointer `root`."""
        if root.links != (PLAIN,) or any(loop.dependent for loop in self._reach.loop.loops):
            return None
        certain: list[Lattice] = []
        others: list[Lattice] = []
        for access in self._accesses:
            if access.root != root:
                continue
            place = self._lattices.place(access, within=True)
            if place is None or is_beyond_type(access.node):
                return None
            (certain if self._is_certain(place) else others).append(_lattice(place))
        sure = tuple(_joined(certain))
        both = tuple(_joined([*certain, *others]))
        return Hull(both, exact=bool(sure) and sure == both) if both else None

    def _is_certain(self, place: Placed) -> bool:
        """Is all of it touched, if no loop of its turns is empty?"""
        access = place.access
        known = not place.within and all(node in place.turns for node in access.context)
        whole = _element_pointed_to(access.node) == ty.unqualified(ty.element_of(target_type(access.root)))
        return known and whole and is_certain(access, self._reach, self._inner)


def _element_pointed_to(lvalue: t.Expr) -> ty.Type | None:
    """What the pointer that is followed points to, elements of arrays: all of that exists where a part is accessed."""
    match lvalue:
        case t.Member(base=base, arrow=False):
            return _element_pointed_to(base)
        case t.Index(base=base) if isinstance(base.type, ty.Array):
            return _element_pointed_to(base)
        case t.Member(base=pointer) | t.Index(base=pointer) | t.Unary(op="*", operand=pointer):
            return ty.unqualified(ty.element_of(pointer.type.to)) if isinstance(pointer.type, ty.Pointer) else None
        case _:
            return None


def _lattice(place: Placed) -> Lattice:
    turns = tuple(turn for turn in place.turns.values() if turn.count is not None or turn.apart.terms)
    return Lattice(place.access.node, place.first, place.bytes, turns)


def _joined(lattices: Iterable[Lattice]) -> Iterator[Lattice]:
    """One for all that lie a constant distance apart, in loops of the same shape: from the first to the last byte."""
    found: dict[tuple[object, ...], Lattice] = {}
    for lattice in lattices:
        moving, begin = lattice.first.split()
        key = (moving, tuple(turn.shape for turn in lattice.turns))
        known = found.setdefault(key, lattice)
        known_begin = known.first.split()[1]
        end = max(known_begin + known.bytes, begin + lattice.bytes)
        least = lattice if begin < known_begin else known
        found[key] = replace(least, bytes=end - min(begin, known_begin))
    return iter(found.values())
