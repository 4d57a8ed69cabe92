"""Firstprivate arrays that nobody changes: the threads' copies are the original, which all of them read.

    double w[1000];
    #pragma omp parallel for firstprivate(w)        as shared(w): no thread changes its copy, and nobody the original
    for (i = 0; i < n; i++)                         meanwhile, to which only its name leads
        y[i] = w[i % 1000] * x[i];

A launch passes a copy by value, for which there is not always room (OMPC341), or no type, where its length varies
(OMPC325).

    In: the loops of a unit.   Out: the same with other data-sharing attributes.
    Not here: short arrays, which are passed by value; what is also lastprivate; arrays that a construct maps, of which
    the device may have another version.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import changed_in
from ompc.ir.walk import walk
from ompc.omp.model import ParallelLoop, Sharing

BY_VALUE = 1024
"""Bytes of an array that is passed by value."""

_MAPS = ("map", "to", "from", "use_device_addr", "use_device_ptr", "is_device_ptr", "has_device_addr")


def without_unchanged_copies(loops: Iterable[ParallelLoop], unit: t.Unit) -> tuple[ParallelLoop, ...]:
    """The loops, with shared arrays in the place of such copies."""
    return tuple(_without(loop, unit.functions[loop.function]) for loop in loops)


def _without(loop: ParallelLoop, function: t.Function) -> ParallelLoop:
    copies = {symbol for symbol, how in loop.sharing.items() if how is Sharing.FIRSTPRIVATE and _is_long(symbol)}
    if not copies or loop.body is None or not loop.loops or loop.host is not None:
        return loop
    copies -= loop.team.private if loop.team is not None else frozenset()
    kept = {s for s in copies if _may_be_changed(loop, s)}
    if copies - kept and loop.target is not None:
        kept |= _mapped(function)
    return replace(loop, sharing={**loop.sharing, **dict.fromkeys(copies - kept, Sharing.SHARED)})


def _is_long(symbol: t.Symbol) -> bool:
    size = ty.size_of(symbol.type)
    return isinstance(symbol.type, ty.Array) and (size is None or size > BY_VALUE)


def _may_be_changed(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """May anybody change the array, or a thread's copy of it, while the loop runs?"""
    return not symbol.is_automatic or symbol.address_taken or symbol in changed_in(loop.loops[0].statement)


def _mapped(function: t.Function) -> frozenset[t.Symbol]:
    """What constructs of the function bring to a device."""
    pragmas = [node for node in walk(function.body) if isinstance(node, t.Pragma)] if function.body is not None else []
    return frozenset[t.Symbol]().union(*(pragma.directive.listed(*_MAPS) for pragma in pragmas))
