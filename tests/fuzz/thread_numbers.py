"""Loops that ask which thread runs an iteration; what they compute does not depend on how many threads there are.

    #pragma omp parallel num_threads(3)
    {   const int me = omp_get_thread_num();
        #pragma omp for schedule(static, 4)
        for (unsigned i = 40; i > 0; i -= 3) { who[i] = me; sums[me] += v[i]; }
    }

Another loop with the same schedule, which only the host can run, says whose iterations they are.

In: a Site.   Out: arrays of its own; two loops; checks of their sums, and of how often the loops differ.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_HEADS = (
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = {n} - 1; i > 0; i -= {s})",
    "for ({t} i = 1; i <= {n} - 1; i += {s})",
    "for ({t} i = 0; i != {n}; i++)",
    "for ({t} i = {n} / 3; i < {n} - {n} / 4; i += {s})",
)
_NEST = ("for ({t} a = 0; a < {n} / 8 + 1; a++)", "for (int b = {s}; b < 8; b += {s})")
_SCHEDULES = ("", "static", "static, 1", "static, 4", "static, {c}", "static, {c} * 2 - 1", "auto", "dynamic, 3")
_TEAMS = ("", "", "2", "3", "{c} % 3 + 1", "5")
_NUMBERS = (
    "const int me = omp_get_thread_num();",
    "const int me = omp_get_thread_num();",
    "long me; me = (long)omp_get_thread_num();",
    "int me = omp_get_thread_num(); if ({c}) me = omp_get_num_threads() - 1 - me;",
    "int me = {c} ? omp_get_thread_num() : omp_get_num_threads() - 1 - omp_get_thread_num();",
)
_PLAIN = "const int off = 8 * me;"
_MADE = (
    _PLAIN,
    "int shift = 8; const int off = shift * me; shift = 24;",
    "int off = 8 * me, *to = &off; *to += 160;",
    "int i = 8; const int off = i * me;",
    "int off; off = 8 * me;",
    "int off = 3, by; by = 8; off = by * me;",
    "int off = 8 * me; if (c == 7) off = 8 * me + 160;",
    "int off, by = 8; off = by * me; by = 3;",
    "int off; for (int r = 0; r < 2; r++) { if (r == 1) break; off = 8 * me; }",
    "int off = 160 - me, other = off; off = 8 * me; other = 0;",
)
"""Of the number, once for each thread: a value made again in an iteration would be another one."""
_STARTS = ", ".join(f"me * 1600 + {200 * k}" for k in range(8))
_OWN = (
    "long part = 0; part += v[i];",
    "long part = 0; part = part - v[i];",
    "int bag[8] = {{0}}; bag[v[i] & 7]++;",
    "int bag[8] = {{0}}; if (v[i] & 1) bag[i & 7] -= i;",
    "int most = -100; if (v[i] > most) most = v[i];",
    "int *heap = calloc(8, sizeof *heap); heap[v[i] & 7] += 3;",
    "int *heap; heap = calloc(8, sizeof *heap); heap[i & 7]++; heap[0] -= i;",
    "long *row = rows[omp_get_thread_num()]; row[v[i] & 7] += i;",
    "long *row; row = rows[omp_get_thread_num()]; for (int k = 0; k < 8; k++) row[k] -= v[i];",
    "const long more = extra[omp_get_thread_num()]; kept[i] += more;",
    "int *heap = calloc(8, sizeof *heap); {{ for (int k = 0; k < 8; k++) heap[k] = k; kept[i] += heap[v[i] & 7]; }}",
)
_COUNTERS = tuple(
    f"int next[8] = {{{{{_STARTS}}}}}; {text}" for text in (
        "order[next[v[i] & 7]++] = i + 1;",
        "if (v[i] & 1) {{ const int slot = next[i & 7]++; order[slot] = i + 1; }}",
        "{{ const int slot = next[v[i] & 7]++; order[slot] = i + 1; kept[i] += slot >= me * 1600; }}",
        "{{ int slot = next[v[i] & 7]++; kept[i] = v[i] + 3; order[slot] = i + 1; slot = 0; kept[i] += slot; }}",
        "{{ int slot = next[i & 7]++; slot = slot + 0 * c; order[slot] = i + 1; }}",
        "{{ int slot = 3; if (v[i] & 2) slot = next[i & 7]++; else slot = me * 1600 + 1599; order[slot] = i + 1; }}",
        "{{ kept[i]++; order[next[v[i] & 7]++] = i + 1; }}",
        "{{ int k = v[i] & 7; const int slot = next[k]++; k++; order[slot] = i + 1; kept[i] += k; }}",
        "{{ int k = 0; const int slot = next[(k++, v[i] & 7)]++; order[slot] = i + 1; kept[i] += k; }}",
        "{{ order[next[v[i] & 7]++] = i + 1; kept[i] += next[v[i] & 7] > me * 1600; }}",
        "{{ order[next[v[i] & 7]++] = i + 1; next[i & 3] += 0; }}",
        "{{ order[next[v[i] & 7]++] = i + 1; kept[i] += order[me * 1600 + (v[i] & 7) * 200] > 0; }}",
        "{{ sums[me] += v[i]; order[next[v[i] & 7]++] = i + 1; }}",
    )
)  # fmt: skip
"""Counters of places, with what else is done with a place, or in the iteration."""
"""What a thread of a region has for itself, behind `;` what an iteration does with it."""
_LOOKED_AT = {
    "part": "bins[{me}][1] += part;",
    "bag": "for (int q = 0; q < 8; q++) bins[{me}][q] += bag[q] * (q + 1);",
    "most": "of[{me}].most = of[{me}].most < most ? most : of[{me}].most;",
    "heap": "for (int q = 0; q < 8; q++) bins[{me}][q] += heap[q]; free(heap);",
    "next": "for (int b = 0; b < 8; b++) {{ const int first = {me} * 1600 + b * 200; int ups = 0, downs = 0; "
    "for (int q = first; q < next[b] - 1; q++) {{ ups += order[q] < order[q + 1]; downs += order[q] > order[q + 1]; }} "
    "bins[{me}][b] += next[b] - first + (ups && downs) * 100000; }}",
}
"""By each thread, when all its iterations are done; a buffer that the next iteration fills again is not looked at."""
_NAMED = {"me": "me", "mine": "mine", "off": "off"}
_ASKED = {
    "me": "omp_get_thread_num()", "mine": "(&sums[omp_get_thread_num()])", "off": "(omp_get_thread_num() * 8)"
}  # fmt: skip
_STATEMENTS = (
    "sums[{me}] += v[i];",
    "sums[{me}] = v[i] + sums[{me}];",
    "{{ long *own = &sums[{me}]; *own += v[i]; *own -= i; }}",
    "of[{me}].count++;",
    "*{mine} -= v[i];",
    "{{ long *own = {mine}; own[0] += 2; }}",
    "bins[{off} / 8][v[i] & 7] += 3;",
    "kept[i] += {off} / 8 <= {me};",
    "of[{me}].narrow += v[i];",
    "of[{me}].flags |= v[i];",
    "if (v[i] > of[{me}].most) of[{me}].most = v[i];",
    "of[{me}].most = of[{me}].most < v[i] ? v[i] : of[{me}].most;",
    "bins[{me}][v[i] & 7]++;",
    "if (v[i] & 1) bins[{me}][i & 7] -= v[i];",
    "for (int k = 0; k < 8; k++) bins[{me}][k] += k * v[i];",
    "{{ for (int k = 0; k < 8; k++) space[{me}][k] = v[i] + k; kept[i] += space[{me}][v[i] & 7]; }}",
    "{{ int *own = space[{me}]; own[i & 7] = v[i]; kept[i] += own[i & 7]; }}",
    "{{ before[i] = last[{me}]; last[{me}] = i; }}",
    "{{ before[i] = last[{me}] + v[i]; last[{me}] += i; }}",
    "kept[i] = v[i] * ({me} < {all});",
    "kept[i] += {all} > {me} && {all} < 64;",
    "if ({me} == {all} - 1) kept[i] ^= 0; else kept[i] += 0;",
    "if ({me} % 2) kept[i] += 2; else kept[i] += 2;",
)


def make_thread_numbers(site: Site) -> list[Stmt]:
    """Two loops, with what they need."""
    rng = site.rng
    n, c = rng.choice((1, 3, 40, 40, 129, 129)), rng.choice((1, 2, 7))
    schedule, team = rng.choice(_SCHEDULES).format(c="c"), rng.choice(_TEAMS).format(c="c")
    words = {"t": rng.choice(("int", "int", "unsigned", "long", "unsigned char")), "n": n, "s": rng.choice((1, 2, 3))}
    if words["t"] == "unsigned char" and n > 120:
        words["t"] = "short"
    head = rng.choice(_HEADS)
    if ("!=" in head or "-=" in head) and words["t"] in ("unsigned char", "short"):
        words["t"] = "int"  # gcc 12 takes no others, or loses an iteration of a dynamic schedule
    if words["t"] == "unsigned" and "-=" in head and schedule.startswith("dynamic"):
        words["t"] = "long"  # of which gcc 12 does no iteration
    if "unsigned" in str(words["t"]) and "-=" in head:
        words["s"] = 1  # no counter passes by 0
    heads = [each.format(**words) for each in (_NEST if rng.random() < 0.25 else (head,))]
    chosen = rng.sample(_STATEMENTS, rng.choice((1, 1, 2, 3)))
    given = "" if rng.random() < 0.3 else rng.choice(_NUMBERS).format(c=rng.choice(("c > 90", "c < 90")))
    off = rng.choice(_MADE)
    seen_off = ["kept[i] += {off} / 8 == {me} ? 3 : 1;"] if given and off != _PLAIN else []
    said = ["who[i] = {me} + 1;"]
    own = rng.choice(_OWN) if given and off == _PLAIN and rng.random() < 0.6 else ""
    if rng.random() < 0.25:
        given, off, seen_off, own = given or _NUMBERS[0], _PLAIN, [], rng.choice(_COUNTERS)
        said, chosen = ([], []) if rng.random() < 0.8 else (said, chosen)
        schedule = rng.choice(("static", "static", "", schedule))
    asked = _loop(rng, heads, [*said, *chosen, *seen_off], given, schedule, team, off, own)
    orders = [each.replace("before", "earlier").replace("last", "latest") for each in chosen if "last" in each]
    told = _loop(rng, heads, ["whose[i] = ({me} + 1) * one;", *orders], given, schedule, team)
    declared = [
        line(f"enum {{ n = {n} }}; int c = {c}, who[200] = {{0}}, whose[200] = {{0}}, kept[200] = {{0}};", pinned=True),
        line("struct { long count; short narrow; unsigned flags; int most; } of[64] = {{0}};", pinned=True),
        line("int before[200] = {0}, earlier[200] = {0}, last[64] = {0}, latest[64] = {0};", pinned=True),
        line("static int order[64 * 1600]; for (int q = 0; q < 64 * 1600; q++) order[q] = 0;", pinned=True),
        line("long extra[64], store[64][8] = {{0}}, *rows[64];", pinned=True),
        line("for (int q = 0; q < 64; q++) { extra[q] = 5; rows[q] = store[q]; }", pinned=True),
        line("long v[200], sums[64] = {0}, bins[64][8] = {{0}}; int space[64][8]; volatile int one = 1;", pinned=True),
        line(f"for (int q = 0; q < 200; q++) v[q] = q * {rng.choice((7, 37))} % 101 - 20;", pinned=True),
        line("long added = 0, most = 0, differ = 0; unsigned flags = 0;", pinned=True),
    ]
    summed = (
        "for (int q = 0; q < 64; q++) { added += sums[q] + of[q].count; flags |= of[q].flags; "
        "if (of[q].most > most) most = of[q].most; "
        "for (int k = 0; k < 8; k++) added += (bins[q][k] + store[q][k]) * (k + 1); }"
    )
    narrow = "short narrow = 0; for (int q = 0; q < 64; q++) narrow += of[q].narrow;"
    same = "for (int q = 0; q < 200; q++) differ += (who[q] != whose[q]) + (before[q] != earlier[q]) * 400;"
    alike = "" if schedule.startswith("dynamic") else same
    text = "((added * 31 + most) * 31 + narrow) * 31 + differ * 1000003 + flags"
    seen = [
        line(f"{summed} {narrow} {alike}", pinned=True),
        check(site, "numbers", 1, literally(text, LONG), EXACT),
        check(site, "kept", 200, literally("kept[q]", LONG), EXACT),
    ]
    return [Stmt((), (*declared, asked, told, *(seen if site.checks else ())), pinned=True)]


def _loop(
    rng: random.Random, heads: list[str], statements: list[str], given: str, schedule: str, team: str,
    off: str = _PLAIN, own: str = "",
) -> Stmt:  # fmt: skip
    """`given`: the declaration of a variable with the number; empty: there is none. `off`: of what is made of it.
    `own`: of what each thread has for itself.
    """
    clauses = [Clause("schedule", (schedule,))] if schedule else []
    asks = Clause("num_threads", (team,), required=True)
    in_region = rng.random() < 0.5 or off != _PLAIN or own != ""
    first = [line(f"{given} long *mine = sums + me; {off}", pinned=True)] if given else []
    names = _NAMED if given else _ASKED
    behind: list[Stmt] = []
    if own:
        declared, does = _parts(own)
        first.append(line(declared, pinned=True))
        statements = [*statements, does]
        looked = next((text for name, text in _LOOKED_AT.items() if f"{name}" in declared), "")
        if "heap[k] =" in does:
            looked = "free(heap);"
        behind = [line(looked.format(me="me"), pinned=True)] if looked else []
    body = [line(each.format(**names, all="omp_get_num_threads()")) for each in statements]
    if len(heads) > 1:
        clauses.append(Clause("collapse", ("2",), required=True))
        body.insert(0, line("const int i = a * 8 + b;", pinned=True))
    directive = "for" if in_region else "parallel for"
    clauses += [asks] if team and not in_region else []
    inside = body if in_region else [*first, *body]
    inner = (Stmt((heads[1],), tuple(inside)),) if len(heads) > 1 else tuple(inside)
    nest = Stmt((heads[0],), inner, pragmas=(Pragma(directive, tuple(clauses), required=True),))
    if not in_region:
        return nest
    of_region = Pragma("parallel", (asks,) if team else (), required=True)
    return Stmt((), (*first, nest, *behind), pragmas=(of_region,))


def _parts(own: str) -> tuple[str, str]:
    """The declaration, with a first value, and the rest."""
    declared, rest = own.split("; ", 1)
    if "=" not in declared:
        given, rest = rest.split("; ", 1)
        declared = f"{declared}; {given}"
    return f"{declared.format()};", rest
