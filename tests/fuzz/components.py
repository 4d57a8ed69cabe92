"""Loops over the components of small vectors, inside of loops that add to them, or not quite.

    for (int i = 0; i < n; i++) {                  pragma
        long own[3] = {2};
        for (int j = 0; j < m; j++)
            for (int d = 0; d < 3; d++)
                v[i][d] += (u[j][d] - own[d]) * j;

Components in memory, by two subscripts or one, or in an array of the iteration; loops that count up, down or by two,
with a jump, with a counter from outside, inside of each other; elements of neighbours, and what else is in the loop.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 24
_DECLARED = (
    "static long v[{most}][4], w[{most} * 4], u[{most}][4], seen[{most}];",
    "int n = {n}, m = {m}; (void)n; (void)m;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < 4; r++)",
    "v[q][r] = q + r, w[q * 4 + r] = q - r, u[q][r] = (q * 5 + r * 3) % 17;",
)
_HEADS = (
    "for (int d = 0; d < {c}; d++)", "for (int d = 0; d < {c}; d++)", "for (int d = 0; d < {c}; d++)",
    "for (int d = {c} - 1; d >= 0; d--)", "for (int d = 0; d < {c}; d += 2)", "for (d = 0; d < {c}; d++)",
    "for (int d = -1; d < {c} - 1; d++)", "for (long d = 0; d <= {c} - 1; d++)",
)  # fmt: skip
_BODIES = (
    "v[i][{d}] += u[j][{d}] * (i - j);", "w[i * 4 + {d}] -= u[j][{d}] + i;", "own[{d}] += u[j][{d}] % (j + 1);",
    "own[{d}] = own[{d}] * 3 % 89 + u[j][{d}];", "own[{d}] += v[i][{d}]; v[i][{d}] += j;",
    "if (u[j][{d}] == 3) break; own[{d}] += 2;", "if (u[j][{d}] > 4) continue; v[i][{d}] ^= j;",
    "v[i][{d}] += v[i][({d} + 1) % 4] % 5;", "long t = u[j][{d}] * 2; own[{d}] += t; t++; w[i * 4 + {d}] += t;",
    "own[{d}] += *(own + {d}) % 7;", "w[i * 4 + {d}] += own[{d}]; own[{d}] |= j;",
)  # fmt: skip
_BESIDE = ("own[1] += j;", "total += own[0];", "v[i][2] -= j;", "if (j == 3) continue;", "w[i * 4] += total;", "")


def make_components(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    words = {"most": _MOST, "n": rng.choice((0, 1, 7, 24)), "m": rng.choice((0, 1, 2, 9, 24))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    values = rng.choice(("{2, 5}", "{0}", "{1, 2, 3, i}", "{i}"))
    declared_inside = f"long own[{rng.choice('445')}] = {values}; long total = i; int d = 0; (void)d;"
    before: list[Stmt] = [line(declared_inside, pinned=True)]
    if rng.random() < 0.5:
        before.append(_loop(site, ("v[i][{d}] = 0;", "own[{d}] = i;", "w[i * 4 + {d}] = v[i][{d}];")))
    inner: list[Stmt] = [_loop(site, _BODIES) for _ in range(rng.choice((1, 1, 2)))]
    inner.insert(rng.randrange(len(inner) + 1), line(rng.choice(_BESIDE) or ";"))
    over = Stmt(("for (int j = 0; j < m; j++)",), tuple(inner))
    behind = line("for (int d = 0; d < 4; d++) v[i][d] += own[d] * (d + 1); w[i * 4] += total + d;", pinned=True)
    nest = Stmt(
        ("for (int i = 0; i < n; i++)",), (*before, over, behind), pragmas=(Pragma("parallel for", required=True),)
    )
    added = "for (int q = 0; q < {most}; q++) for (int r = 0; r < 4; r++)"
    sums = line((added + " seen[q] += (r + 1) * (v[q][r] + w[q * 4 + r] * 3);").format(**words), pinned=True)
    seen = [sums, check(site, "components", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _loop(site: Site, bodies: tuple[str, ...]) -> Stmt:
    rng = site.rng
    head = rng.choice(_HEADS).format(c=rng.choice((1, 2, 3, 3, 4)))
    component = "(d + 1)" if "= -1" in head else "d"
    body: tuple[Stmt, ...] = (line(rng.choice(bodies).format(d=component)),)
    if rng.random() < 0.15:
        body = (Stmt(("for (int e = 0; e < 2; e++)",), body),)
    return Stmt((head,), body)
