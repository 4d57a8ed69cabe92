"""Leave out the prototypes of system headers that the program never names: most of what there would be to parse.

    # 1 "/usr/include/math.h" 1 3 4
    extern float acoshf (float __x) __attribute__ ((__nothrow__));      gone, unless something else says `acoshf`

Only whole declarations that begin with `extern` and end in `);` go, and only in parts that the preprocessor marks as
system headers (flag 3). Every newline stays, so that places do.

    In: what `cc -E` wrote.   Out: the same with fewer prototypes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKER = re.compile(r'^# \d+ "(?:[^"\\\n]|\\.)*"([ \d]*)$', re.MULTILINE)
_PROTOTYPE = re.compile(r"\bextern\b[^;{}#]*\)\s*;")
_NAME = re.compile(r"extern\b[^()\[\],=]*?\b([A-Za-z_]\w*)\s*\(")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_NOT_NAMES = frozenset(
    "__attribute__ __attribute __asm__ __asm asm __extension__ __typeof__ typeof void int char short long float double "
    "signed unsigned _Bool struct union enum const volatile restrict inline __inline __inline__ extern static".split()
)


def prune(expanded: str) -> str:
    """`expanded` without the prototypes of system headers that nothing else in it names."""
    candidates = list(_candidates(expanded))
    kept = _without(expanded, [(start, end) for start, end, _ in candidates])
    used = frozenset(_IDENTIFIER.findall(kept))
    return _without(expanded, [(start, end) for start, end, name in candidates if name not in used])


def _candidates(expanded: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, name) of each prototype of a system header that declares one function."""
    for start, end in _system_parts(expanded):
        for match in _PROTOTYPE.finditer(expanded, start, end):
            name = _NAME.match(match.group())
            if name is not None and name.group(1) not in _NOT_NAMES:
                yield match.start(), match.end(), name.group(1)


def _system_parts(expanded: str) -> Iterator[tuple[int, int]]:
    """The spans between line markers that belong to system headers."""
    markers = list(_MARKER.finditer(expanded))
    ends = [marker.start() for marker in markers[1:]] + [len(expanded)]
    for marker, end in zip(markers, ends, strict=True):
        if "3" in marker.group(1).split():
            yield marker.end(), end


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` with the spans gone but for their newlines."""
    pieces, done = [], 0
    for start, end in spans:
        pieces += [text[done:start], "\n" * text.count("\n", start, end)]
        done = end
    return "".join([*pieces, text[done:]])
