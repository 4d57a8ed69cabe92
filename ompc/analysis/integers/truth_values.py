"""Analysis: variables that are always 0 or 1.

    int bad = 0;   if (x[i] < 0) bad = 1;   bad |= y > 2;       0 or 1
    int code = 0;  if (x[i] < 0) code = 3;  code = f();          not

For them `|=` is `||`, and `&=` is `&&`.

    In: the code that has all of a variable's uses.   Out: yes or no.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.conversions import uncast
from ompc.ir.walk import walk

_LOGICAL = frozenset({"&&", "||", "==", "!=", "<", "<=", ">", ">="})
_KEEPS = frozenset({"=", "&=", "|=", "^=", "*="})


def is_truth_value(code: t.Stmt, symbol: t.Symbol) -> bool:
    """Is `symbol` declared in `code`, as 0 or 1, and never anything else?"""
    if symbol.address_taken:
        return False
    declared = False
    for node in walk(code):
        match node:
            case t.VarDecl(symbol=here, init=init) if here is symbol:
                declared = init is not None and _is_logical(init)
            case t.Assign(op=op, target=t.Name(symbol=here), value=value) if here is symbol:
                if op not in _KEEPS or not (_is_logical(value) or _is_update(value, symbol)):
                    return False
            case t.IncDec(operand=t.Name(symbol=here)) if here is symbol:
                return False
            case _:
                pass
    return declared


def _is_update(value: t.Expr, symbol: t.Symbol) -> bool:
    """`b & e`, `e | b` with truth values, `b * e`."""
    if isinstance(value, t.Cast):
        return _is_update(value.operand, symbol)
    if not isinstance(value, t.Binary) or value.op not in ("&", "|", "^", "*"):
        return False
    return all(_is_logical(e) or _is_named(e, symbol) for e in (value.left, value.right))


def _is_named(e: t.Expr, symbol: t.Symbol) -> bool:
    e = uncast(e)
    return isinstance(e, t.Name) and e.symbol is symbol


def _is_logical(e: t.Expr) -> bool:
    match e:
        case t.Cast(operand=operand):
            return _is_logical(operand)
        case t.Binary(op=op):
            return op in _LOGICAL
        case t.Unary(op="!"):
            return True
        case _:
            return constant_value(e) in (0, 1)
