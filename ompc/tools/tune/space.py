"""What is tried for a loop, and in which order.

    product, tiles, 2^22 iterations     tile 8 4 2 0, then, where no tiles are best, block and fills

Each knob has few values, since blocks and rows are the hardware's powers of two; what decides most comes first. Pruned
is what cannot matter: blocks strided over where there are fewer of them than a device holds, several rows a thread or
several lanes an iteration where there are too few or too many of them, the shape of a block where tiles have their own.

In: a loop's knobs (plan/mapping/tuned.py), dimensions and size.   Out: candidates next to a choice.
Not here: which one is better -- search.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ompc.base.tuning import NO_CHOICES, ShapeChoices

_FLAT_BLOCKS = ((32, 1), (64, 1), (128, 1), (256, 1))
_BLOCKS = ((32, 2), (32, 4), (32, 8), (64, 1), (64, 2), (64, 4), (128, 1), (128, 2), (256, 1), (16, 16))
_VALUES: dict[str, tuple[int, ...]] = {
    "rows": (8, 4, 1),
    "lanes": (1, 2, 4, 8, 16, 32),
    "fills": (1, 2, 4, 8, 32, 128),
}

STRIDES_FROM = 15
"""The binary logarithm of the iterations from which on a device may have fewer threads than there are iterations."""
ROWS_FROM = 10
LANES_UNTIL = 20
"""The binary logarithm of the iterations from which on there are iterations for all lanes of any device."""


@dataclass(frozen=True, slots=True)
class Space:
    """The choices for one loop in launches of one size; `dimensions` of its grid, `tiles` that its kernel can have."""

    knobs: tuple[str, ...]
    dimensions: int
    size_class: int
    tiles: tuple[int, ...] = ()

    def around(self, best: ShapeChoices, knob: str) -> Iterator[ShapeChoices]:
        """`best` with each other value of one knob."""
        if knob in ("block", "fills") and self.tiles and best.tile != 0:
            return  # tiles have a shape of their own
        for value in self.values(knob):
            changed: dict[str, Any] = {knob: value}
            candidate = replace(best, **changed)
            if candidate != best:
                yield candidate

    def values(self, knob: str) -> tuple[Any, ...]:
        """Nothing where the knob cannot matter."""
        pruned = {
            "fills": self.size_class < STRIDES_FROM,
            "rows": self.size_class < ROWS_FROM,
            "lanes": self.size_class >= LANES_UNTIL,
        }
        if knob not in self.knobs or pruned.get(knob, False):
            return ()
        if knob == "tile":
            return self.tiles
        if knob == "block":
            return _FLAT_BLOCKS if self.dimensions == 1 else _BLOCKS
        return _VALUES[knob]

    def all(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The knobs that matter with their values, for people."""
        yield from ((knob, self.values(knob)) for knob in self.knobs if self.values(knob))

    @property
    def first_pass(self) -> int:
        """How many candidates one pass over all knobs has at most."""
        return sum(1 for knob in self.knobs for _ in self.around(NO_CHOICES, knob))
