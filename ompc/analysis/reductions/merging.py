"""Analysis: does a team only merge what its threads have accumulated?

Each thread has a partial result; which iterations are in it depends on how they were divided. The team's answer does
not, when the threads only set the partial result and merge it, all of them, by the same operation:

    part = 0;                                     set
    for (...) part += a[i];                       accumulated
    #pragma omp critical
    total += part;                                merged; also total += w * part, if (part > most) most = part, ...

The greatest part is merged as well where `if (part > most)` stands in front of a critical section that asks again.

`x[omp_get_thread_num()] += part` and `if (part > 0) n++` are other uses: what stands beside `part` must be the same in
all threads. Of the threads' own variables those are that keep the value that they have at the launch, where the runtime
compares them; and no thread may jump over the merge alone. An array's elements are set and merged in the same way, each
by its own subscript, in loops that all threads run alike:

    for (int k = 0; k < bins; k++)
        #pragma omp atomic
        counts[k] += own[k];

In: a loop of a team, the variable, the operation.   Out: the variables to compare; None: other uses.
Source: OpenMP 5.2, 5.5.5, whose reductions have the same freedom.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.flow.team_uniform import TeamUniformity
from ompc.analysis.integers.truth_values import is_truth_value
from ompc.analysis.memory.memory_objects import MemoryObject, element_type
from ompc.analysis.reductions.accumulation import COMPOUND, accumulations, only_assignment, picks, relation_wanted
from ompc.analysis.reductions.operations import keeps_value
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.constants import constant_value
from ompc.ir.conversions import uncast
from ompc.ir.queries import nodes, unread_in
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, children, walk
from ompc.omp.loops import alone_in_braces
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import named_in_clauses

_INEXACT = (ty.Float, ty.Complex)


def only_merged(loop: ParallelLoop, device_code: DeviceCode, symbol: t.Symbol, op: str) -> frozenset[t.Symbol] | None:
    """What the threads must agree on when the team's code outside of `loop` only sets `symbol`, and merges it by `op`.

    None: it does something else with it.
    """
    assert loop.team is not None
    code, inside = loop.team.code, set(walk(loop.pragma))
    if unread_in(code) is not None or symbol in named_in_clauses(code, loop.pragma):
        return None
    same = TeamUniformity(loop)
    if not same.all_get_past() or not same.all_come_alike():
        return None
    mentions = {node for node in _mentions(code, symbol) if node not in inside}
    allowed = {*accumulations(code, symbol, op, device_code)}
    for statement, alike in same.executed_by_all():
        merges = _merges(statement, symbol, op, device_code)
        if merges and not (_keeps_total(statement, loop, symbol, op) and _is_alike(statement, same, {symbol} | alike)):
            return None
        if merges or ((set_ := _set_by(statement, symbol)) is not None and same.beside(set_, {symbol} | alike)):
            allowed.update(_mentions(statement, symbol))
    return same.compared if mentions <= allowed else None


def _keeps_total(statement: t.Stmt, loop: ParallelLoop, symbol: t.Symbol, op: str) -> bool:
    """Is one thread's total, of the type of `symbol`, merged as the totals of all threads would be?

    `total += part` with a wider `total` is not: several parts may be in range where their sum is not.
    """
    assert loop.team is not None
    for node in walk(statement):
        if isinstance(node, t.Assign):
            own, target = ty.unqualified(element_type(MemoryObject(symbol))), ty.unqualified(node.target.type)
            reals = any(isinstance(part, t.Expr) and isinstance(part.type, _INEXACT) for part in walk(node.value))
            if reals and not isinstance(target, _INEXACT):
                return False  # each part is truncated for itself
            if op in ("&&", "||"):
                return node.op not in COMPOUND[op] or is_truth_value(loop.team.code, symbol)
            if op in ("min", "max"):
                return keeps_value(t.Name(own, node.loc, symbol), node.target.type)
            if isinstance(own, ty.Complex) or isinstance(target, ty.Complex):
                return isinstance(target, ty.Complex) and isinstance(own, _INEXACT)
            if isinstance(own, ty.Float) or not (isinstance(own, ty.Int) and isinstance(target, ty.Int)):
                return isinstance(own, ty.Float) and isinstance(target, ty.Float)
            is_bit = op in ("&", "|", "^")
            return "_Bool" not in (own.name, target.name) and (is_bit or target.size <= own.size)
    return False


def _is_alike(statement: t.Stmt, same: TeamUniformity, others: Set[t.Symbol]) -> bool:
    """Is what is merged into, and all beside it and the threads' own parts, the same in all threads?"""
    assigned = next((node for node in walk(statement) if isinstance(node, t.Assign)), None)
    if assigned is None:
        return same.beside(statement, others)
    path = access_path(assigned.target)
    if path.variable is not None and same.is_own(path.variable):
        return False
    place = [*path.subscripts, path.origin] if path.follows else path.subscripts
    beside = _outside(statement, assigned.target)
    return all(same.beside(part, others) for part in place) and all(same.is_same(node, others) for node in beside)


def _outside(node: Node, place: t.Expr) -> Iterator[Node]:
    """The nodes that are in no lvalue like `place`."""
    if isinstance(node, t.Expr) and _same(node, place):
        return
    yield node
    for child in children(node):
        yield from _outside(child, place)


def _set_by(statement: t.Stmt, symbol: t.Symbol) -> t.Expr | None:
    """What the statement gives a new value: the variable, or an element of it; None: nothing, or made of the old."""
    match statement:
        case t.ExprStmt(expr=t.Assign(op="=", target=target, value=value)) if _is_part(target, symbol):
            return None if _mentions(value, symbol) else target
        case t.ExprStmt(expr=t.Call() as call) if (filled := _filled_by(call)) is not None:
            return filled if filled.symbol is symbol else None
        case _:
            return None


def only_filled(code: t.Stmt, symbol: t.Symbol) -> bool:
    """Is the address of the array taken for nothing but memset?"""
    filled = {_filled_by(node) for node in nodes(code) if isinstance(node, t.Call)}
    element = {access_path(node).origin for node in nodes(code) if isinstance(node, t.Index)}
    return isinstance(symbol.type, ty.Array) and all(n in filled or n in element for n in _mentions(code, symbol))


def _filled_by(call: t.Call) -> t.Name | None:
    """The array of which memset fills the whole, or the beginning."""
    match call:
        case t.Call(function=t.Name(symbol=function), args=(target, t.IntConst(), size)) if function.name == "memset":
            named = uncast(target)
            return named if isinstance(named, t.Name) and constant_value(size) is not None else None
        case _:
            return None


def _merges(statement: t.Stmt, symbol: t.Symbol, op: str, device_code: DeviceCode) -> bool:
    """Does the statement combine `symbol`, alone or beside other operands, with an object by `op`?"""
    match statement:
        case t.ExprStmt(expr=t.Assign(target=target)) if _mentions(target, symbol):
            return False
        case t.ExprStmt(expr=t.Assign(op="=", target=target, value=value)):
            return _combined_value(value, target, symbol, op, device_code)
        case t.ExprStmt(expr=t.Assign(op=assign, target=target, value=value)):
            return assign in COMPOUND.get(op, ()) and _is_operand(value, symbol, op) and not _has(value, target)
        case t.If(condition=condition, then=then, other=None) if (inner := _guarded(then)) is not None:
            asks = op in ("min", "max") and _asks_before(condition, inner, symbol, op)
            return asks and _merges(inner, symbol, op, device_code)
        case t.If(condition=condition, then=then, other=None) if (assign_ := only_assignment(then)) is not None:
            chosen = _is_operand(assign_.value, symbol, op) and not _mentions(assign_.target, symbol)
            prefers = _prefers(condition, uncast(assign_.value), assign_.target, op)
            return assign_.op == "=" and chosen and prefers
        case _:
            return False


def _guarded(then: t.Stmt) -> t.Stmt | None:
    """The one statement of the `critical` section that is all there is in a branch."""
    inner = alone_in_braces(then)
    if not isinstance(inner, t.Pragma) or inner.directive.name != "critical" or inner.body is None:
        return None
    return alone_in_braces(inner.body)


def _asks_before(condition: t.Expr, merge: t.Stmt, symbol: t.Symbol, op: str) -> bool:
    """Does `condition` only ask whether the `merge` behind it would change anything?

    `if (part > most)` in front of a critical section that makes `most` the greater of both: as `most` only grows, a
    thread that does not enter it would have left it as it was.
    """
    target = next((node.target for node in walk(merge) if isinstance(node, t.Assign)), None)
    sides = (uncast(condition.left), uncast(condition.right)) if isinstance(condition, t.Binary) else ()
    part = next((side for side in sides if _is_part(side, symbol)), None)
    if target is None or part is None or not _prefers(condition, part, target, op):
        return False
    same = [node for node in walk(merge) if isinstance(node, type(part)) and _same(node, part)]
    return len(same) == len(_mentions(merge, symbol))


def _combined_value(value: t.Expr, target: t.Expr, symbol: t.Symbol, op: str, device_code: DeviceCode) -> bool:
    """`target = target + part`, `most = part > most ? part : most`, `least = fmin(least, part)`."""
    match value:
        case t.Binary(op=operator, left=left, right=right) if operator == op and op not in ("min", "max"):
            total, operand = (left, right) if _same(left, target) else (right, left)
            return _is_total(total, target, op) and _is_operand(operand, symbol, op) and not _has(operand, target)
        case t.Conditional(condition=condition, then=then, other=other) if _is_total(other, target, op):
            return _is_operand(then, symbol, op) and _prefers(condition, uncast(then), target, op)
        case t.Call(function=t.Name(symbol=function), args=(first, second)) if picks(function, op, device_code):
            if _is_total(first, target, op):
                return _is_operand(second, symbol, op)
            return _is_total(second, target, op) and _is_operand(first, symbol, op)
        case _:
            return False


def _prefers(condition: t.Expr, chosen: t.Expr, target: t.Expr, op: str) -> bool:
    """Is `condition` that `chosen`, the thread's own, is to replace `target`: less for min, greater for max?"""
    match condition:
        case t.Binary(op=relation, left=left, right=right) if op in ("min", "max"):
            if _is_total(left, chosen, op) and _is_total(right, target, op):
                return relation in relation_wanted(op)
            mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(relation)
            return _is_total(right, chosen, op) and _is_total(left, target, op) and mirrored in relation_wanted(op)
        case _:
            return False


def _has(value: t.Expr, place: t.Expr) -> bool:
    return any(isinstance(node, t.Expr) and _same(node, place) for node in walk(value))


def _is_operand(value: t.Expr, symbol: t.Symbol, op: str) -> bool:
    """Does `symbol` enter `value` so that moving contributions from one thread's copy to another's keeps the total?

    The copy itself; with other operands of the same operation; for sums also a multiple of it.
    """
    match value:
        case t.Name() | t.Index():
            return _is_part(value, symbol)
        case t.Cast(operand=operand, type=to):
            kept = keeps_value(operand, to) if op in ("min", "max") else _keeps_value(to, operand.type)
            return kept and _is_operand(operand, symbol, op)
        case t.Unary(op="-", operand=operand) if op == "+":
            return _is_operand(operand, symbol, op)
        case t.Binary(op=operator, left=left, right=right):
            if operator not in {op, "-", "*", "/"} or (operator != op and op != "+"):
                return False
            if operator == "/" and not isinstance(value.type, _INEXACT):
                return False
            if _mentions(left, symbol):
                return not _mentions(right, symbol) and _is_operand(left, symbol, op)
            return operator != "/" and _is_operand(right, symbol, op)
        case _:
            return False


def _keeps_value(to: ty.Type, source: ty.Type) -> bool:
    """Is the conversion one under which a sum of converted parts is the converted sum, up to rounding?"""
    if isinstance(to, ty.Complex) or isinstance(source, ty.Complex):
        return isinstance(to, ty.Complex) and isinstance(source, _INEXACT)
    if isinstance(to, ty.Float):
        return True
    return isinstance(to, ty.Int) and isinstance(source, ty.Int) and (to.size or 0) >= (source.size or 0)


def _is_total(value: t.Expr, target: t.Expr, op: str) -> bool:
    """Is it what `target` holds, through conversions that make no other number of it, or none modulo its size?"""
    while isinstance(value, t.Cast) and (keeps_value(value.operand, value.type) or _wraps_alike(value, op)):
        value = value.operand
    return not isinstance(value, t.Cast) and _same(value, target)


def _wraps_alike(value: t.Cast, op: str) -> bool:
    both = isinstance(value.type, ty.Int) and isinstance(value.operand.type, ty.Int)
    return op not in ("min", "max") and both and _keeps_value(value.type, value.operand.type)


def _same(a: t.Expr, b: t.Expr) -> bool:
    """Are the two the same lvalue, as written?"""
    a = uncast(a)
    names = [[n.symbol for n in walk(e) if isinstance(n, t.Name)] for e in (a, b)]
    return c_expr(a) == c_expr(b) and names[0] == names[1]


def _is_part(lvalue: t.Expr, symbol: t.Symbol) -> bool:
    """Is it the scalar, or an element of the array, with nothing of it in the subscripts?"""
    if not isinstance(lvalue, t.Name | t.Index):
        return False
    path = access_path(lvalue)
    inside = any(_mentions(subscript, symbol) for subscript in path.subscripts)
    return path.variable is symbol and not any(path.selections) and not inside


def _mentions(node: Node, symbol: t.Symbol) -> list[t.Expr]:
    return [part for part in nodes(node) if isinstance(part, t.Name) and part.symbol is symbol]
