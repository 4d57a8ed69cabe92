"""Nests over rows of which one element is read by all iterations of the inner loop, and changed by one of them.

    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++) {
            if (a[i * m + j] % 61 == 3) break;                some have such a line, or count otherwise
            a[i * m + j] = (a[i * m + j] * 3 + a[i * m + k] + e[j]) % 1009;
        }

As in shortest paths and in elimination, the iterations before k read another value than those behind it. What is in
the way of doing them in three parts is here as well: other heads, jumps, a k that changes or has another one's name.

In: a Site.   Out: an array of its own; several nests; a check of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _COLUMNS = 24, 80
_USUAL = 0.6

_HEADS = (
    "for (int j = 0; j < m; j++)",
    "for (int j = 0; j <= m - 1; j++)",
    "for (int j = 1; j < m; j += 2)",
    "for (int j = m - 1; j >= 0; j--)",
    "for (int j = m; j > 0; --j)",
    "for (long j = 0; j < m; j++)",
    "for (int j = 0; j < end; j++)",
    "for (int j = k; j < m; j++)",
    "for (int j = 2; j < m; j++)",
    "for (int j = end / 9; j <= end; j++)",
    "for (int j = 0; j < end + 0L; j++)",
)
_LAUNCHES = ("k < m && k < {rows}", "k < m", "k <= m + 1")
"""How far the loop around goes: in the second case, the launch's k is one that usual inner loops have."""

_PLACES = ("{row} + k", "{row} + 3", "{row} + i", "{row} + (k + 1)", "{row} + at")
_VALUES = (
    "{own} = ({own} * 3 + {pivot} + e[j]) % 1009;",
    "if ({pivot} + e[j] < {own}) {own} = {pivot} + e[j];",
    "{own} = {own} % 100 + {pivot} % 50 - e[j];",
    "{own} = ({own} + {pivot} * e[j]) % 1009;",
    "if (i != k) {own} = ({own} + {pivot} - e[j]) % 1009;",
    "{{ const int by = {pivot} * 2 + j; if (by % 3 == 0) continue; {own} = by % 997; }}",
)
_MORE = (
    "if ({own} % 13 == 3) break;",
    "if ({own} % 13 == 3) goto out{number};",
    "if (j == 3) k = m - 1 - k;",
    "if (j == 4) end = m / 2 + 1;",
    "if ({own} % 7 == 1) j += 0 * {own};",
    "{own} += {pivot2} % 5;",
    "for (int l = 0; l < 2; l++) {own} += l;",
    "{{ static const int more = 3; {own} += more; }}",
)
_AROUND = (
    "{{ int k = i % 3; (void)k; {nest} }}",
    "{{ long k = (i * 5 + 1) % m; {nest} k = 0; }}",
    "if (i != k) {{ {nest} }}",
    "{{ int k = i % m; {nest} k++; }}",
)


def make_pivots(site: Site) -> list[Stmt]:
    """The nests, with what they need."""
    rng = site.rng
    rows, m = rng.choice((1, 7, _ROWS)), rng.choice((6, 33, 37, 70))
    name = site.names.file_scope("pivots")
    declared = [
        line(f"static int a[{_ROWS * _COLUMNS}], e[{_COLUMNS}];", pinned=True),
        line(f"const int rows = {rows}; int m = {m};", pinned=True),
        line(f"for (int q = 0; q < {_ROWS * _COLUMNS}; q++) a[q] = q * 37 % 101;", pinned=True),
        line(f"for (int q = 0; q < {_COLUMNS}; q++) e[q] = q * 7 % 31;", pinned=True),
    ]
    nests = [_nest(rng, f"{name}_{number}") for number in range(rng.choice((1, 2, 2, 3)))]
    seen = [check(site, "pivots", _ROWS * _COLUMNS, literally("a[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, *nests, *seen), pinned=True)]


def _nest(rng: random.Random, number: str) -> Stmt:
    """In a loop over k, or with one k for all rows."""
    row = f"i * {_COLUMNS}"
    place, other = (rng.choice(_PLACES).format(row=row) for _ in range(2))
    words = {"own": f"a[{row} + j]", "pivot": f"a[{place}]", "pivot2": f"a[{other}]", "number": number}
    head = _HEADS[0] if rng.random() < _USUAL else rng.choice(_HEADS)
    body = [rng.choice(_VALUES).format(**words)]
    if rng.random() > _USUAL:
        body.insert(rng.choice((0, 1)), rng.choice(_MORE).format(**words))
    inner = f"{head} {{ {' '.join(body)} }}"
    if "goto" in inner:
        inner += f" out{number}: ;"
    around = "{nest}" if rng.random() < _USUAL else rng.choice(_AROUND).replace("{{", "{").replace("}}", "}")
    changes = any("k =" in text for text in body)
    before = f"int end = m, at = k; (void)end, (void)at; {'int k = i % m;' * changes} "
    text = before + around.replace("{nest}", inner)
    loop = Stmt(("for (int i = 0; i < rows; i++)",), (line(text),), pragmas=(Pragma("parallel for", required=True),))
    first = rng.choice(("0", "1", "m - 1", "m / 2"))
    until = rng.choice(_LAUNCHES).format(rows=_ROWS)
    return Stmt((f"for (int k = {first}; {until}; k += 1 + m / 3)",), (loop,))
