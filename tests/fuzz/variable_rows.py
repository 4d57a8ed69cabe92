"""Loops over rows of variable length, in their bodies and in functions that they call.

    static void c2_row1(int n, short x[][n], short (*y)[n], int j, int rows) { x[j][n - 1] += y[0][0]; ... }

    short (*x)[m] = (short (*)[m])block, (*y)[m] = (short (*)[m])(block + 900);
    for (int j = 0; j < rows; j++) {
        short (*q)[m] = x + j; q[0][0] += 1;
        c2_row1(m, x, y, j, rows);
    }

In a team of one thread (`num_threads(1)`), where iterations run in order, `y` may be in the rows of `x`.

In: a Site.   Out: functions, arrays of its own; a loop; checks of what it writes.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_TYPES = ("int", "double", "float", "long", "short", "unsigned char")
_WRAPPING = ("unsigned", "unsigned char", "unsigned short")
_EACH = "for (int i = 0; i < {n}; i++) "
_STATEMENTS = (
    _EACH + "{x}[j][i] += {y}[j][i] + i;",
    _EACH + "{x}[j][i] += {y}[j][i] + i;",
    _EACH + "{x}[j][i] = {x}[j][{n} - 1 - i] + {y}[(j + 1) % rows][i];",
    _EACH + "(*({x} + j))[i] = *(*({y} + j) + i) + 1;",
    "(*({x} + j))[{n} - 1] += {y}[0][0];",
    "*(*({x} + j) + {n} / 2) += 2;",
    "{{ {t} (*q)[{n}] = {x} + j; " + _EACH + "q[0][i] += i; }}",
    "{{ {t} (*q)[{n}] = {x}, (*r)[{n}] = q + j; q = r; q[0][0] = r[0][{n} - 1] + 1; }}",
    "{{ {t} (*q)[{n}] = {x}; q += j; {t} (*r)[{n}] = q++; r[0][0] += q - r; (*--q)[{n} - 1] += 3; }}",
    "{{ {t} (*q)[{n}] = &{x}[j]; {t} *e = *q; e[{n} - 1] += e[0]; }}",
    "{{ int len = {n}; {t} (*q)[len] = ({t} (*)[len]){x}; len = 1; q[j][0] += len; }}",
    "{{ const int n = 1; {t} (*q)[n] = ({t} (*)[n]){x}[j]; q[0][0] += n; }}",
    "{{ {t} (*q)[{n} + 1 - 1] = {x}; q[j][0] += sizeof *q / sizeof **q; }}",
    "{{ {t} (*q)[{n}] = {x} + j + 1; q[-1][0] += 1; " + _EACH + "(q - 1)[0][i] += 1; }}",
    "{x}[j][0] += (int)(&{x}[j + 1] - {x}) + (int)(sizeof {x}[0] / sizeof({t}));",
    "{{ const {t} (*r)[{n}] = (const {t} (*)[{n}]){y}; {x}[j][{n} - 1] = r[j][0] + (*(r + j))[{n} - 1]; }}",
    "{{ {t} (*q)[{n}] = {y}[0][0] > 50 ? {x} + j : &{x}[j]; q[0][0] += 1; }}",
    "{{ typedef {t} row[{n}]; row *q = (row *){x} + j; (*q)[0] += 4; }}",
    "for ({t} (*q)[{n}] = {x} + j; q < {x} + j + 1; q++) (*q)[0] += 1;",
    "{{ {t} own[{n}]; " + _EACH + "own[i] = {x}[j][i]; " + _EACH + "{x}[j][i] = own[{n} - 1 - i]; }}",
    "{{ {t} (*q)[{n}] = {x} + j; (({t} (*)[(int)(q[0][0] * 0) + {n}]){x})[j][0] += 1; }}",
    "{{ {t} (*q)[{n}] = {x} + j; q[0][0] += sizeof({t}[(int)(q[0][0] * 0) + {n}]) / sizeof({t}); }}",
    "if ({x}[j][0] > 60) {x}[j][0] = 1;",
    "{{ {t} (*q)[1 + {n} / 2] = ({t} (*)[1 + {n} / 2])({x} + j); q[0][{n} / 2] += 1; }}",
)
_LAST = (
    "",
    "",
    "",
    "n = n > 1 ? n / 2 : n; x[j][n - 1] += 1;",
    "x += j; x[0][0] += 1;",
    "y += j; x[j][n - 1] += y[0][0];",
    "if (x[j][0] > 60) return; x[j][0] += 2;",
)
_PARAMETERS = (
    "int n, {t} x[][n], {t} y[][n]",
    "const int n, {t} (*x)[n], const {t} (*y)[n]",
    "long n, {t} x[][n], {t} (*y)[n]",
)
_CALLS = (
    "{f}(m, x, y, j, rows);",
    "{f}(m, x, y, j, rows);",
    "{f}(m, x + j, y, 0, rows);",
    "{f}(m, &x[0], y, j, rows);",
    "{f}(m, ({t} (*)[m])block, y, j, rows);",
    "{{ int k = j; {f}(m, x, y, k++, rows); x[j][0] += k - j; }}",
    "if (y[0][0] > 3) {f}(m, x, y, j, rows); else {f}(m, x, y, j, 1);",
    "{f}(m, j & 1 ? x : x + 0, y, j, rows);",
)
_LENGTHS = ("const int m = {m};", "int m = {m};", "long m = {m};", "unsigned m = {m};", "unsigned char m = {m};")
_HEADS = ("for (int j = 0; j < rows; j++)", "for (int j = rows - 1; j >= 0; j--)", "for (long j = 1; j < rows; j += 2)")


def make_variable_rows(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    in_order = rng.random() < 0.35
    kind = rng.choice(_WRAPPING if in_order else _TYPES)
    functions = [site.names.file_scope("row") for _ in range(rng.choice((0, 1, 1, 2)))]
    for number, name in enumerate(functions):
        site.file.append(_function(rng, name, kind, functions[:number]))
    inside = {"x": "x", "y": "y", "n": "m", "t": kind}
    body = [text.format(**inside) for text in rng.choices(_STATEMENTS, k=rng.choice((0, 1, 2)) if functions else 2)]
    body += [rng.choice(_CALLS).format(f=name, t=kind) for name in functions[-1:]]
    rng.shuffle(body)
    m, rows = rng.choice((1, 2, 3, 7, 16, 33)), rng.choice((1, 2, 5, 20))
    begins = rng.choice((m, 1, m - 1, 0, m + 1, 2 * m)) if in_order else 900
    clauses = [Clause("num_threads", ("1",))] * in_order
    loop = Stmt(
        (rng.choice(_HEADS),), tuple(map(line, body)),
        pragmas=(Pragma("parallel for", tuple(clauses), required=True),), pinned=True,
    )  # fmt: skip
    declared = [
        line(f"static {kind} block[1800]; enum {{ rows = {rows} }};", pinned=True),
        line(rng.choice(_LENGTHS).format(m=m), pinned=True),
        line(f"{kind} (*x)[m] = ({kind} (*)[m])block, (*y)[m] = ({kind} (*)[m])(block + {begins});", pinned=True),
        line(f"for (int q = 0; q < 1800; q++) block[q] = q * {rng.choice((7, 37))} % 101;", pinned=True),
        line("(void)x; (void)y;", pinned=True),
    ]
    seen = [check(site, "rows", 1800, literally("(long)block[q]", LONG), EXACT)]
    return [Stmt((), (*declared, loop, *(seen if site.checks else ())), pinned=True)]


def _function(rng: random.Random, name: str, kind: str, others: list[str]) -> Stmt:
    """`others`: functions of the same kind that it may call."""
    parameters = rng.choice(_PARAMETERS).format(t=kind)
    inside = {"x": "x", "y": "y", "n": "n", "t": kind}
    body = [text.format(**inside) for text in rng.choices(_STATEMENTS, k=rng.choice((1, 1, 2, 3)))]
    body += [f"{other}(n, x, ({kind} (*)[n])y, j, rows);" for other in others]
    rng.shuffle(body)
    last = rng.choice(_LAST)
    body += [last] if "const int n" not in parameters or "n =" not in last else []
    return Stmt((f"static void {name}({parameters}, int j, int rows)",), tuple(map(line, body)), pinned=True)
