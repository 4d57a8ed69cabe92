"""C's implicit conversions: which type an operator's result has (C11 6.3, 6.5).

In: types of operands.   Out: the type of the result; of casts, what is converted.
Not here: values -- constants.py; trees -- expressions.py.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.ir import types as ty
from ompc.ir.tree import Assign, Cast, Comma, Expr, IncDec, Member

ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
SHIFTS = frozenset({"<<", ">>"})
LOGICAL = frozenset({"&&", "||"})


def qualify(t: ty.Type, quals: frozenset[str]) -> ty.Type:
    """`t` qualified; for an array C puts the qualifiers on the element (C11 6.7.3p9)."""
    if isinstance(t, ty.Array) and quals:
        return replace(t, of=qualify(t.of, quals))
    return ty.qualified(t, quals)


def rvalue(t: ty.Type) -> ty.Type:
    """The type of a value: arrays and functions decay, qualifiers vanish (C11 6.3.2.1)."""
    return ty.unqualified(ty.decayed(t))


def promoted(t: ty.Type, bits: int | None = None) -> ty.Type:
    """Integer promotion (C11 6.3.1.1p2); `bits` is the width when the operand is a bit-field."""
    t = rvalue(t)
    if isinstance(t, ty.Enum):
        t = ty.unqualified(t.underlying)
    if not isinstance(t, ty.Int):
        return t
    if bits is not None:
        return _promoted_bits(t, bits)
    return ty.INT if t.rank < ty.INT.rank else t


def promoted_value(expr: Expr) -> ty.Type:
    """The type of a value after integer promotion: a bit-field that int can hold becomes int (C11 6.3.1.1p2); a wider
    one keeps its declared type, in what sema/wide_fields.py leaves.
    """
    return promoted(expr.type, _bits(expr))


def wide_bits(expr: Expr) -> int | None:
    """The width of a bit-field that is wider than int, and no whole unit."""
    bits, kind = _bits(expr), rvalue(expr.type)
    return bits if bits is not None and isinstance(kind, ty.Int) and 32 < bits < 8 * kind.size else None


def _bits(expr: Expr) -> int | None:
    """The width when the value is that of a bit-field; it stays one through assignment and comma (gcc, and C++)."""
    match expr:
        case Member(member=member):
            return member.bits[1] if member.bits else None
        case Assign(target=inner) | IncDec(operand=inner) | Comma(right=inner):
            return _bits(inner)
        case _:
            return None


def _promoted_bits(t: ty.Int, bits: int) -> ty.Type:
    if bits > 32:
        return t
    return ty.UINT if bits == 32 and not t.signed else ty.INT


def common(a: ty.Type, b: ty.Type) -> ty.Type:
    """The usual arithmetic conversions of two promoted arithmetic types (C11 6.3.1.8)."""
    if isinstance(a, ty.Unknown):
        return a
    if isinstance(b, ty.Unknown):
        return b
    if isinstance(a, ty.Complex) or isinstance(b, ty.Complex):
        return ty.Complex(_wider(_real(a), _real(b)))
    if isinstance(a, ty.Float) or isinstance(b, ty.Float):
        return _wider(_real(a), _real(b))
    if isinstance(a, ty.Int) and isinstance(b, ty.Int):
        return _common_int(a, b)
    return ty.Unknown("arithmetic on a type that has none")


def _real(t: ty.Type) -> ty.Float:
    """The floating type an operand brings in; integers bring the least."""
    if isinstance(t, ty.Complex):
        return t.of
    return t if isinstance(t, ty.Float) else ty.FLOAT


def _wider(a: ty.Float, b: ty.Float) -> ty.Float:
    return a if a.size >= b.size else b


def _common_int(a: ty.Int, b: ty.Int) -> ty.Int:
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    signed, unsigned = (a, b) if a.signed else (b, a)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.size > unsigned.size:
        return signed
    return UNSIGNED_OF[signed.name]


UNSIGNED_OF = {
    "int": ty.UINT,
    "long": ty.ULONG,
    "long long": ty.ULLONG,
    "__int128": ty.UINT128,
}


def binary(op: str, left: ty.Type, right: ty.Type) -> ty.Type:
    """The type of `left op right`; both are already promoted values (see `promoted`)."""
    if op in COMPARISONS or op in LOGICAL:
        return ty.INT
    for side in (left, right):
        if isinstance(side, ty.Unknown):
            return side
    if isinstance(left, ty.Pointer) or isinstance(right, ty.Pointer):
        return _pointer_arithmetic(op, left, right)
    if op in SHIFTS:
        return left
    return common(left, right)


def _pointer_arithmetic(op: str, left: ty.Type, right: ty.Type) -> ty.Type:
    if op == "-" and isinstance(left, ty.Pointer) and isinstance(right, ty.Pointer):
        return ty.PTRDIFF_T
    if op in ("+", "-") and isinstance(left, ty.Pointer):
        return left
    if op == "+" and isinstance(right, ty.Pointer):
        return right
    return ty.Unknown(f"{op} on a pointer")


def conditional(then: ty.Type, other: ty.Type, null_then: bool, null_other: bool) -> ty.Type:
    """The type of `c ? then : other` (C11 6.5.15); `null_*` say which side is a null pointer constant."""
    then, other = rvalue(then), rvalue(other)
    if ty.is_number(then) and ty.is_number(other):
        return common(promoted(then), promoted(other))
    if isinstance(then, ty.Pointer) and isinstance(other, ty.Pointer):
        return _joined_pointers(then, other, null_then, null_other)
    if isinstance(then, ty.Pointer) and null_other:
        return then
    if isinstance(other, ty.Pointer) and null_then:
        return other
    if isinstance(then, ty.Void) or isinstance(other, ty.Void):
        return ty.VOID
    return then


def _joined_pointers(then: ty.Pointer, other: ty.Pointer, null_then: bool, null_other: bool) -> ty.Type:
    if null_other and isinstance(other.to, ty.Void):
        return then
    if null_then and isinstance(then.to, ty.Void):
        return other
    quals = then.to.quals | other.to.quals
    target = ty.VOID if isinstance(then.to, ty.Void) or isinstance(other.to, ty.Void) else then.to
    return ty.Pointer(qualify(ty.unqualified(target), quals))


def compatible(a: ty.Type, b: ty.Type) -> bool:
    """C11 6.2.7, qualifiers included; an enum is compatible with the type it is stored in."""
    if a.quals != b.quals:
        return False
    match a, b:
        case ty.Enum(), ty.Int():
            return a.underlying.name == b.name
        case ty.Int(), ty.Enum():
            return a.name == b.underlying.name
        case ty.Pointer(to=x), ty.Pointer(to=y):
            return compatible(x, y)
        case ty.Array(of=x, length=n), ty.Array(of=y, length=m):
            return compatible(x, y) and (n == m or not isinstance(n, int) or not isinstance(m, int))
        case ty.Function(), ty.Function():
            return _compatible_functions(a, b)
        case _:
            return a == b


def _compatible_functions(a: ty.Function, b: ty.Function) -> bool:
    if not compatible(a.returns, b.returns):
        return False
    if a.params is None or b.params is None:
        return True
    same = len(a.params) == len(b.params) and a.variadic == b.variadic
    return same and all(
        compatible(ty.unqualified(x), ty.unqualified(y)) for x, y in zip(a.params, b.params, strict=True)
    )


def composite(old: ty.Type, new: ty.Type) -> ty.Type:
    """The type of an object or function declared twice (C11 6.2.7p3): what either declaration knows."""
    match old, new:
        case ty.Array(length=n), ty.Array(length=None) if n is not None:
            return old
        case ty.Function(params=tuple()), ty.Function(params=None):
            return old
        case ty.Pointer(to=x), ty.Pointer(to=y):
            return replace(new, to=composite(x, y))
        case _:
            return new


def uncast(e: Expr) -> Expr:
    """What is converted; `e` itself where nothing is."""
    while isinstance(e, Cast):
        e = e.operand
    return e
