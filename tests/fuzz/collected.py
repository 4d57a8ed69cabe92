"""Loops that add to integers at places that data chooses, in rows behind pointers, or do a little more than that.

    for (int i = 0; i < n; i++) {                  pragma
        #pragma omp atomic
        row[key[i] % 5][key[i] * apart % bins] += i;
    }

Integers of each length, counters of few or many places that lie apart or side by side, in a row that data chooses, or
the iteration's number; by members and by pointers to elements; loops that count down or skip iterations, of which
several arrays get something. Some loops see such an integer, as their own, before or afterwards, do something else to
it, or have each their own element. Inner loops do the same for a row, and what stands around them sees it.

In: a Site.   Out: arrays of its own; such a loop; a check of what it leaves.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _LENGTH, _MOST, _MANY = 5, 2600, 700, 9000
_DECLARED = (
    "struct {cell} {{ double w; {t} many; }}; static {t} space[{rows}][{length}]; static {t} *row[{rows}];",
    "static {u} other[{rows}][{length}]; static {u} *by[{rows}]; static struct {cell} cells[{length}], *cell = cells;",
    "static int key[{most}], own[{most}], begin[{rows} + 1]; static long seen[{most}], sums[{rows} * 3];",
    "int n = {n}, bins = {bins}, apart = {apart}; (void)n; (void)bins; (void)apart;",
    "for (int q = 0; q < {most}; q++) key[q] = (q * {factor} + q / 3) % 65537, own[q] = q * 37 % {most}, seen[q] = q;",
    "for (int q = 0; q < {rows}; q++) {{ row[q] = space[{order}], by[q] = other[q], begin[q] = n * q * q / 25;",
    "for (int r = 0; r < {length}; r++) space[q][r] = ({t})(q * 3 + r), other[q][r] = ({u})r; }} begin[{rows}] = n;",
    "for (int q = 0; q < {rows} * 3; q++) sums[q] = q; for (int q = 0; q < {length}; q++) cells[q].many = ({t})q;",
)
_TYPES = ("int", "int", "long", "unsigned", "unsigned long long", "short", "unsigned char", "signed char")
_HEADS = (
    "for (int i = 0; i < n; i++)", "for (int i = 0; i < n; i++)", "for (int i = n - 1; i >= 0; i--)",
    "for (long i = 1; i < n; i += 3)", "for (unsigned i = 0; i < (unsigned)n; i++)",
)  # fmt: skip
_PLACES = ("key[i] % bins", "(long)key[i] * apart % bins", "(key[i] + i) % bins", "key[i] % 3 * 800", "i / 16", "7")
_ROWS_OF = ("row[key[i] % {rows}]", "row[i * 5L / {most}]", "row[2]", "by[key[i] & 3]", "by[i % {rows}]")
_ELEMENTS = (
    "{row}[{place}]", "{row}[{place}]", "{row}[{place}]", "cell[{place}].many", "(*({row} + {place}))",
    "space[key[i] % {rows}][{place}]",
)  # fmt: skip
_ADDS = ("{x}++", "{x}--", "{x} += i", "{x} -= key[i]", "{x} = {x} + 3", "{x} = i + {x}", "{x} += key[i] & 1", "++{x}")
_OTHERS = ("{x} ^= i", "{x} |= key[i]", "{x} *= 3", "{x} &= ~key[i]")
_ATOMIC = "\n#pragma omp atomic\n{update};\n"
_BODIES = (
    "{add}", "{add}", "{add}", "{add}{add2}", "if (key[i] % 3) {{ {add} }}", "if (key[i] % 7 == 2) continue; {add}",
    "for (int k = 0; k < key[i] % 4; k++) {{ {add} }}",
    "for (int k = 0; k < 3; k++) {{ {add} }}", "{add} seen[i] += key[i];", "{add} total += key[i] % 5;",
    "{t} *p = key[i] & 1 ? row[0] : row[1] + 9; {add_p}",
)  # fmt: skip
_SEEING = (
    # each iteration has an element of its own, and sees it
    "\n#pragma omp atomic\nrow[1][own[i]]++;\nseen[i] += row[1][own[i]];",
    "\n#pragma omp atomic\nrow[3][own[i]] += i;\n\n#pragma omp atomic\nrow[3][own[i]] -= 2;\nseen[i] = row[3][own[i]];",
    "seen[i] = row[0][own[i]];\n#pragma omp atomic\nrow[0][own[i]] -= 5;\nseen[i] ^= row[0][own[i]] * 2;",
    "{t} *p = row[2] + own[i];\n#pragma omp atomic\n*p += 3;\nseen[i] += *p;",
    "\n#pragma omp atomic\nby[1][own[i]]++;\n{{ {u} now;\n#pragma omp atomic read\nnow = by[1][own[i]];\nseen[i]"
    " += now; }}",
    "{{ {t} now;\n#pragma omp atomic capture\nnow = row[4][own[i]]++;\nseen[i] += now; }}",
    # it sees what nobody adds to
    "{add} seen[i] += row[0][{length} - 1] + row[4][{length} - 2];",
    # other operations, of one kind each, or an element of each one's own
    "{of_other}", "\n#pragma omp atomic\nrow[2][i] += key[i];", "{add} total += by[0][{length} - 1];",
)  # fmt: skip
_SHARED = (
    "space[r][key[k] % bins]++;", "space[r][(long)key[k] * apart % bins] += k;", "by[r][key[k] % bins] -= 3;",
    "if (key[k] % 5) space[r][key[k] % bins] += 2;", "{{ space[r][key[k] % bins]++; other[r][key[k] % bins]--; }}",
    "for (int t = 0; t < 3; t++) space[r][key[k] * (t + 1) % bins] += t;", "other[r][key[k] % 3]++;",
    "{{ space[r][key[k] % bins]++; seen[k] = space[r][0]; }}", "seen[k] = space[r][key[k] % bins]++;",
    "{{ space[r][key[k] % bins] += 2; space[r][k % bins] ^= 1; }}",
)  # fmt: skip
_BEFORE = ("", "space[r][0] += r;", "for (int k = 0; k < {length}; k++) space[r][k] = ({t})k;")
_BETWEEN = (
    "", "sums[r] = space[r][1] * 3 + other[r][2];", "space[r][0] += space[r][1];",
    "for (int k = 1; k < {length}; k++) space[r][k] += space[r][k - 1];",
    "for (int k = 0; k < {length}; k++) other[r][k] += space[r][{length} - 1 - k];",
)  # fmt: skip


def make_collected(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    kind, other = rng.choice(_TYPES), rng.choice(_TYPES)
    words: dict[str, object] = {"rows": _ROWS, "length": _LENGTH, "most": _MOST, "t": kind, "u": other}
    words |= {"n": rng.choice((0, 1, 33, 300, _MOST)), "bins": rng.choice((1, 3, 40, 40, 700, _LENGTH))}
    words |= {"apart": rng.choice((1, 1, 8, 64, 4096)), "factor": rng.choice((0, 1, 7, 911, 4096))}
    words |= {"order": rng.choice(("q", "q", "4 - q")), "cell": f"{site.names.case}_cell"}
    bodies = _BODIES if rng.random() < 0.65 else _SEEING
    if bodies is _SEEING:  # what nobody adds to is behind all places
        words["bins"] = rng.choice((3, 40, 700))
    elif rng.random() < 0.15:  # so many that a thread has several at a time
        words |= {"most": _MANY, "n": _MANY}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    made = _rows_of_blocks(site, words) if rng.random() < 0.3 else _flat(site, words, rng.choice(bodies))
    added = "for (int q = 0; q < {rows}; q++) {{ for (int r = 0; r < {length}; r++) sums[q] = (sums[q] * 3 + "
    added += "(long)(space[q][r] % 1009) + (long)(other[q][r] % 1013) * 5 + (long)(cells[r].many % 101)) % 100003; }}"
    added += " for (int q = 0; q < {most}; q++) sums[q % {rows} + {rows}] += seen[q] % 1009;"
    sums = line(added.format(**words), pinned=True)
    count = _ROWS * 3
    seen = [sums, check(site, "collected", count, literally("sums[q]", LONG), EXACT)] if site.checks else []
    total = line("long total = 0; (void)total;", pinned=True)
    behind = line(f"sums[{_ROWS * 2}] += total;", pinned=True)
    return [Stmt((), (*declared, total, made, behind, *seen), pinned=True)]


def _flat(site: Site, words: dict[str, object], body: str) -> Stmt:
    rng = site.rng

    def element() -> str:
        row = rng.choice(_ROWS_OF).format(**words)
        return rng.choice(_ELEMENTS).format(row=row, place=rng.choice(_PLACES), **words)

    texts = {name: _added(rng, element()) for name in ("add", "add2")}
    texts["add_p"] = _added(rng, f"p[{rng.choice(_PLACES[:2])} % 1000]")
    texts["of_other"] = _ATOMIC.format(update=rng.choice(_OTHERS).format(x=element()))
    text = body.format(**words, **texts)
    pragma = Pragma("parallel for reduction(+ : total)", required=True)
    return Stmt((rng.choice(_HEADS),), (line(text),), pragmas=(pragma,))


def _added(rng: random.Random, element: str) -> str:
    """gcc with sanitizers does not see that elements at a remainder, which it looks at, are the same."""
    known = [add for add in _ADDS if add.count("{x}") == 1 or "%" not in element]
    return _ATOMIC.format(update=rng.choice(known).format(x=element))


def _rows_of_blocks(site: Site, words: dict[str, object]) -> Stmt:
    """Inner loops that the threads of a block may share, each iteration with its row."""
    rng = site.rng
    inner = [line(rng.choice(_BEFORE).format(**words))]
    for _ in range(rng.choice((1, 1, 2))):
        head = "for (int k = begin[r]; k < begin[r + 1]; k++)"
        inner += [Stmt((head,), (line(rng.choice(_SHARED).format(**words)),))]
        inner.append(line(rng.choice(_BETWEEN).format(**words)))
    pragma = Pragma("parallel for", required=True)
    return Stmt((f"for (int r = 0; r < {_ROWS}; r++)",), tuple(inner), pragmas=(pragma,))
