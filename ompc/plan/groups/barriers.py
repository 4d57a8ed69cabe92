"""Plan: the barriers of a group in front of the loops that it shares.

    for (j ...) a[i][j] = b[i][j];              together; wait: the entries of the next loop read what these have stored
    for (j ...) c[i][j] = a[i][m - j];          nothing is stored in between, so there is nothing to wait for in front
    a[i][0] = 1;                                one thread
    for (j ...) d[i][j] = a[i][j];              wait, then together; wait

Behind a loop that stores the group waits in any case. In front of one it waits if since then, on any way there, the
iteration's own thread has accessed what the entries store, or stored what they access; or other entries have read what
they store. The way from the end of an iteration to the beginning of the next one is one of them. Iterations are
independent, but an array that a block has for itself is that of all its iterations.

    In: Facts, the loops of an iteration, as steps.   Out: the loops in front of which there is nothing to wait for.
    Not here: the barriers inside of what the runtime does for a loop (ompc_thread_group.h).
    Source: redundant barrier elimination, as in Tseng, "Compiler optimizations for eliminating barrier synchronization"
    (PPoPP 1995), within one kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir.walk import Node, walk
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import Alone, Chosen, LaneSharing, Repeated, Scope, SharedLoop, Step


class _By(Enum):
    OWN_READ = "the iteration's own thread has read it"
    OWN_STORE = "the iteration's own thread has stored to it"
    ENTRY_READ = "entries have read it"


_Since = frozenset[tuple[_By, t.Symbol]]
"""What has been done to which arrays since the group has waited."""

_NOTHING: _Since = frozenset()


def with_barriers(facts: Facts, sharing: LaneSharing) -> LaneSharing:
    """`sharing` with the loops in front of which the group need not wait."""
    flow = _Flow(facts, sharing)
    since = _NOTHING
    while not since >= (behind := flow.scope(sharing.body, since)):
        since |= behind
    return replace(sharing, ready=tuple(loop for loop in sharing.body.loops() if loop not in flow.waits))


@dataclass(slots=True)
class _Flow:
    """`waits`: the loops in front of which the group has to wait, as found so far."""

    facts: Facts
    sharing: LaneSharing
    waits: set[SharedLoop] = field(default_factory=set)
    _accessed: set[Node] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._accessed |= {node for access in self.facts.accesses for node in walk(access.node)}

    def scope(self, scope: Scope, since: _Since) -> _Since:
        for step in scope.steps:
            since = self._step(step, since)
        return since

    def _step(self, step: Step, since: _Since) -> _Since:
        match step:
            case Alone(statements=statements):
                return since | self._own(statements)
            case SharedLoop():
                return self._shared(step, since)
            case Scope():
                return self.scope(step, since)
            case Repeated(loop=loop, body=body):
                since |= self._own(part for part in (loop.init, loop.condition, loop.step) if part is not None)
                while not since >= (behind := self.scope(body, since)):
                    since |= behind
                return since
            case Chosen(condition=condition, then=then, other=other):
                since = self.scope(then, since | self._own((condition,)))
                return since if other is None else self.scope(other, since)

    def _shared(self, shared: SharedLoop, since: _Since) -> _Since:
        """In front of the barrier, the iteration's own thread finds out the entries; behind the loop, if it stores,
        there is one.
        """
        for loop in shared.loops:
            since |= self._own(bound for bound in (loop.lower, loop.upper, loop.step) if bound is not None)
        if meets(shared, since) or not isinstance(shared.how, ByLanes) or shared.how.counted is not None:
            self.waits.add(shared)
        if shared in self.waits and isinstance(shared.how, ByLanes):
            since = _NOTHING
        if shared.stores:
            return _NOTHING
        reads = {(_By.ENTRY_READ, symbol) for symbol in shared.reads}
        return since | reads | self._own(shared.combined)

    def _own(self, code: Iterable[Node]) -> _Since:
        """What one thread does to what all threads of the group reach; anything, if the code is not the user's."""
        nodes = [self._before(node) for part in code for node in walk(part)]
        calls = any(isinstance(node, t.Call) for node in nodes)
        inside = set(nodes)
        found = [a for a in self.facts.accesses if a.node in inside or (calls and a.function is not None)]
        found = [access for access in found if self._is_reached(access)]
        if any(_is_in_memory(node) and node not in self._accessed for node in nodes):
            return frozenset((by, symbol) for symbol in self.sharing.exchanged for by in _By)
        reads = {(_By.OWN_READ, access.obj.symbol) for access in found if access.mode.reads}
        return frozenset(reads | {(_By.OWN_STORE, access.obj.symbol) for access in found if access.mode.writes})

    def _before(self, node: Node) -> Node:
        """The user's, of one that stands for it."""
        return self.sharing.renewed.get(node, node) if isinstance(node, t.Expr) else node

    def _is_reached(self, access: Access) -> bool:
        return access.obj.symbol in self.sharing.held or not self.facts.is_thread_private(access.obj)


def _is_in_memory(node: Node) -> bool:
    return isinstance(node, t.Index | t.Member) or (isinstance(node, t.Unary) and node.op == "*")


def meets(shared: SharedLoop, since: _Since) -> bool:
    """May entries access something that is to be done with first?"""
    return any(symbol in shared.stores or (by is _By.OWN_STORE and symbol in shared.reads) for by, symbol in since)
