"""Plan: loops inside an iteration that store, and whose entries the threads of a group divide.

    for (j = 0; j <= i; j++)                shared: entry j stores to elements that no other entry looks at
        c[i * n + j] *= beta;
    for (k = 0; k < m; k++)                 all threads repeat it
        for (j = 0; j <= i; j++)            shared, once for each k; neighbouring threads have neighbouring elements
            c[i * n + j] += a[i * m + k] * a[j * m + k];

Each entry is done by one thread, as it stands in the program, and all threads wait for each other behind the loop. So
it is enough that its entries are independent of each other: what stands before and behind may depend on them.

    In: Facts, a loop.   Out: whether it is the one of its nest to be shared; why its entries depend on each other.
    Not here: what the threads may not do at all in a shared loop -- lane_work.py.
"""

from __future__ import annotations

import math

from ompc.analysis.dependence.dependence import obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.producer_consumer_warps import is_short
from ompc.plan.mapping.mapping import rows_without_bounds


def is_best_of_nest(facts: Facts, node: t.For) -> bool:
    """Is the loop better shared than one inside of it: is none of those nearer?"""
    loop = facts.inner_loops.get(node)
    inside = [facts.inner_loops.get(part) for part in walk(node.body) if isinstance(part, t.For)]
    inner = [other for other in inside if other is not None and not is_short(other)]
    return loop is not None and all(nearness(facts, other, loop) <= 0 for other in inner)


def nearness(facts: Facts, loop: CanonicalLoop, other: CanonicalLoop) -> int:
    """In how many more accesses inside of both loops the next entry of `loop` is nearer in memory than that of `other`,
    among those that both move. Strides that are no numbers are far.
    """
    nodes = set(walk(loop.body)) & set(walk(other.body))
    votes = 0
    for access in facts.accesses:
        if access.node in nodes and not facts.is_thread_private(access.obj):
            own, others = (_distance(facts, access, each) for each in (loop, other))
            votes += (own < others) - (others < own) if own and others else 0
    return votes


def _distance(facts: Facts, access: Access, loop: CanonicalLoop) -> float:
    stride = facts.lmads.stride(access, loop)
    if stride is None or (stride.terms and stride.constant is None):
        return math.inf
    return abs(stride.constant or 0)


def exchanged_in(facts: Facts, loop: CanonicalLoop) -> tuple[frozenset[t.Symbol], frozenset[t.Symbol]]:
    """The arrays to which the kernel stores and that entries, or functions that may be called for them, read; and those
    to which they store.
    """
    inside, written = set(walk(loop.body)), facts.written
    found = [a for a in facts.accesses if (a.node in inside or a.function is not None) and a.obj in written]
    found = [access for access in found if not facts.is_thread_private(access.obj)]
    reads = frozenset(access.obj.symbol for access in found if access.mode.reads)
    return reads, frozenset(access.obj.symbol for access in found if access.mode.writes)


def why_dependent(facts: Facts, loop: CanonicalLoop) -> str | None:
    """Why an entry may look at what another one stores; None: they are independent."""
    nodes = set(walk(loop.body))
    own = [a for a in facts.accesses if a.node in nodes or a.function is not None]
    shared = [access for access in own if not facts.is_thread_private(access.obj)]
    stored = {access.obj for access in shared if access.mode.writes}
    bounds = {part for bound in (loop.lower, loop.upper, loop.step) if bound is not None for part in walk(bound)}
    if any(access.node in bounds and access.obj in stored for access in facts.accesses):
        return "it may change its own bounds"
    unbounded = rows_without_bounds(facts)
    if unbounded is not None:
        return f"'{unbounded}' are objects of unknown length, which may overlap"
    loops = (*facts.loop.loops, *facts.inner_loops.values())
    around = [other for other in loops if any(node is loop.statement for node in walk(other.body))]
    return obstacle(facts.candidate(loop, around), shared, facts.atomic_operations)
