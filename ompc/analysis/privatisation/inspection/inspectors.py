"""Analysis: objects of each thread that the host finds to be privatisable before a launch, by an inspector.

    static double x[N], y[N];                         the launch asks  ompc_inspect_fft_x_y(n, pad)
    #pragma omp threadprivate(x, y)
    for (k ...) { fill(x, n); transform(n, x, y); ... = x[i]; }

Which elements the iterations of a loop access, and in which order, may say nothing but what the program has settled by
then (settled.py), as n of a power of 2: then each iteration accesses the same, now and later. No set of integers may
describe it; but the host can run what finds the subscripts, once, without the data. So it does for each function that
names the objects, with what that is ever called with. Nothing is read that its own iteration, or its own call outside
of loops, has not written: then no iteration wants what another one has left, and no launch has to leave anything.

In the loop itself an object begins anew in the innermost block that has all its names, and may be one of that block.

    In: a loop, objects, the unit, the program.   Out: Inspected, and these blocks; None: an inspector cannot tell.
    Not here: what is proved without that -- upward_exposed.py.
    Source: Rauchwerger and Padua, "The LRPD test: speculative run-time parallelization of loops with privatization and
    reduction parallelization", PLDI 1995; the inspector of an access pattern that no data changes runs once, as in
    Ponnusamy, Saltz and Choudhary, "Runtime compilation techniques for data partitioning and communication schedule
    reuse", SC 1993.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from ompc.analysis.privatisation.inspection.contexts import Contexts, internal_functions
from ompc.analysis.privatisation.inspection.own_blocks import declared_inside
from ompc.analysis.privatisation.inspection.pruning import pruned
from ompc.analysis.privatisation.inspection.slices import Slices, innermost_block, worksharing_loops
from ompc.analysis.privatisation.inspection.trials import answers
from ompc.analysis.privatisation.inspection.values import Learnt, NotInspectable, Values
from ompc.analysis.privatisation.settled import Settled, key_of
from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.queries import changed_in, declared_in, names_in, nodes, reached, read_for_lengths, symbols_in
from ompc.omp.asked import Inspected
from ompc.omp.model import ParallelLoop

MOST_ROUNDS, MOST_NAMED = 40, 4
TEAM = "team"
"""The name of the inspector's function for the code of a region."""
_OF_UNIT = (t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC)


_Asked = tuple[frozenset[t.Symbol], frozenset[t.Symbol]]
"""Objects, and what is settled."""


@dataclass(frozen=True)
class Found:
    """`blocks`: where in the loop each object begins anew."""

    asked: Inspected
    blocks: Mapping[t.Symbol, Location]

    def of(self, loop: ParallelLoop) -> ParallelLoop:
        """The loop with the objects, which are private to its iterations by now, in these blocks."""
        return declared_inside(replace(loop, inspected=(*loop.inspected, self.asked)), self.blocks)


@dataclass
class Inspectors:
    """Of one unit."""

    unit: t.Unit
    program: WholeProgram | None
    _made: dict[_Asked, tuple[i.Inspector, bool] | None] = field(default_factory=dict)
    _names: dict[i.Inspector, str] = field(default_factory=dict)

    def of(self, loop: ParallelLoop, objects: Sequence[t.Symbol], settled: Settled) -> Found | None:
        """What the launch asks so that `objects` are only private to an iteration of the loop."""
        key = frozenset(objects), settled.symbols
        if key not in self._made:
            followed = all(self._is_followed(symbol) for symbol in objects)
            self._made[key] = self._best(objects, settled) if followed else None
        if (made := self._made[key]) is None or not all(_is_seen(loop, given.symbol) for given in made[0].values):
            return None
        return self._found(loop, objects, *made)

    def of_region(self, loop: ParallelLoop, objects: Sequence[t.Symbol], settled: Settled) -> Found | None:
        """The same for `objects` that each thread has for the region around the loop."""
        region = None if loop.team is None else loop.team.region
        if loop.team is None or region is None or any(not _is_of_region(s, loop.team.code, region) for s in objects):
            return None
        numbers = _fixed_in(loop, self.unit.functions)
        known = Settled(settled.symbols | numbers, settled.values)
        team = _TeamCode(loop.team.code, loop.team.private, numbers)
        found = self._best(objects, known, team)
        if found is None or not all(_is_seen(loop, given.symbol) for given in found[0].values):
            return None
        return self._found(loop, objects, *found)

    def _found(self, loop: ParallelLoop, objects: Sequence[t.Symbol], inspector: i.Inspector, narrow: bool) -> Found:
        blocks = dict(self._blocks(loop, objects)) if narrow else {}
        arguments = tuple(given.text for given in inspector.values)
        return Found(Inspected(self._name(inspector), tuple(s.name for s in objects), arguments, inspector), blocks)

    def _blocks(self, loop: ParallelLoop, objects: Sequence[t.Symbol]) -> Iterator[tuple[t.Symbol, Location]]:
        """Where the inspector has objects begin anew in the loop, as far as the loop still has the program's text."""
        function = self.unit.functions.get(loop.function)
        loops = {} if function is None else worksharing_loops(function)
        own = [body for pragma, body in loops.items() if pragma.loc == loop.pragma.loc]
        if loop.body is None or len(own) != 1:
            return
        for symbol in objects:
            block, inspected = (innermost_block(body, symbol) for body in (loop.body, own[0]))
            names = [len(names_in(body).get(symbol, ())) for body in (loop.body, own[0])]
            if block is not None and inspected is not None and block.loc == inspected.loc and names[0] == names[1]:
                yield symbol, block.loc

    def _name(self, inspector: i.Inspector) -> str:
        if inspector not in self._names:
            words = [PurePath(self.unit.file).stem, *(s.name for s in inspector.objects[:MOST_NAMED])]
            wanted = "ompc_inspect_" + re.sub(r"\W", "_", "_".join(words), flags=re.ASCII)
            taken = set(self._names.values())
            numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
            self._names[inspector] = next(name for name in (wanted, *numbered) if name not in taken)
        return self._names[inspector]

    def _begun(self, objects: Sequence[t.Symbol]) -> list[dict[t.Block, list[t.Symbol]]]:
        """For each loop that names them, the blocks where they begin anew."""
        found: list[dict[t.Block, list[t.Symbol]]] = []
        for function in self.unit.functions.values():
            for body in worksharing_loops(function).values():
                blocks: dict[t.Block, list[t.Symbol]] = {}
                for symbol in objects:
                    block = innermost_block(body, symbol)
                    if block is not None:
                        blocks.setdefault(block, []).append(symbol)
                found.append(blocks)
        return found

    # --------------------------------------------------------------------- the inspector

    def _best(
        self, objects: Sequence[t.Symbol], settled: Settled, team: _TeamCode | None = None
    ) -> tuple[i.Inspector, bool] | None:
        """And whether objects begin anew in the innermost blocks: where it says the same with that as without. Of the
        code of a `team`, or of all functions that name the objects.
        """
        begun = {block: symbols for each in self._begun(objects) for block, symbols in each.items()}
        try:
            wide, narrow = (self._built(objects, settled, each, team) for each in ({}, begun))
        except NotInspectable:
            return None
        known = settled.numbers
        said = answers(wide, known)
        if all(answer is False for answer in said):
            return None
        return (narrow, True) if said == answers(narrow, known) else (wide, False)

    def _built(
        self,
        objects: Sequence[t.Symbol],
        settled: Settled,
        begun: Mapping[t.Block, Sequence[t.Symbol]],
        team: _TeamCode | None,
    ) -> i.Inspector:
        functions = self.unit.functions
        named = _named_in([*functions.values()], objects) if team is None else []
        touching = frozenset(f.name for f in functions.values() if f.body and self._reaches(f.body, named))
        contexts = Contexts(functions, internal_functions(self.unit, self.program), settled)
        places = _named_apart(objects, self._all_names())
        variables = _Settled(settled.symbols, self._all_names() | {s.name for s in places.values()})
        learnt = Learnt() if team is None else Learnt(team.unknown)
        of_team = None if team is None else team.function(_free(TEAM, {*self._all_names()}))
        for _ in range(MOST_ROUNDS):
            before = learnt.amount
            slices = Slices(Values(places, variables.of, lambda call: None, learnt), functions, touching, begun)
            calls = [slices.call_of(function, args) for function in named for args in contexts.of(function)]
            calls += [] if of_team is None else [slices.call_of(of_team, ())]
            if learnt.amount == before:
                made = pruned(tuple(slices.made.values()), calls)
                return i.Inspector(tuple(objects), tuple(places.values()), variables.used(made), *made)
        raise NotInspectable

    def _is_followed(self, symbol: t.Symbol) -> bool:
        """Is it an object that only functions of the unit name, and nothing else than code?"""
        functions = self.unit.functions.values()
        size = ty.size_of(symbol.type)
        if size is None or ty.has_pointers(symbol.type):
            return False
        if any(v.init is not None and symbol in symbols_in(v.init) for v in self.unit.variables):
            return False
        if any(symbol in read_for_lengths(f) or f.body is None or _is_hidden_in(f.body, symbol) for f in functions):
            return False
        if symbol.storage in _OF_UNIT or (symbol.storage is t.Storage.THREAD and symbol.function is not None):
            return True
        if self.program is None or symbol.storage is not t.Storage.GLOBAL:
            return False
        others = (unit for unit in self.program.units if unit.file != self.unit.file)
        return all(symbol.name not in unit.linked for unit in others)

    def _reaches(self, body: t.Stmt, named: Sequence[t.Function]) -> bool:
        bodies = {f.body for f in named}
        return any(code in bodies for code in reached(body, self.unit.functions))

    def _all_names(self) -> frozenset[str]:
        functions = self.unit.functions
        bodies = [f.body for f in functions.values() if f.body is not None]
        inside = {symbol.name for body in bodies for symbol in symbols_in(body)}
        params = {p.name for f in functions.values() for p in f.params}
        return frozenset(inside | params | functions.keys())


def _is_hidden_in(body: t.Stmt, symbol: t.Symbol) -> bool:
    """Does code that nobody could read name it?"""
    unread = (node for node in nodes(body) if isinstance(node, (t.OpaqueExpr, t.OpaqueStmt)))
    return any(symbol in node.names or symbol.name in node.members for node in unread)


def _named_in(functions: Sequence[t.Function], objects: Sequence[t.Symbol]) -> list[t.Function]:
    """The functions that name one of the objects."""
    return [f for f in functions if f.body is not None and not symbols_in(f.body).isdisjoint(objects)]


def _is_seen(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """May the line above the pragma name it?"""
    region = loop.team.region if loop.team is not None else None
    default = region.first("default") if region is not None else None
    allowed = default is None or default.kind != "none" or symbol in loop.sharing
    seen = loop.pragma.scope.get(symbol.name)
    return allowed and seen is not None and key_of(seen) == key_of(symbol)


@dataclass(frozen=True)
class _TeamCode:
    """What each thread of a region runs. `private`: variables from outside of which it has its own; `fixed`: those that
    keep their values meanwhile.
    """

    code: t.Stmt
    private: frozenset[t.Symbol]
    fixed: frozenset[t.Symbol]

    @property
    def unknown(self) -> set[t.Symbol]:
        outside = symbols_in(self.code) - declared_in(self.code) - self.private - self.fixed
        return {symbol for symbol in outside if symbol.is_automatic}

    def function(self, name: str) -> t.Function:
        outside = (self.private & symbols_in(self.code)) - declared_in(self.code)
        inside = sorted(outside, key=lambda symbol: symbol.position)
        own = [t.DeclStmt(self.code.loc, (t.VarDecl(symbol, None, symbol.loc),)) for symbol in inside]
        symbol = t.Symbol(name, ty.Function(ty.VOID, ()), t.Storage.FUNCTION, self.code.loc, 0)
        return t.Function(symbol, (), t.Block(self.code.loc, (*own, self.code)))


def _fixed_in(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> frozenset[t.Symbol]:
    """The integers of the loop's function that all threads of its region share, and none of them changes."""
    assert loop.team is not None
    code = loop.team.code
    changed = frozenset[t.Symbol]().union(*map(changed_in, reached(code, functions)))
    outside = symbols_in(code) - changed - declared_in(code) - loop.team.private
    plain = (s for s in outside if s.is_automatic and not s.address_taken and not s.type.quals)
    return frozenset(symbol for symbol in plain if isinstance(symbol.type, ty.Int))


def _is_of_region(symbol: t.Symbol, code: t.Stmt, region: Directive) -> bool:
    """Is it an array that a thread of the region has only while it runs that, and nothing in it when it begins?"""
    own = symbol in declared_in(code) or symbol in region.listed("private")
    kept = symbol in region.named and symbol not in region.listed("private")
    plain = ty.size_of(symbol.type) is not None and not ty.has_pointers(symbol.type)
    return own and not kept and plain and symbol.is_automatic and isinstance(symbol.type, ty.Array)


class _Settled:
    """The inspector's variables for what is settled."""

    def __init__(self, symbols: frozenset[t.Symbol], taken: frozenset[str]) -> None:
        self._symbols = symbols
        self._taken = set(taken)
        self._found: dict[tuple[t.Symbol, int | None], t.Symbol] = {}

    def of(self, symbol: t.Symbol, index: int | None) -> t.Symbol | None:
        kind = ty.unqualified(symbol.type if index is None else ty.element_of(symbol.type))
        if symbol not in self._symbols or not isinstance(kind, ty.Int):
            return None
        if index is not None and not _is_inside(symbol.type, index):
            return None
        if (symbol, index) not in self._found:
            name = symbol.name if index is None else _free(f"{symbol.name}_{index}", self._taken)
            self._found[symbol, index] = i.variable(name, kind, len(self._found))
        return self._found[symbol, index]

    def used(self, made: tuple[tuple[t.Function, ...], tuple[t.ExprStmt, ...]]) -> tuple[i.Given, ...]:
        """Those that the inspector names, in the order of the program's declarations."""
        functions, calls = made
        names = {s for f in functions if f.body is not None for s in symbols_in(f.body)}
        names |= {s for call in calls for s in symbols_in(call)}
        order = sorted(self._found.items(), key=lambda each: (each[0][0].position, each[0][1] or 0))
        return tuple(
            i.Given(own, symbol, symbol.name if index is None else f"{symbol.name}[{index}]")
            for (symbol, index), own in order
            if own in names
        )


def _is_inside(kind: ty.Type, index: int) -> bool:
    return isinstance(kind, ty.Array) and isinstance(kind.length, int) and 0 <= index < kind.length


def _free(wanted: str, taken: set[str]) -> str:
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    found = next(name for name in (wanted, *numbered) if name not in taken)
    taken.add(found)
    return found


def _named_apart(objects: Sequence[t.Symbol], names: frozenset[str]) -> dict[t.Symbol, t.Symbol]:
    """The inspector's variables for the objects' places, each with a name of its own."""
    taken, given = set(names), set[str]()
    found: dict[t.Symbol, t.Symbol] = {}
    for symbol in objects:
        name = symbol.name if symbol.name not in given else _free(symbol.name, taken)
        given.add(name)
        found[symbol] = i.variable(name, ty.SIZE_T, len(found))
    return found

