"""Plan: privatised histograms: accumulators in shared memory for arrays that a kernel only accumulates into (`auto`).

    #pragma omp parallel for reduction(+ : count[:256])    const ompc::BlockAccumulators<ompc::Sum, ...>
    count_copies(...);
    for (i = 0; i < n; i++)                                ...
        count[data[i]]++;                                  ompc::atomic_add(&count[data[i]], 1, count_copies);
                                                           count_copies.combine();

The same for `#pragma omp atomic`. Legal where all that the kernel does with the object are atomic operations of
one group, in its own body, which give no value: nobody can see when they are done, or in which grouping. Integers of
any operator, and floating sums, which have no order that a program could rely on when they are accumulated in place.
Not floating products, since another grouping may overflow, nor floating minima, since the copies would begin with a
value that compares unlike NaN. No other object of the kernel may be the same memory, which the launcher makes sure of
at this level.

Whether there are copies, and how many, is decided at the launch (ompc_histograms.h): of all elements that the array can
have, so that no update has to ask; those in front of a pointer that points into its middle are among them.

The schedule:

    axis x: i ...                        axis x: i ...
        count[data[i]]++;                    count_copies[data[i]]++;
                                         combine count, Sum, block

    In: Schedule, Nest.   Out: Schedule.
    Not here: scalars, which become reductions -- rewrites/atomic_sums.py; reductions of which each thread has a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.operations import Operation, Result
from ompc.ir import types as ty
from ompc.ir.queries import names_in
from ompc.ir.walk import walk
from ompc.omp.model import Override
from ompc.plan.machine import DEVICE
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.extent import MappedExtent, ObjectExtent
from ompc.plan.model.launch import BlockAccumulators
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Accumulate, Refused, Schedule, Scope
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest

OPERATORS = {"+": "Sum", "*": "Product", "min": "Min", "max": "Max", "&": "BitAnd", "|": "BitOr", "^": "BitXor"}
"""The runtime's names of the groups of operations."""

NAMES = frozenset({"add", "sub", "mul", "min", "max", "and", "or", "xor"})
"""The operations that copies have."""


def with_block_copies(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Before all else is combined, the threads of a block combine its copies with the arrays."""
    if not schedule.is_plain:
        return Refused()
    found = _accumulators(nest.facts, nest.variables, nest.asked)
    copies = tuple(Accumulate(a.symbol.name, a.op, Scope.BLOCK, a) for a in found)
    return replace(schedule, combined=(*copies, *schedule.combined)) if copies else Refused()


def _accumulators(facts: Facts, variables: Sequence[Variable], override: Override) -> tuple[BlockAccumulators, ...]:
    """The arrays of one kernel of which blocks have copies."""
    if not has_room(facts, override):
        return ()
    found = [(v, operations) for v in variables if (operations := operations_on(v, facts))]
    exist = Local("copies", "with_accumulators")
    sections = {item.symbol for item in facts.loop.reductions}
    return tuple(_copies(v, operations, exist, v.symbol in sections) for v, operations in found)


def has_room(facts: Facts, override: Override) -> bool:
    """Do all threads come to the end of the kernel, and is enough of the block's memory left, and meant for that?"""
    loop = facts.loop
    if not LaunchEffects.of(facts).all_threads_end or (override.threads or 0) > DEVICE.block_threads_shared:
        return False
    if override.shape.shared == 0:
        return False
    large = any(item.declared is not None for item in loop.reductions) or loop.conditional
    others = len(loop.reductions) + 2 * len(facts.atomic_operations.arg_reductions)
    return not large and others <= DEVICE.histogram_reductions


def operations_on(v: Variable, facts: Facts) -> frozenset[Operation]:
    """All that the kernel does with the variable, if that can be done with copies; else nothing."""
    is_large = isinstance(v.extent, ObjectExtent) and v.extent.bytes is not None and v.extent.bytes > DEVICE.shared_most
    if v.role not in (Role.ARRAY, Role.CELL) or v.placement is not Placement.GLOBAL or v.dimensions or is_large:
        return frozenset()
    return frozenset() if v.obj is None else operations_of(v.obj, ty.unqualified(ty.element_of(v.element)), facts)


def operations_of(obj: MemoryObject, kind: ty.Type, facts: Facts) -> frozenset[Operation]:
    """All that the kernel does with an object with elements of type `kind`, if that can be done with copies."""
    accesses = facts.of(obj)
    found = {facts.atomic_operations.operation(access) for access in accesses}
    operations = frozenset(operation for operation in found if operation is not None)
    in_body = all(access.function is None for access in accesses)
    if not in_body or len(found) != len(operations) or not is_one_operation(operations, kind):
        return frozenset()
    if any(facts.points_to.object_of(operation.object) != {obj} for operation in operations):
        return frozenset()
    return operations if _is_named_by(operations, obj, facts) else frozenset()


def _is_named_by(operations: Collection[Operation], obj: MemoryObject, facts: Facts) -> bool:
    """Does nothing else name the array, such as a pointer that is set to an element?"""
    inside = {part for operation in operations for node in operation.mentions for part in walk(node)}
    names = names_in(facts.device_code.body).get(obj.symbol, ())
    return all(node in inside for node in names)


def is_one_operation(operations: frozenset[Operation], kind: ty.Type) -> bool:
    """Do they combine elements of type `kind` into one value, whatever their order and grouping?"""
    groups = {operation.group for operation in operations}
    if len(groups) != 1 or not groups <= OPERATORS.keys():
        return False
    if not (isinstance(kind, ty.Int) and kind.name != "_Bool") and not (isinstance(kind, ty.Float) and groups == {"+"}):
        return False
    return all(
        operation.name in NAMES
        and operation.result is Result.NOTHING
        and not operation.in_order
        and ty.unqualified(operation.object.type) == kind
        for operation in operations
    )


def _copies(v: Variable, operations: frozenset[Operation], exist: Local, is_section: bool) -> BlockAccumulators:
    (group,) = {operation.group for operation in operations}
    assert group is not None
    return BlockAccumulators(
        symbol=v.symbol,
        array=v.device_name,
        exist=exist,
        name=Local("_copies", after=v.device_name),
        room=Local("_room", after=v.device_name),
        op=OPERATORS[group],
        type=ty.unqualified(ty.element_of(v.element)),
        operations=operations,
        count=v.sizes if is_section and isinstance(v.extent, MappedExtent) else (),
        because="in the shared memory of each block, where there is room and work enough for them",
    )
