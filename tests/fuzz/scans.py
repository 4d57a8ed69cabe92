"""Loops with `scan`: prefixes of sums, products, bits and extrema of whole numbers, inclusive and exclusive.

    #pragma omp parallel for reduction(inscan, + : s)
    for (long i = 2999; i >= 0; i -= 3) {
        { seen[i] = s; }
    #pragma omp scan exclusive(s)
        { if (v[i] & 1) s += v[i]; }
    }

Real numbers are multiples of a quarter, whose sums are exact in any order. Some scan phases do more than read the
prefix, and change it to what it was; or they look for the best one of all.

In: a Site.   Out: arrays of its own; a loop; checks of what its iterations see, and of what it leaves.
Not here: loops that gcc 12 loses its way in: without iterations, or with narrow or wrapping counters.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_TYPES = {
    "int": "+ + - max min & | ^ && ||", "long": "+ + max min & | ^", "unsigned": "+ * & | ^ max",
    "short": "max min & |",
    "unsigned char": "+ * & | ^", "unsigned long": "+ *", "double": "+ + - max", "float": "+ min",
}  # fmt: skip
_REAL = ("double", "float")
_HEADS = (
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = {n} - 1; i >= 0; i--)",
    "for ({t} i = 0; i < {n}; i += {s})",
    "for ({t} i = {n} - 1; i > -1; i -= {s})",
)
_LOGICAL = ("&&", "||")
_NEST = ("for (int a = 0; a < ({n} + 7) / 8; a++)", "for (int b = 7; b >= 0; b--)")
_TERMS = ("v[i]", "(v[i] & 15)", "(i % 7 + 1)", "(v[i] > 40 ? v[i] : 1)", "v[v[i]]")
_PUT = {
    "+": "{s} += {e};", "-": "{s} -= {e};", "*": "{s} *= 2 * {e} + 1;", "&": "{s} &= ~(1 << {e} % 7);",
    "|": "{s} |= 1 << {e} % 7;", "^": "{s} ^= {e};", "&&": "{s} = {s} && {e} < 98;", "||": "{s} = {s} || {e} > 98;",
    "max": "if ({e} + i / 64 > {s}) {s} = {e} + i / 64;", "min": "{s} = {e} - i / 64 < {s} ? {e} - i / 64 : {s};",
}  # fmt: skip
_GUARDED = ("{put}", "{put}", "if (v[i] & 1) {{ {put} }}", "for (int k = 0; k < (v[i] & 3); k++) {{ {put} }}")
_SEE = (
    "seen[i] += {whole};",
    "seen[i] = {whole} * 2 + v[i];",
    "if (v[i] % 3) seen[i] = {whole}; else seen[i] = -1;",
    "{{ long own = {whole}; for (int k = 0; k < 3; k++) own += v[i] * k; seen[i] = own; last = own; }}",
)
_CHANGE = ("{s} += 0;", "{s}--; {s}++;", "{{ {t} *at = &{s}; *at += 0; }}")
_BEST = (
    "{{ const long found = ({whole}) % 1000 * 10000 + i; "
    "_Pragma(\"omp critical\") if (found > best) {{ best = found; where = i; }} }}"
)
"""What keeps the phases together: a prefix that is more than read, and a value of one of all iterations."""
_MEMORY = ("", "", "mid[i] = v[i] * 3;", "mid[i] -= v[i];")


def make_scan(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n, head = rng.choice((1, 5, 32, 33, 1025, 4095, 4096, 4097, 8300)), rng.choice(_HEADS)
    words = {"t": rng.choice(("int", "int", "long")), "n": n, "s": rng.choice((1, 2, 3))}
    nested = rng.random() < 0.2
    heads = [each.format(**words) for each in (_NEST if nested else (head,))]
    items = [("s", *_type(rng))] + [("r", *_type(rng))] * (rng.random() < 0.3)
    whole = " + ".join(f"(long)(4 * {s})" if t in _REAL else f"(long){s}" for s, t, _ in items)
    puts = [rng.choice(_GUARDED).format(put=_put(rng, *item)) for item in items]
    entering = line(" ".join([rng.choice(_MEMORY), *puts]))
    directive = rng.choice(("parallel for", "parallel for", "parallel for simd"))
    more = rng.choice((_BEST, rng.choice(_CHANGE))) if rng.random() < 0.3 else ""
    if "simd" in directive and more == _BEST:
        more = ""
    words_of_item = {"s": items[0][0], "t": items[0][1], "whole": whole}
    seeing = line(f"{rng.choice(_SEE)} {more}".format(**words_of_item).strip())
    inclusive = rng.random() < 0.5
    names = tuple(s for s, _, _ in items)
    scan = Pragma("scan", (Clause("inclusive" if inclusive else "exclusive", names),), required=True)
    first, second = (entering, seeing) if inclusive else (seeing, entering)
    index = "const int i = a * 8 + b;"
    own = (line(index, pinned=True),) if nested else ()
    both = [Stmt((), (*own, each), pinned=True) for each in (first, second)]
    body = (both[0], Stmt((), both[1].body, pragmas=(scan,), pinned=True))
    inner = (Stmt((heads[1],), body, pinned=True),) if nested else body
    clauses = [Clause("reduction", (s,), prefix=f"inscan, {op} : ") for s, _, op in items]
    has_last = "last" in str(seeing)
    if nested:  # gcc 12 and 13 give other answers with -O1 and some numbers of threads
        directive = "parallel for"
    clauses += [Clause("collapse", ("2",))] * nested + [Clause("lastprivate", ("last",))] * has_last
    loop = Stmt((heads[0],), inner, pragmas=(Pragma(directive, tuple(clauses), required=True),), pinned=True)
    declared = [
        line("static long seen[8320]; static int v[8320], mid[8320];", pinned=True),
        line("long last = 0, best = -1, where = 0;", pinned=True),
        line(f"for (int q = 0; q < 8320; q++) v[q] = q * {rng.choice((7, 37))} % 101;", pinned=True),
        line("for (int q = 0; q < 8320; q++) seen[q] = q, mid[q] = 1;", pinned=True),
        # of && and || one thread's first prefix is the value itself, that of several is 0 or 1
        *(line(f"{t} {s} = {rng.choice((0, 1) if op in _LOGICAL else (0, 1, 5))};", pinned=True) for s, t, op in items),
    ]
    seen = [
        check(site, "seen", 8320, literally("seen[q]", LONG), EXACT),
        check(site, "mid", 8320, literally("mid[q]", LONG), EXACT),
        check(site, "left", 1, literally(f"last + best * 3 + where + {whole}", LONG), EXACT),
    ]
    return [Stmt((), (*declared, loop, *(seen if site.checks else ())), pinned=True)]


def _type(rng: random.Random) -> tuple[str, str]:
    kind = rng.choice(list(_TYPES))
    return kind, rng.choice(_TYPES[kind].split())


def _put(rng: random.Random, name: str, kind: str, op: str) -> str:
    term = rng.choice(_TERMS)
    if kind in _REAL and op in "+-":
        term = f"0.25 * {term}"
    return _PUT[op].format(s=name, e=term)
