"""Functions that return values, and set variables, arrays or rows that they get the addresses of, in inner loops.

    static long c3_f(long x, long *y) { *y = x % 7; if (x % 3 == 0) return *y + 1; *y += 2; return x * 2 % 101; }

    for (i = 0; i < n; i++)                        pragma, private(y)
        for (j = 0; j < m; j++) {
            v[i][j] += c3_f(v[i][j] + j, &y) * 3;
            u[i] += y;
        }

Returns in branches and in loops, values that are converted; calls as statements, in sums, in conditions, for some
values alone, and in arguments of others; variables of the function around, of the iteration and of the inner loop.

In: a Site.   Out: such functions; arrays of its own; a nest that calls them; a check of what it leaves.
"""

from __future__ import annotations

from .loops import check
from .scalars import EXACT, LONG
from .sites import Site
from .tree import Pragma, Stmt, line, literally

_MOST = 24
_SCALARS = (
    "long {f}(long x, long *y) {{ *y = x % 7; if (x % 3 == 0) return *y + 1; *y += 2; return x * 2 % 101; }}",
    "long {f}(long x, long *y) {{ long old = *y; *y = (x + old) % 97; return old; }}",
    "int {f}(long x, long *y) {{ if (x % 5 > 2) {{ *y = x % 11; return 1; }} return 0; }}",
    "signed char {f}(long x, long *y) {{ *y = x % 3; if (*y) {{ if (*y == 2) return x; x++; }} return x * 2; }}",
    "signed char {f}(long x, long *y) {{ *y = x; if (x % 2) {{ if (x % 3) return 300 + x; return 7; }} return x; }}",
    "long {f}(long x, long *y) {{ for (int q = 0; q < 4; q++) if ((x + q) % 6 == 1) {{ *y = q; return x; }}"
    " return *y = 9; }}",
    "long {f}(long x, long *y) {{ long t = 3; x %= 50; *y = x; {{ long t = x; *y += t; }} return t + x; }}",
    "double {f}(long x, long *y) {{ x = x % 9; *y = x; if (x > 4) {{ *y -= 4; }} else if (x < 2) return 2.75;"
    " return x / 2.0; }}",
)  # fmt: skip
_ARRAYS = (
    "long {f}(long x, long *y) {{ for (int q = 0; q < 4; q++) y[q] = (x + q) % 13; return y[0] * y[2]; }}",
    "long {f}(long x, long y[4]) {{ long s = 0; for (int q = 0; q < 4; q++) {{ y[q] = (y[q] * 3 + x) % 89;"
    " s += y[q]; }} return s; }}",
    "int {f}(long x, long *y) {{ if (x % 2) {{ y[1] = x % 5; return 3; }} y[0] = 1; y[2] = x % 3; return y[1] % 4; }}",
    "void {f}(long x, long *y) {{ y[3] = 5; if (x % 4 == 0) return; y[0] = y[3] + x % 6; y[1] = 2; y[2] = 3; }}",
)  # fmt: skip
_USES = (
    "t = {call};", "t = {call};", "t = {call} * 3 + j;", "{v} += {call};", "{v} += {call};", "{call};",
    "{v} = j - {call} % 10;", "if ({call} > 3) t += j;", "if (j % 3 && {call}) t++;", "t = i % 2 ? {call} : 5;",
    "{{ long z = {call} + j; t ^= z; }}", "{{ long t = {call}; {v} += t; }}", "t += {call};",
    "for (int e = {call} % 2; e < 2; e++) t += e;",
    "if (t % 2) t = {call}; else if ({call}) t += 2;", "{{ short t = {call}; {v} += t; }}",
)  # fmt: skip
_SEEN = ("u[i] += y * 3 + t;", "{v} ^= y;", "u[i] += own[2];", "total += t + own[0];", "{v} += own[1] - y;", ";")


def make_returned(site: Site) -> list[Stmt]:
    """The functions and the nest, with what it needs."""
    rng = site.rng
    scalars = [_function(site, _SCALARS) for _ in range(rng.choice((1, 2)))]
    arrays = [_function(site, _ARRAYS)]
    words = {"most": _MOST, "n": rng.choice((0, 1, 9, 24)), "m": rng.choice((0, 1, 5, 24))}
    declared = [
        "static long v[{most}][{most}], w[{most}][{most}][4], u[{most}], seen[{most}];",
        "int n = {n}, m = {m}; long total = 0, y = 0, t = 0, own[4] = {{0}}; (void)n; (void)m; (void)y; (void)t;",
        "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++)",
        "v[q][r] = q * 5 + r, w[q][r][r % 4] = q - r;",
    ]
    where = rng.choice(("clause", "iteration", "entry", "entry"))
    begin = "y = i; t = j; own[0] = own[1] = own[2] = own[3] = j;".replace("j", "i" if where != "entry" else "j")
    own = {"clause": begin, "iteration": f"long y, t, own[4]; {begin}", "entry": ";"}[where]
    inside = f"long y, t, own[4]; {begin}" if where == "entry" else rng.choice((begin, ";", "y = j;"))
    inner = [line(inside, pinned=True)]
    for _ in range(rng.choice((1, 2, 2, 3))):
        inner += _use(site, scalars, arrays)
        inner.append(line(rng.choice(_SEEN).format(v="v[i][j]")))
    over = Stmt(("for (int j = 0; j < m; j++)",), (Stmt((), tuple(inner)),))
    clause = "private(y, t, own) " if where == "clause" else ""
    pragma = Pragma(f"parallel for {clause}reduction(+ : total)", required=True)
    nest = Stmt(("for (int i = 0; i < n; i++)",), (line(own, pinned=True), over), pragmas=(pragma,))
    added = "for (int q = 0; q < {most}; q++) for (int r = 0; r < {most}; r++)"
    values = " seen[q] += (v[q][r] + w[q][r][r % 4] * 3) * (r + 1) % 1009 + u[q] + total;"
    sums = line((added + values).format(**words), pinned=True)
    seen = [sums, check(site, "returned", _MOST, literally("seen[q]", LONG), EXACT)] if site.checks else []
    return [Stmt((), (*(line(text.format(**words), pinned=True) for text in declared), nest, *seen), pinned=True)]


def _function(site: Site, texts: tuple[str, ...]) -> str:
    name, text = site.names.file_scope("made"), site.rng.choice(texts)
    site.file.append(line(f"static {text.format(f=name)}", pinned=True))
    of_what = {"void": "void ", "double": "(int)"}.get(text.split()[0], "")
    return of_what + name


def _use(site: Site, scalars: list[str], arrays: list[str]) -> list[Stmt]:
    rng = site.rng
    of_array = rng.random() < 0.4
    name = rng.choice(arrays if of_array else scalars)
    place = rng.choice(("own", "own", "w[i][j]", "&own[0]") if of_array else ("&y", "&y", "&y", "&own[1]"))
    arg = rng.choice(("v[i][j]", "i * 3 + j", "j", "v[i][j] + j * 2", "u[i] % 100"))
    call = f"{name}({arg}, {place})"
    if rng.random() < 0.15 and not of_array:
        call = f"{rng.choice(scalars)}({call}, &own[3])"
    if name.startswith("void "):
        return [line(f"{call.removeprefix('void ')};")]
    if name.startswith("(int)") and rng.random() < 0.5:
        return [line(f"t = {call.removeprefix('(int)')};")]
    return [line(rng.choice(_USES).format(call=call, v="v[i][j]"))]
