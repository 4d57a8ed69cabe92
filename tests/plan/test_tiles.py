"""Which nests get a tiled kernel under auto, what is staged in it, and why others get none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form, kernel

from ompc.base.options import FloatingPoint, Level
from ompc.ir.show import c_expr
from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import RowCoarsening, TilePlan

PROGRAM = """
static float a[90][70], b[70][80], c[90][80], d[90][80][70];
static double x[6300], y[5600], z[7200];
static int at[70];
static signed char small[90][70];
static unsigned short less[70][80];
static struct {{ unsigned char r, g; unsigned low : 5; }} pixels[90][70];
struct pair {{ float v[2]; }};
static struct pair p[90], q[90][80];
static struct {{ double re, im; }} w[90][90];
static double twice(double v) {{ return 2 * v; }}
void f(int n, int m, int l)
{{
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            {body}
        }}
}}
"""

SUM = "float s = 0; for (int k = 0; k < l; k++) {0} c[i][j] = s;"


def tiles_of(plan: Plan) -> TilePlan | None:
    return form(plan, TilePlan)


def rows_of(plan: Plan) -> RowCoarsening | None:
    return form(plan, RowCoarsening)


@pytest.mark.parametrize(
    ("clauses", "body", "staged"),
    [
        ("", SUM.format("s += a[i][k] * b[k][j];"), ["a[i][k] y down", "b[k][j] x vectors"]),
        ("", SUM.format("s += a[k][i] * b[j][k];"), ["a[k][i] y vectors", "b[j][k] x down"]),
        ("", SUM.format("s += a[k][i] * a[k][j];"), ["a[k][i] y vectors", "a[k][j] x vectors"]),
        ("collapse(2)", SUM.format("s += a[i][k];"), ["a[i][k] y down"]),
        ("", SUM.format("s += a[i][k] * b[k][j] + a[i][k];"), ["a[i][k] y down", "b[k][j] x vectors"]),
        ("", SUM.format("if (a[i][k] > b[k][j]) s += b[k][j];"), ["a[i][k] y down", "b[k][j] x vectors"]),
        ("", SUM.format("s += a[i][k] * b[k][j] * at[k];"), ["a[i][k] y down", "b[k][j] x vectors"]),
        ("", SUM.format("s += p[i].v[k % 2];"), ["p[i].v[k % 2] y across"]),
        ("", SUM.format("s += small[i][k] * less[k][j];"), ["small[i][k] y down", "less[k][j] x vectors"]),
        ("", SUM.format("s += pixels[i][k].g * a[j][k];"), ["pixels[i][k].g y down", "a[j][k] x down"]),
        # what is behind a member is another one
        ("", SUM.format("s += w[i][k].re * w[k][j].im;"), ["w[i][k].re y down", "w[k][j].im x across"]),
        (
            "",
            "int row = i * l; for (int k = 0; k < l; k++) z[i * m + j] += x[row + k] * y[k * m + j];",
            ["x[row + k] y points", "y[k * m + j] x vectors"],
        ),
    ],
)
def test_staged(clauses: str, body: str, staged: list[str], plan_of: Callable[..., Plan]) -> None:
    tiles = tiles_of(plan_of(PROGRAM.format(clauses=clauses, body=body)))
    assert isinstance(tiles, TilePlan)
    how = [f"{c_expr(r.nodes[0])} {r.axis.value} {r.order.value}" for r in tiles.staged]
    assert how == staged


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("c[i][j] = 0; for (int k = 0; k < l; k++) c[i][j] += a[i][k];", ["c[i][j] set"]),
        ("for (int k = 0; k < l; k++) c[i][j] += a[i][k];", ["c[i][j] loaded"]),
        ("c[i][j] = c[i][j] * 2; for (int k = 0; k < l; k++) c[i][j] += a[i][k];", ["c[i][j] loaded"]),
        ("float s = c[i][j]; for (int k = 0; k < l; k++) s += a[i][k]; c[i][j] = s;", []),
    ],
)
def test_elements_that_stay_in_registers(body: str, kept: list[str], plan_of: Callable[..., Plan]) -> None:
    tiles = tiles_of(plan_of(PROGRAM.format(clauses="", body=body)))
    assert isinstance(tiles, TilePlan)
    assert [f"{c_expr(e.nodes[0])} {'loaded' if e.loaded else 'set'}" for e in tiles.kept] == kept


def test_narrow_integers_are_int_in_shared_memory(plan_of: Callable[..., Plan]) -> None:
    body = SUM.format("s += small[i][k] * less[k][j] * a[i][k] * y[k * m + j];")
    tiles = tiles_of(plan_of(PROGRAM.format(clauses="", body=body)))
    assert isinstance(tiles, TilePlan)
    assert [getattr(read.type, "name", "") for read in tiles.staged] == ["int", "int", "float", "double"]


@pytest.mark.parametrize(
    ("terms", "depth"),
    [
        ("x[i * l + k] * y[k * m + j]", 8),
        ("x[i * l + k] * y[k * m + j] + x[j * l + k] * y[k * n + i]", 4),
        ("a[i][k] * b[k][j] + a[j][k] * b[k][i]", 8),
    ],
)
def test_as_many_iterations_as_there_is_room_for(terms: str, depth: int, plan_of: Callable[..., Plan]) -> None:
    body = f"double s = 0; for (int k = 0; k < l; k++) s += {terms}; z[i * m + j] = s;"
    tiles = tiles_of(plan_of(PROGRAM.format(clauses="", body=body), fp=FloatingPoint.STRICT))
    assert isinstance(tiles, TilePlan) and tiles.depth == depth


@pytest.mark.parametrize(
    ("body", "because"),
    [
        (SUM.format("s += a[i][k] * pixels[j][k].low;"), "each point reads elements of its own of 'pixels'"),
        (SUM.format("s += a[i][k] * d[i][j][k];"), "each point reads elements of its own of 'd'"),
        (SUM.format("s += a[i][k] * b[at[k]][j];"), "each point reads elements of its own of 'b'"),
        ("for (int k = 0; k < l; k++) c[i][j] += a[i][k] * (j ? 1 : c[0][j]);", "several elements of 'c'"),
        ("for (int k = 0; k < l; k++) if (a[i][k] > 0) c[i][j] = a[i][k];", "may write nothing of 'c'"),
        ("for (int k = 0; k < l; k++) d[i][j][k / 2] = a[i][k];", "may write several elements of 'd'"),
        ("for (int k = 0; k < l; k++) q[i][j].v[k % 2] += a[i][k];", "may write several elements of 'q'"),
        (
            "float v[2] = {0}; for (int k = 0; k < l; k++) v[k % 2] += a[i][k]; c[i][j] = v[0];",
            "'v' is no plain number",
        ),
    ],
)
def test_not_tiled(body: str, because: str, plan_of: Callable[..., Plan]) -> None:
    (refused,) = kernel(plan_of(PROGRAM.format(clauses="collapse(2)", body=body))).refused
    assert refused.heading == "not tiled" and refused.because is not None
    assert because in refused.because


@pytest.mark.parametrize(
    ("head", "axis", "within"),
    [
        ("k = i + 1; k < l", "y", "k >= i + 1"),
        ("k = 0; k <= i", "y", "k <= i"),
        ("k = 2 * j; k < 70", "x", "k >= 2 * j"),
        ("k = 3; k < l - j", "x", "k < l - j"),
        ("k = 0; k < l", None, None),
    ],
)
def test_points_with_iterations_of_their_own(
    head: str, axis: str | None, within: str | None, plan_of: Callable[..., Plan]
) -> None:
    body = f"float s = 0; for (int {head}; k++) s += a[i][k] * b[k][j]; c[i][j] = s;"
    tiles = tiles_of(plan_of(PROGRAM.format(clauses="", body=body)))
    assert tiles is not None
    assert (None if tiles.part is None else (tiles.part.axis.value, c_expr(tiles.part.within))) == (
        None if axis is None else (axis, within)
    )


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        ("", "c[i][j] = a[i][0];"),  # no loop
        ("", SUM.format("s += at[k];")),  # nothing that points share by rows or columns
        ("", SUM.format("{ if (a[i][k] > 3) break; s += a[i][k]; }")),
        ("", SUM.format("for (int q = 0; q < 2; q++) s += a[i][k];")),
        ("", "float s = 0; for (int k = i; k < i + l; k++) s += a[i][k]; c[i][j] = s;"),  # others for each point
        ("", "float s = 0; for (int k = i + j; k < l; k++) s += a[i][k]; c[i][j] = s;"),
        ("", "float s = 0; for (int k = l; k > i; k--) s += a[i][k]; c[i][j] = s;"),
        ("", "if (j <= i) { float s = 0; for (int k = 0; k < i; k++) s += a[i][k]; c[i][j] = s; }"),
        ("", "float s = 0; if (j > 1) continue; for (int k = 0; k < l; k++) s += a[i][k]; c[i][j] = s;"),
        ("collapse(2) reduction(max: m)", SUM.format("s += a[i][k];") + "m = m > j ? m : j;"),
    ],
)
def test_no_tiles(clauses: str, body: str, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses=clauses, body=body))
    kernels = [region.kernel for region in plan.regions if region.kernel is not None]
    assert all(isinstance(s.form, (LaneSharing, type(None))) for each in kernels for s in each.schedules)
    assert not any(each.refused for each in kernels)


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("c[i][j] = a[i][j % 70] + a[i + 1][j % 70];", None),  # no polynomial
        ("c[i][j] = b[i][j] + b[i + 1][j];", "b[i][j]"),
        ("c[i][j] = b[i][j] + b[i][j + 1];", None),
        ("c[i][j] = b[i][j] + b[i + 9][j];", None),
        ("z[i * m + j] = x[(i - 1) * m + j] - x[(i + 1) * m + j];", "x[(i - 1) * m + j]"),
        ("z[i * m + j] = x[i * m + j] - x[i * m + j + l];", None),
        ("float s = 0; for (int k = 0; k < 3; k++) s += b[i + k][j]; c[i][j] = s;", "b[i + k][j]"),
        ("float s = 0; for (int k = 0; k < 3; k++) s += b[i][j + k]; c[i][j] = s;", None),
        ("float s = 0; for (int k = 0; k < 30; k++) s += b[i + k][j]; c[i][j] = s;", None),
        (
            "float s = 0; for (int p = 0; p < 3; p++) for (int q = -1; q <= 1; q++) s += x[p * 3 + q + 1]"
            " * y[(i + p) * m + j + q]; c[i][j] = s;",
            "y[(i + p) * m + j + q]",
        ),
        (
            "float s = 0; for (int p = 0; p < 7; p++) for (int q = 0; q < 7; q++) s += x[p * 7 + q] * b[i + p][j + q];"
            " c[i][j] = s;",
            "b[i + p][j + q]",
        ),
        ("c[i][j] = b[i + 1][j] + b[i][j]" + " * 3 + at[j]" * 100 + ";", None),  # too much
        ("if (b[i][j] > 0) continue; c[i][j] = b[i][j] + b[i + 1][j];", None),
    ],
)
def test_rows(body: str, read: str | None, plan_of: Callable[..., Plan]) -> None:
    rows = rows_of(plan_of(PROGRAM.format(clauses="collapse(2)", body=body)))
    assert (rows is not None) == (read is not None)
    assert read is None or (rows is not None and rows.because.endswith(f"such as {read}"))


@pytest.mark.parametrize(
    ("body", "axis"),
    [
        ("c[p][i][j] = a[p - 1][i][j] + a[p + 1][i][j] + a[p][i - 1][j] + a[p][i + 1][j];", "z"),
        ("c[p][i][j] = a[p][i - 1][j] + a[p][i + 1][j];", "y"),
        ("int at = (p * n + i) * m + j; y[at] = x[at - n * m] + x[at - m] + x[at + m] + x[at + n * m];", "z"),
        ("int at = (p * n + i) * m + j; y[at] = x[at - m] + x[at + m];", "y"),
        ("int at = (p * n + i) * m + j; y[at] = x[at];", None),
    ],
)
def test_axis_of_rows(body: str, axis: str | None, plan_of: Callable[..., Plan]) -> None:
    rows = rows_of(
        plan_of(
            f"""static float a[9][40][50], c[9][40][50];
            void f(int l, int n, int m, float *y, const float *x)
            {{
                #pragma omp parallel for
                for (int p = 1; p < l; p++)
                    for (int i = 0; i < n; i++)
                        for (int j = 0; j < m; j++) {{ {body} }}
            }}"""
        )
    )
    assert (rows.axis if rows is not None else None) == axis


@pytest.mark.parametrize(("clause", "once"), [("", True), (" reduction(+ : sum)", False)])
def test_only_sums_need_all_turns_of_the_grid(clause: str, once: bool, plan_of: Callable[..., Plan]) -> None:
    """A thread that leaves after its first point brings no part of a sum."""
    plan = (
        plan_of(
            f"""static float a[40][50], c[40][50];
            float f(int n, int m)
            {{
                float sum = 0;
                #pragma omp parallel for{clause}
                for (int i = 1; i < n; i++)
                    for (int j = 0; j < m; j++) {{ c[i][j] = a[i - 1][j] + a[i + 1][j]; {"sum += 1;" * (not once)} }}
                return sum;
            }}"""
        )
    )
    assert rows_of(plan) is not None
    ((_, kernel),) = plan.regions[0].kernels
    assert (kernel.own.once is not None) == once


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto_has_tiles(level: Level, plan_of: Callable[..., Plan]) -> None:
    body = SUM.format("s += a[i][k] * b[k][j];")
    assert tiles_of(plan_of(PROGRAM.format(clauses="collapse(2)", body=body), level)) is None
