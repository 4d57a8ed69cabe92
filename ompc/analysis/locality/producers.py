"""Analysis: loops of an iteration of which one makes the elements of an array that a later one uses up in its order.

    for (i = 0; i < 2 * n; i++) {                step by step, as each number comes of the one before
        seed = next(seed);  x[i] = seed;
    }
    for (j = 0; j < n; j++)
        use(x[2 * j], x[2 * j + 1]);             iteration j needs what iterations 2 * j and 2 * j + 1 have made

Both could be one loop, in which each iteration of the second one stands behind its iterations of the first one:

    own arrays      nothing else names them. The first loop gives each element its value in one iteration, ahead of all
                    else that it does with it, and the second one uses elements of its own iterations alone
    same numbers    the first loop has so many times the iterations of the second one, and they begin together
    apart           nothing else that one of them writes is of concern to the other one
    to the end      no jump leaves an iteration of the first loop, nor the second loop
    one meaning     what the first loop names is hidden neither by what stands between the loops nor in the second one
    between them    statements that the first loop does not concern, or that set what nobody reads

    In: Facts, statements of a block.   Out: Pair, or None.
    Not here: what becomes of them -- plan/rewrites/elements/producer_fusion.py; loops with the same iterations, which
    are independent -- plan/rewrites/interchange.py.
    Source: Gao, Olsen, Sarkar, Thekkath, "Collective loop fusion for array contraction" (LCPC 1992); alignment: Allen
    and Kennedy, "Optimizing Compilers for Modern Architectures", 6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.integers.polynomials import Polynomial, number, variable
from ompc.analysis.interchange.array_contraction import elements_in, subscripts_of
from ompc.analysis.locality.iteration_steps import is_signed
from ompc.analysis.locality.kept_rows import is_pure
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import ends_early, jumps_in, labels_in
from ompc.ir.queries import called_functions, declared_in, names_in, symbols_in, unread_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing

Entry: TypeAlias = tuple[int | None, ...]
"""The constant subscripts of an element; None: the one that moves with the loop."""

MOST_TURNS = 8
"""Iterations of the first loop for one of the second."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Statements `first` and `second` of a block are `producer` and `consumer`: each iteration of this one stands
    behind `turns` of that one, the first of which has the counter `turns * consumer's + offset`.

    `made`      what the producer makes, in each place where it stands
    `used`      what the consumer uses, and in which of the turns that is made
    `dropped`   statements between them that set what nobody reads
    """

    first: int
    second: int
    producer: CanonicalLoop
    consumer: CanonicalLoop
    turns: int
    offset: Polynomial
    made: Mapping[t.Index, tuple[t.Symbol, Entry]]
    used: Mapping[t.Index, tuple[t.Symbol, Entry, int]]
    dropped: frozenset[t.Stmt]


def pair_in(facts: Facts, items: Sequence[t.Stmt]) -> Pair | None:
    """The first such loops among these statements."""
    known = facts.inner_loops
    loops = [(at, known[item]) for at, item in enumerate(items) if isinstance(item, t.For) and item in known]
    for second, consumer in loops:
        for first, producer in reversed(loops):
            if first < second and (found := _Question(facts, items, first, second, producer, consumer).pair()):
                return found
    return None


@dataclass(frozen=True, slots=True)
class _Effects:
    reads: frozenset[MemoryObject]
    writes: frozenset[MemoryObject]

    def concern(self, others: _Effects) -> bool:
        """Does it matter which of both comes first? Different pointers of a kernel lead to different objects, but not
        to be wrong costs nothing: what is written behind a pointer concerns all that is.
        """
        if self.writes & (others.reads | others.writes) or self.reads & others.writes:
            return True
        behind = [any(obj.pointee for obj in written) for written in (self.writes, others.writes)]
        return (behind[0] and others.is_outside) or (behind[1] and self.is_outside)

    @property
    def is_outside(self) -> bool:
        return any(obj.pointee for obj in self.reads | self.writes)


def _functions(facts: Facts, code: t.Stmt) -> frozenset[t.Function]:
    """Those that it calls, directly or not."""
    return frozenset(called_functions(code, {f.symbol: f for f in facts.device_code.functions}))


def _effects(facts: Facts, code: Iterable[t.Stmt], without: Iterable[t.Symbol]) -> _Effects:
    ignored = frozenset(without)
    reads, writes = set[MemoryObject](), set[MemoryObject]()
    for statement in code:
        functions = _functions(facts, statement)
        inside = frozenset(walk(statement))
        for access in facts.accesses:
            if (access.node in inside or access.function in functions) and access.obj.symbol not in ignored:
                if access.mode.reads:
                    reads.add(access.obj)
                if access.mode.writes:
                    writes.add(access.obj)
    return _Effects(frozenset(reads), frozenset(writes))


@dataclass(frozen=True, slots=True)
class _Question:
    facts: Facts
    items: Sequence[t.Stmt]
    first: int
    second: int
    producer: CanonicalLoop
    consumer: CanonicalLoop

    def pair(self) -> Pair | None:
        common = self._common()
        if not common or not self._have_fit_heads() or not self._are_plain() or not self._mean_the_same():
            return None
        arrays = frozenset(filter(self._is_fit, common))
        dropped = self._dropped(arrays) if arrays and self._is_serial(arrays) else None
        if dropped is None:
            return None
        turns = self._turns()
        if turns is None:
            return None
        offset = self._begin(self.producer) + -(number(turns) * self._begin(self.consumer))
        made = self._made(arrays)
        used = None if made is None else self._used(arrays, made, turns, offset)
        if made is None or used is None:
            return None
        elements = {node: (symbol, entry) for symbol, found in made.items() for node, (entry, _) in found.items()}
        loops = self.producer, self.consumer
        return Pair(self.first, self.second, *loops, turns, offset, elements, used, dropped)

    def _have_fit_heads(self) -> bool:
        """Do both count up by one, in the same type, and is the producer's counter not wanted?"""
        for loop in (self.producer, self.consumer):
            steps = loop.constant_step in (1, None) and (loop.constant_step is not None or loop.step is None)
            if loop.pointer is not None or loop.down or not steps or loop.relation not in ("<", "<="):
                return False
            own = self.facts.is_thread_private(MemoryObject(loop.var)) and not loop.var.address_taken
            if not own or not is_signed(ty.unqualified(loop.type)):
                return False
        if ty.unqualified(self.producer.type) != ty.unqualified(self.consumer.type):
            return False
        var, statement = self.producer.var, self.producer.statement
        wanted = read_after(self.facts.device_code.body, statement, var) and not self.producer.declared_here
        return not wanted and (var is self.consumer.var or var not in names_in(self.consumer.statement))

    def _are_plain(self) -> bool:
        made, used = self.producer.statement, self.consumer.statement
        if jumps_in(made.body) or ends_early(used.body):
            return False
        items = self.items[self.first : self.second + 1]
        if any(jumps_in(item) or labels_in(item) for item in items if item is not made and item is not used):
            return False
        if any(unread_in(item) is not None for item in items) or labels_in(made) or labels_in(used):
            return False
        if any(map(self.facts.device_code.says_anything, items)):
            return False
        nodes = (node for item in items for node in walk(item))
        return not any(isinstance(node, t.Pragma) or _is_volatile(node) for node in nodes)

    def _mean_the_same(self) -> bool:
        """Means each name of the producer the same in the consumer's body, and that one's counter in the producer's?"""
        made, counter = self.producer.statement, self.producer.var
        behind = self.items[self.first + 1 : self.second + 1]
        declared = {symbol.name: symbol for item in behind for symbol in declared_in(item)}
        named = (symbol for symbol in symbols_in(made) if symbol is not counter)
        if any(declared.get(symbol.name, symbol) is not symbol for symbol in named):
            return False
        own = declared_in(made.body)
        return all(symbol.name != self.consumer.var.name for symbol in own)

    def _common(self) -> frozenset[t.Symbol]:
        """The arrays of the iteration's own that both loops name."""
        both = symbols_in(self.producer.statement.body) & symbols_in(self.consumer.statement.body)
        arrays = (symbol for symbol in both if isinstance(symbol.type, ty.Array))
        return frozenset(symbol for symbol in arrays if self.facts.is_thread_private(MemoryObject(symbol)))

    def _is_fit(self, symbol: t.Symbol) -> bool:
        """Is it of numbers, named by elements, in these loops alone?"""
        facts, body = self.facts, self.facts.device_code.body
        if facts.loop.sharing.get(symbol, Sharing.PRIVATE) is not Sharing.PRIVATE:
            return False
        element = ty.element_of(symbol.type)
        if not ty.is_arithmetic(element) or element.quals or not ty.constant_lengths(symbol.type):
            return False
        bodies = self.producer.statement.body, self.consumer.statement.body
        elements = sum(len(elements_in(code).get(symbol, ())) for code in bodies)
        return elements == len(names_in(body).get(symbol, ())) and symbol not in facts.function_symbols

    def _is_serial(self, arrays: frozenset[t.Symbol]) -> bool:
        """Does an iteration of the producer wait for the one before, so that lanes could not share them?"""
        body = self.producer.statement.body
        own = _effects(self.facts, (body,), (*arrays, self.producer.var))
        exposed = exposed_reads(body)
        return any(obj.symbol in exposed and not obj.pointee for obj in own.writes)

    def _dropped(self, arrays: frozenset[t.Symbol]) -> frozenset[t.Stmt] | None:
        """What is not done any more; None: the order of the rest matters."""
        made = _effects(self.facts, (self.producer.statement,), (*arrays, self.producer.var))
        used = _effects(self.facts, (self.consumer.statement,), arrays)
        if made.concern(used):
            return None
        dropped = set[t.Stmt]()
        for item in self.items[self.first + 1 : self.second]:
            if not made.concern(_effects(self.facts, (item,), ())) and self.producer.var not in names_in(item):
                continue
            if not self._is_unread(item):
                return None
            dropped.add(item)
        return frozenset(dropped)

    def _is_unread(self, item: t.Stmt) -> bool:
        """Does it set a variable that nobody reads, by its name or by a pointer?"""
        match item:
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                obj = MemoryObject(symbol)
                own = self.facts.is_thread_private(obj) and symbol.is_automatic
                called = _functions(self.facts, self.consumer.statement)
                accesses = self.facts.of(obj)
                own = own and all(isinstance(at.node, t.Name) for at in accesses if at.function is None)
                own = own and not any(at.function in called for at in accesses)
                own = own and self.facts.loop.sharing.get(symbol, Sharing.PRIVATE) is Sharing.PRIVATE
                return own and is_pure(value) and not read_after(self.facts.device_code.body, item, symbol)
            case _:
                return False

    def _begin(self, loop: CanonicalLoop) -> Polynomial:
        found = self.facts.forms.of(loop.lower)
        return Polynomial() if found is None else found  # _turns has asked

    def _turns(self) -> int | None:
        """How many iterations of the producer there are for one of the consumer."""
        lengths: list[Polynomial] = []
        for loop in (self.producer, self.consumer):
            lower, upper = self.facts.forms.of(loop.lower), self.facts.forms.of(loop.upper)
            if lower is None or upper is None:
                return None
            lengths.append(upper + -lower + number(int(loop.relation == "<=")))
        made, used = lengths
        if not used.terms:
            return None
        quotient, rest = made.divided(used)
        turns = quotient.constant
        return turns if turns is not None and not rest.terms and 1 <= turns <= MOST_TURNS else None

    def _made(
        self, arrays: frozenset[t.Symbol]
    ) -> dict[t.Symbol, dict[t.Index, tuple[Entry, Polynomial]]] | None:
        """What the producer does with the arrays: at one place that moves with it, which it gives a value first."""
        found: dict[t.Symbol, dict[t.Index, tuple[Entry, Polynomial]]] = {}
        body = self.producer.statement.body
        first = _first_targets(body)
        for symbol in arrays:
            of_symbol: dict[t.Index, tuple[Entry, Polynomial]] = {}
            known = set[Entry]()
            for node in elements_in(body)[symbol]:
                place = self._place(node, symbol, self.producer, 1)
                if place is None or (place[0] not in known and node not in first):
                    return None
                if place[0] not in known:
                    given = [part for part in walk(first[node]) if isinstance(part, t.Index)]
                    given = [part for part in given if part in elements_in(body)[symbol]]
                    places = (self._place(part, symbol, self.producer, 1) for part in given)
                    if any(other is None or other[0] == place[0] for other in places):
                        return None  # the value is of what was there before
                known.add(place[0])
                of_symbol[node] = place
            if len({begin for _, begin in of_symbol.values()}) != 1:
                return None
            if len({tuple(part is None for part in entry) for entry, _ in of_symbol.values()}) != 1:
                return None  # x[i][3] and x[3][i] have x[3][3] in common
            found[symbol] = of_symbol
        return found

    def _used(
        self,
        arrays: frozenset[t.Symbol],
        made: Mapping[t.Symbol, Mapping[t.Index, tuple[Entry, Polynomial]]],
        turns: int,
        offset: Polynomial,
    ) -> dict[t.Index, tuple[t.Symbol, Entry, int]] | None:
        found: dict[t.Index, tuple[t.Symbol, Entry, int]] = {}
        for symbol in arrays:
            ((_, begin), *_) = made[symbol].values()
            entries = {entry for entry, _ in made[symbol].values()}
            for node in elements_in(self.consumer.statement.body)[symbol]:
                place = self._place(node, symbol, self.consumer, turns)
                if place is None or place[0] not in entries:
                    return None
                turn = (place[1] + -begin + -offset).constant
                if turn is None or turn not in range(turns):
                    return None
                found[node] = symbol, place[0], turn
        return found

    def _place(
        self, node: t.Index, symbol: t.Symbol, loop: CanonicalLoop, steps: int
    ) -> tuple[Entry, Polynomial] | None:
        """The element's constant subscripts, and what is added to the one that moves by `steps`."""
        subscripts = subscripts_of(node)
        lengths = ty.constant_lengths(symbol.type)
        if subscripts is None or lengths is None or len(subscripts[1]) != len(lengths):
            return None
        entry: list[int | None] = []
        place: Polynomial | None = None
        for subscript, length in zip(subscripts[1], lengths, strict=True):
            value = constant_value(subscript)
            form = self.facts.forms.of(subscript)
            if value is not None and 0 <= value < length:
                entry.append(value)
            elif place is None and form is not None:
                place = form + -(number(steps) * variable(loop.var))
                entry.append(None)
                if loop.var in place.factors:
                    return None
            else:
                return None
        return None if place is None else (tuple(entry), place)


def _is_volatile(node: object) -> bool:
    return isinstance(node, t.Expr) and bool(node.type.quals & {"volatile", "_Atomic"})


def _first_targets(body: t.Stmt) -> dict[t.Expr, t.Expr]:
    """What statements that every iteration does assign, and the values."""
    items = body.items if isinstance(body, t.Block) else (body,)
    found: dict[t.Expr, t.Expr] = {}
    for item in items:
        match item:
            case t.Block():
                found |= _first_targets(item)
            case t.ExprStmt(expr=t.Assign(op="=", target=target, value=value)):
                found[target] = value
            case _:
                pass
    return found
