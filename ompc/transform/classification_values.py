"""The numbers that `isinf` and `signbit` give, where more is asked of them than whether they are 0.

    if (isinf(x))                       if (__builtin_isinf(x))
        s += isinf(x);          ->          s += __builtin_isinf(x) ? __builtin_signbit(x) ? -1 : 1 : 0;

glibc's `isinf` expands to `__builtin_isinf_sign`, which is -1 of -INFINITY; C++'s, which a kernel calls, is true or
false. Which number `signbit` gives of a float that has its sign bit is up to the compiler (gcc: INT_MIN), so that a
loop that uses it stays on the host; of a double, gcc and clang give 1.

In: the file's tree.   Out: the same with what kernels can say; what they cannot is no function that they have.
Not here: the names that kernels have for the rest -- ir/device_library.py.
Source: glibc's <math.h>; "Other builtins", Using the GNU Compiler Collection.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.device_library import is_device_function
from ompc.ir.queries import nodes
from ompc.ir.rewrite import copied, rewritten, with_bodies
from ompc.ir.walk import Node, walk

_INFINITE, _SIGN = "__builtin_isinf_sign", "__builtin_signbit"
_EFFECTS = (t.Assign, t.IncDec, t.OpaqueExpr)


def with_classification_values(unit: t.Unit) -> t.Unit:
    """`unit` with expressions for such numbers."""
    return with_bodies(unit, _is_asked, _with_values)


def _is_asked(node: Node) -> bool:
    return isinstance(node, t.Call) and _name(node) in (_INFINITE, _SIGN)


def _name(call: t.Call) -> str:
    return call.function.symbol.name if isinstance(call.function, t.Name) else ""


def _with_values(body: t.Block) -> t.Block:
    truths = {id(each) for node in nodes(body) for each in _truths(node)}

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Call) or not _is_asked(node) or len(node.args) != 1:
            return None
        (asked,) = node.args
        argument = rewritten(asked, change)
        if _name(node) == _INFINITE:
            infinite = _call(node, "__builtin_isinf", argument)
            return infinite if id(node) in truths else _signed(node, infinite, argument)
        if ty.unqualified(asked.type) == ty.DOUBLE or id(node) in truths:
            return None
        return t.OpaqueExpr(ty.INT, node.loc, "the number that signbit gives of a float", _named(asked))

    return rewritten(body, change)


def _signed(node: t.Call, infinite: t.Call, argument: t.Expr) -> t.Expr:
    """-1, 0 or 1; what may not be evaluated twice stays as it is."""
    if not _may_be_repeated(argument):
        return replace(node, args=(argument,))
    minus = t.Unary(ty.INT, node.loc, "-", _number(node, 1))
    sign = t.Conditional(ty.INT, node.loc, _call(node, _SIGN, copied(argument)), minus, _number(node, 1))
    return t.Conditional(ty.INT, node.loc, infinite, sign, _number(node, 0))


def _truths(node: Node) -> Iterator[t.Expr]:
    """The expressions in `node` of which it only asks whether they are 0."""
    match node:
        case t.If() | t.While() | t.DoWhile() | t.Conditional():
            yield node.condition
        case t.For(condition=condition) if condition is not None:
            yield condition
        case t.Unary(op="!", operand=operand):
            yield operand
        case t.Binary(op="&&" | "||", left=left, right=right):
            yield from (left, right)
        case t.Binary(op="==" | "!=", left=left, right=right) if constant_value(right) == 0:
            yield left
        case t.Cast(operand=operand) if ty.unqualified(node.type) == ty.BOOL:
            yield operand
        case _:
            pass


def _may_be_repeated(argument: t.Expr) -> bool:
    for node in walk(argument):
        if isinstance(node, _EFFECTS) or (isinstance(node, t.Call) and not is_device_function(_name(node))):
            return False
    return True


def _named(argument: t.Expr) -> tuple[t.Symbol, ...]:
    return tuple(node.symbol for node in nodes(argument) if isinstance(node, t.Name))


def _call(node: t.Call, name: str, argument: t.Expr) -> t.Call:
    assert isinstance(node.function, t.Name)
    function = replace(node.function, symbol=replace(node.function.symbol, name=name))
    return replace(node, function=function, args=(argument,))


def _number(node: t.Call, value: int) -> t.IntConst:
    return t.IntConst(ty.INT, node.loc, value, str(value))
