"""Batched loops, and the fast path of the operations inside them.

    ompc::in_batches<16, int>(
            0, ompc::trips_lt<int>(0, n, 1), 1,
            [&](auto &arithmetic, int j, float &sx) {
                sx += arithmetic.divide(m[j], arithmetic.sqrt(d[j]));
            },
            sx);

In: BatchedLoop.   Out: lines of the statement, text of the operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.batch_model import BatchedLoop, Batches
from ompc.render.code.loop_counts import integer_name
from ompc.render.code.types import TypePrinter

INDENT = "    "
BATCH_BOUNDS = "__launch_bounds__(ompc::block_threads, 1)"
"""The launch bounds of a kernel with batches. Its blocks have no more threads (ompc_shape.h), so the compiler takes the
registers that let iterations overlap.
"""


def is_fast(batches: Batches, node: t.Expr) -> bool:
    return node in batches.operations or node in batches.normal_range


def quotient(batches: Batches, node: t.Expr, left: str, right: str) -> str:
    where = _where(batches, node)
    if left in ("1.0", "1.0f"):
        return f"{where}reciprocal({right})"
    return f"{where}divide({left}, {right})"


def _where(batches: Batches, node: t.Expr) -> str:
    return "ompc::normal_range_" if node in batches.normal_range else f"{batches.arithmetic}."


def inverse_root(batches: Batches, quotient: t.Expr, operand: str) -> str:
    """1 / sqrt(operand) in one operation."""
    where = _where(batches, quotient) if is_fast(batches, quotient) else "ompc::"
    return f"{where}rsqrt({operand})"


def root(batches: Batches, node: t.Expr, operand: str) -> str:
    return f"{_where(batches, node)}sqrt({operand})"


def batched_loop(
    batched: BatchedLoop,
    batches: Batches,
    bounds: tuple[str, str, str],
    name: Callable[[t.Symbol], str],
    types: TypePrinter,
    body: Sequence[str],
) -> Iterator[str]:
    """`bounds`: the first value, the number of iterations, how far they lie apart."""
    loop = batched.loop
    carried = [name(symbol) for symbol in batched.carried]
    arithmetic = "auto &" if batched.unwatched else f"auto &{batches.arithmetic}"
    parameters = [arithmetic, types.declare(ty.unqualified(loop.type), name(loop.var))]
    parameters += [types.declare(ty.unqualified(s.type), f"&{name(s)}") for s in batched.carried]
    watched = ", ompc::nothing" if batched.unwatched else ", ompc::by_results" if batched.by_results else ""
    yield f"ompc::in_batches<{batched.size}, {integer_name(loop.type)}{watched}>("
    yield f"{2 * INDENT}{', '.join(bounds)},"
    yield f"{2 * INDENT}[&]({', '.join(parameters)}) {{"
    for symbol in batched.renewed:
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
