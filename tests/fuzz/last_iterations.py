"""Nests with something behind an inner loop that may be done in one iteration more of it, or may not, for one reason.

    #pragma omp parallel for
    for (int z = 0; z < n; z++) {
        for (int j = 0; j < m; j++) b[z][j] = (b[z][j] + j) % 1009;        some count down, by two, or to m itself
        c[z] += 5;                                                         some name a variable j
    }

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

_MOST = 40
_DECLARED = (
    "static int b[{most}][{most}], d[{most}][{most}], c[{most}], ends[{most}]; static int j = 7;",
    "int n = {n}, m = {m}, none = {none}; (void)none, (void)ends, (void)d, (void)j;",
    "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++) b[q][r] = (q * 7 + r * 3) % 11, d[q][r] = q;",
    "for (int q = 0; q < {most}; q++) c[q] = q, ends[q] = q * 5 % 23;",
)


@dataclass
class _Nest:
    """The inner loop counts with `{v}`."""

    rng: random.Random
    variable: str = "k"
    kind: str = "int "
    first: str = "0"
    end: str = "< m"
    step: str = "{v}++"
    before: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)

    def statement(self) -> Stmt:
        head = f"for ({self.kind}{{v}} = {self.first}; {{v}} {self.end}; {self.step})".format(v=self.variable)
        inside = " ".join(self.inside).format(v=self.variable)
        body = (*map(line, self.before), Stmt((head,), (line(inside),)), *map(line, self.behind))
        pragma = Pragma("parallel for", tuple(self.clauses), required=True)
        return Stmt(("for (int z = 0; z < n; z++)",), body, pragmas=(pragma,))


def make_last_iterations(site: Site) -> list[Stmt]:
    """The nests, with what they need."""
    rng = site.rng
    words = {"most": _MOST, "n": rng.choice((1, 9, 30, 30)), "m": rng.choice((1, 16, 16, 33, 33))}
    words["none"] = rng.choice((0, -1, -5))
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    nests: list[Stmt] = []
    for _ in range(rng.choice((2, 2, 3, 4))):
        nest = _Nest(rng)
        nest.inside.append(rng.choice(_INSIDE))
        nest.behind.append(rng.choice(_BEHIND))
        rng.choice(rng.choice(_DIFFERENCES))(nest)
        nests.append(nest.statement())
    value = literally(f"b[q / {_MOST}][q % {_MOST}] * 3L + d[q / {_MOST}][q % {_MOST}] + c[q % {_MOST}] * 7L", LONG)
    seen = [check(site, "behind", _MOST * _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*declared, *nests, *seen), pinned=True)]


_INSIDE = (
    "b[z][{v}] = (b[z][{v}] * 3 + {v}) % 1009;",
    "b[z][{v}] += {v} - z;",
    "{{ const int own = b[z][{v}] + 2; b[z][{v}] = own * {v} % 1009; }}",
    "for (int l = 0; l < 3; l++) b[z][{v}] = (b[z][{v}] + l * {v}) % 1009;",
)
_BEHIND = (
    "c[z] += 5;",
    "c[z] = d[z][1] * 2; d[z][3] = -1;",
    "if (z & 1) c[z] = 4;",
    "for (int l = 0; l < m; l++) d[z][l] += l;",
    "for (int l = 0; l < m; l++) d[z][l] += l; c[z]++;",
)


# ----------------------------------------------------------------- the counter, or its name, behind the loop


def _wants_the_counter(nest: _Nest) -> None:
    nest.kind = ""
    nest.before.insert(0, f"int {nest.variable};")
    nest.behind.append(f"c[z] = c[z] % 97 + {nest.variable};")


def _wants_another_one(nest: _Nest) -> None:
    nest.variable = "j"
    nest.behind.append(nest.rng.choice(("c[z] = c[z] % 97 + j;", "d[z][j] = 2;", "if (z < j) c[z]--;")))


def _had_it_before(nest: _Nest) -> None:
    nest.kind = ""
    nest.before.insert(0, f"int {nest.variable} = z; c[z] += {nest.variable};")


# ------------------------------------------------------------------------------ other iterations


def _counts_down(nest: _Nest) -> None:
    nest.first, nest.end, nest.step = "m - 1", ">= 0", "{v}--"


def _steps(nest: _Nest) -> None:
    nest.step = nest.rng.choice(("{v} += 2", "{v} += 3"))


def _comes_to_the_end(nest: _Nest) -> None:
    nest.end = "<= m"


def _ends_elsewhere(nest: _Nest) -> None:
    if nest.rng.random() < 0.5:
        nest.end = "< ends[z]"
        return
    nest.before.insert(0, "int end = z % 5 + 2;")
    nest.end = "< end"
    nest.inside.append("if (z == 3) end = 4;")


def _has_another_type(nest: _Nest) -> None:
    nest.kind = nest.rng.choice(("unsigned ", "short ", "long "))


# ------------------------------------------------------------------------------ no iteration


def _has_none(nest: _Nest) -> None:
    nest.end = nest.rng.choice(("< none", "< none", "< m - 9"))


def _begins_later(nest: _Nest) -> None:
    nest.first = nest.rng.choice(("1", "3", "20"))


def _jumps(nest: _Nest) -> None:
    nest.inside.append(nest.rng.choice(("if (b[z][{v}] == 5) break;", "if (b[z][{v}] == 5) continue;")))


def _reads_what_is_written(nest: _Nest) -> None:
    nest.behind.append("c[z] += b[z][2];")


def _nothing(_: _Nest) -> None:
    pass


_DIFFERENCES: tuple[tuple[Callable[[_Nest], None], ...], ...] = (
    (_wants_the_counter, _wants_another_one, _had_it_before),
    (_counts_down, _steps, _comes_to_the_end, _ends_elsewhere, _has_another_type),
    (_has_none, _has_none, _begins_later),
    (_jumps, _reads_what_is_written, _nothing, _nothing),
)
