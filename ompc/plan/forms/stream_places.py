"""Plan: which elements an iteration has side by side, and which of them each access is.

    a[i] = b[i + n];                               one of each array: step 1
    for (c = 0; c < 3; c++)
        out[3 * p + c] = 255 - in[3 * p + 2 - c];  three: step 3, from 3 * p on; numbers c of `out`, 2 - c of `in`
    left[p] = both[p][0]; right[p] = both[p][1];   one of `left` and `right`, two of `both`, whose rows have two

The place of an access is a polynomial, of which what the loop's variable is multiplied by is the step, and what is
left when that, and what is the same for all iterations, is taken away, is its number: one for each combination of
values of the short loops around it. Rows that are as long as a number says are counted in elements.

    In: accesses, the variable of the x axis, the short loops in the body.   Out: Place.
    Not here: what must hold of all accesses to an array -- narrow_streams.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.polynomials import Polynomial, depends_on, number
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE

_NOTHING = Polynomial()


@dataclass(frozen=True, eq=False)
class Place:
    """Of an access: `step` times the variable, `rest`, `terms` of short loops, and `constant`, in the row of
    the `outer` subscripts. `step` None: not known.
    """

    access: Access
    values: Mapping[t.Symbol, Sequence[int]]
    outer: tuple[Polynomial, ...] = ()
    rest: Polynomial = _NOTHING
    step: int | None = None
    terms: Mapping[t.Symbol, int] | None = None
    constant: int = 0

    @property
    def node(self) -> t.Expr:
        return self.access.node

    @property
    def numbers(self) -> dict[int, dict[t.Symbol, int]]:
        """The numbers of its elements, each with values of the short loops' variables."""
        terms = self.terms or {}
        found: dict[int, dict[t.Symbol, int]] = {}
        for values in product(*(self.values[counter] for counter in terms)):
            at = dict(zip(terms, values, strict=True))
            found[self.constant + sum(terms[counter] * value for counter, value in at.items())] = at
        return found

    def is_beside(self, other: Place) -> bool:
        """Is it in the same row, so many elements apart for all iterations?"""
        if self.step is None or other.step is None:
            return same(self.node, other.node)
        return (self.outer, self.rest, self.step) == (other.outer, other.rest, other.step)

    def number_from(self, first: int) -> t.Expr:
        """Its number, counted from `first`, as an expression."""
        loc = self.node.loc
        count = self.constant - first
        found: t.Expr | None = t.IntConst(ty.INT, loc, count, str(count)) if count or not self.terms else None
        for counter, factor in (self.terms or {}).items():
            part: t.Expr = t.Name(counter.type, loc, counter)
            if abs(factor) != 1:
                part = t.Binary(ty.INT, loc, "*", t.IntConst(ty.INT, loc, abs(factor), str(abs(factor))), part)
            if found is None:
                found = part if factor > 0 else t.Unary(ty.INT, loc, "-", part)
            else:
                found = t.Binary(ty.INT, loc, "+" if factor > 0 else "-", found, part)
        assert found is not None
        return found

    def element(self, which: int) -> t.Expr:
        """The element with this number."""
        at = self.numbers[which]

        def value(node: Node) -> Node | None:
            if not isinstance(node, t.Index) or symbols_in(node.index).isdisjoint(at):
                return None
            base = rewritten(node.base, value)
            assert isinstance(base, t.Expr)
            return replace(node, base=base, index=_with_values(node.index, at))

        found = rewritten(self.node, value)
        assert isinstance(found, t.Expr)
        return found


def _with_values(place: t.Expr, at: Mapping[t.Symbol, int]) -> t.Expr:
    """`place` where the variables have these values; its constant terms are one."""
    terms = list(_terms(place, 1, at))
    constant = sum(sign * term for sign, term in terms if isinstance(term, int))
    rest = [(sign, term) for sign, term in terms if not isinstance(term, int)]
    if not rest:
        return t.IntConst(ty.INT, place.loc, constant, str(constant))
    (sign, found), *others = rest
    if sign < 0:
        found = t.Unary(place.type, place.loc, "-", found)
    for sign, term in others:
        found = t.Binary(place.type, place.loc, "+" if sign > 0 else "-", found, term)
    if constant:
        by = t.IntConst(ty.INT, place.loc, abs(constant), str(abs(constant)))
        found = t.Binary(place.type, place.loc, "+" if constant > 0 else "-", found, by)
    return found


def _terms(place: t.Expr, sign: int, at: Mapping[t.Symbol, int]) -> Iterator[tuple[int, t.Expr | int]]:
    """The terms of a sum, each with its sign."""
    match place:
        case t.Binary(op="+" | "-" as op, left=left, right=right):
            yield from _terms(left, sign, at)
            yield from _terms(right, sign if op == "+" else -sign, at)
        case t.IntConst(value=value):
            yield sign, value
        case t.Name(symbol=symbol) if symbol in at:
            yield sign, at[symbol]
        case _:
            found = _with_constants(place, at)
            known = constant_value(found)
            yield sign, found if known is None else known


def _with_constants(place: t.Expr, at: Mapping[t.Symbol, int]) -> t.Expr:
    def constant(node: Node) -> Node | None:
        known = at.get(node.symbol) if isinstance(node, t.Name) else None
        return None if known is None else t.IntConst(ty.INT, node.loc, known, str(known))

    found = rewritten(place, constant)
    assert isinstance(found, t.Expr)
    return found


def place_of(facts: Facts, access: Access, var: t.Symbol) -> Place:
    """`access` has subscripts."""
    values = {loop.var: _values(loop) for loop in short_loops_around(facts, access)}
    unknown = Place(access, values)
    *outer, place = [facts.forms.of(subscript) for subscript in access.subscripts or ()]
    length = _row_length(access.node)
    if length is not None and outer and place is not None and not depends_on_any(place, [var]):
        row = outer.pop()
        place = None if row is None else number(length) * row + place
    others = tuple(each for each in outer if each is not None)
    counters = [var, *values]
    if place is None or len(others) < len(outer) or any(depends_on_any(each, counters) for each in others):
        return unknown
    parts = place.linear_in(counters)
    if parts is None or depends_on_any(parts[0], counters):
        return unknown
    rest, constant = parts[0].split()
    factors = {counter: factor.constant for counter, factor in parts[1].items()}
    terms = {counter: factor for counter, factor in factors.items() if factor is not None}
    step = terms.pop(var, None)
    if step is None or len(terms) + 1 < len(factors):
        return unknown
    return Place(access, values, others, rest, step, {c: factor for c, factor in terms.items() if factor}, constant)


def depends_on_any(place: Polynomial, symbols: Iterable[t.Symbol]) -> bool:
    found = tuple(symbols)
    return any(depends_on(factor, found) for factor in place.factors)


def short_loops_around(facts: Facts, access: Access) -> list[CanonicalLoop]:
    """Those in the body of which the variable has a value of a few at the access."""
    loops = [facts.inner_loops.get(node) for node in access.context if isinstance(node, t.For)]
    return [loop for loop in loops if loop is not None and is_short(loop)]


def is_short(loop: CanonicalLoop) -> bool:
    """Is it unrolled in each iteration?"""
    trips = constant_trips(loop)
    return trips is not None and 0 < trips <= DEVICE.short_loop and not loop.var.address_taken


def _values(loop: CanonicalLoop) -> tuple[int, ...]:
    first, step, trips = constant_value(loop.lower), loop.constant_step, constant_trips(loop)
    assert first is not None and step is not None and trips is not None
    return tuple(first + (-step if loop.down else step) * turn for turn in range(trips))


def _row_length(node: t.Expr) -> int | None:
    """The length of the row of which it is an element, if that is a number."""
    kind = node.base.type if isinstance(node, t.Index) else None
    return kind.length if isinstance(kind, ty.Array) and isinstance(kind.length, int) else None
