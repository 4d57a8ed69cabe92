"""The figure as a table of text, one line per program and level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.results import Bar, Group, Reference, groups, problems

HEADINGS = ("program", "level", "to device", "kernel", "from device", "other", "whole", "min to max", "baseline = 1")


def duration(seconds: float) -> str:
    """Three significant digits with a unit: 1.33 ms."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale * 0.9995:
            return f"{_digits(seconds / scale)} {unit}"
    return f"{_digits(seconds * 1e6)} us"


def table(record: Mapping[str, Any]) -> str:
    """The record of a measurement as text: the levels in four parts, the host, the original OpenMPC, the problems."""
    rows = [row for group in groups(record) for row in _rows(group)]
    lines = [*aligned([HEADINGS, *rows]), "", "original OpenMPC: " + record["openmpc"]["source"]]
    return "\n".join([*lines, *(f"FAILED {problem}" for problem in problems(record))])


def _rows(group: Group) -> Iterator[tuple[str, ...]]:
    """The first line carries the program's title, the second its size."""
    heads = iter((group.title, f"  {group.size}"))
    for bar in group.bars:
        yield (next(heads, ""), bar.level, *_cells(group, bar))
    if group.host_seconds is not None:
        yield (next(heads, ""), "gcc -fopenmp, here", *_undivided(group, group.host_seconds))
    if group.reference:
        yield from _reference_rows(group, group.reference, heads)


def _reference_rows(group: Group, reference: Reference, heads: Iterator[str]) -> Iterator[tuple[str, ...]]:
    """OpenMPC at another size than the figure's gets no ratio, but that size."""
    where = "" if reference.same_size else f": {reference.size}"
    for flags, seconds in {**reference.seconds, "16 host cores": reference.host_seconds}.items():
        name = f"OpenMPC {flags}" if flags in reference.seconds else flags
        yield (next(heads, ""), name + where, *_undivided(group, seconds, reference.same_size))


def _cells(group: Group, bar: Bar) -> tuple[str, ...]:
    if bar.median is None:
        return ("", "", "", "", "failed", "", "")
    whole = bar.median.whole
    parts = tuple(duration(part) for part in bar.median.parts())
    return (*parts, duration(whole), f"{duration(bar.fastest)} to {duration(bar.slowest)}", _ratio(group, whole))


def _undivided(group: Group, seconds: float, comparable: bool = True) -> tuple[str, ...]:
    return ("", "", "", "", duration(seconds), "", _ratio(group, seconds) if comparable else "")


def _ratio(group: Group, seconds: float) -> str:
    return f"{seconds / group.unit:.3f}" if group.unit else ""


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Columns as wide as their widest cell, names to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    align = (str.ljust, str.ljust, *[str.rjust] * (len(widths) - 2))
    return [
        "  ".join(put(cell, width) for put, cell, width in zip(align, row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _digits(value: float) -> str:
    """Three significant digits without an exponent, at most three places; 0 as 0."""
    if value == 0:
        return "0"
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"
