"""Loops with branches that only the host can run, under conditions that mostly stay what they are.

    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        if (tracing && level > 2) c3_tell5(i);       a call of what has no kernel
        a[i] += v[i];
    }

Some call a function that has such a branch, of variables of the file: of which the loop may know others of that name.

In: a Site.   Out: a function of its own, variables; a loop; checks.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_VALUES = ("0", "0", "0", "1", "2", "3", "-1")
_CONDITIONS = (
    "on", "on", "!on", "{x}on", "{x}level > 1", "level", "level == 2", "on && level", "on || level > 2", "real",
    "real > 0.5f", "real != real", "p", "!p", "p == 0", "p == &on", "narrow", "narrow > 100", "truth", "{x}set.on",
    "{x}set.real > level", "own.on", "level & 2", "level - 2", "-level", "~level", "level / 2", "on ? level : 0",
    "(unsigned char)level > 3", "(level ^ on) > 1", "never", "*always", "{x}table[level & 3]", "always[0]", "wild",
    "i > 30 && on", "v[i] > 95", "v[0] > 95", "sizeof(int) == 8", "on != 0", "level < KIND", "1u > level",
)  # fmt: skip
_TELLING = (
    "if ({c}) {tell}(i);",
    "if ({c}) {tell}(i);",
    "if ({c}) {{ {tell}(i); {d} }}",
    "if ({c}) {tell}(i); else {d}",
    "if ({c}) {d} else {tell}(v[i]);",
    "if ({c}) {{ {tell}(i); continue; }}",
    "if (v[i] & 1) {{ if ({c}) {tell}(i); }}",
    "for (int k = 0; k < 3; k++) {{ if ({c}) {tell}(k); {d} }}",
    "{{ int on = i == 3; if ({c}) {tell}(i + on); }}",
    "if ({c}) {{ if (v[i] > 4) {tell}(i); }}",
    "switch (v[i] & 3) {{ case 1: if ({c}) {tell}(i); default: {d} }}",
)
_DOING = (
    "a[i] += v[i];", "a[i] = a[i] % 97 * 3 + level;", "a[i] ^= on;", "sum += v[i];", "{{ int x = a[i]; a[i] = x; }}",
)  # fmt: skip
_OF_FUNCTION = (
    "{x}on", "{x}level > 1", "{x}on || {x}level == 2", "{x}set.on", "how > 2", "!{x}told", "{x}other.on && how",
)  # fmt: skip
"""Conditions in a function that the loop calls."""
_HIDING = {"{x}on": ("int {x}on = 0;", "int {x}on = 1;"), "{x}level": ("int {x}level = 1;", "int {x}level = 3;")}
"""Variables of the loop's function that have the names of those of the file."""
_DECLARED = (
    "enum {{ n = {n}, KIND = 2 }}; int v[41], a[41]; long sum = 0;",
    "int on = {on}, level = {level}, *p = {p}, *q = {q};",
    "float real = {on} * 0.5f; unsigned char narrow = (unsigned char){narrow}; _Bool truth = {truth};",
    "static const int never = 0; int always[2] = {{1, 0}}; volatile int wild = on;",
    "struct {{ int on; }} own = {{level}};",
    "{x}on = {shared}; {x}level = {level}; {x}set.on = {set}; {x}set.real = {on} * 0.75; {x}told = 1;",
    "for (int q = 0; q < 4; q++) {x}table[q] = q * {step};",
    "for (int q = 0; q <= 40; q++) v[q] = q * {factor} % 101, a[q] = q;",
    "(void)p; (void)q; (void)real; (void)narrow; (void)truth; (void)always; (void)wild;",
)
_CHANGES = (
    "if (i == 9) on = 1;", "level = 2;", "{x}level = v[i] & 3;", "*q = i & 1;", "{x}set.on = 1;", "own.on = i & 1;",
    "if (v[i] > 90) p = 0;",
)  # fmt: skip


def make_unswitched(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    x, tell = site.names.file_scope("w"), site.names.file_scope("tell")
    words = {"x": x, "tell": tell}
    of_function = rng.choice(_OF_FUNCTION)
    on, level, shared, set_on, narrow, truth = (rng.choice(_VALUES) for _ in range(6))
    site.file += [
        line(f"static int {x}on, {x}level, {x}table[4]; static struct {{ int on; double real; }} {x}set;", pinned=True),
        line(
            f"static long {x}told; static void {tell}(int i) {{ char text[30]; sprintf(text, \"%d\", i); "
            f"{x}told = {x}told % 1000003 * 31 + atoi(text); }}",
            pinned=True,
        ),
        line(
            f"static struct {{ int on; }} {x}other; static int {x}step(int i, int how) {{ "
            f"if ({of_function.format(x=x)}) {tell}(i + how); "
            f"return i * 3 + how; }}",
            pinned=True,
        ),
    ]
    doing = rng.choices(_DOING, k=rng.choice((1, 1, 2)))
    telling = [
        text.replace("{c}", rng.choice(_CONDITIONS)).replace("{d}", rng.choice(_DOING))
        for text in rng.choices(_TELLING, k=rng.choice((1, 1, 1, 2)))
    ]
    changes = [rng.choice(_CHANGES)] if rng.random() < 0.2 else []
    calls = rng.random() < 0.5
    if calls:
        doing.append("a[i] += {x}step(v[i] & 7, level & 3);")
        telling = telling[: rng.choice((0, 0, 1))]
    if rng.random() < 0.1:
        changes.append("own.on += 0;")
    body = [*doing, *telling, *changes]
    rng.shuffle(body)
    text = " ".join(body)
    clauses = [Clause("num_threads", ("1",))] + [Clause("reduction", ("sum",), prefix="+ : ")] * ("sum" in text)
    for name in ("on", "level", "p"):
        if rng.random() < 0.1:
            clauses.append(Clause("firstprivate", (name,)))
    head = rng.choice(("for (int i = 0; i < n; i++)", "for (long i = n; i > 0; i--)", "for (int i = 0; i < n; i += 2)"))
    statements = tuple(line(each.format(**words)) for each in body)
    loop = Stmt((head,), statements, pragmas=(Pragma("parallel for", tuple(clauses), required=True),), pinned=True)
    values = {
        "x": x, "n": rng.choice((0, 1, 40)), "on": on, "level": level, "shared": shared, "set": set_on,
        "narrow": narrow, "truth": truth, "p": rng.choice(("0", "&on")), "q": rng.choice(("&on", "&level")),
        "step": rng.choice((0, 1)), "factor": rng.choice((7, 37)),
    }  # fmt: skip
    declared = [line(text.format(**values), pinned=True) for text in _DECLARED]
    hiding = [text for name, texts in _HIDING.items() if name in of_function for text in texts]
    if calls and hiding and rng.random() < 0.6:
        declared.append(line(rng.choice(hiding).format(x=x), pinned=True))
    scalars = f"sum * 31 + {x}told * 7 + on + 3 * level + 5 * (p != 0) + {x}level + {x}set.on + own.on"
    seen = [
        check(site, "a", 41, literally("a[q]", LONG), EXACT),
        check(site, "told", 1, literally(scalars, LONG), EXACT),
    ]
    return [Stmt((), (*declared, loop, *(seen if site.checks else ())), pinned=True)]
