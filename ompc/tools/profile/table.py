"""A profile as text for people.

    jacobi: 1.23 s on NVIDIA H200, 200 launches
    3 parallel loops: 3 translated, 2 reached, 2 launched

    Time                                          Seconds      Part
    kernels                                        512 ms    41.6 %
    ...
    all                                            1.23 s   100.0 %

    Loop, array                   Launches   Kernels   To the device                        To the host
    jacobi.c:41 parallel for           100   12.3 ms   64.0 MB in 1.16 ms (2 x, 55.1 GB/s)  ...
      u                                                32.0 MB in 0.58 ms (1 x, 55.1 GB/s)  -

    Not copied                   To        Bytes     Because it was
    ...
    Waits                        For         Times   Time
    ...

Parts of the time add up: of things that went on at once the first in the list has it (docs/profile.md).

In: `Profile`, and how long the whole process took.   Out: text.   Not here: printing it -- cli/.
"""

from __future__ import annotations

import io
from collections.abc import Collection

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ompc.base.frozen import dataclass
from ompc.tools.profile.bound import Bound, bound_of
from ompc.tools.profile.ledger import Copies, Profile, RegionProfile, Traffic

PART_WORDS = {
    "kernel": "kernels",
    "h2d": "copies to the device, not under a kernel",
    "d2h": "copies to the host, not under a kernel",
    "init": "starting the device",
    "page_lock": "page-locking memory",
    "wait": "waiting, with an idle device",
    "launch": "launching: finding blocks, allocating",
    "host": "the rest: the program's own code",
}
_TO_HOST = {"not read by the host"}
"""The reasons that are about copies to the host; all others are about copies to the device."""
_DIRECTIVE_WIDTH = 48


@dataclass(frozen=True, slots=True)
class Loops:
    """Of the program's text: how many parallel loops there are, and how many of them are for the device."""

    all: int
    translated: int


def format_profile(profile: Profile, program: str, elapsed: float | None = None, loops: Loops | None = None) -> str:
    """`elapsed`: seconds from the start of the process to its end; `loops` of its sources; where they are known."""
    found = bound_of(profile)
    least = "" if found is None else f"\n{text_of(_bound(found))}{_largest(found)}"
    tables = [_regions(profile), _avoided(profile), _waits(profile)]
    shown = [table for table in tables if table.row_count]
    head = f"{_headline(profile, program)}{_loops(profile, loops)}\n{text_of(_time(profile, elapsed))}{least}"
    return head + "".join(f"\n{text_of(table)}" for table in shown)


def _headline(profile: Profile, program: str) -> str:
    where = profile.device or "no device"
    launches = profile.launches
    if profile.no_device:
        reached = f"loops that are for the GPU were reached {_times(launches.refused + launches.kept)}"
        return f"{program}: {duration(profile.wall_seconds)} on the host, since {profile.no_device}; {reached}\n"
    refused = f", {_times(launches.refused)} refused" if launches.refused else ""
    kept = f", {_times(launches.kept)} faster on the host" if launches.kept else ""
    return f"{program}: {duration(profile.wall_seconds)} on {where}, {launches.count:,} launches{refused}{kept}\n"


def _loops(profile: Profile, loops: Loops | None) -> str:
    """What became of the loops: those of the text, those that the run came to, those of which there was a launch."""
    reached, launched = profile.reached, profile.launched
    if loops is None:
        return f"{reached} {_loops_word(reached)} reached, {launched} launched\n" if reached else ""
    told = f"{loops.translated} translated, {reached} reached, {launched} launched"
    return f"{loops.all} parallel {_loops_word(loops.all)}: {told}\n"


def _loops_word(count: int) -> str:
    return "loop" if count == 1 else "loops"


def _time(profile: Profile, elapsed: float | None) -> Table:
    table = table_of("Time", "Seconds", "Part", numbers=(1, 2))
    whole = profile.wall_seconds if elapsed is None else max(elapsed, profile.wall_seconds)
    rows = [(text, profile.parts[part]) for part, text in PART_WORDS.items()]
    if elapsed is not None:
        rows.append(("before main and after the last handler", whole - profile.wall_seconds))
    for text, seconds in rows:
        if seconds > 0:
            table.add_row(text, duration(seconds), _share(seconds, whole))
    table.add_row("all", duration(whole), _share(whole, whole))
    return table


def _bound(found: Bound) -> Table:
    table = table_of("The same", "Seconds", "At least", numbers=(1, 2))
    for part in (*found.parts, found.whole):
        if part.took > 0:
            table.add_row(part.what, duration(part.took), duration(part.least))
    return table


def _largest(found: Bound) -> str:
    part = found.largest
    if part is None:
        return ""
    by = f" by {part.limit}" if part.least > 0 else ""
    return f"Most to be won: {part.what}: {duration(part.took)}, at least {duration(part.least)}{by}\n"


def _regions(profile: Profile) -> Table:
    table = table_of("Loop, array", "Launches", "Kernels", "To the device", "To the host", numbers=(1, 2))
    for region in profile.regions:
        launches = region.launches
        others = [(launches.refused, "refused"), (launches.kept, "kept on the host")]
        if profile.no_device:
            others = [(launches.refused + launches.kept, "on the host")]
        count = " + ".join([f"{launches.count:,}", *(f"{times:,} {word}" for times, word in others if times)])
        table.add_row(_title(region), count, duration(launches.kernel_seconds), *_both_ways(region.traffic))
        for array in region.arrays:
            table.add_row(f"  {array.name}", "", "", *_both_ways(array.traffic))
    if len(profile.regions) > 1:
        launches = profile.launches
        all_ways = _both_ways(profile.traffic)
        table.add_row("all", f"{launches.count:,}", duration(launches.kernel_seconds), *all_ways)
    return table


def _title(region: RegionProfile) -> str:
    words = region.directive
    shown = words if len(words) <= _DIRECTIVE_WIDTH else words[: _DIRECTIVE_WIDTH - 1] + "…"
    return f"{region.place} {shown}"


def _both_ways(traffic: Traffic) -> tuple[str, str]:
    return _copies(traffic.to_device), _copies(traffic.to_host)


def _copies(copies: Copies) -> str:
    if not copies.count:
        return "-"
    rate = f", {size(copies.bandwidth)}/s" if copies.bandwidth is not None else ""
    return f"{size(copies.bytes)} in {duration(copies.seconds)} ({copies.count:,} x{rate})"


def _avoided(profile: Profile) -> Table:
    table = table_of("Not copied", "To the", "Bytes", "Because it was", numbers=(2,))
    for region in profile.regions:
        for array in region.arrays:
            for why, count in array.traffic.avoided.items():
                table.add_row(f"{region.place} {array.name}", _way(why), size(count), why)
    if table.row_count > 1:
        for why, count in profile.traffic.avoided.items():
            table.add_row("all", _way(why), size(count), why)
    return table


def _way(why: str) -> str:
    return "host" if why in _TO_HOST else "device"


def _waits(profile: Profile) -> Table:
    """Waits of a region that are no array's are those of its launches."""
    table = table_of("Waits of the host", "For", "Times", "Time", numbers=(2, 3))
    for region in profile.regions:
        for why, all_waits in region.traffic.waits.items():
            own = [(array.name, wait) for array in region.arrays if (wait := array.traffic.waits.get(why))]
            for name, wait in own:
                table.add_row(f"{region.place} {name}", why, f"{wait.count:,}", duration(wait.seconds))
            count = all_waits.count - sum(wait.count for _, wait in own)
            seconds = all_waits.seconds - sum(wait.seconds for _, wait in own)
            if count:
                table.add_row(region.place, why, f"{count:,}", duration(seconds))
    if table.row_count > 1:
        waits = profile.traffic.waits.values()
        table.add_row("all", "", f"{sum(w.count for w in waits):,}", duration(sum(w.seconds for w in waits)))
    return table


def duration(seconds: float) -> str:
    """Three digits and a unit: 1.23 s, 45.6 ms, 0.12 us."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.9995 * scale:
            return f"{_three_digits(seconds / scale)} {unit}"
    return f"{_three_digits(seconds * 1e6)} us" if seconds > 0 else "0"


def size(count: float) -> str:
    """Three digits and a decimal unit: 640 B, 64.0 MB."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * scale:
            return f"{_three_digits(count / scale)} {unit}"
    return f"{count:.0f} B"


def _three_digits(value: float) -> str:
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def _share(seconds: float, whole: float) -> str:
    return f"{100 * seconds / whole:.1f} %" if whole > 0 else "-"


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{count:,} times"


def table_of(*titles: str, numbers: Collection[int] = ()) -> Table:
    """An empty one without lines; the columns at the places `numbers` are aligned to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for place, title in enumerate(titles):
        table.add_column(Text(title), justify="right" if place in numbers else "left", no_wrap=True)
    return table


def text_of(table: Table) -> str:
    """Of any width, plain: brackets in names mean nothing."""
    stream = io.StringIO()
    Console(
        file=stream,
        width=100_000,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
        highlight=False,
        markup=False,
    ).print(table)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())
