"""Plan: the macros whose values went into the device code, so that host and device cannot come to disagree.

The device file has the values of macros expanded; the host file still has their names. A name that can be changed
from outside (`-DN=500`, or `#ifndef N` around its definition in the file) is pinned: the host file gets

    _Static_assert((N) == 500, "t.cu was made with N = 500: translate again");

The text alone does not say whether a guarded definition is taken, or a header defines the name anew: a macro for which
the compiler refutes the assertion has its value from somewhere that a build cannot change, and is left out when the
plan is made again.

    In: the user's text, the flags of the preprocessor, what was given up.
    Out: tuple[PinnedMacro, ...], in the order of the text.
    Not here: macros that are no number, which no assertion can compare.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from ompc.frontend.text import tokens
from ompc.plan.model.host_edits import PinnedMacro

_INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_REAL = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?[fFlL]?")
_END = r"[ \t]*(?:/[/*].*)?\r?"
_GUARDED = re.compile(
    rf"^[ \t]*#[ \t]*ifndef[ \t]+(\w+){_END}\n[ \t]*#[ \t]*define[ \t]+\1[ \t]+(.*?){_END}$", re.MULTILINE
)
_UNDEFINED = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)


def unpinned(name: str) -> str:
    """What stands among the things given up for a macro that has another value than its text says."""
    return f"macro {name}"


def pinned_macros(source_text: str, flags: Sequence[str], given_up: Container[str] = ()) -> tuple[PinnedMacro, ...]:
    """The number macros that a build can change and that the program's code names."""
    found = dict(_GUARDED.findall(source_text)) | dict(_from_flags(flags))
    used = _names_in_code(source_text) - frozenset(_UNDEFINED.findall(source_text))
    return tuple(
        PinnedMacro(name, value, is_integer=bool(_INTEGER.fullmatch(value)))
        for name, value in found.items()
        if name in used and unpinned(name) not in given_up and (_INTEGER.fullmatch(value) or _REAL.fullmatch(value))
    )


def _from_flags(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, value) of each -D; a -U takes the name away again, so that its value is whatever the file says."""
    words = iter(flags)
    for flag in words:
        if flag.startswith("-D"):
            name, _, value = (flag[2:] or next(words, "")).partition("=")
            yield name, value or "1"


def _names_in_code(source_text: str) -> frozenset[str]:
    """The identifiers outside of preprocessor directives."""
    found = tokens(source_text)
    directives = {token.line for token in found if token.text == "#"}
    return frozenset(token.text for token in found if token.line not in directives)
