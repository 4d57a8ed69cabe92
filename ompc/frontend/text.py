"""Positions and edits in the user's own text.

The host program is the user's file with a few edits, so places are found in the text as it was
written: comments, strings, continued lines, CRLF and tabs included. Lines and columns count from 1; a column is a
character, a tab is one.

    tokens(text)                          identifiers, numbers, literals and punctuation with their places
    find_identifier(text, 12, "err")      the column of `err` on line 12, outside comments and literals
    apply_edits(text, edits)              InsertLine, Replace and Append, applied at once

In: the user's text.   Out: places, and the edited text.   Not here: which edits to make -- ompc/plan and ompc/render.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ompc.base.frozen import dataclass

_TOKEN = re.compile(
    r"""
    (?P<splice>\\\r?\n)
  | (?P<newline>\n)
  | (?P<blank>[ \t\r\f\v]+)
  | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?"(?:\\(?:\r?\n|.)|[^"\\\n])*"?)
  | (?P<character>[uUL]?'(?:\\(?:\r?\n|.)|[^'\\\n])*'?)
  | (?P<identifier>[^\W\d][\w$]*|\$[\w$]*)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<punctuation><<=|>>=|\.\.\.|\#\#|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SILENT = frozenset({"splice", "newline", "blank", "comment"})


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: identifier, number, string, character or punctuation. `offset` is in characters from the start."""

    kind: str
    text: str
    line: int
    column: int
    offset: int


@lru_cache(maxsize=4)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of C text, comments left out; preprocessor directives are tokens like any other line.

    Several stages ask for those of one text.
    """
    return tuple(read_tokens(text))


def read_tokens(text: str) -> Iterator[Token]:
    """The same of text that nobody else asks about."""
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup or "punctuation", match.group()
        if kind not in _SILENT:
            yield Token(kind, word, line, match.start() - start + 1, match.start())
        breaks = word.count("\n")
        if breaks:
            line += breaks
            start = match.start() + word.rfind("\n") + 1


def find_identifier(text: str, line: int, name: str, after: int = 0) -> int | None:
    """The column of the first `name` on `line` right of column `after`; None if only in comments or literals."""
    for token in tokens(text):
        if token.line > line:
            return None
        if token.line == line and token.kind == "identifier" and token.text == name and token.column > after:
            return token.column
    return None


def line_text(text: str, line: int) -> str:
    """Line `line` without its ending; only \\n ends a line, as for the C compiler."""
    return text.split("\n")[line - 1].removesuffix("\r")


def line_ending(text: str) -> str:
    """The file's own line ending: that of most of its lines."""
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def indentation(text: str, line: int) -> str:
    """The blanks and tabs that line `line` starts with."""
    written = line_text(text, line)
    return written[: len(written) - len(written.lstrip(" \t"))]


_LETTER = re.compile(
    r"""(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\\U([0-9a-fA-F]{8})|\\u([0-9a-fA-F]{4})"""
)


def with_letters(text: str) -> str:
    """`text` with letters of names for what compilers write for them, `\\U000003b1`; literals stay (C17 6.4.3)."""
    if "\\U" not in text and "\\u" not in text:
        return text

    def letter(match: re.Match[str]) -> str:
        found = chr(int(match[1] or match[2], 16)) if match[1] or match[2] else ""
        return found if found.isalnum() else match[0]

    return _LETTER.sub(letter, text)


# ------------------------------------------------------------------------ edits


@dataclass(frozen=True, slots=True)
class InsertLine:
    """Lines in front of line `line`, indented as that line is. `text` has no trailing newline; several lines may be
    given.

    With `indent` false the text is inserted as it is (preprocessor directives).
    """

    line: int
    text: str
    indent: bool = True


@dataclass(frozen=True, slots=True)
class Replace:
    """`old`, which must stand at this place, becomes `new`. An empty `old` inserts inside the line."""

    line: int
    column: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Append:
    """Lines after the end of the file, which gets a final line ending first when it lacks one."""

    text: str


Edit = InsertLine | Replace | Append


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The edited text. Edits name places in `text` as given, in any order; those at one place apply in the order given.

    ValueError when a `Replace` does not find what it replaces, or when edits overlap: either is a bug of the caller.
    """
    spans: list[tuple[int, int, str]] = []
    appended: list[str] = []
    starts = _line_starts(text)
    ending = line_ending(text)
    for edit in edits:
        if isinstance(edit, Append):
            appended.append(edit.text)
        else:
            spans.append(_span(text, starts, edit, ending))
    return _append(_spliced(text, spans), appended, ending)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _span(text: str, starts: list[int], edit: InsertLine | Replace, ending: str) -> tuple[int, int, str]:
    if not 1 <= edit.line <= len(starts):
        raise ValueError(f"line {edit.line} of a text of {len(starts)} lines")
    start = starts[edit.line - 1]
    if isinstance(edit, InsertLine):
        pad = indentation(text, edit.line) if edit.indent else ""
        lines = edit.text.split("\n")
        return start, start, "".join((pad + line if line else line) + ending for line in lines)
    start += edit.column - 1
    found = text[start : start + len(edit.old)]
    if found != edit.old:
        raise ValueError(f"line {edit.line}, column {edit.column}: expected {edit.old!r}, found {found!r}")
    return start, start + len(edit.old), edit.new


def _spliced(text: str, spans: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, new in sorted(spans, key=lambda span: span[:2]):  # stable: edits at one place keep their order
        if start < done:
            raise ValueError(f"edits overlap at offset {start}")
        pieces += [text[done:start], new]
        done = end
    return "".join(pieces) + text[done:]


def _append(text: str, appended: list[str], ending: str) -> str:
    if not appended:
        return text
    if text and not text.endswith("\n"):
        text += ending
    return text + "".join(line + ending for block in appended for line in block.split("\n"))
