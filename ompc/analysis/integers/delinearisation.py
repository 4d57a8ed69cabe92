"""Analysis: the subscripts of several dimensions that a linear one stands for.

    new[i * plane + j * columns + k]     new[i][j][k], with plane = rows * columns, 0 <= j < rows, 0 <= k < columns
    image[(i * w + j) * 3 + c]           image[i][j * 3 + c], rows of 3 * w, with 0 <= j < w, 0 <= c < 3

Two such places are equal where their difference is 0. The factors of the loops' counters are strides, each a multiple
of the one before it: 1, columns, rows * columns. The difference is a sum of a part for each stride,

    (k - k') * 1  +  (j - j') * columns  +  (i - i') * rows * columns

and it is 0 only where every part is, if each part but the last is smaller than the extent of its dimension, the next
stride over its own: -columns < k - k' < columns and -rows < j - j' < rows, whatever the two iterations are. isl proves
that, with the bounds of the loops. Where it cannot, as with rows that may overlap (`ld < columns`), nothing is said.

What is known of a part is how large it can be, and often that is a number, where all that is known of the extent is its
name: 16 columns of a matrix, whose rows have `columns`. Then the parts can be told apart where `columns` is 16 or more,
which somebody else may find out.

    In: two polynomials, the domain of the iterations.   Out: the parts, or None; the extents that they need.
    Not here: which polynomials -- polynomials.py; which iterations -- dependence.py.
    Source: Maslov, "Delinearization: an efficient way to break multiloop dependence equations" (PLDI 1992); Grosser,
    Ramanujam, Pouchet, Sadayappan, Pop, "Optimistic delinearization of parametrically sized arrays" (ICS 2015).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from ompc.analysis.integers.polynomials import Factor, Polynomial, number
from ompc.ir import tree as t

MOST_STRIDES = 6


class Domain(Protocol):
    """The iterations in which two places are compared."""

    def text(self, polynomial: Polynomial) -> str | None:
        """As isl text; None: it is not affine."""

    def is_empty(self, *constraints: str) -> bool:
        """Are there no iterations with these constraints?"""

    def is_counter(self, factor: Factor) -> bool:
        """Is it the counter of a loop?"""

    def greatest(self, text: str, *constraints: str) -> int | None:
        """The largest value of what is affine, in iterations with these constraints; None: there is no number."""


def where_equal(a: Polynomial, b: Polynomial, domain: Domain) -> list[str] | None:
    """Constraints that hold in exactly those points of the domain in which a = b; None: not known.

    What is affine with products for parameters may leave out that their factors have bounds: i * n + j = k * n + J.
    """
    difference = a + -b
    plain = domain.text(difference)
    equations = None if plain is None else [f"{plain} = 0"]
    if equations is not None and domain.is_empty(*equations):
        return equations
    for strides in _shapes(a, b, domain):
        parts = _parts(difference, strides)
        if equations is None or any(part.terms for part in parts[1:]):
            found = _where_zero(parts, strides, domain)
            if found is not None:
                return [*(equations or ()), *found]
    return equations


def wanted_extents(a: Polynomial, b: Polynomial, domain: Domain) -> dict[t.Symbol, int] | None:
    """The sizes from which on `where_equal` can tell the parts of a and b apart; None: there are none."""
    for strides in _shapes(a, b, domain):
        found = _wanted(_parts(a + -b, strides), strides, domain)
        if found:
            return found
    return None


def _wanted(parts: Sequence[Polynomial], strides: Sequence[Polynomial], domain: Domain) -> dict[t.Symbol, int] | None:
    equations: list[str] = []
    found: dict[t.Symbol, int] = {}
    for stride, following, part in zip(strides, (*strides[1:], None), parts, strict=True):
        text = domain.text(part)
        if text is None:
            return None
        if following is not None:
            ends = [domain.greatest(way, *equations) for way in (text, f"-({text})")]
            size = _times_a_size(following.divided(stride)[0])
            if size is None or None in ends:
                return None
            symbol, times = size
            largest = max(end for end in ends if end is not None)
            found[symbol] = max(found.get(symbol, 0), largest // times + 1)
        equations.append(f"{text} = 0")
    return found


def _times_a_size(extent: Polynomial) -> tuple[t.Symbol, int] | None:
    """The variable that the extent is a multiple of, and by which number."""
    match extent.terms:
        case (((t.Symbol() as symbol,), times),) if times > 0:
            return symbol, times
        case _:
            return None


def _shapes(a: Polynomial, b: Polynomial, domain: Domain) -> Iterator[tuple[Polynomial, ...]]:
    """The strides of an array of which both may be elements, at first also those of outer loops."""
    found = list[tuple[Polynomial, ...]]()
    for like in (_primitive, _positive, _first_term):
        for places in ((a, b), (a + -b,)):
            strides = _strides(places, domain, like)
            if strides not in found:
                found.append(strides)
                yield strides


def _strides(
    places: Iterable[Polynomial], domain: Domain, like: Callable[[Polynomial], Polynomial]
) -> tuple[Polynomial, ...]:
    """1, and what is `like` the coefficients of counters, as far as each is a multiple of the one before."""
    found = [c for place in places for c in _coefficients(place, domain)]
    coefficients = dict.fromkeys(map(like, found))
    chain = [number(1)]
    for stride in sorted(coefficients, key=lambda p: (p.degree, len(p.terms), abs(p.leading[1]))):
        extent, rest = stride.divided(chain[-1])
        if not rest.terms and extent.constant is None:
            chain.append(stride)
    return tuple(chain[:MOST_STRIDES])


def _coefficients(place: Polynomial, domain: Domain) -> list[Polynomial]:
    """What the counters are multiplied by, where there is one in a term, and it is no number."""
    found: dict[Factor, Polynomial] = {}
    for factors, coefficient in place.terms:
        counters = [factor for factor in factors if domain.is_counter(factor)]
        if len(counters) == 1:
            others = tuple(factor for factor in factors if factor is not counters[0])
            found[counters[0]] = found.get(counters[0], number(0)) + Polynomial(((others, coefficient),))
    return [coefficient for coefficient in found.values() if coefficient.constant is None]


def _positive(p: Polynomial) -> Polynomial:
    return -p if p.leading[1] < 0 else p


def _primitive(p: Polynomial) -> Polynomial:
    """Without the numbers that divide it."""
    divisor = math.gcd(*(coefficient for _, coefficient in p.terms))
    return _positive(Polynomial(tuple((factors, coefficient // divisor) for factors, coefficient in p.terms)))


def _first_term(p: Polynomial) -> Polynomial:
    """Of k / 16 * n + k % 16, which is k + (n - 16) * (k / 16), the stride is n."""
    return Polynomial(((p.leading[0], 1),))


def _parts(difference: Polynomial, strides: Sequence[Polynomial]) -> list[Polynomial]:
    parts: list[Polynomial] = []
    for stride in reversed(strides):
        part, difference = difference.divided(stride)
        parts.insert(0, part)
    return parts


def _where_zero(parts: Sequence[Polynomial], strides: Sequence[Polynomial], domain: Domain) -> list[str] | None:
    """Where all parts are 0, if the sum is 0 nowhere else; None: that is not known."""
    equations: list[str] = []
    for stride, following, part in zip(strides, (*strides[1:], None), parts, strict=True):
        text = domain.text(part)
        if text is None:
            return None
        if following is not None:
            extent = domain.text(following.divided(stride)[0])
            beyond = f"({text} >= {extent} or {text} <= -({extent}))"
            if extent is None or not domain.is_empty(*equations, beyond):
                return None
        equations.append(f"{text} = 0")
    return equations
