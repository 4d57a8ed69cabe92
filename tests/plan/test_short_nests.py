"""Short loops that stand in each other: which of them become one, for whom, and what is asked of sizes for that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate
from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]
TEXT = """
#define B 12
void f(float *a, const float *x, int n, int size)
{{
    #pragma omp parallel for
    for (int c = 0; c < n; c++) {{
        {body}
    }}
}}
"""
IN = "for (int i = 0; i < B; i++) for (int j = 0; j < B; j++) t[i][j] = x[c * B * B + i * B + j];"
OUT = "for (int i = 0; i < B; i++) for (int j = 0; j < B; j++) a[c * B * B + i * B + j] = t[j][i];"
OUT_OF_ROWS = "for (int i = 0; i < B; i++) for (int j = 0; j < B; j++) a[(c * B + i) * size + j{at}] = t[j][i];"
SUMS = """float sum[B] = {first};
    for (int i = 0; i < B; i++) {{
        for (int k = 0; k < B; k++) for (int j = 0; j < B; j++) sum[j] += x[i * B + k] * x[c * B * B + k * B + j];
        for (int j = 0; j < B; j++) {{ a[c * B * B + i * B + j] = sum[j]; {reset} }}
    }} {behind}"""


def group_of(plan: Plan) -> LaneSharing | None:
    kernels = [region.kernel for region in plan.regions if region.kernel is not None]
    forms = [schedule.lanes for each in kernels for schedule in each.schedules if schedule.lanes is not None]
    return next((lanes for lanes in forms if lanes.stores), None)


@pytest.mark.parametrize(
    ("body", "shared", "asked"),
    [
        (f"float t[B][B]; {IN} {OUT}", "i_j i_j_2", ""),
        (f"float t[B][B]; {IN} {OUT_OF_ROWS.format(at='')}", "i_j i_j_2", "size >= 12"),
        (f"float t[B][B]; {IN} {OUT_OF_ROWS.format(at=' / 2')}", "", ""),  # no size tells them apart
        ("float t[B][B]; for (int j = 0; j < B; j++) for (int i = 0; i < B; i++) t[i][j] = x[i * B + j]; " + OUT,
         "i_j i_j_2", ""),  # neighbours in memory last
        ("float t[5][5]; for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) t[i][j] = x[i + j]; "
         "for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) a[c * 25 + i * 5 + j] = t[j][i];", "", ""),
        (SUMS.format(first="{0}", reset="sum[j] = 0;", behind=""), "i_j", ""),
        (SUMS.format(first="{0.0f}", reset="sum[j] = 0;", behind=""), "i_j", ""),
        (SUMS.format(first="{1}", reset="sum[j] = 0;", behind=""), "", ""),
        (SUMS.format(first="{0}", reset="sum[j] = 1;", behind=""), "", ""),
        (SUMS.format(first="{0}", reset="if (j) sum[j] = 0;", behind=""), "", ""),
        (SUMS.format(first="{0}", reset="", behind=""), "", ""),
        (SUMS.format(first="{0}", reset="sum[j] = 0;", behind="a[c * B * B] += sum[0];"), "", ""),
        (SUMS.format(first="{0}", reset="if (x[i] < 0) continue; sum[j] = 0;", behind=""), "", ""),
        # few iterations with much to do
        ("for (int j = 0; j < B; j++) for (int i = 1; i < B; i++) { float s = 0; for (int k = 0; k < i; k++) "
         "s += x[i * B + k] * a[(c * B + k) * size + j]; a[(c * B + i) * size + j] -= s; } a[c] = 1;",
         "j", "size >= 12"),
    ],
)  # fmt: skip
def test_shared(plan_of: PlanOf, body: str, shared: str, asked: str) -> None:
    plan = plan_of(TEXT.format(body=body))
    group, kernel = group_of(plan), plan.regions[0].kernel
    assert kernel is not None
    axes = [loop.variable for loop in kernel.grid if loop.variable != "c"]
    names = [] if group is None else [loop.loop.var.name for loop in group.body.loops()]
    assert " ".join(axes + names) == shared
    assert " && ".join([] if group is None else [each.condition for each in group.asked]) == asked


def test_the_launcher_asks(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(TEXT.format(body=f"float t[B][B]; {IN} {OUT_OF_ROWS.format(at='')}"))
    assert "size >= 12 ? launch.group(" in translate(path, Options()).files["f.cu"]


def test_the_host_asks_where_the_order_is_another_one(plan_of: PlanOf) -> None:
    columns = "for (int j = 0; j < B; j++) for (int i = 0; i < B; i++) a[(c * B + i) * size + j] = t[j][i];"
    (region,) = plan_of(TEXT.format(body=f"float t[B][B]; {IN} {columns}")).regions
    group = next(schedule.lanes for schedule in region.kernel.schedules if schedule.lanes is not None)
    assert region.call_condition == "size >= 12" and not group.asked


@pytest.mark.parametrize(
    ("before", "between", "expected"),
    [
        ("int at = 0;", "at = c * 16;", "int at_2 = c * 16;"),
        ("int at; at = 1;", "at += c * 16;", "int at_2 = at + c * 16;"),
        ("int at = 1;", "if (n > 3) at = 2;", None),  # of which nothing is known
    ],
)
def test_a_variable_for_each_value(tmp_path: Path, before: str, between: str, expected: str | None) -> None:
    loops = "for (int j = 0; j < i; j++) a[at + j] = 1;".replace("i;", "n;")
    path = tmp_path / "f.c"
    path.write_text(TEXT.format(body=f"{before} {loops} {between} {loops}"))
    text = translate(path, Options()).files["f.cu"]
    assert ("at_2" in text) == (expected is not None)
    assert expected is None or expected in text
