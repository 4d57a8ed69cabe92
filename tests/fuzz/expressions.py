"""Random integer expressions whose value is known to lie in a range, so that nothing overflows or leaves an array.

Where a range would leave its type, operands are narrowed first: `(x % 97)`, `(x & 63)`, `(unsigned char)x`. Unsigned
arithmetic wraps freely. Divisors are guarded, shift counts masked, subscripts brought into the array.

In: a source of random numbers, a Scope.   Out: Expr.
Not here: floating point (reals.py).
"""

from __future__ import annotations

import random

from . import scalars
from .objects import Array, Function, Scope
from .scalars import BOOL, INT, LITERAL_SUFFIX, UINT, Scalar, common, promoted
from .tree import Expr, literally

CASTS = (scalars.CHAR, scalars.UCHAR, scalars.SHORT, scalars.USHORT, INT, UINT, scalars.LONG, scalars.ULONG)
CHARACTERS = ("'a'", 97), ("'Z'", 90), ("'\\n'", 10), ("'0'", 48), ("'\\x7f'", 127), ("'\\\\'", 92), ("'\\377'", -1)


def converted(e: Expr, t: Scalar) -> tuple[int, int]:
    """The range of the integer `e` as a value of the integer type `t`."""
    if t is BOOL:
        return (0, 1)
    return (int(e.lo), int(e.hi)) if t.holds(e.lo, e.hi) else (t.lo, t.hi)


class Integers:
    """Makes integer expressions. The class that adds floating point sits on top of it."""

    def __init__(self, rng: random.Random, scope: Scope) -> None:
        self.rng = rng
        self.scope = scope
        self._nesting = 0

    def literal(self) -> Expr:
        rng = self.rng
        if rng.random() < 0.12:
            text, value = rng.choice(CHARACTERS)
            return literally(text, INT, value)
        value = rng.choice([0, 1, 2, 3, 5, 7, 8, 13, 31, 100, 127, 255, 1000, rng.randrange(70000)])
        t = rng.choice([INT] * 12 + list(LITERAL_SUFFIX))
        text = hex(value) if rng.random() < 0.15 else str(value)
        if rng.random() < 0.2 and t.signed:
            return literally(f"(-{text}{LITERAL_SUFFIX.get(t, '')})", t, -value)
        return literally(text + LITERAL_SUFFIX.get(t, ""), t, value)

    def integer(self, depth: int = 2) -> Expr:
        """An integer expression, at most about `depth` operators deep."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.atom()
        makers = [self.arithmetic] * 8 + [self.bitwise] * 3 + [self.shift, self.division, self.comparison, self.unary]
        makers += [self.cast, self.conditional, self.logical, self.call, self.call, self.comma]
        return self.rng.choice(makers)(depth - 1)

    def atom(self) -> Expr:
        scope, rng = self.scope, self.rng
        choice = rng.random()
        if choice < 0.3 and scope.counters:
            return rng.choice(scope.counters)
        if choice < 0.65 and (whole := [a for a in scope.arrays if not a.elem.floating and a.size]):
            return self.read(rng.choice(whole))
        if choice < 0.9 and (exact := [s for s in scope.scalars if not s.type.floating]):
            return rng.choice(exact)
        return self.literal()

    def read(self, a: Array) -> Expr:
        return a.at(*(self.subscript(extent) for extent in a.dims))

    def subscript(self, extent: int) -> Expr:
        """Any value in 0..extent-1."""
        choice = self.rng.random()
        if choice < 0.7 and (affine := self.affine(extent)) is not None:
            return affine
        if choice > 0.92 or self._nesting >= 2:
            return literally(str(value := self.rng.randrange(extent)), INT, value)
        self._nesting += 1
        usable = [p for p in self.scope.permutations if 0 < p.size <= extent]
        if choice < 0.85 and usable:
            p = self.rng.choice(usable)
            found = p.at(self.subscript(p.size))
        else:
            found = self.into(self.integer(1), 0, extent - 1)
        self._nesting -= 1
        return found

    def affine(self, extent: int, counters: list[Expr] | None = None) -> Expr | None:
        """An affine function of one counter with values in 0..extent-1, different ones for different counter values."""
        rng = self.rng
        usable = [v for v in (self.scope.counters if counters is None else counters) if v.hi - v.lo < extent]
        if not usable:
            return None
        v = rng.choice(usable)
        span = int(v.hi - v.lo)
        factor = rng.choice([f for f in (1, 1, 1, 1, -1, 2, 3, -2) if abs(f) * span < extent])
        low = factor * int(v.lo) if factor > 0 else factor * int(v.hi)
        offset = rng.choice([-low, extent - 1 - abs(factor) * span - low, 0])
        if not (low + offset >= 0 and low + offset + abs(factor) * span < extent):
            offset = -low
        product = v if abs(factor) == 1 else Expr((f"{abs(factor)} * ", v), promoted(v.type), 0, 0)
        if factor < 0:
            pieces: tuple[str | Expr, ...] = (f"{offset} - ", product)
        else:
            pieces = (product, f" + {offset}" if offset > 0 else f" - {-offset}" if offset < 0 else "")
        low += offset
        return Expr(pieces, promoted(v.type), low, low + abs(factor) * span)

    def narrow(self, e: Expr) -> Expr:
        """The same value folded into about -1000..1000."""
        if e.lo >= -1000 and e.hi <= 1000:
            return e
        choice = self.rng.randrange(4)
        if choice == 0:
            t = self.rng.choice([scalars.CHAR, scalars.UCHAR])
            return Expr((f"({t.name})", parenthesised(e)), t, *converted(e, t))
        if choice == 1:
            mask = self.rng.choice([7, 63, 255, 1023])
            return self._typed(common(e.type, INT), 0, mask, "(", e, f" & {mask})")
        modulus = self.rng.choice([2, 10, 97, 1000])
        low = 0 if e.lo >= 0 or not common(e.type, INT).signed else 1 - modulus
        return self._typed(common(e.type, INT), low, modulus - 1, "(", e, f" % {modulus})")

    def into(self, e: Expr, lo: int, hi: int) -> Expr:
        """The value folded into lo..hi, of any integer type."""
        if lo <= e.lo and e.hi <= hi:
            return e
        width = hi - lo + 1
        if lo > 0 or hi < 0:
            inner = self.into(e, 0, width - 1)
            return self._typed(common(inner.type, INT), lo, hi, "(", inner, f" + {lo})")
        t = common(e.type, INT)
        if lo < 0 and t.signed:
            return self._typed(t, max(lo, -hi), hi, "(", e, f" % {min(-lo, hi) + 1})")
        if hi & (hi + 1) == 0 and self.rng.random() < 0.5:
            return self._typed(t, 0, hi, "(", e, f" & {hi})")
        if t.signed and hi < 1 << 30 and self.rng.random() < 0.3:
            return self._typed(t, 0, hi, "((", e, f" % {hi + 1} + {hi + 1}) % {hi + 1})")
        unsigned = {3: UINT, 4: scalars.ULONG, 5: scalars.ULLONG}[t.rank]
        return self._typed(unsigned, 0, hi, f"(({unsigned.name})", parenthesised(e), f" % {hi + 1})")

    def _typed(self, t: Scalar, lo: float, hi: float, *pieces: str | Expr) -> Expr:
        return Expr(pieces, t, lo, hi)

    def arithmetic(self, depth: int) -> Expr:
        a, b, op = self.integer(depth), self.integer(depth), self.rng.choice("++-*")
        t = common(a.type, b.type)
        for _ in range(2):
            (al, ah), (bl, bh) = converted(a, t), converted(b, t)
            ends = {
                "+": (al + bl, ah + bh),
                "-": (al - bh, ah - bl),
                "*": (min(al * bl, al * bh, ah * bl, ah * bh), max(al * bl, al * bh, ah * bl, ah * bh)),
            }[op]
            if t.holds(*ends):
                return self._typed(t, *ends, "(", a, f" {op} ", b, ")")
            if not t.signed:
                return self._typed(t, t.lo, t.hi, "(", a, f" {op} ", b, ")")
            a, b = self.narrow(a), self.narrow(b)
            t = common(a.type, b.type)
        return a

    def bitwise(self, depth: int) -> Expr:
        a, b, op = self.integer(depth), self.integer(depth), self.rng.choice("&|^")
        t = common(a.type, b.type)
        (al, ah), (bl, bh) = converted(a, t), converted(b, t)
        if not t.signed:
            return self._typed(t, 0, min(ah, bh) if op == "&" else t.hi, "(", a, f" {op} ", b, ")")
        bits = max(end.bit_length() for end in (al, ah, bl, bh))
        low = 0 if (al >= 0 and bl >= 0) or (op == "&" and (al >= 0 or bl >= 0)) else -(1 << bits)
        return self._typed(t, max(low, t.lo), min((1 << bits) - 1, t.hi), "(", a, f" {op} ", b, ")")

    def shift(self, depth: int) -> Expr:
        a, b = self.integer(depth), self.integer(depth)
        t = promoted(a.type)
        mask = self.rng.choice([3, 7, 15])
        if self.rng.random() < 0.5:
            return self._typed(t, min(a.lo, 0), max(a.hi, -1), "(", a, " >> (", b, f" & {mask}))")
        if t.signed:
            a = self.into(a, 0, 255)
            t = promoted(a.type)
        high = int(a.hi) << mask
        return self._typed(t, 0, high if high <= t.hi else t.hi, "(", a, " << (", b, f" & {mask}))")

    def division(self, depth: int) -> Expr:
        a, b = self.integer(depth), self.integer(depth)
        mask = self.rng.choice([1, 3, 7, 31])
        divisor = self._typed(common(b.type, INT), 1, mask + 1, "((", b, f" & {mask}) + 1)")
        t = common(a.type, divisor.type)
        low, high = converted(a, t)
        if self.rng.random() < 0.5:
            return self._typed(t, min(low, 0), max(high, 0), "(", a, " / ", divisor, ")")
        return self._typed(t, -mask if low < 0 else 0, mask, "(", a, " % ", divisor, ")")

    def comparison(self, depth: int) -> Expr:
        op = self.rng.choice(["<", ">", "<=", ">=", "==", "!="])
        return self._typed(INT, 0, 1, "(", self.integer(depth), f" {op} ", self.integer(depth), ")")

    condition = comparison

    def unary(self, depth: int) -> Expr:
        e, op = self.integer(depth), self.rng.choice("-~!")
        if op == "!":
            return self._typed(INT, 0, 1, "!", parenthesised(e))
        t = promoted(e.type)
        if not t.signed:
            return self._typed(t, t.lo, t.hi, f"({op}", parenthesised(e), ")")
        if op == "-" and e.lo == t.lo:
            e = self.narrow(e)
            t = promoted(e.type)
            if not t.signed:
                return e
        shift = 1 if op == "~" else 0
        return self._typed(t, -e.hi - shift, -e.lo - shift, f"({op}", parenthesised(e), ")")

    def cast(self, depth: int) -> Expr:
        e, t = self.integer(depth), self.rng.choice(CASTS)
        return self._typed(t, *converted(e, t), f"({t.name})", parenthesised(e))

    def conditional(self, depth: int) -> Expr:
        a, b = self.integer(depth), self.integer(depth)
        t = common(a.type, b.type)
        (al, ah), (bl, bh) = converted(a, t), converted(b, t)
        return self._typed(t, min(al, bl), max(ah, bh), "(", self.condition(depth), " ? ", a, " : ", b, ")")

    def logical(self, depth: int) -> Expr:
        op = self.rng.choice(["&&", "||"])
        return self._typed(INT, 0, 1, "(", self.condition(depth), f" {op} ", self.condition(depth), ")")

    def comma(self, depth: int) -> Expr:
        e = self.integer(depth)
        return self._typed(promoted(e.type), e.lo, e.hi, "((void)", self.atom(), ", ", e, " + 0)")

    def call(self, depth: int) -> Expr:
        known = [f for f in self.scope.functions + self.scope.macros if not f.result.type.floating]
        return self.call_of(self.rng.choice(known), depth) if known else self.arithmetic(depth)

    def call_of(self, f: Function, depth: int) -> Expr:
        pieces: list[str | Expr] = [f"{f.name}("]
        for number, parameter in enumerate(f.parameters):
            pieces += [", " if number else "", self.value(parameter, depth)]
        r = f.result
        return Expr((*pieces, ")"), r.type, r.lo, r.hi, r.grain, r.quality)

    def value(self, place: Expr, depth: int) -> Expr:
        """A value that can be stored in `place` and stays in its range. Narrow integer types wrap as gcc has it."""
        e = self.integer(depth)
        if place.type is BOOL or (place.lo, place.hi) == (place.type.lo, place.type.hi):
            return e
        return self.into(e, int(place.lo), int(place.hi))


def parenthesised(e: Expr) -> Expr:
    first = e.pieces[0] if e.pieces else ""
    if isinstance(first, str) and first.startswith("(") and len(e.pieces) > 1 and e.pieces[-1] == ")":
        return e
    return Expr(("(", e, ")"), e.type, e.lo, e.hi, e.grain, e.quality)
