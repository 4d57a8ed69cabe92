"""Edges of a grid, done for one value of a counter between loops over the others, or not quite.

    for (int k = 0; k < n; k++) {
        for (i = 1; i < w; i++) a[k][i] += u[k][i - 1];
        i = 0;
        a[k][i] = u[k][i + 1] * 3;
        for (i = 2; i < w - 1; i++) a[k][i] += u[k][i + 1];
        i = w - 1; ...
    }

Values that meet and that lie outside of the loops, loops between the edges that are empty, edges that read what another
one or a loop has written, counters that are read behind.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _WIDE = 30, 24
_DECLARED = (
    "static long a[{rows}][{wide}][3], u[{rows}][{wide}][3], b[{rows}][{wide}], seen[{rows}];",
    "int n = {n}, w = {w}, i = 0, j = 0, m = 0; (void)i; (void)j; (void)m; (void)w;",
    "for (int q = 0; q < {rows}; q++) for (int p = 0; p < {wide}; p++) {{ b[q][p] = q * 3 + p;",
    "for (int e = 0; e < 3; e++) a[q][p][e] = q + p * e, u[q][p][e] = (q * 5 + p * 7 + e) % 31; }}",
)
_HEADS = (
    *("for (i = 2; i < w; i++)", "for (i = 3; i <= w - 2; i++)"),
    *("for (i = w - 1; i >= 2; i--)", "for (i = 4; i < 9; i++)"),
)
_EDGES = ("2", "3", "w", "w - 1", "w - 2", "w + 1", "8", "1", "k % 3 + 2")
_WORK = (
    "a[k][i][0] += u[k][i + 1][0] - u[k][i - 1][1];",
    "for (m = 0; m < 3; m++) a[k][i][m] = a[k][i][m] * 3 - u[k][i - 1][m];",
    "a[k][i][2] = (a[k][i][2] + b[k][i]) % 1009;",
    "b[k][i] = (b[k][i] * 5 + u[k][i][{e}]) % 997;",
    "for (j = 0; j < 3; j++) a[k][i][j] -= u[k][i + 1][j] * {e};",
)
_ELSE = (
    "b[k][i] = (b[k][i] + b[k][i - 1]) % 997;",
    "a[k][2][1] += i;",
    "if (u[k][i][0] % 2) a[k][i][1] = {e};",
    "b[k][(i * 2) % 20] += 1;",
    "j = i; b[k][j] += {e};",
)


def make_edges(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    words = {"rows": _ROWS, "wide": _WIDE, "n": rng.choice((1, 3, _ROWS)), "w": rng.choice((4, 4, 5, 6, 12, 20))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    parts = [part for _ in range(rng.choice((2, 3, 3, 4, 5))) for part in _part(rng)]
    if rng.random() < 0.1:
        parts.append(line("b[k][0] += i;"))
    pragma = Pragma("parallel for private(i, j, m)", required=True)
    nest = Stmt(("for (int k = 0; k < n; k++)",), tuple(parts), pragmas=(pragma,))
    sums = "for (int q = 0; q < {rows}; q++) for (int p = 0; p < {wide}; p++)"
    rest = " seen[q] += (p + 1) * (a[q][p][0] + a[q][p][1] * 3 + a[q][p][2] * 5 + b[q][p] * 7);"
    added = line((sums + rest).format(**words), pinned=True)
    seen = [added, check(site, "edges", _ROWS, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _part(rng: random.Random) -> list[Stmt]:
    work = [line(_work(rng)) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.5:
        return [Stmt((rng.choice(_HEADS),), tuple(work))]
    return [line(f"i = {rng.choice(_EDGES)};"), *work]


def _work(rng: random.Random) -> str:
    return rng.choice(_WORK if rng.random() < 0.92 else _ELSE).format(e=rng.randrange(3))
