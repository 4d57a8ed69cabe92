"""Complex numbers as the runtime's `ompc::Complex` (runtime/kernel/language/ompc_complex.h).

    1.0i                    ompc::Complex<double>(0, 1.0)
    z = x                   z = ompc::Complex<double>(x)         the imaginary part is zero
    f = z, (int)z           f = z.re, (int)z.re
    2 * z + w, w float      (double)2 * z + ompc::Complex<double>(w)

In: what is converted to which type, how an argument is printed.   Out: text.
Not here: which operands are converted -- conversions.py; what is left to the host -- eligibility/complex_numbers.py.
"""

from __future__ import annotations

from collections.abc import Callable

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.render.code.types import TypePrinter


def complex_text(number: t.FloatConst, kind: ty.Complex, types: TypePrinter) -> str:
    """An imaginary constant, as a number of type `kind`."""
    return f"{types.declare(ty.unqualified(kind))}(0, {number.text.removesuffix('i')})"


def complex_cast(operand: t.Expr, kind: ty.Complex, argument: Callable[[t.Expr], str], types: TypePrinter) -> str:
    """`operand` as a number of type `kind`, which it need not be yet."""
    own = operand.type
    if isinstance(operand, t.FloatConst) and isinstance(own, ty.Complex) and kind.of.size >= own.of.size:
        return complex_text(operand, kind, types)
    return f"{types.declare(ty.unqualified(kind))}({argument(operand)})"


def real_part(operand: t.Expr, kind: ty.Type) -> t.Expr | None:
    """What becomes a real number of type `kind` of a complex operand; None of others, and where both parts count."""
    if not isinstance(operand.type, ty.Complex) or not ty.is_arithmetic(kind) or ty.unqualified(kind) == ty.BOOL:
        return None
    part, _ = ty.PARTS[ty.unqualified(operand.type.of)]
    return t.Member(part.type, operand.loc, operand, part, arrow=False)
