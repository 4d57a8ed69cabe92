"""Second kernels for few points with long sums: which nests have one, and what it shares."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form, kernel

from ompc.base.options import FloatingPoint, Level
from ompc.plan.model.lane_steps import GroupOf, Instead, LaneSharing
from ompc.plan.model.plan import Plan
from ompc.plan.schedule.show import show_schedules

PlanOf = Callable[..., Plan]
TEXT = """
#include <stdio.h>
#include <stdlib.h>
double a[64][4096], b[4096][64], c[64][64], w[64][64][512];
long h[64][64], v[64][64][512];
int f(int n, int m, int l, double *out)
{{
    double total = 0;
    int last = 0;
    #pragma omp {directive}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            double s = 0;
            long t = 0;
            {body}
            c[i][j] = s;
            h[i][j] = t;
        }}
    *out = total;
    return last;
}}
"""
FOR = "parallel for collapse(2)"
BITS = "for (int k = 0; k < l; k++) t ^= v[i][j][k];"
SUM = "for (int k = 0; k < l; k++) s += a[i][k] * b[k][j];"


def split_of(plan: Plan) -> LaneSharing | None:
    found = form(plan, LaneSharing)
    return None if found is None or found.instead is None else found


SPLIT = [
    (FOR, SUM, Instead.TILES, False),
    ("parallel for", SUM, Instead.TILES, False),
    (FOR, "for (int k = 0; k < l; k++) s += a[i][k] * a[j][k];", Instead.TILES, True),
    (FOR, "for (int k = 0; k < l; k++) s += w[i][j][k];", Instead.THREAD, True),
    (FOR, "for (int k = 0; k < l; k++) t ^= k * j;", Instead.THREAD, False),
    (FOR, "if (i != j) for (int k = 0; k < l; k++) s += a[i][k] / b[k][j];", Instead.THREAD, False),
    (f"{FOR} reduction(+: total)", f"{SUM} total += s;", None, False),
]


@pytest.mark.parametrize(("directive", "body", "instead", "lanes_first"), SPLIT)
def test_long_sums_are_split(
    plan_of: PlanOf, directive: str, body: str, instead: Instead | None, lanes_first: bool
) -> None:
    found = split_of(plan_of(TEXT.format(directive=directive, body=body)))
    assert found is not None and found.group_of is GroupOf.WARPS and found.point is not None
    assert found.lanes_first is lanes_first
    assert instead is None or found.instead is instead


WHOLE = [
    (FOR, "for (int k = 0; k < 32; k++) s += a[i][k] * b[k][j];", "the loop is short"),
    (FOR, "for (int k = i; k < l; k++) s += a[i][k] * b[k][j];", "no length for all"),
    (FOR, "for (int k = 0; k < l; k++) { s += a[i][k]; if (s > 9) break; }", "can be left"),
    (FOR, "for (int k = 0; k < l; k++) s = s * 0.5 + a[i][k];", "no sum"),
    (FOR, "for (int k = 0; k < l; k++) { s += a[i][k]; w[i][j][k % 512] = k; }", "stores"),
    (FOR, f"{SUM} for (int k = 0; k < l; k++) w[i][j][k % 512] = s;", "one thread would do the other loop"),
    (FOR, f"{SUM} if (s > 1) t = 1;", "a last bit decides"),
    (f"{FOR} num_threads(4)", f"{SUM} printf(\"%g\", s);", "prints"),
    (f"{FOR} lastprivate(last)", f"{SUM} last = i;", "last values"),
]


@pytest.mark.parametrize(("directive", "body", "why"), WHOLE)
def test_other_nests_have_no_such_kernel(plan_of: PlanOf, directive: str, body: str, why: str) -> None:
    assert split_of(plan_of(TEXT.format(directive=directive, body=body))) is None, why


def test_an_axis_alone_is_shared_anyway(plan_of: PlanOf) -> None:
    text = "double a[64][4096], y[64];\nvoid f(int n, int l)\n{\n"
    text += "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
    text += "double s = 0;\nfor (int k = 0; k < l; k++) s += a[i][k];\ny[i] = s; } }\n"
    found = kernel(plan_of(text))
    assert found.own.lanes is not None and len(found.schedules) == 1


def test_strict_sums_keep_their_order(plan_of: PlanOf) -> None:
    assert split_of(plan_of(TEXT.format(directive=FOR, body=SUM), fp=FloatingPoint.STRICT)) is None
    integers = TEXT.format(directive=FOR, body="for (int k = 0; k < l; k++) t += k * j;")
    assert split_of(plan_of(integers, fp=FloatingPoint.STRICT)) is not None


def test_other_levels_have_one_kernel(plan_of: PlanOf) -> None:
    assert split_of(plan_of(TEXT.format(directive=FOR, body=SUM), Level.THESIS)) is None


def test_points_are_one_axis(plan_of: PlanOf) -> None:
    text = show_schedules(plan_of(TEXT.format(directive=FOR, body=SUM)))
    split = text[text.index("f_split of region") :]
    assert split.splitlines()[1].startswith("    axis x: i = 0; i < n; i += 1 (n iterations), j = 0; j < m;")
    assert "together, lanes: k = 0" in split


@pytest.mark.parametrize(
    ("body", "fed"),
    [
        (SUM, [False]),
        (f"{BITS} v[i][j][3] = t; {BITS}", [True, True]),
        ("h[i][j] = i; for (int k = 0; k < l; k++) t += h[i][j] * k;", [True]),
    ],
)  # fmt: skip
def test_what_the_own_thread_has_stored_is_waited_for(plan_of: PlanOf, body: str, fed: list[bool]) -> None:
    found = split_of(plan_of(TEXT.format(directive=FOR, body=body)))
    assert found is not None
    assert [bool(shared.reads) for shared in found.body.loops()] == fed
