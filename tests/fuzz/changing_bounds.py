"""Inner loops whose bounds, places and factors lie in memory that the loop around them may change meanwhile.

    for (int i = 1; i < 20; i++)
        for (int j = 0; j < boxes[0].n; j++) {      read once before the launch only if nothing changes it
            boxes[i].last += j;                     another member, another element
            *to = j;                                a pointer that may lead there
        }

Where one iteration alone does it, or in a team of one thread (`num_threads(1)`), where iterations run in order,
anything may be changed; else what is the iteration's own.

In: a Site.   Out: objects of its own, filled; one parallel loop; checks of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, INT
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

ROWS = 20
_DECLARED = (
    "struct {box} {{ int n, last, values[4]; }};",
    "union {number} {{ int n; short parts[2]; }};",
    "static struct {box} {x}boxes[20], {x}box;",
    "static union {number} {x}numbers[20];",
    "static int {x}counts[20], {x}few[20], {x}block[90], {x}limit, {x}out[20];",
    "static long {x}far[20];",
)
_FILLED = (
    "for (int q = 0; q < 20; q++) {x}boxes[q].n = q % 4 + 2, {x}boxes[q].last = q, {x}numbers[q].n = 3 + q % 2;",
    "for (int q = 0; q < 20; q++) {x}counts[q] = q % 5, {x}few[q] = q % 3, {x}far[q] = q % 6, {x}out[q] = q;",
    "for (int q = 0; q < 90; q++) {x}block[q] = q % 4 + 1;",
    "{x}box.n = 4, {x}box.last = 5, {x}limit = 3;",
)
_LOCAL = (
    "int *n = {x}block, *rest = {x}block + 1, *to = {x}few[1] ? &{x}limit : {x}block;",
    "struct {box} *head = {x}few[0] ? 0 : &{x}box, *first = {x}boxes, *missing = {x}few[0] ? &{x}box : 0;",
    "unsigned char *bytes = (unsigned char *){x}out;",
)
_BOUNDS = (
    "{x}counts[i]", "{x}counts[0]", "{x}box.n", "{x}boxes[0].n", "{x}boxes[i].n", "{x}numbers[0].n",
    "*n", "{x}limit", "{x}block[2]", "head->n", "first->n", "n[i]", "(int){x}far[2]", "{x}box.values[1] % 5",
    "few",
)  # fmt: skip
_BOUNDS_OF_OTHERS = ("{x}counts[3]", "{x}counts[few]", "{x}counts[{x}few[i]]", "first[i % 3].n")
_OWN = (
    "{x}out[i] = ({x}out[i] * 3 + {r}) % 1009;", "{x}out[i] = ({x}out[i] * 3 + {r}) % 1009;", "{x}counts[i] = {v};",
    "{x}boxes[i].last = ({x}boxes[i].last + {r}) % 1009;", "{x}boxes[i].n = {v};", "{x}boxes[i].values[j & 3] = {r};",
    "{x}numbers[i].parts[0] = {v};", "rest[i + 20] = {v};", "first[i].n = {v};", "bytes[i * 4] = {v};",
)  # fmt: skip
_ANY = (
    "{x}counts[j] = {v};", "{x}box.n = {v};", "{x}box.last = {r};", "{x}box.values[j & 3] = {v};",
    "{x}boxes[j].n = {v};", "{x}numbers[j].n = {v};", "{x}numbers[0].parts[0] = {v};",
    "rest[(i * 5 + j) % 40] = {v};", "*to = {v};", "{x}limit = {v};", "head->n = {v};", "head->last = {r};",
    "first[j].last = {r};", "{x}far[j] = {v};", "n[0] = {v};", "if (i == 4) *to = {v};", "{x}few[j + 1] = {v} % 3;",
    "if (i == 2 && j == 1) few = {v};",
)  # fmt: skip
_READ = ("{x}out[i]", "j", "{x}box.last", "{x}boxes[i].last", "{x}few[i]", "few", "rest[j]", "{x}limit", "head->n")
_MAYBE = ("{x}out[i] = (missing->n + j) % 1009;", "if ({x}few[0]) {x}out[i] += missing->n;")
_VALUES = ("j % 5", "(i + j) % 4", "3", "5 - j % 4", "i % 3 + 1")


def make_changing_bounds(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    names = {"x": site.names.file_scope("x"), "box": site.names.file_scope("b"), "number": site.names.file_scope("n")}
    site.file += [line(text.format(**names), pinned=True) for text in _DECLARED]
    who = rng.choice(("each", "one", "one", "in order"))
    inner = [_inner(rng, names, who != "each") for _ in range(rng.choice((1, 1, 2)))]
    few = rng.choice(("int few = 2;", "int few = i % 3;", "int few = {x}few[i];")).format(**names)
    outer = [line(text.format(**names), pinned=True) for text in _LOCAL]
    clauses = [Clause("num_threads", ("1",))] * (who == "in order")
    body = [line(few, pinned=True), *inner]
    if rng.random() < 0.3:
        body, clauses = inner, [*clauses, Clause("firstprivate", ("few",))]
        outer.append(line("int few = 2;", pinned=True))
    if who == "one":
        first = _change(rng, names, rng.choice(_ANY))
        body = [Stmt(("if (i == 7)",), (*body[:-1], Stmt(("",), (line("const int j = 1;"), first)), body[-1]))]
    nest = Stmt((f"for (int i = 1; i < {ROWS}; i++)",), tuple(body), pragmas=(Pragma("parallel for", tuple(clauses)),))
    filled = [line(text.format(**names)) for text in _FILLED]
    seen = _checked(site, names["x"]) if site.checks else []
    return [*filled, Stmt((), (*outer, nest), pinned=True), *seen]


def _checked(site: Site, x: str) -> list[Stmt]:
    parts = ("boxes[q].n", "boxes[q].last", "boxes[q].values[q & 3]", "numbers[q].n", "counts[q]", "few[q]", "out[q]")
    sizes = {**dict.fromkeys((*parts, "far[q]"), ROWS), "block[q]": 90, "limit": 1}
    return [check(site, x + part, count, literally(x + part, INT), EXACT) for part, count in sizes.items()]


def _inner(rng: random.Random, names: dict[str, str], any_may_change: bool) -> Stmt:
    """A loop of few iterations, whatever its bound becomes."""
    bound = rng.choice(_BOUNDS + _BOUNDS_OF_OTHERS * any_may_change).format(**names)
    forms = rng.choices(_OWN + _ANY * any_may_change, k=rng.choice((1, 2, 2, 3)))
    head = rng.choice(("for (int j = 0; j < {bound}; j++)", "for (int j = 0; j <= {bound}; j++)"))
    if rng.random() < 0.15:  # where the loop has no iteration, the pointer leads nowhere
        head, forms = "for (int j = 0; j < {x}few[0]; j++)", [rng.choice(_MAYBE), *forms[:1]]
    return Stmt((head.format(bound=bound, **names),), tuple(_change(rng, names, form) for form in forms))


def _change(rng: random.Random, names: dict[str, str], form: str) -> Stmt:
    return line(form.format(r=rng.choice(_READ).format(**names), v=rng.choice(_VALUES), **names))
