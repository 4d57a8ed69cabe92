"""What is tried for a loop, and in which order.

    product, tiles, 2^22 iterations     schedule 0 1, then of 0: block and fills, or of 1: tile 8 4 2

Each knob has few values, since blocks and rows are the hardware's powers of two; what decides most comes first: the
schedule, where the launcher chooses among kernels, each of which has knobs of its own. Pruned is what cannot matter:
schedules where there is one, blocks strided over where there are fewer of them than a device holds, several rows a
thread or several lanes an iteration where there are too few or too many of them.

In: what can be chosen of a loop's kernels (plan/mapping/tuned.py), dimensions and size.   Out: candidates next to a
choice.   Not here: which one is better -- search.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ompc.base.frozen import dataclass
from ompc.base.tuning import NO_CHOICES, ShapeChoices

_FLAT_BLOCKS = ((32, 1), (64, 1), (128, 1), (256, 1))
_BLOCKS = ((32, 2), (32, 4), (32, 8), (64, 1), (64, 2), (64, 4), (128, 1), (128, 2), (256, 1), (16, 16))
_VALUES: dict[str, tuple[int, ...]] = {
    "rows": (8, 4, 1),
    "fills": (1, 2, 4, 8, 32, 128),
}

STRIDES_FROM = 15
"""The binary logarithm of the iterations from which on a device may have fewer threads than there are iterations."""
ROWS_FROM = 10
LANES_UNTIL = 20
"""The binary logarithm of the iterations from which on there are iterations for all lanes of any device."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What can be chosen of a kernel's launches: `tiles` and `lanes` are the values of these."""

    knobs: tuple[str, ...]
    tiles: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Space:
    """The choices for one loop in launches of one size: of each of its kernels, and `dimensions` of its grid."""

    schedules: tuple[Schedule, ...]
    dimensions: int
    size_class: int

    @property
    def knobs(self) -> tuple[str, ...]:
        """In the order in which they are tried."""
        own = (knob for schedule in self.schedules for knob in schedule.knobs)
        return (*["schedule"] * (len(self.schedules) > 1), *dict.fromkeys(own))

    def around(self, best: ShapeChoices, knob: str) -> Iterator[ShapeChoices]:
        """`best` with each other value of one knob."""
        if knob == "schedule":
            candidates = [self._turned_to(best, number) for number in self._numbers()]
        else:
            changes: list[dict[str, Any]] = [{knob: value} for value in self._values_at(best, knob)]
            candidates = [replace(best, **changed) for changed in changes]
        yield from (candidate for candidate in candidates if candidate != best)

    def all(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The knobs that matter with their values, for people."""
        for knob in self.knobs:
            of_each = (self._values(number, knob) for number in range(len(self.schedules)))
            values = self._numbers() if knob == "schedule" else dict.fromkeys(v for each in of_each for v in each)
            if values:
                yield knob, tuple(values)

    @property
    def first_pass(self) -> int:
        """How many candidates one pass over all knobs has at most."""
        numbers = range(len(self.schedules))
        most = max((sum(len(self._values(number, knob)) for knob in self.knobs) for number in numbers), default=0)
        return len(self._numbers()) + most

    def _numbers(self) -> tuple[int, ...]:
        """Of the schedules; nothing where there is no choice."""
        return tuple(range(len(self.schedules))) if len(self.schedules) > 1 else ()

    def _turned_to(self, best: ShapeChoices, number: int) -> ShapeChoices:
        """Another schedule with those of the choices that it knows."""
        kept = {knob: value for knob, value in best.values().items() if value in self._values(number, knob)}
        return replace(NO_CHOICES, **kept, schedule=number)

    def _values_at(self, best: ShapeChoices, knob: str) -> tuple[Any, ...]:
        """Nothing where it is not known which kernel is launched."""
        if best.schedule is None and len(self.schedules) > 1:
            return ()
        return self._values(best.schedule or 0, knob)

    def _values(self, number: int, knob: str) -> tuple[Any, ...]:
        """Nothing where the knob cannot matter."""
        schedule = self.schedules[number]
        pruned = {
            "fills": self.size_class < STRIDES_FROM,
            "rows": self.size_class < ROWS_FROM,
            "lanes": self.size_class >= LANES_UNTIL and number == 0,
        }
        if knob not in schedule.knobs or pruned.get(knob, False):
            return ()
        if knob == "block":
            return _FLAT_BLOCKS if self.dimensions == 1 else _BLOCKS
        return {"tile": schedule.tiles, "lanes": schedule.lanes, **_VALUES}[knob]
