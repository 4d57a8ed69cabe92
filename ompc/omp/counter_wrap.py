"""Do the numbers of a sequential loop behave as numbers do? C converts what it compares, and types have ends.

    for (int i = -1; i < un; i++)                     none: -1 is compared as 4294967295
    for (unsigned char c = 0; c < 254; c += 7)        0, 7, ... 252, 3, 10, ... 248
    for (unsigned char c = 5; c < 300; c++)           5, ... 255, 0, ... until a `break`

In: a loop in canonical form.   Out: yes or no.   Not here: annotated loops, whose iterations are counted -- loops.py.
"""

from __future__ import annotations

from ompc.ir import types as ty
from ompc.ir.constants import constant_value, wrapped
from ompc.ir.conversions import common, promoted, promoted_value
from ompc.ir.exits import ends_early
from ompc.omp.model import CanonicalLoop

_MANY = 1 << 20
"""The iterations from one end of a type to the other from which on a loop does not count as one that comes round."""


def compares_numbers(loop: CanonicalLoop) -> bool:
    """Does C's conversion of variable and bound to a common type (C11 6.3.1.8) keep their values?"""
    bound = promoted_value(loop.upper)
    compared = common(promoted(loop.type), bound)
    first, last = _first_value(loop), constant_value(loop.upper)
    never_negative = first is not None and first >= 0 and not loop.down
    kept = keeps_values(bound, compared) or (last is not None and fits(last, compared))
    return kept and (never_negative or keeps_values(loop.type, compared))


def may_come_round(loop: CanonicalLoop) -> bool:
    """Can the variable step from before its bound over the end of its type, and go on at the other end?

    `unsigned char c = 250; c > 3; c -= 7` is 5 at last, and then 254. Signed numbers do not overflow, and nobody waits
    for the iterations between the ends of 64 bits, or of 32 bits upwards, if the numbers do not say otherwise. In steps
    of one it comes round where its bound is beyond its type, and ends then only by a jump.
    """
    assert isinstance(loop.type, ty.Int)
    is_narrow = loop.type.size < ty.INT.size
    if loop.type.signed and not is_narrow:
        return False
    if loop.relation == "!=":
        return not _comes_to_its_bound(loop, loop.type)
    first, last, step = _first_value(loop), constant_value(loop.upper), loop.constant_step
    is_left = ends_early(loop.body)
    if step == 1 and not is_left:
        return False  # it would never end
    around = 1 << 8 * loop.type.size
    is_far = not is_narrow and (not loop.down or (loop.type.size > ty.INT.size and not is_left))
    if step is None or last is None:
        is_within = step == 1 and loop.relation in ("<", ">") and keeps_values(loop.upper.type, loop.type)
        return not is_within and not (is_far and around >= (step or 1) * _MANY)
    change, strict = (-step, -1) if loop.down else (step, 1)
    if loop.relation in ("<=", ">="):
        strict = 0
    farthest = last - strict  # that the body may see
    if first is not None:
        farthest -= (farthest - first) % change if (farthest - first) * change > 0 else 0
    return not fits(farthest + change, loop.type)


def _first_value(loop: CanonicalLoop) -> int | None:
    """The variable's first value, as it is converted: -6 of `signed char c = 250`."""
    value = constant_value(loop.lower)
    return None if value is None else wrapped(value, loop.type)


def _comes_to_its_bound(loop: CanonicalLoop, kind: ty.Int) -> bool:
    """Does the variable of a loop with `!=` reach its bound without passing by the end of its type?

    Not so in `size_t k = n - 1; k != (size_t)-1; k--`. Numbers of 64 bits that are beyond all others may be negative
    ones, as which they are reckoned with.
    """
    (least, greatest), first, last = _range(kind), _first_value(loop), constant_value(loop.upper)
    low, high = (last, first) if loop.down else (first, last)
    if low is not None and high is not None:
        return least <= low <= high <= greatest
    if kind.size == 8:
        return all(value is None or value <= greatest // 2 for value in (low, high))
    return low == least or high == greatest


def keeps_values(source: ty.Type, target: ty.Type) -> bool:
    """Has `target` every value of `source`?"""
    source = source.underlying if isinstance(source, ty.Enum) else source
    if not isinstance(source, ty.Int) or not isinstance(target, ty.Int):
        return False
    low, high = _range(source)
    return fits(low, target) and fits(high, target)


def fits(value: int, t: ty.Type) -> bool:
    if not isinstance(t, ty.Int):
        return False
    low, high = _range(t)
    return low <= value <= high


def _range(t: ty.Int) -> tuple[int, int]:
    bits = 1 if ty.unqualified(t) == ty.BOOL else 8 * t.size
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if t.signed else (0, (1 << bits) - 1)
