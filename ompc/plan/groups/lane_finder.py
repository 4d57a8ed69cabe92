"""Plan: the loops inside an iteration that lanes may share, and the iteration as steps that all lanes take together.

    if (skip[i]) continue;                      Chosen: own_then where !skip[i]
    double sum = 0;                                 Alone: sum = 0
    for (k = row[i]; ...) sum += val[k];            SharedLoop
    y[i] = sum;                                     Alone: y[i] = sum

A shared loop stands where all lanes of the warp come along: not in loops of other lengths, behind no jump. A `continue`
above it becomes an `else`.

    In: Facts, the parallel loop's variable, its body.   Out: Scope, or NotDivisibleError with the reason.
    Not here: kernels whose lanes do not come to the end of every iteration -- lanes.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import prod

from ompc.analysis.facts import Facts
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.atomics import Forms
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import breaks, continues
from ompc.ir.queries import assigned_in, declared_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.asked_strides import Strides, asked_strides
from ompc.plan.groups.lane_choices import Kind, LaneChoices
from ompc.plan.groups.lane_declarations import can_be_told, repeated, with_declarations, with_rest
from ompc.plan.groups.lane_sums import by_lanes
from ompc.plan.groups.lane_terms import NotDivisibleError, divide
from ompc.plan.groups.lane_work import (
    carried_by,
    check_computes,
    contiguous_bytes,
    elements,
    is_contiguous,
    leaves_its_variable,
    may_have_rows_in_common,
    may_trap,
)
from ompc.plan.groups.ordered_counts import has_room, ordered_count
from ompc.plan.groups.running_sums import running_sum
from ompc.plan.groups.shared_nests import may_be_nest, nest_of
from ompc.plan.groups.storing_loops import (
    exchanged_in,
    is_best_of_nest,
    objects_of_entries,
    updates_of_entries,
    wanted_sizes_of,
    why_dependent,
)
from ompc.plan.groups.worth_sharing import (
    LEAST_TRIPS,
    MOST_OWN,
    MOST_TERM_BYTES,
    is_worth_lanes,
    is_worth_splitting,
    is_worth_threads,
    producer_side,
    takes_time,
)
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.strides import mentions
from ompc.plan.model.lane_results import ByLanes, InOrder, OrderedCount, Side
from ompc.plan.model.lane_steps import NO_FORMS, Alone, Chosen, NestedLoop, Scope, SharedLoop, Step
from ompc.plan.model.names import Local

FEW_TERMS = 2
"""So many terms of an entry cost less than what is gained where rows turn out to be different ones. It weighs work
against work of the same device, and so is no number of the device."""
MOST_OF_ROW = 8
"""Values that others are given: the runtime has room for so many (ompc_thread_group.h)."""


_Symbols = Collection[t.Symbol]
_Updates = tuple[Forms, OrderedCount | None, tuple[NestedLoop, ...], Strides]
_NOTHING_TO_ASK: _Updates = NO_FORMS, None, (), ()

_TOGETHER = {Kind.ROWS: 4, Kind.EQUAL: 8, Kind.HELPED: 16, Kind.SPLIT: 8, Kind.GROUP: 4}
"""Entries of a lane that are read together, where they do not go in batches: as many as there are of short rows."""


@dataclass(slots=True)
class Finder:
    """`x` is the variable of the grid's x axis, `others` are those of other axes: the group knows them all."""

    facts: Facts
    x: t.Symbol
    kind: Kind
    choices: LaneChoices
    divides: bool = True
    """May lanes have sums of their own?"""
    others: tuple[t.Symbol, ...] = ()
    refusals: list[str] = field(default_factory=list)
    renewed: dict[t.Expr, t.Expr] = field(default_factory=dict)
    held: frozenset[t.Symbol] = frozenset()
    """As of LaneSharing."""
    repeated: list[t.Symbol] = field(default_factory=list)
    """The variables of loops that all lanes repeat, around what is looked at."""
    conditions: int = 0
    """How many conditions are around it."""
    wanted: dict[t.Symbol, int] = field(default_factory=dict)
    """The least values of sizes with which more loops would be shared."""
    row: tuple[ty.Type, int] | None = None
    """The kind of counters that blocks have in shared memory, and how many of them: there is room for one kind."""

    # ------------------------------------------------------------------ where the loops stand

    def candidates(self, body: t.Stmt) -> Iterator[CanonicalLoop]:
        """The loops of other lengths in each row that read neighbouring elements."""
        loops = (node for node in walk(body) if isinstance(node, t.For))
        return (self.facts.inner_loops[loop] for loop in loops if self._is_candidate(loop))

    def _is_candidate(self, node: t.For) -> bool:
        """Does each row have a length of its own, and neighbouring iterations read neighbouring elements?"""
        loop = self.facts.inner_loops.get(node)
        if loop is not None and self.kind is Kind.HELPED:
            return producer_side(self.facts, loop, self.x) is not None
        if loop is not None and self.kind is Kind.EQUAL:
            return is_worth_lanes(self.facts, loop, self.x) and not self._reads_constants(loop)
        if loop is not None and self.kind is Kind.SPLIT:
            return is_worth_splitting(self.facts, loop)
        if loop is not None and self.kind is Kind.GROUP:
            return is_worth_threads(self.facts, loop) or not self._is_short_nest(loop)
        return loop is not None and not self.facts.has_fixed_bounds(loop) and is_contiguous(self.facts, loop, self.x)

    def _is_short_nest(self, loop: CanonicalLoop) -> bool:
        """Are the loops that stand in a short one, as those of a nest do, together with it short, too?"""
        trips = [constant_trips(each) for each in (loop, *may_be_nest(self.facts, loop))]
        return "shared-nests" in self.choices.without or prod(known or LEAST_TRIPS for known in trips) < LEAST_TRIPS

    def _reads_constants(self, loop: CanonicalLoop) -> bool:
        """Does each iteration read another element of constant memory, all lanes of a warp the same one?"""
        indexed = (base for base, index in elements(loop.body) if mentions(index, loop.var))
        return any(isinstance(base, t.Name) and base.symbol in self.choices.constants for base in indexed)

    def scope(self, items: Sequence[t.Stmt]) -> Scope:
        """The steps of consecutive statements. Raises NotDivisibleError where lanes part in front of a shared loop."""
        steps: list[Step] = []
        alone: list[t.Stmt] = []
        for position, item in enumerate(items):
            rest = items[position + 1 :]
            parts = continues(item) and any(self._shares(other) for other in rest)
            if rest and not parts and continues(item) and self._shares(item):
                raise NotDivisibleError(f"iterations part inside the statement of line {item.loc.line}")
            statement = with_rest(item, rest) if parts else item
            step = self._step(statement)
            if step is None:
                alone.append(statement)
            else:
                steps += [Alone(tuple(alone))] * bool(alone)
                steps.append(step)
                alone = []
            if parts:
                break
        steps += [Alone(tuple(alone))] * bool(alone)
        return with_declarations(steps, items)

    def _shares(self, item: t.Stmt) -> bool:
        return any(isinstance(node, t.For) and self._is_candidate(node) for node in walk(item))

    def _step(self, node: t.Stmt) -> Step | None:
        """The statement as a step of all lanes; None: it has no loop that they share."""
        if not self._shares(node):
            return None
        match node:
            case t.Block(items=items):
                found = self.scope(items)
                return found if any(found.loops()) else None
            case t.Pragma(body=t.Stmt() as body) if node.directive.name == "simd":
                return self._step(body)
            case t.If(condition=condition, then=then, other=other):
                self.conditions += 1
                branches = self.scope((then,)), None if other is None else self.scope((other,))
                self.conditions -= 1
                if not any(scope and any(scope.loops()) for scope in branches):
                    return None
                own_then, own_other = Local("own_then", inside=True), Local("own_else", inside=True)
                return Chosen(condition, own_then, own_other, *branches)
            case t.For():
                if self.kind is Kind.GROUP and not is_best_of_nest(self.facts, node):
                    return self._shared_to_the_best(node) or self._repeated(node) or self._shared(node)
                return self._shared(node) or self._repeated(node)
            case _:
                return None

    def _repeated(self, node: t.For) -> Step | None:
        """A loop around one that is shared. All lanes evaluate its head, also where a condition keeps the loop out; but
        only its own whether an iteration has another turn, where iterations have different numbers of them. Where it
        begins, the iteration's own lane tells the others of its group, if nobody else knows.
        """
        loop = self.facts.inner_loops.get(node)
        if loop is None or breaks(loop.body) or node.condition is None:
            return None
        fixed = self.facts.has_fixed_bounds(loop)
        by_all = (loop.lower, loop.upper, loop.step) if fixed else (loop.lower, loop.step)
        begins_alike = self.facts.invariance.holds(loop.lower)
        told = () if begins_alike else self._told(loop.lower)
        if any(map(may_trap, by_all)) or told is None or not self.facts.invariance.holds(loop.step):
            return None
        self.repeated.append(loop.var)
        body = self.scope((loop.body,))
        self.repeated.pop()
        turns = None if fixed else Local("more", inside=True)
        if not any(begins_alike or shared.stores for shared in body.loops()):
            return None
        return repeated(self.facts, loop, body, bool(self.conditions), turns, told)

    def _told(self, lower: t.Expr) -> tuple[t.Symbol, ...] | None:
        """The row's values that others need for where a loop begins; None: not all of a group can be told."""
        counters = {self.x, *self.others, *self.repeated}
        own = [symbol for symbol in symbols_in(lower) - counters if self._is_rows_own(symbol)]
        told = self.kind is Kind.GROUP and can_be_told(self.facts, lower, own, counters)
        return tuple(sorted(own, key=lambda symbol: symbol.position)) if told else None

    # ------------------------------------------------------------------------- one loop

    def _shared(self, node: t.For) -> SharedLoop | None:
        if not self._is_candidate(node):
            return None
        loop = self.facts.inner_loops[node]
        try:
            return self._divided(loop)
        except NotDivisibleError as error:
            self.refusals.append(f"the loop over {loop.var.name} stays with one lane: {error}")
            return None

    def _shared_to_the_best(self, node: t.For) -> SharedLoop | None:
        """A loop with those inside of it, where the one whose neighbours are nearest is the innermost of the nest."""
        refusals = len(self.refusals)
        shared = self._shared(node)
        if shared is not None and shared.nest and is_best_of_nest(self.facts, shared.loops[-1].statement):
            return shared
        del self.refusals[refusals:]
        return None

    def _nest(self, loop: CanonicalLoop, updates: Forms) -> tuple[NestedLoop, ...]:
        """The loops inside that are shared with it, if it hands nothing on."""
        held = self.held
        return nest_of(self.facts, loop, held, lambda inner: why_dependent(self.facts, inner, held, updates) is None)

    def _divided(self, loop: CanonicalLoop) -> SharedLoop:
        declared = declared_in(loop.body)
        self._check_step(loop)
        own = objects_of_entries(self.facts, loop)
        held = self.held - own
        reads, stores = exchanged_in(self.facts, loop, held)
        check_computes(self.facts, loop, declared, self.kind is Kind.GROUP, held | own)
        updates, counted, asked_nest, asked = self._updates(loop, held) if stores else _NOTHING_TO_ASK
        written = assigned_in(loop.body) - declared - own
        carried = self._carried(loop, written)
        side = producer_side(self.facts, loop, self.x) if self.kind is Kind.HELPED else None
        changing = (written - carried) | declared | own | {loop.var}
        how = self._how(loop, side, carried, changing, bool(stores))
        if counted is not None:
            how = self._counting(how, counted)
        if asked and how.hands_on:
            raise NotDivisibleError("its entries hand values on")
        alone = counted is not None or how.hands_on or not self._may("shared-nests")
        nest = asked_nest or (() if alone else self._nest(loop, updates))
        if self.kind is Kind.GROUP and not nest and not is_worth_threads(self.facts, loop):
            raise NotDivisibleError("it is short")
        entries = Local(f"{loop.var.name.rstrip('_') or 'loop'}_entries", inside=True)
        leaves = continues(nest[-1].loop.body if nest else loop.body)
        shared = SharedLoop(loop, entries, how, (), leaves, side, reads, stores, updates, nest, asked)
        of_row = self._own(shared, carried | changing)
        if isinstance(how, ByLanes):
            how = replace(how, of_row=self._of_row(loop, of_row))
        if side is not None and len(of_row) > MOST_OWN:
            raise NotDivisibleError(f"it needs {len(of_row)} values of its row")
        return replace(shared, how=how, own=of_row)

    def _updates(self, loop: CanonicalLoop, held: _Symbols) -> _Updates:
        """What the entries do as atomic operations, and the counter that they see, so that they are independent; or the
        nest that is shared where its strides are large enough.
        """
        if (why_not := why_dependent(self.facts, loop, held)) is None:
            return _NOTHING_TO_ASK
        updates = updates_of_entries(self.facts, loop, held) if self.kind is Kind.GROUP else NO_FORMS
        if updates.expressions and why_dependent(self.facts, loop, held, updates) is None:
            return updates, None, (), ()
        if self._may("ordered-counts"):
            for forms in (NO_FORMS, updates):
                if (counted := ordered_count(self.facts, loop, held, forms)) is not None:
                    return forms, counted, (), ()
        sizes = wanted_sizes_of(self.facts, loop, held) if self._may("sizes") else {}
        self.wanted |= sizes
        if not sizes and self._may("shared-nests", "asked-strides"):
            nest = nest_of(self.facts, loop, self.held, lambda inner: True)
            if asked := asked_strides(self.facts, (loop, *(each.loop for each in nest)), held):
                return NO_FORMS, None, nest, asked
        raise NotDivisibleError(why_not)

    def _may(self, *optimisations: str) -> bool:
        """Has the kernel groups, and are these wanted?"""
        return self.kind is Kind.GROUP and self.choices.without.isdisjoint(optimisations)

    def _counting(self, how: InOrder | ByLanes, counted: OrderedCount) -> ByLanes:
        if not isinstance(how, ByLanes) or how.hands_on:
            raise NotDivisibleError("its entries hand on more than a counter")
        kind = (ty.unqualified(counted.counter.type), counted.length)
        self.row = self.row or (kind if counted.length and has_room(self.held, *kind) else None)
        return replace(how, counted=counted if kind == self.row else replace(counted, row=None, length=0))

    def _check_step(self, loop: CanonicalLoop) -> None:
        """All lanes evaluate the step: also those that help other rows, and where a condition keeps the loop out."""
        if not self.facts.invariance.holds(loop.step):
            raise NotDivisibleError("its step may differ between rows")
        if may_trap(loop.step):
            raise NotDivisibleError("its step may divide by 0, or follow a null pointer, where the loop does not run")

    def _how(
        self, loop: CanonicalLoop, side: Side | None, carried: _Symbols, changing: _Symbols, stores: bool
    ) -> InOrder | ByLanes:
        """How the entries are combined."""
        divided: ByLanes | str = "--without lane-sums"
        if "lane-sums" not in self.choices.without or not carried:
            divided = by_lanes(self.facts, loop, carried, self.choices.fp)
        if side is Side.ALONG:
            return self._in_order(loop, carried, changing, "warps go along rows")
        if isinstance(divided, ByLanes) and not self.divides:
            divided = "one lane has more to do"
        if self.kind is Kind.GROUP and not isinstance(divided, ByLanes) and stores:
            running = running_sum(self.facts, loop, carried)
            divided = divided if running is None else ByLanes((), running=running)
        if isinstance(divided, ByLanes):
            self._check_sums(loop, divided, stores)
            return replace(divided, together=_TOGETHER[self.kind])
        if self.kind in (Kind.EQUAL, Kind.SPLIT, Kind.GROUP):
            raise NotDivisibleError(divided)
        return self._in_order(loop, carried, changing, divided)

    def _of_row(self, loop: CanonicalLoop, own: tuple[t.Symbol, ...]) -> tuple[t.Symbol, ...] | None:
        """What others are given of a row when they help; None where rows are all alike, or entries take their time."""
        nodes = list(walk(loop.body))
        if self.kind is not Kind.ROWS or any(map(takes_time, nodes)):
            return None
        needed = own + (self.x,) * any(isinstance(n, t.Name) and n.symbol is self.x for n in nodes)
        return needed if len(needed) <= MOST_OF_ROW else None

    def _check_sums(self, loop: CanonicalLoop, how: ByLanes, stores: bool) -> None:
        """Raise NotDivisibleError where lanes would not gain by having entries of their own."""
        if not how.partials and not stores:
            raise NotDivisibleError("nothing comes of its entries")
        if len(how.partials) > FEW_TERMS and may_have_rows_in_common(self.facts, loop):
            why = f"neighbouring iterations may be at the same row, and it forms {len(how.partials)} sums"
            raise NotDivisibleError(why)

    def _in_order(
        self, loop: CanonicalLoop, carried: Collection[t.Symbol], changing: Collection[t.Symbol], because: str
    ) -> InOrder:
        found = divide(loop.body, carried, changing)
        if len(found.terms) > FEW_TERMS and may_have_rows_in_common(self.facts, loop):
            why = f"neighbouring iterations may be at the same row, and an entry has {len(found.terms)} terms"
            raise NotDivisibleError(why)
        if self.kind is Kind.HELPED and found.bytes > MOST_TERM_BYTES:
            raise NotDivisibleError(f"an entry has {found.bytes} bytes of terms")
        if self.kind is Kind.ROWS and found.bytes > DEVICE.term_bytes * max(1, beside := contiguous_bytes(loop)):
            why = f"an entry has {found.bytes} bytes of terms, and {beside} that neighbouring lanes would read together"
            raise NotDivisibleError(why)
        self.renewed |= found.renewed
        record = Local("Terms") if len(found.terms) > 1 else None
        return InOrder(record, found.terms, found.compute, found.combine, because)

    def _own(self, shared: SharedLoop, changing: Collection[t.Symbol]) -> tuple[t.Symbol, ...]:
        """The row's values that an entry needs. All lanes of an iteration know which one it is."""
        if isinstance(shared.how, ByLanes):
            left_out = {self.x, *self.others, *self.repeated}
        else:
            left_out = {term.symbol for term in shared.how.terms}
        parts: list[t.Stmt | t.Expr] = [shared.computed, *chain.from_iterable(shared.asked)]
        named = {node.symbol: None for part in parts for node in walk(part) if isinstance(node, t.Name)}
        left_out |= set(changing)
        return tuple(symbol for symbol in named if symbol not in left_out and self._is_rows_own(symbol))

    def _carried(self, loop: CanonicalLoop, written: Collection[t.Symbol]) -> frozenset[t.Symbol]:
        """Numbers, or the loop is not divisible."""
        if leaves_its_variable(self.facts, loop):
            raise NotDivisibleError(f"{loop.var.name} is used behind it")
        carried = carried_by(self.facts, loop, written)
        for symbol in sorted(carried, key=lambda symbol: symbol.position):
            if not isinstance(symbol.type, (ty.Int, ty.Float, ty.Enum)):
                raise NotDivisibleError(f"'{symbol.name}', which goes from one iteration to the next, is no number")
        return carried

    def _is_rows_own(self, symbol: t.Symbol) -> bool:
        """Has each row another value of it?"""
        if isinstance(symbol.type, (ty.Function, ty.Array)) or not self.facts.is_thread_private(MemoryObject(symbol)):
            return False
        declared = symbol in declared_in(self.facts.device_code.body)
        written = any(access.mode.writes for access in self.facts.of(MemoryObject(symbol)))
        return declared or written or symbol is self.x or self.facts.loop.sharing.get(symbol) is None
