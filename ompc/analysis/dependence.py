"""Analysis: are the iterations of a sequential loop inside a parallel loop independent of each other?

The user's directive says it of the annotated loop; for a loop inside it must be proved. Two accesses to one array, at
least one of them a write, conflict when some iteration of the outer loops and two different iterations of the inner
loop touch the same element. isl decides whether there is such a point:

    for j: uold[i][j] = u[i][j]            { j, j' : j != j', (i, j) = (i, j') } is empty: independent
    for k: c[i][j] += a[i][k] * b[k][j]    (i, j) = (i, j) for every k != k': a conflict

Within one outer iteration, what is built from outer counters and invariants alone is a fixed number, also where it is
not affine: `u[i * m + j]` is `p + j`. Of the others, linear subscripts are those of several dimensions where that is
proved: `u[j * m + k]` is `u[j][k]` (analysis/delinearisation.py).

Atomic updates of one kind may be done in any order, so two of them are no conflict.

    In: Facts' parts (accesses, canonical loops, what is known of integers).
    Out: the first obstacle as a sentence, or None: independent.
    Not here: scalars (analysis/assigned.py); arrays that overlap, which the launcher refuses.
    Source: Feautrier's exact dependence test, by isl.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from ompc.analysis.accesses import Access
from ompc.analysis.affine import read_set
from ompc.analysis.definitions import Known
from ompc.analysis.delinearisation import where_equal
from ompc.analysis.indivisible import Indivisible
from ompc.analysis.polynomials import Factor, Fixed, Forms, Monomial, Polynomial, Turn, variable
from ompc.analysis.ranges import Range, counter_range, range_of_type
from ompc.omp.model import CanonicalLoop
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.constants import constant_value
from ompc.sema.show import c_expr
from ompc.sema.walk import walk

_EXITS = (t.Break, t.Goto, t.Return, t.Leave)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sequential loop inside `outer` (outermost first); `inner` are the canonical sequential loops further in.

    `twins`: loops with the same iterations, which count as the same loop. `within`: loops around every access inside
    `loop`, as those that a `collapse` clause names have.
    """

    loop: CanonicalLoop
    outer: tuple[CanonicalLoop, ...]
    inner: Mapping[t.For, CanonicalLoop]
    known: Known
    twins: tuple[CanonicalLoop, ...] = ()
    within: tuple[CanonicalLoop, ...] = ()

    def around(self, access: Access) -> CanonicalLoop:
        """The candidate, or that of its twins which the access is in."""
        return next((twin for twin in self.twins if twin.statement in access.context), self.loop)


def obstacle(candidate: Candidate, accesses: Sequence[Access], indivisible: Indivisible) -> str | None:
    """Why iterations of the candidate may touch what another one writes; None: they are independent.

    `accesses` are those to objects outside the threads.
    """
    written = {access.root for access in accesses if access.mode.writes}
    try:
        for first in (access for access in accesses if access.mode.writes):
            for second in (access for access in accesses if access.root in written and access.root == first.root):
                if not indivisible.commute(first, second) and may_conflict(candidate, first, second):
                    return f"iterations may touch the same element of '{first.root}'"
    except isl.Error:
        return "the dependence test is too large"
    return None


def may_conflict(candidate: Candidate, first: Access, second: Access) -> bool:
    """May two iterations of the candidate touch the same element? Raises isl.Error where that is too much to ask."""
    if first.subscripts is None or second.subscripts is None or len(first.subscripts) != len(second.subscripts):
        return True
    pairs = _Pairs()
    one, other = _place(pairs, candidate, first, 0), _place(pairs, candidate, second, 1)
    if one is None or other is None:
        return True
    pairs.constraints.append(f"{pairs.text(variable(one.counter))} != {pairs.text(variable(other.counter))}")
    for a, b in zip(one.subscripts, other.subscripts, strict=True):
        if a is None or b is None:
            continue  # whatever it is: they may be equal
        equations = where_equal(a, b, pairs)
        if equations is None or (len(equations) > 1 and pairs.may_wrap(a + -b)):
            return True
        pairs.constraints += equations
    return not pairs.is_empty()


@dataclass(slots=True)
class _FixedForms(Forms):
    """Forms in which what is built from `outer` counters and invariants alone is a number, whatever the operations.

    `wraps`: some arithmetic was of 64 bits without a sign, where values are equal if they are 2^64 apart.
    """

    outer: frozenset[t.Symbol] = frozenset()
    wraps: bool = False

    def of(self, node: t.Expr) -> Polynomial | None:
        self.wraps |= _may_wrap(node)
        found = Forms.of(self, node)
        if found is None and ty.is_integer(node.type) and self._is_fixed(node):
            names = tuple(part.symbol for part in walk(node) if isinstance(part, t.Name))
            return variable(Fixed(c_expr(node), names))
        return found

    def _is_fixed(self, node: t.Expr) -> bool:
        for part in walk(node):
            match part:
                case t.IntConst() | t.Binary() | t.Unary(op="+" | "-" | "~") | t.Cast() | t.Sizeof():
                    pass
                case t.Name(symbol=symbol) if symbol in self.outer or symbol in self.invariant:
                    pass
                case _:
                    return False
        return True


def _may_wrap(node: t.Expr) -> bool:
    if not isinstance(node.type, ty.Int) or node.type.signed or node.type.size < 8 or constant_value(node) is not None:
        return False
    match node:
        case t.Cast(operand=t.Expr(type=ty.Int(signed=signed))):
            return signed
        case _:
            return isinstance(node, (t.Binary, t.Unary, t.Cast))


@dataclass(slots=True)
class _Pairs:
    """Two iterations at a time, as a set of isl's: `counters` are its dimensions, and products of what is the same in
    both its parameters.
    """

    counters: dict[Factor, str] = field(default_factory=dict)
    parameters: dict[Monomial, str] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    ranges: dict[Factor, Range] = field(default_factory=dict)
    wraps: bool = False

    def is_counter(self, factor: Factor) -> bool:
        return factor in self.counters

    def text(self, polynomial: Polynomial) -> str | None:
        terms = []
        for factors, coefficient in polynomial.terms:
            name = self._name(factors)
            if name is None:
                return None
            terms.append(f"{coefficient}" if not factors else f"{coefficient}*{name}")
        return f"({' + '.join(terms) or '0'})"

    def _name(self, factors: Monomial) -> str | None:
        if len(factors) == 1 and factors[0] in self.counters:
            return self.counters[factors[0]]
        if any(isinstance(factor, Turn) for factor in factors):
            return None
        return self.parameters.setdefault(factors, f"p{len(self.parameters)}") if factors else ""

    def is_empty(self, *constraints: str) -> bool:
        names, parameters = ", ".join(self.counters.values()), ", ".join(self.parameters.values())
        text = " and ".join([*self.constraints, *constraints])
        return bool(read_set(isl.Context(), f"[{parameters}] -> {{ [{names}] : {text} }}").is_empty())

    def enter(self, loop: CanonicalLoop, counter: Factor, lower: Polynomial | None, upper: Polynomial | None) -> None:
        """Add the iterations of a loop; what is not affine is no constraint."""
        name = self.counters.setdefault(counter, f"i{len(self.counters)}")
        first = None if lower is None else self.text(lower)
        last = None if upper is None else self.text(upper)
        relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
        if first is not None:
            self.constraints.append(f"{name} {'<=' if loop.down else '>='} {first}")
        if last is not None:
            self.constraints.append(f"{name} {relation} {last}")
        if first is not None and loop.constant_step != 1:
            self.constraints.append(
                f"(exists e: {name} = {first} {'-' if loop.down else '+'} {loop.constant_step} * e)"
            )

    def may_wrap(self, difference: Polynomial) -> bool:
        """Can places be equal though the difference of their polynomials is not 0?"""
        if not self.wraps:
            return False
        terms = (
            abs(coefficient) * math.prod(max(map(abs, self._range(factor))) for factor in factors)
            for factors, coefficient in difference.terms
        )
        return sum(terms) >= 1 << 64

    def _range(self, factor: Factor) -> Range:
        kind = factor.type if isinstance(factor, t.Symbol) else ty.ULONG
        return self.ranges.get(factor, range_of_type(kind))


@dataclass(frozen=True, slots=True)
class _Place:
    counter: Factor
    subscripts: list[Polynomial | None]
    """None: the subscript is no polynomial."""


def _place(pairs: _Pairs, candidate: Candidate, access: Access, copy: int) -> _Place | None:
    """The access in an iteration of its own, which `pairs` then knows; None: nothing is known of its place."""
    own = candidate.around(access)
    around = {loop.statement for loop in (*candidate.outer, own)}
    inner = [node for node in access.context if isinstance(node, t.For) and node not in around]
    outer = frozenset(loop.var for loop in candidate.outer)
    if any(node not in candidate.inner for node in inner) or own.constant_step is None:
        return None
    turning = [own, *candidate.within, *(candidate.inner[node] for node in inner)]
    if any(loop.var in outer or loop.var.address_taken for loop in turning):
        return None
    forms = _FixedForms(candidate.known.invariant, candidate.known.definitions, outer=outer)
    for loop in candidate.outer:
        _enter(pairs, forms, loop, {})
    turns: dict[t.Symbol, Factor] = {}
    for loop in turning:
        turns[loop.var] = Turn(loop.var, copy)
        _enter(pairs, forms, loop, turns)
    places = [forms.of(subscript) for subscript in access.subscripts or ()]
    pairs.wraps |= forms.wraps
    return _Place(turns[own.var], [None if place is None else _turned(place, turns) for place in places])


def _enter(pairs: _Pairs, forms: _FixedForms, loop: CanonicalLoop, turns: Mapping[t.Symbol, Factor]) -> None:
    counter = turns.get(loop.var, loop.var)
    lower, upper = forms.converted(loop.lower, loop.var), forms.of(loop.upper)
    odd = forms.wraps or loop.relation == "!="
    if loop.constant_step is None or (odd and any(isinstance(node, _EXITS) for node in walk(loop.body))):
        lower = upper = None  # it may pass by its end: nobody waits for 2^63 iterations of another one
    forms.ranges[loop.var] = pairs.ranges[counter] = counter_range(loop, forms.ranges)
    forms.counters[loop.var] = loop.statement
    known = [None if bound is None else _turned(bound, turns) for bound in (lower, upper)]
    pairs.enter(loop, counter, *known)


def _turned(polynomial: Polynomial, turns: Mapping[t.Symbol, Factor]) -> Polynomial:
    for symbol, turn in turns.items():
        polynomial = polynomial.with_value(symbol, variable(turn))
    return polynomial
