"""Nests over rows and columns in which all rows read one element of each column, from an array that changes.

    #pragma omp parallel for
    for (int i = k + 1; i < rows; i++)
        for (int j = k + 1; j < rows; j++)
            if (j <= i) a[i][j] = (a[i][j] + a[i][k] * a[j][k]) % 1009;

As in elimination, where a thread that has several rows reads it once. What is in the way of that is here as well: a
single row that changes the element before it reads it, in another statement or by another name of the row, subscripts
that change, elements under conditions and in short loops.

In: a Site.   Out: an array of its own; several nests; a check of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_SIDE = 40

_COMMON = ("a[k][j]", "a[j][k]", "a[k][j + 1]", "a[j / 2][k]", "e[j][k]", "e[k][j]", "a[k][{s} - j]", "a[at][j]")
_VALUES = (
    "a[i][j] = (a[i][j] + a[i][k] * {x}) % 1009;",
    "a[i][j] -= a[i][k] % 7 * {x} % 100;",
    "if ({x} + a[i][k] < a[i][j]) a[i][j] = {x} + a[i][k];",
    "a[i][j] = j % 3 == 1 ? {x} % 500 : a[i][j] + 1;",
    "if (j % 5 != 2 && {x} % 3 == 0) a[i][j] += {y} % 50;",
    "for (int l = 0; l < 2; l++) a[i][j] = (a[i][j] + {x} * l) % 1009;",
    "{{ int here = {x}; b[i][j] = here; here += 1; a[i][j] = (here + {y}) % 997; }}",
    "b[i][j] = {x}; a[i][j] = {y} % 300;",
    "a[i][j] = (b[i][j] + j) % 1009; b[i][j] = {x};",  # of one row, which may be k
    "if (i % 2) a[i][j] = b[i][j] + 2; b[i][j] += {x} % 11;",
)
_GUARDS = ("", "", "if (j <= i) ", "if (j >= i) ", "if (i % 3 != j % 2) ", "if (j > i || j == k + 2) ")


def make_common_rows(site: Site) -> list[Stmt]:
    """The nests, with what they need."""
    rng, s = site.rng, _SIDE
    declared = [
        line(f"static int a[{s}][{s}], b[{s}][{s}], e[{s}][{s}];", pinned=True),
        line(f"for (int q = 0; q < {s * s}; q++) a[q / {s}][q % {s}] = q * 37 % 101,", pinned=True),
        line(f"    b[q / {s}][q % {s}] = q * 7 % 31, e[q / {s}][q % {s}] = q * 11 % 29;", pinned=True),
    ]
    nests = [_nest(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    names = ("a", "b") if site.checks else ()
    seen = [check(site, f"common_{n}", s * s, literally(f"{n}[q / {s}][q % {s}]", LONG), EXACT) for n in names]
    return [Stmt((), (*declared, *nests, *seen), pinned=True)]


def _nest(rng: random.Random) -> Stmt:
    """Of many rows, none of which is that of the element; or of one, which may be."""
    x, y = (rng.choice(_COMMON).format(s=_SIDE - 1) for _ in range(2))
    if rng.random() < 0.6:
        head = f"for (int i = k + 1; i < {_SIDE - rng.choice((0, 0, 3))}; i++)"
        value = rng.choice(_VALUES[:-2]).format(x=x, y=y)
        columns = f"for (int j = k + 1; j < {_SIDE - 1}; j++)"
    else:
        head = rng.choice(("for (int i = k; i < k + 1; i++)", "for (int i = at; i <= at; i++)"))
        value = rng.choice(_VALUES[-4:]).format(x=x.replace("a[j][k]", "a[k][j]"), y=y.replace("a[j][k]", "a[k][j]"))
        value = value.replace("[j / 2][k]", "[k][j]").replace("[j + 1]", "[j]").replace(f"[{_SIDE - 1} - j]", "[j]")
        columns = f"for (int j = 0; j < {_SIDE - 1}; j++)"
    body = (line(f"{columns} {{ {rng.choice(_GUARDS)}{{ {value} }} }}"),)
    directive = rng.choice(("parallel for", "parallel for", "parallel for collapse(2)"))
    loop = Stmt((head,), body, pragmas=(Pragma(directive, required=True),))
    step = rng.choice((1, 5, 11))
    around = f"for (int k = {rng.choice((0, 2))}; k < {_SIDE - 2}; k += {step})"
    return Stmt((around,), (line("int at = k; (void)at;"), loop))
