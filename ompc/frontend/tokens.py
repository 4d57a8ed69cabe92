"""C text with its directives and line markers: for questions about the text itself, that a tree cannot answer.

Works on the user's own text and on preprocessed text, whose line markers give each token its file and line. What
frontend/text.py gives as words, less the directives: each is one token here, so that it cannot be taken for code.

    In: text.   Out: tuple[Token, ...].
    Not here: digraphs, trigraphs, and names split by a continued line: these come out as tokens that match nothing,
    which every reader must take as "not understood".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ompc.base.frozen import dataclass
from ompc.base.source import file_named
from ompc.frontend import text as user_text

_DIRECTIVE = re.compile(r"""#(?:/\*.*?(?:\*/|\Z)|//(?:\\\r?\n|[^\n])*|"(?:\\.|[^"\\\n])*"|\\\r?\n|[^\n])*""", re.DOTALL)
_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)"([\s\d]*))?\s*\Z')

_PART = re.compile(r'^# \d+ "((?:[^"\\\n]|\\.)*)"([ \d]*)$', re.MULTILINE)
"""What the preprocessor writes where another file begins or goes on."""

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token of C.

    `kind`          identifier, number, string, character, punctuation or directive
    `start`, `end`  offsets in the text
    `file`, `line`  as line markers say
    `system`        the marker says that the file is a system header
    """

    kind: str
    text: str
    start: int
    end: int
    file: str
    line: int
    column: int
    system: bool = False


@lru_cache(maxsize=4)
def tokens(text: str, file: str) -> tuple[Token, ...]:
    """The tokens of `text`, which begins at line 1 of `file`. Line markers are obeyed and left out."""
    return tuple(_tokens(text, file))


def own_tokens(expanded: str, file: str) -> tuple[Token, ...]:
    """Those of an expanded text that stand in the user's files, or come from macros there: without those of system
    headers, which may be ten thousand lines. Offsets are not those of the whole text.
    """
    markers = list(_PART.finditer(expanded))
    own = {marker[1] for marker in markers if "3" not in marker[2].split()}
    pieces, done = [], 0
    for marker, behind in zip(markers, [*markers[1:], None], strict=True):
        if marker[1] not in own:
            pieces.append(expanded[done : marker.start()])
            done = len(expanded) if behind is None else behind.start()
    return tokens("".join([*pieces, expanded[done:]]), file)


def _tokens(text: str, file: str) -> Iterator[Token]:
    shift, system, done, last_line = 0, False, 0, 0
    for word in user_text.tokens(text):
        if word.offset < done:  # inside a directive
            last_line = word.line
            continue
        kind, written = word.kind, word.text
        if written == "#" and word.line > last_line:
            directive = _DIRECTIVE.match(text, word.offset)
            assert directive is not None
            kind, written, done = "directive", directive.group(), directive.end()
        marker = _MARKER.match(written) if kind == "directive" else None
        last_line = word.line + (written.count("\n") if kind == "directive" else 0)
        if marker is None:
            end = word.offset + len(written)
            yield Token(kind, written, word.offset, end, file, word.line + shift, word.column, system)
            continue
        shift = int(marker.group(1)) - word.line - 1
        if marker.group(2) is not None:
            file = file_named(marker.group(2))
            system = "3" in marker.group(3).split()


def closing(found: Sequence[Token], opening: int) -> int | None:
    """The index of the bracket that closes the one at `opening`; None: it does not match."""
    return _partner(found, range(opening, len(found)), _OPEN, _CLOSE)


def opening(found: Sequence[Token], closing_: int) -> int | None:
    """The index of the bracket that the one at `closing_` closes; None: it does not match."""
    return _partner(found, range(closing_, -1, -1), _CLOSE, _OPEN)


def _partner(
    found: Sequence[Token], way: range, begins: Mapping[str, str], ends: Mapping[str, str]
) -> int | None:
    stack: list[str] = []
    for index in way:
        text = found[index].text
        if text in begins:
            stack.append(begins[text])
        elif text in ends:
            if not stack or stack.pop() != text:
                return None
            if not stack:
                return index
    return None


def enclosing_block(found: Sequence[Token], index: int) -> tuple[int, int] | None:
    """The indices of the `{` and `}` of the innermost block around the token at `index`; None: it is outside of all."""
    position = index - 1
    while position >= 0:
        text = found[position].text
        if text == "{":
            end = closing(found, position)
            return None if end is None else (position, end)
        if text in _CLOSE:
            start = opening(found, position)
            if start is None:
                return None
            position = start
        position -= 1
    return None


def spelled(found: Sequence[Token]) -> str:
    """The tokens with one space wherever the text had white space or a comment between them."""
    words: list[str] = []
    for index, token in enumerate(found):
        if index and found[index - 1].end != token.start:
            words.append(" ")
        words.append(token.text)
    return "".join(words)
