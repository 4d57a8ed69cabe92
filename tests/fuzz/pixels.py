"""Nests over pixels of several channels, whose rows and pixels may overlap, and which may lie in a negative order.

    #pragma omp parallel for num_threads(1)              in order: iterations may depend on each other
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w - 1; j++)
            for (int k = 0; k < 3; k++)
                p[(i * w + j) * 3 + k] += q[((i + 1) * w + j) * 3 + 2 - k] + k;

In: a Site.   Out: an array of its own; one or two nests; a check of what they leave.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_TYPES = ("int", "unsigned char", "short", "unsigned short", "long")
_WIDTHS = ("int w = {w};", "long w = {w};", "signed char w = {w};", "short w = {w};")
_WIDTHS_FROM_ZERO = ("unsigned char w = {w};", "unsigned short w = {w};", "enum {{ w = {w} }};")
_ROWS = (
    "i = 0; i < h; i++", "i = 0; i < h; i++", "i = h - 1; i >= 0; i--", "i = 1; i < h; i += 2", "i = 0; i < 3; i++",
)  # fmt: skip
_COLUMNS = (
    "j = 0; j < w; j++", "j = 0; j < w; j++", "j = 0; j < w; j++", "j = 0; j <= w; j++", "j = 0; j < w - 1; j++",
    "j = 0; j < 5; j++", "j = 0; j < w; j += 2", "j = w - 1; j >= 0; j--", "j = i; j < w; j++", "j = -1; j < w; j++",
    "j = 0; j < 2 * w; j++",
)  # fmt: skip
_CHANNELS = ("k = 0; k < {c}; k++", "k = 0; k < {c}; k++", "k = {c} - 1; k >= 0; k--", "k = 0; k < {d}; k++",
             "k = -1; k < {c} - 1; k++")  # fmt: skip
_PIXELS = (
    "(i * w + j)", "(i * w + j)", "(i * w + j)", "((i + 1) * w + j)", "(i * w + w - 1 - j)", "(j * w + i)",
    "(2 * i * w + j)", "(i * (w + 1) + j)", "(i * w + j + 1)", "((h - 1 - i) * w + j)", "(i * w - j)",
)  # fmt: skip
_PLACES = (
    "{p} * {c} + k", "{p} * {c} + k", "{p} * {c} + k", "{c} * {p} + {c} - 1 - k", "{p} * {d} + k", "{p} * {c} + 2 * k",
    "{p} * c + k", "{p} * {c}", "{p} * {c} + (k + 1) % {c}", "{p} * {c} - k",
)  # fmt: skip
_STATEMENTS = (
    "{x} = {y} % 97 * 2 + i;",
    "{x} = ({x} + {y}) % 97;",
    "{x} += {y} % 7 + k;",
    "{{ const int at = {at}; p[at] = p[at] % 50 + {y}; }}",
    "if ({y} & 1) {x} = j; else {x} = k;",
    "if ({x} > 90) continue; {x} = {y} + 1;",
)


def make_pixels(site: Site) -> list[Stmt]:
    """One or two nests, with what they need."""
    rng = site.rng
    w, c, d = rng.choice((1, 2, 3, 5, 8, 5, -2, 0)), rng.choice((2, 3, 3, 4)), rng.choice((1, 3, 4, 5))
    declared = [
        line(f"static {rng.choice(_TYPES)} block[2400], *const p = block + 1200;", pinned=True),
        line(f"enum {{ h = {rng.choice((1, 4, 6))} }}; int c = {c};", pinned=True),
        line(rng.choice(_WIDTHS + _WIDTHS_FROM_ZERO * (w >= 0)).format(w=w), pinned=True),
        line(f"for (int q = 0; q < 2400; q++) block[q] = q * {rng.choice((7, 37))} % 101;", pinned=True),
        line("(void)c;", pinned=True),
    ]
    nests = [_nest(rng, c, d) for _ in range(rng.choice((1, 2)))]
    seen = [check(site, "pixels", 2400, literally("block[q]", LONG), EXACT)]
    return [Stmt((), (*declared, *nests, *(seen if site.checks else ())), pinned=True)]


def _nest(rng: random.Random, c: int, d: int) -> Stmt:
    heads = [rng.choice(heads).format(c=c, d=d) for heads in (_ROWS, _COLUMNS, _CHANNELS)]
    kind = rng.choice(("int", "int", "long", "short"))
    at, read = (_place(rng, c, d) for _ in range(2))
    same = rng.random() < 0.4
    values = {"x": f"p[{at}]", "y": f"p[{at if same else read}]", "at": at}
    body: tuple[Stmt, ...] = (line(rng.choice(_STATEMENTS).format(**values)),)
    if rng.random() < 0.15:
        heads = heads[:2]
        body = (line("const int k = 1;", pinned=True), *body)
    collapsed = rng.choice((1, 1, 2, len(heads)))
    if collapsed > 1 and " = i;" in heads[1]:
        collapsed = 1
    clauses = [Clause("num_threads", ("1",))] + [Clause("collapse", (str(collapsed),))] * (collapsed > 1)
    for head in reversed(heads[1:]):
        body = (Stmt((f"for ({kind} {head})",), body, pinned=True),)
    pragma = Pragma("parallel for", tuple(clauses), required=True)
    return Stmt((f"for ({kind} {heads[0]})",), body, pragmas=(pragma,), pinned=True)


def _place(rng: random.Random, c: int, d: int) -> str:
    return rng.choice(_PLACES).format(p=rng.choice(_PIXELS), c=c, d=d)
