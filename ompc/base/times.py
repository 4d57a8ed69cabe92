"""`--time`: how long each stage took, by file, as a table.

    milliseconds  preprocess  parse  sema  omp  analysis  plan  render  recheck  host compiler   nvcc  link
    jacobi.c              31     85    22    6        40    18      12       30            120   2100
    in all                31     85    22    6        40    18      12       30            120   2100    45
    elapsed: 2.41 s

In: what a watch has noted.   Out: text.   Not here: measuring -- watch.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ompc.base.watch import Taken

STAGES = (
    *("loading", "preprocess", "parse", "sema", "transform", "omp", "analysis", "plan", "render", "recheck"),
    *("report", "suggestions", "search", "host compiler", "C++ compiler", "nvcc", "runtime", "link"),
)
"""The columns, in the order of the pipeline; those that nothing was spent on are left out."""

IN_ALL = "in all"


def format_times(taken: Sequence[Taken], elapsed: float) -> str:
    """The table, with a final newline. `elapsed`: what the clock shows, in seconds."""
    total: defaultdict[tuple[str, str], float] = defaultdict(float)
    for each in taken:
        total[each.file, each.stage] += each.seconds
        total[IN_ALL, each.stage] += each.seconds
    stages = sorted({each.stage for each in taken}, key=STAGES.index)
    files = list(dict.fromkeys(each.file for each in taken if each.file))
    rows = [["milliseconds", *stages]]
    rows += [[name, *(_cell(total.get((name, stage))) for stage in stages)] for name in (*files, IN_ALL)]
    end = f"elapsed: {elapsed:.2f} s\n"
    return _aligned(rows) + end if stages else f"nothing was translated or compiled: all came from the cache; {end}"


def _cell(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.0f}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines) + "\n"
