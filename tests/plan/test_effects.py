"""What a launch does besides the stores of its iterations, and what may therefore be done to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.plan.model.plan import Plan

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
struct pair {{ double x, y; }};
#pragma omp declare reduction(both : struct pair : omp_out.x += omp_in.x, omp_out.y += omp_in.y)
double f(int n, const double *a, double *b, int *at)
{{
    double sum = 0, last = 0, best = 0;
    struct pair p = {{0, 0}};
    int where = 0;
    #pragma omp {directive}
    for (int i = 0; i < n; i++) {{ {body} }}
    at[0] = where;
    return sum + last + best + p.x;
}}
"""
FOR = "parallel for"
LEAGUE = {"all_threads_end", "is_order_free", "may_be_split"}
EVERYTHING = {*LEAGUE, "may_interleave", "has_points_and_sums", "has_only_points"}
LAUNCHES = [
    (FOR, "b[i] = a[i];", EVERYTHING),
    (f"{FOR} reduction(+: sum)", "sum += a[i];", EVERYTHING - {"has_only_points"}),
    (f"{FOR} reduction(both: p)", "p.x += a[i];", {"all_threads_end", "is_order_free", "may_interleave"}),
    (f"{FOR} lastprivate(last)", "last = a[i];", {"all_threads_end", "is_order_free"}),
    (f"{FOR} lastprivate(conditional: last)", "if (a[i] > 2) last = a[i];", {"all_threads_end"}),
    (FOR, """
        #pragma omp critical
        if (a[i] > best) { best = a[i]; where = i; }""", {"all_threads_end"}),
    (FOR, 'printf("%g\\n", a[i]);', set()),
    (FOR, "if (a[i] < 0) exit(1); b[i] = a[i];", set()),
    ("teams num_teams(1)\n#pragma omp parallel for", "b[i] = a[i];", LEAGUE),
]  # fmt: skip


@pytest.mark.parametrize("directive, body, allowed", LAUNCHES)
def test_what_may_be_done(directive: str, body: str, allowed: set[str], plan_of: Callable[..., Plan]) -> None:
    effects = kernel(plan_of(PROGRAM.format(directive=directive, body=body))).effects
    assert {name for name in EVERYTHING if getattr(effects, name)} == allowed
