"""C text -> the same program, in which some variables of blocks have the names of others, which they hide.

    static double c1_x[50];                       static double c1_x[50];
    for (int i = 0; i < n; i++) {                 for (int i = 0; i < n; i++) {
        s += c1_x[i];                      ->         s += c1_x[i];
        int t = i & 3;                                int c1_x = i & 3;
        s += t;                                       s += c1_x;
    }                                             }

All names are different before, so that what is declared in a block and named behind it alone may have any name that
nothing says there. Which ones it goes by their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

_DECLARED = re.compile(
    r"( +)(?:(?:unsigned|signed|long|short|int|char|float|double|_Bool) )+(\w+)(?:\[\w+\])*(?: = [^;]*)?;"
)
_OUTSIDE = re.compile(r"(?:static )?(?:[a-z_]+ )+\*?(\w+)(?:\[[^]]*\])*(?: = .*)?;")
_COUNTER = re.compile(r" *for \((?:int|long|unsigned|size_t) (\w+) = ")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
ONE_OF = 3
"""So many may hide one, and one does."""
LEAST_INDENT = 8
"""Inside of something."""


def with_hidden_names(text: str) -> str:
    lines = text.splitlines(keepends=True)
    for at in range(len(lines)):
        found = _DECLARED.fullmatch(lines[at].rstrip("\n"))
        if found is None or len(found[1]) < LEAST_INDENT or crc32(found[0].encode()) % ONE_OF != 0:
            continue
        end = _end_of_block(lines, at, len(found[1]))
        inside = "".join(lines[at:end])
        named = re.compile(rf"\b{re.escape(found[2])}\b")
        if named.search("".join(lines[:at]) + "".join(lines[end:])):
            continue
        spoken = set(_WORD.findall(inside)) | set(_of_block(lines, at))
        names = [name for name in _visible(lines, at) if name not in spoken and name != found[2]]
        if names:
            other = names[crc32(lines[at].encode()) // ONE_OF % len(names)]
            lines[at:end] = named.sub(other, inside).splitlines(keepends=True)
    return "".join(lines)


def _end_of_block(lines: list[str], at: int, indent: int) -> int:
    return next((k for k in range(at, len(lines)) if _indent(lines[k]) < indent), len(lines))


def _of_block(lines: list[str], at: int) -> Iterator[str]:
    """What the same block has declared before."""
    for line in reversed(lines[:at]):
        if _indent(line) < _indent(lines[at]):
            return
        if _indent(line) == _indent(lines[at]):
            yield from _WORD.findall(line)


def _indent(line: str) -> int:
    """Directives stand at the beginning of a line."""
    return 1_000 if line.startswith("#") or not line.strip() else len(line) - len(line.lstrip(" "))


def _visible(lines: list[str], at: int) -> Iterator[str]:
    """The variables of blocks around the line and of the file, latest first."""
    least = _indent(lines[at])
    for line in reversed(lines[:at]):
        here = _indent(line)
        if here == 0 and (found := _OUTSIDE.fullmatch(line.rstrip("\n"))) is not None:
            yield found[1]
        elif here < least or (here == least and least > 0):
            least = here
            head = _COUNTER.match(line) if here < _indent(lines[at]) else None
            declared = _DECLARED.fullmatch(line.rstrip("\n"))
            if declared is not None:
                yield declared[2]
            elif head is not None:
                yield head[1]
