"""Names for the variables that rewrites add to a loop's code.

A rewrite makes one C program of another. Its variables are C's: texts that go to the host and the launcher name them (a
bound that the host evaluates, a section), and forms ask by name whether one hides another. So they have names of
their own from the beginning; what only a kernel has is a Local.

What a body names must go on meaning the same: variables, functions and enumerators, also those of the bounds.

    In: Facts.   Out: names.   Not here: Locals -- render/local_names.py; which names C++ and CUDA have --
    plan/model/names.py.
"""

from __future__ import annotations

from ompc.analysis.facts import Facts
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.plan.model.names import RESERVED, first_free, spelled


class FreeNames:
    """Hands out names that nothing in the loop has."""

    def __init__(self, facts: Facts) -> None:
        names = _names_in(facts)
        self._taken = names | {spelled(name) for name in names} | RESERVED

    def take(self, name: str) -> str:
        """`name` itself when it is free, else with a number behind it."""
        found = first_free(name, self._taken)
        self._taken.add(found)
        return found


def _names_in(facts: Facts) -> set[str]:
    bounds = [b for loop in facts.loop.loops for b in (loop.lower, loop.upper, loop.step) if b is not None]
    names = {symbol.name for symbol in facts.loop.sharing} | set(facts.unit.functions)
    for node in (*facts.device_code.nodes, *(node for bound in bounds for node in walk(bound))):
        match node:
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol):
                names.add(symbol.name)
            case t.IntConst(text=text) if text.isidentifier():
                names.add(text)  # an enumerator
            case _:
                pass
    return names
