"""Lines of a report on a terminal: as wide as it is, broken between words only, each with a style.

A word that is wider than the terminal (a path, an option) stays whole: it can then be copied.

In: text, a width.   Out: lines.   Not here: what they say -- explanation.py, overview.py; printing them -- cli/.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from enum import Enum

from ompc.base.frozen import dataclass

WIDTH = 80
"""Where nobody says how wide the place is."""


class Style(Enum):
    PLAIN = "plain"
    TITLE = "title"
    HOST = "host"
    PROMISED = "promised"
    PROVED = "proved"


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    style: Style = Style.PLAIN


EMPTY = Line("")


def wrapped(text: str, width: int, indent: int = 0, hang: int | None = None, style: Style = Style.PLAIN) -> list[Line]:
    """`text` in lines of at most `width`, the first one `indent` to the right and the others `hang`."""
    rest = " " * (indent if hang is None else hang)
    lines = textwrap.wrap(
        text,
        max(width, 20),
        initial_indent=" " * indent,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [Line(line, style) for line in lines]


def labelled(label: str, text: str, width: int, indent: int, column: int) -> list[Line]:
    """`label` and, `column` to the right of it, `text`: its lines stand below each other,
    those of an entry of a list behind its dash."""
    at = indent + column
    first, *others = wrapped(text, width, at, at + 2 * text.startswith("- ")) or [EMPTY]
    return [Line(f"{' ' * indent}{label}".ljust(at) + first.text.lstrip()), *others]


def as_text(lines: Iterable[Line]) -> str:
    return "".join(f"{line.text.rstrip()}\n" for line in lines)
