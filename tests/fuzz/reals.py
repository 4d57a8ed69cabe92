"""Random floating-point expressions, of which it is known how far right answers may differ.

An EXACT value is a multiple of 2^-grain, small enough that every sum and product is exact: it is the same with and
without fused multiply-add, in any order of summation, so it may decide comparisons and become an integer. Others (FINE,
COARSE) are stored and printed only.

In: a source of random numbers, a Scope.   Out: Expr.
"""

from __future__ import annotations

from dataclasses import replace

from .expressions import Integers, parenthesised
from .scalars import COARSE, DOUBLE, EXACT, FINE, FLOAT, INT, Scalar, common
from .tree import Expr, literally

LIMIT = {EXACT: 2.0**20, FINE: 1e4, COARSE: 100.0}
"""Magnitudes stay below, so that rounding errors stay far below the tolerance."""
SMOOTH = ("sin", "cos", "atan", "tanh", "cbrt", "fabs")
ROUNDING = ("floor", "ceil", "trunc", "round", "fabs")


def rounding(t: Scalar) -> int:
    return COARSE if t is FLOAT else FINE


class Reals(Integers):
    """Makes expressions of either kind."""

    def real_literal(self) -> Expr:
        value = self.rng.choice([0.0, 0.5, 1.0, 1.5, 2.0, 0.25, 3.0, 10.0, -1.0, -2.5])
        single = self.rng.random() < 0.3
        text = f"{value}f" if single else str(value) if self.rng.random() < 0.7 else f"{value:e}"
        text = f"({text})" if value < 0 else text
        return replace(literally(text, FLOAT if single else DOUBLE, value), grain=2)

    def real(self, quality: int, depth: int = 2) -> Expr:
        """A floating expression that is at least as good as `quality`, its magnitude within LIMIT."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.real_atom(quality)
        makers = [self.real_arithmetic] * 6 + [self.real_function] * 2 + [self.real_conditional, self.real_division]
        makers += [self.real_call, self.real_cast]
        e = self.rng.choice(makers)(quality, depth - 1)
        return e if max(abs(e.lo), abs(e.hi)) <= LIMIT[e.quality] else self.reduced(e, quality)

    def real_atom(self, quality: int) -> Expr:
        choice = self.rng.random()
        arrays = [a for a in self.scope.arrays if a.elem.floating and a.quality <= quality and a.size]
        if choice < 0.6 and arrays:
            return self.read(self.rng.choice(arrays))
        known = [s for s in self.scope.scalars if s.type.floating and s.quality <= quality]
        if choice < 0.8 and known:
            return self.rng.choice(known)
        if choice < 0.9:
            return self.from_integer(self.integer(0))
        return self.real_literal()

    def from_integer(self, e: Expr, t: Scalar | None = None) -> Expr:
        t = t or self.rng.choice([FLOAT, DOUBLE, DOUBLE])
        e = self.narrow(e)
        return Expr((f"({t.name})", parenthesised(e)), t, float(e.lo), float(e.hi))

    def reduced(self, e: Expr, quality: int) -> Expr:
        """Something of the same type near zero."""
        if e.quality == EXACT and quality == EXACT:
            return Expr(("fmod(", e, ", 64.0)"), DOUBLE, -64.0, 64.0, e.grain)
        return self.inexact(
            DOUBLE if e.type is DOUBLE else FLOAT,
            e,
            -1.0,
            1.0,
            ("(float)tanh(" if e.type is FLOAT else "tanh(", e, ")"),
        )

    def inexact(self, t: Scalar, worst: Expr, lo: float, hi: float, pieces: tuple[str | Expr, ...]) -> Expr:
        return Expr(pieces, t, lo, hi, 0, max(worst.quality, rounding(t)))

    def real_arithmetic(self, quality: int, depth: int) -> Expr:
        a = self.real(quality, depth)
        b = self.real(quality, depth) if self.rng.random() < 0.75 else self.narrow(self.integer(depth))
        if self.rng.random() < 0.5:
            a, b = b, a
        op, t = self.rng.choice("++-*"), common(a.type, b.type)
        products = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
        ends = {"+": (a.lo + b.lo, a.hi + b.hi), "-": (a.lo - b.hi, a.hi - b.lo), "*": (min(products), max(products))}
        lo, hi = map(float, ends[op])
        grain = a.grain + b.grain if op == "*" else max(a.grain, b.grain)
        worst = max(a.quality, b.quality)
        largest = max(abs(lo), abs(hi), *(abs(float(x)) for x in (a.lo, a.hi, b.lo, b.hi)))
        if worst != EXACT or largest * 2**grain >= 2.0**t.bits or grain > 12:
            worst = max(worst, rounding(t))
        if worst > quality:
            return a if a.type.floating else b
        return Expr(("(", a, f" {op} ", b, ")"), t, lo, hi, grain, worst)

    def real_division(self, quality: int, depth: int) -> Expr:
        a = self.real(quality, depth)
        if quality == EXACT:
            divisor, power = self.rng.choice([("2", 1), ("4.0", 2), ("2.0f", 1)])
            if a.grain > 8:
                return a
            t = a.type if divisor != "4.0" else DOUBLE
            return Expr(("(", a, f" / {divisor})"), t, a.lo / 2**power, a.hi / 2**power, a.grain + power)
        b = self.real(quality, depth)
        t = common(a.type, DOUBLE)
        if quality < rounding(t):
            return a
        largest = max(abs(a.lo), abs(a.hi))
        worst = max(a.quality, b.quality, rounding(t))
        return Expr(("(", a, " / (1.5 + fabs(", b, ")))"), t, -largest, largest, 0, worst)

    def real_function(self, quality: int, depth: int) -> Expr:
        a = self.real(quality, depth)
        if a.quality == EXACT and self.rng.random() < 0.4:
            return self._exact_function(a, quality, depth)
        t = DOUBLE if self.rng.random() < 0.7 or quality < COARSE else FLOAT
        if quality < rounding(t):
            return a
        largest = max(abs(a.lo), abs(a.hi), 1.0)
        f = "f" if t is FLOAT else ""
        choice = self.rng.randrange(9)
        if choice == 0:
            return self.inexact(t, a, 0.0, largest, (f"sqrt{f}(fabs{f}(", a, "))"))
        if choice == 1:
            return self.inexact(t, a, 0.0, 1.0, (f"exp{f}(-fabs{f}(", a, "))"))
        if choice == 2:
            return self.inexact(t, a, 0.0, largest, (f"log{f}(1 + fabs{f}(", a, "))"))
        if choice == 3:
            b = self.real(quality, depth)
            worst = a if a.quality >= b.quality else b
            reach = max(largest, abs(b.lo), abs(b.hi))
            name, low, high = self.rng.choice(
                [("fmin", -reach, reach), ("fmax", -reach, reach), ("hypot", 0, 2 * reach)]
            )
            return self.inexact(t, worst, float(low), float(high), (f"{name}{f}(", a, ", ", b, ")"))
        if choice == 4 and largest <= 30:
            return self.inexact(t, a, 0.0, largest**2, (f"pow{f}(", a, ", 2)"))
        if choice == 5:
            one = self.rng.choice([f"1{f and '.f'}", "1"])
            return self.inexact(t, a, 0.0, 1.5, (f"({one} / sqrt{f}(0.5 + fabs{f}(", a, ")))"))
        name = self.rng.choice(SMOOTH)
        reach = largest if name in ("cbrt", "fabs") else 2.0
        return self.inexact(t, a, -reach, reach, (f"{name}{f}(", a, ")"))

    def _exact_function(self, a: Expr, quality: int, depth: int) -> Expr:
        t = DOUBLE if a.type is DOUBLE or self.rng.random() < 0.5 else FLOAT
        f = "f" if t is FLOAT else ""
        if self.rng.random() < 0.6:
            name = self.rng.choice(ROUNDING)
            low = 0.0 if name == "fabs" else a.lo - 1
            high = max(abs(a.lo), abs(a.hi)) + 1 if name == "fabs" else a.hi + 1
            return Expr((f"{name}{f}(", a, ")"), t, low, high, a.grain if name == "fabs" else 0)
        b = self.real(EXACT, depth)
        t = DOUBLE if b.type is DOUBLE else t
        f = "f" if t is FLOAT else ""
        name = self.rng.choice(["fmin", "fmax"])
        grain = max(a.grain, b.grain)
        return Expr((f"{name}{f}(", a, ", ", b, ")"), t, min(a.lo, b.lo), max(a.hi, b.hi), grain)

    def real_conditional(self, quality: int, depth: int) -> Expr:
        a, b = self.real(quality, depth), self.real(quality, depth)
        t, worst, grain = common(a.type, b.type), max(a.quality, b.quality), max(a.grain, b.grain)
        pieces = ("(", self.condition(depth), " ? ", a, " : ", b, ")")
        return Expr(pieces, t, min(a.lo, b.lo), max(a.hi, b.hi), grain, worst)

    def real_call(self, quality: int, depth: int) -> Expr:
        known = [
            f
            for f in self.scope.functions + self.scope.macros
            if f.result.type.floating and f.result.quality <= quality
        ]
        return self.call_of(self.rng.choice(known), depth) if known else self.real_atom(quality)

    def real_cast(self, quality: int, depth: int) -> Expr:
        a = self.real(quality, depth)
        if a.quality == EXACT:
            small = max(abs(a.lo), abs(a.hi)) * 2**a.grain < 2**24
            t = FLOAT if small and self.rng.random() < 0.5 else DOUBLE
            return Expr((f"({t.name})", parenthesised(a)), t, a.lo, a.hi, a.grain)
        t = DOUBLE if quality < COARSE or self.rng.random() < 0.5 else FLOAT
        return Expr((f"({t.name})", parenthesised(a)), t, a.lo, a.hi, 0, max(a.quality, rounding(t)))

    def condition(self, depth: int) -> Expr:
        if self.rng.random() < 0.7:
            return self.comparison(depth)
        op = self.rng.choice(["<", ">", "<=", ">=", "==", "!="])
        a, b = self.real(EXACT, depth), self.rng.choice([self.real(EXACT, depth), self.integer(depth)])
        return Expr(("(", a, f" {op} ", b, ")"), INT, 0, 1)

    def atom(self) -> Expr:
        """Sometimes an integer made of an exact floating value."""
        if self.rng.random() > 0.07:
            return super().atom()
        e = self.real(EXACT, 0)
        return Expr(("(int)", parenthesised(e)), INT, int(e.lo) - 1, int(e.hi) + 1)

    def value(self, place: Expr, depth: int) -> Expr:
        """A value for `place` that keeps its range, its grain and its quality."""
        if not place.type.floating:
            return super().value(place, depth)
        e = self.real(place.quality, depth) if self.rng.random() < 0.85 else self.narrow(self.integer(depth))
        if place.quality == EXACT:
            if place.lo <= e.lo and e.hi <= place.hi and e.grain <= place.grain:
                return e
            e = self.integer(depth)
            return self.into(e, int(place.lo), int(place.hi))
        largest = max(abs(e.lo), abs(e.hi))
        if place.lo <= e.lo and e.hi <= place.hi:
            return e
        factor = 2.0 ** -int(largest / place.hi).bit_length()
        return Expr(("(", e, f" * {factor})"), common(e.type, DOUBLE), e.lo * factor, e.hi * factor, 0, place.quality)
