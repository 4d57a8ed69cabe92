"""Loops that were divided into strips by hand, in nests of one to three, with loops of strips in many orders.

    for (int ii = 0; ii < n; ii += 4)
        for (int kk = 0; kk < (m + 2) / 3; kk++)
            for (int j = 0; j < w; j++)
                for (int k = kk * 3; k < least(m, (kk + 1) * 3); k++)
                    for (int i = ii; i < MIN(n, ii + 4); i++)
                        a[i][j] = (a[i][j] * 3 + u[j][k]) % 1009;

Sums whose order one, two or no loops decide, iterations of a strip that depend on each other, strips that are not cut,
or at another bound, ends that are declared, bodies that name the strip's counter.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 40
_CUTS = (
    "({end} < {next} ? {end} : {next})",
    "({next} > {end} ? {end} : {next})",
    "({next} <= {end} ? {next} : {end})",
    "{least}({next}, {end})",
    "{next}",
)
_DECLARED = (
    "static long a[{most}][{most}], u[{most}][{most}], b[{most}][{most}], r[{most}], seen[{most}];",
    "int n0 = {n0}, n1 = {n1}, n2 = {n2}, t = {t}; (void)n0; (void)n1; (void)n2; (void)t;",
    "for (int q = 0; q < {most}; q++) for (int p = 0; p < {most}; p++) {{",
    "a[q][p] = q + p, u[q][p] = (q * 5 + p * 7) % 31, b[q][p] = p - q; r[p] = p; }}",
)
_ANY = (
    "a[i][j] = (a[i][j] * 3 + u[j][k] + i) % 1009;",
    "a[i][j] += u[i][k] * u[k][j] % 17;",
    "r[i] = (r[i] * 5 + j * 7 + k) % 1013;",
    "a[i][j] = (a[i][j] + (j ? a[i][j - 1] : 1) * 3 + k) % 997;",
    "b[j][i] += a[i][j] + k;",
    "if ((i + j + k) % 3 == 0) continue; a[i][j] = (a[i][j] * 7 + k) % 1021;",
    "a[i][k] -= u[k][i] + j;",
)


@dataclass(frozen=True)
class _Dimension:
    """Heads of the loops, the outer one first, and the length of strips; None: it is not divided."""

    heads: tuple[str, ...]
    length: str | None


def make_strips(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    sizes = {f"n{place}": rng.choice((0, 1, 5, 8, 12, 17, 24)) for place in range(3)}
    words = {"most": _MOST, "t": rng.choice((1, 2, 3, 4, 8)), **sizes}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    least = site.names.file_scope("least")
    site.file.append(line(f"static int {least}(int p, int q) {{ return p < q ? p : q; }}", pinned=True))
    dimensions = [_dimension(rng, name, f"n{place}", least) for place, name in enumerate("ijk")]
    heads = _heads(rng, dimensions)
    body: list[Stmt] = [line(text) for text in _bodies(rng, dimensions[0])]
    if heads[-1].startswith("for (int k") and rng.random() < 0.3:
        sums = line(f"own = (own * 3 + {rng.choice(('u[i][k]', 'u[i][k]', 'a[i][k]'))} + k) % 1009;")
        last = "a[i][j] = own;" if rng.random() < 0.9 else "a[i][j] += own;"
        body = [line("long own = a[i][j];", pinned=True), Stmt((heads.pop(),), (sums,)), line(last)]
    for head in reversed(heads):
        body = [Stmt((head,), tuple(body))]
    (nest,) = body
    nest = replace(nest, pragmas=(Pragma("parallel for", required=True),))
    added = "for (int q = 0; q < {most}; q++) for (int p = 0; p < {most}; p++)"
    rest = " seen[q] += (p + 1) * (a[q][p] + b[q][p] * 3 + r[q] * 5);"
    sums = line((added + rest).format(**words), pinned=True)
    seen = [sums, check(site, "strips", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _heads(rng: random.Random, dimensions: list[_Dimension]) -> list[str]:
    """All loops: the first one is of the first dimension, and loops through strips are inside of those over them."""
    first, *rest = dimensions[0].heads
    left = [list(rest), *(list(each.heads) for each in dimensions[1:])]
    found = [first]
    while any(left):
        found.append(rng.choice([each for each in left if each]).pop(0))
    return found


def _dimension(rng: random.Random, i: str, n: str, least: str) -> _Dimension:
    if rng.random() < 0.25:
        return _Dimension((f"for (int {i} = 0; {i} < {n}; {i}++)",), None)
    s, length = i + i, rng.choice(("4", "3", "8", "t"))
    end = rng.choice((n, n, n, n, f"{n} - 1", f"{n} + 2"))
    cut = rng.choice(_CUTS)
    if rng.random() < 0.3:
        count = rng.choice((f"({n} + {length} - 1) / {length}", f"{n} / {length}", f"{n} / {length} + 1"))
        over, begin, following = f"for (int {s} = 0; {s} < {count}; {s}++)", f"{s} * {length}", f"({s} + 1) * {length}"
    else:
        over, begin, following = f"for (int {s} = 0; {s} < {n}; {s} += {length})", s, f"{s} + {length}"
    upper = cut.format(end=end, next=following, least=least)
    return _Dimension((over, f"for (int {i} = {begin}; {i} < {upper}; {i}++)"), length)


def _bodies(rng: random.Random, first: _Dimension) -> list[str]:
    found = [rng.choice(_ANY)]
    if first.length is not None and rng.random() < 0.25:  # within a strip, which begins at a multiple of its length
        found = [f"a[i][j] = (a[i][j] * 3 + (i % {first.length} ? a[i - 1][j] : 1) + k) % 991;"]
    if first.length is not None and rng.random() < 0.1:
        found.append("a[i][j] += ii;")
    if rng.random() < 0.15:
        found.append("r[i] += j - k;")
    return found
