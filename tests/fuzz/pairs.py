"""Loops whose iterations all go over all elements of some arrays: all pairs, with quotients, roots and exponentials.

    for (int i = 0; i < 33; i++) {
        double s = 1, u = m1[i];
        for (int j = 0; j < 70; j++)
            s += m2[j] / (1.5 + fabs(m3[j] - u));
        m4[i] = s;
    }

Lanes share the inner loop then, and a thread computes several iterations together.

In: a Site.   Out: arrays of its own, filled; one parallel loop; a check of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .products import filled, head, loop, matrix
from .scalars import DOUBLE, FINE
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_TERMS = (
    "s += {a} / (1.5 + fabs({b} - u));",
    "s -= sqrt({a} * {a} + u * u);",
    "s += {b} / sqrt(({a} - u) * ({a} - u) + 0.5);",
    "s += exp(-({a} - u) * ({a} - u)) * v;",
    "t += 1.0 / (1.0 + {a} * {a}); s += sqrt(fabs({b})) * u;",
    "{{ const double d = {a} - u; t += sqrt(d * d + 1.0); k += j % 3; }}",
    "k += j * 5 % 7; s += tanh({a}) / (2.0 + v * v);",
    "if (j != i) s += 1.0 / (0.5 + fabs({a} - u));",
)
_BEFORE = ("", "", "v = {c} * 0.5;", "if (i % 3 == 1) v -= {a0};", "u = v + {c}; k = i;")
_BETWEEN = ("", "", "u = s / {count}; s = 0;", "s = s * 0.25 + t; k++;")


def make_pairs(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n, count = rng.choice([1, 2, 7, 33, 64, 70]), rng.choice([1, 65, 70, 97])
    a, b, c, to = (matrix(site, size, 1, DOUBLE) for size in (count, count, n, n))
    texts = {"a": a.at("j", "0"), "b": b.at("j", "0"), "c": c.at("i", "0"), "a0": a.at("0", "0"), "count": f"{count}.0"}

    def terms() -> list[Stmt]:
        backwards = rng.random() < 0.2
        inner = f"for (int j = {count} - 1; j >= 0; j -= 2)" if backwards else head("j", count)
        return [loop(inner, line(rng.choice(_TERMS).format(**texts)))]

    steps = [line(text.format(**texts)) for text in (rng.choice(_BEFORE),) if text] + terms()
    if rng.random() < 0.3:
        steps += [line(text.format(**texts)) for text in (rng.choice(_BETWEEN),) if text] + terms()
    body = [line(f"double s = {rng.randrange(3)}, t = 0, u = {texts['c']}, v = 1;"), line("int k = 0;"), *steps]
    body += [line(f"{to.at('i', '0')} = s + t * 0.5 + k + u;")]
    outer = head("i", n) if rng.random() < 0.7 else f"for (int i = {n} - 1; i >= 0; i -= {rng.choice([1, 3])})"
    nest = Stmt((outer,), tuple(body), pragmas=(Pragma("parallel for", _clauses(rng)),))
    seen = [check(site, to.name, n, literally(to.element, DOUBLE), FINE)] if site.checks else []
    return [*(filled(x, k) for k, x in enumerate((a, b, c, to))), nest, *seen]


def _clauses(rng: random.Random) -> tuple[Clause, ...]:
    return (Clause("schedule", ("static, 3",)),) if rng.random() < 0.2 else ()
