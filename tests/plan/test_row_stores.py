"""Which rows the lanes of a warp store together under auto, and which must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.ir import types as ty
from ompc.plan.model.plan import Plan

PROGRAM = """
static double a[400][10], b[400][9], q[400][9], c[400][8], d[40][300][5], e[40][300][3], f[300][40][5];
static float g[400][4], h[400][7]; static int on[400];
void run(int n, double (*p)[5])
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        double x[10] = {{ 0 }}, y[9] = {{ 0 }}, z[8] = {{ 0 }}, r[5] = {{ 0 }}, s[3] = {{ 0 }};
        float u[4] = {{ 0 }}, v[7] = {{ 0 }};
        x[2] = i, y[3] = i, z[4] = i, r[1] = i, s[1] = i, u[1] = i, v[2] = i;
        {body}
        on[i] = x[1] + y[1] + z[1] + r[2] + s[2] + u[0] + v[0];
    }}
}}
"""


@pytest.mark.parametrize(
    ("body", "lengths"),
    [
        ("for (int m = 0; m < 9; m++) b[i][m] = y[m];", [9]),
        ("for (int m = 0; m < 5; m++) p[i][m] = r[m];", [5]),
        ("for (int m = 0; m < 7; m++) h[i + 1][m] = v[m];", [7]),
        ("for (int m = 0; m < 3; m++) e[2][i][m] = s[m];", [3]),
        ("if (i > 3) for (int m = 0; m < 9; m++) b[i][m] = y[m];", [9]),
        # as much as there is room for, and rows of one type have one place
        ("for (int m = 0; m < 10; m++) a[i][m] = x[m]; for (int m = 0; m < 9; m++) b[i][m] = y[m];", [10]),
        (
            "for (int m = 0; m < 9; m++) b[i][m] = y[m]; for (int m = 0; m < 8; m++) c[i][m] = z[m];"
            " for (int m = 0; m < 9; m++) q[i][m] = y[m];",
            [9, 9],
        ),
        # a store of one thread is as long, or the row is not whole, or rows are apart
        ("for (int m = 0; m < 4; m++) g[i][m] = u[m];", []),
        ("for (int m = 0; m < 8; m++) b[i][m] = y[m];", []),
        ("for (int m = 1; m < 9; m++) b[i][m] = y[m];", []),
        ("for (int m = 0; m < 9; m++) b[2 * i][m] = y[m];", []),
        ("for (int m = 0; m < 5; m++) f[i][3][m] = r[m];", []),
        ("for (int m = 0; m < 9; m++) b[i][m] += y[m];", []),
        ("for (int m = 0; m < 9; m++) b[i][m] = y[8 - m];", []),
    ],
)
def test_row_stores(body: str, lengths: list[int], plan_of: Callable[..., Plan]) -> None:
    (region,) = plan_of(PROGRAM.format(body=body)).regions
    assert region.kernel is not None
    found = [store.own.type for store in region.kernel.own.row_stores]
    assert [kind.length for kind in found if isinstance(kind, ty.Array)] == lengths
