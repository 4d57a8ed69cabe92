"""The lines that a sentence of the report names, as links to them on the page.

    jacobi.c:78 (called at line 183) and 81    ->    links to lines 78, 183 and 81 of jacobi.c
    lines 9, 12                                ->    links to those of the file that the sentence is about
    `a[i]` overlaps [OMPC453]                  ->    <code>a[i]</code> overlaps, and a link to the code's section

Numbers of a list follow its first one; a place in brackets is of the file before them. Lines that a file does not have,
and files that are not on the page, stay words.

    In: the files of the page, a sentence.   Out: HTML.   Not here: which lines are to blame -- the analyses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property

from markupsafe import Markup, escape

from ompc.base.frozen import dataclass
from ompc.tools.readiness.colour import shown

_NUMBER = r"\d+\b(?! (?:iterations|elements|bytes|times|threads|more)\b)"
_NOTE = r"(?: \([^()]*\))?"
_LIST = rf"{_NUMBER}{_NOTE}(?:(?:, | and ){_NUMBER}{_NOTE})*"
_PARTS = re.compile(r"\(([^()]*)\)|(\d+)")
"""Of a list: a note, or a number."""


@dataclass(frozen=True)
class LineLinks:
    """`anchors` of the files by their paths, how many `lines` each has, and the `codes` that have a section."""

    anchors: Mapping[str, str]
    lines: Mapping[str, int]
    codes: Collection[str] = ()

    def __call__(self, text: str, file: str) -> Markup:
        """`file`: that of lines without a name."""
        return self._linked(shown(text), file.removeprefix("./"))

    def _linked(self, text: str, file: str) -> Markup:
        parts: list[Markup] = []
        done = 0
        for match in self._places.finditer(text):
            parts += [escape(text[done : match.start()]), self._place(match, file)]
            done = match.end()
        return Markup("").join([*parts, escape(text[done:])])

    @cached_property
    def _places(self) -> re.Pattern[str]:
        paths = sorted((re.escape(shown(path)) for path in self._by_path), key=len, reverse=True)
        named = rf"(?<![\w./-])(?:\./)?(?P<path>{'|'.join(paths)}):" if paths else "(?!)(?P<path>)"
        own = rf"\blines? (?P<own>(?<=lines ){_LIST}|{_NUMBER})"
        return re.compile(rf"\[(?P<section>OMPC\d+)\]|`(?P<code>[^`]+)`|{named}(?P<at>{_LIST})|{own}")

    @cached_property
    def _by_path(self) -> Mapping[str, str]:
        """Paths as sentences have them."""
        return {path.removeprefix("./"): path for path in self.anchors}

    def _place(self, match: re.Match[str], file: str) -> Markup:
        if match["section"] is not None:
            link = Markup('<a href="#{0}">{0}</a>').format(match["section"])
            return Markup("[{}]").format(link if match["section"] in self.codes else match["section"])
        if match["code"] is not None:
            return Markup("<code>{}</code>").format(match["code"])
        group, of = ("at", match["path"]) if match["path"] is not None else ("own", file)
        head = match[0][: match.start(group) - match.start()]
        return self._list(match[group], of, head)

    def _list(self, text: str, file: str, head: str) -> Markup:
        """The first number has `head` in its link: what is pressed should not be a single digit."""
        parts: list[Markup] = []
        done = 0
        for match in _PARTS.finditer(text):
            parts.append(escape(text[done : match.start()]))
            if match[1] is not None:
                parts.append(Markup("({})").format(self._linked(match[1], file)))
            else:
                parts.append(self._link(head + match[2] if match.start() == 0 else match[2], int(match[2]), file))
            done = match.end()
        return Markup("").join([*parts, escape(text[done:])])

    def _link(self, words: str, number: int, file: str) -> Markup:
        path = self._by_path.get(file)
        if path is None or not 1 <= number <= self.lines[path]:
            return escape(words)
        return Markup('<a href="#{}-{}">{}</a>').format(self.anchors[path], number, words)
