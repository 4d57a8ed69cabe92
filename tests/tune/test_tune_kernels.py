"""The search among kernels with an invented timer: what is built, what is searched further, what is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.tune.kernels import KernelSearch, Made
from ompc.tools.tune.session import Loop, Ran, Result
from ompc.tools.tune.space import Schedule, Space
from ompc.tools.tune.variants import Kernels

NEST, TABLE = Loop("a.c", 3, "main_3", 20), Loop("a.c", 9, "main_9", 22)
INNER, TURNED, GLOBAL = ShapeChoices(inner=0), ShapeChoices(order=(2, 1)), ShapeChoices(constant=0)
ROUNDS = ({"nest": INNER, "table": GLOBAL}, {"nest": TURNED}, {"nest": GLOBAL})
LAUNCHES = {NEST: 10, TABLE: 1}
RESULTS = (Result(NEST, ShapeChoices(rows=4), 1.0, 1.25), Result(TABLE, NO_CHOICES, 4.0, 4.0))

Timer = Callable[[Loop, ShapeChoices, ShapeChoices], float]


def content(loop: Loop) -> str:
    return {3: "nest", 9: "table"}.get(loop.line, "")


def sized(loop: Loop, way: ShapeChoices) -> Loop:
    """With fewer axes the grid has fewer iterations."""
    return Loop(loop.file, loop.line, loop.id, 10) if way.inner == 0 else loop


@dataclass
class Programs:
    """Whose launches take `timer`'s time of a loop, the way its kernel is made, and a shape."""

    timer: Timer
    wrong: Callable[[Kernels], bool] = lambda kernels: False
    late: bool = False
    built: list[Kernels] = field(default_factory=list)
    runs: list[Kernels] = field(default_factory=list)

    def make(self, programs: Sequence[Kernels]) -> list[Made]:
        self.built += programs
        return [
            Made(_Runner(self, kernels), lambda loop: Space((Schedule(("block",)),), 1, loop.size_class))
            for kernels in programs
        ]

    def search(self, repeats: int = 2, is_over: Callable[[], bool] = lambda: False) -> KernelSearch:
        return KernelSearch(self.make, content, ROUNDS, repeats, is_over=is_over)


@dataclass
class _Runner:
    programs: Programs
    kernels: Kernels

    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        self.programs.runs.append(self.kernels)
        if self.programs.wrong(self.kernels):
            return Ran({}, "line 1 of the output", is_late=self.programs.late)
        seconds, launches = {}, {}
        for loop in (NEST, TABLE):
            way = self.kernels.get(content(loop), NO_CHOICES)
            own = sized(loop, way)
            seconds[own] = self.programs.timer(loop, way, chosen.get(own, NO_CHOICES))
            launches[own] = LAUNCHES[loop]
        return Ran(seconds, None, launches)


def slow(loop: Loop, way: ShapeChoices, shape: ShapeChoices) -> float:
    """Nothing is better than what is known."""
    return (1.0 if loop == NEST else 4.0) * (1.5 if way != NO_CHOICES else 1.0)


def inner(loop: Loop, way: ShapeChoices, shape: ShapeChoices) -> float:
    """A loop with one axis is better, in blocks of 64."""
    if loop == NEST and way == INNER:
        return 0.5 if shape.block == (64, 1) else 1.1
    return slow(loop, way, shape)


def test_nothing_better_is_found_in_one_run_of_each_program() -> None:
    programs = Programs(slow)
    chosen = programs.search().chosen(RESULTS, LAUNCHES)
    assert chosen.results == RESULTS and chosen.launches == LAUNCHES and not chosen.replaced
    assert programs.built == list(ROUNDS) and programs.runs == list(ROUNDS)


def test_a_kernel_that_comes_near_is_searched_for_shapes_and_confirmed() -> None:
    programs = Programs(inner)
    chosen = programs.search().chosen(RESULTS, LAUNCHES)
    found, table = chosen.results
    assert (found.loop, found.choices) == (sized(NEST, INNER), ShapeChoices(block=(64, 1), inner=0))
    assert found.seconds == 0.5 and found.default_seconds == pytest.approx(1.25)
    assert table == RESULTS[1]
    assert chosen.replaced == (NEST,) and chosen.launches[found.loop] == 10
    assert programs.built[len(ROUNDS) :] == [{"nest": INNER}, {"nest": INNER}, {}]


def test_ways_that_gain_are_combined() -> None:
    def both(loop: Loop, way: ShapeChoices, shape: ShapeChoices) -> float:
        if loop == TABLE:
            return 4.0
        return (
            1.0 * (0.8 if way.order else 1.0) * (0.9 if way.constant == 0 else 1.0) * (2.0 if shape.values() else 1.0)
        )

    programs = Programs(both)
    (found, _) = programs.search().chosen(RESULTS, LAUNCHES).results
    assert found.choices == TURNED.then(GLOBAL)
    assert programs.built[len(ROUNDS)] == {"nest": TURNED.then(GLOBAL)}


def test_a_wrong_answer_is_somebodys() -> None:
    programs = Programs(inner, wrong=lambda kernels: kernels.get("table") == GLOBAL)
    search = programs.search()
    found, _ = search.chosen(RESULTS, LAUNCHES).results
    assert found.choices.inner == 0
    assert search.wrong == [(TABLE, GLOBAL, "line 1 of the output")]


def test_what_takes_too_long_is_not_wrong() -> None:
    search = Programs(inner, wrong=lambda kernels: kernels.get("table") == GLOBAL, late=True).search()
    assert search.chosen(RESULTS, LAUNCHES).results[0].choices.inner == 0
    assert not search.wrong


def test_what_was_not_confirmed_is_not_kept() -> None:
    programs = Programs(
        lambda loop, way, shape: 0.5 if {} not in programs.built and way == TURNED else slow(loop, way, shape)
    )
    assert programs.search().chosen(RESULTS, LAUNCHES).results == RESULTS


def test_the_search_can_be_ended() -> None:
    programs = Programs(inner)
    assert programs.search(is_over=lambda: len(programs.runs) > 1).chosen(RESULTS, LAUNCHES).results == RESULTS
    assert len(programs.runs) == 2
    programs = Programs(inner)
    assert programs.search(is_over=lambda: True).chosen(RESULTS, LAUNCHES).results == RESULTS
    assert not programs.built


def test_loops_that_were_not_searched_stay_as_they_are() -> None:
    programs = Programs(inner)
    assert programs.search().chosen(RESULTS[1:], LAUNCHES).results == RESULTS[1:]
    assert programs.built == [{"table": GLOBAL}]
