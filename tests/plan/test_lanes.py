"""Which loops the lanes of a warp share under auto, and why they do not share others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import FloatingPoint, Level
from ompc.plan.groups.lanes import by_groups
from ompc.plan.model.lane_results import ByLanes, InOrder, Partial, Side
from ompc.plan.model.lane_steps import GroupOf, SharedLoop
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan

PROGRAM = """
static double a[64][64], out[64];
static int hits;
static double twice(double d) {{ return 2 * d; }}
static double counted(double d)
{{
    #pragma omp atomic
    hits++;
    return d;
}}
void f(int n, int m, const int *row, const int *col, const double *val, const double *x, double *y)
{{
    int j = 0, k = 0; double s = 0, total = 0; (void)j; (void)k; (void)s; (void)total;
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""

ROW = "for (int q = row[i]; q < row[i + 1]; q++)"


def shared(plan: Plan) -> list[SharedLoop]:
    lanes = kernel(plan).own.lanes
    return [] if lanes is None else list(lanes.body.loops())


@pytest.mark.parametrize(
    ("clauses", "body", "parts"),
    [
        ("", f"double t = 0; {ROW} t += val[q] * x[col[q]]; y[i] = t;", ["t Sum"]),
        ("private(k, s)", "s = 0; for (k = row[i]; k < row[i + 1]; k++) s -= val[k]; y[i] = s;", ["s Sum"]),
        ("reduction(+:total)", f"{ROW} total += twice(val[q]);", ["total Sum"]),
        ("", f"int t = 0; {ROW} {{ int c = col[q]; if (c == i) continue; if (c > 2) t += c; }} y[i] = t;", ["t Sum"]),
        ("", f"unsigned t = 1; int u = 0; {ROW} {{ t *= col[q]; u++; }} y[i] = t + u;", ["t Product", "u Sum"]),
        ("", f"int t = 9; {ROW} if (col[q] < t) t = col[q]; y[i] = t;", ["t Min"]),
        ("", "double t = 0; for (int q = 0; q < i; q++) t += a[i][q] * x[q]; y[i] = t;", ["t Sum"]),
        ("", f"double t = 0; if (i > 3) {{ {ROW} t += val[q]; y[i] = t; }}", ["t Sum"]),
        ("", f"if (i == 3) continue; double t = 0; {ROW} t += val[q]; y[i] = t;", ["t Sum"]),
        ("", f"double t = 0; for (int d = 0; d < m; d++) {ROW} t += val[q] * d; y[i] = t;", ["t Sum"]),
        ("", f"double t = 0; {ROW} for (int r = 0; r < 3; r++) t += val[q] * r; y[i] = t;", ["t Sum"]),
        ("", f"int t = 0; {ROW} t += val[q] * 2 > x[i]; y[i] = t;", ["t Sum"]),
    ],
)
def test_by_lanes(plan_of: Callable[..., Plan], clauses: str, body: str, parts: list[str]) -> None:
    text = PROGRAM.format(clauses=clauses, body=body)
    (loop,) = shared(plan_of(text, Level.AUTO))
    assert isinstance(loop.how, ByLanes)
    assert [f"{part.symbol.name} {part.operator}" for part in loop.how.partials] == parts
    assert not any(shared(plan_of(text, level)) for level in (Level.BASELINE, Level.THESIS))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"double t = 0; {ROW} t += val[q]; y[i] = t > 3;", "a last bit of 't' decides"),
        (f"double t = 0, u; {ROW} t += val[q]; u = t * 2; y[i] = x[(int)u];", "a last bit of 't' decides"),
        (f"double t = 1; {ROW} t *= val[q]; y[i] = t;", "not just a sum"),
        (f"int t = 1; {ROW} t *= col[q]; y[i] = t;", "not just a sum"),
        (f"double t = 1; {ROW} t += val[q]; for (int q = 0; q < m; q++) t *= x[q]; y[i] = t;", "more to do"),
        (f"double t = 1; {ROW} t += val[q]; y[i] = twice(t);", "one lane has more to do"),
        (f"double t = 1; {ROW} if (val[q] < t) t = val[q]; y[i] = t;", "not just a sum"),
        (f"int t = 1; {ROW} t += val[q]; y[i] = t;", "not just a sum"),
        (f"double t = 0, u = 0; {ROW} {{ t += val[q]; u = t; }} y[i] = t + u;", "not just a sum"),
    ],
)
def test_in_order(plan_of: Callable[..., Plan], body: str, why: str) -> None:
    (loop,) = shared(plan_of(PROGRAM.format(clauses="", body=body), Level.AUTO))
    assert isinstance(loop.how, InOrder) and why in loop.how.because


def test_strict_sums_keep_their_order(plan_of: Callable[..., Plan]) -> None:
    body = f"double t = 0; int u = 0; {ROW} t += val[q]; {ROW} u += col[q]; y[i] = t + u;"
    plan = plan_of(PROGRAM.format(clauses="", body=body), Level.AUTO, FloatingPoint.STRICT)
    assert [type(loop.how) for loop in shared(plan)] == [InOrder, ByLanes]


@pytest.mark.parametrize(
    ("clauses", "body", "terms"),
    [
        ("", f"int t = 0; {ROW} t = t * 3 + col[q]; y[i] = t;", ["int"]),
        (
            "",
            "double t = 1; for (int q = 0; q < col[i]; q++) { int e = row[i] + q; t *= val[e]; } y[i] = t;",
            ["double"],
        ),
        ("", f"const double *p = &val[i * m]; int t = 0; {ROW} t = 2 * t + (p[q] < 3); y[i] = t;", ["int"]),
        ("", f"double b = 9; int w = 0; {ROW} if (val[q] < b) {{ b = val[q]; w = q; }} y[i] = w;", ["double", "int"]),
    ],
)
def test_shared_in_order(plan_of: Callable[..., Plan], clauses: str, body: str, terms: list[str]) -> None:
    text = PROGRAM.format(clauses=clauses, body=body)
    (loop,) = shared(plan_of(text, Level.AUTO))
    assert isinstance(loop.how, InOrder)
    assert [getattr(term.type, "name", "") for term in loop.how.terms] == terms
    assert not any(shared(plan_of(text, level)) for level in (Level.BASELINE, Level.THESIS))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"{ROW} if (col[q] > 3) {{ out[i] = q; break; }}", "it can be left early"),
        (f"{ROW} if (val[q] > 0) out[i] += val[q];", "it writes 'out'"),
        (f"double t = 0, c = 0; {ROW} {{ double u = val[q] - c, v = t + u; c = v - t - u; t = v; }} y[i] = t;", "way"),
        (f"double t[3] = {{0}}; {ROW} t[q % 3] += val[q]; y[i] = t[0];", "it uses 't'"),
        (f"int t = 0; {ROW} t = col[q] + col[t]; y[i] = t;", "as an address"),
        (f"int t = 0; {ROW} if (t < 5) t += col[q]; y[i] = t;", "only for some values"),
        (f"double t = 0; {ROW} t += counted(val[q]); y[i] = t;", "directives"),
        (f"double t = 0, *p = &t; {ROW} *p += val[q]; y[i] = t;", "through a pointer"),
        ("int q; for (q = row[i]; q < row[i + 1]; q++) out[0 * q] = val[q]; y[i] = q;", "it writes 'out'"),
        ("int q, t = 0; for (q = row[i]; q < row[i + 1]; q++) t += col[q]; y[i] = q + t;", "q is used behind it"),
        (f"double t = 1; {ROW} for (int r = 0; r < 3; r++) t *= val[q] * r; y[i] = t;", "in a loop further in"),
        (f"{ROW} {{ if (val[q] < 0) return; }}", None),
        # with what lies between their members, more than there is room for
        (f"double s = 0, b = 0; int w = -1; long c = 0; float f = 0; {ROW} {{ double u = val[q]; if (u < 0) continue;"
         " if (u > b) { b = u; w = q; } s += u; c += col[q] % 3 == 0; f = f * 2 + (float)u; } y[i] = s+b+w+c+f;",
         "bytes of terms"),
        (f"int t = 0; if (i > 2) {{ if (m) continue; t = 1; }} {ROW} t += col[q]; y[i] = t;", "iterations part"),
        (f"int t = 0; {{ if (i == 3) continue; {ROW} t += col[q]; }} y[i] = t;", "iterations part"),
        (
            "int c = col[i] + 1, t = 0, u = 0, v = 0; double w = 0; for (int q = row[c]; q < row[c + 1]; q++) "
            "{ t += col[q]; u ^= col[q] * 3; w += val[q]; } y[i] = t + u + w;",
            "at the same row",
        ),
        ("double t = 0; for (int q = 0; q < row[i]; q++) t += val[q * n + i]; y[i] = t;", None),  # side by side already
        ("double t = 0; for (int q = 0; q < row[i]; q++) t += x[q]; y[i] = t;", None),  # one element for all lanes
    ],
)
def test_not_shared(plan_of: Callable[..., Plan], body: str, why: str | None) -> None:
    plan = plan_of(PROGRAM.format(clauses="", body=body), Level.AUTO)
    assert shared(plan) == [] if plan.regions[0].kernel is not None else why is None
    if why is not None:
        assert why in (kernel(plan).mapped_because or "")


def test_what_all_lanes_read_at_once_is_not_constant_in_a_shared_loop(plan_of: Callable[..., Plan]) -> None:
    body = "double t = 0; for (int q = 0; q < i; q++) t += a[i][q] * w[q]; y[i] = t;"
    text = "static double w[64];" + PROGRAM.format(clauses="", body=body)
    assert plan_of(text, Level.AUTO).constants == ()


def test_the_verifier_sees_what_is_not_computed(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses="", body=f"double t = 1; {ROW} t *= val[q]; y[i] = t;"), Level.AUTO)
    (loop,) = shared(plan)
    assert isinstance(loop.how, InOrder)
    refused(plan, replace(loop, how=replace(loop.how, combine=())), "computes what it combines")


def test_the_verifier_sees_parts_of_other_variables(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses="", body=f"double t = 0; {ROW} t += val[q]; y[i] = t;"), Level.AUTO)
    (loop,) = shared(plan)
    assert isinstance(loop.how, ByLanes)
    wrong = replace(loop.how, partials=(Partial(loop.loop.var, "Sum"),))
    refused(plan, replace(loop, how=wrong), "does not accumulate into")
    refused(plan, replace(loop, side=Side.ALONG), "along the rows")


def refused(plan: Plan, loop: SharedLoop, why: str) -> None:
    """The verifier says so where this is the kernel's shared loop."""
    lanes = kernel(plan).own.lanes
    assert lanes is not None
    broken = replace(lanes, body=replace(lanes.body, steps=(loop,)))
    with pytest.raises(InternalError, match=why):
        verify_plan(with_schedule(plan, by_groups(kernel(plan).own, broken)))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("double t = 1; for (int q = 0; q < m; q++) t *= x[q] * a[i][q]; y[i] = t;", "producers along in order"),
        ("double t = 1; for (int q = 0; q < m; q++) t *= val[i * m + q]; y[i] = t;", "producers along in order"),
        (
            "double t = 1; for (int q = 0; q < m; q++) t *= x[q] * val[q * n + i]; y[i] = t;",
            "producers across in order",
        ),
        ("double t = 0; for (int q = 0; q < m; q++) t += x[q] * a[i][q]; y[i] = t;", "lanes reading"),
        (
            "double t = 0; for (int d = 0; d < m; d++) for (int q = 5; q < n; q += 2) t += a[i][q] * d; y[i] = t;",
            "lanes reading",
        ),
        ("double t = 0; for (int q = 0; q < m; q++) t += a[i][q] / x[q]; y[i] = t;", "lanes reading"),
        ("double t = 0; for (int q = 0; q < m; q++) t += x[q] / (x[q] + i); y[i] = t;", "warps filling"),
        ("double t = 0; for (int q = 0; q < m; q++) t += x[q] * val[q * n + i]; y[i] = t;", "producers across"),
        ("double t = 0; for (int q = 0; q < m; q++) t += a[q][i]; y[i] = t;", "producers across"),
        ("double t = 0; for (int q = 0; q < m; q++) t += x[q]; y[i] = t;", None),  # one element for all lanes
        ("double t = 0; for (int q = 0; q < m; q++) t += x[i + q]; y[i] = t;", None),
        ("double t = 0; for (int q = 0; q < 9; q++) t += a[i][q]; y[i] = t;", None),  # short
        ("double t = 1; for (int q = 0; q < m; q++) t *= a[i][q] / x[q]; y[i] = t;", None),  # has groups instead
        ("double t = 0; for (int q = 0; q < row[3]; q++) t += a[q][i]; y[i] = t;", "producers across"),
        ("double t = 0; for (int q = 0; q < (int)x[3]; q++) t += a[q][i]; y[i] = t;", None),  # uncounted
        ("for (int q = 0; q < m; q++) y[i] += a[i][q], out[q] = 1;", None),
    ],
)
def test_equal_lengths(plan_of: Callable[..., Plan], body: str, kind: str | None) -> None:
    lanes = kernel(plan_of(PROGRAM.format(clauses="", body=body), Level.AUTO)).own.lanes
    if kind is None:
        assert lanes is None
        return
    assert lanes is not None and len(lanes.counted) == 1
    (loop,) = lanes.body.loops()
    how = lanes.side.value if lanes.group_of is GroupOf.PRODUCERS else lanes.distribution.purpose.value
    assert f"{lanes.group_of.value} {how}{' in order' if isinstance(loop.how, InOrder) else ''}" == kind
