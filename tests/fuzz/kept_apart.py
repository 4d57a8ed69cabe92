"""Pairs of loops that follow each other, use the same elements, and would be one loop, but for one thing.

    #pragma omp parallel for private(t)                     the second loop reads what is a copy in the first
    for (int i = 0; i < n; i++) { t = i == n - 1 ? 5 : b[i] % 7; a[i] = b[i] * 3 + t; }
    #pragma omp parallel for
    for (int j = 0; j < n; j++) c[j] = (a[j] + 2 * c[j] + t) % 1009;

Each question that fusion asks has its own differences here, of which a pair has one, or none. Without directives, a
program has the same answer: here the last iteration of the first loop leaves in t what was there.

In: a Site.   Out: arrays and variables of its own; several pairs with host code between; a check of what they leave.
Not here: whole sequences, at random -- adjacent.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_LENGTH = 96
_DECLARED = (
    "static int a[{length}], b[{length}], c[{length}], p[{length}], h[4];",
    "int m = {m}, n = {n}, t = 5, i = 6, j = 7, k = 8, from = 1, *last = &m, *at = a + 1, threads = 1, members = 0;",
    "enum {{ e = 4 }}; long seen = 0, *sum = &{s};",
    "for (int q = 0; q < {length}; q++) a[q] = q * 3 % 11, b[q] = q * 5 % 12, c[q] = q * 7 % 13;",
    "for (int q = 0; q < {length}; q++) p[q] = q < n ? n - 1 - q : q;",
    "{s} = 3, {u} = 1, h[0] = h[1] = h[2] = h[3] = 0;",
    "(void)m, (void)i, (void)j, (void)k, (void)from, (void)last, (void)at, (void)sum, (void)threads, (void)members;",
)


@dataclass
class _Loop:
    """`{v}` in a text is its variable; `stored` is the element that it writes."""

    variable: str
    stored: str
    value: str
    first: str = "0"
    end: str = "< n"
    step: str = "{v}++"
    kind: str = "int "
    directive: str = "parallel for"
    clauses: list[Clause] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)

    def statement(self) -> Stmt:
        v = self.variable
        head = f"for ({self.kind}{{v}} = {self.first}; {{v}} {self.end}; {self.step})"
        body = " ".join((*self.before, f"{self.stored} = {self.value};", *self.behind))
        pragma = Pragma(self.directive, tuple(self.clauses), required=True)
        return Stmt((head.format(v=v),), (line(body.format(v=v)),), pragmas=(pragma,))

    def has(self, clause: str, *items: str, prefix: str = "") -> None:
        self.clauses.append(Clause(clause, items, prefix))


@dataclass
class _Pair:
    """`number` is no other pair's; `x`: the array whose elements go from the first loop to the second; `s`, `u`:
    variables of file scope, `of_s`: a function that reads the first one of them; `before`, `behind`: host code;
    `is_of_team`: each thread of a region comes to them.
    """

    rng: random.Random
    number: str
    x: str
    other: str
    s: str
    u: str
    of_s: str
    one: _Loop
    two: _Loop
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    is_of_team: bool = False

    def either(self) -> _Loop:
        return self.rng.choice((self.one, self.two))

    def uses(self, value: str) -> None:
        """The second loop does, in an element."""
        self.two.behind.append(f"{self.two.stored} += (int)({value} % 7);")


def make_kept_apart(site: Site) -> list[Stmt]:
    """The pairs, with what they need."""
    rng = site.rng
    s, u, of_s = (site.names.file_scope(name) for name in ("s", "u", "of_s"))
    site.file += [
        line(f"static long {s}, {u};", pinned=True),
        line(f"static long {of_s}(int i) {{ return {s} % 5 + i; }}", pinned=True),
    ]
    n = rng.choice((0, 1, 7, *(40, 64) * 5))
    words = {"length": _LENGTH, "n": n, "m": n * 2 // 3, "s": s, "u": u}
    statements = [line(text.format(**words), pinned=True) for text in _DECLARED]
    for number in range(rng.choice((1, 2, 2, 3))):
        x, other, third = rng.sample("abc", 3)
        one = _Loop(rng.choice("ijk"), f"{x}[{{v}}]", f"({other}[{{v}}] * 3 + {{v}} + {third}[{{v}}]) % 1009")
        two = _Loop(rng.choice("ijk"), f"{other}[{{v}}]", f"({x}[{{v}}] + 2 * {other}[{{v}}] + {{v}}) % 1009")
        pair = _Pair(rng, f"{s}_{number}", x, other, s, u, of_s, one, two)
        rng.choice(rng.choice(_DIFFERENCES))(pair)
        if pair.is_of_team:
            site.file += [_function(pair), _way_to(pair)]
            statements.append(line(f"{u} = 0, members = 0;", pinned=True))
            statements.append(Stmt((), (line(_CALL.format(u=u, way=f"way_to{pair.number}")),), pragmas=(_REGION,)))
            statements.append(line(f"{u} /= members;", pinned=True))
            continue
        before, behind = (line(" ".join(text), pinned=True) for text in (pair.before, pair.behind))
        statements += [*[before] * bool(pair.before), one.statement(), two.statement(), *[behind] * bool(pair.behind)]
        statements.append(line(f"seen = (seen * 31 + {s} + 3 * {u} + 5 * t + h[1]) % 1000003;"))
        statements.append(line("t = 5, i = 6, j = 7, k = 8;", pinned=True))
    value = literally("a[q] * 2L + b[q] * 3L + c[q] * 5L + seen", LONG)
    seen = [check(site, "apart", _LENGTH, value, EXACT)] if site.checks else []
    return [Stmt((), (*statements, *seen), pinned=True)]


_REGION = Pragma("parallel", required=True)
_CALL = '_Pragma("omp atomic") members++; {way}(n, a, b, c);'


def _function(pair: _Pair) -> Stmt:
    head = f"static void of_team{pair.number}(int n, int *a, int *b, int *c)"
    return Stmt((head,), (line("(void)a, (void)b, (void)c;"), pair.one.statement(), pair.two.statement()), pinned=True)


def _way_to(pair: _Pair) -> Stmt:
    """A pointer hides who comes to the function: else it is known that nested regions are one thread."""
    text = f"static void (*volatile way_to{pair.number})(int, int *, int *, int *) = of_team{pair.number};"
    return line(text, pinned=True)


# ----------------------------------------------------------------- iterations that do not come to their end


def _goes_on(pair: _Pair) -> None:
    rest = pair.rng.choice(("", "{v} > 5 && "))
    pair.one.before.append(f"if ({rest}{pair.other}[{{v}}] % 3 == 1) continue;")


def _goes_on_behind(pair: _Pair) -> None:
    pair.one.behind.append(f"if ({pair.x}[{{v}}] % 2) {{{{ {pair.x}[{{v}}]++; continue; }}}}")


def _chooses(pair: _Pair) -> None:
    pair.one.before.append("switch ({v} & 3) {{ case 1: continue; default: break; }}")


# ------------------------------------------------------------------------------------------ other iterations


def _ends(pair: _Pair) -> None:
    pair.either().end = pair.rng.choice(("< m", "< n - 1", "<= n", "< n + 2", "< *last", "< n / 2", "!= n + 1"))


def _begins(pair: _Pair) -> None:
    loop = pair.either()
    loop.first, loop.end = pair.rng.choice((("1", "< n"), ("from", "< n"), ("1", "<= n"), ("2", "< n + 2")))


def _steps(pair: _Pair) -> None:
    loop = pair.either()
    loop.step = pair.rng.choice(("{v} += 2", "{v} += 3"))


def _goes_down(pair: _Pair) -> None:
    loop = pair.either()
    loop.first, loop.end, loop.step = pair.rng.choice((("n - 1", ">= 0", "{v}--"), ("n", "> 0", "{v}--")))


def _changes_its_end(pair: _Pair) -> None:
    """In its last iteration, when its only thread has long asked how many there are."""
    pair.before.append("h[2] = 40, threads = omp_get_max_threads(), omp_set_num_threads(from);")
    pair.behind.append("omp_set_num_threads(threads);")
    pair.one.end = pair.two.end = "< h[2]"
    pair.one.behind.append("if ({v} == 39) h[2] = 20;")


def _has_another_type(pair: _Pair) -> None:
    pair.either().kind = pair.rng.choice(("short ", "long ", "unsigned "))
    for loop in (pair.one, pair.two):
        loop.end = "< 40"


# ------------------------------------------------------------------------------------ other threads


def _shares_with_a_team(pair: _Pair) -> None:
    """The threads of a region share the first loop, and do the second one each, with a team of its own."""
    pair.is_of_team = True
    pair.one.directive = "for"
    pair.two.stored = "const int own"
    pair.two.behind.append(f'_Pragma("omp atomic") {pair.u} += own;')


# -------------------------------------------------------------------------- one name, two variables


def _hides_in_block(pair: _Pair) -> None:
    pair.one.variable, pair.two.variable = pair.rng.sample("ijk", 2)
    pair.two.behind.append(f"{{{{ int {pair.one.variable} = 3; {pair.two.stored} += {pair.one.variable}; }}}}")


def _reads_what_is_a_counter(pair: _Pair) -> None:
    pair.one.variable, pair.two.variable = pair.rng.sample("ijk", 2)
    pair.uses(pair.one.variable)


def _names_a_number(pair: _Pair) -> None:
    pair.one.variable = "e"
    pair.uses("e")


def _has_its_own(pair: _Pair) -> None:
    """The first counter is a variable of the function, of which the second loop has copies."""
    pair.one.variable, pair.two.variable = pair.rng.sample("ijk", 2)
    pair.one.kind = ""
    pair.two.has("private", pair.one.variable)
    pair.two.before.append(f"{pair.one.variable} = {{v}} % 5;")
    pair.uses(pair.one.variable)


# -------------------------------------------------------------------------- one variable, two meanings


def _reads_the_shared_one(pair: _Pair) -> None:
    pair.one.has(pair.rng.choice(("private", "firstprivate")), "t")
    pair.one.before.append(f"t = {{v}} == n - 1 ? 5 : {pair.other}[{{v}}] % 9;")
    pair.one.behind.append(f"{pair.x}[{{v}}] += t;")
    pair.uses("t")


def _begins_with_the_copy(pair: _Pair) -> None:
    _reads_the_shared_one(pair)
    pair.two.has("firstprivate", "t")


def _reads_a_sum(pair: _Pair) -> None:
    pair.one.has("reduction", pair.s, prefix="+ : ")
    pair.one.behind.append(f"{pair.s} += {pair.x}[{{v}}];")
    pair.uses(pair.s)


def _combines_otherwise(pair: _Pair) -> None:
    _sums(pair)
    pair.two.has("reduction", pair.s, prefix="^ : ")
    pair.two.behind.append(f"{pair.s} ^= {pair.two.stored};")


# ----------------------------------------------------------------------------------- what comes late


def _sums(pair: _Pair) -> None:
    pair.one.has("reduction", pair.s, prefix="+ : ")
    pair.one.behind.append(f"{pair.s} += {pair.x}[{{v}}];")


def _reads_by_pointer(pair: _Pair) -> None:
    _sums(pair)
    pair.uses("*sum")


def _reads_by_function(pair: _Pair) -> None:
    _sums(pair)
    pair.uses(f"{pair.of_s}({{v}})")


def _reads_a_count(pair: _Pair) -> None:
    pair.one.behind.append(f"if ({pair.x}[{{v}}] % 3) {{{{ _Pragma(\"omp atomic\") {pair.u}++; }}}}")
    pair.uses(pair.u)


# ------------------------------------------------------------------- more than iterations over its variables


def _keeps_the_last(pair: _Pair) -> None:
    loop = pair.two if pair.rng.random() < 0.8 else pair.one
    loop.has("lastprivate", pair.u)
    loop.behind.append(f"{pair.u} = {loop.stored} % 11;")
    for each in (pair.one, pair.two):
        each.end = "< 40"


def _jumps(pair: _Pair) -> None:
    for loop, label in ((pair.one, f"one_of{pair.number}"), (pair.two, f"two_of{pair.number}")):
        loop.behind.append(f"if ({loop.stored} % 3) goto {label}; {loop.stored}++; {label}: ;")


def _counts_along(pair: _Pair) -> None:
    pair.one.directive = pair.two.directive = "parallel for simd"
    pair.two.has("linear", "t : 2")
    pair.uses("t")
    pair.two.behind.append("t += 2;")


def _has_a_condition(pair: _Pair) -> None:
    pair.either().has("if", pair.rng.choice(("n > 20", "0", "m < 9")))


def _has_threads(pair: _Pair) -> None:
    pair.either().has("num_threads", pair.rng.choice("123"))


def _counts_in_an_array(pair: _Pair) -> None:
    loop = pair.either()
    loop.has("reduction", "h", prefix="+ : ")
    loop.behind.append(f"h[{{v}} & 3] += {loop.stored};")


# ----------------------------------------------------------------------------- elements of other iterations


def _reads_another(pair: _Pair) -> None:
    place = pair.rng.choice(("{v} + 1", "n - 1 - {v}", "p[{v}]", "3"))
    pair.uses(f"{pair.x}[{place}]")


def _writes_another(pair: _Pair) -> None:
    pair.two.stored = f"{pair.x}[{pair.rng.choice(('{v} + 1', 'n - 1 - {v}', 'p[{v}]'))}]"
    pair.two.value = f"({pair.other}[{{v}}] + {{v}}) % 1009"


def _reads_another_by_pointer(pair: _Pair) -> None:
    pair.uses("at[{v}]" if pair.x == "a" else f"{pair.x}[{{v}} + 2]")


def _nothing(_: _Pair) -> None:
    pass


_DIFFERENCES: tuple[tuple[Callable[[_Pair], None], ...], ...] = (
    (_goes_on, _goes_on_behind, _chooses),
    (_ends, _begins, _steps, _goes_down, _has_another_type),
    (_changes_its_end,),
    (_shares_with_a_team,),
    (_hides_in_block, _reads_what_is_a_counter, _names_a_number, _has_its_own),
    (_reads_the_shared_one, _begins_with_the_copy, _reads_a_sum, _combines_otherwise),
    (_reads_by_pointer, _reads_by_function, _reads_a_count),
    (_keeps_the_last, _keeps_the_last, _jumps, _counts_along, _has_a_condition, _has_threads, _counts_in_an_array),
    (_nothing, _reads_another, _writes_another, _reads_another_by_pointer),
)
"""By the question that keeps them apart: fusion.py has one function for each, but for the last."""
