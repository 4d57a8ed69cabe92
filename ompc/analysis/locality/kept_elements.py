"""Analysis: which elements of arrays statements use, and of those with constants alone, where.

    i = n - 2;
    a[i] -= l[i][3] * a[i + 1];          l, 3: at n - 2
    for (i = n - 3; i >= 0; i--)
        a[i] -= l[i][4];                 l, 4: anywhere

    In: Facts, arrays, the dimension of each that moves; statements, one after the other.   Out: by array and the
    constants in the other dimensions, the places, or None: anywhere.
    Not here: who asks -- shifts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.interchange.array_contraction import elements_in, subscripts_of
from ompc.analysis.locality.element_accesses import set_inside
from ompc.analysis.locality.single_elements import Entry, SingleElements
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.queries import set_in

MOST_PLACES = 3
"""Of which each is asked for; where there are more, elements are taken for used anywhere."""


class KeptElements:
    """Reads statements one after the other. `changed`: variables that do not stay the same."""

    def __init__(
        self, facts: Facts, arrays: frozenset[t.Symbol], moving: Mapping[t.Symbol, int], changed: frozenset[t.Symbol]
    ) -> None:
        self._facts = facts
        self._arrays = arrays
        self._moving = moving
        self._values = SingleElements(facts, arrays, moving, changed)
        self._found: list[tuple[t.Symbol, tuple[int | None, ...], t.Expr | None]] = []

    def read(self, item: t.Stmt) -> None:
        """The next statement."""
        if isinstance(item, t.Block):
            for part in item.items:
                self.read(part)
            return
        if isinstance(item, t.If) and item.other is None and not elements_in(t.ExprStmt(item.loc, item.condition)):
            self._values.forgets(set_in(item.condition))
            self.read(item.then)
            self._values.forgets(set_in(item))
            return
        self._values.forgets(set_inside(item))
        for symbol, nodes in elements_in(item).items():
            if symbol in self._arrays:
                self._found += [self._use(symbol, node) for node in nodes]
        if self._values.next(item) is None:
            self._values.forgets(set_in(item))

    def _use(self, symbol: t.Symbol, node: t.Index) -> tuple[t.Symbol, tuple[int | None, ...], t.Expr | None]:
        found = subscripts_of(node)
        assert found is not None
        entry = tuple(constant_value(s) for number, s in enumerate(found[1]) if number != self._moving[symbol])
        return symbol, entry, self._values.value_of(found[1][self._moving[symbol]])

    def of(self, known: Iterable[tuple[t.Symbol, Entry]]) -> dict[tuple[t.Symbol, Entry], tuple[t.Expr, ...] | None]:
        """What is used of these elements."""
        made: dict[tuple[t.Symbol, Entry], tuple[t.Expr, ...] | None] = {}
        for symbol, entry in known:
            uses = [place for of, at, place in self._found if of is symbol and _may_be(at, entry)]
            if uses:
                made[symbol, entry] = self._places(uses)
        return made

    def _places(self, uses: list[t.Expr | None]) -> tuple[t.Expr, ...] | None:
        found: dict[object, t.Expr] = {}
        for place in uses:
            form = None if place is None else self._facts.forms.of(place)
            if place is None or form is None:
                return None
            found.setdefault(form, place)
        return tuple(found.values()) if len(found) <= MOST_PLACES else None


def _may_be(at: tuple[int | None, ...], entry: Entry) -> bool:
    return all(value in (None, own) for value, own in zip(at, entry, strict=True))
