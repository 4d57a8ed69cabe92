"""Scratch of each thread that an inspector is to find privatisable: what it can follow, and what it cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.driver import compile_to, translate_program

PROGRAM = """
#include <stdlib.h>
struct pair {{ double x; int n; }};
static int n, pad, dims[3];
static double t[64], r[16][4], w[64];
static struct pair p[8];
static int counts[8];
#pragma omp threadprivate(t, r, w, p, counts)
static double v[50];
static int places[64];
double *address;
static int twice(int k) {{ return k > 40 ? 0 : 2 * k; }}
static int unknown(int k) {{ return places[k]; }}
static void fill(int m, double *to, int by) {{ for (int k = 0; k < m; k++) to[k * by % m] = k; }}
static void swap(int m, double x[m][pad], double y[m][pad]) {{
    for (int l = 1; l < m; l <<= 1)
        for (int k = 0; k < m; k++) y[k ^ l][0] = x[k][0];
}}
{functions}
static void f(int a, int b)
{{
    int i, k, l, m = 0;
    {before}
    #pragma omp parallel for private(i, k, l, m)
    for (i = 0; i < 50; i++) {{ {body} }}
    {after}
}}
int main(int argc, char **argv)
{{
    n = atoi(argv[1]);
    pad = 4;
    if (n > 3) pad = 5;
    dims[0] = argc;
    {first}
    f({calls});
    {later}
    return v[1] > 0;
}}
"""

FOLLOWED = [
    "for (k = 0; k < n; k++) t[3 * k % n] = i; v[i] = t[n / 2];",
    "for (k = 0; k < n; k++) t[k ^ 1] = i; v[i] = t[1 << pad];",
    "fill(n, t, 3); v[i] = t[n * n % 7];",
    "fill(n, t + 2, 3); v[i] = t[2];",
    "fill(n, &t[pad], 3); v[i] = t[pad];",
    "fill(dims[0], r[1], pad); v[i] = r[1][0];",
    "for (k = 0; k < twice(n); k++) t[k * n % 7] = i; v[i] = t[twice(0)];",
    "for (k = 0, l = 1; l < n; l *= 2, k++) t[l] = t[l / 2 * 0 + 1] = k; v[i] = n > 1 ? t[n / n] : 0;",
    "k = n; while (k > 0) { k /= 2; t[k * k] = 1; } v[i] = t[0];",
    "k = n; do { t[k >> 1 << 1] = 1; k--; } while (k > 0); v[i] = t[n >> 1 << 1];",
    "double *q = t + n % 3; q[0] = 1; q += 1; *q = 2; v[i] = q[0] + t[n % 3];",
    "for (k = 0; k < n; k++) { if (k * k > n) break; if (k % 3 == 1) continue; t[k * k] = 1; } v[i] = t[0];",
    "for (k = 0; k < n; k++) t[k * k % n] = 1; if (v[i] > 3) v[i] = t[0]; else v[i] = 0;",
    "for (k = 0; k < n; k++) t[k * k % n] = 1; if (v[i] > 3) exit(1); v[i] = t[0];",
    "if (places[i] > 4 || n * n < 0) exit(2); t[n * n % 9] = 1; v[i] = t[n * n % 9];",
    "for (k = 0; k < 8; k++) { p[k * n % 8].x = 1; p[k * n % 8].n = k; } v[i] = p[n % 1].x + p[0].n;",
    "p[n * n % 8] = (struct pair){1, 2}; struct pair q = p[n * n % 8]; v[i] = q.x;",
    "for (k = 0; k < 8; k++) counts[k * n % 8] = 0; counts[n * 0]++; v[i] = counts[0];",
    "switch (places[i]) { case 1: v[i] = 1; break; default: v[i] = 2; } t[n * n % 9] = 1; v[i] += t[n * n % 9];",
    "double (*q)[4] = r + n % 3; q[1][n % 4] = 1; v[i] = r[1 + n % 3][n % 4];",
    "t[n % 5] = 1; w[n % 4] = t[n % 5]; v[i] = w[n % 4];",
    "t[n % 5] = w[n % 4] = 2; v[i] = w[n % 4] + t[n % 5];",
    "\n#pragma omp critical\n t[n % 5] = 1;\n v[i] = t[n % 5];",
]

LOST = [
    "for (k = 0; k < i; k++) t[k * n % 7] = i; v[i] = t[0];",
    "t[i * n % 7] = i; v[i] = t[0];",
    "for (k = 0; k < n; k++) t[places[k]] = i; v[i] = t[0];",
    "for (k = 0; k < n; k++) t[unknown(k)] = i; v[i] = t[0];",
    "m = places[i]; t[m * n % 7] = 1; v[i] = t[0];",
    "for (k = 0; k < n; k++) { if (v[k] > 3) break; t[k * n % 7] = i; } v[i] = t[0];",
    "if (v[i] > 3) { t[n % 7] = 1; } v[i] = t[n % 7];",
    "if (v[i] > 3) k = 1; else k = 1; t[k * n % 7] = 1; v[i] = t[0];",
    "address = t + n % 4; t[n % 5] = 1; v[i] = t[n % 5];",
    "double *q = t; double **qq = &q; (*qq)[n % 5] = 1; v[i] = t[n % 5];",
    "t[n % 5] += 1; v[i] = t[n % 5];",
    "v[i] = t[n % 5]; t[n % 5] = i;",
    "goto on; on: t[n % 5] = 1; v[i] = t[n % 5];",
    "t[k = n % 5] = 1; v[i] = t[k++];",
    "v[i] = t[n % 5] = 1; v[i] += w[n % 5];",
    "t[a] = 1; v[i] = t[(b, a)]; t[b * b % 7] = 1; v[i] += t[3];",
]


@pytest.fixture
def looked_at(tmp_path: Path) -> Callable[..., Facts | Reason]:
    """The loop of PROGRAM."""

    def run(body: str, **parts: str) -> Facts | Reason:
        text = {"functions": "", "before": "", "after": "", "first": "", "calls": "n, 2", "later": ""} | parts
        source = tmp_path / "t.c"
        source.write_text(PROGRAM.format(body=body, **text))
        return next(iter(compile_to("analysis", source).facts.values()))

    return run


@pytest.mark.parametrize("body", FOLLOWED)
def test_followed(body: str, looked_at: Callable[..., Facts | Reason]) -> None:
    found = looked_at(body)
    assert isinstance(found, Facts), found


def test_asked(looked_at: Callable[..., Facts | Reason]) -> None:
    found = looked_at(FOLLOWED[0])
    assert isinstance(found, Facts)
    (inspected,) = found.loop.inspected
    assert inspected.called("") == "ompc_inspect_t_t(n)"
    assert inspected.called("b") == "ompc_inspect_t_t_b(n)"
    assert "no iteration reads of t what it has not written" in inspected.words


@pytest.mark.parametrize("body", LOST)
def test_not_followed(body: str, looked_at: Callable[..., Facts | Reason]) -> None:
    found = looked_at(body)
    assert isinstance(found, Reason)
    assert found.code == "OMPC309"


SCRATCH = "for (k = 0; k < n; k++) t[3 * k % n] = i; v[i] = t[n / 2];"
OTHERS_KEEP = [
    {"after": "v[0] += t[3];"},
    {"before": "v[0] += t[n % 3];"},
    {"functions": "static double last(void) { return t[n % 3]; }", "later": "v[0] = last();"},
    {"functions": "void kept(void) { address = t; }", "later": "kept();"},
    {"functions": "void once(void) { if (v[0] > 3) t[n % 3] = 1; v[0] = t[n % 3]; }", "later": "once();"},
    {"later": "n = 3; f(1, 2);"},
    {"later": "scanf(address, &n);"},
]
OTHERS_START_ANEW = [
    {"after": "t[n % 3] = 0; v[0] += t[n % 3];"},
    {"functions": "void once(void) { t[n % 3] = v[0]; if (v[0] > 3) v[0] = t[n % 3]; }", "later": "once();"},
    {"calls": "n, n * 2"},
]


@pytest.mark.parametrize("others", OTHERS_KEEP)
def test_what_others_want(others: dict[str, str], looked_at: Callable[..., Facts | Reason]) -> None:
    assert isinstance(looked_at(SCRATCH, **others), Reason)


@pytest.mark.parametrize("others", OTHERS_START_ANEW)
def test_what_others_write_themselves(others: dict[str, str], looked_at: Callable[..., Facts | Reason]) -> None:
    assert isinstance(looked_at(SCRATCH, **others), Facts)


def test_arguments_that_differ_are_each_looked_at(looked_at: Callable[..., Facts | Reason]) -> None:
    body = "for (k = 0; k < a; k++) t[3 * k % a] = i; v[i] = t[a / b];"
    found = looked_at(body, calls="n, 2", later="f(pad, 3); f(pad + 1, 3); f(n, 2);")
    assert isinstance(found, Facts)
    (inspected,) = found.loop.inspected
    assert len(inspected.inspector.calls) == 3
    assert inspected.arguments == ("n", "pad")


def test_parameters_that_only_data_need_are_none(looked_at: Callable[..., Facts | Reason]) -> None:
    found = looked_at("for (k = 0; k < n; k++) t[3 * k % n] = a; v[i] = t[n / 2] + b;", calls="atoi(argv[1]), argc")
    assert isinstance(found, Facts)
    (inspected,) = found.loop.inspected
    assert [function.params for function in inspected.inspector.functions] == [()]


def test_the_block_of_all_its_names(looked_at: Callable[..., Facts | Reason]) -> None:
    """Iterations of the loop over l have scratch of their own."""
    found = looked_at("for (l = 0; l < n; l++) { t[n & l] = l; v[i] += t[l & n]; }")
    assert isinstance(found, Facts)
    assert "t" not in {symbol.name for symbol in found.loop.sharing}
    carried = looked_at("for (l = 0; l < n; l++) { if (l == 0) t[n & 3] = l; v[i] += t[3 & n]; }")
    assert isinstance(carried, Facts)
    assert "t" in {symbol.name for symbol in carried.loop.sharing}


@pytest.mark.parametrize("inner", ["l", "n"])
def test_collapsed_loops(inner: str, tmp_path: Path) -> None:
    """Places may depend on the counter of neither loop."""
    body = f"for (k = 0; k < n; k++) t[(3 + {inner} * 0) * k % n] = i; v[i] = t[n / 2];"
    text = {"functions": "", "before": "", "after": "", "first": "", "calls": "1, 2", "later": ""}
    program = PROGRAM.format(body=f"for (l = 0; l < 3; l++) {{ {body} }}", **text)
    source = tmp_path / "t.c"
    source.write_text(program.replace("parallel for private", "parallel for collapse(2) private"))
    found = next(iter(compile_to("analysis", source).facts.values()))
    assert isinstance(found, Facts) == (inner == "n")


def test_a_file_that_others_may_call(tmp_path: Path) -> None:
    """What another file can name may be wanted there, and nothing is settled without `main`."""
    source = tmp_path / "t.c"
    body = "for (k = 0; k < n; k++) t[3 * k % n] = i; v[i] = t[n / 2];"
    text = {"functions": "", "before": "", "after": "", "first": "", "calls": "1, 2", "later": ""}
    source.write_text(PROGRAM.format(body=body, **text))
    assert translate_program((source,), Options(part=True))[0].report["regions"][0]["target"] == "host"


REGION = """
#include <stdlib.h>
static int n, kept;
static double v[50];
static int places[64];
static void fill(int m, double *to, int by) {{ for (int k = 0; k < m; k++) to[k * by % m] = k; }}
void f(int m, int other)
{{
    int i, k, lost = 0;
    #pragma omp parallel {clauses}
    {{
        double t[64], r[8][4]; int l;
        {before}
        #pragma omp for
        for (i = 0; i < 50; i++) {{ {body} }}
        {after}
    }}
}}
"""

IN_STEPS = {"before": "for (int o = 0; o < 3; o++) {", "after": "}"}
OF_REGION = [
    {"body": "for (l = 0; l < m; l++) t[3 * l % m] = i; v[i] = t[m / 2];", **IN_STEPS},
    {"body": "fill(m, t, 3); v[i] = t[m * m % 7];", **IN_STEPS},
    {"body": "for (l = 1; l < m; l <<= 1) t[l] = i; t[0] = 1; v[i] = t[m >> 1 << 1 & 1];", **IN_STEPS},
    {"body": "for (l = 0; l < 8; l++) r[l * m % 8][other & 3] = 1; v[i] = r[0][3 & other];", **IN_STEPS},
    {"body": "fill(m, t, 3); v[i] = t[m / 2];", **IN_STEPS},
    {"body": "fill(m, t, 3); v[i] = t[m / 2];", "clauses": "private(k)", "before": "k = m; t[0] = k;"},
    {"body": "fill(m, t, 3); v[i] = t[m / 2];", "after": "fill(m, t, 5); if (v[0] > 3) v[1] = t[m / 3];"},
]
NOT_OF_REGION = [
    {"body": "for (l = 0; l < n; l++) t[3 * l % n] = i; v[i] = t[n / 2];", **IN_STEPS},  # settles nothing
    {"body": "fill(m, t, 3); v[i] = t[m / 2];", "after": "v[0] += t[m / 2];"},
    {"body": "fill(m, t, 3); v[i] = t[m / 2]; if (i == 3) lost = 1;", "after": "t[lost * m % 7] = 1;"},
    {"body": "fill(lost, t, 3); v[i] = t[m / 2];", "before": "\n#pragma omp single\nlost++;"},
    {"body": "fill(k, t, 3); v[i] = t[k / 2];", "clauses": "private(k)", "before": "k = m + places[3];"},
    {"body": "t[i * m % 7] = i; v[i] = t[0];"},
    {"body": "v[i] = t[m % 7]; t[m % 7] = i;", "before": "t[m % 7] = 3;"},
]


@pytest.mark.parametrize("parts", OF_REGION)
def test_arrays_of_a_region(parts: dict[str, str], tmp_path: Path) -> None:
    found = _of_region(parts, tmp_path)
    assert isinstance(found, Facts), found
    assert found.loop.inspected


@pytest.mark.parametrize("parts", NOT_OF_REGION)
def test_arrays_of_a_region_that_keep_something(parts: dict[str, str], tmp_path: Path) -> None:
    found = _of_region(parts, tmp_path)
    assert isinstance(found, Reason) or not found.loop.inspected


def _of_region(parts: dict[str, str], folder: Path) -> Facts | Reason:
    source = folder / "t.c"
    source.write_text(REGION.format(**{"clauses": "", "before": "", "after": "", **parts}))
    return next(iter(compile_to("analysis", source).facts.values()))


def test_arrays_that_parameters_and_lengths_show(looked_at: Callable[..., Facts | Reason]) -> None:
    """An array whose length the scratch says is read where nobody looks."""
    found = looked_at("t[n % 5] = 3; double q[(int)t[n % 5]]; q[0] = 1; v[i] = q[0] + t[n * n % 5];")
    assert isinstance(found, Reason)
