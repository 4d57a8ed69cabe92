"""Analysis: which uses of a floating-point value may make more of its last bit than another last bit?

Harmless is a use on this list, and every other one decides:

    stored in a floating-point variable, element or member; what those are used for is asked there
    added, subtracted, multiplied, negated, converted to another floating-point type
    an argument of a function that is continuous and has no edge there: sin(v), exp(v), fabs(v)
    an argument, or a divisor, that is steady (steadiness.py) or certainly far from the edge: 1 / (1 + v * v)

So `if (v > 0)`, `(int)v`, `floor(v)`, `int a[] = {v}`, `isnan(v)` decide, and `sqrt(x * x - y * y)`, which is not a
number where the difference should be 0. So do reads of a value's bits: through a union, by a pointer of another type.

    In: bodies, accesses, FloatValues, Steadiness.   Out: the expressions whose use decides, and the dividends.
    Not here: what they are computed from -- contraction_safety.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ompc.analysis.floats.float_ranges import Interval, float_ranges
from ompc.analysis.floats.float_values import FloatValues, has_floats, has_mixed_union, is_real, records, scalars
from ompc.analysis.floats.steadiness import Steadiness
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject, element_type
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.constants import constant_value
from ompc.ir.device_library import FUNCTIONS, plain_name
from ompc.ir.queries import nodes
from ompc.ir.walk import Node, children
from ompc.sema.initial_parts import part_type

_CONTINUOUS = frozenset(
    "fabs fmin fmax fdim fma hypot exp exp2 expm1 sin cos sinh cosh tanh atan asinh erf erfc".split()
)
_BESIDE_AN_EDGE = frozenset("sqrt cbrt log log2 log10".split())
"""Functions whose edge is at 0. A steady argument keeps its sign, and is 0 where it was 0, so it does not cross the
edge.
"""
_OF_THE_FIRST = frozenset("ldexp scalbn scalbln copysign".split())
"""Functions that are continuous in their first argument only."""


class DecidingUses:
    """`seeds`: what decides, and whether it may meet a sum first. `dividends`: what is divided by what may be 0, where
    a last bit makes an infinity of what is not a number; harmless to the order of sums, since nobody relies on a sum of
    several terms being exactly 0. `bodies`: with the types of what they return; `unknown_decide`: do functions without
    source?
    """

    def __init__(
        self,
        bodies: Iterable[tuple[t.Stmt, ty.Type]],
        values: FloatValues,
        steadiness: Steadiness,
        unknown_decide: bool = True,
    ) -> None:
        self._values = values
        self._steadiness = steadiness
        self._unknown_decide = unknown_decide
        self._ranges: Mapping[t.Expr, Interval] = {}
        self._returns: ty.Type = ty.VOID
        self.seeds: list[tuple[t.Expr, bool]] = []
        self.dividends: list[t.Expr] = []
        own = values.functions.keys()
        for body, self._returns in bodies:
            self._ranges = float_ranges(body, set(_edged(body)), own)
            for node in nodes(body):
                self._note(node)

    def _note(self, node: Node) -> None:
        match node:
            case t.Binary(op="+" | "-" | "*") | t.Unary(op="+" | "-" | "&") | t.IncDec() | t.ExprStmt():
                pass
            case t.Member(base=base):
                if node not in self._values.objects and has_mixed_union(set(records(base.type))):
                    self._decides(base)
            case t.Binary(op="/", left=left, right=right):
                self._quotient(left, right)
            case t.Assign(op=op, target=target, value=value):
                self._assignment(op, target, value)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                self._kept(value, symbol.type)
            case t.InitList(type=kind, items=items, places=places):
                for (_, value), place in zip(items, places, strict=True):
                    self._kept(value, _type_at(kind, place))
            case t.Return(value=t.Expr() as value):
                self._kept(value, self._returns)
            case t.Cast(type=kind, operand=operand):
                if not isinstance(ty.unqualified(kind), ty.Void):
                    self._kept(operand, kind)
            case t.Conditional(condition=condition):
                self._decides(condition)
            case t.Comma() | t.CompoundLiteral():
                pass
            case t.Call():
                self._call(node)
            case t.For(condition=condition):
                if condition is not None:
                    self._decides(condition)
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self._decides(child)

    def _decides(self, node: t.Expr, meets_sum: bool = False) -> None:
        """Whatever it is used for, it is not on the list."""
        if is_real(node) or isinstance(node.type, (ty.Struct, ty.Complex, ty.Unknown)):
            self.seeds.append((node, meets_sum))

    def _kept(self, value: t.Expr, kind: ty.Type, meets_sum: bool = False) -> None:
        """`value` becomes part of an object, or a value, of this type."""
        as_it_is = ty.unqualified(value.type) == ty.unqualified(kind)
        rounded = isinstance(kind, (ty.Float, ty.Complex)) and not isinstance(value.type, ty.Struct)
        if not as_it_is and not rounded:
            self._decides(value, meets_sum)

    def _assignment(self, op: str, target: t.Expr, value: t.Expr) -> None:
        self._kept(value, target.type, meets_sum=op in ("+=", "-="))
        if op == "/=" and has_floats(target.type):
            self._quotient(target, value)

    def _quotient(self, left: t.Expr, right: t.Expr) -> None:
        if not self._is_far(right):
            if has_floats(right.type) and not self._steadiness.is_steady(right):
                self.seeds.append((right, True))
            if has_floats(left.type) and has_floats(right.type) and not self._steadiness.is_steady(left):
                self.dividends.append(left)

    def _is_far(self, node: t.Expr, edge: float = 0.0) -> bool:
        """Is it certainly on one side of the edge, and not at it?"""
        constant = constant_value(node)
        if constant is not None:
            return constant != edge
        low, high = self._ranges.get(node, (edge, edge))
        return low > edge or high < edge

    # ------------------------------------------------------------------------------- calls

    def _call(self, node: t.Call) -> None:
        callee = self._values.callee(node)
        if callee is not None:
            for parameter, argument in zip(callee.params, node.args, strict=False):
                self._kept(argument, parameter.type)
            return
        symbol = node.function.symbol if isinstance(node.function, t.Name) else None
        known = None if symbol is None else FUNCTIONS.get(symbol.name)
        if symbol is None or known is None or len(known.params) != len(node.args):
            for argument in node.args if self._unknown_decide else ():
                self._decides(argument, meets_sum=True)
            return
        for argument, kind in zip(node.args, known.params, strict=True):
            self._kept(argument, kind)
        if has_floats(known.returns):
            self._library_call(plain_name(symbol.name), node.args)
        else:
            for argument in node.args:
                self._decides(argument, meets_sum=True)

    def _library_call(self, name: str, args: Sequence[t.Expr]) -> None:
        is_steady = self._steadiness.is_steady
        match name, tuple(args):
            case _, _ if name in _CONTINUOUS:
                pass
            case _, (_, *others) if name in _OF_THE_FIRST:
                for argument in others:
                    self._decides(argument, meets_sum=True)
            case "pow", (base, exponent):
                self._power(base, exponent)
            case "log1p", (argument,):
                if not self._is_far(argument, -1.0):
                    self._decides(argument, meets_sum=True)
            case _, (argument,) if name in _BESIDE_AN_EDGE:
                squares = name == "sqrt" and self._steadiness.is_of_squares(argument)
                if not (squares or self._is_far(argument) or is_steady(argument)):
                    self._decides(argument, meets_sum=True)
            case _:
                for argument in args:
                    self._decides(argument, meets_sum=True)

    def _power(self, base: t.Expr, exponent: t.Expr) -> None:
        """Of a base above 0 it is continuous; at 0 the sign of the exponent decides, below it whether that is whole."""
        positive = self._ranges.get(base, (0.0, 0.0))[0] > 0
        whole = _whole(exponent)
        if not (positive or self._steadiness.is_steady(base) or (whole is not None and whole >= 0)):
            self._decides(base, meets_sum=True)
        if not positive and not self._steadiness.is_unchanged(exponent):
            self._decides(exponent, meets_sum=True)


def bits_read(accesses: Sequence[Access]) -> Iterator[MemoryObject]:
    """Objects with floating-point numbers that are accessed as something else, too."""
    stored = {access.obj for access in accesses if access.mode.writes and has_floats(access.node.type)}
    for access in accesses:
        declared = element_type(access.obj)
        unknown = not has_floats(declared) and access.obj in stored
        if unknown or not _is_as_declared(access.node, declared):
            yield access.obj


def _is_as_declared(node: t.Expr, declared: ty.Type) -> bool:
    """Is the lvalue a part of an object of the type, and of no union with other types, if that holds real numbers?"""
    if not has_floats(declared):
        return True
    kind, parts = ty.unqualified(node.type), set(scalars(declared))
    if isinstance(kind, ty.Complex):
        kind = ty.unqualified(kind.of)  # both parts are of it
    if isinstance(kind, ty.Struct):
        return kind == ty.unqualified(declared) or kind.record in set(records(declared))
    if kind not in parts:
        return False
    if len(parts) == 1:
        return True
    holder, known = access_path(node).holder, set(records(declared))
    if holder is None:
        return False  # through a pointer to a member: which one?
    return holder.record in known and not has_mixed_union(known)


def _edged(body: t.Stmt) -> Iterator[t.Expr]:
    """Divisors and arguments, of which bounds are wanted."""
    for node in nodes(body):
        match node:
            case t.Binary(op="/", right=right) | t.Assign(op="/=", value=right):
                yield right
            case t.Call(args=args):
                yield from args
            case _:
                pass


def bodies_of(functions: Iterable[t.Function]) -> Iterator[tuple[t.Stmt, ty.Type]]:
    """Each with the type of what it returns."""
    for function in functions:
        kind = function.symbol.type
        if function.body is not None:
            yield function.body, kind.returns if isinstance(kind, ty.Function) else ty.VOID


def _type_at(kind: ty.Type, place: Sequence[int]) -> ty.Type:
    for index in place:
        kind = part_type(kind, index)
    return kind


def _whole(node: t.Expr) -> float | None:
    """A constant without a fraction."""
    value = constant_value(node)
    if value is None and isinstance(node, t.FloatConst):
        try:
            real = float(node.text.rstrip("fFlL"))
        except ValueError:
            return None
        return real if real == int(real) else None
    return value
