"""Loops that follow each other over the same range, or nearly, each of which is right by itself.

    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = (b[i] + 2 * c[i + 1]) % 1009;
    #pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < n; j++) { c[j] = (a[j] + a[n - 1 - j]) % 1009; s += c[j]; }

In: a Site.   Out: arrays of its own; two to five loops; a check of what they leave.
Not here: loops whose own iterations depend on each other; pairs that one thing keeps apart -- kept_apart.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_LENGTH = 96
_USUAL = 0.85
"""How often a loop is as most others are: else hardly two of them have the same iterations."""

_FROM = ("0", "1", "0", "(int)start")
_TO = ("n", "m", "n - 1", "n + 0", "*last", "(b[2] < n ? b[2] : n)")
_OWN = ("{v}", "n - 1 - {v}", "{v} + 1", "p[{v}]")
_READ = ("{v}", "{v} + 1", "n - 1 - {v}", "p[{v}]", "3")
_OVERLAPS = (("b", "int *c = b_of;"), ("a", "int *c = a_of + 1;"), ("b", "int *c = b_of + 40;"))


def make_adjacent(site: Site) -> list[Stmt]:
    """The loops, with what they need. Arrays that may overlap are never in one loop."""
    rng = site.rng
    n, led = rng.choice((0, 1, 7, 40, 40, 64, 64)), rng.random() < 0.4
    names = {x: x + "_of" * led for x in "abc"}
    ways = [f"int *{x} = {name};" for x, name in names.items()] if led else []
    either = ""
    if led and rng.random() < 0.3:
        other, ways[-1] = rng.choice(_OVERLAPS)
        either = other + "c"
    arrays = ", ".join(f"{name}[{_LENGTH}]" for name in names.values())
    fill = " ".join(f"{name}[q] = q * {3 + 2 * k} % {11 + k};" for k, name in enumerate(names.values()))
    declared = [
        line(f"static int {arrays}, p[{_LENGTH}];", pinned=True),
        *(line(text, pinned=True) for text in ways),
        line(f"static int m = {rng.choice((n, n * 2 // 3))}; int n = {n}, t = 5;", pinned=True),
        line(f"long start = {rng.choice((0, 2))};", pinned=True),
        line("static long s, u, count; int *last = &m; (void)t, (void)start, (void)last;", pinned=True),
        line(f"for (int q = 0; q < {_LENGTH}; q++) {{ {fill} p[q] = q < n ? n - 1 - q : q; }}", pinned=True),
        line("s = 3, u = 1, count = 2;", pinned=True),
    ]
    loops, usual_end = [], rng.choice(("n", "n", *_TO))
    for _ in range(rng.choice((2, 2, 3, 4, 5))):
        left_out = rng.choice(either) if either else ""
        loops.append(_Loop(rng, [x for x in names if x != left_out]).make(usual_end))
    value = " + ".join(f"{name}[q] * {k}L" for k, name in enumerate(names.values(), 2))
    seen = [check(site, "adjacent", _LENGTH, literally(f"({value} + s + u + count)", LONG), EXACT)]
    return [Stmt((), (*declared, *loops, *(seen if site.checks else ())), pinned=True)]


class _Loop:
    """One of them. What it writes it accesses nowhere else."""

    def __init__(self, rng: random.Random, arrays: Sequence[str]) -> None:
        self.rng, self.arrays = rng, arrays
        self.variable = rng.choice("iiij")
        self.own = {x: self._usual(_OWN) for x in rng.sample(arrays, rng.choice((1, 1, 2)))}

    def make(self, usual_end: str) -> Stmt:
        first, end = self._usual(_FROM), self._usual((usual_end, *_TO))
        if "b" in end and ("b" in self.own or len(self.arrays) < 3):
            end = "n"  # nobody knows what a loop does that changes its own bound
        v = self.variable
        head, last = f"for (int {v} = {first}; {v} < {end}; {v}++)", f"{end} - 1"
        if self.rng.random() < 0.08:
            head, last = f"for (int {v} = {end} - 1; {v} >= {first}; {v}--)", first
        clauses, text = self._body(last)
        pragma = Pragma("parallel for", tuple(clauses), required=True)
        return Stmt((head,), (line(text.format(v=v)),), pragmas=(pragma,))

    def _body(self, last: str) -> tuple[list[Clause], str]:
        """`last`: the number of the last iteration, which leaves in t what was there, as if it had no copy."""
        rng, clauses, body = self.rng, list[Clause](), list[str]()
        if rng.random() < 0.2:
            clauses.append(Clause(rng.choice(("private", "firstprivate")), ("t",)))
            body.append(f"t = {{v}} == {last} ? 5 : ({self._element()} * 3 + 1) % 100;")
        if rng.random() < 0.08:
            body.append("if ({v} % 3 == 1) continue;")
        for x, place in self.own.items():
            stored = f"{x}[{place}] = ({self._value()} + 2 * {self._value()} + {self._value()}) % 1009;"
            body.append(f"if ({self._value()} % 2) {stored}" if rng.random() < 0.15 else stored)
        x, place = next(iter(self.own.items()))
        match rng.choice(("sum", "result", "name", "name", *("",) * 4)):
            case "sum":
                result, sign = rng.choice("su"), rng.choice("+^")
                clauses.append(Clause("reduction", (result,), f"{sign}: "))
                body.append(f"{result} {sign}= {x}[{place}];")
            case "result":
                body.append(f"{x}[{place}] += (int)({rng.choice(('s', 'u', 'count'))} % 5);")
            case "name":
                inner = "j" if self.variable == "i" else "i"
                body.append(f"{{{{ int {inner} = 1; {x}[{place}] += {inner}; }}}}")
        return clauses, " ".join(body)

    def _value(self) -> str:
        return self.rng.choice(("{v}", "n", "m", "t", *(self._element() for _ in range(10))))

    def _element(self) -> str:
        x = self.rng.choice(self.arrays)
        return f"{x}[{self.own.get(x) or self._usual(_READ, 0.5)}]"

    def _usual(self, texts: Sequence[str], often: float = _USUAL) -> str:
        return texts[0] if self.rng.random() < often else self.rng.choice(texts)
