"""Rows behind pointers, around whose inner loops stand loops of as many turns as each row wants.

    for (int i = 0; i < n; i++) {                  pragma
        long *p = x + place[i];
        for (int k = 0; k < turns[i]; k++) {
            const long *q = y + (i + k) % n * m;
            struct part d;
            for (int j = 0; j < m; j++) { d.a = q[j]; d.b = k; p[j] += d.a - d.b; }
        }
    }

The turns come from memory, from the row, from a variable that the turns change, or from what an inner loop stores; the
pointers move between turns, or inside the inner loop; what the loop's variable is behind it is asked, or not.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST, _ROW = 24, 64
_DECLARED = (
    "struct part {{ {t} a; long b; }} part = {{ 1, 2 }}; (void)part;",
    "static {t} x[{most} * {row}], y[({most} + 1) * {row}]; static int turns[{most}], more[{most} + 1], place[{most}];",
    "static long seen[{most}]; int n = {n}, m = {m}, k = 0; (void)n; (void)m; (void)k;",
    "for (int q = 0; q < {most}; q++) {{ place[q] = (q * 5 + 3) % {most} * {row};",
    "turns[q] = q * 7 % 5, more[q + 1] = q % 3;",
    "for (int r = 0; r < {row}; r++) x[q * {row} + r] = q + r, y[q * {row} + r] = (q * 3 + r) % 11; }}",
)
_TYPES = ("int", "long", "unsigned", "short", "unsigned char")
_POINTERS = (
    "{t} *p = x + place[i];", "{t} *p = x + place[i];", "{t} *p = &x[place[i]];", "{t} *p = &x[0] + place[i];",
    "{t} *p = x + place[i]; p++;", "{t} *p = x; p += place[i];",
    "{t} *p; if (i & 1) p = x + place[i]; else p = &x[place[i]];",
    "int at = place[i] / 2; {t} *p = x + 2 * at; at = place[i]; (void)at;",
    "{t} (*rows)[{row}] = ({t} (*)[{row}])x, *p = rows[place[i] / {row}];",
)  # fmt: skip
_HEADS = (
    "for (int k = 0; k < turns[i]; k++)", "for (int k = 0; k < turns[i]; k++)", "for (k = 0; k < turns[i]; k++)",
    "for (int k = 0; k < i % 4; k++)", "for (k = i % 3; k < 4; k++)", "for (int k = turns[i]; k > 0; k--)",
    "for (int k = 1; k <= more[i + 1]; k += 2)", "for (long k = 0; k < of_row % 5; k++)", "for (int k = 0; k < 3; k++)",
    "for (int k = 0; k < p[0] % 4; k++)", "for (int k = turns[i] / 2; k < turns[i]; k++)",
    "if (turns[i] > 1) for (k = 0; k < turns[i]; k++)", "for (unsigned char k = 0; k < turns[i]; k++)",
)  # fmt: skip
_BEFORE = (
    "", "", "const {t} *q = y + (i + k) % {most} * {row};", "const {t} *q = &y[place[(i + k) % {most}]];",
    "of_row -= k > 1;", "if (k == 1) turns[i]--;", "turns[i] -= turns[i] > 3;", "if (k == 2) continue;",
    "p[m] += k;", "p += k & 1;", "if (p[1] % 7 == 3) break;", "part.a = k;",
)  # fmt: skip
_INNER = (
    "p[j] += {q}[j] + k;", "p[j] = p[j] * 3 + {q}[j];", "{{ struct part d = {{ {q}[j], j }}; p[j] ^= d.a + d.b; }}",
    "{{ struct part d; d.a = {q}[j]; d.b = k; p[j] += d.a - d.b; }}",
    "{{ part.a = {q}[j]; part.b = j; p[j] += part.a + part.b; }}",
    "{{ p[j] += part.b; part.a = {q}[j]; }}", "{{ {t} own[3]; own[0] = {q}[j]; own[k % 2 + 1] = k; p[j] += own[0]; }}",
    "p[j] += p[j + 1];", "p[j] += p[m - 1 - j] % 5;", "p[2 * j % 40] += k;", "p[j / 2] += {q}[j];",
    "{{ p[0] += {q}[j]; p += j == 3; }}", "{{ of_row += {q}[j] % 3; p[j] += of_row; }}", "of_row += {q}[j] % 2;",
    "{{ {t} *r = p + (j & 1); r[j] = r[j] * 3 + {q}[j]; }}", "{{ {t} *r = p + m - j; r[j] = r[j] * 3 + j; }}",
    "{{ {t} *r = p; r[j] += {q}[j]; }}", "{{ {t} *r = p + 1; r[j] += p[j]; }}", "{{ x[place[i] + j] += p[j]; }}",
    "x[place[i] + j] += k + {q}[j];", "{{ long to = of_row % 4 + place[i]; to += k & 1; x[to] += j; }}",
    "{{ turns[i] = 2; p[j] += k; }}", "{{ p[j] += j & 1 ? k : -k; }}",
)  # fmt: skip
_BEHIND = ("", "", "p[0] += of_row;", "p[1] += k;", "x[place[i] + 1] += part.a;", "p[0] += turns[i];")


def make_turns(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    words = {"most": _MOST, "row": _ROW, "n": rng.choice((0, 1, 5, _MOST, _MOST)), "m": rng.choice((1, 7, 18, 30))}
    words |= {"t": rng.choice(_TYPES)}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    begin = " long of_row = i % 4; k = part.a = part.b = 1; (void)of_row;"
    inner = [line(rng.choice(_POINTERS).format(**words) + begin, pinned=True)]
    inner += [_turns(site, words) for _ in range(rng.choice((1, 1, 2)))]
    inner.append(line(rng.choice(_BEHIND).format(**words)))
    pragma = Pragma("parallel for firstprivate(k, part)", required=True)
    nest = Stmt(("for (int i = 0; i < n; i++)",), tuple(inner), pragmas=(pragma,))
    added = "for (int q = 0; q < {most}; q++) {{ for (int r = 0; r < {row}; r++) "
    added += "seen[q] = (seen[q] * 3 + x[q * {row} + r]) % 100003; seen[q] = seen[q] * 5 + turns[q]; }}"
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "turns", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _turns(site: Site, words: dict[str, object]) -> Stmt:
    rng = site.rng
    before = rng.choice(_BEFORE)
    q = "q" if " *q" in before else "y"
    loops = rng.choice((1, 1, 2))
    heads = ("for (int j = 0; j < m; j++)", "for (int j = 0; j < m; j++)", "for (int j = m - 1; j >= 0; j--)")
    inner = [Stmt((rng.choice(heads),), (line(rng.choice(_INNER).format(q=q, **words)),)) for _ in range(loops)]
    return Stmt((rng.choice(_HEADS).format(**words),), (line(before.format(**words), pinned=True), *inner))
