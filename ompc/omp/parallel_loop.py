"""From a worksharing-loop construct to a `ParallelLoop`: its loops, its variables, and why it stays on the host.

    OMPC303  inside another parallel construct                     OMPC310  where ompc cannot read its function
    OMPC304  a clause that is not supported                        OMPC311  the pragma's text cannot be read
    OMPC305  an argument has side effects                          OMPC313  a directive in the body ties iterations
    OMPC316  a part of the loop that ompc cannot read              OMPC339  a bound that asks about the team
    OMPC315  a construct that is not supported
    (OMPC303 also: teams.py; OMPC308 and OMPC312: loops.py; OMPC309 and OMPC314: sharing.py; OMPC352 and OMPC353:
    target.py)

In: a construct and what stands around it.   Out: `ParallelLoop`.   Not here: finding the constructs -- regions.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir.directive import DIVIDED, Clause, Directive, Kind
from ompc.ir.queries import statements_in, unread_in
from ompc.ir.tree import For, Function, Pragma, Stmt, Symbol, Unit
from ompc.omp.constructs import begins_offload
from ompc.omp.declared_reductions import Declarations, declarations_at
from ompc.omp.linear import with_linear_copies
from ompc.omp.loops import associated_loops, canonical_loops
from ompc.omp.model import CanonicalLoop, ParallelLoop, Succession, Target, Team
from ompc.omp.offload import beside, target
from ompc.omp.offload.alone import Alone
from ompc.omp.offload.teams import Enclosing, team_of
from ompc.omp.scans import scan_directive, scan_of
from ompc.omp.sharing import SharingTable, Visible, sharing_of
from ompc.omp.uses import has_side_effects, question_about_team
from ompc.omp.volatile_bounds import why_not_read
from ompc.omp.without_pragma.divided_loops import questions_in

SUPPORTED = frozenset({"parallel for", "parallel for simd", "parallel loop"})
"""Directives, merged ones included, that are a parallel region and whose loop may run on the device."""

SHARED_BY_TEAM = frozenset({"for", "for simd", "loop"})
"""Directives whose loop the threads of the region around it share."""

SUPPORTED_CLAUSES = frozenset(
    {
        "private",
        "firstprivate",
        "lastprivate",
        "shared",
        "default",
        "reduction",
        "schedule",
        "collapse",
        "num_threads",
        "if",
        "proc_bind",
        "nowait",
        "order",
        "safelen",
        "simdlen",
        "aligned",
        "nontemporal",
        "ordered",
        "allocate",
        "bind",
        "linear",
    }
)
"""Clauses that a loop on the device may have. Those from `proc_bind` on are hints to the host's threads, memory and
vector units, which mean nothing on the device.

`ordered` ties the iterations together only where a directive in the body says so; what else `linear` and `bind` may say
is refused by sharing.py and below.
"""

_WHY_NOT = {
    "copyin": "gives the host's threads values that a later region may read",
}
"""What an unsupported clause does, for the message that refuses it."""

_TIES_ITERATIONS = frozenset({"ordered", "cancel", "cancellation point", "scan"})


@dataclass(frozen=True, slots=True)
class Construct:
    """A worksharing-loop construct.

    `pragma`   begins it (the `parallel` of a merged pair)
    `body`     its loop
    `offload`  how a target or teams construct was merged
    `alone`    what of its body one thread runs alone
    """

    pragma: Pragma
    directive: Directive
    body: Stmt | None
    function: Function
    enclosing: tuple[Enclosing, ...]
    offload: target.Merged | None = None
    alone: Alone = field(default_factory=Alone)

    @property
    def around(self) -> tuple[Directive, ...]:
        """The directives of the constructs in which it stands, outermost first."""
        return tuple(construct.directive for construct in self.enclosing)


def parallel_loop(construct: Construct, unit: Unit, pure: Collection[Symbol]) -> ParallelLoop:
    """The loop of `construct`, without an id as yet. `pure`: the functions that bounds and arguments may call."""
    directive = construct.directive
    loops = _loops(construct, pure)
    form = loops if isinstance(loops, Reason) else None
    linear = with_linear_copies(directive, () if isinstance(loops, Reason) else loops, construct.offload is None)
    nest = linear.loops
    found = _team(construct)
    team = None if isinstance(found, Reason) else found
    table = SharingTable({})
    if construct.body is not None:
        visible = Visible(_declarations(construct, unit), team)
        table = sharing_of(directive, construct.body, nest, visible)
    table = linear.added_to(target.with_own(table, construct.alone))
    offload = _offload(construct, table, unit)
    scan = scan_of(directive, nest, table.sharing, table.reductions)
    reasons = (
        _context(construct), found if isinstance(found, Reason) else None, construct.directive.problem,
        _clauses(directive, pure), form or _bounds_of_region(directive, nest), linear.problem,
        table.problem, why_not_read(nest, table.sharing, directive.loc), scan if isinstance(scan, Reason) else None,
        offload if isinstance(offload, Reason) else None,
    )  # fmt: skip
    host = next((r for r in reasons if r is not None), None)
    return ParallelLoop(
        id="",
        function=construct.function.name,
        directive=directive,
        pragma=construct.pragma,
        loc=construct.pragma.loc,
        loops=nest,
        body=nest[-1].body if nest else construct.body,
        sharing=table.sharing,
        reductions=table.reductions,
        lastprivates=table.lastprivates,
        conditional=table.conditional,
        linear=linear.copies,
        condition=condition_of(directive),
        host=host or _ties(construct, None if scan is None else scan_directive(nest[-1].body)) or _unread(construct),
        target=None if isinstance(offload, Reason) else offload,
        team=team,
        league=beside.league_of(directive, construct.enclosing),
        copied=beside.copies_around(construct.pragma, construct.enclosing, unit),
        scan=None if isinstance(scan, Reason) else scan,
        in_order=_in_order(construct.pragma.directive),
    )


def _in_order(directive: Directive) -> Succession | None:
    """What lets iterations depend on each other: of a loop without a pragma of the program's, that it has none."""
    if directive.kind is not Kind.ADDED:
        return None
    return Succession("a loop without a pragma", adds_in_order=directive.name != DIVIDED)


def _loops(construct: Construct, pure: Collection[Symbol]) -> tuple[CanonicalLoop, ...] | Reason:
    if construct.offload is not None and construct.offload.loops is not None:
        return construct.offload.loops
    if construct.body is None:
        return ()
    if construct.pragma.directive.name == DIVIDED and isinstance(construct.body, For):
        pure = frozenset(pure) | questions_in(construct.body)
    return canonical_loops(construct.body, associated_loops(construct.directive), pure)


def _bounds_of_region(directive: Directive, nest: Sequence[CanonicalLoop]) -> Reason | None:
    """The launcher's bounds are evaluated in front of the region that a combined construct makes, the loop's inside."""
    if "parallel" not in directive.name.split():
        return None
    for expr in (e for loop in nest for e in (loop.lower, loop.upper, loop.step) if e is not None):
        if (name := question_about_team(expr)) is not None:
            message = f"a bound of the loop calls '{name}', whose answer is another one inside the region"
            return Reason("OMPC339", message, directive.loc)
    return None


def _offload(construct: Construct, table: SharingTable, unit: Unit) -> Target | Reason | None:
    merged = construct.offload
    if merged is None:
        return None
    parts = target.Parts(merged.levels, merged.body, table, construct.alone, construct.pragma)
    found = target.target_of(parts, unit)
    if isinstance(found, Target) and beside.in_one_thread((*construct.around, *merged.levels)):
        return replace(found, independent=False)
    return found


def _declarations(construct: Construct, unit: Unit) -> Declarations:
    """The user's own reductions that the construct can name."""
    if construct.directive.first("reduction") is None:
        return Declarations()
    return declarations_at(construct.pragma, construct.function, unit)


def _team(construct: Construct) -> Team | Reason | None:
    """The team that shares the loop; None when it has a region of its own, or when nothing is known of it."""
    directive = construct.directive
    if construct.body is None or construct.function.body is None:
        return None
    if construct.offload is not None or beside.binds_to_teams(directive, construct.enclosing):
        return beside.team_in_league(directive, construct.enclosing)
    if directive.name not in SHARED_BY_TEAM:
        return None
    return team_of(directive.name, construct.enclosing, construct.function, construct.pragma.loc)


def condition_of(directive: Directive) -> Clause | None:
    """The `if` clause that decides whether the region is parallel; `if(simd: ...)` does not. Several are one."""
    found = [c for c in directive.all("if") if c.modifier != "simd"]
    if len(found) < 2:
        return found[0] if found else None
    return replace(found[0], user_text=" && ".join(f"({c.user_text})" for c in found))


def _context(construct: Construct) -> Reason | None:
    """What the construct is, and where it stands."""
    directive, pragma = construct.directive, construct.pragma
    around = {word for d in target.outside(construct.around) for word in d.name.split()}
    if construct.body is None:
        return Reason("OMPC310", "the loop is in a part of its function that ompc cannot read", pragma.loc)
    if (misplaced := beside.misplaced(directive, construct.enclosing, pragma.loc)) is not None:
        return misplaced
    if "parallel" in directive.name.split() and "parallel" in around:
        return Reason("OMPC303", "the loop is inside another parallel construct", pragma.loc)
    if directive.name not in SUPPORTED | SHARED_BY_TEAM and construct.offload is None:
        return Reason("OMPC315", f"the construct `{directive.name}` is not supported", pragma.loc)
    if "loop" in directive.name.split() and construct.offload is None and _binds_elsewhere(construct):
        return Reason("OMPC315", f"the construct `{directive.name}` is not supported", pragma.loc)
    return None


def _binds_elsewhere(construct: Construct) -> bool:
    """Is it a `loop` whose iterations other threads than those around it share, or each thread has?"""
    bind = construct.directive.first("bind")
    if bind is None or beside.binds_to_teams(construct.directive, construct.enclosing):
        return False
    return bind.kind != "parallel"


def _clauses(directive: Directive, pure: Collection[Symbol]) -> Reason | None:
    supported = SUPPORTED_CLAUSES | (target.CLAUSES if begins_offload(directive) else frozenset())
    for clause in directive.clauses:
        if clause.name not in supported:
            why = _WHY_NOT.get(clause.name, "is not supported")
            return Reason("OMPC304", f"the clause `{clause.name}` {why}", directive.loc)
        if clause.name == "lastprivate" and clause.modifier not in (None, "conditional"):
            message = f"the clause `lastprivate({clause.modifier}: ...)` is not supported"
            return Reason("OMPC304", message, directive.loc)
        if clause.name == "ordered" and clause.expr is not None:
            return Reason("OMPC313", f"`ordered({clause.user_text})` ties the iterations together", directive.loc)
        if clause.expr is not None and has_side_effects(clause.expr, pure):
            message = f"the argument of `{clause.name}` has a side effect, or calls a function"
            return Reason("OMPC305", message, directive.loc)
    return None


def _ties(construct: Construct, parting: Pragma | None) -> Reason | None:
    """A directive in the body by which iterations wait for one another or stop the loop; not the `scan` of its own."""
    for pragma in _pragmas_below(construct.body):
        ties = pragma.directive.name in _TIES_ITERATIONS and not is_ordered_block(pragma)
        if ties and pragma is not parting:
            message = f"`{pragma.directive.name}` in its body ties the iterations together"
            return Reason("OMPC313", message, pragma.loc)
    return None


def is_ordered_block(pragma: Pragma) -> bool:
    """Is it an `ordered` construct with a block, which waits for the blocks of all earlier iterations?"""
    directive = pragma.directive
    waits_for_named = directive.all("depend") or directive.all("doacross")
    return directive.name == "ordered" and pragma.body is not None and not waits_for_named


def _unread(construct: Construct) -> Reason | None:
    """A piece of the loop that sema could not read: it may use any variable, in any way."""
    unread = None if construct.body is None else unread_in(construct.body)
    if unread is None:
        return None
    return Reason("OMPC316", f"ompc cannot read a part of the loop: {unread.why}", unread.loc)


def _pragmas_below(body: Stmt | None) -> Iterable[Pragma]:
    return (s for s in statements_in(body) if isinstance(s, Pragma)) if body is not None else ()
