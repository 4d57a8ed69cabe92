"""Iterations that read what later ones write read a copy; others stay in a thread."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.base.options import Level
from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]

TEXT = """
static double b[300][300], c[300][300], s;
void f(double *p, int n, volatile double *q)
{{
    #pragma omp parallel for
    for (int j = 0; j < n; j++)
        {body}
}}
"""
ROW = "for (int i = 0; i < 300; i++) {{ double sum = 0; {sum} {store} }}"
LATER = "for (int k = i + 1; k < 300; k++) sum += b[k][j];"


def copied_by(plan: Plan) -> list[str]:
    return [str(v.symbol.name) for v in kernel(plan).arrays if v.former is not None]


@pytest.mark.parametrize(
    ("total", "store", "copies"),
    [
        (LATER, "b[i][j] = sum;", ["b_before"]),
        (LATER, "b[i][j] += sum;", ["b_before"]),
        (LATER, "b[i][j] = sum + b[i][j] * 2;", ["b_before"]),
        (LATER, "b[i][j] = sum; b[i][j] *= 2;", ["b_before"]),
        ("for (int k = i; k < 300; k++) sum += b[k][j];", "b[i][j] = sum;", ["b_before"]),
        ("for (int k = 299; k > i; k--) sum += b[k][j] * c[k][j];", "c[i][j] = b[i][j]; b[i][j] = sum;",
         ["b_before", "c_before"]),
        ("for (int k = i + 1; k < 300; k++) sum += b[k][j] + b[k][n];", "if (sum > 0) b[i][j] = sum;", ["b_before"]),
        ("for (int k = 0; k < i; k++) sum += b[k][j];", "b[i][j] = sum;", []),  # new values
        ("for (int k = 0; k < 300; k++) sum += b[k][j];", "b[i][j] = sum;", []),  # both
        (LATER, "b[i][j] = sum; b[i + 1][j] = 2;", []),
        ("b[i][j] = 1; for (int k = i; k < 300; k++) sum += b[k][j];", "b[i][j] = sum;", []),
        ("sum = b[i + 1][j];", "b[i][j] = sum;", []),  # not worth a copy
        ("for (int k = 1; k < 4; k++) sum += b[i + k][j];", "b[i][j] = sum;", []),
        (LATER, "double *r = b[i]; r[j] = sum;", []),
        (LATER, "\n#pragma omp atomic\nb[i][j] += sum;", []),
    ],
)  # fmt: skip
def test_what_is_copied(plan_of: PlanOf, total: str, store: str, copies: list[str]) -> None:
    plan = plan_of(TEXT.format(body=ROW.format(sum=total, store=store)))
    assert copied_by(plan) == copies
    assert [axis.axis for axis in kernel(plan).grid] == (["y", "x"] if copies else ["x"])


def test_an_array_behind_a_pointer(plan_of: PlanOf) -> None:
    row = "for (int i = 0; i < 50; i++) for (int k = i + 1; k < 50; k++) p[i * n + j] += p[k * n + j];"
    assert copied_by(plan_of(TEXT.format(body=row))) == ["p_before"]


def test_iterations_that_are_no_promise_have_no_copies(plan_of: PlanOf) -> None:
    """What an earlier iteration of `j` has written is wanted then."""
    text = TEXT.format(body=ROW.format(sum=LATER, store="b[i][j] = sum;"))
    assert copied_by(plan_of(text.replace("parallel for", "parallel for num_threads(1)"))) == []


def test_the_old_levels_have_no_copies(plan_of: PlanOf) -> None:
    text = TEXT.format(body=ROW.format(sum=LATER, store="b[i][j] = sum;"))
    for level in (Level.BASELINE, Level.THESIS):
        assert copied_by(plan_of(text, level)) == []
