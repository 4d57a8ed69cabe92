"""Analysis: polynomials, loops and conditions as constraints of isl's on the iterations of a nest.

    for (i = 0; i < n; i++) if (i % 2 == 0) ... y[i * m]
        0 <= i0, i0 < p0, i0 - 2 * i1 = 0, 0 <= i0 - 2 * i1 < 2         the subscript i0 * m is not affine

Counters, and quotients of them, are dimensions (i0, i1, ...); products of what does not turn are parameters (p0, ...).

    In: the polynomials of domain_forms.py.   Out: texts for integer_sets.py.
    Not here: which iterations are compared -- dependence/dependence.py; which elements -- memory/extents.py.
"""

from __future__ import annotations

from ompc.analysis.integers.affine import iterations
from ompc.analysis.integers.domain_forms import Comparison, Condition
from ompc.analysis.integers.polynomials import CounterCopy, Factor, LoopBounds, Monomial, Polynomial, Quotient
from ompc.analysis.integers.ranges import Range, range_of_type
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty


@dataclass(slots=True)
class Constraints:
    """`ranges`: of counters, and of some parameters; the names of factors and products; the `constraints` so far."""

    ranges: dict[Factor, Range] = field(default_factory=dict)
    counters: dict[Factor, str] = field(default_factory=dict)
    parameters: dict[Monomial, str] = field(default_factory=dict)
    constraints: dict[str, None] = field(default_factory=dict)

    def add(self, *constraints: str) -> None:
        self.constraints.update(dict.fromkeys(constraints))

    def enter(self, bounds: LoopBounds) -> None:
        """Add the iterations of a loop; what is not affine is no constraint."""
        name = self.counters.setdefault(bounds.counter, f"i{len(self.counters)}")
        self.ranges[bounds.counter] = bounds.range
        lower = None if bounds.lower is None else self.text(bounds.lower)
        upper = None if bounds.upper is None else self.text(bounds.upper)
        self.add(*iterations(bounds.loop, name, lower, upper))

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
        if not known or (condition.word == "or" and len(known) < len(found)):
            return None
        return f"({f' {condition.word} '.join(known)})"

    # ------------------------------------------------------------------- names

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
        if not factors or factors in self.parameters:
            return self.parameters[factors] if factors else ""
        quotient = factors[0] if len(factors) == 1 and isinstance(factors[0], Quotient) else None
        name: str | None = None
        if not any(map(is_copy, factors)):
            name = self.parameter(factors)
        elif quotient is not None:
            name = self.counters[quotient] = f"i{len(self.counters)}"
        if quotient is not None and name is not None:
            self._divide(quotient, name)
        return name

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


def is_copy(factor: Factor) -> bool:
    """Is it another number in each of the two iterations?"""
    if isinstance(factor, Quotient):
        return any(map(is_copy, factor.numerator.factors))
    return isinstance(factor, CounterCopy)
