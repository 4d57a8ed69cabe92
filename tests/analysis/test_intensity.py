"""Floating-point operations and bytes of an iteration."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.locality.intensity import ASSUMED_LENGTH, intensity


@pytest.mark.parametrize(
    ("body", "double", "every", "once"),
    [
        ("y[i] = x[i];", 0, 16, 16),
        ("y[i] = (x[i] + 1) / 3;", 5, 16, 16),
        ("y[i] = x[i] * x[i + 1];", 1, 24, 16),  # neighbours share what they read
        ("y[i] = sin(x[i]);", 20, 16, 16),
        ("for (int q = 0; q < 10; q++) y[i] += x[q];", 10, 240, 16.08),  # x is read once for all iterations
        ("for (int q = 0; q < 10; q++) y[i] = y[i] + x[10 * i + q];", 10, 240, 96),
        ("for (int q = 0; q < m; q++) y[i] += x[q];", 1000, 24000, 24),
        ("if (x[i] > 0) y[i] = x[i] * 2;", 0.5, 16, 12),
        ("double t = x[i]; for (int q = 0; q < 5; q++) t = t * t; y[i] = t;", 5, 16, 16),
    ],
)
def test_counts(body: str, double: float, every: float, once: float, body_facts: Callable[..., Facts]) -> None:
    found = intensity(body_facts(body))
    assert (found.double, found.single) == (double, 0)
    assert (found.every, found.once) == pytest.approx((every, once))
    assert found.iterations == ASSUMED_LENGTH and "n" in found.assumed


def test_what_is_guessed_is_said(body_facts: Callable[..., Facts]) -> None:
    found = intensity(body_facts("for (int q = idx[i]; q < idx[i + 1]; q++) y[i] += x[idx[q]];"))
    assert any("trip count of the loop" in words for words in found.unknown)
    assert any("x[idx[q]]" in words for words in found.unknown)
