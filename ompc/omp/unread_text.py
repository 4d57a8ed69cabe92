"""What pragmas say in text without a tree: a file that no stage could read, and places known by their tokens alone.

    #pragma omp task private(a)        why_not_pointer(..., "a"): the `private` clause names it; makes_tasks(...)

Everything here is coarse, and says yes where it may be so. Where there is a tree, its pragmas have directives.

In: text, or the text of one pragma's line.   Out: yes or no, or a few words.   Not here: the tree -- resolve.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CONSTRUCT = re.compile(r"pragma\b\W+omp\s+(?!declare|begin|end)[\w\s]*\btarget\b", re.IGNORECASE)
_PARALLEL = re.compile(
    r"""(?:^[ \t]*\#[ \t]*pragma[ \t]+|\b_Pragma[ \t]*\([ \t]*"[ \t]*)omp[ \t]+
    (?!declare\b|begin\b|end\b|cancel)[\w \t]*?\b(?:parallel|teams)\b""",
    re.MULTILINE | re.VERBOSE,
)
_OPENMP = re.compile(r"#\s*pragma\s+omp\b(.*)", re.DOTALL)
_CLAUSE = re.compile(r"([^\W\d]\w*)\s*\(")
_HARMLESS_CLAUSES = frozenset({"shared", "if", "num_threads", "schedule", "final", "priority", "default", "collapse"})


def has_target_constructs(text: str) -> bool:
    """Has a text, preprocessed or not, constructs that use the data environment of a device?"""
    return _CONSTRUCT.search(text) is not None


def count_of_regions(text: str) -> int:
    """How many directives of a text create threads."""
    return len(_PARALLEL.findall(text))


def makes_tasks(line: str) -> bool:
    """Is it a `task`, which copies an automatic array that is not listed as shared (OpenMP 5.2, 5.1.1)?"""
    words = _OPENMP.match(line)
    return words is not None and re.search(r"\btask(loop)?\b", words.group(1)) is not None


def why_not_pointer(line: str, name: str) -> str | None:
    """What the directive would do to a pointer `name` that it does not do to an array; None: nothing."""
    words = _OPENMP.match(line)
    if words is None:
        return None
    if re.search(r"\btarget\b", words.group(1)):
        return "a `target` construct may map it"
    if re.search(r"\bdefault\s*\(\s*(first)?private\b", words.group(1)):
        return "`default` makes variables private"
    for clause, argument in _clauses(words.group(1)):
        if clause not in _HARMLESS_CLAUSES and re.search(rf"\b{re.escape(name)}\b", argument):
            return f"the `{clause}` clause names it"
    return None


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Each `word(argument)` of a directive; the directive's own list (`threadprivate(a)`) too."""
    position = 0
    while (match := _CLAUSE.search(text, position)) is not None:
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield match.group(1), text[match.end() : end - 1]
        position = end
