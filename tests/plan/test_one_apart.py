"""Loops of which one iteration is in the way of the others are done in three parts; others stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]

TEXT = """
static int a[400][400], s[400];
void f(int *p, int n, int k, long l, int m)
{{
    int j;
    #pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def parted_by(plan: Plan) -> str | None:
    """The number of the iteration that stands alone, in words."""
    _, found, rest = str(kernel(plan).mapped_because).partition("the loop over j in which it is ")
    return rest.partition(" ")[0] if found else None


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k];", "k"),
        ("for (j = 0; j < m; j++) a[i][j] += a[i][k] * s[j];", "k"),
        ("if (i != k) for (int j = 1; j <= m; j += 3) a[i][j] += a[i][k] * a[k][j];", "k"),
        ("for (long j = 0; j < 400; j++) { int t = a[i][l]; if (t < 3) continue; a[i][j] += t; }", "l"),
        ("for (int j = 0; j < 400; j++) a[i][j] %= a[i][i] + 1;", "i"),
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][7];", "7"),
        ("for (int j = 0; j < 400; j++) a[j][i] += a[k][i];", None),  # elements are far from each other
        ("for (int j = 0; j < n; j++) p[i * n + j] += p[i * n + k];", "k"),
        ("for (int j = 0; j < 400; j++) { a[i][j] += s[j]; a[i][k] = j; }", None),  # all store there
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k] + a[i][m];", None),  # two of them
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k + 1];", None),  # no variable says which
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][l];", None),  # of another type
        ("for (unsigned j = 0; j < 400; j++) a[i][j] += a[i][k];", None),
        ("for (int j = 399; j >= 0; j--) a[i][j] += a[i][k];", None),
        ("for (int j = 0; j < 400; j++) { if (a[i][k] > 9) break; a[i][j] += a[i][k]; }", None),
        ("int h = i / 2; for (int j = 0; j < 400; j++) a[i][j] += a[i][h];", None),  # each iteration's own
        ("for (int j = 0; j < s[i]; j++) a[i][j] += a[i][k];", None),  # bounds in memory
        ("int at = k; { int k = i; for (int j = 0; j < 400; j++) a[i][j] += a[i][at] + k; }", None),
        ("for (int j = 0; j < 400; j++) for (int q = 0; q < 3; q++) a[i][j] += a[i][k];", None),
        ("for (int j = 0; j < 400; j++) { static int t; a[i][j] += a[i][k] + t; }", None),
        ("for (int j = 0; j < 400; j++) if (j != k) a[i][j] += a[i][k];", None),  # an axis as it is
    ],
)
def test_which_iteration(plan_of: PlanOf, body: str, number: str | None) -> None:
    plan = plan_of(TEXT.format(body=body))
    (region,) = plan.regions
    if number is None and region.kernel is None:
        return  # on the host
    assert parted_by(plan) == number
    assert parted_by(plan_of(TEXT.format(body=body), without=frozenset({"apart"}))) is None
