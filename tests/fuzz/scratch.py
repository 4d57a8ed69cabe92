"""Loops whose iterations allocate blocks and free them again, or keep them.

    #pragma omp parallel for
    for (int i = 0; i < 60; i++) {
        long *p = malloc(m * sizeof *p);
        if (!p) exit(1);
        for (int k = 0; k < m; k++) p[k] = i * k % 13;
        ...
        free(p);
    }

Most of them are arrays of the iteration's own. Others are not: blocks that change names, that outlive the iteration,
whose size each iteration has of its own.

In: a Site.   Out: arrays of its own; loops; checks of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_TURNS = 60

FUNCTIONS = """\
static void fill_block(long *p, int m, int i)
{
    for (int k = 0; k < m; k++) p[k] = (i + k * 3) % 17;
}
static long sum_of_block(const long *p, int m)
{
    long sum = 0, *copy = malloc(m * sizeof *copy);
    for (int k = 0; k < m; k++) copy[k] = p[k];
    for (int k = 0; k < m; k++) sum += copy[m - 1 - k] * (k + 1);
    free(copy);
    return sum;
}
"""

_SIZES = (
    "malloc(m * sizeof(long))", "(long *)malloc(sizeof(long) * (m + 1))", "calloc(m + 2, sizeof(long))",
    "calloc(1, (m + 1) * sizeof(long))", "malloc(bytes)", "malloc(24 * sizeof(long))", "(void *)calloc(24, 8)",
    "malloc(sizeof(long[2]) * m)",
)  # fmt: skip
_OF_ITERATION = ("malloc((m + i % 3) * sizeof(long))", "calloc(m + i % 2, sizeof(long))")
_CHECKS = ("", "", "if (!p) exit(1); ", "if (p == NULL) continue; ", "if (p != NULL && m > 2) a[i]++; ")
_FILLS = (
    "for (int k = 0; k < m; k++) p[k] = (i * k + {n}) % 13;",
    "fill_block(p, m, i + {n});",
    "{ long *end = p + m; for (long *q = p; q < end; q++) *q = i + (q - p) * {n}; }",
    "memset(p, 0, m * sizeof(long)); for (int k = i % 3; k < m; k += 2) p[k] += {n};",
)
_USES = (
    "for (int k = 0; k < m; k++) a[i] += p[m - 1 - k] * k;",
    "a[i] += sum_of_block(p, m) + {n};",
    "for (int k = 1; k < m; k++) p[k] += p[k - 1]; a[i] += p[m - 1] % 1009;",
    "if (i % 4 != 1) a[i] += p[i % m]; else a[i] -= *(p + m / 2);",
)
_EARLY = ("if (i % 5 == {n}) { a[i]--; free(p); continue; }", "if (i % 7 == {n}) { free(p); p = NULL; continue; }")
_ENDS = (
    "free(p);", "free(p), p = NULL;", "if (p) { free(p); p = NULL; }", "if (p != NULL) free(p);", "free((void *)p);",
)  # fmt: skip
_KEPT = (
    "if (i % 3 == 0) { kept[i] = p; } else free(p);",
    "{ long *q = calloc(m, sizeof *q), *other = p; p = q; q = other; a[i] += p[0] + q[0]; free(q); } free(p);",
    "p = realloc(p, (m + 9) * sizeof *p); p[m + 8] = i; a[i] += p[m + 8]; free(p);",
    "for (int turn = 0; turn < 3; turn++) { if (p) a[i]++; if (turn == 1) { free(p); p = NULL; } } free(p);",
)


def make_scratch(site: Site) -> list[Stmt]:
    """The loops, with what they need."""
    rng = site.rng
    m = rng.choice((1, 3, 8, 17, 23))
    declared = [
        line(f"static long a[{_TURNS}]; static long *kept[{_TURNS}]; const int m = {m};", pinned=True),
        line(f"const size_t bytes = (m + {rng.randrange(4)}) * sizeof(long); (void)kept; (void)bytes;", pinned=True),
        line(f"for (int q = 0; q < {_TURNS}; q++) a[q] = q * 7 % 31, kept[q] = NULL;", pinned=True),
    ]
    loops = [_loop(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    behind = line(f"for (int q = 0; q < {_TURNS}; q++) if (kept[q]) a[q] += kept[q][0], free(kept[q]);", pinned=True)
    seen = [check(site, "scratch", _TURNS, literally("a[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, *loops, behind, *seen), pinned=True)]


def _loop(rng: random.Random) -> Stmt:
    n = str(rng.randrange(1, 5))
    outside = rng.random() < 0.3
    size = rng.choice(_OF_ITERATION if rng.random() < 0.1 else _SIZES)
    parts = [f"{'' if outside else 'long *'}p = {size}; {rng.choice(_CHECKS)}", rng.choice(_FILLS)]
    parts += [rng.choice(_USES) for _ in range(rng.choice((1, 1, 2)))]
    parts += [rng.choice(_EARLY)] if rng.random() < 0.2 else []
    parts += [rng.choice(_USES), rng.choice(_KEPT if rng.random() < 0.15 else _ENDS)]
    text = " ".join(parts).replace("{n}", n)
    if "continue" not in text and "kept" not in text and rng.random() < 0.3:
        text = f"for (int again = 0; again < 2; again++) {{ {text} }}"
    pragma = Pragma("parallel for private(p)" if outside else "parallel for", required=True)
    loop = Stmt((f"for (int i = 0; i < {_TURNS}; i++)",), (line(f"{{ {text} }}"),), pragmas=(pragma,))
    return Stmt((), (line("long *p = NULL; (void)p;", pinned=True), loop), pinned=True)
