"""The winners as pragmas in the user's sources: a patch, which the user can read before it is applied.

    --- jacobi.c
    +++ jacobi.c
    @@ -40,2 +40,3 @@
    +    #pragma ompc block(64, 4) rows(8)
         #pragma omp parallel for
         for (i = 1; i < n - 1; i++)

A pragma holds for all sizes, so that of a loop with launches of several sizes the one counts that takes most of the
time. An older `#pragma ompc` right above is replaced. Loops whose pragma is made by a macro are left out.

In: results, the sources' text.   Out: a unified diff for `patch -p0`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence

from ompc.tools.tune.session import Result

_OPENMP = re.compile(r"(\s*)(?:#|%:)\s*pragma\s+omp\b")
_OWN = re.compile(r"\s*(?:#|%:)\s*pragma\s+ompc\b")


def patch(results: Sequence[Result], weights: Mapping[Result, float], texts: Mapping[str, str]) -> str:
    """`weights`: the seconds that each result's launches take; `texts`: the sources by the names that results have."""
    chosen = _by_line(results, weights)
    found: list[str] = []
    for file, text in sorted(texts.items()):
        before = text.splitlines(keepends=True)
        after = _with_pragmas(before, {line: result for (name, line), result in chosen.items() if name == file})
        found += difflib.unified_diff(before, after, file, file, n=2)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found)


def _by_line(results: Sequence[Result], weights: Mapping[Result, float]) -> dict[tuple[str, int], Result]:
    chosen: dict[tuple[str, int], Result] = {}
    for result in results:
        place = (result.loop.file, result.loop.line)
        if place not in chosen or weights[result] > weights[chosen[place]]:
            chosen[place] = result
    return {place: result for place, result in chosen.items() if result.choices.values()}


def _with_pragmas(lines: Sequence[str], wanted: Mapping[int, Result]) -> list[str]:
    """`wanted` by the number of the pragma's line."""
    after: list[str] = []
    for number, line in enumerate(lines, start=1):
        pragma = _OPENMP.match(line)
        if number in wanted and pragma is not None:
            if after and _OWN.match(after[-1]) and not after[-1].rstrip().endswith("\\"):
                after.pop()
            end = "\r\n" if line.endswith("\r\n") else "\n"
            after.append(f"{pragma[1]}#pragma ompc {wanted[number].choices.clauses}{end}")
        after.append(line)
    return after
