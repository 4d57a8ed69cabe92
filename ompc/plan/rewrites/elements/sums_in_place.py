"""Rewrite: a variable that has an element's value during a loop is that element.

    double s = c[i][j];
    for (k = kk; k < kk + T; k++) s += a[i][k] * b[k][j];    ->    for (...) c[i][j] += a[i][k] * b[k][j];
    c[i][j] = s;

So the loop stands alone, and may be one with that around it. What is kept in registers is decided behind that
(scalar_replacement.py, forms/tiles.py).

    the element    is the same one during the loop, and no other access in the loop may be to its array; that arrays by
                   different names lie apart is asked at the launch, as for all that relies on it
    the variable   is declared there, has the element's type, and is wanted nowhere else

    In: Facts, the body.   Out: the loop, or None.
    Not here: when it pays -- plan/rewrites/whole_loops.py.
    Source: scalar replacement (Callahan, Carr, Kennedy, PLDI 1990), the other way round.
"""

from __future__ import annotations

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import names_in, set_in, symbols_in
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.uses import has_side_effects


def without_accumulator(facts: Facts, body: t.Stmt) -> t.For | None:
    """The loop that `body` is, with an element in the place of the variable that has its value meanwhile."""
    match body:
        case t.Block(
            items=(
                t.DeclStmt(decls=(t.VarDecl(symbol=own, init=t.Index() as element),)),
                t.For() as loop,
                t.ExprStmt(expr=t.Assign(op="=", target=t.Index() as target, value=t.Name(symbol=stored))),
            )
        ) if own is stored:
            pass
        case _:
            return None
    if own.address_taken or own.storage is not t.Storage.AUTO or "volatile" in own.type.quals:
        return None
    if ty.unqualified(own.type) != ty.unqualified(element.type) or not same(element, target):
        return None
    if own in symbols_in(element) or len(names_in(body)[own]) != len(names_in(loop.body).get(own, ())) + 1:
        return None
    if not _stays_apart(facts, loop, element):
        return None

    def change(node: Node) -> Node | None:
        return copied(element) if isinstance(node, t.Name) and node.symbol is own else None

    return rewritten(loop, change)


def _stays_apart(facts: Facts, loop: t.For, element: t.Expr) -> bool:
    """Is it one element, which nothing else in the loop is?"""
    if has_side_effects(element) or not symbols_in(element).isdisjoint(set_in(loop)):
        return False
    inside = set(walk(loop))
    own = {access.obj for access in facts.at(element)}
    others = {access.obj for access in facts.accesses if access.node in inside or access.function is not None}
    return bool(own) and own.isdisjoint(others)
