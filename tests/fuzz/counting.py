"""Rows whose inner loops count: they add to elements at which iterations meet, and to sums that are seen meanwhile.

    for (int i = 0; i < n; i++) {                  pragma
        for (int k = 0; k < m; k++) count[i][key[i][k]]++;
        for (int k = 1; k < 16; k++) count[i][k] += count[i][k - 1];
        for (int k = 0; k < m; k++) { at[i][k] = sum; sum += key[i][k]; }
    }

Operations whose order matters, and others; counts that are read in the same loop, or of two operations; sums with
conditions, of two variables, by other amounts each time, of what the loop itself stores.

In: a Site.   Out: arrays of its own; such a nest; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST, _KEYS = 40, 16
_DECLARED = (
    "static int key[{most}][{most}]; static {t} count[{most}][{keys} + 2], at[{most}][{most} + 2];",
    "static long seen[{most}]; int n = {n}, m = {m}, one = 1; (void)n; (void)m; (void)one;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++)",
    "key[q][r] = (q * 7 + r * 11 + r * r % 5) % {keys}, at[q][r] = q + r, count[q][r % {keys}] = q;",
)
_TYPES = ("int", "long", "unsigned", "unsigned long", "short", "unsigned char")
_COUNTS = (
    "count[i][key[i][k]]++;", "count[i][key[i][k]]++;", "count[i][key[i][k]] += k % 7;",
    "count[i][(key[i][k] + k) % {keys}] -= 3;", "count[i][key[i][k]] ^= k;", "count[i][key[i][k]] |= k % 8;",
    "if (key[i][k] > 4) count[i][key[i][k]]--;", "count[i][key[i][k]] = count[i][key[i][k]] + 2;",
    "{{ count[i][key[i][k]] += 2; count[i][(k * 3) % {keys}]++; }}", "count[i][k % 3] += at[i][k] % 5;",
    "count[i][key[i][k]] += one++ > 0;",
)  # fmt: skip
_ORDERED = (
    "{{ count[i][key[i][k]]++; at[i][k] = count[i][(k * 5) % {keys}] % 50; }}",
    "at[i][k] = count[i][key[i][k]]++ % 50;",
    "{{ count[i][key[i][k]] += 3; count[i][k % {keys}] &= 125; }}",
    "count[i][key[i][k]] = count[i][key[i][k]] * 2 % 97;",
    "count[i][key[i][k]] += count[i][(key[i][k] + 1) % {keys}] % 3;", "count[i][key[i][k]] *= 3;",
    "{{ count[i][key[i][k]]++; count[i][k % {keys}] = 1; }}",
    "{{ count[i][key[i][k]]++; key[i][(k + 1) % 40] = k % {keys}; }}",
)  # fmt: skip
_PREFIXES = (
    "for (int k = 1; k < {keys}; k++) count[i][k] += count[i][k - 1];",
    "for (int k = 0; k < {keys} - 1; k++) count[i][k + 1] += count[i][k];",
    "for (int k = {first}; k < m; k++) at[i][k] = at[i][k - 1] + key[i][k];",
    "for (int k = {first}; k <= m; k++) at[i][k] = key[i][k % 40] + at[i][k - 1];",
    "for (int k = 2; k < m; k++) at[i][k] += at[i][k - 2];",
    "for (int k = m; k > 0; k--) at[i][k] += at[i][k - 1];",
    "for (int k = 1; k < m; k += 2) at[i][k] += at[i][k - 1];",
    "for (int k = 1; k < m; k++) at[i][k] += at[i][k - 1] + at[i][k + 1];",
)
_SUMS = (
    "at[i][k] = sum; sum += key[i][k];", "sum += key[i][k]; at[i][k] = sum;", "sum += k; at[i][k] += sum % 9;",
    "int own = key[i][k] * 3; sum += own; at[i][k] = sum + own;", "at[i][k] ^= sum; sum += 3;",
    "other = key[i][k]; at[i][k] = sum - other; sum = sum + other;", "sum = k + sum; count[i][k % 3] += sum % 5;",
    "{t} own = at[i][k]; at[i][k] = sum; sum += own;", "at[i][k] = sum; sum += key[i][k] + one;",
)  # fmt: skip
_OTHER_SUMS = (
    "if (key[i][k] > 4) sum += k; at[i][k] = sum;", "sum += key[i][k]; other += k; at[i][k] = sum + other;",
    "sum = sum * 3 % 101 + key[i][k]; at[i][k] = sum;", "at[i][k] = k; sum += at[i][k]; at[i][k] = sum;",
    "if (key[i][k] == 3) continue; sum += 2; at[i][k] = sum;", "sum += at[i][k]; at[i][k + 1] = sum % 100;",
    "other = key[i][k]; key[i][k] = (other + 1) % {keys}; sum += other; at[i][k] = sum;",
    "sum -= key[i][k]; at[i][k] = sum;",
    "key[i][k] = (key[i][k] + 5) % {keys}; sum += key[i][k]; at[i][k] = sum;", "sum += sum % 3; at[i][k] = sum;",
)  # fmt: skip


def make_counting(site: Site) -> list[Stmt]:
    """The nest, with what it needs."""
    rng = site.rng
    words = {"most": _MOST, "keys": _KEYS, "n": rng.choice((0, 1, 5, 40, 40)), "m": rng.choice((0, 1, 17, 40, 40))}
    words |= {"t": rng.choice(_TYPES), "first": rng.choice((1, 1, 3))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    begin = f"{rng.choice(('int', 'long', 'unsigned', words['t']))} sum = i, other = 1; (void)sum; (void)other;"
    inner: list[Stmt] = [line(begin, pinned=True)]
    inner += [_loop(site, words) for _ in range(rng.choice((1, 2, 2, 3)))]
    inner.append(line("count[i][0] += sum % 100; at[i][0] += other % 100;"))
    pragma = Pragma("parallel for firstprivate(one)", required=True)
    nest = Stmt(("for (int i = 0; i < n; i++)",), tuple(inner), pragmas=(pragma,))
    added = "for (int q = 0; q < {most}; q++) {{ for (int r = 0; r < {most}; r++) seen[q] = (seen[q] * 3 + at[q][r] + "
    added += "key[q][r]) % 100003; for (int r = 0; r < {keys}; r++) seen[q] = (seen[q] * 5 + count[q][r]) % 100003; }}"
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "counting", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _loop(site: Site, words: dict[str, object]) -> Stmt:
    rng = site.rng
    kind = rng.random()
    if kind < 0.3:
        return line(rng.choice(_PREFIXES).format(**words))
    texts = rng.choice((_COUNTS, _COUNTS, _ORDERED)) if kind < 0.65 else rng.choice((_SUMS, _SUMS, _OTHER_SUMS))
    up, down = "for (int k = 0; k < m; k++)", "for (int k = m - 1; k >= 0; k--)"
    head = rng.choice((up, up, down))
    return Stmt((head,), (line(rng.choice(texts).format(**words)),))
