"""Loops that the threads of a region divide themselves: in blocks or in turns; some of them not into one range.

    #pragma omp parallel num_threads(3)
    {   const int me = omp_get_thread_num(), all = omp_get_num_threads();
        const int lo = n * me / all, hi = n * (me + 1) / all;
        if (c > 1)
            for (long i = hi - 1; i >= lo; i--) kept[i] += v[i];
        #pragma omp barrier
        for (int i = me; i < n; i += all) grid[i][1] -= kept[i];
    }

The numbers may come from functions that only pass them on, or do more; they, and bounds, may be assigned to variables
that the region has its own of. A loop may begin with several assignments, or be under `simd`.

Some of them only the host can run: where not all threads come, where an iteration needs what its thread did before, or
has for itself, or where a thread looks at what the loop has left in its variables.

In: a Site.   Out: arrays of its own; a region twice; checks of how its results differ.
"""

from __future__ import annotations

import random
from dataclasses import replace

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_BLOCKS = (
    "lo = (int)((long)n * me / all), hi = (int)((long)n * (me + 1) / all)",
    "lo = n / all * me + (me < n % all ? me : n % all), hi = lo + n / all + (me < n % all)",
    "lo = (n + all - 1) / all * me < n ? (n + all - 1) / all * me : n, "
    "hi = lo + (n + all - 1) / all < n ? lo + (n + all - 1) / all : n",
    "lo = n - n * (me + 1) / all, hi = n - n * me / all",
    "lo = me == 0 ? 0 : n / 3 + (me - 1) * ((n - n / 3) / all), "
    "hi = me == all - 1 ? n : n / 3 + me * ((n - n / 3) / all)",
    "lo = me == all - 1 ? 0 : n, hi = n",
    "lo = n * me / all + 1, hi = n * (me + 1) / all",
    "lo = n * me / all, hi = n * (me + 1) / all - (me == 1)",
)
_HEADS = (
    "for ({t} i = lo; i < hi; i++)",
    "for ({t} i = lo; i <= hi - 1; i++)",
    "for ({t} i = hi - 1; i >= lo; i--)",
    "for ({t} i = n * me / all; i < n * (me + 1) / all; i++)",
    "for ({t} i = lo; i < hi; i += 2)",
    "for (at = lo; at < hi; at++)",
    "for ({t} i = table[2 * me]; i < table[2 * me + 1]; i++)",
    "for ({t} i = me; i < n; i += all)",
    "for ({t} i = me + 2; i <= n - 1; i += all)",
    "for ({t} i = all - 1 - me; i < n; i += all)",
    "for ({t} i = omp_get_thread_num(); i < n; i += omp_get_num_threads())",
    "for ({t} i = me; i < n; i += {team})",
    "for ({t} i = me; i < n; i += 2 * all)",
    "for ({t} i = 2 * me; i < n; i += all * 2)",
)
_SEVERAL = (
    "for (at = lo, own = 0; at < hi; at++)",
    "for (up = hi, at = lo; at < up; at++)",
    "for (at = me, own = 5; at < n; at += all)",
    "for (at = lo, part = 2; at < hi; at++)",
    "for (at = lo, up = at + (hi - lo); at < up; at++)",
    "for (at = lo, up = up + 1; at < hi; at++)",
    "for (at = lo, up = up * 3 + me; at < hi - (me == 1); at++)",
)
"""With more than one assignment. What of the first part stays where a loop has no iteration is looked at, too."""
_SIMD = ((), (Clause("safelen", ("4",), required=False),))
_ADDING = (Clause("reduction", ("part",), prefix="+: "),)
_WITHOUT_LANES = ("carried", "kept[i - 1]", "held", "late", "most", "own", "atomic", "of[me]", "kept[perm")
"""What lanes of a vector may do in another order."""
_FUNCTIONS = (
    "static int {f}(void) {{ return {q}; }}",
    "static int {f}(void) {{ int k; k = {q}; return k; }}",
    "static int {f}() {{ const int k = {q}, l = k; return l; }}",
    "static int {f}(void) {{ if ({z}) return 0; return {q}; }}",
    "static int {f}(void) {{ int k = {q}; {z} = 0; return k; }}",
    "static int {f}(void) {{ int k = 0; for (int j = 0; j < {q}; j++) k++; return k; }}",
)
"""Two of them are no questions but calls: they read, or write, a variable of the file."""
_SCATTERED = "kept[perm[i]] += v[i];"
_NEIGHBOURS = "kept[i] += i > lo && i < hi ? kept[i - 1] & 7 : 1;"
_BLOCK_HEADS = _HEADS[:3]
_STATEMENTS = (
    "kept[i] += 2 * v[i];",
    "kept[i] = kept[i] * 3 + v[n - 1 - i];",
    "if (v[i] & 1) kept[i] -= i;",
    "for (int k = 0; k < 4; k++) grid[i][k] += k * v[i];",
    "for (int k = 0; k < v[i] % 5; k++) grid[i][k & 3] ^= k + i;",
    "{ own = v[i] + 1; kept[i] += own * own; }",
    "{ long t = 0; for (int k = 0; k < 3; k++) t += v[(i + k) % n]; kept[i] ^= t; }",
    "part += v[i] * 3;",
    "{\n#pragma omp atomic\nof[v[i] & 3] += i;\n}",
    "if (v[i] > most) most = v[i];",
    "{ if (v[i] % 3 == 0) continue; kept[i] += 5; }",
    _SCATTERED,
    "of[me] += v[i];",
    "kept[i] += i - lo;",
    _NEIGHBOURS,
    "{ kept[i] += carried; carried = v[i]; }",
    "late = v[i];",
    "narrow[i] += 3;",
    "{ if (begins[i]) held = v[i]; else kept[i] += held; }",
)
_SERIAL = 12
"""Of those, how many may be launched."""
_MARKS = (
    "table[2 * me] = lo; table[2 * me + 1] = hi;\n"
    "#pragma omp critical\n{ begins[lo] = begins[hi > lo ? hi - 1 : lo] = begins[me] = begins[me + 2] = 1; "
    "begins[2 * me] = begins[all - 1 - me] = begins[n * me / all] = 1; }\n#pragma omp barrier"
)
"""Each thread says where its part of some loop begins: there, iterations set what those behind them read."""
_AROUND = ("", "", "", "if (c > 1)", "if (c < 1)", "for (int r = 0; r < 2; r++)", "if (me != 1)", "if (lo < hi)")
_BETWEEN = ("#pragma omp barrier", "#pragma omp barrier", "#pragma omp single", "#pragma omp for")


def make_divided(site: Site) -> list[Stmt]:
    """A region with one or two such loops, with what they need; and the same once more, where each thread runs its own
    part since that reads a volatile variable.
    """
    rng = site.rng
    n, team, seed = rng.choice((1, 2, 7, 40, 101)), rng.choice((2, 3, 3, 5)), rng.random()
    declared = [
        line(f"enum {{ n = {n} }}; int c = {rng.choice((1, 2))}, perm[n]; volatile int zero = 0;", pinned=True),
        line("long v[n], found[5 * n + 18], differ = 0; char begins[n + 40]; int numbers[n + 10];", pinned=True),
        line("int *narrow = numbers, *table = numbers + n; memset(numbers, 0, sizeof numbers);", pinned=True),
        line(f"for (int q = 0; q < n; q++) v[q] = q * {rng.choice((7, 37))} % 101 - 20;", pinned=True),
        line("for (int q = 0; q < n; q++) perm[q] = (q + 3) % n;", pinned=True),
    ]
    keeps = (
        "memcpy(found, kept, sizeof kept); memcpy(found + n, grid, sizeof grid); "
        "memcpy(found + 5 * n, of, sizeof of);"
    )
    compares = (
        "for (int q = 0; q < n; q++) differ += found[q] != kept[q]; "
        "for (int q = 0; q < 4 * n; q++) differ += found[n + q] != grid[q / 4][q % 4]; "
        "for (int q = 0; q < 18; q++) differ += found[5 * n + q] != of[q];"
    )
    asks = _questions(site)
    regions = [
        _region(random.Random(seed), team, False, keeps, asks), _region(random.Random(seed), team, True, compares, asks)
    ]  # fmt: skip
    seen = [check(site, "differ", 1, literally("differ", LONG), EXACT)]
    return [Stmt((), (*declared, *regions, *(seen if site.checks else ())), pinned=True)]


def _questions(site: Site) -> tuple[str, str]:
    """How threads ask for their number, and for how many there are: by OpenMP's functions, or the program's."""
    found = []
    for question in ("omp_get_thread_num()", "omp_get_num_threads()"):
        if site.rng.random() < 0.5:
            found.append(question)
            continue
        name, zero = site.names.file_scope("asks"), site.names.file_scope("zero")
        text = site.rng.choice((*_FUNCTIONS[:3], *_FUNCTIONS)).format(f=name, q=question, z=zero)
        site.file.append(line(f"static int {zero} = 0; {text}", pinned=True))
        found.append(f"{name}()")
    return found[0], found[1]


def _region(rng: random.Random, team: int, alone: bool, behind: str, asks: tuple[str, str]) -> Stmt:
    """`alone`: with loops that stay as they are."""
    loops = [_loop(rng, team, alone) for _ in range(rng.choice((1, 2, 2)))]
    assigns = rng.random() < 0.3
    numbers = f"me = {asks[0]}, all = {asks[1]};"
    bounds = _bounds(rng)
    if assigns:
        numbers, bounds = f"me = {asks[0]}; all = {asks[1]};", bounds.removeprefix("const ").removeprefix("int ")
    inside: list[Stmt] = [line(f"{'' if assigns else 'const int '}{numbers} {bounds}", pinned=True)]
    inside.append(line(_MARKS, pinned=True))
    inside.append(line("long held, own = 0, part = 0, most = -100, late = 0, carried = 1;", pinned=True))
    inside.append(line("int at = 0, up = 0;", pinned=True))
    for each in loops:
        inside += [each, *_apart(rng)]
    merged = "#pragma omp critical\n{ of[16] += part; of[17] = of[17] < most ? most : of[17]; }"
    inside.append(line(merged, pinned=True))
    inside.append(line("of[8 + me] = at * 7 + late + carried;" if rng.random() < 0.3 else ";", pinned=True))
    inside.append(line("of[8 + me] += up;", pinned=True))
    clauses = [Clause("num_threads", (str(team),), required=True)]
    clauses += [Clause("private", ("me", "all", "lo", "hi"), required=True)] if assigns else []
    region = Stmt((), tuple(inside), pragmas=(Pragma("parallel", tuple(clauses), required=True),))
    first = [
        line("memset(begins, 0, sizeof begins); long kept[n], grid[n][4], of[18] = {0};", pinned=True),
        line("int me, all, lo, hi;", pinned=True),
        line("for (int q = 0; q < n; q++) { kept[q] = q; for (int k = 0; k < 4; k++) grid[q][k] = k; }", pinned=True),
    ]
    return Stmt((), (*first, region, line(behind, pinned=True)), pinned=True)


def _bounds(rng: random.Random) -> str:
    words = rng.choice(_BLOCKS[:5]) if rng.random() < 0.7 else rng.choice(_BLOCKS)
    return f"{rng.choice(('const int', 'int'))} {words};"


def _loop(rng: random.Random, team: int, alone: bool) -> Stmt:
    head = rng.choice((*_HEADS, *_SEVERAL))
    counter = rng.choice(("int", "int", "long", "short", "unsigned", "signed char"))
    if "hi - 1" in head and counter == "unsigned":
        counter = "int"  # which is below 0 where there is no iteration
    chosen = rng.sample(_STATEMENTS[:_SERIAL] if rng.random() < 0.7 else _STATEMENTS, rng.choice((1, 1, 2)))
    if _SCATTERED in chosen:
        chosen = [_SCATTERED]  # what other threads have there is theirs
    if _NEIGHBOURS in chosen and not head.startswith(_BLOCK_HEADS):
        chosen = [text for text in chosen if text != _NEIGHBOURS] or ["kept[i]++;"]  # which are other threads'
    chosen.sort(key=lambda text: "continue" in text)
    body = [line(text) for text in chosen]
    if "at =" in head:
        body.insert(0, line("const int i = at;", pinned=True))
    if alone:
        body.append(line("(void)zero;", pinned=True))
    loop = Stmt((head.replace("{t}", counter).replace("{team}", str(team)),), tuple(body))
    if rng.random() < 0.3 and head in _HEADS and not any(word in text for word in _WITHOUT_LANES for text in chosen):
        adds = any("part" in text for text in chosen)
        loop = replace(loop, pragmas=(Pragma("simd", _ADDING if adds else rng.choice(_SIMD), required=adds),))
    around = rng.choice(_AROUND)
    return Stmt((around,), (loop,)) if around else loop


def _apart(rng: random.Random) -> list[Stmt]:
    """What keeps a loop from those behind it, which may have other parts."""
    chosen = rng.choice(_BETWEEN)
    if chosen.endswith("single"):
        return [line("#pragma omp barrier\n#pragma omp single\nof[16]++;", pinned=True)]
    if chosen.endswith("for"):
        return [line("#pragma omp barrier\n#pragma omp for\nfor (int q = 0; q < n; q++) kept[q] ^= 1;", pinned=True)]
    return [line(chosen, pinned=True)]
