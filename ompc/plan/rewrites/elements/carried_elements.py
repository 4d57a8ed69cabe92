"""Plan: what a loop goes on using of arrays stays in variables, which move on with it (`auto`).

                                                  double x_0 = x[0];
    for (j = 1; j < n; j++)                       for (j = 1; j < n; j++) {
        x[j] = (x[j] - a[j] * x[j - 1]) / b[j];       double x_j = next;  if (j < n - 1) next = x[j + 1];
                                                      x_j = (x_j - a[j] * x_0) / b[j];
                                                      x[j] = x_j;
                                                      x_0 = x_j;
                                                  }

So an iteration does not wait for what the one before has stored, and what comes in has been asked for by that one. An
element is stored when it is changed for the last time: at the place of its last change, and in the last iterations
wherever it is changed. Nothing is loaded or stored that the loop would not access: what lies between two elements of an
iteration may be loaded in vain.

    In: Facts.   Out: the Facts of the same loop with such variables; or the same Facts.
    Not here: which elements -- analysis/locality/recurrences.py.
    Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990); loads that
    are begun an iteration before: Lam, "Software pipelining" (PLDI 1988).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.locality.iteration_steps import Nested, Step
from ompc.analysis.locality.recurrences import Recurrence, Stream, recurrence
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declared_in
from ompc.ir.rewrite import copied, rebuilt, rewritten, with_items
from ompc.ir.walk import Node, walk
from ompc.plan.machine import DEVICE
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.elements.made_code import assigned, done_where, integer, named, plus
from ompc.plan.rewrites.elements.unread_variables import without_unread
from ompc.plan.rewrites.free_names import FreeNames

_POSITION = -5_000
"""The position of the first new variable, which puts such variables before all others."""

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def with_carried_elements(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with what its inner loops carry along arrays in variables, and a line that says so."""
    writer = _Writer(facts)
    body = rewritten(facts.device_code.body, writer.of_block)
    if not writer.lines:
        return facts, None
    body = without_unread(body, writer.assigned, facts)
    loop = facts.loop
    loop = replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)))
    after = gather_again(facts, loop)
    return (facts, None) if isinstance(after, Reason) else (after, "; ".join(writer.lines))


class _Writer:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._variables = Variables(facts, FreeNames(facts), _POSITION)
        self.lines: list[str] = []
        self.assigned: set[t.Symbol] = set()  # by the loops that have become others

    def of_block(self, node: Node) -> Node | None:
        """What becomes of a loop in a block, or of one that is all of a body."""
        if isinstance(node, t.For) and (found := self._of_loop(node)) is not None:
            return t.Block(node.loc, tuple(found))
        if not isinstance(node, t.Block) or any(isinstance(item, t.Case) for item in node.items):
            return None
        items: list[t.Stmt] = []
        for item in node.items:
            made = self._of_loop(item) if isinstance(item, t.For) else None
            if made is not None:
                items.append(t.Block(item.loc, tuple(made)))
            elif isinstance(item, t.For):
                items.append(rebuilt(item, self.of_block))
            else:
                items.append(rewritten(item, self.of_block))
        return with_items(node, items)

    def _of_loop(self, statement: t.For) -> Sequence[t.Stmt] | None:
        found = recurrence(self._facts, statement, DEVICE.carried_elements)
        if found is None:
            return None
        carried = Carried(self._variables, found)
        body = carried.body({})
        for node in walk(statement.body):
            if isinstance(node, t.Assign) and isinstance(node.target, t.Name):
                self.assigned.add(node.target.symbol)
        self.assigned |= declared_in(statement.body)
        arrays = ", ".join(dict.fromkeys(str(stream.obj).lstrip("*") for stream in found.streams))
        self.lines.append(f"variables hold what the loop over {found.loop.var.name} uses again of {arrays}")
        loop = replace(statement, body=t.Block(statement.body.loc, tuple(body)))
        return [*carried.declared(), *carried.before(), loop]


class Variables:
    """Makes variables for elements, with positions from `position` on."""

    def __init__(self, facts: Facts, free: FreeNames, position: int) -> None:
        self._facts = facts
        self._free = free
        self._position = position

    def of(self, stream: Stream, element: t.Expr, behind: str = "") -> t.Symbol:
        """One for an element of the stream."""
        self._position += 1
        name = self._free.take(name_of(element) + behind)
        return t.Symbol(name, stream.element, t.Storage.AUTO, element.loc, self._position, self._facts.loop.function)


class Named(Protocol):
    """Something that has a variable for the element at a place."""

    def name(self, at: int) -> t.Name: ...


Places: TypeAlias = Mapping[Step, Mapping[Node, tuple[Named, int]]]
"""The lvalues, of each step, that become variables."""


class Carried:
    """A loop's iteration with variables for its streams."""

    def __init__(self, variables: Variables, found: Recurrence) -> None:
        self._found = found
        self._windows = [_Window(variables, found, stream) for stream in found.streams]

    @property
    def variables(self) -> int:
        """How many there are."""
        return sum(window.count for window in self._windows)

    def declared(self) -> Iterator[t.Stmt]:
        for window in self._windows:
            yield from window.declared()

    def before(self) -> Iterator[t.Stmt]:
        """The loads in front of the loop, if it has an iteration."""
        return _before(self._found, self._windows)

    def body(self, others: Places) -> list[t.Stmt]:
        """An iteration, in which `others` are variables, too."""
        found = self._found
        places: dict[Step, dict[Node, tuple[Named, int]]] = {step: dict(others.get(step, {})) for step in found.steps}
        for window in self._windows:
            for use in window.stream.uses:
                places[found.steps[use.step]][use.node] = window, use.at
        body = done_where(found.guards, _entering(found, self._windows))
        body += done(found.items, places)
        moving = [part for window in self._windows for part in window.moving()]
        return body + done_where(found.guards, [*_stored(found, self._windows), *moving])


class _Window:
    """The variables of a stream."""

    def __init__(self, variables: Variables, found: Recurrence, stream: Stream) -> None:
        self._found = found
        self.stream = stream
        used = {use.at: use for use in reversed(stream.uses)}
        places = range(stream.last, stream.first + 1)
        self.symbols = {at: variables.of(stream, used[at].node if at in used else self.at(at)) for at in places}
        self._next: t.Symbol | None = None
        if stream.is_read_first(stream.first):
            self._next = variables.of(stream, self.at(stream.first), "_next")

    @property
    def count(self) -> int:
        return len(self.symbols) + (self._next is not None)

    def name(self, at: int) -> t.Name:
        return named(self.symbols[at])

    def at(self, at: int, counter: t.Expr | None = None) -> t.Expr:
        """The element at this place, of the iteration with this counter."""
        node = self.stream.uses[0].node
        loop, entry = self._found.loop, self.stream.entry
        levels: list[t.Index] = []
        for _ in range(len(entry) + 1):
            assert isinstance(node, t.Index)
            levels.append(node)
            node = node.base
        counter = named(loop.var) if counter is None else counter
        moving, *behind = reversed(levels)
        element: t.Expr = copied(node)
        element = t.Index(moving.type, moving.loc, element, plus(counter, self._found.sign * at, loop.type))
        for level, value in zip(behind, entry, strict=True):
            index = copied(level.index) if value is None else integer(value, node.loc)
            element = t.Index(level.type, level.loc, element, index)
        return element

    def declared(self) -> Iterator[t.Stmt]:
        where = self._found.loop.statement.loc
        symbols = [*self.symbols.values(), *((self._next,) if self._next is not None else ())]
        for symbol in symbols:
            zero = t.IntConst(ty.INT, where, 0, "0")
            yield t.DeclStmt(where, (t.VarDecl(symbol, zero, where),))

    def before(self) -> Iterator[t.Stmt]:
        """What is there when the first iteration begins."""
        lower = self._found.loop.lower
        for at in range(self.stream.last, self.stream.first):
            if self.stream.is_read_first(at):
                yield assigned(self.name(at), self.at(at, lower))
        if self._next is not None:
            yield assigned(named(self._next), self.at(self.stream.first, lower))

    def enters(self) -> Iterator[t.Stmt]:
        if self._next is not None:
            yield assigned(self.name(self.stream.first), named(self._next))

    def asked_for(self) -> Iterator[t.Stmt]:
        """What enters next."""
        if self._next is not None:
            yield assigned(named(self._next), self.at(self.stream.first + 1))

    def moving(self) -> Iterator[t.Stmt]:
        for at in range(self.stream.last, self.stream.first):
            yield assigned(self.name(at), self.name(at + 1))


def _entering(found: Recurrence, windows: Sequence[_Window]) -> list[t.Stmt]:
    """What comes in, and the load of what comes in next, for which the next iteration does not have to wait then."""
    loads = [part for window in windows for part in window.asked_for()]
    return [*(part for window in windows for part in window.enters()), *done_where((_comes(found, 1),), loads)]


def _stored(found: Recurrence, windows: Sequence[_Window]) -> list[t.Stmt]:
    """What the iteration has changed, unless a later one changes it again."""
    made: list[t.Stmt] = []
    waiting: dict[int, list[t.Stmt]] = {}  # by the number of iterations until then
    for window in windows:
        for at in dict.fromkeys(use.at for use in window.stream.uses if use.writes):
            below = window.stream.written_below(at)
            stores = made if below is None else waiting.setdefault(at - below, [])
            stores.append(assigned(window.at(at), window.name(at)))
    for later, stores in sorted(waiting.items()):
        made += done_where((_comes(found, later, negated=True),), stores)
    return made


def done(items: Sequence[Step | Nested], places: Places) -> list[t.Stmt]:
    """The items of an iteration, with variables in these places."""
    made: list[t.Stmt] = []
    for item in items:
        if isinstance(item, Step):
            made.append(_step_done(item, places.get(item, {})))
        else:
            block = t.Block(item.block.loc, tuple(done(item.items, places)))
            made.append(block if item.guard is None else t.If(item.block.loc, copied(item.guard), block, None))
    return made


def _step_done(step: Step, places: Mapping[Node, tuple[Named, int]]) -> t.Stmt:
    """The step, with variables in the places of these lvalues."""

    def change(node: Node) -> Node | None:
        if isinstance(node, t.Expr) and node in places:
            window, at = places[node]
            return window.name(at)
        if isinstance(node, t.Name) and node.symbol in step.constants:
            return integer(step.constants[node.symbol], node.loc)
        return None

    return copied(rewritten(step.statement, change))


def _before(found: Recurrence, windows: Sequence[_Window]) -> Iterator[t.Stmt]:
    """The loads in front of the loop, if it has an iteration."""
    loads = [part for window in windows for part in window.before()]
    if not loads:
        return
    loop = found.loop
    condition = t.Binary(ty.INT, loop.statement.loc, loop.relation, copied(loop.lower), copied(loop.upper))
    yield from done_where((*found.guards, condition), loads)


def _comes(found: Recurrence, later: int, negated: bool = False) -> t.Expr:
    """Does the loop have an iteration so many after this one? The bound moves, as the counter may be at its limit."""
    loop = found.loop
    where = loop.statement.loc
    relation = _NEGATED[loop.relation] if negated else loop.relation
    bound = plus(loop.upper, -found.sign * later, loop.upper.type)
    return t.Binary(ty.INT, where, relation, named(loop.var), bound)
