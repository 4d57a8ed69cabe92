"""Analysis: can a loop come out of those around it, and of what stands beside it, to be an axis of the grid?

    for (j ...) w[j] = b[j];                       for (j ...) {
    for (k ...) {                                      double w_j = b[j];
        double r = a[i][k];                            for (k ...) {
        for (j ...) c[i][j] += r * w[j];    ->             double r = a[i][k];
    }                                                      c[i][j] += r * w_j;
    for (j ...) c[i][j] /= w[j];                       }
                                                       c[i][j] /= w_j;
                                                   }

Loops with the same iterations, one after the other or inside of others, become one around the whole body. Each of its
iterations does what they did, in the order in which they did it; so that is right where no iteration touches what
another one writes:

    memory            whatever the iterations of the loops around (analysis/dependence.py)
    own arrays        with the loop's variable as a subscript, always in the same place: that dimension goes away
                      (array_contraction.py); or each loop reads only what the same iteration of it has written
    own scalars       an iteration reads what it has assigned, or what was assigned outside of all the loops

What stands beside the loops is repeated for every iteration: only assignments to the thread's own scalars, of values
that are the same for all.

    In: a body, Facts, the loops outside.   Out: Moved, or None.
    Not here: whether it pays; loops whose bounds change from one iteration of the outer ones to the next; which
    conditions loops with other bounds need -- joint_bounds.py.
    Source: loop distribution, interchange and fusion (Allen and Kennedy, "Optimizing Compilers for Modern
    Architectures", 5.2 and 6.2; Kennedy and McKinley, LCPC 1993), as one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from ompc.analysis.array_contraction import Contraction, array_element, contraction
from ompc.analysis.assigned import exposed_reads
from ompc.analysis.dependence import obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.joint_bounds import alike, joint_bounds, similar
from ompc.analysis.roots import Root
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.omp.uses import has_side_effects, nodes, symbols_in
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.rewrite import rewritten
from ompc.sema.walk import Node, walk

_JUMPS = (t.Goto, t.Label, t.Return, t.Break, t.Continue, t.Case, t.Leave)
_UNKNOWN = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Print)

MOST_TRIED = 8
"""Of the loops in a body."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """`nest` is the new loop, `loops` are those that it was; `contracted` are arrays that have lost a dimension."""

    nest: t.For
    loops: tuple[CanonicalLoop, ...]
    contracted: tuple[t.Symbol, ...]


class _Unmovable(Exception):
    pass


def moved_out(facts: Facts, body: t.Stmt, outer: Sequence[CanonicalLoop]) -> Iterator[Moved]:
    """The loops that can each be moved around all of `body`: first those that need no condition, outer ones first."""
    if any(isinstance(node, (*_JUMPS, *_UNKNOWN)) for node in walk(body)) or facts.loop.reductions:
        return
    candidates = _candidates(facts, body)
    movers = (_Mover(facts, wanted, outer, guarded) for guarded in (False, True) for wanted in candidates)
    yield from (moved for moved in (_try(mover, body) for mover in movers) if moved is not None)


def _try(mover: _Mover, body: t.Stmt) -> Moved | None:
    try:
        return mover.moved(body)
    except _Unmovable:
        return None


def _candidates(facts: Facts, body: t.Stmt) -> list[CanonicalLoop]:
    """Loops with different iterations, in the order of the text."""
    found: list[CanonicalLoop] = []
    for node in walk(body):
        loop = facts.inner_loops.get(node) if isinstance(node, t.For) else None
        if loop is not None and not any(loop.var is other.var and alike(facts, loop, other) for other in found):
            found.append(loop)
            if len(found) == MOST_TRIED:
                break
    return found


@dataclass(eq=False)
class _Mover:
    """`varying` are the thread's own scalars whose values at the present place may come from inside of the loops that
    were `found`; `names` is what is declared, assigned or counts outside of them. `guarded`: loops with other bounds
    are found too; `parts` are blocks that only the iterations of such a loop run.
    """

    facts: Facts
    wanted: CanonicalLoop
    outer: Sequence[CanonicalLoop]
    guarded: bool
    parts: dict[t.Block, CanonicalLoop] = field(default_factory=dict)
    found: list[CanonicalLoop] = field(default_factory=list)
    varying: set[t.Symbol] = field(default_factory=set)
    names: set[t.Symbol] = field(default_factory=set)

    def moved(self, body: t.Stmt) -> Moved:
        items = tuple(self._items(body, ()))
        inside = [loop for loop in self.found if any(loop.statement is item for item in _flat(body))]
        if len(self.found) < 2 and inside:
            raise _Unmovable  # nothing would become of it
        self._check_counters(body)
        contracted = self._own_arrays(body)
        self._check_memory()
        return Moved(self._nest(body, items, contracted), tuple(self.found), tuple(contracted))

    # -------------------------------------------------------------- statements

    def _items(self, body: t.Stmt, counters: tuple[t.Symbol, ...]) -> Iterator[t.Stmt]:
        """`body` for one iteration of the wanted loop, inside of loops over `counters`."""
        for node in body.items if isinstance(body, t.Block) else (body,):
            match node:
                case t.Empty():
                    pass
                case t.Block():
                    yield t.Block(node.loc, tuple(self._items(node, counters)))
                case t.For():
                    yield from self._loop(node, counters)
                case _:
                    self._repeat(node)
                    yield node

    def _loop(self, node: t.For, counters: tuple[t.Symbol, ...]) -> Iterator[t.Stmt]:
        loop = self.facts.inner_loops.get(node)
        if loop is None or not self._is_own(loop.var):
            raise _Unmovable
        if self._is_wanted(loop):
            self._enter(loop)
            items = loop.body.items if isinstance(loop.body, t.Block) else (loop.body,)
            part = t.Block(loop.body.loc, items)
            self.parts[part] = loop
            yield part
            return
        self._check_bounds(loop, counters)
        self.names.add(loop.var)
        before = self.varying - {loop.var}
        self.varying |= set(_assigned(loop.body))  # by earlier iterations of it
        self.varying.discard(loop.var)
        items = tuple(self._items(loop.body, (*counters, loop.var)))
        self.varying |= before
        yield replace(node, body=t.Block(loop.body.loc, items))

    def _is_wanted(self, loop: CanonicalLoop) -> bool:
        """Is it the loop, or one that can be the same? Of two such, one in the other, that which is more like it."""
        found = self._likeness(loop)
        inside = (self.facts.inner_loops.get(node) for node in walk(loop.body) if isinstance(node, t.For))
        return found > 0 and not any(other is not None and self._likeness(other) > found for other in inside)

    def _likeness(self, loop: CanonicalLoop) -> int:
        """0: it cannot become one with the wanted loop."""
        named = loop.var.name == self.wanted.var.name
        if alike(self.facts, self.wanted, loop):
            return 3 + named
        return 1 + named if self.guarded and similar(self.wanted, loop) else 0

    def _enter(self, loop: CanonicalLoop) -> None:
        """A wanted loop: no iteration of it reads a scalar that another one, or one of another loop, has assigned."""
        self.found.append(loop)
        declared = {node.symbol for node in walk(loop.body) if isinstance(node, t.VarDecl)}
        assigned = set(_assigned(loop.body)) - declared
        if not all(map(self._is_own, (*assigned, loop.var))) or loop.var in assigned:
            raise _Unmovable
        if exposed_reads(loop.body) & (self.varying | assigned) - {loop.var}:
            raise _Unmovable
        self.varying |= assigned | {loop.var}

    def _check_counters(self, body: t.Stmt) -> None:
        """The variables of the wanted loops stand nowhere but in loops over them."""
        counters = {loop.var for loop in self.found}
        names = sum(isinstance(node, t.Name) and node.symbol in counters for node in nodes(body))
        for loop in self.found:
            names -= sum(isinstance(node, t.Name) and node.symbol is loop.var for node in nodes(loop.statement))
        if names:
            raise _Unmovable

    def _check_bounds(self, loop: CanonicalLoop, counters: tuple[t.Symbol, ...]) -> None:
        """The loops around turn equally often in each iteration of the wanted one."""
        known = (self.facts.invariant | {outer.var for outer in self.outer} | set(counters)) - self.varying
        for bound in (loop.lower, loop.upper, loop.step):
            for node in walk(bound) if bound is not None else ():
                plain = isinstance(node, (t.IntConst, t.Binary, t.Unary, t.Cast))
                if not plain and not (isinstance(node, t.Name) and node.symbol in known):
                    raise _Unmovable

    def _repeat(self, node: t.Stmt) -> None:
        """What is done beside the wanted loops must assign to the thread's own scalars alone."""
        match node:
            case t.DeclStmt(decls=decls) if all(map(_is_plain, decls)):
                for decl in decls:
                    self.names.add(decl.symbol)
                    if decl.init is not None:
                        self._check_value(decl.init)
                    self.varying.discard(decl.symbol)
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)) if self._is_own(symbol):
                self._check_value(value)
                self.names.add(symbol)
                self.varying.discard(symbol)
            case _:
                raise _Unmovable

    def _check_value(self, value: t.Expr) -> None:
        """It is the same for all iterations of the wanted loops, as far as scalars of the thread decide that."""
        if has_side_effects(value) or any(isinstance(node, t.Call) for node in walk(value)):
            raise _Unmovable
        if any(isinstance(node, t.Name) and node.symbol in self.varying for node in walk(value)):
            raise _Unmovable

    def _is_own(self, symbol: t.Symbol) -> bool:
        own = self.facts.is_thread_private(Root(symbol)) and ty.is_arithmetic(symbol.type)
        return own and not symbol.address_taken and "volatile" not in symbol.type.quals

    # ----------------------------------------------------------------- objects

    def _own_arrays(self, body: t.Stmt) -> dict[t.Symbol, Contraction]:
        """The thread's own objects that an iteration changes are its own too: which of them lose a dimension."""
        found: dict[t.Symbol, Contraction] = {}
        for symbol in self._own_objects_written():
            if self._is_declared_inside(symbol):
                continue
            narrower = contraction(body, symbol, self.found) if self._is_scratch(symbol) else None
            if narrower is not None and symbol not in self.facts.function_symbols:
                found[symbol] = narrower
            elif not self._is_of_each_iteration(symbol):
                raise _Unmovable
        return found

    def _own_objects_written(self) -> list[t.Symbol]:
        """The thread's arrays and structs that are changed, in part or through pointers."""
        roots = dict.fromkeys(access.root for access in self.facts.accesses if access.mode.writes)
        own = [root.symbol for root in roots if self.facts.is_thread_private(root)]
        return [symbol for symbol in own if not ty.is_scalar(symbol.type) or symbol.address_taken]

    def _is_declared_inside(self, symbol: t.Symbol) -> bool:
        return any(isinstance(n, t.VarDecl) and n.symbol is symbol for loop in self.found for n in walk(loop.body))

    def _is_scratch(self, symbol: t.Symbol) -> bool:
        """Has it no value before an iteration of the parallel loop, and none after it?"""
        automatic = symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER)
        how = self.facts.loop.sharing.get(symbol, Sharing.PRIVATE if automatic else Sharing.SHARED)
        return how is Sharing.PRIVATE or symbol in self.names

    def _is_of_each_iteration(self, symbol: t.Symbol) -> bool:
        """Is it an array of which each iteration of each wanted loop reads only what it has written itself?"""
        if not isinstance(symbol.type, ty.Array) or not self._is_scratch(symbol):
            return False
        used = [loop for loop in self.found if _names(loop.body, symbol)]
        if any(not self._is_inside(access.context) for access in self.facts.of(Root(symbol))):
            return False
        return all(self.facts.keeps_nothing(loop.body, symbol) for loop in used)

    def _is_inside(self, context: Sequence[Node]) -> bool:
        return any(loop.statement in context for loop in self.found)

    def _check_memory(self) -> None:
        """No iteration touches what another one writes, and nothing that is beside them does."""
        shared = [access for access in self.facts.accesses if not self.facts.is_thread_private(access.root)]
        for access in shared:
            beside = not self._is_inside(access.context) and access.root in self.facts.written
            if access.function is not None or beside:
                raise _Unmovable
        first, *twins = self.found
        if obstacle(self.facts.candidate(first, self.outer, twins), shared, self.facts.indivisible) is not None:
            raise _Unmovable

    # ---------------------------------------------------------------- new loop

    def _nest(self, body: t.Stmt, items: tuple[t.Stmt, ...], contracted: Mapping[t.Symbol, Contraction]) -> t.For:
        """The loop around `items`, which are the body's, with the variable of one of the loops that were found."""
        declared = {decl.symbol for node in walk(body) if isinstance(node, t.DeclStmt) for decl in node.decls}
        in_heads = {loop.var for loop in self.found if loop.declared_here}
        counters = {loop.var for loop in self.found}
        var = next((loop.var for loop in self.found if loop.var not in declared - in_heads), self.wanted.var)
        loop = next(loop for loop in self.found if loop.var is var)
        bounds = joint_bounds(self.facts, self.found)
        if bounds is None:
            raise _Unmovable
        guards = {part: bounds.condition(one, var) for part, one in self.parts.items()}
        change = _Change(var, counters, counters & declared, contracted, guards)
        new = [found.declaration for symbol, found in contracted.items() if symbol not in declared]
        first = tuple(t.DeclStmt(loop.statement.loc, (decl,)) for decl in new)
        inner = t.Block(loop.body.loc, (*first, *change.block(t.Block(loop.body.loc, items)).items))
        _check_names(var, inner)
        return replace(bounds.around(loop, var in declared), body=inner)


@dataclass(frozen=True, eq=False)
class _Change:
    """Code in which `counters` are `var`, those that are `declared` are not any more, and arrays are smaller. `guards`
    says of blocks under which condition they are run; None: always.
    """

    var: t.Symbol
    counters: Set[t.Symbol]
    declared: Set[t.Symbol]
    contracted: Mapping[t.Symbol, Contraction]
    guards: Mapping[t.Block, t.Expr | None]

    def block(self, block: t.Block) -> t.Block:
        kept = (item for item in block.items if not self._is_gone(item))
        return replace(block, items=tuple(new for item in kept for new in self._items(item)))

    def _items(self, item: t.Stmt) -> tuple[t.Stmt, ...]:
        if not isinstance(item, t.Block) or item not in self.guards:
            return (rewritten(item, self._of),)
        inside, condition = self.block(item), self.guards[item]
        if condition is not None:
            return (t.If(item.loc, condition, inside, None),)
        return (inside,) if any(isinstance(part, t.DeclStmt) for part in inside.items) else inside.items

    def _is_gone(self, item: t.Stmt) -> bool:
        return isinstance(item, t.DeclStmt) and bool(item.decls) and all(d.symbol in self.declared for d in item.decls)

    def _of(self, node: Node) -> Node | None:
        match node:
            case t.Block():
                return self.block(node)
            case t.DeclStmt(decls=decls) if any(decl.symbol in self.declared for decl in decls):
                kept = tuple(decl for decl in decls if decl.symbol not in self.declared)
                return rewritten(replace(node, decls=kept), self._of)
            case t.VarDecl(symbol=symbol) if symbol in self.contracted:
                return self.contracted[symbol].declaration
            case t.Name(symbol=symbol) if symbol in self.counters and symbol is not self.var:
                return replace(node, symbol=self.var)
            case t.Index() if (array := array_element(node)) is not None and array in self.contracted:
                return rewritten(self.contracted[array].element(node), self._of)
            case _:
                return None


def _check_names(var: t.Symbol, body: t.Stmt) -> None:
    """The loop's variable is the only one of its name inside, and nothing there assigns it."""
    names = (node.symbol for node in walk(body) if isinstance(node, (t.Name, t.VarDecl)))
    if any(symbol.name == var.name and symbol is not var for symbol in names) or var in set(_assigned(body)):
        raise _Unmovable


def _is_plain(decl: t.VarDecl) -> bool:
    """A variable of the thread's, or an array of such without values."""
    symbol = decl.symbol
    if symbol.storage not in (t.Storage.AUTO, t.Storage.REGISTER) or ty.element_of(symbol.type).quals & {"volatile"}:
        return False
    array = isinstance(symbol.type, ty.Array) and not ty.is_variably_modified(symbol.type) and decl.init is None
    return ty.is_arithmetic(symbol.type) or (array and ty.is_arithmetic(ty.element_of(symbol.type)))


def _flat(body: t.Stmt) -> Iterator[t.Stmt]:
    """The statements of a block, and those of blocks in it."""
    for item in body.items if isinstance(body, t.Block) else (body,):
        if isinstance(item, t.Block):
            yield from _flat(item)
        else:
            yield item


def _names(code: t.Stmt, symbol: t.Symbol) -> bool:
    return symbol in symbols_in(code)


def _assigned(body: t.Stmt) -> Iterator[t.Symbol]:
    """The variables that `body` assigns by name."""
    for node in walk(body):
        target = node.target if isinstance(node, t.Assign) else node.operand if isinstance(node, t.IncDec) else None
        if isinstance(target, t.Name):
            yield target.symbol
        elif isinstance(node, t.VarDecl):
            yield node.symbol
