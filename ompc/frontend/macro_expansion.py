"""Macro expansion as the preprocessor does it, that says of each token which macros it comes from.

    #define NX 1024
    #define AT(i, j) ((i) * NX + (j))
    u[AT(i, 0)]             u [ ( ( i ) * 1024 + ( 0 ) ) ]       `1024` comes from a use of NX, in one of AT

It need not be right: what it makes is compared with what the preprocessor has made (macro_uses.py). What it does not
understand, `#` in a replacement list, ends it.

    In: tokens of the user's text, the definitions.   Out: Piece by Piece.
    Source: C17 6.10.3; D. Prosser's algorithm (ANSI X3J11/86-196): names that a token must not be expanded for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ompc.base.frozen import dataclass, field
from ompc.frontend.macro_definitions import Definition
from ompc.frontend.text import Token, read_tokens

_LONGEST = 4096
"""How many tokens an argument may have: one that seems to have more may end in a part that is left out."""


class NotUnderstood(Exception):
    """The expansion ends here."""


@dataclass(eq=False, slots=True)
class Use:
    """A use of a macro: in the text, or, when it has an `outer` one, in what that expands to. `places`: where the
    tokens stand that it became, those of its arguments among them, as far as they are known; `size`: how many there
    are."""

    definition: Definition
    outer: Use | None
    places: list[tuple[int, int, int]] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A token, the line of the text that it comes from, the innermost use that made it or had it as an argument."""

    kind: str
    text: str
    line: int
    use: Use | None = None
    unexpanded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Argument:
    """What an argument is, what it expands to, and the uses in that."""

    written: Sequence[Piece]
    pieces: Sequence[Piece]
    uses: frozenset[Use]


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Token, ...]:
    """The tokens of a replacement list."""
    return tuple(read_tokens(text))


class Expansion:
    """The tokens that `source` expands to, one by one."""

    def __init__(self, source: Iterable[Piece], definition: Callable[[str], Definition | None]) -> None:
        """`definition`: that of a name, where it has one."""
        self._source = iter(source)
        self._definition = definition
        self._pending: list[Piece] = []  # the next one is last
        self.uses: list[Use] = []

    def __iter__(self) -> Iterator[Piece]:
        while (piece := self._take()) is not None:
            definition = None
            if piece.kind == "identifier" and piece.text not in piece.unexpanded:
                definition = self._definition(piece.text)
            made = None if definition is None else self._replacement(piece, definition)
            if made is None:
                yield piece
            else:
                self._pending += reversed(made)

    def _take(self) -> Piece | None:
        return self._pending.pop() if self._pending else next(self._source, None)

    def _replacement(self, piece: Piece, definition: Definition) -> list[Piece] | None:
        """None: a macro with parameters that is not called."""
        given: dict[str, _Argument] = {}
        if definition.parameters is not None:
            found = self._arguments(definition.parameters)
            if found is None:
                return None
            given = found
        use = Use(definition, piece.use)
        self.uses.append(use)
        unexpanded = piece.unexpanded | {definition.name}
        made: list[Piece] = []
        words = words_of(definition.text)
        glued = [word.text == "##" for word in words]
        for at, word in enumerate(words):
            if word.text == "#" and definition.parameters is not None:
                raise NotUnderstood
            if glued[at]:
                continue
            behind = at > 0 and glued[at - 1]
            if word.kind == "identifier" and word.text in given:
                argument = given[word.text]
                if behind or glued[at + 1 : at + 2] == [True]:
                    argument = _Argument(argument.written, argument.written, frozenset())
                new = list(self._once_more(argument, use))
            else:
                new = [Piece(word.kind, word.text, piece.line, use, unexpanded)]
            made = _pasted(made, new) if behind else made + new
        return made

    def _arguments(self, parameters: tuple[str, ...]) -> dict[str, _Argument] | None:
        first = self._take()
        if first is None or first.text != "(":
            if first is not None:
                self._pending.append(first)
            return None
        arguments: list[list[Piece]] = [[]]
        depth = 1
        while depth:
            piece = self._take()
            if piece is None or len(arguments[-1]) > _LONGEST:
                raise NotUnderstood
            depth += {"(": 1, ")": -1}.get(piece.text, 0) if piece.kind == "punctuation" else 0
            if piece.text == "," and depth == 1:
                arguments.append([])
            elif depth:
                arguments[-1].append(piece)
        if not parameters and arguments == [[]]:
            return {}
        if len(arguments) != len(parameters) or "..." in parameters[-1]:
            raise NotUnderstood
        return dict(zip(parameters, map(self._expanded, arguments), strict=True))

    def _expanded(self, argument: list[Piece]) -> _Argument:
        inner = Expansion(argument, self._definition)
        return _Argument(argument, list(inner), frozenset(inner.uses))

    def _once_more(self, argument: _Argument, of: Use) -> Iterator[Piece]:
        """The argument in one of the places of its parameter: the uses in it are others each time."""
        made: dict[Use, Use] = {}

        def own(use: Use | None) -> Use:
            if use is None or use not in argument.uses:
                return of
            if use not in made:
                made[use] = Use(use.definition, own(use.outer))
            return made[use]

        for piece in argument.pieces:
            yield replace(piece, use=own(piece.use))
        self.uses += made.values()


def _pasted(left: list[Piece], right: list[Piece]) -> list[Piece]:
    """`##` between the two."""
    if not left or not right:
        raise NotUnderstood
    words = words_of(left[-1].text + right[0].text)
    if len(words) != 1:
        raise NotUnderstood
    return [*left[:-1], replace(left[-1], kind=words[0].kind, text=words[0].text), *right[1:]]
