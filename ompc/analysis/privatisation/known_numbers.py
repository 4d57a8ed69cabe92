"""Analysis: integers that are known at one place of straight-line code, as affine texts.

i = n - 3;  x = t[i - 2];       the subscript is n - 5
t[sizes[0] - 1]                 where nothing changes `sizes`, sizes[0] is some number
nx = n - 2;  in main;  t[nx]    the subscript is n - 2, where the program only reads both from there on (settled.py)

In: what is steady (concurrent_context.py), the assignments in the order of execution.   Out: Numbers.affine(...) at a
Point.
Not here: the order -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import islpy as isl

from ompc.analysis.integers.affine import Nest
from ompc.analysis.integers.iteration import IterationNest
from ompc.analysis.privatisation.concurrent_context import ConcurrentContext
from ompc.analysis.privatisation.settled import Place, key_of
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.show import c_expr


@dataclass(slots=True)
class Point:
    """What is known at a place of the code.

    `sure`     the elements that are written by then, over the variables of the loops around the place
    `values`   integer variables that the code changes, as affine texts; None: some value
    """

    sure: isl.Set
    values: dict[t.Symbol, str | None]

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
class Numbers(IterationNest):
    """A nest that also knows the values that variables have at a `point`, and elements that nothing changes."""

    around: ConcurrentContext | None = None
    point: Point | None = None
    elements: dict[str, Place] = field(default_factory=dict)

    def affine(self, node: t.Expr) -> str | None:
        assert self.around is not None
        if isinstance(node, t.Name) and (value := self.around.settled.values.get(node.symbol)) is not None:
            stands_for = self.affine(value)
            if stands_for is not None:
                return stands_for
        if isinstance(node, t.Index) and ty.is_integer(node.type) and self.around.is_interference_free_element(node):
            assert isinstance(node.base, t.Name)
            symbol = node.base.symbol
            name = self.opaque.setdefault(f"{symbol.position} {c_expr(node)}", f"q{len(self.opaque)}")
            if symbol in self.around.settled.symbols:
                self.elements[name] = Place(key_of(symbol), constant_value(node.index))
            return name
        return Nest.affine(self, node)

    def settled_places(self) -> dict[str, Place]:
        """What the launcher finds where code of another function found it: by the names of the numbers in texts."""
        assert self.around is not None
        settled = self.around.settled.symbols
        return {n: Place(key_of(s)) for s, n in self.parameters.items() if s in settled} | self.elements

    def _name(self, symbol: t.Symbol) -> str | None:
        assert self.point is not None
        if symbol not in self.counters and symbol in self.point.values:
            return self.point.values[symbol]
        return Nest._name(self, symbol)
