"""Analysis: argmin and argmax reductions (MINLOC, MAXLOC): a best value that other variables go along with.

    #pragma omp critical
    if (e < best) { best = e; where = i; }           key best, companion where: the least e, and the i that had it

Each thread can keep its own best with its companions, and the best of all is chosen after the loop. Of equal ones C
takes whichever comes first (`<`) or last (`<=`), which depends on the threads' order; here it is the lowest (highest)
number of iteration. Where the program says which of equal ones is meant, no order shows:

    if (e < best || (e == best && i < where)) { best = e; where = i; }        tie where: the least i of the least e

The tie is an integer, of which any two are ordered (key and tie are a lexicographic order then, NaN never the best).

    In: an `if` statement.   Out: ArgReduction, or None.
    Not here: whether the objects are used elsewhere -- criticals.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.integers.equality import mentions, only_statement, same
from ompc.analysis.reductions.operations import equal, keeps_value, related
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty


@dataclass(frozen=True, slots=True, eq=False)
class ArgReduction:
    """`statement` replaces the `objects`, of which `key` is (part of) one, where `e relation key`, or where they are
    equal and `tie` says so.
    """

    statement: t.If
    key: t.Expr
    relation: str
    objects: tuple[t.Symbol, ...]
    mentions: tuple[t.Expr, ...]
    tie: Tie | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """Of equal keys, what assigns to `place` is better where `e relation place`."""

    place: t.Expr
    relation: str


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
    targets = tuple(assign.target for assign in assigned)
    for assign in assigned:
        found = _compared(node.condition, assign, assigned)
        if found is not None and ty.is_arithmetic(assign.target.type) and keeps_value(assign.value, assign.target.type):
            relation, nodes, tie = found
            return ArgReduction(node, assign.target, relation, known, (*nodes, *targets), tie)
    return None


_Compared = tuple[str, tuple[t.Expr, ...], Tie | None]
"""The relation, the nodes that stand for the objects, the tie."""


def _compared(condition: t.Expr, key: t.Assign, assigned: Sequence[t.Assign]) -> _Compared | None:
    """`e R key`, or `e R key || e == key && i S tie`; their mirror images, in any order."""
    found = related(condition, key.target, key.value)
    if found is not None:
        return found[0], (found[1],), None
    if not isinstance(condition, t.Binary) or condition.op != "||":
        return None
    for first, second in _both_ways(condition):
        better, tied = related(first, key.target, key.value), _tied(second, key, assigned)
        if better is not None and better[0] in ("<", ">") and tied is not None:
            nodes, tie = tied
            return better[0], (better[1], *nodes), tie
    return None


def _tied(condition: t.Expr, key: t.Assign, assigned: Sequence[t.Assign]) -> tuple[tuple[t.Expr, ...], Tie] | None:
    """`e == key && i S tie`, where `tie = i` is among what is assigned."""
    if not isinstance(condition, t.Binary) or condition.op != "&&":
        return None
    for equality, order in _both_ways(condition):
        own = _own_side(equality, key)
        for assign in assigned:
            found = related(order, assign.target, assign.value)
            if own is None or found is None or assign is key:
                continue
            if ty.is_integer(assign.target.type) and keeps_value(assign.value, assign.target.type):
                return (own, found[1]), Tie(assign.target, found[0])
    return None


def _own_side(condition: t.Expr, key: t.Assign) -> t.Expr | None:
    """The node of the key in `e == key` or `key == e`."""
    operands = equal(condition)
    if operands is None:
        return None
    left, right = operands
    if same(left, key.target) and same(right, key.value):
        return left
    return right if same(right, key.target) and same(left, key.value) else None


def _both_ways(node: t.Binary) -> tuple[tuple[t.Expr, t.Expr], tuple[t.Expr, t.Expr]]:
    return (node.left, node.right), (node.right, node.left)


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
