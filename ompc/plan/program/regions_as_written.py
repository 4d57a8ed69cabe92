"""Plan: parallel regions that the host file has in two forms, the second of them as the program has it.

    #include "lbm.ompc.line_12.h"              if (none of the region's loops is going to be launched)
    #pragma omp parallel                           the region, to the byte
    {                                          else
        OMPC_OFFLOAD(ompc_launch_lbm_cells(...))
        #pragma omp for
        ...

A loop that may be skipped is a branch in the flow of its region: of what compilers compute once for several loops, and
know behind one, there is less then. gcc's code for a lattice Boltzmann method took up to a third longer. The region
without branches has the code that it has in the program without ompc.

Not in two forms: regions with static objects or assembly of their own, which would exist twice; with target constructs,
of which the runtime must know; with directives that define macros; those that are the body of an `if` without braces;
and those that make the only call of a static function, which compilers inline for that reason.

In: the plan, the unit, the text.   Out: the plan with `RegionAsWritten`s, in the order of the text.
Not here: labels, which exist once in a function, and what else a compiler refuses -- render/host/recheck.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ompc.base.options import Level
from ompc.base.source import Location
from ompc.frontend.line_numbers import renumbered
from ompc.frontend.own_files import own_headers, text_of
from ompc.frontend.tokens import Token, tokens
from ompc.ir import tree as t
from ompc.ir.queries import nodes, statements_in, unread_in
from ompc.omp.model import Team
from ompc.plan.model.host_edits import RegionAsWritten
from ompc.plan.model.plan import Plan

AS_WRITTEN = "regions as they are written"
"""Stands in the place of a loop's id where the second forms are given up."""

_PRAGMA = re.compile(r"#\s*pragma\b")
_OPENS = re.compile(r"#\s*if")
_GOES_ON = re.compile(r"#\s*el")
_CLOSES = re.compile(r"#\s*endif\b")
_EXIST_ONCE = frozenset({"static", "asm", "__asm__", "__asm"})
_COUNTER = "__COUNTER__"  # which counts how often it stands in a file
_LOOPS = (t.For, t.While, t.DoWhile)


def with_regions_as_written(plan: Plan, unit: t.Unit, text: str, expanded: str) -> Plan:
    """The plan with the second forms of regions of the main file. `text`: the user's; `expanded`: preprocessed."""
    launched = {region.loop.pragma.loc: region.loop.team for region in plan.on_device}
    teams = {at: team for team in launched.values() if team is not None and (at := _place(team)) is not None}
    if plan.level is not Level.AUTO or not teams or renumbered(text) or _counts(text, unit.file, expanded):
        return plan
    alone = {line.pragma.loc.line for line in plan.target_lines if line.pragma.loc.file == unit.file}
    own = (token for token in tokens(expanded, unit.file) if token.file == unit.file)
    alone |= {token.line for token in own if token.text in _EXIST_ONCE}
    found = []
    for at, team in teams.items():
        region = _region(text, unit.file, at.line) if at.file == unit.file else None
        if region is None or not alone.isdisjoint(range(region.line, region.last_line + 1)) or _is_unlike(team, unit):
            continue
        found.append(replace(region, loops=_launches(team.code, launched)))
    return replace(plan, as_written=tuple(sorted(found, key=lambda region: region.line)))


def _counts(text: str, file: str, expanded: str) -> bool:
    """May a region have a number that becomes another one where it stands twice? So may what a header defines."""
    texts = (text, *(text_of(name) for name in own_headers(expanded, file)))
    return any(each is None or _COUNTER in each for each in texts)


def _place(team: Team) -> Location | None:
    """Where the pragma of the region stands; None: the team is that of another construct, or nobody knows whose."""
    return team.region.loc if team.region is not None and team.region.name == "parallel" else None


def _is_unlike(team: Team, unit: t.Unit) -> bool:
    """Can some of the region not be read, or does it make the only call of a static function?"""
    if unread_in(team.code) is not None:
        return True
    bodies = [function.body for function in unit.functions.values() if function.body is not None]
    calls = Counter(name for body in bodies for name in _calls(body))
    return any(calls[name] < 2 for name in unit.internal.intersection(_calls(team.code)))


def _calls(code: t.Stmt) -> Iterator[str]:
    calls = (node.function for node in nodes(code) if isinstance(node, t.Call))
    return (function.symbol.name for function in calls if isinstance(function, t.Name))


def _launches(code: t.Stmt, launched: Collection[Location]) -> int:
    """How many loops that may be launched a thread comes to in the region; 0: nobody knows."""
    loops = [statement for statement in statements_in(code) if isinstance(statement, _LOOPS)]
    repeated = any(_pragmas_in(loop, launched) for loop in loops)
    return 0 if repeated else len(_pragmas_in(code, launched))


def _pragmas_in(code: t.Stmt, at: Collection[Location]) -> list[t.Pragma]:
    return [each for each in statements_in(code) if isinstance(each, t.Pragma) and each.loc in at]


def _region(text: str, file: str, line: int) -> RegionAsWritten | None:
    """The region whose pragma stands on `line`; None: it does not stand there alone, or its body is no block."""
    found = tokens(text, file)
    at = next((i for i, token in enumerate(found) if token.line == line and token.kind == "directive"), None)
    if at is None or not _follows_statement(found[:at]):
        return None
    start = found[at].start - found[at].column + 1
    end = _end_of_block(found[at + 1 :])
    if end is None or text[start : found[at].start].strip(" \t"):
        return None
    return RegionAsWritten(line, end.line, text[start : end.end])


def _follows_statement(before: Sequence[Token]) -> bool:
    """Is what comes then no part of another statement? Behind an `if`, compilers would wonder whose `else` follows."""
    last = next((token.text for token in reversed(before) if token.kind != "directive"), "")
    return last in ("{", "}", ";")


def _end_of_block(found: Sequence[Token]) -> Token | None:
    """The brace that closes the block at the beginning; None: there is none, or directives in it define something. What
    is chosen among by `#if` opens and closes as many braces as the other choices.
    """
    braces, conditions = 0, list[int]()
    for token in found:
        if token.kind == "directive":
            if _OPENS.match(token.text):
                conditions.append(braces)
            elif conditions and _GOES_ON.match(token.text):
                braces = conditions[-1]
            elif conditions and _CLOSES.match(token.text):
                conditions.pop()
            elif not _PRAGMA.match(token.text):
                return None
        braces += {"{": 1, "}": -1}.get(token.text, 0)
        if braces == 0:
            return token if token.text == "}" and not conditions else None
    return None
