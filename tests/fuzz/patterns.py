"""Idioms of loop bodies: struct values, unions, array and declared reductions, critical minima, atomic capture.

In: a Site, the Work of a loop.   Out: statements that a body may contain, and what the loop needs for them.
"""

from __future__ import annotations

from collections.abc import Callable

from .bodies import Accumulator, Bodies, Cells, Frame, place_of
from .loops import Work, check
from .objects import Array
from .scalars import DOUBLE, EXACT, INT, LONG, SHORT, UCHAR, UINT, ULONG
from .sites import Site
from .tree import Clause, Expr, Pragma, Stmt, fixed, line, literally

Pattern = Callable[[Bodies, Frame], list[Stmt]]


def add_struct(site: Site) -> None:
    """A struct type, of which bodies declare, copy and change values."""
    tag = site.names.file_scope("value")
    types = [site.rng.choice([INT, DOUBLE, SHORT, UINT, UCHAR, LONG]) for _ in range(2)]
    places = [place_of(f"m{k}", t) for k, t in enumerate(types)]
    members = " ".join(f"{t.name} m{k};" for k, t in enumerate(types))
    site.file.append(line(f"struct {tag} {{ {members} int tail[2]; unsigned bits : 5; }};", pinned=True))
    bits = Expr(("bits",), INT, 0, 31)
    members_known = [*places, bits, place_of("tail[1]", INT)]

    def declare(maker: Bodies, frame: Frame) -> list[Stmt]:
        name = frame.names.local()
        first, second = (maker.value(p, 1) for p in places)
        form = maker.rng.randrange(3)
        if form == 0:
            start = (f"struct {tag} {name} = {{ ", first, ", ", second, " };")
        elif form == 1:
            start = (f"struct {tag} {name} = {{ .m1 = ", second, ", .bits = 3 };")
        else:
            start = (f"struct {tag} {name} = (struct {tag}){{ ", first, ", ", second, ", {4, 5}, 6 };")
        found = [line(*start, pinned=True)]
        if maker.rng.random() < 0.3:
            copy = frame.names.local("copy")
            found.append(line(f"struct {tag} {copy} = {name};", pinned=True))
            name = copy
        mine = [Expr((f"{name}.", p), p.type, p.lo, p.hi, p.grain, p.quality) for p in members_known]
        frame.scope.scalars += mine
        frame.places += mine
        return found

    site.records.append(declare)


def add_union(site: Site) -> None:
    """A union through which integers are read as others of the same size, or as bytes."""
    tag = site.names.file_scope("bits")
    site.file.append(line(f"union {tag} {{ unsigned u; int i; unsigned char b[4]; short h[2]; }};", pinned=True))
    readable = (("i", INT), ("b[1]", UCHAR), ("h[1]", SHORT), ("b[3]", UCHAR))

    def declare(maker: Bodies, frame: Frame) -> list[Stmt]:
        name = frame.names.local()
        found = [line(f"union {tag} {name};", pinned=True), line(f"{name}.u = ", maker.integer(2), ";", pinned=True)]
        frame.scope.scalars += [Expr((f"{name}.{m}",), t, t.lo, t.hi) for m, t in readable]
        frame.places.append(Expr((f"{name}.b[2]",), UCHAR, 0, 255))
        return found

    site.records.append(declare)


def reduce_array(site: Site, work: Work) -> None:
    """An array in a reduction clause, whole or as a section."""
    rng = site.rng
    t, extent = rng.choice([INT, LONG, DOUBLE, UINT]), rng.choice([2, 3, 8])
    op = rng.choice(["+", "+", "+"] + ([] if t.floating else ["^", "|"]))
    name = site.shared_name("bins")
    place = Expr((name,), t, *((-50, 50) if t.signed else (t.lo, t.hi)), 0)
    site.declare_shared(f"{t.name} {name}[{extent}] = {{2, }};", name)
    a = Array(name, t, (extent,), (f"{name}[", "]"), place.lo, place.hi)
    work.frame.cells.append(Cells(a, op, plain=True))
    item = f"{name}[0:{extent}]" if rng.random() < 0.5 else f"{name}[:{extent}]" if rng.random() < 0.3 else name
    work.clauses.append(Clause("reduction", (item,), f"{op}: "))
    if site.checks:
        work.after.append(check(site, name, extent, literally(f"{name}[q]", t), EXACT))


def reduce_struct(site: Site, work: Work) -> None:
    """A declared reduction of a struct: two sums, or a sum and a maximum."""
    rng = site.rng
    tag, name = site.names.file_scope("pair"), site.shared_name("pair")
    maximum = rng.random() < 0.5
    second = "omp_out.y = omp_in.y > omp_out.y ? omp_in.y : omp_out.y" if maximum else "omp_out.y += omp_in.y"
    least = "-1000000" if maximum else "0"
    site.file.append(line(f"struct {tag} {{ long x; int y; }};", pinned=True))
    declared = f"{tag}_sum : struct {tag} : omp_out.x += omp_in.x, {second}"
    site.file.append(
        line(f"#pragma omp declare reduction({declared}) initializer(omp_priv = {{0, {least}}})", pinned=True)
    )
    site.declare_shared(f"struct {tag} {name} = {{1, 2}};", name)
    work.clauses.append(Clause("reduction", (name,), f"{tag}_sum: "))
    sum_place, other = Expr((f"{name}.x",), LONG, -100, 100), Expr((f"{name}.y",), INT, -100, 100)
    work.frame.accumulators += [
        Accumulator(f"{name}.x", "+", sum_place),
        Accumulator(f"{name}.y", "max" if maximum else "+", other),
    ]
    if site.checks:
        work.after.append(check(site, f"{name}.x", 1, literally(f"{name}.x", LONG), EXACT))
        work.after.append(check(site, f"{name}.y", 1, literally(f"{name}.y"), EXACT))


def find_minimum(site: Site, work: Work) -> None:
    """The least value and the first iteration that has it, in a critical section."""
    best, where = site.shared_name("best"), site.shared_name("where")
    less = site.rng.choice(["<", "<", ">"])
    site.declare_shared(f"long {best} = {'-' if less == '>' else ''}1000000;", best)
    site.declare_shared(f"long {where} = -1;", where)
    counter = work.headers[0].counter

    def update(maker: Bodies, frame: Frame) -> list[Stmt]:
        value, e = frame.names.local("e"), maker.into(maker.integer(2), -1000, 1000)
        if counter not in frame.scope.counters:
            return [line(";")]
        at = fixed(counter)
        tie = Expr((f"{value} == {best} && ", at, f" < {where}"), INT)
        better = (f"if ({value} {less} {best} || (", fixed(tie), "))")
        inside = Stmt(better, (line(f"{best} = {value};", pinned=True), line(f"{where} = ", at, ";", pinned=True)))
        return [
            line(f"int {value} = ", e, ";", pinned=True),
            Stmt((), (inside,), pragmas=(Pragma("critical", required=True),)),
        ]

    work.frame.records.append(update)
    if site.checks:
        work.after += [check(site, name, 1, literally(name, LONG), EXACT) for name in (best, where)]


def count_slots(site: Site, work: Work) -> None:
    """A counter that gives each caller a slot of its own; what is stored there is the same for all."""
    most = work.trips * work.frame.work * 8  # the loop may lie in a sequential one
    if most > 2000:
        return
    slot, flags = site.shared_name("slot"), site.shared_name("flags")
    site.declare_shared(f"int {slot} = 0;", slot)
    site.declare_shared(f"char {flags}[{most + 1}] = {{0}};", flags)
    used = [False]

    def update(_: Bodies, frame: Frame) -> list[Stmt]:
        if used[0] or frame.work > work.frame.work:
            return [line(";")]
        used[0] = True
        mine = frame.names.local("mine")
        capture = Stmt((f"{mine} = {slot}++;",), pragmas=(Pragma("atomic capture", required=True),), pinned=True)
        return [line(f"int {mine};", pinned=True), capture, line(f"{flags}[{mine}] = 7;")]

    work.frame.records += [update, update]
    if site.checks:
        work.after.append(check(site, flags, most + 1, literally(f"{flags}[q]"), EXACT))
        work.after.append(check(site, slot, 1, literally(slot, ULONG), EXACT))
