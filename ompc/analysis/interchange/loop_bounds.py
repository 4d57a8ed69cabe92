"""Analysis: loops with the same iterations, or with some that are the same.

    for (j = 1; j <= n; j++) A;              from 1 to n
    for (j = m + 1; j >= 0; j--) B;          from 0 to m + 1: one loop can have the iterations of both (SIMILAR)

A loop's iterations are the numbers from its first `End` to its last one, whichever way it counts. Which of two ends is
further is known where the difference of their polynomials is a number.

    another type            a type that holds every bound: that of one of the loops, or `long`. A loop over 64 bits
                            without a sign begins then at a number that is surely no larger than that; nobody waits for
                            one that ends beyond it
    another step            is that of all loops, which count the same way and begin a multiple of it apart

    In: canonical loops, Facts.   Out: likeness, ends, how far apart they are.
    Not here: the loop that has the iterations of all of them -- plan/rewrites/joint_bounds.py; whether they may become
    one -- plan/rewrites/interchange.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import has_all_values, keeps_value, range_of_type
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop

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
    ends = [distance(facts, one, other, sign) for one, other, sign in _pairs_of_ends(facts, a, b)]
    same_step = a.constant_step is not None and a.constant_step == b.constant_step
    way = a.down == b.down and ty.unqualified(a.type) == ty.unqualified(b.type)
    written = way and a.relation == b.relation
    if same_step and ends == [0, 0] and (a.down == b.down or a.constant_step == 1):
        return Likeness.ALIKE_AS_WRITTEN if written else Likeness.ALIKE
    if not same_step or joint_type(facts, (a, b)) is None or not meet(facts, (a, b)):
        return Likeness.NONE
    plain = written and a.constant_step == 1 and not a.down and a.relation != "!=" and _is_of_one_type(a, b)
    return Likeness.SIMILAR_AS_WRITTEN if plain else Likeness.SIMILAR


def _pairs_of_ends(facts: Facts, a: CanonicalLoop, b: CanonicalLoop) -> Iterator[tuple[End, End, int]]:
    yield first_end(facts, a), first_end(facts, b), -1
    yield last_end(facts, a), last_end(facts, b), 1


def relation_of(loop: CanonicalLoop) -> str:
    return loop.relation if loop.relation != "!=" else ">" if loop.down else "<"


def _is_of_one_type(a: CanonicalLoop, b: CanonicalLoop) -> bool:
    """Are all their numbers of one signed type?"""
    kinds = [ty.unqualified(part.type) for loop in (a, b) for part in (loop.var, loop.lower, loop.upper)]
    return isinstance(kinds[0], ty.Int) and kinds[0].signed and all(kind == kinds[0] for kind in kinds)


def meet(facts: Facts, loops: Sequence[CanonicalLoop]) -> bool:
    """Are the iterations of each some of those of one loop with their step?"""
    first, *others = loops
    if first.constant_step == 1:
        return True
    if first.constant_step is None or any(loop.down != first.down for loop in others):
        return False
    begin = last_end if first.down else first_end
    apart = [distance(facts, begin(facts, first), begin(facts, loop), 1) for loop in others]
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
    return End(_settled(facts, loop.upper), "=" not in relation_of(loop)) if loop.down else _initial(facts, loop)


def last_end(facts: Facts, loop: CanonicalLoop) -> End:
    return _initial(facts, loop) if loop.down else End(_settled(facts, loop.upper), "=" not in relation_of(loop))


def _initial(facts: Facts, loop: CanonicalLoop) -> End:
    bound, kind = _settled(facts, loop.lower), ty.unqualified(loop.var.type)
    return End(bound if _holds(kind, bound) else t.Cast(kind, bound.loc, bound), False)


def _settled(facts: Facts, bound: t.Expr) -> t.Expr:
    """`bound` with what the thread's own variables in it stand for: `int n1 = n - 1;`, and nobody changes it."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Name) or not facts.is_thread_private(MemoryObject(node.symbol)):
            return None
        definition, kind = facts.known.definitions.get(node.symbol), ty.unqualified(node.symbol.type)
        if definition is None or definition.init in seen:
            return None
        seen.add(definition.init)
        value = rewritten(copied(definition.init), change)
        return value if ty.unqualified(value.type) == kind else t.Cast(kind, node.loc, value)

    seen: set[t.Expr] = set()
    return rewritten(bound, change)


def distance(facts: Facts, a: End, b: End, sign: int) -> int | None:
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


def joint_type(facts: Facts, loops: Sequence[CanonicalLoop]) -> ty.Type | None:
    """The type of a variable that goes over the iterations of all of them; None: none is known."""
    bounds = [end.bound for loop in loops for end in (first_end(facts, loop), last_end(facts, loop))]
    kinds = sorted((ty.unqualified(loop.type) for loop in loops), key=lambda kind: ty.size_of(kind) or 0)
    for kind in kinds:
        if all(_holds(kind, bound) for bound in bounds):
            return kind
    if not all(isinstance(bound.type, (ty.Int, ty.Enum)) and (ty.size_of(bound.type) or 9) <= 8 for bound in bounds):
        return None
    return ty.LONG if all(_holds(ty.LONG, first_end(facts, loop).bound) for loop in loops) else None
