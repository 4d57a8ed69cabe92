"""Leave out the prototypes of system headers that the program never names: most of what there would be to parse.

    # 1 "/usr/include/math.h" 1 3 4
    extern float acoshf (float __x) __attribute__ ((__nothrow__));      gone, unless something else says `acoshf`

Only whole declarations that begin with `extern` and end in `);` go, and only in parts that the preprocessor marks as
system headers (flag 3). So do the bodies of functions that such a header has declared before and now defines anew as
inline, as glibc's do with -D_FORTIFY_SOURCE: they are for the optimiser, and mean what the library's function does,
which is known by its name. Every newline stays, so that places do.

    extern int printf (const char *__fmt, ...);
    extern __inline __attribute__ ((__gnu_inline__)) int
    printf (const char *__fmt, ...) { return __printf_chk (2, __fmt, __builtin_va_arg_pack ()); }       -> ;

    In: what `cc -E` wrote.   Out: the same with fewer prototypes, and bodies.
    Source: "An Inline Function is As Fast As a Macro", GCC manual (gnu_inline: no definition of its own is made).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKER = re.compile(r'^# \d+ "(?:[^"\\\n]|\\.)*"([ \d]*)$', re.MULTILINE)
_IDLE_MARKER = re.compile(r'^# \d+ "(?:[^"\\\n]|\\.)*"[ \d]*$(?=\s*^# \d+ ")', re.MULTILINE)
_PROTOTYPE = re.compile(r"\bextern\b[^;{}#]*\)\s*;")
_EXTERN = re.compile(r"\bextern\b[^;{}#]*\)\s*[;{]")
_BRACE = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{}]|^#", re.MULTILINE)
_SYMBOL = re.compile(r"\b__asm__\s*\(\s*\"\"\s*\"(\w+)\"")
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_NAME = re.compile(r"extern\b[^()\[\],=]*?\b([^\W\d]\w*)\s*\(")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NOT_NAMES = frozenset(
    "__attribute__ __attribute __asm__ __asm asm __extension__ __typeof__ typeof void int char short long float double "
    "signed unsigned _Bool struct union enum const volatile restrict inline __inline __inline__ extern static".split()
)


_ASKED = frozenset({"omp_get_thread_num", "omp_get_num_threads"})
"""What a launch may ask in the place of the program's own functions (transform/calls/questions.py)."""


def prune(expanded: str) -> str:
    """`expanded` without the prototypes of system headers that nothing else in it names, nor ompc."""
    expanded = _without_inline_copies(expanded)
    candidates = list(_candidates(expanded))
    kept = _without(expanded, [(start, end) for start, end, _ in candidates])
    used = frozenset(_IDENTIFIER.findall(kept)) | _ASKED
    return _without(expanded, [(start, end) for start, end, name in candidates if name not in used])


def without_idle_markers(text: str) -> str:
    """`text` without line markers that say nothing, as another one follows: most of those that `prune` leaves."""
    return _IDLE_MARKER.sub("", text)


def _candidates(expanded: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, name) of each prototype of a system header that declares one function."""
    for start, end in _system_parts(expanded):
        for match in _PROTOTYPE.finditer(expanded, start, end):
            name = _NAME.match(match.group())
            if name is not None and name.group(1) not in _NOT_NAMES:
                yield match.start(), match.end(), name.group(1)


def _without_inline_copies(expanded: str) -> str:
    """`expanded` in which functions of the library that headers define anew are declared again."""
    declared: set[str] = set()
    bodies: list[tuple[int, int]] = []
    for start, end in _system_parts(expanded):
        for match in _EXTERN.finditer(expanded, start, end):
            head = match.group()
            name = _NAME.match(_ATTRIBUTE.sub(" ", head))
            if name is None or name.group(1) in _NOT_NAMES:
                continue
            if head.endswith(";"):
                declared.update((name.group(1), *_SYMBOL.findall(head)))
            elif name.group(1) in declared and "gnu_inline" in head:
                body = match.end() - 1
                behind = _behind_block(expanded, body, end)
                bodies += [] if behind is None else [(body, behind)]
    return _without(expanded, bodies, ";")


def _behind_block(text: str, start: int, end: int) -> int | None:
    """Where the block that begins at `start` has ended; None: there is a line marker in it."""
    depth = 0
    for match in _BRACE.finditer(text, start, end):
        if match.group() == "#":
            return None
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return None


def _system_parts(expanded: str) -> Iterator[tuple[int, int]]:
    """The spans between line markers that belong to system headers."""
    markers = list(_MARKER.finditer(expanded))
    ends = [marker.start() for marker in markers[1:]] + [len(expanded)]
    for marker, end in zip(markers, ends, strict=True):
        if "3" in marker.group(1).split():
            yield marker.end(), end


def _without(text: str, spans: list[tuple[int, int]], instead: str = "") -> str:
    """`text` with `instead` of each span, and its newlines."""
    pieces, done = [], 0
    for start, end in spans:
        pieces += [text[done:start], instead, "\n" * text.count("\n", start, end)]
        done = end
    return "".join([*pieces, text[done:]])
