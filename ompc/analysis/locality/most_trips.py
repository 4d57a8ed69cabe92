"""Analysis: at most how often a loop turns, where its bounds are no numbers but a number is never far.

    for (k = 16 * kt; k < MIN(16 * kt + 16, n); k++)        at most 16 times

    first = 1; last = 5;
    if (side == 0) first = 5;
    if (side == 1) last = 1;
    for (j = first - 1; j < last; j++)                      at most 5 times

A loop up to the least of two numbers turns no more often than one up to either; likewise from the greatest. A variable
of the kernel's own that only ever gets numbers is between the least and the greatest of these.

    In: Facts, a loop.   Out: a number; None: nobody knows one.
    Not here: loops that turn equally often each time -- trips.py.
    Source: interval analysis: Cousot and Cousot, "Abstract interpretation" (POPL 1977), without an order of execution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.integers.ranges import Range, range_of
from ompc.analysis.interchange.strips import greatest_of, least_of
from ompc.analysis.locality.trips import constant_trips
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, symbols_in, values_given
from ompc.omp.model import CanonicalLoop


def most_trips(facts: Facts, loop: CanonicalLoop) -> int | None:
    """The least number that is known, of those that the loop never turns more often than."""
    exact = constant_trips(loop)
    if exact is not None or not loop.constant_step:
        return exact
    lasts = _all_of(loop.upper, greatest_of if loop.down else least_of)
    firsts = _all_of(loop.lower, least_of if loop.down else greatest_of)
    found = [apart for first in firsts for last in lasts for apart in _apart(facts, loop, first, last)]
    if not found or loop.relation == "!=":
        return None
    between = min(found) + (loop.relation in ("<=", ">="))
    return max(0, -(-between // loop.constant_step))


def _all_of(bound: t.Expr, parts_of: Callable[[t.Expr], tuple[t.Expr, ...]]) -> tuple[t.Expr, ...]:
    """What it is the least, or the greatest, of, where these may be so again."""
    parts = parts_of(bound)
    return parts if parts == (bound,) else tuple(each for part in parts for each in _all_of(part, parts_of))


def _apart(facts: Facts, loop: CanonicalLoop, first: t.Expr, last: t.Expr) -> Iterator[int]:
    """Numbers of which the way from `first` to `last` is no longer."""
    forms = facts.forms.of(first), facts.forms.of(last)
    if forms[0] is not None and forms[1] is not None:
        way = forms[0] + -forms[1] if loop.down else forms[1] + -forms[0]
        if way.constant is not None:
            yield way.constant
    known = _numbers(facts, symbols_in(first) | symbols_in(last))
    if known or constant_value(first) is not None or constant_value(last) is not None:
        (low, high), (least, greatest) = range_of(first, known), range_of(last, known)
        yield high - least if loop.down else greatest - low


def _numbers(facts: Facts, symbols: frozenset[t.Symbol]) -> Mapping[t.Symbol, Range]:
    """The least and greatest values of variables that the kernel declares, and that only get numbers."""
    body = facts.device_code.body
    found: dict[t.Symbol, Range] = {}
    for symbol in symbols:
        if symbol.is_automatic and not symbol.address_taken and symbol in declared_in(body):
            values = [None if given is None else constant_value(given) for given in values_given(body, symbol)]
            numbers = [value for value in values if value is not None]
            if numbers and len(numbers) == len(values):
                found[symbol] = min(numbers), max(numbers)
    return found
