"""Analysis: pointers to rows of variable length in the code of a kernel.

The device has no variably modified types. A kernel reaches `double a[n][m]` through a `double *`, and `a[i][j]` is
`a[i * m + j]`: for that the lengths must be known by name, and nothing may compute with the rows' addresses.

    double at(int n, int m, double a[n][m], int i) { return a[i][0]; }      the rows of `a` have `m` elements

    In: functions and expressions.   Out: lengths, refusals.   Not here: the text -- render/code/expressions.py.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in, target_of
from ompc.ir.walk import walk

RowLength = t.Expr | int


def row_lengths(function: t.Function, parameter: t.Symbol) -> tuple[RowLength, ...] | None:
    """The lengths of the rows of an array parameter, outermost first, in terms of parameters that never change; None
    where they are anything else.
    """
    lengths: list[RowLength] = []
    row = parameter.type.to if isinstance(parameter.type, ty.Pointer) else parameter.type
    while isinstance(row, ty.Array):
        if row.length is None:
            return None
        lengths.append(row.length)
        row = row.of
    named = {node.symbol for n in lengths if not isinstance(n, int) for node in walk(n) if isinstance(node, t.Name)}
    fixed = named <= set(function.params) and not any(_is_changed(symbol, function) for symbol in named)
    plain = all(isinstance(n, int) or _is_plain(n) for n in lengths)
    return tuple(lengths) if lengths and fixed and plain and not ty.is_variably_modified(row) else None


def _is_plain(length: t.Expr) -> bool:
    match length:
        case t.IntConst():
            return True
        case t.Name(type=kind):
            return ty.is_integer(kind)
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_plain(left) and _is_plain(right)
        case _:
            return False


def _is_changed(symbol: t.Symbol, function: t.Function) -> bool:
    assert function.body is not None
    if symbol.address_taken:
        return True
    return symbol in assigned_in(function.body)


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
