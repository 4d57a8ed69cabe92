"""What `python -m benchmarks memory` wants to see, and what was measured beside it.

    Bar("auto / hand-written", ratio("auto", "handwritten"), limit=1.10)     1.04: met

A bar about time is judged on a GPU only; one about bytes always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.bars import Bar
from benchmarks.ledger import Flow

PAGE = 4096
SHARE_FOR_PAGES = 0.01
PAGES_OF_AN_ARRAY = 2


@dataclass(frozen=True, slots=True)
class Minimum:
    """The bytes that must cross each way, of `arrays` arrays."""

    to_device: int
    to_host: int
    arrays: int

    def allows(self, to_device: int, to_host: int) -> bool:
        """Is what was moved the minimum, but for whole pages where elements were counted, and for sums that come home?

        1 % each way, two pages for each array, and as much for what is no array.
        """
        pages = PAGE * PAGES_OF_AN_ARRAY * (self.arrays + 1)
        return all(
            moved <= least * (1 + SHARE_FOR_PAGES) + pages
            for moved, least in ((to_device, self.to_device), (to_host, self.to_host))
        )


@dataclass(frozen=True, slots=True)
class Traffic:
    """What one variant copied in a run, each way."""

    to_device: Flow
    to_host: Flow

    def over(self, minimum: Minimum) -> float | None:
        """All bytes, divided by the minimum; None where the minimum is nothing."""
        least = minimum.to_device + minimum.to_host
        return (self.to_device.bytes + self.to_host.bytes) / least if least else None


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one program: the median seconds of each variant's computing phase, and each variant's traffic."""

    seconds: Mapping[str, float]
    traffic: Mapping[str, Traffic]
    minimum: Minimum


def seconds_of(variant: str, scale: float = 1.0) -> Callable[[Measured], float | None]:
    """The phase's seconds times `scale`."""
    return lambda measured: _scaled(measured.seconds.get(variant), scale)


def ratio(one: str, other: str) -> Callable[[Measured], float | None]:
    """How many times as long as `other` does `one` take?"""

    def value(measured: Measured) -> float | None:
        above, below = measured.seconds.get(one), measured.seconds.get(other)
        return above / below if above is not None and below else None

    return value


def above(one: str, other: str, scale: float) -> Callable[[Measured], float | None]:
    """How much longer than `other` does `one` take, times `scale`?"""

    def value(measured: Measured) -> float | None:
        first, second = measured.seconds.get(one), measured.seconds.get(other)
        return (first - second) * scale if first is not None and second is not None else None

    return value


def bandwidth(variant: str, way: str) -> Callable[[Measured], float | None]:
    """GB/s of the copies `to_device` or `to_host`."""

    def value(measured: Measured) -> float | None:
        traffic = measured.traffic.get(variant)
        flow: Flow | None = getattr(traffic, way) if traffic else None
        return flow.gigabytes_per_second if flow else None

    return value


def excess(variant: str) -> Callable[[Measured], float | None]:
    """Bytes moved beyond the minimum where that is more than whole pages explain, else 0."""

    def value(measured: Measured) -> float | None:
        traffic, minimum = measured.traffic.get(variant), measured.minimum
        if traffic is None:
            return None
        moved, least = (traffic.to_device.bytes, traffic.to_host.bytes), (minimum.to_device, minimum.to_host)
        if minimum.allows(*moved):
            return 0.0
        return float(sum(max(0, bytes_ - needed) for bytes_, needed in zip(moved, least, strict=True)))

    return value


MINIMAL_TRAFFIC: Bar[Measured] = Bar("auto, above the minimum", excess("auto"), 0.0, " bytes", of_time=False)


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale
