"""Plan: rows that a launch must find apart from each other, since threads that share an iteration have some of each.

    for (i ...) {
        for (j ...) a[j][i] *= 2;           entries of one iteration, in different rows: they are independent only if
    }                                       no pointer of the table leads to where another one does

That iterations of the grid are independent is the pragma's promise. Entries of one iteration are done in their order by
a thread alone; where several threads do them, or a rewrite has changed the order, rows must be different ones. The
launcher looks, and leaves the loop to the host otherwise. It can where it knows how much of each row is used.

    In: Facts, the loops that threads share.   Out: the objects behind stored pointers of which no two may overlap.
    Not here: entries that stay in one row, whichever that is -- analysis/dependence/dependence.py.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Polynomial, depends_on
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.mapping.inner_axes import rows_that_may_overlap


def rows_apart(facts: Facts, shared: Collection[CanonicalLoop]) -> frozenset[MemoryObject]:
    """Those of which loops that are not done in the program's order use several: `shared` ones and such as rewrites
    have made.
    """
    rewritten = [loop for loop in facts.inner_loops.values() if loop.var.position < 0 or facts.loop.wholes]
    nodes = {node for loop in (*shared, *rewritten) for node in walk(loop.statement)}
    stored = [obj for obj in facts.shared_objects if obj.stored and obj in facts.written] if nodes else []
    stored = [obj for obj in stored if not facts.may_meet_itself(obj) and obj not in rows_that_may_overlap(facts)]
    return frozenset(obj for obj in stored if _has_several_rows(facts, obj, nodes))


def _has_several_rows(facts: Facts, obj: MemoryObject, nodes: Collection[t.Expr | t.Stmt | t.VarDecl]) -> bool:
    """Do pointers at several places lead to what the loops access?"""
    inside = [loop.var for loop in facts.inner_loops.values() if loop.statement in nodes]
    rows: set[tuple[Polynomial | None, ...]] = set()
    for access in facts.of(obj):
        if access.subscripts is not None and access.node in nodes:  # without subscripts it meets all others
            relation = facts.relations.of(access, facts.relations.around(access))
            rows.add(relation.subscripts[: access.outer])
    places = [place for row in rows for place in row]
    moves = any(place is None or any(depends_on(factor, inside) for factor in place.factors) for place in places)
    return moves or len(rows) > 1
