"""The definitions of macros among what `cc -E -dD` writes, and the text without them.

    # 1 "jacobi.c"
    #define N 100                    defined at line 1, before what follows
    double u[100];
    #undef N                         no longer defined for what follows
    double v[N];

With -dD the preprocessor writes each #define and #undef where it stands; otherwise the text is the same, and lines
count alike. They are taken out again, as are blank lines in front of a line marker, which count for nothing.

    In: what `cc -E -dD` wrote.   Out: Expanded.
    Source: "Options Controlling the Preprocessor", GCC manual (-dD; Clang has it too).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from ompc.base.frozen import dataclass, field
from ompc.base.source import file_named

MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"([ \d]*)$')
_BUILT_IN = ("<built-in>",)
_WORDS = ("#define ", "#undef ")


@dataclass(frozen=True, slots=True)
class Definition:
    """`text`: the replacement list; `parameters` is None for a macro without."""

    name: str
    text: str
    parameters: tuple[str, ...] | None
    file: str
    line: int


@dataclass(frozen=True)
class Change:
    """A #define or #undef of `name`; `written` is the directive. `system`: a system header, or the compiler itself, has
    it.
    """

    name: str
    written: str
    file: str
    line: int
    system: bool

    @cached_property
    def definition(self) -> Definition | None:
        """None: it takes a definition away."""
        if not self.written.startswith("#define "):
            return None
        rest, parameters = self.written.removeprefix("#define ")[len(self.name) :], None
        if rest.startswith("("):
            listed, _, rest = rest[1:].partition(")")
            parameters = tuple(word.strip() for word in listed.split(",")) if listed.strip() else ()
        return Definition(self.name, rest.strip(), parameters, self.file, self.line)


@dataclass(frozen=True)
class Expanded:
    """`text`: what `cc -E` writes; `changes`: what happens to definitions in front of a line, counted from 0."""

    text: str
    changes: Mapping[int, Sequence[Change]] = field(default_factory=dict)

    def predefined(self, names: Collection[str]) -> dict[str, str]:
        """Which of these are macros of the compiler's own, with their replacement lists; none where no definitions were
        asked for.
        """
        every = (change for group in self.changes.values() for change in group if change.name in names)
        changes = (change for change in every if change.file in _BUILT_IN)
        definitions = (change.definition for change in changes)
        return {known.name: known.text for known in definitions if known is not None}


def separated(written: str) -> Expanded:
    """The text, and the definitions."""
    kept: list[str] = []
    changes: dict[int, list[Change]] = {}
    waiting: list[Change] = []  # for a line that is not blank
    file, line, system = "", 0, False
    for text in written.split("\n"):
        line += 1
        if text.startswith("#"):
            if text.startswith(_WORDS):
                name = text.split(" ", 2)[1].split("(", 1)[0]
                waiting.append(Change(name, text, file, line, system))
                kept.append("")
                continue
            marker = MARKER.match(text)
            if marker is not None:
                file, line = file_named(marker[2]), int(marker[1]) - 1
                system = "3" in marker[3].split() or file in _BUILT_IN
                while kept and not kept[-1]:
                    kept.pop()
                kept.append(text)
                continue
        if waiting and text:
            changes[len(kept)] = waiting
            waiting = []
        kept.append(text)
    if waiting:
        changes[len(kept)] = waiting
    return Expanded("\n".join(kept), changes)
