"""A loop nest with its body: sequential host code, a combined parallel loop, or a worksharing loop of a region.

In: a Site, the directive.   Out: statements before the loop, the loop, checks after it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .loops import Header, Work, accumulate, choose_nest, idle_clauses, own, privates, share_cells
from .patterns import count_slots, find_minimum, reduce_array, reduce_struct
from .sites import Site
from .tree import Clause, Pragma, Stmt, used_names

NOWHERE = ("private", "firstprivate", "lastprivate", "reduction", "shared", "copyin")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the nest is to be. `directive`: empty for host code."""

    directive: str = "parallel for"
    reductions: bool = True
    cells: bool = True
    privates: bool = True
    defaults: bool = True
    only: frozenset[str] | None = None
    """The groups of arrays that it may write; None: all."""
    style: str = "line"
    closing: tuple[Clause, ...] = ()


def make_nest(site: Site, wish: Wish) -> tuple[list[Stmt], Stmt, list[Stmt], set[str]]:
    """Statements before, the loop, statements after, and the groups of arrays that the loop writes."""
    rng = site.rng
    depth = rng.choice([1, 1, 2])
    headers = choose_nest(site, depth)
    collapsed = depth if depth == 1 or rng.random() < 0.5 else 1
    work = Work(headers, collapsed, site.frame(site.scope()), [], [], [], [], set())
    offered = site if wish.only is None else replace(site, arrays=[a for a in site.arrays if a.group in wish.only])
    own(offered, work, rng.choice([1, 1, 2]))
    _fill_scope(site, work)
    work.frame.accumulators += site.extra
    if wish.directive:
        if wish.reductions and (not work.written or rng.random() < 0.3):
            accumulate(site, work)
        if wish.reductions and rng.random() < 0.06:
            rng.choice([reduce_array, reduce_struct])(site, work)
        if wish.cells and rng.random() < 0.04:
            rng.choice([find_minimum, count_slots])(site, work)
        if wish.cells and rng.random() < 0.12:
            share_cells(site, work)
        if wish.privates:
            privates(site, work)
    loop = _assemble(site, work, wish)
    return work.before, loop, work.after, work.written


def _fill_scope(site: Site, work: Work) -> None:
    scope = site.scope(work.written)
    scope.counters = [h.counter for h in work.headers if h.counter.lo >= -1000] * 3
    scope.scalars += work.frame.places
    work.frame.scope = scope
    work.frame.leaves = ("continue",)
    work.frame.own = {str(place.pieces[0]) for place in work.frame.places}
    inside = sum(1 for h in work.headers[1:] for _ in range(h.trips)) or 1
    work.frame.work = inside if work.collapsed == 1 else 1


def _assemble(site: Site, work: Work, wish: Wish) -> Stmt:
    rng = site.rng
    if work.trips == 0:
        work.frame.scope.arrays = [a for a in work.frame.scope.arrays if a.size]
    maker = site.maker(work.frame.scope)
    body = [*work.first, *maker.statements(work.frame, rng.randint(1, 4))]
    inner_clauses: list[Clause] = []
    for number, header in reversed(list(enumerate(work.headers))):
        if number:
            body = [Stmt(header.text, tuple(body))]
            if header.outside and number >= work.collapsed:
                inner_clauses.append(Clause("private", (str(header.counter.pieces[0]),)))
    if not wish.directive:
        return Stmt(work.headers[0].text, tuple(body))
    clauses = [*work.clauses, *inner_clauses, *_idle(site, work, wish), *wish.closing]
    if work.collapsed > 1:
        optional = not any(h.outside for h in work.headers[1:])
        clauses.append(Clause("collapse", (str(work.collapsed),), required=not optional))
    loop = Stmt(work.headers[0].text, tuple(body))
    if wish.defaults and "parallel" in wish.directive and rng.random() < 0.15:
        clauses += _default_none(site, loop, clauses, work.headers[: work.collapsed])
    rng.shuffle(clauses)
    pragma = Pragma(wish.directive, tuple(clauses), wish.style, required="parallel" not in wish.directive)
    return replace(loop, pragmas=(pragma,))


def _idle(site: Site, work: Work, wish: Wish) -> list[Clause]:
    return idle_clauses(site, "parallel" in wish.directive, work.headers[: work.collapsed])


def _default_none(site: Site, loop: Stmt, clauses: list[Clause], associated: list[Header]) -> list[Clause]:
    """default(none) and the shared clause that it asks for."""
    listed = {item.partition("[")[0] for c in clauses if c.name in NOWHERE for item in c.items}
    listed |= {str(h.counter.pieces[0]) for h in associated}
    words = used_names((loop,)) | {w for c in clauses if c.name in ("if", "num_threads") for w in c.items[0].split()}
    if any(len(a.dims) > 1 and a.name in words for a in site.arrays):
        words |= {text for text, _ in site.sizes}  # gcc asks for the variables in the type of `double (*a)[m]`
    shared = sorted((words & site.variables) - listed)
    return [Clause("default", ("none",)), *([Clause("shared", tuple(shared))] if shared else [])]
