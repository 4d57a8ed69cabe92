"""Which statement a pragma applies to, and where it stands in the user's text. The one module that knows.

pycparser gives a pragma as a sibling in front of its statement, or, as the body of `if`, `for`, a label or a case,
wraps the pragmas and the statement in a Compound of its own invention, which has the coordinates of the first pragma:

    if (x)                            If(x, Compound@2(Pragma "omp parallel", Pragma "omp for", For))
    #pragma omp parallel
    #pragma omp for                   paired:  Paired("omp parallel", Paired("omp for", For))
    for (...)

It also tucks the statements that follow a `case` into it; `flattened` undoes that, as the typed tree wants.

In: a list of sibling nodes.   Out: the same as a list of items, each pragma with the statement that it owns.
Not here: clauses and what directives mean -- ompc/omp.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pycparser import c_ast

from ompc.base.frozen import dataclass

# Directives that apply to the next statement, by their first word (OpenMP 5.2, chapter 3 and Table 1).
_OWNS = frozenset(
    "parallel for simd sections section single master masked critical atomic ordered task taskloop taskgroup target"
    " teams distribute loop scope dispatch tile unroll assume workshare interchange fuse reverse".split()
)
_TARGET_STANDALONE = frozenset({"update", "enter", "exit"})


@dataclass(frozen=True, slots=True)
class Paired:
    """A pragma with what it owns: a statement, several (a `section`), or nothing."""

    pragma: c_ast.Pragma
    body: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class CaseMark:
    """`case value:`, or `default:` when `value` is None; the labelled statements follow as siblings."""

    node: c_ast.Node
    value: c_ast.Node | None


@dataclass(frozen=True, slots=True)
class LabelMark:
    node: c_ast.Label


Item: TypeAlias = Paired | CaseMark | LabelMark | c_ast.Node


def pragma_text(node: c_ast.Pragma) -> str:
    """The text after `#pragma`, blanks trimmed; pycparser keeps that of `_Pragma("...")` as a string literal."""
    if isinstance(node.string, c_ast.Constant):
        return re.sub(r"\\(.)", r"\1", node.string.value[1:-1]).strip()
    return str(node.string or "").strip()


def directive_words(text: str) -> list[str]:
    """The words of an OpenMP directive up to its first clause argument; empty for any other pragma."""
    words = re.match(r"omp\b([\w\s]*)", text)
    return words.group(1).split() if words else []


def owns_statement(text: str) -> bool:
    """Does this pragma apply to the statement after it?"""
    words = directive_words(text)
    if not words or words[0] not in _OWNS:
        return False
    if words[0] == "target":
        return len(words) < 2 or words[1] not in _TARGET_STANDALONE
    if words[0] == "ordered":
        return not re.search(r"\b(depend|doacross)\s*\(", text)
    return True


def is_invented(node: c_ast.Node) -> bool:
    """Is this the Compound that pycparser wraps around pragmas and their statement?"""
    if not isinstance(node, c_ast.Compound) or not node.block_items:
        return False
    first = node.block_items[0]
    return isinstance(first, c_ast.Pragma) and first.coord == node.coord


def flattened(nodes: Iterable[c_ast.Node]) -> list[CaseMark | LabelMark | c_ast.Node]:
    """Siblings with labels, cases and invented Compounds taken apart."""
    flat: list[CaseMark | LabelMark | c_ast.Node] = []
    for node in nodes:
        match node:
            case c_ast.Case(expr=value, stmts=stmts):
                flat += [CaseMark(node, value), *flattened(stmts)]
            case c_ast.Default(stmts=stmts):
                flat += [CaseMark(node, None), *flattened(stmts)]
            case c_ast.Label(stmt=stmt):
                flat += [LabelMark(node), *flattened([stmt])]
            case c_ast.Compound() if is_invented(node):
                flat += flattened(node.block_items)
            case _:
                flat.append(node)
    return flat


def paired(nodes: Iterable[c_ast.Node]) -> list[Item]:
    """Siblings with every pragma that owns a statement joined to it; the rest as it was."""
    flat = flattened(nodes)
    items: list[Item] = []
    position = 0
    while position < len(flat):
        taken, position = _take(flat, position)
        items += taken
    return items


_Flat: TypeAlias = Sequence[CaseMark | LabelMark | c_ast.Node]


def _take(flat: _Flat, position: int) -> tuple[list[Item], int]:
    """The item at `position`, after foreign pragmas between it and its statement; and the next position."""
    node = flat[position]
    if not isinstance(node, c_ast.Pragma):
        return [node], position + 1
    text = pragma_text(node)
    if not owns_statement(text):
        return [Paired(node, ())], position + 1
    if directive_words(text)[0] == "section":
        return _take_section(flat, position)
    before: list[Item] = []
    position += 1
    while position < len(flat) and _is_foreign(flat[position]):
        before.append(Paired(flat[position], ()))
        position += 1
    if position == len(flat) or isinstance(flat[position], (CaseMark, LabelMark)):
        return [*before, Paired(node, ())], position
    owned, position = _take(flat, position)
    return [*before, *owned[:-1], Paired(node, (owned[-1],))], position


def _is_foreign(node: object) -> bool:
    return isinstance(node, c_ast.Pragma) and not pragma_text(node).startswith("omp")


def _take_section(flat: _Flat, position: int) -> tuple[list[Item], int]:
    """A `section` owns everything up to the next one (OpenMP 5.1: a structured block sequence)."""
    end = position + 1
    while end < len(flat) and not _is_section(flat[end]):
        end += 1
    body: list[Item] = []
    at = position + 1
    while at < end:
        taken, at = _take(flat, at)
        body += taken
    pragma = flat[position]
    assert isinstance(pragma, c_ast.Pragma)
    return [Paired(pragma, tuple(body))], end


def _is_section(node: object) -> bool:
    return isinstance(node, c_ast.Pragma) and directive_words(pragma_text(node))[:1] == ["section"]


_PRAGMA_LINE = re.compile(r"\s*(?:/\*.*?\*/\s*)*(?:#|%:|\?\?=)\s*(?:/\*.*?\*/\s*)*pragma\b")


def pragma_line(lines: Sequence[str], line: int) -> int | None:
    """The line (from 1) in the user's text where the pragma reported at `line` has its `#pragma`; None: made by a
    macro.

    gcc reports the first line of a continued pragma; other compilers the last: so look back over continued lines.
    """
    while 1 <= line <= len(lines):
        if _PRAGMA_LINE.match(lines[line - 1]):
            return line
        line -= 1
        if line < 1 or not lines[line - 1].rstrip("\r").endswith("\\"):
            return None
    return None
