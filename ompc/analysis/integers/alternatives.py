"""Analysis: numbers that are one of several, by a condition on counters and invariants.

    int x_e = (j == n - 1) ? 0 : j + 1;          0 where j = n - 1, and j + 1 elsewhere
    int x_w = (j - 1 + n) % n;                   j - 1 + n where that is below n, and n less where it is below 2 * n

So an access to a[i * n + x_e], the neighbour in a periodic domain, is two accesses, each under a condition: which is
how isl has piecewise numbers, too. A remainder has a third alternative, of which nothing is known; where the bounds of
the loops leave no iteration to it, as above, it does no harm.

    In: expressions, DomainForms.   Out: for each case what was chosen, with the conditions under which it is so.
    Not here: accesses -- memory/access_relation.py.
    Source: piecewise quasi-affine expressions, Verdoolaege, "isl" (ICMS 2010), 2.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from ompc.analysis.integers.domain_forms import Choice, Comparison, Condition, DomainForms, Junction
from ompc.analysis.integers.polynomials import Polynomial, converted, number
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.walk import walk

MOST_CASES = 12
"""Of one access: two remainders, or three conditions."""


@dataclass(frozen=True, slots=True)
class Case:
    """The alternatives that are `chosen`, and what holds where they are; what is not known is no condition."""

    chosen: Mapping[Choice, int]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A choice, and the counters of the loops in which it is made."""

    node: Choice
    counters: Mapping[t.Symbol, t.For]


def cases(forms: DomainForms, expressions: Iterable[t.Expr]) -> Iterator[Case]:
    """All cases of the choices that some expressions depend on; none where there is no choice, or too many."""
    places = list(_places(forms, expressions))
    ways = [range(2 if isinstance(place.node, t.Conditional) else 3) for place in places]
    combinations = list(product(*ways)) if 0 < len(places) <= MOST_CASES // 2 else []
    if len(combinations) > MOST_CASES:
        return
    counters = forms.counters
    for combination in combinations:
        chosen = {place.node: way for place, way in zip(places, combination, strict=True)}
        forms.choose(chosen)
        found: list[Condition] = []
        for place, way in zip(places, combination, strict=True):
            forms.counters = dict(place.counters)
            condition = _condition(forms, place.node, way)
            found += [] if condition is None else [condition]
        forms.counters = counters
        yield Case(chosen, tuple(found))
    forms.choose({})


def _places(forms: DomainForms, expressions: Iterable[t.Expr]) -> Iterator[_Place]:
    pending = [(expression, dict(forms.counters)) for expression in expressions]
    seen: set[t.Symbol | Choice] = set()
    while pending:
        expression, counters = pending.pop()
        for node in walk(expression):
            if isinstance(node, t.Name) and node.symbol not in seen and node.symbol not in forms.counters:
                seen.add(node.symbol)
                definition = None if node.symbol in forms.invariant else forms.definitions.get(node.symbol)
                if definition is not None:
                    inside = {symbol: loop for symbol, loop in counters.items() if loop in definition.loops}
                    pending.append((converted(definition.init, node.symbol), inside))
            elif isinstance(node, (t.Conditional, t.Binary)) and node not in seen and _is_choice(node):
                seen.add(node)
                yield _Place(node, counters)


def _is_choice(node: Choice) -> bool:
    if isinstance(node, t.Conditional):
        return True
    return node.op == "%" and constant_value(node.right) is None


def _condition(forms: DomainForms, node: Choice, way: int) -> Condition | None:
    if isinstance(node, t.Conditional):
        return forms.condition(node.condition, way == 0)
    left, right = forms.exactly(node.left), forms.exactly(node.right)
    if left is None or right is None:
        return None
    twice = right + right
    match way:
        case 0:
            return Junction("and", (_at_least(left), _at_least(right + -left + number(-1))))
        case 1:
            return Junction("and", (_at_least(left + -right), _at_least(twice + -left + number(-1)), _at_least(right)))
        case _:
            return Junction("or", (_at_least(-left + number(-1)), _at_least(left + -twice), _at_least(-right)))


def _at_least(difference: Polynomial) -> Condition:
    return Comparison(difference, ">=")
