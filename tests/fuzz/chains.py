"""Short loops one after the other, with statements between them and host loops around, which one block may do; and such
of which one thing makes them something else.

    for (int r = from; r < n; r++) {
        long sum = 0;
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < r; i++) sum += a[r * m + i] * y[i];
        y[r] = (b[r] + sum) % 1009;         some keep a value beyond the loop, or read what a loop leaves elsewhere
    }

Triangles, steps of both signs, rows of a matrix, members, narrow elements, one array that overlaps another one.

In: a Site.   Out: arrays of its own; chains; a check of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 300
_DECLARED = (
    "static long a[{most}], b[{most} + 4], y[{most}], m[{most}][24]; static unsigned char c[{most}];",
    "static struct {{ int in[3]; long out; }} s[{most}];",
    "int n = {n}, k = 1; long sum = 3, most = 0, kept = 0; (void)k; (void)sum; (void)most;",
    "long *p = b + {offset}; (void)p;",
    "for (int r = 0; r < {most}; r++) a[r] = r * 7 % 101, b[r] = r * 3 % 53, c[r] = r, y[r] = r % 17;",
    "for (int r = 0; r < {most}; r++) {{ s[r].in[1] = r % 5, s[r].out = -r;",
    "for (int q = 0; q < 24; q++) m[r][q] = (r * 5 + q) % 37; }}",
)
_HEADS = (
    "for (int i = 0; i < n; i++)",
    "for (int i = 0; i < {r}; i++)",
    "for (int i = {r} + 1; i < n; i++)",
    "for (int i = n - 1; i > {r}; i--)",
    "for (int i = {r} % 2; i < n; i += 2)",
    "for (long i = 0; i <= {r}; i++)",
)
_AROUND = (
    "for (int r = 0; r < {turns}; r++)",
    "for (int r = {turns} - 1; r >= 0; r--)",
    "for (int r = {turns} / 3; r < {turns}; r += 2)",
    "for (k = 0; k < {turns}; k++)",
)
_LOOPS = (
    "a[i] = (a[i] * 3 + b[i] + {r}) % 1009;",
    "y[i] = (y[i] + m[{r}][i % 24] * a[{r}]) % 997;",
    "b[i] = (b[i] + s[i].out + s[{r}].in[1]) % 1009;",
    "s[i].out = (s[i].out + a[i]) % 997; s[i].in[1] = (int)(b[i] % 11);",
    "c[i] = (unsigned char)(c[i] + a[i] + {r});",
    "p[i] = a[i] + {r};",
    "a[i] = {r} > 0 ? b[i] - y[{r} - 1] : i;",
)
_SHARED = ("a[i] = b[i] + a[i];", "y[i] = 5 + {r};", "for (int q = 0; q < 4; q++) m[i][q] += y[i] % 7;")
_SUMS = (
    ("+", "sum += a[i] % 7 * y[{r}];"),
    ("+", "sum += m[{r}][i % 24] * y[i] % 11;"),
    ("+", "sum += s[i].in[1] - c[i];"),
    ("^", "sum ^= b[i];"),
    ("max", "sum = a[i] > sum ? a[i] : sum;"),
)
_BETWEEN = (
    "y[{r}] = (b[{r}] + sum) % 1009;",
    "a[{r}] = sum % 1009;",
    "s[{r}].out += sum % 100;",
    "b[0] = sum % 91;",
    "y[{r}] += y[n - 1] % 13;",
    "m[{r}][3] = sum % 5 + {r};",
    "c[{r}] += 3;",
)
_ELSE = (
    "kept += sum % 11;",
    "most = sum % 7;",
    "most = sum & 3; y[{r}] = most;",
    "long t{t} = sum % 17; y[{r}] = t{t} * 2;",
    "if (sum % 2) y[{r}]++;",
    "p[0] = sum % 19;",
    "sum = sum / 2;",
)


def make_chains(site: Site) -> list[Stmt]:
    """The chains, with what they need."""
    rng = site.rng
    words = {"most": _MOST, "n": rng.choice((1, 2, 13, 100, 257, _MOST - 1)), "offset": rng.choice((0, 0, 1, 3))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    made = [_chain(rng) for _ in range(rng.choice((1, 2, 2)))]
    value = literally("a[q] * 7 + b[q] * 5 + c[q] + y[q] * 3 + s[q].in[1] * 3 + s[q].out + m[q][q % 24] + kept", LONG)
    seen = [check(site, "chains", _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*declared, *made, *seen), pinned=True)]


def _chain(rng: random.Random) -> Stmt:
    if rng.random() < 0.3:
        return Stmt((), tuple(_parts(rng, "k")))
    head = rng.choice(_AROUND)
    r = "k" if "(k =" in head else "r"
    inside = _parts(rng, r)
    around = Stmt((head.format(turns=rng.choice(("1", "4", "n", "n / 2 + 1"))),), tuple(inside))
    if rng.random() < 0.2:
        around = Stmt((f"for (int w = 0; w < {rng.choice((1, 3))}; w++)",), (around,))
    return around


def _parts(rng: random.Random, r: str) -> list[Stmt]:
    parts: list[Stmt] = []
    if rng.random() < 0.7:
        parts.append(line(f"long sum = {rng.choice(('0', '7', 'y[0]', 'b[n - 1] % 3'))};"))
    for _ in range(rng.choice((1, 2, 2, 3))):
        parts.append(_loop(rng, r))
        for _ in range(rng.choice((0, 1, 1, 2))):
            form = rng.choice(_BETWEEN if rng.random() < 0.85 else _ELSE)
            parts.append(line(form.format(r=r, t=len(parts))))
    return parts


def _loop(rng: random.Random, r: str) -> Stmt:
    head = rng.choice(_HEADS).format(r=r)
    if rng.random() < 0.5:
        op, body = rng.choice(_SUMS)
        pragma = Pragma(f"parallel for reduction({op} : sum)", required=True)
        return Stmt((head,), (line(body.format(r=r)),), pragmas=(pragma,))
    body = rng.choice(_LOOPS if rng.random() < 0.9 else _SHARED).format(r=r)
    return Stmt((head,), (line(body),), pragmas=(Pragma("parallel for", required=True),))
