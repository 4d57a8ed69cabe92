"""The small pieces of code that rewrites of loops are put together from.

    named(i), integer(-2), plus(n, 1), compared("<", a, b), all_of([a, b])      expressions: i, -2, n + 1, a < b, a && b
    assigned(x, y), done_where((a, b), [s])                                     statements: x = y; if (a && b) { s }

    In: parts, each of which is the piece's own from then on (`copied`, where it stands elsewhere, too).
    Out: expressions and statements.   Not here: what they are for -- the rewrites beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied


def named(symbol: t.Symbol) -> t.Name:
    return t.Name(symbol.type, symbol.loc, symbol)


def integer(value: int, where: Location) -> t.Expr:
    number = t.IntConst(ty.INT, where, abs(value), str(abs(value)))
    return number if value >= 0 else t.Unary(ty.INT, where, "-", number)


def plus(value: t.Expr, more: int, kind: ty.Type | None = None) -> t.Expr:
    """A copy of `value` with a number added, of the type `kind`; None: its own."""
    known = constant_value(value)
    if known is not None:
        return integer(known + more, value.loc)
    if more == 0:
        return copied(value)
    kind = ty.unqualified(value.type if kind is None else kind)
    match value:
        case t.Binary(op="+" | "-", left=left, right=t.IntConst(value=last)) if kind == value.type == left.type:
            if kind in (ty.INT, ty.LONG):  # where each step stays in range, so does the sum of both
                return plus(left, more + (last if value.op == "+" else -last))
        case _:
            pass
    return t.Binary(kind, value.loc, "+" if more > 0 else "-", copied(value), integer(abs(more), value.loc))


def compared(op: str, left: t.Expr, right: t.Expr) -> t.Expr:
    return t.Binary(ty.INT, left.loc, op, left, right)


def all_of(conditions: Sequence[t.Expr]) -> t.Expr:
    """Do all hold?"""
    found = conditions[0]
    for condition in conditions[1:]:
        found = t.Binary(ty.INT, condition.loc, "&&", found, condition)
    return found


def assigned(target: t.Expr, value: t.Expr) -> t.ExprStmt:
    return t.ExprStmt(target.loc, t.Assign(ty.unqualified(target.type), target.loc, "=", target, value))


def done_where(guards: Sequence[t.Expr], statements: Sequence[t.Stmt]) -> list[t.Stmt]:
    """`statements`, where copies of all the guards hold."""
    if not guards or not statements:
        return list(statements)
    condition = all_of([copied(guard) for guard in guards])
    return [t.If(statements[0].loc, condition, t.Block(statements[0].loc, tuple(statements)), None)]
