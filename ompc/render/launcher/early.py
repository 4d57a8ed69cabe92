"""Expressions that the launcher evaluates where the program perhaps does not: bounds of inner loops.

    for (i = 0; i < k; i++)                 const ompc::Trips trips_i = ompc::trips_lt<int>(0, k, 1);
        for (j = 0; j < n / k; j++)         const ompc::Trips trips_j = ompc::trips_lt<int>(0, ompc::quotient(n, k), 1);

With k = 0 no iteration asks for n / k: what such a bound is then does not matter, but dividing by zero would end the
program.

In: as ExpressionPrinter.   Out: the same text, with divisions that do not trap.
"""

from __future__ import annotations

from ompc.frontend.expression_text import POSTFIX
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.render.code.expressions import ExpressionPrinter, Text

_FUNCTIONS = {"/": "ompc::quotient", "%": "ompc::remainder"}


class EarlyPrinter(ExpressionPrinter):
    """Prints divisions by what may be zero as calls."""

    def _binary(self, node: t.Binary) -> Text:
        if node.op not in _FUNCTIONS or not isinstance(node.type, ty.Int) or constant_value(node.right):
            return super()._binary(node)
        left, right = self._as(node.left, node.type), self._as(node.right, node.type)
        return f"{_FUNCTIONS[node.op]}({left}, {right})", POSTFIX
