"""Loops inside iterations with variables that move beside the counter: by numbers, by variables, in heads and bodies,
in inner loops as well; some only where a condition holds, or in loops that end early or skip what is behind.

    for (int i = 0; i < n; i++) {                  pragma
        int k = 3; long l = 7;
        for (int j = 0; j < m; j++, k += 2) {
            a[i][k & 63] += j;
            for (int q = 0; q < 3; q++) a[i][l++ & 63] ^= q;
        }
        a[i][0] += k + l;
    }

Rows are each iteration's own, so the pragma holds. Places and values stay in small ranges by masks; the numbers do not
overflow, since the loops are short, but for unsigned ones, which come round.

In: a Site.   Out: arrays of its own; such a loop; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 24
_DECLARED = (
    "static long a[{most}][64], seen[{most}];",
    "int n = {n}, m = {m}, w = {w}; (void)n; (void)m; (void)w;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < 64; r++) a[q][r] = q * 3 + r * 5 % 17;",
)
_KINDS = ("int", "long", "unsigned", "unsigned long", "int")
_FIRST = ("0", "3", "i", "2 * i + 1", "-5", "w", "i - w", "(int)(a[i][1] & 7)")
_HEADS = (
    "for (int j = 0; j < m; j++)", "for (int j = 2; j <= m; ++j)", "for (int j = m; j > 0; j--)",
    "for (int j = m - 1; j >= 0; --j)", "for (int j = 0; j < m; j += 2)", "for (int j = -2; j < m; j++)",
    "for (unsigned j = 0; j < (unsigned)m; j++)", "for (long j = 1; j < m; j++)",
    "for (int j = 0; j < (int)(a[i][2] & 15); j++)", "for (int j = i; j < m; j++)", "for (int j = 0; j != m; j++)",
)  # fmt: skip
_IN_HEADS = (
    "for (int j = 0; j < m; j++, {move})", "for (int j = m; j > 0; {move}, j--)", "for (int j = 1; j < m; {move}, ++j)",
)
_MOVES = (
    "{v}++", "++{v}", "{v}--", "{v} += 2", "{v} -= 3", "{v} = {v} + 4", "{v} = 1 + {v}", "{v} += w", "{v} = {v} - 1",
    "{v} += j", "{v} += a[i][3] & 3",
)  # fmt: skip
_USES = (
    "a[i][{v} & 63] += j;", "a[i][({v} + j) & 63] ^= {v} & 255;", "if (j & 1) a[i][{v} & 31] += 3;",
    "a[i][j & 63] += {v} & 127;", "for (int q = 0; q < 2; q++) a[i][({v} + q) & 63] += q + 1;",
    "a[i][{v}++ & 63] += 2;", "a[i][++{v} & 63] -= j;", "{{ long x = {v}--; a[i][x & 63] += x & 15; }}",
    "a[i][5] += ({v} += 2) & 63;",
)  # fmt: skip
_BREAKS = (
    "if (a[i][j & 63] % 7 == 3) continue;", "if (a[i][j & 63] % 11 == 3) break;", "if (j & 2) {move};",
    "for (int q = 0; q < 3; q++) {{ a[i][{v} & 63] += q; {move}; }}", "{{ {move}; a[i][{v} & 63]++; }}",
    "for (int q = 0; q <= w; q++) {{ {move}; a[i][{v} & 63] += q; }}",
)  # fmt: skip


def make_inductions(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    sizes = {"n": rng.choice((0, 1, 5, 13, 24)), "m": rng.choice((0, 1, 2, 6, 11, 17)), "w": rng.choice((0, 1, 3))}
    words = {"most": _MOST, **sizes}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    body: list[Stmt] = []
    for turn in range(rng.choice((1, 1, 2, 3))):
        names = [f"k{turn}", f"l{turn}"][: rng.choice((1, 2))]
        body += [line(f"{rng.choice(_KINDS)} {v} = {rng.choice(_FIRST)};", pinned=True) for v in names]
        moves = {v: rng.choice(_MOVES).format(v=v) for v in names}
        inside = [line(rng.choice(_USES).format(v=v)) for v in names for _ in range(rng.choice((1, 1, 2)))]
        in_head = rng.random() < 0.4
        head = rng.choice(_IN_HEADS).format(move=moves[names[0]]) if in_head else rng.choice(_HEADS)
        inside += [line(f"{moves[v]};") for v in names[in_head:]]
        if rng.random() < 0.5:
            v = rng.choice(names)
            inside.append(line(rng.choice(_BREAKS).format(v=v, move=rng.choice(_MOVES).format(v=v))))
        rng.shuffle(inside)
        loop = Stmt((head,), tuple(inside))
        around = rng.random() < 0.25
        body.append(Stmt(("for (int r = 0; r < 2; r++)",), (loop,), unwraps=True) if around else loop)
        body += [line(f"a[i][{rng.choice((0, 7, 40))}] += {v} & 1023;") for v in names if rng.random() < 0.6]
    nest = Stmt(("for (int i = 0; i < n; i++)",), tuple(body), pragmas=(Pragma("parallel for", required=True),))
    sums = line(
        "for (int q = 0; q < {most}; q++) for (int r = 0; r < 64; r++) seen[q] += (r + 1) * a[q][r];".format(**words),
        pinned=True,
    )
    seen = [sums, check(site, "inductions", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]
