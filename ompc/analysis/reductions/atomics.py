"""Analysis: the `atomic` construct in all its forms (OpenMP 5.2, 15.8.4).

Each form becomes one operation that stands where a piece of the user's text stood; the rest of that text is dropped:

    x += e;                                  the assignment           atomic_add(&x, e)
    v = x;  x = e;                           x in the first           atomic_read(&x);  the assignment: atomic_write
    v = x++;                                 x++                      atomic_add(&x, 1), the value before
    { v = x; x *= e; }                       x in `v = x`             atomic_mul, before; the second is dropped
    { x *= e; v = x; }                       x in `v = x`             atomic_mul, after; the first is dropped
    if (e < x) x = e;                        the statement            atomic_min
    if (x == e) x = d; else v = x;           the statement            atomic_compare_exchange(&x, e, d, &v)
    { r = x == e; if (r) x = d; }            `x == e`                 atomic_compare_exchange; the `if` is dropped

`weak` and `hint` ask for nothing that could be seen. With a memory order other than `relaxed`, memory is ordered
before and after an operation that reads or writes; nobody can see the order of updates that give no value.

    In: a pragma and its statement.   Out: Forms, or the Reason why not (OMPC348).
    Not here: whether the object is shared at all -- atomic_operations.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.integers.equality import assignment, mentions, same
from ompc.analysis.reductions.operations import Operation, Result, equal, selection, update
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.omp.constructs import readable

_ORDERS = frozenset({"seq_cst", "acq_rel", "acquire", "release"})


@dataclass(frozen=True, slots=True)
class Forms:
    """What stands in the place of nodes of the tree: an operation, or (a statement) None: nothing is left of it.

    `ordered` are the pragmas before and after which memory is ordered.
    """

    expressions: Mapping[t.Expr, Operation] = field(default_factory=dict)
    statements: Mapping[t.Stmt, Operation | None] = field(default_factory=dict)
    ordered: frozenset[t.Pragma] = frozenset()

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (*self.expressions.values(), *(found for found in self.statements.values() if found is not None))

    def __or__(self, other: Forms) -> Forms:
        return Forms(
            {**self.expressions, **other.expressions},
            {**self.statements, **other.statements},
            self.ordered | other.ordered,
        )


def atomic(pragma: t.Pragma, *, in_order: bool = False) -> Forms | Reason:
    """The operation of an `atomic` construct. `in_order`: the file's default is not `relaxed` (OpenMP 5.2, 8.2.1)."""
    directive = readable(pragma)
    found = None if directive is None or pragma.body is None else _forms(directive, pragma.body)
    if found is None or directive is None:
        return Reason("OMPC348", "the statement of an 'atomic' has a form that is not recognised", pragma.loc)
    for operation in found.operations:
        problem = unsuitable(operation)
        if problem is not None:
            return Reason("OMPC348", problem, pragma.loc)
    seen = any(op.result is not Result.NOTHING or op.name in ("read", "write") for op in found.operations)
    said = {clause.name for clause in directive.clauses} & {*_ORDERS, "relaxed"}
    ordered = seen and (in_order if not said else said != {"relaxed"})
    return replace(found, ordered=frozenset({pragma})) if ordered else found


def unsuitable(operation: Operation) -> str | None:
    """Why the device has no such operation on the object; None when it has."""
    if not isinstance(operation.object, (t.Name, t.Index, t.Member, t.Unary)):
        return "an atomic operation on what is no object"
    for lvalue in filter(None, (operation.object, operation.otherwise)):
        if isinstance(lvalue, t.Member) and lvalue.member.bits is not None:
            return f"an atomic operation on the bit-field '{lvalue.member.name}'"
    if not isinstance(operation.object.type, (ty.Int, ty.Enum, ty.Float)):
        return "an atomic operation on an object that is not of arithmetic type"
    if any(isinstance(operand.type, ty.Complex) for operand in operation.operands):
        return "an atomic operation with a complex number"
    return None


def _forms(directive: Directive, body: t.Stmt) -> Forms | None:
    clauses = {clause.name for clause in directive.clauses}
    if "capture" in clauses:
        return _capture(body, compares="compare" in clauses)
    if "compare" in clauses:
        return _alone(selection(body), body)
    if not isinstance(body, t.ExprStmt):
        return None
    expr = body.expr
    if "read" in clauses or "write" in clauses:
        if not isinstance(expr, t.Assign) or expr.op != "=":
            return None
        return _read(expr) if "read" in clauses else Forms({expr: _write(expr)})
    found = update(expr)
    return None if found is None else Forms({expr: found})


def _alone(found: Operation | None, body: t.Stmt) -> Forms | None:
    return None if found is None else Forms(statements={body: found})


def _read(expr: t.Assign) -> Forms:
    x = expr.value
    return Forms({x: Operation("read", x, (), (x,), result=Result.BEFORE)})


def _write(expr: t.Assign, name: str = "write") -> Operation:
    return Operation(name, expr.target, (expr.value,), (expr.target,))


# ------------------------------------------------------------------- capture


def _capture(body: t.Stmt, compares: bool) -> Forms | None:
    match body:
        case t.ExprStmt(expr=t.Assign(op="=", target=v, value=value)):
            return captured_in_place(v, value)
        case t.If():
            return _replaced_or_captured(body)
        case t.Block(items=items):
            statements = [item for item in items if not isinstance(item, t.Empty)]
            if len(statements) != 2:
                return None
            first, second = statements
            return (
                _success(first, second)
                or captured(first, second, Result.BEFORE, compares)
                or captured(second, first, Result.AFTER, compares)
            )
        case _:
            return None


def captured_in_place(v: t.Expr, value: t.Expr) -> Forms | None:
    """`v = x++`, `v = x op= e`, `v = x = x op e`."""
    found = update(value)
    if found is None or mentions(v, found.object):
        return None
    before = isinstance(value, t.IncDec) and not value.prefix
    return Forms({value: replace(found, result=Result.BEFORE if before else Result.AFTER)})


def captured(capture: t.Stmt, change: t.Stmt, result: Result, compares: bool) -> Forms | None:
    """`v = x;` before or after the statement that changes x."""
    taken = assignment(capture)
    if taken is None or isinstance(capture, t.Block):
        return None
    found = _change(change, compares)
    v, x = taken.target, taken.value
    if found is None or not same(found.object, x) or any(mentions(e, v) for e in found.operands):
        return None
    whole = replace(found, mentions=(x, *found.mentions), result=result)
    return Forms({x: whole}, {change: None})


def _change(node: t.Stmt, compares: bool) -> Operation | None:
    if compares:
        return selection(node)
    if not isinstance(node, t.ExprStmt):
        return None
    found = update(node.expr)
    if found is None and isinstance(node.expr, t.Assign) and node.expr.op == "=":
        written = node.expr
        return None if mentions(written.value, written.target) else _write(written, "exchange")
    return found


def _replaced_or_captured(body: t.If) -> Forms | None:
    """`if (x == e) x = d; else v = x;`."""
    replaced, other = assignment(body.then), assignment(body.other)
    if replaced is None or other is None:
        return None
    found = _compare_exchange(body.condition, replaced, other)
    return None if found is None else Forms(statements={body: found})


def _success(first: t.Stmt, second: t.Stmt) -> Forms | None:
    """`r = x == e; if (r) x = d;`, perhaps with `else v = x;`."""
    compared = assignment(first)
    if compared is None or not isinstance(second, t.If) or not same(second.condition, compared.target):
        return None
    replaced = assignment(second.then)
    other = assignment(second.other)
    if replaced is None or (other is None) != (second.other is None):
        return None
    found = _compare_exchange(compared.value, replaced, other)
    if found is None or any(mentions(e, compared.target) for e in found.operands):
        return None
    return Forms({compared.value: replace(found, result=Result.SUCCESS)}, {second: None})


def _compare_exchange(condition: t.Expr, replaced: t.Assign, other: t.Assign | None) -> Operation | None:
    operands, x, d = equal(condition), replaced.target, replaced.value
    if operands is None or (other is not None and not same(other.value, x)):
        return None
    own, e = operands if same(operands[0], x) else (operands[1], operands[0])
    if not same(own, x) or mentions(e, x) or mentions(d, x):
        return None
    v = None if other is None else other.target
    nodes = (x, own) if other is None else (x, own, other.value)
    return Operation("compare_exchange", x, (e, d), nodes, otherwise=v)
