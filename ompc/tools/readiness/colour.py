"""Syntax colouring: C and CUDA text as lines of HTML.

    c_lines("int i; // n\n")  ->  ('<i class="t">int</i> i; <i class="c">// n</i>', '')

Few kinds of words are told apart, since a page of many colours reads badly: k keywords, t types, s strings, m numbers,
c comments, p directives, o OpenMP's directives. Bytes that are no UTF-8, control characters and what
reorders text are shown as such.

    In: text.   Out: one piece of HTML for each line, as `text.split("\\n")` has lines.   Not here: colours -- code.css.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from markupsafe import Markup
from pygments.lexers.c_cpp import CLexer
from pygments.lexers.c_like import CudaLexer
from pygments.token import Comment, Keyword, Number, String, _TokenType

from ompc.base.visible import UNSEEN, printable

_KINDS = ((Comment.Preproc, "p"), (Comment.PreprocFile, "s"), (Comment, "c"), (Keyword.Type, "t"), (Keyword, "k"))
_LITERALS = ((String, "s"), (Number, "m"))
_OPENMP = re.compile(r"\s*#\s*pragma\s+(omp|cuda|ompc)\b")


def c_lines(text: str) -> tuple[Markup, ...]:
    return _lines(CLexer(stripnl=False, ensurenl=False), text)


def cuda_lines(text: str) -> tuple[Markup, ...]:
    return _lines(CudaLexer(stripnl=False, ensurenl=False), text)


def shown(text: str) -> str:
    """What a page can show of the user's text."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", printable(text).replace("\r\n", "\n"))


def _lines(lexer: CLexer, text: str) -> tuple[Markup, ...]:
    known = shown(text)
    openmp = _openmp_lines(known)
    lines: list[list[str]] = [[]]
    for kind, word in lexer.get_tokens(known):
        name = _kind(kind)
        for number, part in enumerate(word.split("\n")):
            if number:
                lines.append([])
            if part:
                own = "o" if name == "p" and len(lines) in openmp else name
                text = escape(part, quote=False)
                lines[-1].append(f'<i class="{own}">{text}</i>' if own else text)
    return tuple(Markup("".join(line)) for line in lines)


def _openmp_lines(text: str) -> set[int]:
    """The lines of OpenMP's directives, with those that continue them."""
    found: set[int] = set()
    continued = False
    for number, line in enumerate(text.split("\n"), 1):
        if _OPENMP.match(line) or (number - 1 in found and continued):
            found.add(number)
        continued = line.endswith("\\")
    return found


@cache
def _kind(kind: _TokenType) -> str:
    return next((name for of, name in (*_KINDS, *_LITERALS) if kind in of), "")
