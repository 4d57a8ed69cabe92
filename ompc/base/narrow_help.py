"""Examples of a help text in a narrow terminal: what one does stands below it, where it does not fit beside it.

    ompc explain OMPC322            what the code of a message means, and what to do about it

    ompc explain OMPC322
        what the code of a message means, and what to do about it

In: the text, the width of the terminal.   Out: the text.
"""

from __future__ import annotations

import re
import textwrap

_BESIDE = re.compile(r"( +)(\S.*?) {2,}(\S.*)")


def narrowed(text: str, width: int) -> str:
    return "\n".join(piece for line in text.split("\n") for piece in _narrowed(line, width))


def _narrowed(line: str, width: int) -> list[str]:
    found = _BESIDE.fullmatch(line) if len(line) > width else None
    if found is None:
        return [line]
    below = f"{found[1]}    "
    return [found[1] + found[2], *textwrap.wrap(found[3], width, initial_indent=below, subsequent_indent=below)]
