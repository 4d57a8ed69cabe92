"""The roofline as coordinates of a small picture: both axes logarithmic.

In: Roofline.   Out: Picture, or None where there is nothing to show.   Not here: the SVG -- roofline.svg.j2.
"""

from __future__ import annotations

from math import log2

from ompc.base.frozen import dataclass
from ompc.tools.readiness.roofline import Roofline
from ompc.tools.readiness.words import scaled

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 8, 412, 26, 160
LEAST, MOST = 2**-6, 2**10
"""The ends of the horizontal axis, in operations per byte."""


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """`roof`: points of the line; `loop`: those of the part that the loop lies on, its ends first and last."""

    width: int
    height: int
    bottom: int
    roof: str
    loop: str
    ends: tuple[tuple[float, float], ...]
    ridge: tuple[float, float]
    ticks: tuple[Tick, ...]
    memory: str
    peak: str
    device: str
    summary: str


def picture(found: Roofline) -> Picture | None:
    if found.least is None or found.most is None or not found.most:
        return None
    floor = found.attainable(LEAST)
    span = log2(found.peak / floor)

    def point(intensity: float) -> tuple[float, float]:
        x = log2(min(max(intensity, LEAST), MOST) / LEAST) / log2(MOST / LEAST)
        y = log2(max(found.attainable(min(max(intensity, LEAST), MOST)), floor) / floor) / span
        return round(LEFT + x * (RIGHT - LEFT), 1), round(BOTTOM - y * (BOTTOM - TOP), 1)

    ridge = point(found.ridge)
    ends = tuple(dict.fromkeys((point(found.least), point(found.most))))
    between = [ridge] if found.least < found.ridge < found.most else []
    powers = (2**-4, 2**-2, 1, 4, 16, 64, 256)
    return Picture(
        WIDTH,
        HEIGHT,
        BOTTOM,
        _points([point(LEAST), ridge, point(MOST)]),
        _points([point(found.least), *between, point(found.most)]),
        ends,
        ridge,
        tuple(Tick(point(power)[0], str(power) if power >= 1 else f"1/{round(1 / power)}") for power in powers),
        scaled(found.device.memory, "B/s"),
        scaled(found.peak, "FLOP/s"),
        found.device.name,
        f"limited by {found.roof.value}",
    )


def _points(found: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in found)
