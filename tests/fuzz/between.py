"""Nests whose inner bounds lie in memory, with statements between the loops.

    for (int i = 0; i < 7; i++) {
        int base = i * 7;                     an index, a coefficient, a row pointer, a guard: all, some, in any order;
        double f = m1[i];                     of which the inner loop may change what they read, or compute
        if (m2[i] < 3) continue;
        for (int j = 0; j < s4[1]; j++) m3[base + j] = f + j;
    }

In: a Site.   Out: arrays of its own, filled; one parallel loop; a check of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import DOUBLE, FINE
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_BEFORE = (
    "const int base = i * {m};",
    "int base; base = i; base = i * {m};",
    "int end = {bound};",
    "double f = {r};",
    "double f = {r}, g = f * 0.5 + i;",
    "double f; if ({r} > 2) f = {r}; else f = i;",
    "if ({r} < 1) continue;",
    "if (i % 3 == 1) continue;",
    "double *row = {to} + i * {m};",
    "double *row = &{to}[i * {m}];",
    "double *coefficient = {source} + i;",
    "{r} += 0.5;",
    "if (i % 2) {r} -= 1;",
)
_INSIDE = (
    "{at} = {value} + j;",
    "{at} += {value};",
    "{at} = {at} * 0.5 + {value};",
    "if (j != 2) {at} -= {value};",
    "{{ const double more = j; {at} += more; }}",
)
_CHANGES = ("", "", "", "", " {r} = j;", " {r} += 0.25;", " if (j == 1) {r} -= 1;")


def make_between(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n, m = rng.choice([1, 2, 7, 20]), rng.choice([1, 3, 8, 33])
    to, source = _array(site, n * m), _array(site, n)
    bound = _bound(site, n, m)
    texts = {"m": str(m), "bound": bound, "to": to, "source": source, "r": f"{source}[i]"}
    chosen = rng.sample(_BEFORE, rng.choice([0, 1, 1, 2, 3]))
    if any(sum(name in text for text in chosen) > 1 for name in ("double f", " base", "*row")):
        chosen = chosen[:1]  # one variable of a name
    names = " ".join(chosen)
    place = "base + j" if " base" in names else f"i * {m} + j"
    texts["at"] = "row[j]" if "*row" in names else f"{to}[{place}]"
    values = [texts["r"], "1.5"] + ["f"] * ("double f" in names) + ["g"] * (" g =" in names)
    texts["value"] = rng.choice(values + ["*coefficient"] * ("*coefficient" in names))
    end = "end" if "int end" in names and rng.random() < 0.7 else bound
    heads = (f"for (int j = 0; j < {end}; j++)", f"for (int j = {end} - 1; j >= 0; j--)")
    work = rng.choice(_INSIDE).format(**texts) + rng.choice(_CHANGES).format(**texts)
    inner = Stmt((rng.choice(heads),), (line(work),))
    body = [*(line(text.format(**texts), pinned=True) for text in chosen), inner]
    nest = Stmt((f"for (int i = 0; i < {n}; i++)",), tuple(body), pragmas=(Pragma("parallel for"),))
    sizes = ((to, n * m), (source, n))
    seen = [check(site, name, k, literally(f"{name}[q]", DOUBLE), FINE) for name, k in sizes] if site.checks else []
    return [*(line(f"for (int q = 0; q < {k}; q++) {name}[q] = q * 3 % 7 - 2;") for name, k in sizes), nest, *seen]


def _array(site: Site, size: int) -> str:
    name = site.names.file_scope("m")
    site.file.append(line(f"static double {name}[{size}];", pinned=True))
    return name


def _bound(site: Site, n: int, m: int) -> str:
    """An expression with the value `m` that reads memory."""
    rng: random.Random = site.rng
    name = site.names.local("s")
    match rng.randrange(4):
        case 0:
            site.declare(f"int {name}[3] = {{{n}, {m}, 5}};", name)
            return f"{name}[1]"
        case 1:
            site.declare(f"struct {{ int rows, columns; double h; }} {name} = {{{n}, {m - 1}, 0.5}};", name)
            return f"({name}.columns + 1)"
        case 2:
            pointer = site.names.local("p")
            site.declare(f"int {name}[2] = {{{m}, 0}};", name)
            site.declare(f"int *{pointer} = {name};", pointer)
            return f"*{pointer}"
        case _:
            return str(m)
