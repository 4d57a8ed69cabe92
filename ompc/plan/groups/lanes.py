"""Plan: shared loops: the lanes of a warp, or the warps of a block, divide loops inside an iteration.

    for (i = 0; i < n; i++) {                                 one thread each: neighbouring lanes read rows that
        double sum = 0;                                       lie far apart
        for (k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * x[col[k]];                        shared: neighbouring lanes read neighbouring entries
        y[i] = sum;
    }

Shared is a loop whose length is each row's own, which reads neighbouring elements in neighbouring iterations, and
whose iterations do nothing but compute numbers and combine them into variables of the row (lane_terms.py).
Loops of equal lengths are shared by the lanes of an iteration where they gain by it (worth_sharing.py) and each forms
sums of its own; where that is for want of iterations, by some lanes of each warp of a block.

The schedule:

    axis x: i ...                        axis x: i ..., together
        double sum = 0;                      alone: sum = 0;
        for (k ...) sum += ...;              together, k: each has a part of sum
        y[i] = sum;                          alone: y[i] = sum;

    In: Schedule, Nest.   Out: Schedule, or why the loops stay with one lane each.
    Not here: how many lanes an iteration gets -- the launch (ompc_sharing.h); how entries are combined -- lane_sums.py;
    what is tried where this makes nothing -- producer_consumer_warps.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto, returns_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_choices import Kind, LaneChoices
from ompc.plan.groups.lane_declarations import check_jumps, pruned
from ompc.plan.groups.lane_finder import Finder
from ompc.plan.groups.lane_terms import NotDivisibleError
from ompc.plan.groups.lane_work import holds_rows, is_contiguous
from ompc.plan.groups.shared_work import with_work
from ompc.plan.groups.worth_sharing import is_short, takes_time
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Mapping
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import (
    READS,
    Distribution,
    GroupOf,
    LaneSharing,
    Purpose,
    SharedLoop,
)
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Axis, Refused, Schedule, SharedBody, Slots
from ompc.plan.nest import Nest

_SHARED_BY = {Kind.ROWS: "shared-loops", Kind.HELPED: "helping-warps"}
"""The optimisation that shares loops of a kind."""


def with_shared_loops(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Lanes of a warp, or warps of a block, take an iteration together."""
    return in_groups(schedule, nest, (Kind.ROWS, Kind.EQUAL))


def in_groups(schedule: Schedule, nest: Nest, kinds: Iterable[Kind]) -> Schedule | Refused:
    """With shared loops of the first of `kinds` of which there are some; or why not, of the first that says it."""
    if nest.has_expanded or not _may_share(nest.facts, nest.kernel.mapping):
        return Refused()  # of expanded arrays each thread has its own
    why_not: str | None = None
    for kind in kinds:
        found = _sharing(nest, kind)
        if isinstance(found, LaneSharing):
            return by_groups(schedule, with_work(nest, found))
        why_not = why_not or found
    return Refused(why_not)


def by_groups(schedule: Schedule, form: LaneSharing) -> Schedule:
    """Whole warps, or whole blocks, stay in the loop over the iterations. The points of several loops are counted as
    one axis.
    """
    who = "lanes" if form.group_of is GroupOf.LANES else "warps"
    loops = tuple(loop for axis in schedule.axes for loop in axis.loops)
    if form.point is not None:
        loops = tuple(replace(loop, axis="x", axis_counter=form.point) for loop in loops)
    what = f"{who} share an iteration"
    return replace(schedule, what=what, axes=(Axis(loops, Slots(form)),), body=SharedBody(form))


def shareable(facts: Facts, mapping: Mapping, choices: LaneChoices) -> tuple[t.Symbol, ...]:
    """The variables of the loops that lanes may come to share, whatever is in constant memory."""
    if choices.level is not Level.AUTO or not _may_share(facts, mapping):
        return ()
    x = mapping.loops[0].var
    kinds = [kind for kind, name in _SHARED_BY.items() if name not in choices.without]
    found = [loop for kind in kinds for loop in Finder(facts, x, kind, choices).candidates(mapping.body)]
    return tuple(dict.fromkeys(loop.var for loop in found))


def _may_share(facts: Facts, mapping: Mapping) -> bool:
    asked = facts.loop.override
    return len(mapping.loops) == 1 and not asked.annotated_only and asked.shape.lanes != 0


def _sharing(nest: Nest, kind: Kind) -> LaneSharing | str | None:
    """How the loops of a kind are shared, or why not; None where there are none that could be."""
    facts, mapping = nest.facts, nest.kernel.mapping
    choices = LaneChoices.of(nest.choices, nest.constants)
    finder = Finder(facts, mapping.loops[0].var, kind, choices)
    if not any(finder.candidates(mapping.body)):
        return None
    sharing = sharing_by(facts, mapping, finder)
    if isinstance(sharing, LaneSharing) and _wastes_lanes(facts, sharing):
        if kind is Kind.EQUAL:
            return None
        sharing = sharing_by(facts, mapping, Finder(facts, finder.x, kind, choices, divides=False))
    if isinstance(sharing, str):
        return sharing
    shared = sharing if kind is Kind.ROWS else with_counted(facts, sharing, nest.counted)
    return None if shared is None else _by_warps(facts, shared)


def _by_warps(facts: Facts, sharing: LaneSharing) -> LaneSharing:
    """By the warps of a block where that fills the device."""
    asked = facts.loop.override
    by_lanes = sharing.group_of is GroupOf.LANES
    if not by_lanes or sharing.distribution.purpose is not Purpose.FILL or asked.threads or asked.blocks:
        return sharing
    return replace(sharing, group_of=GroupOf.WARPS)


def _wastes_lanes(facts: Facts, sharing: LaneSharing) -> bool:
    """Has an iteration several lanes for what they read, and also loops that only one of them would execute?"""
    reads = sharing.group_of is GroupOf.LANES and sharing.distribution.purpose in READS
    return reads and has_loops_alone(facts, sharing)


def has_loops_alone(facts: Facts, sharing: LaneSharing) -> bool:
    """Would one lane go through loops that may be long, or call functions, while the others wait?"""
    functions = {function.symbol for function in facts.device_code.functions}
    for node in (part for statement in sharing.body.alone() for part in walk(statement)):
        match node:
            case t.While() | t.DoWhile():
                return True
            case t.For():
                loop = facts.inner_loops.get(node)
                if loop is None or not is_short(facts, loop):
                    return True
            case t.Call(function=t.Name(symbol=symbol)) if symbol in functions:
                return True
            case _:
                pass
    return False


def with_counted(
    facts: Facts, sharing: LaneSharing, counted: Callable[[CanonicalLoop], GridLoop]
) -> LaneSharing | None:
    """With the loops that the launcher counts; None where it cannot."""
    if sharing.group_of is GroupOf.PRODUCERS and (facts.loop.override.threads or facts.loop.override.blocks):
        return None
    loops = {loop.loop.statement: loop.loop for loop in sharing.body.loops()}
    grid = tuple(counted(loop) for loop in loops.values())
    if any(bound.host_text is not None for loop in grid for bound in (loop.lower, loop.upper, loop.step)):
        return None  # the host would have to evaluate it, perhaps where the program does not
    return replace(sharing, counted=grid)


def sharing_by(facts: Facts, mapping: Mapping, finder: Finder) -> LaneSharing | str:
    """How the loops that `finder` finds are shared, or why none is."""
    try:
        _check_kernel(facts, mapping)
        items = mapping.body.items if isinstance(mapping.body, t.Block) else (mapping.body,)
        body = finder.scope(items)
        check_jumps(body)
        body = pruned(body, frozenset(body.names()))
    except NotDivisibleError as error:
        return f"no loop is shared by lanes: {error}"
    shared = list(body.loops())
    if not shared:
        return "; ".join(dict.fromkeys(finder.refusals))
    names = " and ".join(dict.fromkeys(loop.var.name for each in shared for loop in each.loops))
    group_of = GroupOf.PRODUCERS if finder.kind is Kind.HELPED else GroupOf.LANES
    by_threads = {Kind.SPLIT: "threads of a block", Kind.GROUP: "threads of a block"}
    who = {Kind.HELPED: "warps of a block", **by_threads}.get(finder.kind, "lanes of a warp")
    how = dict.fromkeys(map(_how, shared))
    loops = "loop" if names in {loop.var.name for each in shared for loop in each.loops} else "loops"
    because = "; ".join([f"the {who} share the {loops} over {names}", *how, *dict.fromkeys(finder.refusals)])
    group, slot, own = Local("group"), Local("slot", inside=True), Local("own", inside=True)
    rows_in = holds_rows(loop.loop for loop in shared) if finder.kind is Kind.ROWS else ()
    purpose = _purpose(finder, shared)
    distribution = Distribution(purpose, _blocks(finder, purpose, shared), rows_in)
    return LaneSharing(body, group, slot, own, finder.renewed, because, group_of, distribution)


def _how(shared: SharedLoop) -> str:
    """How a loop's entries are combined, in words."""
    if isinstance(shared.how, ByLanes):
        if shared.how.running is not None:
            return f"each entry gets the sum {shared.how.running.symbol.name} of those before it"
        if shared.how.counted is not None:
            return "each entry gets its counter as those before it leave it"
        if shared.updates.expressions:
            return "each does some of its iterations, which are independent but for atomic operations"
        if not shared.how.partials:
            where = ", where the kernel finds the nest's strides large enough" if shared.asked else ""
            return f"each does some of its iterations, which are independent{where}"
        names = ", ".join(partial.symbol.name for partial in shared.how.partials)
        real = any(isinstance(partial.symbol.type, ty.Float) for partial in shared.how.partials)
        bound = ", with no larger bound of the error (--fp strict keeps the program's order)" if real else ""
        return f"each has a part of {names}, combined in a fixed order{bound}"
    return f"combined in the program's order: {shared.how.because}"


def _purpose(finder: Finder, shared: Sequence[SharedLoop]) -> Purpose:
    """What the launch gives an iteration several lanes for."""
    if finder.kind in (Kind.SPLIT, Kind.GROUP):
        return Purpose.FILL
    if not all(isinstance(loop.how, ByLanes) for loop in shared):
        return Purpose.TURNS
    contiguity = finder.kind is Kind.ROWS or all(is_contiguous(finder.facts, s.loop, finder.x) for s in shared)
    if not contiguity:
        return Purpose.FILL
    for_any_row = all(isinstance(loop.how, ByLanes) and loop.how.of_row == () for loop in shared)
    return Purpose.READ_SOME if for_any_row else Purpose.READ


def _blocks(finder: Finder, purpose: Purpose, shared: Sequence[SharedLoop]) -> int:
    """How many a multiprocessor should hold. Terms in turns, and groups, need registers more than company; but where a
    block's first warp combines, others must read meanwhile.
    """
    if finder.kind is Kind.HELPED or any(isinstance(s.how, ByLanes) and s.how.counted is not None for s in shared):
        return 4
    if purpose not in READS:
        return 2 if purpose is Purpose.FILL else 1
    nodes = [node for loop in shared for node in walk(loop.body)]
    if len(nodes) > DEVICE.many_registers:
        return 2
    return 4 if finder.kind is Kind.EQUAL or len(nodes) > DEVICE.few_registers or any(map(takes_time, nodes)) else 6


def _check_kernel(facts: Facts, mapping: Mapping) -> None:
    """All lanes of each warp must come to the end of every iteration."""
    threads = facts.loop.override.threads
    effects = LaunchEffects.of(facts)
    if any(loop.dependent for loop in mapping.loops) or effects.last_values:
        raise NotDivisibleError("lastprivate variables")
    if threads is not None and (threads % DEVICE.warp or threads > DEVICE.block_threads):
        raise NotDivisibleError(f"blocks of {threads} threads are asked for")
    if not effects.all_threads_end:
        raise NotDivisibleError("iterations print or end the program")
    if has_goto(mapping.body) or returns_in(mapping.body):
        raise NotDivisibleError("an iteration has jumps")
