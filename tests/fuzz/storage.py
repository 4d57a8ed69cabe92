"""Arrays of a case: of every storage duration, behind pointers, in structs; how they are declared and filled.

In: a Site, the case's extents.   Out: the Arrays, and their declarations in the site and before its function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

from .bodies import place_of
from .objects import Array, array_like
from .scalars import CHAR, DOUBLE, EXACT, FINE, FLOAT, INT, INTEGERS, LONG, SHORT, UCHAR, UINT, Scalar
from .sites import Site
from .tree import Stmt, line

ELEMENTS = (INT, INT, DOUBLE, DOUBLE, DOUBLE, FLOAT, FLOAT, UINT, LONG, CHAR, UCHAR, SHORT, *INTEGERS)


@dataclass(frozen=True, slots=True)
class Extents:
    """One-dimensional arrays have `n` elements or a few more, matrices `rows` by `columns`; and the texts."""

    n: int
    rows: int
    columns: int
    n_text: str
    rows_text: str
    columns_text: str


def choose_element(site: Site, name: str) -> Array:
    """An array without text or extents: its type and the range of its values."""
    t = site.rng.choice(ELEMENTS)
    place = place_of(name, t, site.rng.choice([EXACT, FINE, FINE]))
    lo, hi = place.lo, place.hi
    if not t.floating and t.bits > 8 and site.rng.random() < 0.4:
        lo, hi = (-1000 if t.signed else 0), 1000
    return Array(name, t, (), (), lo, hi, place.quality, place.grain, name)


def make_array(site: Site, extents: Extents) -> list[Array]:
    """Declare one array, or some that belong together."""
    makers: list[tuple[Callable[[Site, Extents], list[Array]], int]] = [
        (_global, 4), (_global_matrix, 4), (_automatic, 2), (_heap, 6), (_vla, 2), (_matrix_behind_pointer, 2),
        (_flattened, 3), (_rows, 2), (_members, 2), (_records, 3), (_alike, 3), (_interleaved, 2), (_held, 2),
        (_bits, 1), (_vla_matrix, 1),
    ]  # fmt: skip
    return site.rng.choices([m for m, _ in makers], [w for _, w in makers])[0](site, extents)


def _longer(site: Site, extents: Extents) -> int:
    return extents.n + site.rng.choice([0, 0, 1, 5]) if site.rng.random() < 0.8 else 2 * extents.n + 1


def _finish(a: Array, dims: tuple[int, ...], marks: tuple[str, ...], kind: str, **more: str) -> Array:
    return array_like(a, dims=dims, marks=marks, kind=kind, **more)


def _global(site: Site, extents: Extents) -> list[Array]:
    a = choose_element(site, site.names.file_scope("a"))
    n = max(1, _longer(site, extents))
    linkage = site.rng.choice(["static ", "static ", ""])
    site.file.append(line(f"{linkage}{a.elem.name} {a.name}[{n}];", pinned=True))
    return [_finish(a, (n,), (f"{a.name}[", "]"), "static")]


def _global_matrix(site: Site, extents: Extents) -> list[Array]:
    a = choose_element(site, site.names.file_scope("m"))
    rows, columns = extents.rows + site.rng.choice([0, 1]), extents.columns + site.rng.choice([0, 2])
    site.file.append(line(f"static {a.elem.name} {a.name}[{rows}][{columns}];", pinned=True))
    return [_finish(a, (rows, columns), (f"{a.name}[", "][", "]"), "static")]


def _automatic(site: Site, extents: Extents) -> list[Array]:
    a = choose_element(site, site.names.local())
    n = max(1, _longer(site, extents))
    site.declare(f"{site.rng.choice(['', '', 'static '])}{a.elem.name} {a.name}[{n}];", a.name)
    return [_finish(a, (n,), (f"{a.name}[", "]"), "automatic")]


def _vla(site: Site, extents: Extents) -> list[Array]:
    if extents.n == 0:
        return _heap(site, extents)
    a = choose_element(site, site.names.local())
    extra = site.rng.choice([0, 3])
    site.declare(f"{a.elem.name} {a.name}[{extents.n_text}{f' + {extra}' if extra else ''}];", a.name)
    return [_finish(a, (extents.n + extra,), (f"{a.name}[", "]"), "vla")]


def _vla_matrix(site: Site, extents: Extents) -> list[Array]:
    a = choose_element(site, site.names.local())
    site.declare(f"{a.elem.name} {a.name}[{extents.rows_text}][{extents.columns_text}];", a.name)
    return [_finish(a, (extents.rows, extents.columns), (f"{a.name}[", "][", "]"), "vla")]


def _heap(site: Site, extents: Extents) -> list[Array]:
    """A block, and sometimes a pointer into its middle, or a second block to swap with."""
    a = choose_element(site, site.names.local(site.rng.choice(["p", "buf", None])))
    extra = site.rng.choice([0, 0, 1, 4])
    count = f"({extents.n_text} + {extra})" if extra else f"{extents.n_text}"
    _allocate(site, a.elem, a.name, count)
    n = extents.n + extra
    made = [_finish(a, (n,), _one_subscript(site, a.name), "heap")]
    choice = site.rng.random()
    if choice < 0.25:
        twin = array_like(made[0], name=(name := site.names.local()), marks=(f"{name}[", "]"), group=name)
        _allocate(site, a.elem, name, count)
        made.append(twin)
    elif choice < 0.45 and n > 3:
        offset, name = site.rng.choice([1, 2]), site.names.local("mid")
        site.declare(f"{a.elem.name} *{name} = {a.name} + {offset};", name)
        made.append(_finish(a, (n - offset,), (f"{name}[", "]"), "middle", name=name))
    return made


def _one_subscript(site: Site, name: str) -> tuple[str, str]:
    return (f"*({name} + (", "))") if site.rng.random() < 0.08 else (f"{name}[", "]")


def _allocate(site: Site, t: Scalar, name: str, count: str, stars: str = "*") -> None:
    size = site.rng.choice([f"sizeof({t.name})", f"sizeof *{name}"]) if stars == "*" else f"sizeof *{name}"
    call = site.rng.choice([f"malloc({count} * {size})", f"calloc({count}, {size})"])
    site.declare(f"{t.name} {stars}{name} = {call};" if stars == "*" else f"{t.name} {stars} = {call};", name)


def _matrix_behind_pointer(site: Site, extents: Extents) -> list[Array]:
    a = choose_element(site, site.names.local())
    columns = extents.columns if site.rng.random() < 0.6 else extents.columns_text
    _allocate(site, a.elem, a.name, extents.rows_text, f"(*{a.name})[{columns}]")
    return [_finish(a, (extents.rows, extents.columns), (f"{a.name}[", "][", "]"), "matrix")]


def _flattened(site: Site, extents: Extents) -> list[Array]:
    """A matrix in a plain block: a[i * m + j], sometimes through a macro."""
    a = choose_element(site, site.names.local())
    _allocate(site, a.elem, a.name, f"({extents.rows_text} * {extents.columns_text})")
    marks = (f"{a.name}[(", f") * {extents.columns_text} + (", ")]")
    if site.rng.random() < 0.3:
        macro = site.names.file_scope("AT")
        site.file.append(line(f"#define {macro}(a, i, j) (a)[(i) * {extents.columns} + (j)]", pinned=True))
        marks = (f"{macro}({a.name}, ", ", ", ")")
    return [_finish(a, (extents.rows, extents.columns), marks, "flattened")]


def _rows(site: Site, extents: Extents) -> list[Array]:
    """An array of pointers to rows: each allocated, or all in one block."""
    a = choose_element(site, site.names.local())
    t, name, row = a.elem.name, a.name, site.names.local("r")
    site.declare(f"{t} **{name} = malloc({extents.rows_text} * sizeof({t} *));", name)
    if site.rng.random() < 0.5:
        one = f"{name}[{row}] = malloc({extents.columns_text} * sizeof({t}));"
    else:
        block = site.names.local("block")
        site.declare(f"{t} *{block} = malloc({extents.rows_text} * {extents.columns_text} * sizeof({t}));", block)
        one = f"{name}[{row}] = {block} + {row} * {extents.columns_text};"
    site.declare(f"for (int {row} = 0; {row} < {extents.rows_text}; {row}++) {one}")
    return [_finish(a, (extents.rows, extents.columns), (f"{name}[", "][", "]"), "rows")]


def _members(site: Site, extents: Extents) -> list[Array]:
    """Arrays that are members of one struct."""
    name, n = site.names.file_scope("s"), max(1, extents.n)
    parts = [choose_element(site, name) for _ in range(2)]
    inside = " ".join(f"{a.elem.name} f{k}[{n}];" for k, a in enumerate(parts))
    site.file.append(line(f"static struct {{ int before; {inside} }} {name};", pinned=True))
    return [_finish(a, (n,), (f"{name}.f{k}[", "]"), "members", group=f"{name}.{k}") for k, a in enumerate(parts)]


def _records(site: Site, extents: Extents) -> list[Array]:
    """Members of an array of structs, one of them perhaps in a nested struct or a union."""
    tag, n = site.names.file_scope("rec"), max(1, extents.n)
    name = site.names.file_scope("r") if site.rng.random() < 0.5 else site.names.local()
    parts = [choose_element(site, name) for _ in range(2)]
    nested = site.rng.choice(["struct {{ char pad; {0} v; }} in;", "union {{ {0} v; char bytes[3]; }} in;", "{0} v;"])
    fields = ("f0", "in.v" if "in;" in nested else "v")
    inside = f"{parts[0].elem.name} f0; {nested.format(parts[1].elem.name)}"
    site.file.append(line(f"struct {tag} {{ {inside} }};", pinned=True))
    if name.startswith(f"{site.names.case}_"):
        site.file.append(line(f"static struct {tag} {name}[{n}];", pinned=True))
    else:
        site.declare(f"struct {tag} *{name} = malloc(({extents.n_text} + 1) * sizeof(struct {tag}));", name)
    return [
        _finish(a, (n,), (f"{name}[", f"].{f}"), "records", group=f"{name}.{f}")
        for a, f in zip(parts, fields, strict=True)
    ]


def _alike(site: Site, extents: Extents) -> list[Array]:
    """Members of one type in an array of structs, perhaps with others behind them, from an odd address on or not."""
    tag, n, name = site.names.file_scope("vec"), max(1, extents.n), site.names.local("v")
    a, count = choose_element(site, name), site.rng.choice([2, 2, 3, 4, 4, 6])
    more = site.rng.choice(["", "", f" {a.elem.name} rest[{count}];", " double last;"])
    fields = " ".join(f"{a.elem.name} f{k};" for k in range(count))
    site.file.append(line(f"struct {tag} {{ {fields}{more} }};", pinned=True))
    skew = 0 if "double" in more else site.rng.choice([0, 0, 1, 2, 3])
    memory = f"malloc({n + 1} * sizeof(struct {tag}) + {skew} * sizeof({a.elem.name}))"
    start = f"(struct {tag} *)(({a.elem.name} *){memory} + {skew})"
    site.declare(f"struct {tag} *{name} = {start};", name)
    return [_finish(a, (n,), (f"{name}[", f"].f{k}"), "records", group=f"{name}.f{k}") for k in range(min(count, 4))]


def _interleaved(site: Site, extents: Extents) -> list[Array]:
    """Every second or fourth element of one block, from an odd address on or not."""
    n, name = max(1, extents.n), site.names.local("v")
    a, count, skew = choose_element(site, name), site.rng.choice([2, 4]), site.rng.choice([0, 0, 1, 2])
    site.declare(
        f"{a.elem.name} *{name} = ({a.elem.name} *)malloc({count * n + skew} * sizeof *{name}) + {skew};", name
    )
    subscript = site.rng.choice([f"{count} * (", f"({count} * ("])
    tails = [f") + {k}]" if subscript[0] != "(" else f") + {k})]" for k in range(count)]
    return [
        _finish(a, (n,), (f"{name}[{subscript}", tail), "records", group=f"{name}.{k}") for k, tail in enumerate(tails)
    ]


def _held(site: Site, extents: Extents) -> list[Array]:
    """A block behind a pointer that is a member of a struct."""
    tag, name = site.names.file_scope("grid"), site.names.local("g")
    a = choose_element(site, name)
    site.file.append(line(f"struct {tag} {{ int n; {a.elem.name} *data; }};", pinned=True))
    site.declare(f"struct {tag} {name} = {{ {extents.n}, 0 }};", name)
    site.declare(f"{name}.data = malloc(({extents.n_text} + 1) * sizeof({a.elem.name}));")
    return [_finish(a, (extents.n + 1,), (f"{name}.data[", "]"), "held")]


def _bits(site: Site, extents: Extents) -> list[Array]:
    """Bit-fields of an array of structs; a loop writes one of them at most."""
    name, n = site.names.file_scope("b"), max(1, extents.n)
    site.file.append(
        line(f"static struct {{ unsigned u : 5; int s : 7; unsigned char c : 3; }} {name}[{n}];", pinned=True)
    )
    ranges = {"u": (0, 31), "s": (-64, 63), "c": (0, 7)}
    return [
        Array(name, INT, (n,), (f"{name}[", f"].{f}"), lo, hi, group=name, kind="bits")
        for f, (lo, hi) in ranges.items()
    ]


def make_permutation(site: Site, extents: Extents) -> Array | None:
    """An array that holds each of 0..n-1 once."""
    n = extents.n
    if n < 2:
        return None
    t = site.rng.choice([INT, INT, INT, UINT, LONG])
    name = site.names.file_scope("perm")
    factor = next(k for k in site.rng.sample(range(1, n + 1), n) if gcd(k, n) == 1)
    site.file.append(line(f"static {t.name} {name}[{n}];", pinned=True))
    site.variables.add(name)
    site.top.append(
        line(f"for (int q = 0; q < {n}; q++) {name}[q] = (q * {factor} + {site.rng.randrange(n)}) % {n};", pinned=True)
    )
    return Array(name, t, (n,), (f"{name}[", "]"), 0, n - 1, group=name)


def fill(site: Site, a: Array) -> Stmt:
    """Give every element a value in the array's range."""
    factor, offset = site.rng.choice([1, 3, 7, 37, 101]), site.rng.randrange(50)
    wide = int(min(a.hi, 1000)) + 1
    number = f"(q * {factor} + {offset}) % {wide}"
    if a.elem.floating:
        number = (
            f"({number}) * {site.rng.choice(['0.5', '1.0', '0.25'])}" if a.lo > -wide else f"{number} - {wide // 2}"
        )
        number = number if site.rng.random() < 0.5 else f"-({number})"
    elif a.lo < -wide // 2 and site.rng.random() < 0.5:
        number = f"{number} - {wide // 2}"
    return line(f"for (int q = 0; q < {a.size}; q++) {element_text(a)} = {number};", pinned=True)


def element_text(a: Array) -> str:
    """The element number q, counted over all dimensions."""
    subscripts = ["q"] if len(a.dims) == 1 else [f"q / {a.dims[1]}", f"q % {a.dims[1]}"]
    return a.marks[0] + "".join(s + m for s, m in zip(subscripts, a.marks[1:], strict=True))
