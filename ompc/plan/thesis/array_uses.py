"""Plan: does every use of an array keep its meaning when its name becomes a pointer to the first element?

In most places C turns an array into that pointer itself (C11 6.3.2.1). Not so as the operand of `sizeof`, `&`,
`typeof` and their kin, and in OpenMP clauses that copy the elements. A tree does not keep these uses (`sizeof a` as a
length has become a number), so the questions are asked of the preprocessed text, by name: an inner object of the same
name counts too, which can only keep an array as it was.

    sizeof a    &a    typeof(a)    private(a)        change
    a[i]    &a[i]    f(a)    sizeof a[0]    s.a      stay

    In: the tokens of the preprocessed text, a range of them, a name.   Out: why not, in a few words, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.frontend.tokens import Token, closing
from ompc.omp.unread_text import makes_tasks, why_not_pointer

_TYPE_OPERATORS = frozenset(
    """sizeof typeof __typeof__ __typeof typeof_unqual _Alignof alignof __alignof__ __alignof _Generic
    __builtin_types_compatible_p""".split()
)
_ASSEMBLY = frozenset({"asm", "__asm__", "__asm"})
_BEFORE_OPERAND = frozenset({"*", "&", "+", "-", "~", "!", "volatile", "__volatile__", "goto", "inline"})
_STATEMENT_START = frozenset({";", "{", "}", ":", ")", "else", "do"})


def misuse(found: Sequence[Token], first: int, last: int, name: str) -> str | None:
    """The first use of `name` among tokens `first` to `last - 1` that would mean something else for a pointer."""
    for index in range(first, last):
        token = found[index]
        why = _misuse_at(found, index, name)
        if why is not None:
            return f"{why} at line {token.line}"
    return None


def _misuse_at(found: Sequence[Token], index: int, name: str) -> str | None:
    token = found[index]
    if token.kind == "directive":
        return why_not_pointer(token.text, name)
    if token.text in _TYPE_OPERATORS and _names_whole(found, *_operand(found, index + 1), name):
        return f"`{token.text}` is applied to it"
    if token.text in _ASSEMBLY and _names(found, *_operand(found, index + 1), name):
        return "an asm statement uses it"
    if token.text == "extern" and _declares(found, index, name):
        return "it is declared again"
    if token.text == name and _address_taken(found, index):
        return "its own address is taken"
    return None


def _is_use(found: Sequence[Token], index: int, name: str) -> bool:
    return found[index].text == name and found[index - 1].text not in (".", "->")


def _followed_by(found: Sequence[Token], index: int, text: str) -> bool:
    return index < len(found) and found[index].text == text


def _names_whole(found: Sequence[Token], first: int, last: int, name: str) -> bool:
    """Is the array named without a subscript?"""
    return any(_is_use(found, i, name) and not _followed_by(found, i + 1, "[") for i in range(first, last))


def _names(found: Sequence[Token], first: int, last: int, name: str) -> bool:
    return any(_is_use(found, index, name) for index in range(first, last))


def _operand(found: Sequence[Token], index: int) -> tuple[int, int]:
    """The range of an operand: what is in the parentheses, or the name after prefix operators."""
    while index < len(found) and found[index].text in _BEFORE_OPERAND:
        index += 1
    if index < len(found) and found[index].kind == "identifier":
        return index, index + 1
    end = closing(found, index) if _followed_by(found, index, "(") else None
    return (index, index) if end is None else (index, end)


def _declares(found: Sequence[Token], index: int, name: str) -> bool:
    """Is `name` in the declaration that begins at `index`, and not just the name of a parameter?"""
    while index < len(found) and found[index].text not in (";", "{"):
        if _is_use(found, index, name):
            return True
        end = closing(found, index) if found[index].text == "(" else None
        index = index + 1 if end is None else end + 1
    return False


def _address_taken(found: Sequence[Token], index: int) -> bool:
    """`&a`, `&(a)`, but not `&a[i]` nor `&(a)[i]`."""
    before, after, parentheses = index - 1, index + 1, 0
    while found[before].text == "(":
        before, parentheses = before - 1, parentheses + 1
    if found[before].text != "&":
        return False
    while parentheses and _followed_by(found, after, ")"):
        after, parentheses = after + 1, parentheses - 1
    return not _followed_by(found, after, "[")


def creates_tasks(found: Sequence[Token], first: int, last: int) -> bool:
    """Is there a `task`? It would copy an automatic array that is not listed as shared (OpenMP 5.2, 5.1.1)."""
    return any(token.kind == "directive" and makes_tasks(token.text) for token in found[first:last])


def jumped_over(found: Sequence[Token], declaration: int, block: tuple[int, int]) -> str | None:
    """Can a jump enter the scope that begins at `declaration`, or leave it for a place before it in `block`?"""
    start, end = block
    if any(t.text == "goto" and _followed_by(found, i + 1, "*") for i, t in enumerate(found)):
        return "the file has a computed goto"
    function = _function_around(found, start)
    for label, at in _labels(found, start, end):
        for index in range(*function):
            if found[index].text != "goto" or not _followed_by(found, index + 1, label):
                continue
            within = declaration < index < end
            if within != (declaration < at):
                return f"a goto jumps over its declaration, to the label `{label}`"
    return _case_after(found, declaration, end)


def _function_around(found: Sequence[Token], index: int) -> tuple[int, int]:
    """The range of the outermost block around `index`, which is that block's own `{` or inside it."""
    depth, start = 0, 0
    for position in range(index + 1):
        if found[position].text == "{":
            start = position if depth == 0 else start
            depth += 1
        elif found[position].text == "}":
            depth -= 1
    end = closing(found, start)
    return start, len(found) if end is None else end


def _labels(found: Sequence[Token], first: int, last: int) -> Iterator[tuple[str, int]]:
    for index in range(first + 1, last):
        token, before = found[index], found[index - 1]
        starts = before.text in _STATEMENT_START or before.kind == "directive"
        if token.kind == "identifier" and token.text != "default" and starts and _followed_by(found, index + 1, ":"):
            yield token.text, index


def _case_after(found: Sequence[Token], declaration: int, end: int) -> str | None:
    """A `case` that belongs to a switch around the declaration would jump over it."""
    bodies = [_switch_body(found, index) for index in range(declaration, end) if found[index].text == "switch"]
    for index in range(declaration, end):
        is_label = found[index].text == "case" or (found[index].text == "default" and found[index + 1].text == ":")
        if is_label and not any(first < index < last for first, last in bodies):
            return f"the case at line {found[index].line} jumps over its declaration"
    return None


def _switch_body(found: Sequence[Token], index: int) -> tuple[int, int]:
    """The range of `{...}` after `switch (...)`; empty for another kind of body."""
    condition = closing(found, index + 1) if _followed_by(found, index + 1, "(") else None
    if condition is None or not _followed_by(found, condition + 1, "{"):
        return index, index
    end = closing(found, condition + 1)
    return (index, index) if end is None else (condition + 1, end)
