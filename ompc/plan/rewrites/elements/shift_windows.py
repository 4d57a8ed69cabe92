"""Plan: variables for the elements of a thread's own arrays that loops hand on which have become one.

    v_2_back = v_1_back;           behind each step: what was v[i - 1] in this one is v[i - 2] in the next
    v_1_back = v_front;
    if (2 <= i_ahead && i_ahead < 42)
        v[i_ahead - 2] = v_2_back;         before that: what leaves, where it is wanted behind the loop

A window is what parts use of the elements with the same constants beside the subscript that moves: from the element
that the part ahead comes to first to the one that is used last. Each of them leaves it in some step.

    In: Facts, Run, the counter of the part ahead.   Out: Windows.   Not here: the parts -- shifted_loops.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.locality.shifted_parts import Part
from ompc.analysis.locality.shifts import Run
from ompc.analysis.locality.single_elements import Entry
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied
from ompc.plan.rewrites.elements.made_code import all_of, assigned, compared, integer, named


@dataclass(frozen=True, eq=False)
class Window:
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
            yield assigned(named(self.variables[at]), named(self.variables[at + 1]))


@dataclass(frozen=True, eq=False)
class Behind:
    """A window as a part sees it."""

    window: Window
    shift: int

    def name(self, at: int) -> t.Name:
        return named(self.window.variables[at - self.shift])


class Windows:
    """Those of a run, whose part ahead is at `ahead`, from `begin` on."""

    def __init__(
        self, facts: Facts, run: Run, ahead: t.Symbol, begin: int, variable: Callable[[str, ty.Type], t.Symbol]
    ) -> None:
        self._facts = facts
        self._run = run
        self._ahead = ahead
        self._begin = begin
        self._where = ahead.loc
        self._of = self._made(variable)

    def _made(self, variable: Callable[[str, ty.Type], t.Symbol]) -> dict[tuple[t.Symbol, Entry], Window]:
        places: dict[tuple[t.Symbol, Entry], set[int]] = {}
        for part in self._run.parts:
            for touch in part.touches:
                if touch.symbol in self._run.arrays:
                    places.setdefault((touch.symbol, touch.entry), set()).add(touch.at - part.shift)
        found: dict[tuple[t.Symbol, Entry], Window] = {}
        for (symbol, entry), used in places.items():
            kind = ty.unqualified(ty.element_of(symbol.type))
            row = "".join(f"_{value}" for value in entry)
            variables: dict[int, t.Symbol] = {}
            for at in range(max(used), min(used) - 1, -1):
                behind = f"_{max(used) - at}_back" if at != max(used) else "_front"
                variables[at] = variable(f"{symbol.name}{row}{behind}", kind)
            found[symbol, entry] = Window(symbol, entry, variables)
        return found

    @property
    def variables(self) -> list[t.Symbol]:
        return [symbol for window in self._of.values() for symbol in window.variables.values()]

    def behind(self, symbol: t.Symbol, entry: Entry, shift: int) -> Behind:
        """The window, for a part that is so far behind."""
        return Behind(self._of[symbol, entry], shift)

    def waits(self, part: Part) -> int:
        """How long after the steps of the one ahead all that the part makes is done, and stored."""
        found = part.shift
        for touch in part.touches:
            if touch.writes and touch.symbol in self._run.arrays and (touch.symbol, touch.entry) in self._run.kept:
                found = max(found, touch.at - self._of[touch.symbol, touch.entry].low)
        return found

    def moving(self) -> Iterator[t.Stmt]:
        """What stands at the end of each step."""
        for window in self._of.values():
            yield from window.moving()

    def stored(self) -> Iterator[t.Stmt]:
        """What has passed, and is used behind the loop."""
        groups: dict[tuple[object, ...], tuple[t.Expr, list[t.Stmt]]] = {}
        for place, window in self._of.items():
            if place in self._run.kept:
                store = assigned(self._element(window), named(window.variables[window.low]))
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

    def _passes(self, window: Window, where: tuple[t.Expr, ...] | None) -> t.Expr:
        """Is what leaves the window one of the elements?"""
        if where is None:
            return all_of([*self._is_inside(window)])
        found = compared("==", counter(self._ahead, -window.low), copied(where[0]))
        for place in where[1:]:
            other = compared("==", counter(self._ahead, -window.low), copied(place))
            found = t.Binary(ty.INT, self._where, "||", found, other)
        return all_of([found, *self._is_inside(window)]) if self._may_be_none(window, where) else found

    def _may_be_none(self, window: Window, where: Sequence[t.Expr]) -> bool:
        """May one of the places be none of the array's? What is used behind may be so under a condition alone."""
        values, length = map(constant_value, where), self._length(window.symbol)
        return any(value is None or not 0 <= value < length for value in values)

    def _is_inside(self, window: Window) -> Iterator[t.Expr]:
        """Is what leaves the window an element of the array?"""
        if -window.low > self._begin:
            yield compared("<=", integer(-window.low, self._where), named(self._ahead))
        yield compared("<", named(self._ahead), integer(self._length(window.symbol) - window.low, self._where))

    def _element(self, window: Window) -> t.Expr:
        found: t.Expr = t.Name(window.symbol.type, self._where, window.symbol)
        places: list[t.Expr] = [integer(value, self._where) for value in window.entry]
        places.insert(self._run.moving[window.symbol], counter(self._ahead, -window.low))
        for place in places:
            assert isinstance(found.type, ty.Array)
            found = t.Index(found.type.of, self._where, found, place)
        return found


def counter(ahead: t.Symbol, shift: int) -> t.Expr:
    """The counter, so far behind the one ahead."""
    if shift == 0:
        return named(ahead)
    number = integer(abs(shift), ahead.loc)
    return t.Binary(ty.INT, ahead.loc, "-" if shift > 0 else "+", named(ahead), number)
