"""Which quotients 1 / sqrt(x) are one operation, and which are two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ompc.base.diagnostics import InternalError
from ompc.base.options import FloatingPoint, Level
from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan

PROGRAM = """
double sqrt(double); float sqrtf(float); double fabs(double); double exp(double); double own(double a) {{ return a; }}
static float inverse(float a) {{ return 1.0f / sqrtf(a); }}
void f(int n, const double *x, const float *v, double *y, int *c)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{ {body} }}
}}
"""


def contracted(plan: Plan) -> list[str]:
    assert all(region.on_device for region in plan.regions)
    return sorted(map(c_expr, plan.contraction.roots))


@pytest.mark.parametrize(
    ("body", "roots"),
    [
        ("y[i] = 1 / sqrt(x[i]);", "1 / sqrt(x[i])"),
        ("y[i] = exp(v[i]) * (1.f / sqrtf(v[i] + 1));", "1.f / sqrtf(v[i] + 1)"),
        ("y[i] = 1.0f / sqrt(v[i]);", "1.0f / sqrt(v[i])"),  # doubles
        ("y[i] = 1.0 / sqrtf(v[i]);", ""),  # the root of a float divides a double
        ("y[i] = 2 / sqrt(x[i]);", ""),
        ("y[i] = 1 / fabs(x[i]) + 1 / own(x[i]);", ""),
        ("y[i] = inverse(x[i]);", "1.0f / sqrtf(a)"),
        ("y[i] = inverse(x[i]); if (inverse(v[i]) < 3) y[i] = 0;", ""),
        ("c[i] = 10 / (1 / sqrt(x[i])); y[i] = 1 / sqrt(x[i] + 1);", "1 / sqrt(x[i] + 1)"),
        ("y[i] = 1 / sqrt(x[i]); c[i] = y[i] > 2;", ""),
    ],
)
def test_contracted(plan_of: Callable[..., Plan], body: str, roots: str) -> None:
    text = PROGRAM.format(body=body)
    assert contracted(plan_of(text)) == [roots] * bool(roots)
    assert not contracted(plan_of(text, fp=FloatingPoint.STRICT))
    assert not any(contracted(plan_of(text, level)) for level in (Level.BASELINE, Level.THESIS))


def test_fast(plan_of: Callable[..., Plan]) -> None:
    """Everywhere; floats are nvcc's own matter then, also in loops, which go in batches that nothing has to watch."""
    loop = "double s = 0; for (int k = 0; k < n; k++) s += v[k] / v[i] + 1 / sqrtf(v[k]); y[i] = s;"
    text = PROGRAM.format(body=f"c[i] = 1 / sqrt(x[i]) > 2; {loop}")
    plan = plan_of(text, fp=FloatingPoint.FAST)
    assert contracted(plan) == ["1 / sqrt(x[i])"]
    (region,) = plan.regions
    assert region.kernel is not None
    batches = region.kernel.own.batches
    assert batches is not None
    (batched,) = batches.loops.values()
    assert batched.unwatched and not batches.operations and len(batches.approximate) == 3


def test_verified(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(body="y[i] = 1 / sqrt(x[i]); c[i] = 1 / sqrt(x[i] + 2) > 3;"))
    for broken in ({"contracts": False}, {"roots": plan.contraction.exact}):
        with pytest.raises(InternalError, match="though a last bit decides"):
            verify_plan(replace(plan, contraction=replace(plan.contraction, **broken)))
    (quotient,) = plan.contraction.roots
    assert isinstance(quotient, t.Binary)
    with pytest.raises(InternalError, match="no quotient by a root"):
        verify_plan(replace(plan, contraction=replace(plan.contraction, roots=frozenset({quotient.right}))))


@pytest.mark.parametrize(
    ("body", "contracts"),
    [
        ("y[i] = x[i] * 2 + 1;", False),  # waits for memory
        ("double s = 0; for (int k = 0; k < 99; k++) s = s * x[i] + 1; y[i] = s;", True),
        ("y[i] = x[c[i]] * 2 + 1;", True),  # nobody knows what comes from a cache
        ("y[i] = x[i] + 1;", True),  # nothing to keep apart
    ],
)
def test_where_it_pays(plan_of: Callable[..., Plan], body: str, contracts: bool) -> None:
    plan = plan_of(PROGRAM.format(body=body))
    assert plan.contraction.contracts == contracts
    assert not plan_of(PROGRAM.format(body=body), fp=FloatingPoint.STRICT).contraction.contracts


def test_kernels_that_do_not_gain(plan_of: Callable[..., Plan]) -> None:
    """Beside one that does, their products are printed apart, but for those of functions that both call."""
    work = "double s = 0; for (int k = 0; k < 99; k++) s = s * x[i] + inverse(x[i]); y[i] = s;"
    text = PROGRAM.format(body=work).replace("{ return 1.0f / sqrtf(a)", "{ return a * a + 1.0f / sqrtf(a)")
    more = "void g(int n, double *x)\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = 3 * x[i] + 1; }"
    assert list(map(c_expr, plan_of(text + more).contraction.exact)) == ["3 * x[i]"]
