"""Marks that lead the lines of generated code back to the user's: debuggers and profilers then show the C program.

    #line 41 "jacobi.c"
            error += residual * residual;
    #line 88 "jacobi.cu"
        }

The printers of statements put a mark in front of each one, which travels with its lines through templates and line
breaks; `settled` makes directives of them when the file is complete, and leads what stands behind a body back to the
file itself.

    In: positions of statements; the file's text with marks.   Out: its text with #line directives.
    Source: C17 6.10.4; nvcc's -lineinfo and -G, which follow them.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from ompc.base.source import Location

_SIGN = "\x01"
_MARK = re.compile(rf"\s*{_SIGN}(\d+) ([0-9a-f]*)")
END_MARK = f"{_SIGN}0 "
"""The mark behind the last statement of a body."""


def mark(loc: Location) -> str:
    """A line that stands for `loc`: digits only, so that nobody takes it for names or breaks it."""
    return f"{_SIGN}{loc.line} {loc.file.encode(errors='surrogateescape').hex()}"


def settled(text: str, own_name: str, directory: str) -> str:
    """`text` with directives for its marks. `own_name`: what the file is called; relative paths of the user's files
    start at `directory`, seen from where compilers run.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        found = _MARK.fullmatch(line)
        if found is None:
            lines.append(line)
        elif found[1] == "0":
            lines.append(_directive(len(lines) + 2, own_name))
        else:
            user_file = bytes.fromhex(found[2]).decode(errors="surrogateescape")
            lines.append(_directive(int(found[1]), str(PurePath(directory, user_file))))
    return "\n".join(lines)


def _directive(line: int, file: str) -> str:
    return f'#line {line} "{in_string(file)}"'


def in_string(path: str) -> str:
    """A path between the quotes of a directive."""
    known = path.replace("\\", "\\\\").replace('"', '\\"')
    return known.replace("\n", "\\n").replace("\r", "\\r")
