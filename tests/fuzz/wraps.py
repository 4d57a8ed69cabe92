"""Nests with subscripts that are one of several numbers: neighbours in a periodic domain, reflections, remainders.

    for (int i = 0; i < n; i++)                    pragma
        for (int j = 0; j < m; j++) {
            int x = j == m - 1 ? 0 : j + 1, y = (i + 1) % n;
            p[i * m + j].s[0] += p[y * m + x].s[1];
            p[y * m + x].s[1] = j;
        }

Rows are each iteration's own, so the pragma holds. Within a row some subscripts meet all elements once, others the same
element twice or out of order; members of structs that are touched by neighbours, in unions as well, or by bit-fields.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 24
_DECLARED = (
    "static long a[{most}][{most}], b[{most} * {most}], seen[{most}];",
    "static struct {{ long u, v; long s[3]; union {{ int w; short h[2]; }}; int f : 9, g : 9; }} p[{most} * {most}];",
    "int n = {n}, m = {m}, t = {t}; (void)n; (void)m; (void)t;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) {{ int k = q * {most} + r;",
    "a[q][r] = q * 3 + r, b[k] = k % 37, p[k].u = q - r, p[k].v = k, p[k].s[0] = r, p[k].s[1] = q, p[k].s[2] = 1;",
    "p[k].w = 0, p[k].f = 0, p[k].g = 0; }}",
)
_ONCE = (  # each element once
    "{c} == {n} - 1 ? 0 : {c} + 1", "{c} == 0 ? {n} - 1 : {c} - 1", "({c} + 1) % {n}", "({c} - 1 + {n}) % {n}",
    "{c} < {n} - 1 ? {c} + 1 : 0", "{n} - 1 - {c}", "{c} > 0 ? {c} - 1 : {n} - 1", "({c} + t) % {n}",
)  # fmt: skip
_ANY = (
    "{c} > 2 ? {c} : 0", "({c} * 2) % {n}", "{c} % 2 ? {c} - 1 : {c}", "{c} < t ? 0 : {c}", "({c} + {c} / 2) % {n}",
    "({c} == t ? 1 : {c}) % {n}", "{c} >= {n} - 1 ? {c} : {c} + 1", "{c} % 3 == 0 ? {c} : {n} - 1 - {c}",
)  # fmt: skip
_BODIES = (
    "a[{y}][x] = (a[{y}][x] * 3 + j + b[i * m + j]) % 1009;",
    "b[{y} * m + x] = (b[{y} * m + x] * 5 + j) % 997;",
    "b[i * m + j] += a[i][x] + j;",
    "a[i][j] = (a[i][x] + j) % 1013;",
    "p[i * m + j].s[0] += p[i * m + x].s[1]; p[i * m + x].s[1] = j;",
    "p[i * m + j].u += j; p[i * m + x].v = p[i * m + x].v * 3 % 101 + j;",
    "p[i * m + x].s[j % 3] += j; p[i * m + j].s[0] = p[i * m + j].s[0] * 3 % 91;",
    "p[i * m + j].w = j; p[i * m + x].h[0] += 1;",
    "p[i * m + j].f = j; p[i * m + x].g += 1;",
    "{{ long q = p[i * m + j].s[0]; p[i * m + j].s[0] = p[{y} * m + x].s[1]; p[{y} * m + x].s[1] = q + j; }}",
    "if (j == x) b[i * m + x] = 7; else b[i * m + x] = (b[i * m + x] + j) % 89;",
)


def make_wraps(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    sizes = {name: rng.choice((0, 1, 2, 5, 8, 13, 24)) for name in "nm"}
    words = {"most": _MOST, "t": rng.choice((0, 1, 2, 3, 7, 40)), **sizes}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    x = rng.choice(_ONCE if rng.random() < 0.5 else _ANY).format(c="j", n="m")
    y = rng.choice(_ONCE).format(c="i", n="n")
    own = line(f"int x = {x}, y = {y}; (void)y;", pinned=True)
    bodies = [rng.choice(_BODIES).format(y=rng.choice(("y", "i"))) for _ in range(rng.choice((1, 1, 2)))]
    if len(bodies) > 1 and any("[y" in body for body in bodies):  # another iteration's row, in one of them alone
        bodies = bodies[:1]
    if any("a[y]" in body and "b[i " in body for body in bodies):
        bodies = [body.replace("b[i * m + j]", "x") for body in bodies]
    inner = Stmt(("for (int j = 0; j < m; j++)",), (own, *(line(body) for body in bodies)))
    nest = Stmt(("for (int i = 0; i < n; i++)",), (inner,), pragmas=(Pragma("parallel for", required=True),))
    added = (
        "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) {{ int k = q * {most} + r;"
        " seen[q] += (r + 1) * (a[q][r] + b[k] * 3 + p[k].u * 5 + p[k].v * 7 + p[k].s[0] * 11 + p[k].s[1] * 13"
        " + p[k].s[2] + p[k].w * 17 + p[k].f * 19 + p[k].g * 23); }}"
    )
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "wraps", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]
