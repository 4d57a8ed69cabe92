"""Loops with `ordered` blocks: those of independent iterations, and those that find what earlier iterations have left.

    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        mine[i] = v[i] * 2;
        #pragma omp ordered
        { printf("...", i, mine[i]); chain[i + 1] = chain[i] + v[i]; }
        if (v[i] & 1) continue;
        mine[i]++;
    }

In: a Site.   Out: arrays of its own; a loop; checks of what it writes; lines that it prints itself.
Not here: `lastprivate`, which gcc 12 gives another value in one run of four.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_HEADS = (
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = {n}; i > 0; i--)",
    "for ({t} i = 1; i < {n}; i += {s})",
)
_NEST = ("for ({t} r = 0; r < {n} / 8 + 1; r++)", "for (int s = 7; s >= 0; s--)")
_OWN = (
    "mine[i] = v[i] * 2;",
    "mine[i] += seen[i] + 1;",
    "{{ int x = v[i]; for (int k = 0; k < 3; k++) x += k * v[k]; mine[i] ^= x; }}",
    "if (v[i] % 3) mine[i] -= v[i];",
    "sum += v[i];",
    "last = i;",
)
_INDEPENDENT = (
    "seen[i] = mine[i] + 1;",
    "seen[i] += v[i];",
    'printf("{c}.ordered I %d %d\\n", (int)i, v[i]);',
    'if (v[i] & 1) printf("{c}.odd I %d\\n", v[i]);',
    "{{ int v_ = v[i]; {{ int v = v_ + 1; seen[i] = v; }} }}",
    "if (v[i] > 50) seen[i] = v[i]; else mine[i] = 1;",
    "for (int k = 0; k < 3; k++) {{ if (k == v[i] % 4) break; seen[i] += k; }}",
    "PRAGMA(omp atomic)\nbins[v[i] & 7] += i;",
    "PRAGMA(omp critical)\n{{ bins[i & 7] ^= v[i]; }}",
    "PRAGMA(omp critical)\n{{ if (v[i] > most) most = v[i]; }}",
)
_DEPENDENT = (
    "chain[i + 1] = chain[i] + v[i];",
    "chain[i] = chain[i + 1] + v[i];",
    "seen[v[i]] = i;",
    "seen[v[i] & 15] = seen[v[i] & 15] % 97 * 3 + v[i];",
    "bins[v[i] & 7] = v[i];",
    "state = state % 97 * 3 + v[i];",
    "if (v[i] > 50) state = v[i];",
    "list[count++ & 255] = v[i];",
    "PRAGMA(omp atomic capture)\nchain[i] = count++;",
    "PRAGMA(omp critical)\n{{ list[count & 255] = i; count++; }}",
    "PRAGMA(omp critical)\n{{ bins[v[i] & 7] = bins[v[i] & 7] % 97 * 3 + v[i]; }}",
    "PRAGMA(omp critical)\n{{ if (v[i] >= most) {{ most = v[i]; at = i; }} }}",
    "PRAGMA(omp critical)\n{{ if (v[i] > most) {{ most = v[i]; at = i; }} }}",
    "PRAGMA(omp critical)\n{{ if (v[i] != state) state = v[i]; }}",
    "PRAGMA(omp atomic write)\nstate = v[i];",
    "PRAGMA(omp atomic read)\nchain[i] = bins[v[i] & 7];\nPRAGMA(omp atomic)\nbins[v[i] & 7]++;",
)


def _head(head: str, words: dict[str, object]) -> str:
    """gcc 12 does no iteration of an `unsigned` loop with `ordered` that counts down."""
    down = "-=" in head or "--" in head
    return head.format(**(words | ({"t": "int"} if down and words["t"] == "unsigned" else {})))


def make_ordered(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n = rng.choice((0, 1, 2, 33, 100, 200))
    kind = rng.choice(("int", "int", "long", "unsigned" if n else "int"))  # gcc 12 takes no `unsigned` one below 0
    words = {"t": kind, "n": n, "s": rng.choice((1, 2, 3)), "c": site.names.case}
    nested = rng.random() < 0.2
    heads = [_head(head, words) for head in (_NEST if nested else (rng.choice(_HEADS),))]
    depends = rng.random() < 0.5
    prints = site.checks
    chosen = rng.choices(_INDEPENDENT + _DEPENDENT * depends, k=rng.choice((1, 1, 2, 3)))
    inside = [line(text.format(**words)) for text in chosen if prints or "printf" not in text]
    block = Stmt((), tuple(inside), pragmas=(Pragma("ordered", required=True),), pinned=True)
    part: Stmt = block
    if rng.random() < 0.2:
        part = Stmt(("if (v[i] > 20)",), (block,))
    own = [text for text in _OWN if not depends or "seen" not in text]
    before, behind = (rng.choices(own, k=rng.choice((0, 1, 2))) for _ in range(2))
    if rng.random() < 0.2:
        before.append("if (v[i] & 1) continue;")
    elif rng.random() < 0.2:
        behind.insert(0, "if (v[i] & 1) continue;")
    body = (
        *((line("const int i = r * 8 + s;", pinned=True),) if nested else ()),
        *map(line, (text.format(**words) for text in before)), part,
        *map(line, (text.format(**words) for text in behind)),
    )  # fmt: skip
    text = " ".join(before + behind)
    clauses = [Clause("ordered")] + [Clause("reduction", ("sum",), prefix="+ : ")] * ("sum" in text)
    clauses += [Clause("private", ("last",))] * ("last" in text)
    clauses += [Clause("collapse", ("2",))] * nested
    clauses += [Clause("schedule", (rng.choice(("static", "dynamic", "static, 3", "guided")),), required=False)]
    inner = (Stmt((heads[1],), body, pinned=True),) if nested else body
    loop = Stmt((heads[0],), inner, pragmas=(Pragma("parallel for", tuple(clauses), required=True),), pinned=True)
    declared = [
        line("int v[256], mine[256], seen[256], chain[256], list[256] = {0}, bins[8] = {0};", pinned=True),
        line("int last = -1, state = 1, count = 0, most = 3, at = -1; long sum = 0;", pinned=True),
        line(f"for (int q = 0; q < 256; q++) v[q] = q * {rng.choice((7, 37))} % 101;", pinned=True),
        line("for (int q = 0; q < 256; q++) mine[q] = q, seen[q] = 256 - q, chain[q] = 1;", pinned=True),
    ]
    scalars = "sum * 31 + last * 7 + state * 11 + count * 13 + most * 17 + at"
    parts = [("mine[q]", 256), ("seen[q]", 256), ("chain[q]", 256), ("list[q]", 256), ("bins[q]", 8), (scalars, 1)]
    seen = [check(site, "ordered", count, literally(text, LONG), EXACT) for text, count in parts]
    return [Stmt((), (*declared, loop, *(seen if site.checks else ())), pinned=True)]
