"""Which elements of arrays may stay in a variable during an inner loop, and which must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.locality.scalar_replacement import replaceable_elements
from ompc.ir.show import c_expr

LOOP = "for (int k = 0; k < m; k++)"
BEFORE = """
typedef struct { double x, y; int n, low : 3; double v[4]; union { double d; int i[2]; }; } body;
typedef struct { double *p; } cell; static cell cells[99];
static body b[99]; union both { double d; int i[2]; } static both[99];
static int flag; static double t[99][2];
static double add(double *p) { return *p += 1; }
static double set(double v) { w[3] = v; return v; }
static double plain(double v) { return v + 1; }
"""


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        (f"{LOOP} y[i] += x[k];", "y[i] if k"),
        (f"y[i] = 0; {LOOP} y[i] += x[k];", "y[i] first"),
        (f"y[i] *= 2; {LOOP} if (x[k] > 0) y[i] += x[k];", "y[i]"),
        (f"double old = y[i]; {LOOP} if (x[k] > old) y[i] += x[k];", "y[i]"),
        ("for (int k = 0; k < 3; k++) y[i] += x[k];", "y[i]"),
        ("int k = 0; do y[i] += x[k]; while (++k < m);", "y[i]"),
        (f"{LOOP} {{ b[i].x += x[k]; b[i].y -= b[i].x; b[i].v[1] += 1; b[i].v[2] = 0; }}",
         "b[i].x if k, b[i].y if k, b[i].v[1] if k, b[i].v[2] if k"),
        (f"{LOOP} {{ y[3 * i] += x[k]; y[3 * i + 1] += 1; y[3 * i - 1] = 2; }}",
         "y[3 * i] if k, y[3 * i + 1] if k, y[3 * i - 1] if k"),
        (f"y[i] = 0; y[i + 1] = 5; {LOOP} {{ y[i] += x[k]; }}", "y[i] first"),
        (f"y[i] = 0; double q = y[i + 1] + y[i]; {LOOP} y[i] += x[k] * q;", "y[i]"),
        (f"y[i] = y[i + 1] = 0; {LOOP} {{ y[i] += 1; y[i + 1] += 1; }}", "y[i] first, y[i + 1]"),
        (f"{LOOP} for (int j = 0; j < 4; j++) y[i] += x[k];", "y[i]"),  # in the loop over j
        (f"y[i] = 0; {LOOP} for (int j = 0; j < m; j++) y[i] += x[k];", "y[i] first"),
        (f"{LOOP} {{ u[i][3] += x[k]; if (x[k] > 3) break; }}", "u[i][3] if k"),
        (f"double *q = y + i; {LOOP} *q += x[k];", "*q if k"),
        (f"y[i] = 0; {LOOP} y[i] += plain(x[k]) + sqrt(x[k]);", "y[i] first"),
        (f"{LOOP} {{ cells[i].p[3] += x[k]; cells[i].p[4] = 0; }}", "cells[i].p[3] if k, cells[i].p[4] if k"),
        # not certain
        (f"{LOOP} if (x[k] > 0) y[i] += x[k];", ""),
        (f"{LOOP} {{ if (x[k] > 0) continue; y[i] += x[k]; }}", ""),
        (f"{LOOP} x[k] > 0 && (y[i] += x[k]);", ""),
        (f"if (x[0] > 0) y[i] = 0; {LOOP} if (x[k] > 0) y[i] += x[k];", ""),
        ("int k = 0; while (k < m) y[i] += x[k++];", ""),
        (f"switch (m) {{ case 1: y[i] = 0; case 2: {LOOP} if (x[k] > 0) y[i] += x[k]; }}", ""),
        ("for (int k = 0; k < idx[i]; k++) { y[i] += x[k]; idx[i] = 0; }", "idx[i] if k"[:0]),
        # something else of the array, which may be the same
        (f"{LOOP} y[i] += y[k];", ""),
        (f"{LOOP} {{ y[i] += x[k]; y[idx[k]] = 0; }}", ""),
        (f"{LOOP} {{ t[i][0] += x[k]; t[i][k] = 0; }}", ""),
        (f"{LOOP} {{ both[i].d += x[k]; both[i].i[0] = 0; }}", ""),
        (f"{LOOP} {{ b[i].d += x[k]; b[i].i[0] = 0; }}", ""),
        (f"{LOOP} {{ b[i].x += x[k]; b[k] = b[i]; }}", ""),
        (f"{LOOP} {{ b[i].v[0] += x[k]; b[i].v[k] = 0; }}", ""),
        (f"{LOOP} {{ y[i] += x[k]; ((int *)y)[2 * i] = 0; }}", ""),
        (f"{LOOP} {{ y[i] += x[k]; add(&y[i]); }}", ""),
        (f"{LOOP} {{ w[i] += x[k]; set(3); }}", ""),
        (f"{LOOP} cells[2 * i].p[0] += cells[2 * i + 1].p[0];", ""),  # pointers that may be equal
        # another place in each iteration
        (f"{LOOP} y[k] += x[k];", ""),
        (f"int p = 0; {LOOP} {{ y[p] += x[k]; p = k; }}", ""),
        (f"{LOOP} {{ int i = k; y[i] += x[k]; }}", ""),
        (f"{LOOP} {{ y[idx[0]] += x[k]; idx[k] = 1; }}", ""),
        (f"{LOOP} y[count++] += x[k];", ""),
        # not plain memory
        (f"{LOOP} b[i].low += 1;", ""),
        (f"{LOOP} {{\n#pragma omp atomic\ny[i] += x[k]; }}", ""),
        (f"{LOOP} {{\n#pragma omp atomic\ny[i] += x[k];\ny[i] += 1; }}", ""),
        (f"#pragma omp simd\n{LOOP} y[i] += x[k];", "y[i] if k"),
    ],
)  # fmt: skip
def test_replaceable(body: str, elements: str, body_facts: Callable[..., Facts]) -> None:
    found = []
    for one in replaceable_elements(body_facts(f"\n{body}", before=BEFORE)):
        words = ["first"] * (one.first is not None) + [f"if {one.guard.var.name}" for _ in range(one.guard is not None)]
        found.append(" ".join([c_expr(one.element), *words]))
    assert ", ".join(found) == elements
