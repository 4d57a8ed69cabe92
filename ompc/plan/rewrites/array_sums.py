"""Plan: reductions of small arrays that are better accumulated into accumulators of blocks (`auto`).

    int h[16];
    #pragma omp parallel for reduction(+ : h)          each thread has a copy of 16 elements, in local memory
    for (i = 0; i < n; i++) h[key[i]]++;               or each block several in shared memory (plan/forms/histograms.py)

The elements of a thread's own array are registers only where the compiler knows which of them are meant: in
`s[0] += x`, or in a loop over them that is unrolled. Where data says which element it is, a copy of the block's is
better: it takes no memory traffic, and less to combine. Integers only, since a floating sum would lose its fixed order.

    In: Facts.   Out: the Facts of the same loop with those reductions in place; or the same Facts.
    Not here: loops inside a larger region.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.locality.uniform import Uniformity
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.omp.model import ReductionItem, Sharing
from ompc.plan.forms.histograms import OPERATORS, has_room, operations_of


def with_arrays_in_place(facts: Facts) -> Facts:
    """`facts` with the reductions of small arrays done in place where data chooses their elements."""
    loop = facts.loop
    if loop.team is not None or not has_room(facts, loop.override) or _has_long_loops(facts):
        return facts
    chosen = [item.symbol for item in loop.reductions if _is_chosen_by_data(item, facts)]
    if not chosen:
        return facts
    changed = dict.fromkeys(chosen, Sharing.SHARED_REDUCTION)
    found = gather_again(facts, replace(loop, sharing={**loop.sharing, **changed}))
    if isinstance(found, Reason):
        return facts
    kinds = {symbol: ty.unqualified(ty.element_of(symbol.type)) for symbol in chosen}
    return found if all(operations_of(MemoryObject(symbol), kind, found) for symbol, kind in kinds.items()) else facts


def _has_long_loops(facts: Facts) -> bool:
    """Loops that the lanes of a warp may share, which a kernel with copies does not do."""
    bounds = (bound for loop in facts.inner_loops.values() for bound in (loop.lower, loop.upper))
    return any(constant_value(bound) is None for bound in bounds)


def _is_chosen_by_data(item: ReductionItem, facts: Facts) -> bool:
    """Is it an array of integers, of which neighbouring lanes may update different elements?"""
    symbol = item.symbol
    if facts.loop.sharing[symbol] is not Sharing.REDUCTION or item.declared is not None or item.op not in OPERATORS:
        return False
    if not isinstance(symbol.type, ty.Array) or not isinstance(ty.element_of(symbol.type), ty.Int):
        return False
    uniformity = Uniformity(facts.device_code, facts.accesses, [loop.var for loop in facts.loop.loops])
    subscripts = [access.subscripts for access in facts.of(MemoryObject(symbol))]
    return any(s is not None and not all(map(uniformity.is_uniform, s)) for s in subscripts)
