"""Plan: atomic accumulations that are better reductions (`auto`).

    #pragma omp atomic
    s += e;                  every thread adds to a copy of its own; one store per block instead of one per iteration

Legal for a shared scalar that the loop does nothing to but accumulate into it, by operations of one group that give no
value: integer arithmetic is modulo 2^n, and a floating sum has no order that a program could rely on, unless the
host adds it up in order. A floating product is left alone, since another grouping may overflow; so are floating minima,
since the copies would begin with a value that compares unlike NaN.

    Not here: loops inside a larger region, whose variables have more to tell.

    In: Facts.   Out: the Facts of the same loop with those variables as reductions; or the same Facts.
    Source: OpenMP 5.2, 5.5.5 and 15.8.4.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.operations import Result
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import ReductionItem, Sharing


def with_reductions(facts: Facts) -> Facts:
    """`facts` with each accumulation by atomic operations turned into a reduction where that is legal."""
    if facts.loop.team is not None:
        return facts
    items = [item for obj in facts.shared_objects if (item := _reduction(facts, obj)) is not None]
    if not items:
        return facts
    changed = {item.symbol: Sharing.REDUCTION for item in items}
    loop = facts.loop
    loop = replace(loop, sharing={**loop.sharing, **changed}, reductions=(*loop.reductions, *items))
    found = gather_again(facts, loop)
    return facts if isinstance(found, Reason) else found


def _reduction(facts: Facts, obj: MemoryObject) -> ReductionItem | None:
    """The reduction that all accesses to the object amount to."""
    symbol = obj.symbol
    if obj.pointee or symbol.address_taken or facts.loop.sharing.get(symbol) is not Sharing.SHARED:
        return None
    if not isinstance(symbol.type, (ty.Int, ty.Float)):
        return None
    operations = {facts.atomic_operations.operation(access) for access in facts.of(obj)}
    groups = {None if op is None or op.result is not Result.NOTHING else op.group for op in operations}
    group = next(iter(groups))
    if len(groups) != 1 or group is None or not all(op and isinstance(op.object, t.Name) for op in operations):
        return None
    if isinstance(symbol.type, ty.Float) and (group != "+" or facts.adds_in_order):
        return None
    used_by_functions = any(access.function is not None for access in facts.of(obj))
    return None if used_by_functions else ReductionItem(symbol, group)
