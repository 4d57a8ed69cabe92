"""Which arrays a kernel reads and writes several members or elements of at once, if they are aligned at the launch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import form, kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import Level
from ompc.ir.show import c_expr
from ompc.plan.model.plan import Plan
from ompc.plan.model.tile_model import RowCoarsening, TilePlan
from ompc.plan.verify import verify_plan
from ompc.render.launcher.kernel_forms import forms as all_forms
from ompc.render.launcher.launcher import locals_of

PROGRAM = """
typedef struct {{ float x, y, z, w; }} Four;
typedef struct {{ float x, y; Four inner; }} Six;
typedef struct {{ float x, y, z; }} Three;
typedef struct {{ unsigned char r, g, b, a; }} Pixel;
typedef struct {{ double re, im; }} Complex;
typedef struct {{ unsigned a : 3, b : 5; int c; }} Bits;
typedef struct {{ float AlignedElement, other; }} Named;
typedef struct {{ float x, y; float rest[]; }} Open;
typedef union {{ float parts[2]; double all; }} Union;
static Four grid[8][9];
static float first(const Four *a) {{ return a->x; }}
static float second(int i) {{ return grid[0][i].y; }}
void run(int n, int m, Four *p, Four *q, Six *six, Three *three, Pixel *pixel, Complex *c, Bits *bits, Named *named,
         Open *open, Union *u, float *a, double *d, float (*rows)[4], float (*short_rows)[3], int *k, float *out)
{{
    (void)first, (void)second;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def aligned(plan: Plan) -> list[str]:
    found = kernel(plan).own.vectors
    return [] if found is None else [f"{array.name} {array.bytes}" for array in found.arrays]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[i] = p[i].x + p[i].y;", ["p 16"]),
        ("for (int j = 0; j < n; j++) out[i] += p[k[j]].z * p[k[j]].w;", ["p 16"]),
        ("p[i].x = 1; p[i].y = 2; out[i] = 1;", ["p 16"]),
        ("const Four own = p[i]; out[i] = own.x;", ["p 16"]),
        ("p[i] = q[n - i];", ["p 16", "q 16"]),
        ("out[i] = six[i].inner.x + six[i].inner.y;", ["six 8"]),
        ("six[i].inner = p[i];", ["p 16", "six 8"]),
        ("out[i] = c[i].re * c[i].im;", ["c 16"]),
        ("out[i] = u[i].parts[0] + u[i].parts[1];", ["u 8"]),
        ("out[i] = grid[i % 8][i % 9].x + grid[i % 8][i % 9].y;", ["grid 16"]),
        ("const Four *own = &p[i]; out[i] = own->x + p[i].x + p[i].y;", ["p 16"]),
        ("out[i] = (p + i)->x + (*(p + i)).y;", []),  # the name is that of a pointer
        ("out[i] = a[4 * i] + a[i * 4 + 1];", ["a 16"]),
        ("out[i] = a[2 * i] + a[(i << 1) + 1];", ["a 8"]),
        ("out[i] = d[2 * (i + 3)] + d[2 * i + 7];", ["d 16"]),
        ("out[i] = rows[i][0] + rows[i][1];", ["rows 16"]),
        # apart, so that the whole element is read
        ("out[i] = p[i].x + p[i].z;", ["p 16"]),
        ("out[i] = p[i].x; if (i > m) out[i] += p[i].y;", ["p 16"]),
        ("for (int j = 0; j < n; j++) if (p[k[j]].x > 0) out[i] += p[k[j]].w;", ["p 16"]),
        ("for (int j = 0; j < n; j++) if (p[i].x > 0) out[i] += p[i].w;", []),
        ("out[i] = pixel[i].r; if (m) out[i] += pixel[i].g;", []),
        ("out[i] = pixel[i].r + pixel[i].g;", ["pixel 4"]),
        ("if (m) out[i] = p[i].x; if (n) out[i] = p[i].y;", []),
        ("p[i].w = p[i].x + p[i].z;", []),
        ("out[i] = six[i].x + six[i].inner.z;", []),
        # of another element, of elements that are not aligned, alone
        ("out[i] = p[i].y + p[i].z + p[i + 1].x;", ["p 16"]),
        ("out[i] = p[i].x + p[i + 1].y;", []),
        ("out[i] = three[i].x + three[i].y + three[i].z;", []),
        ("out[i] = short_rows[i][0] + short_rows[i][1];", []),
        ("out[i] = a[3 * i] + a[3 * i + 1];", []),
        ("out[i] = a[4 * i + 1] + a[4 * i + 3];", []),
        ("out[i] = d[i] + d[i + 1];", []),
        ("out[i] = p[i].x;", []),
        ("out[i] = p[0].x + p[0].y;", []),
        # bit-fields, a member that the type would hide, a struct without an end
        ("out[i] = bits[i].a + bits[i].b;", []),
        ("out[i] = named[i].AlignedElement + named[i].other;", []),
        ("out[i] = open[i].x + open[i].y;", []),
        # other pointers to the elements, in the kernel and in functions
        ("out[i] = p[i].x + p[i].y + first(p);", []),
        ("out[i] = p[i].x + p[i].y + first(&p[i]);", ["p 16"]),
        ("const Four *own = p; out[i] = own[i].x + p[i].x + p[i].y;", []),
        ("const Four *own = &p[i]; out[i] = p[i].x + p[i].y + p[own - &p[0]].x;", []),
    ],
)
def test_aligned(body: str, expected: list[str], plan_of: Callable[..., Plan]) -> None:
    assert aligned(plan_of(PROGRAM.format(body=body))) == expected


def test_whole_elements(plan_of: Callable[..., Plan]) -> None:
    found = kernel(plan_of(PROGRAM.format(body="Four b; b = p[i]; q[i] = b; q[i].x = p[i].y;"))).own.vectors
    assert found is not None
    assert [len(array.whole) for array in found.arrays] == [1, 0]
    found = kernel(plan_of(PROGRAM.format(body="out[i] = p[i].x; if (m) out[i] = p[i].y * p[i].z;"))).own.vectors
    assert found is not None
    assert [(len(array.whole), len(array.apart)) for array in found.arrays] == [(0, 3)]


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto(level: Level, plan_of: Callable[..., Plan]) -> None:
    assert aligned(plan_of(PROGRAM.format(body="out[i] = p[i].x + p[i].y;"), level)) == []


def test_kernels_that_are_templates_already(plan_of: Callable[..., Plan]) -> None:
    counted = "for (int j = 0; j < 2; j++) {\n#pragma omp atomic\nk[i % 3] += (int)(p[i].x + p[i].y);\n}"
    assert aligned(plan_of(PROGRAM.format(body=counted))) == []


NEST = """
typedef struct {{ float x, y; }} Two;
typedef struct {{ double re, im; }} Complex;
double f(int n, int m, const Two *restrict p, const Complex *restrict c, const float *restrict v, float *restrict out)
{{
    double sum = 0;
    #pragma omp parallel for {clause}
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            {body}
    return sum;
}}
"""
POINTS = "out[i * m + j] ="


@pytest.mark.parametrize(
    ("clause", "body", "expected", "forms"),
    [
        ("", f"{POINTS} p[i * m + j].x * p[i * m + j].y - p[(i - 1) * m + j].x;", ["p 8"], 6),
        ("", f"{POINTS} v[2 * (i * m + j)] * v[2 * (i * m + j) + 1] - v[2 * ((i - 1) * m + j)];", ["v 8"], 6),
        ("reduction(+: sum)", "sum += c[i * m + j].re * c[i * m + j].im - c[(i - 1) * m + j].re;", ["c 16"], 4),
        ("", f"{POINTS} p[i * m + j].x - p[(i - 1) * m + j].x;", [], 5),
        ("reduction(+: sum)", "sum += c[i * m + j].re - c[(i - 1) * m + j].re;", [], 3),
    ],
)
def test_several_rows_a_thread(
    clause: str, body: str, expected: list[str], forms: int, plan_of: Callable[..., Plan]
) -> None:
    """Where the arrays are not aligned, one form is enough."""
    plan = plan_of(NEST.format(clause=clause, body=body))
    assert form(plan, RowCoarsening) is not None
    assert aligned(plan) == expected
    assert len(all_forms(kernel(plan).own, locals_of(kernel(plan)))) == forms


def test_rows_read_all_elements_whole_if_one(plan_of: Callable[..., Plan]) -> None:
    """The next row wants the other members of the same element."""
    body = f"{POINTS} p[(i - 1) * m + j].x + (i > 2 ? p[(i - 1) * m + j].y : 0) + p[i * m + j].x;"
    plan = plan_of(NEST.format(clause="", body=body))
    vectors = kernel(plan).own.vectors
    assert form(plan, RowCoarsening) is not None and vectors is not None
    whole = sorted(c_expr(node) for node in vectors.arrays[0].apart)
    assert whole == ["p[(i - 1) * m + j]", "p[(i - 1) * m + j]", "p[i * m + j]"]


def test_tiles_have_no_alignment_but_what_is_beside_them_has(plan_of: Callable[..., Plan]) -> None:
    summed = "{ float s = 0; for (int k = 0; k < m; k++) s += p[i * m + k].x * p[k * m + j].y + p[i * m + k].y; "
    plan = plan_of(NEST.format(clause="", body=f"{summed} {POINTS} s; }}"))
    tiles = next(each for each in kernel(plan).schedules if each.form_of(TilePlan) is not None)
    assert aligned(plan) == ["p 8"] and tiles.vectors is None


def test_unknown_alignment_of_elements_is_a_bug(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(body="out[i] = six[i].inner.x + six[i].inner.y;"))
    found = kernel(plan).own.vectors
    assert found is not None
    wrong = replace(found, arrays=tuple(replace(array, bytes=16) for array in found.arrays))
    with pytest.raises(InternalError, match="alignment of every element of six to 16 bytes"):
        verify_plan(with_schedule(plan, replace(kernel(plan).own, vectors=wrong)))
