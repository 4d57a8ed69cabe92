"""Target constructs: loops with map clauses, data regions, enter and exit data, update.

Only arrays that can be mapped as a whole take part. gcc without an offload compiler runs them on the host.

In: a Site.   Out: statements.
"""

from __future__ import annotations

from dataclasses import replace

from .loops import check
from .nests import Wish, make_nest
from .objects import Array
from .sites import Site
from .storage import element_text
from .tree import Clause, Pragma, Stmt, line, literally, used_names

DIRECTIVES = (
    "target teams distribute parallel for", "target teams distribute parallel for", "target parallel for",
    "target teams distribute parallel for simd", "target teams distribute", "target teams loop", "target simd",
)  # fmt: skip
MAPPABLE = {"static", "automatic", "heap", "vla", "flattened"}


def mappable_site(site: Site) -> Site:
    """The site with only the arrays that a map clause can name; no two of them overlap."""
    arrays = [a for a in site.arrays if a.kind in MAPPABLE and a.size]
    return replace(site, arrays=arrays, records=[])


def section(a: Array) -> str:
    pointer = a.kind in ("heap", "flattened")
    return f"{a.name}[0:{a.size}]" if pointer else a.name


def map_clauses(site: Site, loop: Stmt, written: set[str], accumulators: list[str]) -> list[Clause]:
    """What the construct uses: written arrays come back, others only go there."""
    used = used_names((loop,))
    found = []
    for a in site.arrays:
        if a.name in used:
            kind = "tofrom: " if a.group in written or site.rng.random() < 0.3 else "to: "
            if a.kind in ("heap", "flattened") or site.rng.random() < 0.6:
                found.append(Clause("map", (section(a),), kind))
    return found + [Clause("map", (name,), "tofrom: ") for name in accumulators]


def make_target(site: Site) -> list[Stmt]:
    """One loop, or a data region with loops in it."""
    offered = mappable_site(site)
    if not offered.arrays:
        return []
    choice = site.rng.random()
    if choice < 0.5:
        return _target_loop(offered, site)
    return _data_region(offered, site) if choice < 0.8 else _entered(offered, site)


def _target_loop(offered: Site, site: Site) -> list[Stmt]:
    directive = site.rng.choice(DIRECTIVES)
    plain = "simd" in directive or "loop" in directive
    wish = Wish(directive, reductions="parallel" in directive, cells=False, privates=False, defaults=False)
    before, loop, after, written = make_nest(replace(offered, scalars=list(site.scalars)), wish)
    pragma = loop.pragmas[0]
    sums = [item for c in pragma.clauses if c.name == "reduction" for item in c.items]
    kept = tuple(
        c
        for c in pragma.clauses
        if not (c.name in ("schedule", "if") and (plain or c.prefix or "parallel" not in directive))
    )
    clauses = (*kept, *map_clauses(offered, loop, written, sums))
    return [*before, replace(loop, pragmas=(replace(pragma, clauses=clauses),)), *after]


def _mapped(offered: Site) -> list[Array]:
    return offered.rng.sample(offered.arrays, min(len(offered.arrays), 2))


def _inside(offered: Site, site: Site, mapped: list[Array]) -> list[Stmt]:
    """Loops on mapped arrays, and host reads of them after an update."""
    found: list[Stmt] = []
    few = replace(offered, arrays=mapped)
    for _ in range(site.rng.randint(1, 3)):
        found += _target_loop(few, site)
        if site.rng.random() < 0.4:
            a = site.rng.choice(mapped)
            found.append(
                Stmt((), None, pragmas=(Pragma("target update", (Clause("from", (section(a),)),), required=True),))
            )
            if site.checks:
                found.append(check(site, a.name, a.size, literally(element_text(a), a.elem), a.quality))
    return found


def _data_region(offered: Site, site: Site) -> list[Stmt]:
    mapped = _mapped(offered)
    inside = _inside(offered, site, mapped)
    clauses = tuple(Clause("map", (section(a),), "tofrom: ") for a in mapped)
    return [Stmt((), tuple(inside), pragmas=(Pragma("target data", clauses, required=True),))]


def _entered(offered: Site, site: Site) -> list[Stmt]:
    """enter data ... exit data around the same."""
    mapped = _mapped(offered)
    enter = tuple(Clause("map", (section(a),), "to: ") for a in mapped)
    leave = tuple(Clause("map", (section(a),), "from: ") for a in mapped)
    return [
        Stmt((), None, pragmas=(Pragma("target enter data", enter, required=True),), pinned=True),
        *_inside(offered, site, mapped),
        Stmt((), None, pragmas=(Pragma("target exit data", leave, required=True),), pinned=True),
        line(";"),
    ]
