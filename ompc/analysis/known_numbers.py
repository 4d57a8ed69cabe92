"""Analysis: integers that are known at one place of straight-line code, as affine texts.

i = n - 3;  x = t[i - 2];       the subscript is n - 5
t[sizes[0] - 1]                 where nothing changes `sizes`, sizes[0] is some number

In: what is steady (surroundings.py), the assignments in the order of execution.   Out: Numbers.affine(...) at a Point.
Not here: the order -- overwritten.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from ompc.analysis.affine import Nest
from ompc.analysis.iteration import IterationNest
from ompc.analysis.surroundings import Around
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.show import c_expr


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

    around: Around | None = None
    point: Point | None = None

    def affine(self, node: t.Expr) -> str | None:
        assert self.around is not None
        if isinstance(node, t.Index) and ty.is_integer(node.type) and self.around.is_steady_element(node):
            assert isinstance(node.base, t.Name)
            return self.opaque.setdefault(f"{node.base.symbol.position} {c_expr(node)}", f"q{len(self.opaque)}")
        return Nest.affine(self, node)

    def _name(self, symbol: t.Symbol) -> str | None:
        assert self.point is not None
        if symbol not in self.counters and symbol in self.point.values:
            return self.point.values[symbol]
        return Nest._name(self, symbol)
