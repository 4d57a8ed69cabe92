"""Plan: loops that stand in each other, whose iterations the threads of a group divide as those of one loop.

    for (i = 0; i < li; i++) {              entries (i, k, j), neighbouring threads at neighbouring j
        double w = u[li + i];               what stands between the loops is done for each entry
        for (k = 0; k < lk; k++)
            for (j = 0; j < 32; j++)
                y[2 * i * lk + k][j] = w * x[i * lk + k][j];
    }

Of li and lk, one is short where the other one is long; of either loop alone, most threads would have nothing. An inner
loop belongs to the nest of the loop around it where

    its iterations     are independent of each other, and hand no values on, as those of the loop around it
    its bounds         have one value in all of the nest, and follow no pointer: they are counted before
    it stands last     in the loop's body; what is in front of it only sets variables of the thread's own, from what no
                       entry of the nest may store; it calls nothing, and is less than what the loop does itself
    its neighbours     are as near in memory as those of the loop around it: the innermost one is the fastest
    it is not tiny     of LEAST iterations or more, where their number is known

    In: Facts, a loop that may be shared.   Out: the loops of its nest.
    Not here: whether the loop itself may be shared -- lane_finder.py; how entries are divided -- ompc_nests.h.
    Source: Polychronopoulos, "Loop coalescing: a compiler transformation for parallel machines" (ICPP 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import breaks, jumps_in, labels_in
from ompc.ir.queries import assigned_in, changed_in, declared_in, symbols_in, targets_written
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lane_work import carried_by, leaves_its_variable
from ompc.plan.groups.storing_loops import nearness, objects_of_entries
from ompc.plan.model.lane_steps import NestedLoop
from ompc.plan.model.names import Local

LEAST = 8
"""The fewest iterations of an inner loop that is counted with the one around it: a quarter of a warp. Chosen; no
measurement is on record."""

_LOOPS = (t.For, t.While, t.DoWhile, t.Switch)
_UNFIT = (*_LOOPS, t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Call, t.Print)
_BOUNDS = (t.Name, t.IntConst, t.Cast, t.Unary, t.Binary)


def may_be_nest(facts: Facts, loop: CanonicalLoop) -> Iterator[CanonicalLoop]:
    """The loops that stand in `loop` as those of a nest do, whatever their iterations do."""
    outer = loop
    while (inner := _inner(facts, outer)) is not None:
        outer = inner[1]
        yield outer


def nest_of(
    facts: Facts,
    loop: CanonicalLoop,
    held: Collection[t.Symbol],
    is_independent: Callable[[CanonicalLoop], bool],
) -> tuple[NestedLoop, ...]:
    """The inner loops of the nest that `loop`, whose entries hand nothing on, is the outermost one of. `held`:
    storing_loops.held_arrays.
    """
    found: list[NestedLoop] = []
    outer, counters = loop, {loop.var}
    while (inner := _inner(facts, outer)) is not None:
        before, nested = inner
        if not _has_known_bounds(loop, nested, counters) or nearness(facts, nested, outer) < 0:
            break
        if not all(_only_sets(facts, item) for item in before) or not _hands_nothing_on(facts, nested):
            break
        if not _has_own_objects(facts, outer, nested) or not is_independent(nested):
            break
        if _may_see_stores(facts, loop, before, held):
            break
        found.append(NestedLoop(before, nested, Local(f"{nested.var.name}_entries", inside=True)))
        counters.add(nested.var)
        outer = nested
    return tuple(found)


def _inner(facts: Facts, loop: CanonicalLoop) -> tuple[tuple[t.Stmt, ...], CanonicalLoop] | None:
    """The loop that the body of `loop` ends with, and what stands in front of it, which has no loops."""
    items = tuple(_flat(loop.body))
    last = facts.inner_loops.get(items[-1]) if items and isinstance(items[-1], t.For) else None
    if last is None or breaks(last.body) or labels_in(loop.body):
        return None
    trips, before = constant_trips(last), items[:-1]
    if any(isinstance(node, _LOOPS) for item in before for node in walk(item)) or (trips is not None and trips < LEAST):
        return None
    work = sum(1 for _ in walk(last.body))
    return None if sum(1 for item in before for _ in walk(item)) > work else (before, last)


def _flat(body: t.Stmt) -> Iterator[t.Stmt]:
    """The statements of a body, with those of the block that it ends with."""
    items = [item for item in body.items if not isinstance(item, t.Empty)] if isinstance(body, t.Block) else [body]
    yield from items[:-1]
    if items and isinstance(items[-1], t.Block):
        yield from _flat(items[-1])
    else:
        yield from items[-1:]


def _has_own_objects(facts: Facts, loop: CanonicalLoop, nested: CanonicalLoop) -> bool:
    """Is what each entry of `loop` needs for itself only read in `nested`, or what each entry of that needs?"""
    own = objects_of_entries(facts, loop) - objects_of_entries(facts, nested)
    return own.isdisjoint(changed_in(nested.body)) and not any(symbol.address_taken for symbol in own)


def _has_known_bounds(whole: CanonicalLoop, loop: CanonicalLoop, counters: Collection[t.Symbol]) -> bool:
    """Have the loop's bounds and step one value in all of the nest, known before it?"""
    changed = {*counters, *assigned_in(whole.body), *declared_in(whole.body)}
    for bound in (loop.lower, loop.upper, loop.step):
        if bound is None:
            continue
        if not symbols_in(bound).isdisjoint(changed):
            return False
        for node in walk(bound):
            plain = isinstance(node, _BOUNDS) and not (isinstance(node, t.Binary) and node.op in ("/", "%"))
            if not plain or (isinstance(node, t.Unary) and node.op in ("*", "&")):
                return False
    return True


def _only_sets(facts: Facts, item: t.Stmt) -> bool:
    """Does the statement nothing that shows but to set variables of the thread's own, so that all threads may do it?"""
    if jumps_in(item) or any(isinstance(node, _UNFIT) for node in walk(item)):
        return False
    targets = list(targets_written(item))
    return all(isinstance(target, t.Name) and _is_own(facts, target.symbol) for target in targets)


def _may_see_stores(
    facts: Facts, whole: CanonicalLoop, before: Sequence[t.Stmt], held: Collection[t.Symbol]
) -> bool:
    """May what stands between the loops read what an entry stores? Each entry does it, when others have stored."""
    inside, between = set(walk(whole.body)), {node for item in before for node in walk(item)}
    reached = [a for a in facts.accesses if a.obj.symbol in held or not facts.is_thread_private(a.obj)]
    stores = {a.obj for a in reached if a.mode.writes and (a.node in inside or a.function is not None)}
    reads = {a.obj for a in reached if a.node in between}
    return any(not _are_apart(read, store, held) for read in reads for store in stores)


def _are_apart(one: MemoryObject, other: MemoryObject, held: Collection[t.Symbol]) -> bool:
    """Objects with names, or arrays of the block, to which no pointers lead."""
    if one == other:
        return False
    named = not one.pointee and not other.pointee
    return named or any(obj.symbol in held and not obj.pointee for obj in (one, other))


def _is_own(facts: Facts, symbol: t.Symbol) -> bool:
    return facts.is_thread_private(MemoryObject(symbol)) and not isinstance(symbol.type, ty.Array)


def _hands_nothing_on(facts: Facts, loop: CanonicalLoop) -> bool:
    written = assigned_in(loop.body) - declared_in(loop.body)
    return not leaves_its_variable(facts, loop) and not carried_by(facts, loop, written)
