"""Where the preprocessed text has what the name of a macro stands for.

    double u[NX];                          double u[1024];
    for (i = 1; i < NX - 1; i++)           for (i = 1; i < 1024 - 1; i++)        1024, twice: NX
    u[AT(i, 0)]                            u[((i) * 1024 + (0))]                 (...): AT; 1024 in it: NX

The preprocessor does not say what its tokens come from, but line markers say on which line of which file they stand in
the text. What that line expands to (macro_expansion.py) is compared with them, token by token; where they differ,
nothing is said of the rest of the line. So a name that is found here has, by the definitions, exactly the tokens that
stand at its place, whatever else is misunderstood.

A macro is named if it has one definition in all of the text, which no #undef ends, and names no other macros. It is a
constant if it has no parameters and expands to numbers, operators and casts to C's own types. One of a standard header
is named if C++ has it, too. Of uses with the same tokens (`#define N M`) the outer one comes last.

    In: what `cc -E -dD` wrote, separated; the text for the parser; the user's text.   Out: tuple[MacroPlace, ...].
    Not here: names that code has besides -- plan/program/macro_names.py; what an expression with arguments becomes in
    device code -- render/code/macro_calls.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import accumulate, dropwhile

from ompc.base.frozen import dataclass
from ompc.base.macros import STANDARD_HEADERS, Macro
from ompc.base.source import file_named
from ompc.frontend.macro_definitions import MARKER, Change, Definition, Expanded
from ompc.frontend.macro_expansion import Expansion, NotUnderstood, Piece, Use, words_of
from ompc.frontend.text import Token, read_tokens, tokens

_PUSHED = re.compile(r'\bpush_macro\s*\(\s*\\?"(\w+)')
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*|[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?[fF]?")
_OPERATORS = frozenset("( ) + - * / % << >> & | ^ ~".split())
_TYPES = frozenset("double float int unsigned long short signed".split())


@dataclass(frozen=True, slots=True)
class MacroPlace:
    """In the text for the parser the tokens from the one at `first` to the one at `last` are what `macros` stand for,
    inner ones first.
    """

    first: int
    last: int
    macros: tuple[Macro, ...]


def macro_places(
    expanded: Expanded, parsed: str, text_of: Mapping[str, Callable[[], str | None]]
) -> tuple[MacroPlace, ...]:
    """`parsed`: the text for the parser, which has one line more in front. `text_of`: the texts of the user's own
    files, by their names.
    """
    known = _Definitions(expanded)
    if not known.worth_finding:
        return ()
    aligner = _Aligner(expanded, known, text_of)
    found: dict[tuple[int, int, int, int], tuple[Macro, ...]] = {}
    for use in aligner.uses():
        macro = known.macro(use.definition.name)
        lines = {line for line, _, _ in use.places}
        if macro is not None and len(lines) == 1 and len(use.places) == use.size:
            (line, first, _), (_, last, length) = use.places[0], use.places[-1]
            place = line, first, last, last + length
            found[place] = (macro, *found.get(place, ()))  # outer uses come first
    return tuple(_in_parsed(found, expanded.text.split("\n"), parsed.split("\n")))


def _in_parsed(
    found: Mapping[tuple[int, int, int, int], tuple[Macro, ...]], before: Sequence[str], after: Sequence[str]
) -> Iterator[MacroPlace]:
    """Where the parser gets what the preprocessor has written, in the same columns, and the characters around it."""
    starts = [0, *accumulate(len(line) + 1 for line in after)]
    for (line, first, last, end), macros in found.items():
        whole = slice(max(first - 1, 0), end + 1)
        if before[line][whole] == after[line + 1][whole]:
            start = starts[line + 1]
            yield MacroPlace(start + first, start + last, macros)


class _Definitions:
    """All that is ever defined, and what is at a line, behind the `change`s in front of it."""

    def __init__(self, expanded: Expanded) -> None:
        self._history: dict[str, list[Change]] = {}
        for changes in expanded.changes.values():
            for change in changes:
                self._history.setdefault(change.name, []).append(change)
        self._now: dict[str, Change] = {}
        self._pushed = frozenset(_PUSHED.findall(expanded.text)) if "push_macro" in expanded.text else frozenset()
        self._macros: dict[str, Macro | None] = {}
        of_user = {name for name, changes in self._history.items() if not all(change.system for change in changes)}
        known = {name for name in of_user | STANDARD_HEADERS.keys() if self.macro(name) is not None}
        with_parameters = {name for name in of_user if any(map(_has_parameters, self._history[name]))}
        self.worth_finding = known | with_parameters if known else set()
        """Names in the text behind which there may be such a macro."""

    def change(self, changes: Sequence[Change]) -> None:
        self._now.update((change.name, change) for change in changes)

    def now(self, name: str) -> Definition | None:
        """The definition of a name at the line."""
        found = self._now.get(name)
        return None if found is None else found.definition

    def macro(self, name: str) -> Macro | None:
        """As what the macro is named, if at all."""
        if name not in self._macros:
            self._macros[name] = None  # where its own name is in its text
            self._macros[name] = self._found(name)
        return self._macros[name]

    def _found(self, name: str) -> Macro | None:
        changes = list(dropwhile(lambda change: change.definition is None, self._history.get(name, ())))
        if not changes or name in self._pushed:
            return None
        if all(change.system for change in changes):
            return Macro(name, header=STANDARD_HEADERS[name]) if name in STANDARD_HEADERS else None
        own = changes[0].definition
        if own is None or any(not _same(own, change.definition) for change in changes):
            return None
        words = [word for word in words_of(own.text) if word.text not in _TYPES]
        if all(word.kind == "punctuation" for word in words):
            return None
        others = [word for word in words if word.kind == "identifier" and word.text not in (own.parameters or ())]
        named = {word.text: self.macro(word.text) for word in others if word.text in self._history}
        macros = tuple(macro for macro in named.values() if macro is not None)
        if len(macros) < len(named):
            return None
        is_constant = own.parameters is None and all(map(_may_be_constant, words))
        is_constant &= len(named) == len({word.text for word in others}) and all(each.is_constant for each in macros)
        return Macro(
            name, own.text, own.file, own.line, names=macros, parameters=own.parameters, is_constant=is_constant
        )


def _has_parameters(change: Change) -> bool:
    return change.definition is not None and change.definition.parameters is not None


def _same(one: Definition, other: Definition | None) -> bool:
    return other is not None and (one.text, one.parameters) == (other.text, other.parameters)


def _may_be_constant(word: Token) -> bool:
    """Can it be a part of a constant? Names are looked at by themselves."""
    match word.kind:
        case "identifier":
            return True
        case "number":
            return _NUMBER.fullmatch(word.text) is not None
        case _:
            return word.text in _OPERATORS


@dataclass(slots=True)
class _SourceLines:
    """The code of a file of the user's: `code`, all tokens but directives; `starts`, the first of each line; `worth`,
    lines on which there may be a macro to be found."""

    code: list[Token]
    starts: dict[int, int]
    worth: set[int]


def _source_lines(text: str, names: Container[str]) -> _SourceLines:
    found = _SourceLines([], {}, set())
    lines = text.split("\n")
    directive = last = 0  # the line where it ends
    for token in tokens(text):
        line = token.line
        if line <= directive:
            continue
        if line > last and token.text in ("#", "%"):
            directive = line
            while lines[directive - 1].rstrip("\r").endswith("\\"):
                directive += 1
            continue
        if line > last:
            found.starts[line] = len(found.code)
        last = line
        if token.kind == "identifier" and token.text in names:
            found.worth.add(line)
        found.code.append(token)
    return found


class _Aligner:
    """Goes through the preprocessed text and the user's side by side."""

    def __init__(
        self, expanded: Expanded, known: _Definitions, text_of: Mapping[str, Callable[[], str | None]]
    ) -> None:
        self._expanded = expanded
        self._known = known
        self._text_of = text_of
        self._files: dict[str, _SourceLines | None] = {}
        self._expansions: list[Expansion] = []
        self._now: Iterator[Piece] | None = None  # what follows in the text; None: not known
        self._next: Piece | None = None  # the first of it
        self._line = self._line_before = 0  # to which it has been read, and had been before the last token

    def uses(self) -> Iterator[Use]:
        """All that were found, outer ones before those in them. Their places: line from 0, column from 0, and length.
        """
        file, line = "", 0
        for number, text in enumerate(self._expanded.text.split("\n")):
            line += 1
            if number in self._expanded.changes:
                self._known.change(self._expanded.changes[number])
            if text.startswith("#"):
                marker = MARKER.match(text)
                if marker is not None:
                    file, line = file_named(marker[2]), int(marker[1]) - 1
            elif text and file in self._text_of:
                source = self._source(file)
                if source is not None and (self._now is not None or line in source.worth):
                    self._compare(text, number, line, source)
        for expansion in self._expansions:
            yield from expansion.uses

    def _source(self, file: str) -> _SourceLines | None:
        if file not in self._files:
            text = self._text_of[file]()
            self._files[file] = None if text is None else _source_lines(text, self._known.worth_finding)
        return self._files[file]

    def _compare(self, text: str, number: int, line: int, source: _SourceLines) -> None:
        words = list(read_tokens(text))
        if not words:
            return
        if self._next is None or self._next.text != words[0].text:
            if line not in source.worth:
                self._now = self._next = None
                return
            self._begin(line, source)
        for word in words:
            piece = self._next
            if piece is None or piece.text != word.text:
                self._now = self._next = None
                return
            use = piece.use
            while use is not None:
                use.places.append((number, word.column - 1, len(word.text)))
                use = use.outer
            self._advance(piece.use)
        if self._next is not None and self._next.line > self._line_before:  # the next line begins anew
            self._now = self._next = None

    def _begin(self, line: int, source: _SourceLines) -> None:
        expansion = Expansion(self._pieces(line, source), self._known.now)
        self._expansions.append(expansion)
        self._now = iter(expansion)
        self._advance()

    def _advance(self, last: Use | None = None) -> None:
        """`last`: the use behind the token in front."""
        self._line_before = self._line
        try:
            self._next = None if self._now is None else next(self._now, None)
            use = None if self._next is None else self._next.use
        except (NotUnderstood, RecursionError):
            self._next, use = None, last  # which may be more than is known
        while use is not None:
            use.size += 1
            use = use.outer

    def _pieces(self, line: int, source: _SourceLines) -> Iterator[Piece]:
        for at in range(source.starts[line], len(source.code)):
            token = source.code[at]
            self._line = token.line
            yield Piece(token.kind, token.text, token.line)
