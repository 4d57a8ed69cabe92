"""Boxes behind pointers of tables, with strides of their own, whose points the inner loops of an iteration work on.

    for (int b = 0; b < n; b++) {                  pragma
        const int row = box[b].row, plane = box[b].plane;
        const long *restrict x = box[b].v[1] + box[b].first;
        long *restrict y = box[b].v[to] + box[b].first;
        for (int k = 0; k < box[b].nk; k++)
            for (int j = 0; j < nj; j++)
                for (int i = 0; i < ni; i++) y[i + j * row + k * plane] += x[i + 1 + j * row + k * plane];
    }

Strides are as large as a box needs, or smaller, 0 or below 0; pointers of a box may be one another where nothing says
that they are not; those that are restricted are so for all of the iteration, for a turn, or made of each other.

In: a Site.   Out: tables of its own; such loops; a check of what they leave.
"""

from __future__ import annotations

from collections.abc import Sequence

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_BOXES, _PLACES, _VECTORS = 7, 900, 3
_DECLARED = (
    "struct box {{ int row, plane, first, nk, nj, ni; {t} **v; }}; static struct box box[{boxes}];",
    "static {t} memory[{boxes}][{vectors}][{places}], *tables[{boxes}][{vectors}]; static long seen[{boxes}];",
    "static const int strides[][2] = {{ {{1, 1}}, {{0, 5}}, {{7, 50}}, {{-6, 40}}, {{6, 3}}, {{2, 30}}, {{9, 0}} }};",
    "int n = {n}, to = 0, from = {from_}; (void)n; (void)to; (void)from;",
    "for (int q = 0; q < {boxes}; q++) {{ struct box *own = &box[q];",
    "own->nk = 2 + q % 3, own->nj = 3 + q % 2, own->ni = 4 + q % 4, own->first = {first}; own->v = tables[q];",
    "own->row = own->ni + {more}, own->plane = own->row * own->nj;",
    "if ({odd}) own->row = strides[q % 7][0], own->plane = strides[q % 7][1];",
    "for (int r = 0; r < {vectors}; r++) {{ own->v[r] = memory[q][{one} ? 0 : r];",
    "for (int p = 0; p < {places}; p++) memory[q][r][p] = (p * 7 + q + r) % 13; }} }}",
)
_TYPES = ("int", "long", "long", "unsigned", "short")
_X, _Y = "{t} *x = box[b].v[from] + box[b].first;", "{t} *y = box[b].v[to] + box[b].first;"
_RESTRICTED = _X.replace("*x", "*restrict x") + " " + _Y.replace("*y", "*restrict y")
_POINTERS = (
    _RESTRICTED, _RESTRICTED, _RESTRICTED, _X.replace("*x", "*restrict x") + " " + _Y, f"{_X} {_Y}", f"{_X} {_Y}",
    _RESTRICTED + " x += 2; y = y + 1;",
    "{t} *restrict x, *restrict y; x = box[b].v[from] + 300; y = &box[b].v[to][300];",
    "{t} *restrict y = box[b].v[to] + 300; {t} *x = y - 1;", "{t} *restrict y = box[b].v[to] + 300, *x = y;",
    "{t} **restrict v = box[b].v; {t} *x = v[from] + 300, *y = v[to] + 300;",
)  # fmt: skip
_HEADS = (
    "for (int k = 0; k < nk; k++)", "for (int k = 0; k < box[b].nk; k++)", "for (int k = begin; k < nk; k++)",
    "for (int k = nk - 1; k >= 0; k--)", "for (int k = begin & 1; k <= nk; k += 2)",
    "for (long k = begin; k < nk; k++)",
)  # fmt: skip
_MIDDLE = (
    "for (int j = 0; j < nj; j++)", "for (int j = begin; j < nj; j++)", "for (int j = nj - 1; j >= begin; j--)",
    "for (int j = 0; j < nj; j += 2)", "for (int j = k & 1; j < nj; j++)",
)  # fmt: skip
_INNER = (
    "for (int i = 0; i < ni; i++)", "for (int i = begin; i < ni; i++)", "for (int i = 0; i < ni; i++)",
    "for (int i = (j + k + begin) & 1; i < ni; i += 2)",
    "for (int i = ni - 1; i >= 0; i--)", "for (int i = begin + (j & 1); i < ni; i++)",
)  # fmt: skip
_AT = "i + j * row + k * plane"
_POINTS = (
    "y[{at}] = y[{at}] * 3 % 1009 + x[{at} + 1] % 1009;", "y[{at}] = x[{at} + row] % 499 + x[{at} - row] % 499;",
    "{{ int at = {at}; y[at] = x[at + 1] % 1009 + x[at - 1] % 1009 + i; }}", "y[{at}] = y[{at}] * 5 % 1013 + i - j;",
    "if ((i + j + k) & 1) y[{at}] = x[{at} + plane] % 997 + 1;", "y[{at}] = y[{at} + 1] * 3 % 1009 + i;",
    "{{ int ij = i + j * row; y[ij + k * plane] = (y[ij + k * plane] + ij) % 5003; }}", "y[{at}]++;",
    "y[2 * ({at}) % 290 + 300] = x[{at}] % 997 + j;", "y[i + j * row] = y[i + j * row] * 3 % 1009 + k;",
    "y[{at}] = box[b].v[from][{at} + 290] % 1009 + 1;", "y[j * 60 + i] = x[j * 60 + i + k] % 1009;",
    "{{ {t} *restrict z = y + k; z[{at}] = y[{at} + 200] % 1009 + i; }}",
)  # fmt: skip
_UNPROMISED = ("box[b].v[to][{at} + 300] = x[{at}] % 1009 + i;", "box[b].v[i % 2][{at} + 300] = y[{at} + 1] % 1009;")


def make_boxes(site: Site) -> list[Stmt]:
    """The loops, with what they need."""
    rng = site.rng
    words = {"boxes": _BOXES, "places": _PLACES, "vectors": _VECTORS, "t": rng.choice(_TYPES)}
    pointers = rng.choice(_POINTERS)
    promised = "restrict" in pointers
    words |= {"n": rng.choice((0, 1, _BOXES, _BOXES, _BOXES)), "more": rng.choice((0, 0, 1, 3, -1))}
    words |= {"odd": rng.choice(("0", "0", "q & 1", "1")), "from_": 1 if promised else rng.choice((0, 1))}
    words |= {"one": 0 if promised else rng.choice((0, 0, 1)), "first": 300, "at": _AT}
    points = _POINTS if promised else _POINTS + _UNPROMISED
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    numbers = "const int row = box[b].row, plane = box[b].plane, nk = box[b].nk, nj = box[b].nj, ni = box[b].ni;"
    numbers += " const int begin = b % 2; (void)row; (void)plane; (void)nk; (void)begin; "
    inner = [line(numbers + pointers.format(**words) + " (void)x;", pinned=True)]
    inner += [_nest(site, words, points) for _ in range(rng.choice((1, 1, 2)))]
    pragma = Pragma("parallel for", required=True)
    nest = Stmt(("for (int b = 0; b < n; b++)",), tuple(inner), pragmas=(pragma,))
    added = "for (int q = 0; q < {boxes}; q++) for (int r = 0; r < {vectors}; r++) for (int p = 0; p < {places}; p++) "
    added += "seen[q] = (seen[q] * 3 + memory[q][r][p]) % 100003;"
    sums = line(added.format(**words), pinned=True)
    seen = [sums, check(site, "boxes", _BOXES, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, nest, *seen), pinned=True)]


def _nest(site: Site, words: dict[str, object], points: Sequence[str]) -> Stmt:
    """Over planes, rows and points, also two loops over the points of a row."""
    rng = site.rng
    rows = [(rng.choice(_INNER), rng.choice(points).format(**words)) for _ in range(rng.choice((1, 1, 1, 2)))]
    middle = Stmt((rng.choice(_MIDDLE),), tuple(Stmt((head,), (line(text),)) for head, text in rows))
    return Stmt((rng.choice(_HEADS),), (middle,))
