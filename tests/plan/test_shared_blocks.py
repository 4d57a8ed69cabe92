"""Which kernels are made without the promise that arrays do not overlap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.plan.model.plan import Plan

SHARED = {
    "the begin of a block, and the middle": "double *w = malloc(80), *p = w, *q = w + 5; gather(q, p, at, 5);",
    "three slices": "double *w = malloc(80); gather(w + 3, w, at, 3); gather(w + 6, w, at, 3);",
    "an element's address": "double *w = malloc(80); gather(&w[5], w, at, 5);",
    "a declared array": "gather(table + 5, table, at, 5);",
    "in place": "gather(table, table, at, 5);",
    "a row": "double (*m)[5] = malloc(80); gather(m[1], (double *)m, at, 5);",
}

APART = {
    "blocks of their own": "double *p = malloc(40), *q = malloc(40); gather(q, p, at, 5);",
    "of a function": "double *p = vector(5), *q = vector(5); gather(q, p, at, 5);",
    "buffers that change places": "double *p = malloc(40), *q = malloc(40), *t;"
    " for (int k = 0; k < 3; k++) { gather(q, p, at, 5); t = p; p = q; q = t; }",
    "with rims": "double *a = malloc(40), *b = malloc(40), *p = a + 1, *q = b + 1, *t;"
    " for (int k = 0; k < 3; k++) { gather(q, p, at, 3); t = p; p = q; q = t; }",
    "from elsewhere": "double *w = elsewhere(); gather(elsewhere(), w, at, 5);",
}

HEAD = """#include <stdlib.h>
double *elsewhere(void);
static double table[10];
static double *vector(int n) { return malloc(n * sizeof(double)); }
"""
GATHER = """static void gather(double *to, const double *from, const int *at, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) to[i] = from[at[i]];
}
"""
STREAM = GATHER.replace("from[at[i]]", "from[i]")


def is_promised(plan: Plan) -> bool:
    (region,) = plan.regions
    assert region.kernel is not None
    promised = {v.distinct for v in region.variables if v.symbol.name in ("to", "from")}
    assert promised == {region.kernel.restrict}
    return region.kernel.restrict


@pytest.mark.parametrize("body", SHARED.values(), ids=SHARED)
def test_shared(body: str, plan_of: Callable[..., Plan]) -> None:
    assert not is_promised(plan_of(f"{HEAD}{GATHER}void f(int *at) {{ {body} }}\n"))


@pytest.mark.parametrize("body", APART.values(), ids=APART)
def test_apart(body: str, plan_of: Callable[..., Plan]) -> None:
    assert is_promised(plan_of(f"{HEAD}{GATHER}void f(int *at) {{ {body} }}\n"))


def test_slices_whose_ends_are_known_are_compared(plan_of: Callable[..., Plan]) -> None:
    body = next(iter(SHARED.values()))
    assert is_promised(plan_of(f"{HEAD}{STREAM}void f(int *at) {{ {body} }}\n"))
