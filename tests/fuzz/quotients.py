"""Loops inside an iteration with quotients and roots, whose results are summed, compared, converted or subscripts.

    for (int j = 0; j < 40; j++) {
        const double q = a[j] / (b[j] + i);     mostly of usual size; some operands are 0, tiny, or huge
        if (q < 0.5) n += list[j];
        s += sqrt(q) / (1 + c[j] * c[j]);
    }

In: a Site.   Out: arrays of its own, filled; one parallel loop; checks of what it writes.
"""

from __future__ import annotations

from .loops import check
from .scalars import DOUBLE, EXACT, FINE, FLOAT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_QUOTIENTS = (
    "{a} / ({b} + 1)", "1 / {root}({a} * {a} + 0.5f)", "{a} / {b}", "{root}({a}) / (1 + {b})", "({a} - x) / ({b} + 2)",
    "{a} / ({b} * 1e-30f)", "{a} / (1 + x * x)", "(float){a} / (float)({b} + 3)", "{root}({b} + x) / 3",
)  # fmt: skip
_OPERANDS = ("q % 23 * 0.5f", "q == 5 ? 0 : q * 0.25f", "q == 7 ? 1e-40f : q + 1", "q == 3 ? 1e30f : q * 0.125f")
_USES = (
    "s += q;", "s += q * 0.5f;", "if (q > 0.5f) s += 1;", "s += q > 2 ? 1 : 0.25f;", "n += q < 1;", "last = q;",
    "if (q < 1) n += {list}[j];", "s += {table}[(int)(fabs(q) < 40 ? fabs(q) : 40)];", "if (q > 30) continue;",
    "n += 12 / ((q > 0.25f) + 1 - (q > 1e9f));", "n += {list}[j] / (q > -1e30f);", "any = any || q > 8;",
    "s += q; if (s > 90) break;", "while (q > 1 && q < 1e20f) q = q / 2.5f; s += q;", "p.x += q, p.y = q;",
    "n += (int)fmin(fabs(q), 9.0);", "mine[j & 1] += q;", "if (q > best) best = q, at = j;", "s = s * 0.5f + q;",
    "s += {table}[{list}[j] % 41] / (q * q + 1);",
)  # fmt: skip

_SURE_QUOTIENTS = ("({a} + 0.5f) / ({b} * {tiny})", "{b} / ({a} * 0 + {tiny})", "{b} / {tiny}")
"""Larger than 0.25, whatever their operands."""
_SURE_USES = (
    "n += 12 / (q > 0.25f);", "s += {table}[(int)(1 / (q + 1))];", "s += q > 0.25f ? 1 : {table}[40000000];",
    "if (!(q > 0.25f)) s += {table}[40000000];", "n += {list}[j] / (q > 0.25f ? 1 : 0);", "s += q * {tiny};",
    "for (int e = 0; e < (q > 0.25f ? 1 : 1 << 30); e++) n++;",
    "s += {table}[j % (q > 0.25f)];", "p.x = p.x * (q > 0.25f);",
)  # fmt: skip
"""What would trap, or never end, with another value."""


def make_quotients(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    kind = rng.choice((FLOAT, DOUBLE))
    t, root = kind.name, "sqrtf" if kind is FLOAT else "sqrt"
    n, m = rng.choice((1, 9, 40)), rng.choice((3, 24, 40, 93))
    names = {name: site.names.file_scope(name) for name in ("a", "b", "table", "list", "out", "whole")}
    size = max(n, m, 41)
    for name in ("a", "b", "table"):
        site.file.append(line(f"static {t} {names[name]}[{size}];", pinned=True))
    site.file.append(line(f"static {t} {names['out']}[{n}]; static long {names['whole']}[{n}];", pinned=True))
    site.file.append(line(f"static int {names['list']}[{size}];", pinned=True))
    odd = rng.choice(_OPERANDS)
    fill = line(
        f"for (int q = 0; q < {size}; q++) {names['a']}[q] = {odd}, {names['b']}[q] = q % 11 + 0.5f, "
        f"{names['table']}[q] = q * 0.5f, {names['list']}[q] = q * 13 % 29;"
    )
    at = {"a": f"{names['a']}[j]", "b": f"{names['b']}[j]", "root": root, **{k: names[k] for k in ("table", "list")}}
    at["tiny"] = "1e-30f" if kind is FLOAT else "1e-303"
    quotients, uses = (_QUOTIENTS, _USES) if rng.random() < 0.6 else (_SURE_QUOTIENTS, _SURE_USES)
    inside = [line(f"{t} q = {rng.choice(quotients).format(**at)};", pinned=True)]
    inside += [line(rng.choice(uses).format(**at)) for _ in range(rng.choice((1, 1, 2, 3)))]
    first, end = rng.choice(("0", "0", "i")), str(m)
    head = rng.choice((f"for (int j = {first}; j < {end}; j++)", f"for (int j = {end} - 1; j >= {first}; j--)"))
    body = [
        line(f"{t} s = 0, x = i * 0.5f, last = 0, best = -1, mine[2] = {{1, 2}};", pinned=True),
        line(f"struct {{ {t} x, y; }} p = {{1, 2}};", pinned=True),
        line("long n = 0, at = -1; _Bool any = 0;", pinned=True),
        Stmt((head,), tuple(inside)),
        line(f"{names['out']}[i] = s + last * 0.5f + p.x - p.y + mine[0] + mine[1] * 2 + best;"),
        line(f"{names['whole']}[i] = n * 4 + any * 2 + at;"),
    ]
    nest = Stmt((f"for (int i = 0; i < {n}; i++)",), tuple(body), pragmas=(Pragma("parallel for"),))
    out, whole = f"{names['out']}[q]", f"{names['whole']}[q]"
    usual = f"(fabs((double){out}) < 1e9 ? {out} : 7)"
    seen = [
        check(site, names["out"], n, literally(usual, kind), FINE if kind is DOUBLE else FINE + 1),
        check(site, names["whole"], n, literally(whole, LONG), EXACT),
    ]
    return [fill, nest, *(seen if site.checks else ())]
