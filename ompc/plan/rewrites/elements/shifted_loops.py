"""Plan: loops of an iteration become one, each some iterations behind the one before, and arrays variables (`auto`).

    double v[N], d[N];                                double v_0 = 0, v_1 = 0, v_2 = 0, d_0 = 0, d_1 = 0;
    for (i = 0; i <= n; i++) v[i] = f(a[i]);          for (i_ahead = 0; i_ahead <= n; i_ahead++) {
    for (i = 1; i < n; i++)                               v_2 = f(a[i_ahead]);
        d[i] = v[i - 1] - v[i + 1];                       if (2 <= i_ahead)
    for (i = 1; i < n; i++)                      ->           d_1 = v_0 - v_2;
        y[i] = (y[i] - y[i - 1]) * d[i];                  if (2 <= i_ahead) {
                                                              i = i_ahead - 1;
                                                              y[i] = (y[i] - y[i - 1]) * d_1;
                                                          }
                                                          v_0 = v_1;  v_1 = v_2;
                                                      }

Each part is done where the counter, so many behind, is one of its own. Elements of a thread's own arrays that are on
their way from the part ahead to the last one are in variables, which move on as carried_elements.py has it, and for
those that are used behind the loop, each is stored when it has passed. Of other arrays, a loop that carries elements
along goes on doing so in variables of its own.

    In: Facts.   Out: the Facts of the same loop with such loops, and a line that says so; or the same Facts.
    Not here: which loops, and how far apart -- analysis/locality/shifts.py.
    Source: as there; scalar replacement across iterations: Callahan, Carr, Kennedy (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ompc.analysis.facts import Facts
from ompc.analysis.locality.iteration_steps import Step
from ompc.analysis.locality.recurrences import Recurrence
from ompc.analysis.locality.shifts import Part, Run, has_streams_alone, run_in
from ompc.analysis.locality.single_elements import Entry
from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, set_in, symbols_in
from ompc.ir.rewrite import copied, with_symbols
from ompc.ir.walk import Node
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.elements.carried_elements import Carried, Named, Variables, done, done_where
from ompc.plan.rewrites.elements.unread_variables import without_unread
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

_POSITION = -7_000
"""The position of the first new variable, which puts such variables before all others."""


def with_shifted_loops(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with such loops as one, and a line about them."""
    body = _all_there_is(choose_mapping(facts, joins=True).body)
    run = run_in(facts, body) if isinstance(body, t.Block) else None
    if run is None or not isinstance(body, t.Block):
        return facts, None
    writer = _Writer(facts, run)
    if writer.variables > DEVICE.shifted_elements:
        return facts, None
    new = replace(body, items=(*run.before, *writer.made(), *run.behind))
    gone = run.arrays - symbols_in(new)
    after = with_body(facts, body, without_unread(new, {*writer.assigned, *gone}, facts), gone)
    if isinstance(after, Reason):
        return facts, None
    lines = sorted({part.loop.statement.loc.line for part in run.parts if part.loop is not None})
    where = f"the loops of lines {', '.join(map(str, lines))} are one, each behind the one before"
    names = ", ".join(sorted(symbol.name for symbol in run.arrays))
    return after, f"{where}, so that what they hand on in {names} is in variables"


def _all_there_is(body: t.Stmt) -> t.Stmt:
    """The block in which all statements of an iteration stand."""
    match body:
        case t.Block(items=((t.Block() | t.If()) as only,)):
            return _all_there_is(only)
        case t.If(then=(t.Block() as then), other=None):
            return _all_there_is(then)
        case _:
            return body


@dataclass(frozen=True, eq=False)
class _Window:
    """The variables of an array's elements with one entry; `low`, `high`: how far from the counter that is ahead."""

    symbol: t.Symbol
    entry: Entry
    variables: dict[int, t.Symbol]

    @property
    def low(self) -> int:
        return min(self.variables)

    @property
    def high(self) -> int:
        return max(self.variables)

    def moving(self) -> Iterator[t.Stmt]:
        for at in range(self.low, self.high):
            yield _assigned(_name(self.variables[at]), _name(self.variables[at + 1]))


@dataclass(frozen=True, eq=False)
class _Behind:
    """A window as a part sees it."""

    window: _Window
    shift: int

    def name(self, at: int) -> t.Name:
        return _name(self.window.variables[at - self.shift])


@dataclass(eq=False)
class _Place:
    """Statements for one place, with what they use."""

    key: tuple[object, ...]
    condition: t.Expr | None
    statements: list[t.Stmt]
    uses: set[tuple[t.Symbol, Entry]]


class _Writer:
    def __init__(self, facts: Facts, run: Run) -> None:
        self._facts = facts
        self._run = run
        self._free = FreeNames(facts)
        self._position = _POSITION
        loops = [part for part in run.parts if part.loop is not None]
        assert loops[0].loop is not None
        self._where = loops[0].loop.statement.loc
        self._ahead = self._variable(f"{loops[0].loop.var.name}_ahead", ty.INT, self._where)
        kinds = [ty.unqualified(_bound(part).type) for part in run.parts]
        kind = next((kind for kind in kinds if kind != ty.INT), ty.INT)
        self._end = self._variable(f"{loops[0].loop.var.name}_end", kind, self._where)
        self._windows = self._of_arrays()
        self._of_streams = Variables(facts, self._free, _POSITION + 500)
        self._recurrences = [self._recurrence(part) for part in run.parts]
        self._begin = min(self._least(part) + part.shift for part in run.parts)

    @property
    def variables(self) -> int:
        """How many there are."""
        own = sum(len(window.variables) for window in self._windows.values())
        return own + sum(found.variables for found in self._recurrences if found is not None)

    def made(self) -> Iterator[t.Stmt]:
        """What stands in the place of the loops."""
        for window in self._windows.values():
            for symbol in window.variables.values():
                yield t.DeclStmt(self._where, (t.VarDecl(symbol, _number(0, self._where), self._where),))
        body: list[t.Stmt] = []
        for condition, statements in self._parts():
            if condition is None:
                body += statements
            else:
                body.append(t.If(self._where, condition, t.Block(self._where, tuple(statements)), None))
        for part, found in zip(self._run.parts, self._recurrences, strict=True):
            if found is not None:
                yield from found.declared()
                yield from done_where(part.guards, list(found.before()))
        body += self._stored()
        body += [move for window in self._windows.values() for move in window.moving()]
        end, *others = self._ends()
        if others or isinstance(end, t.Conditional):
            yield t.DeclStmt(self._where, (t.VarDecl(self._end, end, self._where),))
            end = _name(self._end)
        for other in others:
            yield t.If(self._where, _compared("<", copied(end), other), _assigned(copied(end), copied(other)), None)
        begin = t.DeclStmt(self._where, (t.VarDecl(self._ahead, _number(self._begin, self._where), self._where),))
        step = t.IncDec(ty.INT, self._where, "++", False, _name(self._ahead))
        condition = _compared("<", _name(self._ahead), end)
        yield t.For(self._where, begin, condition, step, t.Block(self._where, tuple(body)))

    @property
    def assigned(self) -> set[t.Symbol]:
        """Variables that the loops set, which may be read no more."""
        codes = [part.loop.statement for part in self._run.parts if part.loop is not None]
        return {symbol for code in codes for symbol in (*set_in(code), *declared_in(code))}

    # ------------------------------------------------------------------ variables

    def _variable(self, name: str, kind: ty.Type, where: Location) -> t.Symbol:
        self._position += 1
        function = self._facts.loop.function
        return t.Symbol(self._free.take(name), kind, t.Storage.AUTO, where, self._position, function)

    def _of_arrays(self) -> dict[tuple[t.Symbol, Entry], _Window]:
        places: dict[tuple[t.Symbol, Entry], set[int]] = {}
        for part in self._run.parts:
            for touch in part.touches:
                if touch.symbol in self._run.arrays:
                    places.setdefault((touch.symbol, touch.entry), set()).add(touch.at - part.shift)
        found: dict[tuple[t.Symbol, Entry], _Window] = {}
        for (symbol, entry), used in places.items():
            kind = ty.unqualified(ty.element_of(symbol.type))
            row = "".join(f"_{value}" for value in entry)
            variables: dict[int, t.Symbol] = {}
            for at in range(max(used), min(used) - 1, -1):
                behind = f"_{max(used) - at}_back" if at != max(used) else "_front"
                variables[at] = self._variable(f"{symbol.name}{row}{behind}", kind, symbol.loc)
            found[symbol, entry] = _Window(symbol, entry, variables)
        return found

    def _recurrence(self, part: Part) -> Carried | None:
        """What a loop carries along other arrays, which no other part changes."""
        if part.loop is None:
            return None
        streams = tuple(s for s in part.streams if s.obj.symbol not in self._run.arrays)
        alone = {s.obj: all(has_streams_alone(self._run, part, o) for o in streams if o.obj == s.obj) for s in streams}
        streams = tuple(s for s in streams if alone[s.obj])
        if not streams:
            return None
        guards = part.steps[streams[0].uses[0].step].guards
        return Carried(self._of_streams, Recurrence(part.loop, part.items, part.steps, streams, guards))

    # ------------------------------------------------------------------ parts

    def _parts(self) -> Iterator[tuple[t.Expr | None, list[t.Stmt]]]:
        """The statements of the parts, each with its condition."""
        places: list[_Place] = []
        for part, carried in zip(self._run.parts, self._recurrences, strict=True):
            if part.loop is None:
                self._put(places, part)
                continue
            for place in places:
                yield place.condition, place.statements
            places = []
            yield self._condition(part), self._loop(part, carried)
        for place in places:
            yield place.condition, place.statements

    def _put(self, places: list[_Place], part: Part) -> None:
        """Puts a statement for a single element to others for its place, if it may come before those behind them."""
        assert part.position is not None
        key = self._facts.forms.of(part.position), part.shift, tuple(map(id, part.guards))
        uses = {(touch.symbol, touch.entry) for touch in part.touches}
        for place in reversed(places):
            if place.key == key:
                place.uses |= uses
                place.statements += self._done(part, None)
                return
            if place.uses & uses:
                break
        places.append(_Place(key, self._condition(part), self._done(part, None), uses))

    def _loop(self, part: Part, carried: Carried | None) -> list[t.Stmt]:
        assert part.loop is not None
        loop, where = part.loop, part.loop.statement.loc
        made = self._done(part, carried)
        if not any(loop.var in symbols_in(item) for item in made):
            return made
        own = self._variable(loop.var.name, ty.INT, where)
        made = [with_symbols(item, {loop.var: own}) for item in made]
        return [t.DeclStmt(where, (t.VarDecl(own, self._counter(part.shift), where),)), *made]

    def _done(self, part: Part, carried: Carried | None) -> list[t.Stmt]:
        places: dict[Step, dict[Node, tuple[Named, int]]] = {step: {} for step in part.steps}
        for touch in part.touches:
            if touch.symbol in self._run.arrays:
                window = self._windows[touch.symbol, touch.entry]
                places[touch.step][touch.node] = _Behind(window, part.shift), touch.at
        return done(part.items, places) if carried is None else carried.body(places)

    def _counter(self, shift: int) -> t.Expr:
        if shift == 0:
            return _name(self._ahead)
        op = "-" if shift > 0 else "+"
        return t.Binary(ty.INT, self._where, op, _name(self._ahead), _number(abs(shift), self._where))

    def _condition(self, part: Part) -> t.Expr | None:
        """Is the counter, so many behind, one of the part's?"""
        parts: list[t.Expr] = [copied(guard) for guard in part.guards]
        if part.loop is None:
            return _all([*parts, self._is_at(part)])
        lower = constant_value(part.loop.lower)
        if lower is None:
            parts.append(_compared("<=", copied(part.loop.lower), self._counter(part.shift)))
        elif lower + part.shift > self._begin:
            parts.append(_compared("<=", _number(lower + part.shift, self._where), _name(self._ahead)))
        return _all([*parts, _compared(part.loop.relation, self._counter(part.shift), copied(part.loop.upper))])

    def _is_at(self, part: Part) -> t.Expr:
        assert part.position is not None
        form = self._facts.forms.of(part.position)
        if form is not None and form.constant is not None:
            return _compared("==", _name(self._ahead), _number(form.constant + part.shift, self._where))
        return _compared("==", self._counter(part.shift), copied(part.position))

    # ------------------------------------------------------------------ ends

    def _least(self, part: Part) -> int:
        """A number that no counter of the part is below."""
        known = constant_value(part.position if part.loop is None else part.loop.lower)  # type: ignore[arg-type]
        if known is not None:
            return known
        return -max(touch.at for touch in part.touches)  # it is an element of an array

    def _ends(self) -> list[t.Expr]:
        """The steps with which there is nothing more to be done, or to be stored, of each part that may be the last."""
        ends = [(part, self._waits(part)) for part in self._run.parts]
        left = [end for n, end in enumerate(ends) if not any(self._is_sooner(end, o, n, m) for m, o in enumerate(ends))]
        return [self._end_of(part, behind) for part, behind in left]

    def _end_of(self, part: Part, behind: int) -> t.Expr:
        """The same of a part; of one that is not done at all, the first step."""
        parts = [copied(guard) for guard in part.guards]
        end = _plus(_bound(part), behind + _is_included(part))
        if part.loop is not None and constant_value(part.loop.lower) is None:
            parts.append(_compared(part.loop.relation, copied(part.loop.lower), copied(part.loop.upper)))
        if not parts:
            return end
        return t.Conditional(self._end.type, self._where, _all(parts), end, _number(self._begin, self._where))

    def _waits(self, part: Part) -> int:
        """How long after its iterations what they have made is stored."""
        found = part.shift
        for touch in part.touches:
            if touch.writes and (touch.symbol, touch.entry) in self._run.kept and touch.symbol in self._run.arrays:
                found = max(found, touch.at - self._windows[touch.symbol, touch.entry].low)
        return found

    def _is_sooner(self, one: tuple[Part, int], other: tuple[Part, int], number: int, others: int) -> bool:
        """Is the end of the one part certainly not behind that of the other? Of two at once, the first is."""
        ends = [self._facts.forms.of(_bound(part)) for part, _ in (one, other)]
        if ends[0] is None or ends[1] is None or number == others:
            return False
        if not {*other[0].guards} <= {*one[0].guards} or not self._has_end(other[0]):
            return False
        apart = (ends[1] + -ends[0]).constant
        if apart is None:
            return False
        beyond = apart + other[1] - one[1] + _is_included(other[0]) - _is_included(one[0])
        return beyond > 0 or (beyond == 0 and number < others)

    def _has_end(self, part: Part) -> bool:
        """Is its end what its bound says, even where there is no iteration?"""
        return part.loop is None or constant_value(part.loop.lower) is not None

    def _stored(self) -> Iterator[t.Stmt]:
        """What has passed, and is used behind the loop."""
        groups: dict[tuple[object, ...], tuple[t.Expr, list[t.Stmt]]] = {}
        for place, window in self._windows.items():
            if place in self._run.kept:
                store = _assigned(self._element(window), _name(window.variables[window.low]))
                where = self._run.kept[place]
                forms = None if where is None else frozenset(map(self._facts.forms.of, where))
                key = forms, window.low, self._length(window.symbol)
                groups.setdefault(key, (self._passes(window, where), []))[1].append(store)
        for condition, stores in groups.values():
            yield t.If(self._where, condition, t.Block(self._where, tuple(stores)), None)

    def _length(self, symbol: t.Symbol) -> int:
        lengths = ty.constant_lengths(symbol.type)
        assert lengths is not None
        return lengths[self._run.moving[symbol]]

    def _passes(self, window: _Window, where: tuple[t.Expr, ...] | None) -> t.Expr:
        """Is what leaves the window one of the elements?"""
        if where is None:
            return _all([*self._is_inside(window)])
        found = _compared("==", self._counter(-window.low), copied(where[0]))
        for place in where[1:]:
            other = _compared("==", self._counter(-window.low), copied(place))
            found = t.Binary(ty.INT, self._where, "||", found, other)
        length = self._length(window.symbol)
        is_one = all((value := constant_value(place)) is not None and 0 <= value < length for place in where)
        return found if is_one else _all([found, *self._is_inside(window)])

    def _is_inside(self, window: _Window) -> Iterator[t.Expr]:
        """Is what leaves the window an element of the array?"""
        if -window.low > self._begin:
            yield _compared("<=", _number(-window.low, self._where), _name(self._ahead))
        yield _compared("<", _name(self._ahead), _number(self._length(window.symbol) - window.low, self._where))

    def _element(self, window: _Window) -> t.Expr:
        found: t.Expr = t.Name(window.symbol.type, self._where, window.symbol)
        entry = list(window.entry)
        places: list[t.Expr] = [_number(value, self._where) for value in entry]
        places.insert(self._run.moving[window.symbol], self._counter(-window.low))
        for place in places:
            assert isinstance(found.type, ty.Array)
            found = t.Index(found.type.of, self._where, found, place)
        return found


def _bound(part: Part) -> t.Expr:
    """The place of a statement, or where a loop ends."""
    found = part.position if part.loop is None else part.loop.upper
    assert found is not None
    return found


def _is_included(part: Part) -> bool:
    return part.loop is None or part.loop.relation == "<="


def _compared(op: str, left: t.Expr, right: t.Expr) -> t.Expr:
    return t.Binary(ty.INT, left.loc, op, left, right)


def _all(parts: list[t.Expr]) -> t.Expr:
    found = parts[0]
    for part in parts[1:]:
        found = t.Binary(ty.INT, part.loc, "&&", found, part)
    return found


def _plus(value: t.Expr, more: int) -> t.Expr:
    known = constant_value(value)
    if known is not None:
        return _number(known + more, value.loc)
    if more == 0:
        return copied(value)
    kind = ty.unqualified(value.type)
    return t.Binary(kind, value.loc, "+" if more > 0 else "-", copied(value), _number(abs(more), value.loc))


def _number(value: int, where: Location) -> t.Expr:
    number = t.IntConst(ty.INT, where, abs(value), str(abs(value)))
    return number if value >= 0 else t.Unary(ty.INT, where, "-", number)


def _name(symbol: t.Symbol) -> t.Name:
    return t.Name(symbol.type, symbol.loc, symbol)


def _assigned(target: t.Expr, value: t.Expr) -> t.ExprStmt:
    return t.ExprStmt(target.loc, t.Assign(ty.unqualified(target.type), target.loc, "=", target, value))
