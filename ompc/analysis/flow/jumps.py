"""Analysis: can control leave a piece of structured code early?

    for (...) { if (x[i] < 0) break; t[i] = 0; }        a jump: not every iteration writes t[i]

Jumps that stay inside the code count too, which is the safe side, and so does the end of the program.
`goto` is for the callers to exclude, and cases that a switch enters in the middle of another statement.

    In: code.   Out: yes or no.   Not here: where the jumps lead -- certain.py, same_in_all.py.
"""

from __future__ import annotations

from ompc.ir import tree as t
from ompc.ir.walk import Node, children, walk


def jumps_in(code: Node) -> bool:
    return any(isinstance(node, (t.Break, t.Continue, t.Return, t.Leave)) for node in walk(code))


def returns_in(code: Node) -> bool:
    return any(isinstance(node, (t.Return, t.Leave)) for node in walk(code))


def returns_early(body: t.Block) -> bool:
    """Does a function with this body return anywhere but at its end?"""
    last = body.items[-1] if body.items else None
    return any(isinstance(node, t.Return) and node is not last for node in walk(body))


def has_hidden_case(code: Node) -> bool:
    """Does a case stand inside of another statement of its switch, which control then enters in the middle?"""
    return any(isinstance(node, t.Switch) and _has_case_below(node.body) for node in walk(code))


def from_each_case(body: t.Stmt) -> list[t.Stmt]:
    """The body of a switch in pieces: control comes to each from above, or from the head."""
    pieces: list[list[t.Stmt]] = [[]]
    for item in body.items if isinstance(body, t.Block) else (body,):
        if isinstance(item, t.Case):
            pieces.append([])
        pieces[-1].append(item)
    return [t.Block(body.loc, tuple(piece)) for piece in pieces if piece]


def _has_case_below(node: Node, hidden: bool = False) -> bool:
    if isinstance(node, t.Case):
        return hidden
    inside = hidden or not isinstance(node, t.Block)
    below = (child for child in children(node) if isinstance(child, t.Stmt) and not isinstance(child, t.Switch))
    return any(_has_case_below(child, inside) for child in below)
