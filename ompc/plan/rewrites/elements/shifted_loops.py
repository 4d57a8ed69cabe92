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
    Not here: which loops, and how far apart -- analysis/locality/shifts.py; the variables -- shift_windows.py.
    Source: as there; scalar replacement across iterations: Callahan, Carr, Kennedy (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.locality.iteration_steps import Step
from ompc.analysis.locality.recurrences import Recurrence
from ompc.analysis.locality.shifted_parts import Part
from ompc.analysis.locality.shifts import Run, has_streams_alone, run_in
from ompc.analysis.locality.single_elements import Entry
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, set_in, symbols_in
from ompc.ir.rewrite import copied, with_symbols
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.elements.carried_elements import Carried, Named, Variables, done
from ompc.plan.rewrites.elements.made_code import (
    all_of,
    assigned,
    compared,
    done_where,
    integer,
    named,
    plus,
)
from ompc.plan.rewrites.elements.shift_windows import Windows, counter
from ompc.plan.rewrites.elements.unread_variables import without_unread
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

_POSITION = -8_000
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
    where = f"the loops of lines {', '.join(map(str, lines))} are one loop, each behind the one before"
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


@dataclass(eq=False)
class _Place:
    """Statements for one place, with what they use."""

    key: object
    condition: t.Expr
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
        self._ahead = self._variable(f"{loops[0].loop.var.name}_ahead", ty.INT)
        kinds = [ty.unqualified(_bound(part).type) for part in run.parts]
        kind = next((kind for kind in kinds if kind != ty.INT), ty.INT)
        self._end = self._variable(f"{loops[0].loop.var.name}_end", kind)
        self._begin = min(self._least(part) + part.shift for part in run.parts)
        self._windows = Windows(facts, run, self._ahead, self._begin, self._variable)
        self._of_streams = Variables(facts, self._free, _POSITION + 500)
        self._recurrences = [self._recurrence(part) for part in run.parts]

    @property
    def variables(self) -> int:
        """How many there are."""
        carried = sum(found.variables for found in self._recurrences if found is not None)
        return len(self._windows.variables) + carried

    def made(self) -> Iterator[t.Stmt]:
        """What stands in the place of the loops."""
        for symbol in self._windows.variables:
            yield t.DeclStmt(self._where, (t.VarDecl(symbol, integer(0, self._where), self._where),))
        body: list[t.Stmt] = []
        for condition, statements in _joined(self._parts()):
            body.append(t.If(self._where, condition, t.Block(self._where, tuple(statements)), None))
        for part, found in zip(self._run.parts, self._recurrences, strict=True):
            if found is not None:
                yield from found.declared()
                yield from done_where(part.guards, list(found.before()))
        body += [*self._windows.stored(), *self._windows.moving()]
        end, *others = self._ends()
        if others or isinstance(end, t.Conditional):
            yield t.DeclStmt(self._where, (t.VarDecl(self._end, end, self._where),))
            end = named(self._end)
        for other in others:
            yield t.If(self._where, compared("<", copied(end), other), assigned(copied(end), copied(other)), None)
        begin = t.DeclStmt(self._where, (t.VarDecl(self._ahead, integer(self._begin, self._where), self._where),))
        step = t.IncDec(ty.INT, self._where, "++", False, named(self._ahead))
        condition = compared("<", named(self._ahead), end)
        yield t.For(self._where, begin, condition, step, t.Block(self._where, tuple(body)))

    @property
    def assigned(self) -> set[t.Symbol]:
        """Variables that the loops set, which may be read no more."""
        codes = [part.loop.statement for part in self._run.parts if part.loop is not None]
        return {symbol for code in codes for symbol in (*set_in(code), *declared_in(code))}

    # ------------------------------------------------------------------ variables

    def _variable(self, name: str, kind: ty.Type) -> t.Symbol:
        self._position += 1
        function = self._facts.loop.function
        return t.Symbol(self._free.take(name), kind, t.Storage.AUTO, self._where, self._position, function)

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

    def _parts(self) -> Iterator[tuple[t.Expr, list[t.Stmt]]]:
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
        form = self._facts.forms.of(part.position)
        key = object() if form is None else (form, part.shift, tuple(map(id, part.guards)))
        uses = {(touch.symbol, touch.entry) for touch in part.touches}
        for place in reversed(places):
            if place.key == key:
                place.uses |= uses
                place.statements += self._done(part, None)
                return
            if _concern(place.uses, uses):
                break
        places.append(_Place(key, self._condition(part), self._done(part, None), uses))

    def _loop(self, part: Part, carried: Carried | None) -> list[t.Stmt]:
        assert part.loop is not None
        loop, where = part.loop, part.loop.statement.loc
        made = self._done(part, carried)
        if not any(loop.var in symbols_in(item) for item in made):
            return made
        own = self._variable(loop.var.name, ty.INT)
        made = [with_symbols(item, {loop.var: own}) for item in made]
        return [t.DeclStmt(where, (t.VarDecl(own, counter(self._ahead, part.shift), where),)), *made]

    def _done(self, part: Part, carried: Carried | None) -> list[t.Stmt]:
        places: dict[Step, dict[Node, tuple[Named, int]]] = {step: {} for step in part.steps}
        for touch in part.touches:
            if touch.symbol in self._run.arrays:
                window = self._windows.behind(touch.symbol, touch.entry, part.shift)
                places[touch.step][touch.node] = window, touch.at
        return done(part.items, places) if carried is None else carried.body(places)

    def _condition(self, part: Part) -> t.Expr:
        """Is the counter, so many behind, one of the part's?"""
        parts: list[t.Expr] = [copied(guard) for guard in part.guards]
        if part.loop is None:
            return all_of([*parts, self._is_at(part)])
        lower = constant_value(part.loop.lower)
        if lower is None:
            parts.append(compared("<=", copied(part.loop.lower), counter(self._ahead, part.shift)))
        elif lower + part.shift > self._begin:
            parts.append(compared("<=", integer(lower + part.shift, self._where), named(self._ahead)))
        return all_of([*parts, compared(part.loop.relation, counter(self._ahead, part.shift), copied(part.loop.upper))])

    def _is_at(self, part: Part) -> t.Expr:
        assert part.position is not None
        form = self._facts.forms.of(part.position)
        if form is not None and form.constant is not None:
            return compared("==", named(self._ahead), integer(form.constant + part.shift, self._where))
        return compared("==", counter(self._ahead, part.shift), copied(part.position))

    # ------------------------------------------------------------------ ends

    def _least(self, part: Part) -> int:
        """A number that no counter of the part is below."""
        known = constant_value(part.position if part.loop is None else part.loop.lower)  # type: ignore[arg-type]
        if known is not None:
            return known
        return -max(touch.at for touch in part.touches)  # it is an element of an array

    def _ends(self) -> list[t.Expr]:
        """The steps with which there is nothing more to be done, or to be stored, of each part that may be the last."""
        ends = [(part, self._windows.waits(part)) for part in self._run.parts]
        left = [end for n, end in enumerate(ends) if not any(self._is_sooner(end, o, n, m) for m, o in enumerate(ends))]
        return [self._end_of(part, behind) for part, behind in left]

    def _end_of(self, part: Part, behind: int) -> t.Expr:
        """The same of a part; of one that is not done at all, the first step."""
        parts = [copied(guard) for guard in part.guards]
        end = plus(_bound(part), behind + _is_included(part))
        if part.loop is not None and constant_value(part.loop.lower) is None:
            parts.append(compared(part.loop.relation, copied(part.loop.lower), copied(part.loop.upper)))
        if not parts:
            return end
        return t.Conditional(self._end.type, self._where, all_of(parts), end, integer(self._begin, self._where))

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


def _joined(parts: Iterable[tuple[t.Expr, list[t.Stmt]]]) -> Iterator[tuple[t.Expr, list[t.Stmt]]]:
    """Parts that follow each other with one condition, which no part changes, are one."""
    found: list[tuple[t.Expr, list[t.Stmt]]] = []
    for condition, statements in parts:
        if found and c_expr(found[-1][0]) == c_expr(condition) and not _hide(found[-1][1], statements):
            found[-1][1].extend(statements)
        else:
            found.append((condition, statements))
    return iter(found)


def _hide(one: Sequence[t.Stmt], other: Sequence[t.Stmt]) -> bool:
    """Would a name that the one declares, or the other, be that of something else there?"""
    named = [{symbol.name for each in part for symbol in symbols_in(each) | declared_in(each)} for part in (one, other)]
    declared = [{symbol.name for each in part for symbol in declared_in(each)} for part in (one, other)]
    return bool(declared[0] & named[1] or declared[1] & named[0])


def _concern(one: set[tuple[t.Symbol, Entry]], other: set[tuple[t.Symbol, Entry]]) -> bool:
    """May two statements use the same element?"""
    return bool(one & other)


def _bound(part: Part) -> t.Expr:
    """The place of a statement, or where a loop ends."""
    found = part.position if part.loop is None else part.loop.upper
    assert found is not None
    return found


def _is_included(part: Part) -> bool:
    return part.loop is None or part.loop.relation == "<="
