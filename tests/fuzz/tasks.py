"""Loops whose iterations make tasks, which share variables of the iteration, or have copies of them, or sum up.

    #pragma omp parallel for reduction(task, +: sum)
    for (int i = 0; i < n; i++) {
        long own = i * 3, other = i;
        #pragma omp task shared(own)
        { own += x[i]; y[i] += own; }
        #pragma omp taskwait
        z[i] += own - other;
    }

What a task does to a copy it undoes, since a program without its directives has none. Tasks stand in branches, inner
loops, groups and other tasks; each is waited for before anybody asks for what it has changed.

In: a Site.   Out: arrays of its own; one such loop; checks of what it leaves.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_MOST = 60
_TASKS = (
    ("shared(own)", "own += x[i]; y[i] += own;"), ("shared(own)", "own = own * 3 % 89;"),
    ("", "own += 3; y[i] += own; own -= 3;"), ("", "z[i] ^= own + other;"), ("", "*to += 2; z[i] -= *to;"),
    ("", "long inner = own; inner += i; y[i] += inner;"), ("", "other++; y[i] += *to * 0 + other; other--;"),
    ("firstprivate(first)", "first += i; z[i] += first; first -= i;"), ("", "first -= 2; y[i] ^= first; first += 2;"),
    ("private(scratch)", "scratch = i * 2; y[i] += scratch;"), ("default(shared)", "own ^= 5; y[i] -= own;"),
    ("if(i > 3) untied", "for (int k = 0; k < 3; k++) y[i] += x[(i + k) % n] * k;"),
    ("depend(inout: own) shared(own)", "own += 4;"), ("depend(inout: y[i])", "y[i] = y[i] * 2 % 1009;"),
    ("depend(out: own) depend(in: other) shared(own, other)", "own = other * 3;"),
    ("in_reduction(+: sum)", "sum += x[i] + own;"), ("final(i == 5) mergeable priority(1)", "z[i]++;"),
    ("shared(row)", "row[i & 3] += own; z[i] += row[1];"), ("", "y[i] += row[i % 4] - row[0];"),
    ("", "_Pragma(\"omp atomic\") total += x[i];"), ("", "_Pragma(\"omp critical\") most = x[i] > most ? x[i] : most;"),
)  # fmt: skip
_CLAUSES = (("reduction", ("task, +: sum",)), ("firstprivate", ("first",)), ("private", ("scratch",)))
_BESIDE = ("own++;", "other -= x[i];", "z[i] += own;", "y[i] -= other * 2;", "*to ^= 3;", "first += 1; first -= 1;", "")


def make_tasks(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n = rng.choice((0, 1, 7, 33, _MOST))
    declared = [
        line(f"static long x[{_MOST}], y[{_MOST}], z[{_MOST}];", pinned=True),
        line(f"long sum = 3, total = 1, most = 0, first = 11, scratch = 0; int n = {n}; (void)scratch;", pinned=True),
        line(f"for (int q = 0; q < {_MOST}; q++) x[q] = q * 7 % 23, y[q] = q, z[q] = -q;", pinned=True),
    ]
    body: list[Stmt] = [
        line("long own = i * 3, other = i - 2, row[4] = {1, i, 3, 4}, *to = &other;", pinned=True),
        line("(void)own; (void)to; (void)row;", pinned=True),
    ]
    for _ in range(rng.choice((1, 2, 3, 4))):
        body += _waited_for(rng, _placed(rng, _task(rng, 0)))
        body.append(line(rng.choice(_BESIDE) or ";"))
    body.append(line("z[i] += own * 2 + other;", pinned=True))
    clauses = [Clause(*each) for each in _CLAUSES]
    pragma = Pragma("parallel for", tuple(clauses), required=True)
    over = Stmt(("for (int i = 0; i < n; i++)",), tuple(body), pragmas=(pragma,))
    seen = [check(site, name, _MOST, literally(f"{name}[q]", LONG), EXACT) for name in "yz"]
    seen.append(check(site, "sum", 1, literally("sum * 31 + total * 7 + most", LONG), EXACT))
    return [Stmt((), (*declared, over, *(seen if site.checks else ())), pinned=True)]


def _task(rng: random.Random, depth: int) -> Stmt:
    clauses, text = rng.choice(_TASKS)
    inside: list[Stmt] = [line(text)]
    if depth < 1 and "shared(own)" in clauses and rng.random() < 0.4:
        inside += _waited_for(rng, [_task(rng, depth + 1)])
    return Stmt((), tuple(inside), pragmas=(Pragma(f"task {clauses}".strip(), required=True),))


def _placed(rng: random.Random, task: Stmt) -> list[Stmt]:
    """The task, in a branch or not."""
    if rng.random() < 0.25:
        return [Stmt((rng.choice(("if (x[i] % 2)", "if (i != 4)", "for (int r = 0; r < 2; r++)")),), _one(rng, task))]
    return [task]


def _one(rng: random.Random, task: Stmt) -> tuple[Stmt, ...]:
    return tuple(_waited_for(rng, [task]))


def _waited_for(rng: random.Random, tasks: list[Stmt]) -> list[Stmt]:
    if rng.random() < 0.3:
        return [Stmt((), tuple(tasks), pragmas=(Pragma("taskgroup", required=True),))]
    return [*tasks, line("_Pragma(\"omp taskwait\")", pinned=True)]
