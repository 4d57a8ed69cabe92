"""Plan: calls that get arrays of each thread's own become statements of the loop (`auto`).

    for (k ...) for (j ...) {                     `lhs` is the thread's own: by elements that are named here, the loop
        invert(lhs[i][1], rhs[k][j][i]);          over j is proved to keep nothing in it, and the array can be laid out
    }                                             with the threads' elements contiguous (expansion.py)

Only in loops that have others inside: there such arrays decide which of them become axes of the grid.

    In: Facts.   Out: the Facts of the same loop with such calls inlined; or the same Facts.
    Not here: the statements -- transform/inlining.py.
"""

from __future__ import annotations

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.machine import DEVICE
from ompc.transform.inlining import with_calls_inlined


def with_own_arrays_named(facts: Facts) -> Facts:
    """`facts` without calls that get large arrays of the thread's own, where inner loops may become axes."""
    loop = facts.loop
    if not facts.inner_loops or loop.target is not None:
        return facts

    def wanted(call: t.Call, _: t.Function) -> bool:
        names = (node.symbol for arg in call.args for node in walk(arg) if isinstance(node, t.Name))
        return any(_is_large(symbol.type) and facts.is_thread_private(MemoryObject(symbol)) for symbol in names)

    inlined = with_calls_inlined(loop, facts.unit.functions, wanted)
    if inlined is loop:
        return facts
    after = gather_again(facts, inlined)
    return facts if isinstance(after, Reason) else after


def _is_large(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Array) and (ty.size_of(kind) or 0) >= DEVICE.small_array
