"""Analysis: reciprocal square roots: 1 / sqrt(x) of one type, which a device has in one operation, rounded less often.

1.0f / sqrtf(x)     1 / sqrt(x)         one operation
1.0 / sqrtf(x)      2.0f / sqrtf(x)     two

In: the code of a kernel.   Out: the quotients; `root_below` has the root of one.
Not here: which of them are contracted -- plan/model/contraction.py.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value

ROOTS = {"sqrt": ty.DOUBLE, "sqrtf": ty.FLOAT, "__builtin_sqrt": ty.DOUBLE, "__builtin_sqrtf": ty.FLOAT}
"""The C library's square roots, and their types."""


def inverse_roots(device_code: DeviceCode) -> frozenset[t.Expr]:
    own = {function.symbol for function in device_code.functions}
    return frozenset(node for node in device_code.nodes if isinstance(node, t.Binary) and _is_inverse_root(node, own))


def root_below(quotient: t.Binary) -> t.Call:
    """The root of one of `inverse_roots`."""
    assert isinstance(quotient.right, t.Call)
    return quotient.right


def _is_inverse_root(node: t.Binary, own: Collection[t.Symbol]) -> bool:
    match node:
        case t.Binary(op="/", left=left, right=t.Call(function=t.Name(symbol=root))) if root not in own:
            return root.name in ROOTS and ty.unqualified(node.type) == ROOTS[root.name] and is_one(left)
        case _:
            return False


def is_one(node: t.Expr) -> bool:
    if not isinstance(node, t.FloatConst):
        return constant_value(node) == 1
    try:
        return Fraction(node.text.rstrip("fF")) == 1
    except ValueError:
        return False  # hexadecimal
