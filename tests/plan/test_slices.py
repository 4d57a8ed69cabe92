"""Which launches may go in slices while large arrays are copied, and what they then say of the arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.integers.polynomials import Polynomial
from ompc.base.options import FloatingPoint, Level
from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan

PROGRAM = """
#include <stdio.h>
struct item {{ float x, y; char tag; double z; }};
static double small[4000], large[1 << 24];
double sum, three[3]; int last; float least;
#pragma omp declare reduction(both : struct item : omp_out.x += omp_in.x, omp_out.y += omp_in.y)
static struct item own;
void f(int n, int m, unsigned un, const double *a, double *b, const int *at, struct item *p, double (*rows)[50])
{{
    #pragma omp parallel for {clauses}
    {head}
    {{
        double v = 0;
        for (int s = 0; s < m; s++)
            v = v * 0.5 + s;
        {body}
    }}
}}
"""
EACH = "for (int i = 0; i < n; i++)"


def text(p: Polynomial) -> str:
    return " + ".join("*".join([str(c), *map(str, (getattr(f, "name", f) for f in fs))]) for fs, c in p.terms) or "0"


def slices(plan: Plan) -> list[str]:
    """`ARRAY: ELEMENT by BYTES` for each part that stands for others."""
    (region,) = plan.regions
    assert region.kernel is not None, region.reason
    if region.kernel.slices is None:
        return []
    found = region.kernel.slices.parts.items()
    return [f"{name}: {c_expr(part.lmad.node)} by {text(part.stride)}" for name, parts in found for part in parts]


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (EACH, "b[i] += v + a[i];", ["a: a[i] by 8", "b: b[i] by 8"]),
        (EACH, "b[i] = v + a[i - 1] + a[i + 2] + a[i];", ["a: a[i + 2] by 8"]),  # b is overwritten
        (EACH, "if (v > 3) b[i] = v;", ["b: b[i] by 8"]),
        (
            EACH,
            "for (int k = 0; k < m; k++) b[i - 0 * k] += a[i * m + k];",
            ["a: a[i * m + k] by 8*m", "b: b[i - 0 * k] by 8"],
        ),
        (EACH, "b[i] += v + large[i] + small[i];", ["b: b[i] by 8", "large: large[i] by 8"]),
        (EACH, "p[i].x += v; p[i].z += v; b[at[i]] = v;", ["at: at[i] by 4", "p: p[i].z by 24"]),
        (EACH, "rows[i][3] += v; rows[i + 1][0] += v;", ["rows: rows[i + 1][0] by 400"]),
        (EACH, "b[i] += v * a[0];", ["b: b[i] by 8"]),
        ("for (int i = 3; i < n; i += 2)", "b[i] += v;", ["b: b[i] by 16"]),
        # the first iteration needs what lies at the end
        ("for (int i = n - 1; i >= 0; i--)", "b[i] += v;", []),
        (EACH, "b[n - i] += v;", []),
        (EACH, "for (int k = 0; k < m; k++) v += a[k * n + i] / v; b[i] += v;", ["b: b[i] by 8"]),
        (EACH, "for (int k = 0; k < n; k++) v += a[k]; b[i] += v;", ["b: b[i] by 8"]),
        (EACH, "double *q = b + i; *q += v;", ["b: *q by 8"]),
        # not known
        (EACH, "for (int k = 0; k < at[i]; k++) v += a[i + k]; b[i] += v;", ["at: at[i] by 4", "b: b[i] by 8"]),
        (EACH, "b[i * i] += v;", []),
        (EACH, "double *q = b; q += i; *q += v;", []),
        ("for (unsigned i = un; i < 2 * un; i++)", "b[i - un] += v;", []),
    ],
)
def test_parts(head: str, body: str, expected: list[str], plan_of: Callable[..., Plan]) -> None:
    assert sorted(slices(plan_of(PROGRAM.format(clauses="", head=head, body=body)))) == sorted(expected)


@pytest.mark.parametrize(
    ("clauses", "head", "body"),
    [
        ("reduction(both: own)", EACH, "b[i] += v; own.x += v;"),
        ("reduction(+: three)", EACH, "b[i] += v; three[i % 3] += v;"),
        ("lastprivate(last)", EACH, "b[i] += v; last = i;"),
        ("", EACH, 'b[i] += v; if (v > 1e9) printf("%d\\n", i);'),
        ("collapse(2)", "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)", "b[i * m + j] += v;"),
    ],
)
def test_kernels_that_do_more_than_their_iterations(
    clauses: str, head: str, body: str, plan_of: Callable[..., Plan]
) -> None:
    assert slices(plan_of(PROGRAM.format(clauses=clauses, head=head, body=body))) == []


@pytest.mark.parametrize(
    ("clause", "body", "fp", "is_sliced"),
    [
        ("reduction(+: sum)", "sum += v + a[i];", FloatingPoint.DEFAULT, True),
        ("reduction(max: sum) reduction(&&: last)", "sum = a[i] + v > sum ? a[i] + v : sum; last = last && a[i] > v;",
         FloatingPoint.DEFAULT, True),
        ("reduction(+: sum)", "sum += v + a[i];", FloatingPoint.STRICT, False),
        ("reduction(min: least) reduction(+: last)", "least = a[i] + v < least ? a[i] + v : least; last += a[i] > v;",
         FloatingPoint.STRICT, True),
    ],
)  # fmt: skip
def test_numbers_that_are_combined(
    clause: str, body: str, fp: FloatingPoint, is_sliced: bool, plan_of: Callable[..., Plan]
) -> None:
    """Not where other slices would be another sum, and the user has asked for the bits of one."""
    plan = plan_of(PROGRAM.format(clauses=clause, head=EACH, body=body), fp=fp)
    assert slices(plan) == ["a: a[i] by 8"] * is_sliced


@pytest.mark.parametrize(
    ("body", "expected"),
    [("b[i] = a[i] * 0.5 + b[i];", 0), ("b[i] += exp(sin(a[i])) * exp(cos(a[i])) + pow(a[i], a[i + 1]);", 2)],
)
def test_work(body: str, expected: int, plan_of: Callable[..., Plan]) -> None:
    program = f"#include <math.h>\nvoid f(int n, double *a, double *b) {{\n#pragma omp parallel for\n{EACH} {body} }}"
    assert len(slices(plan_of(program))) == expected


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto(level: Level, plan_of: Callable[..., Plan]) -> None:
    assert slices(plan_of(PROGRAM.format(clauses="", head=EACH, body="b[i] += v + a[i];"), level)) == []


@pytest.mark.parametrize(
    ("clauses", "body", "spreads"),
    [
        ("", "b[i] = a[i];", True),  # however little there is to do
        ("", "b[i * i] = a[at[i]];", True),  # then only nothing is known of its accesses
        ("reduction(+ : sum)", "sum += a[i];", True),
        ("reduction(min : least)", "if (a[i] < least) least = a[i];", True),
        ("reduction(both : own)", "own.x += a[i];", False),
        ("lastprivate(last)", "b[i] = a[i]; last = i;", False),
        # atomic operations are those of one device
        ("", """
        #pragma omp atomic
        b[at[i]] += v;""", False),
        ("", """
        #pragma omp critical
        if (a[i] > sum) sum = a[i];""", False),
        ("", 'printf("%g\\n", a[i]);', False),
    ],
)  # fmt: skip
def test_what_several_devices_may_do(
    clauses: str, body: str, spreads: bool, plan_of: Callable[..., Plan]
) -> None:
    program = PROGRAM.format(clauses=clauses, head=EACH, body=body)
    (region,) = plan_of(program, several_devices=True).regions
    assert region.kernel is not None, region.reason
    assert (region.kernel.slices is not None and region.kernel.slices.spreads) is spreads
    (alone,) = plan_of(program).regions
    assert alone.kernel is not None and (alone.kernel.slices is None or not alone.kernel.slices.spreads)


def test_sums_are_those_of_one_device_where_bits_count(plan_of: Callable[..., Plan]) -> None:
    program = PROGRAM.format(clauses="reduction(+ : sum)", head=EACH, body="sum += a[i];")
    (region,) = plan_of(program, fp=FloatingPoint.STRICT, several_devices=True).regions
    assert region.kernel is not None and region.kernel.slices is None
