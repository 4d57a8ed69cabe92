"""Functions and macros of a case: pure ones, ones that change their argument, ones that contain parallel loops.

In: a Site, whose file gets the function.   Out: what the Site's code may call, or a call of it.
"""

from __future__ import annotations

from dataclasses import replace

from .bodies import Frame, place_of
from .nests import Wish, make_nest
from .objects import Array, Function, Scope, array_like
from .scalars import CHAR, DOUBLE, EXACT, FINE, FLOAT, INT, LONG, SHORT, UCHAR, UINT
from .sites import Site
from .tree import Expr, Pragma, Stmt, line, literally

PARAMETERS = (INT, INT, LONG, UINT, DOUBLE, FLOAT, CHAR, UCHAR, SHORT)


def add_macro(site: Site) -> None:
    """A macro with arguments: evaluated twice, with a conditional, or with another macro inside."""
    name = site.names.file_scope("SQ")
    argument = Expr(("x",), INT, -100, 100)
    text, result = site.rng.choice(
        [
            (f"{name}(x) ((int)(x) * (int)(x))", Expr((), INT, 0, 10000)),
            (f"{name}(x) ((int)(x) < 0 ? -(int)(x) : (int)(x))", Expr((), INT, 0, 100)),
            (f"{name}(x) /* twice */ ((int)(x) + \\\n    (int)(x))", Expr((), INT, -200, 200)),
            (f"{name}(x) (0.5 * (int)(x))", Expr((), DOUBLE, -50.0, 50.0, 1)),
        ]
    )
    site.file.append(line(f"#define {text}", pinned=True))
    site.macros.append(Function(name, (argument,), result))


def add_function(site: Site) -> None:
    """A function of scalars: locals, a branch or a loop, return."""
    names = site.names.function()
    parameters = tuple(place_of(names.local(), site.rng.choice(PARAMETERS)) for _ in range(site.rng.randint(1, 3)))
    t = site.rng.choice(PARAMETERS)
    result = place_of("", t, site.rng.choice([EXACT, FINE]))
    name = site.names.file_scope("f")
    scope = Scope(list(parameters), [], [], [], list(site.functions), list(site.macros))
    frame = Frame(scope, names, list(parameters), depth=1)
    maker = site.maker(scope)
    body = maker.statements(frame, site.rng.randint(0, 3))
    body.append(line("return ", maker.value(result, 2), ";", pinned=True))
    signature = ", ".join(f"{p.type.name} {p.pieces[0]}" for p in parameters)
    inline = site.rng.choice(["static", "static inline"])
    site.file.append(Stmt((f"{inline} {t.name} {name}({signature})",), tuple(body), pinned=True))
    site.functions.append(Function(name, parameters, result))


def add_updater(site: Site) -> None:
    """A function that changes the object that its first argument points to."""
    t = site.rng.choice([INT, DOUBLE, FLOAT, UINT, SHORT, UCHAR])
    names = site.names.function()
    pointer, other = names.local("p"), names.local()
    target = place_of(f"*{pointer}", t, site.rng.choice([EXACT, FINE]))
    target = replace(target, pieces=(f"(*{pointer})",))
    argument = Expr((other,), INT, -1000, 1000)
    scope = Scope([target, argument], [], [], [], list(site.functions), list(site.macros))
    frame = Frame(scope, names, [target, target], depth=1)
    name = site.names.file_scope("g")
    body = site.maker(scope).statements(frame, site.rng.randint(1, 3))
    site.file.append(Stmt((f"static void {name}({t.name} *{pointer}, int {other})",), tuple(body), pinned=True))
    site.updaters.append((name, target))


def call_of_loops(site: Site, wish: Wish, orphaned: bool = False) -> tuple[list[Stmt], list[Stmt], set[str]]:
    """A new function of array parameters with one or two loops in it.

    Calls of it, statements after them, and the groups that it writes; no calls: nothing fits.
    """
    inner = _function_site(site, orphaned)
    usable = [a for a in site.arrays if a.kind in DIRECT and a.size]
    groups = sorted({a.group for a in usable})
    chosen = [site.rng.choice([a for a in usable if a.group == g]) for g in groups]
    chosen = site.rng.sample(chosen, min(len(chosen), site.rng.choice([1, 2, 2, 3])))
    if not chosen:
        return [], [], set()
    signature, arguments = _parameters(site, inner, chosen)
    made: list[Stmt] = []
    late: list[Stmt] = []
    written: set[str] = set()
    for _ in range(site.rng.choice([1, 1, 2])):
        before, loop, after, groups_written = make_nest(inner, wish)
        made += [*before, loop] + ([] if orphaned else after)
        late += after if orphaned else []
        written |= groups_written
    name = site.names.file_scope("loops")
    body = (*inner.top, *made)
    linkage = site.rng.choice(["static ", ""])
    site.file.append(Stmt((f"{linkage}void {name}({', '.join(signature)})",), body, pinned=True))
    call = line(f"{name}({', '.join(arguments)});")
    return [call] * site.rng.choice([1, 1, 1, 2]), late, written


DIRECT = {"static", "automatic", "heap", "vla", "middle", "matrix", "rows", "flattened", "held", "members"}


def _function_site(site: Site, orphaned: bool) -> Site:
    names = site.names.function()
    inner = Site(site.rng, names, site.file)
    inner.functions, inner.macros, inner.updaters = list(site.functions), list(site.macros), list(site.updaters)
    inner.permutations = list(site.permutations)
    inner.variables = {p.name for p in site.permutations}
    inner.statics = orphaned
    return inner


def _parameters(site: Site, inner: Site, chosen: list[Array]) -> tuple[list[str], list[str]]:
    """The parameter list and the arguments; the parameters become arrays of the inner site."""
    n = inner.names.local("n")
    longest = max(a.dims[0] for a in chosen)
    kind = site.rng.choice(["int", "int", "int", "long", "const int", "size_t", "unsigned"])
    signature, arguments = [f"{kind} {n}"], [str(site.bound(longest).pieces[0])]
    if kind in ("int", "long", "const int"):
        inner.sizes.append((n, longest))
    inner.variables.add(n)
    for a in chosen:
        text, marks = _parameter(site, inner, a, signature, arguments)
        name = text.split("@")[1]
        signature.append(text.replace("@", ""))
        arguments.append(_argument(a))
        inner.arrays.append(array_like(a, name=name, marks=marks, kind="parameter"))
        inner.variables.add(name)
    return signature, arguments


def _parameter(
    site: Site, inner: Site, a: Array, signature: list[str], arguments: list[str]
) -> tuple[str, tuple[str, ...]]:
    """The declaration of the parameter for an array, its name between @, and how its elements are spelt."""
    rng, t = site.rng, a.elem.name
    p = inner.names.local(rng.choice(["a", "b", "out", None]))
    if len(a.dims) == 1:
        text = rng.choice(["{t} *@{p}@", "{t} @{p}@[]", "{t} *restrict @{p}@", "{t} @{p}@[{n}]"])
        return text.format(t=t, p=p, n=a.dims[0]), (f"{p}[", "]")
    if a.kind == "rows":
        return f"{t} **@{p}@", (f"{p}[", "][", "]")
    columns = a.dims[1]
    if a.kind == "flattened":
        width = inner.names.local("ld")
        signature.append(f"int {width}")
        arguments.append(str(columns))
        inner.variables.add(width)
        return f"{t} *@{p}@", (f"{p}[(", f") * {width} + (", ")]")
    if rng.random() < 0.3:
        width = inner.names.local("m")
        signature.append(f"int {width}")
        arguments.append(str(columns))
        inner.sizes.append((width, columns))
        inner.variables.add(width)
        return f"{t} @{p}@[][{width}]", (f"{p}[", "][", "]")
    return rng.choice(["{t} (*@{p}@)[{c}]", "{t} @{p}@[][{c}]"]).format(t=t, p=p, c=columns), (f"{p}[", "][", "]")


def _argument(a: Array) -> str:
    if a.kind == "flattened" or a.marks[0].startswith("*("):
        return a.name
    return a.marks[0][: -len("[")]


def alias_calls(site: Site) -> list[Stmt]:
    """A function of two arrays that touches only the iteration's elements, called with the same array twice as well."""
    usable = [a for a in site.arrays if a.kind in DIRECT and len(a.dims) == 1 and a.size > 2]
    if not usable:
        return []
    a = site.rng.choice(usable)
    twins = [
        b for b in usable if (b.elem, b.lo, b.hi, b.quality) == (a.elem, a.lo, a.hi, a.quality) and b.group != a.group
    ]
    name, t = site.names.file_scope("alias"), a.elem.name
    out, read = literally("to[i]", a.elem), replace(a.at(literally("i")), pieces=("from[i]",))
    place = replace(read, pieces=("to[i]",))
    inner = Scope([read, place], [], [], [], list(site.functions), list(site.macros))
    inner.counters = [Expr(("i",), INT, 0, a.size - 1)]
    value = site.maker(inner).value(place, 2)
    loop = Stmt(("for (int i = 0; i < n; i++)",), (line(out, " = ", value, ";"),), pragmas=(Pragma("parallel for"),))
    site.file.append(
        Stmt((f"static void {name}({t} *to, {site.rng.choice(['const ', ''])}{t} *from, int n)",), (loop,), pinned=True)
    )
    calls = [line(f"{name}({_argument(a)}, {_argument(a)}, {a.size});")]
    if twins:
        other = site.rng.choice(twins)
        calls.append(line(f"{name}({_argument(a)}, {_argument(other)}, {min(a.size, other.size)});"))
    return calls
