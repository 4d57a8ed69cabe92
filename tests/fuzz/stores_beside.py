"""Nests with stores beside a loop over sums of products, which one of its iterations may do, or may not.

    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        c[i][i] = 1;                                            some read, or change, what the loop leaves
        for (int j = i + 1; j < n; j++) {                       some have another range, or another variable's name
            double s = 0;
            for (int k = 0; k < m; k++) s += e[k][i] * e[k][j];
            c[i][j] = c[j][i] = s;
        }
    }

The same by hand, with a condition around the sum and statements beside that.

In: a Site.   Out: arrays of its own; several nests; a check of what they leave.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_MOST, _SUMS = 37, 9
_OUTER = "for (int i = 0; i < n; i++)"
_TYPES = ("double", "double", "float", "int", "unsigned")
_DECLARED = (
    "static {t} a[{most}][{sums}], b[{most}][{sums}], e[{sums}][{most}], c[{most}][{most}]; static int x[{most}];",
    "static int p[{most}];",
    "int n = {n}, m = {m}, end = {n} / 2, t = 0; (void)end, (void)t, (void)p, (void)x, (void)e;",
    "for (int q = 0; q < {most}; q++) for (int k = 0; k < {sums}; k++) a[q][k] = (q * 7 + k * 3) % 11 - 4;",
    "for (int q = 0; q < {most}; q++) for (int k = 0; k < {sums}; k++) b[q][k] = e[k][q] = (q * 5 + k) % 7 - 3;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) c[q][r] = q - 2 * r;",
    "for (int q = 0; q < {most}; q++) x[q] = q * 3 % 13, p[q] = 0;",
)


@dataclass
class _Nest:
    """The loop beside which something stands counts with `{v}`."""

    rng: random.Random
    variable: str = "j"
    head: str = "for (int {v} = 0; {v} < n; {v}++)"
    before: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    own: str = "{t} s = {begin};"
    term: str = "a[i][k] * b[{v}][k]"
    inside: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)

    def statement(self, kind: str) -> Stmt:
        own = self.own.replace("{begin}", self.rng.choice(("0", "1", "c[i][{v}]")))
        sums = f"{own} for (int k = 0; k < m; k++) s += {self.term}; c[i][{{v}}] = s;"
        inside = " ".join((sums, *self.inside)).replace("{v}", self.variable).replace("{t}", kind)
        loop = Stmt((self.head.replace("{v}", self.variable),), (line(inside),))
        before = (text.replace("{t}", kind) for text in self.before)
        body = (*map(line, (*before, *self.first)), loop, *map(line, self.last))
        return Stmt((_OUTER,), body, pragmas=(Pragma("parallel for", tuple(self.clauses), required=True),))


def make_stores_beside(site: Site) -> list[Stmt]:
    """The nests, with what they need."""
    rng = site.rng
    kind = rng.choice(_TYPES)
    words = {"t": kind, "most": _MOST, "sums": _SUMS, "m": rng.choice((1, 5, _SUMS))}
    words["n"] = rng.choice((1, 17, _MOST, _MOST))
    statements = [line(text.format(**words), pinned=True) for text in _DECLARED]
    for _ in range(rng.choice((1, 2, 2, 3))):
        if rng.random() < 0.25:
            statements.append(_by_hand(rng, kind))
            continue
        nest = _Nest(rng)
        nest.first.append(rng.choice(_FIRST))
        rng.choice(rng.choice(_DIFFERENCES))(nest)
        statements.append(nest.statement(kind))
    value = literally(f"(long)c[q / {_MOST}][q % {_MOST}] + 3L * x[q % {_MOST}] + 7L * p[q % {_MOST}]", LONG)
    seen = [check(site, "beside", _MOST * _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*statements, *seen), pinned=True)]


_FIRST = ("x[i] += 3;", "x[i] = x[i] % 50 * 2 + 1;", "if (x[i] & 1) x[i] += i;", "p[i] = i + x[i];")


# ------------------------------------------------------------------------------------ ranges


def _above(nest: _Nest) -> None:
    nest.head = "for (int {v} = i + 1; {v} < n; {v}++)"
    nest.term = "e[k][i] * e[k][{v}]"
    nest.inside.append("c[{v}][i] = s;")
    nest.first = [nest.rng.choice(("c[i][i] = 1;", "c[i][i] += x[i];", *_FIRST))]


def _below(nest: _Nest) -> None:
    nest.head = nest.rng.choice(("for (int {v} = 0; {v} < i; {v}++)", "for (int {v} = 0; {v} <= i; {v}++)"))
    nest.last.append(nest.rng.choice(("p[i] = 2;", "x[i]--;")))


def _above_to_another_end(nest: _Nest) -> None:
    nest.head = nest.rng.choice(("for (int {v} = i + 1; {v} < end; {v}++)", "for (int {v} = i; {v} < n - 2; {v}++)"))


def _from_another_number(nest: _Nest) -> None:
    nest.head = "for (int {v} = " + nest.rng.choice(("1", "3", "2")) + "; {v} < n; {v}++)"


def _to_another_end(nest: _Nest) -> None:
    nest.head = "for (int {v} = 0; {v} < " + nest.rng.choice(("end", "n - 1", "0", "end - 9")) + "; {v}++)"


def _square(nest: _Nest) -> None:
    nest.last.append(nest.rng.choice(("p[i] = x[i] + 1;", "p[i] += 2;")))


def _goes_down(nest: _Nest) -> None:
    nest.head = nest.rng.choice(("for (int {v} = n - 1; {v} > i; {v}--)", "for (int {v} = 0; {v} < n; {v} += 2)"))


# ------------------------------------------------------------------------------------ values, names


def _reads_the_last_value(nest: _Nest) -> None:
    """Of the sum, or of a variable beside it."""
    if nest.rng.random() < 0.5:
        nest.before.append("{t} s = 0;")
        nest.own = "s = {begin};"
        nest.last.append("x[i] += (int)s % 7;")
    else:
        nest.before.append("int w = 0;")
        nest.inside.append("w = ((int)s + {v}) % 11;")
        nest.last.append("x[i] += w;")


def _hands_on(nest: _Nest) -> None:
    nest.before.append(nest.rng.choice(("const int w = x[i] % 5;", "int w = 2; w = x[i] % 5;")))
    nest.inside.append("c[i][{v}] += w;")


def _hides_a_name(nest: _Nest) -> None:
    nest.variable = nest.rng.choice("px")
    nest.first = [f"{nest.variable}[i] += 3;"]


def _hides_a_name_inside(nest: _Nest) -> None:
    nest.inside.append("{ const int x = (int)s % 3; c[i][{v}] += x; }")
    nest.own = "int p = {v}; {t} s = {begin} + p;"
    nest.first = ["p[i] = 5;"]


# ------------------------------------------------------------------------------------ by hand

_AHEAD = (
    "t = {c} ? 3 : 4;",
    "t = i - j;",
    "const int u = i + 1; if ({c}) p[i] = u;",
    "if ({c}) x[i] += 2;",
    "int u = 1; if ({c}) u = 2;",
)
_USING = {"t": " * t", "int u": " * u"}
_BEHIND = ("", "", "if ({c}) p[i] = 4;", "if ({c}) p[i] = t;", "t = 0;")


def _by_hand(rng: random.Random, kind: str) -> Stmt:
    where = rng.choice(("i == j", "j == 3"))
    ahead = rng.choice(_AHEAD).format(c=where)
    factor = next((text for begin, text in _USING.items() if ahead.startswith(begin)), "")
    guard = rng.choice(("j < i", "j < i", "j <= i", "j > i", "i + j < n"))
    behind = rng.choice(_BEHIND[:3] if "t =" not in ahead else _BEHIND).format(c=where)
    sums = f"{kind} s = 0; for (int k = 0; k < m; k++) s += a[i][k] * b[j][k]{factor}; c[i][j] = s;"
    body = (line(ahead), Stmt((f"if ({guard})",), (line(sums),)), line(behind))
    clauses = (Clause("collapse", ("2",), required=True), Clause("private", ("t",), required=True))
    inner = Stmt(("for (int j = 0; j < n; j++)",), body)
    return Stmt((_OUTER,), (inner,), pragmas=(Pragma("parallel for", clauses, required=True),))


_DIFFERENCES: tuple[tuple[Callable[[_Nest], None], ...], ...] = (
    (_above, _below, _square),
    (_above_to_another_end, _from_another_number, _to_another_end, _goes_down),
    (_reads_the_last_value, _reads_the_last_value, _hands_on),
    (_hides_a_name, _hides_a_name_inside),
)
