"""From the raw record of benchmarks/kernels.py to rates, ratios and judged bars.

kernel time    the fastest of the runs with a ledger (by hand: with events), divided by the repetitions; of the host
               and of other compilers the fastest repetition by the clock
phase          the median of the runs without
speed          the hand-written version's time divided by the variant's: 1 is as fast, more is faster
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median
from typing import Any

from benchmarks.bars import Bar, Verdict
from benchmarks.kernels_model import GIGABYTES, Kernel, Work
from benchmarks.kernels_suite import kernel_of
from benchmarks.suite import CHOOSING, HOST

HANDWRITTEN = "handwritten"
REFERENCE = "H200"
"""The device of which rates that are to be reached, and rates of others, are known."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a device: GB/s of copies in its memory, bytes read and written; TFLOP/s without tensor cores."""

    memory: float
    floats: float
    doubles: float

    def in_unit(self, unit: str, is_double: bool) -> float:
        """The one that limits a rate in this unit."""
        if unit == GIGABYTES:
            return self.memory
        return self.doubles if is_double else self.floats


LIMITS = {REFERENCE: Limits(4295.0, 67.0, 33.5)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found about one program: seconds of one repetition's kernels and of the phase, by variant.

    `by_hand`: the same of the version that it is compared with.
    """

    kernel: Kernel
    label: str
    work: Work
    repetitions: int
    kernels: Mapping[str, float]
    phases: Mapping[str, float]
    by_hand: tuple[float | None, float | None]

    def rate(self, variant: str) -> float | None:
        """In the program's unit."""
        seconds = self.kernels.get(variant)
        return self.work.in_unit(self.kernel.unit) / seconds if seconds else None

    def speed(self, variant: str) -> float | None:
        """Of the kernels, over the hand-written version's."""
        return _over(self.by_hand[0], self.kernels.get(variant))

    def phase_speed(self, variant: str) -> float | None:
        """Of the computing phase."""
        return _over(self.by_hand[1], self.phases.get(variant))

    @property
    def title(self) -> str:
        """The program and its size."""
        return f"{self.kernel.program.title}, {self.label}"


@dataclass(frozen=True, slots=True)
class Results:
    """All programs, the limits of the device where they are known, every bar with its program's title."""

    outcomes: tuple[Outcome, ...]
    limits: Limits | None
    verdicts: tuple[tuple[str, Verdict[Any]], ...]


def results(record: Mapping[str, Any]) -> Results:
    """Of a record made by benchmarks/kernels.py."""
    found = tuple(_outcome(program, record["programs"]) for program in record["programs"])
    is_for_speed = record["target"] == "cuda" and record["sizes"] == "full"
    limits = _limits(record)
    judged = [
        *_bars_of_all(found, limits is not None),
        *(pair for outcome in found for pair in _bars(outcome, limits is not None)),
    ]
    verdicts = tuple((title, Verdict(bar, bar.value(subject), is_for_speed)) for title, bar, subject in judged)
    return Results(found, limits, verdicts)


def _limits(record: Mapping[str, Any]) -> Limits | None:
    device = record["environment"]["device"] or ""
    return next((limits for name, limits in LIMITS.items() if name in device), None)


def _outcome(program: Mapping[str, Any], programs: Sequence[Mapping[str, Any]]) -> Outcome:
    kernel = kernel_of(program["name"])
    repetitions = program["repetitions"]
    kernels, phases = _times(program)
    other = next((p for p in programs if p["name"] == kernel.against), program)
    of_other = [times.get(HANDWRITTEN) for times in _times(other)]
    return Outcome(
        kernel,
        program["size"]["label"],
        Work(**program["work"]),
        repetitions,
        kernels,
        phases,
        (of_other[0], of_other[1]),
    )


def _times(program: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds of the kernels and of the phase, by variant."""
    repetitions, kernels, phases = program["repetitions"], {}, {}
    for name, variant in program["variants"].items():
        runs = [] if variant["problem"] else variant["runs"]
        own = [run["own_seconds"] for run in runs if run.get("own_seconds") is not None]
        by_device = [run["kernel_seconds"] / repetitions for run in runs if run.get("kernel_seconds") is not None]
        by_clock = [run["repetition_seconds"] for run in runs if run.get("repetition_seconds") is not None]
        times = by_device or by_clock or [seconds / repetitions for seconds in own]
        if times and min(times) > 0:
            kernels[name] = min(times)
        if own:
            phases[name] = median(own)
    return kernels, phases


def _bars(outcome: Outcome, is_reference: bool) -> list[tuple[str, Bar[Outcome], Outcome]]:
    """Rates and rates of others are known of one device only."""
    kernel = outcome.kernel
    rate: Bar[Outcome] = Bar("auto", lambda o: o.rate("auto"), kernel.at_least or 0.0, f" {kernel.unit}", at_least=True)
    bars = [rate] if kernel.at_least is not None and is_reference else []
    if kernel.others.ppcg is not None and is_reference:
        ppcg = kernel.others.ppcg
        bars.append(Bar("auto / best of PPCG", lambda o: _over(o.rate("auto"), ppcg), 1.0, at_least=True))
    if kernel.small and kernel.program.handwritten:
        bars.append(Bar("hand-written / auto, phase", lambda o: o.phase_speed("auto"), 0.9, at_least=True))
    if kernel.program.choosing:
        bars.append(Bar("gcc / auto choosing, phase", _choice, 0.9, at_least=True))
    if kernel.least_speed > 0.8 or kernel.alone:
        bars.append(Bar("hand-written / auto", lambda o: o.speed("auto"), kernel.least_speed, at_least=True))
    return [(outcome.title, bar, outcome) for bar in bars]


def _choice(outcome: Outcome) -> float | None:
    return _over(outcome.phases.get(HOST), outcome.phases.get(CHOOSING))


def _bars_of_all(found: tuple[Outcome, ...], is_reference: bool) -> list[tuple[str, Bar[Any], Any]]:
    large = [outcome for outcome in found if not (outcome.kernel.small or outcome.kernel.alone)]
    by_hand = [speed for o in large if (speed := o.speed("auto")) is not None]
    by_clang = [speed for o in large if (speed := over_clang(o, is_reference)) is not None]
    bars: list[tuple[str, list[float], str, float, float]] = [
        ("hand-written / auto, kernels", by_hand, "geometric mean", 1.0, 0.8),
        ("clang / auto, kernels", by_clang, "geometric mean", 2.0, 1.2),
    ]
    return [
        (f"all {len(speeds)} programs", Bar(f"{title}: {kind}", value, limit, at_least=True), speeds)
        for title, speeds, mean, of_mean, of_worst in bars
        for kind, value, limit in ((mean, geometric_mean, of_mean), ("worst", _worst, of_worst))
    ]


def over_clang(outcome: Outcome, is_reference: bool) -> float | None:
    """The speed of auto over clang's: what was measured beside it, else on the reference device what is known of it."""
    if "clang" in outcome.kernels:
        return _over(outcome.kernels["clang"], outcome.kernels.get("auto"))
    return _over(outcome.rate("auto"), outcome.kernel.others.clang) if is_reference else None


def geometric_mean(values: Sequence[float]) -> float | None:
    """None of nothing."""
    return exp(sum(map(log, values)) / len(values)) if values else None


def _worst(values: Sequence[float]) -> float | None:
    return min(values, default=None)


def _over(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None
