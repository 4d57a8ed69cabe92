"""Splitting of aggregates: what is assigned to a whole struct is assigned to its members, one after the other.

    sum = add(sum, z[i]);                         sum.re = sum.re + z[i].re;
                                          ->      sum.im = sum.im + z[i].im;
    struct complex add(struct complex a, struct complex b)
    {   struct complex c = {a.re + b.re, a.im + b.im};   return c;   }

Then each member is seen to be accumulated for itself. The value is a braced list that names every member, another
object, or a call of a function that only computes such a list from its parameters; it is made from what the statement
found, so that no member's value may read what is assigned to another member before.

    In: code, which assignments are wanted, the functions of the unit.   Out: the code with blocks for those that can
    be split; members that are arrays, structs or bit-fields keep the struct together.
    Not here: what the members are used for -- analysis/reductions/record_merging.py.
    Source: scalar replacement of aggregates (Muchnick, "Advanced Compiler Design and Implementation", 12.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, follows_pointer
from ompc.ir.queries import nodes, symbols_in
from ompc.ir.rewrite import copied, rewritten, with_parts
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, children
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.uses import has_side_effects
from ompc.transform.records.values import members_of, values_of

Wanted = Callable[[t.Assign], bool]


def with_record_members(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> ParallelLoop:
    """`loop` where what it assigns to structs of which each thread of the team has one is assigned to their members."""
    own = {s for s, how in loop.sharing.items() if how is Sharing.TEAM_PRIVATE and members_of(s.type) is not None}
    if not own or loop.body is None or not loop.loops:
        return loop

    def wanted(assign: t.Assign) -> bool:
        return isinstance(assign.target, t.Name) and assign.target.symbol in own

    body = members_apart(loop.body, wanted, functions)
    if body is loop.body:
        return loop
    return replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)))


def members_apart(
    code: t.Stmt, wanted: Wanted, functions: Mapping[str, t.Function], but: t.Stmt | None = None
) -> t.Stmt:
    """`code` with the `wanted` assignments of structs split, if they can be; what is in `but` stays as it is."""

    def change(node: Node) -> Node | None:
        if node is but or isinstance(node, t.Expr):
            return node
        match node:
            case t.ExprStmt(expr=t.Assign(op="=") as assign) if wanted(assign):
                return _split(assign, functions) or node
            case t.For(body=body):
                return with_parts(node, body=rewritten(body, change))  # a head has no room for a block
            case _:
                return None

    return rewritten(code, change)


def _split(assign: t.Assign, functions: Mapping[str, t.Function]) -> t.Block | None:
    members, target = members_of(assign.target.type), assign.target
    if members is None or has_side_effects(target) or not _is_one_place(target):
        return None
    values = values_of(assign.value, functions)
    if values is None or values.keys() != members.keys():
        return None
    if not all(_reads_only_its_own(values[name], target, member) for name, member in members.items()):
        return None
    statements = []
    for name, member in members.items():
        part = t.Member(member.type, assign.loc, copied(target), member, arrow=False)
        assigned = t.Assign(member.type, assign.loc, "=", part, copied(values[name]))
        statements.append(t.ExprStmt(assign.loc, assigned))
    return t.Block(assign.loc, tuple(statements))


def _is_one_place(target: t.Expr) -> bool:
    """Does what is stored in the target not change which object that is?"""
    path = access_path(target)
    inside = [node for subscript in path.subscripts for node in nodes(subscript)]
    if any(map(follows_pointer, inside)) or path.variable in {n.symbol for n in inside if isinstance(n, t.Name)}:
        return False
    if path.variable is not None:
        return True
    return isinstance(path.origin, t.Name) and all(map(_is_only_named, symbols_in(target)))


def _reads_only_its_own(value: t.Expr, target: t.Expr, member: ty.Field) -> bool:
    """Is what `value` reads none of the target, but for its `member`? Nor anything that a pointer to it may lead to."""
    variable = access_path(target).variable
    pending: list[Node] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, t.Member) and node.member.name == member.name and _same(node.base, target):
            continue
        if follows_pointer(node) and not _is_only_named(variable):
            return False
        if isinstance(node, t.Name) and (node.symbol is variable or not (variable or _is_only_named(node.symbol))):
            return False
        pending += children(node)
    return True


def _is_only_named(symbol: t.Symbol | None) -> bool:
    """Does nothing but its name lead to the variable?"""
    if symbol is None or symbol.address_taken:
        return False
    return symbol.is_automatic or symbol.storage in (t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC)


def _same(a: t.Expr, b: t.Expr) -> bool:
    names = [[n.symbol for n in nodes(e) if isinstance(n, t.Name)] for e in (a, b)]
    return c_expr(a) == c_expr(b) and names[0] == names[1]
