"""Target and teams constructs whose work is one loop nest (OpenMP 5.2, chapters 10 and 13).

    #pragma omp target map(tofrom: a[0:n])          one loop, "target teams distribute parallel for":
    #pragma omp teams distribute                    the levels are merged, outer clauses first, and the inner loop joins
    for (i = 0; i < n; i++)                         as if collapse(2) had been written
        #pragma omp parallel for
        for (j = 0; j < m; j++) ...

The reference is a compiler without an offload device: mapping is the identity there, and so it is here. What remains of
a target construct is its data environment (target_data.py): scalars that nobody maps are copies of the construct's own,
and map clauses tell how far a pointer reaches.

A `distribute` loop may have parallel loops among its statements. One thread runs them one after the other, which is
right when none of their private variables is used outside (`alone.py`).

    OMPC304  a clause that is not supported          OMPC305  a hint with side effects
    OMPC354  a target region without a parallel loop
    OMPC352  a variable of which a construct has its own copy, which the loop changes

In: the directives of the construct, outermost first; its loops; its sharing table.   Out: `Target`, or a Reason.
Not here: loops beside other code of a region -- beside.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.ir.directive import Clause, Directive
from ompc.ir.queries import symbols_in
from ompc.ir.tree import IntConst, Pragma, Stmt, Symbol, Unit
from ompc.omp.constructs import begins_offload, is_target_region, listed, openmp
from ompc.omp.grammar import DIRECTIVES
from ompc.omp.loops import alone_in_braces, associated_loops, canonical_loops
from ompc.omp.model import CanonicalLoop, Sharing, Target
from ompc.omp.offload.alone import Alone, may_be_changed_in
from ompc.omp.offload.target_data import copies_of, declared_for_devices, is_whole_copy, sections_of
from ompc.omp.sharing import SharingTable
from ompc.omp.uses import has_side_effects

FAMILY = frozenset({"target", "teams", "distribute"})

CLAUSES = frozenset(
    {
        "map", "device", "defaultmap", "depend", "is_device_ptr", "has_device_addr", "num_teams", "thread_limit",
        "dist_schedule", "bind",
    }
)  # fmt: skip
"""The clauses that target and teams constructs may have in addition. The devices among which `device` chooses are all
this machine.
"""

MOST_MERGED = 3
"""How many loops two nests have at most if they become one. With more of them, the outer loops are launched, and each
thread runs the inner ones.
"""

WITHOUT_LOOP = "this target region stays on the host: it has no parallel loop"

TRANSPARENT = frozenset({"target", "target data"})
"""Constructs that the host runs as if they were not there."""
_PARALLEL_LOOPS = frozenset({"parallel for", "parallel for simd", "parallel loop"})
_RESULTS = ("reduction", "lastprivate")
_OWN = ("private", "firstprivate", "lastprivate", "reduction")
_SHARES = frozenset({"for", "simd", "loop", "distribute"})


def outside(around: Sequence[Directive]) -> tuple[Directive, ...]:
    """`around` without the target regions that the host runs as if they were not there."""
    return tuple(directive for directive in around if directive.name not in TRANSPARENT)


# ------------------------------------------------------------------- merging


@dataclass(frozen=True, slots=True)
class Merged:
    """Directives on consecutive pragmas as one. `levels` are they; `loops` is set where an inner nest has joined."""

    directive: Directive
    body: Stmt
    levels: tuple[Directive, ...]
    loops: tuple[CanonicalLoop, ...] | None = None

    @property
    def has_inner(self) -> bool:
        """Do parallel loops in the body belong to the construct?"""
        return self.loops is not None or self.directive.name.split()[-1] == "distribute"


def merged(directive: Directive, body: Stmt | None) -> Merged | None:
    """The construct that it begins, down to the loop that all of its levels share; None: it is no such thing."""
    if body is None or not begins_offload(directive):
        return None
    found = Merged(directive, body, (directive,))
    while not _ends_in_loop(found.directive):
        inner = _only_construct(found.body)
        if inner is None or not _is_name(f"{found.directive.name} {inner[0].name}"):
            return None
        found = Merged(_joined(found.directive, inner[0]), inner[1], (*found.levels, inner[0]))
    return _with_inner_nest(found) or found


def _ends_in_loop(directive: Directive) -> bool:
    return directive.name.split()[-1] in _SHARES


def _is_name(name: str) -> bool:
    return name in DIRECTIVES or name == "target loop"


def _only_construct(body: Stmt) -> tuple[Directive, Stmt] | None:
    """The construct that is all there is in `body`, with the statement that it owns."""
    inner = alone_in_braces(body)
    if not isinstance(inner, Pragma) or inner.body is None:
        return None
    directive = openmp(inner)
    return None if directive is None else (directive, inner.body)


def _joined(outer: Directive, inner: Directive, name: str | None = None) -> Directive:
    """Both in one; `nowait` of an inner level means nothing, and the `if` of a `simd` is no condition of the region."""
    kept = tuple(_of_simd(clause, inner) for clause in inner.clauses if clause.name != "nowait")
    again = {symbol for clause in kept if clause.name in _RESULTS for symbol in clause.symbols}
    before = tuple(without for clause in outer.clauses if (without := _without(clause, again)) is not None)
    return outer.joined(inner, name or f"{outer.name} {inner.name}", before + kept)


def _without(clause: Clause, again: set[Symbol]) -> Clause | None:
    """`clause`, but a result that an inner level lists too is named once; None when nothing is left."""
    if clause.name not in _RESULTS or again.isdisjoint(clause.symbols):
        return clause
    left = tuple(item for item in clause.listed if item.symbol not in again)
    text = ", ".join(item.text for item in left)
    return replace(clause, listed=left, text=text, user_text=text) if left else None


def _of_simd(clause: Clause, directive: Directive) -> Clause:
    return replace(clause, modifiers=("simd",)) if clause.name == "if" and directive.name == "simd" else clause


def _with_inner_nest(outer: Merged) -> Merged | None:
    """A `distribute` loop with nothing but a parallel loop in its body, as one nest."""
    words = outer.directive.name.split()
    loops = canonical_loops(outer.body, associated_loops(outer.directive))
    if words[-1] != "distribute" or isinstance(loops, Reason):
        return None
    inner = _only_construct(loops[-1].body)
    if inner is None or not _may_join(outer.directive, inner[0]):
        return None
    nest = canonical_loops(inner[1], associated_loops(inner[0]))
    if isinstance(nest, Reason) or len(loops) + len(nest) > MOST_MERGED or not _is_rectangular(loops, nest):
        return None
    name = f"{outer.directive.name} {inner[0].name.replace('loop', 'for')}"
    directive = _collapsing(_joined(outer.directive, inner[0], name), len(loops) + len(nest))
    return Merged(directive, outer.body, (*outer.levels, inner[0]), (*loops, *nest))


def _collapsing(directive: Directive, count: int) -> Directive:
    number = IntConst(ty.INT, directive.loc, count, str(count))
    collapse = Clause("collapse", expr=number, text=str(count), user_text=str(count))
    others = tuple(clause for clause in directive.clauses if clause.name != "collapse")
    return replace(directive, clauses=(*others, collapse))


def _may_join(outer: Directive, inner: Directive) -> bool:
    """Nothing of the inner construct may depend on the outer iteration, or end in a variable of its own."""
    if inner.name not in _PARALLEL_LOOPS or inner.first("lastprivate") or inner.first("if"):
        return False
    results = {symbol for clause in inner.all("reduction") for symbol in clause.symbols}
    return results.isdisjoint(listed([outer], "private", "firstprivate", "lastprivate"))


def _is_rectangular(outer: Sequence[CanonicalLoop], inner: Sequence[CanonicalLoop]) -> bool:
    counters = {loop.var for loop in outer}
    bounds = [e for loop in inner for e in (loop.lower, loop.upper, loop.step) if e is not None]
    if any(loop.pointer is not None or loop.dependent for loop in (*outer, *inner)):
        return False
    return counters.isdisjoint(loop.var for loop in inner) and all(
        counters.isdisjoint(symbols_in(bound)) for bound in bounds
    )


# ------------------------------------------------------------- what it adds


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a construct that its Target is made of."""

    levels: tuple[Directive, ...]
    statement: Stmt
    table: SharingTable
    alone: Alone
    pragma: Pragma


def with_own(table: SharingTable, alone: Alone) -> SharingTable:
    """`table` with what the constructs in the body need of each thread of the kernel."""
    own = dict.fromkeys(alone.private, Sharing.PRIVATE)
    changed = {**table.sharing, **own}
    return replace(table, sharing={s: changed[s] for s in sorted(changed, key=lambda s: s.position)})


def target_of(parts: Parts, unit: Unit) -> Target | Reason:
    """What the target and teams levels of a loop mean for its data."""
    levels, table = parts.levels, parts.table
    problem = _unsupported(levels, parts.pragma) or parts.alone.problem or _outer_privates(parts) or _partial(parts)
    if problem is not None:
        return problem
    has_target = is_target_region(levels[0])
    copies = copies_of(levels, table.sharing, declared_for_devices(unit)) if has_target else frozenset()
    for symbol in copies:
        if table.sharing[symbol] is not Sharing.SHARED:
            what = f"the result in `{symbol.name}` stays in the copy of it that the target region has: it is not mapped"
            return Reason("OMPC352", what, parts.pragma.loc)
    changed = may_be_changed_in(parts.statement)
    for symbol in table.sharing:
        shared = table.sharing[symbol] is Sharing.SHARED
        if shared and symbol in changed and is_whole_copy(levels, symbol):
            message = f"the target region has its own copy of `{symbol.name}`, which the loop changes"
            return Reason("OMPC352", message, parts.pragma.loc)
    return Target(
        copies=copies,
        sections=sections_of(levels),
        alone=parts.alone.pragmas,
        waits=any(level.first("depend") is not None for level in levels),
        independent=_are_independent(levels),
    )


def _unsupported(levels: Sequence[Directive], pragma: Pragma) -> Reason | None:
    for clause in (clause for level in levels for clause in level.clauses):
        if clause.name == "device" and clause.modifier == "ancestor":
            return Reason("OMPC304", "the clause `device(ancestor: ...)` is not supported", pragma.loc)
        if clause.name == "num_teams" and not _is_pure(clause):
            message = "the argument of `num_teams` has a side effect, or calls a function"
            return Reason("OMPC305", message, pragma.loc)
    return None


def _are_independent(levels: Sequence[Directive]) -> bool:
    """Do the directives share the iterations out, and none say by `safelen` that they may depend?"""
    words = {word for level in levels for word in level.name.split()}
    if "parallel" not in words and any(level.first("safelen") is not None for level in levels):
        return False
    return not words.isdisjoint({"parallel", "distribute", "loop"})


def _is_pure(clause: Clause) -> bool:
    """Can its expressions be evaluated once more?"""
    return not clause.unread and not any(has_side_effects(e) for e in (clause.lower, clause.expr) if e is not None)


def _outer_privates(parts: Parts) -> Reason | None:
    """A copy that a level has for all the threads below it is neither shared with the host nor each thread's own."""
    changed = may_be_changed_in(parts.statement)
    for depth, outer in enumerate(parts.levels[:-1]):
        inner = listed(parts.levels[depth + 1 :], *_OWN)
        for symbol in sorted(listed([outer], "private", "firstprivate") - inner, key=lambda s: s.position):
            if symbol in changed and parts.table.sharing.get(symbol) is not Sharing.LOOP:
                message = f"all threads below `{outer.name}` share a copy of `{symbol.name}`, which the loop changes"
                return Reason("OMPC352", message, outer.loc)
    return None


_REDUCTIONS = (Sharing.REDUCTION, Sharing.SHARED_REDUCTION)


def _partial(parts: Parts) -> Reason | None:
    """A reduction that only an outer level has: the threads of the inner one race for its variable. One thread of each
    team runs the iterations of a `distribute`.
    """
    forks = [level for level in parts.levels if "parallel" in level.name.split()]
    if not forks and "distribute" in parts.levels[-1].name.split():
        return None
    forks = forks or [parts.levels[-1]]
    combined = listed(forks, "reduction")
    for symbol, sharing in parts.table.sharing.items():
        if sharing in _REDUCTIONS and symbol not in combined and len(parts.levels) > 1:
            message = f"`{forks[-1].name}` has no reduction clause for `{symbol.name}`, a reduction of an outer level"
            return Reason("OMPC352", message, parts.pragma.loc)
    return None
