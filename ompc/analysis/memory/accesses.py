"""Analysis: every access of the kernel to an object, read or write, with its subscripts and what encloses it.

The table that all decisions about memory read: effects (what is read, what is written), footprints
(analysis/memory/extents.py), uniform indices (analysis/locality/uniform.py), read counts (analysis/locality/trips.py).

    for (j = 0; j < m; j++) if (w[j] > 0) s += u[i][j];
        read w (j) in [for j];   read u (i, j) in [for j, if];   readwrite s () in [for j, if]

    In: DeviceCode, PointsTo.   Out: tuple[Access, ...] in the order of the text.
    Not here: whether two accesses can touch the same element.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.analysis.memory.points_to import PointsTo, step_of
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.lvalues import LvalueWalk
from ompc.ir.lvalues import Mode as Mode
from ompc.ir.walk import children


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """One access.

    `subscripts`  the subscripts applied directly to the object, outermost first, up to the first struct member: () for
    a
                  scalar; None when the access goes through another pointer, a cast or a parameter
    `outer`       how many of them select the stored pointer that is followed: 1 of `rows[i][j]`'s two
    `context`     enclosing control statements and conditional operators inside the body, outermost first
    `function`    the called function in which it stands; None: in the loop's body
    """

    obj: MemoryObject
    mode: Mode
    node: t.Expr
    subscripts: tuple[t.Expr, ...] | None
    context: tuple[t.Stmt | t.Expr, ...]
    function: t.Function | None
    outer: int = 0


def accesses(device_code: DeviceCode, points_to: PointsTo) -> tuple[Access, ...]:
    """All accesses of the kernel. Raises points_to.Unresolved for one whose object cannot be known."""
    collector = _Collector(points_to)
    collector.statement(device_code.body, ())
    for function in device_code.functions:
        assert function.body is not None
        collector.function = function
        collector.statement(function.body, ())
    return tuple(collector.found)


def by_object(found: Iterable[Access]) -> dict[MemoryObject, tuple[Access, ...]]:
    """The accesses to each object, in their order."""
    lists: dict[MemoryObject, list[Access]] = {}
    for access in found:
        lists.setdefault(access.obj, []).append(access)
    return {obj: tuple(accesses) for obj, accesses in lists.items()}


class _Collector(LvalueWalk):
    """`context`: of the expression that is walked over."""

    def __init__(self, points_to: PointsTo) -> None:
        self.points_to = points_to
        self.function: t.Function | None = None
        self.context: tuple[t.Stmt | t.Expr, ...] = ()
        self.found: list[Access] = []

    def statement(self, node: t.Stmt | t.VarDecl, context: tuple[t.Stmt | t.Expr, ...]) -> None:
        """The condition of an `if` or `switch` is evaluated unconditionally; that of a loop as often as it turns."""
        inside = (*context, node) if isinstance(node, (t.If, t.While, t.DoWhile, t.For, t.Switch)) else context
        for child in children(node):
            if isinstance(child, t.Expr):
                self.context = context if isinstance(node, (t.If, t.Switch)) else inside
                self.read(child)
            else:
                self.statement(child, context if child is getattr(node, "init", None) else inside)

    def sometimes(self, node: t.Expr, *operands: t.Expr) -> None:
        outside, self.context = self.context, (*self.context, node)
        LvalueWalk.sometimes(self, node, *operands)
        self.context = outside

    def access(self, node: t.Expr, mode: Mode, value: t.Expr | None) -> None:
        for obj in sorted(self.points_to.object_of(node), key=MemoryObject.order):
            moved = obj.pointee and self.points_to.is_assigned(obj.symbol)
            subscripts = None if moved else direct_subscripts(node, obj)
            outer = 0 if subscripts is None else _outer(node, obj)
            self.found.append(Access(obj, mode, node, subscripts, self.context, self.function, outer))


def direct_subscripts(node: t.Expr, obj: MemoryObject) -> tuple[t.Expr, ...] | None:
    """The subscripts of an access that names its object directly, outermost first; None when it does not."""
    match node:
        case t.Name(symbol=symbol):
            return () if symbol is obj.symbol and not obj.pointee else None
        case t.Index(base=base, index=index) if isinstance(base.type, ty.Array):
            outer = direct_subscripts(base, obj)
            return outer if outer is None or _has_member(base) else (*outer, index)
        case t.Member(base=base, arrow=False):
            return direct_subscripts(base, obj)
        case _:
            found = _dereference(node)
            leading = None if found is None else _leading(found[0], obj)
            return None if found is None or leading is None else (*leading, found[1])


def _dereference(node: t.Expr) -> tuple[t.Expr, t.Expr] | None:
    """(pointer, subscript) of an lvalue that begins with a dereference."""
    match node:
        case t.Index(base=base, index=index):
            return base, index
        case t.Unary(op="*", operand=t.Binary(op="+", left=pointer, right=index)) if not isinstance(
            pointer.type, ty.Array
        ):
            return pointer, index
        case t.Member(base=base, arrow=True) | t.Unary(op="*", operand=base):
            return base, t.IntConst(ty.INT, node.loc, 0, "0")
        case _:
            return None


def _leading(pointer: t.Expr, obj: MemoryObject) -> tuple[t.Expr, ...] | None:
    """The subscripts that select the pointer through which `obj` is reached; None when it is another pointer."""
    if not obj.path or isinstance(pointer.type, ty.Array):
        return None
    if isinstance(pointer, t.Name):
        return () if pointer.symbol is obj.symbol and obj.path == (PLAIN,) else None
    if obj.stored and isinstance(pointer, (t.Index, t.Member, t.Unary)) and step_of(pointer) == obj.path[-1]:
        return direct_subscripts(pointer, obj.holder)
    return None


def _outer(node: t.Expr, obj: MemoryObject) -> int:
    """How many of the direct subscripts of `node` lie before the last pointer that is followed."""
    while True:
        match node:
            case t.Index(base=base) if isinstance(base.type, ty.Array):
                node = base
            case t.Member(base=base, arrow=False):
                node = base
            case _:
                found = _dereference(node)
                return len(_leading(found[0], obj) or ()) if found is not None else 0


def _has_member(node: t.Expr) -> bool:
    """Does a struct member stand between `node` and its object? Subscripts after it do not move the element."""
    match node:
        case t.Member():
            return True
        case t.Index(base=base):
            return _has_member(base)
        case _:
            return False
