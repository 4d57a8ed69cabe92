"""Plan: arrays that are not `__restrict__`, since nvcc would read stored values by the read-only data path.

    w[i] = 1;                                     r: const double *__restrict__
    x = on[i] ? w[i] : r[i];                      nvcc: one load, from on[i] ? &w[i] : &r[i]

Of such a load nvcc (seen with 13.0; with selected addresses and joined ones, of scalars and of members) looks at one
pointer alone: where `r` is only read and `__restrict__`, it becomes `ld.global.nc`, which does not see what the same
thread has stored. So has it where `r` alone is not `__restrict__` but `w` is. Where neither is, it does not.

A pair of arrays is left without where
    - a thread may read of one what it has stored there before: behind the store, or in another iteration of a loop
      around both that is not proved independent;
    - the other one is only read;
    - a load of the one and a load of the other are alternatives: in different arms of a test; or both go into one
      object, not in one statement after the other without a test or a loop between them. Loads of different sizes
      are never merged.

    In: Kernel, its variables.   Out: the variables, those of such pairs marked and with the reason.
    Not here: what else keeps an array from the read-only path -- variables.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from ompc.analysis.dependence.dependence import Dependences
from ompc.analysis.facts import Facts
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import is_jump
from ompc.ir.walk import Node, children, walk
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.variable import Placement, Variable

_LOOPS = (t.For, t.While, t.DoWhile)
_IN_MEMORY = (Placement.GLOBAL, Placement.READONLY)
MOST_PAIRS = 2000
"""The most pairs of accesses that are compared. With more, two loads are taken to meet, and a load to come behind a
store.
"""


def without_merged_loads(kernel: Kernel, variables: Sequence[Variable]) -> tuple[Variable, ...]:
    """The variables; those of pairs of which nvcc could merge loads are marked as such (`merges`)."""
    loads = _Loads(kernel)
    arrays = [(v, v.obj) for v in variables if v.placement in _IN_MEMORY and v.obj is not None]
    stored = kernel.facts.written  # threads' own arrays in memory of the launch, too
    pairs = [
        (written, other)
        for written, its_object in arrays
        for other, object_of_other in arrays
        if its_object in stored and object_of_other not in stored and (written.distinct or other.distinct)
        if loads.may_meet(its_object, object_of_other) and loads.sees_own_store(its_object)
    ]
    return tuple(_marked(v, pairs) for v in variables)


def _marked(v: Variable, pairs: Sequence[tuple[Variable, Variable]]) -> Variable:
    beside = [other if v is written else written for written, other in pairs if v in (written, other)]
    if not beside:
        return v
    names = " and ".join(f"'{other.label}'" for other in beside)
    why = f"not __restrict__: nvcc might merge loads of it and of {names}"
    if v.placement is not Placement.READONLY:
        return replace(v, merges=True, because="; ".join(filter(None, (v.because, why))))
    placed = f"only read, {why}"
    because = placed + v.because.removeprefix(v.placed_because)
    return replace(v, placement=Placement.GLOBAL, merges=True, placed_because=placed, because=because)


class _Loads:
    """Questions about the accesses of one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._facts: Facts = kernel.facts
        self._body = kernel.facts.device_code.body
        self._position = {access: k for k, access in enumerate(kernel.facts.accesses)}
        self._stored: dict[MemoryObject, bool] = {}
        self._places: dict[MemoryObject, tuple[_Place, ...]] = {}

    def may_meet(self, one: MemoryObject, other: MemoryObject) -> bool:
        """May a load of one and a load of the other become one load?"""
        pairs = [(a, b) for a in self._loads(one) for b in self._loads(other)]
        return len(pairs) > MOST_PAIRS or any(_may_meet(a, b) for a, b in pairs)

    def _loads(self, obj: MemoryObject) -> tuple[_Place, ...]:
        if obj not in self._places:
            self._places[obj] = tuple(dict.fromkeys(self._place(access) for access in self._reads(obj)))
        return self._places[obj]

    def _reads(self, obj: MemoryObject) -> Iterator[Access]:
        operation = self._facts.atomic_operations.operation
        return (access for access in self._facts.of(obj) if access.mode.reads and operation(access) is None)

    def _place(self, access: Access) -> _Place:
        several = access.node if len(self._facts.at(access.node)) > 1 else None
        kind = ty.unqualified(access.node.type)
        size = ty.size_of(kind) if isinstance(kind, (ty.Int, ty.Float, ty.Enum, ty.Pointer)) else None
        arm, loop = self._surroundings.get(access.node, (None, None))
        return _Place(several, size, arm, loop, self._goes_to.get(access.node, frozenset()))

    @cached_property
    def _surroundings(self) -> dict[Node, tuple[_Arm, Node | None]]:
        """The innermost arm and the innermost loop around each expression of the body; none in called functions."""
        return _surroundings(self._body)

    @cached_property
    def _goes_to(self) -> dict[Node, frozenset[tuple[Node, MemoryObject]]]:
        """The assignments in whose values a node is, each with a variable or an object that it assigns."""
        found: dict[Node, frozenset[tuple[Node, MemoryObject]]] = {}
        for node in walk(self._body):
            match node:
                case t.Assign(target=target, value=value):
                    targets = {access.obj for access in self._facts.at(target)}
                case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                    targets = {MemoryObject(symbol)}
                case _:
                    continue
            for part in walk(value):
                found[part] = found.get(part, frozenset()) | {(node, target) for target in targets}
        return found

    def sees_own_store(self, obj: MemoryObject) -> bool:
        """May a thread read an element that it has stored before, in this iteration of the parallel loop?"""
        if obj not in self._stored:
            stores = [access for access in self._facts.of(obj) if access.mode.writes]
            self._stored[obj] = self._has_store_before(stores, list(self._reads(obj)))
        return self._stored[obj]

    def _has_store_before(self, stores: Sequence[Access], reads: Sequence[Access]) -> bool:
        if len(stores) * len(reads) > MOST_PAIRS:
            return True
        return any(self._may_come_before(store, read) for store in stores for read in reads)

    def _may_come_before(self, store: Access, read: Access) -> bool:
        if store.function is not None or read.function is not None:
            return True
        return self._in_an_earlier_iteration(store, read) or self._in_this_one(store, read)

    def _in_an_earlier_iteration(self, store: Access, read: Access) -> bool:
        """May it be stored in one iteration of a loop around both, and read in another?"""
        own = {axis.statement for axis in self._kernel.mapping.loops}
        around = [c for c in store.context if isinstance(c, _LOOPS) and c in read.context and c not in own]
        outer = list(self._facts.loop.loops)
        for statement in around:
            loop = self._facts.inner_loops.get(statement) if isinstance(statement, t.For) else None
            if loop is None:
                return True
            asked = partial(Dependences(self._facts.candidate(loop, outer)).may_conflict, store, read)
            if answered(asked, True, loop.statement.loc):
                return True
            outer.append(loop)
        return False

    def _in_this_one(self, store: Access, read: Access) -> bool:
        """Does the store come first? An assignment stores what it has computed from its own loads."""
        if store.node is read.node or read.node in self._computed_for.get(store.node, ()):
            return False
        return self._position[store] < self._position[read]

    @cached_property
    def _computed_for(self) -> dict[t.Expr, frozenset[Node]]:
        """All of each assignment, by its target."""
        return {node.target: frozenset(walk(node)) for node in walk(self._body) if isinstance(node, t.Assign)}


@dataclass(eq=False, slots=True)
class _Arm:
    """What is executed if a test has one result: an arm of an `if` or of `?:`, the right side of `&&`, a `switch`; the
    whole body. `is_left`: there is a jump in it, so that code behind it is an alternative, too.
    """

    outer: _Arm | None
    is_switch: bool = False
    is_left: bool = False

    def is_in(self, other: _Arm) -> bool:
        arm: _Arm | None = self
        while arm is not None and arm is not other:
            arm = arm.outer
        return arm is other

    def leave(self) -> None:
        """There is a jump in it."""
        arm: _Arm | None = self
        while arm is not None and not arm.is_left:
            arm.is_left = True
            arm = arm.outer


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a load stands.

    `node`   itself, where its pointer leads to one of several objects
    `size`   bytes; None: of a record, which may be loaded by parts
    `arm`    the innermost one around it; None: in a called function
    `loop`   the innermost one around it
    `into`   the assignments in whose values it is, each with an object that is assigned
    """

    node: Node | None
    size: int | None
    arm: _Arm | None
    loop: Node | None
    into: frozenset[tuple[Node, MemoryObject]]

    @property
    def is_free(self) -> bool:
        """May it meet any other load?"""
        return self.arm is None or (self.arm.outer is not None and (self.arm.is_left or self.arm.is_switch))


def _may_meet(a: _Place, b: _Place) -> bool:
    if a.size != b.size and a.size is not None and b.size is not None:
        return False
    if a.node is not None and a.node is b.node:
        return True
    if a.arm is None or b.arm is None or a.is_free or b.is_free:
        return True
    if a.arm is b.arm and a.loop is b.loop:
        return False
    if not (a.arm.is_in(b.arm) or b.arm.is_in(a.arm)):
        return True
    return any(one is not other and obj == its for one, obj in a.into for other, its in b.into)


def _surroundings(body: t.Stmt) -> dict[Node, tuple[_Arm, Node | None]]:
    """The innermost arm and the innermost loop around each expression."""
    found: dict[Node, tuple[_Arm, Node | None]] = {}
    stack: list[tuple[Node, _Arm, Node | None]] = [(body, _Arm(None), None)]
    while stack:
        node, arm, loop = stack.pop()
        if isinstance(node, t.Expr):
            found[node] = arm, loop
        if is_jump(node):
            arm.leave()
        inner = node if isinstance(node, _LOOPS) else loop
        tested = _tested(node)
        for child in children(node):
            under = _Arm(arm, isinstance(node, t.Switch)) if child in tested else arm
            stack.append((child, under, inner))
    return found


def _tested(node: Node) -> tuple[Node, ...]:
    """The parts that are executed under a condition."""
    match node:
        case t.If(then=then, other=other):
            return (then,) if other is None else (then, other)
        case t.Conditional(then=then, other=other):
            return (then, other)
        case t.Binary(op="&&" | "||", right=right):
            return (right,)
        case t.Switch(body=body):
            return (body,)
        case _:
            return ()
