"""A file's text as a listing: stretches of lines, with each loop's report in front of its first line.

1 .. 90    a stretch without loops: folded but for its ends
loop 1     its report
91 .. 97   the loop's lines, marked with its state

In: a SourceFile.   Out: the pieces in their order.   Not here: HTML -- templates/report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from ompc.base.frozen import dataclass
from ompc.tools.readiness.colour import c_lines
from ompc.tools.readiness.model import Loop, SourceFile

CONTEXT = 4
"""Lines that stay visible at the ends of a folded stretch."""
SHORTEST_FOLD = 16


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    html: Markup
    mark: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive lines; `folded`: they begin out of sight. `loop`: those of one loop, below its report."""

    lines: tuple[Line, ...]
    folded: bool = False
    loop: Loop | None = None


def listing(file: SourceFile) -> Iterator[Stretch]:
    """All lines of the file, each once. A loop inside another one's lines comes where it begins."""
    lines = _lines(file)
    done = 0
    for at, loop in enumerate(file.loops):
        following = file.loops[at + 1].first - 1 if at + 1 < len(file.loops) else len(lines)
        begin = max(min(loop.first - 1, len(lines)), done)
        end = max(min(loop.last, following, len(lines)), begin)
        yield from _folded(lines[done:begin], done == 0, False)
        yield Stretch(lines[begin:end], loop=loop)
        done = end
    yield from _folded(lines[done:], done == 0, True)


def whole(file: SourceFile) -> Stretch:
    """A file without loops."""
    return Stretch(_lines(file))


def source_lines(text: str) -> tuple[Markup, ...]:
    """The lines of a file as HTML."""
    html = c_lines(text)
    return html[:-1] if html and not html[-1] else html  # without what is behind the last line ending


def _lines(file: SourceFile) -> tuple[Line, ...]:
    html = source_lines(file.text)
    marks = [""] * len(html)
    for loop in file.loops:
        for number in range(loop.first - 1, min(loop.last, len(html))):
            marks[number] = loop.state
    return tuple(Line(number, *pair) for number, pair in enumerate(zip(html, marks, strict=True), 1))


def _folded(lines: Sequence[Line], is_first: bool, is_last: bool) -> Iterator[Stretch]:
    """Lines without loops; what is far from the loops before and behind is folded."""
    begin, end = 0 if is_first else CONTEXT, len(lines) - (0 if is_last else CONTEXT)
    if end - begin < SHORTEST_FOLD:
        begin = end = 0
    parts = (lines[:begin], False), (lines[begin:end], True), (lines[end:], False)
    yield from (Stretch(tuple(part), folded) for part, folded in parts if part)
