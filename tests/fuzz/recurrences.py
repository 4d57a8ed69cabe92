"""Inner loops that carry values along arrays: solvers line by line, filters, and such of which one thing is another.

    for (int i = 0; i < n; i++)
        for (int j = from; j < to; j++) {
            j1 = j + 1;
            g[i][j][0] = (g[i][j - 1][0] * 3 + g[i][j][1]) % 1009;
            for (m = 0; m < 3; m++) g[i][j1][m] += g[i][j][m] % 7;
        }

Up and down, from no iteration to many, elements of rows, columns, arrays of the iteration's own, narrow ones, rows
behind pointers, conditions that do not change in the loop and such that do.

In: a Site.   Out: arrays of its own; a loop with such loops in it; a check of what they leave.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _WIDE, _NEAR = 64, 40, 3
_DECLARED = (
    "static long g[{rows}][{wide}][3], v[{wide}][{rows}], seen[{rows}]; static int h[{rows}][{wide}];",
    "static unsigned char c[{rows}][{wide}]; static long f[{rows} * {wide}], w[{rows}][{wide}][{wide}];",
    "int n = {n}, from = {first}, to = {last}, k = {k}; (void)k; (void)from; (void)to;",
    "for (int q = 0; q < {rows}; q++) for (int j = 0; j < {wide}; j++) {{ h[q][j] = q * 5 + j; c[q][j] = q + j * 3;",
    "v[j][q] = q * 7 + j; f[q * {wide} + j] = q + j % 5;",
    "for (int e = 0; e < {wide}; e++) w[q][j][e] = (q + j * 3 + e) % 17;",
    "for (int e = 0; e < 3; e++) g[q][j][e] = (q * 3 + j * 5 + e) % 101; }}",
)
_STEPS = (
    "g[i][j{o}][{e}] = (g[i][j{p}][{e}] * 3 + {x}) % 1009;",
    "g[i][j{o}][{e}] += g[i][j{p}][{s}] % 7;",
    "for (m = 0; m < 3; m++) g[i][j{o}][m] = (g[i][j{p}][m] + g[i][j{o}][m]) % 997;",
    "t[j{o}][{b}] = (t[j{p}][{b}] + t[j{p}][{a}] * 5) % 1009;",
    "t[j{o}][{b}] = (t[j{p}][{b}] * 2 + g[i][j][{e}]) % 1009; t[j][{a}] = t[j{p}][{b}];",
    "h[i][j{o}] = (h[i][j{p}] * 2 + h[i][j{o}]) % 509;",
    "h[i][j{o}] -= h[i][j{p}] % 3; h[i][j{o}] += {x};",
    "c[i][j{o}] = (unsigned char)(c[i][j{p}] + h[i][j{o}]);",
    "v[j{o}][i] = (v[j{p}][i] * 3 + v[j{o}][i] + {x}) % 1009;",
    "row[j{o}] = (row[j{p}] + g[i][j{o}][{e}] * 3) % 1013;",
    "j1 = j + 1; g[i][j1][{e}] = (g[i][j1][{e}] + g[i][j][{s}] * 2) % 1009;",
    "j2 = j - 2; j1 = j2 + 1; h[i][j] = (h[i][j1] + h[i][j2] * 3) % 997;",
    "m = 2; g[i][j{o}][m] = (g[i][j{p}][m - 1] + g[i][j{p}][m]) % 1009;",
    "for (m = 0; m < 2; m++) {{ t[j{o}][m] += t[j{p}][m] % 5; g[i][j{o}][m] = (g[i][j{p}][m + 1] + {x}) % 503; }}",
    "long x{at} = g[i][j{p}][{e}]; g[i][j{o}][{e}] = (x{at} * 2 + t[j][{a}]) % 1009;",
)
_ELSE = (
    "if (h[i][j] % 2) g[i][j{o}][{e}] = g[i][j{p}][{e}] + 1;",
    "if (j == 5) continue;",
    "g[i][(j * 2) % 30][{e}] = (g[i][j{p}][{e}] + 1) % 1009;",
    "k2 = j % 3; g[i][j{o}][k2] = (g[i][j{p}][{e}] + 1) % 1009;",
    "t[j % 7][{a}] = t[j{p}][{b}] % 1009;",
    "h[i][j] = j > 9 ? h[i][j{p}] % 100 : h[i][j{o}];",
    "w[i][k][j{o}] = (w[i][k][j{p}] * 3 + w[i][j{p}][k]) % 1009;",
    "w[i][j{o}][{e}] = (w[i][j{p}][{e}] + w[i][{e}][j{p}] * 3) % 1009;",
    "w[i][j{o}][k] -= w[i][j{p}][k] % 7; m += (int)w[i][k][j] % 5;",
    "j1 += 1; j1 %= 30; h[i][j1] = (h[i][j1] + h[i][j{p}]) % 997;",
    "row[j{o}] = (row[j{p}] + f[i * {wide} + j{p}]) % 1013;",
    "int at{at} = j; {{ int *led = &at{at}; *led += 1; }} h[i][at{at}] = (h[i][at{at}] + h[i][at{at} - 1]) % 997;",
    "for (m = 0; m < 2; m++) t[j{o}][m] += t[j{p}][m] % 5; if (k > 100) k2 = 3; seen[i] += m; m = 7;",
)
_HIDDEN = ("long i = j & 3; m += (int)i % 2;", "long h = j & 1; m += (int)h;", "int k = j % 3; m += k;")
"""At the end of an iteration: other variables by the names of what it has used."""
_HEADS = (
    "for (int j = from; j < to; j++)",
    "for (int j = from; j <= to - 1; ++j)",
    "for (j = from; j < to; j++)",
    "for (int j = to - 1; j >= from; j--)",
    "for (j = to; j > from; j -= 1)",
    "for (long j = from; j < to; j += 1)",
    "for (int j = 3; j < 3 + {turns}; j++)",
    "for (int j = from; j < to; j += 2)",
    "for (int j = from + i % 4; j < to - i % 3; j++)",
    "for (unsigned j = from; j < (unsigned)to; j++)",
)
_GUARDS = ("if (i < n - 2)", "if (k > 3 && i != 7)", "if (i % 2 == 0)")


def make_recurrences(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    first = rng.choice((3, 3, 4, 9))
    words = {
        "rows": _ROWS,
        "wide": _WIDE,
        "n": rng.choice((1, 2, 33, _ROWS)),
        "first": first,
        "last": rng.choice((first - 1, first, first + 1, first + 2, first + 3, first + 4, 20, _WIDE - 4)),
        "k": rng.randrange(8),
    }
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    own = "long t[{wide}][2], *row = f + i * {wide}; int j1 = 3, j2 = 0, m = 0, k2 = 0, j = 0;".format(**words)
    filled = "for (int q = 0; q < {wide}; q++) t[q][0] = q + i, t[q][1] = i * 3 - q; row[1] += 3;".format(**words)
    used = "for (int q = 0; q < {wide}; q++) seen[i] += (q + 1) * (t[q][0] * 3 + t[q][1]);".format(**words)
    last = line("seen[i] += j + j1 * 3 + j2 * 5 + m + k2;")
    loops = [_loop(rng, words) for _ in range(rng.choice((1, 1, 2, 3)))]
    body = Stmt((), (line(own, pinned=True), line(filled, pinned=True), *loops, line(used), last))
    made = Stmt(("for (int i = 0; i < n; i++)",), (body,), pragmas=(Pragma("parallel for", required=True),))
    sums = "for (int q = 0; q < {rows}; q++) for (int j = 0; j < {wide}; j++) seen[q] += (j + 1) * (g[q][j][0]"
    sums += " + w[q][j][k] * 19 + w[q][k][j] * 23 + w[q][j][0] * 29"
    rest = " + g[q][j][1] * 3 + g[q][j][2] * 5 + v[j][q] * 7 + h[q][j] * 11 + c[q][j] * 13 + f[q * {wide} + j] * 17);"
    added = line((sums + rest).format(**words), pinned=True)
    seen = [added, check(site, "recurrences", _ROWS, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, made, *seen), pinned=True)]


def _loop(rng: random.Random, words: Mapping[str, int]) -> Stmt:
    head = rng.choice(_HEADS).format(turns=rng.choice((1, 2, 3, 4, 20)))
    if rng.random() < 0.6:  # what is known when it is translated
        head = head.replace("from", str(words["first"])).replace("to", str(words["last"]))
    steps = [_step(rng, at) for at in range(rng.choice((1, 2, 2, 3, 4)))]
    if rng.random() < 0.25:
        guard = rng.choice(_GUARDS)
        steps = [Stmt((guard,), (*steps,))] if rng.random() < 0.7 else [Stmt((guard,), (steps[0],)), *steps[1:]]
    if rng.random() < 0.15:
        steps.append(line(rng.choice(_HIDDEN)))
    return Stmt((head,), tuple(steps))


def _step(rng: random.Random, at: int) -> Stmt:
    def place() -> str:
        found = rng.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2, 3)) if rng.random() < 0.9 else -3
        return "" if found == 0 else f" {'+' if found > 0 else '-'} {abs(found)}"

    form = rng.choice(_STEPS if rng.random() < 0.85 else _ELSE)
    numbers = {"e": rng.randrange(3), "s": rng.randrange(3), "a": rng.randrange(2), "b": rng.randrange(2)}
    return line(form.format(o=place(), p=place(), x=rng.randrange(50), at=at, wide=_WIDE, **numbers))
