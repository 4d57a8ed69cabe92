"""Which automatic arrays the runtime is told of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.base.options import Level
from ompc.plan.model.plan import Plan

HEAD = """#include <stdio.h>
#include <string.h>
#define N 10000
#define ARRAY(name) double name[N]
void elsewhere(double *x);
void grow(double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += i;
}
"""

TOLD = {
    "given to a function": ("double a[N]; grow(a, n);", "a"),
    "given to another file's": ("double a[N]; elsewhere(a + 3);", "a"),
    "an element's address, a row's": ("double a[N], b[N][2]; grow(&a[n], 1); grow(b[n], 2);", "a b"),
    "through a pointer": ("double a[N], *p = a; grow(p, n);", "a"),
    "named in a loop": ("double a[N];\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) a[i] = i;", "a"),
    "of variable size": ("double a[n], b[n + 1][3]; grow(a, n); grow(b[0], n);", "a b"),
    "structs": ("struct s { double x[10]; } a[N / 10]; grow(a[n].x, 10);", ""),  # a struct that is declared in place
    "initialised": (
        "double a[N] = {1, 2}, s = 0; const double b[N] = {[3] = 4}; elsewhere((double *)b); grow(a, n);",
        "a b",
    ),
    "in inner blocks": ("if (n) { double a[N]; grow(a, n); } while (n--) { double b[n]; grow(b, n); }", "a b"),
    "a goto out, one within": ("{ double a[N]; again: grow(a, n); if (n--) goto again; if (n) goto out; } out:;", "a"),
    "a switch around": ("switch (n) { case 1: { double a[N]; grow(a, n); } }", "a"),
    "a switch within": ("double a[N]; switch (n) { case 1: grow(a, n); }", "a"),
}

CHOSEN = """void count(int *bins, const double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
    {
        #pragma omp atomic
        bins[(int)x[i]]++;
    }
}
static double read_only(const int *bins) { return bins[0]; }
struct bins { int n, at[8]; };
"""

TOLD_IF_ASKED = {
    "a small array": ("int a[8]; count(a, x, n);", "a"),
    "a struct, a part of one": ("struct bins a, b; count(a.at, x, n); elsewhere((double *)&b);", "a b"),
    "where the function may come to a launch elsewhere": ("int a[8]; elsewhere(x); if (n) return; read_only(a);", "a"),
    "not where nothing is launched": ("int a[8]; read_only(a);", ""),
    "not of the library": ("char a[8]; memset(a, 0, sizeof a); elsewhere(x);", ""),
}

NOT_TOLD = {
    "small": "double a[100]; grow(a, n);",
    "given to the library alone": 'char a[100000]; memset(a, 0, sizeof a); sprintf(&a[9], "%d", n); puts((char *)a);',
    "never given away": "double a[N]; a[n] = 3; n = a[n];",
    "static": "static double a[N]; grow(a, n);",
    "made by a macro": "ARRAY(a); grow(a, n);",
    "jumped to": "goto in; { double a[N]; in: grow(a, n); }",
    "jumped to in a switch": "switch (n) { double a[N]; case 1: grow(a, n); }",
    "Duff's device": "switch (n) { case 0: { double a[N]; case 1: grow(a, n); } }",
    "of each thread": "\n#pragma omp parallel\n{ double a[N]; grow(a, n); }",
}


def told(plan: Plan) -> str:
    return " ".join(symbol.name for symbol in plan.registered_automatics)


@pytest.mark.parametrize(("body", "expected"), TOLD.values(), ids=TOLD)
def test_told(body: str, expected: str, plan_of: Callable[..., Plan]) -> None:
    assert told(plan_of(f"{HEAD}void f(int n) {{ {body} }}\n")) == expected


@pytest.mark.parametrize(("body", "expected"), TOLD_IF_ASKED.values(), ids=TOLD_IF_ASKED)
def test_small_ones_are_told_where_a_launcher_may_ask(body: str, expected: str, plan_of: Callable[..., Plan]) -> None:
    assert told(plan_of(f"{HEAD}{CHOSEN}void f(double *x, int n) {{ {body} }}\n")) == expected


@pytest.mark.parametrize("body", NOT_TOLD.values(), ids=NOT_TOLD)
def test_not_told(body: str, plan_of: Callable[..., Plan]) -> None:
    assert told(plan_of(f"{HEAD}void f(int n) {{ {body} }}\n")) == ""


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_where_something_stays(level: Level, plan_of: Callable[..., Plan]) -> None:
    assert told(plan_of(f"{HEAD}void f(int n) {{ double a[N]; grow(a, n); }}\n", level)) == ""


def test_only_beside_loops_of_the_device(plan_of: Callable[..., Plan]) -> None:
    assert told(plan_of("void g(double *);\nvoid f(void) { double a[10000]; g(a); }\n")) == ""
