"""Which lines of the user's text a parallel loop has: from its pragma to the end of the statement below it.

    41  #pragma omp parallel for          41 to 44
    42      for (i = 0; i < n; i++) {
    43          a[i] = 0;
    44      }

Works on tokens, so that text which no parser reads has an answer too; where the text does not show a whole statement
(a macro that begins one), the loop is the line of its pragma.

    In: the text of a file.   Out: the last line of the loop that begins at a line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ompc.frontend.tokens import Token, closing, tokens


class LoopLines:
    """The tokens of one file, asked for its loops."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text, "")
        self._offsets = [token.start for token in self._tokens]
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def last_line(self, first: int) -> int:
        """The last line of the statement under the pragma of line `first`."""
        begin = self._starts[first - 1] if first <= len(self._starts) else self._starts[-1]
        at = bisect_left(self._offsets, begin)
        try:
            end = _statement_end(self._tokens, at)
        except RecursionError:
            end = None
        return first if end is None else max(first, self._line(self._tokens[end].end - 1))

    def _line(self, offset: int) -> int:
        """In the text as it is: line markers in it say otherwise."""
        return bisect_right(self._starts, offset)


def _statement_end(found: Sequence[Token], at: int) -> int | None:
    """The index of the last token of the statement that begins at `at`; None: the text does not show it."""
    while at < len(found) and found[at].kind == "directive":
        at += 1
    if at >= len(found):
        return None
    match found[at].text:
        case "{":
            return closing(found, at)
        case "for" | "while" | "switch" | "if" as keyword:
            return _controlled(found, at, keyword)
        case "do":
            end = _statement_end(found, at + 1)
            return None if end is None else _semicolon(found, end + 1)
        case "}":
            return None
        case _:
            return _semicolon(found, at)


def _controlled(found: Sequence[Token], at: int, keyword: str) -> int | None:
    bracket = at + 1
    if bracket >= len(found) or found[bracket].text != "(":
        return None
    end = closing(found, bracket)
    end = None if end is None else _statement_end(found, end + 1)
    if end is not None and keyword == "if" and end + 1 < len(found) and found[end + 1].text == "else":
        return _statement_end(found, end + 2)
    return end


def _semicolon(found: Sequence[Token], at: int) -> int | None:
    """The next one outside brackets; a macro that is a block has none."""
    while at < len(found):
        text = found[at].text
        if text == ";":
            return at
        if text in ("(", "[", "{"):
            end = closing(found, at)
            if end is None:
                return None
            if text == "{" and not (end + 1 < len(found) and found[end + 1].text in (";", ",", ")", "}")):
                return end
            at = end
        elif text in ("}", ")", "]"):
            return None
        at += 1
    return None
