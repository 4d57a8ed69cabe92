"""Does a launch leave alone what the bounds of a loop are made of, wherever that is?

    for (i = s[me]; i < s[me + 1]; i++) y[i] = 0;      double *y never points to the ints of s
    for (i = s[me]; i < s[me + 1]; i++) o[i] = 0;      int *o may

The program evaluates a bound again for each iteration, a launcher once.

    In: Facts, expressions of the program's.   Out: the first part that the launch may change.
    Not here: bounds that the pragma says are fixed (OpenMP 5.2, 4.4.1).
"""

from __future__ import annotations

from ompc.analysis.facts import Facts
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.memory.effective_types import may_be_same
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t


def changed_part(facts: Facts, exprs: tuple[t.Expr | None, ...], strict_aliasing: bool) -> t.Expr | None:
    """The first part of the expressions that need not have one value while `facts` is launched; None: they are kept."""
    writes = [a.node for a in facts.accesses if a.mode.writes and not facts.is_thread_private(a.obj)]

    def is_fixed(symbol: t.Symbol) -> bool:
        own = facts.is_thread_private(MemoryObject(symbol))
        return facts.is_fixed(symbol) or (not own and facts.is_only_read(symbol))

    def is_kept(place: t.Expr) -> bool:
        return strict_aliasing and not any(may_be_same(write, place) for write in writes)

    invariance = Invariance(is_fixed, is_kept)
    parts = (None if expr is None else invariance.obstacle(expr) for expr in exprs)
    return next((part for part in parts if part is not None), None)
