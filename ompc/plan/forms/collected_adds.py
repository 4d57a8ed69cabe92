"""Plan: additions to integers at places that data chooses, which a block collects in shared memory (`auto`).

    for (i = 0; i < n; i++)                        const ompc::CollectedAdds<int> sums(stretch.pays());
        #pragma omp atomic                         ...
        row[thread(i)][key[i]]++;                      ompc::atomic_add(&row[thread][key[i]], 1, sums);
                                                   sums.write_back();

A table by addresses (ompc_collected_adds.h) is right for all of them, so that nothing need be known of where elements
are, or how many: copies of whole arrays (histograms.py) are quicker, and have all elements, where the launch knows the
array and a block has room for it. The two are the same idea with another way from an element to its copy: a number of
the array, or a line that is found by its address. It is asked for that

    the array    is one of which the kernel, in a shared loop the loop, has nothing but such additions, in its own
                 body, that give no value: nobody can see when they are done; no other object of it may be the same
                 memory, which the launcher makes sure of
    elements     are integers: sums are modulo 2^n, in any order and grouping
    the place    is not counted on by the loop: then iterations have elements of their own, which are added to once

The iterations of a block are neighbours, so that elements that go with an iteration's place are few; all of them have
as many turns of inner loops, since most work of a triangle would be in the last block. Those of little code that add
once at most wait together for what they read, and then each adds.

The schedule:

    axis x: i ...                        axis x: i ..., neighbours in a block
        row[thread(i)][key[i]]++;            sums[&row[thread(i)][key[i]]]++;
                                         combine row, Sum, block

Of loops that a block shares (group_loops.py) each has the table for itself; behind it everything is in its place.

    In: Schedule, Nest.   Out: Schedule.
    Not here: which of its additions a thread does directly, since places are taken -- ompc_collected_adds.h.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.operations import Operation
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto, labels_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.forms.histograms import has_room, is_one_operation
from ompc.plan.machine import DEVICE
from ompc.plan.model.lane_results import ByLanes, InOrder
from ompc.plan.model.lane_steps import GroupOf, LaneSharing, SharedLoop
from ompc.plan.model.launch import CollectedAdds
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Accumulate, OnePoint, Refused, Schedule, Scope, SharedBody, Slots
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest

NAMES = frozenset({"add", "sub"})
"""The operations that can be collected."""


def with_collected_adds(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """The threads of a block add to shared memory first, in the kernel or in each loop that they share."""
    if schedule.lanes is not None:
        return _in_shared_loops(schedule, schedule.lanes, nest)
    if not schedule.is_plain or len(schedule.axes) != 1 or len(nest.grid) != 1 or nest.grid[0].once:
        return Refused()
    facts, loops = nest.facts, [loop.loop for loop in nest.grid]
    if not nest.effects.is_order_free or not has_room(facts, nest.asked) or not _are_alike(facts, nest.body):
        return Refused()
    found = _collected(nest, facts.accesses, facts.atomic_operations.forms.operations, loops)
    if found is None:
        return Refused()
    found = found if _are_done_once(found.operations, nest.body) else replace(found, once=None)
    combined = (Accumulate(found.words, "Sum", Scope.BLOCK, found), *schedule.combined)
    axes = schedule.with_axes({"x": OnePoint(collected=found)})
    return replace(schedule, axes=axes, combined=combined)


def collected_by(schedule: Schedule) -> tuple[CollectedAdds, ...]:
    """All that blocks collect, in the kernel or in loops that they share."""
    shared = () if schedule.lanes is None else schedule.lanes.collected.values()
    return (*schedule.collected, *shared)


def _in_shared_loops(schedule: Schedule, lanes: LaneSharing, nest: Nest) -> Schedule | Refused:
    """Where a block has no arrays of an iteration, rows of counters or terms in that memory."""
    loops = tuple(lanes.body.loops())
    taken = lanes.held or any(count.length for count in lanes.counts) or any(isinstance(s.how, InOrder) for s in loops)
    if lanes.group_of is not GroupOf.WARPS or taken or not has_room(nest.facts, nest.asked):
        return Refused()
    batched = schedule.batches is not None
    found = {shared: each for shared in loops if (each := _of_shared_loop(nest, shared, batched)) is not None}
    if not found:
        return Refused()
    kind = next(iter(found.values())).type  # there is room for the table of one type
    form = replace(lanes, collected={shared: each for shared, each in found.items() if each.type == kind})
    axes = schedule.with_axes({"x": Slots(form)})
    return replace(schedule, axes=axes, body=SharedBody(form))


def _of_shared_loop(nest: Nest, shared: SharedLoop, batched: bool) -> CollectedAdds | None:
    """Accesses of functions may be those of any loop."""
    how = shared.how
    if not isinstance(how, ByLanes) or how.counted is not None or how.running is not None:
        return None
    inside = set(walk(shared.body))
    accesses = [access for access in nest.facts.accesses if access.node in inside or access.function is not None]
    found = _collected(nest, accesses, shared.updates.operations, shared.loops)
    alone = not shared.nest and not how.partials and not batched
    if found is None or (alone and _are_done_once(found.operations, shared.body)):
        return found
    return replace(found, once=None)


# ------------------------------------------------------------------------------------------- what is collected


def _collected(
    nest: Nest,
    accesses: Sequence[Access],
    operations: Sequence[Operation],
    loops: Collection[CanonicalLoop],
) -> CollectedAdds | None:
    """Of the `operations`, the additions to integers of one type that are all that there is of their arrays among the
    `accesses`, in iterations of `loops`.
    """
    found: dict[Variable, frozenset[Operation]] = {}
    for v in nest.variables:
        if v.role in (Role.ARRAY, Role.LINKED) and v.placement is Placement.GLOBAL and v.distinct and v.obj is not None:
            own = _additions_to(v.obj, nest.facts, accesses, operations)
            if own and not all(_is_counted_on(operation.object, nest.facts, loops) for operation in own):
                found[v] = own
    if not found:
        return None
    kind = _type_of(next(iter(found.values())))
    alike = {v: own for v, own in found.items() if _type_of(own) == kind}
    everything = frozenset(operation for own in alike.values() for operation in own)
    because = "a block sums them up in shared memory first, as far as there is room for the elements"
    labels = tuple(v.label for v in alike)
    return CollectedAdds(Local("sums"), Local("stretch"), Local("sum"), kind, labels, everything, because)


def _are_done_once(operations: Collection[Operation], body: t.Stmt) -> bool:
    """Does an iteration, of little code, add at most once?"""
    nodes = list(walk(body))
    repeated = {part for node in nodes if isinstance(node, (t.For, t.While, t.DoWhile)) for part in walk(node)}
    once = len(operations) == 1 and all(operation.object not in repeated for operation in operations)
    return once and not has_goto(body) and not labels_in(body) and len(nodes) <= DEVICE.coarsened_body


def _are_alike(facts: Facts, body: t.Stmt) -> bool:
    """Do all iterations have as many turns of inner loops, so that blocks of neighbours have as much to do?"""
    loops = [node for node in walk(body) if isinstance(node, (t.For, t.While, t.DoWhile))]
    known = [facts.inner_loops.get(node) for node in loops if isinstance(node, t.For)]
    alike = all(loop is not None and facts.has_fixed_bounds(loop) for loop in known)
    return alike and len(known) == len(loops) and not has_goto(body)


def _type_of(operations: Collection[Operation]) -> ty.Type:
    return ty.unqualified(next(iter(operations)).object.type)


def _additions_to(
    obj: MemoryObject, facts: Facts, accesses: Sequence[Access], operations: Sequence[Operation]
) -> frozenset[Operation]:
    """All that is done to the object, if these are additions to integers that give no value; else nothing."""
    by_node = {node: operation for operation in operations for node in operation.mentions}
    own = [by_node.get(access.node) if access.function is None else None for access in accesses if access.obj == obj]
    found = frozenset(operation for operation in own if operation is not None)
    if not found or not _are_all(own) or not _are_additions(found):
        return frozenset()
    objects = (facts.points_to.object_of(operation.object) for operation in found)
    return found if all(each == {obj} for each in objects) else frozenset()


def _are_all(own: Sequence[Operation | None]) -> bool:
    """Is each access to an object part of an operation, in the kernel's own body?"""
    return None not in own


def _are_additions(operations: frozenset[Operation]) -> bool:
    """Do they add to integers of one type, and give no value?"""
    kind = _type_of(operations)
    plain = isinstance(kind, ty.Int) and not any(operation.object.type.quals for operation in operations)
    return plain and is_one_operation(operations, kind) and {operation.name for operation in operations} <= NAMES


def _is_counted_on(element: t.Expr, facts: Facts, loops: Collection[CanonicalLoop]) -> bool:
    """Does each iteration add to an element of its own, as far as subscripts that are affine say?"""
    counters = {loop.var for loop in loops}
    forms = (facts.forms.of(subscript) for subscript in _subscripts(element))
    return any(form is not None and not counters.isdisjoint(form.factors) for form in forms)


def _subscripts(element: t.Expr) -> Iterator[t.Expr]:
    """What is counted from the name of the array, or of a pointer, to the element; not what that is computed from."""
    match element:
        case t.Index(base=base, index=index):
            yield index
            yield from _subscripts(base)
        case t.Unary(operand=inner) | t.Cast(operand=inner) | t.Member(base=inner):
            yield from _subscripts(inner)
        case t.Binary(left=left, right=right):
            yield from (part for part in (left, right) if ty.is_integer(part.type))
            yield from (step for part in (left, right) if not ty.is_integer(part.type) for step in _subscripts(part))
        case _:
            pass
