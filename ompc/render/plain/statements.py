"""Where a statement ends, in tokens: of the user's text, and of what the preprocessor makes of it.

In: tokens.   Out: the index behind the statement's last token; None: it cannot be told.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.frontend.tokens import Token, closing


def behind_statement(found: Sequence[Token], at: int) -> int | None:
    """Of the statement that begins at `at`; directives are passed over."""
    at = _code(found, at)
    word = found[at].text if at < len(found) else ""
    match word:
        case "":
            return None
        case "{":
            end = closing(found, at)
            return None if end is None else end + 1
        case "for" | "while" | "switch":
            return _behind_head(found, at)
        case "if":
            end = _behind_head(found, at)
            if end is None:
                return None
            other = _code(found, end)
            is_else = other < len(found) and found[other].text == "else"
            return behind_statement(found, other + 1) if is_else else end
        case "do":
            body = behind_statement(found, at + 1)
            return None if body is None else _behind_semicolon(found, body)
        case _:
            return _behind_semicolon(found, at)


def behind_statements(found: Sequence[Token], at: int, count: int) -> int | None:
    """Of `count` statements."""
    end: int | None = at
    for _ in range(count):
        end = None if end is None else behind_statement(found, end)
    return end


def first_on_line(found: Sequence[Token], file: str, line: int) -> int | None:
    """The first token of a line, if one begins there; of code behind a directive, if that does."""
    head = next((k for k, token in enumerate(found) if token.line == line and token.file == file), None)
    return None if head is None else _code(found, head)


def _code(found: Sequence[Token], at: int) -> int:
    while at < len(found) and found[at].kind == "directive":
        at += 1
    return at


def _behind_head(found: Sequence[Token], at: int) -> int | None:
    begin = _code(found, at + 1)
    end = closing(found, begin) if begin < len(found) and found[begin].text == "(" else None
    return None if end is None else behind_statement(found, end + 1)


def _behind_semicolon(found: Sequence[Token], at: int) -> int | None:
    while at < len(found):
        if found[at].text in ("(", "[", "{"):
            end = closing(found, at)
            if end is None:
                return None
            at = end
        elif found[at].text in (")", "]", "}"):
            return None
        elif found[at].text == ";":
            return at + 1
        at += 1
    return None
