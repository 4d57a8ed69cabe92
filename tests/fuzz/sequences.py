"""Iterations that are sequences of inner loops over a row, with variables and an array that go from one to the next.

    int s = i, w[9];                            of an iteration, of a thread of the region, or in a private clause
    for (int j = 0; j < 9; j++) w[j] = j * 3 + i;
    for (int j = 1; j <= 5; j++) a[i][j] = (w[j - 1] + s) % 1009;         all bounds, steps, directions
    for (j = 1; j <= lengths[i]; j++) { int s = b[i][j]; w[j] += s; }     what it leaves, what it hides
    s += j;
    halve(w, 2);                                functions of a row, some of which return early

All that an iteration writes is its own, so that its order alone decides what comes out; loops may become one, axes of a
grid, or the work of several threads only where that order does not show. In a team of one thread (`num_threads(1)`)
iterations may also read and write rows of others, and go on with the variables of the one before. Some iterations do
more than that: they add to a sum, have a last value, are the best, count, or print.

In: a Site.   Out: arrays of its own, filled; one parallel loop; checks of what it writes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .loops import check
from .products import Matrix, matrix
from .scalars import DOUBLE, EXACT, FINE, INT, LONG, Scalar
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_HEADS = (
    "for (int j = 1; j <= {m}; j++)",
    "for (int j = 1; j <= {m}; j++)",
    "for (int j = 1; j < {m}; j++)",
    "for (int j = {m}; j >= 1; j--)",
    "for (int j = 1; j <= {m}; j += 2)",
    "for (int j = 2; j <= {m}; j += 2)",
    "for (int j = 1; j <= {lengths}[i]; j++)",
    "for (int j = {lengths}[i] + 1; j <= {m}; j++)",
    "for (int j = 1; j <= i % {m}; j++)",
    "for (int j = 1; j <= k; j++)",
    "for (unsigned long j = {low} - 1; j < {m}ul; j++)",
    "for (unsigned j = {m}u; j != 0; j--)",
    "for (z = 1; z <= {m}; z++)",
)
_WRITTEN = ("{a}", "{a}", "{b}", "{b}", "w[{j}]", "w[{j}]", "{a_next}", "{b_last}", "w[{last}]", "{a_first}", "w[k]")
_READ = (
    "{a}", "{b}", "{c}", "{c}", "w[{j}]", "w[{j}]", "s", "f", "k", "{j}", "i", "{a_next}", "{b_before}", "w[{j} - 1]",
    "{b_last}", "w[{last}]", "{a_first}", "w[k]", "{c_any}",
)  # fmt: skip
_INSIDE = (
    "{p} = {cut}({r} + {q}{mod});",
    "{p} = {cut}({r} + {q}{mod});",
    "{p} = {r};",
    "{p} += {small};",
    "s += {flat};",
    "s += {flat};",
    "s = {cut}(s * 3 + {r}{mod});",
    "f = {r};",
    "k = {j};",
    "if ({r} > {q}) s = {q};",
    "if ({r} < f) f = {r};",
    "if ({r} > {q}) continue;",
    "if ({r} > 900) break;",
    "{{ {t} s = {c}; {p} = s + {c_any}; }}",
    "{{ const {t} more = {r}; {p} = {cut}({p} + more{mod}); }}",
    "{{ {t} *to = &{p}; *to = {cut}(*to + {q}{mod}); }}",
    "if (i % 3) {p} = {q};",
    "{one}(w, {j});",
    "{one}({a_row}, {j});",
    "for (int q = 0; q < 3; q++) {p} += q;",
    "for (int q = 0; q < k; q++) w[{j}] += q;",
)
_BETWEEN = (
    "s = {c_first};",
    "f = s + i;",
    "s++;",
    "k = ({lengths}[i] + k) % {m} + 1;",
    "if ({lengths}[i] > 2) s += 1;",
    "if ({lengths}[i] == 1) continue;",
    "s += z;",
    "{{ {t} *p = &s; *p += i; }}",
    "{{ {t} *p = w + 1; p[0] = {cut}(p[0] + s{mod}); }}",
    "{{ static const int table[3] = {{4, 9, 2}}; s += table[i % 3]; }}",
    "{{ int k = i; {a_first} = k; }}",
    "{one}(w, k);",
    "{one}({b_row}, 1);",
    "{all}(w, s);",
    "{all}({a_row}, f);",
    "w[1] = s;",
    "{b_first} = w[{m}];",
    "{a_first} += 3;",
)
_OTHER_ROWS = ("{a_above}", "{a_below}", "{b_above}", "{a_at_s}")
_EFFECTS: dict[str, tuple[Clause, ...]] = {
    "total += (long)s % 100;": (Clause("reduction", ("total",), "+: "),),
    "total = (long)s > total ? (long)s : total;": (Clause("reduction", ("total",), "max: "),),
    "last = i * 3 + k;": (Clause("lastprivate", ("last",)),),
    '_Pragma("omp critical") if (total < (long)s % 9 * 99 + i) {{ total = (long)s % 9 * 99 + i; last = i; }}': (),
    '_Pragma("omp atomic") bins[(i + k) % 4] += 3;': (),
}
_EFFECTS_IN_ORDER: dict[str, tuple[Clause, ...]] = {
    '_Pragma("omp critical") if (total <= (long)s % 5) {{ total = (long)s % 5; last = i; }}': (),
    "if (k > 1) last = i * 3 + k;": (Clause("firstprivate", ("last",)), Clause("lastprivate", ("last",))),
    'printf("{case}.row I %d %ld\\n", (int)i, (long)s);': (),
}
"""What an iteration does beside its row, and the clauses that it needs."""
_ONE = (
    "w[j] = {cut}(w[j] * 2{mod});",
    "if (j == 2) return; w[j] += 5;",
    "w[j] += {scale}; j++; w[j - 1] -= 2;",
    "{t} old = w[j]; w[j] = w[1]; w[1] = old;",
)
_ALL = (
    "for (int q = 1; q <= {m}; q++) w[q] = {cut}(w[q] + by{mod});",
    "for (int q = 1; q <= {m}; q++) {{ w[q] += {scale}; if (w[q] > 500) return; }}",
    "by += 1; for (int q = {m}; q > 0; q--) w[q] = {cut}(w[q - 1] + by{mod});",
)


@dataclass
class _Texts:
    """`parts`: what stands for a hole of a form; `in_order`: whether other rows may be named."""

    rng: random.Random
    matrices: tuple[Matrix, ...]
    parts: dict[str, str]
    in_order: bool = False

    def line(self, form: str, j: str = "1") -> Stmt:
        return line(self.filled(form, j))

    def filled(self, form: str, j: str = "1") -> str:
        a, b, c = self.matrices
        m = self.parts["m"]
        at = {"j": j, "last": f"{m} + 1 - {j}", "a": a.at("i", j), "b": b.at("i", j), "c": c.at("i", j)}
        at |= {"a_next": a.at("i", f"({j} + 1)"), "b_before": b.at("i", f"({j} - 1)")}
        at |= {"b_last": b.at("i", f"({m} + 1 - {j})"), "a_first": a.at("i", "1"), "b_first": b.at("i", "1")}
        at |= {"c_first": c.at("i", "1"), "c_j": c.at("i", "j"), "a_0": a.at("i", "0"), "b_0": b.at("i", "0")}
        at |= {"c_any": c.at("i", f"(({j} * 5 + i) % {m})"), **self.parts}
        at |= {"a_row": f"&{a.at('i', '0')}", "b_row": f"&{b.at('i', '0')}"}
        at |= {"a_above": a.at("(i - 1)", j), "b_above": b.at("(i - 1)", j), "a_below": a.at("(i + 1)", j)}
        at |= {"a_at_s": a.at("(k % 2 + i)", j)}
        for name, among in (("p", _WRITTEN), ("r", _READ), ("q", _READ)):
            other = self.in_order and self.rng.random() < 0.15
            at[name] = self.rng.choice(_OTHER_ROWS if other else among).format(**at)
        at["small"] = "{cut}({r}{mod17})".format(**at)
        at["flat"] = self.rng.choice(("{c}", "{c}", "{c_any}", "{j}", "{small}")).format(**at)
        return form.format(**at)

    def loop(self, depth: int = 0) -> Stmt:
        """One inner loop, or a loop around one."""
        rng = self.rng
        if depth == 0 and rng.random() < 0.15:
            head = rng.choice(("for (int e = 0; e < 3; e++)", "for (int e = 0; e < k; e++)", "if ({lengths}[i] > 1)"))
            return Stmt((head.format(**self.parts),), (self.loop(1),))
        head = rng.choice(_HEADS).format(**self.parts)
        j = "z" if "(z" in head else "j"
        if "long j" in head:
            j = "(int)(j + 1)"
        elif "unsigned j" in head:
            j = "(int)j"
        return Stmt((head,), tuple(self.line(rng.choice(_INSIDE), j) for _ in range(rng.choice((1, 1, 2, 3)))))


def make_sequence(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    kind = rng.choice((INT, INT, LONG, DOUBLE))
    n, m = rng.choice((1, 5, 33, 64)), rng.choice((1, 2, 5, 8, 20, 33))
    width = m + 3
    rows = n + 2
    matrices = (_in_rows(site, rows, width, kind), _in_rows(site, rows, width, kind), _in_rows(site, rows, width, kind))
    texts = _Texts(rng, matrices, _parts(site, kind, rows, m), rng.random() < 0.25)
    room = width + rng.choice((0, 0, 200))
    _add_functions(site, texts, room)
    nest = _around(site, texts, n, (width, room))
    every = f"for (int q = 0; q < {rows * width}; q++)"
    fills = [line(f"{every} {x.element} = q * {k} % 101;") for k, x in enumerate(matrices, 3)]
    fills.append(line(f"for (int q = 0; q < {rows}; q++) {texts.parts['lengths']}[q] = q * 7 % {m + 1};"))
    if not site.checks:
        return [*fills, *nest]
    quality = FINE if kind.floating else EXACT
    seen = (check(site, x.name, rows * width, literally(x.element, kind), quality) for x in matrices[:2])
    return [*fills, *nest, *seen]


def _around(site: Site, texts: _Texts, n: int, extent: tuple[int, int]) -> list[Stmt]:
    """The parallel loop; where its variables are declared, and what gives them their first values.

    `extent`: how many elements of the array are used, and how many there are; `kept`: all iterations go on with the
    variables; `preset`: no iteration writes w[0], which has its value from before.
    """
    rng, t, (width, room) = site.rng, texts.parts["t"], extent
    where = rng.choice(("inside", "inside", "private", "region"))
    kept = texts.in_order and where != "inside" and rng.random() < 0.6
    preset = where != "inside" and not kept and rng.random() < 0.5
    declared = [line(f"{t} s, f, w[{room}];", pinned=True), line("int k, z;", pinned=True)]
    first = [line("s = i, f = 2, k = 1, z = 0;", pinned=True), *_filled_row(texts, width, int(preset))]
    if where == "inside" and rng.random() < 0.5:
        declared = [line(f"{t} s = i, f = 2, w[{room}];", pinned=True), line("int k = 1, z = 0;", pinned=True)]
        first = first[1:]
    if rng.random() < 0.2:
        declared.append(line(f"{t} {texts.parts['scale']} = 2;", pinned=True))
    alone = (Clause("num_threads", ("1",)),) if texts.in_order else ()
    rest = [*_items(texts), line(texts.filled("{a_0} = s + f * 2 + k; {b_0} = w[k] + z;"))]
    if where == "inside" and rng.random() < 0.35:
        return _with_effect(site, texts, n, [*declared, *first], rest, alone)
    if where == "inside":
        return [_loop(n, [*declared, *first, *rest], "parallel for", *alone)]
    before = _once(first, n) if kept else [line(f"w[0] = {rng.choice((3, 8))};", pinned=True)] * preset
    again = [] if kept else first
    if where == "private":
        copied = ("s", "f", "k", "z", "w") if kept else ("w",) if preset else ()
        clauses = [Clause("firstprivate", copied)] if copied else []
        if own := tuple(name for name in ("s", "f", "k", "z", "w") if name not in copied):
            clauses.append(Clause("private", own))
        loop = _loop(n, [*again, *rest], "parallel for", *clauses, *alone)
        return [Stmt((), (*declared, *before, loop), pinned=True)]
    loops = [_loop(n, [*again, *rest], "for")]
    if rng.random() < 0.3:
        loops.append(_loop(n, [*again, *_items(texts)], "for"))
    after = [line(texts.filled("{a_0} += s + w[1] + w[k];"))] if kept else []
    parallel = Pragma("parallel", alone, required=True)
    return [Stmt((), (*declared, *before, *loops, *after), pragmas=(parallel,))]


def _once(first: list[Stmt], n: int) -> list[Stmt]:
    """The first values of variables that all iterations go on with."""
    return [line(f"const int i = {n};", pinned=True), *first]


def _with_effect(
    site: Site, texts: _Texts, n: int, first: list[Stmt], rest: list[Stmt], clauses: tuple[Clause, ...]
) -> list[Stmt]:
    """An iteration may leave the `rest` early."""
    texts_of_effects = list(_EFFECTS if not texts.in_order else _EFFECTS_IN_ORDER | _EFFECTS)
    text = site.rng.choice(texts_of_effects)
    effect = [line(text.format(case=site.names.case))]
    body = [*first, *effect, *rest] if "last = i * 3" in text or site.rng.random() < 0.5 else [*first, *rest, *effect]
    loop = _loop(n, body, "parallel for", *clauses, *(_EFFECTS | _EFFECTS_IN_ORDER)[text])
    declared = line("long total = -5, last = -1, bins[4] = {0};", pinned=True)
    sizes = {"total": 1, "last": 1, "bins[q]": 4} if site.checks else {}
    seen = (check(site, name, count, literally(name, LONG), EXACT) for name, count in sizes.items())
    return [Stmt((), (declared, loop, *seen), pinned=True)]


def _loop(n: int, body: list[Stmt], directive: str, *clauses: Clause) -> Stmt:
    pragma = Pragma(directive, clauses, required="parallel" not in directive)
    return Stmt((f"for (int i = 1; i <= {n}; i++)",), tuple(body), pragmas=(pragma,))


def _filled_row(texts: _Texts, width: int, begin: int) -> list[Stmt]:
    """The array's first values, from element `begin` on."""
    forms = [
        "for (int j = {begin}; j < {width}; j++) w[j] = j * 3 + i;",
        "for (int j = {begin}; j < {width}; j++) w[j] = {c_j};",
    ]
    if begin == 0:
        forms.append("w[0] = i; for (int j = 1; j < {width}; j++) w[j] = {cut}(w[j - 1] + {c_j}{mod});")
    form = texts.rng.choice(forms).replace("{width}", str(width)).replace("{begin}", str(begin))
    return [line(texts.filled(form, "j"))]


def _items(texts: _Texts) -> list[Stmt]:
    rng = texts.rng
    found: list[Stmt] = []
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        if rng.random() < 0.4:
            found.append(texts.line(rng.choice(_BETWEEN)))
        found.append(texts.loop())
    return found


def _in_rows(site: Site, n: int, width: int, kind: Scalar) -> Matrix:
    """A function gets a row by the address of its first element."""
    made = matrix(site, n, width, kind)
    while made.turned:
        site.file.pop()
        made = matrix(site, n, width, kind)
    return made


def _parts(site: Site, kind: Scalar, n: int, m: int) -> dict[str, str]:
    lengths, low = site.names.file_scope("lengths"), site.names.file_scope("low")
    site.file.append(line(f"static int {lengths}[{n}];", pinned=True))
    site.file.append(line(f"static unsigned long {low} = 1;", pinned=True))
    parts = {"t": kind.name, "m": str(m), "lengths": lengths, "low": low, "cut": "0.5 * ", "mod": "", "mod17": ""}
    if not kind.floating:
        parts |= {"mod": ") % 1009", "mod17": ") % 17", "cut": "("}
    return parts


def _add_functions(site: Site, texts: _Texts, room: int) -> None:
    """Two of a row, which the texts call `one` and `all`."""
    names = {"one": site.names.file_scope("one"), "all": site.names.file_scope("all")}
    scale = site.names.file_scope("scale")
    texts.parts |= {"scale": scale, **names}
    t = texts.parts["t"]
    site.file.append(line(f"static {t} {scale} = 3;", pinned=True))
    row = site.rng.choice((f"{t} w[{room}]", f"{t} *w"))
    for what, parameter, forms in (("one", "int j", _ONE), ("all", f"{t} by", _ALL)):
        text = site.rng.choice(forms).format(**texts.parts)
        site.file.append(Stmt((f"static void {names[what]}({row}, {parameter})",), (line(text),), pinned=True))
