"""Parallel regions with several constructs in them; what they compute does not depend on the number of threads.

Between two items of a region there is always a barrier, unless a nowait loop is followed by a loop that shares no
written array with it.

In: a Site.   Out: statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .bodies import Accumulator, place_of
from .functions import call_of_loops
from .loops import check_scalar, new_accumulator
from .nests import Wish, make_nest
from .scalars import DOUBLE, INT, LONG, UINT
from .sites import Site
from .tree import Clause, Expr, Pragma, Stmt, line, literally, used_names

BARRIER = Stmt((), None, pragmas=(Pragma("barrier", required=True),), pinned=True)
FOR = Wish("for", defaults=False)


@dataclass
class Region:
    """A region being made. `after`: statements that follow it; `clauses`: its own."""

    site: Site
    items: list[Stmt] = field(default_factory=list)
    after: list[Stmt] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    first: list[Stmt] = field(default_factory=list)
    private: list[Expr] = field(default_factory=list)
    unlisted: set[str] = field(default_factory=set)

    def view(self) -> Site:
        """The site as one item sees it: results of other items are not scalars to read."""
        return replace(self.site, scalars=[*self.site.scalars, *self.private], unlisted=self.unlisted)


def make_region(site: Site) -> list[Stmt]:
    region = Region(site)
    rng = site.rng
    _private_values(region)
    makers: list[tuple[Callable[[Region], None], int]] = [
        (_loop, 10), (_loops_without_barrier, 3), (_single, 3), (_master, 1), (_sections, 1), (_merge, 3),
        (_orphan, 3), (_repeated, 2), (_thread_private, 1), (_tasks, 1), (_counted, 1),
    ]  # fmt: skip
    for _ in range(rng.randint(1, 4)):
        rng.choices([m for m, _ in makers], [w for _, w in makers])[0](region)
    if rng.random() < 0.2:
        region.clauses.append(Clause("num_threads", (rng.choice(["2", "3"]),), required=False))
    pragma = Pragma("parallel", tuple(region.clauses), required=True)
    return [Stmt((), (*region.first, *region.items), pragmas=(pragma,)), *region.after]


def _private_values(region: Region) -> None:
    """Variables of the region that have the same value in all threads."""
    site, rng = region.site, region.site.rng
    if rng.random() < 0.5:
        t = rng.choice([INT, DOUBLE, LONG, UINT])
        place = place_of(site.names.local(), t)
        quiet = replace(site, arrays=[])  # other threads may be writing them already
        value = site.maker(quiet.scope()).value(place, 1)
        region.first.append(line(f"{t.name} {place.pieces[0]} = ", value, ";", pinned=True))
        region.private.append(place)
    known = [s for s in site.scalars if s.pieces[0] in site.variables]
    if known and rng.random() < 0.25:
        chosen = str(rng.choice(known).pieces[0])
        region.clauses.append(Clause("firstprivate", (chosen,), required=False))
        region.unlisted.add(chosen)


def _loop(region: Region) -> None:
    before, loop, after, _ = make_nest(region.view(), FOR)
    region.items += [*before, loop]
    region.after += after


def _loops_without_barrier(region: Region) -> None:
    view = region.view()
    settled = list(view.scalars)  # what a loop without a barrier adds up is known behind the barrier only
    nowait = replace(FOR, closing=(Clause("nowait", required=False),))
    before, loop, after, written = make_nest(view, nowait)
    region.items += [*before, loop]
    region.after += after
    used = used_names((loop,))
    touched = {a.group for a in view.arrays if a.name in used}
    readable = [a for a in view.arrays if a.group not in written]
    free = frozenset({a.group for a in readable} - touched)
    if not free or view.rng.random() < 0.3:
        region.items.append(BARRIER)
        return
    second = replace(FOR, only=free)
    before, loop, after, _ = make_nest(replace(view, arrays=readable, scalars=settled), second)
    region.items += [*before, loop]
    region.after += after


def _single(region: Region) -> None:
    """One thread does something that the others wait for."""
    view = region.view()
    before, loop, _, _ = make_nest(view, Wish(""))
    region.items += [*before, Stmt((), (loop,), pragmas=(Pragma("single", required=True),))]


def _master(region: Region) -> None:
    before, loop, _, _ = make_nest(region.view(), Wish(""))
    word = region.site.rng.choice(["master", "master", "masked"])
    region.items += [*before, Stmt((), (loop,), pragmas=(Pragma(word, required=True),)), BARRIER]


def _sections(region: Region) -> None:
    view = region.view()
    groups = sorted({a.group for a in view.arrays})
    view.rng.shuffle(groups)
    parts = groups[:2]
    made = []
    for group in parts:
        arrays = [a for a in view.arrays if a.group == group or a.group not in parts]
        before, loop, _, _ = make_nest(replace(view, arrays=arrays), Wish("", only=frozenset({group})))
        region.items += before
        made.append(Stmt((), (loop,), pragmas=(Pragma("section", required=True),), pinned=len(made) == 0))
    if made:
        region.items.append(Stmt((), tuple(made), pragmas=(Pragma("sections", required=True),)))


def _merge(region: Region) -> None:
    """Each thread accumulates into its own variable; a critical section or an atomic adds them up."""
    view = region.view()
    rng = view.rng
    total = new_accumulator(view)
    while total.op in ("&&", "||", "-", "*") or (total.place.quality and total.op in ("min", "max")):
        total = new_accumulator(view)
    part = view.names.local(rng.choice(["part", "mine", None]))
    place = total.place
    start = {"&": "-1", "min": total.name, "max": total.name}.get(total.op, "0")
    if total.op == "&":
        start = f"({place.type.name})-1"
    mine = Accumulator(part, total.op, replace(place, pieces=(part,)))
    declaration = line(f"{place.type.name} {part} = {start};", pinned=True)
    wish = replace(FOR, reductions=False, cells=False, closing=(Clause("nowait", required=False),))
    before, loop, after, _ = _with_accumulator(view, wish, mine)
    merge = _merge_statement(view, total, part)
    # A thread that is late must not start from another's result.
    begun = [declaration, BARRIER] if total.op in ("min", "max") else [declaration]
    region.items += [*begun, *before, loop, merge, BARRIER]
    region.after += after + check_scalar(region.site, total.place, total.name)


def _with_accumulator(view: Site, wish: Wish, a: Accumulator) -> tuple[list[Stmt], Stmt, list[Stmt], set[str]]:
    """A nest whose iterations also accumulate into `a`."""
    before, loop, after, written = make_nest(replace(view, extra=[a]), wish)
    return before, loop, after, written


def _merge_statement(view: Site, total: Accumulator, part: str) -> Stmt:
    name, op = total.name, total.op
    if op in ("min", "max"):
        sign = "<" if op == "min" else ">"
        inner = Stmt((f"if ({part} {sign} {name})",), (line(f"{name} = {part};"),))
        return Stmt((), (inner,), pragmas=(Pragma("critical", required=True),))
    word = view.rng.choice(["critical", f"critical({view.names.case}_sum)", "atomic"])
    update = line(f"{name} {op}= {part};")
    if word == "atomic":
        return replace(update, pragmas=(Pragma(word, required=True),))
    return Stmt((), (update,), pragmas=(Pragma(word, required=True),))


def _orphan(region: Region) -> None:
    """A call of a function whose worksharing loops bind to this region."""
    calls, after, _ = call_of_loops(region.view(), replace(FOR, privates=False), orphaned=True)
    region.items += calls
    region.after += after


def _repeated(region: Region) -> None:
    """A sequential loop around a worksharing loop."""
    view = region.view()
    before, loop, after, _ = make_nest(view, FOR)
    step = view.names.local("step")
    head = (f"for (int {step} = 0; {step} < {view.rng.choice([1, 2, 3])}; {step}++)",)
    region.items += [*before, Stmt(head, (loop,), unwraps=True)]
    region.after += after


def _thread_private(region: Region) -> None:
    """A threadprivate variable, set by every thread, accumulated into and merged."""
    view = region.view()
    name = view.names.file_scope("tp")
    t = view.rng.choice([INT, LONG, DOUBLE])
    view.file.append(line(f"static {t.name} {name} = 0;", pinned=True))
    view.file.append(line(f"#pragma omp threadprivate({name})", pinned=True))
    total = Accumulator(view.names.local("total"), "+", Expr((), t, -50, 50))
    view.declare(f"{t.name} {total.name} = 0;", total.name)
    mine = Accumulator(name, "+", replace(total.place, pieces=(name,)))
    before, loop, after, _ = _with_accumulator(view, replace(FOR, reductions=False, cells=False), mine)
    start = line(f"{name} = 0;", pinned=True)
    region.items += [start, *before, loop, _merge_statement(view, total, name), BARRIER]
    region.after += after + check_scalar(region.site, literally(total.name, t), total.name)


def _tasks(region: Region) -> None:
    """One thread makes a task for each element of an array."""
    view = region.view()
    usable = [a for a in view.arrays if len(a.dims) == 1 and a.size and a.kind != "bits"]
    if not usable:
        return
    a = view.rng.choice(usable)
    i = view.names.local("t")
    counter = literally(i, INT, 0, min(a.size, 20) - 1)
    scope = view.scope({a.group})
    scope.counters.append(counter)
    scope.scalars.append(a.at(counter))
    value = view.maker(scope).value(a.at(counter), 1)
    element = Expr(a.at(counter).pieces, a.elem, fixed=True)
    task = Stmt(
        (),
        (line(element, " = ", value, ";"),),
        pragmas=(Pragma("task", (Clause("firstprivate", (i,)),), required=True),),
    )
    loop = Stmt((f"for (int {i} = 0; {i} < {min(a.size, 20)}; {i}++)",), (task,))
    wait = Stmt((), None, pragmas=(Pragma("taskwait"),))
    region.items.append(Stmt((), (loop, wait), pragmas=(Pragma("single", required=True),)))


def _counted(region: Region) -> None:
    """A barrier that changes nothing, and a variable that a single construct sets for all."""
    view = region.view()
    place = place_of(view.names.local(), view.rng.choice([INT, LONG]))
    t, name = place.type, place.pieces[0]
    view.declare(f"{t.name} {name} = 1;", str(name))
    value = view.maker().value(place, 1)
    single = Pragma("single", required=True)
    region.items.append(Stmt((), (line(f"{name} = ", value, ";", pinned=True),), pragmas=(single,)))
    region.items.append(BARRIER)
    region.private.append(place)
    region.after += check_scalar(region.site, place, str(name))
