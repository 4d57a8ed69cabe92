"""Analysis: statements that change one object and can be done as one atomic operation (OpenMP 5.2, 15.8.4).

    x += e;  x++;  x = x * e;  x = e - x;                       add, add, mul, rsub
    if (e < x) x = e;  x = x > e ? e : x;  x = fmin(x, e);      min, min, fmin
    if (x == e) x = d;                                          replace

Operations of one `group` on an object may be done in any order: integer arithmetic is modulo 2^n, and the order of
floating additions is not fixed by a program that leaves it to its threads. What is not exact under another order has
no group: `n += 1.5` on an int, `x /= e`. `<` and `<=`, or `a < b ? a : b` and its mirror image, differ only in what
they do with NaN and with zeros of different sign; the operation keeps to the user's own.

    In: expressions and statements.   Out: Operation, or None.
    Not here: directives -- atomics.py, criticals.py; whether others touch the object -- atomic_operations.py.
"""

from __future__ import annotations

from enum import Enum

from ompc.analysis.integers.equality import assignment, mentions, same
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty


class Result(Enum):
    """What an operation is asked for: nothing, the object's value before or after it, whether it took place."""

    NOTHING = "nothing"
    BEFORE = "before"
    AFTER = "after"
    SUCCESS = "success"


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One atomic operation on `object`.

    `name`       the runtime's function is `ompc::atomic_NAME`; `relation` its template argument, for `when`, `unless`
    `operands`   evaluated once, before
    `group`      operations of one group leave the same object behind in any order; None: the order matters
    `in_order`   of one group, and yet inside one iteration the order is C's (NaN among the operands of min and max)
    `mentions`   the nodes of the tree that stand for the object
    `otherwise`  where the object's value goes when it is not replaced (compare_exchange)
    """

    name: str
    object: t.Expr
    operands: tuple[t.Expr, ...]
    mentions: tuple[t.Expr, ...]
    group: str | None = None
    in_order: bool = False
    relation: str | None = None
    result: Result = Result.NOTHING
    otherwise: t.Expr | None = None


_NAMES = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr",
}  # fmt: skip
_REVERSED = {"-": "rsub", "/": "rdiv", "<<": "rshl", ">>": "rshr"}
_COMMUTATIVE = frozenset("+*&|^")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
RELATIONS = {"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}
"""The runtime's names of the relations."""


def update(node: t.Expr) -> Operation | None:
    """`x op= e`, `x++`, `x = x op e` or `x = e op x`."""
    match node:
        case t.Assign(op="=", target=x, value=t.Binary() as value):
            return _binary(x, value)
        case t.Assign(op=op, target=x, value=e) if op[:-1] in _NAMES:
            return None if mentions(e, x) else _update(op[:-1], x, e, (x,))
        case t.IncDec(op=op, operand=x):
            return _update(op[0], x, t.IntConst(ty.INT, node.loc, 1, "1"), (x,))
        case _:
            return None


def _binary(x: t.Expr, value: t.Binary) -> Operation | None:
    op, left, right = value.op, value.left, value.right
    if op not in _NAMES:
        return None
    if same(left, x) and not mentions(right, x):
        return _update(op, x, right, (x, left))
    if not same(right, x) or mentions(left, x):
        return None
    if op in _COMMUTATIVE:
        return _update(op, x, left, (x, right))
    return Operation(_REVERSED[op], x, (left,), (x, right))


def _update(op: str, x: t.Expr, e: t.Expr, nodes: tuple[t.Expr, ...]) -> Operation:
    return Operation(_NAMES[op], x, (e,), nodes, group=_group("+" if op == "-" else op, x.type, e.type))


def _group(op: str, kind: ty.Type, operand: ty.Type) -> str | None:
    """`op` when the final value does not depend on the order, but for a floating sum's or product's last bits."""
    if op not in _COMMUTATIVE or (ty.is_integer(kind) and not ty.is_integer(operand)):
        return None
    is_truth_value = isinstance(kind, ty.Int) and kind.name == "_Bool"
    return op if not is_truth_value or op in "&|" else None


# ------------------------------------------------------------------- minimum, maximum, compare and replace


def selection(node: t.Stmt | t.Expr) -> Operation | None:
    """`if (e < x) x = e;`, `x = e < x ? e : x`, `x = fmin(x, e)`, `if (x == e) x = d;` and their mirror images."""
    match node:
        case t.If(condition=condition, then=then, other=None):
            found = assignment(then)
            return None if found is None else _replaced_when(condition, found.target, found.value, ())
        case t.ExprStmt(expr=expr):
            return selection(expr)
        case t.Assign(op="=", target=x, value=t.Conditional(condition=condition, then=then, other=other)):
            if same(other, x):
                return _replaced_when(condition, x, then, (other,))
            return _replaced_unless(condition, x, other, (then,)) if same(then, x) else None
        case t.Assign(op="=", target=x, value=t.Call(function=t.Name(symbol=function), args=(first, second))):
            own, e = (first, second) if same(first, x) else (second, first)
            names = _LIBRARY_TYPES.get(ty.unqualified(x.type), ())
            if function.name not in names or not same(own, x) or mentions(e, x):
                return None
            name = function.name[:4]
            return Operation(name, x, (e,), (x, own), group=name[1:] if keeps_value(e, x.type) else None)
        case _:
            return None


_LIBRARY_TYPES: dict[ty.Type, tuple[str, ...]] = {
    ty.DOUBLE: ("fmin", "fmax"),
    ty.FLOAT: ("fmin", "fmax", "fminf", "fmaxf"),
}
"""The library's minimum and maximum, where they round nothing, by the type of the object."""


def related(condition: t.Expr, x: t.Expr, e: t.Expr) -> tuple[str, t.Expr] | None:
    """(R, the node of x) when `condition` is `e R x` for a relation R, or says that in its mirror image."""
    match condition:
        case t.Binary(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
            if same(right, x) and same(left, e):
                return op, right
            if same(left, x) and same(right, e):
                return _MIRRORED[op], left
        case _:
            pass
    return None


def equal(condition: t.Expr) -> tuple[t.Expr, t.Expr] | None:
    """The operands of `==`."""
    match condition:
        case t.Binary(op="==", left=left, right=right):
            return left, right
        case _:
            return None


def _replaced_when(condition: t.Expr, x: t.Expr, e: t.Expr, others: tuple[t.Expr, ...]) -> Operation | None:
    """x becomes `e` where `condition` holds: `e R x`, or for any `e` at all `x == d`."""
    operands = equal(condition)
    if operands is not None:
        return _replaced_where_equal(operands, x, e, others)
    found = related(condition, x, e)
    if found is None or mentions(e, x):
        return None
    relation, own = found
    nodes = (x, own, *others)
    if _is_plain(relation, x, e):
        return _least_or_greatest(relation, x, e, nodes)
    group = _order_group(relation, x, e)
    return Operation("when", x, (e,), nodes, group=group, in_order=True, relation=RELATIONS[relation])


def _replaced_unless(condition: t.Expr, x: t.Expr, e: t.Expr, others: tuple[t.Expr, ...]) -> Operation | None:
    """x becomes `e` unless `x R e`."""
    found = related(condition, e, x)
    if found is None or mentions(e, x):
        return None
    relation, operand = found
    assert isinstance(condition, t.Binary)
    own = condition.left if operand is condition.right else condition.right
    nodes = (x, own, *others)
    if ty.is_integer(x.type) and ty.is_integer(e.type):
        return _least_or_greatest(relation, x, e, nodes)
    group = _order_group(relation, x, e)
    return Operation("unless", x, (e,), nodes, group=group, in_order=True, relation=RELATIONS[relation])


def _replaced_where_equal(
    operands: tuple[t.Expr, t.Expr], x: t.Expr, d: t.Expr, others: tuple[t.Expr, ...]
) -> Operation | None:
    own, e = operands if same(operands[0], x) else (operands[1], operands[0])
    if not same(own, x) or mentions(e, x) or mentions(d, x):
        return None
    return Operation("replace", x, (e, d), (x, own, *others))


def _is_plain(relation: str, x: t.Expr, e: t.Expr) -> bool:
    """Can `e R x` not be told from the strict relation?"""
    return relation in ("<", ">") or (ty.is_integer(x.type) and ty.is_integer(e.type))


def _least_or_greatest(relation: str, x: t.Expr, e: t.Expr, nodes: tuple[t.Expr, ...]) -> Operation:
    name = "min" if relation[0] == "<" else "max"
    return Operation(name, x, (e,), nodes, group=_order_group(relation, x, e))


def _order_group(relation: str, x: t.Expr, e: t.Expr) -> str | None:
    """`min` or `max` where the operand keeps its value when it is stored: else something else was compared."""
    return ("min" if relation[0] == "<" else "max") if keeps_value(e, x.type) else None


def keeps_value(e: t.Expr, kind: ty.Type) -> bool:
    """Is `e` the same number after its conversion to `kind`?"""
    source, target = ty.unqualified(e.type), ty.unqualified(kind)
    if source == target:
        return True
    if isinstance(source, ty.Int) and isinstance(target, ty.Int):
        wider = target.size > source.size and (target.signed or not source.signed)
        constant = isinstance(e, t.IntConst) and 0 <= e.value < 128 and target.name != "_Bool"
        return wider or constant
    if isinstance(target, ty.Float):
        digits = {4: 3, 8: 6}[target.size]  # bytes of an integer that the significand holds
        return (isinstance(source, ty.Float) and source.size < target.size) or (
            ty.is_integer(source) and ((ty.size_of(source) or 8) < digits)
        )
    return False
