"""Rows of variable length: the lengths that a type had when its declaration was reached, as what can be computed again.

    void f(int n, int m, double (*x)[n][m + 1])        the rows of `x`: n and m + 1, while nobody assigns n or m

A length keeps its value when what it was made of changes later (C11 6.7.6.2). An expression stands for it wherever its
parts are numbers and variables that the code does not assign; any other is a variable that the declaration makes.

    In: types, the code that may assign.   Out: lengths, products of them.
    Not here: the pointers -- flat_rows.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied

Length = t.Expr | int
Shape = tuple[Length, ...]


class NoFlatRows(Exception):
    """The code computes with rows of variable length in a way that is not made plain."""


def rows_of(kind: ty.Type) -> tuple[tuple[Length | None, ...], ty.Type] | None:
    """Of a pointer to rows of variable length: the lengths of a row, outermost first, and what the rows are made of,
    which may be arrays of constant lengths; None of any other type.
    """
    kind = ty.decayed(kind)
    if not isinstance(kind, ty.Pointer) or not isinstance(kind.to, ty.Array) or not ty.is_variably_modified(kind.to):
        return None
    lengths: list[Length | None] = []
    row: ty.Type = kind.to
    while isinstance(row, ty.Array) and ty.is_variably_modified(row):
        lengths.append(row.length)
        row = row.of
    return tuple(lengths), row


def is_of_rows(kind: ty.Type) -> bool:
    """Is it such a pointer, or a row of variable length, whose elements are to be found by a subscript?"""
    return rows_of(kind) is not None or (isinstance(kind, ty.Array) and ty.is_variably_modified(kind))


def element_of_rows(kind: ty.Type) -> ty.Type:
    """What rows of variable length are made of."""
    found = rows_of(kind)
    if found is None or ty.is_variably_modified(found[1]):
        raise NoFlatRows
    return found[1]


def flat(kind: ty.Type) -> ty.Pointer:
    """The pointer to elements that stands for one to rows."""
    quals = kind.quals if isinstance(kind, ty.Pointer) else ty.NO_QUALIFIERS
    return ty.Pointer(element_of_rows(kind), quals=quals)


def lengths_written(kind: ty.Type) -> Shape:
    """The lengths of a pointer to rows, as its type has them."""
    found = rows_of(kind)
    lengths = () if found is None else found[0]
    known = tuple(length for length in lengths if length is not None)
    if not known or len(known) < len(lengths):
        raise NoFlatRows
    return known


def is_stable(expr: t.Expr, assigned: Collection[t.Symbol]) -> bool:
    """Has it the same value wherever its names are visible: numbers, and variables that are not among `assigned`?"""
    match expr:
        case t.IntConst():
            return True
        case t.Name(symbol=symbol, type=kind):
            return ty.is_integer(kind) and is_kept(symbol, assigned)
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            return ty.is_integer(expr.type) and is_stable(left, assigned) and is_stable(right, assigned)
        case t.Cast(type=kind, operand=operand):
            return ty.is_integer(kind) and is_stable(operand, assigned)
        case _:
            return False


def is_kept(symbol: t.Symbol, assigned: Collection[t.Symbol]) -> bool:
    """Does the variable keep the value that it has?"""
    changes = symbol.address_taken or symbol.threadprivate or symbol.type.quals & {"volatile", "_Atomic"}
    return not changes and symbol not in assigned and symbol.storage is not t.Storage.THREAD


def is_equal(a: Length, b: Length) -> bool:
    """Are two stable lengths certainly equal?"""
    match a, b:
        case t.IntConst(value=x), int(y):
            return x == y
        case int(), t.IntConst():
            return is_equal(b, a)
        case t.IntConst(value=x), t.IntConst(value=y):
            return x == y
        case t.Name(symbol=x), t.Name(symbol=y):
            return x is y
        case t.Binary(), t.Binary():
            same = a.op == b.op and a.type == b.type
            return same and is_equal(a.left, b.left) and is_equal(a.right, b.right)
        case t.Cast(), t.Cast():
            return ty.unqualified(a.type) == ty.unqualified(b.type) and is_equal(a.operand, b.operand)
        case t.Expr(), t.Expr():
            return False
        case _:
            return a == b


def as_long(expr: Length, loc: Location) -> t.Expr:
    """A length or a subscript in the arithmetic of addresses."""
    if isinstance(expr, int):
        return t.IntConst(ty.LONG, loc, expr, f"{expr}L")
    whole = copied(expr)
    return whole if ty.unqualified(whole.type) == ty.LONG else t.Cast(ty.LONG, loc, whole)


def as_factor(expr: Length, loc: Location) -> t.Expr:
    """The same beside an operand that is long already: what is narrower is converted by that."""
    if isinstance(expr, int):
        return t.IntConst(ty.INT, loc, expr, str(expr)) if expr < 1 << 31 else as_long(expr, loc)
    narrow = isinstance(expr.type, ty.Enum) or (isinstance(expr.type, ty.Int) and expr.type.size < 8)
    return copied(expr) if narrow else as_long(expr, loc)


def times(value: t.Expr, lengths: Sequence[Length]) -> t.Expr:
    """`value`, which is long, times the product of `lengths`."""
    if constant_value(value) == 0:
        return value
    for length in lengths:
        value = t.Binary(ty.LONG, value.loc, "*", value, as_factor(length, value.loc))
    return value


def product(lengths: Sequence[Length], loc: Location) -> t.Expr:
    """How many elements a row has that has these lengths."""
    return times(as_long(lengths[0], loc), lengths[1:]) if lengths else as_long(1, loc)


def linear(subscripts: Sequence[t.Expr], lengths: Sequence[Length]) -> t.Expr:
    """Which element it is: (i * m + j) * n + k of i, j and k. As many lengths as subscripts but the first, or more."""
    value = as_long(subscripts[0], subscripts[0].loc)
    for subscript, length in zip(subscripts[1:], lengths, strict=False):
        if constant_value(value) == 0:
            value = as_long(subscript, subscript.loc)
            continue
        value = times(value, [length])
        if constant_value(subscript) != 0:
            value = t.Binary(ty.LONG, value.loc, "+", value, as_factor(subscript, value.loc))
    return times(value, lengths[len(subscripts) - 1 :])
