"""Pointers that a path leaves without a value begin as null pointers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.base.options import Level
from ompc.plan.model.plan import Plan

TEXT = """#include <stdlib.h>
void fill(double **to, int n);
void f(int n, double *x)
{{
    {before}
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += {value};
}}
"""

BEGIN_AS_NULL = {
    "set on one path": ("double *p; if (n > 3) p = malloc(n * 8);", "f.p"),
    "among others": ("double y = 0, *p, *q; q = x; if (n > 3) p = q;", "f.p"),
    "typedef": ("typedef double *rows; rows p, q; if (n > 3) p = x;", "f.p"),
    "restrict": ("double *restrict p; if (n > 3) p = x;", "f.p"),
    "set on each path": ("double *p; if (n > 3) p = malloc(n * 8); else p = x;", ""),
    "set at once": ("double *p = x; if (n > 3) p = malloc(n * 8);", ""),
    "of an inner block": ("for (int k = 0; k < 2; k++) { double *p; if (k) p = x; x[k] = p[k]; } double *p = x;", ""),
    "its address is taken": ("double *p; if (n > 3) fill(&p, n);", ""),
    "volatile": ("double *volatile p; if (n > 3) p = x;", ""),
    "static": ("static double *p; if (n > 3) p = x;", ""),
    "a jump": ("again:; double *p; if (n > 3) p = x; if (n-- > 5) goto again;", ""),
    "a macro's declaration": ("\n#define POINTER(name) double *name\nPOINTER(p); if (n > 3) p = x;", ""),
    "a macro's declaration beside an expression": (
        "\n#define POINTER(name) double *name\nPOINTER(p); n++, p; if (n > 3) p = x;",
        "",
    ),
    "two on a line": ("double *p; if (n > 3) { double *p; p = x; n += *p > 0; } if (n > 4) p = x;", ""),
}


@pytest.mark.parametrize("before, expected", BEGIN_AS_NULL.values(), ids=BEGIN_AS_NULL)
def test_null_pointers(before: str, expected: str, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(TEXT.format(before=before, value="p[i]"))
    assert ", ".join(f"{symbol.function}.{symbol.name}" for symbol in plan.null_pointers) == expected


def test_only_what_kernels_use(plan_of: Callable[..., Plan]) -> None:
    assert not plan_of(TEXT.format(before="double *p; if (n > 3) p = x;", value="i")).null_pointers


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_other_levels_have_them_too(level: Level, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(TEXT.format(before="double *p; if (n > 3) p = x;", value="p[i]"), level)
    assert [symbol.name for symbol in plan.null_pointers] == ["p"]
