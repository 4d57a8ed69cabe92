"""Analysis: integers and places that an inspector can find, as it has no data but what the program has settled.

    i11 = i * lk;   x[i11 + k][j]        known, where `lk`, and all loops around, are
    mx = u[0];                           not known: what depends on it is no subscript that an inspector can find

A variable is known until some value that it gets is not. So all functions are looked at again until nothing more turns
out to be unknown; a pointer leads to none of the objects until one of its values may.

    In: expressions of the program.   Out: the inspector's expressions; None: not known, or not in an object.
    Not here: statements -- slices.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ompc.base.frozen import dataclass, field
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import symbols_in
from ompc.ir.walk import Node


class NotInspectable(Exception):
    """An inspector cannot find what the program accesses."""


@dataclass(slots=True)
class Learnt:
    """What has turned out so far: integers that are `unknown`, functions whose result is, pointers into objects."""

    unknown: set[t.Symbol] = field(default_factory=set)
    pointers: dict[t.Symbol, t.Symbol] = field(default_factory=dict)
    opaque: set[t.Symbol] = field(default_factory=set)

    @property
    def amount(self) -> int:
        return len(self.unknown) + len(self.pointers) + len(self.opaque)

    def leads_in(self, pointer: t.Symbol) -> None:
        """The pointer may point into one of the objects: what the inspector has in its place is an integer."""
        if pointer not in self.pointers:
            self.pointers[pointer] = replace_type(pointer, ty.SIZE_T)


def replace_type(symbol: t.Symbol, kind: ty.Type) -> t.Symbol:
    return t.Symbol(symbol.name, kind, t.Storage.AUTO, symbol.loc, symbol.position)


@dataclass(slots=True)
class Values:
    """`settled`: the inspector's variable for an object that the program has settled, or its element; None: it is not.
    `result`: that of a call as an integer. `hidden`: counters, of which each iteration has another value. `changed`:
    what the present function changes.
    """

    objects: Mapping[t.Symbol, t.Symbol]
    settled: Callable[[t.Symbol, int | None], t.Symbol | None]
    result: Callable[[t.Call], t.Expr | None]
    learnt: Learnt = field(default_factory=Learnt)
    hidden: set[t.Symbol] = field(default_factory=set)
    changed: frozenset[t.Symbol] = frozenset()

    def mentions(self, code: Node) -> bool:
        """Does it name an object, or a pointer that may lead into one?"""
        return not symbols_in(code).isdisjoint(self.objects.keys() | self.learnt.pointers.keys())

    # ------------------------------------------------------------------ integers

    def value(self, e: t.Expr) -> t.Expr | None:
        """The integer `e`; None: an inspector cannot know it."""
        if not isinstance(ty.unqualified(e.type), ty.Int):
            return None
        constant = constant_value(e)
        if constant is not None:
            return i.number(constant, ty.unqualified(e.type))
        match e:
            case t.Name(symbol=symbol):
                return self._variable(symbol)
            case t.Index(base=t.Name(symbol=symbol), index=index) if isinstance(symbol.type, ty.Array):
                place = constant_value(index)
                found = None if place is None else self.settled(symbol, place)
                return None if found is None else i.name_of(found)
            case t.Unary(op="+" | "-" | "~" | "!", operand=operand):
                inner = self.value(operand)
                return None if inner is None else replace(e, operand=inner)
            case t.Binary(left=left, right=right):
                first, second = self.value(left), self.value(right)
                return None if first is None or second is None else replace(e, left=first, right=second)
            case t.Conditional(condition=condition, then=then, other=other):
                parts = [self.value(part) for part in (condition, then, other)]
                condition_, then_, other_ = parts
                if condition_ is None or then_ is None or other_ is None:
                    return None
                return replace(e, condition=condition_, then=then_, other=other_)
            case t.Cast(operand=operand):
                inner = self.value(operand)
                return None if inner is None else replace(e, operand=inner)
            case t.Call():
                return self.result(e)
            case _:
                return None

    def _variable(self, symbol: t.Symbol) -> t.Expr | None:
        found = self.settled(symbol, None)
        if found is not None:
            return i.name_of(found)
        return i.name_of(symbol) if self.is_known(symbol) else None

    def is_known(self, symbol: t.Symbol) -> bool:
        """Is it a variable of a function that the inspector has, too?"""
        if not symbol.is_automatic or symbol.address_taken or symbol in self.hidden or symbol in self.learnt.unknown:
            return False
        return isinstance(ty.unqualified(symbol.type), ty.Int) and not symbol.type.quals & {"volatile", "_Atomic"}

    # -------------------------------------------------------------------- places

    def place(self, pointer: t.Expr) -> t.Expr | None:
        """Where the value of `pointer` (an array decays) points; None: into none of the objects."""
        match pointer:
            case t.Expr(type=ty.Array()):
                return self.place_of(pointer)
            case t.Name(symbol=symbol):
                found = self.learnt.pointers.get(symbol)
                if found is not None and (symbol.address_taken or not symbol.is_automatic or symbol in self.hidden):
                    raise NotInspectable
                return None if found is None else i.name_of(found)
            case t.Unary(op="&", operand=operand):
                return self.place_of(operand)
            case t.Binary(op="+" | "-" as op, left=left, right=right):
                first, second = self._pointed(left), self._pointed(right)
                if first is None and second is None:
                    return None
                if first is not None and second is None:
                    return self._moved(first, right, left.type, backwards=op == "-")
                if second is not None and first is None and op == "+":
                    return self._moved(second, left, right.type)
                raise NotInspectable
            case t.Cast(operand=operand):
                return self._pointed(operand)
            case t.Conditional(condition=condition, then=then, other=other):
                return self._either(pointer, condition, self._pointed(then), self._pointed(other))
            case t.Comma(right=right):
                return self._pointed(right)
            case t.Index() | t.Member() | t.Unary() | t.StringConst() | t.IntConst():
                return None  # of memory: no pointer into an object is stored there
            case _ if self.mentions(pointer):
                raise NotInspectable
            case _:
                return None

    def _pointed(self, e: t.Expr) -> t.Expr | None:
        return self.place(e) if isinstance(e.type, (ty.Pointer, ty.Array)) else None

    def _either(
        self, e: t.Expr, condition: t.Expr, then: t.Expr | None, other: t.Expr | None
    ) -> t.Expr | None:
        if then is None and other is None:
            return None
        choice = self.value(condition)
        if choice is None:
            raise NotInspectable
        return t.Conditional(ty.SIZE_T, e.loc, choice, then or i.number(0), other or i.number(0))

    def place_of(self, lvalue: t.Expr) -> t.Expr | None:
        """Where the object is that `lvalue` designates; None: in none of the objects."""
        match lvalue:
            case t.Name(symbol=symbol):
                own = self.objects.get(symbol)
                return None if own is None else i.name_of(own)
            case t.Index(base=base, index=index):
                origin = self.place(base)
                return None if origin is None else self._moved(origin, index, base.type)
            case t.Unary(op="*", operand=operand):
                return self.place(operand)
            case t.Member(base=base, member=member, arrow=arrow):
                origin = self.place(base) if arrow else self.place_of(base)
                if origin is None:
                    return None
                if member.bits is not None:
                    raise NotInspectable
                if not member.offset:
                    return origin
                return i.call(i.ELEMENT, origin, i.number(member.offset, ty.LLONG), i.number(1))
            case _:
                return None

    def _moved(self, origin: t.Expr, by: t.Expr, kind: ty.Type, backwards: bool = False) -> t.Expr:
        """`origin`, of the pointer or array type `kind`, moved by so many elements."""
        distance = self.value(by)
        if distance is None:
            raise NotInspectable
        of = kind.of if isinstance(kind, ty.Array) else kind.to if isinstance(kind, ty.Pointer) else None
        if of is None:
            raise NotInspectable
        if constant_value(distance) == 0:
            return origin
        wide = t.Cast(ty.LLONG, by.loc, distance) if ty.unqualified(distance.type) != ty.LLONG else distance
        return i.call(i.ELEMENT, origin, t.Unary(ty.LLONG, by.loc, "-", wide) if backwards else wide, self.size(of))

    def size(self, kind: ty.Type) -> t.Expr:
        """In bytes."""
        size = ty.size_of(kind)
        if size is not None:
            return i.number(size)
        if not isinstance(kind, ty.Array) or not isinstance(kind.length, t.Expr):
            raise NotInspectable
        length = self.value(kind.length)
        if length is None or symbols_in(kind.length) & self.changed:  # it had another value at the declaration
            raise NotInspectable
        return t.Binary(ty.SIZE_T, kind.length.loc, "*", t.Cast(ty.SIZE_T, kind.length.loc, length), self.size(kind.of))
