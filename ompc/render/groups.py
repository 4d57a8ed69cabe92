"""Inner loops whose iterations go in groups, and the quick operations inside them.

    ompc::in_groups<16, int>(
            0, ompc::trips_lt<int>(0, n, 1), 1,
            [&](auto &arithmetic, int j, float &sx) {
                sx += arithmetic.divide(m[j], arithmetic.sqrt(d[j]));
            },
            sx);

In: GroupedLoop.   Out: lines of the statement, text of the operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.group_model import GroupedLoop, Groups
from ompc.render.loop_counts import integer_name
from ompc.render.types import TypePrinter

INDENT = "    "
GROUP_BOUNDS = "__launch_bounds__(ompc::block_threads, 1)"
"""Blocks have no more threads (ompc_shape.h): so the compiler takes the registers that let iterations overlap."""


def is_quick(groups: Groups, node: t.Expr) -> bool:
    return node in groups.operations or node in groups.usual


def quotient(groups: Groups, node: t.Expr, left: str, right: str) -> str:
    where = _where(groups, node)
    if left in ("1.0", "1.0f"):
        return f"{where}reciprocal({right})"
    return f"{where}divide({left}, {right})"


def _where(groups: Groups, node: t.Expr) -> str:
    return "ompc::usual_" if node in groups.usual else f"{groups.arithmetic}."


def inverse_root(groups: Groups, quotient: t.Expr, operand: str) -> str:
    """1 / sqrt(operand) in one operation."""
    where = _where(groups, quotient) if is_quick(groups, quotient) else "ompc::"
    return f"{where}rsqrt({operand})"


def root(groups: Groups, node: t.Expr, operand: str) -> str:
    return f"{_where(groups, node)}sqrt({operand})"


def grouped_loop(
    grouped: GroupedLoop,
    groups: Groups,
    bounds: tuple[str, str, str],
    name: Callable[[t.Symbol], str],
    types: TypePrinter,
    body: Sequence[str],
) -> Iterator[str]:
    """`bounds`: the first value, the number of iterations, how far they lie apart."""
    loop = grouped.loop
    carried = [name(symbol) for symbol in grouped.carried]
    arithmetic = "auto &" if grouped.unwatched else f"auto &{groups.arithmetic}"
    parameters = [arithmetic, types.declare(ty.unqualified(loop.type), name(loop.var))]
    parameters += [types.declare(ty.unqualified(s.type), f"&{name(s)}") for s in grouped.carried]
    watched = ", ompc::nothing" if grouped.unwatched else ", ompc::by_results" if grouped.by_results else ""
    yield f"ompc::in_groups<{grouped.size}, {integer_name(loop.type)}{watched}>("
    yield f"{2 * INDENT}{', '.join(bounds)},"
    yield f"{2 * INDENT}[&]({', '.join(parameters)}) {{"
    for symbol in grouped.renewed:
        yield f"{3 * INDENT}{types.declare(ty.unqualified(symbol.type), name(symbol))};"
    if continues(loop.body):
        yield from (3 * INDENT + line for line in ("do {", *(INDENT + line for line in body), "} while (0);"))
    else:
        yield from (3 * INDENT + line for line in body)
    yield f"{2 * INDENT}}}{',' if carried else ');'}"
    if carried:
        yield f"{2 * INDENT}{', '.join(carried)});"


def stride(loop: CanonicalLoop, step: str) -> str:
    """How far neighbouring iterations lie apart; `step`: the magnitude, as text."""
    return f"-({step})" if loop.down and not step.isdecimal() else f"-{step}" if loop.down else step
