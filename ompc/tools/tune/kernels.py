"""Which kernel is best for each loop: the search around the search for shapes of launches.

    screen     each other way to make a kernel runs with the runtime's own shapes; one program has the n-th way of every
               loop, so that there are as many programs as the loop with most ways has. What gains is also combined.
    search     what comes near to what is known is searched for shapes, as the plan's own kernel was (session.py)
    confirm    the winners and what was found without them, in turns

A loop is all its launches here, of whatever size: it has one kernel. Another kernel may have a grid of another size, so
that its launches are told apart by their own sizes.

In: a function that builds programs, the ways, what was found without them.   Out: `Chosen`.
Not here: which ways there are -- plan/alternatives.py; building -- variants.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median

from ompc.base.frozen import dataclass, field
from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.tune.search import Best
from ompc.tools.tune.session import CONFIRMING_RUNS, Loop, Ran, Result, Runner, Session
from ompc.tools.tune.space import Space
from ompc.tools.tune.statistics import LEAST_GAIN, is_faster
from ompc.tools.tune.variants import Kernels

NEAR = 1.25
"""A kernel is searched for shapes if it takes less than this multiple of the best known time: other shapes of its
launches may make it the best one.
"""
MOST_SEARCHED = 2
"""The most kernels of a loop that are searched, besides the plan's own."""


@dataclass(frozen=True, slots=True)
class Made:
    """A program with such kernels: what runs it, and what can be chosen of a launch."""

    runner: Runner
    space: Callable[[Loop], Space]


Maker = Callable[[Sequence[Kernels]], Sequence[Made]]
"""Builds several programs at the same time."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A loop's launches in a run: how many of each size, and the seconds of one."""

    launches: Mapping[Loop, int]
    seconds: Mapping[Loop, float]

    @property
    def total(self) -> float:
        return sum(self.seconds[loop] * count for loop, count in self.launches.items())


@dataclass(frozen=True, slots=True)
class Chosen:
    """`results` and `launches` of all loops; those of `replaced` launches are others' now."""

    results: tuple[Result, ...]
    launches: Mapping[Loop, int]
    replaced: tuple[Loop, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """The best shapes for one way to make a loop's kernel."""

    way: ShapeChoices
    timed: Timed
    best: Mapping[Loop, Best]

    @property
    def total(self) -> float:
        return sum(self.best[loop].seconds * count for loop, count in self.timed.launches.items())


@dataclass(slots=True)
class KernelSearch:
    """`content` of a launch's loop; `rounds`: the programs of the screening. `wrong` as a Session's, by content.
    `is_confirming`: the program of all winners is built, also where the search is over.
    """

    make: Maker
    content: Callable[[Loop], str]
    rounds: Sequence[Kernels]
    repeats: int = 3
    step: Callable[[str], None] = lambda _: None
    is_over: Callable[[], bool] = lambda: False
    is_confirming: bool = False
    wrong: list[tuple[Loop, ShapeChoices, str]] = field(default_factory=list)
    _known: dict[str, Timed] = field(default_factory=dict)

    def chosen(self, results: Sequence[Result], launches: Mapping[Loop, int]) -> Chosen:
        """All of it; `results`: what was found with the plan's own kernels, in so many `launches`."""
        plain = Chosen(tuple(results), launches)
        for content, own in _by_content(results, self.content):
            seconds = {result.loop: result.seconds for result in own}
            self._known[content] = Timed({loop: launches[loop] for loop in seconds}, seconds)
        near = self._near(self._screened())
        found: dict[str, _Found] = {}
        for rank in range(MOST_SEARCHED):
            for content, other in self._searched({c: ways[rank] for c, ways in near.items() if rank < len(ways)}):
                if content not in found or other.total < found[content].total:
                    found[content] = other
        least = 1 - LEAST_GAIN
        winners = {c: other for c, other in found.items() if other.total < least * self._known[c].total}
        return self._confirmed(winners, plain) if winners else plain

    # ------------------------------------------------------------------- screening

    def _screened(self) -> dict[str, dict[ShapeChoices, Timed]]:
        times: dict[str, dict[ShapeChoices, Timed]] = {content: {} for content in self._known}
        wanted = [kernels for kernels in map(self._searchable, self.rounds) if kernels]
        self._screen(wanted, times)
        both = {content: way for content, seen in times.items() if (way := self._combined(content, seen)) is not None}
        self._screen([both] if both else [], times)
        return times

    def _searchable(self, kernels: Kernels) -> Kernels:
        return {content: way for content, way in kernels.items() if content in self._known}

    def _screen(self, programs: Sequence[Kernels], times: dict[str, dict[ShapeChoices, Timed]]) -> None:
        if not programs or self.is_over():
            return
        self.step(f"building {len(programs)} other program{'s' if len(programs) > 1 else ''}")
        for kernels, made in zip(programs, self.make(programs), strict=True):
            if self.is_over():
                return
            self.step(_words(kernels))
            for content, timed in self._timed(kernels, made).items():
                times[content][kernels[content]] = timed

    def _combined(self, content: str, seen: Mapping[ShapeChoices, Timed]) -> ShapeChoices | None:
        """The two best ways that both gain and have to do with different things, in one."""
        enough = (1 - LEAST_GAIN) * self._known[content].total
        good = sorted((way for way, timed in seen.items() if timed.total < enough), key=lambda way: seen[way].total)
        others = (way for way in good[1:] if not way.values().keys() & good[0].values().keys())
        second = next(others, None)
        return None if second is None else good[0].then(second)

    def _timed(self, kernels: Kernels, made: Made) -> dict[str, Timed]:
        """Of each loop whose answer is right; a program with a wrong one is taken apart."""
        runs: list[Ran] = []
        problem: str | None = None
        while problem is None and len(runs) < self.repeats and not (runs and self.is_over()):
            ran = made.runner.run({})
            problem = ran.problem
            runs.append(ran)
            if problem is None and not any(self._is_promising(content, ran) for content in kernels):
                break
        if problem is None:
            return {content: timed for content in kernels if (timed := self._of(content, runs)) is not None}
        if len(kernels) == 1:
            if not runs[-1].is_late:
                self.wrong += [(self._place(content), way, problem) for content, way in kernels.items()]
            return {}
        found: dict[str, Timed] = {}
        for content, way in kernels.items():
            if not self.is_over():
                alone = {content: way}
                found |= self._timed(alone, self.make([alone])[0])
        return found

    def _place(self, content: str) -> Loop:
        return min(self._known[content].launches)

    def _is_promising(self, content: str, ran: Ran) -> bool:
        timed = self._of(content, [ran])
        return timed is not None and timed.total < NEAR * self._known[content].total

    def _of(self, content: str, runs: Sequence[Ran]) -> Timed | None:
        """None: the loop was not launched."""
        loops = [loop for loop in runs[0].seconds if self.content(loop) == content]
        seconds = {loop: median(ran.seconds[loop] for ran in runs if loop in ran.seconds) for loop in loops}
        return Timed({loop: runs[0].launches[loop] for loop in loops}, seconds) if loops else None

    # ------------------------------------------------------------------- searching

    def _near(self, times: Mapping[str, Mapping[ShapeChoices, Timed]]) -> dict[str, list[tuple[ShapeChoices, Timed]]]:
        """The ways that are worth a search, the best one first."""
        found: dict[str, list[tuple[ShapeChoices, Timed]]] = {}
        for content, seen in times.items():
            near = [(way, timed) for way, timed in seen.items() if timed.total < NEAR * self._known[content].total]
            found[content] = sorted(near, key=lambda item: item[1].total)[:MOST_SEARCHED]
        return found

    def _searched(self, ways: Mapping[str, tuple[ShapeChoices, Timed]]) -> Iterator[tuple[str, _Found]]:
        if not ways or self.is_over():
            return
        made = self.make([{content: way for content, (way, _) in ways.items()}])[0]
        default = {loop: seconds for _, timed in ways.values() for loop, seconds in timed.seconds.items()}
        spaces = {loop: made.space(loop) for loop in sorted(default)}
        session = Session(made.runner, spaces, self.repeats, self.step, self.is_over)
        best = session.searched(default)
        self.wrong += [(loop, ways[self.content(loop)][0].then(shape), why) for loop, shape, why in session.wrong]
        for content, (way, timed) in ways.items():
            yield content, _Found(way, timed, {loop: best[loop] for loop in timed.launches})

    # ------------------------------------------------------------------ confirming

    def _confirmed(self, winners: Mapping[str, _Found], plain: Chosen) -> Chosen:
        self.is_confirming = True
        made, own = self.make([{content: found.way for content, found in winners.items()}, {}])
        before = {result.loop: result.choices for result in plain.results}
        after = {loop: shape for loop, shape in before.items() if self.content(loop) not in winners}
        after |= {loop: best.choices for found in winners.values() for loop, best in found.best.items()}
        runs: tuple[list[Ran], list[Ran]] = ([], [])
        for _ in range(CONFIRMING_RUNS):
            self.step("confirming")
            for program, shapes, ran in ((own, before, runs[0]), (made, after, runs[1])):
                ran.append(program.runner.run(shapes))
        known, fresh = ([ran for ran in some if ran.problem is None] for some in runs)
        faster = {c: found for c, found in winners.items() if self._is_faster(c, fresh, known)}
        return self._replaced(faster, fresh, plain)

    def _is_faster(self, content: str, fresh: Sequence[Ran], known: Sequence[Ran]) -> bool:
        totals = [[timed.total for ran in runs if (timed := self._of(content, [ran]))] for runs in (fresh, known)]
        return all(totals) and is_faster(*totals)

    def _replaced(self, faster: Mapping[str, _Found], fresh: Sequence[Ran], plain: Chosen) -> Chosen:
        """With a result for each size of the launches of new kernels. What each size took before is not known: all of a
        loop's have the same gain.
        """
        results = [result for result in plain.results if self.content(result.loop) not in faster]
        launches = dict(plain.launches)
        gone = tuple(result.loop for result in plain.results if self.content(result.loop) in faster)
        for content, found in faster.items():
            timed = self._of(content, fresh)
            assert timed is not None
            own = (result for result in plain.results if self.content(result.loop) == content)
            gain = sum(result.default_seconds * plain.launches[result.loop] for result in own) / timed.total
            for loop, seconds in timed.seconds.items():
                shape = found.best[loop].choices if loop in found.best else NO_CHOICES
                results.append(Result(loop, found.way.then(shape), seconds, seconds * gain))
                launches[loop] = timed.launches[loop]
        return Chosen(tuple(sorted(results, key=lambda result: result.loop)), launches, gone)


def _by_content(results: Iterable[Result], content: Callable[[Loop], str]) -> list[tuple[str, list[Result]]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(content(result.loop), []).append(result)
    return list(found.items())


def _words(kernels: Kernels) -> str:
    way = next(iter(kernels.values()))
    return way.clauses + (f" and {len(kernels) - 1} more" if len(kernels) > 1 else "")
