"""Unroll-and-jam: the body of a kernel whose threads compute several iterations together, and the loop over them.

    const ompc::JammedIterations<points> mine(group, slot, trips);
    ompc::Each<int, points> i;
    ...
    ompc::Each<float, points> sum(0.0f);
    ...
    ompc::by_stretches<32>(
            group, j_entries, 1,
            [&](int j, ompc::Each<float, points> &sum) {
                OMPC_UNROLL
                for (int point = 0; point < points; point++)
                    sum[point] += f(x[j], x[i[point]]);
            },
            ompc::partial<ompc::Sum>(sum));
    OMPC_UNROLL
    for (int point = 0; point < points; point++)
        if (mine.own(point))
            y[i[point]] = sum[point];

In: LaneSharing with Points.   Out: lines of the kernel.
Not here: the steps of one iteration -- render/forms/lanes.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.lane_steps import LaneSharing, UnrollAndJam
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.plan import Binding
from ompc.render.code.statements import INDENT
from ompc.render.code.types import TypePrinter


def jammed_bindings(points: UnrollAndJam, bindings: Mapping[t.Symbol, Binding]) -> dict[t.Symbol, Binding]:
    """How a variable is spelt of which each iteration has its own."""
    names = {symbol: bindings[symbol].name if symbol in bindings else spelled(symbol.name) for symbol in points.own}
    return {symbol: Binding(f"{name}[{points.names['point']}]") for symbol, name in names.items()}


def slots_of(sharing: LaneSharing, trips: Name) -> str:
    """How many iterations the lanes are for, or groups of them."""
    return (
        str(trips)
        if sharing.unroll_and_jam is None
        else f"ompc::groups_of({sharing.unroll_and_jam.names['points']}, {trips})"
    )


def jammed_head(sharing: LaneSharing, points: UnrollAndJam, trips: Name) -> tuple[str, str]:
    """The number of the slots' iterations, and the declaration of those of a slot."""
    names = points.names
    mine = f"const ompc::JammedIterations<{names['points']}> {names['mine']}({sharing.group}, {sharing.slot}, {trips});"
    return slots_of(sharing, trips), f"{mine} // the thread's iterations, or those that it helps with"


def set_by_number(points: UnrollAndJam, types: TypePrinter, kind: ty.Type, name: str, value: str) -> Iterator[str]:
    """The declaration of the parallel loop's variable, of which `value` is that of one iteration."""
    yield f"{each(points, types, kind)} {name};"
    yield from for_each(points, [f"{name}[{points.names['point']}] = {value};"])


def number(points: UnrollAndJam) -> str:
    """Of one of the thread's iterations."""
    return f"{points.names['mine']}.iteration({points.names['point']})"


def for_each(points: UnrollAndJam, lines: Sequence[str]) -> Iterator[str]:
    """`lines` for each iteration of the thread, one after the other."""
    point, count = points.names["point"], points.names["points"]
    yield "OMPC_UNROLL"
    head = f"for (int {point} = 0; {point} < {count}; {point}++)"
    alone = len([line for line in lines if not line.startswith((INDENT, "}"))]) == 1
    yield head if alone else head + " {"
    yield from (INDENT + line for line in lines)
    if not alone:
        yield "}"


def each(points: UnrollAndJam, types: TypePrinter, kind: ty.Type) -> str:
    """The type of a variable of which each iteration has its own."""
    return f"ompc::Each<{types.declare(ty.unqualified(kind))}, {points.names['points']}>"
