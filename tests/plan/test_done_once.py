"""Stores beside an inner loop are done by one of its iterations, where the loop becomes an axis of tiles by that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form, kernel

from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import TilePlan

PlanOf = Callable[..., Plan]

TEXT = """
static double a[400][400], b[400][400], c[400][400], x[400], y[400], j[400];
void f(int n, int m, unsigned u)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {before}
        for ({loop}) {{
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[q][k];
            {store}
        }}
        {behind}
    }}
}}
"""
STORE = "c[i][q] = s;"
SAME = "int q = 0; q < n; q++"


def axes(plan: Plan) -> list[str]:
    return [loop.variable for loop in kernel(plan).grid]


def text_of(before: str = "", loop: str = SAME, store: str = STORE, behind: str = "") -> str:
    return TEXT.format(before=before, loop=loop, store=store, behind=behind)


@pytest.mark.parametrize(
    ("loop", "first", "last"),
    [
        (SAME, "0", "n"),
        ("int q = i + 1; q < n; q++", "0", "n"),
        ("int q = i; q < n; q++", "0", "n"),
        ("int q = i - 2; q < n; q++", "(int)(0 - 2)", "n"),
        ("int q = 0; q < i; q++", "0", "n"),
        ("int q = 0; q <= i; q++", "0", "n"),
        ("int q = 0; q < i + 2; q++", "0", "(int)((long)n - 1 + 2)"),
        ("int q = 0; q < m; q++", "0", "m >= 1 ? m : 1"),
        ("int q = 0; q < 5; q++", "0", "5"),
        ("int q = -2; q <= m; q++", "-2", "m >= -2 ? m : -2"),
    ],
)
def test_an_iteration_does_it(plan_of: PlanOf, loop: str, first: str, last: str) -> None:
    plan = plan_of(text_of("x[i] += 1;", loop))
    assert axes(plan) == ["i", "q"]
    assert "is done by one of its iterations" in str(kernel(plan).mapped_because)
    assert form(plan, TilePlan) is not None
    axis = kernel(plan).grid[-1].loop
    assert (c_expr(axis.lower), c_expr(axis.upper)) == (first, last)
    left_out = plan_of(text_of("x[i] += 1;", loop), without=frozenset({"done-once"}))
    assert axes(left_out) == ["i"]


@pytest.mark.parametrize(
    "loop",
    [
        "int q = i + 1; q < m; q++",  # the row's number may be beyond the end
        "int q = 0; q < m - i; q++",
        "int q = m; q <= i; q++",
        "int q = n - 1; q >= 0; q--",
        "int q = 0; q < n; q += 2",
        "unsigned q = 0; q < u; q++",
        "int q = 4; q < 4; q++",
        "int q = m; q < n; q++",
    ],
)
def test_no_iteration_certainly_does_it(plan_of: PlanOf, loop: str) -> None:
    assert axes(plan_of(text_of("x[i] += 1;", loop))) == ["i"]


@pytest.mark.parametrize(
    ("before", "store", "behind"),
    [
        ("", STORE, "x[i] = 2;"),
        ("c[i][i] = 1;", "if (q != i) c[i][q] = s;", ""),
        ("x[i] = 3; if (x[i] > y[i]) y[i] = x[i];", STORE, "y[i] += 2;"),
        ("", STORE, "x[i] = c[i][i];"),
        ("", STORE, "double t = x[i]; x[i] = t * y[i];"),
    ],
)
def test_once(plan_of: PlanOf, before: str, store: str, behind: str) -> None:
    assert axes(plan_of(text_of(before, store=store, behind=behind))) == ["i", "q"]


@pytest.mark.parametrize(
    ("before", "store", "behind"),
    [
        ("x[i] = 3;", "c[i][q] = s + x[i];", ""),  # other iterations read it
        ("", STORE, "x[i] = c[i][3];"),  # another iteration has written it
        ("", STORE, "x[i] = c[i][n - 1];"),
        ("double t = 0;", "c[i][q] = t = s;", "x[i] = t;"),  # the last iteration's value
        ("double t = 0; x[i] = 1; t = x[i];", STORE + " c[i][q] += t;", "x[i] += t;"),
        ("double w[2];", "w[0] = s; c[i][q] = w[0];", "x[i] = w[0];"),
        ("double *p = &x[i]; *p = 1;", STORE, ""),
        ("if (x[i] > 2) continue; x[i] = 2;", STORE, ""),
        ("for (int l = 0; l < m; l++) x[i] += l;", STORE, ""),
        ("x[i] = 1;", STORE + " if (s > 4) break;", ""),
    ],
)
def test_not_once(plan_of: PlanOf, before: str, store: str, behind: str) -> None:
    assert axes(plan_of(text_of(before, store=store, behind=behind))) == ["i"]


def test_a_counter_that_hides_another_name(plan_of: PlanOf) -> None:
    text = text_of("j[i] = 1;").replace("q", "j")
    assert axes(plan_of(text)) == ["i", "j_2"]


def test_where_points_share_nothing_a_group_has_an_iteration(plan_of: PlanOf) -> None:
    text = text_of("x[i] = 1;").replace("s += a[i][k] * b[q][k];", "").replace("for (int k = 0; k < m; k++)", "")
    assert axes(plan_of(text)) == ["i"]


@pytest.mark.parametrize("sum_", ["s += k;", "s += a[i][q];", "s += x[k];"])
def test_nor_where_points_of_a_line_share_one_element(plan_of: PlanOf, sum_: str) -> None:
    text = text_of("y[i] = 1;").replace("s += a[i][k] * b[q][k];", sum_)
    assert axes(plan_of(text)) == ["i"]
