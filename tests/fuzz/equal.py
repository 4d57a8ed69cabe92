"""Functions with a parallel loop over rows that get one array by two names, or by three, in some of their calls.

    static void f(int *to, const int *x, const int *y, int n)
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)             an iteration has a row of all arrays for itself
            for (int j = 1; j < 7; j++)         whose order shows where arrays are one
                to[i * 8 + j] = x[i * 8 + j - 1] + y[i * 8 + 7 - j];
    }
    f(a, b, c, 9); f(a, a, b, 9); f(b, c, b, 9);

In: a Site, whose file gets the function.   Out: arrays of its own, filled; the calls; a check of each array.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, INT
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_PLACES = ("{row} + j", "{row} + j - 1", "{row} + j + 1", "{row} + {last} - j", "{row}", "{row} + k % {width}")
_TERMS = (
    "to[{to}] = (x[{x}] + y[{y}]) % 1000;",
    "to[{to}] = x[{x}] - 3 * (y[{y}] % 100);",
    "to[{to}] += x[{x}] % 17;",
    "if (x[{x}] > y[{y}]) to[{to}] = y[{y}] - 1;",
    "{{ const int old = x[{x}]; to[{to}] = y[{y}] / 2; k += old % 5 + 5; }}",
)
_CALLS = ("abc", "bca", "aab", "aba", "bcc", "aaa", "cbb")


def make_equal(site: Site) -> list[Stmt]:
    """One function, and calls of it."""
    rng = site.rng
    width, rows = rng.choice([3, 8, 33]), rng.choice([1, 7, 40])
    name = site.names.file_scope("equal")
    site.file.append(_function(rng, name, width))
    arrays = {letter: site.names.file_scope("e") for letter in "abc"}
    found: list[Stmt] = []
    for k, array in enumerate(arrays.values(), 3):
        site.file.append(line(f"static int {array}[{rows * width}];", pinned=True))
        found.append(line(f"for (int q = 0; q < {rows * width}; q++) {array}[q] = q * {k} % 101;"))
    given = [", ".join(arrays[letter] for letter in letters) for letters in rng.sample(_CALLS, rng.randint(1, 4))]
    found += [line(f"{name}({pointers}, {rows});") for pointers in given]
    if not site.checks:
        return found
    return [*found, *(check(site, a, rows * width, literally(f"{a}[q]", INT), EXACT) for a in arrays.values())]


def _function(rng: random.Random, name: str, width: int) -> Stmt:
    row = rng.choice([f"i * {width}", f"{width} * i", "base"])
    loops = [_loop(rng, row, width) for _ in range(rng.choice([1, 1, 2]))]
    before = [line("int k = 0;"), *([line(f"const int base = i * {width};")] if row == "base" else [])]
    body = (*before, *loops)
    nest = Stmt(("for (int i = 0; i < n; i++)",), body, pragmas=(Pragma("parallel for", ()),))
    return Stmt((f"static void {name}(int *to, const int *x, const int *y, int n)",), (nest,), pinned=True)


def _loop(rng: random.Random, row: str, width: int) -> Stmt:
    """One loop of a row; it stays inside of it by one element on each side."""
    places = {what: rng.choice(_PLACES).format(row=row, last=width - 1, width=width) for what in ("to", "x", "y")}
    head = rng.choice(["for (int j = 1; j < {0}; j++)", "for (int j = {0} - 1; j > 0; j--)"]).format(width - 1)
    return Stmt((head,), (line(rng.choice(_TERMS).format(**places)),))
