"""The comment that documents a C function.

    /* Scales a matrix in place. */             right above it
    __attribute__((noinline))                   or above its attributes and its type, on lines of their own
    void scale(int n, double *a)

    // Scales a matrix in place.                or one blank line further up

    void scale(int n, double *a)

    int cube(int x) { return x * x * x; }       // or on its own line

Not its own: what stands behind code (`int n; /* of rows */`, `#endif /* FOO */`), lines of marks (`/* ----- */`) and
headings in such (`/* ---- loops ---- */`), what begins the file and has a blank line behind it.

In: the lines of a file, that of the function's name.   Out: the text, without the marks of comments.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

_MARKS = re.compile(r"[-=*#~_+/\\\s]*")
_HEADING = re.compile(r"\s*[-=*#~_]{3,}.*|.*[-=*#~_]{3,}\s*")
_OF_DECLARATION = re.compile(r"(?:[\w*\s]|\[\[.*\]\]|__attribute__\s*\(\(.*\)\)|_Alignas\s*\(.*\))+")
_BEHIND = re.compile(r"(?P<code>.*[){};])\s*(?:/\*(?P<block>(?:(?!\*/).)*)\*/|//(?P<line>.*))\s*")
_BEFORE = re.compile(r"\s*/\*(?P<block>(?:(?!\*/).)*)\*/\s*\S.*")


def comment_of(lines: Sequence[str], line: int) -> str:
    """Of the function whose name stands in `line`, counted from 1; empty: there is none."""
    at = line - 2
    while at >= 0 and lines[at].strip() and _OF_DECLARATION.fullmatch(lines[at]):
        at -= 1
    gap = at >= 0 and not lines[at].strip()
    first = _begin_of_comment(lines, at - gap)
    is_of_file = gap and not any(text.strip() for text in lines[: max(first or 0, 0)])
    above = "" if first is None or is_of_file else _content(lines[first : at - gap + 1])
    return above or _on_line(lines[line - 1])


def _begin_of_comment(lines: Sequence[str], last: int) -> int | None:
    """Where the comment begins that ends with the line `last` and has its lines for itself."""
    if last < 0:
        return None
    at = last
    if lines[last].lstrip().startswith("//"):
        while at > 0 and lines[at - 1].lstrip().startswith("//"):
            at -= 1
        return at
    if not lines[last].rstrip().endswith("*/"):
        return None
    while at >= 0 and "/*" not in lines[at]:
        at -= 1
    return at if at >= 0 and lines[at].lstrip().startswith("/*") else None


def _content(lines: Sequence[str]) -> str:
    """Of whole lines."""
    if lines[0].lstrip().startswith("//"):
        kept = [re.sub(r"^\s*//+[/!<]*\s?", "", line) for line in lines]
    else:
        text = "\n".join(lines).strip()
        if text.count("/*") != 1:
            return ""  # several, of which it is not clear what they say
        kept = [re.sub(r"^\s*\*+[ \t]?|[ \t]+$", "", line) for line in text[2:-2].lstrip("*!").splitlines()]
        kept = [line.rstrip("* ") if at == len(kept) - 1 else line for at, line in enumerate(kept)]
    kept = [line for line in kept if not line.strip() or not _MARKS.fullmatch(line)]
    said = [line for line in kept if line.strip()]
    if not said or (len(said) == 1 and _HEADING.fullmatch(said[0])):
        return ""
    return inspect.cleandoc("\n".join(kept))


def _on_line(line: str) -> str:
    """Of the line of the function's name, where the comment stands before or behind all of it."""
    found = _BEHIND.fullmatch(line)
    if found is not None and 0 < found["code"].count("(") == found["code"].count(")"):
        return _content([f"// {(found['block'] or found['line'] or '').strip(' !<')}"])
    found = _BEFORE.fullmatch(line)
    return _content([f"// {found['block'].strip(' !*')}"]) if found is not None else ""
