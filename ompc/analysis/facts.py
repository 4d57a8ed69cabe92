"""Analysis: all that is found out about one parallel loop, gathered for the decisions of the plan.

In: a ParallelLoop, the Unit.   Out: Facts, or the Reason why the loop stays on the host. Not here: decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

from ompc.analysis.dependence.dependence import Candidate
from ompc.analysis.dependence.one_value import objects_with_one_value
from ompc.analysis.eligibility.device_code import DeviceCode, device_code
from ompc.analysis.floats.contraction_safety import ContractionSafety, contraction_safety
from ompc.analysis.floats.rsqrt import inverse_roots
from ompc.analysis.flow.thread_dependence import of_one_thread
from ompc.analysis.host.loops_around import conditions_around, loops_around
from ompc.analysis.integers.definitions import Known, assigned_definitions, declared_definitions, outer_definitions
from ompc.analysis.integers.domain_forms import DomainForms
from ompc.analysis.integers.growing import least_values
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.integers.polynomials import Definition, Forms
from ompc.analysis.memory import accesses as acc
from ompc.analysis.memory.access_relation import AccessRelations
from ompc.analysis.memory.bounding_sections import BoundingSections
from ompc.analysis.memory.extents import Footprints
from ompc.analysis.memory.lmad import Lmads
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.memory.must_writes import MustWrites
from ompc.analysis.memory.pointer_uses import check_pointer_uses
from ompc.analysis.memory.points_to import PointsTo, Unresolved
from ompc.analysis.memory.single_objects import is_single_object
from ompc.analysis.privatisation.array_privatisation import PrivatisableObjects
from ompc.analysis.privatisation.concurrent_context import Bodies, ConcurrentContext
from ompc.analysis.privatisation.element_sets import Use
from ompc.analysis.privatisation.settled import NOTHING, AtLeast, Settled
from ompc.analysis.privatisation.team_private import resolve
from ompc.analysis.privatisation.upward_exposed import use_of
from ompc.analysis.reductions.atomic_operations import AtomicOperations, atomic_operations
from ompc.analysis.reductions.in_place import accumulated_in_place
from ompc.analysis.reductions.waiting import waiting
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import is_entered
from ompc.ir.queries import declared_in, names_in, set_in
from ompc.ir.walk import Node, walk
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop, ParallelLoop, Sharing


@dataclass(frozen=True, eq=False)
class Facts:
    """Analyses of one loop; the costly ones run when they are first asked."""

    loop: ParallelLoop
    unit: t.Unit
    device_code: DeviceCode
    points_to: PointsTo
    accesses: tuple[acc.Access, ...]
    atomic_operations: AtomicOperations = field(default_factory=AtomicOperations)
    compared: Callable[[t.Expr], bool] = field(default=lambda _: True)  # may what is stored there be, elsewhere?
    tested: Callable[[t.Expr], bool] = field(default=lambda _: True)  # may a sum that it goes into be compared with 0?
    settled: Settled = NOTHING  # what the program only reads while the loop's function runs

    @property
    def is_proved_independent(self) -> bool:
        """Does the program allow the iterations to depend on earlier ones, so that more is needed than its word?"""
        return self.loop.in_order is not None or (self.loop.target is not None and not self.loop.target.independent)

    @property
    def adds_in_order(self) -> bool:
        """Are atomic sums added up in the order of the iterations, so that their last bits are certain? Not by several
        threads whose numbers are asked for, of which there may be as many as one likes.
        """
        return self.loop.in_order is not None and self.loop.in_order.adds_in_order

    @cached_property
    def shared_objects(self) -> tuple[MemoryObject, ...]:
        """The objects outside the threads that the kernel accesses, in the order of declaration;
        pointees after objects.
        """
        objects = {access.obj for access in self.accesses if not self.is_thread_private(access.obj)}
        return tuple(sorted(objects, key=MemoryObject.order))

    def is_thread_private(self, obj: MemoryObject) -> bool:
        """Is the object a thread's own: declared in the kernel, or private by clause?"""
        return self.points_to.is_own(obj)

    def of(self, obj: MemoryObject) -> tuple[acc.Access, ...]:
        """The accesses to `obj` in the order of the text."""
        return self._by_object.get(obj, ())

    def may_meet_itself(self, obj: MemoryObject) -> bool:
        """May the pointers that lead to it lead to one place, as all that the loop does there may be in any order?"""
        return self.atomic_operations.all_commute(self.of(obj))

    def at(self, node: Node) -> tuple[acc.Access, ...]:
        """The accesses that the lvalue `node` is."""
        return self._by_node.get(node, ())

    @cached_property
    def _by_node(self) -> Mapping[Node, tuple[acc.Access, ...]]:
        found: dict[Node, tuple[acc.Access, ...]] = {}
        for access in self.accesses:
            found[access.node] = (*found.get(access.node, ()), access)
        return found

    @cached_property
    def _by_object(self) -> Mapping[MemoryObject, tuple[acc.Access, ...]]:
        return acc.by_object(self.accesses)

    @cached_property
    def written(self) -> frozenset[MemoryObject]:
        return frozenset(access.obj for access in self.accesses if access.mode.writes)

    @cached_property
    def with_one_value(self) -> frozenset[MemoryObject]:
        """The shared objects in which it does not matter who comes last."""
        shared = [access for access in self.accesses if not self.is_thread_private(access.obj)]
        return objects_with_one_value(self.device_code.body, shared, self.invariant | self.loop.fixed.keys())

    @cached_property
    def invariant(self) -> frozenset[t.Symbol]:
        """The integer variables from outside of the kernel that have one value in all its iterations."""
        named = {obj.symbol for obj in self.shared_objects_and_bounds if not obj.pointee} | self.loop.sharing.keys()
        return frozenset(filter(self.is_fixed, named))

    def is_fixed(self, symbol: t.Symbol) -> bool:
        """Is it an integer that has in all iterations the value from before the launch?"""
        copied = self.loop.sharing.get(symbol) is Sharing.FIRSTPRIVATE
        own = self.is_thread_private(MemoryObject(symbol)) or any(symbol is loop.var for loop in self.loop.loops)
        return ty.is_integer(symbol.type) and (copied or not own) and self.is_only_read(symbol)

    def is_only_read(self, symbol: t.Symbol) -> bool:
        """Does the kernel change the variable neither by its name nor through a pointer from outside?"""
        obj = MemoryObject(symbol)
        reached = symbol.address_taken and not self.is_thread_private(obj)
        return obj not in self.written and not (reached and any(written.pointee for written in self.written))

    def can_be_asked(self, symbol: t.Symbol) -> bool:
        """Can the host ask for the variable where the pragma stands, with one answer for all threads of a team?"""
        seen = self.loop.pragma.scope.get(symbol.name) is symbol
        return seen and (self.loop.team is None or symbol not in of_one_thread(self.loop))

    @cached_property
    def invariance(self) -> Invariance:
        """Of the launch; the launcher can evaluate what is invariant."""
        return Invariance(cache(self.is_fixed))

    def has_fixed_bounds(self, loop: CanonicalLoop) -> bool:
        """Has the loop the same iterations in every iteration of the parallel loop, known before the launch?"""
        return self.invariance.holds(loop.lower, loop.upper, loop.step)

    @cached_property
    def shared_objects_and_bounds(self) -> frozenset[MemoryObject]:
        """Like `shared_objects`, with what only the loop bounds read."""
        bounds = [e for loop in self.loop.loops for e in (loop.lower, loop.upper, loop.step) if e is not None]
        names = {node.symbol for bound in bounds for node in walk(bound) if isinstance(node, t.Name)}
        return frozenset(self.shared_objects) | {MemoryObject(name) for name in names}

    @cached_property
    def inner_loops(self) -> Mapping[t.For, CanonicalLoop]:
        """The sequential loops of the body that have canonical form, and that begin at their beginning."""
        found: dict[t.For, CanonicalLoop] = {}
        for node in walk(self.device_code.body):
            if isinstance(node, t.For):
                loop = sequential_loop(node)
                if not isinstance(loop, Reason) and not is_entered(node, self.device_code.body):
                    found[node] = loop
        return found

    def keeps_nothing(self, code: t.Stmt, symbol: t.Symbol) -> bool:
        """Does `code`, a part of the loop's body, read only what it has written itself of the thread's own `symbol`,
        whenever the launcher has found the loop's least values?
        """
        found = use_of(code, symbol, self._around)
        return found.use is Use.OWN_VALUES and all(map(self._is_asked, found.least))

    def _is_asked(self, value: AtLeast) -> bool:
        """Does the launcher ask for that, or for more?"""
        return any(value.place.text == asked.text and value.number <= asked.number for asked in self.loop.least)

    @cached_property
    def _around(self) -> ConcurrentContext:
        own = {symbol for symbol, how in self.loop.sharing.items() if not how.one_for_all}
        stands_for = {s: read.value for s, read in self.loop.fixed.items() if "volatile" not in read.value.type.quals}
        settled = replace(self.settled, values={**self.settled.values, **stands_for})
        own |= {loop.var for loop in self.loop.loops}
        return ConcurrentContext.of(self.device_code.body, Bodies(self.unit.functions), own, settled)

    @cached_property
    def known(self) -> Known:
        """What is known of the integers in the loop's code."""
        outer = outer_definitions(self.unit.functions, self.invariant)
        definitions = {**self._inner_definitions, **outer.definitions}
        invariant = (self.invariant | outer.leaves) - outer.definitions.keys()
        asked = [each for each in self.loop.within if each.symbol in invariant]
        least = least_values(self.unit.functions, invariant) | {each.symbol: each.least for each in asked}
        greatest = {each.symbol: each.greatest for each in asked if each.greatest is not None}
        known = Known(invariant, definitions, least, greatest)
        return replace(known, conditions=tuple(conditions_around(self.loops_around, known, outer.definitions.keys())))

    @cached_property
    def loops_around(self) -> tuple[CanonicalLoop, ...]:
        """The host's, around the launch."""
        launched = self.loop.loops[0].statement.loc
        return loops_around(self.unit.functions, self.loop.function, launched)

    @cached_property
    def _inner_definitions(self) -> Mapping[t.Symbol, Definition]:
        """Of the variables that the loop's code itself gives their values."""
        around = frozenset(loop.statement for loop in self.loop.loops)
        own = {symbol for symbol in self.loop.sharing if self.is_thread_private(MemoryObject(symbol))}
        own |= declared_in(self.device_code.body)
        found = assigned_definitions(self.device_code.body, around, own)
        return found | declared_definitions(self.device_code.body, around)

    @cached_property
    def forms(self) -> Forms:
        """Polynomials of expressions in the body, over all loops around them."""
        forms = Forms(self.known.invariant, self.known.definitions)
        forms.counters = {loop.var: loop.statement for loop in (*self.loop.loops, *self.inner_loops.values())}
        return forms

    def candidate(self, loop: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> Candidate:
        """The sequential `loop` inside `outer`, for the question whether its iterations are independent."""
        fixed = self._left_alone(loop)
        if fixed not in self._relations:
            known = replace(self.known, invariant=self.known.invariant | fixed)
            self._relations[fixed] = AccessRelations(self.device_code, self.inner_loops, known)
        return Candidate(loop, tuple(outer), self._relations[fixed])

    @cached_property
    def _relations(self) -> dict[frozenset[t.Symbol], AccessRelations]:
        """By what is the same in all iterations of a candidate, beside what is so in all of the launch."""
        return {frozenset(): self.relations}

    def _left_alone(self, loop: CanonicalLoop) -> frozenset[t.Symbol]:
        """The integers of the thread's own that the loop does not change, and of which no more is known."""
        known, set_here = self.known, set_in(loop.statement)
        forms = DomainForms(known.invariant, known.definitions, self.forms.counters)
        counters = {each.var for each in (*self.loop.loops, *self.inner_loops.values())}
        return frozenset(
            symbol
            for symbol in names_in(loop.statement)
            if ty.is_integer(symbol.type) and symbol.is_automatic and not symbol.address_taken
            if self.is_thread_private(MemoryObject(symbol)) and symbol not in set_here and symbol not in counters
            if symbol not in known.invariant
            if symbol not in known.definitions or forms.of(t.Name(symbol.type, symbol.loc, symbol)) is None
        )

    @cached_property
    def relations(self) -> AccessRelations:
        return AccessRelations(self.device_code, self.inner_loops, self.known)

    @cached_property
    def launch_relations(self) -> AccessRelations:
        """In terms of what the launcher has."""
        return AccessRelations(self.device_code, self.inner_loops, Known(self.invariant, self._inner_definitions))

    @cached_property
    def footprints(self) -> Footprints:
        return Footprints(self.device_code, self.accesses, self.launch_relations)

    def is_single_object(self, obj: MemoryObject) -> bool:
        """Is all that is accessed behind the pointer `obj` the one object that it points to?"""
        return is_single_object(self.device_code, self.points_to, self.accesses, obj)

    @cached_property
    def lmads(self) -> Lmads:
        return Lmads(self.device_code, self.launch_relations)

    @cached_property
    def must_writes(self) -> MustWrites:
        return MustWrites(self.device_code, self.accesses, self.lmads)

    @cached_property
    def bounding_sections(self) -> BoundingSections:
        return BoundingSections(self.device_code, self.accesses, self.lmads)

    @property
    def exact(self) -> frozenset[t.Expr]:
        """The operations that must not be contracted."""
        return self.contraction_safety.operations

    @cached_property
    def contraction_safety(self) -> ContractionSafety:
        return contraction_safety(self.device_code, self.accesses, self.inverse_roots, self.compared, self.tested)

    @cached_property
    def inverse_roots(self) -> frozenset[t.Expr]:
        return inverse_roots(self.device_code)

    @cached_property
    def function_symbols(self) -> frozenset[t.Symbol]:
        """Symbols that code of called functions names and that are declared outside of them: file-scope objects."""
        named = {
            node.symbol
            for function in self.device_code.functions
            if function.body is not None
            for node in walk(function.body)
            if isinstance(node, t.Name) and not isinstance(node.symbol.type, ty.Function)
        }
        return frozenset(symbol for symbol in named if not self.points_to.is_local(symbol))


def gather(
    loop: ParallelLoop, unit: t.Unit, objects: PrivatisableObjects, settled: Settled | None = None
) -> Facts | Reason:
    """Run the analyses that every later decision needs; `objects` has answers about the unit's other loops."""
    code = device_code(loop, unit)
    if isinstance(code, Reason):
        return code
    settled = objects.settled(loop.function) if settled is None else settled
    try:
        points_to = PointsTo(code)
        found = acc.accesses(code, points_to)
        if Sharing.TEAM_PRIVATE not in loop.sharing.values():
            return _with_operations(Facts(loop, unit, code, points_to, found, settled=settled))
        resolved = resolve(loop, objects, code, points_to, found)
        if isinstance(resolved, Reason):
            return resolved
        fresh = replace(code, loop=resolved) if resolved.body is loop.body else device_code(resolved, unit)
        if isinstance(fresh, Reason):
            return fresh
        code = fresh
        points_to = PointsTo(code)  # a pointer that has become each thread's own has no value from before the loop
        found = acc.accesses(code, points_to)
        return _with_operations(Facts(resolved, unit, code, points_to, found, settled=settled))
    except Unresolved as unresolved:
        return unresolved.reason


def gather_again(facts: Facts, loop: ParallelLoop) -> Facts | Reason:
    """The facts of `loop`, which `facts.loop` has become, with what is known of the whole program."""
    if loop is facts.loop:
        return facts
    # Which objects of the team are each thread's own has been found out, once and for all, by the program's objects.
    assert Sharing.TEAM_PRIVATE not in loop.sharing.values()
    found = gather(loop, facts.unit, PrivatisableObjects(facts.unit), facts.settled)
    return found if isinstance(found, Reason) else replace(found, compared=facts.compared, tested=facts.tested)


def _with_operations(facts: Facts) -> Facts | Reason:
    """`facts` with what its `atomic` and `critical` constructs are, if no iteration waits for another one."""
    check_pointer_uses(facts.device_code, facts.points_to)  # knows by now which pointers are followed
    found = atomic_operations(facts.device_code, facts.points_to, facts.accesses, facts.is_thread_private)
    if isinstance(found, Reason):
        return found
    waits = waiting(facts.device_code, facts.accesses, found, facts.is_thread_private)
    in_place = accumulated_in_place(facts.device_code, facts.points_to)
    if isinstance(in_place, Reason):
        return waits or in_place
    return waits or replace(facts, atomic_operations=replace(found, forms=found.forms | in_place))
