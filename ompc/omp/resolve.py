"""Pass: the pragmas of a unit are read, once.

    Pragma("omp parallel for private(t)", UNREAD)   ->   Pragma("omp parallel for private(t)",
                                                             Directive(OPENMP, "parallel for", private t))

It is the first of stage omp: whoever asks later what a pragma says asks its `directive`. Passes that make trees from
trees keep it, and those that exchange variables exchange them in it, too (`with_symbols`). The pragmas in parts of a
function that sema could not read are found by the lines of the user's text, and have no body.

In: the typed tree, the user's file.   Out: the same tree, each pragma with its directive, and no longer with the means
to look up names that only headers declare.
Not here: reading one pragma -- reading/.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ompc.base.source import Location
from ompc.ir.queries import unread_in
from ompc.ir.rewrite import rewritten
from ompc.ir.tree import Function, Pragma, Stmt, Unit
from ompc.ir.walk import Node, walk
from ompc.omp.reading.clause_text import pragma_as_written
from ompc.omp.reading.directives import read_pragma
from ompc.sema.scope import Visible

Body = TypeVar("Body")


def resolved(unit: Unit, source_text: str | None = None) -> Unit:
    """`source_text` is the user's main file; without it, clauses are spelt as the preprocessor left them."""
    lines = () if source_text is None else tuple(source_text.split("\n"))

    def read(pragma: Pragma) -> Pragma:
        own = lines if pragma.loc.file == unit.file and not pragma.in_macro else ()
        scope = pragma.scope.names() if isinstance(pragma.scope, Visible) else pragma.scope
        return replace(pragma, body=inside(pragma.body), scope=scope, directive=read_pragma(pragma, own))

    def change(node: Node) -> Node | None:
        if isinstance(node, Pragma):
            return read(node)
        return None if isinstance(node, Stmt) else node

    def inside(node: Body) -> Body:
        return rewritten(node, change)

    def with_read(function: Function) -> Function:
        found = tuple(map(read, _by_line(function, unit, lines)))
        parts = [part for part in (function.body, function.unread) if part is not None]
        if not found and not any(isinstance(node, Pragma) for part in parts for node in walk(part)):
            return function
        return replace(function, body=inside(function.body), unread=inside(function.unread), pragmas=found)

    functions = {name: with_read(function) for name, function in unit.functions.items()}
    return replace(unit, functions=functions, pragmas=tuple(map(read, unit.pragmas)))


def _by_line(function: Function, unit: Unit, lines: Sequence[str]) -> Iterator[Pragma]:
    """The pragmas in parts of a function of the main file that sema could not read."""
    if not lines or function.symbol.loc.file != unit.file:
        return
    if function.body is not None and unread_in(function.body) is None:
        return
    known = {node.loc for node in walk(function.body) if isinstance(node, Pragma)} if function.body else set()
    for line in range(function.symbol.loc.line, _line_after(function, unit, len(lines))):
        loc = Location(unit.file, line)
        written = pragma_as_written(lines, line)
        if written is not None and loc not in known:
            yield Pragma(loc, written, None, {})


def _line_after(function: Function, unit: Unit, last: int) -> int:
    """The line where the next function of the main file begins."""
    begins = (f.symbol.loc for f in unit.functions.values())
    later = [at.line for at in begins if at.file == unit.file and at.line > function.symbol.loc.line]
    return min(later, default=last + 1)
