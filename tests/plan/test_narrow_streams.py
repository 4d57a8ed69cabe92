"""Which loops move narrow elements 16 bytes at a time under auto, how many at a time, and which must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import form

from ompc.base.options import Level
from ompc.ir.show import c_expr
from ompc.plan.model.launch import StreamPlan
from ompc.plan.model.plan import Plan

PROGRAM = """
struct pixel {{ unsigned char r, g; }};
static struct pixel p[900];
static unsigned char s[90][80], table[256];
static _Bool on[900];
static unsigned char *rows[90], t[900][3], v[90][90][3], q[900][4];
static const int w[3] = {{ 77, 150, 29 }};
float sqrtf(float);
static int twice(int v) {{ return 2 * v; }}
void f(unsigned char *a, const unsigned char *b, short *h, const short *g, float *x, double *d, const int *idx,
       int n, int m, unsigned u)
{{
    int last = 0; long sum = 0; (void)last; (void)sum;
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
    (void)last;
}}
"""


@pytest.mark.parametrize(
    ("clauses", "body", "count", "elements"),
    [
        ("", "a[i] = b[i] + 1;", 16, ["a[i] stored", "b[i] loaded"]),
        ("", "a[i] += b[i];", 16, ["a[i] updated", "b[i] loaded"]),
        ("", "if (a[i] > m) a[i] = 0;", 16, ["a[i] updated"]),
        ("", "a[i] = b[i]; if (b[i] > m) a[i] = 3;", 16, ["a[i] stored", "b[i] loaded"]),
        ("", "h[i] = b[i];", 8, ["b[i] loaded", "h[i] stored"]),
        ("", "x[i] = h[i] * (1.0f / 256);", 4, ["h[i] loaded", "x[i] stored"]),
        ("", "a[i] = table[b[i]];", 16, ["a[i] stored", "b[i] loaded"]),
        ("", "a[i] = b[i] + table[m];", 16, ["a[i] stored", "b[i] loaded"]),
        ("", "a[i] = b[idx[m]];", 16, ["a[i] stored"]),
        ("", "on[i] = !on[i];", 16, ["on[i] updated"]),
        ("reduction(+: sum)", "sum += b[i];", 16, ["b[i] loaded"]),
        ("", "for (int j = 0; j < m; j++) a[i * m + j] = b[j];", 16, ["a[i * m + j] stored", "b[j] loaded"]),
        ("", "for (int j = 0; j < 80; j++) s[i][j] = 255 - s[i][j];", 16, ["s[i][j] updated"]),
        ("", "a[i] = b[i] + b[i + 32];", 16, ["a[i] stored", "b[i] loaded", "b[i + 32] loaded"]),
    ],
)
def test_streams(clauses: str, body: str, count: int, elements: list[str], plan_of: Callable[..., Plan]) -> None:
    found = form(plan_of(PROGRAM.format(clauses=clauses, body=body)), StreamPlan)
    assert isinstance(found, StreamPlan) and found.count == count
    how = [("updated" if e.stored else "loaded") if e.loaded else "stored" for e in found.elements]
    assert [f"{c_expr(e.nodes[0])} {way}" for e, way in zip(found.elements, how, strict=True)] == elements


CHANNELS = "for (int c = 0; c < 3; c++)"


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        (f"{CHANNELS} a[3 * i + c] = 255 - b[3 * i + c];", ["a[3 * i] 3", "b[3 * i] 3"]),
        (f"{CHANNELS} a[3 * i + c] = b[3 * i + c] * w[c] >> 8;", ["a[3 * i] 3", "b[3 * i] 3"]),
        (f"{CHANNELS} a[i * 3 + c] = b[i * 3 + 2 - c];", ["a[i * 3] 3", "b[i * 3] 3"]),
        ("for (int c = 2; c >= 0; c--) a[3 * i + c] += c;", ["a[3 * i] 3"]),
        ("a[i] = (b[3 * i] + 2 * b[3 * i + 1] + b[3 * i + 2]) / 4;", ["a[i] 1", "b[3 * i] 3"]),
        ("h[2 * i] = g[i]; h[2 * i + 1] = g[i + n];", ["h[2 * i] 2", "g[i] 1", "g[i + n] 1"]),
        ("h[2 * i] = g[i]; h[2 * i + 1] = -g[i];", ["h[2 * i] 2", "g[i] 1"]),
        (f"{CHANNELS} t[i][c] = t[i][c] / 2;", ["t[i][0] 3"]),
        (f"for (int k = 0; k < 90; k++) {CHANNELS} v[i][k][c] = v[i][k][2 - c];", ["v[i][k][0] 3"]),
        (f"for (int k = 0; k < m; k++) {CHANNELS} a[(i * m + k) * 3 + c] = b[(i * m + k) * 3 + c] / 2;",
         ["a[(i * m + k) * 3] 3", "b[(i * m + k) * 3] 3"]),
        (f"a[4 * i] = a[4 * i + 3]; {CHANNELS} {{ if (c == 1) continue; a[4 * i + c] = 1; }}", ["a[4 * i] 4"]),
        ("for (int r = 0; r < 2; r++) for (int c = 0; c < 2; c++) a[4 * i + 2 * r + c] = b[4 * i + 2 * c + r];",
         ["a[4 * i] 4", "b[4 * i] 4"]),
    ],
)  # fmt: skip
def test_several_elements(body: str, elements: list[str], plan_of: Callable[..., Plan]) -> None:
    """Of one iteration: how many, from where on."""
    found = form(plan_of(PROGRAM.format(clauses="", body=body)), StreamPlan)
    assert isinstance(found, StreamPlan)
    assert [f"{c_expr(e.first)} {e.width}" for e in found.elements] == elements


@pytest.mark.parametrize(
    "body",
    [
        "for (int c = 0; c < 3; c++) a[4 * i + c] = b[4 * i + c];",  # of the last one, the fourth need not exist
        "for (int c = 0; c < 3; c++) a[2 * i + c] = 1;",  # the next iteration's, too
        "for (int c = 0; c < 3; c++) { if (b[i] > 3) break; a[3 * i + c] = 1; }",
        "for (int c = 0; c < 3; c++) { if (b[i] > 3) continue; a[3 * i + c] = 1; }",
        "for (int c = 0; c < 3; c++) { a[3 * i + c] = 1; if (b[i] > 3) break; }",
        "for (int c = 0; c < 3; c++) if (b[i] > c) a[3 * i + c] = 1;",
        "if (m) for (int c = 0; c < 3; c++) a[3 * i + c] = b[3 * i + c];",
        "a[3 * i] = 1; a[3 * i + 2] = 2;",  # what is between is not loaded
        "int c; for (c = 0; c < 3; c++) ; a[3 * i + c] = 1;",
        "for (int c = 0; c < 3; c++) a[i + c * n] = b[i + c * n];",
        "for (unsigned c = 0; c < 3; c++) a[3u * u * i + c] = b[3u * i + c];",  # modulo 2^32
        "a[i] = b[3 * i + 1];",
        "for (int c = 0; c < 3; c++) a[3 * i + c] = b[3 * i + c] + b[3 * i + 3];",
        "for (int c = 0; c < 5; c++) a[5 * i + c] = b[5 * i + c];",
        "for (int c = 0; c < 3; c++) t[i][c] = t[i + 1][c];",
        "for (int c = 0; c < 3; c++) q[i][c] = b[3 * i + c];",  # rows of four
    ],
)
def test_no_several_elements(body: str, plan_of: Callable[..., Plan]) -> None:
    test_no_streams("", body, plan_of)


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        ("", "x[i] = x[i] + 1;"),  # wide enough
        ("", "d[i] = h[i];"),  # two at a time gain nothing
        ("", "a[i] = b[i] + b[i + 1];"),  # one of them is never aligned
        ("", "a[i] = b[2 * i];"),
        ("", "a[i] = b[n - i];"),
        ("", "a[i] = b[i / 2];"),
        ("", "a[i] = b[i + u];"),  # modulo 2^32
        ("", "a[i] = b[(unsigned char)i];"),
        ("", "a[i] = b[i]; a[i + n] = 3;"),  # another element of what is written
        ("", "if (i < m) a[i] = b[i];"),  # need not exist
        ("", "if (b[i] > 3) a[i] = 1;"),
        ("", "if (i > m) continue; a[i] = b[i];"),
        ("", "a[i] = i > m ? b[i] : 3;"),
        ("", "a[i] = i > m && b[i];"),
        ("", "a[i] = twice(b[i]);"),
        ("", "x[i] = sqrtf(h[i]);"),  # waits for something else
        ("", "x[i] = h[i] / x[i];"),
        ("", "int v = 0; for (int k = 0; k < m; k++) v += b[i] >> k; a[i] = v;"),
        ("", "p[i].r = b[i];"),
        ("", "for (int j = 0; j < 12; j++) s[i][j] = b[j];"),  # fewer than a thread would have
        ("", "const unsigned char *q = b + i; a[i] = *q;"),
        ("", "const unsigned char *q = b; a[i] = q[i];"),
        ("", "a[i] = ((const signed char *)b)[i];"),
        ("", "a[i] = *(b + i);"),
        ("", "a[i] = rows[m][i];"),
        ("lastprivate(last)", "last = b[i]; a[i] = 1;"),
        ("num_threads(4)", "table[0] = 1; a[i] = b[i];"),
    ],
)
def test_no_streams(clauses: str, body: str, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses=clauses, body=body))
    kernels = [region.kernel for region in plan.regions if region.kernel is not None]
    assert not any(isinstance(each.form, StreamPlan) for kernel in kernels for each in kernel.schedules)


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_at_auto(level: Level, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(PROGRAM.format(clauses="", body="a[i] = b[i] + 1;"), level=level)
    kernels = [region.kernel for region in plan.regions if region.kernel is not None]
    assert not any(isinstance(each.form, StreamPlan) for kernel in kernels for each in kernel.schedules)
