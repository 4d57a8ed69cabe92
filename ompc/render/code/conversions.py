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
    parts = (kind.of if isinstance(kind, ty.Complex) else kind for kind in (a, b))
    sizes = [kind for kind in parts if isinstance(kind, ty.Float)]
    return max(sizes, key=lambda kind: kind.size)


def wraps(node: t.Expr, kind: ty.Type) -> bool:
    """Does the constant `node` become another number when it is converted to the integer type `kind`?"""
    value = constant_value(node) if isinstance(kind, ty.Int) and kind.name != "_Bool" else None
    return value is not None and isinstance(kind, ty.Int) and wrapped(value, kind) != value


def is_cast_beside(node: t.Expr, kind: ty.Type) -> bool:
    """Does C++ need it to be said that what stands beside the `:` of a conditional is converted to its type?"""
    return wraps(node, kind) or is_complex_cast(node.type, kind) or _is_null(node, kind) or _is_promoted_bits(node)


def is_complex_cast(source: ty.Type, target: ty.Type) -> bool:
    """Does a complex number change its type, or a real one become complex? C++ has no such conversion of itself."""
    complex_ones = isinstance(source, ty.Complex) or isinstance(target, ty.Complex)
    return complex_ones and ty.unqualified(source) != ty.unqualified(target)


def operand_as(node: t.Expr, kind: ty.Type, op: str) -> ty.Type | None:
    """What has to be said that an operand is converted to, by an operator that computes in `kind`; None: nothing.

    Beside a complex number a real one stays real, as in gcc, but for comparisons: `2.0 * z` are two products.
    """
    if not isinstance(kind, ty.Complex):
        return kind if wraps(node, kind) else None
    is_complex = isinstance(node.type, ty.Complex) or op in conversions.COMPARISONS
    wanted = kind if is_complex else ty.unqualified(kind.of)
    return None if ty.unqualified(node.type) == wanted else wanted


def converts_result(kind: ty.Type, target: ty.Type) -> bool:
    """Has an assignment `target op= value` that computes in `kind` to say how its result becomes the target's?"""
    taken_apart = isinstance(kind, ty.Complex) and not isinstance(target, ty.Complex)
    return taken_apart or conversion_through(kind, target) is not None


def changes(node: t.Expr, target: ty.Type) -> bool:
    """Has an assignment of `node` to say that it converts?"""
    through = conversion_through(node.type, target) is not None
    return through or wraps(node, target) or is_complex_cast(node.type, target)


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
    if op in ("<<", ">>", "&&", "||") or not (ty.is_number(left.type) and ty.is_number(right.type)):
        return ty.VOID
    return conversions.common(conversions.promoted_value(left), conversions.promoted_value(right))
