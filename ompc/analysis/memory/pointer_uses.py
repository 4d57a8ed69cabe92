"""Analysis: what the kernel does with the values of pointers.

On the device a pointer has another value than on the host, and so have the pointers that the launcher translates. So

    rows[k] = p;   s.x = p;         a pointer is stored          only into the thread's own variables   (OMPC360)
    cells[i] = s;                   a struct with pointers       where no pointer was translated        (OMPC360)
    p < q,  p - q                   compared, subtracted         within one object, or with NULL        (OMPC361)
    (long)p                         made an integer              never, but for its truth               (OMPC361)

    In: DeviceCode, PointsTo.   Out: nothing, or Unresolved with the first obstacle.
    Not here: shared pointer variables, which the kernel may not change -- plan/parameters/classification.py.
"""

from __future__ import annotations

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.points_to import PointsTo, Unresolved
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import Sharing

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_COMES_BACK = frozenset({Sharing.LASTPRIVATE, Sharing.FIRST_LASTPRIVATE, Sharing.REDUCTION})


def check_pointer_uses(device_code: DeviceCode, points_to: PointsTo) -> None:
    """Raise `Unresolved` for a use of a pointer that would mean something else on the device."""
    uses = _Uses(device_code, points_to)
    for node in device_code.nodes:
        uses.check(node)
    points_to.check_types()


class _Uses:
    def __init__(self, device_code: DeviceCode, points_to: PointsTo) -> None:
        self._reach = device_code
        self._points_to = points_to
        self._stores_any = False
        self._functions = {function.symbol: function for function in device_code.functions}

    def check(self, node: object) -> None:
        match node:
            case t.Assign(target=target, value=value, loc=loc):
                self._conversion(value, target.type, loc)
                self._store(target, loc)
            case t.IncDec(operand=operand, loc=loc) if _is_pointer(operand):
                self._store(operand, loc)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value, loc=loc):
                self._conversion(value, symbol.type, loc)
            case t.Cast(type=kind, operand=operand, loc=loc):
                self._conversion(operand, kind, loc)
            case t.Call(function=t.Name(symbol=callee), args=args) if callee in self._functions:
                for parameter, argument in zip(self._functions[callee].params, args, strict=False):
                    self._conversion(argument, parameter.type, argument.loc)
            case t.Binary(op=op, left=left, right=right, loc=loc) if _is_pointer(left) and _is_pointer(right):
                if op in _COMPARISONS:
                    self._same_object(left, right, "compares", loc)
                elif op == "-":
                    self._same_object(left, right, "subtracts", loc)
            case _:
                pass

    def _store(self, target: t.Expr, loc: Location) -> None:
        """A pointer, or a struct with pointers in it, may be stored in the thread's own memory only."""
        if isinstance(target, t.Name) and isinstance(target.type, ty.Pointer):
            return  # a variable: private ones hold what the kernel gives them, classification.py checks shared ones
        if isinstance(target.type, ty.Pointer):
            self._own(target, "stores a pointer in memory", loc)
        elif _has_pointers(target.type) and self._translates():
            self._own(target, "stores a struct with pointers in memory", loc)

    def _own(self, target: t.Expr, what: str, loc: Location) -> None:
        for obj in self._points_to.object_of(target):
            comes_back = self._reach.loop.sharing.get(obj.symbol) in _COMES_BACK
            if not self._points_to.is_own(obj) or comes_back:
                raise Unresolved("OMPC360", what, loc)

    def _translates(self) -> bool:
        """Can a struct in the kernel hold a device address?"""
        return bool(self._points_to.followed) or self._points_to.stores_pointers

    def _conversion(self, value: t.Expr, target: ty.Type, loc: Location) -> None:
        is_number = ty.is_arithmetic(target) and not (isinstance(target, ty.Int) and target.name == "_Bool")
        if is_number and _is_pointer(value):
            raise Unresolved("OMPC361", "uses a pointer as a number", loc)

    def _same_object(self, left: t.Expr, right: t.Expr, verb: str, loc: Location) -> None:
        a, b = self._points_to.objects(left), self._points_to.objects(right)
        if a and b and (len(a) > 1 or a != b):
            raise Unresolved("OMPC361", f"{verb} pointers that can point into different objects", loc)


def _is_pointer(node: t.Expr) -> bool:
    return isinstance(ty.decayed(node.type), ty.Pointer)


def _has_pointers(kind: ty.Type) -> bool:
    match ty.element_of(kind):
        case ty.Pointer():
            return True
        case ty.Struct(record=record):
            return any(_has_pointers(member.type) for member in record.fields or ())
        case _:
            return False
