"""Analysis: contiguity: which accesses of an iteration are neighbours in memory, at multiples of a few words?

    p[j].x + p[j].y * p[j].mass     struct { float x, y, z, mass; } *p: the offsets 0, 4 and 12 of every 16 bytes
    q[2 * j] * q[2 * j + 1]         double *q: 0 and 8 of every 16
    whole = p[j];                   all 16 bytes
    if (p[j].x > 0) s += p[j].y;    `apart`: parts of one element, which is best read whole by the first of them

A device can do those with one instruction if the array begins at such a multiple too. Offsets are counted from where
the array begins: constants, and other terms of the subscripts times how far they reach. Terms are compared as they
stand.

    In: the accesses to one object, in the order of the text.   Out: ContiguousAccesses, or None; elements that are read
    apart.
    Not here: where arrays begin -- the launcher; whether something between two accesses changes what they find -- the
    device's compiler, which reads at once only where that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import gcd

from ompc.analysis.integers.equality import same
from ompc.analysis.memory.accesses import Access, Mode
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Subscript, access_path
from ompc.ir.constants import constant_value
from ompc.ir.queries import set_in, symbols_in

WIDEST = 16
"""The most bytes that one instruction reads, and the greatest alignment of C's types: DEVICE.vector is this number."""

_MOST = 300
"""The most accesses to one object that are examined; with more, nothing is found out about it."""


@dataclass(frozen=True, slots=True)
class ContiguousAccesses:
    """`nodes` are accesses that are contiguous in so many `bytes`, or one of all of them."""

    bytes: int
    nodes: tuple[t.Expr, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """`size` bytes at `offset` behind the sum of the terms: (expression, bytes that one of it is)."""

    terms: tuple[tuple[t.Expr, int], ...]
    offset: int
    size: int

    @property
    def multiple(self) -> int:
        """Of which power of two the sum of the terms is certainly a multiple, up to WIDEST."""
        return lowest_bit(gcd(WIDEST, *(factor for _, factor in self.terms)))

    def moved(self, terms: Iterable[tuple[t.Expr, int]], offset: int, size: int) -> _Place:
        return _Place((*self.terms, *terms), self.offset + offset, size)

    def has_same_terms(self, other: _Place) -> bool:
        pairs = zip(self.terms, other.terms, strict=False)
        return len(self.terms) == len(other.terms) and all(x == y and same(a, b) for (a, x), (b, y) in pairs)


def contiguous_accesses(accesses: Sequence[Access]) -> ContiguousAccesses | None:
    """The widest of what is contiguous; of equally wide ones the first."""
    found: list[ContiguousAccesses] = []
    if len(accesses) <= _MOST:
        for group in _groups(accesses):
            found += _contiguous(group)
    return max(found, key=lambda n: n.bytes, default=None)


def read_apart(accesses: Sequence[Access], record: ty.Record) -> tuple[t.Expr, ...]:
    """The elements, records of some words, of which several members are read, but not all by one instruction: not all
    of them, or in different stretches of code, of which one comes before the others.

    Only where the innermost loop goes to another element each time; else the compiler reads it in front of the loop.
    """
    found: list[t.Expr] = []
    reads = [a for a in accesses if a.mode is Mode.READ and ty.is_scalar(a.node.type)]
    for group in _groups(reads if len(reads) <= _MOST else (), in_one_stretch=False):
        for number in dict.fromkeys(place.offset // (record.size or 1) for _, place in group):
            of_one = [(access, place) for access, place in group if place.offset // (record.size or 1) == number]
            found += _apart(of_one, record)
    return tuple(found)


def _apart(group: Sequence[_Placed], record: ty.Record) -> Iterator[t.Expr]:
    """The accesses to one element."""
    before = min((access.context for access, _ in group), key=len)
    later = [(access, place) for access, place in group if access.context[: len(before)] == before]
    sizes = {place.offset: place.size for _, place in later}
    in_one = all(access.context == before for access, _ in later)
    if len(sizes) < 2 or (in_one and sum(sizes.values()) == record.size) or not _moves(later[0][1], before):
        return
    for access, _ in later:
        element = record_around(access.node, record)
        if element is not None:
            yield element


def _moves(place: _Place, context: Sequence[t.Stmt | t.Expr]) -> bool:
    """Is it another place in each turn of the innermost loop?"""
    loop = next((node for node in reversed(context) if isinstance(node, (t.For, t.While, t.DoWhile))), None)
    if loop is None:
        return True
    return any(not symbols_in(term).isdisjoint(set_in(loop)) for term, _ in place.terms)


def record_around(node: t.Expr, record: ty.Record) -> t.Expr | None:
    """The record of which `node` is a part."""
    while isinstance(node, (t.Member, t.Index)):
        if isinstance(node.type, ty.Struct) and node.type.record is record:
            return node
        node = node.base
    return None


def lowest_bit(size: int) -> int:
    """The greatest power of two that divides `size`."""
    return size & -size


_Placed = tuple[Access, _Place]


def _groups(accesses: Sequence[Access], in_one_stretch: bool = True) -> list[list[_Placed]]:
    """Accesses behind the same terms: of one stretch of code, all reads or all writes; or of several."""
    groups: list[list[_Placed]] = []
    for access in accesses:
        place = _place(access.node)
        if place is None or not place.terms:
            continue
        for group in groups:
            other, first = group[0]
            near = not in_one_stretch or (other.context == access.context and other.mode is access.mode)
            if near and first.has_same_terms(place):
                group.append((access, place))
                break
        else:
            groups.append([(access, place)])
    return groups


def _contiguous(group: Sequence[_Placed]) -> Iterator[ContiguousAccesses]:
    width = group[0][1].multiple
    for access, _ in group:
        if isinstance(access.node.type, ty.Struct):
            known = access.node.type.record
            if width > (known.align or WIDEST):
                yield ContiguousAccesses(width, (access.node,))
    blocks: dict[int, dict[int, _Placed]] = {}
    for access, place in group:
        if ty.is_scalar(access.node.type) and 2 * place.size <= width:
            blocks.setdefault(place.offset // width, {}).setdefault(place.offset, (access, place))
    for block in blocks.values():
        ordered = [block[offset] for offset in sorted(block)]
        if any(a.offset + a.size == b.offset for (_, a), (_, b) in pairwise(ordered)):
            yield ContiguousAccesses(width, tuple(access.node for access, _ in ordered))


def _place(node: t.Expr) -> _Place | None:
    """Where an lvalue is; None: not in an object that the expression names."""
    path = access_path(node)
    place = _Place((), 0, 0)
    match path.origin:
        case t.Binary(op="+", left=t.Name(), right=index, type=ty.Pointer(to=to)):
            place = _element(place, index, to)
        case t.Name(type=kind) if path.follows or isinstance(kind, ty.Array):
            pass
        case _:
            return None
    for step in path.steps:
        if isinstance(step, Subscript):
            place = _element(place, step.index, step.type)
        elif size := 0 if step.member.bits is not None else ty.size_of(step.type):
            place = place.moved((), step.member.offset, size)
        else:
            return None
    return place


def _element(inner: _Place, index: t.Expr, kind: ty.Type) -> _Place:
    """The element `index` of what is at `inner`; rows of variable length are multiples of their elements."""
    size = ty.size_of(kind)
    if not size:
        return inner.moved([(index, ty.size_of(ty.element_of(kind)) or 1)], 0, 0)
    terms, constant = _linear(index, size)
    return inner.moved(terms, constant, size)


def _linear(index: t.Expr, size: int) -> tuple[list[tuple[t.Expr, int]], int]:
    """`index` times `size` as (terms that are no constants, with their factors; the sum of the constants)."""
    value = constant_value(index)
    if value is not None:
        return [], value * size
    match index:
        case t.Cast(operand=operand) if ty.is_integer(index.type) and ty.is_integer(operand.type):
            return _linear(operand, size)
        case t.Binary(op="+" | "-" as op, left=left, right=right):
            (a, x), (b, y) = _linear(left, size), _linear(right, size if op == "+" else -size)
            return a + b, x + y
        case t.Binary(op="*", left=left, right=right):
            for factor, other in ((left, right), (right, left)):
                number = constant_value(factor)
                if number is not None:
                    return _linear(other, size * number)
        case t.Binary(op="<<", left=left, right=right):
            number = constant_value(right)
            if number is not None and 0 <= number < WIDEST:
                return _linear(left, size << number)
        case _:
            pass
    return [(index, size)], 0
