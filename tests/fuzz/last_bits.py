"""Loops that make integers of last bits: casts, rounding functions, initialisers, bits, edges of functions, row sums.

    for (int i = 0; i < 33; i++) {
        double t = m1[i] * m2[i] - m3[i];         0 on the host for some i, and a last bit with a fused product
        r1[i] = (long)floor(t * 1e3);
        ...                                       work that is welcome to be contracted
    }

In: a Site.   Out: arrays of its own, filled; one or two parallel loops; exact checks of the integers.
"""

from __future__ import annotations

from .loops import check
from .products import head, loop
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_VALUES = (
    "{x} * {y} - {z}", "{z} - {x} * {y}", "{x} * {x} - {y} * {y}", "{x} * {y} + {x} * {z}", "({x} - 1.0) * {y} + 0.1",
    "-({x} * {y}) + {z}", "{x} * {y} - {z} + {y} * 0.1", "(i % 2 ? {x} * {y} : 1.0) - {z}", "{x} * 0.1f - {y} * 0.3",
)  # fmt: skip
_ROWS = ("s += {a};", "s += {a} * {b};", "s -= {a} * 0.7;", "s = s + {b} * {b};", "s += {a} - {b} * {a};")
_WAYS = (
    "double d = {v};",
    "double d = {v};",
    "double t_[2] = {{{v}, 1}}; double d = t_[0];",
    "struct {{ double v; int k; }} p_ = {{{v}, 3}}; double d = p_.v;",
    "double d; {{ double t_ = 0; double *at_ = &t_; *at_ = {v}; d = t_; }}",
    "double d = 0; d += {v};",
    "float d = {v};",
)
_USES = (
    "{r} = (long)(d * 1e9);", "{r} = lrint(d * 1e9);", "{r} = (long)floor(d * 1e3);",
    "{r} = (long)rint(d * 1e3) + (d >= 0);",
    "{r} = (long)(fmod(d, 0.001) * 1e15);", "long v[2] = {{d * 1e9}}; {r} = v[0];", "{r} = d > 0 ? 1 : d < 0 ? 2 : 3;",
    "struct {{ double a; long b; }} v = {{.b = d * 1e9}}; {r} = v.b;", "{r} = !d + (d && i) * 2;",
    "union {{ double d; long n; }} v; v.d = d; {r} = v.n & 0xffffff;", "{{ double e = d; memcpy(&{r}, &e, 8); }}",
    "{r} = signbit(d) ? 5 : 6;", "{r} = isnan(sqrt(d)) ? 5 : 6;", "{r} = (long)(sqrt(fabs(d)) * 1e9);",
    "{r} = isinf(1 / d) ? 5 : 6;", "{r} = isnan(d / ({x} - {x})) ? 5 : 6;", "{r} = labs(d * 1e9);",
    "{r} = llround(ldexp(d, 20));", "{r} = (long)(copysign(3.0, d) + cbrt(d) * 1e6);", "{r} = d == 0 ? 0 : ilogb(d);",
    "{r} = ((long[]){{d * 1e9, 2}})[0];", "switch ((int)(d * 1e3)) {{ case 0: {r} = 1; break; default: {r} = 2; }}",
    "{r} = (long)(atan2(d, -1.0) * 1e6) + (log(d) < -40);",
    "while (d > 1e-3) d = d * 0.5 - 1e-17; {r} = (long)(d * 1e9);",
)  # fmt: skip
_ROUTES = (
    "double d = {k}[i];", "double d = {k}[i];", "const double *at_ = {k} + 1; double d = at_[i - 1];",
    "double d; memcpy(&d, &{k}[i], sizeof d);", "struct {{ int n; double v; }} s_ = {{2, {k}[i]}}; double d = s_.v;",
    "double t_[2] = {{1, {k}[i]}}; double d = t_[1];", "double d = *(double *)((char *){k} + i * sizeof(double));",
    "double d = {k}[i] * 0.5 + {k}[i];", "double *to_[2] = {{0, {k}}}; double d = to_[1][i];",
    "double d = sqrt({k}[i]); d = d < 1e6 ? d : 7;", "double d = 1 / {k}[i]; d = fabs(d) < 1e6 ? d : 7;",
    "double d = 0; d -= {k}[i];",
)  # fmt: skip
"""From where a loop has stored a value to where another one, or the host, uses it; what no integer holds becomes 7."""


def make_last_bits(site: Site) -> list[Stmt]:
    """One loop, with what it needs; its integers are all that is printed."""
    rng = site.rng
    n = rng.choice([1, 2, 33, 64, 100])
    x, y, z, kept, work, result = (site.names.file_scope("m") for _ in range(6))
    for name in (x, y, z, kept, work):
        site.file.append(line(f"static double {name}[{n}];", pinned=True))
    site.file.append(line(f"static long {result}[{n}];", pinned=True))
    fills = line(
        f"for (int q = 0; q < {n}; q++) {x}[q] = 1 + q % 17 * 0.1, {y}[q] = q % 5 ? 8.6 + q % 23 * 0.01 : {x}[q], "
        f"{z}[q] = q % 7 ? {x}[q] * {y}[q] : 0.3 * q, {result}[q] = 0;"
    )
    at = {"x": f"{x}[i]", "y": f"{y}[i]", "z": f"{z}[i]", "r": f"{result}[i]"}
    at |= {"a": f"{x}[(i + j) % {n}]", "b": f"{z}[j]"}
    body: list[Stmt] = []
    if rng.random() < 0.3:
        body += [line("double s = 0;"), loop(head("j", n), line(rng.choice(_ROWS).format(**at))), line("double d = s;")]
    else:
        body.append(line(rng.choice(_WAYS).format(v=rng.choice(_VALUES).format(**at))))
    after: list[Stmt] = []
    if rng.random() < 0.35:  # by another loop, or by the host
        body.append(line(f"{kept}[i] = d;"))
        pragmas = (Pragma("parallel for"),) if rng.random() < 0.5 else ()
        use = rng.choice(_USES).format(**at)
        route = rng.choice(_ROUTES).format(k=kept)
        after.append(Stmt((head("i", n),), (line(route), line(use)), pragmas=pragmas))
    else:
        body.append(line(rng.choice(_USES).format(**at)))
    body += [line("double w_ = 0;"), loop(head("k_", 40), line(f"w_ = w_ * 0.5 + {x}[i];")), line(f"{work}[i] = w_;")]
    nest = Stmt((head("i", n),), tuple(body), pragmas=(Pragma("parallel for"),))
    seen = [check(site, result, n, literally(f"{result}[q]", LONG), EXACT)] if site.checks else []
    return [fills, nest, *after, *seen]
