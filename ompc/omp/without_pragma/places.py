"""Where statements stand that get a pragma of ompc's own, and how they get it.

    In: functions' bodies.   Out: the statements that begin a line; a body with pragmas around some of its statements.
    Not here: which statements those are -- added_loops.py, divided_loops.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ompc.ir import tree as t
from ompc.ir.queries import nodes
from ompc.ir.rewrite import rewritten


def first_on_their_lines(bodies: Iterable[t.Stmt]) -> frozenset[t.Stmt]:
    """What the host asks stands above the line, and would be about what comes first there."""
    found: dict[tuple[str, int], t.Stmt] = {}
    for body in bodies:
        for node in nodes(body):
            if isinstance(node, t.Stmt) and not isinstance(node, t.Block):
                found.setdefault((node.loc.file, node.loc.line), node)
    return frozenset(found.values())


def with_pragmas(body: t.Block, pragmas: Mapping[t.Stmt, t.Stmt]) -> t.Block:
    """`body` with each of these statements as that of its pragma, and with what stands in front of that."""
    return rewritten(body, lambda node: pragmas.get(node) if isinstance(node, t.Stmt) else None)
