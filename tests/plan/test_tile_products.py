"""Which tiled nests are sums of products that tensor cores compute, and how what they read is staged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import form

from ompc.base.diagnostics import InternalError
from ompc.base.options import FloatingPoint
from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import TilePlan, TileProduct
from ompc.plan.verify import verify_plan

PROGRAM = """
static double a[90][70], b[70][80], c[90][80], w[70];
static float f[90][70], g[90][80];
static int at[90][80];
void work(int n, int m, int l, double alpha, double *restrict x, const double *restrict y, const double *restrict z)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            {body}
        }}
}}
"""
SUM = "double s = 0; for (int k = 0; k < l; k++) {0} c[i][j] = s;"
IN_PLACE = "for (int k = 0; k < l; k++) {0}"


def tiles_of(plan: Plan) -> TilePlan:
    tiles = form(plan, TilePlan)
    assert isinstance(tiles, TilePlan)
    return tiles


def product_of(plan: Plan) -> TileProduct | None:
    return tiles_of(plan).product


@pytest.mark.parametrize(
    ("body", "factors"),
    [
        (SUM.format("s += a[i][k] * b[k][j];"), ("a[i][k]", "b[k][j]")),
        (SUM.format("s = s + b[k][j] * a[i][k];"), ("a[i][k]", "b[k][j]")),
        (SUM.format("s = a[i][k] * b[k][j] + s;"), ("a[i][k]", "b[k][j]")),
        (SUM.format("s -= a[i][k] * b[k][j];"), ("-a[i][k]", "b[k][j]")),
        (IN_PLACE.format("c[i][j] += alpha * a[i][k] * b[k][j];"), ("alpha * a[i][k]", "b[k][j]")),
        (IN_PLACE.format("c[i][j] = c[i][j] - a[k][i] * a[k][j];"), ("-a[k][i]", "a[k][j]")),
        (IN_PLACE.format("{ double r = a[i][k] * 2; c[i][j] += r * b[k][j]; }"), ("r", "b[k][j]")),
        (SUM.format("s += (double)f[i][k] * (b[k][j] - 1);"), ("(double)f[i][k]", "b[k][j] - 1")),
        (SUM.format("s += a[i][k] * j;"), ("a[i][k]", "j")),
        (
            "double s = 1; for (int k = 0; k < l; k++) s += y[i * l + k] * z[j * l + k]; x[i * m + j] = s / l;",
            ("y[i * l + k]", "z[j * l + k]"),
        ),
    ],
)
def test_products(body: str, factors: tuple[str, str], plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(body=body)
    product = product_of(plan_of(text))
    assert product is not None
    assert ("-" * product.negative + c_expr(product.left), c_expr(product.right)) == factors
    assert product_of(plan_of(text, fp=FloatingPoint.FAST)) is not None
    assert product_of(plan_of(text, fp=FloatingPoint.STRICT)) is None


@pytest.mark.parametrize(
    "body",
    [
        "float s = 0; for (int k = 0; k < l; k++) s += f[i][k] * g[k][j]; c[i][j] = s;",
        SUM.format("s += f[i][k] * g[k][j];"),  # the product is rounded to a float
        SUM.format("s += a[i][k] * b[k][j] * alpha;"),  # neither factor is of one axis
        SUM.format("s += a[i][k] * b[k][j] + a[i][k];"),
        SUM.format("s = a[i][k] * b[k][j] - s;"),
        SUM.format("s *= a[i][k] * b[k][j];"),
        SUM.format("s += a[i][k] * a[i][k];"),
        SUM.format("s += a[i][k] * w[k] * b[k][j];"),
        SUM.format("{ s += a[i][k] * b[k][j]; s += 1; }"),
        "double s = 0, r = 0; for (int k = 0; k < l; k++) { s += a[i][k] * b[k][j]; r = s; } c[i][j] = s + r;",
        "double s = 0; for (int k = 0; k < l; k++) s += a[i][k] * b[k][j]; at[i][j] = s > 3;",  # a last bit decides
    ],
)
def test_no_products(body: str, plan_of: Callable[..., Plan]) -> None:
    assert product_of(plan_of(PROGRAM.format(body=body))) is None


def test_memory(plan_of: Callable[..., Plan]) -> None:
    """Iterations of a point side by side where they are in the array; more memory than a block has without asking."""
    tiles = tiles_of(plan_of(PROGRAM.format(body=SUM.format("s += a[i][k] * b[k][j];"))))
    assert [(c_expr(read.nodes[0]), read.order.value) for read in tiles.staged] == [
        ("a[i][k]", "points"),
        ("b[k][j]", "vectors"),
    ]
    assert (tiles.depth, tiles.narrower, tiles.memory) == (16, 1, (74752, 37888, 19456))


def test_verified(plan_of: Callable[..., Plan]) -> None:
    """No product is contracted with --fp strict."""
    plan = plan_of(PROGRAM.format(body=SUM.format("s += a[i][k] * b[k][j];")))
    with pytest.raises(InternalError, match="contracts a product"):
        verify_plan(replace(plan, contraction=replace(plan.contraction, contracts=False)))
