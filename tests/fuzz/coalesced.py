"""Loops inside each other that threads of a group may divide as one, in iterations that may end early.

    for (int i = 0; i < n; i++) {                  pragma
        {t} own[R][C + 1];
        if (m > limit[1]) exit(7);
        for (int r = 0; r < m; r++) {
            long s = r * 3;
            for (int c = 0; c < w; c++) own[r][c] = x[i][r][c] + s;
        }
        stages(l, m, own, ...);
    }

Bounds are the program's, the iteration's, or move; what is between the loops is set there, handed on, or what others
look at; a loop is left in its last iteration, or before; rows have lengths that the program sets once.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST, _ROWS, _COLUMNS = 14, 70, 40
_DECLARED = (
    "static {t} x[{most}][{rows}][{columns} + 1], y[{most}][{rows}][{columns} + 1];",
    "static int limit[2]; static long seen[{most}]; int n = {n}, m = {m}, w = {w}; (void)n; (void)m; (void)w;",
    "limit[1] = 100; for (int q = 0; q < {most}; q++) for (int r = 0; r < {rows}; r++)",
    "for (int c = 0; c <= {columns}; c++) {{ x[q][r][c] = q + r * c % 11; y[q][r][c] = (q * 7 + r + c) % 13; }}",
)
_OWN = (
    "{t} own[{rows}][{columns} + 1]; long s = i, at = 0, few = 1 + i % 7 * 8; int l = 0, u = 5; (void)few; (void)l;"
    " (void)u; (void)at; for (int r = 0; r < {rows}; r++) for (int c = 0; c <= {columns}; c++) own[r][c] = r - c;"
)
_TYPES = ("unsigned", "unsigned long", "unsigned", "short", "unsigned char")
_BEGIN = (
    "", "", "if (m > limit[1]) exit(7);", "if (w < 0 || limit[1] < 3) {{ printf(\"wrong\\n\"); exit(8); }}",
    "if (x[i][0][0] > 100000) exit(9);", "if (limit[0] + 200 < limit[1]) exit(6);",
)  # fmt: skip
_OUTER = (
    "for (int r = 0; r < m; r++)", "for (int r = 0; r < m; r++)", "for (int r = m - 1; r >= 0; r--)",
    "for (unsigned r = 0; r < (unsigned)m; r++)", "for (int r = 0; r <= m - 1; r += 2)",
    "for (long r = 0; r < few; r++)",
    "for (short r = 1; r < m; r++)", "for (int r = 0; r < m && r < 9; r++)",
)  # fmt: skip
_INNER = (
    "for (int c = 0; c < w; c++)", "for (int c = 0; c < w; c++)", "for (int c = w; c > 0; c--)",
    "for (int c = 0; c < {columns}; c += 3)", "for (int c = 0; c <= r % 3 + w / 2; c++)", "for (int c = 0; c < u; c++)",
    "for (int c = 2; c < w; c++)", "for (unsigned char c = 0; c < w; c++)", "for (int c = 0; c < 3; c++)",
    "for (int c = 0; c < w; c++) for (int d = 0; d < 9; d++)",
)  # fmt: skip
_BETWEEN = (
    "", "", "long s2 = r * 3; s = s2;", "s = r; {t} f = y[i][r][0]; s += f;", "if (r % 2) s = r; else s = -r;",
    "u = r % 5;",
    "s += r;", "own[r][1] = s;", "y[i][r][0]++;", "struct pair {{ {t} a, b; }} p = {{ y[i][r][1], r }}; s = p.a - p.b;",
    "if (r % 4 == 1) continue;", "at = r * {columns};", "x[i][r][0] = s;",
)  # fmt: skip
_ENTRY = (
    "own[r][c] = x[i][r][c] + s;", "own[r][c] += y[i][r][c] - s;", "x[i][r][c] = own[r][c] * 3 + s;",
    "y[i][r][c] ^= s;",
    "x[i][r][c] += y[i][{columns} - 1 - c][r % {columns}];", "own[r][c] = own[r][c + 1] + 1;",
    "own[c][r % {columns}] = r + s;",
    "x[i][r][c] += x[i][r][c + 1];", "s += x[i][r][c] % 3;", "{{ s = c; x[i][r][c] += s; }}", "own[r][c] += at++;",
    "x[i][(r + c) % {rows}][c] += 1;", "{{ {t} e[2]; e[0] = c; e[1] = own[r][c]; x[i][r][c] += e[c % 2]; }}",
    "{{ if (c == 4) continue; own[r][c] -= c; }}", "x[i][r + 1 < m ? r + 1 : 0][c] += own[r][c];",
    "y[i][r][c] += own[r][w - 1 - c % w];",
)  # fmt: skip
_BEHIND = ("", "", "own[r][0] = 1;", "s -= 2;", "y[i][r][2] += s;", "y[i][0][0] += r;")
_LEFT = (
    "", "", "if (l == m) {{ y[i][0][1] += l; break; }}", "if (l == m) break;",
    "if (m == l && s > 2) {{ s = 1; break; }}",
    "if (l == m - 1) break;", "if (l + 1 == m) break;", "if (l > 4) break;",
    "if (l == m - 2) {{ own[0][0]++; break; }}",
)  # fmt: skip
_STAGES = (
    "for (int l = 1; l <= m; l += {step})", "for (l = 1; l <= m; l += {step})", "for (int l = 0; l < m; l++)",
    "for (l = 0; l < m; l++)", "for (int l = 1; l <= 7; l += 3)",
)  # fmt: skip


def make_coalesced(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    words = {"most": _MOST, "rows": _ROWS, "columns": _COLUMNS, "t": rng.choice(_TYPES), "step": rng.choice((1, 2, 3))}
    words |= {"n": rng.choice((0, 1, 5, _MOST, _MOST)), "m": rng.choice((1, 9, 64, 65))}
    words |= {"w": rng.choice((1, 8, 33, 39))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    inner = [line((_OWN + " " + rng.choice(_BEGIN)).format(**words), pinned=True)]
    inner += [_nest(site, words) for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.random() < 0.5:
        left = line(rng.choice(_LEFT).format(**words), pinned=True)
        stages = (_nest(site, words), left, _nest(site, words)) if rng.random() < 0.6 else (_nest(site, words), left)
        inner.append(Stmt((rng.choice(_STAGES).format(**words),), stages))
        inner.append(line("y[i][2][2] += s + l;" if rng.random() < 0.3 else "y[i][2][2] += s;"))
    inner.append(line("for (int r = 0; r < {rows}; r++) x[i][r][2] += own[r][r % {columns}];".format(**words)))
    pragma = Pragma("parallel for", required=True)
    nest = Stmt(("for (int i = 0; i < n; i++)",), tuple(inner), pragmas=(pragma,))
    added = "for (int q = 0; q < {most}; q++) for (int r = 0; r < {rows}; r++) for (int c = 0; c <= {columns}; c++) "
    added += "seen[q] = (seen[q] * 3 + x[q][r][c] + 5 * y[q][r][c]) % 100003;"
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "coalesced", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _nest(site: Site, words: dict[str, object]) -> Stmt:
    rng = site.rng
    between, behind = rng.choice(_BETWEEN).format(**words), rng.choice(_BEHIND).format(**words)
    entry = line(rng.choice(_ENTRY).format(**words))
    return Stmt(
        (rng.choice(_OUTER).format(**words),),
        (line(between, pinned=True), Stmt((rng.choice(_INNER).format(**words),), (entry,)), line(behind, pinned=True)),
    )
