"""Rewrite: one loop that has the iterations of all of several (loop fusion with other bounds).

    for (j = 1; j <= n; j++) A;              for (j = 0; j <= (n > m + 1 ? n : m + 1); j++) {
    for (j = m + 1; j >= 0; j--) B;    ->        if (1 <= j && j <= n) A;
                                                 if (j <= m + 1) B;
                                             }

A loop's iterations are the numbers from its first `End` to its last one, whichever way it counts. The joint loop goes
from the least first end to the greatest last one, so that it has all of them, and the condition of a part is true for
those that were its own:

    which end is further    by the difference of their polynomials, where that is a number; else the launcher compares
    no arithmetic           ends are compared as they were written, so nothing overflows that did not: where `j < n`
                            meets `j <= m`, the joint loop goes to the greater of n and m, and conditions do the rest
    another type            the joint variable is of a type that holds every bound: that of one of the loops, or `long`.
                            A loop over 64 bits without a sign begins then at a number that is surely no larger than
                            that; nobody waits for one that ends beyond it
    another step            is that of all loops, which count the same way and begin a multiple of it apart

    In: canonical loops, Facts.   Out: JointBounds.
    Not here: how much loops have in common -- analysis/interchange/loop_bounds.py; whether they may become one, and in
    which order then -- interchange.py.
    Source: fusion of loops with other bounds (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 6.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import range_of_type
from ompc.analysis.interchange.loop_bounds import (
    End,
    Likeness,
    distance,
    first_end,
    joint_type,
    last_end,
    likeness,
    meet,
    relation_of,
)
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import common, promoted_value
from ompc.ir.rewrite import copied
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop

MOST_BOUNDS = 3
"""The most different bounds of which a launch finds the least or the greatest."""

_LEAST = range_of_type(ty.INT)[0]


# ------------------------------------------------------------------ joint loop


@dataclass(frozen=True, slots=True, eq=False)
class JointBounds:
    """The bounds of the one loop that has the iterations of several.

    `first`, `last`  its ends
    `exact`          which of the two are the furthest ends of loops, not only beyond them
    `down`           it counts down
    `kind`           the type of its variable
    """

    facts: Facts
    first: End
    last: End
    exact: tuple[bool, bool]
    down: bool
    kind: ty.Type

    def condition(self, loop: CanonicalLoop, var: t.Symbol) -> t.Expr | None:
        """Is `var` one of the loop's iterations? None: it always is."""
        first, last = first_end(self.facts, loop), last_end(self.facts, loop)
        parts: list[t.Expr] = []
        if not (self.exact[0] and distance(self.facts, first, self.first, -1) == 0):
            bound = self.converted(first.bound)
            parts.append(_compared("<" if first.excluded else "<=", bound, t.Name(var.type, bound.loc, var)))
        if not (self.exact[1] and distance(self.facts, last, self.last, 1) == 0):
            bound = self.converted(last.bound)
            parts.append(_compared("<" if last.excluded else "<=", t.Name(var.type, bound.loc, var), bound))
        if len(parts) < 2:
            return parts[0] if parts else None
        if not (first.excluded or last.excluded) and same(first.bound, last.bound):  # one iteration
            return _compared("==", t.Name(var.type, loop.lower.loc, var), self.converted(first.bound))
        return t.Binary(ty.INT, loop.lower.loc, "&&", parts[0], parts[1])

    def converted(self, bound: t.Expr) -> t.Expr:
        """A copy of `bound` which can be compared with the variable and with the others."""
        wide = constant_value(bound) is not None or ty.unqualified(bound.type) == ty.LONG
        return copied(bound) if wide or self.kind != ty.LONG else t.Cast(ty.LONG, bound.loc, copied(bound))

    def around(self, loop: CanonicalLoop, var: t.Symbol, declares: bool) -> t.For:
        """`loop` with these bounds over `var`, which it `declares` or not."""
        loc = loop.statement.loc
        begin, end = (self.last, self.first) if self.down else (self.first, self.last)
        is_its_own = var is loop.var and loop.down == self.down
        if is_its_own and begin.bound is loop.lower and declares == loop.declared_here:
            init = loop.statement.init
        elif declares:
            init = t.DeclStmt(loc, (t.VarDecl(var, self.converted(begin.bound), loc),))
        else:
            value = t.Assign(var.type, loc, "=", t.Name(var.type, loc, var), self.converted(begin.bound))
            init = t.ExprStmt(loc, value)
        condition = loop.statement.condition
        if not (is_its_own and end.bound is loop.upper and end.excluded == ("=" not in relation_of(loop))):
            relation = (">" if self.down else "<") + ("" if end.excluded else "=")
            condition = _compared(relation, t.Name(var.type, loc, var), self.converted(end.bound))
        step = loop.statement.step if is_its_own else self._step(loop, var)
        return replace(loop.statement, init=init, condition=condition, step=step)

    def _step(self, loop: CanonicalLoop, var: t.Symbol) -> t.Expr:
        loc, name = loop.statement.loc, t.Name(var.type, loop.statement.loc, var)
        assert loop.constant_step is not None
        if loop.constant_step == 1:
            return t.IncDec(var.type, loc, "--" if self.down else "++", False, name)
        return t.Assign(var.type, loc, "-=" if self.down else "+=", name, _number(loop.constant_step, loc))


def joint_bounds(facts: Facts, loops: Sequence[CanonicalLoop]) -> JointBounds | None:
    """Of loops that are alike, or similar; None: too many bounds to compare, or no type that holds all."""
    first, *others = loops
    down = all(loop.down for loop in loops)
    alike = all(likeness(facts, first, other) >= Likeness.ALIKE for other in others)
    one_type = all(ty.unqualified(loop.type) == ty.unqualified(first.type) for loop in others)
    kind = ty.unqualified(first.type) if alike and one_type else joint_type(facts, loops)
    if kind is None or not meet(facts, loops):
        return None
    empty = JointBounds(facts, first_end(facts, first), last_end(facts, first), (True, True), down, kind)
    least = _outermost(empty, [first_end(facts, loop) for loop in loops], -1)
    greatest = _outermost(empty, [last_end(facts, loop) for loop in loops], 1)
    if least is None or greatest is None:
        return None
    if not down:
        least = _included(least[0], -1), least[1] and (not least[0].excluded or _is_number(least[0]))
    return replace(empty, first=least[0], last=greatest[0], exact=(least[1], greatest[1]))


def _outermost(joint: JointBounds, ends: Sequence[End], sign: int) -> tuple[End, bool] | None:
    """The greatest of last ends, or the least of first ones where `sign` is -1; and whether it is not beyond it."""
    left: list[End] = []
    for end in ends:
        distances = [distance(joint.facts, end, other, sign) for other in left]
        if not all(d is None or _is_further(end, other, d * sign) for other, d in zip(left, distances, strict=True)):
            continue
        left = [*(other for other, d in zip(left, distances, strict=True) if d is None), end]
    if len(left) == 1:
        return left[0], True
    if len(left) > MOST_BOUNDS:
        return None
    excluded = all(end.excluded for end in left)
    exact = excluded or not any(end.excluded and not _is_number(end) for end in left)
    found, *others = (joint.converted((end if excluded else _included(end, sign)).bound) for end in left)
    for other in others:
        further = _compared(">" if sign > 0 else "<", copied(found), copied(other))
        kind = common(promoted_value(found), promoted_value(other))
        found = t.Conditional(kind, found.loc, further, copied(found), copied(other))
    return End(found, excluded), exact


def _is_further(end: End, other: End, beyond: int) -> bool:
    """Is it to stand for both? Of two that are the same number, the simpler one does."""
    return beyond > 0 or (beyond == 0 and sum(1 for _ in walk(end.bound)) < sum(1 for _ in walk(other.bound)))


def _is_number(end: End) -> bool:
    value = constant_value(end.bound)
    return value is not None and _LEAST < value < -_LEAST


def _included(end: End, sign: int) -> End:
    """The end itself, of a number; of anything else an iteration beyond it, which no arithmetic is needed for."""
    value = constant_value(end.bound)
    if not end.excluded or value is None or not _is_number(end):
        return End(end.bound, False)
    return End(_number(value - sign, end.bound.loc), False)


def _number(value: int, loc: Location) -> t.Expr:
    number = t.IntConst(ty.INT, loc, abs(value), str(abs(value)))
    return number if value >= 0 else t.Unary(ty.INT, loc, "-", number)


def _compared(op: str, left: t.Expr, right: t.Expr) -> t.Expr:
    return t.Binary(ty.INT, left.loc, op, left, right)
