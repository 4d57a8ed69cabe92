"""The record of `python -m benchmarks kernels` as text: the ratio table, the bars, what failed and what was skipped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.kernels_results import Limits, Outcome, results
from benchmarks.report import aligned, duration
from benchmarks.results import problems
from benchmarks.suite import HOST

OTHERS = {"baseline": "baseline", "thesis": "thesis", "cublas": "cuBLAS", "clang": "clang", "nvc": "nvc", HOST: "gcc"}
"""Variants whose speed stands beside that of auto."""
HEAD = ("program", "size", "auto", "rate", "limit", "by hand", "auto x")
PHASES = ("phase", "by hand", "auto x")
BARS = ("program", "bar", "measured", "wanted", "")


def table(record: Mapping[str, Any]) -> str:
    """One line for each program, then the bars."""
    found = results(record)
    shown = [variant for variant in OTHERS if any(variant in o.kernels for o in found.outcomes)]
    head = (*HEAD, *(f"{OTHERS[variant]} x" for variant in shown), *PHASES)
    rows = [head, *(_row(outcome, shown, found.limits) for outcome in found.outcomes)]
    note = "x: speed, the hand-written version is 1; left the kernels of one repetition, right the phase with transfers"
    bars = [BARS, *(verdict.cells(title) for title, verdict in found.verdicts)]
    failed = [f"FAILED {problem}" for problem in problems(record)]
    return "\n".join([*aligned(rows), note, "", *aligned(bars), *failed, *_skipped(record)])


def _row(outcome: Outcome, shown: list[str], limits: Limits | None) -> tuple[str, ...]:
    rate, unit = outcome.rate("auto"), outcome.kernel.unit
    limit = limits.in_unit(unit, outcome.work.is_double) if limits else None
    return (
        outcome.kernel.program.title,
        outcome.label,
        _seconds(outcome.kernels.get("auto")),
        "" if rate is None else f"{rate:,.0f} {unit}" if rate >= 100 else f"{rate:.3g} {unit}",
        "" if rate is None or limit is None else f"{rate / limit:.0%}",
        _seconds(outcome.by_hand[0]),
        *(_speed(outcome.speed(variant)) for variant in ("auto", *shown)),
        _seconds(outcome.phases.get("auto")),
        _seconds(outcome.by_hand[1]),
        _speed(outcome.phase_speed("auto")),
    )


def _skipped(record: Mapping[str, Any]) -> list[str]:
    """One line for each reason."""
    reasons: dict[str, list[str]] = {}
    for program in record["programs"]:
        for name, variant in program["variants"].items():
            if variant.get("skipped"):
                reasons.setdefault(f"{name}: {variant['skipped']}", []).append(program["name"])
    return [f"skipped {reason} ({len(programs)} programs)" for reason, programs in reasons.items()]


def _seconds(value: float | None) -> str:
    return "" if value is None else duration(value)


def _speed(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if value >= 0.01 else f"{value:.4f}"
