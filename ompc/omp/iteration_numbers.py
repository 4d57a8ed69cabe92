"""The number of an iteration among those of its loops, and how many there are, as expressions of a kernel.

    #pragma omp for collapse(2)
    for (i = 1; i < n; i += 2)          number      ((i - 1) / 2) * m + j
        for (j = 0; j < m; j++)         iterations  ((n - 1 + 1) / 2) * m

They are numbers of `unsigned long`, over the variables of the bounds, which the loops do not change. No node stands in
two places.

In: canonical loops.   Out: expressions; None where a bound is more than arithmetic on integer variables.
Source: OpenMP 5.2, 4.4.2 (logical iterations).
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import nodes
from ompc.ir.rewrite import copied
from ompc.ir.tree import Binary, Cast, Expr, IntConst, Name, Unary
from ompc.omp.model import CanonicalLoop


def iteration_number(loops: Sequence[CanonicalLoop]) -> Expr | None:
    """How many iterations come before this one."""
    number: Expr | None = None
    for loop in loops:
        passed = _passed(loop)
        trips = None if number is None else _trips(loop)
        if passed is None or (number is not None and trips is None):
            return None
        number = passed if number is None or trips is None else _of("+", _of("*", number, trips), passed)
    return number


def iterations(loops: Sequence[CanonicalLoop]) -> Expr | None:
    """How many there are; at least one, as the loops have an iteration that asks."""
    product: Expr | None = None
    for loop in loops:
        trips = _trips(loop)
        if trips is None:
            return None
        product = trips if product is None else _of("*", product, trips)
    return product


def is_plain(node: object) -> bool:
    """May the kernel evaluate it: arithmetic on integer variables?"""
    match node:
        case IntConst() | Binary() | Unary(op="+" | "-" | "~") | Cast(type=ty.Int()):
            return True
        case Name(symbol=symbol):
            return isinstance(symbol.type, (ty.Int, ty.Enum))
        case _:
            return False


def _passed(loop: CanonicalLoop) -> Expr | None:
    """The iterations of this loop before the current one: (i - lower) / step."""
    if not _has_plain(loop, loop.lower, loop.step):
        return None
    var = Name(loop.var.type, loop.lower.loc, loop.var)
    if constant_value(loop.lower) == 0 and not loop.down:
        return _divided(_long(var), loop)
    return _divided(_distance(loop, var), loop)


def _trips(loop: CanonicalLoop) -> Expr | None:
    """How many iterations it has: the distance of its bounds in steps, rounded up."""
    if not _has_plain(loop, loop.lower, loop.upper, loop.step):
        return None
    first, last, step = constant_value(loop.lower), constant_value(loop.upper), loop.constant_step
    inclusive = loop.relation in ("<=", ">=")
    if first is not None and last is not None and step is not None:
        distance = first - last if loop.down else last - first
        return _number(max(0, (distance + (step if inclusive else step - 1)) // step), loop)
    begun = constant_value(loop.lower) == 0 and not loop.down
    distance_ = _long(copied(loop.upper)) if begun else _distance(loop, copied(loop.upper))
    if inclusive:
        return _of("+", _divided(distance_, loop), _number(1, loop))
    if loop.step is None or step == 1:
        return distance_
    less = _of("-", _long(copied(loop.step)), _number(1, loop))
    return _divided(_of("+", distance_, less), loop)


def _has_plain(loop: CanonicalLoop, *parts: Expr | None) -> bool:
    return not loop.dependent and all(is_plain(node) for part in parts if part is not None for node in nodes(part))


def _distance(loop: CanonicalLoop, to: Expr) -> Expr:
    """From the lower bound, in the loop's direction; modulo 2^64, whatever the types are."""
    lower = copied(loop.lower)
    return _of("-", _long(lower), _long(to)) if loop.down else _of("-", _long(to), _long(lower))


def _divided(distance: Expr, loop: CanonicalLoop) -> Expr:
    if loop.step is None or loop.constant_step == 1:
        return distance
    return _of("/", distance, _long(copied(loop.step)))


def _of(op: str, left: Expr, right: Expr) -> Expr:
    return Binary(ty.ULONG, left.loc, op, left, right)


def _long(value: Expr) -> Expr:
    return Cast(ty.ULONG, value.loc, value)


def _number(value: int, loop: CanonicalLoop) -> Expr:
    return IntConst(ty.ULONG, loop.lower.loc, value, f"{value}ul")
