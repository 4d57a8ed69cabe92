"""Plan: how what the entries of a row come to is combined: in the program's order, or by the row's lanes.

    for (k = row[i]; k < row[i + 1]; k++)       each lane has a sum of its own, of every 2nd, 4th, ... 32nd entry;
        sum += val[k] * x[col[k]];              a tree adds those up

A sum of n terms has a rounding error of at most (n - 1) u sum |term| in the program's order, and in any other: in a
chain are n / lanes + log2 lanes roundings instead of n. So, as products and sums are contracted by default, sums of
floating-point numbers are formed by lanes by default; but not where their values feed a comparison, an integer or a
subscript, since there a last bit becomes another integer (floats/contraction_safety.py), and not with --fp strict. A
variable that the loop uses otherwise keeps its order, too: Kahan's sums do. Integers wrap, so that their sums,
products, bits, least and greatest ones are the same in any order. Floating-point products could leave the range in
another order, and least and greatest ones may meet what is not a number: they keep their order. So do products of
signed integers, which a factor 0 may keep from overflowing.

    In: Facts, a loop, its carried variables, --fp.   Out: ByLanes, or why the order is kept.
    Not here: whether any lane may execute an entry -- lane_work.py; how many lanes a row gets -- ompc_lanes.h.
    Source: Higham, "The accuracy of floating point summation" (1993).
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.accumulation import accumulations
from ompc.base.options import FloatingPoint
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import names_in
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.lane_results import ByLanes, Partial

_OF_INTEGERS = {"+": "Sum", "*": "Product", "&": "BitAnd", "|": "BitOr", "^": "BitXor", "min": "Min", "max": "Max"}
_OF_REALS = {"+": "Sum"}
"""The runtime's operators whose results do not depend on the order, or not more than the program's own."""


def by_lanes(facts: Facts, loop: CanonicalLoop, carried: Collection[t.Symbol], fp: FloatingPoint) -> ByLanes | str:
    """The variables of which each lane has a part; or why the entries are combined in their order."""
    partials: list[Partial] = []
    for symbol in sorted(carried, key=lambda symbol: symbol.position):
        named = set(names_in(loop.body).get(symbol, ()))
        operator = _operator(facts, loop, symbol, named)
        if operator is None:
            return f"'{symbol.name}' is not just a sum"
        if isinstance(symbol.type, ty.Float) and symbol not in facts.loop.unordered_sums:
            if fp is FloatingPoint.STRICT:
                return f"'{symbol.name}' is a sum of floating-point numbers (--fp strict)"
            if fp is FloatingPoint.DEFAULT and not named.isdisjoint(facts.contraction_safety.deciding):
                return f"a last bit of '{symbol.name}' decides"
        partials.append(Partial(symbol, operator))
    return ByLanes(tuple(partials))


def _operator(facts: Facts, loop: CanonicalLoop, symbol: t.Symbol, named: Collection[t.Expr]) -> str | None:
    """The one by which all that the loop does with the variable accumulates into it."""
    kind = ty.unqualified(symbol.type)
    if kind in (ty.FLOAT, ty.DOUBLE):
        operators = _OF_REALS
    elif isinstance(kind, ty.Int) and kind != ty.BOOL:
        operators = {op: operator for op, operator in _OF_INTEGERS.items() if op != "*" or not kind.signed}
    else:
        return None
    for op, operator in operators.items():
        if named and set(accumulations(loop.body, symbol, op, facts.device_code)) == named:
            return operator
    return None
