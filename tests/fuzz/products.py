"""Nests around a sum of products: three loops in an order that is right, two arrays in any storage order.

What a block of points shares is staged and kept in registers then, or exchanged with other loops. The values are small
whole numbers, so that sums of floating-point numbers are exact.

Beside the sum a point may do more: it adds to a sum of all points, counts, sets a variable that is wanted behind the
loop, uses the counter behind its loop, or finds elements with variables of its own.

In: a Site.   Out: arrays of its own, filled; one parallel nest; a check of the result.
"""

from __future__ import annotations

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
_BESIDE = (
    ("total += (long){at};", Clause("reduction", ("total",), "+: ")),
    ("last = (long){at} + i;", Clause("lastprivate", ("last",))),
    ("if (i % 2) continue; {at} += 1;", None),
    ("{{ static const {t} steps[3] = {{2, 5, 1}}; {at} += steps[(i + j) % 3]; }}", None),
    ("{{ {t} k = 3; {at} += k; }}", None),
    ("for (int q = 0; q < 3; q++) {at} += q * j;", None),
    ("if (j % 3 == 1) {at} = i;", None),
)
"""What a point does behind its sum, and the clause that it needs."""
_BETWEEN = (
    ("int k_ = k;", "k_"),
    ("const int k_ = {count} - 1 - k;", "k_"),
    ("int k_ = 0; if (i % 3) k_ = k;", "k_"),
    ("unsigned char k_ = (unsigned char)(k * 7) % {count};", "k_"),
    ("int k_ = k; k_ ^= k_ & 1;", "k_"),
    ("", "(i % 2 ? k : 0)"),
    ("", "(k + i) % {count}"),
)
"""What the loop declares, and the subscript that it uses instead of its counter."""


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
    nest = _nest(site, (n, m, count), (a, b, c), t)
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


def _nest(site: Site, sizes: tuple[int, int, int], arrays: tuple[Matrix, ...], t: Scalar) -> Stmt:
    (n, m, count), (a, b, c), rng = sizes, arrays, site.rng
    at = c.at("i", "j")
    between, k = rng.choice(_BETWEEN) if rng.random() < 0.25 else ("", "k")
    between, k = between.format(count=count), k.format(count=count)
    operands = {"a": a.at("i", k), "b": b.at(rng.choice((k, "k")), "j"), "t": t.name}
    outer, inner = (head("i", n), head("j", m)) if rng.random() < 0.6 else (head("j", m), head("i", n))
    form = rng.randrange(4)
    operation = rng.choice(_OPERATIONS + _CONDITIONS) if form else rng.choice(_OPERATIONS)
    reduced = head("k", count) if rng.random() < 0.7 else f"for (int k = {count} - 1; k >= 0; k--)"
    collapse = (Clause("collapse", ("2",)),) if form < 3 and rng.random() < 0.4 else ()
    if form == 3:  # the reduction between the other two
        nest = loop(reduced, loop(inner, line(between + operation.format(s=at, **operands))))
        zeros = loop(inner, line(f"{at} = {at} * 2;"))
        body = (zeros, nest) if rng.random() < 0.4 else (nest,)
        return Stmt((outer,), body, pragmas=(Pragma("parallel for"),))
    more, clause = rng.choice(_BESIDE) if rng.random() < 0.3 else ("", None)
    outside = rng.random() < 0.1
    if outside:
        reduced, more = reduced.replace("int k", "k"), more + "{at} += k;"
    s = at if form < 2 else "s"
    if form == 0:  # in memory, from its old value
        first, last = "", ""
    elif form == 1:  # in memory, from zero
        first, last = f"{at} = {rng.choice(('0', '0', at + ' * 2'))};", ""
    else:  # in a variable
        first, last = f"{t.name} s = {rng.choice(['0', '1', at])};", f"{at} = s;"
    summed = loop(reduced, line(between + operation.format(s=s, **operands)))
    point = (line(first), summed, line(last), line(more.format(at=at, t=t.name)))
    clauses = (*collapse, *([] if clause is None else [clause]), *([Clause("private", ("k",))] if outside else []))
    nest = Stmt((outer,), (loop(inner, *point),), pragmas=(Pragma("parallel for", clauses),))
    if clause is None and not outside:
        return nest
    names = ("total", "last") if site.checks else ()
    seen = (check(site, name, 1, literally(name, LONG), EXACT) for name in names)
    return Stmt((), (line("long total = 1, last = 0; int k = 0;", pinned=True), nest, *seen), pinned=True)
