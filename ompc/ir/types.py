"""C types as frozen data, with the host compiler's sizes (x86-64 and AArch64 Linux: LP64).

Types compare by value, except structs, unions and enums, which compare by identity of their `Record`/`Enumeration`
(C: each declaration of a tag is its own type). Qualifiers are part of each type; `unqualified` drops the outermost
ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ompc.base.frozen import dataclass, field
from ompc.base.source import NOWHERE, Location

if TYPE_CHECKING:
    from ompc.ir.tree import Expr

NO_QUALIFIERS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """`quals` is a subset of {"const", "volatile", "restrict", "_Atomic"}."""

    quals: frozenset[str] = NO_QUALIFIERS


@dataclass(frozen=True, slots=True)
class Void(Type):
    pass


@dataclass(frozen=True, slots=True)
class Int(Type):
    """An integer type by its canonical C spelling, for example "unsigned long", "signed char", "_Bool".

    Plain `char` is its own type ("char"); `signed` says how the host compiler treats it. `size` in bytes.
    """

    name: str
    size: int
    signed: bool
    rank: int


@dataclass(frozen=True, slots=True)
class Float(Type):
    """ "float", "double" or "long double" (the last cannot live on the device). `size` in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Complex(Type):
    """`_Complex` of `of`: two numbers. Devices have it of `float` and `double`."""

    of: Float


@dataclass(frozen=True, slots=True)
class Pointer(Type):
    to: Type


@dataclass(frozen=True, slots=True)
class Array(Type):
    """`length` in elements: an int, None when incomplete (`int a[]`), or an expression when variable (a VLA).

    `written` is the constant expression for it where the user has names of macros there; only printers ask.
    """

    of: Type
    length: int | Expr | None
    written: Expr | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Function(Type):
    """`params` is None for an old-style declaration without prototype."""

    returns: Type
    params: tuple[Type, ...] | None
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A struct or union member; `offset` in bytes; `bits` is (bit offset in the unit, width) for a bit-field.

    `align` is what `_Alignas` says, in bytes (0: nothing).

    Anonymous struct/union members keep name None; lookup goes through them.
    """

    name: str | None
    type: Type
    offset: int
    bits: tuple[int, int] | None = None
    align: int = 0


@dataclass(eq=False, slots=True)
class Record:
    """A struct or union declaration; completed once, by sema, when its members are seen.

    `opaque` says why its layout cannot be trusted (attributes, #pragma pack); None when it can. `aligned` is what an
    attribute says of the whole, in bytes (0: nothing).
    """

    kind: str  # "struct" or "union"
    tag: str | None
    loc: Location = NOWHERE
    fields: tuple[Field, ...] | None = None
    size: int | None = None
    align: int | None = None
    opaque: str | None = None
    aligned: int = 0
    typedef_name: str | None = None  # `typedef struct {...} name`: how to spell a record without a tag


@dataclass(frozen=True, slots=True)
class Struct(Type):
    """A struct or union type: a reference to its declaration."""

    record: Record


@dataclass(eq=False, slots=True)
class Enumeration:
    tag: str | None
    loc: Location = NOWHERE
    constants: tuple[tuple[str, int], ...] = ()
    typedef_name: str | None = None


@dataclass(frozen=True, slots=True)
class Enum(Type):
    """An enum type; `underlying` is what the host compiler stores it in (unsigned unless a constant is negative)."""

    enumeration: Enumeration
    underlying: Int


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """A type that ompc cannot model (vector types, _BitInt, typeof of something opaque); `why` says which."""

    why: str


BOOL = Int("_Bool", 1, False, 0)
CHAR = Int("char", 1, True, 1)
SCHAR = Int("signed char", 1, True, 1)
UCHAR = Int("unsigned char", 1, False, 1)
SHORT = Int("short", 2, True, 2)
USHORT = Int("unsigned short", 2, False, 2)
INT = Int("int", 4, True, 3)
UINT = Int("unsigned int", 4, False, 3)
LONG = Int("long", 8, True, 4)
ULONG = Int("unsigned long", 8, False, 4)
LLONG = Int("long long", 8, True, 5)
ULLONG = Int("unsigned long long", 8, False, 5)
INT128 = Int("__int128", 16, True, 6)
UINT128 = Int("unsigned __int128", 16, False, 6)
FLOAT = Float("float", 4)
DOUBLE = Float("double", 8)
LONG_DOUBLE = Float("long double", 16)
PARTS = {of: (Field("re", of, 0), Field("im", of, of.size)) for of in (FLOAT, DOUBLE, LONG_DOUBLE)}
"""The real and the imaginary part of a complex number, as members: `__real__ z` is a Member."""
VOID = Void()
SIZE_T = ULONG
PTRDIFF_T = LONG

T = TypeVar("T", bound=Type)


def unqualified(t: T) -> T:
    """`t` without its outermost qualifiers."""
    return replace(t, quals=NO_QUALIFIERS) if t.quals else t


def qualified(t: T, quals: frozenset[str] | Sequence[str]) -> T:
    """`t` with `quals` added; for an array, C puts them on the element: callers do that."""
    return replace(t, quals=t.quals | frozenset(quals)) if quals else t


def is_integer(t: Type) -> bool:
    return isinstance(t, (Int, Enum))


def is_number(t: Type) -> bool:
    """Is it one of C's arithmetic types, complex ones included?"""
    return is_arithmetic(t) or isinstance(t, Complex)


def is_arithmetic(t: Type) -> bool:
    """One number. A complex one has two, which are also written one by one, as the members of a struct are."""
    return isinstance(t, (Int, Enum, Float))


def is_scalar(t: Type) -> bool:
    return is_arithmetic(t) or isinstance(t, Pointer)


def has_parts(t: Type) -> bool:
    """Is it a value of several others: a struct, a union or a complex number?"""
    return isinstance(t, (Struct, Complex))


def decayed(t: Type) -> Type:
    """Array-to-pointer and function-to-pointer conversion (C11 6.3.2.1)."""
    match t:
        case Array(of=of):
            return Pointer(of)
        case Function():
            return Pointer(t)
        case _:
            return t


def size_of(t: Type) -> int | None:
    """`sizeof` in bytes when it is a compile-time constant; None for variable, incomplete and unknown types."""
    match t:
        case Int(size=size) | Float(size=size):
            return size
        case Complex(of=of):
            return 2 * of.size
        case Pointer():
            return 8
        case Enum(underlying=u):
            return u.size
        case Array(of=of, length=int(n)):
            element = size_of(of)
            return None if element is None else element * n
        case Struct(record=r):
            return r.size
        case _:
            return None


def element_of(t: Type) -> Type:
    """The innermost element type of an array of any rank; `t` itself otherwise."""
    while isinstance(t, Array):
        t = t.of
    return t


def lengths_of(t: Type) -> tuple[int | Expr | None, ...]:
    """Of an array of any rank, outermost first; None: one that is left open. Nothing of what is no array."""
    lengths = []
    while isinstance(t, Array):
        lengths.append(t.length)
        t = t.of
    return tuple(lengths)


def constant_lengths(t: Type) -> tuple[int, ...] | None:
    """The same of an array whose lengths are all constant; else None."""
    lengths = lengths_of(t)
    constant = tuple(length for length in lengths if isinstance(length, int))
    return constant if len(constant) == len(lengths) else None


def is_same_object(a: Type, b: Type) -> bool:
    """Are the two types equal, qualifiers aside, and arrays of the same constant lengths?"""
    same_lengths = constant_lengths(a) is not None and constant_lengths(a) == constant_lengths(b)
    return same_lengths and unqualified(element_of(a)) == unqualified(element_of(b))


def unqualified_elements(t: Type) -> Type:
    """`t` without its outermost qualifiers, which an array has on its elements (C11 6.7.3)."""
    return Array(unqualified_elements(t.of), t.length, t.written) if isinstance(t, Array) else unqualified(t)


def has_pointers(t: Type) -> bool:
    """Is any part of an object of this type a pointer, or of a type that ompc does not know?"""
    match t:
        case Array(of=of):
            return has_pointers(of)
        case Struct(record=record):
            return record.fields is None or any(has_pointers(field.type) for field in record.fields)
        case _:
            return not is_number(t)


def is_trailing_array(record: Record, field: Field) -> bool:
    """Can objects be longer than the type by elements of this member? `T a[]`, `T a[0]`, and `T a[1]` at the end."""
    last = record.kind == "struct" and bool(record.fields) and (record.fields or ())[-1] is field
    return last and isinstance(field.type, Array) and field.type.length in (None, 0, 1)


def is_variably_modified(t: Type) -> bool:
    """Is a VLA dimension anywhere in `t` (C11 6.7.6)?"""
    match t:
        case Array(of=of, length=n):
            return (n is not None and not isinstance(n, int)) or is_variably_modified(of)
        case Pointer(to=to):
            return is_variably_modified(to)
        case _:
            return False
