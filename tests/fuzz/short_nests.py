"""Iterations with short loops in each other, over blocks of rows and arrays of the iteration's own, or not quite.

    #pragma omp parallel for
    for (int b = 0; b < n; b++) {
        int t[6 * 11], s[11] = {0};
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 11; j++) t[i * 11 + j] = a[b * len + i * size + j];     rows may overlap: `size` is any
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 11; k++)
                for (int j = 0; j < 11; j++) s[j] += t[i * 11 + j] * t[k % 6 * 11 + j];
            for (int j = 0; j < 11; j++) { a[b * len + i * size + j] -= s[j]; s[j] = 0; }
        }
    }

Some carry a value from one iteration to the next, begin only some of the sums anew, or read behind a loop what it has
left; some go down or in steps; numbers that places are made of get one value after the other.

In: a Site.   Out: arrays of its own; several loops; a check of what they leave.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 4096
_TYPES = ("int", "int", "unsigned", "double", "float", "short")


@dataclass
class _Blocks:
    """`rows` x `columns` elements of each iteration, of which `len` are between two iterations."""

    rng: random.Random
    kind: str
    rows: int
    columns: int
    at: str = "at"
    body: list[str] = field(default_factory=list)

    def head(self, variable: str, count: int) -> str:
        """Of a loop over so many numbers from 0 on."""
        return self.rng.choice(
            (
                f"for (int {variable} = 0; {variable} < {count}; {variable}++)",
                f"for (int {variable} = 0; {variable} < {count}; {variable}++)",
                f"for ({variable}{variable} = 0; {variable}{variable} < {count}; {variable}{variable}++)",
                f"for (int {variable} = {count - 1}; {variable} >= 0; {variable}--)",
                f"for (int {variable} = 0; {variable} <= {2 * count - 2}; {variable} += 2)",
            )
        )

    def loop(self, variable: str, count: int, inside: str) -> str:
        """`inside` for each number, which it names `variable`."""
        head = self.head(variable, count)
        if "+= 2" in head:
            inside = inside.replace(f"<{variable}>", f"({variable} / 2)")
        own = f"{variable}{variable}" if f"({variable}{variable}" in head else variable
        return f"{head} {{ {inside.replace(f'<{variable}>', own)} }}"

    def nest(self, inside: str) -> str:
        """Over all elements: `inside` names them by <i> and <j>."""
        if self.rng.random() < 0.25:
            return self.loop("j", self.columns, self.loop("i", self.rows, inside))
        return self.loop("i", self.rows, self.loop("j", self.columns, inside))

    @property
    def own(self) -> str:
        """The element of the iteration's own array."""
        return f"t[<i> * {self.columns} + <j>]"

    @property
    def element(self) -> str:
        return f"a[{self.at} + <i> * size + <j>]"

    def other(self, where: str) -> str:
        """An element of the own array at another place."""
        return f"t[({where}) % {self.rows * self.columns}]"


def make_short_nests(site: Site) -> list[Stmt]:
    """The loops, with what they need."""
    rng = site.rng
    kind = rng.choice(_TYPES)
    statements = [
        line(f"static {kind} a[{_MOST}]; static int c[64];", pinned=True),
        line(f"for (int q = 0; q < {_MOST}; q++) a[q] = q * 7 % 11;", pinned=True),
        line("for (int q = 0; q < 64; q++) c[q] = q % 5;", pinned=True),
    ]
    statements += [_loop(rng, kind) for _ in range(rng.choice((1, 2, 2, 3)))]
    value = literally(f"(long)a[q % {_MOST}] + 3L * c[q % 64]", LONG)
    seen = [check(site, "blocks", _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*statements, *seen), pinned=True)]


def _loop(rng: random.Random, kind: str) -> Stmt:
    rows, columns = rng.choice(((6, 11), (8, 8), (16, 4), (9, 9), (3, 22), (5, 5), (12, 16)))
    size = rng.choice((columns, columns, columns + 3, 1, columns - 1, 40))
    len_ = rows * max(size, columns)
    n = min(rng.choice((1, 3, 7, 20)), (_MOST - 64) // len_)
    blocks = _Blocks(rng, kind, rows, columns)
    ahead = [f"{kind} t[{rows * columns}];", "int ii, jj, kk, at, last = 0; (void)ii, (void)jj, (void)kk, (void)last;"]
    if rng.random() < 0.4:
        ahead.append(f"at = {rng.randrange(9)}; at += b * len;")
    else:
        ahead.append(f"at = b * len + {rng.randrange(9)};")
    body = [blocks.nest(f"{blocks.own} = (long){blocks.element} % 3;")]
    if rng.random() < 0.3:
        body.append("last = at + 1; at = last - 1;")
    steps = dict.fromkeys(rng.sample(_STEPS, rng.choice((1, 1, 2))))
    for step in steps:
        body += step(blocks, ahead)
    body.append(blocks.nest(f"{blocks.element} = (long)({blocks.element} * 2 + {blocks.own} + b) % 50;"))
    text = " ".join((*ahead, *body))
    loop = Stmt(("for (int b = 0; b < n; b++)",), (line(text),), pragmas=(Pragma("parallel for", (), required=True),))
    sizes = line(f"int n = {n}, size = {size}, len = {len_};")
    return Stmt((), (sizes, loop))


# ------------------------------------------------------------------------------------ what is done with a block


def _sums(blocks: _Blocks, ahead: list[str]) -> list[str]:
    """Products of the block, in accumulators that are begun anew: nearly always."""
    rng, columns = blocks.rng, blocks.columns
    first = rng.choice(("{0}", "{0}", "{0}", "{1}"))
    ahead.append(f"{blocks.kind} s[{columns}] = {first};")
    term = f"s[<j>] += {blocks.own} * {blocks.other('<k> + <j>')};"
    added = blocks.loop("k", columns, blocks.loop("j", columns, term))
    reset = rng.choice(("s[<j>] = 0;",) * 5 + ("if (<j> != 2) s[<j>] = 0;", "s[<j>] = 1;", ""))
    used = blocks.loop("j", columns, f"{blocks.element} = (long)({blocks.element} * 3 + s[<j>]) % 41; {reset}")
    if rng.random() < 0.15:
        used = used.replace(f"< {columns};", f"< {columns - 1};", 1)
    body = [blocks.loop("i", blocks.rows, f"{added} {used}")]
    if rng.random() < 0.2:
        body.append("c[b] += (int)s[1] % 7;")
    return body


def _moved(blocks: _Blocks, _: list[str]) -> list[str]:
    """Elements to other places of the own array, which may be those that others read."""
    where = blocks.rng.choice(("<j> * 3 + <i>", "<i> * 5", f"<i> * {blocks.columns} + <j>"))
    return [blocks.nest(f"{blocks.own} = {blocks.other(where)} + 1;")]


def _carried(blocks: _Blocks, _: list[str]) -> list[str]:
    inside = blocks.rng.choice(
        (
            f"{blocks.own} += (long)(<i> > 0 ? t[(<i> - 1) * {blocks.columns} + <j>] : 0) % 3;",
            f"last = (last + (int){blocks.own}) % 9; {blocks.own} = last;",
            f"{blocks.element} = (long)({blocks.element} + a[{blocks.at} + <j>]) % 13;",
        )
    )
    return [blocks.nest(inside)]


def _several(blocks: _Blocks, _: list[str]) -> list[str]:
    """Loops beside each other inside of another one."""
    first = blocks.loop("j", blocks.columns, f"{blocks.own} += {blocks.rng.choice(('1', 'last', '<i>'))};")
    inside = blocks.rng.choice((f"{blocks.own} = (long){blocks.own} * 2 % 17;", f"last = <j>; {blocks.own} += 2;"))
    second = blocks.loop("j", blocks.columns, inside)
    return [blocks.loop("i", blocks.rows, f"{first} {second}")]


def _solved(blocks: _Blocks, _: list[str]) -> list[str]:
    """Each column of the block from top to bottom: few iterations with much to do."""
    above = f"a[{blocks.at} + <k> * size + <j>]"
    sums = f"if (<k> < <i>) s += (int){blocks.other('<i> + <k>')} * (int){above};"
    sums = blocks.loop("k", blocks.rows, sums)
    inside = f"long s = 0; {sums} {blocks.element} = (long)({blocks.element} + s) % 19;"
    return [blocks.loop("j", blocks.columns, blocks.loop("i", blocks.rows, inside))]


_STEPS = (_sums, _sums, _moved, _carried, _several, _solved)
