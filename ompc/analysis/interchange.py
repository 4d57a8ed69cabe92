"""Analysis: can a loop that stands inside other sequential loops be moved outside of them all, as an axis of the grid?

    for (j ...) c[i][j] = 0;                     for each j:  c[i][j] = 0;
    for (k ...) {                                             for (k ...) {
        float r = a[i][k];                  ->                    float r = a[i][k];
        for (j ...) c[i][j] += r * b[k][j];                       c[i][j] += r * b[k][j];
    }                                                         }

Each iteration of j then does what it did, in the order in which it did it; so that is right where no iteration
touches what another one writes, whatever the iterations of the loops around (analysis/dependence.py). Several loops may
be moved as one when they have the same bounds. What stands beside them is repeated for every j: only assignments to the
thread's own scalars, from what no iteration of j changes.

    In: a body, Facts, the loops outside.   Out: Moved, or why not.
    Not here: whether it pays; loops whose bounds change from one iteration of the outer ones to the next.
    Source: loop distribution and interchange (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 5.2),
    as one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from ompc.analysis.assigned import exposed_reads
from ompc.analysis.dependence import obstacle
from ompc.analysis.equality import same
from ompc.analysis.facts import Facts
from ompc.analysis.roots import Root
from ompc.omp.model import CanonicalLoop
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.walk import walk

_JUMPS = (t.Goto, t.Label, t.Return, t.Break, t.Continue, t.Case, t.Leave)
_UNKNOWN = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Print)

MOST_TRIED = 8
"""Of the loops inside of others."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """`body` is what one iteration of `loop` does; `twins` are the loops that became one with it; `around` what the
    loops that it was inside of are now, by their new statements.
    """

    loop: CanonicalLoop
    twins: tuple[CanonicalLoop, ...]
    body: t.Stmt
    around: Mapping[t.For, CanonicalLoop]


class _Unmovable(Exception):
    pass


def moved_out(facts: Facts, body: t.Stmt, outer: Sequence[CanonicalLoop]) -> Moved | None:
    """The loop inside of others that can be moved around all of `body`; None: there is none."""
    if any(isinstance(node, (*_JUMPS, *_UNKNOWN)) for node in walk(body)) or facts.loop.reductions:
        return None
    movers = (_Mover(facts, found, outer) for found in islice(_inner_loops(facts, body), MOST_TRIED))
    return next((moved for moved in (_try(mover, body) for mover in movers) if moved is not None), None)


def _try(mover: _Mover, body: t.Stmt) -> Moved | None:
    try:
        items = mover.moved(body, ())
    except _Unmovable:
        return None
    if mover.why_not() is not None:
        return None
    loop, *twins = mover.found
    return Moved(loop, tuple(twins), t.Block(body.loc, tuple(items)), mover.around)


def _inner_loops(facts: Facts, body: t.Stmt) -> Iterator[CanonicalLoop]:
    """The innermost loops that are inside of others; then those of which there are several, one after the other."""
    loops = [node for node in walk(body) if isinstance(node, t.For)]
    within = {node: {other for other in walk(node.body) if isinstance(other, t.For)} for node in loops}
    for node in loops:
        outside = any(node in found for found in within.values())
        if outside and not within[node] and node in facts.inner_loops:
            yield facts.inner_loops[node]
    several = [node for node in loops if node in facts.inner_loops and within[node]]
    for node in several:
        name = facts.inner_loops[node].var.name
        if sum(facts.inner_loops[other].var.name == name for other in loops if other in facts.inner_loops) > 1:
            yield facts.inner_loops[node]


@dataclass(eq=False)
class _Mover:
    facts: Facts
    wanted: CanonicalLoop
    outer: Sequence[CanonicalLoop]
    found: list[CanonicalLoop] = field(default_factory=list)
    around: dict[t.For, CanonicalLoop] = field(default_factory=dict)
    beside: list[t.Expr] = field(default_factory=list)
    names: list[t.Symbol] = field(default_factory=list)

    def moved(self, body: t.Stmt, counters: tuple[t.Symbol, ...]) -> list[t.Stmt]:
        """`body` for one iteration of the wanted loop, inside of loops over `counters`."""
        return [item for node in _items(body) for item in self._item(node, counters)]

    def _item(self, node: t.Stmt, counters: tuple[t.Symbol, ...]) -> list[t.Stmt]:
        if not isinstance(node, t.For):
            self._repeat(node)
            return [node]
        loop = self.facts.inner_loops.get(node)
        if loop is None:
            raise _Unmovable
        if self._is_wanted(loop):
            self.found.append(loop)
            items = _items(loop.body)
            declares = any(isinstance(item, t.DeclStmt) for item in items)
            return [t.Block(loop.body.loc, tuple(items))] if declares else list(items)
        self._check_bounds(loop, counters)
        self.names.append(loop.var)
        items = self.moved(loop.body, (*counters, loop.var))
        new = replace(node, body=t.Block(loop.body.loc, tuple(items)))
        self.around[new] = replace(loop, body=new.body)  # `statement` stays what accesses know
        return [new]

    def _is_wanted(self, loop: CanonicalLoop) -> bool:
        """Is it the loop, or has it the same iterations?"""
        a, b = self.wanted, loop
        if (a.relation, a.constant_step, a.down, a.var.name) != (b.relation, b.constant_step, b.down, b.var.name):
            return False
        alike = a.constant_step is not None and ty.unqualified(a.var.type) == ty.unqualified(b.var.type)
        return a is b or (alike and same(a.lower, b.lower) and same(a.upper, b.upper))

    def _check_bounds(self, loop: CanonicalLoop, counters: tuple[t.Symbol, ...]) -> None:
        """The loops around turn equally often in each iteration of the wanted one."""
        known = self.facts.invariant | {outer.var for outer in self.outer} | set(counters)
        for bound in (loop.lower, loop.upper, loop.step):
            for node in walk(bound) if bound is not None else ():
                plain = isinstance(node, (t.IntConst, t.Binary, t.Unary, t.Cast))
                if not plain and not (isinstance(node, t.Name) and node.symbol in known):
                    raise _Unmovable

    def _repeat(self, node: t.Stmt) -> None:
        """Notes what is evaluated beside the wanted loops; it must assign to the thread's own scalars alone."""
        match node:
            case t.Empty():
                pass
            case t.DeclStmt(decls=decls) if all(ty.is_arithmetic(d.symbol.type) for d in decls):
                self.beside += [d.init for d in decls if d.init is not None]
                self.names += [d.symbol for d in decls]
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)) if self._is_own(symbol):
                self.beside.append(value)
            case _:
                raise _Unmovable

    def _is_own(self, symbol: t.Symbol) -> bool:
        own = self.facts.is_thread_private(Root(symbol)) and ty.is_arithmetic(symbol.type)
        return own and not symbol.address_taken

    def why_not(self) -> str | None:
        """Why iterations of the loops that were found depend on each other."""
        bodies = [loop.body for loop in self.found]
        if self.wanted.var.name in {symbol.name for symbol in self.names}:
            return "another variable has its name"
        assigned = {symbol for body in bodies for symbol in _assigned(body)} | {loop.var for loop in self.found}
        for value in self.beside:
            for node in walk(value):
                changed = isinstance(node, t.Name) and node.symbol in assigned
                if changed or isinstance(node, (t.Assign, t.IncDec, t.Call)):
                    return "what is computed beside it depends on its iterations"
        loops = [loop.statement for loop in self.found]
        for access in self.facts.accesses:
            if self.facts.is_thread_private(access.root):
                continue
            outside = not any(statement in access.context for statement in loops)
            if access.function is not None or (outside and access.root in self.facts.written):
                return f"'{access.root}' is accessed beside it"
        counters = {loop.var for loop in self.found}
        own = (assigned - counters) | self._own_objects_written()
        if any(not self._is_own_of_each(symbol, bodies) for symbol in own):
            return "its iterations share a variable"
        return self._obstacle()

    def _own_objects_written(self) -> set[t.Symbol]:
        """The thread's arrays and structs that are changed, in part or through pointers."""
        written = {access.root for access in self.facts.accesses if access.mode.writes}
        own = {root.symbol for root in written if self.facts.is_thread_private(root)}
        return {symbol for symbol in own if not ty.is_scalar(symbol.type) or symbol.address_taken}

    def _is_own_of_each(self, symbol: t.Symbol, bodies: Sequence[t.Stmt]) -> bool:
        """Is a variable that the loops assign assigned before it is read, wherever it is?"""
        declared = any(isinstance(n, t.VarDecl) and n.symbol is symbol for body in bodies for n in walk(body))
        if declared:
            return True
        return self._is_own(symbol) and all(symbol not in exposed_reads(body) for body in bodies)

    def _obstacle(self) -> str | None:
        shared = [access for access in self.facts.accesses if not self.facts.is_thread_private(access.root)]
        first, *twins = self.found
        candidate = self.facts.candidate(first, self.outer, twins)
        return obstacle(candidate, shared, self.facts.indivisible)


def _items(body: t.Stmt) -> Sequence[t.Stmt]:
    return body.items if isinstance(body, t.Block) else (body,)


def _assigned(body: t.Stmt) -> Iterator[t.Symbol]:
    """The variables that `body` assigns by name."""
    for node in walk(body):
        target = node.target if isinstance(node, t.Assign) else node.operand if isinstance(node, t.IncDec) else None
        if isinstance(target, t.Name):
            yield target.symbol
        elif isinstance(node, t.VarDecl):
            yield node.symbol
