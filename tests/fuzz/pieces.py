"""Rows of arrays that an iteration works on in several pieces, each under a condition of its own, or not quite.

    for (int i = 0; i < n; i++)
        for (int j = 1; j < w; j++) {
            if (1 <= i && i < n - 1) { g[i][j][0] += u[i][j][1]; g[i][j][2] = g[i][j][0] % 7; }
            if (j == k)
                for (m = 0; m < 5; m++) g[i][j][m] -= u[i][j - 1][m] % 3;
        }

Rows as long as what a warp stores together, shorter and longer ones, of other types; ends of rows beside the edge of a
warp; other rows, entries that are variables, conditions that change, on the way in between.

In: a Site.   Out: arrays of its own; a loop with such pieces in it; a check of what they leave.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _WIDE = 40, 72
_DECLARED = (
    "static long g[{rows}][{wide}][5], u[{rows}][{wide}][5], seen[{rows}]; static double d[{rows}][{wide}][3];",
    "static int h[{rows}][{wide}][7]; static unsigned char c[{rows}][{wide}][5]; static float f[{rows}][{wide}][2];",
    "static short s[{rows}][{wide}]; static long z[{wide}][{rows}][4];",
    "int n = {n}, w = {w}, k = {k}, p = {p}; (void)k; (void)p;",
    "for (int a = 0; a < {rows}; a++) for (int b = 0; b < {wide}; b++) {{ s[a][b] = a * 3 + b;",
    "for (int e = 0; e < 7; e++) h[a][b][e] = a * 5 + b * 3 + e; f[a][b][0] = a + b; f[a][b][1] = a - b;",
    "for (int e = 0; e < 5; e++) {{ g[a][b][e] = a * 7 + b + e; u[a][b][e] = a + b * e; c[a][b][e] = a + e * b; }}",
    "for (int e = 0; e < 4; e++) z[b][a][e] = a * b + e; d[a][b][0] = a; d[a][b][1] = b; d[a][b][2] = a - b; }}",
)
_GUARDS = (
    "if (1 <= i && i < n - 1)", "if (i == 2)", "if (j == k)", "if (j <= p)", "if (3 <= j && j <= w - 3)",
    "if (j == w - 1)", "if (i + 1 < n && j > 0)", "if (k > 3)", "if (p == 7 && i != 4)",
)  # fmt: skip
_PIECES = (
    "g[i][j{o}][{e}] += u[i][j][{s}] % 11;",
    "for (m = 0; m < 5; m++) g[i][j{o}][m] = g[i][j{o}][m] + u[i][j][m] % 7;",
    "for (m = 0; m < 5; m++) g[i][j{o}][m] = u[i][j][4 - m] + {x};",
    "for (int m = 1; m < 4; m++) g[i][j{o}][m] -= g[i][j{o}][m - 1] % 13;",
    "g[i][j{o}][0] = u[i][j][1]; g[i][j{o}][1] = g[i][j{o}][0] + {x};",
    "for (m = 0; m < 7; m++) h[i][j{o}][m] = h[i][j{o}][m] % 1000 + (int)u[i][j][{s}] % 5;",
    "h[i][j{o}][{e}] = h[i][j{o}][{s}] + {x};",
    "for (m = 0; m < 5; m++) c[i][j{o}][m] = (unsigned char)(c[i][j{o}][m] + h[i][j{o}][m]);",
    "for (m = 0; m < 3; m++) d[i][j{o}][m] = d[i][j{o}][m] / 2 + {x};",
    "d[i][j{o}][0] = u[i][j][0]; d[i][j{o}][1] = {x}; d[i][j{o}][2] = u[i][j][2] + s[i][j{o}];",
    "for (m = 0; m < 2; m++) f[i][j{o}][m] = f[i][j{o}][m] + (float)({x});",
    "s[i][j{o}] = (short)(s[i][j{o}] + u[i][j][{s}] % 9);",
    "for (m = 0; m < 4; m++) z[j{o}][i][m] = z[j{o}][i][m] * 2 % 1009 + {x};",
)
_ELSE = (
    "if (u[i][j][1] % 2) g[i][j{o}][{e}] = {x};",
    "if (u[i][j][0] % 5 == 1) continue;",
    "k2 = (int)(u[i][j][2] % 5); g[i][j{o}][k2] += {x};",
    "g[i][j{o}][{e}] = u[i][j][1] > 9 ? g[i][j{o}][{s}] : {x};",
    "h[i][j{o}][p % 7] += {x};",
    "m = 3; g[i][j{o}][m] -= {x}; m += (int)g[i][j{o}][m] % 2;",
    "long *q{at} = g[i][j{o}]; q{at}[{e}] += {x};",
    "if (i > 3 || g[i][j{o}][0] % 2 == 0) {{ g[i][j{o}][{e}] = {x}; }}",
)
_HEADS = (
    ("for (int i = 0; i < n; i++)", "for (int j = 2; j < w; j++)"),
    ("for (int i = 0; i < n; i++)", "for (int j = 2; j <= w - 1; j++)"),
    ("for (int j = 2; j < w; j++)", "for (int i = 0; i < n; i++)"),
    ("for (int i = n - 1; i >= 0; i--)", "for (int j = w - 1; j > 1; j--)"),
    ("for (int i = 0; i < n; i += 2)", "for (int j = 2; j < w; j += 3)"),
)


def make_pieces(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    words = {
        "rows": _ROWS,
        "wide": _WIDE,
        "n": rng.choice((1, 3, 17, _ROWS)),
        "w": rng.choice((2, 3, 33, 34, 35, 66, _WIDE - 2)),
        "k": rng.randrange(8),
        "p": rng.randrange(10),
    }
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    outer, inner = rng.choice(_HEADS)
    away = rng.choice((0, 0, 0, 1, -1, -2))
    own = line("int m = 0, k2 = 1;", pinned=True)
    collapse = " collapse(2)" if rng.random() < 0.5 else ""
    varies = not collapse and "int i" in outer  # else iterations would depend on each other
    steps = [_piece(rng, at, away, varies) for at in range(rng.choice((1, 2, 2, 3, 4)))]
    last = [line("k2 += m;")] if rng.random() < 0.2 else []
    body = Stmt((inner,), (own, *steps, *last))
    made = Stmt((outer,), (body,), pragmas=(Pragma(f"parallel for{collapse}", required=True),))
    sums = "for (int a = 0; a < {rows}; a++) for (int b = 0; b < {wide}; b++) {{ long t = s[a][b]"
    sums += " + (long)(f[a][b][0] * 3 + f[a][b][1]);"
    sums += " for (int e = 0; e < 5; e++) t = t * 3 + g[a][b][e] + c[a][b][e] * 5;"
    rest = " for (int e = 0; e < 7; e++) t += h[a][b][e] * (e + 3);"
    rest += " for (int e = 0; e < 4; e++) t += z[b][a][e] * (e + 1);"
    rest += " t += (long)(d[a][b][0] + d[a][b][1] * 2 + d[a][b][2] * 4);"
    rest += " seen[a] += (b + 1) * t; }}"
    added = line((sums + rest).format(**words), pinned=True)
    seen = [added, check(site, "pieces", _ROWS, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, made, *seen), pinned=True)]


def _piece(rng: random.Random, at: int, away: int, varies: bool) -> Stmt:
    other = rng.choice((0, 1)) if varies and rng.random() < 0.1 else away
    place = "" if other == 0 else f" {'+' if other > 0 else '-'} {abs(other)}"
    form = rng.choice(_PIECES if rng.random() < 0.88 else _ELSE)
    numbers: Mapping[str, int] = {"e": rng.randrange(5), "s": rng.randrange(5), "x": rng.randrange(50), "at": at}
    made = line(form.format(o=place, **numbers))
    if rng.random() < 0.6:
        made = Stmt((rng.choice(_GUARDS),), (made,))
        if rng.random() < 0.2:
            made = Stmt((rng.choice(_GUARDS),), (made,))
    return made
