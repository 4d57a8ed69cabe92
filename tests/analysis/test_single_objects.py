"""Behind which pointers there is one object for a loop, wherever in it the accesses are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject

PROGRAM = """
struct cell {{ double h, c[3]; struct {{ int k[2][2]; }} in; double tail[1]; }};
static double by_member(const struct cell *g, int j) {{ return g->h + g->c[j % 3]; }}
static double handed_on(const struct cell *g, int j) {{ return by_member(g, j) + (*g).h + g[0].c[1]; }}
static double next(const struct cell *g) {{ return g[1].h; }}
static double moving(const struct cell *g, int j) {{ g += j; return g->h; }}
static double row(const double *c, int j) {{ return c[j]; }}
static int sum(const int k[2][2], int j) {{ return k[j][1]; }}
static const struct cell *same(const struct cell *g) {{ return g; }}
void f(int n, struct cell *g, struct cell *other, double *u)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{ {} }}
}}
"""

ONE = [
    "u[i] = g->h;",
    "g->c[i % 3] = 1;",
    "u[i] = by_member(g, i);",
    "u[i] = handed_on(g, i);",
    "const struct cell *q = g, *r; r = q; u[i] = r->in.k[i & 1][0];",
    "u[i] = row(g->c, i % 3);",
    "u[i] = row(&g->c[1], i % 2);",
    "u[i] = sum(g->in.k, i & 1);",
    "u[i] = *(&g->h);",
    "u[i] = row(&g->h, 0);",
    "struct cell *q = i ? g : other; q->h = 1;",
    "u[i] = ((const struct cell *)g)->h;",
    "struct cell copy = *g; u[i] = copy.c[i % 3];",
]

NOT_ONE = [
    "u[i] = g[i].h;",
    "u[i] = by_member(g + i, 0);",
    "u[i] = by_member(&g[1], 0);",
    "u[i] = next(g);",
    "u[i] = moving(g, i);",
    "const struct cell *q = g; q++; u[i] = q->h;",
    "const struct cell *q = g + 1; u[i] = q->h;",
    "const struct cell *q = i ? g : g + 1; u[i] = q->h;",
    "u[i] = ((double *)g)[i];",
    "u[i] = g->tail[i];",
    "u[i] = row(g->tail, i);",
    "u[i] = same(g)->h;",
]


def is_one(facts: Facts) -> bool:
    obj = next(obj for obj in facts.shared_objects if obj.symbol.name == "g" and obj.path)
    assert obj == MemoryObject(obj.symbol, (PLAIN,))
    return facts.is_single_object(obj)


@pytest.mark.parametrize("body", ONE)
def test_one_object(facts: Callable[[str], Facts], body: str) -> None:
    assert is_one(facts(PROGRAM.format(body)))


@pytest.mark.parametrize("body", NOT_ONE)
def test_perhaps_several(facts: Callable[[str], Facts], body: str) -> None:
    assert not is_one(facts(PROGRAM.format(body)))
