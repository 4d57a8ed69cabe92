"""Does a program see its own line numbers?

It does through `__LINE__`, `assert` and whatever a header of the user's makes of them. Macros leave no trace in the
preprocessed text, so the files themselves are searched: the main file and the headers that are not the system's.

    In: Preprocessed.   Out: bool; `renumbered`: whether the text itself changes the numbers of its lines (#line).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ompc.frontend.own_files import own_headers, text_of
from ompc.frontend.preprocess import Preprocessed

_LINE_NUMBER = re.compile(r"\b(?:__LINE__\b|assert\s*\()")
_LINE_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)


def sees_line_numbers(preprocessed: Preprocessed) -> bool:
    """A header that cannot be read counts as one that does."""
    texts = [preprocessed.source, *(text_of(name) for name in own_headers(preprocessed.expanded, preprocessed.file))]
    return any(text is None or _LINE_NUMBER.search(text) for text in texts)


@lru_cache(maxsize=8)
def renumbered(source_text: str) -> bool:
    """Are there #line directives, so that the lines that the compiler names are not those of the file?"""
    return _LINE_DIRECTIVE.search(source_text) is not None
