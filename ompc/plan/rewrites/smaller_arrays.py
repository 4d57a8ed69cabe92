"""Rewrite: a thread's own array without the dimension that it does not need (array contraction).

    double w[N], t[N][5];   w[j] = t[j][0]   ->   double w, t[5];   w = t[0]

    In: code, the array, the loops that will be one.   Out: Contraction, or None.
    Not here: which dimension that is -- analysis/interchange/array_contraction.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.interchange.array_contraction import spare_dimension, subscripts_of
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """`symbol` is what the array becomes without the dimension `dropped`, counted from the outermost."""

    symbol: t.Symbol
    dropped: int

    @property
    def declaration(self) -> t.VarDecl:
        return t.VarDecl(self.symbol, None, self.symbol.loc)

    def element(self, node: t.Index) -> t.Expr:
        """What the element `node` of the array becomes."""
        found = subscripts_of(node)
        assert found is not None
        name, subscripts = found
        kept = [place for number, place in enumerate(subscripts) if number != self.dropped]
        element: t.Expr = t.Name(self.symbol.type, name.loc, self.symbol)
        for subscript in kept:
            assert isinstance(element.type, ty.Array)
            element = t.Index(element.type.of, node.loc, element, subscript)
        return element


def contraction(code: t.Stmt, symbol: t.Symbol, loops: Sequence[CanonicalLoop]) -> Contraction | None:
    """How `symbol` can lose a dimension when `loops`, which stand in `code`, have become one; None: it cannot."""
    dropped = spare_dimension(code, symbol, loops)
    if dropped is None:
        return None
    kind = _without(symbol.type, dropped)
    own = replace(symbol, type=kind, storage=t.Storage.AUTO, threadprivate=False, address_taken=False, written=None)
    return Contraction(own, dropped)


def _without(kind: ty.Type, number: int) -> ty.Type:
    assert isinstance(kind, ty.Array)
    return kind.of if number == 0 else replace(kind, of=_without(kind.of, number - 1))
