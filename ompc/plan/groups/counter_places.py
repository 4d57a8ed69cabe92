"""Plan: whether a loop has the iteration in which its counter is the value of a variable, or a number.

    for (k = 0; k < n; k++) {
        #pragma omp parallel for
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)         k and i are between 0 and n - 1, as j is: the loop has both iterations

    In: Facts, a loop inside an iteration that counts up, the variable or number.   Out: Place.
    Not here: what is known of variables -- host/loops_around.py, integers/growing.py.
"""

from __future__ import annotations

from ompc.analysis.dependence.iteration_pairs import Pairs
from ompc.analysis.facts import Facts
from ompc.analysis.integers.domain_forms import DomainForms
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.integers.polynomials import Polynomial, converted, number
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number is among those of a loop's counter; what is False is not known.

    `from_first`  it is not below the first one
    `before_end`  it is not beyond the last one
    `is_first`, `is_last`  it is that
    """

    from_first: bool
    before_end: bool
    is_first: bool
    is_last: bool


def place_in(facts: Facts, loop: CanonicalLoop, at: t.Name | t.IntConst) -> Place:
    """Of `at`, a number of the counter's type that the loop does not change."""
    forms = DomainForms(facts.known.invariant, facts.known.definitions)
    for axis in facts.loop.loops:
        forms.enter(axis)
    own, first, end = forms.exactly(at), forms.exactly(converted(loop.lower, loop.var)), forms.exactly(loop.upper)
    last = None if end is None else end + number(-(loop.relation == "<"))

    def ask() -> Place:
        from_first, before_end = _is_up_to(facts, first, own), _is_up_to(facts, own, last)
        return Place(from_first, before_end, own is not None and own == first, own is not None and own == last)

    return answered(ask, Place(False, False, False, False), loop.statement.loc)


def _is_up_to(facts: Facts, a: Polynomial | None, b: Polynomial | None) -> bool:
    """Is `a` not more than `b` in any iteration of the grid? Raises isl.Error."""
    points = Pairs(dict(facts.relations.ranges))
    for bounds in facts.relations.bounds(facts.loop.loops):
        points.enter(bounds)
    for condition in facts.known.conditions:
        points.hold(condition)
    beyond = None if a is None or b is None else points.text(a + -b)
    return beyond is not None and points.is_empty(f"{beyond} > 0")
