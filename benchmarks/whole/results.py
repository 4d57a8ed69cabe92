"""From the raw record of measuring.py to medians, ratios, and whether ompc keeps its promise.

The promise is that nobody loses: with ompc a program takes at most 5 % and 50 ms more than with gcc. And it should be
worth it: programs that take more than a second on the host are to be five times as fast, as a geometric mean.

    gcc 2.00 s, auto 2.10 s     (2.10 s - 50 ms) / 2.00 s = 1.03 <= 1.05    kept
    gcc 10 ms, auto 70 ms       (70 ms - 50 ms) / 10 ms = 2.00              SLOWER
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.bars import Bar, Verdict
from benchmarks.kernels_results import geometric_mean
from benchmarks.suite import HOST
from benchmarks.whole.building import AUTO
from benchmarks.whole.measuring import FIRST

SHARE = 1.05
ALLOWANCE = 0.050
"""Seconds."""
LONG = 1.0
"""Seconds on the host, beyond which a program should gain."""
GAIN = 5.0
KEPT, SLOWER, NOT_JUDGED = "kept", "SLOWER", "not judged"


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of the runs that count, from start to end, and by the program's own clock."""

    median: float
    best: float
    own: float | None
    runs: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found about one program. `failure` is a word, with whose it is; None where all went well."""

    name: str
    host: Times | None
    auto: Times | None
    first: float | None
    launches: Mapping[str, Any] | None
    failure: str | None
    judged: bool

    @property
    def speedup(self) -> float | None:
        """How many times as fast as gcc's program is ompc's?"""
        return self.host.median / self.auto.median if self.host and self.auto and not self.failure else None

    @property
    def own_speedup(self) -> float | None:
        """The same by the program's own clock."""
        if not (self.host and self.auto and self.host.own and self.auto.own) or self.failure:
            return None
        return self.host.own / self.auto.own

    @property
    def cost(self) -> float | None:
        """ompc's time less the allowance, over gcc's: the promise is kept up to SHARE."""
        return _cost(self.host, self.auto.median) if self.host and self.auto and not self.failure else None

    @property
    def first_cost(self) -> float | None:
        """The same of ompc's first run."""
        return _cost(self.host, self.first) if self.host and self.first and not self.failure else None

    @property
    def word(self) -> str:
        """For the table: the failure, or whether the promise is kept."""
        if self.failure is not None or self.cost is None:
            return self.failure or "not measured"
        if not self.judged:
            return NOT_JUDGED
        return KEPT if self.cost <= SHARE else SLOWER


@dataclass(frozen=True, slots=True)
class Results:
    """All programs, and the bars about them together."""

    outcomes: tuple[Outcome, ...]
    verdicts: tuple[Verdict[Sequence[Outcome]], ...]


def results(record: Mapping[str, Any]) -> Results:
    """What a record says. Nothing is judged on the emulator, and the gain on a GPU alone."""
    with_kernels = record["target"] == "cuda"
    on_gpu = with_kernels and record["environment"].get("device") is not None
    found = tuple(_outcome(program, with_kernels) for program in record["programs"])
    verdicts = tuple(
        Verdict(bar, bar.value(found), on_gpu if bar.at_least else with_kernels) for bar in BARS
    )
    return Results(found, verdicts)


def _outcome(program: Mapping[str, Any], judged: bool) -> Outcome:
    host, auto = program["variants"][HOST], program["variants"][AUTO]
    first = [run["seconds"] for run in auto["runs"] if run["round"] == FIRST]
    return Outcome(
        name=program["name"],
        host=_times(host),
        auto=_times(auto),
        first=first[0] if first else None,
        launches=auto["launches"],
        failure=_failure(host, auto),
        judged=judged,
    )


def _failure(host: Mapping[str, Any], auto: Mapping[str, Any]) -> str | None:
    """Of gcc's program nothing is ompc's fault, and that is said."""
    if host["failure"]:
        return f"{host['failure']} (gcc)"
    return None if auto["failure"] is None else str(auto["failure"])


def _times(variant: Mapping[str, Any]) -> Times | None:
    counted = [run for run in variant["runs"] if run["round"] != FIRST]
    if not counted:
        return None
    seconds = [run["seconds"] for run in counted]
    own = [run["own_seconds"] for run in counted if run["own_seconds"] is not None]
    return Times(median(seconds), min(seconds), median(own) if own else None, len(counted))


def _cost(host: Times | None, seconds: float) -> float | None:
    return max(0.0, seconds - ALLOWANCE) / host.median if host else None


def _worst(cost: Callable[[Outcome], float | None]) -> Callable[[Sequence[Outcome]], float | None]:
    return lambda outcomes: max((value for o in outcomes if (value := cost(o)) is not None), default=None)


def gain(outcomes: Sequence[Outcome]) -> float | None:
    """The geometric mean of the speed-ups of programs that are long enough; None without any."""
    long = [o.speedup for o in outcomes if o.host is not None and o.host.median > LONG and o.speedup is not None]
    return geometric_mean(long)


BARS: tuple[Bar[Sequence[Outcome]], ...] = (
    Bar("(auto - 50 ms) / gcc: worst", _worst(lambda outcome: outcome.cost), SHARE),
    Bar("(auto - 50 ms) / gcc: worst first run", _worst(lambda outcome: outcome.first_cost), SHARE),
    Bar("gcc / auto: geometric mean above 1 s", gain, GAIN, at_least=True),
)
