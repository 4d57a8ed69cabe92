"""What stands behind a loop is one more iteration of it, where that makes axes; else all stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]

TEXT = """
static double a[90][90][90], b[90][90], c[90];
int k;
void f(int n, int m, long l, unsigned u, const int *s)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def asked_by(plan: Plan) -> list[str]:
    """What the host asks, if what stands behind a loop is in it."""
    (region,) = (region for region in plan.regions if region.kernel is not None)
    return [value.condition for value in region.loop.least]


@pytest.mark.parametrize(
    ("body", "axes", "asked"),
    [
        ("for (int j = 0; j < m; j++) b[i][j] = 1; c[i] = 2;", "yx", ["m >= 0"]),
        ("for (int j = 3; j < m - 1; j++) b[i][j] = 1; c[i] = 2;", "yx", ["(long)m - 1 >= 3"]),
        ("for (long j = 1; j < l; j++) b[i][j] = 1; if (i > 3) c[i] = 2;", "yx", ["l >= 1"]),
        ("for (int j = 0; j < 90; j++) b[i][j] = 1; c[i] = 2;", "yx", []),
        ("double t; for (int j = 0; j < m; j++) { t = b[i][j]; b[i][j] = t * t; } t = c[i]; c[i] = t + 1;", "yx",
         ["m >= 0"]),
        ("for (int j = 0; j < m; j++) for (int q = 0; q < 90; q++) a[i][j][q] = 1; c[i] = 2;", "x", []),
        ("for (int j = 0; j < m; j++) { for (int q = 0; q < 90; q++) a[i][j][q] = 1; b[i][j] = 4; } c[i] = 2;", "x",
         []),  # a loop over q would be a thread's
        ("for (int j = 0; j < m; j++) { for (int q = 0; q < m; q++) a[i][j][q] = 1; b[i][j] = 4; } "
         "for (int q = 0; q < m; q++) a[i][m][q] = 3; c[i] = 2;", "zyx", ["m >= 0"]),
        ("for (int j = 0; j < 4; j++) b[i][j] = 1; c[i] = 2;", "x", []),  # few iterations
        ("for (int j = 0; j < s[i]; j++) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (int j = i; j < m; j++) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (int j = n; j < m; j++) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (int j = 0; j <= m; j++) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (int j = 0; j < m; j += 2) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (unsigned j = 0; j < u; j++) b[i][j] = 1; c[i] = 2;", "x", []),
        ("for (int j = 0; j < m; j++) b[i][j] = c[i]; c[i] = 2;", "x", []),
        ("for (int j = 0; j < m; j++) b[i][j] = 1; c[i] = b[i][0];", "x", []),
        ("for (int j = 0; j < m; j++) { if (b[i][j] > 3) break; b[i][j] = 1; } c[i] = 2;", "x", []),
        ("for (int j = 0; j < m; j++) b[i][j] = 1; if (i > 2) continue; c[i] = 2;", "x", []),
        ("for (int k = 0; k < m; k++) b[i][k] = 1; c[i] = k;", "yx", ["m >= 0"]),  # the counter is another k
        ("for (int j = 0; j < m; j++) b[i][j] = 1; for (int q = 1; q < 90; q++) a[i][q][0] += a[i][q - 1][0];", "x",
         []),
    ],
)  # fmt: skip
def test_what_becomes_an_axis(plan_of: PlanOf, body: str, axes: str, asked: list[str]) -> None:
    plan = plan_of(TEXT.format(body=body))
    assert "".join(axis.axis for axis in kernel(plan).grid) == axes
    assert asked_by(plan) == asked


def test_the_reason_says_which_loops(plan_of: PlanOf) -> None:
    plan = plan_of(TEXT.format(body="for (int j = 0; j < m; j++) b[i][j] = 1; c[i] = 2;"))
    assert "what stands behind the loop of line 8 is its last iteration" in str(kernel(plan).mapped_because)
