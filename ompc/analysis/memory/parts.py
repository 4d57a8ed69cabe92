"""Analysis: which part of one object an lvalue designates, as sets of integers.

An object is seen as leaves, each a path of members and dimensions, and each with its elements:

    struct { double x[3]; int n; } t[5]         leaves:  []x[]  with 5 * 3 elements,   []n  with 5
    t[i].x[2]                                   the element (i, 2) of the first
    t[i]                                        the elements (i, 0..2) of the first and (i) of the second

A pointer into the object, such as a parameter's value, is a place and how far it points from there. What lies in a
union is one leaf, of which a member is never the whole.

    In: the object's type; subscripts, None where they are no polynomials.   Out: isl text of element sets.
    Not here: when an access happens -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.base.frozen import dataclass
from ompc.ir import types as ty

DIMENSION = "[]"
UNION = "|"


@dataclass(frozen=True, slots=True)
class Part:
    """What an lvalue designates: `path` to it, the `subscripts` on that path, its `type`."""

    path: str
    subscripts: tuple[Polynomial | None, ...]
    type: ty.Type

    def member(self, field: ty.Field, record: ty.Record) -> Part:
        if isinstance(self.type, ty.Unknown):
            return self
        if record.kind == "union":
            return Part(self.path + UNION, self.subscripts, ty.Unknown("a part of a union"))
        return self.selected(field)

    def selected(self, field: ty.Field) -> Part:
        """A member of a struct, or the real or imaginary part."""
        if isinstance(self.type, ty.Unknown):
            return self
        return Part(_member(self.path, field), self.subscripts, field.type)

    def element(self, subscript: Polynomial | None) -> Part:
        """An element of the array that this is."""
        if not isinstance(self.type, ty.Array):
            return replace(self, type=ty.Unknown("a part of something unknown"))
        return Part(self.path + DIMENSION, (*self.subscripts, subscript), self.type.of)

    def address(self) -> Address:
        """Where it is: as an element of the array around it, if it is one."""
        if self.path.endswith(DIMENSION):
            return Address(replace(self, path=self.path[: -len(DIMENSION)], subscripts=self.subscripts[:-1]),
                           self.subscripts[-1], self.type)  # fmt: skip
        return Address(self, number(0), self.type, alone=True)


@dataclass(frozen=True, slots=True)
class Address:
    """`offset` elements of type `to` from the beginning of the array `base`; `alone`: from an object that is none."""

    base: Part
    offset: Polynomial | None
    to: ty.Type
    alone: bool = False

    def moved(self, by: Polynomial | None, backwards: bool = False) -> Address:
        if self.offset is None or by is None:
            return replace(self, offset=None)
        return replace(self, offset=self.offset + (-by if backwards else by))

    def target(self) -> Part:
        if not self.alone:
            return Part(self.base.path + DIMENSION, (*self.base.subscripts, self.offset), self.to)
        return self.base if self.offset == number(0) else replace(self.base, type=ty.Unknown("beside an object"))


@dataclass(frozen=True, slots=True)
class Leaf:
    """`lengths` of its dimensions; `number` tells it from the others."""

    path: str
    lengths: tuple[int, ...]
    number: int


class Leaves:
    """All leaves of an object."""

    def __init__(self, kind: ty.Type) -> None:
        paths = list(_leaves(kind, "", ()))
        self._leaves = [Leaf(path, lengths, position) for position, (path, lengths) in enumerate(paths)]
        self.rank = max((len(leaf.lengths) for leaf in self._leaves), default=0)

    def within(self, part: Part) -> list[Leaf]:
        """The leaves that `part` is, or has inside."""
        return [leaf for leaf in self._leaves if leaf.path.startswith(part.path)]

    @property
    def dimensions(self) -> list[str]:
        return ["l", *(f"e{k}" for k in range(self.rank))]

    def elements(self, part: Part, subscripts: Sequence[str | None], certain: bool) -> list[str] | None:
        """One constraint on the dimensions for each leaf of `part`; None: `certain`, and not known what it is.
        `subscripts` are the part's as isl text, None where they are not affine.

        Without `certain`, the constraint may have elements too many: where a subscript is not known, C programs take an
        array of arrays for one long array, so that all of it counts.
        """
        leaves = self.within(part)
        if isinstance(part.type, ty.Unknown) or UNION in part.path or None in subscripts or not leaves:
            return None if certain else self._all(part)
        return [self._constraint(leaf, subscripts) for leaf in leaves]

    def _all(self, part: Part) -> list[str]:
        inside = [leaf for leaf in self._leaves if leaf.path.startswith(part.path) or part.path.startswith(leaf.path)]
        return [self._constraint(leaf, ()) for leaf in inside]

    def _constraint(self, leaf: Leaf, subscripts: Sequence[str | None]) -> str:
        found = [f"l = {leaf.number}"]
        for k in range(self.rank):
            if k < len(subscripts):
                found.append(f"e{k} = {subscripts[k]}")
            else:
                found.append(f"0 <= e{k} < {leaf.lengths[k]}" if k < len(leaf.lengths) else f"e{k} = 0")
        return " and ".join(found)

    def outside(self, part: Part, subscripts: Sequence[str | None]) -> str | None:
        """When an access to `part` is none to the object: its first subscript is outside, the others are inside."""
        leaves = self.within(part)
        if not leaves or not part.path.startswith(DIMENSION) or None in subscripts:
            return None
        lengths = leaves[0].lengths[: len(subscripts)]
        first, *others = zip(subscripts, lengths, strict=True)
        inside = [f"0 <= {subscript} < {length}" for subscript, length in others]
        return " and ".join([f"({first[0]} < 0 or {first[0]} >= {first[1]})", *inside])


def _leaves(kind: ty.Type, path: str, lengths: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    match kind:
        case ty.Array(of=of, length=int(length)):
            yield from _leaves(of, path + DIMENSION, (*lengths, length))
        case ty.Struct(record=record) if record.kind == "struct":
            for field in record.fields or ():
                yield from _leaves(field.type, _member(path, field), lengths)
        case ty.Struct():
            yield path + UNION, lengths
        case ty.Complex(of=of):
            yield from ((_member(path, field), lengths) for field in ty.PARTS[ty.unqualified(of)])
        case _:
            yield path, lengths


def _member(path: str, field: ty.Field) -> str:
    return f"{path}.{field.name or field.offset};"
