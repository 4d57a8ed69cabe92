"""Phase splitting: the body of a loop with `scan` becomes its two phases, in the order in which they run.

    b[i] = s;                                  {
    #pragma omp scan exclusive(s)      ->          { s += a[i]; }        the input phase
    s += a[i];                                     { b[i] = s; }         the scan phase
                                               }

Whatever asks later what an iteration does first is answered for the order in which a kernel does it, which is also the
order of the host's compilers: of no iteration does the scan phase begin before its own input phase has ended.

In: a loop as its kernel has it.   Out: the same with such a body; itself where there is no `scan`.
Not here: whether the phases can be told apart -- analysis/scan_phases.py.
Source: OpenMP 5.2, 5.6 (scan directive).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.omp.model import ParallelLoop
from ompc.omp.scans import scan_directive


def with_phases(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with its input phase and its scan phase, each a block."""
    body = loop.body
    parting = None if loop.scan is None else scan_directive(body)
    if loop.scan is None or parting is None or not isinstance(body, t.Block):
        return loop
    at = body.items.index(parting)
    phases = [_block(body.items[:at], body.loc), _block(body.items[at + 1 :], parting.loc)]
    made = t.Block(body.loc, tuple(phases if loop.scan.inclusive else reversed(phases)))
    return replace(loop, body=made, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=made)))


def _block(items: Sequence[t.Stmt], loc: Location) -> t.Block:
    if len(items) == 1 and isinstance(items[0], t.Block):
        return items[0]
    return t.Block(items[0].loc if items else loc, tuple(items))
