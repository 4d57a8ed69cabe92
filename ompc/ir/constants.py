"""Values at compile time: literals, and integer constant expressions (C11 6.4.4, 6.6).

In: the spelling of a literal, or a typed expression.   Out: its type and value.
Not here: `sizeof`, which expressions.py folds to an IntConst when it lowers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.tree import Binary, Cast, Conditional, Expr, FloatConst, IntConst, Unary

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
MAX_DIGITS = 128
"""The most digits of a literal. No type holds more, in any base, and Python itself refuses to read some thousands of
decimal digits.
"""

_WIDE = {"L": ty.INT, "u": ty.USHORT, "U": ty.UINT}


def integer_literal(text: str) -> tuple[int, ty.Int] | None:
    """Value and type of an integer constant (C11 6.4.4.1); None if no type holds it, or for a C23 bit-precise one."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)", text.replace("'", ""))
    if match is None:
        return None
    digits, suffix = match.group(1), match.group(2).lower()
    if len(digits) > MAX_DIGITS:
        return None
    value = _parse_digits(digits)
    decimal = not digits.startswith("0")
    longs = suffix.count("l")
    ladder = [(ty.INT, ty.UINT), (ty.LONG, ty.ULONG), (ty.LLONG, ty.ULLONG)][longs:]
    for signed, unsigned in ladder:
        if "u" not in suffix and value < 1 << (8 * signed.size - 1):
            return value, signed
        if ("u" in suffix or not decimal) and value < 1 << (8 * unsigned.size):
            return value, unsigned
    return None


def _parse_digits(digits: str) -> int:
    if digits[:2].lower() == "0x":
        return int(digits, 16)
    if digits[:2].lower() == "0b":
        return int(digits, 2)
    return int(digits, 8) if digits.startswith("0") else int(digits)


def character_literal(text: str, char: ty.Int) -> tuple[int, ty.Int]:
    """Value and type of a character constant; several characters count as in gcc: the last four, big end first."""
    prefix, body = text.split("'", 1)
    if prefix in _WIDE:
        codes = code_units(body[:-1], encode=False)
        return (codes[-1] if codes else 0), _WIDE[prefix]
    codes = code_units(body[:-1])
    if len(codes) == 1:
        return wrapped(codes[0], char), ty.INT
    value = 0
    for code in codes:
        value = (value << 8 | code) & 0xFFFFFFFF
    return wrapped(value, ty.INT), ty.INT


def code_units(body: str, encode: bool = True) -> list[int]:
    """The characters of a literal's body, escapes resolved: bytes of UTF-8 when `encode`, else code points."""
    units: list[int] = []
    position = 0
    while position < len(body):
        match = _ESCAPE.match(body, position) if body[position] == "\\" else None
        if match is None:
            character = body[position]
            units += character.encode("utf-8", "surrogateescape") if encode else [ord(character)]
            position += 1
        else:
            units += _escape(match, encode)
            position = match.end()
    return units


def _escape(match: re.Match[str], encode: bool) -> list[int]:
    hexadecimal, octal, short, long, simple = match.groups()
    if hexadecimal:
        return [int(hexadecimal, 16) & (0xFF if encode else 0xFFFFFFFF)]
    if octal:
        return [int(octal, 8) & (0xFF if encode else 0xFFFFFFFF)]
    if short or long:
        character = chr(int(short or long, 16))
        return list(character.encode("utf-8", "surrogatepass")) if encode else [ord(character)]
    return [_SIMPLE.get(simple, ord(simple))]


def string_type(text: str, char: ty.Int) -> ty.Array:
    """The array type of a string literal (adjacent ones separated by blanks), terminator included."""
    return ty.Array(_WIDE.get(_prefix(text)) or char, len(string_codes(text)))


def string_codes(text: str) -> list[int]:
    """The elements of a string literal, the terminator included."""
    bodies = re.findall(r'"((?:\\.|[^"\\])*)"', text, re.DOTALL)
    narrow = _prefix(text) not in _WIDE
    return [*(code for body in bodies for code in code_units(body, encode=narrow)), 0]


def _prefix(text: str) -> str:
    return text.split('"', 1)[0]


def wrapped(value: int, t: ty.Type) -> int:
    """`value` converted to an integer type, as the host compiler does it (modulo 2^n)."""
    if isinstance(t, ty.Enum):
        t = t.underlying
    if not isinstance(t, ty.Int):
        return value
    if t.name == "_Bool":
        return int(value != 0)
    value &= (1 << (8 * t.size)) - 1
    return value - (1 << (8 * t.size)) if t.signed and value >> (8 * t.size - 1) else value


_MOST_KEPT = 100_000
_KEPT: dict[Binary, int | None] = {}
"""The values of expressions with operators. They are kept since each part of a long sum is asked about, with all that
is in it.
"""


def constant_value(expr: Expr) -> int | None:
    """The value of an integer constant expression; None when it is not one (or divides by zero)."""
    match expr:
        case IntConst(value=value):
            return value
        case Cast(operand=FloatConst(text=text), type=t) if ty.is_integer(t):
            return _truncated(text, t)
        case Cast(operand=operand, type=t) if ty.is_integer(t) and ty.is_integer(operand.type):
            return _wrapped_or_none(constant_value(operand), t)
        case Unary(op=op, operand=operand) if op in "+-~!":
            return _unary(op, constant_value(operand), expr.type)
        case Binary():
            if expr not in _KEPT:
                if len(_KEPT) > _MOST_KEPT:
                    _KEPT.clear()
                _KEPT[expr] = _binary(expr)
            return _KEPT[expr]
        case Conditional(condition=condition, then=then, other=other):
            chosen = constant_value(condition)
            return None if chosen is None else _wrapped_or_none(constant_value(then if chosen else other), expr.type)
        case _:
            return None


def value_from_declaration(t: ty.Type, init: Expr) -> int | None:
    """What a variable of this type is for ever: it is a `const` integer, and set to a constant (C11 6.7.3p6)."""
    fixed = isinstance(t, ty.Int) and t.name != "_Bool" and t.size >= ty.INT.size and t.quals == {"const"}
    return _wrapped_or_none(constant_value(init), ty.unqualified(t)) if fixed else None


def _wrapped_or_none(value: int | None, t: ty.Type) -> int | None:
    return None if value is None else wrapped(value, t)


def _truncated(text: str, t: ty.Type) -> int | None:
    try:
        value = float.fromhex(text.rstrip("fFlL")) if text[:2].lower() == "0x" else float(text.rstrip("fFlL"))
        return wrapped(int(value), t)
    except (ValueError, OverflowError):
        return None


def _unary(op: str, value: int | None, t: ty.Type) -> int | None:
    if value is None or not ty.is_integer(t):
        return None
    return wrapped({"+": value, "-": -value, "~": ~value, "!": int(value == 0)}[op], t)


def _binary(expr: Binary) -> int | None:
    left = constant_value(expr.left)
    if left is None:
        return None
    if expr.op in conversions.LOGICAL and bool(left) == (expr.op == "||"):
        return int(bool(left))
    right = constant_value(expr.right)
    if right is None or not (ty.is_integer(expr.left.type) and ty.is_integer(expr.right.type)):
        return None
    return _evaluate(expr, left, right)


def _evaluate(expr: Binary, left: int, right: int) -> int | None:
    op = expr.op
    if op in conversions.LOGICAL:
        return int(bool(right))
    if op in conversions.SHIFTS:
        if not 0 <= right < 128:
            return None
        left = wrapped(left, expr.type)
        return wrapped(left << right if op == "<<" else left >> right, expr.type)
    operand = conversions.common(conversions.promoted_value(expr.left), conversions.promoted_value(expr.right))
    left, right = wrapped(left, operand), wrapped(right, operand)
    if op in ("/", "%"):
        return _divide(op, left, right, expr.type)
    return wrapped(_OPERATORS[op](left, right), expr.type)


def _divide(op: str, left: int, right: int, t: ty.Type) -> int | None:
    """C truncates towards zero."""
    if right == 0:
        return None
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return wrapped(quotient if op == "/" else left - quotient * right, t)


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


def as_double(kind: ty.Type, value: Expr) -> FloatConst | None:
    """The `double` constant that a cast makes of a `long double` one, as in DBL_MAX; None for anything else.

    Rounding to the one and then to the other is rounding once when the number is as near to a double as here.
    """
    if kind != ty.DOUBLE or not isinstance(value, FloatConst) or value.type != ty.LONG_DOUBLE:
        return None
    try:
        exact = Fraction(value.text.rstrip("lL"))
        nearest = float(exact)
    except (ValueError, OverflowError):
        return None
    near = abs(exact - Fraction(nearest)) * 2**60 <= abs(exact)
    return FloatConst(ty.DOUBLE, value.loc, repr(nearest)) if near else None
