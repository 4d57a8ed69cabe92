"""The names in a program's text that its tree does not show: those in attributes, in assembler and in pragmas.

void stop(void) __attribute__((destructor));     destructor
extern int n asm("nx");                          nx: another name of an object
#pragma omp parallel private(n)                  n: but not what is only read or shared there

In: the preprocessed text.   Out: hidden_words.   Not here: what they mean -- settled.py, program_order.py.
"""

from __future__ import annotations

import re

_HIDING = re.compile(
    r"\b(?:__attribute(?:__)?|__asm(?:__)?|asm)\b[\s\w]*\(|\[\[|^[ \t]*#[ \t]*pragma\b(?P<pragma>.*)$", re.MULTILINE
)
_MARKER = re.compile(r'^# \d+ "(?:\\.|[^"\\\n])*"[ \d]*$', re.MULTILINE)
_BRACKET = re.compile(r'[()]|"(?:\\.|[^"\\\n])*"')
_WORD = re.compile(r"[^\W\d][\w$]*")
_HARMLESS = re.compile(r"\b(shared|firstprivate|num_threads|schedule|if)\s*\([^()]*\)")
"""Matches clauses that give none of their names another value."""


def hidden_words(expanded: str) -> frozenset[str]:
    """Of a text without macros; adjacent string literals count as one."""
    found: set[str] = set()
    expanded = _MARKER.sub("", expanded)  # they may stand between any two words of a macro
    for match in _HIDING.finditer(expanded):
        if match["pragma"] is not None:
            part = _HARMLESS.sub("", match["pragma"])
        else:
            part = _inside(expanded, match.end()) if match[0].endswith("(") else expanded[match.end() :].split("]]")[0]
        found.update(_WORD.findall(re.sub(r'"\s*"', "", part)))
    return frozenset(found)


def _inside(text: str, start: int) -> str:
    """What stands in the parentheses that open before `start`."""
    depth = 1
    for match in _BRACKET.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return text[start : match.start()]
    return text[start:]
