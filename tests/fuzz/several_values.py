"""Nests whose subscripts are variables with several values: initialised, then assigned in branches, in cases of a
switch, in short circuits, by narrow types, some before the loop and some in it.

An iteration of the parallel loop writes its own row alone. What its inner loop does there depends on the order, unless
a variable were taken for one of its values, and the inner loop for independent.

In: a Site.   Out: arrays of its own, filled; one parallel nest; a check of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .products import Matrix, filled, matrix
from .scalars import EXACT, INT
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

WIDTH, TURNS = 24, 8

_TYPES = ("int", "int", "int", "long", "short", "unsigned", "size_t", "unsigned char", "signed char")
_VALUES = ("j", "j", "7 - j", "{c} & 7", "3", "j / 2", "j * 2", "(j + 1) & 7", "(unsigned char)(j * 64) / 16", "i % 5")
_CONDITIONS = ("{c} > 1", "{d} & 1", "j % 3 == 1", "i % 2", "k > 3", "j == 0")
_CHANGES = (
    "k = {v};",
    "if ({p}) k = {v};",
    "if ({p}) k = {v}; else k = {w};",
    "switch (({c}) & 3) {{ case 0: k = {v}; break; case 1: k = {w}; default: ; }}",
    "switch ((j + i) & 1) {{ case 1: k = {v}; if ({p}) {{ case 0: ; k = {w}; }} }}",
    "k = {p} ? {v} : k;",
    "if ({p} && (k = {v}) > 2) {at_k} ^= 1;",
    "for (int t = 0; t < 2; t++) if ({p}) k = {v};",
    "while (k > 9) k -= 3;",
)
_USES = (
    "{at_k} = ({at_k} * 3 + j) & 1023;",
    "{at_sum} += k + 1;",
    "{at_k} = j;",
    "if ({p}) continue;",
    "{{ int *p = &{at_k}; *p += j; }}",
    "if ({c} != 0) {at_k} += 100 / {c};",
    "{at_j} += {c} ? 100 % {c} : k;",
    "{at_k} = {at_j} + 1;",
    "if (k == {v}) {at_j} ^= k;",
)
_HEADS = (
    ("for (int j = 0; j < 8; j++)", ""),
    ("for (int j = 0; j < 8; j++)", ""),
    ("for (int j = 7; j >= 0; j--)", ""),
    ("for (short j = 0; j <= 7; j += 2)", ""),
    ("for (unsigned j = 0; j != 8; j++)", ""),
    ("for (size_t j = 7; j != (size_t)-1; j--)", ""),
    ("for (unsigned char r = 252; r != 4; r++)", "const int j = (unsigned char)(r - 252);"),
    ("for (unsigned r = 4294967292u; r != 4; r++)", "const int j = (int)(r - 4294967292u);"),
)


def make_several_values(site: Site) -> list[Stmt]:
    """One nest, with what it needs."""
    rng = site.rng
    n = rng.choice([1, 5, 33, 64, 70])
    row, chosen, other = matrix(site, n, WIDTH, INT), matrix(site, TURNS, 1, INT), matrix(site, n, TURNS, INT)
    texts = _Texts(rng, row, chosen, other)
    where = rng.choice(["inside", "around", "private"])
    kind = rng.choice(_TYPES)
    head, first = rng.choice(_HEADS)
    start = [line(f"{kind} k = {rng.choice([0, 2, 5])};", pinned=True)]
    if where == "private":
        start = [line("k = 1;", pinned=True)]
    body = [line(first, pinned=True)] * bool(first) + start * (where == "inside")
    body += [texts.line(rng.choice(_CHANGES)) for _ in range(rng.choice([1, 1, 2]))]
    body += [texts.line(rng.choice(_USES)) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.3:
        body.append(texts.line(rng.choice(_CHANGES + _USES)))
    inner = (*(start * (where != "inside")), Stmt((head,), tuple(body)), *_last(texts))
    private = (Clause("private", ("k",)),) if where == "private" else ()
    nest = Stmt((f"for (int i = 0; i < {n}; i++)",), inner, pragmas=(Pragma("parallel for", private),))
    if where == "private":
        nest = Stmt((), (line(f"{kind} k;", pinned=True), nest), pinned=True)
    fills = [filled(x, q) for q, x in enumerate((row, chosen, other))]
    seen = [check(site, row.name, n * WIDTH, literally(row.element, INT), EXACT)] if site.checks else []
    return [*fills, nest, *seen]


def _last(texts: _Texts) -> list[Stmt]:
    """Sometimes a variable whose last value is wanted behind a loop of vector lanes."""
    if texts.rng.random() < 0.75:
        return []
    last = (Pragma("simd", (Clause("lastprivate", ("z",)),), required=True),)
    assigned = line(f"z = {texts.rng.choice(['j', '7 - j'])};", pinned=True)
    lanes = Stmt(("for (int j = 0; j < 8; j++)",), (assigned, line(texts.at("z"), " += j;")), pragmas=last)
    return [line("int z;", pinned=True), lanes, line(texts.at("z + 8"), " += z;")]


class _Texts:
    """Statements about one row: `chosen` and `other` are read alone."""

    def __init__(self, rng: random.Random, row: Matrix, chosen: Matrix, other: Matrix) -> None:
        self.rng = rng
        self._row = row
        self._read = {"c": chosen.at("j", "0"), "d": other.at("i", "j")}

    def at(self, column: str) -> str:
        return self._row.at("i", f"({column})")

    def line(self, form: str) -> Stmt:
        parts = {name: self.rng.choice(among).format(**self._read) for name, among in _PARTS.items()}
        places = {"at_k": self.at("k"), "at_j": self.at("j"), "at_sum": self.at("k + j")}
        return line(form.format(**parts, **places, **self._read))


_PARTS = {"v": _VALUES, "w": _VALUES, "p": _CONDITIONS}
