"""Analysis: integers in the iterations of a loop nest: polynomials, quotients by numbers, conditions.

    for (j = 1 + (i + c) % 2; j < m; j += 2)        1 + (i + c) - 2 * q, where q is (i + c) / 2, rounded towards 0
        if (j > k && x[j] > 0)                      j - k - 1 >= 0, and something that is not known

What is no polynomial, but integer arithmetic on counters and invariants alone, is some number: u[n / m + j] is F + j.

An address may be reckoned modulo 2^64, and is the same. A numerator or a condition is not: there the forms are `exact`,
and a counter of 64 bits without a sign is known only where its loop's bounds are.

A bound that is one of two numbers, as in `for (j = 0; j < (k < n ? k : n); j++)`, is a condition on the counter:
k < n and j < k, or k >= n and j < n.

    In: expressions, the loops around them.   Out: Polynomial, Bounds, Condition; None: not known.
    Not here: in which iterations an access happens -- access_relation.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.integers.equality import same
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.integers.polynomials import (
    Factor,
    Fixed,
    Forms,
    LoopBounds,
    Polynomial,
    Quotient,
    converted,
    number,
    variable,
)
from ompc.analysis.integers.ranges import Range, is_widest, may_pass_by, range_of_type
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import common, promoted_value
from ompc.ir.exits import ends_early
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_LARGEST_SHIFT = 30


@dataclass(frozen=True, slots=True)
class Comparison:
    """`difference` `relation` 0, one of >= = !=; a difference that is not known says nothing."""

    difference: Polynomial | None
    relation: str

    @property
    def factors(self) -> frozenset[Factor]:
        return frozenset() if self.difference is None else self.difference.factors

    def renamed(self, copies: Mapping[t.Symbol, Factor]) -> Condition:
        return Comparison(renamed(self.difference, copies), self.relation)


@dataclass(frozen=True, slots=True)
class Junction:
    """All of the `parts`, or (`word`: "or") one of them."""

    word: str
    parts: tuple[Condition, ...]

    @property
    def factors(self) -> frozenset[Factor]:
        return frozenset(factor for part in self.parts for factor in part.factors)

    def renamed(self, copies: Mapping[t.Symbol, Factor]) -> Condition:
        return Junction(self.word, tuple(part.renamed(copies) for part in self.parts))


Choice = t.Conditional | t.Binary
"""Something that is one of several numbers, by a condition (alternatives.py)."""

Condition = Comparison | Junction
_ANYTHING = Comparison(None, ">=")

MOST_CHOICES = 2
"""The most conditionals in a bound that is one of several numbers. Those of several loops, and of two accesses, are
multiplied out: of tiles whose bounds are minima of minima there would be thousands of cases.
"""


@dataclass(frozen=True, slots=True)
class Bounds(LoopBounds):
    """`first`, `last`: what bounds that are one of several numbers say of the counter; None: they are not, or it is not
    known.
    """

    first: Condition | None = None
    last: Condition | None = None

    @property
    def factors(self) -> frozenset[Factor]:
        """What the iterations depend on."""
        parts = (self.lower, self.upper, self.first, self.last)
        return frozenset(factor for part in parts if part is not None for factor in part.factors)


def renamed(polynomial: Polynomial | None, copies: Mapping[t.Symbol, Factor]) -> Polynomial | None:
    """The polynomial with `copies` of counters; None where it has a number of which no more is known than its text."""
    if polynomial is None or any(_is_lost(factor, copies) for factor in polynomial.factors):
        return None
    return polynomial.with_factors(copies)


def with_renamed_bounds(bounds: Bounds, copies: Mapping[t.Symbol, Factor]) -> Bounds:
    """The iterations of a loop, of which some are copies."""
    lower, upper = renamed(bounds.lower, copies), renamed(bounds.upper, copies)
    first, last = (None if held is None else held.renamed(copies) for held in (bounds.first, bounds.last))
    counter = copies.get(bounds.loop.var, bounds.counter)
    return replace(bounds, counter=counter, lower=lower, upper=upper, first=first, last=last)


def _is_lost(factor: Factor, copies: Mapping[t.Symbol, Factor]) -> bool:
    if isinstance(factor, Quotient):
        return any(_is_lost(part, copies) for part in factor.numerator.factors)
    return isinstance(factor, Fixed) and any(symbol in copies for symbol in factor.symbols)


@dataclass(slots=True)
class DomainForms(Forms):
    """Forms inside the loops that were entered.

    `wraps`    some arithmetic was of 64 bits without a sign, where values are equal if they are 2^64 apart
    `inexact`  counters that may be 2^64 more than what their loops' bounds say
    `chosen`   the alternatives that choices are taken to be
    """

    wraps: bool = False
    inexact: set[t.Symbol] = field(default_factory=set)
    chosen: Mapping[Choice, int] = field(default_factory=dict)

    def choose(self, chosen: Mapping[Choice, int]) -> None:
        """From here on choices are these."""
        self.chosen, self.kept = chosen, {}

    def of(self, node: t.Expr) -> Polynomial | None:
        self.wraps |= not self.exact and _may_wrap(node)
        if isinstance(node, (t.Conditional, t.Binary)) and node in self.chosen:
            return self._alternative(node, self.chosen[node])
        found = Forms.of(self, node)
        if found is None and ty.is_integer(node.type):
            found = self._quotient(node)
            if found is None and self._is_some_number(node):
                names = tuple(part.symbol for part in walk(node) if isinstance(part, t.Name))
                return variable(Fixed(c_expr(node), names))
        return found

    def _alternative(self, node: Choice, way: int) -> Polynomial | None:
        if isinstance(node, t.Conditional):
            branch = node.other if way else node.then
            return self.of(branch if branch.type == node.type else t.Cast(node.type, branch.loc, branch))
        left, right = self.exactly(node.left), self.exactly(node.right)
        if left is None or right is None or way > 1:
            return None
        return left + -right if way else left

    def _is_some_number(self, node: t.Expr) -> bool:
        """Has it one value in an iteration, whatever that is?"""
        return Invariance(self._is_fixed).holds(node)

    def _is_fixed(self, symbol: t.Symbol) -> bool:
        return symbol in self.counters or symbol in self.invariant

    def _name(self, symbol: t.Symbol) -> Polynomial | None:
        return None if self.exact and symbol in self.inexact else Forms._name(self, symbol)

    def exactly(self, node: t.Expr) -> Polynomial | None:
        """The value of `node`, in which no number stands for another one."""
        before, self.exact = self.exact, True
        found = self.of(node)
        self.exact = before
        return found

    # ------------------------------------------------------------------- loops

    def enter(self, loop: CanonicalLoop) -> Bounds:
        lower, upper = self.exactly(converted(loop.lower, loop.var)), self.exactly(loop.upper)
        entered = Forms.enter(self, loop)
        found = Bounds(entered.loop, entered.counter, entered.lower, entered.upper, entered.range)
        unknown = is_widest(loop.var.type) and (found.lower is None or found.upper is None or loop.relation == "!=")
        if unknown or (lower, upper) != (found.lower, found.upper):
            self.inexact.add(loop.var)
        if loop.constant_step is None or may_pass_by(loop) or (self.wraps and ends_early(loop.body)):
            return replace(found, lower=None, upper=None)  # nobody waits for 2^63 iterations of another one
        first, last = self._one_of(loop, "<=" if loop.down else ">=", loop.lower), self._last(loop)
        return found if first is last is None else replace(found, first=first, last=last)

    def _last(self, loop: CanonicalLoop) -> Condition | None:
        return None if loop.relation == "!=" else self._one_of(loop, loop.relation, loop.upper)

    def _one_of(self, loop: CanonicalLoop, relation: str, bound: t.Expr) -> Condition | None:
        """The counter's relation to a bound that is one of several numbers, as far as those are known."""
        if not isinstance(bound, t.Conditional) or is_widest(loop.var.type):
            return None
        if sum(isinstance(node, t.Conditional) for node in walk(bound)) > MOST_CHOICES:
            return None
        found: list[Condition] = []
        for branch, holds in ((bound.then, True), (bound.other, False)):
            counter = t.Name(loop.var.type, bound.loc, loop.var)
            inside = self._one_of(loop, relation, branch)
            if inside is None and not isinstance(branch, t.Conditional):
                before = _last_below(bound.condition, branch) if holds and relation == ">=" else None
                numbers = (relation, counter, branch) if before is None else (">", counter, before)
                inside = self._comparison(*numbers)
            asked = self.condition(bound.condition, holds)
            if inside is None or asked is None:
                return None
            found.append(Junction("and", (asked, inside)))
        return Junction("or", tuple(found))

    # ------------------------------------------------------- quotients, conditions

    def _quotient(self, node: t.Expr) -> Polynomial | None:
        """Of a division by a number, a remainder, a shift to the right, or the last bits."""
        match node:
            case t.Binary(op="/" | "%" | ">>" | "&" as op, left=left, right=right):
                block = _rounded_down_to(constant_value(right), node.type) if op == "&" else None
                by = block or _divisor(op, constant_value(right))
                numerator = None if by is None else self._number_in(left, node.type)
            case _:
                return None
        if by is None or numerator is None:
            return None
        floored = op in (">>", "&") or self._range(numerator, left.type)[0] >= 0
        quotient = variable(Quotient(numerator, by, floored))
        if op in ("/", ">>"):
            return quotient
        return quotient * number(by) if block else numerator + -(quotient * number(by))

    def _number_in(self, node: t.Expr, kind: ty.Type) -> Polynomial | None:
        """The value of `node`, if a conversion to an integer type keeps it."""
        value = self.exactly(node) if ty.is_integer(node.type) else None
        return value if value is not None and _fits(self._range(value, node.type), kind) else None

    def _range(self, value: Polynomial, kind: ty.Type) -> Range:
        """Of an exact value of this type."""
        (least, greatest), found = range_of_type(kind), value.range(self._range_of)
        return (least, greatest) if found is None else (max(least, found[0]), min(greatest, found[1]))

    def _range_of(self, factor: Factor) -> Range:
        if isinstance(factor, t.Symbol):
            return self.ranges.get(factor, range_of_type(factor.type))
        ends = factor.numerator.range(self._range_of) if isinstance(factor, Quotient) else None
        if ends is None or not isinstance(factor, Quotient):
            return range_of_type(ty.VOID)
        least, greatest = (end // factor.divisor for end in ends)
        return least, greatest + (not factor.floored and greatest < 0)  # towards 0: at most one more

    def condition(self, node: t.Expr, holds: bool = True) -> Condition | None:
        """What is so where `node` is true, or where it is not; None: nothing is known."""
        match node:
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                both = (op == "&&") == holds
                found = (self.condition(left, holds), self.condition(right, holds))
                if found == (None, None) or (None in found and not both):
                    return None
                return Junction("and" if both else "or", tuple(part or _ANYTHING for part in found))
            case t.Unary(op="!", operand=operand):
                return self.condition(operand, not holds)
            case t.Binary(op=op, left=left, right=right) if op in _NEGATED:
                return self._comparison(op if holds else _NEGATED[op], left, right)
            case _:
                value = self._number_in(node, node.type)
                return None if value is None else Comparison(value, "!=" if holds else "=")

    def _comparison(self, op: str, left: t.Expr, right: t.Expr) -> Condition | None:
        kind = common(promoted_value(left), promoted_value(right))
        a, b = self._number_in(left, kind), self._number_in(right, kind)
        if a is None or b is None:
            return None
        if op in ("==", "!="):
            return Comparison(a + -b, op.replace("==", "="))
        difference = a + -b if op in (">", ">=") else b + -a
        return Comparison(difference + number(-1) if op in ("<", ">") else difference, ">=")


def _last_below(condition: t.Expr, value: t.Expr) -> t.Expr | None:
    """What `value` is one more than, where the condition says that there is a number more: k of k + 1 where k < n."""
    match condition, value:
        case t.Binary(op="<", left=left, right=end), t.Binary(op="+", left=before, right=one, type=kind):
            counts = constant_value(one) == 1 and same(left, before)
            alike = all(ty.unqualified(each.type) == kind for each in (before, end))
            return before if counts and alike else None
        case _:
            return None


def _fits(values: Range, kind: ty.Type) -> bool:
    """Has the type all these values?"""
    (least, greatest), (low, high) = range_of_type(kind), values
    return least <= low and high <= greatest


def _divisor(op: str, value: int | None) -> int | None:
    """What is divided by, to be rounded down or towards 0."""
    if value is None or value < 0:
        return None
    match op:
        case ">>":
            return 1 << value if value <= _LARGEST_SHIFT else None
        case "&":
            return value + 1 if value & (value + 1) == 0 else None
        case _:
            return value or None


def _rounded_down_to(mask: int | None, kind: ty.Type) -> int | None:
    """What `i & mask` is a multiple of, where the mask only leaves the last bits out: 32 of `~31`."""
    size = ty.size_of(kind)
    if mask is None or size is None:
        return None
    block = -mask if mask < 0 else (1 << 8 * size) - mask
    return block if block & (block - 1) == 0 and 0 < block <= 1 << _LARGEST_SHIFT else None


def _may_wrap(node: t.Expr) -> bool:
    if not is_widest(node.type) or constant_value(node) is not None:
        return False
    match node:
        case t.Cast(operand=t.Expr(type=ty.Int(signed=signed))):
            return signed
        case _:
            return isinstance(node, (t.Binary, t.Unary, t.Cast))
