"""Which loops become one around what they stood in, as an axis of the grid, and what becomes of private arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir.show import c_expr, type_text
from ompc.ir.walk import walk
from ompc.plan.model.plan import Plan

PROGRAM = """
#include <stdio.h>
static double u[50][60], v[50][60], a[50][60][70], b[50][60][70], s1[60], s2[60][70], kept[60];
#pragma omp threadprivate(s1, s2, kept)
static double later(void) {{ return kept[3]; }}
static void fill(int n, double x) {{ int q; for (q = 0; q < n; q++) {{ s1[q] = x; s2[q][0] = x; }} }}
static double both(double *w, int q) {{ return w[q] + w[0]; }}
void f(int n, int m, int l, double *x, double *y, double w[60], int *cnt)
{{
    int j = 0, k = 0, q1, bound = m; double r = 0, sum = 0, p1[60], p2[60][70], p3[70][60][3];
    #pragma omp parallel for private(j, k, r, p2, p3, q1, bound) {clauses}
    for (int i = 1; i < n; i++) {{
        {body}
    }}
    y[0] = sum + later();
}}
"""

Q = "for (int q = 0; q < m; q++)"
W = "for (int w = 0; w < l; w++)"


def axes(plan: Plan) -> list[str]:
    return [loop.variable for loop in kernel(plan).grid]


ARRAYS = {"p1", "p2", "s1", "s2", "t", "z"}


def own_arrays(plan: Plan) -> list[str]:
    """What each thread has of arrays of its own, as the kernel declares it."""
    found = kernel(plan)
    named = {n.symbol for n in walk(found.body) if isinstance(n, t.Name)}
    own = {n.symbol for n in walk(found.body) if isinstance(n, t.VarDecl)}
    own |= {copy.symbol for copy in found.privates} | {array.symbol for array in found.expanded}
    return sorted(type_text(s.type, s.name) for s in own & named if s.name in ARRAYS)


@pytest.mark.parametrize(
    ("body", "expected", "own"),
    [
        # the array loses the dimension
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = p2[q][3];", "iq", ["double p2[70]"]),
        (f"{Q} {W} p2[q][w] = a[i][q][w]; {Q} {W} b[i][q][w] = p2[q][w];", "iqw", ["double p2"]),
        (f"{Q} {W} p2[q][w] = a[i][q][w]; {Q} b[i][q][0] = p2[q][3];", "iq", ["double p2[70]"]),
        (f"{W} {Q} p2[q][w] = a[i][q][w]; {Q} b[i][q][0] = p2[q][3] + p2[q][4];", "iq", ["double p2[70]"]),
        (f"double t[60]; {Q} t[q] = v[i][q]; {Q} u[i][q] = t[q] * t[q];", "iq", ["double t"]),
        (f"double t[4][60]; {Q} t[1][q] = v[i][q]; {Q} u[i][q] = t[1][q];", "iq", ["double t[4]"]),
        (f"double t[60][60]; {Q} t[q][q] = v[i][q]; {Q} u[i][q] = t[q][q];", "iq", ["double t[60]"]),
        (f"{Q} s1[q] = v[i][q]; {Q} u[i][q] = s1[q];", "iq", ["double s1"]),
        (f"fill(m, i); {Q} u[i][q] = s1[q] + s2[q][0];", "iq", ["double s1", "double s2[70]"]),
        ("for (j = 0; j < m; j++) p2[j][0] = 1; for (q1 = 0; q1 < m; q1++) u[i][q1] = p2[q1][0];", "ij",
         ["double p2[70]"]),
        (f"{{ int q; for (q = 0; q < m; q++) p2[q][0] = 1; }} {Q} u[i][q] = p2[q][0];", "iq", ["double p2[70]"]),
        ("for (int q = 0; q < m - 1; q++) p2[q][0] = 1; for (int q = 0; q < -1 + m; q++) u[i][q] = p2[q][0];", "iq",
         ["double p2[70]"]),
        # of each iteration as it is
        (f"{Q} {{ {W} if (cnt[w]) p1[w] = 2; u[i][q] = p1[3]; }} {Q} {{ if (cnt[q]) p1[0] = 3; v[i][q] += p1[0]; }}",
         "i", None),
        (f"{Q} {{ p2[0][0] = v[i][q]; u[i][q] = p2[0][0]; }} {Q} {{ p2[0][0] = u[i][q]; v[i][q] += p2[0][0]; }}",
         "iq", ["double p2[60][70]"]),
        (f"{Q} {{ p2[0][0] = v[i][q]; u[i][q] = p2[0][0]; }} {Q} v[i][q] += p2[0][0];", "i", None),  # the last one's
        (f"{Q} {{ double z[3]; z[0] = v[i][q]; u[i][q] = z[0]; }} {Q} v[i][q] += u[i][q];", "iq", ["double z[3]"]),
        # other elements of the array
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = p2[q][3] + p2[0][3];", "i", None),
        ("for (int q = 1; q < m; q++) p2[q][3] = v[i][q]; for (int q = 1; q < m; q++) u[i][q] = p2[q - 1][3];", "i",
         None),
        ("for (int q = 1; q < m; q++) p2[q - 1][3] = v[i][q]; for (int q = 1; q < m; q++) u[i][q] = p2[q - 1][3];", "i",
         None),
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = p2[cnt[q]][3];", "i", None),
        (f"{Q} p2[q][q] = v[i][q]; {Q} u[i][q] = p2[3][q];", "iq", ["double p2[60]"]),
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = p2[3][q];", "i", None),
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = p2[q][3]; u[i][0] = p2[0][3];", "i", None),
        (f"{Q} p2[q][3] = v[i][q]; r = p2[0][3]; {Q} u[i][q] = r;", "i", None),
        (f"{Q} p2[q][3] = v[i][q]; {Q} {{ double *z = p2[q]; u[i][q] = z[3]; }}", "i", None),
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = both(p2[q], 3);", "iq", ["double p2[70]"]),
        (f"{Q} p2[q][3] = v[i][q]; {Q} u[i][q] = *&p2[q][3];", "i", None),
        # memory
        (f"{Q} u[i][q] = 1; {Q} v[i][q] = u[i][q];", "iq", []),
        (f"{Q} u[i][q] = 1; {Q} v[i][q] = u[i][q + 1];", "i", None),
        (f"{Q} u[i][q] = u[i][q]; {Q} v[i][q] = x[q]; {Q} if (cnt[q]) x[i] = v[i][q];", "i", None),
        (f"{Q} v[i][q] = u[i][m - 1 - q]; {Q} u[i][q] = 1;", "i", None),
        (f"{Q} u[i][q] = x[i]; x[i] = 1; {Q} v[i][q] = x[i];", "i", None),
        (f"{Q} u[i][q] = 1; r = u[i][0]; {Q} v[i][q] = r;", "i", None),
        (f"{Q} u[i][q] = 1; r = x[i]; {Q} v[i][q] = r;", "iq", []),
        # scalars
        (f"{Q} {{ r = v[i][q]; u[i][q] = r; }} {Q} {{ r = u[i][q]; v[i][q] = r + r; }}", "iq", []),
        (f"{Q} {{ r = v[i][q]; u[i][q] = r; }} {Q} v[i][q] = r;", "i", None),  # the last one's
        (f"{Q} {{ r = v[i][q]; u[i][q] = r; }} r = x[i]; {Q} v[i][q] = r;", "iq", []),
        (f"r = x[i]; {Q} {{ u[i][q] = r; r = v[i][q]; }} {Q} v[i][q] = 1;", "i", None),
        (f"r = x[i]; {Q} u[i][q] = r; {Q} {{ r = 1; v[i][q] = r; }}", "iq", []),
        (f"{Q} {{ r = 1; v[i][q] = r; }} {Q} {{ if (cnt[q]) r = 2; u[i][q] = r; }}", "i", None),
        (f"for (k = 0; k < 3; k++) {{ {Q} u[i][q] = k; }} {Q} {{ k = 2; v[i][q] = u[i][q] + k; }}", "iq", []),
        (f"{Q} {{ k = 2; v[i][q] = k; }} for (k = 0; k < 3; k++) {{ {Q} u[i][q] = k; }}", "iq", []),
        (f"{Q} {{ k = 2; v[i][q] = k; }} for (j = 0; j < k; j++) {{ {Q} u[i][q] = j; }}", "i", None),
        (f"r = 1; for (k = 0; k < 3; k++) {{ {Q} u[i][q] += r; {Q} {{ r = 2; v[i][q] = r; }} }}", "i", None),
        ("for (j = 0; j < m; j++) u[i][j] = 1; k = j; for (j = 0; j < m; j++) v[i][j] = k;", "i", None),
        ("for (j = 0; j < m; j++) u[i][j] = 1; for (q1 = 0; q1 < m; q1++) v[i][q1] = j;", "i", None),
        ("int e = 5; r = e; for (e = 0; e < m; e++) u[i][e] = r; for (e = 0; e < m; e++) v[i][e] = r;", "i", None),
        ("int e = 5; for (int q = 0; q < m; q++) u[i][q] = e; for (e = 0; e < m; e++) v[i][e] = 1;", "i", None),
        ("for (j = 0; j < m; j++) u[i][j] = 1; j = 3; for (q1 = 0; q1 < m; q1++) v[i][q1] = j;", "i", None),
        # bounds
        ("for (bound = m, q1 = 0; q1 < bound; q1++) u[i][q1] = 1; for (q1 = 0; q1 < bound; q1++) v[i][q1] = 1;", "i",
         None),
        ("for (int q = 0; q < m; q++) u[i][q] = 1; for (unsigned q = 0; q < m; q++) v[i][q] = 1;", "i", None),
        ("for (int q = 0; q < m; q += 2) u[i][q] = 1; for (int q = 0; q < m; q++) v[i][q] = 1;", "i", None),
        ("for (int q = 0; q < m; q++) u[i][q] = 1; for (int q = m - 1; q >= 0; q--) v[i][q] = u[i][q];", "iq", []),
        ("for (int q = 0; q < m; q++) u[i][q] = 1; for (int q = m - 1; q >= 0; q--) v[i][q] = u[i][q + 1];", "i", None),
        ("for (int q = 0; q < m; q++) u[i][q] = 1; for (int q = m - 1; q >= 0; q--) v[i][q] = u[i][m - 1 - q];", "i",
         None),
        ("for (int q = 0; q < m; q++) p2[q][0] = 1; for (long q = m - 1; q > -1; q--) u[i][q] = p2[q][0];", "iq",
         ["double p2[70]"]),
        ("for (int q = 0; q < m; q++) u[i][q] = 1; for (int q = m; q > 0; q--) v[i][q] = u[i][q - 1];", "i", None),
        ("int e = m - 1; for (int q = 0; q < m; q++) u[i][q] = 1; for (int q = e; q >= 0; q--) v[i][q] = q;", "iq",
         []),
        ("int e = m - 1; for (int q = 0; q < m; q++) u[i][q] = 1; e--; for (int q = e; q >= 0; q--) v[i][q] = 1;", "i",
         None),
        ("bound = cnt[0]; for (int q = 0; q < bound; q++) u[i][q] = 1; bound = cnt[1]; "
         "for (int q = 0; q < bound; q++) v[i][q] = 1;", "iq", []),
        # what else stands there
        (f"{Q} u[i][q] = 1; if (cnt[i]) {Q} v[i][q] = 1;", "iq", []),
        (f"{Q} u[i][q] = 1; if (cnt[i]) {{ r = x[i]; {Q} v[i][q] = r; }} else {Q} v[i][q] = 2;", "iq", []),
        (f"{Q} {{ r = 1; u[i][q] = r; }} if (cnt[i]) r = 2; {Q} v[i][q] = r;", "i", None),  # the last one's
        (f"{Q} {{ r = v[i][q]; u[i][q] = r; }} if (r > 2) {Q} v[i][q] = 1;", "i", None),
        (f"{Q} u[i][q] = 1; if (u[i][0] > 2) {Q} v[i][q] = 1;", "i", None),
        (f"{Q} p2[q][3] = v[i][q]; if (p2[0][3] > 2) {Q} v[i][q] = 1;", "i", None),
        (f"{Q} u[i][q] = 1; if (cnt[i]) cnt[i] = 2; {Q} v[i][q] = 1;", "i", None),
        (f"{Q} u[i][q] = 1; (void)n; {Q} v[i][q] = 1;", "iq", []),
        (f"{{ if (cnt[i]) continue; {Q} u[i][q] = 1; }} {Q} v[i][q] = 1;", "i", None),  # it leaves more than the block
        (f"if (n > 2) {{ if (cnt[i]) continue; {Q} u[i][q] = 1; }} {Q} v[i][q] = 1;", "i", None),
        (f"for (k = 0; k < 3; k++) {{ if (cnt[k]) continue; {Q} u[i][q] += 1; }} {Q} v[i][q] = 1;", "iq", []),
        (f"{Q} {{ if (v[i][q] < 0) continue; u[i][q] = 1; }} {Q} v[i][q] = 1;", "iq", []),
        (f"{Q} {{ if (v[i][q] < 0) {{ u[i][q] = 0; continue; }} u[i][q] = 1; }} {Q} v[i][q] = 1;", "i", None),
        (f"{Q} {{ {W} {{ if (a[i][q][w] < 0) break; b[i][q][w] = 1; }} }} {Q} v[i][q] = 1;", "iq", []),
        (f"{Q} u[i][q] = 1; for (k = 0; k < 3; k++) {{ if (cnt[k]) break; {Q} v[i][q] = k; }}", "i", None),
        (f"{Q} {{ if (v[i][q] < 0) break; u[i][q] = 1; }} {Q} v[i][q] = 1;", "i", None),
        (f"{Q} u[i][q] = 1; if (cnt[i]) continue; {Q} v[i][q] = 1;", "iq", []),
        (f'{Q} u[i][q] = 1; {Q} printf("%d\\n", q);', "i", None),
        (f"{Q} u[i][q] = 1; cnt[i]++; {Q} v[i][q] = 1;", "i", None),
    ],
)  # fmt: skip
def test_loops_that_become_one(plan_of: Callable[..., Plan], body: str, expected: str, own: list[str] | None) -> None:
    text = PROGRAM.format(clauses="", body=body)
    plan = plan_of(text)
    assert "".join(sorted(axes(plan))) == "".join(sorted(expected))
    assert own is None or own_arrays(plan) == own
    assert axes(plan_of(text, Level.THESIS)) == ["i"]


@pytest.mark.parametrize(
    ("clauses", "body", "expected"),
    [
        ("firstprivate(p1)", f"{Q} u[i][q] = p1[q]; {Q} v[i][q] += p1[q];", "iq"),
        ("private(p1)", f"{Q} u[i][q] = v[i][q]; {Q} v[i][q] = 1;", "iq"),
        ("private(p1)", f"{Q} p1[q] = v[i][q]; {Q} u[i][q] = p1[q];", "iq"),
        ("private(p1) lastprivate(sum)", f"{Q} p1[q] = v[i][q]; {Q} {{ sum = q; u[i][q] = p1[q]; }}", "i"),
        ("reduction(+:sum)", f"{Q} u[i][q] = v[i][q]; {Q} sum += u[i][q];", "i"),
        ("private(p1) num_threads(3)", f"{Q} p1[q] = v[i][q]; {Q} u[i][q] = p1[q];", "iq"),
        ("collapse(1)", f"{Q} u[i][q] = v[i][q]; {Q} v[i][q] = 1;", "iq"),
    ],
)
def test_clauses(plan_of: Callable[..., Plan], clauses: str, body: str, expected: str) -> None:
    plan = plan_of(PROGRAM.format(clauses=clauses, body=body))
    assert "".join(sorted(axes(plan))) == expected


@pytest.mark.parametrize(
    ("body", "bounds", "conditions"),
    [
        ("for (int q = 0; q < m; q++) A for (int q = 1; q < m - 1; q++) B", ("0", "m"), [None, "1 <= q && q < m - 1"]),
        ("for (int q = 2; q < m - 1; q++) A for (int q = 1; q < m; q++) B", ("1", "m"),
         ["2 <= q && q < m - 1", None]),
        ("for (int q = 0; q <= m; q++) A for (int q = 0; q <= l; q++) B", ("0", "m > l ? m : l"),
         ["q <= m", "q <= l"]),
        ("for (int q = 0; q < 7; q++) A for (int q = 3; q < 9; q++) B", ("0", "9"), ["q < 7", "3 <= q"]),
        ("for (j = 0; j <= m; j++) A for (int q = 0; q <= m - 2; q++) B", ("0", "m"), [None, "j <= m - 2"]),
        ("for (int q = m - 1; q >= 0; q--) A for (int q = 1; q <= m - 1; q++) B", ("0", "m - 1"), [None, "1 <= q"]),
        ("for (int q = 0; q < m; q++) A for (int q = l; q > 0; q--) B", ("0", "m > l ? m : l"),
         ["q < m", "0 < q && q <= l"]),
        ("for (int q = l; q > n; q--) A for (int q = m; q < n; q++) B", ("n < m ? n : m", "l > n ? l : n"),
         ["n < q && q <= l", "m <= q && q < n"]),
        ("for (int q = m; q > 2; q--) A for (int q = m - 1; q >= 1; q--) B", ("m", "1"), ["2 < q", "q <= m - 1"]),
        ("for (int q = 0; q < m; q += 2) A for (int q = 4; q < m - 1; q += 2) B", ("0", "m"),
         [None, "4 <= q && q < m - 1"]),
        ("for (unsigned q = 0; q < 8; q++) A for (long q = 1; q != 5; q++) B", ("0", "8"), [None, "1 <= q && q < 5"]),
        ("for (int e = 0; e < 3; e++) { for (int q = 0; q < m; q++) A } for (int q = 0; q < l; q++) B",
         ("0", "m > l ? m : l"), ["q < m", "q < l"]),
    ],
)  # fmt: skip
def test_conditions(
    plan_of: Callable[..., Plan], body: str, bounds: tuple[str, str], conditions: list[str | None]
) -> None:
    """Loops with other bounds become one with those of all; A and B, in their order, are done where they were."""
    first, second = ("{ p2[X][0] = 1; u[i][X] = i; }", "{ v[i][X] = 2; }")
    head = "j" if "for (j" in body else "q"
    body = body.replace("A", first.replace("X", head)).replace("B", second.replace("X", "q"))
    found = kernel(plan_of(PROGRAM.format(clauses="", body=body)))
    (axis,) = (loop for loop in found.grid if loop.variable != "i")
    assert (c_expr(axis.loop.lower), c_expr(axis.loop.upper)) == bounds
    guards = [c_expr(node.condition) for node in walk(found.body) if isinstance(node, t.If)]
    assert guards == [condition for condition in conditions if condition is not None]


def test_other_bounds_of_what_must_not_move(plan_of: Callable[..., Plan]) -> None:
    def found(body: str) -> list[str]:
        return axes(plan_of(PROGRAM.format(clauses="", body=body)))

    head = "for (int q = 0; q < m; q++)"
    assert found(f"{head} p2[q][0] = 1; for (int q = 1; q < l; q++) u[i][q] = p2[q - 1][0];") == ["i"]
    assert found(f"{head} u[i][q] = 1; for (int q = 1; q < l; q++) v[i][q] = u[i][q - 1];") == ["i"]
    assert found(f"{head} u[i][q] = 1; for (int q = 0; q < cnt[i]; q++) v[i][q] = 1;") == ["i"]
    assert found(f"{head} u[i][q] = 1; for (int q = i; q < l; q++) v[i][q] = 1;") == ["i"]
    assert found(f"{head} u[i][q] = 1; for (int q = 0; q < l; q += 2) v[i][q] = 1;") == ["i"]


def test_it_is_said(plan_of: Callable[..., Plan]) -> None:
    body = f"{Q} p2[q][3] = v[i][q];\n {Q} u[i][q] = p2[q][3];"
    because = kernel(plan_of(PROGRAM.format(clauses="", body=body))).mapped_because or ""
    assert "the loops of lines 13, 14 are one loop around the others, and each thread has its part of p2" in because
