"""Line breaks in generated statements: at the shallowest nesting that fits, after a comma, before the next
call of a chain or before the weakest operator.

In: lines of C without line ends.   Out: the same statements in lines of at most `width` columns, where they can be
broken; and the words in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WIDTH = 110
_INDENT = "    "
_ASSIGNED = re.compile(r" [-+*/%&|^]?= $")
_LAST = 9
"""Rather than inside of brackets a line is broken behind the `=` of an assignment."""


def broken_lines(lines: Iterable[str], depth: int, width: int = WIDTH) -> list[str]:
    """`lines` as they will stand at nesting `depth`, the long ones broken."""
    width -= depth * len(_INDENT)
    return [piece for line in lines for piece in _broken(line, width)]


def words_of(lines: Iterable[str]) -> set[str]:
    """All names and numbers in `lines`, words of literals and comments too."""
    return set(re.findall(r"\w+", "\n".join(lines)))


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
    """The last break within `width` among the best ones; text of strings and characters is never broken."""
    best: tuple[int, int, int] | None = None
    nesting, quoted = 0, ""
    for k, c in enumerate(line[:width]):
        strength = _strength(line, k) if k > start and not quoted else None
        if quoted:
            quoted = "" if c == quoted and line[k - 1] != "\\" else quoted
        elif c in "\"'":
            quoted = c
        elif c in "([{":
            nesting += 1
        elif c in ")]}":
            nesting -= 1
        if strength is not None and (best is None or (nesting, strength) <= best[:2]):
            best = nesting, strength, k
    return None if best is None else best[2]


def _strength(line: str, k: int) -> int | None:
    """How tightly the parts before and from column `k` belong together, 0 the least; None: no break here."""
    if line[k] == " " and line[k - 1] in ",;":
        return 0
    if line[k] == "." and line[k - 1] == ")":  # the next call of a chain
        return 1
    if line[k - 1] != " ":
        return None
    if _ASSIGNED.search(line, 0, k):
        return _LAST
    ranks = (("? ", ": "), ("|| ",), ("&& ",), ("+ ", "- "), ("* ", "/ ", "% "))
    return next((rank for rank, operators in enumerate(ranks) if line.startswith(operators, k)), None)
