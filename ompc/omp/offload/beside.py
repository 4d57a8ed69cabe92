"""Loops beside other code of a `target`, `target parallel` or `teams` construct (OpenMP 5.2, 10.2, 13.8).

    #pragma omp target teams map(tofrom: a)        the region is the host's, which runs it as written: its only device
    {
        int shift = f();                           every team's initial thread
        #pragma omp distribute parallel for        one launch, if there is one team
        for (i = 0; i < n; i++) a[i] += shift;
        #pragma omp parallel for                   one launch by each team, since a team's thread runs all of its loop
        for (i = 0; i < n; i++) b[i] = a[i];
    }

What stands in a `target` or `teams` region names the region's own copies of variables: the launch takes those, being
called there. Only a called function still uses the originals (`copies_around`).

With gcc the teams of the host run one after the other, and a `target` region has one that asks for no number. Which
iterations of a `distribute` loop one of several teams runs is not said here: such a loop stays on the host, at the
latest when it is reached (OMPC470). Among teams that run at the same time, no loop is launched.

In: what stands around a loop.   Out: a Reason (OMPC353, OMPC303), or what the launch asks of the league; the copies.
Not here: regions that are one loop -- target.py; the threads of `target parallel` -- teams.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.directive import Directive
from ompc.ir.tree import Pragma, Storage, Symbol, Unit
from ompc.omp.constructs import begins_offload, is_target_region, listed
from ompc.omp.model import League, Sharing, Team
from ompc.omp.offload.in_order import one_thread
from ompc.omp.offload.target import FAMILY, TRANSPARENT
from ompc.omp.offload.target_data import copies_of, declared_for_devices
from ompc.omp.offload.teams import Enclosing, private_in
from ompc.omp.reductions import operator_of

_PRIVATISES = ("private", "firstprivate", "lastprivate", "reduction", "in_reduction", "linear")
_FILE_SCOPE = frozenset({Storage.GLOBAL, Storage.FILE_STATIC, Storage.EXTERN})

_WITH_THREADS = "target parallel"
"""A region whose threads share loops as those of `parallel` do."""


def misplaced(directive: Directive, enclosing: Sequence[Enclosing], loc: Location) -> Reason | None:
    """Why a loop in these constructs, outermost first, could not be launched; None when nothing is against it."""
    words = directive.name.split()
    outer = _constructs_of_devices(enclosing)
    if outer:
        return _beside(directive, outer, enclosing, loc)
    if begins_offload(directive):
        if any(construct.is_parallel for construct in enclosing):
            return Reason("OMPC303", "the loop is inside another parallel construct", loc)
        if FAMILY.isdisjoint(words[:1]) or words[0] == "distribute":
            return Reason("OMPC353", f"`{directive.name}` is orphaned: its teams region is not in this function", loc)
    return None


def league_of(directive: Directive, enclosing: Sequence[Enclosing]) -> League:
    """What a launch of the loop asks of the teams that come to it. The loop is not `misplaced`."""
    if not _constructs_of_devices(enclosing):
        return League.NONE
    return League.ONE if _shared_by_teams(directive, enclosing) else League.IN_TURN


def team_in_league(directive: Directive, enclosing: Sequence[Enclosing]) -> Team | None:
    """The one thread of the one team that runs a `distribute` loop, with the variables of the team's own.

    None: the loop is another one, whose threads share those variables.
    """
    if "parallel" in directive.name.split() or league_of(directive, enclosing) is not League.ONE:
        return None
    region = _constructs_of_devices(enclosing)[-1]
    results = {symbol: operator_of(clause) for clause in region.directive.all("reduction") for symbol in clause.symbols}
    return Team(region.directive, region.body, private_in(region), results)


def in_one_thread(directives: Sequence[Directive]) -> bool:
    """Does one thread of one team certainly run all iterations, so that they may depend on earlier ones?

    A `distribute` loop's team is one thread; with `parallel`, where its words, or those of `teams`, say so.
    """
    words = {word for d in directives for word in d.name.split()}
    if "distribute" not in words or 1 not in [number for d in directives if (number := _asked_teams(d)) is not None]:
        return False
    shared = [d for d in directives if not {"parallel", "teams"}.isdisjoint(d.name.split())]
    return "parallel" not in words or any(one_thread(d) for d in shared)


def binds_to_teams(directive: Directive, enclosing: Sequence[Enclosing]) -> bool:
    """Is it a `loop` construct of the threads that begin teams?"""
    bind = directive.first("bind")
    inside = bool(enclosing) and _innermost_binding(enclosing) == "teams"
    return directive.name == "loop" and inside and (bind is None or bind.kind == "teams")


def copies_around(pragma: Pragma, enclosing: Sequence[Enclosing], unit: Unit) -> frozenset[Symbol]:
    """The variables of file scope of which a construct around the loop has copies: there the name means the copy.

    A `target` region copies a scalar or pointer that it names, and the launch names what the loop's functions use.
    """
    directives = [construct.directive for construct in enclosing]
    found = listed(directives, *_PRIVATISES)
    for region in filter(is_target_region, directives):
        of_file = [s for s in pragma.scope.values() if s.storage in _FILE_SCOPE]
        scalars = [s for s in of_file if ty.is_scalar(s.type) or ty.is_number(s.type)]
        found |= copies_of([region], dict.fromkeys(scalars, Sharing.SHARED), declared_for_devices(unit))
        pointers = {s for s in scalars if not ty.is_number(s.type)}
        found |= pointers - declared_for_devices(unit)
    return frozenset(symbol for symbol in found if symbol.storage in _FILE_SCOPE and not symbol.threadprivate)


# ------------------------------------------------------------------------------ in a league


def _constructs_of_devices(enclosing: Sequence[Enclosing]) -> list[Enclosing]:
    """Those that make a league of teams, or share among teams."""
    left_out = TRANSPARENT | {_WITH_THREADS}
    return [c for c in enclosing if begins_offload(c.directive) and c.directive.name not in left_out]


def _beside(
    directive: Directive, outer: Sequence[Enclosing], enclosing: Sequence[Enclosing], loc: Location
) -> Reason | None:
    region = outer[-1].directive
    if len(outer) > 1 or region.name not in ("teams", "target teams") or _is_in_parallel(outer[0], enclosing):
        return Reason("OMPC353", f"`{directive.name}` is in a `{region.name}` region that contains other code", loc)
    if not _shared_by_teams(directive, enclosing):
        if "parallel" in directive.name.split() or any(c.is_parallel for c in enclosing):
            return None
        return Reason("OMPC353", f"`{directive.name}` is in a `{region.name}` region, where a team is one thread", loc)
    if _innermost_binding(enclosing) != "teams":
        return Reason("OMPC303", f"`{directive.name}` is inside another parallel construct", loc)
    teams = _asked_teams(region)
    may_be_one = region.first("num_teams") is not None or any(is_target_region(c.directive) for c in enclosing)
    if teams == 1 or (teams is None and may_be_one):
        return None
    message = f"`{directive.name}` shares its iterations among several teams, which also run other code of the region"
    return Reason("OMPC353", message, loc)


def _is_in_parallel(region: Enclosing, enclosing: Sequence[Enclosing]) -> bool:
    return any(construct.is_parallel for construct in enclosing[: enclosing.index(region)])


def _shared_by_teams(directive: Directive, enclosing: Sequence[Enclosing]) -> bool:
    return directive.name.split()[0] == "distribute" or binds_to_teams(directive, enclosing)


def _innermost_binding(enclosing: Sequence[Enclosing]) -> str:
    """`parallel` or `teams`: the threads of which of them run the code that all of the constructs are around."""
    for construct in reversed(enclosing):
        words = construct.directive.name.split()
        if found := [word for word in words if word in ("parallel", "teams")]:
            return found[-1]
    return ""


def _asked_teams(directive: Directive) -> int | None:
    """The number that `num_teams` asks for, as a constant; of two, which leave a choice, none."""
    clause = directive.first("num_teams")
    return None if clause is None or clause.expr is None or clause.lower is not None else constant_value(clause.expr)
