"""Reductions of which nobody reads the result, and that every iteration writes before it reads: each iteration's own.

    #pragma omp parallel for reduction(+: sum)
    for (j = 0; j < n; j++) {                          as private(sum): what an iteration finds in `sum` it does not
        sum = 0;                                       read; and what comes of all threads' values, which depends on
        for (k = 0; k < m; k++) sum += w[k][j];        how many there are, is read by nobody
        y[j] = sum;
    }

    In: the loops of a unit.   Out: the same with other data-sharing attributes.
    Not here: what is only accumulated into -- analysis/reductions; whose result is read (OMPC344).
    Source: dead code elimination (Aho, Lam, Sethi, Ullman, 9.1.6), of combining partial results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ompc.analysis.flow.liveness import read_after
from ompc.analysis.privatisation.shared_scalars import is_plain, is_written_first
from ompc.ir import tree as t
from ompc.omp.model import ParallelLoop, Sharing


def without_unread_reductions(loops: Iterable[ParallelLoop], unit: t.Unit) -> tuple[ParallelLoop, ...]:
    """The loops, with private variables in the place of such reductions."""
    return tuple(_without(loop, unit.functions[loop.function]) for loop in loops)


def _without(loop: ParallelLoop, function: t.Function) -> ParallelLoop:
    own = frozenset(_unread(loop, function))
    if not own:
        return loop
    kept = tuple(item for item in loop.reductions if item.symbol not in own)
    return replace(loop, sharing={**loop.sharing, **dict.fromkeys(own, Sharing.PRIVATE)}, reductions=kept)


def _unread(loop: ParallelLoop, function: t.Function) -> Iterator[t.Symbol]:
    if loop.body is None or not loop.loops or loop.host is not None:
        return
    if loop.in_order is not None or loop.target is not None or loop.scan is not None:
        return
    assert function.body is not None
    for item in loop.reductions:
        symbol = item.symbol
        declared = item.declared is not None  # its initialiser may do something that is seen
        if declared or loop.sharing.get(symbol) is not Sharing.REDUCTION or not is_plain(symbol):
            continue
        if is_written_first(loop, symbol) and not read_after(function.body, loop.pragma, symbol):
            yield symbol
