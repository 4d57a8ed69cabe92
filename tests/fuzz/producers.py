"""Loops of an iteration of which one makes, step by step, what the next one uses up, or almost.

    for (int i = 0; i < n; i++) {
        long s = i, x[64];
        for (int k = 0; k < 2 * turns; k++) { s = (s * 5 + k) % 1009; x[k] = s; }
        for (int k = 0; k < turns; k++) r = (r * 3 + x[2 * k] - x[2 * k + 1]) % 997;
        seen[i] = r + s;
    }

One to three elements each time, from no iteration to many, several arrays, rows of pairs, functions that get the
address of what they go on from, statements between the loops, and what forbids it: elements of other iterations, other
bounds, variables that both loops set, jumps, a third loop.

In: a Site.   Out: arrays of its own; a loop with such loops in it; a check of what they leave.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _WIDE = 64, 48
_MADE = (  # all elements
    "s = (s * 5 + {k}) % 1009; x[{p}] = s;",
    "s = (s * 5 + 3) % 1009; x[{p}] = s; y[{p}][0] = s % 7; y[{p}][1] = x[{p}] + y[{p}][0];",
    "long step = s * 3 + {x}; s = step % 1013; x[{p}] = step; y[{p}][0] = step; y[{p}][1] = s;",
    "x[{p}] = s; s = (s * 7 + x[{p}]) % 1013;",
    "s = (s * 7 + 1) % 1013; x[{p}] = s; q = s % 5;",
    "x[{p}] = a[i] + {k}; s = s + {k};",
    "s = (s * 7 + c[{k}]) % 1013; x[{p}] = s;",
    "for (int j = 0; j < 3; j++) s = (s * 5 + j + {k}) % 1009; x[{p}] = s;",
    "s = (s * 5 + z + h) % 1009; x[{p}] = s;",
    "s = (s * 5 + 3) % 1009; x[{p}] = s; a[i] += s % 3;",
)
_SOME = (  # not all of them, or others, too
    "s = (s + x[{p}]) % 1009; x[{p}] = s;",
    "if (s % 3) x[{p}] = s; s = (s * 7 + 1) % 1013;",
    "s = (s * 5 + 3) % 1009; x[{p}] = s; if (s % 77 == 7) break;",
    "s = (s * 5 + 3) % 1009; if (s % 7 == 5) continue; x[{p}] = s;",
    "s = (s * 5 + 3) % 1009; x[{p}] = s; x[{p} + 1] = s;",
)
_BETWEEN = (
    *("q = 3;", "q = 3; r += q;", "r = s;", "s = s + 1;", "long z = a[i]; r += z;", "int h = 7; q += h;"),
    *("a[i] = a[i] + 1;", "s = 5;"),
)
_USED = (
    "r = (r * 3 + {u} - {w}) % 997;",
    "if ({u} > {w}) r = (r + {u} * {k}) % 997;",
    "if ({u} % 5 == 0) continue; r = (r + {w}) % 997;",
    "q = {u}; r = (r * 2 + q) % 997;",
    "r = (r * 3 + {u}) % 997; x[{t} * {k} + {o}] = r;",
    "if ({u} % 11 == 1) break; r = (r + {w}) % 997;",
    "s = {u}; r = (r * 2 + s) % 997;",
    "r = (r * 3 + {u}) % 997; b[(i + {k}) % {rows}] = 1;",
    "r = (r * 3 + {u} + c[{k}]) % 997;",
    "a[i] = (a[i] + {u}) % 97; r += a[i];",
    "if ({k} > {first}) r = (r * 3 + {back} + {u}) % 997;",
)
_OTHERS = (
    "r = (r * 3 + {u} + y[{t} * {k} + {o}][1]) % 997;",
    "r = (r * 3 + {u} + x[{k}]) % 997;",
    "r = (r * 3 + {u} + {next}) % 997;",
)
_FILLERS = (
    "for (int m = 0; m < n; m++) {{ *s = (*s * 5 + m) % 1009; to[m] = *s; }}",
    "long h = *s; for (int m = 0; m < n; m++) {{ h = (h * 5 + m) % 1009; to[m] = h; }} *s = h + 1; return;",
    "long *p = s; for (int m = 0; m < n; m++) {{ *p = (*p + 3) % 1009; to[m] = *p % 11; }}",
    "int e = n; for (n = 0; n < e; n++) {{ *s = (*s * 3 + n) % 1009; to[n] = *s; }}",
)


def make_producers(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    words = {"rows": _ROWS, "wide": _WIDE, "n": rng.choice((1, 2, 33, _ROWS))}
    count = rng.choice((0, 1, 2, 7, _WIDE // 3 - 2))
    arrays = "static long a[{rows}], b[{rows}], c[{rows}], seen[{rows}]; int n = {n}, turns = {count}, one = 1;"
    values = "for (int e = 0; e < {rows}; e++) a[e] = e * 7 % 31, c[e] = e % 5, b[e] = 0, seen[e] = 0;"
    texts = (arrays, values, "(void)turns; (void)one;")
    declared = [line(text.format(**words, count=count), pinned=True) for text in texts]
    own = "long x[{wide} * 9], y[{wide} + 8][2], s = i, r = 1, q = 0; int k = 0, z = 3, h = i;".format(**words)
    filled = "for (int e = 0; e < {wide} + 8; e++) x[e] = i + e, y[e][0] = e, y[e][1] = i;".format(**words)
    needs, loops = _loops(site, count)
    last = line("seen[i] += r * 3 + s * 5 + q;" + (" seen[i] += k;" if rng.random() < 0.2 else ""))
    loops = [Stmt((), (*loops,))]  # which may hide what stands around it
    body = Stmt((), (line(own, pinned=True), *([line(filled, pinned=True)] if needs else []), *loops, last))
    made = Stmt(("for (int i = 0; i < n; i++)",), (body,), pragmas=(Pragma("parallel for", required=True),))
    sums = f"for (int e = 0; e < {_ROWS}; e++) seen[e] += a[e] * 11 + b[e] * 13;"
    seen = [line(sums, pinned=True), check(site, "producers", _ROWS, literally("seen[q]", LONG), EXACT)]
    return [Stmt((), (*declared, made, *(seen if site.checks else [])), pinned=True)]


def _loops(site: Site, count: int) -> tuple[bool, list[Stmt]]:
    """What makes the elements, what stands between, and what uses them; and whether they need others to be there."""
    rng = site.rng
    turns, total = rng.choice((1, 1, 2, 2, 3)), "turns" if rng.random() < 0.5 else str(count)
    if rng.random() < 0.2:
        makes = _Makes(line(f"{_filler(site)}({turns} * {total}, &s, x);"))
    else:
        makes = _makes(rng, turns, total)
    user = rng.choice(("k", "int k", "int k", "int j", "int h"))
    other, first = user.split()[-1], makes.first
    places = [f"x[{_element(turns, other, makes.offset + number)}]" for number in range(turns)]
    if makes.of_pairs:
        places += [f"y[{_element(turns, other, makes.offset + turns - 1)}][{rng.randrange(2)}]"]
    form = rng.choice(_OTHERS if rng.random() < 0.15 else _USED)
    needs = makes.needs or form in _OTHERS
    back, ahead = (f"x[{_element(turns, other, makes.offset + at)}]" for at in (-1, turns))
    words = {"u": rng.choice(places), "w": rng.choice(places), "back": back, "next": ahead, "first": first}
    text = form.format(t=turns, o=makes.offset, k=other, rows=_ROWS, **words)
    uses = Stmt((f"for ({user} = {first}; {other} < {first} + {total}; {other}++)",), (line(text),))
    between = [line(rng.choice(_BETWEEN))] if rng.random() < 0.5 else []
    behind = [line("r += x[1];")] if needs and rng.random() < 0.3 else []
    return needs, [makes.statement, *between, uses, *behind]


@dataclass(frozen=True)
class _Makes:
    """`first`: the counter with which the other loop begins; `needs`: elements that are there before."""

    statement: Stmt
    first: int = 0
    offset: int = 0
    of_pairs: bool = False
    needs: bool = False


def _makes(rng: random.Random, turns: int, total: str) -> _Makes:
    first = rng.choice((0, 0, 0, 1, 2))
    counter = rng.choice(("k", "int k", "int k", "int m", "long k"))
    name = counter.split()[-1]
    place, offset = rng.choice(((name, 0), (name, 0), (f"{name} + 1", 1)))
    needs = rng.random() < 0.15
    form = rng.choice(_SOME if needs else _MADE)
    begin = str(turns * first)
    until = f"{begin} + {turns} * {total}" if first else f"{turns} * {total}"
    if rng.random() < 0.1:
        until, needs = until + rng.choice((" + one", " - 1")), True
    text = form.format(k=name, p=place, x=rng.randrange(40))
    statement = Stmt((f"for ({counter} = {begin}; {name} < {until}; {name}++)",), (line(text),))
    return _Makes(statement, first, offset, "y[" in form, needs)


def _filler(site: Site) -> str:
    """A function that makes elements."""
    name = site.names.file_scope("fill")
    body = site.rng.choice(_FILLERS).format()
    site.file.append(line(f"static void {name}(int n, long *s, long *to) {{ {body} }}", pinned=True))
    return name


def _element(turns: int, counter: str, at: int) -> str:
    moving = counter if turns == 1 else f"{turns} * {counter}"
    return moving if at == 0 else f"{moving} {'+' if at > 0 else '-'} {abs(at)}"
