"""Which argument of a call can stand wherever the function names its parameter.

    scale(t[i], 5);   add(p + 2 * i, n - 1);        t[i], 5, p + 2 * i, n - 1: what they say, they say all the time

An array, a pointer or a number, made from constants and variables that the function cannot change. An array or pointer
is only subscripted, and handed on, in the function.

    In: a function, a parameter, an argument.   Out: yes or no.
    Not here: arguments that become variables, and addresses of such -- inlining.py.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in
from ompc.transform.calls.callees import only_subscripted


def can_replace(function: t.Function, parameter: t.Symbol, arg: t.Expr, by_name: bool) -> bool:
    """Can `arg` stand wherever the function names `parameter`?"""
    if parameter.address_taken or parameter in assigned_in(function.body):
        return False
    if isinstance(parameter.type, ty.Pointer):
        found = _is_array(parameter.type, arg, by_name) or _is_pointer(parameter.type, arg, by_name)
        return found and only_subscripted(function, parameter)
    return ty.is_integer(parameter.type) and ty.is_integer(arg.type) and _is_number(arg, by_name)


def _is_array(wanted: ty.Pointer, arg: t.Expr, by_name: bool) -> bool:
    """An array, or an element of one that is an array, at subscripts that the function does not change."""
    if not isinstance(arg.type, ty.Array) or not ty.is_same_object(wanted.to, arg.type.of):
        return False
    while isinstance(arg, t.Index) and isinstance(arg.base.type, ty.Array):
        if not _is_number(arg.index, by_name):
            return False
        arg = arg.base
    return isinstance(arg, t.Name)


def _is_pointer(wanted: ty.Pointer, arg: t.Expr, by_name: bool) -> bool:
    """A pointer that has a name, or a number of elements behind it."""
    match arg:
        case t.Binary(op="+" | "-", left=t.Expr(type=ty.Pointer()) as left, right=right) if ty.is_integer(right.type):
            return _is_number(right, by_name) and _is_pointer(wanted, left, by_name)
        case t.Name(symbol=symbol, type=ty.Pointer(to=to)):
            steady = by_name or (symbol.is_automatic and not symbol.address_taken)
            plain = not symbol.type.quals & {"volatile", "_Atomic"} and ty.is_same_object(wanted.to, to)
            return plain and steady
        case _:
            return False


def _is_number(arg: t.Expr, by_name: bool) -> bool:
    """Constants and variables that a function cannot change, or which is seen to write only `by_name`."""
    match arg:
        case t.IntConst():
            return True
        case t.Name(symbol=symbol):
            plain = not symbol.type.quals & {"volatile", "_Atomic"} and ty.is_integer(symbol.type)
            return plain and (by_name or (symbol.is_automatic and not symbol.address_taken))
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_number(left, by_name) and _is_number(right, by_name)
        case t.Cast(type=ty.Int(), operand=operand) | t.Unary(op="+" | "-", operand=operand):
            return _is_number(operand, by_name)
        case _:
            return False
