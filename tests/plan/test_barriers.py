"""Groups of threads wait in front of the loops that they share where one may meet what another one has done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.plan import Plan
from ompc.render.forms.lane_text import waits_in_front

PlanOf = Callable[..., Plan]
TEXT = """
static double a[400][400], b[400][400], c[400][400], v[400];
static int end[400][2];
void f(int n, int m, int k)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        double t[400];
        {body}
    }}
}}
"""
READ = "for (int j = 1; j < m; j++) b[i][j] = a[i][m - j] * 2;"
STORE = "for (int j = 0; j < m; j++) a[i][j] += c[i][j];"
SUM = "double s = 0; for (int j = 0; j < m; j++) s += a[i][j];"


def group_of(plan: Plan) -> LaneSharing | None:
    forms = (schedule.lanes for schedule in kernel(plan).schedules)
    return next((lanes for lanes in forms if lanes is not None and lanes.stores), None)


def waits_in(plan: Plan) -> str:
    """For each shared loop, whether there is a barrier in front of it."""
    sharing = group_of(plan)
    assert sharing is not None
    return "".join("-|"[waits_in_front(sharing, loop)] for loop in sharing.body.loops())


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        (STORE, "-"),
        (f"{STORE} {READ}", "--"),  # behind what stores there is one
        (f"{STORE} a[i][3] = 1; {READ}", "-|"),
        (f"{STORE} c[i][3] = 1; {READ}", "--"),  # nothing of that loop's
        (f"{STORE} v[i] = a[i][3]; {READ}", "--"),  # read by both
        (f"{READ} v[i] = a[i][3]; {STORE}", "-|"),  # read by one, stored by others
        (f"{READ} if (a[i][3] > 0) {STORE}", "-|"),
        (f"{READ} if (k > 0) a[i][3] = k; {READ}", "-|"),
        (f"{READ} if (k > 0) a[i][3] = k;", "|"),  # by then, the thread has the next iteration
        (f"{SUM} v[i] = s; {STORE}", "-|"),  # what entries have read
        (f"{SUM} a[i][3] = s; {STORE}", "-|"),
        (f"{SUM} v[i] = s;", None),
        (f"{STORE} v[i] = a[i][3];", "|"),  # in the next iteration of the thread, too
        (f"for (int q = 0; q < k; q++) {{ {STORE} a[i][q] = q; }}", "|"),
        (f"for (int q = 0; q < k; q++) {{ {STORE} {READ} }}", "--"),
        (
            "for (int j = 0; j < m; j++) t[j] = a[i][j]; for (int j = 1; j < m; j++) b[i][j] = t[j - 1]; v[i] = t[5];",
            "|-",  # the block has one t for all iterations
        ),
        (
            "for (int j = 0; j < end[i][0]; j++) a[i][j] = 1; end[i][1] = 3; "
            "for (int j = 0; j < end[i][1]; j++) b[i][j] = a[i][399 - j];",
            "--",  # one thread has stored and read it
        ),
    ],
)
def test_waits(plan_of: PlanOf, body: str, waits: str | None) -> None:
    plan = plan_of(TEXT.format(body=body))
    if waits is None:
        assert group_of(plan) is None
    else:
        assert waits_in(plan) == waits
