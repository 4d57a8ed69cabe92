"""`ompc explain FILE:LINE`, and `--all`: all that the report has of a loop, for people.

    jacobi.c:99  solve  parallel for: on the GPU, proved
      Proved:     no two iterations touch the same element
      Launch:     (n - 2) x (m - 2) iterations; a grid of 2 dimensions; blocks of up
                  to 256 threads; reductions: error by +
      Last bits:  may differ: threads each have a part of the reduction `error`
                  (jacobi.c:104)

      uold: double [200][200], 320000 bytes, read
        Lives in:     readonly
        Host buffer:  host_register
        Copied in:    whole object, before the first launch that uses it: no host
                      code writes it
        Because:      only read, not constant: lanes of a warp read different elements

      n, m: parameter: only read: passed by value

What holds for several variables alike is said once.

In: the report (schema 1; see `Translation.report`), which may lack keys or have new ones; advice by code
(`ompc.base.resources.advice`).   Out: lines.   Not here: the sentences -- explain.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ompc.base.diagnostics import TITLES
from ompc.base.frozen import dataclass
from ompc.base.resources import advice
from ompc.tools.explain import (
    Record,
    Standing,
    fusion_words,
    last_bits_words,
    launch_words,
    place_of,
    promised_of,
    records,
    refusal_words,
    refusals,
    shown,
    standing,
    version_words,
    with_places,
)
from ompc.tools.wrapping import EMPTY, Line, Style, labelled, wrapped

_WITHOUT_MEMORY = {"parameter", "register"}
"""Placements of variables that need no part of their own: nothing about them differs but the name."""
_COLUMN, _VARIABLE_COLUMN = 12, 14

STYLES = {
    Standing.HOST: Style.HOST,
    Standing.PROMISED: Style.PROMISED,
    Standing.CHECKED: Style.PROVED,
    Standing.PROVED: Style.PROVED,
    Standing.GPU: Style.PROVED,
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a loop is on the host. `help`: what the message itself proposes; None: see what its code advises."""

    code: str
    words: str
    help: str | None = None

    @property
    def todo(self) -> str | None:
        found = self.help or advice(self.code)
        return None if found is None else without_links(found)

    @property
    def title(self) -> str:
        return f"{self.code}: {TITLES[self.code]}" if self.code in TITLES else self.code


def explanation(report: Record, regions: Iterable[Record], width: int) -> Iterator[Line]:
    """Each of these loops of the report in full."""
    for number, region in enumerate(regions):
        if number:
            yield EMPTY
        yield from _loop(region, report.get("source"), width)


def _loop(region: Record, source: object, width: int) -> Iterator[Line]:
    found = standing(region)
    named = f"{place_of(region, source)}  {shown(region.get('function'))}  {shown(region.get('directive'))}"
    yield from wrapped(f"{named}: {found.value}", width, hang=2, style=STYLES[found])
    for label, words in _facts(region, shown(region.get("file") or source)):
        yield from labelled(label, words, width, 2, _COLUMN)
    yield from _variables(records(region.get("variables")), width)


def _facts(region: Record, file: str) -> Iterator[tuple[str, str]]:
    """What is said of the loop as a whole, each with its label."""
    reasons = reasons_of(region, file)
    for reason in reasons:
        yield "Because:", f"{reason.words} [{reason.code}]"
        if reason.todo is not None:
            yield "What to do:", reason.todo
    if reasons:
        return
    for refusal in refusals(region):
        yield "Note:", refusal_words(refusal)
    yield from ((label, with_places(words, file)) for label, words in _rests(region.get("independence")))
    yield "Launch:", with_places(launch_words(region.get("launch")), file)
    for words in (*version_words(region), *fusion_words(region)):
        yield "Also:", with_places(words, file)
    for words in last_bits_words(region):
        yield "Last bits:", with_places(words.removeprefix("Last bits "), file)


def _rests(found: object) -> Iterator[tuple[str, str]]:
    """On what it rests that iterations run at the same time: the pairs of accesses each on a line of their own."""
    if not isinstance(found, Mapping):
        return
    accesses, others = promised_of(found)
    if accesses or others:
        yield "Promised:", "by the pragma alone: two iterations may touch the same element, as far as ompc knows, by"
        yield from (("", f"- {words}") for words in (*accesses, *others))
    else:
        yield f"{shown(found.get('state')).capitalize()}:", shown(found.get("because"))
    checks = records(found.get("checks"))
    for number, check in enumerate(checks):
        code = "" if check.get("code") is None else f" [{shown(check.get('code'))}]"
        yield "" if number else "Checked:", f"- at each launch: {shown(check.get('what'))}{code}"


def reasons_of(region: Record, file: str) -> list[Reason]:
    """Why the loop is on the host, each reason with its place; none: it is on the GPU."""
    races = records(region.get("races"))
    if races:
        return [_race(race, file) for race in races]
    reason = region.get("reason")
    if isinstance(reason, Mapping):
        return [reason_in(reason, file, region.get("line"))]
    certain = [refusal for refusal in refusals(region) if refusal.get("certain")]
    return [Reason(shown(refusal.get("code")), _refused(refusal)) for refusal in certain]


def _race(race: Record, file: str) -> Reason:
    words = shown(race.get("message")).removesuffix("; the loop stays on the host")
    return Reason(shown(race.get("code")), with_places(words, file), shown(race.get("help")))


def reason_in(reason: Record, file: str, line: object = None) -> Reason:
    """A reason of the report; `line`: of the loop, to whose text it belongs where it names no other place."""
    at = reason.get("at")
    place = f"{shown(at.get('file'))}:{shown(at.get('line'))}" if isinstance(at, Mapping) else None
    if place is None and (reason.get("line") or line):
        place = f"{file}:{reason.get('line') or line}"
    where = f" ({place})" if place else ""
    return Reason(shown(reason.get("code")), shown(reason.get("message")) + where)


def _refused(refusal: Record) -> str:
    place = f" ({shown(refusal.get('file'))}:{shown(refusal.get('line'))})" if refusal.get("line") else ""
    return f"refused at run time: {shown(refusal.get('what'))}{place}"


def without_links(markdown: str) -> str:
    """Advice as text: links lead to ompc's documents."""
    return re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", markdown)


# ------------------------------------------------------------------------ variables


def _variables(variables: Sequence[Record], width: int) -> Iterator[Line]:
    """Arrays that are alike in all but their names together; then what lives in registers and parameters."""
    arrays: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    others: dict[str, list[str]] = {}
    for variable in variables:
        name = shown(variable.get("name"))
        if variable.get("placement") in _WITHOUT_MEMORY and not records(variable.get("crossings")):
            reason = f"{shown(variable.get('placement'))}: {shown(variable.get('because'))}"
            others.setdefault(reason, []).append(name)
        else:
            arrays.setdefault(tuple(_array(variable)), []).append(name)
    for (head, *facts), names in arrays.items():
        yield EMPTY
        yield from wrapped(f"{', '.join(names)}: {head[0]}", width, 2, 4, Style.TITLE)
        for label, words in facts:
            yield from labelled(label, words, width, 4, _VARIABLE_COLUMN)
    if others:
        yield EMPTY
    for reason, names in others.items():
        yield from wrapped(f"{', '.join(names)}: {reason}", width, 2, 4)


def _array(variable: Record) -> Iterator[tuple[str, ...]]:
    """What it is; then what is said of it, each with its label. Facts that nobody knows are left out."""
    size = "" if variable.get("bytes") is None else f"{shown(variable.get('bytes'))} bytes"
    yield (", ".join(filter(None, (shown(variable.get("type")), size, shown(variable.get("access"))))),)
    for label, key in (("Lives in:", "placement"), ("Host buffer:", "host_buffer")):
        if variable.get(key) is not None:
            yield label, shown(variable.get(key))
    for label, way in (("Copied in:", "in"), ("Copied out:", "out")):
        yield from ((label, words) for words in _copies(variable, way))
    yield "Because:", shown(variable.get("because"))


def _copies(variable: Record, way: str) -> Iterator[str]:
    """What crosses this way, when, and because of which host code."""
    what = variable.get(f"transfer_{way}")
    size = f", {shown(variable.get('bytes'))} bytes"
    part = [] if what is None else [shown(what).removesuffix(size)]
    crossings = [crossing for crossing in records(variable.get("crossings")) if crossing.get("way") == way]
    for crossing in crossings:
        when, because = shown(crossing.get("when")), shown(crossing.get("because"))
        moved = [] if when == "never" else part
        yield f"{', '.join((*moved, when))}: {because}"
    if part and not crossings:
        yield part[0]
