"""Analysis: do two expressions, evaluated one after the other, designate the same object or have the same value?

Structural, by symbol: `h[b[i]]` and `h[b[i]]` are the same, `h[0]` and `*h` are not found to be. An expression with a
side effect, or a call of anything but a device library function, is the same as nothing, not even itself.

    In: two expressions.   Out: bool.   Not here: whether something in between changes what they read.
"""

from __future__ import annotations

from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk


def same(a: t.Expr, b: t.Expr) -> bool:
    """Are `a` and `b` the same expression, which may be evaluated twice?"""
    if type(a) is not type(b):
        return False
    found = form(a)
    return found is not None and found == form(b)


def form(node: t.Expr) -> tuple[object, ...] | None:
    """What is equal for two expressions that are the same, and for no others; None: it is the same as nothing."""
    match node:
        case t.Name(symbol=symbol):
            return t.Name, symbol
        case t.IntConst(value=value):
            return t.IntConst, value, node.type
        case t.FloatConst(text=text):
            return t.FloatConst, text
        case t.Unary(op=op, operand=operand):
            return _form((t.Unary, op), operand)
        case t.Binary(op=op, left=left, right=right):
            return _form((t.Binary, op), left, right)
        case t.Index(base=base, index=index):
            return _form((t.Index,), base, index)
        case t.Member(base=base, member=member, arrow=arrow):
            return _form((t.Member, id(member), arrow), base)
        case t.Cast(operand=operand):
            return _form((t.Cast, ty.unqualified(node.type)), operand)
        case t.Conditional(condition=condition, then=then, other=other):
            return _form((t.Conditional,), condition, then, other)
        case t.Call(function=t.Name(symbol=symbol), args=args) if device_library.is_device_function(symbol.name):
            return _form((t.Call, symbol), *args)
        case _:
            return None


def _form(own: tuple[object, ...], *parts: t.Expr) -> tuple[object, ...] | None:
    forms = [form(part) for part in parts]
    return None if None in forms else (*own, *forms)


def mentions(node: t.Expr, lvalue: t.Expr) -> bool:
    """Does `lvalue` stand in `node`?"""
    return any(isinstance(part, t.Expr) and same(part, lvalue) for part in walk(node))


def only_statement(body: t.Stmt) -> t.Stmt:
    """The one statement inside any number of braces, empty statements aside; `body` itself if there are others."""
    while isinstance(body, t.Block):
        items = [item for item in body.items if not isinstance(item, t.Empty)]
        if len(items) != 1:
            return body
        body = items[0]
    return body


def assignment(body: t.Stmt | None) -> t.Assign | None:
    """The plain assignment that is all of `body`."""
    alone = None if body is None else only_statement(body)
    if isinstance(alone, t.ExprStmt) and isinstance(alone.expr, t.Assign) and alone.expr.op == "=":
        return alone.expr
    return None
