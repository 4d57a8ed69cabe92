"""Plan: quotients and square roots with operands proved in the normal range: no branch, and nothing to watch.

    if (square < 1.0f)
        away = 1.0f / (square + 0.01f);      away = ompc::usual_reciprocal(square + 0.01f);

What the device's few instructions give for normal-range operands, and for what is not a number, has the bits that the
program asks for (ompc_fast_division.h). Usual are magnitudes between 2^-60 and 2^60, of doubles 2^-300 and 2^300.

    In: the quotients and roots of a kernel.   Out: those among them that have such operands, or none that is a number.
    Not here: operands that are watched while the program runs -- batched_division.py.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.analysis.floats.float_ranges import Interval, float_ranges
from ompc.analysis.floats.rsqrt import root_below
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.contraction import Contraction

_GREATEST = {4: 2.0**60, 8: 2.0**300}
"""The greatest magnitude of a normal-range operand, by the size of the type in bytes; the least one is its reciprocal.
"""


def normal_range_operations(
    body: t.Stmt, operations: Collection[t.Expr], contraction: Contraction, own: Collection[t.Symbol]
) -> frozenset[t.Expr]:
    """Those of `operations` in `body` that need not be watched; `own`: the user's functions."""
    operands = {node: _operands(node, contraction) for node in operations}
    found = float_ranges(body, {part for parts in operands.values() for part in parts}, own)
    normal_range = set()
    for node, parts in operands.items():
        is_root = isinstance(node, t.Call) or node in contraction.roots
        ranges = [found[part] for part in parts if part in found]
        if parts and len(ranges) == len(parts) and all(_is_normal_range(r, node.type, is_root) for r in ranges):
            normal_range.add(node)
    return frozenset(normal_range)


def _operands(node: t.Expr, contraction: Contraction) -> tuple[t.Expr, ...]:
    match node:
        case t.Binary() if node in contraction.roots:
            return (root_below(node).args[0],)
        case t.Binary(left=left, right=right):
            return left, right
        case t.Call(args=args):
            return args
        case _:
            return ()


def _is_normal_range(found: Interval, kind: ty.Type, is_root: bool) -> bool:
    greatest = _GREATEST[kind.size] if isinstance(kind, ty.Float) else 0.0
    low, high = found
    negative = not is_root and -greatest <= low and high * greatest <= -1
    return negative or (low * greatest >= 1 and high <= greatest)
