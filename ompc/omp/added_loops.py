"""Loops without a pragma that stand between launches: on the host they would move what the device has to and fro.

    while (change > least) {
        #pragma omp parallel for            writes x
        for (i = 1; i < n - 1; i++) ...
        for (j = 0; j < m; j++)             added: as if the pragma stood here, where iterations are proved apart
            x[0][j] = x[1][j];
    }

One thread runs such a loop, in order: it becomes a kernel where nothing can tell the difference, as the loop of a team
of one does (`ParallelLoop.in_order`). Candidates are `for` statements to which a path leads from a launch, and from
which one leads to a launch. A loop inside of another one without launches is none: it would be asked about too often.
Where such a loop runs is decided each time by what it costs to have the data there (ompc_cost_model.h).

The statement gets a pragma that means nothing to anybody else (Kind.ADDED), so that the loop has a place and a scope.

    In: a unit, its parallel loops.   Out: the unit with such pragmas.
    Not here: whether iterations are independent -- plan/mapping/added.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile

from ompc.base.diagnostics import Reason
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir.directive import Directive, Kind
from ompc.ir.exits import ends_early, is_entered
from ompc.ir.names import Names
from ompc.ir.queries import nodes, symbols_in, unread_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, children
from ompc.omp.loops import sequential_loop
from ompc.omp.model import ParallelLoop

_LOOPS = (t.For, t.While, t.DoWhile)
_Path = tuple[t.Stmt, ...]
"""A statement, and in front of it those around it, the function's body first."""


def directive_of_added(loc: Location) -> Directive:
    """What an added pragma would say."""
    return Directive(Kind.OPENMP, "parallel for", (), loc, text="parallel for")


def with_added_pragmas(unit: t.Unit, loops: Iterable[ParallelLoop]) -> t.Unit:
    """`unit` with a pragma in front of each loop that has none and stands between launches of `loops`."""
    launched = {loop.pragma for loop in loops if loop.host is None}
    scopes = [pragma.scope for pragma in launched if isinstance(pragma.scope, Names)]
    if not scopes:
        return unit
    between = _Between(unit, launched)
    functions = dict(unit.functions)
    for name, function in unit.functions.items():
        found = {path[-1]: _pragma(path, function, scopes[0].outermost) for path in between.loops(function)}
        if found and function.body is not None:
            functions[name] = replace(function, body=rewritten(function.body, partial(_with_pragma, found)))
    return replace(unit, functions=functions)


def _with_pragma(pragmas: Mapping[t.Stmt, t.Pragma], node: Node) -> Node | None:
    return pragmas.get(node) if isinstance(node, t.For) else None


def _pragma(path: _Path, function: t.Function, outermost: Mapping[str, object]) -> t.Pragma:
    loop = path[-1]
    scopes: list[dict[str, object]] = [{symbol.name: symbol for symbol in function.params}]
    for around, inside in pairwise(path):
        head = (around.init,) if isinstance(around, t.For) else ()
        declared = [item for item in (*_before(around, inside), *head) if isinstance(item, t.DeclStmt)]
        scopes.append({decl.symbol.name: decl.symbol for item in declared for decl in item.decls})
    return t.Pragma(loop.loc, "", loop, Names(outermost, scopes), directive=Directive(Kind.ADDED, "", (), loop.loc))


def _before(around: t.Stmt, inside: t.Stmt) -> Sequence[t.Stmt]:
    """The statements of a block in front of one of them."""
    return tuple(takewhile(lambda item: item is not inside, around.items)) if isinstance(around, t.Block) else ()


def _behind(around: t.Stmt, inside: t.Stmt) -> Sequence[t.Stmt]:
    return around.items[len(_before(around, inside)) + 1 :] if isinstance(around, t.Block) else ()


def _is_left(loop: t.For) -> bool:
    """Can the loop end before its condition says so?"""
    return ends_early(loop.body)


def _is_special(symbol: t.Symbol) -> bool:
    """Has each thread its own, or is the variable read each time that the loop's bound names it?"""
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD or "volatile" in symbol.type.quals


class _Between:
    """Which statements of a unit stand between launches."""

    def __init__(self, unit: t.Unit, launched: Set[t.Pragma]) -> None:
        self._unit = unit
        bodies = {f.symbol: f.body for f in unit.functions.values() if f.body is not None}
        self._named = {symbol: frozenset(symbols_in(body)) & bodies.keys() for symbol, body in bodies.items()}
        direct = {symbol for symbol, body in bodies.items() if not launched.isdisjoint(nodes(body))}
        self._launching = _closure(direct, {s: {f for f in bodies if s in self._named[f]} for s in bodies})
        self._busy = {s for body in bodies.values() for s in self._busy_in(body, launched)}
        self._paths = {symbol: tuple(self._paths_in((body,))) for symbol, body in bodies.items()}
        self._may_follow, self._may_precede = self._functions_between(bodies.values())

    def loops(self, function: t.Function) -> Iterator[_Path]:
        """The paths to the candidates in `function`."""
        if function.body is None or unread_in(function.body) is not None:
            return
        for path in self._paths[function.symbol]:
            is_between = self._follows(path, function.symbol) and self._precedes(path, function.symbol)
            if is_between and self._is_candidate(path):
                yield path

    def _is_candidate(self, path: _Path) -> bool:
        body, loop = path[0], path[-1]
        if not isinstance(loop, t.For) or loop in self._busy or loop.loc.file != self._unit.file:
            return False
        if isinstance(sequential_loop(loop), Reason) or _is_left(loop) or is_entered(loop, body):
            return False
        if any(isinstance(item, t.Pragma) and item.body is None for item in _before(path[-2], loop)[-1:]):
            return False  # it speaks of the loop
        return not any(map(_is_special, symbols_in(loop)))

    def _follows(self, path: _Path, function: t.Symbol) -> bool:
        """May a launch have been made when control comes to the end of `path`?"""
        return function in self._may_follow or self._stands_beside(path, _before)

    def _precedes(self, path: _Path, function: t.Symbol) -> bool:
        """May a launch be made later?"""
        return function in self._may_precede or self._stands_beside(path, _behind)

    def _stands_beside(self, path: _Path, beside: Callable[[t.Stmt, t.Stmt], Sequence[t.Stmt]]) -> bool:
        goes_round = any(isinstance(around, _LOOPS) and around in self._busy for around in path[:-1])
        return goes_round or any(item in self._busy for pair in pairwise(path) for item in beside(*pair))

    def _functions_between(self, bodies: Iterable[t.Stmt]) -> tuple[frozenset[t.Symbol], frozenset[t.Symbol]]:
        """The functions before whose calls launches may have been made, and behind whose calls they may be.

        What other files may call is called again and again, but for `main`. What is called by a loop without launches,
        or by threads of a team, is not among them.
        """
        elsewhere = {s for s in self._launching if s.name not in self._unit.internal or s.address_taken}
        self._may_follow = self._may_precede = frozenset(s for s in elsewhere if s.name != "main")
        at = [(f, path) for f, paths in self._paths.items() for path in paths]
        calls = [(f, path, callee) for f, path in at for callee in self._calls(path)]
        known = None
        while known != (self._may_follow, self._may_precede):
            known = self._may_follow, self._may_precede
            self._may_follow |= {callee for f, path, callee in calls if self._follows(path, f)}
            self._may_precede |= {callee for f, path, callee in calls if self._precedes(path, f)}
        apart = [node for body in bodies for node in nodes(body) if self._keeps_apart(node)]
        often = _closure({s for node in apart for s in self._named_in(node)}, self._named)
        return self._may_follow - often, self._may_precede - often

    def _keeps_apart(self, node: Node) -> bool:
        return isinstance(node, t.Pragma) or (isinstance(node, _LOOPS) and node not in self._busy)

    def _paths_in(self, path: _Path) -> Iterator[_Path]:
        """The paths to all statements that are in no other construct than loops with launches."""
        yield path
        if not self._keeps_apart(path[-1]):
            for child in children(path[-1]):
                if isinstance(child, t.Stmt):
                    yield from self._paths_in((*path, child))

    def _calls(self, path: _Path) -> Iterator[t.Symbol]:
        """The functions that the statement at the end of `path` names itself."""
        if not self._keeps_apart(path[-1]):
            parts = (child for child in children(path[-1]) if not isinstance(child, t.Stmt))
            yield from (symbol for part in parts for symbol in self._named_in(part))

    def _busy_in(self, statement: t.Stmt, launched: Set[t.Pragma]) -> Iterator[t.Stmt]:
        """The statements of `statement` that may launch something."""
        if launched.isdisjoint(nodes(statement)) and self._launching.isdisjoint(symbols_in(statement)):
            return
        yield statement
        for child in children(statement):
            if isinstance(child, t.Stmt):
                yield from self._busy_in(child, launched)

    def _named_in(self, node: Node) -> frozenset[t.Symbol]:
        return symbols_in(node) & self._named.keys()


def _closure(found: Iterable[t.Symbol], leads_to: Mapping[t.Symbol, Collection[t.Symbol]]) -> frozenset[t.Symbol]:
    """All that `found` leads to, themselves included."""
    pending, reached = list(found), set(found)
    while pending:
        more = set(leads_to[pending.pop()]) - reached
        reached |= more
        pending += more
    return frozenset(reached)
