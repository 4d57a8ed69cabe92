"""Loops whose iterations run in their order, in one thread, because the program says so: they may depend on each other.

    #pragma omp parallel for num_threads(1)        the region's own words: num_threads(1), thread_limit(1), if(0)
    for (i = 1; i < n; i++) a[i] += a[i - 1];      right with gcc; a promise of independence is nowhere

    omp_set_num_threads(1);                        regions after it that ask for no number of their own
    void sweep(...) { #pragma omp for ... }        orphaned, and called only where there is no team
    void solve(...) { #pragma omp parallel for }   called only in regions; nested ones have one thread

A loop is such a one where every way to it that is seen has one thread; a way that is not seen has a team.

In: the loops of a unit, all units of the program.   Out: the loops, with `ParallelLoop.in_order`.
Not here: whether the iterations depend on each other -- mapping/mapping.py; orders that a schedule keeps -- races.py.
Source: OpenMP 5.2, 10.1.1 (how many threads a region has).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ompc.base.frozen import dataclass
from ompc.ir.constants import constant_value
from ompc.ir.directive import Directive
from ompc.ir.tree import Call, Function, Name, Pragma, Storage, Unit
from ompc.ir.walk import Node, children
from ompc.omp.constructs import is_made_of
from ompc.omp.model import ParallelLoop, Succession

_KEPT = 1 << 12
"""The functions of a program, of which the pragmas and calls are kept."""

_NO_LEVELS = "`omp_set_max_active_levels(0)`"


@dataclass(frozen=True, slots=True)
class _Threads:
    """How many threads run a piece of code. `one`: what says that it is one; `team`: is it in a parallel region?
    Not `seen`: it may be in one.
    """

    one: str | None = None
    team: bool = False
    seen: bool = True


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to a function or a loop. `asked`: does the last omp_set_num_threads before it ask for one thread?"""

    threads: _Threads
    asked: bool = False


_FIRST = _Way(_Threads())
_NOT_SEEN = _Way(_Threads(team=True, seen=False))


@dataclass(frozen=True, slots=True)
class _Site:
    """A pragma or a call in the constructs `around`, outermost first; `asked` as of _Way, None: as at the beginning."""

    node: Pragma | Call
    around: tuple[Directive, ...]
    asked: bool | None


def with_order(loops: Iterable[ParallelLoop], unit: Unit, others: Sequence[Unit] = ()) -> tuple[ParallelLoop, ...]:
    """The loops of `unit`, each with what lets its iterations run in their order."""
    loops = tuple(loops)
    if not loops:
        return ()
    program = _Program((unit, *others))
    whys = map(program.why, loops)
    return tuple(
        loop if why is None else replace(loop, in_order=Succession(why)) for loop, why in zip(loops, whys, strict=True)
    )


class _Program:
    def __init__(self, units: Sequence[Unit]) -> None:
        functions = [f for unit in units for f in unit.functions.values() if f.body is not None]
        self._by_name = {
            unit: {f.symbol.name: f for f in unit.functions.values() if f.body is not None} for unit in units
        }
        self._unit = {f: unit for unit in units for f in unit.functions.values()}
        self._sites = {f: _sites(f) for f in functions}
        self._calls = {f: [s for s in sites if isinstance(s.node, Call)] for f, sites in self._sites.items()}
        calls = [s.node for sites in self._calls.values() for s in sites if isinstance(s.node, Call)]
        self._levels = [constant_value(c.args[0]) for c in calls if _calls(c, "omp_set_max_active_levels") and c.args]
        nested = [constant_value(c.args[0]) for c in calls if _calls(c, "omp_set_nested") and c.args]
        self._nests = any(level != 0 and level != 1 for level in self._levels) or any(level != 0 for level in nested)
        self._ways = self._found_ways()

    def why(self, loop: ParallelLoop) -> str | None:
        """What makes all of its iterations run in one thread; None: nothing certainly does."""
        words = loop.directive.name.split()
        if not {"distribute", "teams"}.isdisjoint(words) or (loop.target is not None and "parallel" not in words):
            return None  # threads that are in no parallel region share its iterations, or vector lanes
        if 0 in self._levels:
            return _NO_LEVELS
        function = next((f for f in self._sites if f.symbol.name == loop.function and self._site(f, loop)), None)
        site = None if function is None else self._site(function, loop)
        if function is None or site is None:
            return None
        found = [self._of_loop(loop, self._at(site, way)) for way in self._ways[function]]
        return found[0] if found and None not in found else None

    def _site(self, function: Function, loop: ParallelLoop) -> _Site | None:
        return next((site for site in self._sites[function] if site.node is loop.pragma), None)

    def _of_loop(self, loop: ParallelLoop, way: _Way) -> str | None:
        threads = self._inside(loop.directive, way)
        return threads.one if threads.team or threads.one is not None else "a loop that no team shares"

    def _at(self, site: _Site, way: _Way) -> _Way:
        asked = way.asked if site.asked is None else site.asked
        for directive in site.around:
            way = _Way(self._inside(directive, _Way(way.threads, asked)), asked)
        return _Way(way.threads, asked)

    def _inside(self, directive: Directive, way: _Way) -> _Threads:
        """Of the code of a construct that `way` leads to."""
        words = directive.name.split()
        if "parallel" in words:
            active = way.threads.team and way.threads.seen and way.threads.one is None
            if active and not self._nests:
                return _Threads("a nested region of one thread", team=True)
            return _Threads(one_thread(directive, way.asked), team=True)
        return _Threads() if "teams" in words or "target" in words else way.threads

    def _found_ways(self) -> dict[Function, set[_Way]]:
        """For each function the ways to it, from `main` and from functions that nobody is seen to call."""
        called = {id(callee) for f, sites in self._calls.items() for s in sites if (callee := self._callee(f, s))}
        ways: dict[Function, set[_Way]] = {}
        for function in self._sites:
            first = function.symbol.name == "main"
            unseen = id(function) not in called or function.symbol.address_taken
            ways[function] = {_FIRST} if first else {_NOT_SEEN} if unseen else set()
        pending = [f for f, known in ways.items() if known]
        while pending:
            function = pending.pop()
            for site in self._calls[function]:
                callee = self._callee(function, site)
                found = {self._at(site, way) for way in ways[function]} if callee is not None else set()
                if callee is not None and not found <= ways[callee]:
                    ways[callee] |= found
                    pending.append(callee)
        return ways

    def _callee(self, function: Function, site: _Site) -> Function | None:
        if not isinstance(site.node, Call) or not isinstance(site.node.function, Name):
            return None
        name, own = site.node.function.symbol.name, self._unit[function]
        if name in self._by_name[own]:
            return self._by_name[own][name]
        found = (functions[name] for functions in self._by_name.values() if name in functions)
        return next((f for f in found if f.symbol.storage is not Storage.FILE_STATIC), None)


def one_thread(directive: Directive, asked: bool = False) -> str | None:
    """What says that the region of a `parallel` directive has one thread, or each team of a `teams` directive."""
    for clause in directive.all("if"):
        if clause.expr is not None and clause.modifier in (None, "parallel") and constant_value(clause.expr) == 0:
            return "`if(0)`"
    for name in ("num_threads", "thread_limit"):
        if any(c.expr is not None and constant_value(c.expr) == 1 for c in directive.all(name)):
            return f"`{name}(1)`"
    return "`omp_set_num_threads(1)`" if asked and directive.first("num_threads") is None else None


@lru_cache(maxsize=_KEPT)
def _sites(function: Function) -> tuple[_Site, ...]:
    """The pragmas and calls of a function, in the order of the text. Trees do not change, and each file of a program
    asks about the functions of all.
    """
    found: list[_Site] = []
    asked: bool | None = None
    pending: list[tuple[Node, tuple[Directive, ...]]] = [] if function.body is None else [(function.body, ())]
    while pending:
        node, around = pending.pop()
        inside = around
        if isinstance(node, Pragma):
            found.append(_Site(node, around, asked))
            inside = (*around, *_region(node))
        elif isinstance(node, Call):
            found.append(_Site(node, around, asked))
            if _calls(node, "omp_set_num_threads") and node.args:
                asked = constant_value(node.args[0]) == 1
        pending += [(child, inside) for child in reversed(children(node))]
    return tuple(found)


def _region(pragma: Pragma) -> Iterator[Directive]:
    """The directive, where the number of threads may be another one in its construct."""
    if is_made_of(pragma.directive, "parallel", "teams", "target"):
        yield pragma.directive


def _calls(call: Call, name: str) -> bool:
    return isinstance(call.function, Name) and call.function.symbol.name == name
