"""Which inner loops go in batches with quick quotients and roots under auto, and which must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import Level
from ompc.plan.model.batch_model import BatchedLoop, Batches
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan

PROGRAM = """
double sqrt(double); float sqrtf(float); double fabs(double);
static double table[64], out[64];
static double share(double a, double b) {{ return a / b; }}
static int place(double a) {{ return a > 0; }}
void f(int n, int m, const int *row, const int *col, const double *val, const float *x, double *y)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        double s = 0, t = 0; int c = 0, j; (void)t; (void)c; (void)j;
        {body}
        y[i] = s + t + c;
    }}
}}
"""

LOOP = "for (int k = 0; k < m; k++)"


def batched(plan: Plan) -> list[BatchedLoop]:
    batches = kernel(plan).own.batches
    return [] if batches is None else list(batches.loops.values())


@pytest.mark.parametrize(
    ("body", "size", "carried"),
    [
        (f"{LOOP} s += val[k] / (1.0 + i);", 32, "s"),
        (f"{LOOP} s += sqrtf(x[k]) * t;", 32, "s"),
        (f"{LOOP} s += 1 / sqrt(val[k]);", 32, "s"),  # one operation
        (f"{LOOP} {{ double u = val[k]; u /= s; t += u; c++; }}", 32, "t c"),
        (f"{LOOP} {{ t = val[k] / (k + 1.0); s += t; }} t = 0;", 32, "s"),
        (f"{LOOP} {{ if (k == i) continue; s += 1 / val[k]; }}", 4, "s"),
        ("for (int k = row[i]; k < row[i + 1]; k++) s += 1 / fabs(table[col[k]] - t), t += s, c += k;", 4, "s t c"),
        ("for (j = 0; j < 9; j++) s += share(val[j], 3) / x[j];", 4, "s"),
        (f"{LOOP} if (val[k] / x[k] > s) s = val[k] / x[k] + k;", 0, ""),  # val[k] behind what is not known yet
        (f"{LOOP} {{ double q = val[k] / x[k]; if (q > s) s = q, c = k; }}", 4, "s c"),
        (f"{LOOP} s += val[k] / 2.5;", 0, ""),  # the compiler's matter
        (f"{LOOP} s += k / (m + 1);", 0, ""),
        (f"{LOOP} s += share(val[k], x[k]);", 0, ""),
        (f"{LOOP} {{ s += 1 / val[k]; if (s > 3) break; }}", 0, ""),
        (f"{LOOP} {{ s += 1 / val[k]; out[col[k]] = s; }}", 0, ""),
        (f"{LOOP} for (int l = 0; l < 3; l++) s += 1 / val[k] + l;", 0, ""),  # lanes share the outer one
        ("for (j = 0; j < m; j++) s += 1 / val[j]; c = j;", 0, ""),
        (f"{LOOP} s += table[(int)(val[k] / x[k])];", 0, ""),
        (f"{LOOP} {{ int p = k; if (val[k] / x[k] > 1) p = 0; s += table[p]; }}", 0, ""),
        (f"{LOOP} {{ double q = val[k] / x[k]; c += q > 3 && table[k] > 1; }}", 0, ""),
        (f"{LOOP} c += (int)(val[k] / x[k]);", 0, ""),
        (f"{LOOP} c += place(val[k] / x[k]);", 0, ""),
        (f"{LOOP} {{ double q = val[k] / x[k]; while (q > 1) q *= 0.5; s += q; }}", 0, ""),
    ],
)
def test_grouped(plan_of: Callable[..., Plan], body: str, size: int, carried: str) -> None:
    text = PROGRAM.format(body=body)
    found = batched(plan_of(text, Level.AUTO))
    assert [loop.size for loop in found] == [size] * bool(size)
    assert [symbol.name for loop in found for symbol in loop.carried] == carried.split()
    assert not any(batched(plan_of(text, level)) for level in (Level.BASELINE, Level.THESIS))


def test_an_inverse_root_is_one_operation(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(body=f"{LOOP} s += 1 / sqrt(val[k]);"))
    batches = kernel(plan).own.batches
    assert batches is not None and batches.operations == plan.contraction.roots and len(batches.operations) == 1


@pytest.mark.parametrize(
    ("body", "size", "by_results"),
    [
        ("s += 1 / sqrt(val[k]);", 32, True),
        ("t -= 3 * -(1 / sqrtf(x[k]));", 64, True),
        ("const float r = 1 / sqrtf(x[k]), q = r * r; s += q / x[0]; c++;", 32, True),
        ("const double r = 1 / sqrt(val[k]); s += 1 / sqrt(r) - k; t += s;", 16, True),
        ("s += 1 / sqrt(val[k]) / (1 / sqrt(val[k + 1]));", 8, False),  # 0 or infinite where the second one is
        ("s += fabs(1 / sqrt(val[k]));", 32, False),  # not looked through
        ("s = s * 0.5 + 1 / sqrt(val[k]);", 32, False),
        ("t += 1 / sqrt(val[k]); t *= 0.5;", 32, False),
        ("t = 1 / sqrt(val[k]); s += t;", 32, False),
        ("s += k > 3 ? 1 / sqrt(val[k]) : 0;", 32, False),
        ("c += 1 / sqrt(val[k]) > 0;", 0, False),
        ("if (k != i) s += 1 / sqrt(val[k]);", 4, False),
        ("double r = 1 / sqrt(val[k]); r = k; s += r;", 32, False),
        ("s += 1 / val[k];", 32, False),
    ],
)
def test_what_need_not_be_watched(plan_of: Callable[..., Plan], body: str, size: int, by_results: bool) -> None:
    found = batched(plan_of(PROGRAM.format(body=f"{LOOP} {{ {body} }}")))
    assert [(loop.size, loop.by_results) for loop in found] == [(size, by_results)] * bool(size)


def test_terms_that_lanes_share(plan_of: Callable[..., Plan]) -> None:
    body = "for (int k = row[i]; k < row[i + 1]; k++) s += val[k] / (table[col[k]] + 1);"
    found = kernel(plan_of(PROGRAM.format(body=body), Level.AUTO))
    assert found.own.lanes is not None and found.own.batches is not None
    assert [loop.size for loop in found.own.batches.loops.values()] == [4] and len(found.own.batches.operations) == 1
    in_order = body.replace("s +=", "s = s * 2 +")
    found = kernel(plan_of(PROGRAM.format(body=in_order), Level.AUTO))
    assert found.own.lanes is not None and found.own.batches is not None
    assert not found.own.batches.loops and len(found.own.batches.operations) == 1


def test_verified(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(body=f"{LOOP} {{ s += 1 / val[k]; c++; }}"), Level.AUTO)
    batches = kernel(plan).own.batches
    assert batches is not None
    forgetful = Batches(
        batches.arithmetic,
        batches.because,
        {node: replace(loop, carried=loop.carried[:1]) for node, loop in batches.loops.items()},
        batches.operations,
    )
    broken = with_schedule(plan, replace(kernel(plan).own, batches=forgetful))
    with pytest.raises(InternalError, match="writes more than its batch keeps"):
        verify_plan(broken)


@pytest.mark.parametrize(
    ("body", "proved", "watched"),
    [
        (f"{LOOP} {{ float d = x[k] * x[k]; if (d < 1.0f) s += 1.0f / (d + 0.01f); }}", 1, 0),
        (f"{LOOP} {{ float d = x[k] * x[k]; if (d >= 1) continue; s += 1.0f / (d + 0.01f); }}", 1, 0),
        (f"{LOOP} {{ double d = val[k]; if (d > 0.5 && d < 2) s += 1 / d + 1 / sqrt(d); else s += 1 / d; }}", 2, 1),
        (f"{LOOP} {{ double d = val[k]; if (!(d < 0.5 || 9 <= d)) s += sqrt(d); }}", 1, 0),
        (f"{LOOP} {{ double d = val[k]; s += d > 1 && d < 9 ? 3 / d : -1 / (2 + d); }}", 1, 1),
        (f"{LOOP} s += 1 / ((unsigned char)k + 0.5);", 1, 0),
        (f"{LOOP} {{ double d = val[k]; if (d < 1.0) s += 1 / (d + 0.01); }}", 0, 1),  # perhaps below 0
        (f"{LOOP} {{ float d = x[k] * x[k]; s += 1.0f / (d + 0.01f); }}", 0, 1),  # perhaps infinite
        (f"{LOOP} {{ float d = x[k] * x[k]; if (d < 1.0f) s += 1.0f / (d + 1e-30f); }}", 0, 1),
        (f"{LOOP} {{ double d = val[k]; if (!(d <= t)) s += 1 / (d * d + 1); }}", 0, 1),  # t may not be a number
        (f"{LOOP} {{ double d = val[k]; if (d > 1 && d < 9) {{ d = val[k + 1]; s += 1 / d; }} }}", 0, 1),
        (f"{LOOP} {{ double d = val[k]; if (d > 1 || d < 9) s += 1 / d; }}", 0, 1),
        (f"{LOOP} {{ double d = val[k]; if (d != 1.0) s += 1 / d; }}", 0, 1),
        (f"{LOOP} {{ float d = x[k] * x[k]; if (d < 1.0f) s += t / (d + 0.01f); }}", 0, 1),  # whatever t is
        (f"{LOOP} {{ double d = val[k]; if (d > 1 && d < 9) out[k] = 1 / d; }}", 1, 0),  # not in groups
        (f"{LOOP} {{ double d = val[k]; if (d > 1 && d < 9) s += table[(int)(8 / d)]; }}", 1, 0),
        (f"{LOOP} {{ double d = val[k]; if (d < -1 && d > -9) s += 1 / d + 1 / sqrt(d); }}", 1, 1),
    ],
)
def test_usual_operands(plan_of: Callable[..., Plan], body: str, proved: int, watched: int) -> None:
    plan = plan_of(PROGRAM.format(body=body).replace("t = 0;", "t = val[i];"), Level.AUTO)
    batches = kernel(plan).own.batches
    assert batches is not None
    assert (len(batches.normal_range), len(batches.operations)) == (proved, watched)
    assert all(loop.unwatched == (watched == 0) for loop in batches.loops.values())
