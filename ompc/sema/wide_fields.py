"""Bit-fields that are wider than int, in expressions: what all compilers make of them, and what they do not.

    struct { unsigned long x : 40; long s : 40; } f;

    (f.x) << 30      gcc: of a type of 40 bits, the upper ones are lost     clang, and C++: unsigned long
    f.x == -1        gcc: -1 becomes 2^40 - 1                               clang, and C++: 2^64 - 1

C leaves the type of such a value open (C11 6.3.1.1). Device code has C++'s: the declared one. So an operation is taken
where the two cannot differ, and is of an unknown type elsewhere:

    kept           what is converted at once: assignments, casts, arguments, conditions
    computed       with a floating-point number, or with an integer of 64 bits and more that both convert it to
    compared       with what both readings leave its value: of an unsigned one, with unsigned and constant numbers that
                   are not negative; of a signed one, with all of its size or less
    op=            of a wide one: what is lost above is lost in any case, but for / and %, which are as comparisons

In: the operands of an operator, with their types.   Out: the operands' promoted types, or why they are not known.
Not here: those that int can hold, which are int -- ir/conversions.py.
"""

from __future__ import annotations

from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.tree import Expr

_ANY = frozenset({"+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="})
"""The lower bits of the result come of the operands' lower bits, or, for `>>=`, of the value on the left."""


def of_operator(op: str, left: Expr, right: Expr) -> ty.Type:
    """The type of `left op right`."""
    widths = conversions.wide_bits(left), conversions.wide_bits(right)
    known = widths == (None, None) or _agrees(op, left, right)
    kinds = conversions.promoted_value(left), conversions.promoted_value(right)
    return conversions.binary(op, *kinds) if known else _unknown(next(filter(None, widths)))


def of_assignment(op: str, target: Expr, value: Expr) -> ty.Type:
    """The type of `target op value`."""
    into = conversions.wide_bits(target)
    width = into or conversions.wide_bits(value)
    if width is None or op == "=" or op in _ANY or _agrees(op[:-1] if into is None else "<", target, value):
        return conversions.rvalue(target.type)
    return _unknown(width)


def promoted(value: Expr) -> ty.Type:
    """The type of a value by itself."""
    width = conversions.wide_bits(value)
    return conversions.promoted_value(value) if width is None else _unknown(width)


def of_choice(then: Expr, other: Expr) -> ty.Type:
    """The type of `c ? then : other`, which are numbers."""
    return of_operator("+", then, other)


def _unknown(width: int) -> ty.Type:
    return ty.Unknown(f"a bit-field of {width} bits")


def _agrees(op: str, left: Expr, right: Expr) -> bool:
    if op in conversions.LOGICAL:
        return True
    if op in conversions.SHIFTS:
        return conversions.wide_bits(left) is None
    field, other = (left, right) if conversions.wide_bits(left) is not None else (right, left)
    kind, beside = ty.unqualified(field.type), conversions.promoted_value(other)
    if not isinstance(kind, ty.Int):
        return False
    if not isinstance(beside, ty.Int):
        return True  # a floating-point number, or a pointer
    both = conversions.wide_bits(other) is not None
    if beside.size >= 8 and not both and (not beside.signed or kind.signed):
        return True
    return op in conversions.COMPARISONS and _is_left_alone(kind, beside, other)


def _is_left_alone(kind: ty.Int, beside: ty.Int, other: Expr) -> bool:
    """Is the value of `other` the same in the field's type, however that is read, and the field's in `other`'s?"""
    value = constant_value(other)
    if not kind.signed:
        return not beside.signed or (value is not None and value >= 0)
    return beside.signed or beside.size < 8
