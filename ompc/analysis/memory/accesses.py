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
from ompc.ir.access_paths import AccessPath, access_path
from ompc.ir.lvalues import LvalueWalk
from ompc.ir.lvalues import Mode as Mode
from ompc.ir.walk import children


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """One access.

    `subscripts`  the subscripts applied directly to the object, outermost first, up to the first struct member: () for
    a
                  scalar; None when the access goes through another pointer, a cast or a parameter
    `base`        the variable of the thread's own, if any, that holds the pointer which the access goes through
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
    base: t.Symbol | None = None


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
        path = access_path(node)
        for obj in sorted(self.points_to.object_of(node), key=MemoryObject.order):
            moved = obj.pointee and self.points_to.is_assigned(obj.symbol)
            leading = None if moved else _leading(path, obj)
            subscripts = None if leading is None else (*leading, *path.leading_subscripts)
            base = _base(path) if leading is None else None
            outer = len(leading or ())
            self.found.append(Access(obj, mode, node, subscripts, self.context, self.function, outer, base))


def direct_subscripts(lvalue: t.Expr, obj: MemoryObject) -> tuple[t.Expr, ...] | None:
    """The subscripts of an access that names its object directly, outermost first; None when it does not."""
    path = access_path(lvalue)
    leading = _leading(path, obj)
    return None if leading is None else (*leading, *path.leading_subscripts)


def _base(path: AccessPath) -> t.Symbol | None:
    """The variable whose value is the pointer that the path goes through."""
    match path.origin:
        case t.Name(symbol=symbol) if path.follows and not symbol.address_taken:
            return symbol
        case _:
            return None


def _leading(path: AccessPath, obj: MemoryObject) -> tuple[t.Expr, ...] | None:
    """The subscripts that select the pointer through which `obj` is reached; None when it is another pointer."""
    origin = path.origin
    if path.follows != obj.pointee:
        return None
    if isinstance(origin, t.Name):
        return () if origin.symbol is obj.symbol and obj.path in ((), (PLAIN,)) else None
    if obj.stored and isinstance(origin, (t.Index, t.Member, t.Unary)) and step_of(origin) == obj.path[-1]:
        return direct_subscripts(origin, obj.holder)
    return None
