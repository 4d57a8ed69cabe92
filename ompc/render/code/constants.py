"""Declarations of what lives in `__constant__` memory.

    __constant__ int kind[64];                      the launcher copies it
    __constant__ const double w[3] = {1, 4, 1};     the compiler knows its elements (plan/memory/constant_tables.py)

In: ConstantArray.   Out: text after `__constant__`.
"""

from __future__ import annotations

from ompc.ir import types as ty
from ompc.plan.model.plan import ConstantArray
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.spelling import Spelling
from ompc.render.code.types import TypePrinter


def constant_declaration(array: ConstantArray, types: TypePrinter) -> str:
    """The declaration; one with an initialiser is const."""
    kind = ty.unqualified_elements(array.type)  # the launcher writes `__constant__` memory
    text = types.declare(kind, array.name)
    if array.init is None:
        return text
    expressions = ExpressionPrinter(Spelling(types, {}, frozenset(), {}, frozenset()))
    return f"const {text} = {expressions.initializer(array.init, kind)}"

