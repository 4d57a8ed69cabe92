"""Pass: the pragmas of a unit are read, once.

    Pragma("omp parallel for private(t)", UNREAD)   ->   Pragma("omp parallel for private(t)",
                                                             Directive(OPENMP, "parallel for", private t))

It is the first of stage omp: whoever asks later what a pragma says asks its `directive`. Passes that make trees from
trees keep it, and those that exchange variables exchange them in it, too (`with_symbols`).

In: the typed tree, the user's file.   Out: the same tree, each pragma with its directive.
Not here: reading one pragma -- directives.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ompc.ir.rewrite import rewritten
from ompc.ir.tree import Function, Pragma, Stmt, Unit
from ompc.ir.walk import Node, walk
from ompc.omp.reading.directives import read_pragma

Body = TypeVar("Body")


def resolved(unit: Unit, source_text: str | None = None) -> Unit:
    """`source_text` is the user's main file; without it, clauses are spelt as the preprocessor left them."""
    lines = () if source_text is None else tuple(source_text.split("\n"))

    def read(pragma: Pragma) -> Pragma:
        own = lines if pragma.loc.file == unit.file and not pragma.in_macro else ()
        return replace(pragma, body=inside(pragma.body), directive=read_pragma(pragma, own))

    def change(node: Node) -> Node | None:
        if isinstance(node, Pragma):
            return read(node)
        return None if isinstance(node, Stmt) else node

    def inside(node: Body) -> Body:
        return rewritten(node, change)

    def with_read(function: Function) -> Function:
        parts = [part for part in (function.body, function.unread) if part is not None]
        if not any(isinstance(node, Pragma) for part in parts for node in walk(part)):
            return function
        return replace(function, body=inside(function.body), unread=inside(function.unread))

    functions = {name: with_read(function) for name, function in unit.functions.items()}
    return replace(unit, functions=functions, pragmas=tuple(map(read, unit.pragmas)))
