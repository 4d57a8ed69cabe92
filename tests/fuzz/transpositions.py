"""Nests of two loops over matrices that are stored in any order: what some read along rows, others read along columns.

Elements then pass through tiles of shared memory. The values are small whole numbers, so floating-point ones are exact.

In: a Site.   Out: arrays of its own, filled; one parallel nest; checks of what it writes.
"""

from __future__ import annotations

from .loops import check
from .products import filled, head, loop, matrix
from .scalars import CHAR, DOUBLE, EXACT, FLOAT, INT, LONG, SHORT, Scalar
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_STATEMENTS = (
    "{b} = {a};",
    "{b} = {a} * 2 + {c};",
    "{b} = ({a} > {c} ? {a} : {c}) - {d};",
    "{b} += {a} - {c};",
    "{b} = {c}; {b} += {a};",
    "{{ int v = (int){a}; if (v > 0) v -= (int){c}; {b} = v; }}",
    "{{ int v = 0; for (int k = 0; k < 3; k++) v = v * 2 + (int){a} - k; {b} = v + {d}; }}",
    "if ({a} > {d}) {b} = {c};",
)


def make_transposition(site: Site) -> list[Stmt]:
    """One nest, with what it needs."""
    rng = site.rng
    n, m = (rng.choice([1, 2, 31, 32, 33, 40, 64, 70]) for _ in range(2))
    types: list[Scalar] = [rng.choice([CHAR, SHORT, INT, LONG, FLOAT, DOUBLE]) for _ in range(5)]
    matrices = [matrix(site, n, m, t) for t in types]
    a, c, d, *written = (x.at("i", "j") for x in matrices)
    count = rng.choice([1, 1, 2])
    body = [line(rng.choice(_STATEMENTS).format(a=a, b=b, c=c, d=d)) for b in written[:count]]
    heads = [head("i", n), head("j", m)]
    if rng.random() < 0.3:
        heads[1] = f"for (int j = {m} - 1; j >= 0; j--)"
    rng.shuffle(heads)
    collapse = (Clause("collapse", ("2",)),) if rng.random() < 0.4 else ()
    nest = Stmt((heads[0],), (loop(heads[1], *body),), pragmas=(Pragma("parallel for", collapse),))
    fills = [filled(x, k) for k, x in enumerate(matrices)]
    seen = list(zip(matrices, types, strict=True))[3 : 3 + count] if site.checks else []
    return [*fills, nest, *(check(site, x.name, n * m, literally(x.element, t), EXACT) for x, t in seen)]
