"""Loops inside an iteration whose entries count and use what the counter was, in arrays of the iteration's row.

    for (int i = 0; i < n; i++) {                  pragma
        for (int k = 0; k < m; k++) {
            int b = key[k] % bins;
            if (key[k] & 1) rank[i][k] = count[i][b]++ + k;
        }
    }

Counters are integers of each length, in rows of few or many, or the iteration's own; they go up or down, by 1 or by
another constant, before or after they are looked at; keys repeat much or little. Some loops read the counter otherwise,
count twice, count by what they store, or by a step of the entry, or perhaps: there the order is all that is right.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _MOST = 12, 300
_DECLARED = (
    "static {t} count[{rows}][{bins}]; static long rank[{rows}][{most} + 1]; static int key[{most}], other[{most}];",
    "static long seen[{rows}]; int n = {n}, m = {m}, at = 0, wanted = {wanted}; (void)at; (void)wanted;",
    "for (int q = 0; q < {most}; q++) key[q] = q * {factor} % 211, other[q] = (q * 5 + 3) % 97;",
    "for (int q = 0; q < {rows}; q++) {{ for (int r = 0; r < {bins}; r++) count[q][r] = ({t})(q * 50 + r);",
    "for (int r = 0; r <= {most}; r++) rank[q][r] = r; }}",
)
_TYPES = ("int", "int", "long", "unsigned", "short", "unsigned char", "unsigned long long")
_KEYS = (
    "key[k] % {bins}", "(key[k] + i) % {bins}", "key[k] % 3", "(key[k] & 1) * 2 % {bins}", "abs(key[k]) % {bins}",
    "other[key[k]] % {bins}",
)  # fmt: skip
_STEPS = ("{c}++", "{c}++", "++{c}", "{c}--", "--{c}", "({c} += 3)", "({c} -= 7)", "{c}++ * 2", "(int){c}++")
_ENTRIES = (
    "rank[i][k] = {count};", "rank[i][k] = {count} + k;", "{{ long was = {count}; rank[i][k] = was * 2; }}",
    "{{ int b = {key}; rank[i][k] = {of_b} + b; }}", "{{ at = {key}; rank[i][k] += {of_at}; }}",
    "if (key[k] & 1) rank[i][k] = {count};", "if (key[k] % 3 == 0) rank[i][k] = -k; else rank[i][k] = {count};",
    "{{ int b = key[k]; if (b < 100) {{ b %= {bins}; rank[i][k] = {of_b}; }} }}",
    "{{ long was = {count}; if (wanted) rank[i][k] = was; }}", "{{ long was = {count}; (void)was; }}",
    "{{ int b = 0; if (key[k] > 50) b = {key}; rank[i][k] ^= {of_b}; }}",
    "{{ int b = {key}; {{ int b2 = b, b = b2; rank[i][k] = {of_b}; }} }}",
)  # fmt: skip
_OTHERS = (
    "rank[i][k] = {count} + count[i][0];", "rank[i][k] = {count} + {count};",
    "rank[i][k] = {count} - {again};", "{{ rank[i][k] = {count}; if (k % 9 == 4) count[i][k % {bins}] = k; }}",
    "{{ long was = {count}; at += was & 1; rank[i][k] = at; }}",
    "rank[i][k + 1] = count[i][(key[k] + (rank[i][k] & 3)) % {bins}]++;", "rank[i][k] = key[k] % 2 && {count} % 2;",
    "rank[i][k] = count[i][{key}] += k & 3;", "{{ int b = count[i][0] & 1; rank[i][k] = count[i][b]++; }}",
    "{{ rank[i][k % 7] = {count}; }}", "{{ if (k == 70) continue; rank[i][k] = {count}; }}",
    "for (int twice = 0; twice < 2; twice++) rank[i][k] += {count};", "rank[i][k] = key[k] & 1 ? {count} : k;",
    "{{ rank[i][m - 1 - k] += {count}; }}", "{{ {t} *p = count[i]; rank[i][k] = p[{key}]++ + {count}; }}",
    "{{ rank[i][k] = {count}; {again}; }}", "{{ {again}; rank[i][k] = {count}; }}",
    "{{ rank[i][k] += key[k] * 3 + 1; long was = count[i][(rank[i][k] & 63) % {bins}]++; rank[i][k] += was; }}",
    "rank[i][{count} & 127] = k;", "{{ if ({count} & 1) rank[i][k] = k; }}",
)  # fmt: skip
_HEADS = (
    "for (int k = 0; k < m; k++)", "for (int k = 0; k < m; k++)", "for (int k = m - 1; k >= 0; k--)",
    "for (unsigned k = i % 2; k < (unsigned)m; k += 2)", "for (long k = 0; k < m - i; k++)",
)  # fmt: skip
_OWN = "{t} own[{bins}]; for (int r = 0; r < {bins}; r++) own[r] = ({t})(i + r);"
_BEHIND = ("", "", "rank[i][m] = count[i][0];", "count[i][{bins} - 1] += 1;", "rank[i][m] += at;")


def make_counts(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    bins = rng.choice((3, 8, 40, 40, 1500, 5000))
    words: dict[str, object] = {"rows": _ROWS, "most": _MOST, "bins": bins, "t": rng.choice(_TYPES)}
    words |= {"n": rng.choice((0, 1, 5, _ROWS)), "m": rng.choice((0, 1, 31, 32, 33, 200, 299))}
    words |= {"wanted": rng.choice((0, 1)), "factor": rng.choice((1, 7, 37, 0))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    own = rng.random() < 0.25 and bins < 100
    inner = [line("at = 1;", pinned=True)] + [line(_OWN.format(**words), pinned=True)] * own
    inner += [_loop(site, words, "own" if own else "count[i]") for _ in range(rng.choice((1, 1, 2)))]
    if own:
        inner.append(line("for (int r = 0; r < {bins}; r++) count[i][r] += own[r];".format(**words), pinned=True))
    inner.append(line(rng.choice(_BEHIND).format(**words)))
    pragma = Pragma("parallel for firstprivate(at)", required=True)
    nest = Stmt(("for (int i = 0; i < n; i++)",), tuple(inner), pragmas=(pragma,))
    added = "for (int q = 0; q < {rows}; q++) {{ for (int r = 0; r <= {most}; r++) "
    added += "seen[q] = (seen[q] * 3 + rank[q][r] % 1009) % 100003; for (int r = 0; r < {bins}; r++) "
    added += "seen[q] = (seen[q] * 5 + (long)(count[q][r] % 1013)) % 100003; }}"
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "counts", _ROWS, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _loop(site: Site, words: dict[str, object], row: str) -> Stmt:
    rng = site.rng
    key, other = (rng.choice(_KEYS).format(**words) for _ in range(2))
    step = rng.choice(_STEPS)
    texts = {"key": key, "count": step.format(c=f"{row}[{key}]"), "again": step.format(c=f"{row}[{other}]")}
    texts |= {"of_b": step.format(c=f"{row}[b]"), "of_at": step.format(c=f"{row}[at]")}
    entry = rng.choice(_ENTRIES if rng.random() < 0.7 else _OTHERS)
    return Stmt((rng.choice(_HEADS).format(**words),), (line(entry.format(**texts, **words)),))
