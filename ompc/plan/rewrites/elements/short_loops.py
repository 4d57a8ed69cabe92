"""Plan: short loops over the components of a sum are unrolled, so that threads can share the loop around them (`auto`).

    for (d = 0; d < 3; d++) f[i][d] = 0;                double f_i_0 = 0, f_i_1 = 0, f_i_2 = 0;
    for (j = 0; j < n; j++) {                           for (j ...) {
        ...                                      ->         ...
        for (d = 0; d < 3; d++) f[i][d] += r[d] * s;        f_i_0 += r[0] * s; f_i_1 += r[1] * s; f_i_2 += r[2] * s;
    }                                                   }
                                                        f[i][0] = f_i_0; f[i][1] = f_i_1; f[i][2] = f_i_2;

A loop over j that adds to one element of an array is a sum, of which each lane has a part (scalar_replacement.py); one
that adds to three of them, one after the other in a loop, is three sums. That goes for elements of arrays in memory and
of arrays that are each iteration's own.

    which loops     canonical ones with numbers for bounds, of at most four iterations, without loops or jumps inside,
                    whose counter nobody wants behind them; those that access the array whose elements are summed, also
                    in front of the loop around and behind it
    when            elements of that array stay in variables behind that, during a loop of more iterations

    In: Facts.   Out: the Facts of the same loop with such loops unrolled, and a line that says so; or the same Facts.
    Not here: the variables -- scalar_replacement.py, own_elements.py.
    Source: complete unrolling, as it is wanted before scalar replacement (Callahan, Carr, Kennedy, "Improving register
    allocation for subscripted variables", PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.locality.scalar_replacement import replaceable_elements
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import declarations_in, declared_in, set_in, symbols_in
from ompc.ir.rewrite import copied_around, rewritten, with_items
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.rewrites.elements.own_elements import own_arrays, with_variables
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

MOST_ITERATIONS = 4
MOST_NODES = 400
"""Of all copies of a loop's body: what is longer is no sum of a few components."""

_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.For, t.While, t.DoWhile, t.Switch)


def with_short_loops_unrolled(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with the short loops unrolled that are in the way of sums."""
    short = {loop.statement: loop for loop in facts.inner_loops.values() if is_short(facts, loop)}
    after = _unrolled(facts, short) if _is_worthwhile(facts, short) else None
    if after is None:
        return facts, None
    summed = set(_summed(after))
    chosen = {node: loop for node, loop in short.items() if not summed.isdisjoint(_accessed(facts, node))}
    found = _unrolled(facts, chosen)
    if found is None:
        return facts, None
    found = _with_own_elements(found, {obj.symbol for obj in summed})
    names = ", ".join(dict.fromkeys(loop.var.name for loop in chosen.values()))
    return found, f"short loops over {names}, which add to few elements, are unrolled"


def _with_own_elements(facts: Facts, summed: set[t.Symbol]) -> Facts:
    """With variables in the place of each iteration's own arrays among `summed`."""
    body = facts.device_code.body
    arrays = [symbol for symbol in own_arrays(body) if symbol in summed]
    if not arrays:
        return facts
    found = with_body(facts, body, with_variables(body, arrays, FreeNames(facts), facts.loop.function), arrays)
    return facts if isinstance(found, Reason) else found


def is_short(facts: Facts, loop: CanonicalLoop) -> bool:
    """Has it few iterations, which can be written out one after the other?"""
    trips, node = constant_trips(loop), loop.statement
    if trips is None or not 0 < trips <= MOST_ITERATIONS or loop.pointer is not None or not _is_own(facts, loop):
        return False
    if not _is_straight(loop):
        return False
    parts = list(walk(node.body))
    static = any(decl.symbol.storage is not t.Storage.AUTO for decl in declarations_in(node.body))
    return not static and len(parts) * trips <= MOST_NODES and not any(isinstance(part, _UNFIT) for part in parts)


def _is_straight(loop: CanonicalLoop) -> bool:
    """Does it come to the end of each iteration, and leave its counter alone?"""
    body = loop.statement.body
    return not (loop.var in set_in(body) or loop.var.address_taken or jumps_in(body) or labels_in(body))


def _is_own(facts: Facts, loop: CanonicalLoop) -> bool:
    """Does nobody want the counter behind the loop?"""
    if isinstance(loop.statement.init, t.DeclStmt):
        return len(loop.statement.init.decls) == 1
    private = facts.loop.sharing.get(loop.var, Sharing.PRIVATE) is Sharing.PRIVATE and loop.var.is_automatic
    own = private and facts.is_thread_private(MemoryObject(loop.var))
    return own and not read_after(facts.device_code.body, loop.statement, loop.var)


def _is_worthwhile(facts: Facts, short: Mapping[t.For, CanonicalLoop]) -> bool:
    """Does one of them stand in a longer loop, and update elements of an array there?"""
    return any(
        access.mode.writes
        and access.function is None
        and any(node in short for node in access.context)
        and any(isinstance(node, t.For) and node not in short for node in access.context)
        for access in facts.accesses
        if access.subscripts
    )


def _summed(facts: Facts) -> Iterator[MemoryObject]:
    """The arrays of which a loop of more iterations updates elements that may be variables meanwhile."""
    own = set(own_arrays(facts.device_code.body))
    for access in facts.accesses:
        if access.obj.symbol in own and access.mode.writes and access.mode.reads and _is_in_a_long_loop(facts, access):
            yield access.obj
    for one in replaceable_elements(facts):
        loop = facts.inner_loops.get(one.loop) if isinstance(one.loop, t.For) else None
        found = [access for node in one.nodes for access in facts.at(node)]
        if loop is not None and not _has_few_iterations(loop) and any(access.mode.reads for access in found):
            yield from (access.obj for access in found)


def _is_in_a_long_loop(facts: Facts, access: Access) -> bool:
    loops = (facts.inner_loops.get(node) for node in access.context if isinstance(node, t.For))
    return any(loop is not None and not _has_few_iterations(loop) for loop in loops)


def _has_few_iterations(loop: CanonicalLoop) -> bool:
    return 0 < (constant_trips(loop) or 0) <= MOST_ITERATIONS


def _accessed(facts: Facts, node: t.For) -> set[MemoryObject]:
    inside = set(walk(node.body))
    return {access.obj for access in facts.accesses if access.node in inside}


def _unrolled(facts: Facts, loops: Mapping[t.For, CanonicalLoop]) -> Facts | None:
    body = facts.device_code.body
    new = _Unrolling(loops).of(body)
    gone = {loop.var for loop in loops.values()} - symbols_in(new)
    found = facts if new is body else with_body(facts, body, new, gone)
    return None if new is body or isinstance(found, Reason) else found


@dataclass(frozen=True, slots=True)
class _Unrolling:
    loops: Mapping[t.For, CanonicalLoop]

    def of(self, node: t.Stmt) -> t.Stmt:
        """`node` with the loops written out; itself where there are none."""
        return rewritten(node, self._new)

    def _new(self, part: Node) -> Node | None:
        if isinstance(part, t.Block) and any(item in self.loops for item in part.items):
            return with_items(part, [made for item in part.items for made in self._in_block(item)])
        if isinstance(part, t.For) and part in self.loops:
            return t.Block(part.loc, tuple(self._in_block(part)))
        return None

    def _in_block(self, item: t.Stmt) -> list[t.Stmt]:
        loop = self.loops.get(item) if isinstance(item, t.For) else None
        if loop is None:
            return [self.of(item)]
        first, step = constant_value(loop.lower), loop.constant_step
        assert first is not None and step is not None
        made: list[t.Stmt] = []
        for turn in range(constant_trips(loop) or 0):
            own = {symbol: replace(symbol) for symbol in declared_in(loop.statement.body)}
            copy = _Copy(loop.var, first + (-step if loop.down else step) * turn, own).of(loop.statement.body)
            assert isinstance(copy, t.Stmt)
            plain = isinstance(copy, t.Block) and not any(isinstance(each, t.DeclStmt) for each in copy.items)
            made += copy.items if plain and isinstance(copy, t.Block) else [copy]
        return made


@dataclass(frozen=True, slots=True)
class _Copy:
    """Copies a loop's body for one `value` of its counter: analyses know code by its nodes. `own`: what becomes of the
    variables that it declares.
    """

    counter: t.Symbol
    value: int
    own: Mapping[t.Symbol, t.Symbol]

    def of(self, node: Node) -> Node:
        match node:
            case t.Name(symbol=symbol) if symbol is self.counter:
                return number(self.value, node)
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol) if symbol in self.own:
                return copied_around(replace(node, symbol=self.own[symbol]), self.of)
            case _:
                return copied_around(node, self.of)


def number(value: int, at: t.Name) -> t.Expr:
    """`value`, as the variable has it."""
    kind = ty.unqualified(at.type)
    found: t.Expr = t.IntConst(ty.INT, at.loc, abs(value), str(abs(value)))
    if value < 0:
        found = t.Unary(ty.INT, at.loc, "-", found)
    return found if kind == ty.INT else t.Cast(kind, at.loc, found)
