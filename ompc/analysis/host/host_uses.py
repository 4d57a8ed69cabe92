"""Analysis: where the host accesses the objects of launches, and when: before, between or after the launches.

    init(u);                                     before the launches
    while (error > tol) {                        a loop around the launches: what it accesses, it accesses between them
        #pragma omp parallel for ...
        error = norm(u);                         also in called functions, of this file or others
    }
    fwrite(u, 8, n, f);                          after them; and what functions without source do

Functions are summarised, callees first: what they access in terms of their parameters and of known objects. Where an
access and a launch meet in one function, their places say what comes first; a loop around both makes it a circle. Code
that is not seen calls what it can name again and again, in any order. An access that is listed may happen, and may be
to another part of the object than the launch uses.

    In: the units of the program, the objects of each launch.   Out: HostUses.
    Not here: words -- residency/residual_transfers.py; what decides at run time: page guards see every access
    (ompc_resident.h).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from math import inf

from ompc.analysis.eligibility.library_effects import Effect
from ompc.analysis.host.host_code import Access, By, HostCode, Launch, Span, Use, host_code
from ompc.analysis.host.host_objects import Given, Object, Program, origins
from ompc.analysis.host.host_parameters import Passed, Sources
from ompc.analysis.host.host_pointers import NONE, Pointers, sorted_objects
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t

MOST_PLACES = 2
"""Calls of one function by another that are all looked at."""


MOST_PAIRS = 1_000_000
"""Of accesses and launches that meet somewhere: some seconds."""


class TooMany(Exception):
    """The program has more than MOST_PAIRS: nothing is known."""


class When(IntEnum):
    """Of an access, as seen from a launch."""

    BEFORE = 0
    AFTER = 1
    AROUND = 2  # a loop goes over both


@dataclass(frozen=True, slots=True)
class Relation:
    """An access and a launch.

    `loop`          that goes over both; None: calls by code that is not seen
    `sometimes`     under a condition under which the launch is not
    `in_condition`  the access is in that of the loop
    `between`       before this launch, and after one that uses the object too
    `call`          by which the access is made, where it is made in another function than the launch is
    """

    access: Access
    when: When
    loop: Location | None = None
    sometimes: bool = False
    in_condition: bool = False
    between: bool = False
    call: Location | None = None


@dataclass(frozen=True, slots=True)
class UsesOf:
    """What the host does with the objects that a launch knows by one name.

    `repeated`: it can be launched again; `shared`: other loops use one of the objects.
    """

    relations: tuple[Relation, ...]
    repeated: bool
    shared: bool
    objects: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """`sometimes`: always under a condition. `call`: by which it is reached."""

    at: float
    what: Access | Use
    sources: Sources
    sometimes: bool
    call: Location | None = None


_Summary = Mapping[Access | Use, tuple[Sources, bool]]
"""What a function does, directly or not: to what, and whether always under a condition."""


class HostUses:
    """Answers for one program, by the keys of the launches' uses."""

    def __init__(self, units: Sequence[t.Unit], launches: Mapping[t.Pragma, Launch]) -> None:
        self._pointers = Pointers(Program(units))
        self.codes: Mapping[t.Symbol, HostCode] = self._reached(launches)  # of every function that can run
        self._objects = self._used()
        self._wanted = frozenset(each for found in self._objects.values() for each in found)
        self._copies: dict[Object, set[Object]] = defaultdict(set)  # those wanted, by what they are copies of
        for wanted in self._wanted:
            for base in origins(wanted):
                self._copies[base].add(wanted)
        self._matches: dict[Sources, frozenset[Object]] = {}
        self._summaries: dict[t.Symbol, _Summary] = {}
        self._circles: dict[t.Symbol, _Summary] = {}
        self._pairs = 0
        self._active: list[t.Symbol] = []
        self._recursive: set[t.Symbol] = set()
        self._repeated: set[Hashable] = set()
        self._related: dict[Object, dict[Hashable, set[Relation]]] = defaultdict(lambda: defaultdict(set))
        self._after: dict[Object, frozenset[Access]] = {}
        self._from_entries()

    def of(self, key: Hashable) -> UsesOf:
        """What is known of the use with this key."""
        found: dict[Relation, None] = {}
        objects = sorted_objects(self._objects.get(key, ()))
        for each in objects:
            by_key = self._related.get(each, {})
            if each not in self._after:
                every = (relation for relations in by_key.values() for relation in relations)
                self._after[each] = frozenset(r.access for r in every if r.when is not When.BEFORE)
            for relation in by_key.get(key, ()):
                between = relation.when is When.BEFORE and relation.access in self._after[each]
                found[replace(relation, between=between)] = None
        shared = any(len(self._loops[each]) > 1 for each in objects)
        return UsesOf(tuple(sorted(found, key=_order)), key in self._repeated, shared, tuple(objects))

    def accessed_in(self, code: HostCode, span: Span) -> frozenset[Object]:
        """The objects of launches that host code accesses at these places of a function, and in what it calls there."""
        placed = [_Placed(event.at, event.what, event.sources, False) for event in code.events if span.holds(event.at)]
        for at, call, seen, back in code.calls:
            for callee in (*seen, *back) if span.holds(at) else ():
                placed += self._called(code, at, callee, call, passed_on=callee in back)
        return NONE.union(*(self._matching(each.sources) for each in placed if isinstance(each.what, Access)))

    def used_in(self, code: HostCode) -> frozenset[Object]:
        """Those that the function, or what it calls, uses in any way."""
        return NONE.union(*(self._matching(sources) for sources, _ in self._summary(code.function.symbol).values()))

    # ------------------------------------------------- what callers pass

    def entries(self) -> tuple[t.Function, ...]:
        """The functions that code which is not seen can call; none but `main` where there is one."""
        return self._pointers.program.entries()

    def objects(self, key: Hashable) -> frozenset[Object]:
        """What the use with this key can be of."""
        return frozenset(self._objects.get(key, ()))

    def is_used(self, found: Object) -> bool:
        """Does a launch use it?"""
        return found in self._wanted

    def accesses_to(self, found: Object) -> list[Access]:
        """By code that can run before, between or after launches that use it."""
        related = self._related.get(found, {}).values()
        accesses = {relation.access for relations in related for relation in relations}
        return sorted(accesses, key=lambda access: (access.loc, access.name))

    def follows_unknown(self, symbol: t.Symbol) -> bool:
        """Does the function, or one that it calls, follow pointers of which nothing is known?"""
        return any(self.codes[below].follows_unknown for below in self._below(symbol))

    def stored_parameters(self) -> frozenset[Given]:
        """Whose pointers are stored where other calls can find them."""
        return self._pointers.stored_parameters()

    # ---------------------------------------------------------------- objects

    def _reached(self, launches: Mapping[t.Pragma, Launch]) -> dict[t.Symbol, HostCode]:
        """The code of every function that can run."""
        codes: dict[t.Symbol, HostCode] = {}
        pending = list(self._pointers.program.entries())
        while pending:
            function = pending.pop()
            if function.symbol not in codes:
                code = codes[function.symbol] = host_code(function, self._pointers, launches)
                pending += [callee for _, _, seen, back in code.calls for callee in (*seen, *back)]
        return codes

    def _used(self) -> Mapping[Hashable, set[Object]]:
        """The objects of each use; and the loops that use each."""
        found: dict[Hashable, set[Object]] = defaultdict(set)
        self._loops: dict[Object, set[Hashable]] = defaultdict(set)
        for code in self.codes.values():
            for event in code.events:
                if isinstance(event.what, Use):
                    objects = self._concrete(event.sources)
                    found[event.what.key] |= objects
                    for each in objects:
                        self._loops[each].add(event.what.loop)
        return found

    def _concrete(self, sources: Iterable[Object | Passed]) -> frozenset[Object]:
        known = (self._pointers.passed_to(s.parameter) if isinstance(s, Passed) else frozenset({s}) for s in sources)
        return NONE.union(*known)

    def _matching(self, sources: Sources) -> frozenset[Object]:
        """The objects of launches that these can be; a block stands for its copies, and a copy for its block."""
        if sources not in self._matches:
            found: set[Object] = set()
            for each in self._concrete(sources):
                if each in self._copies:
                    found |= self._copies[each]
                else:
                    found.update(base for base in origins(each) if base in self._wanted)
            self._matches[sources] = frozenset(found)
        return self._matches[sources]

    def _narrowed(self, sources: Sources) -> Sources:
        """Without what no launch uses."""
        passed = {s for s in sources if isinstance(s, Passed) and self._matching(frozenset({s}))}
        return self._matching(frozenset(s for s in sources if not isinstance(s, Passed))) | passed

    # -------------------------------------------------------------- summaries

    def _summary(self, symbol: t.Symbol) -> _Summary:
        if symbol not in self._summaries:
            self._active.append(symbol)
            code = self.codes[symbol]
            placed = [_Placed(event.at, event.what, event.sources, False) for event in code.events]
            for at, call, seen, back in code.calls:
                for callee in seen:
                    placed += self._called(code, at, callee, call)
                for callee in back:
                    placed += self._called(code, at, callee, call, passed_on=True)
            self._active.pop()
            circle = [Span(-inf, inf, symbol.loc)] if symbol in self._recursive else []
            placed = [each for each in placed if self._matching(each.sources)]
            self._relate(placed, [*code.loops, *circle], code.branches)
            self._summaries[symbol] = self._summed(placed, code.branches)
        return self._summaries[symbol]

    def _called(
        self, code: HostCode, at: int, callee: t.Function, call: t.Call, passed_on: bool = False
    ) -> Iterator[_Placed]:
        """What a call does, in terms of its caller; `passed_on`: the function is called by code that is not seen."""
        if callee.symbol in self._active:
            self._recursive.update(self._active[self._active.index(callee.symbol) :])
            for what, (sources, _) in self._circle(callee.symbol).items():
                yield _Placed(at, what, sources, True, call.loc)
            return
        arguments = dict(zip(callee.params, () if passed_on else call.args))  # noqa: B905  old-style calls
        for what, (sources, sometimes) in self._summary(callee.symbol).items():
            lifted: set[Object | Passed] = set()
            for source in sources:
                if isinstance(source, Passed) and source.parameter in arguments:
                    lifted |= code.local.value(arguments[source.parameter])
                else:
                    lifted |= self._concrete([source])
            yield _Placed(at, what, frozenset(lifted), sometimes, call.loc)

    def _circle(self, symbol: t.Symbol) -> _Summary:
        """What a function may do that comes back to where it is called."""
        if symbol not in self._circles:
            events = (event for below in self._below(symbol) for event in self.codes[below].events)
            placed = [_Placed(0, event.what, self._matching(event.sources), True) for event in events]
            self._circles[symbol] = self._summed([each for each in placed if each.sources], ())
        return self._circles[symbol]

    def _summed(self, placed: Iterable[_Placed], branches: Sequence[Span]) -> _Summary:
        sources: dict[Access | Use, set[Object | Passed]] = defaultdict(set)
        under: dict[Access | Use, bool] = {}
        for each in placed:
            sometimes = each.sometimes or any(branch.holds(each.at) for branch in branches)
            under[each.what] = under.get(each.what, True) and sometimes
            sources[each.what] |= each.sources
        return {what: (self._narrowed(frozenset(sources[what])), sometimes) for what, sometimes in under.items()}

    def _below(self, symbol: t.Symbol) -> Iterable[t.Symbol]:
        seen = {symbol: None}
        pending = [symbol]
        while pending:
            for _, _, direct, back in self.codes[pending.pop()].calls:
                fresh = [callee.symbol for callee in (*direct, *back) if callee.symbol not in seen]
                seen.update(dict.fromkeys(fresh))
                pending += fresh
        return seen

    def _from_entries(self) -> None:
        """Code that is not seen calls all functions that it can name, in any order, and uses what it can reach."""
        placed: list[_Placed] = []
        pointers = self._pointers
        program = pointers.program
        for at, entry in enumerate(program.entries()):
            summary = self._summary(entry.symbol)
            if program.main is None:
                given: set[Object] = {Given(parameter) for parameter in entry.params}
                given |= pointers.reachable({*pointers.kept, *program.external_objects()})
                access = Access(entry.symbol.loc, Effect.BOTH, By.CALLERS, entry.name)
                placed.append(_Placed(at, access, frozenset(given), True))
                placed += [_Placed(at, what, self._concrete(sources), True) for what, (sources, _) in summary.items()]
        self._relate(placed, [Span(-inf, inf)], [])

    # -------------------------------------------------------------- relations

    def _relate(self, placed: Sequence[_Placed], loops: Sequence[Span], branches: Sequence[Span]) -> None:
        """What meets in one function."""
        loops = sorted(loops, key=lambda loop: loop.end - loop.begin)
        met: dict[Object, tuple[list[_Placed], list[_Placed]]] = defaultdict(lambda: ([], []))
        for each in _representatives(placed, loops):
            for found in self._matching(each.sources):
                met[found][isinstance(each.what, Use)].append(each)
        for found, (accesses, uses) in met.items():
            self._repeat(uses, loops)
            by_loop: dict[Hashable, list[_Placed]] = defaultdict(list)
            keys: dict[Hashable, set[Hashable]] = defaultdict(set)
            for use in uses:
                assert isinstance(use.what, Use)
                if found in self._objects[use.what.key]:
                    by_loop[use.what.loop].append(use)
                    keys[use.what.loop].add(use.what.key)
            self._pairs += len(accesses) * len(by_loop)
            if self._pairs > MOST_PAIRS:
                raise TooMany
            for launched, places in by_loop.items():
                new = frozenset(_relations(accesses, places, loops, branches))
                for key in keys[launched]:
                    self._related[found][key] |= new

    def _repeat(self, uses: Sequence[_Placed], loops: Sequence[Span]) -> None:
        first: dict[Hashable, float] = {}
        for use in uses:
            assert isinstance(use.what, Use)
            again = first.setdefault(use.what.key, use.at) != use.at
            if again or any(loop.holds(use.at) for loop in loops):
                self._repeated.add(use.what.key)


def _representatives(placed: Iterable[_Placed], loops: Sequence[Span]) -> Iterator[_Placed]:
    """Of what happens in many places: the first and last of them, and the first of each loop."""
    same: dict[tuple[Access | Use, Sources], list[_Placed]] = defaultdict(list)
    for each in placed:
        same[each.what, each.sources].append(each)
    for places in same.values():
        if len(places) > MOST_PLACES:
            firsts = (next((each for each in places if loop.holds(each.at)), places[0]) for loop in loops)
            yield from dict.fromkeys([places[0], *firsts, places[-1]])
        else:
            yield from places


def _relations(
    accesses: Sequence[_Placed], uses: Sequence[_Placed], loops: Sequence[Span], branches: Sequence[Span]
) -> Iterator[Relation]:
    """Of all accesses and uses by their first and last places, and the first one in a common loop."""
    uses = sorted(uses, key=lambda use: use.at)
    places = [use.at for use in uses]
    in_loops = [
        (loop, uses[at])
        for loop in loops
        if (at := bisect_left(places, loop.begin)) < len(uses) and loop.holds(uses[at].at)
    ]
    ends = (uses[0], uses[-1]) if len(uses) > 1 else (uses[0],)
    for access in accesses:
        common = next((use for loop, use in in_loops if loop.holds(access.at)), None)
        for use in ends if common is None else (common,):
            relation = _relation(access, use, loops, branches)
            if relation is not None:
                yield relation


def _relation(access: _Placed, use: _Placed, loops: Sequence[Span], branches: Sequence[Span]) -> Relation | None:
    """`loops`: the smallest ones first."""
    assert isinstance(access.what, Access)
    around = next((loop for loop in loops if loop.holds(access.at) and loop.holds(use.at)), None)
    if around is None:
        if access.at == use.at:
            return None  # in the function that is called there
        return Relation(access.what, When.BEFORE if access.at < use.at else When.AFTER, call=access.call)
    first, last = around.condition
    under = any(branch.holds(access.at) and not branch.holds(use.at) and _inside(branch, around) for branch in branches)
    in_condition = first <= access.at <= last
    return Relation(access.what, When.AROUND, around.loc, access.sometimes or under, in_condition, call=access.call)


def _inside(inner: Span, outer: Span) -> bool:
    return outer.begin <= inner.begin and inner.end <= outer.end


def _order(relation: Relation) -> tuple[bool, Location, int, str]:
    """The host's own statements first, then by place; no two are equal."""
    return relation.access.by is not By.HOST, relation.access.loc, -relation.when, repr(relation)
