"""Loop bounds and launcher arguments: what the host passes to a launcher, and what the launcher computes from it.

A bound that is integer arithmetic on scalars passed by value is computed in the launcher, where a reader sees it. Any
other one without side effects (`i < row[r + 1]`, `i < g->n`, `i < (int)(x * y)`) is evaluated by the host in the call:
the original evaluates it at that place anyway, and its compiler contracts what it has contracted there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ompc.analysis.integers.invariance import Invariance
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.model import FixedRead, ParallelLoop
from ompc.plan.model.launch import Agreement, Argument, Bound, ThreadTable
from ompc.plan.model.names import Local, Name, spelled
from ompc.plan.model.variable import Variable


def bound(name: Name, kind: ty.Type, expr: t.Expr | None, is_value: Callable[[t.Symbol], bool]) -> Bound:
    """The plan of one bound or step; None stands for a step of one."""
    if expr is None:
        return Bound(name, kind, None, None, 1)
    constant = constant_value(expr)
    if constant is not None:
        return Bound(name, kind, expr, None, constant)
    if Invariance(is_value).holds(expr):
        return Bound(name, kind, without_traps(expr), None, None)
    text = c_expr(expr)
    return Bound(name, kind, None, f"({text})" if isinstance(expr, t.Comma) else text, None)  # one argument of a call


def without_traps(expr: t.Expr) -> t.Expr:
    """`expr` where a division by 0 is 0: the original may never come to it, and if it does, anything may happen."""

    def change(node: Node) -> Node | None:
        match node:
            case t.Binary(op="/" | "%", left=left, right=right, type=ty.Int()) if not constant_value(right):
                zero, divided = t.IntConst(ty.INT, node.loc, 0, "0"), rewritten(right, change)
                quotient = t.Binary(node.type, node.loc, node.op, rewritten(left, change), divided)
                return t.Conditional(node.type, node.loc, copied(divided), quotient, zero)
            case _:
                return None

    return rewritten(expr, change)


_ADDRESS = ty.Pointer(ty.Void(quals=frozenset({"const"})))


def fixed_arguments(v: Variable, read: FixedRead) -> list[Argument]:
    """The number that the host reads in memory, and where it lies if the launcher is to compare that."""
    kind, value = ty.unqualified(v.symbol.type), c_expr(read.value)
    text = f"({read.condition}) ? {value} : 0" if read.condition else value
    found = [Argument(v.device_name, kind, text)]
    for lvalue in read.compared:
        text = c_expr(lvalue)
        place = f"({read.condition}) ? &{text} : 0" if read.condition else f"&{text}"
        stays = text, ty.size_of(lvalue.type) or 0
        found.append(Argument(Local("_at", after=v.device_name), _ADDRESS, place, stays=stays))
    return found


def rows_of_scratch(loop: ParallelLoop, values: Sequence[Variable]) -> dict[t.Symbol, tuple[Name, Name]]:
    """The rows of the launch's memory, by the names of what they are counted by."""
    names = {v.symbol: v.device_name for v in values}
    return {symbol: (names[first], names[second]) for symbol, (first, second) in loop.scratch.items()}


def of_each_thread(v: Variable, variable: t.Symbol) -> Argument:
    """What a thread has in the variable that the kernel has a table of."""
    by_value = not v.writes and (ty.is_arithmetic(variable.type) or isinstance(variable.type, ty.Pointer))
    table = ThreadTable(spelled(v.symbol.name), variable, by_value, bool(v.writes))
    kind = ty.unqualified(variable.type) if by_value else ty.Pointer(ty.VOID) if v.writes else _ADDRESS
    text = variable.name if by_value or isinstance(variable.type, ty.Array) else f"&{variable.name}"
    return Argument(Local(variable.name), kind, text, Agreement.NONE, table=table)
