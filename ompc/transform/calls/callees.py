"""What a called function does with what it is given.

    static double part(const double *r, double *rest) { *rest = r[1] - 1; return r[0]; }

`r` is only subscripted, `rest` only followed: nobody keeps these pointers. A call `part(a, &x)` writes x, and nothing
else. What is not seen may be anything.

    In: a function, its parameters; a call.   Out: yes or no; the variables that a call writes.
    Not here: what becomes of the call -- inlining.py; what it may read -- nobody asks.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import jumps_in
from ompc.ir.queries import assigned_in, callee, declared_in, names_in, symbols_in, targets_written, variables_of
from ompc.ir.walk import walk
from ompc.omp.uses import is_query

Functions = Mapping[str, t.Function]

_UNKNOWN = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Leave, t.Print)


def only_followed(function: t.Function, parameter: t.Symbol) -> bool:
    """Is the pointer's value used for nothing but to read and write what it points to?"""
    if function.body is None or not isinstance(parameter.type, ty.Pointer) or parameter.address_taken:
        return False
    followed = (node for node in walk(function.body) if isinstance(node, t.Unary) and is_pointee(node, parameter))
    outer = {node.operand for node in walk(function.body) if isinstance(node, t.Unary) and node.op == "&"}
    operands = {node.operand for node in followed if node not in outer}
    return all(name in operands for name in names_in(function.body).get(parameter, ()))


def is_pointee(lvalue: t.Expr, parameter: t.Symbol) -> bool:
    """Is it `*parameter`?"""
    match lvalue:
        case t.Unary(op="*", operand=t.Name(symbol=symbol)):
            return symbol is parameter
        case _:
            return False


def sets_first(function: t.Function, parameter: t.Symbol) -> bool:
    """Is `*parameter = ...` what the function does first with what the pointer points to, whenever it is called?"""
    for item in () if function.body is None else function.body.items:
        match item:
            case t.ExprStmt(expr=t.Assign(op="=", target=target, value=value)) if is_pointee(target, parameter):
                return parameter not in symbols_in(value)
            case _ if parameter in symbols_in(item) or jumps_in(item):
                return False
            case _:
                pass
    return False


def only_subscripted(function: t.Function, parameter: t.Symbol, hands_on: bool = True) -> bool:
    """Is the pointer's value used for nothing but to find elements, or, if `hands_on`, to be handed on?"""
    assert function.body is not None
    bases = {node.base for node in walk(function.body) if isinstance(node, t.Index)}
    if hands_on:
        bases |= {arg for node in walk(function.body) if isinstance(node, t.Call) for arg in node.args}
    return all(name in bases for name in names_in(function.body).get(parameter, ()))


def keeps_no_address(code: t.Stmt, symbol: t.Symbol, functions: Functions) -> bool:
    """Does `code` do nothing with the address of `symbol` but to call functions that find its value or elements?"""
    known = set[t.Expr]()
    for node in walk(code):
        match node:
            case t.Call():
                known |= set(_handed(node, functions))
            case t.Index(base=t.Name() as base) if isinstance(base.type, ty.Array):
                known.add(base)
            case _:
                pass
    is_array = isinstance(symbol.type, ty.Array)
    for node in walk(code):
        match node:
            case t.Unary(op="&", operand=operand) if symbol in names_in(operand) and node not in known:
                return False
            case t.Name(symbol=named) if is_array and named is symbol and node not in known:
                return False
            case _:
                pass
    return True


def _handed(call: t.Call, functions: Functions) -> list[t.Expr]:
    """The arguments that are addresses with which the function does nothing else."""
    function = callee(call, functions)
    if function is None or function.body is None or len(function.params) != len(call.args):
        return []
    found: list[t.Expr] = []
    for parameter, arg in zip(function.params, call.args, strict=True):
        match arg:
            case t.Unary(op="&", operand=t.Name()) if only_followed(function, parameter):
                found.append(arg)
            case t.Name() if not parameter.address_taken and parameter not in assigned_in(function.body):
                found += [arg] * only_subscripted(function, parameter, hands_on=False)
            case _:
                pass
    return found


def writes_by_name_alone(function: t.Function) -> bool:
    """Does it write to its own variables and to elements of arrays of real numbers alone, and call nothing that writes?

    Then no integer of the program has another value afterwards, and no pointer.
    """
    own = declared_in(function.body) if function.body else set()
    own |= {*function.params}
    if function.body is None or not all(map(_is_query, walk(function.body))):
        return False
    for target in targets_written(function.body):
        is_own = isinstance(target, t.Name) and target.symbol in own
        if not is_own and not (_is_element(target, function) and isinstance(target.type, ty.Float)):
            return False
    return True


def _is_query(node: object) -> bool:
    """No call, or one of a function of the library that only computes."""
    match node:
        case t.Call(function=t.Name(symbol=symbol)):
            return is_query(symbol, node)
        case _:
            return not isinstance(node, t.Call)


def _is_element(target: t.Expr, function: t.Function) -> bool:
    """An element of an array that has a name, or of what stands in the place of a parameter."""
    while isinstance(target, t.Index) and isinstance(target.base.type, ty.Array):
        target = target.base
    if isinstance(target, t.Index):
        return isinstance(target.base, t.Name) and target.base.symbol in function.params
    return isinstance(target, t.Name) and isinstance(target.type, ty.Array)


def written_by(call: t.Call, function: t.Function, functions: Functions) -> frozenset[t.Symbol] | None:
    """The caller's variables that the call may write, all of them named by its arguments; None: it may write others."""
    body = function.body
    if body is None or len(function.params) != len(call.args) or any(isinstance(n, _UNKNOWN) for n in walk(body)):
        return None
    for node in walk(body):
        if isinstance(node, t.Call) and not _is_query(node):
            other = callee(node, functions)
            if other is None or other is function or written_by(node, other, functions) != frozenset():
                return None
    args = dict(zip(function.params, call.args, strict=True))
    own, found = variables_of(function), set[t.Symbol]()
    for target in targets_written(body):
        place = _place(target)
        if place is None or place not in own or not place.is_automatic or "volatile" in place.type.quals:
            return None
        if _is_in(target, place):
            continue
        variable = _variable(args[place]) if place in args and place not in assigned_in(body) else None
        if variable is None:
            return None
        found.add(variable)
    return frozenset(found)


def _place(target: t.Expr) -> t.Symbol | None:
    """The variable that is written, or the pointer that leads there."""
    while True:
        match target:
            case t.Index(base=base) | t.Member(base=base):
                target = base
            case t.Unary(op="*", operand=operand):
                target = operand
            case t.Name(symbol=symbol):
                return symbol
            case _:
                return None


def _is_in(target: t.Expr, place: t.Symbol) -> bool:
    """Is it a part of the variable itself?"""
    while True:
        match target:
            case t.Index(base=base) if isinstance(base.type, ty.Array):
                target = base
            case t.Member(base=base, arrow=False):
                target = base
            case _:
                return isinstance(target, t.Name) and target.symbol is place


def _variable(arg: t.Expr) -> t.Symbol | None:
    """The variable to which the argument points."""
    match arg:
        case t.Unary(op="&", operand=t.Name(symbol=symbol)):
            return symbol
        case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Array):
            return symbol
        case _:
            return None
