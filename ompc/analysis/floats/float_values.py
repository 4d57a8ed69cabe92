"""Analysis: sources of floating-point values: what the objects and functions of a kernel are given.

    double a = x[i] * 2;  a += 1;       a: `x[i] * 2`, `a += 1`
    y[i] = f(a);                        *y: `f(a)`;  the parameter of f: `a`;  f: what it returns

An object has one set of values, whatever their place in it. A compound assignment is a value of its own. What an
object had before the kernel is no value here.

    In: DeviceCode, accesses.   Out: FloatValues. Not here: which values matter -- contraction_safety.py,
    deciding_uses.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import returned
from ompc.omp.model import Sharing

_WITHOUT_VALUE = (Sharing.PRIVATE, Sharing.LASTPRIVATE)


@dataclass(frozen=True, slots=True)
class FloatValues:
    """Where the floating-point values of a kernel are kept, and what they are given.

    `objects`    the objects that an lvalue may be in
    `given`      what is stored in an object
    `functions`  the user's
    `declared`   the kernel's own variables, which have no value from before it
    """

    objects: dict[t.Expr, frozenset[MemoryObject]]
    given: defaultdict[MemoryObject, list[t.Expr]]
    functions: dict[t.Symbol, t.Function]
    declared: frozenset[t.Symbol]

    def of(self, node: t.Expr) -> Iterator[t.Expr]:
        """The values that `node`, an lvalue, may have been given in the kernel."""
        for obj in self.objects.get(node, ()):
            yield from self.given.get(obj, ())

    def comes_from_outside(self, node: t.Expr) -> bool:
        """May `node`, an lvalue, have a value from before the kernel?"""
        return any(obj.path or obj.symbol not in self.declared for obj in self.objects.get(node, ()))

    def sources(self, node: t.Expr) -> tuple[t.Expr, ...] | None:
        """The values that this one is one of, or that it is made up of; None where it is computed from its operands."""
        match node:
            case t.Member(base=base, arrow=False) if node not in self.objects:
                return (base,)  # of a value that has no name
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*"):
                return tuple(self.of(node))
            case t.Conditional(then=then, other=other):
                return (then, other)
            case t.Comma(right=value) | t.Assign(op="=", value=value) | t.CompoundLiteral(init=value):
                return (value,)
            case t.InitList(items=items):
                return tuple(value for _, value in items)
            case t.Call() if (callee := self.callee(node)) is not None:
                return () if callee.body is None else returned(callee.body)
            case t.Unary(op="+", operand=operand):
                return (operand,)
            case t.Cast(operand=operand) if is_real(node):
                return (operand,)
            case _:
                return None

    def callee(self, node: t.Expr) -> t.Function | None:
        """The user's function that `node` calls."""
        match node:
            case t.Call(function=t.Name(symbol=symbol)):
                return self.functions.get(symbol)
            case _:
                return None


def float_values(device_code: DeviceCode, accesses: Sequence[Access]) -> FloatValues:
    objects: dict[t.Expr, frozenset[MemoryObject]] = {}
    for access in accesses:
        objects[access.node] = objects.get(access.node, frozenset()) | {access.obj}
    declared = {node.symbol for node in device_code.nodes if isinstance(node, t.VarDecl)}
    declared.update(symbol for symbol, sharing in device_code.loop.sharing.items() if sharing in _WITHOUT_VALUE)
    declared.update(parameter for function in device_code.functions for parameter in function.params)
    functions = {function.symbol: function for function in device_code.functions}
    found = FloatValues(objects, defaultdict(list), functions, frozenset(declared))
    for node in device_code.nodes:
        _note(node, found)
    return found


def _note(node: object, found: FloatValues) -> None:
    match node:
        case t.VarDecl(symbol=symbol, init=t.Expr() as value):
            found.given[MemoryObject(symbol)].append(value)
        case t.Assign(op=op, target=target, value=value):
            for obj in found.objects.get(target, ()):
                found.given[obj].append(value if op == "=" else node)
        case t.IncDec(operand=operand):
            for obj in found.objects.get(operand, ()):
                found.given[obj].append(node)
        case t.Call(args=args):
            callee = found.callee(node)
            for parameter, argument in zip(callee.params if callee else (), args, strict=False):
                found.given[MemoryObject(parameter)].append(argument)
        case _:
            pass


def is_real(node: t.Expr) -> bool:
    return isinstance(node.type, ty.Float)


def has_floats(kind: ty.Type) -> bool:
    """Is a part of an object of this type a floating-point number?"""
    match ty.element_of(kind):
        case ty.Struct(record=record):
            return any(has_floats(field.type) for field in record.fields or ())
        case element:
            return isinstance(element, (ty.Float, ty.Complex))


def scalars(kind: ty.Type) -> Iterator[ty.Type]:
    element = ty.unqualified(ty.element_of(kind))
    if isinstance(element, ty.Struct):
        for field in element.record.fields or ():
            yield from scalars(field.type)
    else:
        yield ty.unqualified(element.of) if isinstance(element, ty.Complex) else element


def records(kind: ty.Type) -> Iterator[ty.Record]:
    element = ty.element_of(kind)
    if isinstance(element, ty.Struct):
        yield element.record
        for field in element.record.fields or ():
            yield from records(field.type)


def has_mixed_union(found_in: Iterable[ty.Record]) -> bool:
    """Do real numbers share their place with other types?"""
    for record in found_in:
        found = {scalar for field in record.fields or () for scalar in scalars(field.type)}
        if record.kind == "union" and len(found) > 1 and any(isinstance(scalar, ty.Float) for scalar in found):
            return True
    return False


def is_product(node: t.Expr) -> bool:
    """A product of floating-point numbers."""
    return isinstance(node, (t.Binary, t.Assign)) and node.op in ("*", "*=") and is_real(node)
