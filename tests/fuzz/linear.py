"""Nests over arrays of two or three dimensions that the program keeps in one: rows beside each other, or overlapping.

    for (int i = 0; i < n; i++)            annotated: each i has elements of its own
        for (int j = 0; j < m; j++)        inner loops in any order; where rows overlap, their order shows
            for (int k = 0; k < l; k++)
                to[i * apart + j * ld + k] = from[...] + k;

Whether `ld` is a row's length, less or more only its value says. Strides and places stand for expressions in front of
the loop, in its body, or nowhere.

In: a Site.   Out: two arrays of its own, filled; one parallel nest; a check of the result.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .loops import check
from .products import loop
from .scalars import EXACT, INT
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally


@dataclass(frozen=True, slots=True)
class Counter:
    """The variable of a loop, from `first` to `end`, which are these values."""

    name: str
    head: str
    values: range


@dataclass(frozen=True, slots=True)
class Place:
    """A sum of counters times strides: its text, and what it is for given values of the counters."""

    text: str
    factors: tuple[int, ...]
    offset: int

    def values(self, counters: Sequence[Counter]) -> Iterator[int]:
        for values in itertools.product(*(counter.values for counter in counters)):
            yield sum(map(int.__mul__, values, self.factors)) + self.offset


def make_linear(site: Site) -> list[Stmt]:
    """One nest, with what it needs."""
    rng = site.rng
    sizes = _sizes(site)
    inner = [_counter(rng, name, sizes) for name in ("j", "k")[: rng.choice([1, 2, 2, 2])]]
    written = _place(rng, inner, sizes)
    read = written if rng.random() < 0.3 else _near(rng, written, sizes)
    indices = [value for place in (written, read) for value in place.values(inner)] or [0, 63]
    least, most = min(indices), max(indices)
    apart, threads = most - least + 1, rng.choice([1, 3, 8])
    to, source = site.names.file_scope("to"), site.names.file_scope("from")
    for name in (to, source):
        site.file.append(line(f"static int {name}[{apart * threads}];", pinned=True))
    fills = [
        line(f"for (int q = 0; q < {apart * threads}; q++) {name}[q] = q * {k} % 101;")
        for k, name in enumerate((to, source), 3)
    ]
    nest = _nest(rng, (to, source), (written, read), inner, (apart, threads, least))
    found = [*sizes.declared, *fills, nest]
    return [*found, check(site, to, apart * threads, literally(f"{to}[q]", INT), EXACT)] if site.checks else found


@dataclass(frozen=True, slots=True)
class Sizes:
    """Variables with their values; the first two are the lengths of the inner loops."""

    values: dict[str, int]
    declared: tuple[Stmt, ...]

    @property
    def lengths(self) -> list[str]:
        return list(self.values)[:2]


def _sizes(site: Site) -> Sizes:
    rng = site.rng
    m, count = rng.choice([1, 2, 3, 5, 8]), rng.choice([1, 2, 4, 7])
    values: dict[str, int] = {}
    declared = []
    for stem, value, text in (
        ("m", m, ""),
        ("l", count, ""),
        ("ld", count + rng.choice([-1, 0, 0, 0, 1, 3]), ""),
        ("plane", m * count, "{0} * {1}"),
        ("wide", count + 2, "{1} + 2"),
    ):
        name = site.names.local(stem)
        kind = rng.choice(["int", "const int", "long"])
        declared.append(line(f"{kind} {name} = {text.format(*values) or value};", pinned=True))
        values[name] = value
    return Sizes(values, tuple(declared))


def _counter(rng: random.Random, name: str, sizes: Sizes) -> Counter:
    length = sizes.lengths[0 if name == "j" else 1]
    first, more = rng.choice([(0, 0), (0, 0), (0, 0), (1, 0), (0, -1), (1, -1), (-1, 1), (0, 1)])
    end = sizes.values[length] + more
    bound = length if more == 0 else f"{length} {'+' if more > 0 else '-'} {abs(more)}"
    kind = rng.choice(["int", "int", "long"])
    if rng.random() < 0.8:
        return Counter(name, f"for ({kind} {name} = {first}; {name} < {bound}; {name}++)", range(first, end))
    return Counter(name, f"for ({kind} {name} = {bound} - 1; {name} >= {first}; {name}--)", range(first, end))


def _place(rng: random.Random, inner: Sequence[Counter], sizes: Sizes) -> Place:
    """Strides as those of rows mostly, and sometimes of anything."""
    names = list(sizes.values)
    rows = [rng.choice([names[1], names[1], names[1], names[2], names[3], names[4], "2", "0"]), "1"]
    if rng.random() < 0.3:
        rows = [rng.choice(["1", names[0], names[1], names[2], "-1", "2"]) for _ in inner]
    elif rng.random() < 0.3:
        rows = ["1", names[0]]
    strides = rows[-len(inner) :]
    terms = [f"{counter.name} * {stride}" for counter, stride in zip(inner, strides, strict=True)]
    if rng.random() < 0.5:
        terms = [term.removesuffix(" * 1") for term in terms]
    rng.shuffle(terms)
    factors = tuple(sizes.values[s] if s in sizes.values else int(s) for s in strides)
    return Place(" + ".join(terms), factors, 0)


def _near(rng: random.Random, place: Place, sizes: Sizes) -> Place:
    """The same some elements or rows further on."""
    name = rng.choice(list(sizes.values))
    text, distance = rng.choice([("1", 1), (name, sizes.values[name]), (f"2 * {name}", 2 * sizes.values[name])])
    sign = rng.choice([1, -1])
    return Place(f"{place.text} {'+' if sign > 0 else '-'} {text}", place.factors, sign * distance)


def _nest(
    rng: random.Random,
    arrays: tuple[str, str],
    places: tuple[Place, Place],
    inner: Sequence[Counter],
    extent: tuple[int, int, int],
) -> Stmt:
    """`extent`: the elements of an iteration, how many iterations there are, the least place."""
    apart, threads, least = extent
    begin = f"{least}" if least >= 0 else f"({least})"
    forms = (f"i * {apart} + ({{}} - {begin})", f"({{}} - {begin}) * {threads} + i")
    texts = [rng.choice(forms[:1] if rng.random() < 0.7 else forms[1:])] * 2
    written, read = (text.format(place.text) for text, place in zip(texts, places, strict=True))
    to, source = arrays
    value = rng.choice([f"{to}[{read}] + 1", f"{source}[{read}] + {inner[-1].name}", f"{source}[{read}]"])
    operation = rng.choice(["=", "=", "+=", "-="])
    style = rng.randrange(4)
    clauses: tuple[Clause, ...] = ()
    if style == 0:
        body = [line(f"const long at = {written};"), line(f"{to}[at] {operation} ({value}) % 1000;")]
    elif style == 1:
        body = [line(f"at = {written};"), line(f"{to}[at] {operation} ({value}) % 1000;")]
        clauses = (Clause("private", ("at",)),)
    else:
        body = [line(f"{to}[{written}] {operation} ({value}) % 1000;")]
    statements = tuple(body)
    for counter in rng.sample(list(inner), len(inner)):
        statements = (loop(counter.head, *statements),)
    nest = Stmt((f"for (int i = 0; i < {threads}; i++)",), statements, pragmas=(Pragma("parallel for", clauses),))
    return nest if style != 1 else Stmt(("",), (line("long at = 0;", pinned=True), nest))
