"""Places in the user's text.

Every later stage names a place by `Location`; nobody passes bare line numbers around. Lines and columns count from 1,
as compilers print them. A column of 0 means that only the line is known (text that came out of a macro).
"""

from __future__ import annotations

from dataclasses import dataclass


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


NOWHERE = Location("<none>", 0)
