"""Rewrite: iterations that read what later ones write read a copy of it, so that their loop is an axis (`auto`).

    for (j = 0; j < m; j++)                         for (j = 0; j < m; j++)
        for (i = 0; i < n; i++) {                       for (i = 0; i < n; i++) {
            double sum = b[i][j];                           double sum = b[i][j];
            for (k = i + 1; k < n; k++)        ->           for (k = i + 1; k < n; k++)
                sum += a[k][i] * b[k][j];                       sum += a[k][i] * b_before[k][j];
            b[i][j] = sum;                                  b[i][j] = sum;
        }                                               }

A loop that is serial by anti-dependences alone is parallel over a copy of the old values. The launch makes the copy on
the device before its kernel, of what the kernel reads there. Iterations of the loops around it write none of that: so
says the program of the annotated ones, and the mapping of others.

    for (q = 0; q < rows; q++) {                    for (q = 0; q < rows; q++)
        for (p = 0; p < n; p++) {                       for (p = 0; p < n; p++) {
            sum[p] = 0;                                     double sum = 0;
            for (s = 0; s < n; s++)           ->            for (s = 0; s < n; s++)
                sum[p] += a[q][s] * c[s][p];                    sum += a_before[q][s] * c[s][p];
        }                                                   a[q][p] = sum;
        for (p = 0; p < n; p++)                         }
            a[q][p] = sum[p];
    }

So do loops that stand between those which read an array and those which write it: an iteration that has read all that
it wants before it writes has found the old values, and over a copy of them its loops can be one.

    old values       what analysis/dependence/former_values.py says of each access to the array; or all statements of an
                     iteration that read it stand in front of those that write it
    by its name      every access is by the array's own name and has no other name in it; no function, atomic operation
                     or volatile object
    one iteration    the annotated iterations are independent by the program's word: what an earlier one has written,
                     a later one would want to see
    worth a copy     the reads are in a loop inside an iteration, of which there are more than a few turns

    In: Facts.   Out: the Facts of the same loop, with copies in `ParallelLoop.former`, and a line about them; or the
    same Facts.
    Not here: the copy -- runtime/memory/ompc_former_values.h; several loops that need copies; target regions.
    Source: node splitting and array renaming (Kuck et al., "Dependence graphs and compiler optimizations", POPL 1981;
    Padua and Wolfe, "Advanced compiler optimizations for supercomputers", CACM 1986).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from ompc.analysis.dependence.former_values import former_reads
from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import only_statement
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.exits import labels_in
from ompc.ir.queries import nodes
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Mapping, choose_mapping, only_loop, unproved
from ompc.plan.parameters.classification import classify_parameters
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

TextPlaces: TypeAlias = dict[Node, int]
"""The statement of an iteration in which a node stands."""

Nested = Callable[[Facts], tuple[Facts, str | None]]
"""What makes one loop of several."""


def with_former_values(facts: Facts, nested: Nested) -> tuple[Facts, str | None]:
    """`facts` with copies of arrays, where these make one more axis, by themselves or by what `nested` makes of it."""
    if facts.is_proved_independent or facts.loop.target is not None or facts.loop.lastprivates:
        return facts, None
    mapping = choose_mapping(facts, joins=True)
    nest = mapping.nest or mapping.loops
    if len(nest) >= DEVICE.axes:
        return facts, None
    inner = only_loop(facts, mapping.body)
    if inner is None:
        return _with_loops_joined(facts, mapping, nested)
    found = dict(_copied(facts, inner, nest))
    if not found:
        return facts, None
    after = _with_copies(facts, inner.body, found)
    if isinstance(after, Reason) or len(choose_mapping(after, joins=True).loops) <= len(mapping.loops):
        return facts, None
    names = ", ".join(f"'{obj.symbol.name}'" for obj in found)
    return after, f"iterations of {inner.var.name} read what {names} held before the launch, in a copy on the device"


def _with_loops_joined(facts: Facts, mapping: Mapping, nested: Nested) -> tuple[Facts, str | None]:
    """With loops of an iteration that are one where what the first ones read of an array is what it held before."""
    found = dict(_read_first(facts, mapping.body))
    after = _with_copies(facts, mapping.body, found) if found else Reason("", "")
    if isinstance(after, Reason):
        return facts, None
    after, line = nested(after)
    more = len(choose_mapping(after, joins=True).loops) > len(mapping.loops)
    if not more or isinstance(unproved(after) or classify_parameters(after), Reason):
        return facts, None
    names = ", ".join(f"'{obj.symbol.name}'" for obj in found)
    said = f"iterations read what {names} held before the launch, in a copy on the device"
    return after, "; ".join(filter(None, (said, line)))


def _read_first(facts: Facts, body: t.Stmt) -> Iterator[tuple[MemoryObject, Sequence[t.Name]]]:
    """The arrays that an iteration reads in long loops, and writes behind that, with their names in the reads."""
    alone = only_statement(body)
    items = alone.items if isinstance(alone, t.Block) else (alone,)
    if len(items) < 2 or labels_in(body):
        return
    place = {node: k for k, item in enumerate(items) for node in walk(item)}
    long_loops = [_long_loops(facts, item) for item in items]
    for obj in facts.shared_objects:
        accesses = facts.of(obj)
        if obj not in facts.written or not is_named(facts, obj, accesses):
            continue
        if any(access.node not in place for access in accesses):
            continue
        reads = [access for access in accesses if not access.mode.writes]
        repeated = any(len(long_loops[place[read.node]].intersection(read.context)) > 1 for read in reads)
        if repeated and _are_ahead(reads, accesses, place):
            yield obj, [_names(read)[0] for read in reads]


def _are_ahead(reads: Sequence[Access], accesses: Sequence[Access], place: TextPlaces) -> bool:
    """Do all statements with `reads` stand in front of those that write?"""
    written = min(place[access.node] for access in accesses if access.mode.writes)
    return all(place[read.node] < written for read in reads)


def _copied(
    facts: Facts, inner: CanonicalLoop, nest: Sequence[CanonicalLoop]
) -> Iterator[tuple[MemoryObject, Sequence[t.Name]]]:
    """The arrays of which iterations of `inner` read former values, with their names in these reads."""
    loops = _long_loops(facts, inner.body)
    for obj in facts.shared_objects if loops else ():
        accesses = facts.of(obj)
        repeated = any(not access.mode.writes and not loops.isdisjoint(access.context) for access in accesses)
        if obj not in facts.written or not repeated or not is_named(facts, obj, accesses):
            continue
        reads = former_reads(facts.candidate(inner, nest), accesses)
        if reads and not any(loops.isdisjoint(read.context) for read in reads):  # the copy is little beside the work
            yield obj, [_names(read)[0] for read in reads]


def is_named(facts: Facts, obj: MemoryObject, accesses: Sequence[Access]) -> bool:
    """Is the array accessed by its own name alone, at each place by one, and by no atomic operation?"""
    symbol = obj.symbol
    if obj.stored or facts.loop.sharing.get(symbol, Sharing.SHARED) is not Sharing.SHARED or symbol.threadprivate:
        return False
    if obj.pointee and (facts.points_to.is_assigned(symbol) or MemoryObject(symbol) in facts.written):
        return False
    for access in accesses:
        atomic = facts.atomic_operations.covers(access)
        if access.function is not None or atomic or "volatile" in access.node.type.quals or len(_names(access)) != 1:
            return False
    seen = {name for access in accesses for name in _names(access)}
    body = [node for node in nodes(facts.device_code.body) if isinstance(node, t.Name) and node.symbol is symbol]
    return len(body) == len(seen) and seen.issuperset(body) and symbol not in facts.function_symbols


def _names(access: Access) -> list[t.Name]:
    """Where the text of an element names its array."""
    return [node for node in walk(access.node) if isinstance(node, t.Name) and node.symbol is access.obj.symbol]


def _long_loops(facts: Facts, code: t.Stmt) -> set[Node]:
    """The loops in it that have more than a few turns."""

    def is_long(node: Node) -> bool:
        loop = facts.inner_loops.get(node) if isinstance(node, t.For) else None
        trips = None if loop is None else constant_trips(loop)
        return trips is None or trips > DEVICE.short_loop

    loops = (node for node in walk(code) if isinstance(node, (t.For, t.While, t.DoWhile)))
    return {node for node in loops if is_long(node)}


def _with_copies(facts: Facts, body: t.Stmt, found: dict[MemoryObject, Sequence[t.Name]]) -> Facts | Reason:
    free = FreeNames(facts)
    copies = {obj: replace(obj.symbol, name=free.take(f"{obj.symbol.name}_before")) for obj in found}
    reads = {name: t.Name(name.type, name.loc, copies[obj]) for obj, names in found.items() for name in names}

    def change(node: Node) -> Node | None:
        return reads.get(node) if isinstance(node, t.Name) else None

    loop = facts.loop
    former = {**loop.former, **{copy: obj.symbol for obj, copy in copies.items()}}
    known = replace(facts, loop=replace(loop, former=former))
    return with_body(known, body, rewritten(body, change))
