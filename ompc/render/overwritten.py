"""What a launcher says of the parts of an array that its kernel surely overwrites, or that its first iterations touch.

.overwrites(ompc::written<double>(0).each(trips_i, (long long)columns).each((long long)columns, 1))
.slides(ompc::touched<double>(0).each((long long)columns, 1), (long long)columns)

In: the parts of a Variable, the names of the trip counts.   Out: the arguments of calls behind the array's declaration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.analysis.integers.polynomials import Factor, Length, Polynomial
from ompc.analysis.memory.lattice import Lattice, Turns
from ompc.analysis.memory.touched_parts import TouchedPart
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import Variable
from ompc.render.types import TypePrinter


def overwritten(v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, str]) -> Iterator[str]:
    """The argument of the call for each part; `trips` are those of the grid's loops, by their variables."""
    for part in v.overwrites:
        text, _ = _lattice("written", part, (), v, types, trips)
        yield text


def touched(
    parts: Sequence[TouchedPart], v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, str]
) -> Iterator[list[str]]:
    """The arguments of the call for each part: where it is in the first iteration, and how far it moves in each."""
    for part in parts:
        text, size = _lattice("touched", part.lattice, (part.apart,), v, types, trips)
        yield [text, _text(part.apart, v, size)]


def touched_lattices(
    lattices: Sequence[Lattice], v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, str]
) -> Iterator[str]:
    """What the launch may touch."""
    yield from (_lattice("touched", lattice, (), v, types, trips)[0] for lattice in lattices)


def _lattice(
    name: str,
    lattice: Lattice,
    others: Sequence[Polynomial],
    v: Variable,
    types: TypePrinter,
    trips: Mapping[t.Symbol, str],
) -> tuple[str, int]:
    """The call of `name`, and the bytes of the unit that it counts in, of which `others` are multiples, too."""
    kind = ty.unqualified(lattice.node.type)
    size = ty.size_of(kind) or 1
    distances = [lattice.first, *others, *(turn.apart for turn in lattice.turns)]
    if lattice.bytes % size or any(coefficient % size for p in distances for _, coefficient in p.terms):
        kind, size = ty.UCHAR, 1
    count = f", {lattice.bytes // size}" if lattice.bytes != size else ""
    calls = "".join(f".each({_count(turn, v, trips)}, {_text(turn.apart, v, size)})" for turn in lattice.turns)
    return f"ompc::{name}<{types.declare(kind)}>({_text(lattice.first, v, size)}{count}){calls}", size


def _count(turn: Turns, v: Variable, trips: Mapping[t.Symbol, str]) -> str:
    if turn.count is None:
        return trips[turn.loop.var]
    text = _text(turn.count, v, 1)
    return text if turn.step == 1 else f"({text} + {turn.step - 1}) / {turn.step}"


def _text(p: Polynomial, v: Variable, unit: int) -> str:
    """The polynomial divided by `unit`, in 64 bits."""
    text = ""
    for factors, coefficient in sorted(p.terms, key=lambda term: (not term[0], term[1] < 0)):
        value = abs(coefficient) // unit
        words = [str(value)] * (value != 1 or not factors) + [_factor(factor, v) for factor in factors]
        sign = (" - " if coefficient < 0 else " + ") if text else "-" * (coefficient < 0)
        text += sign + " * ".join(words)
    return text or "0"


def _factor(factor: Factor, v: Variable) -> str:
    if isinstance(factor, Length):
        return v.dimensions[factor.dimension]
    assert isinstance(factor, t.Symbol)
    name = spelled(factor.name)
    return name if ty.unqualified(factor.type) == ty.LONG else f"(long long){name}"
