"""Loops of triangles become axes over their bounding boxes, with a guard; others stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form, kernel

from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import TilePlan

PlanOf = Callable[..., Plan]

TEXT = """
static double a[400][400], b[400][400], c[400][400], cube[40][400][400];
static int ends[400];
void f(int n, int m, unsigned u, long l)
{{
    #pragma omp parallel for
    {body}
}}
"""
STORE = "c[i][j] += 1;"


def axes(plan: Plan) -> list[str]:
    return [loop.variable for loop in kernel(plan).grid]


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("int i = 0; i < n; i++", "int j = 0; j <= i; j++"),
        ("int i = 0; i < n; i++", "int j = 0; j < i; j++"),
        ("int i = 2; i <= n; i++", "int j = i; j < m; j++"),
        ("int i = 0; i < n; i++", "int j = i + 1; j < m; j++"),
        ("int i = 0; i < n; i++", "int j = 0; j < n - i; j++"),
        ("int i = 0; i < n; i++", "int j = m; j <= 2 * i; j++"),
    ],
)
def test_boxed(plan_of: PlanOf, outer: str, inner: str) -> None:
    plan = plan_of(TEXT.format(body=f"for ({outer}) for ({inner}) {STORE}"))
    assert axes(plan) == ["i", "j"]
    assert "with a guard" in str(kernel(plan).mapped_because)
    plain = plan_of(TEXT.format(body=f"for ({outer}) for ({inner}) {STORE}"), without=frozenset({"boxes"}))
    assert axes(plain) == ["i"]


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("int i = 3; i < n; i++", "int j = i - 3; j <= i + 3; j++"),  # a band
        ("int i = 0; i < n; i++", "int j = 0; j < ends[i]; j++"),
        ("int i = 0; i < n; i++", "int j = 0; j < i * i; j++"),
        ("int i = 0; i < n; i++", "int j = 0; j < i / 2; j++"),
        ("int i = 0; i < n; i++", "int j = i; j >= 0; j--"),
        ("int i = 0; i < n; i++", "int j = 0; j <= i; j += 2"),
        ("int i = 0; i < n; i += 3", "int j = 0; j <= i; j++"),
        ("int i = n; i > 0; i--", "int j = 0; j <= i; j++"),
        ("unsigned i = 0; i < u; i++", "unsigned j = 0; j <= i; j++"),
        ("long i = 0; i < l; i++", "long j = 0; j <= i; j++"),
        ("int i = 0; i < n; i++", "short j = 0; j <= i; j++"),
    ],
)
def test_not_boxed(plan_of: PlanOf, outer: str, inner: str) -> None:
    assert axes(plan_of(TEXT.format(body=f"for ({outer}) for ({inner}) {STORE}"))) == ["i"]


SUM = "double s = 0; for (int k = 0; k < m; k++) {body} c[i][j] = s;"


@pytest.mark.parametrize(
    ("body", "tiled"),
    [
        ("s += a[i][k] * b[j][k];", True),
        ("s += a[k][i] * b[k][j];", True),
        ("s += a[i][k] * b[j][k] * ends[k];", False),  # what is beside the triangle reads more than tiles
        ("s += a[i][k] * b[j][k] / (a[i][k] + 2);", True),
        ("s += a[i][k] * b[j][k] / (i - j + 1);", False),  # integers of points that are not there
        ("s += a[i][k] * b[j][k] * (m / (i - j + 1));", False),
    ],
)
def test_tiles_with_a_guard(plan_of: PlanOf, body: str, tiled: bool) -> None:
    text = TEXT.format(body=f"for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) {{ {SUM.format(body=body)} }}")
    found = form(plan_of(text), TilePlan)
    assert (found is not None) == tiled
    assert found is None or found.guard is not None


def test_no_tiles_where_the_guard_changes_along_a_third_axis(plan_of: PlanOf) -> None:
    nest = "for (int q = 0; q < 40; q++) for (int i = 0; i < n; i++) for (int j = 0; j <= q; j++)"
    text = TEXT.format(body=nest + " { " + SUM.format(body="s += a[i][k] * b[j][k];").replace("c[", "cube[q][") + " }")
    assert form(plan_of(text), TilePlan) is None
