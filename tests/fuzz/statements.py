"""Statements between launches that change one element, and such of which one thing makes them something else.

    for (int t = 0; t < turns; t++) {
        a[t % n] = a[(t + 1) % n] * 3 % 1009;
        s[t % n].in[1]++;
        #pragma omp parallel for
        for (int i = 0; i < n; i++) ...            reads and writes a, b, s and c
        b[k] += s[0].out;                          some change a variable beside, or call, or share their line
    }

Some arrays are larger than a page, others smaller, one overlaps another one.

In: a Site.   Out: arrays and a struct type of its own; a loop with launches; a check of what it leaves.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 700
_DECLARED = (
    "static long a[{most}], b[{most}]; static unsigned char c[{most}]; static int calls; int n = {n}, k = 0; (void)k;",
    "static struct {{ int in[3]; long out; unsigned bits : 5; }} s[{most}];",
    "long *p = b + {offset}, *q = a; (void)p, (void)q;",
    "for (int r = 0; r < {most}; r++) a[r] = r * 7 % 101, b[r] = r * 3 % 53, c[r] = r;",
    "for (int r = 0; r < {most}; r++) s[r].in[1] = r % 5, s[r].out = -r;",
    "calls = 0;",
)
_PLACES = ("t % n", "0", "n - 1", "(t * 5 + 2) % n", "c[t % n] % n", "k % n")
_TARGETS = ("a[{at}]", "b[{at}]", "s[{at}].in[1]", "s[{at}].out", "s[{at}].bits", "c[{at}]", "q[{at}]", "p[{small}]")
_VALUES = (
    "a[{at}] % 1009 + 1",
    "b[{at}] * 3 % 1009",
    "s[{at}].out % 1009 - s[{at}].in[1]",
    "t < 3 ? t : a[{at}] % 7",
    "(c[{at}] + t) % 250",
    "n + t",
)
_FORMS = ("{target} = {value};", "{target} = {value};", "{target} += {value};", "{target} ^= {value};", "{target}++;")
_OTHERS = (
    "{target} = k = t % 5;",
    "{target} = {value}, k++;",
    "k = (int)(a[{at}] & 7);",
    "a[k++ % n] = {value};",
    "{target} = (calls++, {value});",
    "{target} = 1; b[{at}] = 2;",
    "if (t % 3) {target} = {value};",
    "if (t % 2)\n{target} = {value};\nelse\nb[{at}] = {value};",
    "*p = {value};",
    "a[0] = 5; a[a[0] % n] = {value};",
    "for (int r = 0; r < 2; r++)\n{target} = r + t;",
    "if (calls + t == 4) continue;",
)
_LOOPS = (
    "a[i] = (a[i] * 3 + b[i] + c[i]) % 1009;",
    "b[i] = (b[i] + s[i].out + s[i].in[1]) % 1009;",
    "s[i].out = (s[i].out + a[i] + s[i].bits) % 997; s[i].in[1] = (int)(b[i] % 11);",
    "c[i] = (unsigned char)(c[i] + a[i]);",
    "b[i] = i;",
)


def make_statements(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    words = {"most": _MOST, "n": rng.choice((1, 2, 13, 600, _MOST)), "offset": rng.choice((0, 1, 3))}
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    inside: list[Stmt] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        inside += [line(_statement(rng)) for _ in range(rng.choice((0, 1, 1, 2, 3, 5)))]
        head, pragmas = "for (int i = 0; i < n; i++)", (Pragma("parallel for", required=True),)
        inside.append(Stmt((head,), (line(rng.choice(_LOOPS)),), pragmas=pragmas))
    inside += [line(_statement(rng)) for _ in range(rng.choice((0, 1, 2)))]
    turns = Stmt((f"for (int t = 0; t < {rng.choice((1, 4, 9, 40))}; t++)",), tuple(inside))
    value = literally("a[q] * 7 + b[q] * 5 + c[q] + s[q].in[1] * 3 + s[q].out + s[q].bits + calls", LONG)
    seen = [check(site, "statements", _MOST, value, EXACT)] if site.checks else []
    return [Stmt((), (*declared, turns, *seen), pinned=True)]


def _statement(rng: random.Random) -> str:
    words = {"at": rng.choice(_PLACES), "small": rng.choice(("0", "1", "t % 9"))}
    target = rng.choice(_TARGETS).format(**words)
    value = rng.choice(_VALUES).format(at=rng.choice(_PLACES))
    form = rng.choice(_FORMS if rng.random() < 0.7 else _OTHERS)
    return form.format(target=target, value=value, **words)
