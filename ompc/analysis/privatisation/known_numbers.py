"""Analysis: integers that are known at one place of straight-line code, as polynomials.

    i = n - 3;  x = t[i - 2];       the subscript is n - 5
    t[sizes[0] - 1]                 where nothing changes `sizes`, sizes[0] is some number
    nx = n - 2;  in main;  t[nx]    the subscript is n - 2, where the program only reads both from there on (settled.py)

    In: what is steady (concurrent_context.py), the assignments in the order of execution.   Out: Numbers.of(...) at a
    Point.
    Not here: the order -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from ompc.analysis.integers.domain_forms import Bounds, DomainForms
from ompc.analysis.integers.polynomials import Factor, Fixed, Polynomial, converted, variable
from ompc.analysis.privatisation.concurrent_context import ConcurrentContext
from ompc.analysis.privatisation.settled import Place, key_of
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.show import c_expr
from ompc.omp.model import CanonicalLoop


@dataclass(slots=True)
class Point:
    """What is known at a place of the code.

    `sure`     the elements that are written by then, over the variables of the loops around the place
    `values`   integer variables that the code changes; None: some value
    """

    sure: isl.Set
    values: dict[t.Symbol, Polynomial | None]

    def copy(self) -> Point:
        return Point(self.sure, dict(self.values))

    def forget(self, changed: frozenset[t.Symbol]) -> None:
        self.values.update(dict.fromkeys(changed))

    def join(self, others: Sequence[Point]) -> None:
        """Take over the values of `others`, which all began here: one of them may have changed a variable."""
        for symbol in {s for other in others for s in other.values}:
            found = {other.values.get(symbol) for other in others} | {self.values.get(symbol)}
            self.values[symbol] = found.pop() if len(found) == 1 else None


@dataclass(slots=True)
class Numbers(DomainForms):
    """Forms that also know the values that variables have at a `point`, and elements that nothing changes."""

    around: ConcurrentContext | None = None
    point: Point | None = None
    elements: dict[Factor, Place] = field(default_factory=dict)

    def of(self, node: t.Expr) -> Polynomial | None:
        assert self.around is not None
        if isinstance(node, t.Name) and (value := self.around.settled.values.get(node.symbol)) is not None:
            stands_for = self.of(value)
            if stands_for is not None:
                return stands_for
        if isinstance(node, t.Index) and ty.is_integer(node.type) and self.around.is_interference_free_element(node):
            assert isinstance(node.base, t.Name)
            symbol = node.base.symbol
            element = Fixed(c_expr(node), (symbol,))
            if symbol in self.around.settled.symbols:
                self.elements[element] = Place(key_of(symbol), constant_value(node.index))
            return variable(element)
        return DomainForms.of(self, node)

    def assigned(self, symbol: t.Symbol, value: t.Expr) -> Polynomial | None:
        """What `symbol` is after the assignment of `value`."""
        found = self.of(converted(value, symbol))
        if found != self.exactly(converted(value, symbol)):
            self.inexact.add(symbol)
        return found

    def enter(self, loop: CanonicalLoop) -> Bounds:
        self.wraps = False  # what does matters for each loop by itself
        return DomainForms.enter(self, loop)

    def leave(self, loop: CanonicalLoop) -> None:
        self.counters.pop(loop.var)
        self.ranges.pop(loop.var, None)
        self.inexact.discard(loop.var)

    def place(self, factor: Factor) -> Place | None:
        """Where the launcher finds what code of another function found there."""
        assert self.around is not None
        if isinstance(factor, t.Symbol):
            return Place(key_of(factor)) if factor in self.around.settled.symbols else None
        return self.elements.get(factor)

    def _name(self, symbol: t.Symbol) -> Polynomial | None:
        assert self.point is not None
        if symbol in self.counters or symbol not in self.point.values:
            return DomainForms._name(self, symbol)
        return None if self.exact and symbol in self.inexact else self.point.values[symbol]
