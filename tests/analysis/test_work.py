"""About how many operations an iteration is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.locality.work import work_of_iteration
from ompc.render.launcher.work import work


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y[i] = x[i];", "3"),
        ("y[i] = (x[i] + 1) / 3;", "8"),
        ("y[i] = sin(x[i]);", "23"),
        ("for (int q = 0; q < 10; q++) y[i] += x[q];", "50"),
        ("for (int q = 0; q < m; q++) y[i] += x[q];", "5.0 * m"),
        ("for (int q = m; q > 0; q -= 2) y[i] += x[q];", "5.0 * m"),
        ("for (int q = 0; q < i; q++) y[i] += x[q];", "5.0 * n"),
        ("for (int q = 0; q < m; q++) for (int p = q; p < m; p++) y[i] += x[p];", "2.0 * m + 5.0 * m * m"),
        ("for (int q = idx[i]; q < idx[i + 1]; q++) y[i] += x[q];", "70"),
        ("while (y[i] < 10) y[i] += 1;", "40"),
        ("if (x[i] > 0) y[i] = 1; else y[i] = 2;", "7"),
    ],
)
def test_operations(body: str, expected: str, body_facts: Callable[..., Facts]) -> None:
    facts = body_facts(body)
    assert work(work_of_iteration(facts, facts.device_code.body)) == expected


def test_functions_count_what_they_do(body_facts: Callable[..., Facts]) -> None:
    own = "static double power(double x, int n) { double p = 1; for (int k = 0; k < 5; k++) p *= x; return p; }"
    facts = body_facts("y[i] = power(x[i], 3);", before=own)
    assert work(work_of_iteration(facts, facts.device_code.body)) == "34"


def test_recursion_ends(body_facts: Callable[..., Facts]) -> None:
    facts = body_facts("y[i] = cos(cos(x[i]));")
    assert work(work_of_iteration(facts, facts.device_code.body)) == "43"
