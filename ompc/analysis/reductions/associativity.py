"""Analysis: associativity: is the result of a user-defined reduction free of how iterations are grouped?

OpenMP gives each thread a copy that starts as the initializer says, and combines all copies in some order (5.2, 5.5).
A program with a defined answer therefore has one for any number of threads, also for a thread per iteration. What must
not happen is that a partial value, which does depend on the threads, goes anywhere else than into the result:

    best = nearer(best, p);   if (d < best.d) { best.d = d; best.i = i; }   merge(&best, &p);      stays inside
    y[i] = best.d;            while (best.d > 1) ...                        n += best.d < 1;       goes outside

A combiner `omp_out.re += omp_in.re, ...`, or such a one for a scalar, says more: what the loop does to that member
by its name must be an accumulation by the same operator, as for the language's own. That one more copy changes
nothing (a sum that starts at 1 would count the threads) is checked by the launcher (OMPC351).

    In: DeviceCode, PointsTo, accesses.   Out: the first use that lets a partial value out, or None; what keeps a
    combiner from the device.
    Not here: the operators of the language -- analysis/reductions/accumulation.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.memory.points_to import PointsTo, Unresolved
from ompc.analysis.reductions.accumulation import accumulating
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.queries import called_functions, declared_in, nodes, targets_written, variables_of
from ompc.ir.walk import Node, walk


def escaping_use(
    device_code: DeviceCode,
    points_to: PointsTo,
    obj: MemoryObject,
    declared: DeclaredReduction,
    accesses: Sequence[Access],
) -> t.Expr | None:
    """The first access to `obj` by which a partial value can get out of it, or change in another way."""
    confined = _Confined(device_code, points_to, obj, accesses)
    inside = {node for body in device_code.bodies() for node in confined.nodes(body)}
    found = [access.node for access in accesses if access.obj == obj]
    for member, op in _operators(declared).items():
        kept = set(accumulated(device_code, points_to, obj, member, op))
        inside -= {node for node in found if _names(node, member) and node not in kept}
        inside |= kept
    return next((node for node in found if node not in inside), None)


# ------------------------------------------------------- combiners of a known kind


_WITH_ASSIGNMENT = {"+=": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}


def _operators(declared: DeclaredReduction) -> dict[str | None, str]:
    """The operator by which the combiner combines each member; None stands for all of a scalar.

    What is not of the form `omp_out.m op= omp_in.m` is left out.
    """
    out, into, _, _ = declared.variables
    found: dict[str | None, str] = {}
    pending = [declared.combiner]
    while pending:
        match pending.pop():
            case t.Comma(left=left, right=right):
                pending += [left, right]
            case t.Assign(op=op, target=target, value=value) if op in _WITH_ASSIGNMENT:
                member = _member_of(target, out)
                if member is not None and member == _member_of(value, into):
                    found[member[0]] = _WITH_ASSIGNMENT[op]
            case _:
                pass
    return found


def _member_of(node: t.Expr, symbol: t.Symbol) -> tuple[str | None] | None:
    """(member,) when `node` is that member of `symbol`, or (None,) when it is all of it."""
    match node:
        case t.Name(symbol=named) if named is symbol:
            return (None,)
        case t.Member(base=t.Name(symbol=named), member=member, arrow=False) if named is symbol:
            return (member.name,)
        case _:
            return None


def _names(node: t.Expr, member: str | None) -> bool:
    """Is it an access to the member, by its name?"""
    if member is None:
        return not isinstance(node, t.Member)
    return isinstance(node, t.Member) and node.member.name == member


def accumulated(
    device_code: DeviceCode, points_to: PointsTo, obj: MemoryObject, member: str | None, op: str
) -> Iterator[t.Expr]:
    """The mentions of the member of `obj` in what accumulates into it by `op`; None: of all of a scalar."""

    def is_variable(node: t.Expr) -> bool:
        lvalue = isinstance(node, (t.Name, t.Member, t.Index)) or (isinstance(node, t.Unary) and node.op == "*")
        return lvalue and _names(node, member) and points_to.object_of(node) == {obj}

    for body in device_code.bodies():
        for found in accumulating(body, is_variable, op, device_code):
            yield from found.mentions


# ------------------------------------------------------------------ what stays inside


class _Confined:
    """Statements all of whose effects are on one variable."""

    def __init__(
        self, device_code: DeviceCode, points_to: PointsTo, obj: MemoryObject, accesses: Sequence[Access]
    ) -> None:
        self._points_to = points_to
        self._obj = obj
        self._functions = {function.symbol: function for function in device_code.functions}
        self._writes = {f: [a for a in accesses if a.function is f and a.mode.writes] for f in device_code.functions}

    def nodes(self, body: t.Stmt) -> Iterator[Node]:
        """The nodes of the confined statements of `body`."""
        for statement in walk(body):
            match statement:
                case t.ExprStmt(expr=expr) | t.For(step=t.Expr() as expr) if self._is_effect_inside(expr, frozenset()):
                    yield from walk(expr)
                case t.If():
                    own = declared_in(statement)
                    if self._is_inside(statement, own):
                        yield from walk(statement)
                case _:
                    pass

    def _is_inside(self, body: t.Stmt, own: frozenset[t.Symbol]) -> bool:
        """May `body` be skipped or run without anything noticing but the variable and `own`, declared in it?"""
        match body:
            case t.ExprStmt(expr=expr):
                return self._is_effect_inside(expr, own)
            case t.DeclStmt(decls=decls):
                return all(decl.init is None or self._is_effect_inside(decl.init, own) for decl in decls)
            case t.Block(items=items):
                return all(self._is_inside(item, own) for item in items)
            case t.If(condition=condition, then=then, other=other):
                branches = (then,) if other is None else (then, other)
                return self._is_effect_inside(condition, own) and all(self._is_inside(b, own) for b in branches)
            case t.Empty():
                return True
            case _:
                return False

    def _is_effect_inside(self, expr: t.Expr, own: frozenset[t.Symbol]) -> bool:
        calls = (node for node in nodes(expr) if isinstance(node, t.Call))
        return all(self._is_inner(target, own) for target in targets_written(expr)) and all(
            self._call_is_inside(call, own) for call in calls
        )

    def _is_inner(self, target: t.Expr, own: frozenset[t.Symbol]) -> bool:
        try:
            objects = self._points_to.object_of(target)
        except Unresolved:
            return False
        return bool(objects) and all(obj == self._obj or (not obj.path and obj.symbol in own) for obj in objects)

    def _call_is_inside(self, call: t.Call, own: frozenset[t.Symbol]) -> bool:
        """Do the function and those it calls change nothing but the variable, `own` and what is their own?"""
        called = called_functions(call, self._functions)
        inner = own.union(*map(variables_of, called))
        return all(
            access.obj == self._obj or (not access.obj.path and access.obj.symbol in inner)
            for function in called
            for access in self._writes[function]
        )


def combiner_functions(declared: Iterable[DeclaredReduction], device_code: DeviceCode) -> tuple[t.Function, ...]:
    """The functions that combiners and initializers call: they run on the host too."""
    functions = {function.symbol: function for function in device_code.functions}
    found: dict[t.Function, None] = {}
    for expr in (expr for reduction in declared for expr in reduction.expressions):
        found.update(dict.fromkeys(called_functions(expr, functions)))
    return tuple(function for function in device_code.functions if function in found)


def why_not_combinable(declared: DeclaredReduction, device_code: DeviceCode) -> str | None:
    """What keeps the combiner and the initializer from a device; None when nothing does."""
    if _has_pointer(declared.type):
        return "its type contains a pointer"
    functions = combiner_functions((declared,), device_code)
    own = set(declared.variables).union(*map(variables_of, functions))
    parts: list[Node] = [*declared.expressions, *(f.body for f in functions if f.body is not None)]
    for node in (node for part in parts for node in walk(part)):
        match node:
            case t.Name(symbol=symbol) if symbol not in own and not isinstance(symbol.type, ty.Function):
                return f"it uses '{symbol.name}', which is not its own"
            case t.Binary(op="/" | "%", type=ty.Int(), right=right) if not constant_value(right):
                return "it divides integers, which could be by zero"
            case t.Assign(op="/=" | "%=", target=t.Expr(type=ty.Int()), value=value) if not constant_value(value):
                return "it divides integers, which could be by zero"
            case _:
                pass
    return None


def _has_pointer(kind: ty.Type) -> bool:
    match kind:
        case ty.Pointer():
            return True
        case ty.Array(of=of):
            return _has_pointer(of)
        case ty.Struct(record=record):
            return record.fields is None or any(_has_pointer(member.type) for member in record.fields)
        case _:
            return False
