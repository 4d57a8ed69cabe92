"""Sums of several numbers in critical sections, one after the other, as atomic operations can say them.

    #pragma omp critical                         #pragma omp critical
    s = s + x[i] * w + t;                        {
                                                     double part = x[i] * w, part_ = t;
                                           ->        s = s + part;
                                                     s = s + part_;
                                                 }

The numbers are added in the order of the expression, so that the same bits come out where nobody is in between. The
parts are computed before the first addition, since a pointer may lead from them to the sum, unless they are made of
variables that only their names lead to. Others see the sum between two additions only where they do not ask for it
(analysis/reductions/atomic_operations.py: all that is done to it is of one group).

In: code with `critical` constructs.   Out: the same with one addition, subtraction or product in each assignment.
Not here: sums of another type than the variable, which is rounded once; which of them are operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import copied, rewritten, with_bodies
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import has_side_effects

_CHAINS = (("+", "-"), ("*",))


def with_sums_apart(unit: t.Unit) -> t.Unit:
    """`unit` with such sums in its functions' sections apart."""
    return with_bodies(unit, _is_section, lambda body: rewritten(body, _in_section))


def with_sums_apart_in(loop: ParallelLoop) -> ParallelLoop:
    """The same of a loop."""
    if loop.body is None or not loop.loops:
        return loop
    body = rewritten(loop.body, _in_section)
    if body is loop.body:
        return loop
    return replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)))


def _is_section(node: Node) -> bool:
    return isinstance(node, t.Pragma) and node.directive.name == "critical" and node.body is not None


def _in_section(node: Node) -> Node | None:
    if isinstance(node, t.Expr):
        return node
    if isinstance(node, t.Pragma) and _is_section(node):
        body = rewritten(node.body, _apart)
        return node if body is node.body else replace(node, body=body)
    return None


def _apart(node: Node) -> Node | None:
    match node:
        case t.ExprStmt(expr=t.Assign(op="=", target=target, value=t.Binary() as value) as assigned):
            parts = [*_parts(target, value)]
            return _one_by_one(node, assigned, parts) if len(parts) > 1 and _may_be_apart(target, parts) else node
        case t.Expr() | t.Pragma():
            return node
        case _:
            return None


def _parts(target: t.Expr, value: t.Binary) -> Iterator[tuple[str, t.Expr]]:
    """What is added to the target, or multiplied with it, in order; nothing, if that is not all that is done."""
    operators = next((chain for chain in _CHAINS if value.op in chain), ())
    found: list[tuple[str, t.Expr]] = []
    rest: t.Expr = value
    while isinstance(rest, t.Binary) and rest.op in operators and _has_type_of(rest, target):
        found.append((rest.op, rest.right))
        rest = rest.left
    if _same(rest, target):
        yield from reversed(found)


def _same(one: t.Expr, other: t.Expr) -> bool:
    """Do they say the same? In one expression, a name stands for one variable."""
    return type(one) is type(other) and symbols_in(one) == symbols_in(other) and c_expr(one) == c_expr(other)


def _has_type_of(value: t.Expr, target: t.Expr) -> bool:
    return ty.unqualified(value.type) == ty.unqualified(target.type)


def _may_be_apart(target: t.Expr, parts: list[tuple[str, t.Expr]]) -> bool:
    """May the target be named several times, and is no part made of it?"""
    if has_side_effects(target) or any(isinstance(node, t.Call) for node in walk(target)):
        return False
    return not any(_mentions(value, target) for _, value in parts)


def _mentions(value: t.Expr, target: t.Expr) -> bool:
    return any(isinstance(node, t.Expr) and _same(node, target) for node in walk(value))


def _one_by_one(node: t.ExprStmt, assigned: t.Assign, parts: list[tuple[str, t.Expr]]) -> t.Block:
    target, loc = assigned.target, node.loc
    declared: list[t.VarDecl] = []
    statements: list[t.Stmt] = []
    for operator, value in parts:
        part = value
        if not _is_plain(value):
            declared.append(_variable(value, len(declared), declared))
            part = t.Name(declared[-1].symbol.type, loc, declared[-1].symbol)
        sum_of_two = t.Binary(assigned.value.type, loc, operator, copied(target), part)
        statements.append(t.ExprStmt(loc, replace(assigned, target=copied(target), value=sum_of_two)))
    return t.Block(loc, ((t.DeclStmt(loc, tuple(declared)), *statements) if declared else tuple(statements)))


def _is_plain(value: t.Expr) -> bool:
    """Is it arithmetic on numbers and variables that only their names lead to?"""
    arithmetic = (t.Name, t.IntConst, t.FloatConst, t.Binary, t.Unary, t.Cast)
    plain = all(isinstance(node, arithmetic) and not _follows(node) for node in walk(value))
    return plain and all(symbol.is_automatic and not symbol.address_taken for symbol in symbols_in(value))


def _follows(node: Node) -> bool:
    return isinstance(node, t.Unary) and node.op in ("*", "&")


def _variable(value: t.Expr, number: int, declared: list[t.VarDecl]) -> t.VarDecl:
    taken = {symbol.name for symbol in symbols_in(value)} | {decl.symbol.name for decl in declared}
    name = "part" + "_" * number
    while name in taken:
        name += "_"
    symbol = t.Symbol(name, ty.unqualified(value.type), t.Storage.AUTO, value.loc, -3_200 - number)
    return t.VarDecl(symbol, value, value.loc)
