"""The user's text with a call in the place of each loop that has a kernel.

    #include "jacobi_cuda.h"            first line
    launch_solve_1(n, m, u, uold);      where `#pragma omp parallel for` and its loop were
    solve_to_device(u, uold); ... arrays_to_host();      around a data region

Directives around the pragma go with it where they hold nothing but pragmas of OpenMP (`#ifdef OFFLOAD ... #endif`); it
goes by itself where code stands in front of it under the same condition.
Whether the preprocessor agrees is found out afterwards (recheck.py).

    In: PlainFile, the user's text.   Out: the text; what cannot be found in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ompc.frontend.text import line_ending
from ompc.frontend.tokens import Token, tokens
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_type
from ompc.plan.plain.model import DataRegion, PlainFile, PlainLaunch, TeamRegion
from ompc.render.environment import listed
from ompc.render.host.host import assertions
from ompc.render.plain.statements import behind_statement, behind_statements, first_on_line

Edit = PlainLaunch | DataRegion
"""Something for which there is a call in the text."""

_OMP = re.compile(r"#\s*pragma\s+omp\b")
_CONDITION = re.compile(r"#\s*(\w+)")


def call_of(launch: PlainLaunch) -> str:
    """The statement that stands for the loop, in one line."""
    return f"{launch.launcher}({', '.join(arguments_of(launch))});"


def arguments_of(launch: PlainLaunch) -> list[str]:
    return [argument.host_text for argument in launch.arguments]


def count_of(region: DataRegion) -> int:
    """How many statements that are, but for pragmas that stand alone."""
    return sum(not isinstance(each, t.Pragma) or each.body is not None for each in region.statements)


def enter_of(region: DataRegion) -> str:
    """The statement in front of a data region, in one line."""
    return f"{region.enter}({', '.join(array.root.name for array in region.arrays)});"


def host_text(file: PlainFile, header: str, source: str) -> tuple[str, list[Edit]]:
    """The text, which includes `header`, and what is not where one would look for it."""
    found, ending = tokens(source, file.path), line_ending(source)
    spans: list[tuple[int, int, str]] = []
    lost: list[Edit] = []
    for launch in file.launches:
        span = _span(found, launch)
        if span is None:
            lost.append(launch)
            continue
        if span[0] == span[2]:
            spans.append((*_line_of(source, found[_pragma_of(found, launch)]), ""))
        begin, end = found[span[0]].start, found[span[1]].end
        begin -= len(source[:begin]) - len(source[:begin].rstrip(" \t"))
        indent = _indentation(source, found[span[2]].start)
        text = listed(f"{indent}{launch.launcher}", arguments_of(launch), ";")
        spans.append((begin, end, text.replace("\n", ending)))
    for team in file.teams:
        gone = _without_pragmas(found, source, team)
        if gone is None:
            return source, list(file.launches)
        spans += [(begin, end, text.replace("\n", ending)) for begin, end, text in gone]
    for region in file.data:
        around = _around(found, region, {launch.region.loop.pragma: launch for launch in file.launches})
        if around is None:
            return source, [region]
        indent, own = _indentation(source, around[2]), _indentation(source, around[0])
        enter = listed(f"{indent}{region.enter}", [array.root.name for array in region.arrays], ";").lstrip()
        spans.append((around[0], around[0], f"{indent.removeprefix(own)}{enter}\n{own}".replace("\n", ending)))
        spans.append((around[1], around[1], f"{ending}{indent}{region.leave}();"))
    spans.sort(reverse=True)
    text = source
    for begin, end, new in spans:
        text = text[:begin] + new + text[end:]
    text = f'#include "{header}"{ending}{text}'
    if file.plan.macros:
        text = text.rstrip("\n") + "\n" + assertions(file.plan).replace("\n", ending) + ending
    return text, lost


def declarations_of(team: TeamRegion) -> list[str]:
    """What its block begins with, for the variables that its pragma made each thread's own."""
    names: dict[str | None, list[str]] = {}
    for symbol in team.declared:
        names.setdefault(c_type(ty.unqualified(symbol.type)), []).append(symbol.name)
    return [f"{kind} {', '.join(of_kind)};" for kind, of_kind in names.items()]


def _without_pragmas(found: Sequence[Token], source: str, team: TeamRegion) -> list[tuple[int, int, str]] | None:
    """The lines of its pragmas, and what comes behind the first brace of its block; None: they are not there."""
    spans = []
    for pragma in team.pragmas:
        line = pragma.loc.line
        at = next((k for k, token in enumerate(found) if token.kind == "directive" and token.line == line), None)
        if at is None or not _OMP.match(found[at].text):
            return None
        spans.append((*_line_of(source, found[at]), ""))
        if pragma is team.pragma:
            brace = found[at + 1]
            if brace.text != "{":
                return None
            indent = _indentation(source, found[at + 2].start)
            text = "".join(f"\n{indent}{line}" for line in declarations_of(team))
            spans.append((brace.end, brace.end, text))
    return spans


def _indentation(source: str, at: int) -> str:
    line = source[source.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _span(found: Sequence[Token], launch: PlainLaunch) -> tuple[int, int, int] | None:
    """The first and the last token that go, and the loop's `for`: the first, where the pragma's line goes by itself."""
    pragma = _pragma_of(found, launch)
    if pragma < 0 or not _OMP.match(found[pragma].text):
        return None
    head = pragma + 1
    while head < len(found) and found[head].kind == "directive":
        head += 1
    end = behind_statement(found, head)
    if end is None or found[head].text != "for" or not _is_balanced(found[head:end]):
        return None
    first = _first_directive(found, pragma, head)
    if first is None and all(_word(token) == "endif" for token in found[pragma + 1 : head]):
        first = head  # code under the condition stays
    return None if first is None else (first, end - 1, head)


def _pragma_of(found: Sequence[Token], launch: PlainLaunch) -> int:
    """-1: it is not there."""
    line = launch.region.loop.pragma.loc.line
    return next((k for k, token in enumerate(found) if token.kind == "directive" and token.line == line), -1)


def _line_of(source: str, token: Token) -> tuple[int, int]:
    end = source.find("\n", token.end) + 1
    return source.rfind("\n", 0, token.start) + 1, end or len(source)


def _around(
    found: Sequence[Token], region: DataRegion, launches: Mapping[t.Pragma, PlainLaunch]
) -> tuple[int, int, int] | None:
    """Where in the text its statements begin and end, if they begin a line, and where their first code begins."""
    first = region.statements[0]
    span = _span(found, launches[first]) if isinstance(first, t.Pragma) and first in launches else None
    head = span[0] if span is not None else first_on_line(found, first.loc.file, first.loc.line)
    end = behind_statements(found, head, count_of(region)) if head is not None else None
    if head is None or end is None or not _is_balanced(found[head:end]):
        return None
    code = head if span is None else span[2]
    return found[head].start, found[end - 1].end, found[code].start


def _is_balanced(inside: Sequence[Token]) -> bool:
    depth = 0
    for token in inside:
        word = _word(token)
        depth += 1 if word.startswith("if") else -1 if word == "endif" else 0
        if depth < 0 or (depth == 0 and word in ("else", "elif")):
            return False
    return depth == 0


def _word(token: Token) -> str:
    found = _CONDITION.match(token.text) if token.kind == "directive" else None
    return "" if found is None else found.group(1)


def _first_directive(found: Sequence[Token], pragma: int, head: int) -> int | None:
    """The first of the directives in front of the loop that go: as many as are complete, and of OpenMP alone."""
    depth, first, at = 0, None, head - 1
    while at >= 0 and found[at].kind == "directive":
        word = _word(found[at])
        if word == "endif":
            depth += 1
        elif word.startswith("if"):
            depth -= 1
        elif word in ("else", "elif"):
            pass
        elif not _OMP.match(found[at].text):
            break
        if depth < 0 or (depth == 0 and word in ("else", "elif")):
            break
        if depth == 0 and at <= pragma:
            first = at
            break
        at -= 1
    return first
