"""The record of `python -m benchmarks memory` as three tables of text: times, bytes, bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.ledger import Flow
from benchmarks.memory_results import Outcome, outcomes
from benchmarks.report import aligned, duration
from benchmarks.results import problems
from benchmarks.suite import HOST

TIMES = ("program", "variant", "phase", "min to max", "runs", "x hand-written", "x baseline", "whole program")
BYTES = ("program", "variant", "to device", "minimum", "from device", "minimum", "x minimum", "GB/s to", "GB/s from")
BARS = ("program", "bar", "measured", "wanted", "")


def table(record: Mapping[str, Any]) -> str:
    """The tables, then the measurements that failed."""
    found = outcomes(record)
    parts = (
        [TIMES, *(row for outcome in found for row in _times(outcome))],
        [BYTES, *(row for outcome in found for row in _bytes(outcome))],
        [BARS, *(verdict.cells(f"{o.title}, {o.size}") for o in found for verdict in o.verdicts)],
    )
    failed = [f"FAILED {problem}" for problem in problems(record)]
    return "\n\n".join(["\n".join(aligned(rows)) for rows in parts] + (["\n".join(failed)] if failed else []))


def _heads(outcome: Outcome) -> Iterator[str]:
    return iter((outcome.title, f"  {outcome.size}"))


def _times(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    heads = _heads(outcome)
    phases = {time.variant: time.phase for time in outcome.times}
    for time in outcome.times:
        name = "gcc -fopenmp" if time.variant == HOST else time.variant
        ratios = (_ratio(time.phase, phases.get(unit)) for unit in ("handwritten", "baseline"))
        span = f"{duration(time.fastest)} to {duration(time.slowest)}"
        yield (next(heads, ""), name, duration(time.phase), span, str(time.runs), *ratios, duration(time.whole))


def _bytes(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    heads, minimum = _heads(outcome), outcome.minimum
    for variant, traffic in outcome.traffic.items():
        over = traffic.over(minimum)
        yield (
            next(heads, ""),
            variant,
            *(f"{traffic.to_device.bytes:,}", f"{minimum.to_device:,}"),
            *(f"{traffic.to_host.bytes:,}", f"{minimum.to_host:,}"),
            "" if over is None else f"{over:.3f}",
            _speed(traffic.to_device),
            _speed(traffic.to_host),
        )


def _ratio(value: float, unit: float | None) -> str:
    return f"{value / unit:.3f}" if unit else ""


def _speed(flow: Flow) -> str:
    speed = flow.gigabytes_per_second
    return "" if speed is None else f"{speed:.1f}"
