"""Analysis: loops of an iteration that can be one loop, each some iterations behind the one before.

    for (i = 0; i <= n; i++) v[i] = f(a[i]);          for (s = 0; ...; s++) {       s is ahead of the others
    for (i = 1; i < n; i++)                               if (s <= n) v[s] = ...
        d[i] = c * v[i - 1] - v[i + 1];                   if (2 <= s && s - 1 < n)   i is s - 1: v[i + 1] is there
    d[1] += e;                                   ->           d[i] = ...
    for (i = 1; i < n; i++)                               if (s - 1 == 1) d[1] += e;
        y[i] = (y[i] - d[i] * y[i - 1]) / 2;              if (2 <= s && s - 1 < n)
                                                              y[i] = ...
                                                      }

What arrays of the thread's own keep between the loops are then a few elements, for which there are registers: an array
of a thread is in memory, of which each thread has its own part.

    parts           loops that count up by one, and statements between them that give one element a value: such a
                    statement is an iteration of its own, at the place of that element
    shift           of two parts that use an element which one of them changes, the later one comes to it no earlier:
                    they use elements at constant distances from their counters, and the greatest difference of those
                    is how far it has to be behind
    late            what else stands between the loops comes behind them, where nothing of it is of concern to them
    variables       have no values of other iterations, or are named in one part alone; nobody wants a counter behind
    worth it        one of the loops goes step by step, so that no group of threads can share it

    In: Facts, the statements of an iteration.   Out: Run, or None.
    Not here: parts -- shifted_parts.py; the one loop -- plan/rewrites/elements/shifted_loops.py.
    Source: Manjikian and Abdelrahman, "Fusion of loops for parallelism and locality" (IEEE TPDS 8(2), 1997), without
    the peeling: what is peeled there is a condition here. Contraction: Gao, Olsen, Sarkar, Thekkath (LCPC 1992).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.locality.element_accesses import accesses_of_statement, are_apart, distances
from ompc.analysis.locality.iteration_steps import is_fixed_condition
from ompc.analysis.locality.kept_elements import KeptElements
from ompc.analysis.locality.recurrences import Stream
from ompc.analysis.locality.shifted_parts import Part, Parts
from ompc.analysis.locality.single_elements import Entry, SingleElements
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto, jumps_in, labels_in
from ompc.ir.queries import declared_in, names_in, set_in, symbols_in, unread_in
from ompc.ir.rewrite import copied
from ompc.ir.walk import walk
from ompc.omp.model import Sharing

MOST_APART = 12
"""Iterations between the part that is ahead and the one that is behind all others."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """`parts` are one loop, `before` stands in front of it, and `behind` behind it.

    `arrays`  of the thread's own that the parts use at constant distances alone
    `moving`  the dimension of each that goes with the counters, from the outermost
    `kept`    of which elements are used behind the loop, by their entries, and where: None: anywhere
    """

    before: tuple[t.Stmt, ...]
    parts: tuple[Part, ...]
    behind: tuple[t.Stmt, ...]
    arrays: frozenset[t.Symbol]
    moving: Mapping[t.Symbol, int]
    kept: Mapping[tuple[t.Symbol, Entry], tuple[t.Expr, ...] | None]


def run_in(facts: Facts, block: t.Block) -> Run | None:
    """The first such loops among the statements of an iteration."""
    if has_goto(block) or any(isinstance(item, t.Case) for item in block.items):
        return None
    changed = set_in(block)
    items = tuple(_with_guards(facts, block.items, (), changed))
    if sum(isinstance(item.statement, t.For) for item in items) < 2:
        return None
    search = _Search(facts, items, changed)
    for first, item in enumerate(items):
        if isinstance(item.statement, t.For) and (found := search.run(first)) is not None:
            return found
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A statement, done where all guards hold, which nothing changes."""

    statement: t.Stmt
    guards: tuple[t.Expr, ...]


def _with_guards(
    facts: Facts, items: Iterable[t.Stmt], guards: tuple[t.Expr, ...], changed: frozenset[t.Symbol]
) -> Iterator[_Item]:
    for item in items:
        if isinstance(item, t.If) and item.other is None and is_fixed_condition(item.condition, facts, changed):
            inside = item.then.items if isinstance(item.then, t.Block) else (item.then,)
            if not any(isinstance(part, (t.DeclStmt, t.Case)) for part in inside):
                yield from _with_guards(facts, inside, (*guards, item.condition), changed)
                continue
        yield _Item(item, guards)


def _statements(items: Sequence[_Item]) -> Iterator[t.Stmt]:
    """The items as they are written."""
    for guards, group in groupby(items, lambda item: tuple(map(id, item.guards))):
        found = tuple(group)
        if not guards:
            yield from (item.statement for item in found)
            continue
        code: t.Stmt = t.Block(found[0].statement.loc, tuple(item.statement for item in found))
        for guard in reversed(found[0].guards):
            code = t.If(code.loc, copied(guard), code, None)
            code = t.Block(code.loc, (code,)) if guard is not found[0].guards[0] else code
        yield code


def _block(items: Sequence[_Item]) -> t.Block:
    return t.Block(items[0].statement.loc, tuple(_statements(items)))


@dataclass(slots=True, eq=False)
class _State:
    first: int
    last: int
    parts: list[Part]
    late: list[tuple[_Item, ...]] = field(default_factory=list)
    set_between: set[t.Symbol] = field(default_factory=set)
    """What statements for single elements set, and are not there to set any more."""

    def copy(self, last: int) -> _State:
        return _State(self.first, last, list(self.parts), list(self.late), set(self.set_between))


class _Search:
    def __init__(self, facts: Facts, items: Sequence[_Item], changed: frozenset[t.Symbol]) -> None:
        self._facts = facts
        self._changed = changed
        self._items = items
        self._body = facts.device_code.body
        self._parts = Parts(facts, changed)
        made = ((item, self._parts.of_loop(item.statement, item.guards)) for item in items)
        self._loops = {item: part for item, part in made if part is not None}

    def run(self, first: int) -> Run | None:
        """With the loop `first`, what stands in front of it for single elements, and as many loops as can be."""
        loop = self._loops.get(self._items[first])
        if loop is None or not loop.touches:
            return None
        state = self._with_before(first)
        at = first + 1
        found: list[_State] = []
        while state is not None and at < len(self._items):
            if self._items[at] in self._loops:
                if not self._adds(state, [self._loops[self._items[at]]]):
                    break
                found.append(state.copy(at))
                at += 1
                continue
            end = next((n for n in range(at, len(self._items)) if self._items[n] in self._loops), None)
            if end is None or not self._takes(state, self._items[at:end]):
                break
            at = end
        return next((run for each in reversed(found) if (run := self._made(each)) is not None), None)

    def _with_before(self, first: int) -> _State | None:
        """The first loop, with what stands in front of it for single elements."""
        for begin in range(first + 1):
            state, loop = _State(begin, first, []), self._loops[self._items[first]]
            if self._adds_points(state, self._items[begin:first]) and self._adds(state, [loop]):
                return state
        return None

    def _takes(self, state: _State, items: Sequence[_Item]) -> bool:
        """Adds what stands between two loops: statements for single elements, and what may come late."""
        for end in range(len(items), -1, -1):
            trial, late = state.copy(state.last), tuple(items[end:])
            if not self._adds_points(trial, items[:end]):
                continue
            if late and not self._may_be_late(late):
                return False
            if late and end and exposed_reads(_block(late)) & set_in(_block(items[:end])):
                continue
            if late:
                trial.late.append(late)
            state.parts, state.late, state.set_between = trial.parts, trial.late, trial.set_between
            return True
        return False

    def _adds_points(self, state: _State, items: Sequence[_Item]) -> bool:
        reader = SingleElements(self._facts, self._parts.own, self._parts.moving, self._changed)
        before: Sequence[_Item] = ()
        for item in items:
            if isinstance(item.statement, t.DeclStmt):
                return False
            if before and tuple(map(id, before[0].guards)) != tuple(map(id, item.guards)):
                if before[0].guards:
                    reader.forgets(set_in(_block(before)))
                before = ()
            before = (*before, item)
            found = reader.next(item.statement)
            if found is None or not self._adds(state, [self._parts.of_element(each, item.guards) for each in found]):
                return False
            state.set_between |= _variables_set(item.statement)
        return True

    # ------------------------------------------------------------------ order

    def _adds(self, state: _State, parts: Sequence[Part]) -> bool:
        """Puts the parts behind the others, if their shifts can be said; else none of them."""
        before = len(state.parts)
        for part in parts:
            shift = self._shift(state, part)
            if shift is None:
                del state.parts[before:]
                return False
            part.shift = shift
            state.parts.append(part)
        return True

    def _shift(self, state: _State, part: Part) -> int | None:
        """How far the part has to be behind the one ahead; None: it cannot be in the loop with the others."""
        if any(self._concerns(_block(late), part) for late in state.late):
            return None
        shift = 0
        for other in state.parts:
            for distance in distances(other.accesses, part.accesses):
                if distance is None:
                    return None
                shift = max(shift, other.shift + distance)
        return shift if shift <= MOST_APART else None

    def _concerns(self, item: t.Stmt, part: Part) -> bool:
        """Does it matter whether the statement comes first?"""
        accesses = accesses_of_statement(self._facts, item, self._changed)
        if accesses is None or any(True for _ in distances(accesses, part.accesses)):
            return True
        code = part.steps[0].statement if part.loop is None else part.loop.statement
        return bool(_variables_set(item) & exposed_reads(code) or exposed_reads(item) & set_in(code))

    def _may_be_late(self, items: Sequence[_Item]) -> bool:
        for item in (item.statement for item in items):
            if isinstance(item, t.DeclStmt) or jumps_in(item) or labels_in(item) or unread_in(item) is not None:
                return False
            if any(isinstance(node, t.Pragma) for node in walk(item)) or self._facts.device_code.says_anything(item):
                return False
        return accesses_of_statement(self._facts, _block(items), self._changed) is not None

    # ------------------------------------------------------------------ the whole

    def _made(self, state: _State) -> Run | None:
        loops = [part for part in state.parts if part.loop is not None]
        if len(loops) < 2 or not any(part.is_serial for part in loops) or not self._are_of_iterations(state):
            return None
        arrays = self._arrays(state)
        if not arrays:
            return None
        self._put_late(state)
        before = tuple(_statements(self._items[: state.first]))
        behind = (*(item for late in state.late for item in late), *self._items[state.last + 1 :])
        kept = KeptElements(self._facts, arrays, self._parts.moving, self._changed)
        for item in _statements(behind):
            kept.read(item)
        known = {(each.symbol, each.entry) for part in state.parts for each in part.touches}
        return Run(before, tuple(state.parts), tuple(_statements(behind)), arrays, self._parts.moving, kept.of(known))

    def _put_late(self, state: _State) -> None:
        """Puts statements for single elements no sooner than what uses them: then fewer elements are on their way."""
        for number in range(len(state.parts) - 1, -1, -1):
            part = state.parts[number]
            if part.loop is None:
                part.shift = max(part.shift, min(_waiting(part, state.parts[number + 1 :]), default=part.shift))

    def _are_of_iterations(self, state: _State) -> bool:
        """Have variables no values of other iterations that another order of the parts could change?"""
        codes = [part.loop.statement for part in state.parts if part.loop is not None]
        rest, late = self._items[state.last + 1 :], [item for items in state.late for item in items]
        wanted = frozenset[t.Symbol]()
        for items in (rest, [*late, *rest]):
            wanted |= exposed_reads(_block(items)) if items else frozenset()
        written = state.set_between.union(*(_variables_set(code) for code in codes))
        counters = {part.loop.var for part in state.parts if part.loop is not None}  # the one loop has another
        for symbol in written:
            own = self._facts.is_thread_private(MemoryObject(symbol)) and not symbol.address_taken
            if not own or self._facts.loop.sharing.get(symbol, Sharing.PRIVATE) is not Sharing.PRIVATE:
                return False
            users = sum(symbol in names_in(code) for code in codes)
            is_alone = users == 1 and symbol not in state.set_between
            is_alone = is_alone and not any(symbol in names_in(item.statement) for item in late)
            exposed = symbol in wanted or any(symbol in exposed_reads(code) for code in codes)
            if exposed and (not is_alone or symbol in counters):
                return False
        bounds = [bound for part in state.parts for bound in _bounds(part)]
        return not any(written & symbols_in(bound) for bound in bounds)

    def _arrays(self, state: _State) -> frozenset[t.Symbol]:
        """Those that the parts use at constant distances alone, two of them at least, and nothing before them."""
        found = set[t.Symbol]()
        for symbol in self._parts.own:
            users = [part for part in state.parts if any(each.symbol is symbol for each in part.touches)]
            mentions = sum(1 for part in state.parts for each in part.accesses if each.obj.symbol is symbol)
            touches = sum(1 for part in state.parts for each in part.touches if each.symbol is symbol)
            before = any(symbol in symbols_in(item.statement) for item in self._items[: state.first])
            if mentions == touches and len(users) > 1 and not before and self._is_only_in(symbol):
                found.add(symbol)
        return frozenset(found)

    def _is_only_in(self, symbol: t.Symbol) -> bool:
        """Is all that is done with it done by these statements?"""
        inside = sum(len(names_in(item.statement).get(symbol, ())) for item in self._items)
        return inside == len(names_in(self._body).get(symbol, ()))


def has_streams_alone(run: Run, part: Part, stream: Stream) -> bool:
    """Does no other part use elements of the stream, of which one of them changes some?"""
    own = [each for each in part.accesses if each.obj == stream.obj]
    others = [each for other in run.parts if other is not part for each in other.accesses if each.obj == stream.obj]
    return all(are_apart(a, b) or not (a.writes or b.writes) for a in own for b in others)


def _waiting(part: Part, behind: Iterable[Part]) -> list[int]:
    """The greatest shifts with which the part still comes before each of those that use an element with it."""
    apart = ((other, distance) for other in behind for distance in distances(part.accesses, other.accesses))
    return [other.shift - distance for other, distance in apart if distance is not None]


def _bounds(part: Part) -> tuple[t.Expr, ...]:
    own = (part.position,) if part.loop is None else (part.loop.lower, part.loop.upper)
    return (*part.guards, *filter(None, own))


def _variables_set(item: t.Stmt) -> frozenset[t.Symbol]:
    """What is no array, and not its own."""
    found = set_in(item) - declared_in(item)
    return frozenset(symbol for symbol in found if not isinstance(symbol.type, ty.Array))
