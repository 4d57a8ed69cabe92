"""`ompc explain`: where the loops of a program run, the host's first, each with what can be done about it.

    shallow_water.c: 7 parallel loops, 6 on the GPU, 1 on the host (--opt auto)

    On the host: 1
      OMPC322: a function pointer
        shallow_water.c:252  apply_friction  parallel for
          calls through the function pointer 'p->friction' (shallow_water.c:260)
        What to do: Call the function by its name, with a `switch` where there are
        several.

    On the GPU because the pragma promises that iterations are independent: 4
      ompc could not prove it: as far as it knows, two iterations may touch the same
      element of these arrays.
        shallow_water.c:162  boundaries  parallel for
          g->h (shallow_water.c:164, 167), g->hu (shallow_water.c:165, 168)

    On the GPU, proved independent: 2
      shallow_water.c:189  time_step  g->nx x g->ny iterations
      shallow_water.c:285  volume     g->nx x g->ny iterations

In: the reports of a program's files (schema 1; see `Translation.report`).   Out: lines.
Not here: a loop in full -- explanation.py; the sentences -- explain.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ompc.base.frozen import dataclass
from ompc.tools.explain import (
    Record,
    Standing,
    launch_words,
    place_of,
    promised_of,
    records,
    refusal_words,
    refusals,
    shown,
    standing,
    with_places,
)
from ompc.tools.explanation import STYLES, Reason, explanation, reason_in, reasons_of
from ompc.tools.wrapping import EMPTY, Line, Style, wrapped

MOST_PROMISES = 3
"""The most promises of other kinds than "these two may be the same element" that are told of a loop."""
_ADDED = "no pragma"
_UNIT = " iterations"
_ARRAY, _LINE = re.compile(r"`([^`[]+)"), re.compile(r"line (\d+)")


@dataclass(frozen=True, slots=True)
class Loop:
    """One parallel loop; `file`: that it stands in."""

    region: Record
    file: str
    place: str
    standing: Standing

    @property
    def is_added(self) -> bool:
        """Has it no pragma, and ompc launches it all the same?"""
        return self.region.get("directive") == _ADDED

    @property
    def function(self) -> str:
        return shown(self.region.get("function"))


def loops_of(reports: Iterable[Record]) -> list[Loop]:
    """Each loop once: a header that several files include has its loops in all of their reports."""
    found: dict[str, Loop] = {}
    for report in reports:
        for region in records(report.get("regions")):
            file = shown(region.get("file") or report.get("source"))
            loop = Loop(region, file, place_of(region, report.get("source")), standing(region))
            found.setdefault(f"{loop.place} {shown(region.get('id'))}", loop)
    return list(found.values())


def overview(reports: Sequence[Record], width: int) -> list[Line]:
    """The whole of it, without what may be asked for next."""
    loops = loops_of(reports)
    found = list(headline(reports, width))
    own = [loop for loop in loops if not loop.is_added]
    by_standing = {each: [loop for loop in own if loop.standing is each] for each in Standing}
    if by_standing[Standing.HOST]:
        found += _host(by_standing[Standing.HOST], width)
    if by_standing[Standing.PROMISED]:
        found += _promised(by_standing[Standing.PROMISED], width)
    for each, title in _OTHERS.items():
        if by_standing[each]:
            found += _listed(title, by_standing[each], width)
    if added := [loop for loop in loops if loop.is_added]:
        found += _listed("Without a pragma, added by ompc since their data is on the GPU", added, width)
    return found + _last_bits(loops, width)


def _last_bits(loops: Sequence[Loop], width: int) -> list[Line]:
    """The loops whose floating-point results may differ from the host's in their last bits."""
    by_file: dict[str, list[int]] = {}
    for loop in loops:
        line = loop.region.get("line")
        if loop.standing is not Standing.HOST and records(loop.region.get("last_bits")) and isinstance(line, int):
            by_file.setdefault(loop.file, []).append(line)
    if not by_file:
        return []
    places = "; ".join(places_of(file, lines) for file, lines in by_file.items())
    said = f"Floating-point results may differ from the host's in their last bits: {places} (docs/limits.md)."
    return [EMPTY, *wrapped(said, width, hang=2)]


def in_full(reports: Sequence[Record], width: int) -> list[Line]:
    """Every loop with all that the reports have of it."""
    found = list(headline(reports, width))
    for report in reports:
        if regions := records(report.get("regions")):
            found += [EMPTY, *explanation(report, regions, width)]
    return found


_OTHERS = {
    Standing.CHECKED: "On the GPU, proved independent but for what each launch checks",
    Standing.PROVED: "On the GPU, proved independent",
    Standing.GPU: "On the GPU",
}


def headline(reports: Sequence[Record], width: int) -> Iterator[Line]:
    """How many loops run where; files that cannot be read, with the reason."""
    loops = [loop for loop in loops_of(reports) if not loop.is_added]
    added = len(loops_of(reports)) - len(loops)
    on_host = sum(loop.standing is Standing.HOST for loop in loops)
    counted = "1 parallel loop" if len(loops) == 1 else f"{len(loops) or 'no'} parallel loops"
    where = f", {len(loops) - on_host} on the GPU, {on_host} on the host" if loops else ""
    more = f"; {added} more without a pragma, added by ompc" if added else ""
    level = shown(reports[0].get("opt")) if reports else "-"
    broken = [report for report in reports if isinstance(report.get("problem"), Mapping)]
    if len(broken) < len(reports) or not reports:
        of = shown(reports[0].get("source")) if len(reports) == 1 else f"{len(reports)} files"
        yield from wrapped(f"{of}: {counted}{where}{more} (--opt {level})", width, hang=2, style=Style.TITLE)
    for report in broken:
        yield from _unreadable(report, width)


def _unreadable(report: Record, width: int) -> Iterator[Line]:
    problem, source = report.get("problem"), shown(report.get("source"))
    if not isinstance(problem, Mapping):
        return
    pragmas = problem.get("pragmas")
    has = f", and has {pragmas} parallel pragma{'' if pragmas == 1 else 's'}" if pragmas else ""
    yield from wrapped(f"{source}: the file cannot be read{has}", width, hang=2, style=Style.HOST)
    reason = reason_in(problem, source)
    yield from wrapped(f"{reason.words} [{reason.code}]", width, 2)
    yield from _todo(reason, width, 2)


def _todo(reason: Reason, width: int, indent: int) -> list[Line]:
    return [] if reason.todo is None else wrapped(f"What to do: {reason.todo}", width, indent)


def _title(words: str, loops: Sequence[Loop], width: int, style: Style) -> list[Line]:
    return [EMPTY, *wrapped(f"{words}: {len(loops)}", width, hang=2, style=style)]


# ------------------------------------------------------------------------ the host's


def _host(loops: Sequence[Loop], width: int) -> Iterator[Line]:
    """By the code of the first reason: what can be done is said once for all loops that have it."""
    yield from _title("On the host", loops, width, Style.HOST)
    by_code: dict[str, list[tuple[Loop, list[Reason]]]] = {}
    for loop in loops:
        reasons = reasons_of(loop.region, loop.file) or [Reason("-", "the report does not say why")]
        by_code.setdefault(reasons[0].title, []).append((loop, reasons))
    for number, (title, found) in enumerate(by_code.items()):
        if number:
            yield EMPTY
        yield from wrapped(title, width, 2, 4)
        for loop, reasons in found:
            yield from _named(loop, width, 4)
            for reason in reasons:
                other = f" [{reason.code}]" if reason.code != reasons[0].code else ""
                yield from wrapped(reason.words + other, width, 6)
                yield from _todo(reason, width, 6) if reason.help else ()
        first = found[0][1][0]
        yield from () if first.help else _todo(first, width, 4)


def _named(loop: Loop, width: int, indent: int) -> list[Line]:
    directive = shown(loop.region.get("directive"))
    return wrapped(f"{loop.place}  {loop.function}  {directive}", width, indent, indent + 2, Style.TITLE)


# ------------------------------------------------------------------------ the GPU's


def _promised(loops: Sequence[Loop], width: int) -> Iterator[Line]:
    title = "On the GPU because the pragma promises that iterations are independent"
    yield from _title(title, loops, width, Style.PROMISED)
    says = "ompc could not prove it: as far as it knows, two iterations may touch the same element of these arrays."
    yield from wrapped(says, width, 2)
    for loop in loops:
        yield from _named(loop, width, 4)
        yield from _refusals(loop, width)
        for words in _promises(loop):
            yield from wrapped(words, width, 6, 8)
    todo = (
        "Nothing where you know that iterations are independent. To test it, run the program with "
        "OMPC_VERIFY=1: each loop then runs on the host as well, and the results are compared (docs/debugging.md)."
    )
    yield from wrapped(f"What to do: {todo}", width, 2)


def _promises(loop: Loop) -> Iterator[str]:
    """The arrays that the pairs of accesses are in, each with its places; then what is promised beyond that."""
    accesses, others = promised_of(loop.region.get("independence"))
    by_array: dict[str, set[int]] = {}
    for access in accesses:
        array, line = _ARRAY.search(access), _LINE.search(access)
        if array is None or line is None:
            others.append(access)
        else:
            by_array.setdefault(array[1], set()).add(int(line[1]))
    arrays = [f"{name} ({places_of(loop.file, lines)})" for name, lines in by_array.items()]
    yield from filter(None, [", ".join(arrays)])
    yield from (with_places(words, loop.file) for words in others[:MOST_PROMISES])
    if len(others) > MOST_PROMISES:
        yield f"and {len(others) - MOST_PROMISES} more"


def places_of(file: str, lines: Iterable[int]) -> str:
    return f"{file}:{', '.join(map(str, sorted(set(lines))))}"


def _refusals(loop: Loop, width: int) -> Iterator[Line]:
    for refusal in refusals(loop.region):
        yield from wrapped(refusal_words(refusal), width, 6, 8)


def _listed(title: str, loops: Sequence[Loop], width: int) -> Iterator[Line]:
    """A line for each loop, in columns where they fit."""
    yield from _title(title, loops, width, STYLES[loops[0].standing])
    if loops[0].standing is Standing.CHECKED:
        yield from wrapped("Where a check fails, the host runs the loop that time.", width, 2)
    place, function = max(len(loop.place) for loop in loops), max(len(loop.function) for loop in loops)
    for loop in loops:
        does = _iterations(loop.region)
        room = f"  {loop.place.ljust(place)}  {loop.function.ljust(function)}  {does}".rstrip()
        tight = f"  {loop.place}  {loop.function}  {does}".rstrip()
        fits = [row for row in (room, room.removesuffix(_UNIT), tight, tight.removesuffix(_UNIT)) if len(row) <= width]
        yield from [Line(fits[0])] if fits else wrapped(tight.strip(), width, 2, 6)
        yield from _refusals(loop, width)


def _iterations(region: Record) -> str:
    launch = region.get("launch")
    found = launch if isinstance(launch, Mapping) else {}
    if found.get("chain") is not None:
        return "a chain of loops and statements"
    return "" if found.get("iterations") is None else launch_words({"iterations": found.get("iterations")})
