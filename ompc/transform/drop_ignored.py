"""Directives that the host's C compiler does not know: it ignores them, and so does everything here.

    #pragma omp parallel for                #pragma omp parallel for
    #pragma omp tile sizes(4)         ->    for (i = 0; i < n; i++)         a compiler older than OpenMP 5.1
    for (i = 0; i < n; i++)

A compiler that knows `tile` shares the tiles out, and iterations of one tile may then depend on each other: with such a
compiler the directive stays in the tree, and the loop on the host (OMPC308, OMPC330).

In: the typed tree; where the compiler has warned that it ignores a pragma.   Out: the tree without those directives.
Not here: misspelt directives, about which directives.py has more to say.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import cast

from ompc.base.source import Location
from ompc.ir.rewrite import rewritten, with_bodies
from ompc.ir.tree import Block, Empty, Pragma, Unit
from ompc.ir.walk import Node
from ompc.omp.constructs import openmp


def without_ignored(unit: Unit, ignored: Collection[Location]) -> Unit:
    """`unit` as the compiler sees it; `ignored` are the lines of pragmas."""
    lines = {(at.file, at.line) for at in ignored}
    return with_bodies(unit, partial(_is_ignored, lines=lines), partial(_without, lines=lines))


def _is_ignored(node: object, lines: Collection[tuple[str, int]]) -> bool:
    if not isinstance(node, Pragma) or (node.loc.file, node.loc.line) not in lines:
        return False
    return openmp(node) is not None


def _without(body: Block, lines: Collection[tuple[str, int]]) -> Block:
    def change(node: Node) -> Node | None:
        if not _is_ignored(node, lines):
            return None
        inner = cast(Pragma, node).body
        return Empty(cast(Pragma, node).loc) if inner is None else rewritten(inner, change)

    return rewritten(body, change)
