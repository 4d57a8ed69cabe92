"""Analysis: can control leave a piece of structured code early?

    for (...) { if (x[i] < 0) break; t[i] = 0; }        a jump: not every iteration writes t[i]

Jumps that stay inside the code count too, which is the safe side, and so does the end of the program.
`goto` is for the callers to exclude.

    In: code.   Out: yes or no.   Not here: where the jumps lead -- certain.py, same_in_all.py.
"""

from __future__ import annotations

from ompc.sema import tree as t
from ompc.sema.walk import Node, walk


def jumps_in(code: Node) -> bool:
    return any(isinstance(node, (t.Break, t.Continue, t.Return, t.Leave)) for node in walk(code))


def returns_in(code: Node) -> bool:
    return any(isinstance(node, (t.Return, t.Leave)) for node in walk(code))


def returns_early(body: t.Block) -> bool:
    """Does a function with this body return anywhere but at its end?"""
    last = body.items[-1] if body.items else None
    return any(isinstance(node, t.Return) and node is not last for node in walk(body))
