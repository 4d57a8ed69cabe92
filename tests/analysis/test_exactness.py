"""Products that must be rounded before they are added: those whose value decides something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.sema.show import c_expr


@pytest.mark.parametrize(
    ("body", "exact"),
    [
        ("y[i] = x[i] * 2 + 1;", []),
        ("if (x[i] * x[i] + 1 > 4) y[i] = 1;", ["x[i] * x[i]"]),
        ("if (x[i] * x[i] > 4) y[i] = 1;", []),
        ("double a = x[i] * 3; double b = a + 1; if (b > 2) y[i] = b;", ["x[i] * 3"]),
        ("double a = x[i] * 3; a += x[i]; y[i] = a;", []),
        ("double a = 1; a *= x[i]; idx[i] = (int)(a + 0.5);", ["a *= x[i]"]),
        ("idx[i] = x[i] * 2 + 0.5;", ["x[i] * 2"]),
        ("idx[i] += x[i] * 2;", ["x[i] * 2"]),
        ("idx[i] *= x[i] * 2;", []),
        ("y[(int)(x[i] * 2 + 1)] = 0;", ["x[i] * 2"]),
        ("y[i] = x[i] * 2 + 1; if (y[i] > 0) idx[i] = 1;", ["x[i] * 2"]),
        ("double a = x[i]; while (a < 10) a = a * 2 + 1; y[i] = a;", ["a * 2"]),
        ("y[i] = sqrt(x[i] * x[i] + 1) < 2 ? 1 : 0;", ["x[i] * x[i]"]),
        ("float a = x[i]; float b = a * a; if (b - 1) y[i] = 1;", ["a * a"]),
        ("int a = idx[i] * 3 + 1; if (a > 2) y[i] = x[i] * 2 + 1;", []),
        ("y[i] = 1 / sqrt(x[i]);", []),
        ("if (1 / sqrt(x[i]) > 2) y[i] = 1 / sqrt(y[i]);", ["1 / sqrt(x[i])"]),
        ("double a = 1.0 / sqrt(x[i]); s = 3 / a; while (s > 1) s -= 1;", ["1.0 / sqrt(x[i])"]),
        ("idx[i] = (int)fabs(1.0f / sqrtf(idx[i]));", ["1.0f / sqrtf(idx[i])"]),
        ("y[i] = x[(int)(2 / sqrt(x[i]))];", []),  # two operations anyway
    ],
)
def test_exact_products(body_facts: Callable[..., Facts], body: str, exact: list[str]) -> None:
    assert sorted(map(c_expr, body_facts(body).exact)) == sorted(exact)


def test_through_a_function(body_facts: Callable[..., Facts]) -> None:
    before = "static double norm(double a, double b) { return a * a + b * b; } static int up(int v) { return v; }"
    facts = body_facts("if (norm(x[i], 2) > 1) y[i] = up(x[i] * 3 + 1);", before=before)
    assert sorted(map(c_expr, facts.exact)) == ["a * a", "b * b", "x[i] * 3"]
