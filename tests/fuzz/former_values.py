"""Nests whose iterations read what only later ones write, and such of which one thing makes that untrue.

    #pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            long sum = b[i][j];
            for (int k = i + 1; k < n; k++) sum += a[k][i] * b[k][j];          some begin with 0, or with i
            b[i][j] = sum % 1009;                                              some have it in front of the loop
        }

Or rows that are read whole, into a row of the iteration's own, before what is there is stored, or almost:

    #pragma omp parallel for
    for (int j = 0; j < m; j++) {
        long t[40];
        for (int i = 0; i < n; i++) { t[i] = 0;  for (int k = 0; k < n; k++) t[i] += b[j][k] * a[k][i]; }
        for (int i = 0; i < n; i++) b[j][i] = t[i] % 1009;
    }

In: a Site.   Out: arrays of its own; several nests; a check of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 40
_DECLARED = (
    "static long a[{most}][{most}], b[{most}][{most}]; static int p[{most}]; int n = {n}, m = {m};",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) a[q][r] = (q * 7 + r * 3) % 11 - 4;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) b[q][r] = (q * 5 + r * 13) % 23 - 9;",
    "for (int q = 0; q < {most}; q++) p[q] = q * {factor} % n; (void)p, (void)a;",
)
_LATER = (
    "for (int k = i + 1; k < n; k++) {term}",
    "for (int k = n - 1; k > i; k--) {term}",
    "for (int k = i + 2; k < n; k += 2) {term}",
    "for (int k = 0; k < n; k++) if (k > i) {term}",
)
_OWN = ("for (int k = i; k < n; k++) {term}", "for (int k = n - 1; k >= i; k--) {term}")
_EARLIER = (
    "for (int k = 0; k < i; k++) {term}",
    "for (int k = 0; k < n; k++) if (k != i) {term}",
    "for (int k = 0; k < n; k++) {term}",
    "for (int k = i > 0; k < n; k++) {term}",
    "for (int k = i; k < n; k++) sum += b[p[k]][j];",
    "{later} for (int k = 0; k < i; k++) {term}",
)
_TERMS = ("sum += a[k][i] * b[k][j];", "sum += b[k][j] * (k - i);", "sum ^= b[k][j];", "if (b[k][j] > 3) sum -= k;")
_STORES = ("b[i][j] = sum % 1009;", "b[i][j] += sum % 101;", "b[i][j] = (sum + b[i][j]) % 1009;")
_FIRST = ("b[i][j] = (b[i][j] * 3 + i) % 1009;", "if (b[i][j] & 1) b[i][j] = i - b[i][j] % 7;", "b[i][j] ^= i;")
_MORE = (
    "b[i][j] = (long)(&b[i][j] - &b[0][0]) - b[i][j];",
    "{{ long *at = &b[i][j]; *at += k0; }}",
    "{{ long (*rows)[{most}] = b; sum += rows[i > 0 ? i - 1 : 0][j]; }}",
)
_OF_ROWS = (
    "t[i] += b[j][k] * a[k][i];",
    "t[i] += b[j][k] * (k - i);",
    "t[i] ^= b[j][k] + b[j][i];",
    "if (b[j][k] > 3) t[i] -= k;",
)
_STORED = (
    "b[j][i] = t[i] % 1009;",
    "b[j][i] = (t[i] + a[i][j]) % 1009;",
    "if (t[i] % 3) b[j][i] = t[i] % 503;",
    "b[j][i] = (t[i] + b[j][i]) % 1009;",
    "b[j][i] += t[i] % 101;",
    "b[j][i] = (t[i] + t[0]) % 1009;",
    "b[j][n - 1 - i] = t[i] % 1009;",
    "b[j][i] = (t[i] + b[j][n - 1 - i]) % 1009;",
)
_BETWEEN = (
    "b[j][n / 2] = 5;",
    "for (int i = 0; i < n; i++) b[j][i] ^= t[i] & 7;",
    "for (int i = 0; i < n; i++) { b[j][i] += 1; t[i] += b[j][0]; }",
    "t[n / 2] += b[j][0];",
    "long *at = b[j]; at[0] = 3;",
)


def make_former_values(site: Site) -> list[Stmt]:
    """The nests, with what they need."""
    rng = site.rng
    n = rng.choice((1, 7, *(33, _MOST) * 3))
    words = {"most": _MOST, "n": n, "m": rng.choice((1, 5, 17, _MOST)), "factor": rng.choice((3, 7))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    nests = [_nest(rng) if rng.random() < 0.6 else _rows(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    value = literally(f"b[q / {_MOST}][q % {_MOST}]", LONG)
    seen = [check(site, "former", _MOST * _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*declared, *nests, *seen), pinned=True)]


def _nest(rng: random.Random) -> Stmt:
    term = rng.choice(_TERMS)
    later = rng.choice(_LATER).format(term=term)
    kind = rng.choice(("later", "later", "earlier", "earlier", "first", "first", "own", "more"))
    begins = rng.choice(("0", "b[i][j]", "i - j"))
    body = [f"long sum = {begins}; const int k0 = i; (void)k0;", later, rng.choice(_STORES)]
    match kind:
        case "earlier":
            body[1] = rng.choice(_EARLIER).format(term=term, later=later)
        case "own":
            body[1] = rng.choice(_OWN).format(term=term)
        case "first":
            body.insert(1, rng.choice(_FIRST))
            body[2] = rng.choice(_OWN).format(term=term)
        case "more":
            body.insert(rng.randrange(1, 4), rng.choice(_MORE).format(most=_MOST))
        case _:
            pass
    head = "for (int i = 0; i < n; i++)" if rng.random() < 0.8 else "for (int i = 0; i < n - 1; i++)"
    inner = Stmt((head,), tuple(map(line, body)))
    outer = "for (int j = 0; j < m; j++)"
    return Stmt((outer,), (inner,), pragmas=(Pragma("parallel for", required=True),))


def _rows(rng: random.Random) -> Stmt:
    """Rows that are read whole before they are stored, or almost."""
    turns = "for (int k = 0; k < n; k++) " if rng.random() < 0.7 else "for (int k = i; k < n; k++) "
    made = "t[i] = 0; " + turns + rng.choice(_OF_ROWS)
    head = "for (int i = 0; i < n; i++)"
    first, last = Stmt((head,), (line(made),)), Stmt((head,), (line(rng.choice(_STORED)),))
    between = [line(rng.choice(_BETWEEN))] if rng.random() < 0.3 else []
    row = "long t[n];" if rng.random() < 0.3 else f"long t[{_MOST}];"
    body = Stmt((), (line(row, pinned=True), first, *between, last))
    if rng.random() < 0.2:
        body = Stmt((), (line(row, pinned=True), first, last, first, last))
    outer = "for (int j = 0; j < m; j++)"
    return Stmt((outer,), (body,), pragmas=(Pragma("parallel for", required=True),))
