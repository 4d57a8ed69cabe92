"""Constants for which the user has written the name of a macro.

    u[NX - 1]        Binary(-, IntConst(1024, named NX), IntConst(1))
    1.0 / CELLS      CELLS is (NX * NX): Binary(*, ...) is named CELLS, and each 1024 in it NX

The name goes where the node goes, and through `replace` to nodes that other code makes of it; so it comes with what it
stands for, and counts only where the node is still that.

In: an expression.   Out: the same with a name; the macro that it is; text with names.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.base.macros import Macro, Named
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.tree import Binary, Cast, Expr, FloatConst, IntConst, Unary
from ompc.ir.types import INT, Complex
from ompc.ir.walk import Node


def with_name(expr: Expr, macro: Macro) -> Expr:
    """`expr`, named; itself where it is no constant."""
    of = _constant(expr)
    if of is None or not isinstance(expr, (IntConst, FloatConst, Unary, Binary, Cast)):
        return expr
    return replace(expr, named=Named(macro, of))


def macro_of(node: Node) -> Macro | None:
    """The macro whose name stands for a constant in the user's text."""
    match node:
        case IntConst(named=Named() as named) | FloatConst(named=Named() as named) | Cast(named=Named() as named):
            pass
        case Unary(named=Named() as named) | Binary(named=Named() as named):
            pass
        case _:
            return None
    return named.macro if named.of == _constant(node) else None


def as_written(expr: Expr) -> str:
    """`expr` as C text for people, with these names."""

    def change(node: Node) -> Node | None:
        macro = macro_of(node)
        return None if macro is None else IntConst(INT, expr.loc, 0, macro.name)

    return c_expr(rewritten(expr, change))


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
