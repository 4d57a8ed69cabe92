"""Which private arrays get memory of the launch, and how it is laid out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.base.options import Level
from ompc.plan.model.plan import KernelPlan, Plan

PROGRAM = """
static double y[1000];
static int fixed;
double take(double *p, int k) {{ return p[k]; }}
double row(int m, double p[][m], int k) {{ return p[k][0]; }}
double large(int k) {{ double own[8000]; own[k] = k; return own[k]; }}
void f(int n, int m, int k)
{{
    double t[n], big[9000], t2[n][4];
    {pragma}
    for (int i = 0; i < 1000; i++) {{
        {body}
    }}
}}
"""

LOOP = "#pragma omp parallel for"


def kernel_or_code(plan: Plan) -> KernelPlan | str:
    (region,) = plan.regions
    if region.kernel is not None:
        return region.kernel
    assert region.reason is not None
    return region.reason.code


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize(
    ("body", "layout"),
    [
        ("double w[10]; w[3] = i; y[i] = w[3];", None),
        ("double w[n]; w[3] = i; y[i] = w[3];", True),
        ("double w[n * 2 + fixed]; w[3] = i; y[i] = w[3];", True),
        ("if (m) { double w[n / m]; w[0] = i; y[i] = w[0]; }", True),
        ("double w[n]; w[3] = i; y[i] = *w;", False),
        ("double w[n]; double *p = &w[2]; *p = i; y[i] = w[2];", False),
        ("double w[n]; w[k] = i; y[i] = take(w, k);", False),
        ("double w[n][m]; w[k][1] = i; y[i] = w[k][1];", True),
        ("double w[n][m]; w[k][0] = i; y[i] = row(m, w, k);", False),
        ("double w[9000]; w[k] = i; y[i] = w[k];", True),
        ("double w[90][100]; w[k][1] = i; y[i] = w[k][1];", True),
        ("double w[90][100]; w[k][1] = i; y[i] = take(w[k], 1);", False),
        ("struct { double a[3]; } w[n]; double *p = w[k].a; *p = i; y[i] = w[k].a[0];", True),
        ("double *w[n]; w[k] = &y[i]; w[k][0] = i;", True),
    ],
)
def test_declared_in_the_body(plan_of: Callable[..., Plan], body: str, layout: bool | None, level: Level) -> None:
    """`layout`: interleaved, contiguous, or (None) declared in the kernel as it is."""
    kernel = kernel_or_code(plan_of(PROGRAM.format(pragma=LOOP, body=body), level))
    assert isinstance(kernel, KernelPlan)
    assert [array.interleaved for array in kernel.expanded] == ([] if layout is None else [layout])


def test_the_largest_go_first(plan_of: Callable[..., Plan]) -> None:
    body = "int a[6000]; double b[6000]; char c[9000]; a[k] = b[k] = c[k] = i; y[i] = a[k] + b[k] + c[k];"
    kernel = kernel_or_code(plan_of(PROGRAM.format(pragma=LOOP, body=body)))
    assert isinstance(kernel, KernelPlan)
    assert [array.name for array in kernel.expanded] == ["b"]


@pytest.mark.parametrize(
    ("clause", "name", "lengths"),
    [
        ("private(t)", "t", ["(long)(sizeof(t) / sizeof(t[0]))"]),
        ("private(t2)", "t2", ["(long)(sizeof(t2) / sizeof(t2[0]))"]),
        ("private(big)", "big", []),
    ],
)
def test_by_clause(plan_of: Callable[..., Plan], clause: str, name: str, lengths: list[str]) -> None:
    body = {"t2": "t2[k][1] = i; y[i] = t2[k][1];"}.get(name, f"{name}[k] = i; y[i] = {name}[k];")
    kernel = kernel_or_code(plan_of(PROGRAM.format(pragma=f"{LOOP} {clause}", body=body)))
    assert isinstance(kernel, KernelPlan)
    assert [array.name for array in kernel.expanded] == [name]
    assert [argument.host_text for argument in kernel.arguments if "sizeof" in argument.host_text] == lengths


@pytest.mark.parametrize(
    ("clause", "body", "code"),
    [
        ("", "double w[i + 1]; w[0] = i; y[i] = w[0];", "OMPC325"),
        ("", "int l = n; double w[l]; w[0] = i; y[i] = w[0];", "OMPC325"),
        ("firstprivate(n)", "n = 5; double w[n]; w[0] = i; y[i] = w[0];", "OMPC325"),
        ("private(n)", "n = 5; double w[n]; w[0] = i; y[i] = w[0];", "OMPC325"),
        ("", "int n = i; double w[n]; w[0] = i; y[i] = w[0];", "OMPC325"),
        ("firstprivate(t)", "t[0] += i; y[i] = t[0];", "OMPC325"),
        ("firstprivate(big)", "big[0] += i; y[i] = big[0];", "OMPC333"),
        ("lastprivate(big)", "big[0] = i; y[i] = big[0];", "OMPC333"),
        ("", "double w[9000] = {1}; w[0] += i; y[i] = w[0];", "OMPC333"),
        ("", "double w[1000] = {1}; w[0] += i; y[i] = w[0] + large(k);", "OMPC333"),
    ],
)
def test_what_stays_on_the_host(plan_of: Callable[..., Plan], clause: str, body: str, code: str) -> None:
    assert kernel_or_code(plan_of(PROGRAM.format(pragma=f"{LOOP} {clause}", body=body))) == code
