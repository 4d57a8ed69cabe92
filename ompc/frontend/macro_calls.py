"""The use of a macro that stands for a given text, if there is one.

    #define SQ(x) ((x) * (x))          x[i] * x[i]                  SQ(x[i])
                                       (float)(x[i] * x[i])         none: the cast is not the user's
    #define AT(i, j) ((i) * n + (j))   row * n + (j + 1)            AT(row, j + 1)
    #define LAST (n - 1)               n - 1                        LAST

The text is that of an expression for which the user has written the macro. What has become of the expression since, and
what names stand for in this kernel, need not be known: the definition is compared with the text, which gives the
arguments, and the use with these is kept only if, expanded, it is the same expression as the text, but for parentheses.
So whatever the text does, the use does, side effects of arguments as often.

In: a macro, the text that is printed without it, the macros that the file defines.   Out: a use, and what it expands
to, which says how tightly it binds. None: there is none, or the text has more than expressions of C, such as templates.
Not here: where the user has written which macros -- frontend/macro_uses.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ompc.base.macros import Macro
from ompc.frontend.expression_text import Expression, NoExpression, expression_of, words_of
from ompc.frontend.macro_definitions import Definition
from ompc.frontend.macro_expansion import Expansion, NotUnderstood, Piece
from ompc.frontend.text import Token


def use_of(macro: Macro, text: str, defined: Mapping[str, Macro]) -> tuple[str, Expression] | None:
    """`defined`: the macros of the file, by their names. What it expands to says how tightly it binds."""
    try:
        whole = _read(text)
        given = _arguments(macro, whole)
        for parenthesised in (False, True):
            arguments = [_argument(each, parenthesised) for each in given]
            use = macro.name if macro.parameters is None else f"{macro.name}({', '.join(arguments)})"
            expanded = _expanded(use, defined)
            if expanded == _expanded(text, defined):
                return use, expanded
    except (NoExpression, NotUnderstood, RecursionError):
        pass
    return None


@lru_cache(maxsize=256)
def _read(text: str) -> Expression:
    return expression_of(words_of(text))


def _arguments(macro: Macro, whole: Expression) -> list[Expression]:
    """What the parameters stand for in the text."""
    found: dict[str, Expression] = {}
    _match(_read(macro.text), whole, frozenset(macro.parameters or ()), found)
    if not all(name in found for name in macro.parameters or ()):
        raise NoExpression
    return [found[name] for name in macro.parameters or ()]


def _match(pattern: Expression, whole: Expression, parameters: frozenset[str], found: dict[str, Expression]) -> None:
    if pattern.op == "" and pattern.text in parameters:
        if found.setdefault(pattern.text, whole) != whole:
            raise NoExpression
        return
    if (pattern.op, len(pattern.parts)) != (whole.op, len(whole.parts)):
        raise NoExpression
    if pattern.text != whole.text:
        if pattern.op not in (".", "->") or pattern.text not in parameters:
            raise NoExpression
        _match(Expression("", pattern.text), Expression("", whole.text, written=whole.text), parameters, found)
    for part, of in zip(pattern.parts, whole.parts, strict=True):
        _match(part, of, parameters, found)


def _argument(each: Expression, parenthesised: bool) -> str:
    needs = each.op == "," or (parenthesised and each.parts)
    return f"({each.written})" if needs else each.written


def _expanded(text: str, defined: Mapping[str, Macro]) -> Expression:
    """`text` as the compiler reads it in the device file."""

    def definition(name: str) -> Definition | None:
        macro = defined.get(name)
        if macro is None or macro.header:
            return None
        return Definition(macro.name, macro.text, macro.parameters, macro.file, macro.line)

    pieces = Expansion((Piece(word.kind, word.text, 1) for word in words_of(text)), definition)
    return expression_of([Token(piece.kind, piece.text, 1, 1, 0) for piece in pieces])
