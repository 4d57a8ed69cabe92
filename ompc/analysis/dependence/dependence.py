"""Analysis: are the iterations of a sequential loop inside a parallel loop independent of each other?

The user's directive says it of the annotated loop; for a loop inside it must be proved. Two accesses to one array, at
least one of them a write, conflict when some iteration of the outer loops and two different iterations of the inner
loop touch the same element. isl decides whether there is such a point:

    for j: uold[i][j] = u[i][j]            { j, j' : j != j', (i, j) = (i, j') } is empty: independent
    for k: c[i][j] += a[i][k] * b[k][j]    (i, j) = (i, j) for every k != k': a conflict

Within one outer iteration, what is built from outer counters and invariants alone is a fixed number, also where it is
not affine: `u[i * m + j]` is `p + j`. Of the others, linear subscripts are those of several dimensions where that is
proved: `u[j * m + k]` is `u[j][k]` (analysis/integers/delinearisation.py).

Atomic updates of one kind may be done in any order, so two of them are no conflict.

    In: Facts' parts (accesses, canonical loops, what is known of integers).
    Out: the first obstacle as a sentence, or None: independent.
    Not here: scalars (analysis/flow/definite_assignment.py); arrays that overlap, which the launcher refuses.
    Source: Feautrier's exact dependence test, by isl.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from ompc.analysis.integers.affine import is_empty
from ompc.analysis.integers.definitions import Known
from ompc.analysis.integers.delinearisation import where_equal
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.integers.polynomials import CounterCopy, Factor, Fixed, Forms, Monomial, Polynomial, variable
from ompc.analysis.integers.ranges import Range, counter_range, range_of_type
from ompc.analysis.memory.accesses import Access, by_object
from ompc.analysis.reductions.atomic_operations import AtomicOperations
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import ends_early
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sequential loop whose iterations may be independent.

    `loop`    the loop that is asked about
    `outer`   the loops around it, outermost first
    `inner`   the canonical sequential loops further in, by their statements
    `fused`   loops with the same iterations, which count as the same loop
    `within`  loops around every access inside `loop`, as those that a `collapse` clause names have
    """

    loop: CanonicalLoop
    outer: tuple[CanonicalLoop, ...]
    inner: Mapping[t.For, CanonicalLoop]
    known: Known
    fused: tuple[CanonicalLoop, ...] = ()
    within: tuple[CanonicalLoop, ...] = ()

    def around(self, access: Access) -> CanonicalLoop:
        """The candidate, or that of the loops fused with it which the access is in."""
        return next((twin for twin in self.fused if twin.statement in access.context), self.loop)


def obstacle(candidate: Candidate, accesses: Sequence[Access], atomic_operations: AtomicOperations) -> str | None:
    """Why iterations of the candidate may touch what another one writes; None: they are independent.

    `accesses` are those to objects outside the threads.
    """
    dependences = Dependences(candidate)
    try:
        for obj, found in by_object(accesses).items():
            for first, second in _pairs(found):
                if not atomic_operations.commute(first, second) and dependences.may_conflict(first, second):
                    return f"iterations may touch the same element of '{obj}'"
    except isl.Error:
        return "the dependence test is too large"
    return None


def _pairs(accesses: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """Those of which one writes, once: whether two accesses conflict does not depend on their order."""
    writes = [access for access in accesses if access.mode.writes]
    reads = [access for access in accesses if not access.mode.writes]
    for position, first in enumerate(writes):
        for second in (*writes[position:], *reads):
            yield first, second


@dataclass(slots=True)
class Dependences:
    """Questions about the iterations of one candidate: where an access is, and what was answered about two places."""

    candidate: Candidate
    _places: dict[tuple[Access, int], _Place | None] = field(default_factory=dict)
    _same: dict[_Place, _Place] = field(default_factory=dict)
    _answers: dict[tuple[int, int], bool] = field(default_factory=dict)

    def may_conflict(self, first: Access, second: Access) -> bool:
        """May two iterations touch the same element? Raises isl.Error where that is too much to ask."""
        if first.subscripts is None or second.subscripts is None or len(first.subscripts) != len(second.subscripts):
            return True
        one, other = self._place(first, 0), self._place(second, 1)
        if one is None or other is None:
            return True
        key = id(one), id(other)
        if key not in self._answers:
            self._answers[key] = not _are_apart(one, other) and _may_meet(one, other)
        return self._answers[key]

    def _place(self, access: Access, copy: int) -> _Place | None:
        """The access in an iteration of its own, as one object for all accesses to the same elements."""
        key = access, copy
        if key not in self._places:
            found = _place(self.candidate, access, copy)
            self._places[key] = None if found is None else self._same.setdefault(found, found)
        return self._places[key]


def _are_apart(one: _Place, other: _Place) -> bool:
    """Are they different elements, or the same one in the same iteration alone, by the look of a subscript?"""
    turn = variable(one.counter) + -variable(other.counter)
    for a, b in zip(one.subscripts, other.subscripts, strict=True):
        if a is not None and b is not None:
            difference = a + -b
            if difference.constant not in (None, 0):
                return True  # x[i][0] and x[i][1]
            if len(difference.terms) == 2 and difference in (turn, -turn):
                return True  # x[i][j] and x[i'][j']
    return False


def _may_meet(one: _Place, other: _Place) -> bool:
    pairs = _Pairs(wraps=one.wraps or other.wraps)
    for bounds in (*one.loops, *other.loops):
        pairs.enter(bounds)
    pairs.add(f"{pairs.text(variable(one.counter))} != {pairs.text(variable(other.counter))}")
    for a, b in zip(one.subscripts, other.subscripts, strict=True):
        if a is None or b is None:
            continue  # whatever it is: they may be equal
        equations = where_equal(a, b, pairs)
        if equations is None or (len(equations) > 1 and pairs.may_wrap(a + -b)):
            return True
        pairs.add(*equations)
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
        if found is None and ty.is_integer(node.type) and Invariance(self._is_fixed).holds(node):
            names = tuple(part.symbol for part in walk(node) if isinstance(part, t.Name))
            return variable(Fixed(c_expr(node), names))
        return found

    def _is_fixed(self, symbol: t.Symbol) -> bool:
        return symbol in self.outer or symbol in self.invariant


def _may_wrap(node: t.Expr) -> bool:
    if not isinstance(node.type, ty.Int) or node.type.signed or node.type.size < 8 or constant_value(node) is not None:
        return False
    match node:
        case t.Cast(operand=t.Expr(type=ty.Int(signed=signed))):
            return signed
        case _:
            return isinstance(node, (t.Binary, t.Unary, t.Cast))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The iterations of a loop: what is no polynomial is no bound."""

    loop: CanonicalLoop
    counter: Factor
    lower: Polynomial | None
    upper: Polynomial | None
    range: Range


@dataclass(frozen=True, slots=True)
class _Place:
    """An access in an iteration of its own; equal ones touch the same elements. `subscripts`: None is no polynomial."""

    counter: Factor
    loops: tuple[_Bounds, ...]
    subscripts: tuple[Polynomial | None, ...]
    wraps: bool


@dataclass(slots=True)
class _Pairs:
    """Two iterations at a time, as a set of isl's: `counters` are its dimensions, and products of what is the same in
    both its parameters.
    """

    wraps: bool
    counters: dict[Factor, str] = field(default_factory=dict)
    parameters: dict[Monomial, str] = field(default_factory=dict)
    constraints: dict[str, None] = field(default_factory=dict)
    ranges: dict[Factor, Range] = field(default_factory=dict)

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
        if any(isinstance(factor, CounterCopy) for factor in factors):
            return None
        return self.parameters.setdefault(factors, f"p{len(self.parameters)}") if factors else ""

    def add(self, *constraints: str) -> None:
        self.constraints.update(dict.fromkeys(constraints))

    def is_empty(self, *constraints: str) -> bool:
        names, parameters = ", ".join(self.counters.values()), ", ".join(self.parameters.values())
        text = " and ".join([*self.constraints, *constraints])
        return is_empty(f"[{parameters}] -> {{ [{names}] : {text} }}")

    def enter(self, bounds: _Bounds) -> None:
        """Add the iterations of a loop; what is not affine is no constraint."""
        loop = bounds.loop
        name = self.counters.setdefault(bounds.counter, f"i{len(self.counters)}")
        self.ranges[bounds.counter] = bounds.range
        first = None if bounds.lower is None else self.text(bounds.lower)
        last = None if bounds.upper is None else self.text(bounds.upper)
        relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
        if first is not None:
            self.add(f"{name} {'<=' if loop.down else '>='} {first}")
        if last is not None:
            self.add(f"{name} {relation} {last}")
        if first is not None and loop.constant_step != 1:
            self.add(f"(exists e: {name} = {first} {'-' if loop.down else '+'} {loop.constant_step} * e)")

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


def _place(candidate: Candidate, access: Access, copy: int) -> _Place | None:
    """The access in an iteration of its own; None: nothing is known of its place."""
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
    loops = [_bounds(forms, loop, {}) for loop in candidate.outer]
    copies: dict[t.Symbol, Factor] = {}
    for loop in turning:
        copies[loop.var] = CounterCopy(loop.var, copy)
        loops.append(_bounds(forms, loop, copies))
    subscripts = [forms.of(subscript) for subscript in access.subscripts or ()]
    places = tuple(None if form is None else _with_copies(form, copies) for form in subscripts)
    return _Place(copies[own.var], tuple(loops), places, forms.wraps)


def _bounds(forms: _FixedForms, loop: CanonicalLoop, copies: Mapping[t.Symbol, Factor]) -> _Bounds:
    lower, upper = forms.converted(loop.lower, loop.var), forms.of(loop.upper)
    odd = forms.wraps or loop.relation == "!="
    if loop.constant_step is None or (odd and ends_early(loop.body)):
        lower = upper = None  # it may pass by its end: nobody waits for 2^63 iterations of another one
    forms.ranges[loop.var] = found = counter_range(loop, forms.ranges)
    forms.counters[loop.var] = loop.statement
    known = [None if bound is None else _with_copies(bound, copies) for bound in (lower, upper)]
    return _Bounds(loop, copies.get(loop.var, loop.var), known[0], known[1], found)


def _with_copies(polynomial: Polynomial, copies: Mapping[t.Symbol, Factor]) -> Polynomial:
    return polynomial.with_factors(copies) if copies else polynomial
