"""Analysis: argmin and argmax reductions (MINLOC, MAXLOC): a best value that other variables go along with.

    #pragma omp critical
    if (e < best) { best = e; where = i; }           key best, companion where: the least e, and the i that had it

Each thread can keep its own best with its companions, and the best of all is chosen after the loop. Of equal ones C
takes whichever comes first (`<`) or last (`<=`), which depends on the threads' order; here it is the lowest (highest)
number of iteration.

    In: an `if` statement.   Out: ArgReduction, or None.
    Not here: whether the objects are used elsewhere -- criticals.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from ompc.analysis.integers.equality import mentions, only_statement
from ompc.analysis.reductions.operations import keeps_value, related
from ompc.ir import tree as t
from ompc.ir import types as ty


@dataclass(frozen=True, slots=True, eq=False)
class ArgReduction:
    """`statement` replaces the `objects`, of which `key` is (part of) one, where `e relation key`."""

    statement: t.If
    key: t.Expr
    relation: str
    objects: tuple[t.Symbol, ...]
    mentions: tuple[t.Expr, ...]


def arg_reduction(node: t.Stmt) -> ArgReduction | None:
    """The reduction that `node` is one entry of."""
    if not isinstance(node, t.If) or node.other is not None:
        return None
    assigned = _assignments(node.then)
    if assigned is None:
        return None
    objects = tuple(dict.fromkeys(variable(assign.target) for assign in assigned))
    known = tuple(symbol for symbol in objects if symbol is not None)
    if known != objects or any(_mentions_any(assign.value, known) for assign in assigned):
        return None
    for assign in assigned:
        found = related(node.condition, assign.target, assign.value)
        if found is not None and ty.is_arithmetic(assign.target.type) and keeps_value(assign.value, assign.target.type):
            nodes = (found[1], *(assign.target for assign in assigned))
            return ArgReduction(node, assign.target, found[0], known, nodes)
    return None


def _assignments(body: t.Stmt) -> list[t.Assign] | None:
    alone = only_statement(body)
    statements = alone.items if isinstance(alone, t.Block) else (alone,)
    found: list[t.Assign] = []
    for statement in statements:
        match statement:
            case t.Empty():
                pass
            case t.ExprStmt(expr=expr) if (assigned := _in_sequence(expr)) is not None:
                found += assigned
            case _:
                return None
    return found


def _in_sequence(expr: t.Expr) -> list[t.Assign] | None:
    """The assignments of `a = b, c = d`."""
    match expr:
        case t.Assign(op="="):
            return [expr]
        case t.Comma(left=left, right=right):
            first, second = _in_sequence(left), _in_sequence(right)
            return None if first is None or second is None else first + second
        case _:
            return None


def variable(lvalue: t.Expr) -> t.Symbol | None:
    """The variable that a name or a member of a struct belongs to; None for what is reached by a pointer or index."""
    while isinstance(lvalue, t.Member) and not lvalue.arrow and lvalue.member.bits is None:
        lvalue = lvalue.base
    if not isinstance(lvalue, t.Name) or isinstance(lvalue.symbol.type, (ty.Array, ty.Pointer)):
        return None
    return lvalue.symbol


def _mentions_any(node: t.Expr, symbols: tuple[t.Symbol, ...]) -> bool:
    return any(mentions(node, t.Name(symbol.type, node.loc, symbol)) for symbol in symbols)
