"""The program as text, for decisions that change the user's text: before and after preprocessing.

In: the unit, the user's text, what `cc -E -fopenmp` makes of it.   Out: tokens of both, and what they say at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from ompc.base.frozen import dataclass
from ompc.base.source import file_named
from ompc.frontend.line_numbers import renumbered
from ompc.frontend.own_files import text_of
from ompc.frontend.tokens import Token, own_tokens, tokens
from ompc.ir import tree as t
from ompc.ir.walk import walk

_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"([ \d]*)$', re.MULTILINE)
_NAME_OR_MARKER = re.compile(
    r"""
    ^\#\ \d+\ "(?:[^"\\]|\\.)*"(?P<flags>[ \d]*)$
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
  | (?<![\w$])(?P<name>[^\W\d][\w$]*)(?=(?:\s|^\#\ \d+\ "[^\n]*$)*\()
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Matches a line marker, a literal, or a name that is followed by `(`."""
_COPIES_PROCESS = re.compile(r"_?v?fork|clone|daemon|forkpty")


@dataclass(frozen=True)
class ProgramText:
    """The program as text, before and after preprocessing; each form is made when it is first asked for."""

    unit: t.Unit
    source_text: str
    expanded_text: str

    @cached_property
    def source(self) -> tuple[Token, ...]:
        return tokens(self.source_text, self.unit.file)

    @cached_property
    def expanded(self) -> tuple[Token, ...]:
        return tokens(self.expanded_text, self.unit.file)

    @cached_property
    def own(self) -> tuple[Token, ...]:
        """Of the expanded text what is the user's."""
        return own_tokens(self.expanded_text, self.unit.file)

    @cached_property
    def calls(self) -> frozenset[str]:
        """Every name that is followed by `(` in the user's own files; a system header's macro may have put it there."""
        own = [token for token in self.own if not token.system or token.file == self.unit.file]
        return frozenset(name.text for name, after in pairwise(own) if name.kind == "identifier" and after.text == "(")

    @cached_property
    def library_functions(self) -> frozenset[str]:
        """Names that are followed by `(` in system headers, of which a file may include ten thousand lines."""
        found: set[str] = set()
        system = False
        for match in _NAME_OR_MARKER.finditer(self.expanded_text):
            if match["flags"] is not None:
                system = "3" in match["flags"].split()
            elif system and match["name"] is not None:
                found.add(match["name"])
        return frozenset(found)

    @cached_property
    def unsuitable(self) -> str | None:
        """Why nothing of this program may be page-locked, as one clause of a sentence."""
        if renumbered(self.source_text):
            return "#line directives hide where declarations stand"
        copying = sorted(name for name in self.calls if _COPIES_PROCESS.fullmatch(name))
        return f"page-locked memory is not there in the process that {copying[0]} makes" if copying else None

    @cached_property
    def own_files(self) -> tuple[str, ...]:
        """The user's text and that of the headers that are not the system's, as far as they can be read."""
        entered = {file_named(name): flags for name, flags in _MARKER.findall(self.expanded_text)}
        headers = [name for name, flags in entered.items() if "3" not in flags.split() and not name.startswith("<")]
        texts = (text_of(name) for name in headers if name != self.unit.file)
        return (self.source_text, *(text for text in texts if text is not None))

    @cached_property
    def initialised_from(self) -> frozenset[t.Symbol]:
        """Objects that initialisers of static objects name."""
        return frozenset(
            node.symbol
            for declaration in self._static_declarations()
            if declaration.init is not None
            for node in walk(declaration.init)
            if isinstance(node, t.Name)
        )

    def _static_declarations(self) -> Iterator[t.VarDecl]:
        yield from self.unit.variables
        for function in self.unit.functions.values():
            if function.body is not None:
                found = (node for node in walk(function.body) if isinstance(node, t.VarDecl))
                yield from (node for node in found if node.symbol.storage is t.Storage.LOCAL_STATIC)
