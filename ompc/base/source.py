"""Places in the user's text.

Every later stage names a place by `Location`; nobody passes bare line numbers around. Lines and columns count from 1,
as compilers print them. A column of 0 means that only the line is known (text that came out of a macro).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ompc.base.frozen import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file of the user's:
    `file` as the preprocessor names it, `line` from 1, `column` from 1 (0: unknown).
    """

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)


@lru_cache(maxsize=4096)
def file_named(quoted: str) -> str:
    """The file that a preprocessor names in quotes: `a\\"b` a"b, `a\\012b`, `a\\nb` a and b with a line break."""
    if "\\" not in quoted:
        return quoted
    name = _ESCAPE.sub(lambda found: _character(found[1]), quoted.encode(errors="surrogateescape"))
    return name.decode(errors="surrogateescape")


def _character(escape: bytes) -> bytes:
    if escape[:1].isdigit():
        return bytes([int(escape, 8) & 0xFF])
    return b"\n" if escape == b"n" else escape  # the one letter that gcc writes


NOWHERE = Location("<none>", 0)
