"""The items of a clause's list: variables, and sections of arrays (OpenMP 5.2, 3.2.1, 3.2.5).

    a, b[2 : n][:], s.q[0:n]     the variable a; two brackets behind b; what is behind s is none (`rest`)
    k[big ? 2 : 1 : 4]           from (big ? 2 : 1) on: a colon belongs to the `?` before it

In: the text of a list, the pragma's scope.   Out: `ListItem`s, or MalformedError.
Not here: which items a clause may have -- reductions.py, target_data.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ompc.ir.directive import Brackets, ListItem, Operand, Section
from ompc.ir.tree import OpaqueExpr, Pragma
from ompc.omp.reading.clause_text import MalformedError, split_section, split_top_level, take_brackets
from ompc.sema.expressions import parse_expression

_WORD = re.compile(r"[^\W\d]\w*")
_LINEAR_MODIFIER = re.compile(r"(?:val|ref|uval)\s*\((.*)\)")


def list_items(argument: str, pragma: Pragma, mapped: bool) -> tuple[ListItem, ...]:
    """The items of a list; `mapped`: of `map`, `to` or `from`. Raises MalformedError where one names no variable."""
    items = tuple(_item(text, pragma) for text in split_top_level(argument, ","))
    return tuple(replace(item, section=_section(item.text, pragma)) for item in items) if mapped else items


def _item(text: str, pragma: Pragma) -> ListItem:
    """The variable at the head of an item (`a` in `a[0:n]`), with what is behind it."""
    modified = _LINEAR_MODIFIER.fullmatch(text)
    plain = modified[1].strip() if modified else text
    word = _WORD.match(plain)
    if word is None or word[0] not in pragma.scope:
        raise MalformedError(f"the list item `{text}` names no variable")
    found: list[Brackets] = []
    rest = plain[word.end() :].lstrip()
    while rest.startswith("["):
        inside, behind = take_brackets(rest)
        brackets = _brackets(inside, pragma)
        if brackets is None:
            break
        found.append(brackets)
        rest = behind
    return ListItem(text, pragma.scope[word[0]], tuple(found), bool(rest))


def _brackets(inside: str, pragma: Pragma) -> Brackets | None:
    """`lower : length` or one index; None for what is neither."""
    ends = split_section(inside)
    if len(ends) > 2 or ends == [""]:
        return None
    lower, *length = (_operand(text, pragma) if text else None for text in ends)
    return Brackets(lower, length[0]) if length else Brackets(lower, None, single=True)


def _section(text: str, pragma: Pragma) -> Section | None:
    """The item at its first brackets that have a colon in them; None when it is not of that form."""
    for at, inside, rest in _all_brackets(text):
        ends = split_section(inside)
        if len(ends) == 2:
            first, count = _operand(ends[0] or "0", pragma), _operand(ends[1], pragma) if ends[1] else None
            return Section(_operand(text[:at].strip(), pragma), first, count, bool(rest.strip()))
        if len(ends) > 2:
            return None
    return Section(_operand(text.strip(), pragma))


def _all_brackets(text: str) -> Iterator[tuple[int, str, str]]:
    """Each outermost [...] as (where it begins, what is inside, what follows)."""
    depth, begin = 0, 0
    for at, character in enumerate(text):
        if character == "[":
            begin, depth = (at, 1) if depth == 0 else (begin, depth + 1)
        elif character == "]":
            depth -= 1
            if depth == 0:
                yield begin, text[begin + 1 : at], text[at + 1 :]


def _operand(text: str, pragma: Pragma) -> Operand:
    expr = parse_expression(text, pragma.scope, pragma.loc)
    return Operand(text, None if isinstance(expr, OpaqueExpr) else expr)
