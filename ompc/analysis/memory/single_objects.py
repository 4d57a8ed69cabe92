"""Analysis: is all that is accessed behind a pointer the one object that it points to?

    static double at(const struct grid *g, int j) { return g->h + g->c[j % 3]; }
    for (...) u[i] = at(grid, i);                                              *grid is one struct

No access may be by a pointer that has moved: one that is the same everywhere, copied from variable to variable, handed
on to functions, reaches its own object. A pointer to a member, or into a member that is an array, stays inside of it
(C11 6.5.6). Subscripts say the same where they are known (extents.py); here they need not be.

    In: DeviceCode, PointsTo, accesses, an object.   Out: yes or no.   Not here: where in the object.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.extents import is_beyond_type
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.analysis.memory.points_to import PointsTo
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path, pointer_and_number
from ompc.ir.constants import constant_value


class _Place(Enum):
    """Where a pointer can point: to the begin of the object, into one of its members, or anywhere."""

    BEGIN = "begin"
    INSIDE = "inside"
    ANYWHERE = "anywhere"


_Places = frozenset[_Place]
_NOWHERE: _Places = frozenset()
_ANYWHERE: _Places = frozenset({_Place.ANYWHERE})
_BEGIN: _Places = frozenset({_Place.BEGIN})


def is_single_object(
    device_code: DeviceCode, points_to: PointsTo, accesses: Sequence[Access], obj: MemoryObject
) -> bool:
    """Is it for all accesses to `obj`, which a pointer variable leads to?"""
    if obj.path != (PLAIN,):
        return False
    pointers = _Pointers(device_code, points_to, obj)
    return all(pointers.stays(access.node) for access in accesses if access.obj == obj)


class _Pointers:
    """Where the pointers to one object point."""

    def __init__(self, device_code: DeviceCode, points_to: PointsTo, obj: MemoryObject) -> None:
        self._points_to = points_to
        self._obj = obj
        self._moved = frozenset(
            node.symbol for change in device_code.nodes for node in _moved_by(change) if isinstance(node, t.Name)
        )
        self._under_way: set[t.Symbol] = set()

    def stays(self, lvalue: t.Expr) -> bool:
        """Is what the lvalue designates a part of the object?"""
        return not is_beyond_type(lvalue) and _Place.ANYWHERE not in self._of_lvalue(lvalue)

    def _of_lvalue(self, lvalue: t.Expr) -> _Places:
        """Where a pointer to it would point."""
        path = access_path(lvalue)
        if not path.follows:
            return _ANYWHERE
        places = self._behind(path.origin, path.subscripts[0])
        return places if len(path.steps) == 1 else self._inside(places)

    @staticmethod
    def _inside(places: _Places) -> _Places:
        return frozenset(_Place.INSIDE if place is _Place.BEGIN else place for place in places)

    def _behind(self, pointer: t.Expr, index: t.Expr) -> _Places:
        """So many elements from where the pointer points; what is inside of a member stays there."""
        places = self._of_pointer(pointer)
        return places if _Place.BEGIN not in places or constant_value(index) == 0 else _ANYWHERE

    def _of_pointer(self, pointer: t.Expr) -> _Places:
        if self._obj not in self._points_to.objects(pointer):
            return _NOWHERE
        match pointer:
            case t.Name(symbol=symbol) if isinstance(symbol.type, ty.Pointer):
                return self._of_variable(symbol)
            case t.Cast(type=ty.Pointer(to=to), operand=operand) if _is_same(to, operand.type):
                return self._of_pointer(operand)
            case t.Conditional(then=then, other=other):
                return self._of_pointer(then) | self._of_pointer(other)
            case t.Comma(right=value) | t.Assign(op="=", value=value):
                return self._of_pointer(value)
            case t.Unary(op="&", operand=lvalue) if not is_beyond_type(lvalue):
                return self._of_lvalue(lvalue)
            case t.Binary(op="+" | "-"):
                return self._behind(*pointer_and_number(pointer))
            case t.Member() | t.Index() | t.Unary() if isinstance(pointer.type, ty.Array):
                return _ANYWHERE if is_beyond_type(pointer) else self._inside(self._of_lvalue(pointer))
            case _:
                return _ANYWHERE

    def _of_variable(self, symbol: t.Symbol) -> _Places:
        if symbol in self._under_way:
            return _NOWHERE
        if symbol.address_taken or symbol in self._moved:
            return _ANYWHERE
        self._under_way.add(symbol)
        given = [self._of_pointer(value) for value in self._points_to.values_of(symbol)]
        self._under_way.remove(symbol)
        return _NOWHERE.union(*given, _BEGIN if symbol is self._obj.symbol else _NOWHERE)


def _moved_by(node: object) -> tuple[t.Expr, ...]:
    match node:
        case t.IncDec(operand=target):
            return (target,)
        case t.Assign(op=op, target=target) if op != "=":
            return (target,)
        case _:
            return ()


def _is_same(to: ty.Type, source: ty.Type) -> bool:
    """Does a cast leave what is pointed to as it was?"""
    kind = ty.decayed(source)
    return isinstance(kind, ty.Pointer) and ty.unqualified(kind.to) == ty.unqualified(to)
