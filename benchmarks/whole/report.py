"""The record of `python -m benchmarks programs` as text: the programs, the bars, what there is to say in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report import aligned, duration
from benchmarks.results import problems
from benchmarks.whole.results import KEPT, NOT_JUDGED, SLOWER, Outcome, Times, results

PROGRAMS = (
    *("program", "promise", "gcc", "best", "auto", "best", "first run", "speed-up"),
    *("own time, gcc", "auto", "speed-up", "launches", "of"),
)
BARS = ("", "bar", "measured", "wanted", "")


def table(record: Mapping[str, Any]) -> str:
    """The tables, the programs in numbers, then what failed."""
    found = results(record)
    rows = [_row(outcome) for outcome in found.outcomes]
    bars = [verdict.cells("all programs") for verdict in found.verdicts]
    failed = "\n".join(f"FAILED {problem}" for problem in problems(record))
    parts = ["\n".join(aligned([PROGRAMS, *rows])), "\n".join(aligned([BARS, *bars])), _counts(found.outcomes)]
    parts += [_busy(record["environment"]), failed]
    return "\n\n".join(part for part in parts if part)


def _row(outcome: Outcome) -> tuple[str, ...]:
    host, auto = outcome.host, outcome.auto
    first = "" if outcome.first is None else duration(outcome.first)
    return (
        outcome.name,
        outcome.word,
        *_seconds(host),
        *_seconds(auto),
        first,
        _ratio(outcome.speedup),
        _own(host),
        _own(auto),
        _ratio(outcome.own_speedup),
        *_launches(outcome.launches),
    )


def _seconds(times: Times | None) -> tuple[str, str]:
    return (duration(times.median), duration(times.best)) if times else ("", "")


def _own(times: Times | None) -> str:
    return duration(times.own) if times and times.own is not None else ""


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _launches(counted: Mapping[str, Any] | None) -> tuple[str, str]:
    """How often loops with a kernel were on the device, and how often they were reached."""
    if counted is None:
        return "", ""
    if not counted["loops"]:
        return "0", "no kernel"
    return str(counted["launches"]), str(counted["launches"] + counted["kept"] + counted["refused"])


def _counts(outcomes: Sequence[Outcome]) -> str:
    words = Counter(outcome.word for outcome in outcomes)
    failed = sum(outcome.failure is not None for outcome in outcomes)
    said = [f"{words[word]} {word}" for word in (KEPT, SLOWER, NOT_JUDGED) if words[word]]
    said += [f"{failed} failed"] if failed else []
    still = [o for o in outcomes if o.launches is not None and o.launches["launches"] == 0]
    never = f"; {len(still)} never left the host" if still else ""
    return f"{len(outcomes)} programs: {', '.join(said) or 'nothing measured'}{never}"


def _busy(environment: Mapping[str, Any]) -> str:
    """Times on a machine that others use as well say little."""
    load, processors = environment.get("load") or 0.0, environment.get("processors") or 1
    return f"the machine was busy before: load {load:.1f} on {processors} processors" if load > processors / 2 else ""
