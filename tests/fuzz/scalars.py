"""C's arithmetic types on the machines that CUDA runs on (LP64, signed char), and what arithmetic does to ranges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scalar:
    """An arithmetic type. `bits`: of an integer's value representation, or of a floating type's significand."""

    name: str
    bits: int
    signed: bool
    rank: int
    floating: bool = False

    @property
    def lo(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def hi(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def holds(self, lo: float, hi: float) -> bool:
        return self.floating or (self.lo <= lo and hi <= self.hi)


BOOL = Scalar("_Bool", 1, False, 0)
CHAR = Scalar("char", 8, True, 1)
SCHAR = Scalar("signed char", 8, True, 1)
UCHAR = Scalar("unsigned char", 8, False, 1)
SHORT = Scalar("short", 16, True, 2)
USHORT = Scalar("unsigned short", 16, False, 2)
INT = Scalar("int", 32, True, 3)
UINT = Scalar("unsigned", 32, False, 3)
LONG = Scalar("long", 64, True, 4)
ULONG = Scalar("unsigned long", 64, False, 4)
LLONG = Scalar("long long", 64, True, 5)
ULLONG = Scalar("unsigned long long", 64, False, 5)
SIZE = Scalar("size_t", 64, False, 4)
FLOAT = Scalar("float", 24, True, 8, floating=True)
DOUBLE = Scalar("double", 53, True, 9, floating=True)

INTEGERS = (BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG)
LITERAL_SUFFIX = {UINT: "u", LONG: "l", ULONG: "ul", LLONG: "ll", ULLONG: "ull"}

EXACT, FINE, COARSE = 0, 1, 2
"""How far a value may differ between two right answers: not at all; by rounding of doubles; by rounding of floats."""


def promoted(t: Scalar) -> Scalar:
    return INT if not t.floating and t.rank < INT.rank else t


def common(a: Scalar, b: Scalar) -> Scalar:
    """The usual arithmetic conversions (C11 6.3.1.8)."""
    if a.floating or b.floating:
        return max((t for t in (a, b) if t.floating), key=lambda t: t.rank)
    a, b = promoted(a), promoted(b)
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    return signed if signed.bits > unsigned.bits else {LONG: ULONG, LLONG: ULLONG}[signed]
