"""The user's own headers: those that the preprocessor has entered and does not mark as the system's.

In: what `cc -E` wrote.   Out: names of files; their texts.
"""

from __future__ import annotations

import re
from pathlib import Path

from ompc.base.source import file_named

_ENTERED = re.compile(r'^# \d+ "((?:[^"\\\n]|\\.)*)" 1([ \d]*)$', re.MULTILINE)


def own_headers(expanded: str, main: str) -> list[str]:
    """In the order in which they are entered first; without the main file."""
    entered = dict.fromkeys(file_named(m[1]) for m in _ENTERED.finditer(expanded) if "3" not in m[2].split())
    return [name for name in entered if name != main and not name.startswith("<")]


def text_of(name: str) -> str | None:
    """Of a file as it is, every byte kept; None: it cannot be read."""
    try:
        return Path(name).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
