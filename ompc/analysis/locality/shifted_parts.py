"""Analysis: loops and statements of an iteration that can be parts of one loop, with the elements that they use.

    for (i = 1; i < n; i++)                  a loop that counts up by one
        d[i] = c * v[i - 1] - g[k][i];       of the thread's own: d, changed at 0, and v, read at -1
    d[n][1] += 2;                            a statement for one element, at n

In: Facts, the statements.   Out: Part of each; None: it cannot be one.
Not here: which parts become one loop, and how far they are apart -- shifts.py.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from ompc.analysis.facts import Facts
from ompc.analysis.interchange.array_contraction import elements_in
from ompc.analysis.locality.element_accesses import ElementAccess, accesses_of_steps
from ompc.analysis.locality.iteration_steps import (
    Nested,
    NotInStepsError,
    Step,
    iteration_of,
    short_turns,
    steps_of,
)
from ompc.analysis.locality.recurrences import Stream, has_fit_bounds, streams_of
from ompc.analysis.locality.single_elements import Entry, SingleElement
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import names_in, set_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """An element of the thread's own array that a part uses; `at`: how far it is from the counter."""

    step: Step
    node: t.Expr
    symbol: t.Symbol
    entry: Entry
    at: int
    reads: bool
    writes: bool


@dataclass(slots=True, eq=False)
class Part:
    """A loop, or a statement for one `position` of its counter, which comes `shift` steps behind the one ahead; where
    all `guards` hold.
    """

    items: tuple[Step | Nested, ...]
    steps: tuple[Step, ...]
    touches: tuple[Touch, ...]
    accesses: tuple[ElementAccess, ...]
    guards: tuple[t.Expr, ...] = ()
    loop: CanonicalLoop | None = None
    position: t.Expr | None = None
    streams: tuple[Stream, ...] = ()
    shift: int = 0

    @property
    def is_serial(self) -> bool:
        """Does an iteration read what an earlier one has written?"""
        if self.loop is None:
            return False
        written = {(each.symbol, each.entry, each.at) for each in self.touches if each.writes}
        read = {(each.symbol, each.entry, each.at) for each in self.touches if each.reads}
        own = any(w[:2] == r[:2] and w[2] > r[2] for w, r in product(written, read))
        return own or any(stream.is_carried for stream in self.streams)


class Parts:
    """Makes them. `changed`: variables that the iteration changes; `own`: the thread's own arrays of numbers, which are
    named by elements alone; `moving`: the dimension of each that goes with the counters.
    """

    def __init__(self, facts: Facts, changed: frozenset[t.Symbol]) -> None:
        self._facts = facts
        self._changed = changed
        self._body = facts.device_code.body
        self.own = self._own_arrays()
        self.moving: dict[t.Symbol, int] = {}

    def of_loop(self, statement: t.Stmt, guards: tuple[t.Expr, ...]) -> Part | None:
        """The loop, done where all the guards hold."""
        facts = self._facts
        loop = facts.inner_loops.get(statement) if isinstance(statement, t.For) else None
        if loop is None or loop.down or not has_fit_bounds(facts, loop) or jumps_in(loop.statement.body):
            return None
        if ty.unqualified(loop.type) != ty.INT or labels_in(statement) or facts.device_code.says_anything(statement):
            return None
        if short_turns(facts, loop) is not None:
            return None  # what it does to single elements may be done at their places
        try:
            items = iteration_of(facts, loop)
        except NotInStepsError:
            return None
        steps = tuple(steps_of(items))
        accesses = accesses_of_steps(facts, steps, self._changed)
        if accesses is None or any(set_in(statement) & symbols_in(bound) for bound in (loop.lower, loop.upper)):
            return None
        touches = tuple(touch for access in accesses if (touch := self._touch(access)) is not None)
        where = any(not touch.step.guards and _is_always(touch) for touch in touches)
        if constant_value(loop.lower) is None and not where:
            return None  # where it begins is not known
        streams = streams_of(facts, loop, steps)
        return Part(items, steps, touches, accesses, guards, loop=loop, streams=streams)

    def _touch(self, access: ElementAccess) -> Touch | None:
        symbol, places = access.obj.symbol, access.places
        if symbol not in self.own or access.obj.pointee or places is None or access.step is None:
            return None
        moving = [number for number, place in enumerate(places) if place is not None and place[0]]
        entry = tuple(place[1] for place in places if place is not None and not place[0])
        if len(moving) != 1 or len(entry) != len(places) - 1:
            return None
        if self.moving.setdefault(symbol, moving[0]) != moving[0]:
            return None
        at = next(place[1] for place in places if place is not None and place[0])
        return Touch(access.step, access.node, symbol, entry, at, access.reads, access.writes)

    def of_element(self, each: SingleElement, guards: tuple[t.Expr, ...]) -> Part:
        """The statement, done where these guards hold, too."""
        step = Step(each.statement, (), {}, {})
        touches: list[Touch] = []
        accesses: list[ElementAccess] = []
        for node, (symbol, entry, at) in each.elements.items():
            assert isinstance(each.statement.expr, t.Assign)
            writes = node is each.statement.expr.target
            reads = not writes or each.statement.expr.op != "="
            touches.append(Touch(step, node, symbol, entry, at, reads, writes))
            places = [(False, value) for value in entry]
            places.insert(self.moving[symbol], (True, at))
            accesses.append(ElementAccess(MemoryObject(symbol), node, step, tuple(places), reads, writes))
        guards = (*guards, *each.guards)
        return Part((step,), (step,), tuple(touches), tuple(accesses), guards, position=each.position)

    def _own_arrays(self) -> frozenset[t.Symbol]:
        elements, names = elements_in(self._body), names_in(self._body)
        return frozenset(
            symbol
            for symbol, found in elements.items()
            if len(found) == len(names.get(symbol, ())) and self._is_fit(symbol)
        )

    def _is_fit(self, symbol: t.Symbol) -> bool:
        facts = self._facts
        if facts.loop.sharing.get(symbol, Sharing.PRIVATE) is not Sharing.PRIVATE or symbol.address_taken:
            return False
        element = ty.element_of(symbol.type)
        if not ty.is_arithmetic(element) or element.quals or not ty.constant_lengths(symbol.type):
            return False
        if any(decl.symbol is symbol and decl.init is not None for decl in self._declarations):
            return False
        return facts.is_thread_private(MemoryObject(symbol)) and symbol not in facts.function_symbols

    @cached_property
    def _declarations(self) -> tuple[t.VarDecl, ...]:
        return tuple(node for node in walk(self._body) if isinstance(node, t.VarDecl))


def _is_always(touch: Touch) -> bool:
    """Does every iteration use the element?"""
    match touch.step.statement:
        case t.ExprStmt(expr=t.Assign(target=target)):
            return target is touch.node
        case _:
            return False
