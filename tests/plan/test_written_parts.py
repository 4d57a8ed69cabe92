"""What launchers say of the part of an array that their kernels write: never less, and nothing where it is all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.plan.model.plan import Plan
from ompc.plan.report import transfer_out

PROGRAM = """
static double u[900], rows[30][40];
struct point {{ float x; int n; }};
static struct point points[50];
static void put(double *to, int at) {{ to[at] = 1; }}
void f(int n, int m, double *p, double *flat, const int *at)
{{
    #pragma omp parallel for
    for (int i = 1; i < n; i++) {{
        {body}
    }}
}}
"""
INNER = "for (int j = 1; j < m; j++)"


def written(plan: Plan) -> dict[str, str | None]:
    """What comes home of each array of which that is less than what is used."""
    (region,) = plan.regions
    assert region.kernel is not None, region.reason
    return {str(v.device_name): transfer_out(v) for v in region.variables if v.written is not None}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("u[i] += u[0];", {"u": "elements 1 .. n - 1"}),
        ("u[2 * i + 3] += u[0];", {"u": "elements 5 .. 2 * n + 1"}),
        ("u[n - i] += u[0];", {"u": "elements 1 .. n - 1"}),
        ("if (i > m) u[i] += u[0];", {"u": "elements m <= -1 ? 1 : m + 1 .. n - 1"}),
        (f"{INNER} rows[i][j] += rows[0][j];", {"rows": "elements 1 .. n - 1"}),
        ("rows[3][i] += rows[2][i];", {"rows": "elements 3 .. 3"}),
        ("points[i].n += points[0].n;", {"points": "elements 1 .. n - 1"}),
        ("p[i + 1] += p[0];", {"p": "elements 2 .. n"}),
        ("p[i - 3] += p[n + 2];", {"p": "elements -2 .. n - 4"}),
        (
            f"{INNER} flat[i * m + j] += flat[j];",
            {"flat": "flat[i * m + j] for 1 <= i < n, 1 <= j < m"},
        ),
        ("u[i] += u[0]; p[i] = u[0];", {"u": "elements 1 .. n - 1"}),
        ("u[i] = 1; if (at[i] > 3) u[i + 5] += 1;", {"u": "elements 1 .. n + 4"}),
        # all of what is used, or nobody knows
        ("p[i] += 1;", {}),
        (f"{INNER} flat[i * m + j] += 1;", {}),
        ("u[at[i]] += 1;", {}),
        ("put(u, i + 1); u[i + 1] += u[0];", {}),
        ("double *q = u + i; *q += u[0]; q++; *q = 2;", {}),
        ("p[i % n] += p[n + 3];", {}),
        ("rows[0][i] += rows[0][0];", {"rows": "elements 0 .. 0"}),
    ],
)
def test_parts(body: str, expected: dict[str, str], plan_of: Callable[..., Plan]) -> None:
    assert written(plan_of(PROGRAM.format(body=body))) == expected


def test_without(plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(body="u[i] += u[0];")
    assert written(plan_of(text, without=frozenset({"written-parts"}))) == {}
