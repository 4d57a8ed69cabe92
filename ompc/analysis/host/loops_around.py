"""Analysis: the loops of the host around a launch, and what they say of their counters in it.

    for (k = 0; k < n; k++) {
        #pragma omp parallel for                0 <= k and k < n
        for (i = k + 1; i < n; i++) ...

    In: the function, where the launched loop stands.   Out: CanonicalLoops; conditions on integers of the launch.
    Not here: variables that only grow -- integers/growing.py; loops inside the launch -- memory/access_relation.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from ompc.analysis.integers.definitions import Known
from ompc.analysis.integers.domain_forms import Comparison, Condition, DomainForms
from ompc.analysis.integers.polynomials import Polynomial, converted, number, variable
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir.exits import has_goto, labels_in
from ompc.ir.queries import nodes, symbols_in, unread_in
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop


def loops_around(functions: Mapping[str, t.Function], function: str, launched: Location) -> tuple[CanonicalLoop, ...]:
    """The loops in which every loop at this place of the function stands, outermost first, with counters and bounds
    that nothing changes but what names them. Kernels' trees have not the host's nodes, but its places.
    """
    found = functions.get(function)
    return () if found is None or found.body is None else _loops_around(found.body, launched)


@lru_cache(maxsize=256)
def _loops_around(body: t.Stmt, launched: Location) -> tuple[CanonicalLoop, ...]:
    if unread_in(body) is not None or has_goto(body):
        return ()
    loops = [node for node in nodes(body) if isinstance(node, t.For)]
    inside = {node for node in loops if node.loc == launched}
    around = [node for node in loops if inside and not labels_in(node.body) and inside.issubset(nodes(node.body))]
    canonical = (sequential_loop(node) for node in around)
    return tuple(loop for loop in canonical if isinstance(loop, CanonicalLoop) and _is_kept(loop))


def _is_kept(loop: CanonicalLoop) -> bool:
    symbols = {loop.var, *symbols_in(loop.lower), *symbols_in(loop.upper)}
    return all(symbol.is_automatic and not symbol.address_taken for symbol in symbols)


def _are_settled(loop: CanonicalLoop, settled: Collection[t.Symbol]) -> bool:
    """Are its bounds the same for the host and in the launch?"""
    return symbols_in(loop.lower) | symbols_in(loop.upper) <= set(settled)


def ends_of(forms: DomainForms, loop: CanonicalLoop) -> tuple[Polynomial | None, Polynomial | None]:
    """What the counter is not below, and not beyond, in an iteration of the loop; None: not known."""
    first, end = forms.exactly(converted(loop.lower, loop.var)), forms.exactly(loop.upper)
    beyond = number((loop.relation == ">") - (loop.relation == "<"))
    last = None if end is None or loop.relation == "!=" else end + beyond
    return (last, first) if loop.down else (first, last)


def conditions_around(
    loops: Collection[CanonicalLoop], known: Known, settled: Collection[t.Symbol]
) -> Iterator[Condition]:
    """What loops around the launch say of their counters, in numbers that it does not change; `settled`: variables that
    have one value while the function runs, for host and threads.
    """
    forms = DomainForms(known.invariant, known.definitions)
    for loop in loops:
        if loop.var in known.invariant and _are_settled(loop, known.invariant | set(settled)):
            (least, greatest), counter = ends_of(forms, loop), variable(loop.var)
            for low, high in ((least, counter), (counter, greatest)):
                if low is not None and high is not None:
                    yield Comparison(high + -low, ">=")
