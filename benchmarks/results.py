"""The figure as numbers: from the raw record of a measurement to groups of bars.

bar = the run with the median whole, in four parts; divided by the whole of the program's baseline bar
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.ledger import Split, median_run, parse_ledger


@dataclass(frozen=True, slots=True)
class Bar:
    """One program at one level: the median run in seconds, the fastest and slowest whole; or why there is none."""

    level: str
    median: Split | None
    fastest: float = 0.0
    slowest: float = 0.0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """The original OpenMPC's seconds by kind of flags at `size`, and those of 16 host cores.

    `same_size`: is that the size of the figure?
    """

    size: str
    same_size: bool
    seconds: Mapping[str, float]
    host_seconds: float


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of one program, what gcc -fopenmp takes on the host, and what OpenMPC took."""

    title: str
    size: str
    bars: tuple[Bar, ...]
    host_seconds: float | None
    reference: Reference | None

    @property
    def unit(self) -> float | None:
        """The seconds that are 1 in the figure: the baseline's, None where it was not measured."""
        return next((bar.median.whole for bar in self.bars if bar.level == "baseline" and bar.median), None)

    def normalised(self, bar: Bar) -> Split | None:
        """The parts of a bar with the baseline's whole as 1; None where either is missing."""
        return bar.median.over(self.unit) if bar.median and self.unit else None


def groups(record: Mapping[str, Any]) -> tuple[Group, ...]:
    """The groups of bars of a record made by benchmarks/fig16.py, in its order."""
    return tuple(_group(program) for program in record["programs"])


def problems(record: Mapping[str, Any]) -> list[str]:
    """Every measurement that failed, one text each: program, variant, why."""
    return [
        f"{program['name']}, {name}: {variant['problem']}"
        for program in record["programs"]
        for name, variant in program["variants"].items()
        if variant["problem"]
    ]


def _group(program: Mapping[str, Any]) -> Group:
    variants = program["variants"]
    host = [run["own_seconds"] for run in variants.get("host", {"runs": []})["runs"] if run["own_seconds"] is not None]
    reference = program["openmpc"]
    return Group(
        title=program["title"],
        size=program["size"]["label"],
        bars=tuple(_bar(level, variant) for level, variant in variants.items() if level != "host"),
        host_seconds=median(host) if host else None,
        reference=Reference(**reference) if reference else None,
    )


def _bar(level: str, variant: Mapping[str, Any]) -> Bar:
    if variant["problem"] or not variant["runs"]:
        return Bar(level, None, problem=variant["problem"] or "not measured")
    splits = [parse_ledger(run["ledger"]).split for run in variant["runs"]]
    wholes = [split.whole for split in splits]
    return Bar(level, median_run(splits), min(wholes), max(wholes))
