"""Which functions of a unit can be called once more, or not at all, without anyone noticing.

A loop's bound is evaluated in the launcher's call, and again by the loop itself when the launcher refuses. So a bound
may call a function only if that

    assigns nothing but its own automatic variables and parameters, and not through pointers
    calls nothing but such functions and the C library's queries, and OpenMP's that answer the same inside a region
    is read completely, without volatile objects, assembly or static variables

What it reads does not matter: both evaluations happen in front of the loop.

In: the unit.   Out: the symbols of its pure functions.
"""

from __future__ import annotations

from ompc.ir import types as ty
from ompc.ir.queries import nodes, place_of, targets_written, unread_in
from ompc.ir.tree import Call, Expr, Function, Name, Pragma, Symbol, Unit, VarDecl
from ompc.omp.uses import is_query, question_about_team


def pure_functions(unit: Unit) -> frozenset[Symbol]:
    """The greatest set of functions that keep to the rules and call only each other and queries."""
    pure = {function.symbol: function for function in unit.functions.values() if _keeps_to_itself(function)}
    while True:
        kept = {symbol: function for symbol, function in pure.items() if _calls_only(function, pure)}
        if len(kept) == len(pure):
            return frozenset(pure)
        pure = kept


def _keeps_to_itself(function: Function) -> bool:
    body = function.body
    if body is None or function.opaque is not None or unread_in(body) is not None:
        return False
    for node in nodes(body):
        if isinstance(node, Pragma) or (isinstance(node, VarDecl) and not node.symbol.is_automatic):
            return False
        if isinstance(node, Expr) and node.type.quals & {"volatile", "_Atomic"}:
            return False
    return all(_is_own(target) for target in targets_written(body))


def _is_own(target: Expr) -> bool:
    place = place_of(target)
    return place is not None and place.symbol.is_automatic and not isinstance(place.symbol.type, ty.Array)


def _calls_only(function: Function, pure: dict[Symbol, Function]) -> bool:
    assert function.body is not None
    return all(_may_call(node, pure) for node in nodes(function.body) if isinstance(node, Call))


def _may_call(call: Call, pure: dict[Symbol, Function]) -> bool:
    match call.function:
        case Name(symbol=symbol):
            return symbol in pure or (is_query(symbol, call) and question_about_team(call) is None)
        case _:
            return False
