"""Plan: which reads of a tiled nest go through shared memory, and which elements stay in registers.

    for (k ...) c[i][j] += a[i][k] * b[k][j] * w[k];

    a[i][k], b[k][j]    staged: read in every iteration of k, by all points of a row or column of the tile
    c[i][j]             kept: each point reads and writes its own, and nothing else does
    w[k]                neither: one element for all points in an iteration, which the caches serve

    s += p[i][k] * q[k][j];      staged as int: of signed char, each is converted once, and not for each point

Integers of one and two bytes are `int` in shared memory. C promotes them wherever an expression reads one, so that
nothing changes; else a thread would convert those of its 8 rows and 8 columns in every iteration.

A read that may be skipped is not staged, since its element need not exist. A kept element must be written by every
point, so that it is the point's own: two points that write one element race.

    In: Facts, RegisterTileBody, the loops of the grid, the variables.   Out: StagedReads, KeptElements, or Untileable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import assignment, same
from ompc.analysis.locality.register_tile import RegisterTileBody
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import promoted
from ompc.ir.queries import symbols_in
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.strides import moves_by_one, moves_to_next
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.tile_model import Axis, KeptElement, Order, StagedRead
from ompc.plan.model.variable import Role, Variable, array_of


class Untileable(Exception):
    """Points share what they read, but `because` says why they are not tiled."""

    def __init__(self, because: str) -> None:
        super().__init__(because)
        self.because = because


@dataclass(frozen=True, eq=False)
class TileReads:
    """The questions about memory of one nest. `loops` are those of the grid, `counters` their variables, each with that
    of its axis; the tile extends along y and x, `axes`.
    """

    facts: Facts
    body: RegisterTileBody
    loops: Sequence[CanonicalLoop]
    counters: Mapping[t.Symbol, t.Symbol]
    axes: tuple[t.Symbol, t.Symbol]
    variables: Sequence[Variable]

    @property
    def y(self) -> t.Symbol:
        return self.axes[0]

    @property
    def x(self) -> t.Symbol:
        return self.axes[1]

    def staged(self) -> tuple[StagedRead, ...]:
        """The reads that points share, each element once; Untileable where a point also reads much of its own."""
        found: list[list[Access]] = []
        reads = [access for access in self._in_loop if access.obj not in self.facts.written]
        for access in sorted(reads, key=lambda access: self._direction(access) is None):
            group = next((group for group in found if self._same(group[0].node, access.node)), None)
            if group is not None:
                group.append(access)  # also where it may be skipped: the element exists
            elif self._direction(access) is not None:
                found.append([access])
            elif found and self._is_own(access):
                raise Untileable(f"each point reads elements of its own of '{access.obj}'")
        return tuple(self._staged(group) for group in found)

    def kept(self) -> tuple[KeptElement, ...]:
        """What the inner loop writes, or what is written before it."""
        objects = [obj for obj in self.facts.shared_objects if obj in self.facts.written]
        return tuple(self._kept(obj) for obj in objects if self._is_wanted(obj))

    def check_guarded(self, staged: Sequence[StagedRead], kept: Sequence[KeptElement]) -> None:
        """Raise Untileable where the inner loop does what only points that there are may do."""
        guard = self.body.guard
        others = {loop.var for loop in self.loops} - {*self.axes}
        asked = set() if guard is None else {self.counters.get(s, s) for s in symbols_in(guard.condition)}
        for other in (axis for axis in asked if axis in others):
            raise Untileable(f"which points there are changes with {other.name}")
        there = {node for read in staged for node in read.nodes} | {node for one in kept for node in one.nodes}
        memory = (a for a in self._in_loop if a.obj.pointee or not ty.is_scalar(a.obj.symbol.type))
        if any(access.node not in there for access in memory):
            raise Untileable("what a point beside the others would read need not exist")
        if any(isinstance(node, t.Call) for node in walk(self.body.loop.body)):
            raise Untileable("a point beside the others would call functions")
        own = (access.node for access in self.facts.accesses if self.body.loop.statement in access.context)
        if any(node not in there and not _is_always_there(node) for node in own):
            raise Untileable("a point beside the others would read what need not exist")
        places = {part for node in there for part in walk(node)}  # of one axis: points that there are compute them, too
        if any(node not in places and _is_undefined_for_some(node) for node in walk(self.body.loop.body)):
            raise Untileable("a point beside the others would compute with numbers for which that is undefined")

    @cached_property
    def _in_loop(self) -> tuple[Access, ...]:
        """The accesses in the inner loop to objects outside the threads."""
        found = (access for access in self.facts.accesses if self.body.loop.statement in access.context)
        return tuple(access for access in found if not self.facts.is_thread_private(access.obj))

    def _direction(self, access: Access) -> Axis | None:
        """The axis along which what is staged for the access extends; None: it is not to be staged."""
        v = array_of(self.variables, access.obj)
        if v is None or not v.is_only_read:
            return None
        if self._conditions(access) != (self.body.loop.statement,):
            return None
        if _is_bit_field(access.node) or not (is_stageable(access.node.type) or is_widened(access.node.type)):
            return None
        varying = self._varying(access)
        if varying is None or self.body.loop.var not in varying or (self.x in varying) == (self.y in varying):
            return None
        return Axis.X if self.x in varying else Axis.Y

    def _conditions(self, access: Access) -> tuple[t.Stmt | t.Expr, ...]:
        """What encloses the access within one iteration of the grid."""
        around = {*(loop.statement for loop in self.loops), self.body.guard}
        return tuple(node for node in access.context if node not in around)

    def _same(self, a: t.Expr, b: t.Expr) -> bool:
        """Do both designate one element at each point? Loops that have become one axis may have several variables."""
        names = [[node.symbol for node in walk(expr) if isinstance(node, t.Name)] for expr in (a, b)]
        first, second = ([self.counters.get(symbol, symbol) for symbol in symbols] for symbols in names)
        return same(a, b) or (same(a, a) and c_expr(a) == c_expr(b) and first == second)

    def _is_own(self, access: Access) -> bool:
        """May each point read other elements in each iteration?"""
        if not access.obj.pointee and not isinstance(access.obj.symbol.type, ty.Array):
            return False
        varying = self._varying(access)
        return varying is None or (self.body.loop.var in varying and not varying.isdisjoint((self.x, self.y)))

    def _varying(self, access: Access) -> frozenset[t.Symbol] | None:
        """The counters that the element's place is computed from."""
        subscripts = _all_subscripts(access.node)
        if access.subscripts is None or access.function is not None or subscripts is None:
            return None
        found = [self.body.varies_with(subscript) for subscript in subscripts]
        known = [varying for varying in found if varying is not None]
        return frozenset(chain.from_iterable(known)) if len(known) == len(found) else None

    def _staged(self, group: Sequence[Access]) -> StagedRead:
        access = group[0]
        axis, subscripts = self._direction(access), _all_subscripts(access.node)
        assert axis is not None and subscripts
        name = spelled(access.obj.symbol.name)
        tile, own = Local(f"{name}_tile"), Local(f"{name}_own")
        kind, order = promoted(ty.unqualified(access.node.type)), self._order(access.node, subscripts, axis)
        return StagedRead(tuple(a.node for a in group), axis, order, kind, tile, own)

    def _order(self, node: t.Expr, subscripts: Sequence[t.Expr], axis: Axis) -> Order:
        point, is_whole = self.x if axis is Axis.X else self.y, _is_whole(node)
        loop, wraps = self.body.loop, any(self._wraps(subscript) for subscript in subscripts)
        if moves_by_one(self.facts, subscripts, loop.var):
            certainly = moves_to_next(self.facts, subscripts, loop.var) and _counts_up(loop) and not wraps
            return Order.POINTS if certainly and is_whole else Order.DOWN
        if not is_whole:
            return Order.ACROSS
        loops = [loop for loop in self.loops if self.counters.get(loop.var, loop.var) is point]
        next_ones = [loop for loop in loops if moves_to_next(self.facts, subscripts, loop.var)]
        if not next_ones:
            return Order.ACROSS
        return Order.VECTORS if all(map(_counts_up, next_ones)) and not wraps else Order.ROWS

    def _wraps(self, subscript: t.Expr) -> bool:
        """May its value be no polynomial of the counters, since an operation is modulo 2^32 or less?"""
        inits = {decl.symbol: decl.init for decl in self.body.definitions}
        if self.facts.forms.of(subscript) is None:
            return True
        for node in walk(subscript):
            if isinstance(node, (t.Binary, t.Unary, t.Cast)):
                kind = ty.unqualified(node.type)
                if not isinstance(kind, ty.Int) or kind.size < 4 or (kind.size == 4 and not kind.signed):
                    return True
            init = inits.get(node.symbol) if isinstance(node, t.Name) else None
            if init is not None and isinstance(node, t.Name):
                narrowed = (ty.size_of(node.symbol.type) or 0) < (ty.size_of(init.type) or 0)
                if narrowed or self._wraps(init):
                    return True
        return False

    def _is_wanted(self, obj: MemoryObject) -> bool:
        before = {node for item in self.body.before for node in walk(item)}
        return any(a in self._in_loop or (a.mode.writes and a.node in before) for a in self.facts.of(obj))

    def _kept(self, obj: MemoryObject) -> KeptElement:
        found = self.facts.of(obj)
        first = found[0]
        if array_of(self.variables, obj) is None or not all(v.distinct for v in self.variables if v.role is Role.ARRAY):
            raise Untileable(f"'{obj}', which is written, may have other names")
        beside = {node for item in (*self.body.ahead, *self.body.behind) for node in walk(item)}
        if any(access.node in beside for access in found):
            raise Untileable(f"what stands beside the condition accesses '{obj}', which a point keeps in a register")
        if any(access.function is not None or not self._same(access.node, first.node) for access in found):
            raise Untileable(f"a point accesses several elements of '{obj}', which is written")
        varying = self._varying(first)
        if varying is None or self.body.loop.var in varying or not is_stageable(first.node.type):
            raise Untileable(f"a point may write several elements of '{obj}'")
        alone = ((), (self.body.loop.statement,))
        if not any(access.mode.writes and self._conditions(access) in alone for access in found):
            raise Untileable(f"a point may write nothing of '{obj}'")
        own = Local(f"{spelled(obj.symbol.name)}_own")
        loaded = not self._is_set_first(first.node)
        return KeptElement(tuple(a.node for a in found), ty.unqualified(first.node.type), own, loaded)

    def _is_set_first(self, element: t.Expr) -> bool:
        """Is the first that is done to the element an assignment that does not read it?"""
        for item in self.body.before:
            found = assignment(item)
            if found is not None and found.target is element:
                return not any(isinstance(node, t.Expr) and self._same(node, element) for node in walk(found.value))
        return False


def _is_bit_field(node: t.Expr) -> bool:
    """Has it no address from which it could be copied?"""
    return isinstance(node, t.Member) and node.member.bits is not None


def _is_always_there(node: t.Expr) -> bool:
    """Does the lvalue exist whatever the variables in it are?"""
    subscripts = _all_subscripts(node)
    return subscripts is not None and all(constant_value(subscript) is not None for subscript in subscripts)


def _is_undefined_for_some(node: object) -> bool:
    """Is it a division or a shift of integers, by what is no number, or may a sum or product of them overflow?"""
    match node:
        case t.Binary(op="/" | "%" | "<<" | ">>", right=right) | t.Assign(op="/=" | "%=" | "<<=" | ">>=", value=right):
            return ty.is_integer(right.type) and constant_value(right) is None
        case t.Binary(op="+" | "-" | "*", type=kind) | t.Assign(op="+=" | "-=" | "*=", type=kind):
            return isinstance(kind := ty.unqualified(kind), ty.Int) and kind.signed
        case t.IncDec(type=kind):
            return isinstance(kind := ty.unqualified(kind), ty.Int) and kind.signed
        case _:
            return False


def _all_subscripts(node: t.Expr) -> list[t.Expr] | None:
    """Those after a member too, which Access.subscripts leaves out; None: the place is found in another way."""
    found: list[t.Expr] = []
    while not isinstance(node, t.Name):
        match node:
            case t.Index(base=base, index=index) | t.Unary(op="*", operand=t.Binary(op="+", left=base, right=index)):
                found.insert(0, index)
                node = base
            case t.Member(base=base) | t.Unary(op="*", operand=base):
                node = base
            case _:
                return None
    return found


def _is_whole(node: t.Expr) -> bool:
    """Does the next subscript mean what lies behind the element, and not the same member of the next record?"""
    return isinstance(node, t.Index) or (isinstance(node, t.Unary) and isinstance(node.operand, t.Binary))


def _counts_up(loop: CanonicalLoop) -> bool:
    return (loop.step is None or loop.constant_step == 1) and not loop.down


def is_stageable(kind: ty.Type) -> bool:
    """Is it copied as it is?"""
    return ty.is_arithmetic(kind) and "volatile" not in kind.quals and ty.size_of(kind) in DEVICE.asynchronous_copies


def is_widened(kind: ty.Type) -> bool:
    """Is it an integer of one or two bytes, which an expression converts to `int` wherever it reads one?"""
    whole = ty.unqualified(kind)
    return isinstance(whole, ty.Int) and whole.size < (ty.size_of(ty.INT) or 0) and "volatile" not in kind.quals
