"""Invariance by itself: of a region that changes the variable `moved`, and of memory `hot[...]` and what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ompc.analysis.integers.invariance import Invariance
from ompc.driver import compile_to
from ompc.ir import tree as t
from ompc.ir.access_paths import base_symbols
from ompc.ir.show import c_expr
from ompc.ir.walk import walk

DECLARATIONS = """
struct inner { int n, m[4]; float f; volatile int state; };
struct outer { struct inner in, *to; unsigned bits : 3; int *p; };
union both { int n; float f; };
extern int hot[9]; extern const int table[3]; extern int plane[4][5];
static int twice(int k) { return 2 * k; }
double sqrt(double);
"""
FUNCTION = """
void f%d(int n, int m, int moved, unsigned char uc, double r, float s, volatile int v, _Atomic int a, const int c,
         int *p, int **pp, int *restrict q, struct outer o, struct outer *g, union both u, int (*rows)[n])
{ (void)(%s); }
"""

ARITHMETIC = """
    n + 1; n - m * 3; n / m; n % m; n << 2 | uc; ~n; +n; !n; n < m; n && m || c; n ? m : 3; (short)n; c;
    (unsigned long)n + uc; 'x' + 1; sizeof(struct outer); (int)2.5 + n; r < s; p == q; p != 0; 0 && moved
"""
NO_ARITHMETIC = {
    "moved": "moved", "n + moved": "moved", "n ? m : moved": "moved", "(n, m)": "n, m", "n++": "n++", "n = 3": "n = 3",
    "(n += 2) + m": "n += 2", "n && m--": "m--", "twice(n)": "twice(n)", "r * s < 3": "r * s", "(int)r": "(int)r",
    "(int)(r + n)": "(int)(r + n)", "(int)sqrt(n)": "(int)sqrt(n)", "(float)n < s": "(float)n",
    "n ? r : s": "n ? r : s", "v": "v", "n + v": "v", "a": "a", "sizeof(rows[0])": "sizeof(int [n])",
}  # fmt: skip
KEPT = """
    *p; p[n]; p[n + m / 2]; *(p + n); q[3]; **pp; pp[n][m]; table[n]; plane[n][m]; rows[n][2]; o.in.n; g->in.m[n];
    g->to->n; o.p[n]; g->bits; u.n; (*g).in.n; p[table[n]]; ((int *)g)[n]; g->in.f < s
"""
NOT_KEPT = {
    "p[moved]": "moved", "plane[moved][m]": "moved", "p[n++]": "n++", "p[twice(n)]": "twice(n)", "hot[n]": "hot[n]",
    "o.in.state": "o.in.state", "g->to->state": "g->to->state", "p[hot[0]]": "hot[0]", "hot[0] + moved": "hot[0]",
    "table[p[hot[moved]]]": "hot[moved]", "moved + hot[0]": "moved", "(int)g->in.f": "(int)g->in.f",
}  # fmt: skip


CASES = {**dict.fromkeys(text.strip() for text in (ARITHMETIC + ";" + KEPT).split(";")), **NO_ARITHMETIC, **NOT_KEPT}


@lru_cache(maxsize=1)
def expressions() -> Mapping[str, t.Expr]:
    functions = "".join(FUNCTION % case for case in enumerate(CASES))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.c"
        path.write_text(DECLARATIONS + functions)
        unit = compile_to("sema", path)
        bodies = [unit.functions[f"f{k}"].body for k in range(len(CASES))]
    nodes = (next(node for node in walk(body) if isinstance(node, t.Cast)) for body in bodies if body is not None)
    return dict(zip(CASES, (node.operand for node in nodes), strict=True))


def leaves_alone(lvalue: t.Expr) -> bool:
    symbols = base_symbols(lvalue)
    return all(symbol.name != "hot" for symbol in symbols)


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_obstacle(text: str, expected: str | None) -> None:
    """What is in memory is invariant only where it is known to be kept."""
    expr, region = expressions()[text], Invariance(lambda symbol: symbol.name != "moved", leaves_alone)
    found = region.obstacle(expr)
    assert (None if found is None else c_expr(found)) == expected
    assert region.holds(expr, None) == (expected is None)
    assert Invariance(region.fixed).holds(expr) == (expected is None and text in ARITHMETIC)
