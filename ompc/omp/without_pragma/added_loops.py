"""Loops and statements without a pragma between launches: on the host they would move what the device has to and fro.

    while (change > least) {
        #pragma omp parallel for            writes x
        for (i = 1; i < n - 1; i++) ...
        for (j = 0; j < m; j++)             added: as if the pragma stood here, where iterations are proved apart
            x[0][j] = x[1][j];
        x[0][m] = x[0][0];                  added: as if it were a loop of one iteration
    }

One thread runs such a loop, in order: it becomes a kernel where nothing can tell the difference, as the loop of a team
of one does (`ParallelLoop.in_order`). Candidates are `for` statements to which a path leads from a launch, and from
which one leads to a launch. A loop inside of another one without launches is none: it would be asked about too often.
So is a statement that writes one element of what launched loops name, in a loop that launches something each time, or
in a function that only such loops call; not one that writes a variable, which the host would wait for. Where they run
is decided each time by what it costs to have the data there (ompc_cost_model.h).

The statement gets a pragma that means nothing to anybody else (Kind.ADDED), so that the loop has a place and a scope.

    In: a unit, its parallel loops.   Out: the unit with such pragmas.
    Not here: whether iterations are independent -- plan/mapping/added.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import ONCE, Directive, Kind
from ompc.ir.exits import continues, ends_early, is_entered, leaves_loop
from ompc.ir.names import Names
from ompc.ir.queries import nodes, symbols_in, target_of, targets_written, unread_in
from ompc.ir.walk import Node, children
from ompc.omp.loops import sequential_loop
from ompc.omp.model import ParallelLoop
from ompc.omp.without_pragma.places import first_on_their_lines, with_pragmas

_LOOPS = (t.For, t.While, t.DoWhile)
_Scope = Mapping[str, t.Symbol]


def directive_of_added(loc: Location) -> Directive:
    """What an added pragma would say."""
    return Directive(Kind.OPENMP, "parallel for", (), loc, text="parallel for")


def first_word(pragma: t.Pragma) -> str:
    """How what an added pragma stands in front of begins."""
    inside = pragma.body.body if pragma.directive.name == ONCE and isinstance(pragma.body, t.For) else None
    named = None if inside is None else _changed_by(inside)
    return "for" if named is None else named.name


def with_added_pragmas(unit: t.Unit, loops: Iterable[ParallelLoop]) -> t.Unit:
    """`unit` with a pragma in front of each loop that has none and stands between launches of `loops`."""
    launched = {loop.pragma for loop in loops if loop.host is None}
    scopes = [pragma.scope for pragma in launched if isinstance(pragma.scope, Names)]
    if not scopes:
        return unit
    between = _Between(unit, launched)
    functions = dict(unit.functions)
    for name, function in unit.functions.items():
        outermost = scopes[0].outermost
        found = {place.statement: place.pragma(outermost, function.symbol) for place in between.places(function)}
        if found and function.body is not None:
            functions[name] = replace(function, body=with_pragmas(function.body, found))
    return replace(unit, functions=functions)


def _changed_by(statement: t.Stmt) -> t.Symbol | None:
    """What the statement begins with, if all that it does is to change an element or member of that."""
    expr = statement.expr if isinstance(statement, t.ExprStmt) else None
    changed = None if expr is None else target_of(expr)
    if expr is None or changed is None or targets_written(expr) != (changed,):
        return None
    first = changed
    while isinstance(first, (t.Index, t.Member)):
        first = first.base
    return first.symbol if isinstance(first, t.Name) and first is not changed else None


def of_one_turn(statement: t.Stmt, function: t.Symbol) -> t.For:
    """`for (int once = 0; once < 1; once++) statement`."""
    loc = statement.loc
    counter = t.Symbol("once", ty.INT, t.Storage.AUTO, loc, -1, function.name)
    name, zero, one = t.Name(ty.INT, loc, counter), t.IntConst(ty.INT, loc, 0, "0"), t.IntConst(ty.INT, loc, 1, "1")
    init = t.DeclStmt(loc, (t.VarDecl(counter, zero, loc),))
    return t.For(loc, init, t.Binary(ty.INT, loc, "<", name, one), t.IncDec(ty.INT, loc, "++", False, name), statement)


def _is_left(loop: t.For) -> bool:
    """Can the loop end before its condition says so?"""
    return ends_early(loop.body)


def is_special(symbol: t.Symbol) -> bool:
    """Has each thread its own, or is the variable read each time that the loop's bound names it?"""
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD or "volatile" in symbol.type.quals


@dataclass(frozen=True, slots=True)
class _Place:
    """A statement of a function that no other construct than loops with launches has around it.

    `follows`, `precedes`: may the function have launched something before, may it later? `again`: does the innermost
    loop of the function around it launch something each time? None: there is none. `previous` stands in front of it in
    its block. `scopes`: what the function declares there, outermost first; of loops without launches alone.
    """

    statement: t.Stmt
    follows: bool = False
    precedes: bool = False
    again: bool | None = None
    previous: t.Stmt | None = None
    scopes: tuple[_Scope, ...] = ()

    def pragma(self, outermost: Mapping[str, object], function: t.Symbol) -> t.Pragma:
        loc, names = self.statement.loc, Names(outermost, self.scopes)
        is_loop = isinstance(self.statement, t.For)
        body = self.statement if is_loop else of_one_turn(self.statement, function)
        return t.Pragma(loc, "", body, names, directive=Directive(Kind.ADDED, "" if is_loop else ONCE, (), loc))


class _Between:
    """Which statements of a unit stand between launches."""

    def __init__(self, unit: t.Unit, launched: Set[t.Pragma]) -> None:
        self._unit = unit
        bodies = {f.symbol: f.body for f in unit.functions.values() if f.body is not None}
        self._named = {symbol: symbols_in(body) & bodies.keys() for symbol, body in bodies.items()}
        callers: dict[t.Symbol, set[t.Symbol]] = {symbol: set() for symbol in bodies}
        for symbol, named in self._named.items():
            for callee in named:
                callers[callee].add(symbol)
        direct = {symbol for symbol, body in bodies.items() if not launched.isdisjoint(nodes(body))}
        self._launching = _closure(direct, callers)
        self._busy: set[t.Stmt] = set()
        self._launched = launched
        self._surely: set[t.Symbol] = set()
        while found := {s for s in self._launching - self._surely if self._launches(bodies[s])}:
            self._surely |= found
        self._of_launches = frozenset(symbol for pragma in launched for symbol in symbols_in(pragma))
        self._first = first_on_their_lines(bodies.values())
        for body in bodies.values():
            self._mark(body, launched)
        scopes = {f.symbol: ({p.name: p for p in f.params},) for f in unit.functions.values()}
        self._places = {symbol: tuple(self._found(_Place(b, scopes=scopes[symbol]))) for symbol, b in bodies.items()}
        self._may_follow, self._may_precede, self._again = self._functions_between(bodies.values())

    def places(self, function: t.Function) -> Iterator[_Place]:
        """Where the candidates in `function` stand."""
        body = function.body
        if body is None or unread_in(body) is not None:
            return
        for place in self._places[function.symbol]:
            follows = place.follows or function.symbol in self._may_follow
            precedes = place.precedes or function.symbol in self._may_precede
            if follows and precedes and self._is_candidate(place, body, function):
                yield place

    def _is_candidate(self, place: _Place, body: t.Stmt, function: t.Function) -> bool:
        found = place.statement
        if found in self._busy or found.loc.file != self._unit.file:
            return False
        if found not in self._first:
            return False
        if isinstance(place.previous, t.Pragma) and place.previous.body is None:
            return False  # it speaks of the statement
        if place.again is False:
            return False  # it would be asked about more often than there are launches
        if isinstance(found, t.For):
            if isinstance(sequential_loop(found), Reason) or _is_left(found) or is_entered(found, body):
                return False
        elif not (place.again or function.symbol in self._again) or not self._may_be_on_device(found, function):
            return False
        return not any(map(is_special, symbols_in(found)))

    def _may_be_on_device(self, statement: t.Stmt, function: t.Function) -> bool:
        """Does it change something that a launched loop names, or may have by another name?"""
        changed = _changed_by(statement)
        return changed is not None and (changed in self._of_launches or changed in function.params)

    def _functions_between(self, bodies: Iterable[t.Stmt]) -> tuple[frozenset[t.Symbol], ...]:
        """The functions before whose calls launches may have been made, behind whose calls they may be, and those that
        are only called by loops that launch something each time.

        What other files may call is called again and again, but for `main`. What is called by a loop without launches,
        or by threads of a team, is not among them.
        """
        elsewhere = {s for s in self._launching if s.name not in self._unit.internal or s.address_taken}
        elsewhere = {s for s in elsewhere if s.name != "main"}
        calls = [
            (place, function, callee)
            for function, places in self._places.items()
            for place in places
            for callee in self._called_by(place.statement)
        ]
        leads_to: dict[t.Symbol, set[t.Symbol]] = {symbol: set() for symbol in self._named}
        for _, function, callee in calls:
            leads_to[function].add(callee)
        follow = _closure(elsewhere | {callee for place, _, callee in calls if place.follows}, leads_to)
        precede = _closure(elsewhere | {callee for place, _, callee in calls if place.precedes}, leads_to)
        apart = [node for body in bodies for node in nodes(body) if self._keeps_apart(node)]
        often = _closure({s for node in apart for s in self._named_in(node)}, self._named)
        beside = [(callee, place.again, function) for place, function, callee in calls]
        seldom = _closure(elsewhere | {callee for callee, again, _ in beside if again is False}, leads_to)
        again = _closure({callee for callee, again, _ in beside if again}, leads_to)
        return follow - often, precede - often, again - seldom - often

    def _keeps_apart(self, node: Node) -> bool:
        return isinstance(node, t.Pragma) or (isinstance(node, _LOOPS) and node not in self._busy)

    def _found(self, first: _Place) -> Iterator[_Place]:
        """`first` and all that is in it."""
        stack = [first]
        while stack:
            yield (place := stack.pop())
            if not self._keeps_apart(place.statement):
                stack += self._inside(place)

    def _inside(self, place: _Place) -> Iterator[_Place]:
        """The statements of which `place` is made. What stands in a loop comes before and behind all that is in it."""
        around = place.statement
        below = [child for child in children(around) if isinstance(child, t.Stmt)]
        busy = [at for at, child in enumerate(below) if child in self._busy]
        goes_round, in_turn = isinstance(around, _LOOPS), isinstance(around, t.Block) and bool(busy)
        declared: dict[str, t.Symbol] = {}
        seen: _Scope = {}
        for at, child in enumerate(below):
            if isinstance(child, t.DeclStmt):
                declared |= {decl.symbol.name: decl.symbol for decl in child.decls}
            elif len(seen) < len(declared):
                seen = dict(declared)
            if isinstance(around, t.For) and child is around.init:
                continue  # no place for a pragma
            yield _Place(
                child,
                follows=place.follows or goes_round or (in_turn and busy[0] < at),
                precedes=place.precedes or goes_round or (in_turn and at < busy[-1]),
                again=self._launches(around.body) if isinstance(around, _LOOPS) else place.again,
                previous=below[at - 1] if at and isinstance(around, t.Block) else None,
                scopes=(*place.scopes, seen),
            )

    def _called_by(self, statement: t.Stmt) -> Iterator[t.Symbol]:
        """The functions that it names itself."""
        if not self._keeps_apart(statement):
            parts = (child for child in children(statement) if not isinstance(child, t.Stmt))
            yield from (symbol for part in parts for symbol in self._named_in(part))

    def _launches(self, statement: t.Stmt) -> bool:
        """Does it launch something whenever it is executed, if each loop in it has an iteration?"""
        match statement:
            case t.Pragma(body=body):
                return statement in self._launched or (body is not None and self._launches(body))
            case t.Block(items=items):
                for item in items:
                    if self._launches(item):
                        return True
                    if continues(item) or leaves_loop(item):
                        return False
                return False
            case t.If(then=then, other=other):
                return other is not None and self._launches(then) and self._launches(other)
            case t.For(body=body) | t.While(body=body) | t.DoWhile(body=body):
                return self._launches(body)
            case _:
                return not self._named_in(statement).isdisjoint(self._surely)

    def _mark(self, statement: t.Stmt, launched: Set[t.Pragma]) -> bool:
        """Notes which statements of it may launch something; may it?"""
        below = [self._mark(child, launched) for child in children(statement) if isinstance(child, t.Stmt)]
        own = (self._named_in(child) for child in children(statement) if not isinstance(child, t.Stmt))
        is_busy = any(below) or statement in launched or not all(map(self._launching.isdisjoint, own))
        if is_busy:
            self._busy.add(statement)
        return is_busy

    def _named_in(self, node: Node) -> frozenset[t.Symbol]:
        """The functions of the unit: called there, or by whoever gets them."""
        return symbols_in(node) & self._named.keys()


def _closure(found: Iterable[t.Symbol], leads_to: Mapping[t.Symbol, Collection[t.Symbol]]) -> frozenset[t.Symbol]:
    """All that `found` leads to, themselves included."""
    pending, reached = list(found), set(found)
    while pending:
        more = set(leads_to[pending.pop()]) - reached
        reached |= more
        pending += more
    return frozenset(reached)
