"""Analysis: two iterations of a loop at a time, with what is the same in both for parameters.

    for i: for j < m: a[i][j]       { (i, j, i', j') : 0 <= j < m and 0 <= j' < m and ... }      m is p0

    In: bounds, conditions and subscripts of both (access_relation.py).   Out: whether there are such pairs, and how far
    apart.
    Not here: which accesses are compared -- dependence.py.
"""

from __future__ import annotations

import math

from ompc.analysis.integers.constraints import Constraints, is_copy
from ompc.analysis.integers.domain_forms import Bounds
from ompc.analysis.integers.integer_sets import Piece, greatest, is_empty, only_value
from ompc.analysis.integers.polynomials import Factor, Monomial, Polynomial
from ompc.base.frozen import dataclass
from ompc.ir import tree as t


@dataclass(frozen=True, slots=True)
class Dependence:
    """Of two accesses, in one iteration of the loops around a loop.

    `directions`  the iteration of the first may come before (`<`) the other's, be the same (`=`), come after (`>`)
    `distance`    by how many iterations the first comes before the other, where it is always as many
    """

    directions: frozenset[str]
    distance: int | None = None


def _is_plain(number: Polynomial) -> bool:
    """Is it a constant or a variable, which cannot have wrapped round?"""
    return number.constant is not None or (len(number.terms) == 1 and number.degree == 1 == number.leading[1])


@dataclass(slots=True)
class Pairs(Constraints):
    """Two iterations at a time: their counters are the dimensions, and what is the same in both the parameters."""

    wraps: bool = False

    def enter(self, bounds: Bounds) -> None:
        Constraints.enter(self, bounds)
        lower, upper, step = bounds.lower, bounds.upper, bounds.loop.constant_step
        if self.wraps and step and lower is not None and upper is not None and _is_plain(lower) and _is_plain(upper):
            distance = self.text(lower + -upper if bounds.loop.down else upper + -lower)
            self.add(f"{distance} < {step << 63}")  # nobody waits for 2^63 iterations

    def is_counter(self, factor: Factor) -> bool:
        return factor in self.counters or is_copy(factor)

    def parameter(self, factors: Monomial) -> str | None:
        name, least = Constraints.parameter(self, factors), self.range(factors[0])[0]
        if len(factors) == 1 and isinstance(factors[0], t.Symbol) and (factors[0] in self.ranges or least == 0):
            self.add(f"{name} >= {least}")
        return name

    def is_empty(self, *constraints: str) -> bool:
        piece = Piece(tuple(self.counters.values()), (*self.constraints, *constraints))
        return is_empty(self.parameters.values(), piece)

    def greatest(self, text: str, *constraints: str) -> int | None:
        piece = Piece(("d",), (f"d = {text}", *self.constraints, *constraints), tuple(self.counters.values()))
        return greatest(self.parameters.values(), piece)

    def dependence(self, ahead: Polynomial, step: int) -> Dependence | None:
        """The signs of what the second of the two counters is `ahead` of the first, and how many steps that is."""
        text = self.text(ahead)
        if text is None:
            return None
        signs = {"<": f"{text} > 0", "=": f"{text} = 0", ">": f"{text} < 0"}
        directions = frozenset(direction for direction, sign in signs.items() if not self.is_empty(sign))
        if not directions:
            return Dependence(directions)
        piece = Piece(("d",), (f"d = {text}", *self.constraints), tuple(self.counters.values()))
        value = only_value(self.parameters.values(), piece)
        return Dependence(directions, None if value is None or value % step else value // step)

    def may_wrap(self, difference: Polynomial) -> bool:
        """Can places be equal though the difference of their polynomials is not 0?"""
        if not self.wraps:
            return False
        terms = (
            abs(coefficient) * math.prod(max(map(abs, self.range(factor))) for factor in factors)
            for factors, coefficient in difference.terms
        )
        return sum(terms) >= 1 << 64

    def where_wrapped(self, difference: Polynomial) -> list[str] | None:
        """Constraints on where the difference, of numbers of 64 bits, is a multiple of 2^64."""
        text = self.text(difference)
        if text is None:
            return None
        numbers = [factor for factor in difference.factors if factor in self.ranges or isinstance(factor, t.Symbol)]
        named = [(self._name((factor,)), self.range(factor)) for factor in numbers]
        within = [f"{least} <= {name} <= {greatest}" for name, (least, greatest) in named]
        return [*within, f"(exists w: {text} = {1 << 64} * w)"]
