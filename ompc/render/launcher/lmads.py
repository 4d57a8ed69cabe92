"""LMADs in launchers: the must-write regions of an array, and the footprint of its first iterations.

.overwrites(ompc::must_write<double>(0).each(trips_i, columns).each(columns, 1))
.slides(ompc::footprint<double>(0).each(columns, 1), columns)

In: the parts of a Variable, the names of the trip counts.   Out: the arguments of calls behind the array's declaration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.analysis.integers.polynomials import Factor, Length, Polynomial
from ompc.analysis.memory.iteration_footprints import IterationFootprint
from ompc.analysis.memory.lmad import Lmad, LmadDimension
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.variable import Variable
from ompc.render.code.types import TypePrinter
from ompc.render.launcher.widening import narrow_names, with_few_casts


def overwritten(v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, Name]) -> Iterator[str]:
    """The argument of the call for each part; `trips` are those of the grid's loops, by their variables."""
    for part in v.overwrites:
        text, _ = _lmad("must_write", part, (), v, types, trips)
        yield text


def touched(
    parts: Sequence[IterationFootprint], v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, Name]
) -> Iterator[list[str]]:
    """The arguments of the call for each part: where it is in the first iteration, and how far it moves in each."""
    for part in parts:
        text, size = _lmad("footprint", part.lmad, (part.stride,), v, types, trips)
        yield [text, _text(part.stride, v, size)]


def footprint_lmads(
    lmads: Sequence[Lmad], v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, Name]
) -> Iterator[str]:
    """What the launch may touch."""
    yield from (_lmad("footprint", lmad, (), v, types, trips)[0] for lmad in lmads)


def _lmad(
    name: str,
    lmad: Lmad,
    others: Sequence[Polynomial],
    v: Variable,
    types: TypePrinter,
    trips: Mapping[t.Symbol, Name],
) -> tuple[str, int]:
    """The call of `name`, and the bytes of the unit that it counts in, of which `others` are multiples, too."""
    kind = ty.unqualified(lmad.node.type)
    size = ty.size_of(kind) or 1
    distances = [lmad.first, *others, *(dimension.stride for dimension in lmad.dimensions)]
    if lmad.bytes % size or any(coefficient % size for p in distances for _, coefficient in p.terms):
        kind, size = ty.UCHAR, 1
    count = f", {lmad.bytes // size}" if lmad.bytes != size else ""
    calls = "".join(
        f".each({_count(dimension, v, trips)}, {_text(dimension.stride, v, size)})" for dimension in lmad.dimensions
    )
    return f"ompc::{name}<{types.declare(kind)}>({_text(lmad.first, v, size)}{count}){calls}", size


def _count(dimension: LmadDimension, v: Variable, trips: Mapping[t.Symbol, Name]) -> str:
    if dimension.count is None:
        return str(trips[dimension.loop.var])
    text = _wide_text(dimension.count, v, 1)
    text = text if dimension.step == 1 else f"({text} + {dimension.step - 1}) / {dimension.step}"
    return with_few_casts(text, _narrow(dimension.count))


def _text(p: Polynomial, v: Variable, unit: int) -> str:
    """The polynomial divided by `unit`, computed in 64 bits."""
    return with_few_casts(_wide_text(p, v, unit), _narrow(p))


def _narrow(p: Polynomial) -> frozenset[str]:
    symbols = (factor for factors, _ in p.terms for factor in factors if isinstance(factor, t.Symbol))
    return frozenset(map(spelled, narrow_names(symbols)))


def _wide_text(p: Polynomial, v: Variable, unit: int) -> str:
    """With a cast for each variable that is no `long`."""
    text = ""
    for factors, coefficient in sorted(p.terms, key=lambda term: (not term[0], term[1] < 0)):
        value = abs(coefficient) // unit
        words = [str(value)] * (value != 1 or not factors) + [_factor(factor, v) for factor in factors]
        sign = (" - " if coefficient < 0 else " + ") if text else "-" * (coefficient < 0)
        text += sign + " * ".join(words)
    return text or "0"


def _factor(factor: Factor, v: Variable) -> str:
    if isinstance(factor, Length):
        return str(v.dimensions[factor.dimension])
    assert isinstance(factor, t.Symbol)
    name = spelled(factor.name)
    return name if ty.unqualified(factor.type) == ty.LONG else f"(long long){name}"
