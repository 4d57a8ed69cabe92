"""Which kernels have threads that compute several iterations together, and what each iteration has of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import FloatingPoint, Level
from ompc.plan.groups.lanes import by_groups
from ompc.plan.mapping.tuned import knobs_of
from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan

PROGRAM = """
#include <math.h>
static double all[64];
void f(int n, int m, const int *cell, const double *x, const double *w, double *y)
{{
    int j = 0; double s = 0, d = 0, total = 0; (void)j; (void)s; (void)d; (void)total;
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""

LOOP = "for (int q = 0; q < m; q++)"


def sharing(plan: Plan) -> LaneSharing:
    found = kernel(plan).own.lanes
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("clauses", "body", "own", "repeated"),
    [
        ("", f"double t = 0; {LOOP} t += 1 / (x[q] + w[i]); y[i] = t;", "i t", ""),
        ("", f"double t = 0, u = w[i]; {LOOP} t += exp(x[q] - u); y[i] = t + u;", "i t u", "u"),
        ("", f"int k = cell[i]; double t = k; {LOOP} t += sqrt(x[q] + w[k]); y[i] = t;", "i k t", "k t"),
        ("", f"const double *p = &w[cell[i]]; double t = 0; {LOOP} t += x[q] / *p; y[i] = t;", "i p t", "p"),
        ("", f"double t = 0, u = 0; {LOOP} t += 1 / fabs(x[q]); {LOOP} u += w[q] / t; y[i] = u;", "i t u", ""),
        # what an iteration sets before it reads it goes from no step to another
        ("private(j, s, d)", "s = 0; for (j = 0; j < m; j++) { d = x[j] - i; s += exp(d); } y[i] = s;", "i s", "s"),
        ("private(d)", f"d = w[i]; y[i] = d; double t = 0; {LOOP} t += exp(x[q]); d = t; y[i] += d;", "i t", ""),
        ("reduction(+:total)", f"double t = 0; {LOOP} t += exp(x[q] - i); total += t;", "i t", ""),
    ],
)
def test_together(plan_of: Callable[..., Plan], clauses: str, body: str, own: str, repeated: str) -> None:
    plan = plan_of(PROGRAM.format(clauses=clauses, body=body), Level.AUTO)
    points = sharing(plan).unroll_and_jam
    assert points is not None
    assert sorted(symbol.name for symbol in points.own[1:]) == own.split()[1:] and points.own[0].name == "i"
    assert sorted(symbol.name for symbol in points.repeated) == repeated.split()
    assert "rows" in knobs_of(kernel(plan))


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        ("", f"double t = 0; {LOOP} t += sqrt(x[(i + q) % n]); y[i] = t;"),  # each reads something else
        ("", f"double t = 0; {LOOP} t += x[i * m + q] / w[q]; y[i] = t;"),
        ("", f"double t = 0; {LOOP} t += exp(q * w[i]); y[i] = t;"),  # nothing is read
        ("", f"double t = 0; {LOOP} {{ if (q == i) continue; t += 1 / (x[q] - w[i]); }} y[i] = t;"),
        ("", f"double t = 0; {LOOP} if (x[q] > 0) t += 1 / (x[q] + w[i]); y[i] = t;"),
        ("", f"double t = 0; if (i > 3) {LOOP} t += 1 / (x[q] + w[i]); y[i] = t;"),
        ("", f"for (int r = 0; r < 3; r++) {{ double t = 0; {LOOP} t += exp(x[q] * r); y[i * 3 + r] = t; }}"),
        ("", f"double h[2] = {{0}}; h[i % 2] = 1; double t = 0; {LOOP} t += exp(x[q]); y[i] = t + h[0];"),
        ("", f"double t = 0, *p = &t; {LOOP} t += exp(x[q]); y[i] = *p;"),
        ("", f"double t = 0; {LOOP} t += exp(x[q]); for (int r = 0; r < 3; r++) t *= 2; y[i] = t;"),
        ("firstprivate(d)", f"double t = 0; d = w[i]; {LOOP} t += exp(x[q]); y[i] = t + d;"),
        ("reduction(+:total)", f"double t = 0; {LOOP} {{ t += exp(x[q]); total += w[q]; }} y[i] = t;"),
    ],
)
def test_one_after_the_other(plan_of: Callable[..., Plan], clauses: str, body: str) -> None:
    lanes = kernel(plan_of(PROGRAM.format(clauses=clauses, body=body), Level.AUTO)).own.lanes
    assert lanes is None or lanes.unroll_and_jam is None


def test_only_where_lanes_form_sums(plan_of: Callable[..., Plan]) -> None:
    text = PROGRAM.format(clauses="", body=f"double t = 0; {LOOP} t += 1 / (x[q] + w[i]); y[i] = t;")
    assert kernel(plan_of(text, Level.AUTO, FloatingPoint.STRICT)).own.lanes is None
    assert not any(kernel(plan_of(text, level)).own.lanes for level in (Level.BASELINE, Level.THESIS))


def test_the_verifier_sees_what_iterations_lack(plan_of: Callable[..., Plan]) -> None:
    body = f"double t = 0, u = w[i]; {LOOP} t += exp(x[q] - u); total += t;"
    plan = plan_of(PROGRAM.format(clauses="reduction(+:total)", body=body), Level.AUTO)
    lanes = sharing(plan)
    assert lanes.unroll_and_jam is not None
    x, *others = lanes.unroll_and_jam.own
    (total,) = (reduction.symbol for reduction in kernel(plan).reductions)
    wrongs = (((x,), "none of their own"), ((*others, x), "not what is theirs"), ((x, *others, total), "thread's"))
    for own, why in wrongs:
        wrong = by_groups(kernel(plan).own, replace(lanes, unroll_and_jam=replace(lanes.unroll_and_jam, own=own)))
        with pytest.raises(InternalError, match=why):
            verify_plan(with_schedule(plan, wrong))
