"""The team that shares the iterations of a worksharing loop which is no parallel region of its own (OpenMP 5.2, 11.5).

    #pragma omp parallel private(t)         every thread of the team runs `code`, the region's body; `t` and whatever
    {                                       is declared in it exist once per thread: they are private to the thread
        double local = 0;
        #pragma omp for                     one of the team's loops
        ...
    }
    void sweep(int n) { #pragma omp for ... }     orphaned: `code` is the function's body; n is each thread's own

In: the constructs around a worksharing loop, the function.   Out: `Team`, or the reason why the loop cannot be shared
by a team (OMPC303: in a region within a region, or in a construct that is not the team's).
Not here: what becomes of the private variables in a kernel -- analysis/privatisation/team_private.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir.directive import Directive
from ompc.ir.queries import declared_in, symbols_in
from ompc.ir.tree import Function, Stmt, Storage, Symbol
from ompc.omp.constructs import forks_team
from ompc.omp.model import Team
from ompc.omp.reductions import operator_of

_EXECUTED_BY_ALL = frozenset({"taskgroup", "scope"})
"""Constructs inside a region whose body every thread of the team executes."""

_REGIONS = frozenset({"parallel", "target parallel"})
"""Constructs that make a team and run other code than one loop."""

_PRIVATISES = frozenset({"private", "firstprivate", "reduction"})


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A construct around a loop, with the statement that it applies to."""

    directive: Directive
    body: Stmt

    @property
    def is_parallel(self) -> bool:
        return forks_team(self.directive)


def team_of(name: str, enclosing: Sequence[Enclosing], function: Function, loc: Location) -> Team | Reason:
    """The team that shares the worksharing loop `name` at `loc`; `enclosing` is outermost first."""
    regions = [construct for construct in enclosing if construct.is_parallel]
    if len(regions) > 1:
        return Reason("OMPC303", "the loop is inside another parallel construct", loc)
    inside = enclosing[enclosing.index(regions[0]) + 1 :] if regions else enclosing
    names = [c.directive.name for c in inside if not _is_executed_by_all(c.directive)]
    names += [c.directive.name for c in regions if c.directive.name not in _REGIONS]
    if names:
        return Reason("OMPC303", f"`{name}` is closely nested in `{names[0]}`", loc)
    if regions:
        region = regions[0]
        return Team(region.directive, region.body, private_in(region), _results_of(region))
    assert function.body is not None
    return Team(None, function.body, _private_to(function), {})


def _is_executed_by_all(directive: Directive) -> bool:
    """Does every thread of the team execute its body, with the variables that are named outside?"""
    copies = directive.name == "scope" and any(clause.name in _PRIVATISES for clause in directive.clauses)
    return directive.name in _EXECUTED_BY_ALL and not copies


def private_in(region: Enclosing) -> frozenset[Symbol]:
    """What each thread of the region has a copy of."""
    named = {s for clause in region.directive.clauses if clause.name in _PRIVATISES for s in clause.symbols}
    return frozenset(named | _automatic_in(region.body) | _threadprivate_in(region.body))


def _results_of(region: Enclosing) -> dict[Symbol, str]:
    """The region's reduction variables: what becomes of each thread's copy at its end."""
    clauses = region.directive.all("reduction")
    return {symbol: operator_of(clause) for clause in clauses for symbol in clause.symbols}


def _private_to(function: Function) -> frozenset[Symbol]:
    """What every call of the function has a copy of."""
    assert function.body is not None
    return frozenset({*function.params} | _automatic_in(function.body) | _threadprivate_in(function.body))


def _automatic_in(code: Stmt) -> set[Symbol]:
    return {symbol for symbol in declared_in(code) if symbol.storage in (Storage.AUTO, Storage.REGISTER)}


def _threadprivate_in(code: Stmt) -> set[Symbol]:
    return {symbol for symbol in symbols_in(code) if symbol.threadprivate or symbol.storage is Storage.THREAD}
