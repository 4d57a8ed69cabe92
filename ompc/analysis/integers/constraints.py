"""Analysis: polynomials, loops and conditions as constraints of isl's on the iterations of a nest.

    for (i = 0; i < n; i++) if (i % 2 == 0) ... y[i * m]
        0 <= i0, i0 < p0, i0 - 2 * i1 = 0, 0 <= i0 - 2 * i1 < 2         the subscript i0 * m is not affine

Counters, and quotients of them, are dimensions (i0, i1, ...); products of what does not turn are parameters (p0, ...).

    In: the polynomials of domain_forms.py.   Out: texts for integer_sets.py.
    Not here: which iterations are compared -- dependence/dependence.py, races.py; which elements -- memory/extents.py,
    privatisation/element_sets.py.
    Source: Feautrier, "Dataflow analysis of array and scalar references", IJPP 1991.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.analysis.integers.domain_forms import Bounds, Comparison, Condition, Junction
from ompc.analysis.integers.integer_sets import Piece
from ompc.analysis.integers.polynomials import CounterCopy, Factor, Fixed, Monomial, Polynomial, Quotient
from ompc.analysis.integers.ranges import Range, is_endless, is_widest, range_of_type
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.omp.model import CanonicalLoop


@dataclass(slots=True)
class Constraints:
    """`ranges`: of counters, and of some parameters; the names of factors and products; the `constraints` so far."""

    ranges: dict[Factor, Range] = field(default_factory=dict)
    counters: dict[Factor, str] = field(default_factory=dict)
    parameters: dict[Monomial, str] = field(default_factory=dict)
    constraints: dict[str, None] = field(default_factory=dict)

    def add(self, *constraints: str) -> None:
        self.constraints.update(dict.fromkeys(constraints))

    def enter(self, bounds: Bounds) -> None:
        """Add the iterations of a loop; what is not affine is no constraint."""
        name = self.counters.setdefault(bounds.counter, f"i{len(self.counters)}")
        self.ranges[bounds.counter] = bounds.range
        lower, first = self._end(bounds.lower, bounds.first)
        upper, last = self._end(bounds.upper, bounds.last)
        self.add(*iterations(bounds.loop, name, lower, upper), *(held for held in (first, last) if held is not None))

    def _end(self, end: Polynomial | None, held: Condition | None) -> tuple[str | None, str | None]:
        """A bound as a number, or what it says of the counter."""
        condition = None if held is None else self._condition(held)
        return (None if condition is not None or end is None else self.text(end)), condition

    def hold(self, condition: Condition) -> None:
        """Add a condition, as far as it is affine."""
        text = self._condition(condition)
        if text is not None:
            self.add(text)

    def _condition(self, condition: Condition) -> str | None:
        if isinstance(condition, Comparison):
            text = None if condition.difference is None else self.text(condition.difference)
            return None if text is None else f"{text} {condition.relation} 0"
        found = [self._condition(part) for part in condition.parts]
        known = [text for text in found if text is not None]
        if not known or (len(known) < len(found) and not self._may_leave_out(condition)):
            return None
        return f"({f' {condition.word} '.join(known)})"

    def _may_leave_out(self, condition: Junction) -> bool:
        """A part of it that is not affine?"""
        return condition.word == "and"

    # ------------------------------------------------------------------- names

    def text(self, polynomial: Polynomial) -> str | None:
        terms = []
        for factors, coefficient in polynomial.terms:
            name = self._name(factors)
            if name is None:
                return None
            terms.append(f"{coefficient}" if not factors else name if coefficient == 1 else f"{coefficient}*{name}")
        return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0] if terms else "0"

    def _name(self, factors: Monomial) -> str | None:
        if len(factors) == 1 and factors[0] in self.counters:
            return self.counters[factors[0]]
        if not factors or factors in self.parameters:
            return self.parameters[factors] if factors else ""
        quotient = factors[0] if len(factors) == 1 and isinstance(factors[0], Quotient) else None
        name: str | None = None
        if not any(map(self._turns, factors)):
            name = self.parameter(factors)
        elif quotient is not None and self._is_dimension(quotient):
            name = self.counters[quotient] = f"i{len(self.counters)}"
        if quotient is not None and name is not None:
            self._divide(quotient, name)
        return name

    def _turns(self, factor: Factor) -> bool:
        """Is it another number in other iterations?"""
        return is_copy(factor)

    def _is_dimension(self, quotient: Quotient) -> bool:
        """May a quotient that turns have a name?"""
        return True

    def parameter(self, factors: Monomial) -> str | None:
        """A name for a product that does not turn; None: it may have none."""
        name = self.parameters[factors] = f"p{len(self.parameters)}"
        return name

    def _divide(self, quotient: Quotient, name: str) -> None:
        """`name` is the quotient. One that is rounded towards 0 is less than 1 away on one side, here on both."""
        numerator = self.text(quotient.numerator)
        if numerator is not None:
            rest, by = f"{numerator} - {quotient.divisor}*{name}", quotient.divisor
            self.add(f"{0 if quotient.floored else 1 - by} <= {rest} < {by}")

    def range(self, factor: Factor) -> Range:
        kind = factor.type if isinstance(factor, t.Symbol) else ty.ULONG
        return self.ranges.get(factor, range_of_type(kind))


@dataclass(slots=True)
class Points(Constraints):
    """Neither points too many nor too few: what cannot be said exactly is not said, and the answer is False or None."""

    def copy(self) -> Points:
        """For more of them, with the same parameters."""
        return Points(dict(self.ranges), dict(self.counters), self.parameters, dict(self.constraints))

    def has_entered(self, bounds: Bounds) -> bool:
        """Add the iterations of a loop, unless its bounds are not affine, or only a jump may end it."""
        if bounds.loop.constant_step is None or is_endless(bounds.loop) or not self._are_known(bounds):
            return False
        self.enter(bounds)
        return True

    def _are_known(self, bounds: Bounds) -> bool:
        if bounds.first is bounds.last is None:
            return None not in [None if end is None else self.text(end) for end in (bounds.lower, bounds.upper)]
        before = dict(self.counters), dict(self.constraints)
        self.counters.setdefault(bounds.counter, f"i{len(self.counters)}")  # which the conditions are about
        first, last = self._end(bounds.lower, bounds.first), self._end(bounds.upper, bounds.last)
        self.counters, self.constraints = before
        return (None, None) not in (first, last) and (bounds.loop.constant_step == 1 or first[0] is not None)

    def has_held(self, condition: Condition | None) -> bool:
        """Add a condition, unless a part of it is not affine."""
        text = None if condition is None else self._condition(condition)
        if text is not None:
            self.add(text)
        return text is not None

    def piece(self, dimensions: tuple[str, ...] | None, *constraints: str) -> Piece:
        """Those points of which some counters and quotients, and more, are the dimensions."""
        inner = tuple(name for name in self.counters.values() if name not in (dimensions or ()))
        return Piece(dimensions, (*self.constraints, *constraints), inner)

    def _may_leave_out(self, condition: Junction) -> bool:
        return False

    def _turns(self, factor: Factor) -> bool:
        match factor:
            case Quotient(numerator=numerator):
                return any(map(self._turns, numerator.factors))
            case Fixed(symbols=symbols):
                return any(symbol in self.counters for symbol in symbols)
            case _:
                return factor in self.counters or is_copy(factor)

    def _is_dimension(self, quotient: Quotient) -> bool:
        return quotient.floored and self.text(quotient.numerator) is not None

    def _divide(self, quotient: Quotient, name: str) -> None:
        """Of a parameter nothing is said, or it would be said at some places of the code alone."""
        if quotient in self.counters:
            Constraints._divide(self, quotient, name)


def iterations(loop: CanonicalLoop, counter: str, lower: str | None, upper: str | None) -> Iterator[str]:
    """Constraints on the counter of a loop with these bounds; what is not known is none."""
    relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
    if lower is not None:
        yield f"{counter} <= {lower}" if loop.down else f"{lower} <= {counter}"
    if upper is not None:
        yield f"{counter} {relation} {upper}"
    if lower is not None and loop.constant_step != 1:
        yield f"(exists e: {counter} = {lower} {'-' if loop.down else '+'} {loop.constant_step} * e)"
    if lower is not None and upper is not None:
        yield from _where_it_starts(loop, lower, upper)


def _where_it_starts(loop: CanonicalLoop, lower: str, upper: str) -> Iterator[str]:
    """A number of 64 bits that would be negative with a sign is beyond all others: no iterations begin there.

    As in `for (size_t k = n - 2; k < n; k++)` with n = 1, which turns nowhere.
    """
    least, greatest = (upper, lower) if loop.down else (lower, upper)
    known = constant_value(loop.upper if loop.down else loop.lower)
    if is_widest(loop.var.type) and loop.relation != "!=" and not (known is not None and 0 <= known < 1 << 63):
        yield f"({least} >= 0 or {greatest} < 0)"


def is_copy(factor: Factor) -> bool:
    """Is it another number in each of the two iterations?"""
    if isinstance(factor, Quotient):
        return any(map(is_copy, factor.numerator.factors))
    return isinstance(factor, CounterCopy)
