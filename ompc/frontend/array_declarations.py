"""Where an array is declared in a text, and how: so that the declaration can be changed without printing it anew.

    static double /* grids */ u[N][N], x;      specifiers  static double
                                               name        u
                                               dimensions  [N] [N]

Found are plain declarators: names, then `name[...]...` (or `name`, where any object is asked for), then a comma or a
semicolon. Anything else (an initialiser,
attributes, parentheses, a struct defined in place, a declarator that a macro makes) is not found, and stays as it is.

    In: the tokens of a text, a name, a line.   Out: ArrayDeclaration or None.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ompc.base.frozen import dataclass
from ompc.frontend.tokens import Token, closing, opening, spelled

_NOT_SPECIFIERS = frozenset(
    """return goto else case do sizeof typedef extern register auto _Thread_local __thread _Alignas __attribute__
    __attribute __extension__ __typeof__ __typeof typeof _Atomic inline""".split()
)


@dataclass(frozen=True, slots=True)
class ArrayDeclaration:
    """`index`: of the name among the tokens; `brackets`: the `[` and `]` of each dimension, outermost first."""

    index: int
    name: Token
    specifiers: tuple[Token, ...]
    brackets: tuple[tuple[Token, Token], ...]
    dimensions: tuple[Token, ...]

    @property
    def end(self) -> int:
        """The index after the last `]`."""
        return self.index + 1 + len(self.dimensions)

    def last(self, found: Sequence[Token]) -> Token | None:
        """The semicolon at the end of the declaration."""
        position = self.end
        while position < len(found) and found[position].text != ";":
            end = closing(found, position) if found[position].text in ("(", "[", "{") else position
            if end is None or found[position].kind == "directive":
                return None
            position = end + 1
        return found[position] if position < len(found) else None

    @property
    def is_static(self) -> bool:
        return any(token.text == "static" for token in self.specifiers)

    @property
    def type_text(self) -> str:
        """The array's type name as the text spells it: `double[N][N]`."""
        element = [token for token in self.specifiers if token.text != "static"]
        return " ".join(token.text for token in element) + spelled(self.dimensions)


def find_array_declaration(
    found: Sequence[Token], name: str, file: str, line: int, *, initialised: bool = False, any_object: bool = False
) -> ArrayDeclaration | None:
    """The one declaration of the array `name` on that line; None when there is none, or not exactly one.

    `initialised`: it may have an initialiser. `any_object`: it need not be an array.
    """
    followers = (",", ";", "=") if initialised else (",", ";")
    at = [
        index
        for index, token in enumerate(found)
        if token.line == line and token.text == name and token.kind == "identifier" and token.file == file
    ]
    declarations = [d for d in (_declaration(found, index, followers, any_object) for index in at) if d is not None]
    return declarations[0] if len(declarations) == 1 else None


def find_plain_declarator(found: Sequence[Token], name: str, file: str, line: int) -> Token | None:
    """The name in the one declarator on that line that has nothing behind it: `p` of `double x, *p;`. None when there
    is none, or not exactly one.
    """
    at = [
        index
        for index, token in enumerate(found[:-1])
        if token.line == line and token.text == name and token.kind == "identifier" and token.file == file
        if found[index + 1].text in (",", ";") and _start(found, index) not in (None, index)
    ]
    return found[at[0]] if len(at) == 1 else None


def _declaration(
    found: Sequence[Token], index: int, followers: Collection[str], any_object: bool
) -> ArrayDeclaration | None:
    brackets = _brackets(found, index + 1)
    specifiers = _specifiers(found, index)
    if specifiers is None or not (brackets or any_object):
        return None
    end = brackets[-1][1] + 1 if brackets else index + 1
    dimensions = tuple(found[index + 1 : end])
    if end >= len(found) or found[end].text not in followers or any(t.kind == "directive" for t in dimensions):
        return None
    pairs = tuple((found[first], found[last]) for first, last in brackets)
    return ArrayDeclaration(index, found[index], specifiers, pairs, dimensions)


def _brackets(found: Sequence[Token], index: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    while index < len(found) and found[index].text == "[":
        end = closing(found, index)
        if end is None:
            return []
        pairs.append((index, end))
        index = end + 1
    return pairs


def _specifiers(found: Sequence[Token], index: int) -> tuple[Token, ...] | None:
    """The specifiers of the declaration that has the declarator at `index`; None: that is no plain declaration."""
    start = _start(found, index)
    if start is None:
        return None
    leading = start
    while leading < index and found[leading].kind == "identifier":
        leading += 1
    if leading < index and found[leading].text in ("(", ":"):
        return None  # `typeof(x) a[3]`, `int f(void), a[3]`
    if leading < index:
        if found[index - 1].text != ",":
            return None  # `double *a[3]`, `double (a)[3]`
        if found[leading].text != "*":
            leading -= 1  # the last of the names is the first declarator's
    specifiers = tuple(found[start:leading])
    if any(token.text in _NOT_SPECIFIERS for token in specifiers) or all(t.text == "static" for t in specifiers):
        return None
    return specifiers


def _start(found: Sequence[Token], index: int) -> int | None:
    """The index of the first token of the declaration; None: `index` is inside parentheses or brackets."""
    position = index - 1
    while position >= 0:
        token = found[position]
        if token.text in (";", "{", ":") or token.kind == "directive":
            break
        if token.text == "}" and found[position + 1].text != ",":
            break
        if token.text in ("(", "["):
            return None
        if token.text in (")", "]", "}"):
            balanced = opening(found, position)
            if balanced is None:
                return None
            position = balanced
        position -= 1
    return position + 1
