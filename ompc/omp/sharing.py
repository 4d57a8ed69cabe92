"""Data-sharing attributes of the variables in a worksharing loop (OpenMP 5.2, 5.1).

    predetermined   the variables of the associated loops are private, and come back from `simd` and `loop`; objects
                    declared in the construct are private and not in the map, unless they are static: shared; const
                    objects are shared
    explicit        private, firstprivate, lastprivate, shared, reduction
    implicit        `default(...)`, else shared; inner sequential loops' variables too: C has no exception; a loop that
                    a team shares inherits what is private in the team's code

The directive may be `parallel` and `for` in one, outer clauses first: an inner clause overrides an outer one, except
that firstprivate and lastprivate together are both.

In: the directive and its canonical loops.   Out: `SharingTable`, or the reason why not (OMPC309 threadprivate, OMPC314
an object with static storage inside; reductions.py has its own).
Not here: variables that only called functions use -- analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.queries import declared_in, is_constant_table, symbols_in
from ompc.ir.tree import DeclStmt, Stmt, Storage, Symbol, VarDecl
from ompc.omp.declared_reductions import Declarations
from ompc.omp.model import CanonicalLoop, ReductionItem, Sharing, Team
from ompc.omp.reductions import reduction_items, sharing_of_item

_EXPLICIT = {
    "shared": Sharing.SHARED,
    "private": Sharing.PRIVATE,
    "firstprivate": Sharing.FIRSTPRIVATE,
    "lastprivate": Sharing.LASTPRIVATE,
    "reduction": Sharing.REDUCTION,
}
_DEFAULTS = {"shared": Sharing.SHARED, "private": Sharing.PRIVATE, "firstprivate": Sharing.FIRSTPRIVATE}


@dataclass(frozen=True, slots=True)
class SharingTable:
    """`sharing` in the order of declaration; see `ParallelLoop` for the fields."""

    sharing: Mapping[Symbol, Sharing]
    reductions: tuple[ReductionItem, ...] = ()
    lastprivates: tuple[Symbol, ...] = ()
    problem: Reason | None = None
    conditional: frozenset[Symbol] = frozenset()


@dataclass(frozen=True, slots=True)
class Visible:
    """What a directive sees: the user's own reductions, and the team whose threads share the loop (or None)."""

    reductions: Declarations
    team: Team | None


def sharing_of(
    directive: Directive, statement: Stmt, loops: tuple[CanonicalLoop, ...], visible_there: Visible
) -> SharingTable:
    """The attributes of what `directive` names or `statement`, the outermost associated loop, with its header."""
    own = frozenset[Symbol]() if visible_there.team is None else visible_there.team.private
    is_region = directive.name.startswith("parallel")  # its threads have copies that outlive the loop
    explicit = _explicit(directive)
    declared = declared_in(statement)
    local = {s for s in declared if s.storage in (Storage.AUTO, Storage.REGISTER) or is_constant_table(s)}
    statics = {s for s in declared if s.storage is Storage.LOCAL_STATIC} - local
    used = {s for s in symbols_in(statement) if s.storage is not Storage.FUNCTION} - local
    shared = {s for s in used if _is_const(s) or s in statics}
    table = dict.fromkeys(used - shared, _implicit(directive)) | dict.fromkeys(shared, Sharing.SHARED)
    own |= {symbol for symbol in used if is_region and _has_copies(symbol)}
    table |= dict.fromkeys(used & own, Sharing.TEAM_PRIVATE) | explicit
    table.update((loop.var, Sharing.LOOP) for loop in loops if not loop.declared_here)
    visible = _visible_at_the_end(directive, loops, explicit)
    for pointer in (loop.pointer for loop in loops if loop.pointer is not None and loop.pointer not in local):
        table[pointer] = explicit.get(pointer, Sharing.LASTPRIVATE if pointer in visible else Sharing.PRIVATE)
    ordered = {s: table[s] for s in sorted(table, key=lambda s: s.position)}
    reductions = reduction_items(directive, ordered, visible_there.reductions)
    problem = _problem(directive, ordered, statics)
    lastprivates = tuple(dict.fromkeys((*_lastprivates(directive), *visible)))
    if isinstance(reductions, Reason):
        return SharingTable(ordered, (), lastprivates, reductions)
    clauses = (clause for clause in directive.all("lastprivate") if clause.modifier == "conditional")
    conditional = frozenset(symbol for clause in clauses for symbol in clause.symbols)
    return SharingTable(ordered, reductions, lastprivates, problem, conditional)


def _explicit(directive: Directive) -> dict[Symbol, Sharing]:
    table: dict[Symbol, Sharing] = {}
    for clause in directive.clauses:
        if clause.name in _EXPLICIT:
            for item in clause.listed:
                now = sharing_of_item(item) if clause.name == "reduction" else _EXPLICIT[clause.name]
                table[item.symbol] = _joined(table.get(item.symbol), now)
    return table


def _joined(before: Sharing | None, now: Sharing) -> Sharing:
    if before is not now and {before, now} <= {Sharing.FIRSTPRIVATE, Sharing.LASTPRIVATE, Sharing.FIRST_LASTPRIVATE}:
        return Sharing.FIRST_LASTPRIVATE
    return now


def _implicit(directive: Directive) -> Sharing:
    """`default(none)` has listed everything already, else the compiler would have refused; its rest is shared."""
    default = directive.first("default")
    return Sharing.SHARED if default is None else _DEFAULTS.get(default.kind or "", Sharing.SHARED)


def _is_const(symbol: Symbol) -> bool:
    return "const" in ty.element_of(symbol.type).quals


def _visible_at_the_end(
    directive: Directive, loops: tuple[CanonicalLoop, ...], explicit: Mapping[Symbol, Sharing]
) -> tuple[Symbol, ...]:
    """The loop variables that have a value after the construct without a `lastprivate` clause.

    Those of `simd` and `loop` are linear or lastprivate (5.1.1), unless a clause makes them private.
    """
    if {"simd", "loop"}.isdisjoint(directive.name.split()) and not directive.all("linear"):
        return ()
    variables = (loop.pointer or loop.var for loop in loops if loop.pointer is not None or not loop.declared_here)
    declared = {decl.symbol for loop in loops for decl in _declared_in_head(loop)}
    return tuple(v for v in variables if explicit.get(v) is not Sharing.PRIVATE and v not in declared)


def _declared_in_head(loop: CanonicalLoop) -> tuple[VarDecl, ...]:
    return loop.statement.init.decls if isinstance(loop.statement.init, DeclStmt) else ()


def _lastprivates(directive: Directive) -> tuple[Symbol, ...]:
    return tuple(symbol for clause in directive.all("lastprivate") for symbol in clause.symbols)


# ------------------------------------------------------------------ not supported


def _problem(directive: Directive, table: Mapping[Symbol, Sharing], statics: set[Symbol]) -> Reason | None:
    for symbol in table:
        if _has_copies(symbol) and table[symbol] is not Sharing.TEAM_PRIVATE:
            return Reason("OMPC309", f"the threadprivate variable `{symbol.name}` is used in the loop", directive.loc)
        if symbol in statics:
            return Reason("OMPC314", f"`{symbol.name}`, declared in the loop, has static storage", symbol.loc)
    return None


def _has_copies(symbol: Symbol) -> bool:
    return symbol.threadprivate or symbol.storage is Storage.THREAD
