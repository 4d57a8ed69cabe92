"""Kernels in which a group of threads shares an iteration: which loops it shares, and which stay with one thread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ompc.base.options import Level, Options
from ompc.driver import translate
from ompc.ir.show import c_expr
from ompc.plan.model.lane_steps import GroupOf, LaneSharing, Repeated, Scope
from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]
ROWS, COLUMNS = True, False
TEXT = """
double a[400][300], b[400][300], c[300][400], v[400];
int end[400], k[400][300];
struct pair {{ double x, y; }} p[400][300];
void f(int n, int m)
{{
    #pragma omp {directive}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def group_of(plan: Plan) -> LaneSharing | None:
    kernels = [region.kernel for region in plan.regions if region.kernel is not None]
    forms = [schedule.lanes for each in kernels for schedule in each.schedules if schedule.lanes is not None]
    return next((lanes for lanes in forms if lanes.stores), None)


SHARED = [
    ("for (int j = 0; j <= i; j++) a[i][j] *= 2;", "j", ROWS),
    ("for (int j = i; j < m; j++) a[i][j] = c[j][i];", "j", ROWS),
    ("for (int j = 0; j <= i; j++) c[j][i] = 1;", "j", COLUMNS),
    ("for (int j = 0; j < end[i]; j++) a[i][j] += j;", "j", ROWS),
    ("v[i] = 1; for (int j = 1; j < m; j++) a[i][j] = b[i][j - 1]; v[i] = a[i][m - 1];", "j", ROWS),
    ("for (int j = 0; j < m; j++) a[i][j] = i; for (int j = 1; j < m; j++) b[i][j] = a[i][j - 1];", "j j", ROWS),
    ("int s = 1; for (int j = 0; j < m; j++) s += k[i][j]; for (int q = 0; q < m; q++) k[i][q] = s;", "j q", ROWS),
    ("if (v[i] > 0) for (int j = 0; j < i; j++) p[i][j].x = p[i][j].y;", "j", ROWS),
    (
        "for (int q = 0; q < m; q++) for (int j = 0; j <= i; j++) a[i][j] += b[i][q] * b[j][q];",  # all repeat q
        "j",
        ROWS,
    ),
    (
        "for (int j = i; j < n; j++) { double s = 0; for (int q = 0; q < m; q++) s += b[i][q] + b[j][q]; c[i][j] = s;}",
        "j",
        COLUMNS,
    ),
    # as many turns as each iteration wants
    ("for (int q = 0; q < end[i]; q++) for (int j = 0; j <= i; j++) a[i][j] += b[q][j];", "j", ROWS),
    ("for (int q = 0; q < k[i][0]; q++) for (int j = 0; j < m; j++) k[i][j] -= j;", "j", ROWS),
    ("int q; for (q = m; q > i; q--) for (int j = 0; j < end[i]; j++) a[i][j] += q * b[i][j];", "j", ROWS),
    # from a number that stays, behind a pointer that does, and with a struct of each entry
    ("int at = k[i][0]; at += i; for (int j = 0; j < end[i]; j++) v[at + j] *= 2;", "j", ROWS),
    ("int q = end[i]; if (q > 5) q = 0; for (int j = 0; j < m; j++) a[i][q + 2 * j] = a[i][q + 2 * j + 1];", "j", ROWS),
    ("double *r = a[end[i]]; for (int q = 0; q < m; q++) for (int j = 0; j <= i; j++) r[j] += b[q][j];", "j", ROWS),
    ("double *r = v + end[i]; for (int q = 0; q < i; q++) { for (int j = 0; j < m; j++) r[j] *= q; r++; }", "j", ROWS),
    ("struct pair d; for (int j = 0; j < end[i]; j++) { d.x = j; d.y = b[i][j]; a[i][j] = d.x * d.y; }", "j", ROWS),
]


@pytest.mark.parametrize(("body", "loops", "of"), SHARED)
def test_shared(plan_of: PlanOf, body: str, loops: str, of: bool) -> None:
    found = group_of(plan_of(TEXT.format(directive="parallel for", body=body), without=frozenset({"boxes"})))
    assert found is not None
    assert [shared.loop.var.name for shared in found.body.loops()] == loops.split()
    assert found.group_of is GroupOf.WARPS


ALONE = [
    "for (int j = 1; j <= i; j++) a[i][j] = a[i][j - 1];",
    "for (int j = 0; j <= i; j++) a[i][j] = a[i][i - j];",
    "for (int j = 0; j <= i; j++) a[i][j / 2] = j;",
    "for (int j = 0; j < end[i]; j++) end[i] = 7;",
    "int q; for (q = 0; q < end[i]; q++) for (int j = 0; j < m; j++) a[i][j] += q; v[i] = q;",  # wanted behind
    "for (int q = end[i]; q < 9; q++) for (int j = 0; j < m; j++) a[i][j] += q * a[i][0];",
    "int at = k[i][0]; at += i; for (int j = 0; j < end[i]; j++) { v[at + j] *= 2; at += j & 1; }",
    "int at = k[i][0]; at += i; for (int j = 0; j < end[i]; j++) v[at + j] = v[at];",
    "int at = k[i][0], to = at + end[i]; at += i; for (int j = 0; j < end[i]; j++) v[at + j] = v[to + j];",
    "double *r = v + end[i]; for (int q = 0; q < m; q++) for (int j = 0; j < m; j++) { r[0] += j; r++; }",
    "double *r = v + end[i], *s = r + 1; for (int j = 0; j < m; j++) r[j] = s[j];",
    "double *r = v + end[i]; for (int j = 0; j < m; j++) r[j] = r[j + 1];",
    "struct pair d = {1, 2}; for (int j = 0; j < m; j++) { a[i][j] = d.x; d.x = b[i][j]; }",
    "double t = 0; for (int j = 0; j <= i; j++) { a[i][j] = t; t = b[i][j]; }",
    "int j; for (j = 0; j <= i; j++) a[i][j] = 1; v[i] = j;",
    "for (int j = 0; j <= i; j++) { if (b[i][j] > 3) break; a[i][j] = 1; }",
    "double t[2]; for (int j = 0; j <= i; j++) { t[j % 2] = b[i][j]; a[i][j] = t[0]; }",
    "double t[5000]; for (int j = 0; j <= i; j++) t[j] = b[i][j]; for (int j = 0; j <= i; j++) a[i][j] = t[i - j];",
    "double t[m], *q = t; for (int j = 0; j <= i; j++) q[j] = b[i][j]; for (int j = 0; j < i; j++) a[i][j] = t[j];",
    "double t[9000]; for (int j = 0; j < m; j++) t[j] = i; for (int j = 1; j < i; j++) a[i][j] = a[i][j - 1] + t[j];",
    "double t[300], *q = t; for (int j = 0; j <= i; j++) q[j] = b[i][j]; for (int j = 0; j <= i; j++) a[i][j] = t[j];",
    "for (int j = 0; j <= i; j++) {\n#pragma omp atomic\nv[j]++;\n}",
    "for (int j = 0; j <= 20; j++) a[i][j + i % 7] = 1;",
    "for (int j = 0; j <= i; j++) a[i][j] = 1; int q = 0; while (q < m && b[i][q] > 0) q++; v[i] = q;",
]


@pytest.mark.parametrize("body", ALONE)
def test_alone(plan_of: PlanOf, body: str) -> None:
    assert group_of(plan_of(TEXT.format(directive="parallel for", body=body))) is None


def test_arrays_of_an_iteration_are_in_memory_of_the_block(plan_of: PlanOf) -> None:
    body = "double t[300], f[3]; for (int j = 0; j < m; j++) { f[0] = b[i][j]; f[1] = f[0] * f[0]; t[j] = f[1]; }"
    body += "for (int j = 0; j < m; j++) a[i][j] = t[m - 1 - j];"
    found = group_of(plan_of(TEXT.format(directive="parallel for", body=body), without=frozenset({"boxes"})))
    assert found is not None and {symbol.name for symbol in found.held} == {"t"}  # each entry has an f


def test_so_are_those_of_variable_length_in_memory_of_the_launch(plan_of: PlanOf) -> None:
    body = "double t[m]; for (int j = 0; j <= i; j++) t[j] = b[i][j]; for (int j = 0; j <= i; j++) a[i][j] = t[i - j];"
    found = group_of(plan_of(TEXT.format(directive="parallel for", body=body)))
    assert found is not None and {symbol.name for symbol in found.held} == {"t"}


def test_large_arrays_are_in_memory_of_the_launch_for_each_block(tmp_path: Path) -> None:
    body = "double t[9000], f[2]; for (int j = 0; j < m; j++) { f[0] = b[i][j]; t[j] = f[0] * 2; }"
    body += "for (int j = 0; j < m; j++) a[i][j] = t[m - 1 - j];"
    source = tmp_path / "x.c"
    source.write_text(TEXT.format(directive="parallel for", body=body))
    text = translate(source, Options()).files["x.cu"]
    alone, shared = (re.split(rf"\bf(?:_2)?{name}\(", text)[1].split("\n}")[0] for name in ("", "_shared"))
    assert "t_memory.interleaved()" in alone and "double *const t = t_memory.of_block();" in shared
    assert "__shared__" not in shared and "group.shape().with_parts_of_blocks()" in text


def test_points_of_several_axes_have_groups(plan_of: PlanOf) -> None:
    body = "for (int q = 0; q < 3; q++) { for (int j = q; j < m; j += 3) a[i][j] = q; k[i][q] = (int)a[i][q]; }"
    found = group_of(plan_of(TEXT.format(directive="parallel for collapse(2)", body=body)))
    assert found is not None and found.point is not None


def test_other_levels_have_one_kernel(plan_of: PlanOf) -> None:
    text = TEXT.format(directive="parallel for", body=SHARED[0][0])
    assert group_of(plan_of(text, Level.THESIS)) is None


def test_what_threads_hand_on_is_not_restrict(tmp_path: Path) -> None:
    """nvcc moves a load of a `__restrict__` array across a barrier: nobody else, it is told, changes the array."""
    source = tmp_path / "x.c"
    body = "for (int j = 0; j <= i; j++) a[i][j] *= b[i][j]; v[i] = a[i][0];"
    source.write_text(TEXT.format(directive="parallel for", body=body))
    text = translate(source, Options()).files["x.cu"]
    alone, shared = (re.split(rf"\bf(?:_2)?{name}\(", text)[1].split("\n{")[0] for name in ("", "_shared"))
    assert "(*__restrict__ a)" in alone and "(*__restrict__ a)" not in shared
    assert "const double (*__restrict__ b)" in shared and "*__restrict__ v" in shared


BOXES = """
struct box {{ int row, plane, nk, nj, ni, begin; double *x, **v; }} box[400];
double **rows; int which[400];
void f(int n, int m, int to)
{{
    #pragma omp parallel for
    for (int b = 0; b < n; b++) {{
        const int row = box[b].row, plane = box[b].plane, nk = box[b].nk, nj = box[b].nj, ni = box[b].ni;
        double *x = box[b].x, *y = box[b].v[to];
        double *restrict z = box[b].v[1];
        {body}
    }}
}}
"""
NEST = "for (int k = 0; k < nk; k++) for (int j = 0; j < nj; j++) for (int i = 0; i < ni; i++) "
ASKED = [
    (NEST + "x[i + j * row + k * plane] = i;", ["plane row 1"]),
    (NEST + "{ int at = i + row * j; x[2 * at + k * plane] += at; }", ["plane row * 2 2"]),
    (NEST + "y[i + j * row + k * row * ni] = i;", ["row * ni row 1"]),
    (NEST + "{ z[i + j * row + k * plane] = y[i + 1]; }", ["plane row 1"]),
    ("for (int j = nj; j > 0; j -= 3) for (int i = 0; i < ni; i += 2) x[i + j * row] = i;", ["row * 3 2"]),
    (NEST + "x[i + j * row + k * plane] = y[i] = 0;", None),  # one is y[i], for all
    (NEST + "x[i + j * row] = i;", ["row 1"]),  # for each k
    (NEST + "x[i + j * row + k * plane] = x[i + 1 + j * row + k * plane];", None),
    (NEST + "x[i + j * row + which[k]] = i;", None),
    (NEST + "x[i * j + k * plane] = i;", None),
    (NEST + "y[i + j * row + k * plane] = box[b].v[2][i + j * row + k * plane];", None),
    (NEST + "for (int l = 0; l < ni; l++) x[i + j * row + k * plane + l] = i;", None),
]


@pytest.mark.parametrize(("body", "strides"), ASKED)
def test_strides_of_nests_are_asked(plan_of: PlanOf, body: str, strides: list[str] | None) -> None:
    found = group_of(plan_of(BOXES.format(body=body)))
    loops = [] if found is None else [shared for shared in found.body.loops() if shared.asked]
    assert bool(loops) == (strides is not None)
    for shared in loops:
        texts = [" ".join(c_expr(stride) for stride in each).replace("(unsigned long)", "") for each in shared.asked]
        assert texts == strides


def test_a_loop_begins_where_an_iteration_says(plan_of: PlanOf) -> None:
    body = "for (int k = box[b].begin + nk; k < 90; k++) for (int i = 0; i < ni; i++) z[i] += k;"
    assert group_of(plan_of(BOXES.format(body=body))) is None  # the others would follow a pointer
    body = "for (int k = nj + nk; k < 90; k++) for (int i = 0; i < ni; i++) z[i] += k;"
    found = group_of(plan_of(BOXES.format(body=body)))
    assert found is not None
    ((told,),) = [[step.told for step in _repeated(found.body)]]
    assert {symbol.name for symbol in told} == {"nj", "nk"}


def _repeated(scope: Scope) -> Iterator[Repeated]:
    for step in scope.steps:
        if isinstance(step, Repeated):
            yield step
        elif isinstance(step, Scope):
            yield from _repeated(step)


APART = [
    ("for (int j = 0; j < m; j++) rows[j][b] += j; box[b].ni = 1;", True),
    ("for (int j = 0; j < m; j++) rows[b][j] += j; box[b].ni = 1;", False),
    ("for (int j = 0; j < m; j++) rows[b][j] = rows[b + n][j]; box[b].ni = 1;", True),
    ("for (int j = 0; j < m; j++) rows[which[b]][j] += j; box[b].ni = 1;", True),  # it is not known to be one row
]


@pytest.mark.parametrize(("body", "apart"), APART)
def test_rows_that_threads_have_some_of_are_apart(plan_of: PlanOf, body: str, apart: bool) -> None:
    plan = plan_of(BOXES.format(body=body))
    assert group_of(plan) is not None
    (region,) = plan.regions
    assert [v.apart for v in region.variables if v.label == "*rows"] == [apart]
