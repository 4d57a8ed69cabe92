"""Analysis: which reads of a loop find in an array what it held before the loop?

Iterations may read elements that only later ones write. Then the loop is serial by anti-dependences alone, and of its
reads is known which value they want:

    for (i = 0; i < n; i++) {
        s = b[i];                        its own element: what it holds by then, which no other iteration changes
        for (k = i + 1; k < n; k++)
            s += a[k] * b[k];            elements of later iterations: what they held before the loop
        b[i] = s;
    }

    former   wherever a write has the element in common with the read, the read comes first: the iteration that
             writes is a later one, or the same one, and there a later statement writes, or the assignment of which the
             value is computed with the read
    own      the iteration that writes is the same one
    neither  an earlier iteration writes, or it is not known

    In: a loop and those around it, the accesses to one array.   Out: the former reads; None: a read is neither.
    Not here: what becomes of them -- plan/rewrites/former_values.py; two iterations that write one element, of which
    the mapping asks; other arrays that are the same one (the launcher).
    Source: anti-dependences, Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2.2 and 5.6 (node
    splitting).
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.dependence.dependence import Candidate, Dependences
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.memory.accesses import Access
from ompc.ir import tree as t
from ompc.ir.exits import labels_in
from ompc.ir.walk import walk

_OWN = frozenset({"="})


def former_reads(candidate: Candidate, accesses: Sequence[Access]) -> tuple[Access, ...] | None:
    """The reads of the array for which a copy of it may stand; `accesses` are all to it."""

    def found() -> tuple[Access, ...] | None:
        dependences = Dependences(candidate)
        writes = [access for access in accesses if access.mode.writes]
        reads = [access for access in accesses if not access.mode.writes]
        moved = [read for read in reads if not all(_are_own(dependences, read, write) for write in writes)]
        order = _Order(candidate.loop.body)
        known = all(_is_former(dependences, order, read, write) for read in moved for write in writes)
        return tuple(moved) if known else None

    return answered(found, None, candidate.loop.statement.loc)


def _are_own(dependences: Dependences, one: Access, other: Access) -> bool:
    """Do both touch the same element in one iteration alone?"""
    between = dependences.between(one, other)
    return between is not None and between.directions <= _OWN


def _is_former(dependences: Dependences, order: _Order, read: Access, write: Access) -> bool:
    """Does the read come before the write wherever both touch the same element?"""
    between = dependences.between(read, write)
    if between is None or ">" in between.directions:
        return False
    return "=" not in between.directions or order.is_before(read.node, write.node)


class _Order:
    """Of the statements of an iteration."""

    def __init__(self, body: t.Stmt) -> None:
        while isinstance(body, t.Block) and len(body.items) == 1:
            body = body.items[0]
        self._items = body.items if isinstance(body, t.Block) else (body,)
        self._jumps = labels_in(body)

    def is_before(self, read: t.Expr, write: t.Expr) -> bool:
        """Is the read done, as often as it is, before the write is?"""
        first, second = self._place(read), self._place(write)
        if self._jumps or first is None or second is None:
            return False
        return first < second or (first == second and _is_operand(self._items[first], read, write))

    def _place(self, node: t.Expr) -> int | None:
        return next((k for k, item in enumerate(self._items) if node in set(walk(item))), None)


def _is_operand(item: t.Stmt, read: t.Expr, write: t.Expr) -> bool:
    """Is the statement nothing but an assignment to `write`, of a value that is computed with `read`?"""
    match item:
        case t.ExprStmt(expr=t.Assign(target=target, value=value)):
            stores = [node for node in walk(value) if isinstance(node, (t.Assign, t.IncDec, t.Call))]
            return target is write and read in set(walk(value)) and not stores
        case _:
            return False
