"""Analysis: what a kernel cannot do with an array whose rows are of variable length.

The device has no variably modified types. A kernel reaches `double a[n][m]` through a `double *`, and `a[i][j]` is
`a[i * m + j]`, with the lengths that the launcher is told. All else has become plain before, where it can
(transform/rows/flat_rows.py); what computes with the rows' addresses then is refused.

    In: expressions.   Out: refusals.   Not here: the text -- render/code/expressions.py.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import target_of


def is_arithmetic_on_rows(node: t.Expr) -> bool:
    """Anything but subscripts of the array's own name: `*(a + i)`, `a++`, `((double (*)[m])p)[i]`."""
    match node:
        case t.Index(base=base) if _points_to_rows(base):
            while isinstance(base, t.Index):
                base = base.base
            return not isinstance(base, t.Name)
        case t.Unary(op="*", operand=operand):
            return _points_to_rows(operand)
        case t.Binary(op="+" | "-", left=left, right=right):
            return _points_to_rows(left) or _points_to_rows(right)
        case _:
            target = target_of(node)
            return target is not None and _points_to_rows(target)


def _points_to_rows(expr: t.Expr) -> bool:
    kind = ty.decayed(expr.type)
    return isinstance(kind, ty.Pointer) and isinstance(kind.to, ty.Array) and ty.is_variably_modified(kind.to)
