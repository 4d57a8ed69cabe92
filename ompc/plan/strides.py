"""Plan: does a loop's variable move a subscript by one element?

    u[i * m + j]        j does; i does not

Textual: a plain term of a sum. What else may come to the same is not recognised, which costs speed alone.

    In: a subscript, a loop variable.   Out: bool.   Source: coalescing as in the CUDA C++ Programming Guide.
"""

from __future__ import annotations

from ompc.sema import tree as t
from ompc.sema.walk import walk


def is_plain_term(expr: t.Expr, var: t.Symbol) -> bool:
    match expr:
        case t.Name(symbol=symbol):
            return symbol is var
        case t.Binary(op="+", left=left, right=right):
            return is_plain_term(left, var) != is_plain_term(right, var)
        case t.Binary(op="-", left=left):
            return is_plain_term(left, var)
        case t.Cast(operand=operand):
            return is_plain_term(operand, var)
        case _:
            return False


def mentions(expr: t.Expr, var: t.Symbol) -> bool:
    return any(isinstance(node, t.Name) and node.symbol is var for node in walk(expr))
