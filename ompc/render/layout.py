"""Line breaks in generated statements: before an operator or after a comma at the shallowest nesting that fits.

In: lines of C without line ends.   Out: the same statements in lines of at most `width` columns, where they can be broken.
"""

from __future__ import annotations

from collections.abc import Iterable

WIDTH = 110
_INDENT = "    "


def broken_lines(lines: Iterable[str], depth: int) -> list[str]:
    """`lines` as they will stand at nesting `depth`, the long ones broken."""
    width = WIDTH - depth * len(_INDENT)
    return [piece for line in lines for piece in _broken(line, width)]


def _broken(line: str, width: int) -> list[str]:
    pieces: list[str] = []
    continuation = _continuation(line)
    while len(line) > width:
        place = _best_break(line, len(continuation), width)
        if place is None:
            break
        pieces.append(line[:place].rstrip())
        line = continuation + line[place:].lstrip()
    return [*pieces, line]


def _continuation(line: str) -> str:
    """The indentation of a continued line: two levels deeper than the statement."""
    return line[: len(line) - len(line.lstrip())] + 2 * _INDENT


def _best_break(line: str, start: int, width: int) -> int | None:
    """The last break within `width` among those of least nesting; text of strings and characters is never broken."""
    best: tuple[int, int] | None = None
    nesting, quoted = 0, ""
    for k, c in enumerate(line[:width]):
        if quoted:
            quoted = "" if c == quoted and line[k - 1] != "\\" else quoted
        elif c in "\"'":
            quoted = c
        elif c in "([{":
            nesting += 1
        elif c in ")]}":
            nesting -= 1
        elif k > start and _may_break(line, k) and (best is None or nesting <= best[0]):
            best = nesting, k
    return None if best is None else best[1]


def _may_break(line: str, k: int) -> bool:
    """May a line end just before column `k`: in front of a binary operator, or after a comma or semicolon?"""
    operator = line[k - 1] == " " and any(
        line.startswith(op, k) for op in ("+ ", "- ", "* ", "/ ", "&& ", "|| ", "? ", ": ")
    )
    return operator or (line[k] == " " and line[k - 1] in ",;")
