"""Excerpts of ompc's output in the documents: found again in the output of today, or written anew from it.

An excerpt is a fenced block below a line of HTML that says of what it is:

    <!-- plan of jacobi.c -->
    ```
    region solve_99, line 99: parallel for
        ...
        several rows a thread: neighbouring iterations of i read the same elements, such as uold[i - 1][j]
    ```

Its lines stand in the output in this order, those between two lines of dots as neighbours. A line that ends in ` ...`
is the beginning of one. `--rewrite` makes each run of lines anew, from the place of its first to that of its last
line, which have to be there.

In: the text of a page, and what is excerpted, by name.   Out: what is not there; the page as it should be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

_BLOCK = re.compile(r"^<!-- (?P<of>.+?) -->\n```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class NotFoundError(Exception):
    """A line of an excerpt that the output does not have, after those before it."""


@dataclass(frozen=True)
class Excerpt:
    of: str
    language: str
    text: str

    @property
    def runs(self) -> list[list[str]]:
        """The stretches of lines that are shown whole."""
        return [
            list(run) for dots, run in groupby(self.text.splitlines(), lambda line: line.strip() == "...") if not dots
        ]


def excerpts_in(page: str) -> list[Excerpt]:
    return [Excerpt(found["of"], found["language"], found["text"]) for found in _BLOCK.finditer(page)]


def is_shown_by(shown: str, line: str) -> bool:
    """`shown` is the line, or its beginning and dots."""
    return line.startswith(shown.removesuffix(" ...")) if shown.endswith(" ...") else line == shown


def check(excerpt: Excerpt, output: str) -> None:
    """Raises NotFoundError."""
    lines = output.splitlines()
    at = 0
    for run in excerpt.runs:
        at = _place(run, lines, at, excerpt.of) + len(run)


def rewritten(page: str, outputs: Mapping[str, str]) -> str:
    """The page with the lines of today. Raises NotFoundError where the first or last line of a run is not there."""

    def anew(found: re.Match[str]) -> str:
        excerpt = Excerpt(found["of"], found["language"], found["text"])
        return found[0].replace(found["text"], _anew(excerpt, outputs[excerpt.of]))

    return _BLOCK.sub(anew, page)


def _anew(excerpt: Excerpt, output: str) -> str:
    shown, lines, text, at = iter(excerpt.runs), output.splitlines(), [], 0
    for dots, of_text in groupby(excerpt.text.splitlines(), lambda line: line.strip() == "..."):
        if dots:
            text += of_text
            continue
        run = next(shown)
        first = _place(run[:1], lines, at, excerpt.of)
        at = _place(run[-1:], lines, first + (len(run) > 1), excerpt.of) + 1
        ends = {line for line in run if line.endswith(" ...")}
        text += [next((end for end in ends if is_shown_by(end, line)), line).rstrip() for line in lines[first:at]]
    return "".join(f"{line}\n" for line in text)


def _place(run: Sequence[str], lines: Sequence[str], start: int, of: str) -> int:
    """Where `run` begins in `lines`, not before `start`. Raises NotFoundError."""
    for at in range(start, len(lines) - len(run) + 1):
        if all(is_shown_by(shown, line.rstrip()) for shown, line in zip(run, lines[at:], strict=False)):
            return at
    raise NotFoundError(
        f"{of}: not in the output, or not in this order (pytest --rewrite may help):\n" + "\n".join(run)
    )
