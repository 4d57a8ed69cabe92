"""Calls in the heads of loops, of functions that only compute: the number that they compute is in their place.

    static int least(int a, int b) { return a < b ? a : b; }

    for (i = it; i < least(n, it + T); i++)    ->    for (i = it; i < (n < it + T ? n : it + T); i++)

So bounds are arithmetic to all that ask about them. The same for variables that heads name, where their values come
from such a call alone. Arguments are numbers, computed from variables, so that it does not matter how often.

    In: a loop, the functions of its unit.   Out: the loop.
    Not here: calls that are statements -- inlining.py; what a loop's head may call besides -- ompc/omp/loops.py.
    Source: procedure integration, as inlining.py; of one expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import callee, symbols_in
from ompc.ir.rewrite import copied, copied_around, rewritten, with_parts
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop

_ARITHMETIC = (t.Name, t.IntConst, t.Binary, t.Unary, t.Conditional, t.Cast)


def with_bounds_computed(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> ParallelLoop:
    """`loop` without calls in the heads of loops in its body, where they are arithmetic."""
    if loop.body is None or not loop.loops:
        return loop
    loops = [node for node in walk(loop.body) if isinstance(node, t.For)]
    heads = [part for node in loops for part in (node.init, node.condition) if part is not None]
    named = {symbol for head in heads for symbol in symbols_in(head)}

    def change(node: Node) -> Node | None:
        match node:
            case t.For():
                init, condition = rewritten(node.init, computed), rewritten(node.condition, computed)
                return with_parts(node, init=init, condition=condition, body=rewritten(node.body, change))
            case t.VarDecl(symbol=symbol, init=t.Call() as call) if symbol in named:
                value = computed(call)
                return None if value is None else replace(node, init=value)
            case t.Assign(op="=", target=t.Name(symbol=symbol), value=t.Call() as call) if symbol in named:
                value = computed(call)
                return None if value is None else replace(node, value=value)
            case _:
                return None

    def computed(node: Node) -> t.Expr | None:
        return _computed(node, functions) if isinstance(node, t.Call) else None

    if not any(isinstance(node, t.Call) for node in walk(loop.body)):
        return loop
    body = rewritten(loop.body, change)
    if body is loop.body:
        return loop
    loops_ = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return replace(loop, body=body, loops=loops_)


def _computed(call: t.Call, functions: Mapping[str, t.Function]) -> t.Expr | None:
    """What the call computes; None: more is done, or with more than numbers."""
    function = callee(call, functions)
    value = None if function is None else _value_of(function)
    if function is None or value is None or len(function.params) != len(call.args):
        return None
    args: dict[t.Symbol, t.Expr] = {}
    for parameter, given in zip(function.params, call.args, strict=True):
        arg = rewritten(given, lambda node: _computed(node, functions) if isinstance(node, t.Call) else None)
        if not _is_arithmetic(arg):
            return None
        args[parameter] = _as(parameter.type, arg)

    def put(node: Node) -> Node:
        if isinstance(node, t.Name):
            return copied(args[node.symbol])
        return copied_around(node, put)

    return _as(call.type, put(value))  # type: ignore[arg-type]


def _value_of(function: t.Function) -> t.Expr | None:
    """What the function returns, where that is all it does, from its parameters alone."""
    items = function.body.items if function.body is not None else ()
    value = items[0].value if len(items) == 1 and isinstance(items[0], t.Return) else None
    if value is None or not _is_arithmetic(value) or not symbols_in(value) <= set(function.params):
        return None
    return value


def _is_arithmetic(value: t.Expr) -> bool:
    return all(
        isinstance(node, _ARITHMETIC) and ty.is_integer(node.type) and "volatile" not in node.type.quals
        for node in walk(value)
        if isinstance(node, t.Expr)
    ) and not any(isinstance(node, t.Unary) and node.op in ("*", "&") for node in walk(value))


def _as(kind: ty.Type, value: t.Expr) -> t.Expr:
    plain = ty.unqualified(kind)
    return value if ty.unqualified(value.type) == plain else t.Cast(plain, value.loc, value)
