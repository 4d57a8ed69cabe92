"""Plan: a kernel in which a group of threads shares each iteration, also its loops that store.

    for (i ...) {                              thread per i: rows far apart, one row after the other in each thread
        double s = 0;
        for (j ...) s += a[i][j];              group per i: threads have parts of s
        for (j ...) b[i][j] = a[i][j] / s;                  wait, then have elements of b; wait
    }

For iterations whose inner loops are no axes, since there is more than one of them, or since their lengths differ:
triangles, rows of matrices whose entries are divided by a sum, updates of a panel. One thread of the group does what
stands between the loops. The launcher takes this kernel where neighbouring entries are neighbours in memory and rows
are not very short, or where there are fewer iterations than keep the device busy.

The schedule:

    axis x: i ...                        axis x: i ..., together
        body                                 alone: s = 0
                                             together, j: each has a part of s
                                             together, j: each does some

Arrays through which the threads of a group hand values to each other are not `__restrict__`: nvcc moves loads of such
arrays across barriers.

    In: the kernels that there are, Nest.   Out: the schedule of another kernel, or why there is none.
    Not here: kernels in which only sums are shared -- lanes.py, split_sums.py; which loops those are -- lane_finder.py,
    storing_loops.py.
    Source: hierarchical parallelism (gang, worker, vector) as in OpenACC 2.9; Kruse and Finkel, "User-directed loop
    transformations in Clang" (2018) for the terms.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import changed_in, declared_in
from ompc.ir.walk import walk
from ompc.omp.asked import Within
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_choices import Kind, LaneChoices, may_choose
from ompc.plan.groups.lane_finder import Finder
from ompc.plan.groups.lane_work import is_contiguous
from ompc.plan.groups.lanes import by_groups, has_loops_alone, sharing_by
from ompc.plan.groups.shared_work import with_work
from ompc.plan.groups.storing_loops import (
    held_arrays,
    nearness,
    objects_of_entries,
    wanted_sizes_of,
    why_dependent,
)
from ompc.plan.groups.worth_sharing import is_worth_threads
from ompc.plan.mapping.mapping import Mapping
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.lane_steps import GroupOf, Instead, LaneSharing
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.variable import Role
from ompc.plan.nest import Nest

MOST_ROUNDS = 3
"""How often sizes are looked for: with the first ones, further loops may be shared but for others."""


def with_group_loops(kernels: tuple[Schedule, ...], nest: Nest) -> Schedule | Refused:
    """The kernel beside one in which a thread, or some lanes, have an iteration."""
    own, loops = kernels[0], nest.kernel.mapping.loops
    if own.accumulators or any(loop.loop.dependent for loop in nest.grid):
        return Refused()
    choices = LaneChoices.of(nest.choices, nest.constants)
    sharing = _sharing(nest.facts, nest.kernel.mapping, choices)
    if sharing is None or not nest.expanded <= sharing.held:  # else each thread of the group has its own
        return Refused()
    known = {v.symbol for v in nest.variables if v.role is Role.VALUE} & nest.kernel.named
    if not known.issuperset(each.symbol for each in sharing.asked):
        return Refused()  # the launcher does not have them
    form = replace(
        sharing,
        group_of=GroupOf.WARPS,
        point=Local("point", inside=True),
        counted=_counted(nest, sharing),
        instead=Instead.THREAD,
        lanes_first=_is_along(nest.facts, sharing, loops[-1]),
    )
    name = Local(f"{nest.facts.loop.id}_shared")
    return by_groups(replace(own, kernel=name, vectors=None), with_work(nest, form))


def in_groups_of_threads(facts: Facts, mapping: Mapping, choices: LaneChoices) -> tuple[t.Symbol, ...]:
    """The variables of the loops that groups of threads may come to share, whatever is in constant memory."""
    return tuple(dict.fromkeys(loop.var for loop in loops_of_groups(facts, mapping, choices)))


def loops_of_groups(facts: Facts, mapping: Mapping, choices: LaneChoices) -> tuple[CanonicalLoop, ...]:
    """These loops."""
    sharing = _sharing(facts, mapping, choices)
    return () if sharing is None else tuple(loop for shared in sharing.body.loops() for loop in shared.loops)


def _sharing(facts: Facts, mapping: Mapping, choices: LaneChoices) -> LaneSharing | None:
    """How the loops are shared, where one of them stores, or one block is to do them all; for usual sizes, where that
    makes more of them independent.
    """
    sharing, wanted = _for_any_size(facts, mapping, choices)
    asked: dict[t.Symbol, int] = {}
    for _ in range(MOST_ROUNDS):
        asked = {symbol: max(least, asked.get(symbol, 0)) for symbol, least in (asked | wanted).items()}
        if not wanted:
            break
        within = tuple(Within(symbol, least, None) for symbol, least in asked.items())
        found, wanted = _for_any_size(_assumed(facts, within), mapping, choices)
        if found is not None and _shared(found) > _shared(sharing):
            words = " and ".join(each.words for each in within)
            sharing = replace(found, asked=within, because=f"{found.because}, where {words}")
    return sharing


def sizes_of_independent_entries(
    facts: Facts, loop: CanonicalLoop, choices: LaneChoices
) -> tuple[Within, ...] | None:
    """What sizes must be for the loop's entries to be independent; (): anything; None: they are not."""
    own = objects_of_entries(facts, loop) | declared_in(loop.body)
    held = held_arrays(facts, facts.device_code.body) - own
    changed = changed_in(loop.body) - own - held
    if any(isinstance(s.type, ty.Array) and facts.is_thread_private(MemoryObject(s)) for s in changed):
        return None
    if why_dependent(facts, loop, held) is None:
        return ()
    wanted = {} if "sizes" in choices.without else wanted_sizes_of(facts, loop, held)
    within = tuple(Within(symbol, least, None) for symbol, least in wanted.items())
    return within if within and why_dependent(_assumed(facts, within), loop, held) is None else None


def _assumed(facts: Facts, within: tuple[Within, ...]) -> Facts:
    """The same loop where sizes are so."""
    return replace(facts, loop=replace(facts.loop, within=sizes_together(facts.loop.within, within)))


def _shared(sharing: LaneSharing | None) -> int:
    return 0 if sharing is None else sum(1 for _ in sharing.body.loops())


def sizes_together(known: tuple[Within, ...], more: tuple[Within, ...]) -> tuple[Within, ...]:
    """With what is known anyway."""
    least = {each.symbol: each.least for each in more}
    kept = [replace(each, least=max(each.least, least.pop(each.symbol, each.least))) for each in known]
    return (*kept, *(each for each in more if each.symbol in least))


def _for_any_size(
    facts: Facts, mapping: Mapping, choices: LaneChoices
) -> tuple[LaneSharing | None, dict[t.Symbol, int]]:
    """How they are shared, and the least values of sizes with which more of them would be."""
    if not may_choose(facts.loop.override):
        return None, {}
    is_chain = bool(facts.loop.chain)
    if not LaunchEffects.of(facts).has_points_and_sums or not (is_chain or _has_stores(facts, mapping)):
        return None, {}
    *others, x = (loop.var for loop in mapping.loops)
    finder = Finder(facts, x, Kind.GROUP, choices, others=tuple(others), held=held_arrays(facts, mapping.body))
    sharing = sharing_by(facts, mapping, finder)
    if not isinstance(sharing, LaneSharing) or not (is_chain or any(loop.stores for loop in sharing.body.loops())):
        return None, finder.wanted
    if has_loops_alone(facts, sharing):
        return None, finder.wanted
    return replace(sharing, held=finder.held & sharing.exchanged), finder.wanted


def _has_stores(facts: Facts, mapping: Mapping) -> bool:
    """Is there a loop inside an iteration that may be long, and that stores?"""
    loops = [facts.inner_loops.get(node) for node in walk(mapping.body) if isinstance(node, t.For)]
    inside = {node for loop in loops if loop is not None and is_worth_threads(facts, loop) for node in walk(loop.body)}
    stores = (access for access in facts.accesses if access.mode.writes and access.node in inside)
    return any(not facts.is_thread_private(access.obj) for access in stores)


def _counted(nest: Nest, sharing: LaneSharing) -> tuple[GridLoop, ...]:
    """The loops of which the launcher knows how many entries they have."""
    known = [each.loops for each in sharing.body.loops() if all(map(nest.facts.has_fixed_bounds, each.loops))]
    loops = {loop.statement: loop for each in known for loop in each}
    grid = [nest.counted(loop) for loop in loops.values()]
    return tuple(each for each in grid if all(b.host_text is None for b in (each.lower, each.upper, each.step)))


def _is_along(facts: Facts, sharing: LaneSharing, x: CanonicalLoop) -> bool:
    """Are neighbouring entries neighbours in memory, and neighbouring iterations not?"""
    loops = [each.loops[-1] for each in sharing.body.loops()]
    along = sum(nearness(facts, loop, x) for loop in loops)
    return along > 0 or (along == 0 and any(is_contiguous(facts, loop, x.var) for loop in loops))
