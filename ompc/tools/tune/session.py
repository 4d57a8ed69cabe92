"""The search for all loops of a program at once: each run of the program times one candidate of every loop.

    default    several runs with the runtime's own choices: what there is to beat, and how much the figures vary
    search     each loop has a search of its own (search.py); a run that is no use to any of them is not repeated
    confirm    winners and the default in turns, so that a clock that changes changes both; a winner must be faster by
               more than the noise

A run with a wrong answer is repeated with one loop's candidate at a time, to find whose it was: that candidate is out.

In: a runner, the loops with their spaces.   Out: one `Result` for each loop.
Not here: how a program is run and checked -- measure.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import Protocol

from ompc.base.frozen import dataclass, field
from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.tune.search import Best, Search, descend
from ompc.tools.tune.space import Space
from ompc.tools.tune.statistics import is_faster

PROMISING = 1.1
"""Up to this multiple of the best seconds a first figure may be noise, and the run is repeated."""
CONFIRMING_RUNS = 5


@dataclass(frozen=True, slots=True, order=True)
class Loop:
    """The launches of one loop with about 2 ** `size_class` iterations."""

    file: str
    line: int
    id: str
    size_class: int

    @property
    def key(self) -> str:
        """As OMPC_TUNE names it."""
        return f"{self.id}@{self.file}#{self.size_class}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: the seconds of a launch of each loop, or why it does not count; `is_late`: it took too long."""

    seconds: Mapping[Loop, float]
    problem: str | None = None
    launches: Mapping[Loop, int] = field(default_factory=dict)
    is_late: bool = False


class Runner(Protocol):
    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        """Run the program with these shapes."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found: `choices` are empty where nothing is faster than the runtime's own choice."""

    loop: Loop
    choices: ShapeChoices
    seconds: float
    default_seconds: float


@dataclass(slots=True)
class Session:
    """`step` is told what is tried before each run; `is_over` ends the search early; `wrong` are candidates that gave
    wrong answers, each with what was wrong.
    """

    runner: Runner
    spaces: Mapping[Loop, Space]
    repeats: int = 3
    step: Callable[[str], None] = lambda _: None
    is_over: Callable[[], bool] = lambda: False
    wrong: list[tuple[Loop, ShapeChoices, str]] = field(default_factory=list)
    _best: dict[Loop, Best] = field(default_factory=dict)

    def results(self, default: Mapping[Loop, float]) -> tuple[Result, ...]:
        """All of it; `default`: the seconds of the runtime's own choices."""
        self.searched(default)
        return self._confirmed(default)

    def searched(self, default: Mapping[Loop, float]) -> Mapping[Loop, Best]:
        """The search alone."""
        self._best = {loop: Best(NO_CHOICES, default[loop]) for loop in self.spaces}
        self._search()
        return self._best

    # ------------------------------------------------------------------- searching

    def _search(self) -> None:
        searches = {loop: descend(space, self._best[loop].seconds) for loop, space in self.spaces.items()}
        candidates = {loop: first for loop, search in searches.items() if (first := _next(search)) is not None}
        while candidates and not self.is_over():
            self.step(_words(candidates))
            times = self._timed(candidates)
            following: dict[Loop, ShapeChoices] = {}
            for loop, candidate in candidates.items():
                seconds = times.get(loop)
                if seconds is not None and seconds < self._best[loop].seconds:
                    self._best[loop] = Best(candidate, seconds)
                found = _send(searches[loop], seconds)
                if found is not None:
                    following[loop] = found
            candidates = following

    def _timed(self, candidates: Mapping[Loop, ShapeChoices]) -> dict[Loop, float]:
        """The seconds of each candidate that gave the right answer."""
        settled = {loop: best.choices for loop, best in self._best.items() if loop not in candidates}
        runs = self._repeated({**settled, **candidates}, candidates)
        if runs is not None:
            return runs
        alone = {loop: self._repeated({loop: candidate}, {loop: candidate}) for loop, candidate in candidates.items()}
        return {loop: times[loop] for loop, times in alone.items() if times is not None and loop in times}

    def _repeated(
        self, chosen: Mapping[Loop, ShapeChoices], candidates: Mapping[Loop, ShapeChoices]
    ) -> dict[Loop, float] | None:
        """None: an answer was wrong. Candidates that are far from the best after one run are not timed again."""
        times: dict[Loop, list[float]] = {loop: [] for loop in candidates}
        for turn in range(self.repeats):
            if turn and self.is_over():
                break
            ran = self.runner.run(chosen)
            if ran.problem is not None:
                if len(candidates) == 1:
                    self.wrong += [(loop, candidate, ran.problem) for loop, candidate in candidates.items()]
                return None
            for loop in candidates:
                if loop in ran.seconds:
                    times[loop].append(ran.seconds[loop])
            if not any(seen and min(seen) < PROMISING * self._best[loop].seconds for loop, seen in times.items()):
                break
        return {loop: median(seen) for loop, seen in times.items() if seen}

    # ------------------------------------------------------------------ confirming

    def _confirmed(self, default: Mapping[Loop, float]) -> tuple[Result, ...]:
        winners = {loop: best.choices for loop, best in self._best.items() if best.choices != NO_CHOICES}
        fresh: dict[Loop, list[float]] = {loop: [] for loop in winners}
        known: dict[Loop, list[float]] = {loop: [] for loop in winners}
        for _ in range(CONFIRMING_RUNS if winners else 0):
            self.step("confirming")
            for chosen, times in (({}, known), (winners, fresh)):
                ran = self.runner.run(chosen)
                for loop in winners:
                    if ran.problem is None and loop in ran.seconds:
                        times[loop].append(ran.seconds[loop])
        found = []
        for loop in self.spaces:
            if fresh.get(loop) and known.get(loop) and is_faster(fresh[loop], known[loop]):
                found.append(Result(loop, winners[loop], median(fresh[loop]), median(known[loop])))
            else:
                found.append(Result(loop, NO_CHOICES, default[loop], default[loop]))
        return tuple(found)


def _next(search: Search) -> ShapeChoices | None:
    return next(search, None)


def _send(search: Search, seconds: float | None) -> ShapeChoices | None:
    """The next candidate; None: there is none."""
    try:
        return search.send(seconds)
    except StopIteration:
        return None


def _words(candidates: Mapping[Loop, ShapeChoices]) -> str:
    loop, candidate = next(iter(candidates.items()))
    more = f" and {len(candidates) - 1} more" if len(candidates) > 1 else ""
    return f"{loop} {candidate.clauses}{more}"
