"""Above which pragmas a line can be inserted, in the user's file or in a copy of a header of the user's.

    #pragma ...        on a line of its own: a line above it
    LOOP(i, n) ...     the pragma comes out of a macro that begins the line: the same; recheck.py then makes sure
                       that nothing of the macro's expansion stands in front of the pragma
    #include "sub.h"   a loop in sub.h: the line goes into a copy of it in the folder, which the host text includes
                       instead

Not so: a macro in the middle of a line, one that makes the same pragma twice, text renumbered by #line, and a header
that is not the user's, comes through another one, or is included more than once. Those loops stay on the host (OMPC307,
OMPC342).

In: the plan, the preprocessed original.   Out: `unplaceable` regions with reasons, the `copied_headers`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePath

from ompc.base.diagnostics import CompileError, Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location, file_named
from ompc.frontend.line_numbers import renumbered
from ompc.frontend.preprocess import Preprocessed, read_source
from ompc.frontend.tokens import Token, tokens
from ompc.ir.tree import Pragma
from ompc.omp.without_pragma.added_loops import first_word
from ompc.plan.model.plan import Plan, RegionPlan
from ompc.plan.residency.target_data import REGIONS, TARGET_DATA

_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"([ \d]*)')
_PRAGMA = re.compile(r"\s*#\s*pragma\s+(.*)")
_INCLUDE = re.compile(r'#[ \t]*include[ \t]*("([^"\n]+)")')


@dataclass(frozen=True, slots=True)
class OwnHeader:
    """A header of the user's, `file`, with its text, and the place of its name, in quotes, in the main file."""

    file: str
    text: str
    quoted: str
    line: int
    column: int


def unplaceable(plan: Plan, original: Preprocessed) -> Mapping[str, Reason]:
    """The regions on the device, by id, above whose pragma no line can be inserted.

    TARGET_DATA is one of them: data stays on the device only when every line that it needs can be inserted.
    """
    reasons = ((region, _why_not(region, plan, original)) for region in plan.on_device)
    found = {region.id: reason for region, reason in reasons if reason is not None}
    hidden = next((line.pragma for line in plan.target_lines if not is_plain(line.pragma, original)), None)
    if hidden is not None and (keeps_data(plan) or (plan.part and not plan.keeps_nothing)):
        message = "a target construct does not stand on a line of its own in this file"
        found[TARGET_DATA] = Reason("OMPC342", message, hidden.loc)
    return found


def keeps_data(plan: Plan) -> bool:
    """Does data stay on the device between launches?"""
    return any(line.text not in REGIONS for line in plan.target_lines)


def is_plain(pragma: Pragma, original: Preprocessed) -> bool:
    """Does the pragma stand on a line of its own in the user's file?"""
    if pragma.in_macro or pragma.loc.file != original.file or renumbered(original.source):
        return False
    return pragma.loc.line in _pragma_lines(original.source, original.file)


def copied_headers(plan: Plan, original: Preprocessed) -> tuple[OwnHeader, ...]:
    """The headers that get a line, in the order of their first loop."""
    lost = unplaceable(plan, original)
    files = dict.fromkeys(region.loop.pragma.loc.file for region in plan.on_device if region.id not in lost)
    found = (own_header(original, file) for file in files if file != original.file)
    return tuple(header for header in found if header is not None)


def _why_not(region: RegionPlan, plan: Plan, original: Preprocessed) -> Reason | None:
    at = region.loop.pragma.loc
    header = None if at.file == original.file else own_header(original, at.file)
    if at.file != original.file and header is None:
        message = "the pragma stands in a file that is not included once, by its name, in this one"
        return Reason("OMPC307", message, at)
    text = original.source if header is None else header.text
    if not region.loop.has_line:
        own_line = not renumbered(text) and _begins_with_word(text, at, first_word(region.loop.pragma))
        return None if own_line else Reason("OMPC342", "it does not begin a line in this file", at)
    if not renumbered(text) and at.line in _pragma_lines(text, at.file):
        return None
    if renumbered(text) or not _begins_with_word(text, at):
        return Reason("OMPC342", "its pragma does not stand on a line of its own in this file", at)
    there = _pragmas_of_lines(original.expanded).get((at.file, at.line), ())
    if there.count(_words(region.loop.pragma.spelling)) != 1:
        return Reason("OMPC307", "a macro makes several such pragmas: no line can be inserted above this one", at)
    return None


@lru_cache(maxsize=8)
def _pragma_lines(text: str, file: str) -> frozenset[int]:
    """The lines of the user's file on which only blanks stand before `#pragma`."""
    directives = [token for token in tokens(text, file) if token.kind == "directive"]
    return frozenset(d.line for d in directives if not text[d.start - d.column + 1 : d.start].strip(" \t\ufeff"))


def _begins_with_word(text: str, at: Location, word: str | None = None) -> bool:
    """Does the line begin with `word`, or with any identifier, as the use of a macro, or `_Pragma`, does?"""
    first = _first_tokens(text, at.file).get(at.line)
    return (
        first is not None
        and first.kind == "identifier"
        and word in (None, first.text)
        and not text[first.start - first.column + 1 : first.start].strip()
    )


@lru_cache(maxsize=8)
def _first_tokens(text: str, file: str) -> Mapping[int, Token]:
    found: dict[int, Token] = {}
    for token in tokens(text, file):
        found.setdefault(token.line, token)
    return found


def _words(pragma: str) -> str:
    return " ".join(pragma.split())


@lru_cache(maxsize=8)
def _pragmas_of_lines(expanded: str) -> Mapping[tuple[str, int], Sequence[str]]:
    """The pragmas that the preprocessor gives for each line of each file."""
    file, number = "", 0
    found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for line in expanded.split("\n"):
        if (marker := _MARKER.match(line)) is not None:
            file, number = file_named(marker.group(2)), int(marker.group(1)) - 1
            continue
        number += 1
        if (pragma := _PRAGMA.match(line)) is not None:
            found[file, number].append(_words(pragma.group(1)))
    return found


# ------------------------------------------------------------------------ headers


@lru_cache(maxsize=8)
def own_header(original: Preprocessed, file: str) -> OwnHeader | None:
    """The header, if the main file itself includes it, once, by a name in quotes; None otherwise."""
    if not _entered_once(original, file):
        return None
    found = [
        (token, include)
        for token in tokens(original.source, original.file)
        if token.kind == "directive" and (include := _INCLUDE.match(token.text)) is not None
        if PurePath(file).name == PurePath(include.group(2)).name
    ]
    if len(found) != 1 or renumbered(original.source):
        return None
    try:
        text = read_source(Path(file))
    except CompileError:
        return None
    token, include = found[0]
    return OwnHeader(file, text, include.group(1), token.line, token.column + include.start(1))


def _entered_once(original: Preprocessed, file: str) -> bool:
    """Is `file`, no system header, entered once, and from the main file?"""
    stack, entries = [original.file], []
    for line in original.expanded.split("\n"):
        if (marker := _MARKER.match(line)) is None:
            continue
        name, flags = file_named(marker.group(2)), marker.group(3).split()
        if "1" in flags:
            if name == file:
                entries.append(stack[-1] == original.file and "3" not in flags)
            stack.append(name)
        elif "2" in flags and len(stack) > 1:
            stack.pop()
    return entries == [True]
