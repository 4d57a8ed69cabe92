"""What C converts operands and values to, where C++ or a device would do otherwise.

    255 == c, c of unsigned char     both are converted to int
    (unsigned char)-1.0              through int, as on the host
    u = -1, u unsigned               the constant changes its value

In: types, constants.   Out: the type to convert to, or whether to convert at all.
Not here: the text of conversions -- expressions.py.
"""

from __future__ import annotations

from ompc.ir import conversions
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value, wrapped


def conversion_through(source: ty.Type, target: ty.Type) -> str | None:
    """The wider signed type through which the host's compiler converts a floating value to `target`, None: directly.

    C leaves `(unsigned char)-1.0` undefined; x86 and Arm hosts give 255, a GPU saturates to 0. Programs rely on the
    host.
    """
    if not isinstance(source, ty.Float) or not isinstance(target, ty.Int) or target.name == "_Bool":
        return None
    if target.size < ty.INT.size:
        return "int"
    return "long long" if target.size == ty.INT.size and not target.signed else None


def common_real(a: ty.Type, b: ty.Type) -> ty.Type:
    """The type that C computes the product of two arithmetic operands in, when at least one is floating."""
    sizes = [kind for kind in (a, b) if isinstance(kind, ty.Float)]
    return max(sizes, key=lambda kind: kind.size)


def wraps(node: t.Expr, kind: ty.Type) -> bool:
    """Does the constant `node` become another number when it is converted to the integer type `kind`?"""
    value = constant_value(node) if isinstance(kind, ty.Int) and kind.name != "_Bool" else None
    return value is not None and isinstance(kind, ty.Int) and wrapped(value, kind) != value


def is_cast_beside(node: t.Expr, kind: ty.Type) -> bool:
    """Does C++ need it to be said that what stands beside the `:` of a conditional is converted to its type?"""
    return wraps(node, kind) or _is_null(node, kind) or _is_promoted_bits(node)


def _is_null(node: t.Expr, kind: ty.Type) -> bool:
    """`(void *)0` beside a pointer to something else, which C++ does not convert."""
    if not (isinstance(kind, ty.Pointer) and isinstance(node.type, ty.Pointer)):
        return False
    return isinstance(node.type.to, ty.Void) and not isinstance(kind.to, ty.Void)


def _is_promoted_bits(node: t.Expr) -> bool:
    """A bit-field that C promotes to int, where g++ takes its declared type for that of the value."""
    return conversions.promoted_value(node) != conversions.promoted(node.type)


def operand_type(op: str, left: t.Expr, right: t.Expr) -> ty.Type:
    """The type that a binary operator converts both operands to; `void` when it leaves them alone."""
    if op in ("<<", ">>", "&&", "||") or not (ty.is_arithmetic(left.type) and ty.is_arithmetic(right.type)):
        return ty.VOID
    return conversions.common(conversions.promoted_value(left), conversions.promoted_value(right))
