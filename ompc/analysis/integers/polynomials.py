"""Analysis: C integer expressions as polynomials of loop counters and of integers that a launch does not change.

isl's affine forms have no products of variables, and rows are often as long as a variable says:

    u[i * columns + j]        columns * i + j, a polynomial of the counters i, j and the invariant `columns`

An expression has a form only where no operation or conversion changes its value (integers/ranges.py).

    In: expressions, the counters and invariants.   Out: Polynomial, or None.
    Not here: what is proved of them -- must_writes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ompc.analysis.integers.ranges import Range, counter_range, keeps_value
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.omp.model import CanonicalLoop

MOST_TERMS = 32
"""The most terms of a polynomial; one with more is given up."""


@dataclass(frozen=True, slots=True)
class Length:
    """The `dimension`-th variable inner length of an array, outermost first, as the launcher is given it."""

    dimension: int


@dataclass(frozen=True, slots=True)
class CounterCopy:
    """The counter of a loop in one of two iterations that are compared: in the first or second `copy` of the loop."""

    counter: t.Symbol
    copy: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """The number that an expression is, by its text and the variables in it, where it is no polynomial: n / 2."""

    text: str
    symbols: tuple[t.Symbol, ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """`numerator` / `divisor`, a positive number: rounded down (`floored`), or towards 0, as C does."""

    numerator: Polynomial
    divisor: int
    floored: bool


Factor = t.Symbol | Length | CounterCopy | Fixed | Quotient
Monomial = tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """`terms`: (factors in order, coefficient that is not 0), in order: equal polynomials are equal."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @property
    def constant(self) -> int | None:
        """Its value, if it is a number."""
        if not self.terms:
            return 0
        ((factors, coefficient),) = self.terms[:1]
        return coefficient if len(self.terms) == 1 and not factors else None

    @property
    def factors(self) -> frozenset[Factor]:
        return frozenset(factor for factors, _ in self.terms for factor in factors)

    @property
    def leading(self) -> tuple[Monomial, int]:
        """The term with the most factors, of a polynomial that is not 0."""
        return max(self.terms, key=lambda term: _degree(term[0]))

    @property
    def degree(self) -> int:
        return max((len(factors) for factors, _ in self.terms), default=0)

    def split(self) -> tuple[Polynomial, int]:
        """The polynomial without its constant term, and that."""
        return Polynomial(tuple(term for term in self.terms if term[0])), dict(self.terms).get((), 0)

    def __add__(self, other: Polynomial) -> Polynomial:
        if not self.terms or not other.terms:
            return self if self.terms else other
        return _sum([*self.terms, *other.terms])

    def __mul__(self, other: Polynomial) -> Polynomial:
        for one, by in ((self, other.constant), (other, self.constant)):
            if by is not None:
                return Polynomial(tuple([(factors, x * by) for factors, x in one.terms])) if by else Polynomial()
        products = [(tuple(sorted((*a, *b), key=_order)), x * y) for a, x in self.terms for b, y in other.terms]
        return _sum(products)

    def __neg__(self) -> Polynomial:
        return Polynomial(tuple([(factors, -coefficient) for factors, coefficient in self.terms]))

    def with_value(self, factor: Factor, value: Polynomial) -> Polynomial:
        """The polynomial with `value` in the place of `factor`."""
        found = Polynomial()
        for factors, coefficient in self.terms:
            term = number(coefficient)
            for each in factors:
                term *= value if each == factor else variable(each)
            found += term
        return found

    def with_factors(self, others: Mapping[t.Symbol, Factor]) -> Polynomial:
        """The polynomial with other factors in the places of variables."""
        if not any(depends_on(factor, others) for factors, _ in self.terms for factor in factors):
            return self
        found: list[tuple[Monomial, int]] = []
        for factors, coefficient in self.terms:
            renamed = [_with_factors(each, others) for each in factors]
            found.append((tuple(sorted(renamed, key=_order)), coefficient))
        return _sum(found)

    def divided(self, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
        """(quotient, remainder), where no term of the remainder is a multiple of the divisor's leading one."""
        lead, by = divisor.leading
        quotient, left, rest = Polynomial(), self, Polynomial()
        while left.terms:
            factors, coefficient = left.leading
            others = _without(factors, lead)
            if others is None or coefficient % by:
                term = Polynomial(((factors, coefficient),))
                rest, left = rest + term, left + -term
            else:
                term = Polynomial(((others, coefficient // by),))
                quotient, left = quotient + term, left + -(term * divisor)
        return quotient, rest

    def range(self, of: Callable[[Factor], Range | None]) -> Range | None:
        """Numbers between which it is; `of`: those between which a factor is, which may be unknown."""
        low = high = 0
        for factors, coefficient in self.terms:
            ends = [coefficient]
            for factor in factors:
                known = of(factor)
                if known is None:
                    return None
                ends = [end * other for end in ends for other in known]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def linear_in(self, counters: Collection[t.Symbol]) -> tuple[Polynomial, dict[t.Symbol, Polynomial]] | None:
        """What has no counter, and the coefficient of each counter; None: one is multiplied by another, or itself."""
        rest: list[tuple[Monomial, int]] = []
        found: dict[t.Symbol, list[tuple[Monomial, int]]] = {}
        for factors, coefficient in self.terms:
            inside = [factor for factor in factors if isinstance(factor, t.Symbol) and factor in counters]
            if len(inside) > 1:
                return None
            others = tuple(factor for factor in factors if factor not in inside)
            (found.setdefault(inside[0], []) if inside else rest).append((others, coefficient))
        return _sum(rest), {counter: _sum(terms) for counter, terms in found.items()}


def number(value: int) -> Polynomial:
    return Polynomial((((), value),) if value else ())


def variable(factor: Factor) -> Polynomial:
    return Polynomial((((factor,), 1),))


def depends_on(factor: Factor, symbols: Collection[t.Symbol]) -> bool:
    """Is it one of these variables, or a quotient with one in its numerator?"""
    if isinstance(factor, Quotient):
        return any(depends_on(part, symbols) for part in factor.numerator.factors)
    return isinstance(factor, t.Symbol) and factor in symbols


def _with_factors(factor: Factor, others: Mapping[t.Symbol, Factor]) -> Factor:
    match factor:
        case t.Symbol():
            return others.get(factor, factor)
        case Quotient(numerator=numerator, divisor=divisor, floored=floored):
            return Quotient(numerator.with_factors(others), divisor, floored)
        case _:
            return factor


def _sum(terms: list[tuple[Monomial, int]]) -> Polynomial:
    total: dict[Monomial, int] = {}
    for factors, coefficient in terms:
        total[factors] = total.get(factors, 0) + coefficient
    kept = [(factors, coefficient) for factors, coefficient in total.items() if coefficient]
    if len(kept) > 1:
        kept.sort(key=lambda term: [_order(factor) for factor in term[0]])
    return Polynomial(tuple(kept))


def _order(factor: Factor) -> tuple[int, int, str]:
    if isinstance(factor, t.Symbol):
        return 1, factor.position, factor.name
    match factor:
        case Length(dimension=dimension):
            return 0, dimension, ""
        case Fixed(text=text, symbols=symbols):
            return 2, sum(symbol.position for symbol in symbols), text
        case CounterCopy(counter=symbol, copy=copy):
            return 4 + copy, symbol.position, symbol.name
        case Quotient(numerator=numerator, divisor=divisor, floored=floored):
            return 3, divisor, f"{floored} {[(tuple(map(_order, factors)), c) for factors, c in numerator.terms]}"


def _degree(factors: Monomial) -> tuple[int, list[tuple[int, int, str]]]:
    return len(factors), [_order(factor) for factor in factors]


def _without(factors: Monomial, taken: Monomial) -> Monomial | None:
    """The monomial divided by another one; None: it is no multiple of it."""
    left = list(factors)
    for factor in taken:
        if factor not in left:
            return None
        left.remove(factor)
    return tuple(left)


@dataclass(frozen=True, slots=True)
class Definition:
    """A variable that keeps the value of its initialiser, and the loops around its declaration."""

    init: t.Expr
    loops: frozenset[t.For]


@dataclass(frozen=True, slots=True)
class LoopBounds:
    """The iterations of a loop: what is no polynomial is no bound. `counter`: its variable, or a copy of that."""

    loop: CanonicalLoop
    counter: Factor
    lower: Polynomial | None
    upper: Polynomial | None
    range: Range


@dataclass(slots=True)
class Forms:
    """Polynomials of expressions inside loops. `counters` maps the loops' variables to their statements; `exact`: see
    keeps_value.
    """

    invariant: frozenset[t.Symbol]
    definitions: Mapping[t.Symbol, Definition]
    counters: dict[t.Symbol, t.For] = field(default_factory=dict)
    ranges: dict[t.Symbol, Range] = field(default_factory=dict)
    exact: bool = False
    kept: dict[tuple[t.Symbol, frozenset[t.For], bool], Polynomial | None] = field(default_factory=dict)
    """The polynomials of variables with definitions, by the loops around that each definition is in. They are kept
    because a definition may name others twice, and those others again.
    """

    def of(self, node: t.Expr) -> Polynomial | None:
        """`node` as a polynomial, or None."""
        constant = constant_value(node)
        if constant is not None:
            return number(constant)
        match node:
            case t.Name(symbol=symbol):
                return self._name(symbol)
            case t.Unary(op="+", operand=operand):
                return self.of(operand)
            case t.Unary(op="-", operand=operand) if isinstance(node.type, ty.Int) and node.type.signed:
                inner = self.of(operand)
                return None if inner is None else -inner
            case t.Cast(operand=operand) if ty.is_integer(node.type) and ty.is_integer(operand.type):
                return self.of(operand) if keeps_value(node, self.ranges, self.exact) else None
            case t.Binary(op="+" | "-" | "*" as op, left=left, right=right) if ty.is_integer(node.type):
                return self._arithmetic(op, left, right) if keeps_value(node, self.ranges, self.exact) else None
            case _:
                return None

    def enter(self, loop: CanonicalLoop) -> LoopBounds:
        """What follows is inside the loop."""
        lower, upper = self.of(converted(loop.lower, loop.var)), self.of(loop.upper)
        self.ranges[loop.var] = found = counter_range(loop, self.ranges)
        self.counters[loop.var] = loop.statement
        return LoopBounds(loop, loop.var, lower, upper, found)

    def _arithmetic(self, op: str, left: t.Expr, right: t.Expr) -> Polynomial | None:
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return None
        found = _OPERATIONS[op](a, b)
        return found if len(found.terms) <= MOST_TERMS else None

    def _name(self, symbol: t.Symbol) -> Polynomial | None:
        if symbol in self.counters or (symbol in self.invariant and ty.is_integer(symbol.type)):
            return variable(symbol)
        definition = self.definitions.get(symbol)
        if definition is None or not isinstance(symbol.type, ty.Int):
            return None
        counters, inside = self.counters, {s: loop for s, loop in self.counters.items() if loop in definition.loops}
        key = symbol, frozenset(inside.values()), self.exact
        if key not in self.kept:
            self.kept[key] = None  # of a variable that stands for itself, by way of others
            self.counters = inside
            self.kept[key] = self.of(converted(definition.init, symbol))
            self.counters = counters
        return self.kept[key]


def converted(value: t.Expr, to: t.Symbol) -> t.Expr:
    """What `to` is when `value` has been assigned to it."""
    kind = ty.unqualified(to.type)
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)


_OPERATIONS: Mapping[str, Callable[[Polynomial, Polynomial], Polynomial]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a + -b,
    "*": lambda a, b: a * b,
}
