"""Plan: loops inside an iteration that store, and whose entries the threads of a group divide.

    for (j = 0; j <= i; j++)                shared: entry j stores to elements that no other entry looks at
        c[i * n + j] *= beta;
    for (k = 0; k < m; k++)                 all threads repeat it
        for (j = 0; j <= i; j++)            shared, once for each k; neighbouring threads have neighbouring elements
            c[i * n + j] += a[i * m + k] * a[j * m + k];

Each entry is done by one thread, as it stands in the program, and all threads wait for each other behind the loop. So
it is enough that its entries are independent of each other: what stands before and behind may depend on them. Where
they meet by adding to integers, they do that by atomic operations.

    In: Facts, a loop.   Out: whether it is the one of its nest to be shared; why its entries depend on each other.
    Not here: what the threads may not do at all in a shared loop -- lane_work.py.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.analysis.dependence.dependence import Candidate, obstacle, wanted_sizes
from ompc.analysis.dependence.restricted import by_restricted_pointers
from ompc.analysis.facts import Facts
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.atomics import Forms, unsuitable
from ompc.analysis.reductions.operations import Operation, update
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import is_constant_table, names_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.groups.worth_sharing import is_worth_threads
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.inner_axes import rows_that_may_overlap
from ompc.plan.model.lane_steps import NO_FORMS
from ompc.plan.parameters.expansion import expanded_arrays

_KEPT_BY_NOBODY = (None, Sharing.PRIVATE)


def is_best_of_nest(facts: Facts, node: t.For) -> bool:
    """Is the loop better shared than one inside of it: is none of those nearer?"""
    loop = facts.inner_loops.get(node)
    inside = [facts.inner_loops.get(part) for part in walk(node.body) if isinstance(part, t.For)]
    inner = [other for other in inside if other is not None and is_worth_threads(facts, other)]
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


def held_arrays(facts: Facts, body: t.Stmt) -> frozenset[t.Symbol]:
    """The arrays of an iteration's own that a group of threads may have in memory of the block: those of which there is
    nothing but elements in the body, so that they may be anywhere, and that begin with no values.

        double t[300];                          __shared__ double t[300];
        for (j ...) t[j] = u[i][j] + ...;       together; wait
        for (j ...) v[i][j] = t[j - 1] + ...;   together; wait

    What is in memory of the launch anyway, since it is too large for each thread or of variable length, is so for each
    block, too.
    """
    names = names_in(body)
    expanded = expanded_arrays(facts)
    of_launch = frozenset() if isinstance(expanded, Reason) else frozenset(expanded)
    found = [symbol for symbol in names if _may_be_held(facts, symbol, of_launch)]
    whole = {part for node in walk(body) if (part := _base_of_element(node)) is not None}
    begun = {node.symbol for node in walk(body) if isinstance(node, t.VarDecl) and node.init is not None}
    held = [s for s in found if s not in begun and all(name in whole for name in names[s])]
    in_memory = frozenset(held) & of_launch
    room, taken = DEVICE.group_arrays, [*in_memory]
    for symbol in sorted(set(held) - in_memory, key=lambda symbol: symbol.position):
        room -= ty.size_of(symbol.type) or room + 1
        taken += [symbol] * (room >= 0)
    return frozenset(taken)


def _may_be_held(facts: Facts, symbol: t.Symbol, of_launch: Collection[t.Symbol]) -> bool:
    kind = symbol.type
    if not isinstance(kind, ty.Array) or not (symbol in of_launch or ty.size_of(kind)):
        return False
    private = facts.is_thread_private(MemoryObject(symbol)) and facts.loop.sharing.get(symbol) in _KEPT_BY_NOBODY
    return private and symbol.storage is not t.Storage.LOCAL_STATIC and not is_constant_table(symbol)


def _base_of_element(node: object) -> t.Name | None:
    """The name of the array of which `node` is an element."""
    is_element = isinstance(node, t.Index) and not isinstance(node.type, ty.Array)
    return _array_of(node) if is_element else None


def _array_of(node: object) -> t.Name | None:
    """The name of the array that `node` is, or of which it is a row or an element."""
    while isinstance(node, t.Index) and isinstance(node.base.type, ty.Array):
        node = node.base
    return node if isinstance(node, t.Name) else None


def objects_of_entries(facts: Facts, loop: CanonicalLoop) -> frozenset[t.Symbol]:
    """The thread's own arrays and structs, and variables of which functions get the addresses, that each entry needs
    for itself alone: every thread has one.

    for (j ...) {                      t, y: read behind what writes them, in each entry
        solution(x, t, &y);
        u[j] = t[0] + t[1] * y;
    }
    """
    inside, everywhere = names_in(loop.body), names_in(facts.device_code.body)
    found = [s for s in inside if _has_places(s) and facts.is_thread_private(MemoryObject(s))]
    alone = [s for s in found if len(inside[s]) == len(everywhere.get(s, ())) and _stays_in_entry(loop, inside[s])]
    private = [s for s in alone if facts.loop.sharing.get(s) in _KEPT_BY_NOBODY]
    return frozenset(s for s in private if facts.keeps_nothing(loop.body, s))


def _has_places(symbol: t.Symbol) -> bool:
    whole = isinstance(ty.unqualified(symbol.type), ty.Array | ty.Struct)
    return whole or (ty.is_arithmetic(symbol.type) and symbol.address_taken)


def _stays_in_entry(loop: CanonicalLoop, names: Collection[t.Name]) -> bool:
    """Is all that the loop does with an object to name it, or its elements, and to hand it to functions? No pointer
    leads there in another entry, or behind the loop: they return none, and a kernel stores none in memory (OMPC360).
    """
    nodes = list(walk(loop.body))
    elements = {base for node in nodes if (base := _base_of_element(node)) is not None}
    calls = [node for node in nodes if isinstance(node, t.Call) and not _may_have_pointers(node.type)]
    handed = {base for call in calls for arg in call.args if (base := _array_of(arg) or _variable_at(arg)) is not None}
    addresses = {node for node in nodes if isinstance(node, t.Unary) and node.op == "&"}
    taken = {part for node in addresses for part in walk(node)}
    return all(
        name in handed or (name in elements if isinstance(name.type, ty.Array) else name not in taken) for name in names
    )


def _variable_at(arg: t.Expr) -> t.Name | None:
    """The variable of which the argument is the address."""
    match arg:
        case t.Unary(op="&", operand=t.Name() as name):
            return name
        case _:
            return None


def _may_have_pointers(kind: ty.Type) -> bool:
    return not (ty.is_arithmetic(kind) or isinstance(kind, ty.Void))


def exchanged_in(
    facts: Facts, loop: CanonicalLoop, held: Collection[t.Symbol]
) -> tuple[frozenset[t.Symbol], frozenset[t.Symbol]]:
    """The arrays to which the kernel stores and that entries, or functions that may be called for them, read; and those
    to which they store. `held`: held_arrays.
    """
    inside, written = set(walk(loop.body)), facts.written
    found = [a for a in facts.accesses if (a.node in inside or a.function is not None) and a.obj in written]
    found = [access for access in found if _is_reached(facts, access.obj, held)]
    reads = frozenset(access.obj.symbol for access in found if access.mode.reads)
    return reads, frozenset(access.obj.symbol for access in found if access.mode.writes)


def _is_reached(facts: Facts, obj: MemoryObject, held: Collection[t.Symbol]) -> bool:
    """Do all threads reach the same object?"""
    return obj.symbol in held or not facts.is_thread_private(obj)


def why_dependent(
    facts: Facts,
    loop: CanonicalLoop,
    held: Collection[t.Symbol],
    updates: Forms = NO_FORMS,
    but: Collection[Access] = (),
) -> str | None:
    """Why an entry may look at what another one stores; None: they are independent. `updates`: atomic operations;
    `but`: what is known to be apart.
    """
    shared = [access for access in reached_in(facts, loop, held) if access not in but]
    if changes_bounds(facts, loop, shared):
        return "it may change its own bounds"
    known = facts.atomic_operations
    return obstacle(candidate_of(facts, loop), shared, replace(known, forms=known.forms | updates))


def wanted_sizes_of(facts: Facts, loop: CanonicalLoop, held: Collection[t.Symbol]) -> dict[t.Symbol, int]:
    """From which values on of sizes the entries are independent, where that is the reason why they are not; of sizes
    that the launcher has.

        for (k = 0; k < 16; k++)                entries 0 and n would meet
            a[k * n + c] *= s;  a[k * n + c + 1] ...
    """
    shared = reached_in(facts, loop, held)
    if changes_bounds(facts, loop, shared):
        return {}
    candidate, known = candidate_of(facts, loop), facts.atomic_operations
    found = answered(lambda: wanted_sizes(candidate, shared, known), dict[t.Symbol, int](), loop.statement.loc)
    return found if all(symbol in facts.invariant for symbol in found) else {}


def reached_in(facts: Facts, loop: CanonicalLoop, held: Collection[t.Symbol]) -> list[Access]:
    """The accesses in the loop to what all threads reach."""
    nodes = set(walk(loop.body))
    own = [a for a in facts.accesses if a.node in nodes or a.function is not None]
    return [access for access in own if _is_reached(facts, access.obj, held)]


def candidate_of(facts: Facts, loop: CanonicalLoop) -> Candidate:
    """The loop, for the question whether its entries are independent within an iteration: of one that is not known, of
    the grid's loops and of those around it. Nothing is known of several rows but that a pointer leads to one.
    """
    loops = (*facts.loop.loops, *facts.inner_loops.values())
    found = facts.candidate(loop, [o for o in loops if any(node is loop.statement for node in walk(o.body))])
    code, functions = facts.device_code.body, facts.unit.functions
    apart = by_restricted_pointers(code, facts.accesses, functions, loop.statement)
    return replace(found, meeting=rows_that_may_overlap(facts), apart=apart)


def updates_of_entries(facts: Facts, loop: CanonicalLoop, held: Collection[t.Symbol]) -> Forms:
    """The statements of an entry that add to an integer in memory, or do to it what may be done in any order.

        for (k = first; k < last; k++)          entries may meet at an element: an atomic operation of the device
            count[key[k]]++;
    """
    found: dict[t.Expr, Operation] = {}
    for node in walk(loop.body):
        operation = update(node.expr) if isinstance(node, t.ExprStmt) else None
        if operation is not None and operation.group is not None and _is_of_device(operation):
            accesses = facts.at(operation.object)
            if accesses and all(_is_reached(facts, access.obj, held) and not access.function for access in accesses):
                assert isinstance(node, t.ExprStmt)
                found[node.expr] = operation
    return Forms(found)


def _is_of_device(operation: Operation) -> bool:
    """Has the device an instruction for it?"""
    kind = ty.unqualified(operation.object.type)
    whole = isinstance(kind, ty.Int) and kind.size in (4, 8) and kind != ty.BOOL and not operation.object.type.quals
    return whole and operation.name in _OF_DEVICE and unsuitable(operation) is None


_OF_DEVICE = frozenset({"add", "sub", "and", "or", "xor"})


def changes_bounds(facts: Facts, loop: CanonicalLoop, accesses: Sequence[Access]) -> bool:
    """Does an entry store to what the bounds read? They are evaluated once, before the first entry."""
    stored = {access.obj for access in accesses if access.mode.writes}
    bounds = {part for bound in (loop.lower, loop.upper, loop.step) if bound is not None for part in walk(bound)}
    return any(access.node in bounds and access.obj in stored for access in facts.accesses)
