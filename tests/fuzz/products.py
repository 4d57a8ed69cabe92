"""Nests around a sum of products: three loops in an order that is right, two arrays in any storage order.

What a block of points shares is staged and kept in registers then, or exchanged with other loops. The values are small
whole numbers, so that sums of floating-point numbers are exact.

In: a Site.   Out: arrays of its own, filled; one parallel nest; a check of the result.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .loops import check
from .scalars import DOUBLE, EXACT, FLOAT, INT, LONG, Scalar
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_OPERATIONS = ("{s} += {a} * {b};", "{s} += {a} * {b};", "{s} = {s} + {a} - {b};", "{s} -= {a} * {b};")
_CONDITIONS = (
    "if ({a} > {b}) {s} += {a};",
    "if ({s} < 1000) {s} += {a} * {b};",
    "{{ {t} v = {a} - {b}; {s} += v * v; }}",
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """`flat`: one subscript; else two. `turned`: the second index is that of the rows."""

    name: str
    rows: int
    columns: int
    flat: bool
    turned: bool

    def at(self, row: str, column: str) -> str:
        if self.turned:
            row, column = column, row
        width = self.rows if self.turned else self.columns
        return f"{self.name}[{row} * {width} + {column}]" if self.flat else f"{self.name}[{row}][{column}]"

    def declared(self, t: Scalar) -> str:
        rows, columns = (self.columns, self.rows) if self.turned else (self.rows, self.columns)
        return f"static {t.name} {self.name}" + (f"[{rows * columns}];" if self.flat else f"[{rows}][{columns}];")

    @property
    def element(self) -> str:
        return f"{self.name}[q]" if self.flat else f"(&{self.name}[0][0])[q]"


def make_product(site: Site) -> list[Stmt]:
    """One nest, with what it needs."""
    rng, t = site.rng, site.rng.choice([INT, LONG, FLOAT, DOUBLE])
    n, m, count = (rng.choice([1, 2, 15, 16, 17, 31, 33, 40]) for _ in range(3))
    a = matrix(site, n, count, t)
    b = matrix(site, count, m, t)
    c = matrix(site, n, m, t)
    fills = [filled(x, k) for k, x in enumerate((a, b, c))]
    nest = _nest(rng, (n, m, count), (a, b, c), t)
    element = literally(c.element, t)
    return [*fills, nest, check(site, c.name, n * m, element, EXACT)] if site.checks else [*fills, nest]


def matrix(site: Site, rows: int, columns: int, t: Scalar) -> Matrix:
    made = Matrix(site.names.file_scope("m"), rows, columns, site.rng.random() < 0.5, site.rng.random() < 0.4)
    site.file.append(line(made.declared(t), pinned=True))
    return made


def filled(a: Matrix, k: int) -> Stmt:
    return line(f"for (int q = 0; q < {a.rows * a.columns}; q++) {a.element} = (q * {k + 3}) % {k + 5} - 2;")


def loop(head: str, *body: Stmt) -> Stmt:
    return Stmt((head,), body)


def head(variable: str, end: int) -> str:
    return f"for (int {variable} = 0; {variable} < {end}; {variable}++)"


def _nest(rng: random.Random, sizes: tuple[int, int, int], arrays: tuple[Matrix, ...], t: Scalar) -> Stmt:
    n, m, count = sizes
    a, b, c = arrays
    at = c.at("i", "j")
    operands = {"a": a.at("i", "k"), "b": b.at("k", "j"), "t": t.name}
    outer, inner = (head("i", n), head("j", m)) if rng.random() < 0.6 else (head("j", m), head("i", n))
    form = rng.randrange(4)
    operation = rng.choice(_OPERATIONS + _CONDITIONS) if form else rng.choice(_OPERATIONS)
    reduced = head("k", count) if rng.random() < 0.7 else f"for (int k = {count} - 1; k >= 0; k--)"
    collapse = (Clause("collapse", ("2",)),) if form < 3 and rng.random() < 0.4 else ()
    if form == 0:  # in memory, from its old value
        body: tuple[Stmt, ...] = (loop(reduced, line(operation.format(s=at, **operands))),)
    elif form == 1:  # in memory, from zero
        body = (line(f"{at} = 0;"), loop(reduced, line(operation.format(s=at, **operands))))
    elif form == 2:  # in a variable
        start = rng.choice(["0", "1", at])
        summed = loop(reduced, line(operation.format(s="s", **operands)))
        body = (line(f"{t.name} s = {start};"), summed, line(f"{at} = s;"))
    else:  # the reduction between the other two
        nest = loop(reduced, loop(inner, line(operation.format(s=at, **operands))))
        zeros = loop(inner, line(f"{at} = {at} * 2;"))
        body = (zeros, nest) if rng.random() < 0.4 else (nest,)
        return Stmt((outer,), body, pragmas=(Pragma("parallel for"),))
    return Stmt((outer,), (loop(inner, *body),), pragmas=(Pragma("parallel for", collapse),))
