"""Plan: what the cost model is told of the loops that groups of threads share: where neighbours are in memory.

    for (i ...) {                                  along: 24 bytes: those of the next entry lie beside them
        double s = 0;                              across: 0; of c[j][i] = ..., 8: those of the next iteration do
        for (j ...) s += a[i][j];                  sums: 1
        for (j ...) b[i][j] = a[i][j] + s;         loops: 2, one after the other
    }

Elements that all iterations share, as x[j], come from a cache and do not count. Where a stride is not known, as of
x[column[k]], neither way is better. Arrays that a block has in memory count for themselves: the more blocks there are
at once, the less of them stays in the cache.

    In: Facts, LaneSharing, the grid's loops.   Out: SharedWork.
    Not here: what follows from it -- the launch (ompc_group_costs.h).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.barriers import with_barriers
from ompc.plan.groups.worth_sharing import takes_time
from ompc.plan.machine import DEVICE
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import LaneSharing, SharedLoop, SharedWork
from ompc.plan.nest import Nest


def with_work(nest: Nest, sharing: LaneSharing) -> LaneSharing:
    """`sharing` with its barriers, and what its launch is told."""
    sharing = with_barriers(nest.facts, sharing)
    work = shared_work(nest.facts, sharing, nest.kernel.mapping.loops)
    in_memory = {symbol: ty.size_of(symbol.type) or 0 for symbol in sharing.held & nest.expanded}
    held = sum(_held_bytes(nest.facts, shared, in_memory) for shared in sharing.body.loops())
    return replace(sharing, work=replace(work, held=held, held_by_block=sum(in_memory.values())))


def _held_bytes(facts: Facts, shared: SharedLoop, arrays: Collection[t.Symbol]) -> int:
    """What an entry reads and writes of `arrays`."""
    inside, found = set(walk(shared.body)), 0
    for access in facts.accesses:
        if access.node in inside and access.obj.symbol in arrays and not access.obj.pointee:
            size = ty.size_of(access.node.type) or 0
            found += size * (access.mode.reads + access.mode.writes)
    return found


def shared_work(facts: Facts, sharing: LaneSharing, grid: Sequence[CanonicalLoop]) -> SharedWork:
    """`grid`: the loops whose iterations the groups have, the x axis last."""
    loops = list(sharing.body.loops())
    found = [_bytes(facts, shared, grid) for shared in loops]
    along, across, common = (sum(each) for each in zip(*found, strict=True))
    ways = [shared.how for shared in loops if isinstance(shared.how, ByLanes)]
    sums = max((len(how.partials) + (how.running is not None) for how in ways), default=0)
    together = max((how.together for how in ways), default=4)
    return SharedWork(max(map(_instructions, loops)), along, across, common, sums, len(loops), together)


def _instructions(shared: SharedLoop) -> int:
    """Of an entry, about."""
    nodes = list(walk(shared.body))
    return len(nodes) // DEVICE.nodes_of_instruction + DEVICE.slow_instructions * sum(map(takes_time, nodes))


_Bytes = tuple[int, int, int]


def _bytes(facts: Facts, shared: SharedLoop, grid: Sequence[CanonicalLoop]) -> _Bytes:
    """What an entry reads and writes beside the next entry, and beside that of the next iteration; what all read."""
    inside, innermost = set(walk(shared.body)), shared.loops[-1]
    found: dict[tuple[MemoryObject, bool], _Bytes] = {}
    for access in facts.accesses:
        if access.node in inside and not facts.is_thread_private(access.obj):
            near = _near(facts, access, innermost, grid)
            for way in [False] * access.mode.reads + [True] * access.mode.writes:
                before = found.get((access.obj, way), (0, 0, 0))
                found[access.obj, way] = max(before[0], near[0]), max(before[1], near[1]), max(before[2], near[2])
    along, across, common = (sum(each) for each in zip((0, 0, 0), *found.values(), strict=True))
    return along, across, common


def _near(facts: Facts, access: Access, loop: CanonicalLoop, grid: Sequence[CanonicalLoop]) -> _Bytes:
    """The bytes from an entry's element to that of the next entry, or that of the next iteration, where it is near; or
    those that all iterations read.
    """
    *others, x = grid
    own, of_x = _distance(facts, access, loop), _distance(facts, access, x)
    if of_x == 0 and facts.has_fixed_bounds(loop):
        return 0, 0, _if_near(own)
    along, across = _if_near(own), (_if_near(of_x) if own != 0 else 0)
    if along and across:
        return 0, 0, 0  # either way they are neighbours
    shared_by = sum(_distance(facts, access, other) == 0 for other in others)
    return _shared(along, shared_by), _shared(across, shared_by), 0


def _shared(size: int, by: int) -> int:
    """What comes from memory of so many bytes, where the iterations of so many axes of the grid read them, too."""
    return size and max(1, size // DEVICE.cached_reads**by)


def _distance(facts: Facts, access: Access, loop: CanonicalLoop) -> int | None:
    stride = facts.lmads.stride(access, loop)
    if stride is None or (stride.terms and stride.constant is None):
        return None
    return abs(stride.constant or 0)


def _if_near(distance: int | None) -> int:
    return 0 if distance is None or distance > DEVICE.near else distance
