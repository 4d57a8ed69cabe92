"""Robust figures of repeated measurements: medians, and how far they can be trusted.

    is_faster([9.0, 9.1, 9.0], [10.0, 10.1, 14.0])      True

One slow run (another program, a clock that changes) must decide nothing, so that there are no means and no variances.

In: seconds.   Out: seconds, yes or no.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

LEAST_GAIN = 0.02
"""The least share of the time that a change must gain: less is worth no line in anybody's program."""
_NORMAL = 1.4826  # the standard deviation of a normal distribution over its median absolute deviation


def spread(values: Sequence[float]) -> float:
    """About how far a measurement is from the median, as a part of it: the median absolute deviation."""
    middle = median(values)
    return _NORMAL * median(abs(value - middle) for value in values) / middle if middle > 0 else 0.0


def is_faster(fresh: Sequence[float], known: Sequence[float]) -> bool:
    """By more than the noise of either, and by enough to matter."""
    noise = 2 * max(spread(fresh), spread(known))
    return median(fresh) < median(known) * (1 - max(LEAST_GAIN, noise))
