"""Arrays and structs of a team's threads: which are privatisable space of the loop, and which keep something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason

PROGRAM = """
static double v[50];
struct pair {{ double x, y[2]; }};
union both {{ int i; float f; }};
static double pool[9];
static int count[3];
#pragma omp threadprivate(pool, count)
static void fill(double *to, int n) {{ for (int k = 0; k < n; k++) to[k] = k; }}
static void later(void) {{ {later} }}
void f(int n, int m, int from)
{{
    #pragma omp parallel
    {{
        double t[8], r[4][2]; struct pair p; union both b; int i, k;
        {before}
        #pragma omp for
        for (i = 0; i < n; i++) {{ {body} }}
        {after}
    }}
}}
"""

SCRATCH = [
    "for (k = 0; k < 8; k++) t[k] = i; v[i] = t[m];",
    "for (k = 7; k >= 0; k--) t[k] = i; v[i] = t[3] + t[m];",
    "fill(t, 8); v[i] = t[7];",
    "fill(t + 2, 4); v[i] = t[2] + t[5];",
    "fill(&t[m], 2); v[i] = t[m] + t[m + 1];",
    "fill(r[1], 2); v[i] = r[1][0] * r[1][1];",
    "for (k = 0; k < m; k++) t[k] = i; for (k = 0; k < m; k++) v[i] += t[k];",
    "t[0] = 1; for (k = 1; k < m; k++) t[k] = t[k - 1] + 1; v[i] = t[0];",
    "t[m] = 1; k = m - 1; v[i] = t[k + 1];",
    "if (m > 3) t[0] = 1; else t[0] = 2; v[i] = t[0];",
    "if (m > 3) t[0] = 1; if (m > 5) v[i] = t[0];",
    "for (k = 0; k < 8; k++) if (k % 2) t[k] = 1; else t[k] = 2; v[i] = t[1];",
    "p.x = 1; p.y[0] = p.x; p.y[1] = p.y[0]; struct pair q = p; v[i] = q.y[1];",
    "p = (struct pair){1, {2, 3}}; v[i] = p.y[1];",
    "for (k = 0; k < 9; k++) pool[k] = i; v[i] = pool[m];",
    "count[0] = i; count[1] = count[0] + 1; v[i] = count[1];",
    "for (k = 0; k < m; k++) pool[k] = i; v[i] = pool[1] + pool[m - 4];",  # m >= 4, or pool[m - 4] means nothing
]

KEPT = [
    "for (k = 0; k < 7; k++) t[k] = i; v[i] = t[m];",
    "for (k = 0; k < 8; k += 2) t[k] = i; v[i] = t[3];",
    "fill(t, m); v[i] = t[7];",
    "fill(t + from, 4); v[i] = t[2];",
    "fill(&r[0][0], 8); v[i] = r[0][0];  v[i] += r[3][1];",
    "for (k = 0; k < m; k++) t[k] = i; for (k = 0; k <= m; k++) v[i] += t[k];",
    "for (k = 0; k < m; k++) { if (v[k] > 3) continue; t[k] = i; } for (k = 0; k < m; k++) v[i] += t[k];",
    "for (k = 1; k < m; k++) t[k] = t[k - 1] + 1; v[i] = t[1];",
    "for (k = m; k > 0; k--) t[k] = t[k - 1] + 1; v[i] = t[1];",
    "t[m] = 1; k = m - 1; k++; v[i] = t[k - 1];",
    "if (v[i] > 3) t[0] = 1; v[i] = t[0];",
    "if (m > 3) t[0] = 1; if (m > 2) v[i] = t[0];",
    "for (k = 0; k < 8 && t[k] > 0; k++) t[k] = 1; v[i] = t[1];",
    "while (v[i] > 3) { t[0] = 1; v[i] -= 1; } v[i] = t[0];",
    "switch (m) { case 1: t[0] = 1; break; case 2: t[0] = 2; } v[i] = t[0];",
    "t[0] += 1; v[i] = t[0];",
    "p.x = 1; p.y[0] = p.x; struct pair q = p; v[i] = q.y[1];",
    "b.i = i; v[i] = b.f;",
    "double *at = t; at[0] = 1; v[i] = t[0];",
    "for (k = 0; k < 8; k++) pool[k] = i; v[i] = pool[m];",
    "count[0]++; v[i] = count[0];",
    "for (k = 0; k < m; k++) pool[k] = i; if (v[i] > 1) v[i] = pool[m - 4]; v[i] += pool[1];",
    "for (k = 0; k < m; k++) t[k] = i; m2: v[i] = t[1]; if (v[i] > 3) goto m2;",
]

ASKED = {
    "fill(t, m); v[i] = t[7];",
    "fill(t + from, 4); v[i] = t[2];",
    "fill(&r[0][0], 8); v[i] = r[0][0];  v[i] += r[3][1];",
    "if (m > 3) t[0] = 1; if (m > 2) v[i] = t[0];",
    "double *at = t; at[0] = 1; v[i] = t[0];",
}
"""Of KEPT those that keep nothing for some numbers, or that only an inspector can follow."""

Loops = Callable[[str], Facts | Reason]


def program(body: str, before: str = "", after: str = "", later: str = "") -> str:
    return PROGRAM.format(body=body, before=before, after=after, later=later)


@pytest.mark.parametrize("body", SCRATCH)
def test_scratch(facts_or_reason: Loops, body: str) -> None:
    found = facts_or_reason(program(body, before="for (k = 0; k < 8; k++) t[k] = 0; r[0][0] = p.x = 0;"))
    assert isinstance(found, Facts), found.message


@pytest.mark.parametrize("body", KEPT)
def test_kept(facts_or_reason: Loops, body: str) -> None:
    found = facts_or_reason(program(body, before="for (k = 0; k < 8; k++) t[k] = 0; r[0][0] = p.x = b.i = 0;"))
    if isinstance(found, Facts):
        assert found.loop.inspected and body in ASKED, "the launch asks an inspector"
    else:
        assert found.code in ("OMPC345", "OMPC309", "OMPC328")
        assert body not in ASKED


@pytest.mark.parametrize(
    ("around", "privatisable"),
    [
        ({"after": "fill(t, 8); v[0] = t[3];"}, True),
        ({"after": "fill(t, 3); v[0] = t[3];"}, False),
        ({"after": "if (v[2] > 0) fill(t, 8); v[0] = t[3];"}, False),
        ({"after": "\n#pragma omp single\nv[0] = t[3];"}, False),
        ({"after": "double *at = t + 1; v[0] = at[0];"}, False),
    ],
)
def test_wanted_afterwards(facts_or_reason: Loops, around: dict[str, str], privatisable: bool) -> None:
    found = facts_or_reason(program("fill(t, 8); v[i] = t[m];", before="fill(t, 8);", **around))
    assert isinstance(found, Facts) == privatisable, found


@pytest.mark.parametrize(
    ("later", "privatisable"),
    [
        ("", True),
        ("pool[0] = 1; v[0] = pool[0];", True),
        ("v[0] = pool[0];", False),
        ("fill(pool, 4); unseen(); fill(pool, 9); v[0] = pool[8];", True),
        ("unseen();\n#pragma omp parallel\n{ fill(pool, 3); v[0] = pool[2]; }", True),
        ("unseen();\n#pragma omp parallel for\nfor (int i = 1; i < 9; i++) pool[i] = 1, v[i] = pool[i - 1];", False),
        ("pool[0] = 1; f(3, 4, 5); v[0] = pool[0];", False),
        ("double *at = pool; v[0] = at[0];", False),
    ],
)
def test_threadprivate_elsewhere(facts_or_reason: Loops, later: str, privatisable: bool) -> None:
    text = "void f(int n, int m, int from), unseen(void);\n" + program("fill(pool, 9); v[i] = pool[m];", later=later)
    found = facts_or_reason(text)
    assert isinstance(found, Facts) == privatisable, found
