"""From the raw record of benchmarks/memory.py to medians, traffic and judged bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.bars import Verdict
from benchmarks.ledger import Flow, parse_ledger
from benchmarks.memory_bars import Measured, Minimum, Traffic
from benchmarks.memory_suite import study_of


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds of one variant: the computing phase (median, fastest, slowest) and the program from start to end."""

    variant: str
    phase: float
    fastest: float
    slowest: float
    whole: float
    runs: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found about one program."""

    name: str
    title: str
    size: str
    times: tuple[Time, ...]
    traffic: Mapping[str, Traffic]
    minimum: Minimum
    verdicts: tuple[Verdict[Measured], ...]


def outcomes(record: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """One for each program of a record made by benchmarks/memory.py, in its order."""
    return tuple(
        _outcome(program, record["target"] == "cuda" and record["sizes"] == "full") for program in record["programs"]
    )


def _outcome(program: Mapping[str, Any], is_for_speed: bool) -> Outcome:
    good = {name: variant["runs"] for name, variant in program["variants"].items() if not variant["problem"]}
    times = tuple(time for name, runs in good.items() if (time := _time(name, runs)) is not None)
    traffic = {name: found for name, runs in good.items() if (found := _traffic(runs)) is not None}
    minimum = Minimum(**program["minimum"])
    measured = Measured({time.variant: time.phase for time in times}, traffic, minimum)
    verdicts = tuple(
        Verdict(bar, bar.value(measured), is_for_speed or not bar.of_time) for bar in study_of(program["name"]).all_bars
    )
    return Outcome(program["name"], program["title"], program["size"]["label"], times, traffic, minimum, verdicts)


def _time(variant: str, runs: list[Mapping[str, Any]]) -> Time | None:
    phases = [run["own_seconds"] for run in runs if run["round"] >= 0]
    if not phases:
        return None
    whole = median(run["whole_seconds"] for run in runs if run["round"] >= 0)
    return Time(variant, median(phases), min(phases), max(phases), whole, len(phases))


def _traffic(runs: list[Mapping[str, Any]]) -> Traffic | None:
    """By the ledger, or by what a program written by hand has said about itself."""
    for run in runs:
        if "ledger" in run:
            ledger = parse_ledger(run["ledger"])
            return Traffic(ledger.to_device, ledger.to_host)
        if "moved" in run:
            seconds = run["copying_seconds"] or (0.0, 0.0)
            return Traffic(*(Flow(moved, taken) for moved, taken in zip(run["moved"], seconds, strict=True)))
    return None
