"""The search with an invented timer: what it finds, how often it runs the program, what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.tune.search import descend
from ompc.tools.tune.session import Loop, Ran, Result, Session
from ompc.tools.tune.space import Schedule, Space
from ompc.tools.tune.statistics import is_faster, spread

FLAT = Loop("a.c", 3, "main_3", 24)
ROWS = Loop("a.c", 9, "main_9", 22)



def space_of(knobs: str, dimensions: int, size_class: int, lanes: tuple[int, ...] = ()) -> Space:
    """Of a loop with one kernel."""
    return Space((Schedule(tuple(knobs.split()), lanes=lanes),), dimensions, size_class)


SPACES = {FLAT: space_of("block fills", 1, 24), ROWS: space_of("rows block fills", 2, 22)}
PLAIN, TILED = Schedule(("block", "fills")), Schedule(("tile",), tiles=(8, 4, 2))
GROUPED = Schedule(("lanes", "fills"), lanes=(2, 64, 256))

Timer = Callable[[Loop, ShapeChoices], float]


def seconds(loop: Loop, choices: ShapeChoices) -> float:
    """Good are rows of 4 in blocks of 64 x 4 for one loop, and nothing but the default for the other."""
    if loop == FLAT:
        return 1.0 if choices == NO_CHOICES else 1.5
    factor = 0.5 if choices.rows == 4 else 0.9 if choices.rows == 8 else 1.0
    factor *= 0.8 if choices.block == (64, 4) else 1.1
    return factor * (2.0 if choices.fills == 1 else 1.0)


@dataclass
class Invented:
    """A program whose loops take `timer`'s time, each run a little more; `wrong` says which shapes break it."""

    timer: Timer = seconds
    wrong: Callable[[Loop, ShapeChoices], bool] = lambda loop, choices: False
    noise: float = 0.001
    runs: list[Mapping[Loop, ShapeChoices]] = field(default_factory=list)

    def run(self, chosen: Mapping[Loop, ShapeChoices]) -> Ran:
        self.runs.append(dict(chosen))
        if any(self.wrong(loop, choices) for loop, choices in chosen.items()):
            return Ran({}, "line 1 of the output")
        late = 1 + self.noise * (len(self.runs) % 3)
        return Ran({loop: late * self.timer(loop, chosen.get(loop, NO_CHOICES)) for loop in SPACES})


def found(session: Session) -> dict[Loop, Result]:
    default = {loop: seconds(loop, NO_CHOICES) for loop in SPACES}
    return {result.loop: result for result in session.results(default)}


def test_each_loop_finds_its_own() -> None:
    program = Invented()
    results = found(Session(program, SPACES))
    assert results[FLAT].choices == NO_CHOICES
    best = results[ROWS].choices
    assert (best.rows, best.block) == (4, (64, 4)) and best.fills != 1
    assert results[ROWS].seconds == pytest.approx(0.4, rel=0.01)
    assert results[ROWS].default_seconds == pytest.approx(1.1, rel=0.01)


def test_loops_are_searched_in_the_same_runs_and_hopeless_candidates_are_run_once() -> None:
    program = Invented(lambda loop, choices: 1.0 if choices == NO_CHOICES else 3.0)
    found(Session(program, SPACES, repeats=3))
    assert len(program.runs) == SPACES[ROWS].first_pass
    assert sum(1 for run in program.runs if len(run) == 2) == SPACES[ROWS].first_pass


def test_what_gives_another_answer_is_found_and_left_out() -> None:
    program = Invented(wrong=lambda loop, choices: loop == ROWS and choices.rows == 4)
    session = Session(program, SPACES)
    results = found(session)
    assert results[ROWS].choices.rows == 8
    assert {(loop, choices.rows) for loop, choices, _ in session.wrong} == {(ROWS, 4)}
    assert all(problem == "line 1 of the output" for _, _, problem in session.wrong)


def test_a_gain_within_the_noise_is_none() -> None:
    def hardly(loop: Loop, choices: ShapeChoices) -> float:
        return 1.0 if choices == NO_CHOICES else 0.96

    assert found(Session(Invented(hardly, noise=0.001), SPACES))[FLAT].choices != NO_CHOICES
    assert found(Session(Invented(hardly, noise=0.05), SPACES))[FLAT].choices == NO_CHOICES


def test_the_search_can_be_ended() -> None:
    program = Invented()
    results = found(Session(program, SPACES, is_over=lambda: len(program.runs) >= 4))
    assert len(program.runs) < 20
    assert results[ROWS].choices.rows == 4  # what was found by then


def test_descent_keeps_what_is_best_and_tries_nothing_twice() -> None:
    search, tried = descend(SPACES[ROWS], 1.0), []
    candidate: ShapeChoices | None = next(search)
    with pytest.raises(StopIteration) as end:
        while True:
            assert candidate is not None
            tried.append(candidate)
            candidate = search.send(None if candidate.rows == 8 else 0.9 if candidate.rows == 4 else 0.95)
    assert end.value.value.choices.rows == 4 and end.value.value.seconds == 0.9
    assert len(tried) == len(set(tried))


@pytest.mark.parametrize(
    ("space", "knobs"),
    [
        (space_of("block fills", 1, 10), ["block"]),  # fewer iterations than a device has threads
        (space_of("rows block", 2, 8), ["block"]),
        (space_of("lanes block", 1, 12, (1, 32)), ["lanes", "block"]),
        (space_of("lanes block", 1, 24, (1, 32)), ["block"]),
        (Space((PLAIN, TILED), 2, 20), ["schedule", "block", "fills", "tile"]),
        (Space((PLAIN, GROUPED), 1, 24), ["schedule", "block", "fills", "lanes"]),
    ],
)
def test_knobs_that_cannot_matter_are_left_out(space: Space, knobs: list[str]) -> None:
    assert [knob for knob, _ in space.all()] == knobs


def test_each_schedule_has_knobs_of_its_own() -> None:
    space = Space((PLAIN, TILED, GROUPED), 2, 20)
    assert [choices.schedule for choices in space.around(NO_CHOICES, "schedule")] == [0, 1, 2]
    assert not any(list(space.around(NO_CHOICES, knob)) for knob in ("block", "tile", "lanes"))
    assert list(space.around(ShapeChoices(schedule=0), "block"))
    tiled = ShapeChoices(schedule=1)
    assert [choices.tile for choices in space.around(tiled, "tile")] == [8, 4, 2]
    assert not any(list(space.around(tiled, knob)) for knob in ("block", "fills", "lanes"))
    assert [choices.lanes for choices in space.around(ShapeChoices(schedule=2), "lanes")] == [2, 64, 256]
    assert space.first_pass == 3 + 10 + 6


def test_another_schedule_keeps_what_it_knows() -> None:
    space = Space((PLAIN, TILED, GROUPED), 2, 20)
    best = ShapeChoices(schedule=0, block=(64, 4), fills=8)
    assert list(space.around(best, "schedule")) == [ShapeChoices(schedule=1), ShapeChoices(schedule=2, fills=8)]


def test_one_slow_run_decides_nothing() -> None:
    assert spread([1.0, 1.0, 1.0, 9.0, 1.0]) == 0.0
    assert is_faster([0.9, 0.9, 5.0], [1.0, 1.0, 1.01])
    assert not is_faster([0.99, 0.99, 0.99], [1.0, 1.0, 1.0])
    assert not is_faster([0.9, 0.8, 1.0], [1.0, 1.2, 0.8])


def test_what_the_runtime_has_taken_itself_is_searched_further() -> None:
    search = descend(Space((PLAIN, TILED), 2, 10), 1.0)
    assert next(search) == ShapeChoices(schedule=0)
    assert search.send(3.0) == ShapeChoices(schedule=1)
    assert search.send(1.01) == ShapeChoices(schedule=1, tile=8)
    assert search.send(0.7) == ShapeChoices(schedule=1, tile=4)
