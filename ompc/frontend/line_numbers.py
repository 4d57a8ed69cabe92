"""Does a program see its own line numbers?

It does through `__LINE__`, `assert` and whatever a header of the user's makes of them. Macros leave no trace in the
preprocessed text, so the files themselves are searched: the main file and the headers that are not the system's.

    In: Preprocessed.   Out: bool; `renumbered`: whether the text itself changes the numbers of its lines (#line).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ompc.base.source import file_named
from ompc.frontend.preprocess import Preprocessed

_LINE_NUMBER = re.compile(r"\b(?:__LINE__\b|assert\s*\()")
_LINE_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)
_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"([ \d]*)$', re.MULTILINE)


def sees_line_numbers(preprocessed: Preprocessed) -> bool:
    """A header that cannot be read counts as one that does."""
    texts = [preprocessed.source, *(text_of(name) for name in _own_headers(preprocessed))]
    return any(text is None or _LINE_NUMBER.search(text) for text in texts)


@lru_cache(maxsize=8)
def renumbered(source_text: str) -> bool:
    """Are there #line directives, so that the lines that the compiler names are not those of the file?"""
    return _LINE_DIRECTIVE.search(source_text) is not None


def _own_headers(preprocessed: Preprocessed) -> list[str]:
    entered = [(file_named(m[1]), m[2]) for m in _MARKER.finditer(preprocessed.expanded)]
    system = {name for name, flags in entered if "3" in flags.split()} - {preprocessed.file}
    own = dict.fromkeys(name for name, _ in entered if name not in system and not name.startswith("<"))
    own.pop(preprocessed.file, None)
    return list(own)


def text_of(name: str) -> str | None:
    """Of a file as it is, every byte kept; None: it cannot be read."""
    try:
        return Path(name).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
