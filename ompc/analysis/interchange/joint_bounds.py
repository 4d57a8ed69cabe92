"""Analysis: loops with the same iterations, or with some that are the same; one loop that has those of all of them.

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

    In: canonical loops, Facts.   Out: likeness, JointBounds.
    Not here: whether they may become one, and in which order then -- interchange.py.
    Source: fusion of loops with other bounds (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import has_all_values, keeps_value, range_of_type
from ompc.analysis.memory.roots import Root
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import common, promoted_value
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop

MOST_BOUNDS = 3
"""Different ones of which the least, or the greatest, is found at the launch."""


_LEAST = range_of_type(ty.INT)[0]


class Likeness(IntEnum):
    """How much two loops have in common; `written`: they count the same way, to the same relation, in the same type."""

    NONE = 0
    SIMILAR = 1
    SIMILAR_AS_WRITTEN = 2
    ALIKE = 3
    ALIKE_AS_WRITTEN = 4


@dataclass(frozen=True, slots=True)
class End:
    """The first or last iteration of a loop: the number `bound`, or, where it is `excluded`, the one before that."""

    bound: t.Expr
    excluded: bool


def likeness(facts: Facts, a: CanonicalLoop, b: CanonicalLoop) -> Likeness:
    """ALIKE: they have the same iterations; SIMILAR: one loop can have those of both; NONE: that is not known."""
    if a is b:
        return Likeness.ALIKE_AS_WRITTEN
    ends = [_distance(facts, one, other, sign) for one, other, sign in _pairs_of_ends(facts, a, b)]
    turns = a.constant_step is not None and a.constant_step == b.constant_step
    way = a.down == b.down and ty.unqualified(a.type) == ty.unqualified(b.type)
    written = way and a.relation == b.relation
    if turns and ends == [0, 0] and (a.down == b.down or a.constant_step == 1):
        return Likeness.ALIKE_AS_WRITTEN if written else Likeness.ALIKE
    if not turns or _kind(facts, (a, b)) is None or not _meet(facts, (a, b)):
        return Likeness.NONE
    plain = written and a.constant_step == 1 and not a.down and a.relation != "!=" and _is_of_one_type(a, b)
    return Likeness.SIMILAR_AS_WRITTEN if plain else Likeness.SIMILAR


def _pairs_of_ends(facts: Facts, a: CanonicalLoop, b: CanonicalLoop) -> Iterator[tuple[End, End, int]]:
    yield first_end(facts, a), first_end(facts, b), -1
    yield last_end(facts, a), last_end(facts, b), 1


def _relation(loop: CanonicalLoop) -> str:
    return loop.relation if loop.relation != "!=" else ">" if loop.down else "<"


def _is_of_one_type(a: CanonicalLoop, b: CanonicalLoop) -> bool:
    """Are all their numbers of one signed type?"""
    kinds = [ty.unqualified(part.type) for loop in (a, b) for part in (loop.var, loop.lower, loop.upper)]
    return isinstance(kinds[0], ty.Int) and kinds[0].signed and all(kind == kinds[0] for kind in kinds)


def _meet(facts: Facts, loops: Sequence[CanonicalLoop]) -> bool:
    """Are the iterations of each some of those of one loop with their step?"""
    first, *others = loops
    if first.constant_step == 1:
        return True
    if first.constant_step is None or any(loop.down != first.down for loop in others):
        return False
    begin = last_end if first.down else first_end
    apart = [_distance(facts, begin(facts, first), begin(facts, loop), 1) for loop in others]
    return all(distance is not None and distance % first.constant_step == 0 for distance in apart)


# ------------------------------------------------------------------------ ends


def bounds_of(facts: Facts, loop: CanonicalLoop) -> tuple[t.Expr, ...]:
    """What the joint loop and its conditions ask of a loop with a constant step."""
    return first_end(facts, loop).bound, last_end(facts, loop).bound


def may_be_asked(facts: Facts, loop: CanonicalLoop) -> bool:
    """Do its bounds say how often it turns also where the program does not ask for them? `n - 1`, without a sign, is
    more than all other numbers where n is 0, and it is the program's condition that keeps the loop from it.
    """
    parts = (part for bound in bounds_of(facts, loop) for part in walk(bound))
    return not any(isinstance(part, t.Expr) and _may_wrap(part) for part in parts)


def _may_wrap(part: t.Expr) -> bool:
    if not isinstance(part.type, ty.Int) or part.type.signed or constant_value(part) is not None:
        return False
    if isinstance(part, t.Cast):
        return not has_all_values(part.type, part.operand.type)
    return isinstance(part, (t.Binary, t.Unary)) and (part.type.size == 8 or not keeps_value(part, {}))


def first_end(facts: Facts, loop: CanonicalLoop) -> End:
    """The least of the loop's iterations."""
    return End(_settled(facts, loop.upper), "=" not in _relation(loop)) if loop.down else _initial(facts, loop)


def last_end(facts: Facts, loop: CanonicalLoop) -> End:
    return _initial(facts, loop) if loop.down else End(_settled(facts, loop.upper), "=" not in _relation(loop))


def _initial(facts: Facts, loop: CanonicalLoop) -> End:
    bound, kind = _settled(facts, loop.lower), ty.unqualified(loop.var.type)
    return End(bound if _holds(kind, bound) else t.Cast(kind, bound.loc, bound), False)


def _settled(facts: Facts, bound: t.Expr) -> t.Expr:
    """`bound` with what the thread's own variables in it stand for: `int n1 = n - 1;`, and nobody changes it."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Name) or not facts.is_thread_private(Root(node.symbol)):
            return None
        definition, kind = facts.known.definitions.get(node.symbol), ty.unqualified(node.symbol.type)
        if definition is None or definition.init in seen:
            return None
        seen.add(definition.init)
        value = rewritten(copied(definition.init), change)
        return value if ty.unqualified(value.type) == kind else t.Cast(kind, node.loc, value)

    seen: set[t.Expr] = set()
    return rewritten(bound, change)


def _distance(facts: Facts, a: End, b: End, sign: int) -> int | None:
    """How much more the number `a` is than `b`, if that is known: first ends where `sign` is -1, last ones at 1."""
    excluded = (b.excluded - a.excluded) * sign
    if same(a.bound, b.bound):
        return excluded
    forms = [facts.forms.of(end.bound) if _is_reckoned(end.bound, sign) else None for end in (a, b)]
    if forms[0] is None or forms[1] is None:
        return None
    apart = (forms[0] + -forms[1]).constant
    return None if apart is None else apart + excluded


def _is_reckoned(bound: t.Expr, sign: int) -> bool:
    """Is its polynomial its value? In 64 bits without a sign, that is so of an end which a loop comes to."""
    kind = bound.type
    return isinstance(kind, ty.Int) and (kind.signed or kind.size < 8 or sign > 0 or constant_value(bound) is not None)


def _holds(kind: ty.Type, bound: t.Expr) -> bool:
    value = constant_value(bound)
    if value is not None:
        least, greatest = range_of_type(kind)
        return least <= value <= greatest
    while isinstance(bound, t.Cast) and has_all_values(bound.type, bound.operand.type):
        bound = bound.operand
    return has_all_values(kind, bound.type)


def _kind(facts: Facts, loops: Sequence[CanonicalLoop]) -> ty.Type | None:
    """The type of a variable that goes over the iterations of all of them; None: none is known."""
    bounds = [end.bound for loop in loops for end in (first_end(facts, loop), last_end(facts, loop))]
    kinds = sorted((ty.unqualified(loop.type) for loop in loops), key=lambda kind: ty.size_of(kind) or 0)
    for kind in kinds:
        if all(_holds(kind, bound) for bound in bounds):
            return kind
    if not all(isinstance(bound.type, (ty.Int, ty.Enum)) and (ty.size_of(bound.type) or 9) <= 8 for bound in bounds):
        return None
    return ty.LONG if all(_holds(ty.LONG, first_end(facts, loop).bound) for loop in loops) else None


# ------------------------------------------------------------------ joint loop


@dataclass(frozen=True, slots=True, eq=False)
class JointBounds:
    """From `first` to `last`, `down` or up. `exact`: which of the two are the furthest ends of loops, not only beyond
    them. `kind`: the variable's type.
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
        if not (self.exact[0] and _distance(self.facts, first, self.first, -1) == 0):
            bound = self.converted(first.bound)
            parts.append(_compared("<" if first.excluded else "<=", bound, t.Name(var.type, bound.loc, var)))
        if not (self.exact[1] and _distance(self.facts, last, self.last, 1) == 0):
            bound = self.converted(last.bound)
            parts.append(_compared("<" if last.excluded else "<=", t.Name(var.type, bound.loc, var), bound))
        if len(parts) < 2:
            return parts[0] if parts else None
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
        if not (is_its_own and end.bound is loop.upper and end.excluded == ("=" not in _relation(loop))):
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
    kind = ty.unqualified(first.type) if alike and one_type else _kind(facts, loops)
    if kind is None or not _meet(facts, loops):
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
        distances = [_distance(joint.facts, end, other, sign) for other in left]
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
