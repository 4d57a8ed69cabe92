"""Analysis: integers in memory that a launch reads and does not change.

A variable that a loop only reads is known before the launch. So is what lies in an array, in a struct or behind a
pointer, when nothing that the loop writes can be the same memory:

    for (i = 0; i < gp[2]; i++)
        for (j = 0; j < g->nx; j++)             gp[2], g->nx: the same in every iteration
            a[i * m + j] = ...                  m, though there was a scanf("%d", &m)

Proved apart are two objects with names, where no pointer leads to them; members of one struct; objects of types that
C does not let the write change (effective_types.py). What remains is `compared`: the launcher looks whether it lies
in what the loop writes.

The host evaluates the read where it launches, and what is read to find the place (`sizes[level[0]]`). Of an object with
a name, at a constant subscript in its bounds, that is always right; through a pointer only where the loop's first
iteration certainly does the same (`p` may be null, or the loop empty).

    In: Facts.   Out: InvariantLoad for each such read, once for all places.
    Not here: that the kernel gets it as a number -- plan/rewrites/fixed_reads.py; reads in called functions.
    Source: loop-invariant load motion with type-based alias analysis (Diwan, McKinley, Moss, PLDI 1998).
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.effective_types import may_be_same
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Selection, access_path, object_of
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import is_constant_table
from ompc.ir.walk import evaluated, walk
from ompc.omp.model import CanonicalLoop, Sharing

MOST = 24
"""Of one loop; each is an argument of the kernel, and 24 pointers are 5 % of the 4096 bytes that arguments may take.
Chosen; no measurement is on record."""


@dataclass(frozen=True, slots=True)
class InvariantLoad:
    """`value` is read at all `nodes`. `compared`: lvalues that must not lie in what the loop writes. `inside`: the
    original evaluates it only if these loops have an iteration.
    """

    value: t.Expr
    nodes: tuple[t.Expr, ...]
    compared: tuple[t.Expr, ...]
    inside: tuple[CanonicalLoop, ...]


def invariant_loads(facts: Facts, strict_aliasing: bool) -> tuple[InvariantLoad, ...]:
    """The reads that bounds of inner loops and subscripts are made of; `strict_aliasing`: do C's types count?"""
    finder = _Finder(facts, strict_aliasing)
    wanted = [node for node in _steering(facts) if finder.is_candidate(node)]
    found: list[InvariantLoad] = []
    for node in wanted:
        if not any(same(node, load.value) for load in found) and (load := finder.load(node)) is not None:
            found.append(load)
    return tuple(found[:MOST])


def load_of(facts: Facts, value: t.Expr, strict_aliasing: bool) -> InvariantLoad | None:
    """The load that `value`, a part of an object in the loop's code, is; None: it may change, or is not the host's."""
    return _Finder(facts, strict_aliasing).load(value)


def _steering(facts: Facts) -> Iterator[t.Expr]:
    """What bounds of inner loops read, subscripts, and the values of integer variables."""
    for loop in facts.inner_loops.values():
        yield from (part for bound in (loop.lower, loop.upper, loop.step) for part in _parts(bound))
    for node in walk(facts.device_code.body):
        match node:
            case t.Index(index=index):
                yield from _parts(index)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value) if ty.is_integer(symbol.type):
                yield from _parts(value)
            case t.Assign(target=t.Name(symbol=symbol), value=value) if ty.is_integer(symbol.type):
                yield from _parts(value)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value) if isinstance(symbol.type, ty.Pointer):
                yield from _parts(value)
            case _:
                pass


def _parts(expr: t.Expr | None) -> Iterator[t.Expr]:
    if expr is not None:
        yield from (node for node in walk(expr) if isinstance(node, t.Expr))


@dataclass(slots=True)
class _Finder:
    facts: Facts
    strict_aliasing: bool

    def is_candidate(self, node: t.Expr) -> bool:
        """An integer in memory that is not known to be fixed, at a place that is written with what does not change."""
        if not ty.is_integer(node.type) or self.facts.invariance.holds(node):
            return False
        return self._is_place(node) and not _is_table(node)

    def _is_place(self, lvalue: t.Expr) -> bool:
        match lvalue:
            case t.Name(symbol=symbol):
                return not symbol.threadprivate and symbol.storage is not t.Storage.THREAD
            case t.Member(base=base, member=member):
                return member.bits is None and self._is_place(base)
            case t.Unary(op="*", operand=operand):
                return self._is_place(operand)
            case t.Index(base=base, index=index):
                return self._is_place(base) and Invariance(self._is_outside, self._is_place).holds(index)
            case _:
                return False

    def _is_outside(self, symbol: t.Symbol) -> bool:
        """Is it one for all iterations? Whether it, and memory, keep their values is asked of the whole load."""
        return self.facts.is_fixed(symbol) or not self.facts.is_thread_private(MemoryObject(symbol))

    def load(self, value: t.Expr) -> InvariantLoad | None:
        """The load that `value` is; None: it may change, or the host cannot evaluate it."""
        inside = [access for node in walk(value) for access in self.facts.at(node)]
        if not any(access.node is value for access in inside):
            return None  # an operand of & or sizeof, or not evaluated
        if not all(self._is_nameable(access.obj) for access in inside):
            return None
        compared: dict[t.Expr, None] = {}
        for access in inside:
            for write in self._writes():
                apart = self._apart(access, write)
                if apart is None and access.obj.pointee | write.obj.pointee:
                    compared[access.node] = None
                elif not apart:
                    return None
        around = () if is_always_there(value) else self._evaluated_in(value)
        return None if around is None else InvariantLoad(value, self._alike(value), tuple(compared), around)

    def _is_nameable(self, obj: MemoryObject) -> bool:
        loop, symbol = self.facts.loop, obj.symbol
        shared = loop.sharing.get(symbol, Sharing.SHARED) is Sharing.SHARED and not self.facts.is_thread_private(obj)
        return shared and loop.pragma.scope.get(symbol.name) is symbol

    def _writes(self) -> Iterator[Access]:
        return (a for a in self.facts.accesses if a.mode.writes and not self.facts.is_thread_private(a.obj))

    def _apart(self, read: Access, write: Access) -> bool | None:
        """Is what is read not what is written? None: only the launch can tell."""
        if read.obj == write.obj:
            return _other_member(read.node, write.node) or (self._differ(read, write) and read.obj.pointee)
        if not read.obj.pointee and not write.obj.pointee:
            return True
        if self._differ(read, write):
            return True
        for one, other in ((read.obj, write.obj), (write.obj, read.obj)):
            own = one.symbol.storage not in (t.Storage.GLOBAL, t.Storage.EXTERN)  # other files may have its address
            if not one.pointee and other.pointee and own and not one.symbol.address_taken:
                return True
        return None

    def _differ(self, read: Access, write: Access) -> bool:
        return self.strict_aliasing and not may_be_same(read.node, write.node)

    def _alike(self, value: t.Expr) -> tuple[t.Expr, ...]:
        nodes = {a.node: None for a in self.facts.accesses if a.function is None and not a.mode.writes}
        return tuple(node for node in nodes if same(node, value))

    def _evaluated_in(self, value: t.Expr) -> tuple[CanonicalLoop, ...] | None:
        """The loops of which only the first iteration certainly follows the pointers that `value` follows; None: there
        is no certainty.
        """
        loops = self.facts.loop.loops
        first = loops[0]
        if any(_follows_as_far(known, value) for known in _of_bounds(first)):
            return ()
        if any(loop.dependent for loop in loops):
            return None
        if any(_follows_as_far(known, value) for loop in loops[1:] for known in _of_bounds(loop)):
            return loops[:1]
        certain = self._certain(self.facts.device_code.body, loops)
        return min((inside for known, inside in certain if _follows_as_far(known, value)), key=len, default=None)

    def _certain(self, body: t.Stmt, inside: _Loops) -> Iterator[tuple[t.Expr, _Loops]]:
        """What `body` evaluates whenever it is run, up to the first statement that may jump; the loops around that."""
        for item in body.items if isinstance(body, t.Block) else (body,):
            if isinstance(item, t.Block):
                yield from self._certain(item, inside)
            yield from ((part, inside) for expr in _begun(item) for part in evaluated(expr))
            loop = self.facts.inner_loops.get(item) if isinstance(item, t.For) else None
            if loop is not None and self._has_known_bounds(loop):
                yield from self._certain(loop.body, (*inside, loop))
            if jumps_in(item) or labels_in(item) or any(isinstance(node, t.Call) for node in walk(item)):
                return

    def _has_known_bounds(self, loop: CanonicalLoop) -> bool:
        """Can the host tell, where it launches, whether the loop has an iteration?"""
        own = [n.symbol for b in (loop.lower, loop.upper) for n in walk(b) if isinstance(n, t.Name)]
        return all(self._is_nameable(MemoryObject(symbol)) for symbol in own)


_Loops = tuple[CanonicalLoop, ...]


def _of_bounds(loop: CanonicalLoop) -> Iterator[t.Expr]:
    for bound in (loop.lower, loop.upper, loop.step):
        if bound is not None:
            yield from evaluated(bound)


def _is_table(node: t.Expr) -> bool:
    """Is it a constant that the compiler knows?"""
    symbol = object_of(node)
    return symbol is not None and is_constant_table(symbol)


def is_always_there(lvalue: t.Expr) -> bool:
    """A part of an object with a name, at constant subscripts in its bounds."""
    path = access_path(lvalue)
    is_inside = all(isinstance(step, Selection) or step.is_inside for step in path.steps)
    return path.variable is not None and not isinstance(path.variable.type, ty.Pointer) and is_inside


def _follows_as_far(known: t.Expr, value: t.Expr) -> bool:
    """Where `known` can be evaluated, can `value`? Another member of the same struct can."""
    if same(known, value):
        return True
    value, known = _whole(value), _whole(known)
    if isinstance(known, t.Member) and isinstance(value, t.Member) and known.arrow and value.arrow:
        return same(known.base, value.base)
    return same(known, value)


def _whole(lvalue: t.Expr) -> t.Expr:
    """The member of the struct behind the last pointer that the lvalue is a part of, at a subscript in its bounds."""
    while True:
        match lvalue:
            case t.Member(base=base, arrow=False):
                lvalue = base
            case t.Index(base=t.Member(type=ty.Array(length=int(length))) as base, index=index) if constant_value(
                index
            ) in range(length):
                lvalue = base
            case _:
                return lvalue


def _other_member(a: t.Expr, b: t.Expr) -> bool:
    """Are they, or are they parts of, different members of one struct type?"""
    x, y = (next(access_path(lvalue).selections, None) for lvalue in (a, b))
    if x is None or y is None or x.member == y.member:
        return False
    return x.record is not None and x.record is y.record and x.record.kind == "struct"


def _begun(item: t.Stmt | t.VarDecl) -> Iterator[t.Expr]:
    """The full expressions that a statement begins with, before any statement in it."""
    match item:
        case t.DeclStmt(decls=decls):
            for decl in decls:
                yield from _begun(decl)
        case t.VarDecl(init=t.Expr() as value):
            yield value
        case t.ExprStmt(expr=value):
            yield value
        case t.If(condition=value) | t.While(condition=value):
            yield value
        case t.For(init=init, condition=condition):
            if init is not None:
                yield from _begun(init)
            if condition is not None:
                yield condition
        case _:
            pass
