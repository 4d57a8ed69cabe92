"""Analysis: lvalues and pointers of code that lead into one object, through parameters that got its address.

    void solve(double t[5]) { t[1] = ...; }         the address of `row[2]`, bound to `t`: t[1] is row[2][1]
    solve(row[2]);

In: expressions; the parameters that are bound so far; the polynomials of subscripts.   Out: Part or Address, None for
what has nothing to do with the object. Raises Lost for a pointer into the object that cannot be followed.
Not here: evaluating the operands -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.memory.parts import Address, Part
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Subscript, access_path


class Lost(Exception):
    """The object is used in a way that cannot be followed."""


@dataclass(slots=True)
class Addresses:
    """`bound`: the parameters of the functions being followed that point into the object `symbol`."""

    symbol: t.Symbol
    form: Callable[[t.Expr], Polynomial | None]
    bound: dict[t.Symbol, Address] = field(default_factory=dict)

    def part(self, lvalue: t.Expr) -> Part | None:
        """The part of the object that `lvalue` designates."""
        path = access_path(lvalue)
        steps = list(path.steps)
        if path.follows:
            address, steps = self.address(path.origin), steps[1:]
            part = None if address is None else address.moved(self.form(path.subscripts[0])).target()
        else:
            part = Part("", (), self.symbol.type) if path.variable is self.symbol else None
        for step in steps:
            if part is None:
                return None
            if isinstance(step, Subscript):
                part = part.element(self.form(step.index))
            elif isinstance(step.whole, ty.Complex):
                part = part.selected(step.member)
            elif step.record is None:
                raise Lost
            else:
                part = part.member(step.member, step.record)
        return part

    def address(self, pointer: t.Expr) -> Address | None:
        """Where in the object the value of `pointer` (an array decays) points."""
        match pointer:
            case t.Expr(type=ty.Array()):
                return self._decayed(pointer)
            case t.Name(symbol=symbol):
                return self.bound.get(symbol)
            case t.Unary(op="&", operand=operand):
                whole = self.part(operand)
                return None if whole is None else whole.address()
            case t.Binary(op="+" | "-" as op, left=left, right=right):
                first, second = self.address(left), self.address(right)
                if first is not None and second is not None:
                    raise Lost
                if first is not None:
                    return first.moved(self.form(right), backwards=op == "-")
                return second if second is None else second.moved(self.form(left))
            case t.Cast(operand=operand, type=to):
                address = self.address(operand)
                if address is not None and not (isinstance(to, ty.Pointer) and ty.is_same_object(to.to, address.to)):
                    raise Lost
                return address
            case _:
                return None

    def _decayed(self, array: t.Expr) -> Address | None:
        whole = self.part(array)
        if whole is None:
            return None
        if not isinstance(whole.type, ty.Array):
            raise Lost
        return Address(whole, number(0), whole.type.of)

    def operands(self, lvalue: t.Expr) -> list[t.Expr]:
        """What is evaluated to find what `lvalue` designates, and is not itself a way into the object."""
        path = access_path(lvalue)
        if path.follows:
            return [*self.pointer_operands(path.origin), *path.subscripts]
        return [*([path.origin] if path.variable is None else []), *path.subscripts]

    def pointer_operands(self, pointer: t.Expr) -> list[t.Expr]:
        """The same for a pointer's value."""
        if isinstance(pointer.type, ty.Array):
            return self.operands(pointer)
        if self.address(pointer) is None:
            return [pointer]
        match pointer:
            case t.Unary(op="&", operand=operand):
                return self.operands(operand)
            case t.Binary(left=left, right=right):
                return [*self.pointer_operands(left), *self.pointer_operands(right)]
            case t.Cast(operand=operand):
                return self.pointer_operands(operand)
            case _:
                return []

