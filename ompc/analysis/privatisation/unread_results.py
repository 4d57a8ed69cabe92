"""Results that nobody reads: last values, and reductions that every iteration writes before it reads.

    #pragma omp parallel for reduction(+: sum)
    for (j = 0; j < n; j++) {                          as private(sum): what an iteration finds in `sum` it does not
        sum = 0;                                       read; and what comes of all threads' values, which depends on
        for (k = 0; k < m; k++) sum += w[k][j];        how many there are, is read by nobody
        y[j] = sum;
    }

A variable of `lastprivate`, a clause's or the loop's own where `simd` or `loop` says so, stays private.

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

_WITHOUT_LAST = {Sharing.LASTPRIVATE: Sharing.PRIVATE, Sharing.FIRST_LASTPRIVATE: Sharing.FIRSTPRIVATE}


def without_unread_results(loops: Iterable[ParallelLoop], unit: t.Unit) -> tuple[ParallelLoop, ...]:
    """The loops, with private variables in the place of such results."""
    return tuple(_without_last(_without(loop, unit.functions[loop.function]), unit) for loop in loops)


def _without_last(loop: ParallelLoop, unit: t.Unit) -> ParallelLoop:
    body = unit.functions[loop.function].body
    if not loop.lastprivates or loop.linear or loop.body is None or not loop.loops or loop.host is not None:
        return loop
    assert body is not None
    own = frozenset[t.Symbol]() if loop.team is None else loop.team.private  # what becomes of it the region says
    unread = {s for s in loop.lastprivates if is_plain(s) and s not in own and not read_after(body, loop.pragma, s)}
    if not unread:
        return loop
    sharing = {s: _WITHOUT_LAST.get(how, how) if s in unread else how for s, how in loop.sharing.items()}
    kept = tuple(symbol for symbol in loop.lastprivates if symbol not in unread)
    return replace(loop, sharing=sharing, lastprivates=kept, conditional=loop.conditional - unread)


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
