"""The best change for each loop of the host as a patch, to be read before it is applied: `ompc explain --fix`.

    solver.c:41: give each thread its own `t`
      Make sure: nothing after the loop reads the value that its last iteration leaves.
    --- solver.c
    +++ solver.c
    @@ -41 +41 @@
    -#pragma omp parallel for
    +#pragma omp parallel for private(t)

Each change was tried by itself (suggestions.py); of two that meet in the text, only the first is there. What must be
made sure of stands above the changes of a file, where `patch` skips it.

In: Readiness with suggestions.   Out: a unified diff for `patch -p0`; "": there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from ompc.frontend.text import Replace, apply_edits
from ompc.tools.readiness.model import Loop, Readiness, SourceFile, Suggestion


def patch(found: Readiness) -> str:
    """Lines that are not ended in the source keep that."""
    return "".join(line for file in found.files for line in _changes(file))


def _changes(file: SourceFile) -> Iterator[str]:
    text, said = file.text, list[str]()
    taken: tuple[Replace, ...] = ()
    for loop, suggestion in _with_edits(file):
        changed = _applied(file.text, (*taken, *suggestion.edits))
        if changed is not None:
            text, taken = changed, (*taken, *suggestion.edits)
            said += [f"{file.path}:{loop.first}: {suggestion.title}", f"  Make sure: {suggestion.ensure}"]
    if not taken:
        return
    yield from (f"{line}\n" for line in said)
    for line in unified_diff(text_lines(file.text), text_lines(text), file.path, file.path, n=2):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _with_edits(file: SourceFile) -> Iterator[tuple[Loop, Suggestion]]:
    """Each loop with the first suggestion that changes its text."""
    for loop in file.loops:
        best = next((each for each in loop.suggestions if each.edits and each.file == file.path), None)
        if best is not None:
            yield loop, best


def _applied(text: str, edits: tuple[Replace, ...]) -> str | None:
    """None: two of them are about the same place."""
    try:
        return apply_edits(text, tuple(dict.fromkeys(edits)))
    except ValueError:
        return None


def text_lines(text: str) -> list[str]:
    """The lines as `patch` counts them: form feeds and the like end none."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [line for line in text.split("\n")[-1:] if line]
