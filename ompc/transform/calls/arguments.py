"""Which argument of a call can stand wherever the function names its parameter.

    scale(t[i], 5);   add(p + 2 * i, n - 1);        t[i], 5, p + 2 * i, n - 1: what they say, they say all the time

An array, a pointer or a number, made from constants and variables that the function cannot change. An array or pointer
is only subscripted, and handed on, in the function. Of an element's address, the element stands for what the function
finds there.

    In: a function, a parameter, an argument.   Out: the expression, or None.
    Not here: arguments that become variables, and addresses of such -- inlining.py.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigned_in
from ompc.transform.calls.callees import only_followed, only_subscripted


def replacement(function: t.Function, parameter: t.Symbol, arg: t.Expr, by_name: bool) -> t.Expr | None:
    """What can stand wherever the function names `parameter`, which gets `arg`; None: nothing that is the same.

    `by_name`: the function writes by names alone (callees.py).
    """
    if parameter.address_taken or parameter in assigned_in(function.body):
        return None
    if isinstance(parameter.type, ty.Pointer):
        place = _place_at(arg)
        found = _is_array(parameter.type, place, by_name) or _is_pointer(parameter.type, place, by_name)
        return place if found and only_subscripted(function, parameter) else None
    whole = ty.is_integer(parameter.type) and ty.is_integer(arg.type)
    return arg if whole and _is_number(arg, by_name) else None


def pointee(function: t.Function, parameter: t.Symbol, arg: t.Expr, by_name: bool) -> t.Expr | None:
    """The element that can stand for `*parameter`, with which the function does nothing else; None: there is none."""
    match parameter.type, arg:
        case ty.Pointer(to=to), t.Unary(op="&", operand=t.Index() as element):
            same = ty.unqualified(to) == ty.unqualified(element.type) and not to.quals & {"volatile", "_Atomic"}
            fixed = ty.is_arithmetic(element.type) and _is_fixed(element, by_name)
            return element if same and fixed and only_followed(function, parameter) else None
        case _:
            return None


def _place_at(arg: t.Expr) -> t.Expr:
    """`row` for `&row[0]`, `row + k` for `&row[k]`; else the argument."""
    match arg:
        case t.Unary(op="&", operand=t.Index(base=base, index=index)):
            if isinstance(base.type, ty.Array) and constant_value(index) == 0:
                return base
            kind = ty.decayed(base.type)
            return t.Binary(kind, arg.loc, "+", base, index) if isinstance(kind, ty.Pointer) else arg
        case _:
            return arg


def _is_array(wanted: ty.Pointer, arg: t.Expr, by_name: bool) -> bool:
    """An array, or an element of one that is an array, at subscripts that the function does not change."""
    is_row = isinstance(arg.type, ty.Array) and ty.is_same_object(wanted.to, arg.type.of)
    return is_row and _is_fixed(arg, by_name)


def _is_fixed(place: t.Expr, by_name: bool) -> bool:
    """An array by its name, what a pointer by its name leads to, or an element of that."""
    while isinstance(place, t.Index):
        if not _is_number(place.index, by_name):
            return False
        place = place.base
        if isinstance(place.type, ty.Pointer):
            return isinstance(place, t.Name) and _is_steady(place.symbol, by_name)
    return isinstance(place, t.Name) and isinstance(place.type, ty.Array)


def _is_steady(pointer: t.Symbol, by_name: bool) -> bool:
    plain = not pointer.type.quals & {"volatile", "_Atomic"}
    return plain and (by_name or (pointer.is_automatic and not pointer.address_taken))


def _is_pointer(wanted: ty.Pointer, arg: t.Expr, by_name: bool) -> bool:
    """A pointer that has a name, or a number of elements behind it."""
    match arg:
        case t.Binary(op="+" | "-", left=left, right=right) if ty.is_integer(right.type):
            of_row = _is_array(wanted, left, by_name)
            return _is_number(right, by_name) and (of_row or _is_pointer(wanted, left, by_name))
        case t.Name(symbol=symbol, type=ty.Pointer(to=to)):
            return ty.is_same_object(wanted.to, to) and _is_steady(symbol, by_name)
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
