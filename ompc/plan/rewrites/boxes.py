"""Rewrite: a loop of a triangle goes over its bounding box, with a guard, so that it can be an axis of the grid.

    for (i = 0; i < n; i++)                        for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++)           ->          for (j = 0; j < n; j++)
            c[i][j] *= beta;                               if (j <= i)
                                                               c[i][j] *= beta;

The box has at most about twice as many points, and threads of those beside the triangle have nothing to do.

    In: Facts, a loop inside the loops that are axes.   Out: the loop over the box, or None.
    Not here: which box -- analysis/interchange/bounding_box.py; whether it becomes an axis -- moved_loops.py; blocks of
    the grid beside the triangle -- forms/tiles.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.interchange.bounding_box import bounding_box
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import CanonicalLoop


def boxed(facts: Facts, loop: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> t.For | None:
    """`loop`, whose bounds change with one of the `outer` ones, as one with bounds that do not."""
    box = bounding_box(facts, loop, outer)
    if box is None:
        return None
    return over(loop, box.relation, box.lower, box.upper, (t.If(loop.body.loc, box.guard, loop.body, None),))


def over(loop: CanonicalLoop, relation: str, first: t.Expr, end: t.Expr, body: Sequence[t.Stmt]) -> t.For:
    """The loop with these bounds and this body."""
    statement, loc = loop.statement, loop.statement.loc
    init = statement.init
    if first is not loop.lower:
        name = t.Name(loop.var.type, loc, loop.var)
        declared = t.DeclStmt(loc, (t.VarDecl(loop.var, first, loc),))
        init = declared if loop.declared_here else t.ExprStmt(loc, t.Assign(loop.var.type, loc, "=", name, first))
    condition = statement.condition
    if end is not loop.upper:
        condition = t.Binary(ty.INT, loc, relation, t.Name(loop.var.type, loc, loop.var), end)
    return replace(statement, init=init, condition=condition, body=t.Block(loop.body.loc, tuple(body)))
