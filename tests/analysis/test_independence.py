"""Which parallel loops are proved independent, and which are only promised to be so: never one with a race."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.independence import independence

ROWS = "for (int i = 1; i < n - 1; i++)"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
ODD = "for (int i = 0; i < n; i += 2)"
MEMBERS = "struct cell { double a[4]; int k; } cells[50]; union both { int k[4]; double d[2]; } mixed;"

PROVED = [
    ("y[i] = x[i];", "", ""),
    ("y[i] += x[i - 1] + x[i + 1];", ROWS, ""),
    ("y[i] = i; y[i + 1] = x[i];", ODD, ""),
    ("y[2 * i] = 1; y[2 * i + 1] = 2;", "", ""),
    ("y[n - 1 - i] = x[i];", "", ""),
    ("int k = i + 3; y[k] = x[k]; y[k] += 1;", "", ""),
    ("if (x[i] > 0) y[i] = 1; else y[i] = idx[i];", "", ""),
    ("for (int q = 0; q < m; q++) y[i * m + q] = x[q];", "", ""),
    ("for (int q = 0; q < m; q++) y[q * n + i] = x[q];", "", ""),
    ("u[i][3] = u[i][4];", "", ""),
    ("double t = x[i]; for (int q = 0; q < 30; q++) u[i][q] = t;", "", ""),
    ("s += x[i];", "", "reduction(+ : s)"),
    ("k = idx[i]; y[i] = x[k];", "", "private(k)"),
    ("cells[i].k = i; cells[i].a[idx[i]] = 1;", "", ""),
    ("cells[0].a[i] = 1;", "", ""),
    ("cells[i].k = 1; cells[i + 1].a[2] = 2;", "", ""),
    ("cells[i].a[1] = 1; cells[i + 1].a[2] = 2;", "", ""),
    ("y[i == n - 1 ? 0 : i + 1] = x[i];", "", ""),
    ("y[(i + 1) % n] = x[i];", "", ""),
    ("\n#pragma omp atomic\ny[idx[i]] += 1;\n", "", ""),
    ("\n#pragma omp atomic\ncount++;\n", "", ""),
    ("y[i * m + j] = x[j];", NEST, "collapse(2)"),
    ("u[i][j] = x[i];", NEST, "collapse(2)"),
    ("y[0] = x[i];", "for (int i = 0; i < 1; i++)", ""),
]

PROMISED = [
    ("y[i] = y[i + 1];", "", ""),
    ("y[i] = 1; y[i + 1] = 2;", "", ""),
    ("y[0] = x[i];", "", ""),
    ("y[idx[i]] = x[i];", "", ""),
    ("y[i] = y[idx[i]];", "", ""),
    ("y[i / 2] = 1;", "", ""),
    ("y[i % 7] = 1;", "", ""),
    ("y[i & 3] = 1;", "", ""),
    ("y[i ^ 1] = y[i];", "", ""),
    ("y[i * m] = 1;", "", ""),
    ("y[i * i] = 1;", "for (int i = -4; i < 5; i++)", ""),
    ("y[(unsigned char)i] = 1;", "", ""),
    ("y[(short)i] = 1;", "", ""),
    ("y[i * un] = 1;", "", ""),
    ("for (int q = 0; q <= m; q++) y[i * m + q] = x[q];", "", ""),
    ("for (int q = 0; q < 9; q++) y[i + q] = x[q];", "", ""),
    ("int q = 0; while (q < 3) y[i + q++] = 1;", "", ""),
    ("u[0][3] = x[i];", "", ""),
    ("for (int q = 0; q < 40; q++) u[i][q] = x[q];", "", ""),
    ("for (int q = 0; q < 30; q++) u[i][q + 1] = x[q];", "", ""),
    ("for (int q = 0; q < 30; q++) u[i][q - 1] = x[q];", "", ""),
    ("u[i][3] = u[i + 1][3];", "", ""),
    ("count = i;", "", ""),
    ("if (x[i] > 0) count = 1;", "", ""),
    ("cells[i].a[0] = cells[i + 1].a[0];", "", ""),
    ("cells[0].a[i] = 1;", "for (int i = 0; i < 5; i++)", ""),
    ("cells[i].a[1] = 1; cells[i + 1].a[i] = 1;", "", ""),
    ("cells[i].k = 1; cells[0] = cells[i];", "", ""),
    ("mixed.k[i] = 1; mixed.d[0] = 2;", "", ""),
    ("double *q = y + i; q[0] = q[1];", "", ""),
    ("put(y, idx[i]);", "", ""),
    ("w[0] += x[i];", "", ""),
    ("\n#pragma omp atomic\ny[idx[i]] += 1;\nif (y[0] > 3) x[i] = 1;", "", ""),
    ("\n#pragma omp atomic capture\nidx[i] = count++;\n", "", ""),
    ("y[i] = x[j];", NEST, "collapse(2)"),
    ("y[i + j] = 1;", NEST, "collapse(2)"),
    ("y[i * m + j] = y[i * m + j + 1];", NEST, "collapse(2)"),
    ("u[j][i] = u[i][j];", NEST, "collapse(2)"),
]


def asked(body_facts: Callable[..., Facts], body: str, head: str, clauses: str) -> Facts:
    before = f"{MEMBERS} static void put(double *to, int at) {{ to[at] = 1; }}"
    arguments = {"head": head} if head else {}
    return body_facts(body, clauses=clauses, before=before, **arguments)


@pytest.mark.parametrize(("body", "head", "clauses"), PROVED)
def test_proved(body_facts: Callable[..., Facts], body: str, head: str, clauses: str) -> None:
    found = independence(asked(body_facts, body, head, clauses))
    assert [pair.why for pair in found.unproved] == [] and found.rows == ()


@pytest.mark.parametrize(("body", "head", "clauses"), PROMISED)
def test_promised(body_facts: Callable[..., Facts], body: str, head: str, clauses: str) -> None:
    assert independence(asked(body_facts, body, head, clauses)).unproved


def test_pairs_have_their_reason(body_facts: Callable[..., Facts]) -> None:
    put = "void put(double *to, int at) { to[at] = 1; }"
    found = independence(body_facts("count = i; put(y, i); y[idx[i]] = 1;", before=put))
    reasons = {pair.why for pair in found.unproved}
    assert "all iterations share `count`" in reasons
    assert "they may be the same element in two iterations" in reasons
    assert "which element `to[at]` in put is, is not known" in reasons


ROWS_OF = """
struct grid {{ double *u; double *v[3]; }};
void f(int n, double **rows, struct grid *g, struct grid *many)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{ {} }}
}}
"""


@pytest.mark.parametrize(
    ("body", "proved", "rows"),
    [
        ("rows[i][0] = 1;", True, ["**rows"]),
        ("rows[0][i] = 1;", True, []),
        ("rows[0][i] = rows[1][i + 1];", True, ["**rows"]),
        ("rows[i][0] = rows[i + 1][0];", False, ["**rows"]),
        ("g->u[i] = 1;", True, []),
        ("g->v[1][i] = 1;", True, ["*g->v"]),
        ("g->v[1][i] = g->v[2][i];", True, ["*g->v"]),
        ("many[i].u[0] = 1;", True, ["*many->u"]),
    ],
)
def test_rows_behind_stored_pointers(facts: Callable[[str], Facts], body: str, proved: bool, rows: list[str]) -> None:
    found = independence(facts(ROWS_OF.format(body)))
    assert (not found.unproved, [str(obj) for obj in found.rows]) == (proved, rows)
