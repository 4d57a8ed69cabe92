"""Expressions for which the user has written the name of a macro.

    u[NX - 1]        Binary(-, IntConst(1024, named NX), IntConst(1))
    1.0 / CELLS      CELLS is (NX * NX): Binary(*, ...) is named CELLS, and each 1024 in it NX
    SQ(x - y)        Binary(*, ...) is named SQ

The name goes where the node goes, and through `replace` to nodes that other code makes of it; so that of a constant
comes with what it stands for, and counts only where the node is still that. Of what is no constant the name is a hint:
whether it is still that is known when it is printed (frontend/macro_calls.py).

In: an expression.   Out: the same with a name; the macro that it is.
Not here: text with names -- sema/as_written.py.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.base.macros import Macro, Named
from ompc.ir.tree import Binary, Cast, Expr, FloatConst, IntConst, Unary
from ompc.ir.types import Complex
from ompc.ir.walk import Node


def with_name(expr: Expr, macros: tuple[Macro, ...]) -> Expr:
    """`expr`, named. `macros`: inner ones first."""
    return replace(expr, named=Named(macros, _constant(expr)))


def macro_of(node: Node) -> Macro | None:
    """The macro whose name stands for a constant in the user's text."""
    named = node.named if isinstance(node, Expr) else None
    if named is None or named.of is None or named.of != _constant(node):
        return None
    return next((macro for macro in reversed(named.macros) if macro.is_constant), None)


def macros_around(node: Node) -> tuple[Macro, ...]:
    """Those that the user has written for it which are more than constants, the innermost first."""
    named = node.named if isinstance(node, Expr) else None
    return () if named is None else tuple(macro for macro in named.macros if not macro.is_constant)


def _constant(expr: Node) -> object:
    """What tells constants apart, that of their types included; None: it is more than numbers and operators."""
    parts: tuple[object, ...]
    match expr:
        case FloatConst(type=Complex()):
            return None
        case IntConst(value=value, text=text) if not text.isidentifier():
            return expr.type, value
        case FloatConst(text=text):
            return expr.type, text
        case Unary(op=op, operand=operand):
            parts = (op, _constant(operand))
        case Binary(op=op, left=left, right=right):
            parts = (op, _constant(left), _constant(right))
        case Cast(operand=operand):
            parts = (_constant(operand),)
        case _:
            return None
    return None if None in parts else (expr.type, *parts)
