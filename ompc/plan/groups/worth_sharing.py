"""Plan: which loops of equal lengths gain by being shared: by how they read, or how much they compute.

    for (i = 0; i < rows; i++)                        for (j = 0; j < columns; j++)
        for (j = 0; j < columns; j++)                     for (i = 0; i < rows; i++)
            sum += a[i * columns + j] * x[j];                 sum += a[i * columns + j] * t[i];

Along: neighbouring iterations of the inner loop read neighbouring elements, and the lanes of a warp none; by all warps
together, they do. Across: the lanes of a warp do already, but where there are few of them, most of the device waits.
Both have the same length in all iterations, known when the kernel is launched, and do so little with what they read
that memory is what they wait for.

Where their sums may be formed by lanes (lane_sums.py), the lanes of an iteration share loops along, too; and loops that
take their time (quotients, roots, exponentials), where there are fewer iterations than the device has threads.

    In: Facts, a loop, the variable of the parallel loop.   Out: Side, or None; whether lanes gain.
    Not here: whether its body can be divided -- lane_terms.py; how many iterations are few -- ompc_producer_warps.h.
"""

from __future__ import annotations

from functools import lru_cache

from ompc.analysis.facts import Facts
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.locality.work import work_of_iteration
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_work import elements, is_contiguous
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.strides import is_plain_term, mentions
from ompc.plan.model.lane_results import Side

LEAST_TRIPS = 64
"""The fewest iterations of a loop, where their number is known, that pay for warps that help. They do not depend on the
device; no measurement of this count is on record.
"""
LEAST_SHARED, LEAST_WORK = 8, 200
"""The fewest iterations of a short loop that several threads share, a quarter of a warp, and the least operations of
each: as long as the threads wait for each other. Chosen; no measurement is on record.
"""
MOST_TERM_BYTES, MOST_OWN = 16, 8
"""The most bytes of an entry's terms that a tile has room for, and the most values of its own that a row has room for.
"""

_NOT_FAST = frozenset("sqrt sqrtf exp expf pow powf log logf sin sinf cos cosf tanh tanhf".split())


def producer_side(facts: Facts, loop: CanonicalLoop, x: t.Symbol) -> Side | None:
    """Which elements the loop's neighbours read; None: the loop is better done by each thread alone."""
    if not facts.has_fixed_bounds(loop) or is_short(facts, loop):
        return None
    nodes = list(walk(loop.body))
    if len(nodes) > DEVICE.producer_body or any(map(takes_time, nodes)):
        return None
    if is_contiguous(facts, loop, x):
        return Side.ALONG
    return Side.ACROSS if _is_across(loop, x) else None


def is_worth_lanes(facts: Facts, loop: CanonicalLoop, x: t.Symbol) -> bool:
    """Is the loop better shared by several lanes, wherever each may have sums of its own?"""
    return is_worth_splitting(facts, loop) and (
        is_contiguous(facts, loop, x) or any(map(takes_time, walk(loop.body)))
    )


def is_worth_splitting(facts: Facts, loop: CanonicalLoop) -> bool:
    """Has the loop one length, which may be long, and no others in it but short ones?"""
    if not facts.has_fixed_bounds(loop) or is_short(facts, loop):
        return False
    inside = [node for node in walk(loop.body) if isinstance(node, (t.For, t.While, t.DoWhile))]
    known = [facts.inner_loops.get(node) if isinstance(node, t.For) else None for node in inside]
    return all(inner is not None and is_short(facts, inner) for inner in known)


def is_short(facts: Facts, loop: CanonicalLoop) -> bool:
    """Has it few iterations, whatever loops around it are at?"""
    return most_trips(facts, loop) < LEAST_TRIPS


def is_worth_threads(facts: Facts, loop: CanonicalLoop) -> bool:
    """May it be long, or has each of its iterations much to do?"""
    return not is_short(facts, loop) or has_work(facts, loop)


@lru_cache(maxsize=1024)
def has_work(facts: Facts, loop: CanonicalLoop) -> bool:
    """Is it short, and yet enough to do for several threads: do its iterations have loops of their own?"""
    if most_trips(facts, loop) < LEAST_SHARED:
        return False
    of_entry = work_of_iteration(facts, loop.body, _around(facts, loop)).constant
    return of_entry is not None and of_entry >= LEAST_WORK


@lru_cache(maxsize=1024)
def most_trips(facts: Facts, loop: CanonicalLoop) -> int:
    """The most iterations that it has, by the constants between which it and the loops around it are.

    for (i = 0; i < 16; i++)                16
        for (k = 0; k < i; k++)             15
    """
    trips = constant_trips(loop)
    if trips is None:
        low, high = facts.relations.bounds((*facts.loop.loops, *_around(facts, loop)))[-1].range
        trips = max(0, high - low + 1) // (loop.constant_step or 1)
    return trips


def _around(facts: Facts, loop: CanonicalLoop) -> list[CanonicalLoop]:
    """The loops of the iteration around it, outermost first, and itself."""
    return [each for node, each in facts.inner_loops.items() if loop.statement is node or _holds(node, loop.statement)]


def _holds(node: t.For, inner: t.For) -> bool:
    return any(part is inner for part in walk(node.body))


def takes_time(node: t.Expr | t.Stmt | t.VarDecl) -> bool:
    match node:
        case t.Binary(op="/") | t.Assign(op="/="):
            return isinstance(node.type, ty.Float)
        case t.Call(function=t.Name(symbol=symbol)):
            return symbol.name in _NOT_FAST
        case _:
            return isinstance(node, (t.For, t.While, t.DoWhile))


def _is_across(loop: CanonicalLoop, x: t.Symbol) -> bool:
    """Does it read another row of an array in each of its iterations, and each lane a column of it?"""
    for base, index in elements(loop.body):
        in_rows = is_plain_term(index, x) and mentions(index, loop.var) and not is_plain_term(index, loop.var)
        by_subscript = is_plain_term(index, x) and mentions(base, loop.var) and isinstance(base, t.Index)
        if (in_rows or by_subscript) and not mentions(base, x) and isinstance(ty.decayed(base.type), ty.Pointer):
            return True
    return False
