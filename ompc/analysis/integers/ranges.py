"""Analysis: can an integer expression wrap round, or a conversion change its value?

isl reckons with integers that have no end; C's unsigned arithmetic is modulo 2^n and a narrowing conversion drops bits:

    unsigned i;   a[i + 4294967295u]      the element before a[i]

So an expression is affine only where its value is the same in both. Values lie between the ends of their type, those
of a loop's counter between its constant bounds as well. Signed overflow is undefined, so it does not occur; arithmetic
in 64 unsigned bits that wraps to a small index names the same element in both, addresses being of 64 bits.

    In: expressions, the ranges of the counters around them.   Out: Range, or whether a node keeps its value.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import ends_early
from ompc.ir.walk import children
from ompc.omp.model import CanonicalLoop

Range = tuple[int, int]
"""The least and the greatest value."""

_LARGE = 1 << 31
"""Constants of this size in 64-bit unsigned arithmetic are negative numbers, hashes or masks: meant to wrap round."""

_WIDEST = (-(1 << 63), (1 << 64) - 1)


def range_of_type(kind: ty.Type) -> Range:
    """All values of an integer type; of anything else, all that any integer type has."""
    if isinstance(kind, ty.Enum):
        kind = kind.underlying
    if not isinstance(kind, ty.Int) or kind.size > 8:
        return _WIDEST
    if kind.name == "_Bool":
        return 0, 1
    bits = 8 * kind.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.signed else (0, (1 << bits) - 1)


def range_of(node: t.Expr, counters: Mapping[t.Symbol, Range]) -> Range:
    """A range that holds every value of `node`, reckoned without wrapping round in `node` itself."""
    constant = constant_value(node)
    if constant is not None:
        return constant, constant
    match node:
        case t.Name(symbol=symbol):
            return counters.get(symbol, range_of_type(symbol.type))
        case t.Unary(op="-", operand=operand):
            low, high = _range_inside(operand, counters)
            return -high, -low
        case t.Unary(op="+", operand=operand) | t.Cast(operand=operand):
            return _range_inside(operand, counters)
        case t.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            return _combined(op, _range_inside(left, counters), _range_inside(right, counters))
        case t.Conditional(then=then, other=other):
            (a, b), (c, d) = _range_inside(then, counters), _range_inside(other, counters)
            return min(a, c), max(b, d)
        case _:
            return range_of_type(node.type)


def _range_inside(node: t.Expr, counters: Mapping[t.Symbol, Range]) -> Range:
    """A range that holds every value of `node`, which may have wrapped round; of 64 bits, as if it had not."""
    least, greatest = range_of_type(node.type)
    low, high = range_of(node, counters)
    if greatest - least > 1 << 32 or (least <= low and high <= greatest):
        return low, high
    does_not_occur = least < 0 and not isinstance(node, t.Cast)
    return (max(low, least), min(high, greatest)) if does_not_occur else (least, greatest)


def _combined(op: str, a: Range, b: Range) -> Range:
    match op:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case _:
            ends = [x * y for x in a for y in b]
            return min(ends), max(ends)


def keeps_value(node: t.Expr, counters: Mapping[t.Symbol, Range], exact: bool = False) -> bool:
    """Is the value of the operation or conversion `node` the one that it has among integers without end? `exact`: also
    where it is no address, so that numbers of 64 bits that are 2^64 apart are not the same.
    """
    kind = node.type
    if isinstance(kind, ty.Int) and kind.signed and not isinstance(node, t.Cast):
        return True
    if isinstance(kind, ty.Int) and kind.size == 8 and not exact:
        return all(abs(constant_value(part) or 0) < _LARGE for part in children(node) if isinstance(part, t.Expr))
    least, greatest = range_of_type(kind)
    low, high = range_of(node, counters)
    return least <= low and high <= greatest


def has_all_values(kind: ty.Type, other: ty.Type) -> bool:
    """Has a type every value of another one?"""
    (least, greatest), (low, high) = range_of_type(kind), range_of_type(other)
    return least <= low and high <= greatest


def is_endless(loop: CanonicalLoop) -> bool:
    """May the loop's bound lie beyond 2^63 iterations, or before the first one, so that only a jump ends it?

    `size_t k = 0; k < n - 1` with n = 0, or `k < limit`: as launchers reckon, in `long long`, it would turn nowhere.
    """
    if may_pass_by(loop):
        return True
    if not any(map(is_widest, (loop.var.type, loop.upper.type))) or not ends_early(loop.body):
        return False
    bounds = [constant_value(bound) for bound in (loop.lower, loop.upper)]
    return any(bound is None or bound >= 1 << 63 for bound in bounds[not loop.down :])


def may_pass_by(loop: CanonicalLoop) -> bool:
    """May the variable begin beyond its bound, so that only a jump ends the loop: `q = a; q != b; q++` with a > b?"""
    if loop.relation != "!=" or not ends_early(loop.body):
        return False
    first, last, step = constant_value(loop.lower), constant_value(loop.upper), loop.constant_step
    if first is None or last is None or not step:
        return True
    return (first < last if loop.down else last < first) or (last - first) % step != 0


def is_widest(kind: ty.Type) -> bool:
    """Of 64 bits without a sign."""
    return isinstance(kind, ty.Int) and not kind.signed and kind.size >= 8


def counter_range(loop: CanonicalLoop, counters: Mapping[t.Symbol, Range]) -> Range:
    """The values of the variable of `loop` in its body."""
    least, greatest = range_of_type(loop.var.type)
    first, end = _range_inside(loop.lower, counters), _range_inside(loop.upper, counters)
    if not (least <= first[0] and first[1] <= greatest) and not has_all_values(loop.var.type, loop.lower.type):
        first = least, greatest  # what is converted may wrap round
    strict = loop.relation not in ("<=", ">=")
    if loop.down:
        return max(least, end[0] + strict), min(greatest, first[1])
    return max(least, first[0]), min(greatest, end[1] - strict)
