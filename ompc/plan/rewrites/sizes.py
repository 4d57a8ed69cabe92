"""Rewrite: what sizes must be for iterations to be independent, the host asks before the launch (`auto`).

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i + j * lda] *= 2;               axes of the grid where lda >= 1

    size_t n:  a[(i * n + j) * n + k]          where n <= 1048576, so that no product is 2^64 or more

An element is at one place for all j if the leading dimension is 0, and arithmetic without a sign has no order beyond
its largest value. Nobody has such sizes, but the program does not say so. The loop is then asked about once more, with
variables that are factors in subscripts between two numbers; where that makes more axes, the launch is made if they
are, and the host runs the loop otherwise.

    known to the host   a variable that is visible where the pragma stands, that the launch does not change, and that is
                        the same in all threads of a team
    no product wraps    of as many factors as the subscripts have, each not above the root

    In: Facts.   Out: the Facts of the same loop, of which that is asked; None: there is nothing to ask.
    Not here: whether it makes more axes -- order.py; products of 32 bits without a sign, whose sizes may well be larger
    than the root.
    Source: the assumptions of Doerfert, Grosser and Hack, "Optimistic loop optimization" (CGO 2017).
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.polynomials import Polynomial
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.asked import Within

_BITS = 62


def with_sizes_asked(facts: Facts) -> Facts | None:
    """`facts` with what the host asks of sizes."""
    places = [place for place in _places(facts) if place.degree > 1]
    degree = max((place.degree for place in places), default=0)
    sizes = {factor: None for place in places for factors, _ in place.terms if len(factors) > 1 for factor in factors}
    asked = [symbol for symbol in sizes if isinstance(symbol, t.Symbol) and _is_size(facts, symbol)]
    if not asked or facts.loop.within:
        return None
    greatest = 1 << (_BITS // degree)
    within = tuple(Within(s, 1, greatest if ty.unqualified(s.type) == ty.ULONG else None) for s in asked)
    after = gather_again(facts, replace(facts.loop, within=within))
    return None if isinstance(after, Reason) else after


def _places(facts: Facts) -> list[Polynomial]:
    found: list[Polynomial] = []
    for access in facts.accesses:
        if access.subscripts and access.function is None and not facts.is_thread_private(access.obj):
            relation = facts.relations.of(access, facts.relations.around(access))
            found += [place for place in relation.subscripts if place is not None]
    return found


def _is_size(facts: Facts, symbol: t.Symbol) -> bool:
    return symbol in facts.invariant and isinstance(symbol.type, ty.Int) and facts.can_be_asked(symbol)
