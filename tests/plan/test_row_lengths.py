"""Which arrays have the lengths of their rows in common."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.plan.model.plan import Plan
from ompc.plan.model.variable import Role


@pytest.mark.parametrize(
    ("parameters", "before", "common"),
    [
        ("int n, int m, double a[n][m], double b[n][m]", "", True),
        ("int n, int m, double (*a)[m], double b[][m]", "", True),
        ("int n, int m, double a[n][m + 1], double b[n][m + 1]", "m = 2;", True),
        ("int n, int m, double a[n][m], double b[n][m + 1]", "", False),
        ("int n, int m, double a[n][m], double b[n][wide]", "", False),
        ("int n, int m, double a[n][wide], double b[n][wide]", "", True),
        ("int n, int m, double a[n][loose], double b[n][loose]", "", False),
        ("int n, int m, double a[n][m++], double b[n][m++]", "", False),
        ("int n, int m, double a[n][next()], double b[n][next()]", "", False),
        ("int n, int m, double a[n][m], double *c", "double (*b)[m] = (double (*)[m])c;", True),
        ("int n, int m, double a[n][m], double *c", "m++; double (*b)[m] = (double (*)[m])c;", False),
        ("int n, int m, double *c", "double (*a)[m] = (void *)c; m++; double (*b)[m] = (void *)(c + 9);", False),
        ("int n, int m, double *c", "double (*a)[m] = (void *)c; next_of(&m); double (*b)[m] = (void *)c;", False),
        ("int n, int m, double *c", "double (*a)[wide] = (void *)c, (*b)[wide] = (void *)(c + 9);", False),
        ("int n, int m, double *c", "double (*a)[m + 2] = (void *)c, (*b)[m + 2] = (void *)(c + 9);", True),
    ],
)  # fmt: skip
def test_lengths_in_common(parameters: str, before: str, common: bool, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(
        f"""int wide; volatile int loose; int next(void), next_of(int *);
        void f({parameters})
        {{
            {before}
            #pragma omp parallel for
            for (int i = 0; i < n; i++)
                for (int j = 0; j < 9; j++) a[i][j] = b[i][j] + 1;
        }}"""
    )
    (region,) = plan.regions
    lengths = {v.symbol.name: v.dimensions for v in region.variables if v.role is Role.ARRAY}
    assert (lengths["a"] == lengths["b"]) == common
