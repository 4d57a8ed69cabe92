"""Which loops become axes of the grid under auto, and which must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.options import Level
from ompc.plan.model import Plan

PROGRAM = """
static double u[50][60], v[50][60], a[8][8][64], b[8][8][64], c[4000];
static double twice(double d) {{ return 2 * d; }}
void f(int n, int m, double *x, double *y, int *cnt)
{{
    int j = 0, k = 0; double s = 0, r = 0, t[3]; (void)j; (void)k; (void)s; (void)r; (void)t;
    #pragma omp parallel for {clauses}
    for (int i = 1; i < n; i++) {{
        {body}
    }}
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
        ("", "for (int q = 1; q < m; q++) u[i][q] = u[i][q - 1];", ["i"]),  # carried by u
        ("", "for (int q = 0; q < m; q++) u[i][q] = u[i - 1][q] + 1;", ["i", "q"]),  # i: the user's word
        ("", "for (int q = 0; q < m; q++) u[q][i] = v[q][i];", ["q", "i"]),  # i moves by one element
        ("", "for (int q = 0; q < m; q++) x[i * m + q] = y[i * m + q];", ["i", "q"]),  # i * m is a fixed number inside
        ("", "for (int q = 0; q < m; q++) x[i * q] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) x[i] += y[q];", ["i"]),
        ("", "for (int q = 0; q < m; q++) x[cnt[q]] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) x[q / 2] = 1;", ["i"]),
        ("", "for (int q = 0; q < i; q++) u[i][q] = 1;", ["i"]),  # triangular
        ("", "for (int q = 0; q < cnt[i]; q++) u[i][q] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) { if (v[i][q] < 0) break; u[i][q] = 1; }", ["i"]),
        ("", "for (int q = 0; q < m; q++) { if (v[i][q] < 0) continue; u[i][q] = 1; }", ["i", "q"]),
        ("private(r)", "for (int q = 0; q < m; q++) { r = v[i][q]; u[i][q] = r * r; }", ["i", "q"]),
        ("private(r)", "r = 0; for (int q = 0; q < m; q++) { u[i][q] = r; r = v[i][q]; }", ["i"]),  # r carries
        ("private(r)", "for (int q = 0; q < m; q++) { if (v[i][q] > 0) r = 1; u[i][q] = r; }", ["i"]),
        ("private(t)", "for (int q = 0; q < m; q++) { t[0] = v[i][q]; u[i][q] = t[0]; }", ["i"]),
        ("reduction(+:s)", "for (int q = 0; q < m; q++) s += v[i][q];", ["i", "q"]),
        ("reduction(max:s)", "for (int q = 0; q < m; q++) if (v[i][q] > s) s = v[i][q];", ["i", "q"]),
        ("lastprivate(r)", "for (int q = 0; q < m; q++) { r = v[i][q]; u[i][q] = r; }", ["i"]),
        ("", PRODUCT, ["i", "q"]),
        ("", "for (int q = 0; q < 8; q++) for (int w = 0; w < 64; w++) a[i][q][w] = b[i][q][w];", ["i", "q", "w"]),
        ("", "for (int q = 0; q < 8; q++) { for (int w = 0; w < 64; w++) a[i][q][w] = 1; b[i][q][0] = 1; }",
         ["i", "q"]),
        ("", "u[i][0] = 1; for (int q = 1; q < m; q++) u[i][q] = 1;", ["i"]),
        ("", "for (int q = 0; q < m; q++) u[i][q] = twice(v[i][q]);", ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) u[i][0] = q;", ["i"]),
        ("", KJ.format("u[i][q] += v[i][w] * a[0][w][q];"), ["i", "q"]),
        ("", KJ.format("x[i * m + q] += y[w * m + q];"), ["i", "q"]),
        ("", "for (int q = 0; q < m; q++) u[i][q] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i", "q"]),
        ("", "for (int q = 1; q < m; q++) u[i][q] = 0;" + KJ.format("u[i][q] += v[i][w];"), ["i"]),  # other bounds
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
        # linear subscripts (analysis/delinearisation.py)
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
        ("private(j)", KJ.format("{ x[j] = 1; j = w * m + q; }"), ["i"]),
        ("private(j)", KJ.format("{ if (w > 3) j = w * m + q; x[j] = 1; }"), ["i"]),
    ],
)  # fmt: skip
def test_axes(plan_of: Callable[..., Plan], clauses: str, body: str, expected: list[str]) -> None:
    text = PROGRAM.format(clauses=clauses, body=body)
    assert axes(plan_of(text)) == expected
    assert axes(plan_of(text, Level.BASELINE)) == ["i"]
    assert axes(plan_of(text, Level.THESIS)) == ["i"]


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
        ("*cnt", "'*cnt' reads memory"),
        (
            "cnt[m] + 1",
            "'cnt[m] + 1' reads memory",
        ),
        ("cnt[i]", "its bounds change from one iteration to the next"),
        ("i", "its bounds change from one iteration to the next"),
    ],
)
def test_why_bounds_keep_a_loop_in_the_thread(plan_of: Callable[..., Plan], bound: str, why: str) -> None:
    found = plan_of(PROGRAM.format(clauses="", body=f"for (int q = 0; q < {bound}; q++) x[i + q] = cnt[q];"))
    assert f"the loop over q stays inside a thread: {why}" in str(kernel(found).mapped_because)
