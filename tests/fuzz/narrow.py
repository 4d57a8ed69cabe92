"""Loops over elements of one or two bytes, of which neighbouring iterations have neighbours, at any address.

    unsigned char *a = (unsigned char *)block + 3, *b = a + 700;     parts of one block, one right behind the other
    for (int i = 0; i < n; i++) {
        a[i] = b[i] > 100 ? 255 : a[i];
        if (b[i + 1] & 1) continue;
        h[i] -= a[i] * 3;
    }

In: a Site.   Out: arrays of its own; a loop; checks of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_ROOM = 6400
"""Elements of each array; iterations have at most every third of 2100."""
_SIZES = {"int": 4, "short": 2, "unsigned short": 2, "unsigned char": 1, "signed char": 1, "_Bool": 1}
_TYPES = ("unsigned char", "unsigned char", "signed char", "short", "unsigned short", "_Bool", "int")
_COUNTS = (0, 1, 2, 7, 15, 16, 17, 31, 33, 64, 255, 257, 1030, 2100)
_COUNTERS = ("int", "int", "long", "unsigned", "short")
_HEADS = (
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = 0; i < {n}; i++)",
    "for ({t} i = {o}; i < {n} + {o}; i++)",
    "for ({t} i = {n}; i > 0; i--)",
    "for ({t} i = 0; i < {n}; i += {s})",
)
_NEST = ("for (int r = 0; r < {rows}; r++)", "for ({t} i = {o} % 3; i < {n}; i++)")
_PLACES = ("{a}[i]", "{a}[i]", "{a}[i + {o}]", "{a}[i + off]", "{a}[{n} + 20 - i]", "{a}[3 * i]", "(*({a} + i))")
_IN_ROWS = ("{a}[r * {n} + i]", "{a}[i + r * ({n} + off)]", "{a}[(r * {n} + i) * 2]")
_FOUND = (
    "{a}[i]", "{a}[i]", "{a}[i + 1]", "{a}[i + off]", "{a}[(unsigned char)i]", "{a}[7]", "{a}[i / 2]",
    "{a}[{n} + 30 - i]", "{a}[i & 31]", "{a}[table[i & 63]]",
)  # fmt: skip
_STATEMENTS = (
    "{d} = {s};",
    "{d} = {s} + {r};",
    "{d} = {s} * 3 - {r};",
    "{d} = {s} > {k} ? {r} : {k};",
    "{d} += {s};",
    "{d} = {d} % 99 * {k} - {s};",
    "{d} = {d} / 3 + ({s} > {r});",
    "if ({s} > {k}) {d} = {r};",
    "if ({s} > {k}) {d} = {r}; else {d} = {d} + 1;",
    "{s} > {k} && ({d} = {r});",
    "{s} > {k} ? ({d} = 1) : ({d} += 2);",
    "if ({s} & 1) continue;",
    "{{ int x = {s}; {d} = (x & 31) * (x & 1023); }}",
    "{{ int x = {d}++; if (x > {k}) {d} = x - {s}; }}",
    "switch ({s} & 3) {{ case 0: {d} = {k}; break; case 1: {d} = {r}; default: {d} -= 1; }}",
    "{d} = ({s} == {r}) + !{s};",
    "sum += {s};",
    "{{ sum += {d}; {d} = last = {s}; }}",
    "for (int q = 0; q < 3; q++) {d} = {d} % 99 + {s} % 99 * q;",
)


def make_narrow(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    words = {
        "t": rng.choice(_COUNTERS), "n": rng.choice(_COUNTS), "o": rng.choice((1, 3, 16)), "s": rng.choice((1, 2)),
        "rows": rng.choice((1, 2, 9)),
    }  # fmt: skip
    if not words["n"]:
        words["t"] = "int"  # gcc 12 takes no unsigned counter that never counts
    nested = rng.random() < 0.3
    if nested:
        words["n"] = rng.choice((1, 15, 16, 33, 64, 100))
    heads = [head.format(**words) for head in (_NEST if nested else (rng.choice(_HEADS),))]
    names = ["a", "b", "c", "d"][: rng.choice((2, 3, 3, 4))]
    one = rng.choice(_TYPES)
    alike = rng.random() < 0.3
    types = sorted((one if alike else rng.choice(_TYPES) for _ in names), key=lambda kind: -_SIZES[kind])
    own = {name: rng.choice(_IN_ROWS if nested else _PLACES).format(a=name, **words) for name in names}
    body = _body(rng, words, own)
    text = " ".join(body)
    gives_last = not nested and "continue" not in text and words["n"]
    clauses = [Clause("reduction", ("sum",), prefix="+ : ")] * ("sum" in text)
    clauses += [Clause("lastprivate" if gives_last else "private", ("last",))] * ("last" in text)
    clauses += [Clause("collapse", ("2",), required=False)] * (nested and rng.random() < 0.5)
    statements = tuple(map(line, body))
    inner = (Stmt((heads[1],), statements, pinned=True),) if nested else statements
    loop = Stmt((heads[0],), inner, pragmas=(Pragma("parallel for", tuple(clauses), required=True),), pinned=True)
    declared = [
        line(f"enum {{ room = {_ROOM} }}; const int off = {rng.choice((0, 0, 1, 16))};", pinned=True),
        line("static const unsigned char table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9};", pinned=True),
        line("int last = -1; long sum = 0; char *block = calloc(4, room * 4 + 64);", pinned=True),
        *_arrays(rng, dict(zip(names, types, strict=True))),
        *(line(f"for (int q = 0; q < room; q++) {name}[q] = q * 7 % {rng.choice((121, 97))};") for name in names),
    ]
    seen = [check(site, name, _ROOM, literally(f"(long){name}[q]", LONG), EXACT) for name in names]
    seen.append(check(site, "sum", 1, literally("sum * 7 + last", LONG), EXACT))
    return [Stmt((), (*declared, loop, *(seen if site.checks else ()), line("free(block);")), pinned=True)]


def _arrays(rng: random.Random, types: dict[str, str]) -> list[Stmt]:
    """Arrays of their own, or parts of one block, each from where another ends: the wider ones first."""
    start, alone, found = rng.choice((0, 0, 1, 2, 15)), rng.random() < 0.5, list[str]()
    before = ""
    for name, kind in types.items():
        if alone:
            found.append(f"static {kind} {name}_[room + 16]; {kind} *{name} = {name}_ + {start};")
        else:
            begin = f"({before} + room)" if before else "block"
            found.append(f"{kind} *{name} = ({kind} *){begin} + {0 if before else start};")
        before = name
    return [line(text, pinned=True) for text in found]


def _body(rng: random.Random, words: dict[str, object], own: dict[str, str]) -> list[str]:
    """An iteration writes its own elements; of the same arrays it reads no others."""
    written = list(own)[: rng.choice((1, 1, 2))]
    if rng.random() < 0.5:
        written = list(own)[-len(written) :]
    read = [name for name in own if name not in written] or written

    def value() -> str:
        name = rng.choice(read if rng.random() < 0.75 else written)
        return own[name] if name in written else rng.choice((own[name], rng.choice(_FOUND).format(a=name, **words)))

    chosen = rng.choices(_STATEMENTS, k=rng.choice((1, 1, 2, 3)))
    return [text.format(d=own[rng.choice(written)], s=value(), r=value(), k=rng.choice((0, 1, 50))) for text in chosen]
