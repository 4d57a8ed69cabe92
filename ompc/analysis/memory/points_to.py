"""Analysis: the objects that a pointer of the kernel can point into.

Flow-insensitive, over the loop's body and the functions it calls. The objects are `MemoryObject`s
(analysis/memory/memory_objects.py). A pointer declared in the kernel, a private one or a parameter points into the
union of all that is ever assigned to it; so do the pointers in a thread's own arrays and structs, all of one variable
together. A pointer that is stored in memory outside the thread leads to an object of its own: what the kernel follows
there, the launcher translates.

    double *row = a + i * m;   f(row, b);      row, f's first parameter: {*a};   f's second: {*b}
    double **t;   double *r = t[i];            r: {**t}, every row of the table

    In: DeviceCode.   Out: PointsTo.objects(expression), or `Unresolved`: OMPC328, a stored pointer that cannot be
    followed (in a union, of a type that the object does not have); OMPC359, a list or tree, which has no last object;
    OMPC329, a pointer made from an integer, which can point anywhere.
    Source: Andersen's inclusion constraints, solved to their least fixed point.
    Not here: whether the kernel may store a pointer, or use its value -- analysis/memory/pointer_uses.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject, PathStep, slots_of
from ompc.analysis.memory.pointer_values import Assignments
from ompc.base.diagnostics import StaysOnHost
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, sources
from ompc.omp.model import Sharing

MOST_STEPS_OF_PATH = 5
"""The most pointers that are followed one after another, from a variable to an object."""

_VALUE_FROM_OUTSIDE = frozenset({Sharing.FIRSTPRIVATE, Sharing.FIRST_LASTPRIVATE})


class Unresolved(StaysOnHost):
    """A pointer whose target is not known."""


NOTHING: frozenset[MemoryObject] = frozenset()


class PointsTo:
    """Answers which objects an expression of the kernel can designate or point into."""

    def __init__(self, device_code: DeviceCode) -> None:
        self._reach = device_code
        self._assignments = Assignments(device_code)
        self._known: dict[t.Symbol, frozenset[MemoryObject]] = {}
        self._inside: dict[t.Symbol, frozenset[MemoryObject]] = {}
        self._unresolved: dict[t.Symbol, Unresolved] = {}
        self._followed: dict[MemoryObject, Location] = {}
        self._solve()

    @property
    def followed(self) -> frozenset[MemoryObject]:
        """What pointers that are stored outside the threads lead to."""
        return frozenset(self._followed)

    @property
    def stores_pointers(self) -> bool:
        """Does the kernel put pointers into arrays or structs?"""
        return bool(self._assignments.stored)

    def is_local(self, symbol: t.Symbol) -> bool:
        """Is `symbol` declared inside the kernel's code (body or functions)?"""
        return symbol in self._assignments.declared

    def is_assigned(self, pointer: t.Symbol) -> bool:
        """Does the kernel assign to the pointer variable itself?"""
        return bool(self._assignments.values.get(pointer) or self._inside.get(pointer))

    def values_of(self, pointer: t.Symbol) -> tuple[t.Expr, ...]:
        """What the kernel assigns to the pointer variable, or gives the parameter."""
        return tuple(self._assignments.values.get(pointer, ()))

    def is_own(self, obj: MemoryObject) -> bool:
        """Is the object a thread's own: declared in the kernel, or private by clause?"""
        if obj.path:
            return False
        sharing = self._reach.loop.sharing.get(obj.symbol)
        return self.is_local(obj.symbol) or (sharing is not None and not sharing.one_for_all)

    def object_of(self, lvalue: t.Expr) -> frozenset[MemoryObject]:
        """The objects that the lvalue (or struct value) can be part of."""
        path = access_path(lvalue)
        if path.follows:
            return self.objects(path.origin)
        match path.origin:
            case t.Name(symbol=symbol):
                return frozenset({MemoryObject(symbol)})
            case t.Conditional(then=then, other=other):
                return self.object_of(then) | self.object_of(other)
            case t.Comma(right=right) | t.Assign(target=right):
                return self.object_of(right)
            case t.Call() | t.CompoundLiteral():
                return NOTHING  # a temporary
            case _:
                raise Unresolved("OMPC329", "accesses an object that ompc cannot name", lvalue.loc)

    def objects(self, pointer: t.Expr) -> frozenset[MemoryObject]:
        """The objects that the value of `pointer` (an array decays) can point into."""
        match pointer:
            case t.IntConst(value=0):
                return NOTHING
            case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Pointer):
                return self._variable(symbol)
            case t.Unary(op="&", operand=operand):
                return self.object_of(operand)
            case _ if found := sources(pointer):
                return NOTHING.union(*map(self.objects, found))
            case t.Cast(operand=t.IntConst(value=0)):
                return NOTHING
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self._assignments.returned:
                return self._variable(symbol)
            case _ if isinstance(pointer.type, ty.Array):
                return self.object_of(pointer)
            case t.Index() | t.Member() | t.Unary(op="*"):
                return self._loaded(pointer, step_of(pointer), frozenset())
            case _:
                raise Unresolved("OMPC329", "uses a pointer whose target is not known", pointer.loc)

    def check_types(self) -> None:
        """Raise when an object whose pointers are followed is also reached through a pointer of another type."""
        retyped = set(self._retyped())
        for obj, at in self._followed.items():
            if obj.holder in retyped:
                raise Unresolved("OMPC328", f"follows a pointer in '{obj.holder}', which has several types", at)

    def _retyped(self) -> Iterator[MemoryObject]:
        for kind, value in self._assignments.conversions():
            if isinstance(kind, ty.Pointer) and _changes_target(ty.decayed(value.type), kind):
                yield from self.objects(value)

    def _loaded(self, lvalue: t.Expr, step: PathStep, copied: frozenset[t.Symbol]) -> frozenset[MemoryObject]:
        """What the pointers that `step` names in the objects of `lvalue` point into.

        `copied`: variables whose copies are being followed.
        """
        if _is_temporary(lvalue):
            raise Unresolved("OMPC328", "follows a pointer in the result of a function", lvalue.loc)
        found = NOTHING
        for obj in self.object_of(lvalue):
            if not self.is_own(obj):
                found |= {self._follow(obj, step, lvalue)}
            elif obj.symbol not in copied:
                found |= self._own_pointers(obj.symbol, step, lvalue, copied | {obj.symbol})
        return found

    def _own_pointers(
        self, symbol: t.Symbol, step: PathStep, lvalue: t.Expr, copied: frozenset[t.Symbol]
    ) -> frozenset[MemoryObject]:
        if self._reach.loop.sharing.get(symbol) in _VALUE_FROM_OUTSIDE:
            raise Unresolved("OMPC328", f"follows a pointer in the firstprivate '{symbol.name}'", lvalue.loc)
        found = self._inside.get(symbol, NOTHING)
        if isinstance(symbol.type, ty.Pointer):
            return found | self._variable(symbol)
        for target, source in self._assignments.copied:
            if MemoryObject(symbol) in self.object_of(target):
                found |= self._loaded(source, step, copied)
        return found

    def _follow(self, obj: MemoryObject, step: PathStep, lvalue: t.Expr) -> MemoryObject:
        target = obj.through(step)
        if step.member is not None and step in obj.path:
            raise Unresolved("OMPC359", "follows a chain of pointers: a list or tree", lvalue.loc)
        if slots_of(target) is None:
            raise Unresolved("OMPC328", "follows a pointer that is stored in memory", lvalue.loc)
        if len(target.path) > MOST_STEPS_OF_PATH:
            raise Unresolved(
                "OMPC328", f"follows more than {MOST_STEPS_OF_PATH} pointers one after another", lvalue.loc
            )
        self._followed.setdefault(target, lvalue.loc)
        return target

    def _variable(self, symbol: t.Symbol) -> frozenset[MemoryObject]:
        if symbol in self._unresolved:
            raise self._unresolved[symbol]
        known = self._known.get(symbol)
        return (self._initial(symbol) if known is None else known) | self._inside.get(symbol, NOTHING)

    def _initial(self, symbol: t.Symbol) -> frozenset[MemoryObject]:
        """What a pointer points into before the kernel assigns to it."""
        sharing = self._reach.loop.sharing.get(symbol)
        keeps_outer_value = sharing not in (Sharing.PRIVATE, Sharing.LASTPRIVATE, Sharing.LOOP, Sharing.REDUCTION)
        outer = not self.is_local(symbol) and keeps_outer_value
        return frozenset({MemoryObject(symbol, (PLAIN,))}) if outer else NOTHING

    def _solve(self) -> None:
        """The least fixed point of all inclusion constraints together;
        a pointer with an unknown source stays unresolved.
        """
        constraints = {**self._assignments.values, **self._assignments.returned}
        for symbol in constraints:
            self._known[symbol] = self._initial(symbol) if symbol in self._assignments.values else NOTHING
        changed = True
        while changed:
            changed = self._grow_inside()
            for symbol, values in constraints.items():
                changed |= symbol not in self._unresolved and self._grow(symbol, values)

    def _grow(self, symbol: t.Symbol, values: list[t.Expr]) -> bool:
        """Add what `values` point into to `symbol`; did anything change?"""
        try:
            found = self._known[symbol].union(*(self.objects(value) for value in values))
        except Unresolved as unresolved:
            self._unresolved[symbol] = unresolved
            return True
        changed = found != self._known[symbol]
        self._known[symbol] = found
        return changed

    def _grow_inside(self) -> bool:
        """Add what is stored in pointers of the threads' own arrays and structs; did anything change?"""
        before = dict(self._inside)
        for target, value in self._assignments.stored:
            for obj in self.object_of(target):
                if self.is_own(obj):
                    self._inside[obj.symbol] = self._inside.get(obj.symbol, NOTHING) | self.objects(value)
        return self._inside != before


def step_of(lvalue: t.Expr) -> PathStep:
    """How the pointer that `lvalue` designates is held: by a struct member, or as an element."""
    holder = access_path(lvalue).holder
    return PLAIN if holder is None or holder.record is None else PathStep(holder.record, holder.member)


def _is_temporary(lvalue: t.Expr) -> bool:
    path = access_path(lvalue)
    return not path.follows and isinstance(path.origin, (t.Call, t.CompoundLiteral))


def _changes_target(source: ty.Type, target: ty.Pointer) -> bool:
    """Do two pointer types differ in what they point to, qualifiers and rows aside?"""
    if not isinstance(source, ty.Pointer):
        return False
    a, b = ty.unqualified(ty.element_of(source.to)), ty.unqualified(ty.element_of(target.to))
    if isinstance(a, ty.Pointer) and isinstance(b, ty.Pointer):
        return _changes_target(a, b)
    return a != b
