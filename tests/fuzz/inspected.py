"""Loops with scratch of each thread at places that only a run shows, mostly but not always written before read.

    static int c3_n = 12, c3_m = 5;  static int c3_t[48];          threadprivate
    for (int i = 0; i < 30; i++) {
        for (k = 0; k < c3_n; k++) c3_t[k * c3_m % c3_n] = i + k;
        c3_pass(c3_n, c3_t, c3_u);
        a[i] += c3_u[c3_n / c3_m];
    }

Where something is left from another iteration or another loop, the program's answer depends on the schedule, which is
static; the host has to run both loops then.

In: a Site.   Out: functions of its own, variables; calls of them; checks.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_LENGTH = 48
_FILLED = (
    "for (k = 0; k < {x}n; k++) {x}t[k * {x}m % {x}n] = i + k;",
    "for (k = 0; k < {x}n; k++) {x}t[k * {x}m % {x}n] = i + k;",
    "for (k = 0; k < {x}n; k++) {x}t[k ^ 1] = i - k;",
    "for (k = {x}n - 1; k >= 0; k--) {x}t[k * k % {x}n] = i; {x}t[{x}n - 1] = 3;",
    "for (k = 0; k < {x}n / 2; k++) {x}t[k] = {x}t[k + {x}n / 2] = v[i] + k;",
    "for (k = 0; k < {x}n; k += {x}m) for (l = 0; l < {x}m && k + l < {x}n; l++) {x}t[k + l] = i * l;",
    "for (k = 0; k < {x}n; k += {x}m) for (l = 0; l < {x}m; l++) {x}t[k + l] = i * l;",
    "{x}fill({x}n, {x}m, {x}t, i);", "{x}fill({x}n, 1 << {x}m % 3, {x}t, v[i]);",
    "{x}fill({x}n - 1, {x}m, {x}t + 1, i);",
    "{x}t[0] = i; for (k = 1; k < {x}n; k <<= 1) {x}t[k] = {x}t[k / 2] + k;",
    "k = {x}n; while (k > 0) {{ {x}t[--k] = i; if (k * {x}m == 12) break; }}",
    "for (k = 0; k < {x}n; k++) {{ if (k % {x}m == 3) continue; {x}t[k] = k; }}",
    "int *p = {x}t + {x}m % 3; for (k = 0; k < {x}n; k++) p[k * {x}m % {x}n] = i;",
    "for (k = 0; k < {x}n; k++) if (v[k % 30] > 3) {x}t[k] = i;",
    "for (k = 0; k < (i & 7); k++) {x}t[k] = i;",
)  # fmt: skip
_PASSED = (
    "", "", "{x}pass({x}n, {x}t, {x}u);", "{x}pass({x}n, {x}t, {x}u); {x}pass({x}n, {x}u, {x}t);",
    "for (l = 1; l < {x}n; l <<= 1) {{ {x}pass({x}n, {x}t, {x}u); if (l * 2 >= {x}n) break; {x}pass({x}n, {x}u, {x}t); "
    "}}",
    "if (v[i] > 1000) exit(3); {x}pass({x}n, {x}t, {x}u);", "if ({x}m > 3) {x}pass({x}n, {x}t, {x}u);",
)  # fmt: skip
_READ = (
    "for (k = 0; k < {x}n; k++) a[i] = a[i] * 31 % 10007 + {x}t[k];", "a[i] += {x}t[{x}n / {x}m] + {x}t[{x}n % {x}m];",
    "a[i] += {x}u[{x}n / 2];", "if (v[i] & 1) a[i] += {x}t[{x}m % {x}n]; else a[i] += 2;", "a[i] += {x}t[0] * 3;",
    "for (k = 0; k < {x}n && k < 5; k++) a[i] += v[i] > 4 ? {x}t[k] : {x}t[{x}n - 1];",
    "{x}u[{x}m] = {x}t[{x}n / 3]; a[i] += {x}u[{x}m];", "a[i] += {x}last({x}n, {x}t);",
)  # fmt: skip
_FUNCTIONS = (
    "static void {x}fill(int n, int by, int *to, int i) {{ for (int k = 0; k < n; k++) to[(k + by) % n] = i + k; }}",
    "static void {x}pass(int n, int *from, int *to) {{ int half = n / 2; for (int k = 0; k < half; k++) "
    "{{ int p = from[k], q = from[k + half]; to[2 * k] = p + q; to[2 * k + 1] = (p - q) % 1009; }} }}",
    "static int {x}last(int n, int *of) {{ int k = 1; while (2 * k < n) k *= 2; return of[k - 1]; }}",
)


_HEAD, _STATIC = "for (int i = 0; i < 30; i++)", Clause("schedule", ("static",))


def _alone(_: str, statements: tuple[Stmt, ...], clauses: tuple[Clause, ...]) -> Stmt:
    pragma = Pragma("parallel for", (*clauses, _STATIC), required=True)
    return Stmt((_HEAD,), statements, pragmas=(pragma,), pinned=True)


def _in_region(x: str, statements: tuple[Stmt, ...], clauses: tuple[Clause, ...]) -> Stmt:
    """A loop that a region comes to twice, with arrays of the region by the names of those of the file."""
    loop = Stmt((_HEAD,), statements, pragmas=(Pragma("for", (_STATIC,), required=True),), pinned=True)
    steps = Stmt(("for (int step = 0; step < 2; step++)",), (loop,), pinned=True)
    declared = line(f"int {x}t[{_LENGTH}], {x}u[{_LENGTH}];", pinned=True)
    first = line(f"for (k = 0; k < {_LENGTH}; k++) {x}t[k] = {x}u[k] = k;", pinned=True)
    return Stmt((), (declared, first, steps), pragmas=(Pragma("parallel", clauses, required=True),), pinned=True)


def make_inspected(site: Site) -> list[Stmt]:
    """Two functions with a loop each, over the same scratch, called in turn."""
    rng = site.rng
    x = site.names.file_scope("s")
    n, m = rng.choice((1, 2, 8, 9, 12, 16, 31, 32)), rng.choice((1, 3, 5, 7, 4))
    threads = Clause("num_threads", (str(rng.choice((1, 2, 3))),))
    site.file.append(line(f"static int {x}n = {n}, {x}m = {m}, {x}t[{_LENGTH}], {x}u[{_LENGTH}];", pinned=True))
    site.file.append(line(f"#pragma omp threadprivate({x}t, {x}u)", pinned=True))
    site.file += [line(text.format(x=x), pinned=True) for text in _FUNCTIONS]
    for number in (1, 2):
        inner = rng.random() < 0.3
        body = [rng.choice(_FILLED), rng.choice(_PASSED), rng.choice(_READ)]
        if rng.random() < 0.1:
            rng.shuffle(body)
        if inner:
            body = ["for (int o = 0; o < 2; o++) {{ " + " ".join(body) + " }}"]
        statements = tuple(line(text.format(x=x)) for text in body if text)
        make = _in_region if rng.random() < 0.25 else _alone
        loop = make(x, statements, (threads, Clause("private", ("k", "l"))))
        declared = line("int k, l; (void)k; (void)l;", pinned=True)
        head = f"static void {x}loop{number}(int *a, const int *v)"
        site.file.append(Stmt((head,), (declared, loop), pinned=True))
    calls = [f"{x}loop{rng.choice((1, 2))}(a, v);" for _ in range(rng.choice((2, 3, 4)))]
    if rng.random() < 0.15:
        calls.insert(1, f"a[0] += {x}t[{rng.choice((0, 1, n - 1))}];")
    declared = [
        line("int a[30], v[30];", pinned=True),
        line(f"for (int q = 0; q < 30; q++) a[q] = q, v[q] = q * {rng.choice((7, 37))} % 11;", pinned=True),
    ]
    seen = [check(site, "a", 30, literally("a[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, *(line(call) for call in calls), *seen), pinned=True)]
