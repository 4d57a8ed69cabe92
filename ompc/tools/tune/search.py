"""Coordinate descent for one loop: one knob after the other, each best value kept.

    search = descend(space, default_seconds)
    candidate = next(search)
    candidate = search.send(seconds)          None: it gave a wrong answer, or none
    ...                                       StopIteration: its value is the best one

Source: as CLTune and OpenTuner do where there are few knobs that hardly depend on each other; a second pass finds what
depends. It ends early when a pass has gained less than ENOUGH.

In: the space, how long the runtime's own choice takes.   Out: `Best`.   Not here: runs -- session.py.
"""

from __future__ import annotations

from collections.abc import Generator

from ompc.base.frozen import dataclass
from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.tools.tune.space import Space

MOST_PASSES = 2
ENOUGH = 0.02
"""The share of the time that a pass must gain: one that gains less is the last."""
ALIKE = 1.02
"""Up to this multiple of the best time, a candidate is as good, for all that can be measured."""


@dataclass(frozen=True, slots=True)
class Best:
    choices: ShapeChoices
    seconds: float


Search = Generator[ShapeChoices, float | None, Best]


def descend(space: Space, default_seconds: float) -> Search:
    """Yields candidates, is sent the seconds of a launch, returns the best one: perhaps the runtime's own choice."""
    best = Best(NO_CHOICES, default_seconds)
    tried = {NO_CHOICES}
    for _ in range(MOST_PASSES):
        before = best.seconds
        for knob in space.knobs:
            for candidate in space.around(best.choices, knob):
                if candidate in tried:
                    continue
                tried.add(candidate)
                seconds = yield candidate
                if seconds is not None and seconds < best.seconds * (ALIKE if _is_free(candidate, best.choices) else 1):
                    best = Best(candidate, seconds)
        if best.seconds > before * (1 - ENOUGH):
            break
    return best


def _is_free(candidate: ShapeChoices, best: ShapeChoices) -> bool:
    """A schedule that the runtime may have taken itself: then its own knobs can be chosen, too."""
    return candidate.schedule is not None and best.schedule is None
