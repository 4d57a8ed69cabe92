"""Rewrite: can a loop come out of those around it, and of what stands beside it, to be an axis of the grid?

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

    memory            an axis of the grid has independent iterations; so they may be done together, too (mapping.py)
    own arrays        with the loop's variable as a subscript, always in the same place: that dimension goes away
                      (smaller_arrays.py); or each loop reads only what the same iteration of it has written
    own scalars       an iteration reads what it has assigned, or what was assigned outside of all the loops

Two iterations of the joint loop are then two threads, so it does not matter which way the loops have counted.

What stands beside the loops is repeated for every iteration: only assignments to the thread's own scalars, of values
that are the same for all. A condition around loops is the same for all, too: it reads nothing that they write.

    In: a body, Facts, the loops outside.   Out: Moved, or None.
    Not here: whether it pays; whether iterations of the new loop are independent -- mapping.py; loops whose bounds
    change from one iteration of the outer ones to the next; which conditions loops with other bounds need --
    joint_bounds.py.
    Source: loop distribution, interchange and fusion (Allen and Kennedy, "Optimizing Compilers for Modern
    Architectures", 5.2 and 6.2; Kennedy and McKinley, LCPC 1993), as one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.interchange.loop_bounds import Likeness, bounds_of, likeness, may_be_asked
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import breaks, continues, labels_in, returns_in
from ompc.ir.queries import declared_in, nodes, set_in, symbols_in
from ompc.ir.walk import Node, type_expressions, walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.omp.uses import has_side_effects
from ompc.plan.rewrites.joint_body import JointBody, hides_names, without_continues
from ompc.plan.rewrites.joint_bounds import joint_bounds
from ompc.plan.rewrites.smaller_arrays import Contraction, contraction

_UNKNOWN = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt)

_LIKENESSES = (
    {Likeness.ALIKE_AS_WRITTEN},
    {Likeness.ALIKE_AS_WRITTEN, Likeness.SIMILAR_AS_WRITTEN},
    {Likeness.ALIKE_AS_WRITTEN, Likeness.ALIKE},
    frozenset(Likeness) - {Likeness.NONE},
)
"""The sets of likenesses that are accepted between loops, tried one after the other."""

MOST_TRIED = 8
"""The most loops of a body that are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A loop that was moved out.

    `nest`        the new loop
    `loops`       those that it was made of
    `bounds`      of those loops
    `contracted`  arrays that have lost a dimension
    """

    nest: t.For
    loops: tuple[CanonicalLoop, ...]
    bounds: tuple[t.Expr, ...]
    contracted: tuple[t.Symbol, ...]


class _Unmovable(Exception):
    pass


def moved_out(
    facts: Facts, body: t.Stmt, outer: Sequence[CanonicalLoop], inside: bool = False
) -> Iterator[Moved]:
    """The loops that can each be moved around all of `body`: first those that need no condition, outer ones first.
    `inside`: it is that of a loop inside of an iteration, which finds there what is declared outside of it; whether
    iterations are independent of each other by that, too, is asked when the new loop is to be shared.
    """
    if labels_in(body) or returns_in(body) or facts.loop.reductions:
        return
    if any(isinstance(node, _UNKNOWN) for node in walk(body)) or facts.device_code.says_anything(body):
        return
    seen: set[tuple[CanonicalLoop, ...]] = set()
    for inwards in (False, True):
        for least in _LIKENESSES:
            for wanted in _candidates(facts, body):
                moved = _try(_Mover(facts, wanted, outer, least, inwards, seen, inside), body)
                if moved is not None:
                    yield moved


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
        if loop is not None and not any(loop.var is other.var and _are_alike(facts, loop, other) for other in found):
            found.append(loop)
            if len(found) == MOST_TRIED:
                break
    return found


def _are_alike(facts: Facts, a: CanonicalLoop, b: CanonicalLoop) -> bool:
    return likeness(facts, a, b) is Likeness.ALIKE_AS_WRITTEN


@dataclass(eq=False)
class _Mover:
    """`varying` are the thread's own scalars whose values at the present place may come from inside of the loops that
    were `found`; `names` is what is declared, assigned or counts outside of them. Loops are found that are like the
    wanted one as `likenesses` say; of two of which one is in the other, both as much, the inner one where the search
    goes `inwards`. `parts` are blocks that only the iterations of such a loop run; what is `under` conditions may not
    be run at all. `seen` are sets of loops for which all this has been tried. `inside`: as of moved_out.
    """

    facts: Facts
    wanted: CanonicalLoop
    outer: Sequence[CanonicalLoop]
    likenesses: Set[Likeness]
    inwards: bool
    seen: set[tuple[CanonicalLoop, ...]]
    inside: bool = False
    under: int = 0
    parts: dict[t.Block, CanonicalLoop] = field(default_factory=dict)
    found: list[CanonicalLoop] = field(default_factory=list)
    varying: set[t.Symbol] = field(default_factory=set)
    names: set[t.Symbol] = field(default_factory=set)

    def moved(self, body: t.Stmt) -> Moved:
        items = tuple(self._items(_statements(body), ()))
        if tuple(self.found) in self.seen:
            raise _Unmovable
        self.seen.add(tuple(self.found))
        inside = [loop for loop in self.found if any(loop.statement is item for item in _flat(body))]
        if len(self.found) < 2 and inside:
            raise _Unmovable  # nothing would become of it
        self._check_counters(body)
        contracted = self._own_arrays(body)
        nest = self._nest(body, items, contracted)
        bounds = tuple(bound for loop in self.found for bound in bounds_of(self.facts, loop))
        return Moved(nest, tuple(self.found), bounds, tuple(contracted))

    # -------------------------------------------------------------- statements

    def _block(self, body: t.Stmt, counters: tuple[t.Symbol, ...]) -> t.Block:
        items = body.items if isinstance(body, t.Block) else (body,)
        return t.Block(body.loc, tuple(self._items(items, counters)))

    def _items(self, body: Sequence[t.Stmt], counters: tuple[t.Symbol, ...]) -> Iterator[t.Stmt]:
        """`body` for one iteration of the wanted loop, inside of loops over `counters`."""
        for node in body:
            match node:
                case t.Empty():
                    pass
                case t.ExprStmt(expr=value) if not has_side_effects(value):
                    pass
                case t.Block():
                    yield self._block(node, counters)
                case t.For():
                    yield from self._loop(node, counters)
                case t.If():
                    yield self._branches(node, counters)
                case _:
                    self._repeat(node)
                    yield node

    def _branches(self, node: t.If, counters: tuple[t.Symbol, ...]) -> t.If:
        """What is done under a condition is done by all iterations, or by none."""
        self._check_value(node.condition)
        self.under += 1
        before = set(self.varying)
        then = self._block(node.then, counters)
        self.varying, after = before, self.varying
        other = None if node.other is None else self._block(node.other, counters)
        self.varying |= after
        self.under -= 1
        return replace(node, then=then, other=other)

    def _loop(self, node: t.For, counters: tuple[t.Symbol, ...]) -> Iterator[t.Stmt]:
        loop = self.facts.inner_loops.get(node)
        if loop is None or not self._is_own(loop.var):
            raise _Unmovable
        if self._is_wanted(loop):
            self._enter(loop)
            part = t.Block(loop.body.loc, _statements(loop.body))
            if breaks(part) or continues(part):
                raise _Unmovable
            self.parts[part] = loop
            yield part
            return
        self._check_bounds(loop, counters)
        self.names.add(loop.var)
        before = self.varying - {loop.var}
        self.varying |= set_in(loop.body)  # by earlier iterations of it
        self.varying.discard(loop.var)
        items = tuple(self._items(_statements(loop.body), (*counters, loop.var)))
        self.varying |= before
        yield replace(node, body=t.Block(loop.body.loc, items))

    def _is_wanted(self, loop: CanonicalLoop) -> bool:
        """Is it the loop, or one that can be the same? Of two such, one in the other, that which is more like it."""
        found = self._likeness(loop)
        inside = (self.facts.inner_loops.get(node) for node in walk(loop.body) if isinstance(node, t.For))
        most = max((self._likeness(other) for other in inside if other is not None), default=0)
        return found > most or (found == most > 0 and not self.inwards)

    def _likeness(self, loop: CanonicalLoop) -> int:
        """0: it cannot become one with the wanted loop."""
        found = likeness(self.facts, self.wanted, loop)
        return 2 * found + (loop.var.name == self.wanted.var.name) if found in self.likenesses else 0

    def _enter(self, loop: CanonicalLoop) -> None:
        """A wanted loop: no iteration of it reads a scalar that another one, or one of another loop, has assigned."""
        self.found.append(loop)
        if self.under and not may_be_asked(self.facts, loop):
            raise _Unmovable
        declared = declared_in(loop.body)
        changed = set_in(loop.body) - declared
        if not all(map(self._is_own, (*changed, loop.var))) or loop.var in changed:
            raise _Unmovable
        if exposed_reads(loop.body) & (self.varying | changed) - {loop.var}:
            raise _Unmovable
        self.varying |= changed | {loop.var}

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
        if not Invariance(lambda symbol: self._is_known(symbol, known)).holds(loop.lower, loop.upper, loop.step):
            raise _Unmovable

    def _is_known(self, symbol: t.Symbol, known: Set[t.Symbol]) -> bool:
        """Has it one value for all iterations of the wanted loop? One of the thread's own has what stands beside it."""
        return symbol in known or (self._is_own(symbol) and symbol not in self.varying and symbol in self.names)

    def _repeat(self, node: t.Stmt) -> None:
        """What is done beside the wanted loops must assign to the thread's own scalars alone."""
        match node:
            case t.DeclStmt(decls=decls) if all(map(_is_plain, decls)):
                for decl in decls:
                    self.names.add(decl.symbol)
                    for value in (decl.init, *type_expressions(decl.symbol.type)):
                        if value is not None:
                            self._check_value(value)
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
        if not symbols_in(value).isdisjoint(self.varying):
            raise _Unmovable

    def _is_own(self, symbol: t.Symbol) -> bool:
        own = self.facts.is_thread_private(MemoryObject(symbol)) and ty.is_arithmetic(symbol.type)
        return own and not symbol.address_taken and "volatile" not in symbol.type.quals

    # ----------------------------------------------------------------- objects

    def _own_arrays(self, body: t.Stmt) -> dict[t.Symbol, Contraction]:
        """The thread's own objects that an iteration changes are its own too: which of them lose a dimension."""
        found: dict[t.Symbol, Contraction] = {}
        for symbol in self._own_objects_written(body):
            if self._is_declared_inside(symbol) or (self.inside and symbol not in declared_in(body)):
                continue
            narrower = contraction(body, symbol, self.found) if self._is_privatisable(symbol) else None
            if narrower is not None and symbol not in self.facts.function_symbols:
                found[symbol] = narrower
            elif not self._is_of_each_iteration(symbol):
                raise _Unmovable
        return found

    def _own_objects_written(self, body: t.Stmt) -> list[t.Symbol]:
        """The thread's arrays and structs that `body` changes, in part or through pointers."""
        inside = set(walk(body))
        writes = (access for access in self.facts.accesses if access.mode.writes)
        objects = dict.fromkeys(a.obj for a in writes if a.node in inside or a.function is not None)
        own = [obj.symbol for obj in objects if self.facts.is_thread_private(obj)]
        return [symbol for symbol in own if not ty.is_scalar(symbol.type) or symbol.address_taken]

    def _is_declared_inside(self, symbol: t.Symbol) -> bool:
        return any(isinstance(n, t.VarDecl) and n.symbol is symbol for loop in self.found for n in walk(loop.body))

    def _is_privatisable(self, symbol: t.Symbol) -> bool:
        """Has it no value before an iteration of the parallel loop, and none after it?"""
        automatic = symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER)
        how = self.facts.loop.sharing.get(symbol, Sharing.PRIVATE if automatic else Sharing.SHARED)
        return how is Sharing.PRIVATE or symbol in self.names

    def _is_of_each_iteration(self, symbol: t.Symbol) -> bool:
        """Is it an array of which each iteration of each wanted loop reads only what it has written itself?"""
        if not isinstance(symbol.type, ty.Array) or not self._is_privatisable(symbol):
            return False
        used = [loop for loop in self.found if symbol in symbols_in(loop.body)]
        if any(not self._is_inside(access.context) for access in self.facts.of(MemoryObject(symbol))):
            return False
        return all(self.facts.keeps_nothing(loop.body, symbol) for loop in used)

    def _is_inside(self, context: Sequence[Node]) -> bool:
        return any(loop.statement in context for loop in self.found)

    # ---------------------------------------------------------------- new loop

    def _nest(self, body: t.Stmt, items: tuple[t.Stmt, ...], contracted: Mapping[t.Symbol, Contraction]) -> t.For:
        """The loop around `items`, which are the body's, with the variable of one of the loops that were found."""
        declared = {decl.symbol for node in walk(body) if isinstance(node, t.DeclStmt) for decl in node.decls}
        in_heads = {loop.var for loop in self.found if loop.declared_here}
        counters = {loop.var for loop in self.found}
        bounds = joint_bounds(self.facts, self.found)
        if bounds is None:
            raise _Unmovable
        loops = [loop for loop in self.found if ty.unqualified(loop.type) == bounds.kind]
        var = next((loop.var for loop in loops if loop.var not in declared - in_heads), None)
        if var is None and loops:
            var = loops[0].var
        if var is None:  # it is none of theirs
            own = self.wanted.var
            var = replace(own, type=bounds.kind, storage=t.Storage.AUTO, address_taken=False, value=None)
            declared.add(var)
        loop = next((loop for loop in self.found if loop.var is var), self.wanted)
        guards = {part: bounds.condition(one, var) for part, one in self.parts.items()}
        change = JointBody(var, counters, counters & declared, contracted, guards)
        new = [found.declaration for symbol, found in contracted.items() if symbol not in declared]
        first = tuple(t.DeclStmt(loop.statement.loc, (decl,)) for decl in new)
        inner = t.Block(loop.body.loc, (*first, *change.block(t.Block(loop.body.loc, items)).items))
        if hides_names(var, inner):
            raise _Unmovable
        return replace(bounds.around(loop, var, var in declared), body=inner)


def _is_plain(decl: t.VarDecl) -> bool:
    """A variable of the thread's, or an array of such without values."""
    symbol = decl.symbol
    if symbol.storage not in (t.Storage.AUTO, t.Storage.REGISTER) or ty.element_of(symbol.type).quals & {"volatile"}:
        return False
    array = isinstance(symbol.type, ty.Array) and decl.init is None
    return ty.is_arithmetic(symbol.type) or (array and ty.is_arithmetic(ty.element_of(symbol.type)))


def _flat(body: t.Stmt) -> Iterator[t.Stmt]:
    """The statements of a block, and those of blocks in it."""
    for item in body.items if isinstance(body, t.Block) else (body,):
        if isinstance(item, t.Block):
            yield from _flat(item)
        else:
            yield item


def _statements(body: t.Stmt) -> tuple[t.Stmt, ...]:
    """What an iteration of the loop with this body does."""
    return without_continues(body.items if isinstance(body, t.Block) else (body,))
