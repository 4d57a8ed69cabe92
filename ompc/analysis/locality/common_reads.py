"""Analysis: elements that all iterations of a loop read, another one for each iteration of the loop along x.

    for (i ...) for (j ...)
        a[i][j] -= a[i][k] * a[k][j];        every i reads a[k][j]

A thread that does several iterations of i needs such an element once. Nobody changes it meanwhile: what two iterations
of a parallel loop read, none of them writes, else they would depend on each other. That leaves what one iteration alone
reads, and writes itself: there the value must be the one from before.

    which element   subscripts move with x, not with the loop, and name nothing else that changes
    worth keeping   the kernel writes to the array, so that the compiler cannot know that the element stays what it is;
                    or neighbouring iterations of x have it far apart, so that each needs another piece of memory
    where           outside of loops; perhaps under conditions (`always` is false then)
    the old value   no statement that writes to the array is in front of one that reads the element

    In: Facts, the body, the loops of the grid, that one first and the one along x last.
    Out: CommonReads, in the order of the text.
    Not here: what is made of them -- plan/forms/row_coarsening.py.
    Source: loop-invariant code motion, by what `parallel for` promises (OpenMP 5.2, 11.5.3: no data race).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes, set_in, symbols_in
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop

_LOOPS = (t.For, t.While, t.DoWhile, t.Switch)
_PARTS = (t.Index, t.Name, t.Member, t.IntConst, t.Binary, t.Cast)


@dataclass(frozen=True, slots=True, eq=False)
class CommonRead:
    """`nodes`: the same expression each. `always`: every iteration reads it."""

    nodes: tuple[t.Expr, ...]
    type: ty.Type
    always: bool


def common_reads(facts: Facts, body: t.Stmt, axes: Sequence[CanonicalLoop]) -> tuple[CommonRead, ...]:
    """What all iterations of the first of `axes` read in `body`, an iteration of the last one each its own."""
    found: list[list[Access]] = []
    inside, changed, order = set(walk(body)), set_in(body), _order(body)
    for access in facts.accesses:
        if access.node in inside and _is_common(facts, access, inside, changed, axes):
            group = next((group for group in found if same(group[0].node, access.node)), None)
            found.append([access]) if group is None else group.append(access)
    return tuple(
        CommonRead(
            tuple(access.node for access in group),
            ty.unqualified(group[0].node.type),
            any(_conditions(access, inside) == () for access in group),
        )
        for group in found
        if all(_reads_first(facts, access, order) for access in group)
    )


def _is_common(
    facts: Facts,
    access: Access,
    inside: Collection[Node],
    changed: Collection[t.Symbol],
    axes: Sequence[CanonicalLoop],
) -> bool:
    node, obj = access.node, access.obj
    if access.mode.writes or access.function is not None or not access.subscripts or access.outer or access.base:
        return False
    if facts.is_thread_private(obj) or facts.atomic_operations.covers(access) or node.type.quals - {"const"}:
        return False
    if not isinstance(ty.unqualified(node.type), (ty.Int, ty.Float)) or not _is_fixed(facts, node, changed, axes):
        return False
    if any(isinstance(around, _LOOPS) for around in _conditions(access, inside)):
        return False
    steps = _steps(facts, access.subscripts, axes[-1])
    if steps is None or not any(steps):
        return False
    return obj in facts.written or any(steps[:-1]) or steps[-1] not in (-1, 1)


def _is_fixed(
    facts: Facts, node: t.Expr, changed: Collection[t.Symbol], axes: Sequence[CanonicalLoop]
) -> bool:
    """Is it one place for all iterations of the first of `axes`, as long as those of the others stay the same?"""
    if not all(isinstance(part, _PARTS) for part in walk(node)):
        return False
    named, counters = symbols_in(node), {loop.var for loop in axes[1:]}
    arrays = {name.symbol for name in nodes(node) if isinstance(name, t.Name) and not isinstance(name.type, ty.Int)}
    return all(s in counters or (s not in changed and (s in arrays or s in facts.invariant)) for s in named)


def _steps(facts: Facts, subscripts: Sequence[t.Expr], x: CanonicalLoop) -> list[int] | None:
    """What an iteration of `x` moves each subscript by, 2 where that is no constant; None: it is not known."""
    found: list[int] = []
    for subscript in subscripts:
        place = facts.forms.of(subscript)
        parts = None if place is None else place.linear_in([x.var])
        if parts is None:
            return None
        step = parts[1].get(x.var)
        found.append(0 if step is None else 2 if step.constant is None else step.constant)
    return found


def _conditions(access: Access, inside: Collection[Node]) -> tuple[t.Stmt | t.Expr, ...]:
    """What stands around it in the body."""
    return tuple(around for around in access.context if around in inside)


def _reads_first(facts: Facts, access: Access, order: dict[Node, int]) -> bool:
    """Is it read before anything in the body writes to the object?"""
    if access.obj in facts.with_one_value or facts.may_meet_itself(access.obj):
        return False
    here = order.get(access.node)
    for other in facts.of(access.obj):
        if not other.mode.writes:
            continue
        there = order.get(other.node)
        if here is None or there is None or there < here or (there == here and not _is_assigned(facts, other)):
            return False
    return True


def _is_assigned(facts: Facts, access: Access) -> bool:
    """Is it what an assignment statement writes, after all that this reads?"""
    return any(
        isinstance(node, t.ExprStmt) and isinstance(node.expr, t.Assign) and node.expr.target is access.node
        for node in walk(facts.device_code.body)
    )


def _order(body: t.Stmt) -> dict[Node, int]:
    """Of all nodes of expressions, the number of the statement, or the condition, in which they are evaluated."""
    return {node: number for number, root in enumerate(_evaluated(body)) for node in walk(root)}


def _evaluated(node: t.Stmt) -> Iterator[Node]:
    """The statements without statements in them, and the conditions of the others, in the order of the text."""
    below = [child for child in walk(node) if child is not node and isinstance(child, t.Stmt)]
    if not below:
        yield node
        return
    match node:
        case t.Block(items=items):
            for item in items:
                yield from _evaluated(item)
        case t.If(condition=condition, then=then, other=other):
            yield condition
            yield from _evaluated(then)
            if other is not None:
                yield from _evaluated(other)
        case _:
            yield node  # a loop, in which nothing is asked about
