"""Which accesses go through tiles of shared memory under auto, how large the tiles are, and what keeps to memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form

from ompc.base.options import Level
from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import TransposedPlan

PROGRAM = """
static float a[90][80], b[80][90], c[90][80], d[3][80][90], narrow[80][4];
static double x[7200], y[7200];
static int at[90];
static char e[80][90];
static long total;
static double w[90][80];
static double from(const double *q) {{ return *q; }}
void f(int n, int m, double *p, const double *q, double (*r)[90])
{{
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            {body}
        }}
}}
"""


def transposed(plan: Plan) -> TransposedPlan | None:
    return form(plan, TransposedPlan)


@pytest.mark.parametrize(
    ("clauses", "body", "staged"),
    [
        ("", "b[j][i] = a[i][j];", ["b[j][i] out"]),
        ("collapse(2)", "c[i][j] = a[i][j] + b[j][i];", ["b[j][i] in"]),
        ("collapse(2)", "c[i][j] = b[j][i] * b[j][i] + b[j][i + 1];", ["b[j][i] in", "b[j][i + 1] in"]),
        ("collapse(2)", "b[j][i] += a[i][j];", ["b[j][i] in and out"]),
        ("collapse(2)", "b[j][i] = 1; if (i > 3) b[j][i] += a[i][j];", ["b[j][i] out"]),
        ("collapse(2)", "int k = i; if (k > 3) k = 2; b[j][i] = a[i][j] + k;", ["b[j][i] out"]),
        ("collapse(2)", "if (b[j][i] > 0) c[i][j] = b[j][i];", ["b[j][i] in"]),  # the condition reads it always
        ("collapse(2)", "d[1][j][i] = a[i][j];", ["d[1][j][i] out"]),
        ("collapse(2)", "x[i * m + j] = y[j * n + i];", ["y[j * n + i] in"]),
        ("collapse(2)", "x[i * m + j] = y[j * 80 - i];", ["y[j * 80 - i] in"]),
        ("", "const int to = j * n + i, from = i * m + j; x[to] = y[from];", ["x[to] out"]),
        ("reduction(+: total)", "total += b[j][i] != a[i][j];", ["b[j][i] in"]),
        ("collapse(2)", "r[j][i] = a[i][j];", ["r[j][i] out"]),
        ("collapse(2)", "c[i][j] = b[j][i] + (a[i][j] > 0 ? d[0][j][i] : d[1][j][i]);", ["b[j][i] in"]),
    ],
)
def test_staged(clauses: str, body: str, staged: list[str], plan_of: Callable[..., Plan]) -> None:
    tiles = transposed(plan_of(PROGRAM.format(clauses=clauses, body=body)))
    assert tiles is not None
    ways = [" and ".join(["in"] * element.loaded + ["out"] * element.stored) for element in tiles.elements]
    assert [f"{c_expr(e.nodes[0])} {way}" for e, way in zip(tiles.elements, ways, strict=True)] == staged


@pytest.mark.parametrize(
    "body",
    [
        "c[i][j] = a[i][j];",
        "c[i][j] = at[i];",  # one element for all lanes
        "c[i][j] = narrow[j][i & 3];",  # neither a polynomial
        "c[i][j] = y[j * 4 + i];",  # near each other
        "c[i][j] = y[j * 90 + 2 * i];",
        "if (a[i][j] > 0) b[j][i] = a[i][j];",  # not always
        "if (a[i][j] > 0) c[i][j] = b[j][i];",
        "if (i == 5) continue; b[j][i] = a[i][j];",
        "b[j][i] = a[i][j]; if (a[i][j] > 0) b[j][i - 1] += 1;",  # two elements
        "b[j][i] = b[j][at[i]] + a[i][j];",
        "int k = i; if (j > 3) k = 2; c[i][j] = b[j][k];",
        "int k = at[i]; c[i][j] = b[j][k];",
        "for (int k = 0; k < m; k++) c[i][j] += at[k]; b[j][i] = 1;",
        "c[i][j] = from(&w[i][j]) + b[j][i];",  # what a function reads is not looked at
        "\n#pragma omp atomic\nb[j][i] += a[i][j];",
    ],
)
def test_kept_in_memory(body: str, plan_of: Callable[..., Plan]) -> None:
    assert transposed(plan_of(PROGRAM.format(clauses="collapse(2)", body=body))) is None


@pytest.mark.parametrize(
    ("body", "side", "elements"),
    [
        ("b[j][i] = a[i][j];", 64, 1),
        ("e[j][i] = a[i][j];", 64, 1),
        ("b[j][i] = a[i][j] + d[0][j][i];", 64, 2),
        ("b[j][i] = a[i][j] + d[0][j][i] + d[1][j][i];", 32, 3),
        ("y[j * n + i] = w[i][j];", 32, 1),  # wide elements
        ("b[j][i] = a[i][j]; for (int k = 0; k < 9; k++) c[i][j] = c[i][j] * 2 + k;", 32, 1),  # much to do
        ("b[j][i] = " + " + ".join(f"d[{k}][j][i + {q}]" for k in range(3) for q in range(5)) + " + a[i][j];", 32, 11),
    ],
)
def test_size(body: str, side: int, elements: int, plan_of: Callable[..., Plan]) -> None:
    tiles = transposed(plan_of(PROGRAM.format(clauses="collapse(2)", body=body)))
    assert tiles is not None
    assert (tiles.side, len(tiles.elements)) == (side, elements)


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto_has_tiles(level: Level, plan_of: Callable[..., Plan]) -> None:
    assert transposed(plan_of(PROGRAM.format(clauses="collapse(2)", body="b[j][i] = a[i][j];"), level)) is None
