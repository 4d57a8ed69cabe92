"""Subscripts that are one of several numbers, and members of structs: which inner loops become axes of the grid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program

PROGRAM = """
typedef struct {{ double u, v, s[4]; union {{ int w; short h[2]; }}; int f : 9, g : 9; }} item;
void f(int n, int m, int t, double *restrict a, const double *restrict b, double (*restrict c)[64], item *restrict p)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            {body}
        }}
}}
"""

APART = (
    "int x = j == m - 1 ? 0 : j + 1; a[i * m + x] = b[i * m + j];",
    "int x = j > 0 ? j - 1 : m - 1, y = i > 0 ? i - 1 : n - 1; a[y * m + x] = b[i * m + j];",
    "a[i * m + (j + 1) % m] = b[i * m + j];",
    "const int x = (j - 1 + m) % m, y = (i + 1) % n; a[y * m + x] = b[i * m + j];",
    "c[i][j + 1 < m ? j + 1 : 0] = j;",
    "int x = j + 1; int y = x == m ? 0 : x; a[i * m + y] = j;",
    "p[i * m + j].u = 1; p[i * m + j + 1].v = 2;",
    "p[i * m + j].s[1] = p[i * m + (j + 1) % m].s[2]; p[i * m + (j + 1) % m].s[2] = 0;",
)
MEETING = (
    "int x = j == m - 1 ? 1 : j + 1; a[i * m + x] = b[i * m + j];",
    "int x = j == t ? 0 : j; a[i * m + x] = b[i * m + j];",
    "a[i * m + j * 2 % m] = j;",
    "a[i * m + (j + t) % m] = j;",
    "int x = (j + 1) % m; a[i * m + x] = a[i * m + j];",
    "p[i * m + j].u = 1; p[i * m + j + 1].u = 2;",
    "p[i * m + j].w = 1; p[i * m + j + 1].h[1] = 2;",
    "p[i * m + j].f = 1; p[i * m + j + 1].g = 2;",
    "p[i * m + j].s[t] = 1; p[i * m + j + 1].s[2] = 2;",
    "p[i * m + j].s[1] = 1; p[i * m + j + 1] = p[0];",
    "int x = b[j] > 0 ? j : 0; a[i * m + x] = j;",
)


@pytest.mark.parametrize(("body", "axes"), [*((body, 2) for body in APART), *((body, 1) for body in MEETING)])
def test_axes(tmp_path: Path, body: str, axes: int) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM.format(body=body))
    report: Any = translate_program([path], Options())[0].report
    (loop,) = report["regions"]
    assert loop["launch"]["dimensions"] == axes
