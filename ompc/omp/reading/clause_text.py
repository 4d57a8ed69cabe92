"""Reading a pragma's text: clauses with balanced parentheses, lists split at their own commas, the user's own spelling.

    "private(a, b) , schedule ( static , f(1,2) )"  ->  private "a, b";  schedule "static , f(1,2)"

In: text.   Out: `ClauseText`s, or `MalformedError`.   Not here: what a clause means -- directives.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ompc.base.frozen import dataclass

_TOKEN = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|\s+|.""", re.DOTALL)
_COMMENT = re.compile(r""""(?:\\.|[^"\\])*"|/\*.*?\*/|//.*""", re.DOTALL)
_PRAGMA = re.compile(r"\s*(?:/\*.*?\*/\s*)*(?:#|%:|\?\?=)\s*(?:/\*.*?\*/\s*)*pragma\b")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class MalformedError(Exception):
    """The text does not follow the grammar; the message says where. It never leaves the OpenMP stage."""


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A clause's name and the text between its parentheses; None without parentheses."""

    name: str
    argument: str | None


def one_line(text: str) -> str:
    """`text` with each run of white space outside literals made one space, none at the ends."""
    return "".join(" " if token.isspace() else token for token in _TOKEN.findall(text)).strip()


def split_top_level(text: str, separator: str, limit: int = -1) -> list[str]:
    """The parts of `text` between `separator`s that stand outside brackets and literals; at most `limit` cuts."""
    parts = [""]
    for token, depth in _tokens_with_depth(text):
        if token == separator and depth == 0 and len(parts) != limit + 1:
            parts.append("")
        else:
            parts[-1] += token
    return [one_line(part) for part in parts]


def split_section(text: str) -> list[str]:
    """The parts of `text` between colons that stand outside brackets and belong to no `?`."""
    parts, conditions = [""], 0
    for token, depth in _tokens_with_depth(text):
        conditions += token == "?" and depth == 0
        if token == ":" and depth == 0 and not conditions:
            parts.append("")
            continue
        conditions -= token == ":" and depth == 0
        parts[-1] += token
    return [one_line(part) for part in parts]


def scan_clauses(text: str) -> tuple[ClauseText, ...]:
    """The clauses of a directive's tail, separated by white space or commas. Raises MalformedError."""
    clauses: list[ClauseText] = []
    rest = text.strip()
    while rest:
        word = re.match(r"[^\W\d]\w*", rest)
        if word is None:
            raise MalformedError(f"a clause cannot begin with `{rest[0]}`")
        argument, rest = take_argument(rest[word.end():].lstrip())
        clauses.append(ClauseText(word[0], argument))
        if rest.startswith(","):
            rest = rest[1:].lstrip()
    return tuple(clauses)


def take_argument(text: str) -> tuple[str | None, str]:
    """Splits "( argument ) rest"; (None, text) when `text` does not begin with a parenthesis. Raises MalformedError."""
    return take_brackets(text) if text.startswith("(") else (None, text)


def take_brackets(text: str) -> tuple[str, str]:
    """What is inside the brackets that `text` begins with, and what follows them. Raises MalformedError."""
    end = 0
    for token, depth in _tokens_with_depth(text):
        end += len(token)
        if token in (")", "]") and depth == 1:
            return one_line(text[1:end - 1]), text[end:].lstrip()
    raise MalformedError("a parenthesis is not closed")


def pragma_as_written(lines: Sequence[str], line: int) -> str | None:
    """What follows `#pragma` at `line` (from 1) of the user's file, continued lines joined and comments dropped.

    None when no pragma begins there.
    """
    if not 1 <= line <= len(lines) or not _PRAGMA.match(lines[line - 1]):
        return None
    text = ""
    for piece in lines[line - 1:]:
        stripped = piece.rstrip()  # a carriage return, or spaces that gcc accepts after the backslash
        text += stripped.removesuffix("\\")
        if not stripped.endswith("\\"):
            break
    text = _PRAGMA.sub("", text, count=1)
    return one_line(_COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " ", text))


def _tokens_with_depth(text: str) -> Iterator[tuple[str, int]]:
    """Each token with the number of brackets around it; a bracket counts itself. Raises MalformedError."""
    expected: list[str] = []
    for token in _TOKEN.findall(text):
        if token in _CLOSING:
            expected.append(_CLOSING[token])
            yield token, len(expected)
        elif token in (")", "]", "}"):
            if not expected or expected[-1] != token:
                raise MalformedError(f"`{token}` closes nothing")
            yield token, len(expected)
            expected.pop()
        else:
            yield token, len(expected)
