"""The loops at lines of files: `ompc explain solver.c:99`.

A loop has the lines from its pragma to its end; of loops inside one another, the innermost is meant.

In: places, the reports of the program's files.   Out: the loops, or a wrong command line with the lines that have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import click

from ompc.base.diagnostics import CompileError
from ompc.frontend.preprocess import read_source
from ompc.tools.explain import Record
from ompc.tools.overview import Loop, loops_of
from ompc.tools.readiness.loop_lines import LoopLines


def loops_at(places: Iterable[tuple[str, int]], reports: Sequence[Record], ctx: click.Context) -> list[Loop]:
    """The loops there, each once."""
    loops = loops_of(reports)
    found: dict[str, Loop] = {}
    for file, line in places:
        own = [loop for loop in loops if Path(loop.file) == Path(file)]
        at = [loop for loop in own if _first(loop) <= line <= max(_first(loop), _last(loop))]
        if not at:
            lines = sorted({_first(loop) for loop in own})
            has = f"; it has loops at {_listed(lines)}" if lines else ", and no other line of it has one"
            raise click.UsageError(f"No parallel loop is at line {line} of {file}{has}.", ctx)
        innermost = max(map(_first, at))
        found.update((loop.place, loop) for loop in at if _first(loop) == innermost)
    return list(found.values())


def _listed(lines: Sequence[int]) -> str:
    *others, last = map(str, lines)
    return f"lines {', '.join(others)} and {last}" if others else f"line {last}"


def _first(loop: Loop) -> int:
    line = loop.region.get("line")
    return line if isinstance(line, int) else 0


def _last(loop: Loop) -> int:
    lines = _lines_of(loop.file)
    return 0 if lines is None else lines.last_line(max(_first(loop), 1))


@lru_cache(maxsize=16)
def _lines_of(file: str) -> LoopLines | None:
    """None: the file cannot be read, as one that a line marker names may not be."""
    try:
        return LoopLines(read_source(Path(file)))
    except CompileError:
        return None
