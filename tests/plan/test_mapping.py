"""Which loops become axes of the grid under auto, and which must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.base.options import Level
from ompc.plan.model.plan import Plan

PROGRAM = """
static double u[50][60], v[50][60], a[8][8][64], b[8][8][64], c[4000]; static unsigned char bytes[9000];
static double twice(double d) {{ return 2 * d; }}
void f(int n, int m, double *x, double *y, int *cnt)
{{
    int j = 0, k = 0; double s = 0, r = 0, t[3]; (void)j; (void)k; (void)s; (void)r; (void)t;
    #pragma omp parallel for {clauses}
    for (int i = 1; i < n; i++) {{
        {body}
    }}
    (void)r;
}}
"""

PRODUCT = """
    for (int q = 0; q < m; q++) {
        double z = 0;
        for (int w = 0; w < m; w++) z += u[i][w] * v[w][q];
        c[60 * i + q] = z;
    }
"""

KJ = "for (int w = 0; w < m; w++) {{ for (int q = 0; q < m; q++) {0} }}"


def axes(plan: Plan) -> list[str]:
    return [loop.variable for loop in kernel(plan).grid]


@pytest.mark.parametrize(
    ("clauses", "body", "expected"),
    [
        ("private(j)", "for (j = 0; j < m; j++) u[i][j] = v[i][j];", ["i", "j"]),
        ("", "for (int q = 0; q < m; q++) u[i][q] = v[i][q];", ["i", "q"]),
        ("firstprivate(m)", "for (int q = 0; q < m; q++) u[i][q] = v[i][q];", ["i", "q"]),
        ("firstprivate(m)", "m = 3; for (int q = 0; q < m; q++) u[i][q] = v[i][q];", ["i"]),
        ("", "for (int q = 1; q < m; q++) u[i][q] = u[i][q - 1];", ["i"]),  # carried by u
        ("", "for (int q = 0; q < m; q++) u[i][q] = u[cnt[i]][q] + 1;", ["i", "q"]),  # i: the user's word
        ("", "for (int q = 0; q < m; q++) u[q][i] = v[q][i];", ["q", "i"]),  # i moves by one element
        ("", "for (int q = 0; q < m; q++) x[i * m + q] = y[i * m + q];", ["i", "q"]),  # i * m is a fixed number inside
        ("", "for (int q = 0; q < m; q++) x[i * q] = 1;", ["i"]),
        # a few iterations fill no warp
        ("", "for (int q = 0; q < 3; q++) bytes[i * 3 + q] += 1;", ["i"]),
        ("", "for (int q = 0; q < 3; q++) x[i * 3 + q] = y[i * 3 + q];", ["i", "q"]),  # neighbours along q alone
        ("", "for (int q = 0; q < 4; q++) x[q * n + i] = y[i * 4 + q];", ["i"]),
        ("", "for (int q = 0; q < 4; q++) x[i * 4 + q] *= y[i];", ["i", "q"]),
        ("", "for (int q = 0; q < 5; q++) x[i * 5 + q] = y[i * 5 + q];", ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) for (int w = 0; w < 3; w++) bytes[(i * m + q) * 3 + w] = 1;", ["i", "q"]),
        ("", "for (int q = 0; q < 3; q++) for (int w = 3; w > 0; w--) x[(i * 3 + q) * 3 + w] = y[w];", ["i", "w"]),
        ("", "for (int q = 0; q < 3; q++) for (int w = 0; w < m; w++) x[(i * 3 + q) * m + w] = y[w];", ["i", "q", "w"]),
        ("", "for (int q = 0; q < m; q++) x[i] += y[q];", ["i"]),
        ("", "for (int q = 0; q < m; q++) x[cnt[q]] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) x[q / 2] = 1;", ["i"]),
        ("", "for (int q = 0; q < i; q++) u[i][q] = 1;", ["i", "q"]),  # triangular
        ("", "for (int q = 0; q < cnt[i]; q++) u[i][q] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) { if (v[i][q] < 0) break; u[i][q] = 1; }", ["i"]),
        ("", "for (int q = 0; q < m; q++) { if (v[i][q] < 0) continue; u[i][q] = 1; }", ["i", "q"]),
        ("private(r)", "for (int q = 0; q < m; q++) { r = v[i][q]; u[i][q] = r * r; }", ["i", "q"]),
        ("private(r)", "r = 0; for (int q = 0; q < m; q++) { u[i][q] = r; r = v[i][q]; }", ["i"]),  # r carries
        ("private(r)", "for (int q = 0; q < m; q++) { if (v[i][q] > 0) r = 1; u[i][q] = r; }", ["i"]),
        ("private(t)", "for (int q = 0; q < m; q++) { t[0] = v[i][q]; u[i][q] = t[0]; }", ["i", "q"]),
        ("private(t)", "for (int q = 0; q < m; q++) { u[i][q] = t[0]; t[0] = v[i][q]; }", ["i"]),  # t carries
        ("private(t)", "for (int q = 0; q < m; q++) { t[q % 4] = v[i][q]; u[i][q] = t[0]; }", ["i"]),
        ("firstprivate(t)", "for (int q = 0; q < m; q++) { t[0] = v[i][q]; u[i][q] = t[0]; }", ["i"]),
        ("private(t)", "for (int q = 0; q < m; q++) { double *p = t; p[0] = v[i][q]; u[i][q] = t[0]; }", ["i"]),
        ("reduction(+:s)", "for (int q = 0; q < m; q++) s += v[i][q];", ["i", "q"]),
        ("reduction(max:s)", "for (int q = 0; q < m; q++) if (v[i][q] > s) s = v[i][q];", ["i", "q"]),
        ("lastprivate(r)", "for (int q = 0; q < m; q++) { r = v[i][q]; u[i][q] = r; }", ["i"]),
        ("", PRODUCT, ["i", "q"]),
        ("", "for (int q = 0; q < 8; q++) for (int w = 0; w < 64; w++) a[i][q][w] = b[i][q][w];", ["i", "q", "w"]),
        ("", "for (int q = 0; q < 8; q++) { for (int w = 0; w < 64; w++) a[i][q][w] = 1; b[i][q][0] = 1; }",
         ["i", "q", "w"]),  # the last iteration of w (last_iteration.py)
        ("", "u[i][0] = 1; for (int q = 1; q < m; q++) u[i][q] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) u[i][q] = twice(v[i][q]);", ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) u[i][0] = q;", ["i"]),
        ("", KJ.format("u[i][q] += v[i][w] * a[0][w][q];"), ["i", "q"]),
        ("", KJ.format("x[i * m + q] += y[w * m + q];"), ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) u[i][q] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i", "q"]),
        ("", "for (int q = 1; q < m; q++) u[i][q] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i", "q"]),  # a condition
        ("", "for (int q = m; q > 0; q--) u[i][q] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i", "q"]),  # down
        ("", "u[i][0] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i"]),
        ("", KJ.format("u[i][q] += u[i][q + 1];"), ["i"]),
        ("", KJ.format("u[i][w] += v[i][q];"), ["i", "w"]),
        ("", KJ.format("{ u[i][q] += s; s = v[i][q]; }").replace("{ ", "{ double s = w; ", 1), ["i"]),
        ("private(s)", "for (int w = 0; w < 9; w++) { s = v[i][w]; for (int q = 0; q < m; q++) u[i][q] += s; }",
         ["i", "q"]),
        ("private(s)", "for (int w = 0; w < 9; w++) { s = u[i][w]; for (int q = 0; q < m; q++) u[i][q] += s; }", ["i"]),
        ("private(j)", "for (int w = 0; w < 9; w++) { int r = j; for (j = 0; j < m; j++) u[i][j] += r; }", ["i"]),
        ("", "for (int w = 0; w < m; w++) for (int q = 0; q < w; q++) u[i][q] += v[i][w];", ["i"]),
        ("reduction(+:s)", KJ.format("{ u[i][q] += v[i][w]; s += w; }"), ["i"]),
        # linear subscripts (analysis/integers/delinearisation.py)
        ("", "for (int q = 0; q < m; q++) x[q * n + i] = 1;", ["q", "i"]),
        ("", KJ.format("x[(i * m + w) * m + q] = 1;"), ["i", "w", "q"]),
        ("", KJ.format("x[i * m * m + w * m + q] = 1;"), ["i", "w", "q"]),
        ("", KJ.format("{ int at = i * m * m + w * m + q; x[at] = y[at]; }"), ["i", "w", "q"]),
        ("private(j)", KJ.format("{ j = i * m * m + w * m + q; x[j] = y[j]; }"), ["i", "w", "q"]),
        ("", KJ.format("x[(i * m + w) * (m + 2) + q + 1] = 1;"), ["i", "w", "q"]),
        ("", KJ.format("x[(i * m + w) * m - q] = 1;"), ["i", "w", "q"]),
        ("", KJ.format("x[q * n * m + w * n + i] = 1;"), ["w", "q", "i"]),
        ("", KJ.format("x[(long)w * m + q] = 1;"), ["i", "w", "q"]),  # i: the user's word
        ("", KJ.format("x[w * n + q] = 1;"), ["i"]),  # rows of n elements may overlap
        ("", KJ.format("x[w * m + q + (q > 3)] = 1;"), ["i"]),
        ("", KJ.format("x[w * m + 2 * q] = 1;"), ["i"]),
        ("", KJ.format("x[w * m + q] = x[w * m + q + 1];"), ["i"]),
        ("", KJ.format("x[w * m + q] = x[w * m + q + m];"), ["i", "q"]),  # along a column
        ("", KJ.format("x[w * cnt[0] + q] = 1;"), ["i"]),
        ("", KJ.format("x[(unsigned)w * (unsigned)m + (unsigned)q] = 1;"), ["i"]),  # may wrap round
        ("", "int k = m; " + KJ.format("x[w * k + q] = 1;") + "k++;", ["i"]),
        ("", KJ.format("x[(q * n + i) * m + w] = y[(w * m + i) * n + q];"), ["i", "w", "q"]),
        ("", KJ.format("x[(w * m + q) * n + i] = y[(w * n + i) * m + q];"), ["w", "i", "q"]),  # a tile of i and q
        # conditions, triangles, remainders (analysis/memory/access_relation.py)
        ("", "for (int q = 0; q < m; q++) if (q > j) u[i][q] -= u[i][j];", ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) if (q >= j) u[i][q] -= u[i][j];", ["i"]),
        ("", "for (int q = 0; q < m; q++) if (q > j || v[i][q] > 0) u[i][q] -= u[i][j];", ["i"]),
        ("", "for (int q = j + 1; q < m; q++) x[i * m + q] -= x[i * m + j] * x[j * m + q];", ["i", "q"]),
        ("", "for (int q = j + 1; q < m; q++) x[i * m + q] -= x[i * m + j + 1] * x[j * m + q];", ["i"]),
        ("", "for (int q = 0; q < m; q++) if ((i + q) % 2 == 0) u[i][q] += u[i][q + 1] + u[i - 1][q];", ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) if ((i + q) % 2 == 0) u[i][q] += u[i][q + 2];", ["i"]),
        ("private(j)", KJ.format("{ x[j] = 1; j = w * m + q; }"), ["i"]),
        ("private(j)", KJ.format("{ if (w > 3) j = w * m + q; x[j] = 1; }"), ["i"]),
    ],
)  # fmt: skip
def test_axes(plan_of: Callable[..., Plan], clauses: str, body: str, expected: list[str]) -> None:
    text = PROGRAM.format(clauses=clauses, body=body)
    assert axes(plan_of(text)) == expected
    assert axes(plan_of(text, Level.BASELINE)) == ["i"]
    assert axes(plan_of(text, Level.THESIS)) == ["i"]


SIZES = """
struct deep {{ int n; double values[4]; }};
struct grid {{ int nx, ny; double h, *u; struct deep deep; int sizes[3]; }};
union both {{ int n; double d; }};
void read_in(int *);
static int gp[3]; static struct grid whole; static union both both; static const int fixed[2] = {{40, 50}};
void f(int n, double *x, int *y, unsigned char *z, struct grid g, struct grid *p, int *size, int **table, int k)
{{
    int at[2] = {{n, n + 1}}, taken;
    read_in(&taken);
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < {bound}; j++)
            {body}
}}
"""


@pytest.mark.parametrize(
    ("bound", "body", "expected"),
    [
        (bound, body, ["i", "j"])
        for bound in (
            "gp[1]", "gp[2] - 1", "whole.nx", "g.ny", "fixed[1]", "at[1]", "*size", "p->nx", "p->sizes[2]",
            "p->deep.n", "size[k]", "size[k + 2]", "size[n / k]", "**table", "table[1][2]", "(k > 3 ? gp[0] : gp[1])",
            "both.n", "(int)sizeof(*p) / p->nx", "taken", "taken / 2 + 1", "gp[taken]", "size[gp[1]]",
            "p->sizes[whole.nx - *size]",
        )
        for body in ("x[i * 4096 + j] = i;", "p->u[i * 4096 + j] = j;", "z[i * 4096 + j] = 1;")
        if not (bound == "both.n" and "p->u" in body)
    ]
    + [
        ("p->nx", "y[i * 4096 + j] = j;", ["i", "j"]),  # compared at the launch
        ("p->nx", "x[i * p->nx + j] = j;", ["i", "j"]),
        ("gp[1]", "x[i * gp[1] + j] = gp[0];", ["i", "j"]),
        ("taken", "y[i * 4096 + j] = j;", ["i", "j"]),  # compared as well
        ("size[i]", "x[i * 4096 + j] = j;", ["i"]),
        ("size[gp[i % 3]]", "x[i * 4096 + j] = j;", ["i"]),
        ("size[gp[1]]", "x[i * 4096 + j] = gp[1]++;", ["i"]),
        ("gp[1]", "x[i * 4096 + j] = gp[1]++;", ["i"]),
        ("y[1]", "y[i * 4096 + j] = j;", ["i"]),  # written under its own name
        ("p->nx", "p->ny = 3;", ["i"]),  # fixed; but all iterations write it
        ("p->nx", "p[i].nx = 3;", ["i"]),
    ],
)  # fmt: skip
def test_bounds_in_memory(plan_of: Callable[..., Plan], bound: str, body: str, expected: list[str]) -> None:
    assert axes(plan_of(SIZES.format(bound=bound, body=body))) == expected


def call_of(plan: Plan) -> str:
    return ", ".join(argument.host_text for argument in kernel(plan).arguments)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("for (int j = 0; j < p->nx; j++)", "(1 < n) ? p->nx : 0"),
        ("for (int j = 0; j < gp[1]; j++)", "gp[1]"),
        ("for (int j = 0; j < gp[k]; j++)", "(1 < n) ? gp[k] : 0"),  # perhaps beyond the array's end
        ("for (int j = 0; j < n; j++) for (int l = 0; l < *size; l++)", "(1 < n && 0 < n) ? *size : 0"),
        ("for (int j = 0; j < 9; j++) for (int l = 0; l < *size; l++)", "(1 < n) ? *size : 0"),
        ("if (p) for (int j = 0; j < p->nx; j++)", None),  # the host must not follow it
        ("for (int j = 0; p && j < p->nx; j++)", None),
        ("for (int j = 0; j < (k ? *size : 4); j++)", None),
    ],
)
def test_the_host_reads_what_the_loop_would_read(plan_of: Callable[..., Plan], head: str, text: str | None) -> None:
    program = SIZES.format(bound="1", body=f"{head} x[i * 4096 + j] = i;").replace("for (int j = 0; j < 1; j++)", "")
    call = call_of(plan_of(program))
    assert ("?" in call or "gp[1]" in call) == (text is not None)
    assert text is None or text in call


@pytest.mark.parametrize(
    ("bound", "in_call"), [("(int)(s * r + 0.5)", True), ("(int)s", True), ("s < r ? n : 3", False), ("n / 3", False)]
)
def test_the_users_compiler_reckons_in_floating_point(plan_of: Callable[..., Plan], bound: str, in_call: bool) -> None:
    """The launcher's would contract what it likes: the loop could have another iteration."""
    head = f"#pragma omp parallel for\nfor (int i = 0; i < ({bound}); i++)"
    plan = plan_of(f"void f(double *x, double s, double r, int n) {{\n{head} x[i] = s * r; }}")
    assert (bound in call_of(plan)) == in_call


def test_addresses_are_compared_where_types_do_not_tell(plan_of: Callable[..., Plan]) -> None:
    def compared(bound: str, body: str) -> list[str]:
        plan = plan_of(SIZES.format(bound=bound, body=body))
        return [argument.stays[0] for argument in kernel(plan).arguments if argument.stays is not None]

    assert compared("p->nx", "x[i * 4096 + j] = j;") == []
    assert compared("p->nx", "y[i * 4096 + j] = j;") == ["p->nx"]
    assert compared("gp[1]", "z[i * 4096 + j] = j;") == []  # nobody takes its address
    assert compared("taken", "x[i * 4096 + j] = j;") == []
    assert compared("taken", "y[i * 4096 + j] = j;") == ["taken"]
    assert compared("both.n", "x[i * 4096 + j] = j;") == []
    assert compared("**table", "z[i * 4096 + j] = j;") == ["**table", "*table"]


SUNK = """
struct cell {{ double mass; int kind; }};
static double u[50][60], t3[4][50][60]; static struct cell cells[50][60];
static int touched(int i) {{ static int n; return n++ + i; }}
void f(int n, int m, double *x, const double *r, const int *on, int *size, double **rows)
{{
    int j, base, at; double s = 0, w, v[4];
    #pragma omp parallel for private(j, base, at, w, v) {clauses}
    for (int i = 1; i < n; i++) {{
        {body}
    }}
}}
"""
ROW = "for (int q = 0; q < m; q++)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"int q; {ROW.replace('int ', '')} u[i][q] = 1;", ["i", "q"]),
        (f"double t; {ROW} {{ t = q; u[i][q] = t; }}", ["i", "q"]),
        (f"int at = i * m; {ROW} x[at + q] = 1;", ["i", "q"]),
        (f"base = i * m; {ROW} x[base + q] = 1;", ["i", "q"]),
        (f"double *row = x + i * m; {ROW} row[q] = 1;", ["i", "q"]),
        (f"double *row = u[i]; {ROW} row[q] = *row;", ["i"]),  # element 0 of the row is written
        (f"double *row = u[i]; {ROW} *(row + q) = 1;", ["i", "q"]),
        (f"double *row = &u[i][0]; {ROW} row[q] = 1;", ["i", "q"]),
        (f"struct cell *c = cells[i]; {ROW} c[q].mass = 1;", ["i", "q"]),
        (f"struct cell *c = cells[i]; {ROW} (c + q)->kind = q;", ["i", "q"]),
        (f"double f = r[i]; {ROW} u[i][q] = f;", ["i", "q"]),
        (f"double f = r[i] * 2, g = f + 1; {ROW} u[i][q] = g;", ["i", "q"]),
        (f"if (!on[i]) continue; {ROW} u[i][q] = 1;", ["i", "q"]),
        (f"if (on[i]) {ROW} u[i][q] = 1;", ["i", "q"]),
        (f"if (on[i]) {{ double f = r[i]; {ROW} u[i][q] = f; }}", ["i", "q"]),
        (f"if (on[i]) {ROW} u[i][q] = 1; else u[i][0] = 2;", ["i"]),
        (f"w = 0; if (on[i]) w = r[i]; {ROW} u[i][q] = w;", ["i", "q"]),
        ("int end = m / 2; for (int q = 1; q < end; q++) u[i][q] = 1;", ["i", "q"]),
        ("base = m / 2; for (int q = 1; q < base; q++) u[i][q] = 1;", ["i", "q"]),
        ("at = 1; base = at; at = 5; for (int q = base; q < m; q++) u[i][q] = at;", ["i", "q"]),
        ("const int k = size[1]; for (int q = 0; q < k; q++) u[i][q] = 1;", ["i", "q"]),
        ("double f = u[i][0]; for (int q = 1; q < m; q++) u[i][q] += f;", ["i", "q"]),
        (f"double f = u[i][0]; {ROW} u[i][q] += f;", ["i"]),
        (f"double f = i; {ROW} {{ u[i][q] = f; f = q; }}", ["i"]),  # carried
        (f"double t; t = 1; {ROW} {{ u[i][q] = t; t += 1; }}", ["i"]),
        (f"base = base + 1; {ROW} u[i][q] = base;", ["i"]),
        (f"v[0] = i; {ROW} u[i][q] = v[0];", ["i"]),
        (f"if (touched(i)) continue; {ROW} u[i][q] = 1;", None),
        (f"double f = exp(r[i]); {ROW} u[i][q] = f;", ["i"]),  # costs more than a point
        (f"int k = on[i]; {ROW.replace('m;', 'k;')} u[i][q] = 1;", ["i"]),
        (f"double *row = rows[i]; {ROW} row[q] = 1;", ["i", "q"]),  # the launcher sees whether they are apart
        (f"{ROW} u[i][q] = 1; s = 1;", ["i", "q"]),  # the last iteration of q (last_iteration.py)
    ],
)  # fmt: skip
def test_statements_between_loops(plan_of: Callable[..., Plan], body: str, expected: list[str] | None) -> None:
    plan = plan_of("#include <math.h>\n" + SUNK.format(clauses="", body=body))
    assert expected is None or axes(plan) == expected
    assert expected is not None or plan.regions[0].kernel is None or axes(plan) == ["i"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("u[i][j] = v[i][j];", ["i", "j"]),
        ("u[j][i] = v[j][i];", ["j", "i"]),
        ("u[j][i] = v[i][j];", ["i", "j"]),  # the user's order, and a tile
        ("x[j * 50 + i] += 1;", ["j", "i"]),
        ("u[j][i] = 1; if (v[j][i] > 99) exit(1);", ["i", "j"]),  # iterations are counted
    ],
)
def test_annotated(plan_of: Callable[..., Plan], body: str, expected: list[str]) -> None:
    text = "#include <stdlib.h>\n" + PROGRAM.format(clauses="collapse(2)", body=body)
    text = text.replace("i++) {", "i++) for (int j = 0; j < m; j++) {")
    assert axes(plan_of(text)) == expected
    assert axes(plan_of(text, Level.THESIS)) == ["i", "j"]


@pytest.mark.parametrize(
    ("bound", "why"),
    [
        ("(int)*y", "'(int)*y' in its bounds is not evaluated before the launch"),
        ("n + (int)y[m]", "'(int)y[m]' in its bounds is not evaluated before the launch"),
        ("(m ? *cnt : 0)", "'*cnt' in its bounds is not evaluated before the launch"),
        ("shared[0]", "line 9 may change 'shared[0]' in its bounds"),
        ("cnt[i]", "its bounds change from one iteration to the next"),
        ("(i & 6)", "its bounds change from one iteration to the next"),
    ],
)
def test_why_bounds_keep_a_loop_in_the_thread(plan_of: Callable[..., Plan], bound: str, why: str) -> None:
    target = "x[i * m + q]" if "shared" not in bound else "x[i * m + q] = shared[cnt[q]]"
    body = f"for (int q = 0; q < {bound}; q++) {target} = cnt[q];"
    found = plan_of("static int shared[9];" + PROGRAM.format(clauses="", body=body))
    assert f"the loop over q stays inside a thread: {why}" in str(kernel(found).mapped_because)
