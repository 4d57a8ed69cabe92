"""Atomic operations as calls of the runtime (ompc_atomic.h).

    x += e          ompc::atomic_add(&x, e)
    v = x++         v = ompc::atomic_add(&x, 1)             the value before
    v = ++x         v = ompc::atomic_add<ompc::after>(&x, 1)
    if (e <= x) x = e;                                      ompc::atomic_when<ompc::LessEqual>(&x, e)
    x += e          ompc::atomic_add(&x, e, x_copies)       where blocks have copies of x

In: an Operation; how to print an address and an operand.   Out: text.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.analysis.reductions.operations import Operation, Result
from ompc.ir import tree as t
from ompc.plan.model.names import Name


def operation_text(
    operation: Operation,
    address: Callable[[t.Expr], str],
    operand: Callable[[t.Expr], str],
    accumulators: Name | None = None,
) -> str:
    """The call; its value is of the object's type, or of type bool (Result.SUCCESS); with `copies` it has none."""
    arguments = [address(operation.object), *map(operand, operation.operands)]
    if accumulators is not None:
        arguments.append(str(accumulators))
    if operation.otherwise is not None:
        arguments.append(address(operation.otherwise))
    templates = [] if operation.relation is None else [f"ompc::{operation.relation}"]
    if operation.result is Result.AFTER:
        templates.append("ompc::after")
    chosen = f"<{', '.join(templates)}>" if templates else ""
    return f"ompc::atomic_{operation.name}{chosen}({', '.join(arguments)})"
