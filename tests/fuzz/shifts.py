"""Iterations that are sequences of loops that hand elements on, each some iterations behind the one before, or almost.

    for (int i = 0; i < rows; i++) {
        long v[W], d[W][2]; int j;
        for (j = 0; j < n + 8; j++) v[j] = g[i][j];
        for (j = 2; j < n; j++) d[j][0] = (v[j - 1] - v[j + 1]) % 1009;
        d[1][0] = 3;  d[n + 1][0] = d[n + 1][0] + v[n];
        if (k > 3) for (j = 3; j <= n - 1; j++) h[i][j][0] = (h[i][j - 1][0] + d[j][0]) % 1009;
        seen[i] += d[n][0];
    }

Rows, columns and triples that the iterations share, arrays of the iteration's own with other dimensions and elements,
statements for single elements at constant places and at others, which may be the same one, conditions, from no
iteration to many, and what forbids it: variables and rows that two parts change, elements that come too late, jumps.

In: a Site.   Out: arrays of its own; a loop with such loops in it; a check of what they leave.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_ROWS, _MORE = 40, 8
_DECLARED = (
    "static long g[{rows}][{wide}], h[{rows}][{wide}][3], col[{wide}][{rows}], flat[{rows} * {wide}], seen[{rows}];",
    "static long up[{rows}][{wide}]; static int f[{rows}][{wide}]; long total = 0, last = 0;",
    "int n = {n}, n2 = {n2}, from = {first}, k = {k}; unsigned ku = {k}, nu = {n2} / 2;",
    "(void)n2; (void)from; (void)k; (void)ku; (void)nu;",
    "for (int q = 0; q < {rows}; q++) for (int j = 0; j < {wide}; j++) {{",
    "up[q][j] = q + j; f[q][j] = (q + j * 3) % 11;",
    "g[q][j] = (q * 5 + j) % 101; col[j][q] = q * 7 + j; flat[q * {wide} + j] = q + j % 5;",
    "for (int e = 0; e < 3; e++) h[q][j][e] = (q * 3 + j * 5 + e) % 101; }}",
)
_OWN = "long v[{wide}], d[{wide}][2], w[2][{wide}], *row = flat + i * {wide}, r = i, s = 1, t = 2; {kind} u[{wide}];"
_COUNTERS = "int j = 0, m = 0, q = 3, o = 1;"
_KINDS = ("int", "unsigned char", "double", "float", "short", "double _Complex", "unsigned")
_FIRST = (
    "v[j] = g[i][j] * 3;",
    "v[j] = j + i; d[j][0] = f[i][j]; d[j][1] = v[j] % 7;",
    "v[j] = (f[i][j] + j * 5) % 101; u[j] = j % 50;",
    "d[j][0] = col[j][i]; d[j][1] = 3; w[0][j] = j; w[1][j] = d[j][0] % 11;",
    "for (m = 0; m < 2; m++) d[j][m] = (j + m) % 77; v[j] = row[j];",
)
_INITIAL = {
    "v": "v[j] = j * 5 + i;",
    "d": "for (m = 0; m < 2; m++) d[j][m] = j + m + i;",
    "w": "w[0][j] = j % 7; w[1][j] = i;",
    "u": "u[j] = (i + j) % 90;",
}
_STEPS = (  # {a} and {b}: an element of the iteration's own; {c} too, that is changed
    "{c} = ({a} - {b} * 3) % 1009;",
    "{c} = ({a} + {c}) % 1009;",
    "{c} += {a};",
    "t = {a} + 5; {c} = t % 503;",
    "long at{at} = {a} * 2 + {b}; {c} = at{at} % 997;",
    "g[i][j] = (g[i][j - 1] * 3 + {a}) % 1009;",
    "g[i][j{o}] = (g[i][j{o}] + g[i][j{p}] + {a}) % 1009;",
    "h[i][j{o}][{e}] = (h[i][j{p}][{e}] + h[i][j{o}][{e}] * 2 + {a}) % 1009;",
    "for (m = 0; m < 3; m++) h[i][j{o}][m] = (h[i][j{p}][m] + {a} * m) % 997;",
    "col[j][i] = (col[j - 1][i] + {a} - {b}) % 1013;",
    "row[j] = (row[j - 1] * 2 + {a}) % 1013;",
    "f[i][j] = (int)(f[i][j] + {a}) % 97;",
    "d[j][1] = (d[j - 1][1] * 2 + {a}) % 1009;",
    "q = j + 1; m = j - 1; d[q][0] = (d[j][0] + d[m][0] * 3 + {a}) % 1009;",
    "v[j] = (v[j - 1] + v[j - 2] + {a}) % 1009;",
    "w[{z}][j] = (w[{z}][j - 1] + {a}) % 1009; w[{z}][j{o}] += 1;",
    "for (m = 0; m < 2; m++) {{ d[j{o}][m] = (d[j{p}][m] * 3 + {a}) % 509; }}",
    "if (f[i][j] % 3) {c} = {a} % 1009;",
    "if (k > 3) {c} = {a} % 1009;",
    "if (k > 3) {{ r = {a}; }} else {c} = {b} % 1009;",
    "r = (r * 3 + {a}) % 1009;",
    "s = (s + {a}) % 1009; {c} = s;",
)
_SERIAL = tuple(step for step in _STEPS if "[j - 1]" in step and "{o}" not in step)
_ELSE = (
    "q = j; if (f[i][j] % 2) {{ q = j - 1; f[i][j] = (int)v[q] % 97; }} {c} = v[q] % 1009;",
    "q = j; {c} = (q = j + 1, v[q]) % 1009;",
    "q = j; for (q = j - 2; q < j + 2; q++) r = (r + v[q]) % 1009;",
    "v[(j * 3) % {wide}] = {a} % 1009;",
    "{c} = v[(int)({a}) & 1] % 1009;",
    "if ({a} % 13 == 5) continue; {c} = {b} % 1009;",
    "if ({a} % 101 == 5) break; {c} = {b} % 1009;",
    "g[i][(j * 3) % {wide}] = {a} % 1009;",
    "flat[i * {wide} + j] = (row[j - 1] + {a}) % 1013;",
    "total += {a};",
    "last = {a}; r = (r + last) % 1009;",
    "k2[0] += 1; {c} = k2[0] % 1009;",
    "m = 2; h[i][j][m] = (h[i][j - 1][m - 1] + {a}) % 1009;",
    "{{ long *led = &s; *led = (*led + {a}) % 77; }} {c} = s;",
    "if (i > 2) up[i - 3][j] = (up[i - 3][j - 1] + {a}) % 1009;",
    "f[i][j] = f[i][j - 1] + (int)({a}) % 5; f[i][j] %= 1009;",
    "long j{at}_ = j; {{ long i = j{at}_ & 3; r += i; }}",
)
_POINTS = (
    "{c1} = {x};",
    "{c1} = {c1} * 2 + {x};",
    "{c1} += {a1};",
    "{c1} = {x}; {c2} = {y}; {c1} = {c1} + 3;",
    "for (m = 0; m < 2; m++) {{ d[{at}][m] = {x} + m; }}",
    "v[(int)(ku * 1u)] = {x}; v[(int)(nu * 2u)] = {y}; v[(int)(ku * 1u)] += 3;",
    "o = {at}; d[o][0] = {x}; d[o][1] = d[o][0] - {y}; v[o + 1] = v[o] + 1;",
    "for (m = 0; m < 2; m++) {{ d[1][m] = {x}; d[{at}][m] = {y}; }} v[{at}] = d[{at}][1];",
)
_LATE = (
    "r += {x};",
    "seen[i] += {x};",
    "g[i][{e}] = g[i][{e}] + {x};",
    "f[i][2] = {x}; f[i][3] = f[i][2] + 1;",
    "t = {x}; seen[i] += t;",
    "seen[i] += s % 7;",
    "{c1} = (f[i][1] + {x}) % 1009;",
    "r = (r + {c1}) % 1009;",
    "for (m = 0; m < 3; m++) h[i][{e}][m] += {x};",
    "if (f[i][1] > 4) col[{e}][i] += {x};",
    "q = {x}; seen[i] += q;",
    "k2[0] = {x};",
    "n3 = n3 - 1; seen[i] += n3;",
    "long z{x} = r; seen[i] += z{x} % 3;",
)
_GUARDS = ("if (k > 3)", "if (i > 4)", "if (k > 3 && i < 30)", "if (n > 2)", "if (q > 2)", "if (f[i][0] > 4)", "if (o)")
_UPPERS = ("n", "n", "n", "n", "n + 1", "n - 1", "n - 2", "n2", "n2 + 1", "{n}", "{n} + 1", "n3")
_BEHIND = (
    "",
    "seen[i] += {c1};",
    "seen[i] += {c1} + 3 * {c2} + v[0];",
    "q = {at}; seen[i] += v[q] + d[q - 1][0] * 3;",
    "if (n > 2) seen[i] += d[n - 2][1] + v[n];",
    "if (n2 < {wide}) seen[i] += v[n2] - d[n2][0];",
    "for (q = 0; q < {wide}; q++) seen[i] += v[q] * (q + 1);",
    "for (q = {wide} - 1; q >= 0; q--) seen[i] += d[q][0] * (q + 1) + d[q][1];",
    "for (q = 2; q < n; q++) g[i][q] = (g[i][q - 1] + w[{z}][q] + d[q][0]) % 1009;",
    "q = 2; seen[i] += (q = 3, v[q]) + v[q];",
    "seen[i] += v[f[i][3] & 7];",
    "v[4] = 5; seen[i] += v[3] + v[4]; o = 4; d[o][1] += v[o]; seen[i] += d[4][1];",
    "q = 3; seen[i] += f[i][q] + q;",
    "o = 3; m = 2; seen[i] += d[o][1] + d[m][0];",
    "seen[i] += v[n + 1] % 7;",
    "seen[i] += j + m + q * 3 + o * 5;",
)


def make_shifts(site: Site) -> list[Stmt]:
    """The loop, with what it needs."""
    rng = site.rng
    n = rng.choice((0, 1, 2, 3, 9, 9, 20, 20, 31, 31))
    words = {"rows": _ROWS, "wide": n + _MORE, "n": n, "n2": rng.choice((n, max(n - 1, 0), n + 2, 0))}
    words |= {"k": rng.randrange(8), "first": max(2, rng.choice((2, 2, 3, n, n + 1)))}
    kind = rng.choice(_KINDS)
    declared = [line(text.format(**words), pinned=True) for text in _DECLARED]
    own = [_OWN.format(kind=kind, **words), _COUNTERS, "long k2[1] = {3}; int n3 = n; (void)k2; (void)n3; row[0] += 3;"]
    body = [line(text, pinned=True) for text in own]
    body += [*_run(rng, words, kind), *_behind(rng, words)]
    body.append(line("seen[i] += r * 3 + s * 5" + (" + t;" if rng.random() < 0.2 else ";")))
    text = "".join(map(str, body))
    clauses = " reduction(+ : total)" if "total" in text else ""
    clauses += rng.choice((" lastprivate(last)", " private(last)")) if "last" in text else ""
    around = rng.choice(("", "", "", "", "if (i != 7)"))
    whole = Stmt((around,), tuple(body)) if around else Stmt((), tuple(body))
    pragma = Pragma("parallel for" + clauses, required=True)
    made = Stmt((f"for (int i = 0; i < {_ROWS}; i++)",), (whole,), pragmas=(pragma,))
    sums = "for (int q = 0; q < {rows}; q++) for (int j = 0; j < {wide}; j++) seen[q] += (j + 1) * (g[q][j]"
    rest = " + h[q][j][0] * 3 + h[q][j][1] * 5 + h[q][j][2] * 7 + (col[j][q] + up[q][j]) * 11"
    more = " + flat[q * {wide} + j] * 13 + f[q][j] * 17); seen[0] += total;"
    added = line((sums + rest + more).format(**words), pinned=True)
    seen = [added, check(site, "shifts", _ROWS, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*declared, made, *seen), pinned=True)]


def _run(rng: random.Random, words: Mapping[str, int], kind: str) -> list[Stmt]:
    """The loops, and what stands between them. The first ones give all elements values."""
    form = rng.choice(_FIRST)
    missing = [text for name, text in _INITIAL.items() if f" {name}[" not in f" {form}"]
    whole = rng.choice(("for (j = 0; j < {wide}; j++)", "for (int j = 0; j <= n + 7; j++)"))
    if rng.random() < 0.7:
        made = [_loop_of(whole, [form, *missing], words)]
    else:
        made = [_loop_of(whole, [text], words) for text in (form, *missing)]
    for number in range(rng.choice((1, 2, 2, 3, 4))):
        if rng.random() < 0.45:
            made += _guarded(rng, [line(_text(rng, rng.choice(_POINTS), words, kind, number))])
        if rng.random() < 0.12:
            made += [line(_text(rng, rng.choice(_LATE), words, kind, number))]
        loop = _loop(rng, words, kind, number)
        if rng.random() < 0.2:
            more = [line(_text(rng, rng.choice(_POINTS), words, kind, number)), _loop(rng, words, kind, number + 10)]
            made += _guarded(rng, [loop, *more])
        else:
            made += _guarded(rng, [loop])
    if rng.random() < 0.8:  # one that goes step by step
        texts = [_text(rng, rng.choice(_SERIAL), words, kind, 90) for _ in range(rng.choice((1, 1, 2)))]
        made.append(Stmt(("for (j = 2; j < n; j++)",), tuple(map(line, texts))))
    return made


def _guarded(rng: random.Random, items: list[Stmt]) -> list[Stmt]:
    return [Stmt((rng.choice(_GUARDS),), tuple(items))] if rng.random() < 0.2 else items


def _loop_of(head: str, texts: list[str], words: Mapping[str, int]) -> Stmt:
    return Stmt((head.format(**words),), tuple(line(text.format(**words)) for text in texts))


def _loop(rng: random.Random, words: Mapping[str, int], kind: str, number: int) -> Stmt:
    counter = rng.choice(("j",) * 16 + ("int j",) * 12 + ("long j",))
    lower = rng.choice(("2",) * 9 + ("3", "3", "4", "from", "from", "k + 2", "n2 < 2 ? 2 : n2"))
    upper = rng.choice(_UPPERS).format(**words)
    relation = rng.choice(("<", "<", "<="))
    head = f"for ({counter} = {lower}; j {relation} {upper}; j++)"
    if rng.random() < 0.02:
        head = f"for ({counter} = n + 1; j >= 2; j--)"
    texts = []
    for at in range(rng.choice((1, 1, 2, 3))):
        form = rng.choice(_STEPS if rng.random() < 0.95 else _ELSE)
        texts.append(line(_text(rng, form, words, kind, at + 10 * number)))
    return Stmt((head,), tuple(texts))


def _behind(rng: random.Random, words: Mapping[str, int]) -> list[Stmt]:
    forms = [rng.choice(_BEHIND) for _ in range(rng.choice((1, 1, 2)))]
    return [line(_text(rng, form, words, "int", 0)) for form in forms if form]


def _text(rng: random.Random, form: str, words: Mapping[str, int], kind: str, number: int) -> str:
    def offset() -> str:
        found = rng.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2))
        return "" if found == 0 else f" {'+' if found > 0 else '-'} {abs(found)}"

    def element(place: str, is_changed: bool) -> str:
        names = ["v[{p}]", "v[{p}]", "d[{p}][0]", "d[{p}][1]", f"w[{rng.randrange(2)}][{{p}}]"]
        names += [] if is_changed else ["(long)u[{p}]" if "Complex" not in kind else "(long)__real__ u[{p}]"]
        return rng.choice(names).format(p=place)

    at = rng.choice(("1", "2", "3", "n" if words["n"] > 0 else "4", "n + 1", "n + 1", "n + 2", "n2 + 1", "n - 1 + 2"))
    other = rng.choice(("1", "n", "n + 1", at, f"{at} + 1"))
    numbers = {"e": rng.randrange(3), "z": rng.randrange(2), "x": rng.randrange(30), "y": rng.randrange(9)}
    found = {"a": element(f"j{offset()}", False), "b": element(f"j{offset()}", False)}
    found |= {"c": element(f"j{offset()}", True), "o": offset(), "p": offset()}
    found |= {"c1": element(at, True), "c2": element(other, True), "a1": element(f"{at} - 1", True)}
    place = at if "o = {at}" in form or "d[{at}]" in form or "q = {at}" in form else number
    return form.format(**{**words, **numbers, **found, "at": place})
