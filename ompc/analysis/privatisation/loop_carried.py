"""Analysis: loop-carried scalar dependences: firstprivate variables that carry a value to another iteration.

Each thread starts with a copy of the original value and keeps what its iterations leave in it, so that the answer
depends on which iterations a thread runs, and how many:

    #pragma omp parallel for firstprivate(seed)
    for (...) { seed = seed * 1103515245 + 12345;  x = seed; ... }      carried: a kernel's threads would all get one x
    for (...) { t = t0 + i;  x[i] = t * t; }                            not carried: assigned before it is read

An object of which every path assigns each part before it reads it carries nothing, nor does what is only written or
only read.

    In: a loop, its accesses.   Out: the first such variable's Reason (OMPC345), or None.
    Not here: variables that are private in a region around the loop -- team_private.py.   Source: OpenMP 5.2, 5.4.4.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.analysis.flow.definite_assignment import flow_of, is_always_assigned
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.privatisation.concurrent_context import Bodies, ConcurrentContext
from ompc.analysis.privatisation.element_sets import Use
from ompc.analysis.privatisation.upward_exposed import use_of
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import ParallelLoop, Sharing

_COPIED_IN = (Sharing.FIRSTPRIVATE, Sharing.FIRST_LASTPRIVATE)


def loop_carried_scalars(loop: ParallelLoop, unit: t.Unit, accesses: Iterable[Access]) -> Reason | None:
    """Why the answer depends on the threads, if a firstprivate variable makes it so."""
    assert loop.body is not None
    found, flow = tuple(accesses), flow_of(loop.body)
    for symbol in (s for s, how in loop.sharing.items() if how in _COPIED_IN):
        own = [access for access in found if access.obj == MemoryObject(symbol)]
        written = next((access for access in own if access.mode.writes), None)
        if written is None:
            continue
        is_read = any(access.mode.reads for access in own)
        if not symbol.address_taken and not isinstance(symbol.type, ty.Array):
            is_read = is_read and symbol in flow.exposed
        is_read = is_read and not _reads_own_values(loop, unit, symbol)
        if is_read or (symbol in loop.lastprivates and not is_always_assigned(loop.body, symbol)):
            message = f"`{symbol.name}`, firstprivate, carries a value from one iteration to another"
            return Reason("OMPC345", message, written.node.loc)
    return None


def _reads_own_values(loop: ParallelLoop, unit: t.Unit, symbol: t.Symbol) -> bool:
    """Does an iteration read only what it has written to the parts of `symbol`?"""
    assert loop.body is not None
    if ty.has_pointers(symbol.type) or ty.is_variably_modified(symbol.type):
        return False
    own = (s for s, how in loop.sharing.items() if not how.one_for_all)
    around = ConcurrentContext.of(loop.loops[0].statement, Bodies(unit.functions), own)
    return use_of(loop.body, symbol, around).use is Use.OWN_VALUES
