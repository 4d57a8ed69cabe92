"""Analysis: loops with the same iterations, or with some that are the same; one loop that has those of all of them.

    for (j = 1; j <= n; j++) A;              for (j = 0; j <= (n > m + 1 ? n : m + 1); j++) {
    for (j = 0; j <= m + 1; j++) B;     ->       if (1 <= j && j <= n) A;
                                                 if (j <= m + 1) B;
                                             }

Differences that are known numbers need no question at run time.

    In: canonical loops, Facts.   Out: alike, similar, JointBounds.
    Not here: whether they may become one -- interchange.py.
    Source: fusion of loops with other bounds (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 6.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.equality import same
from ompc.analysis.facts import Facts
from ompc.frozen import dataclass
from ompc.omp.model import CanonicalLoop
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.rewrite import copied

MOST_BOUNDS = 3
"""Different ones of which the least, or the greatest, is found at the launch."""


def alike(facts: Facts, a: CanonicalLoop, b: CanonicalLoop) -> bool:
    """Have they the same iterations?"""
    if a is b:
        return True
    if (a.relation, a.constant_step, a.down) != (b.relation, b.constant_step, b.down) or a.constant_step is None:
        return False
    kinds = ty.unqualified(a.var.type) == ty.unqualified(b.var.type)
    return kinds and _equal(facts, a.lower, b.lower) and _equal(facts, a.upper, b.upper)


def similar(a: CanonicalLoop, b: CanonicalLoop) -> bool:
    """Do both count up by one, with bounds that can be compared?"""
    kind = ty.unqualified(a.var.type)
    if not isinstance(kind, ty.Int) or not kind.signed or a.relation != b.relation or a.relation not in ("<", "<="):
        return False
    kinds = [part.type for loop in (a, b) for part in (loop.var, loop.lower, loop.upper)]
    steps = all(loop.constant_step == 1 and not loop.down for loop in (a, b))
    return steps and all(ty.unqualified(other) == kind for other in kinds)


def _equal(facts: Facts, a: t.Expr, b: t.Expr) -> bool:
    return same(a, b) or _distance(facts, a, b) == 0


def _distance(facts: Facts, a: t.Expr, b: t.Expr) -> int | None:
    """How much more `a` is than `b`, if that is known."""
    if not all(isinstance(bound.type, ty.Int) and bound.type.signed for bound in (a, b)):
        return None
    forms = facts.forms.of(a), facts.forms.of(b)
    return None if forms[0] is None or forms[1] is None else (forms[0] + -forms[1]).constant


@dataclass(frozen=True, slots=True, eq=False)
class JointBounds:
    """From the least of all lower bounds to the greatest of all upper ones."""

    facts: Facts
    lower: t.Expr
    upper: t.Expr

    def condition(self, loop: CanonicalLoop, var: t.Symbol) -> t.Expr | None:
        """Is `var` one of the loop's iterations? None: it always is."""
        parts: list[t.Expr] = []
        if not _equal(self.facts, loop.lower, self.lower):
            parts.append(_compared("<=", copied(loop.lower), t.Name(var.type, loop.lower.loc, var)))
        if not _equal(self.facts, loop.upper, self.upper):
            parts.append(_compared(loop.relation, t.Name(var.type, loop.upper.loc, var), copied(loop.upper)))
        if len(parts) < 2:
            return parts[0] if parts else None
        return t.Binary(ty.INT, loop.lower.loc, "&&", parts[0], parts[1])

    def around(self, loop: CanonicalLoop, declares: bool) -> t.For:
        """`loop` with these bounds; `declares` its variable."""
        loc, var = loop.statement.loc, loop.var
        if _equal(self.facts, loop.lower, self.lower) and declares == loop.declared_here:
            init = loop.statement.init
        elif declares:
            init = t.DeclStmt(loc, (t.VarDecl(var, copied(self.lower), loc),))
        else:
            init = t.ExprStmt(loc, t.Assign(var.type, loc, "=", t.Name(var.type, loc, var), copied(self.lower)))
        if _equal(self.facts, loop.upper, self.upper):
            return replace(loop.statement, init=init)
        condition = _compared(loop.relation, t.Name(var.type, loc, var), copied(self.upper))
        return replace(loop.statement, init=init, condition=condition)


def joint_bounds(facts: Facts, loops: Sequence[CanonicalLoop]) -> JointBounds | None:
    """Of loops that are alike, or similar; None: too many bounds to compare."""
    lower = _outermost(facts, [loop.lower for loop in loops], -1)
    upper = _outermost(facts, [loop.upper for loop in loops], 1)
    return None if lower is None or upper is None else JointBounds(facts, lower, upper)


def _outermost(facts: Facts, bounds: Sequence[t.Expr], sign: int) -> t.Expr | None:
    """The greatest of them, or the least where `sign` is -1."""
    left: list[t.Expr] = []
    for bound in bounds:
        distances = [_distance(facts, bound, other) for other in left]
        if any(same(bound, other) for other in left) or any(d is not None and d * sign <= 0 for d in distances):
            continue
        beyond = [other for other, d in zip(left, distances, strict=True) if d is None]
        left = [*beyond, bound]
    if len(left) > MOST_BOUNDS:
        return None
    found, *others = left
    for other in others:
        further = _compared(">" if sign > 0 else "<", copied(found), copied(other))
        found = t.Conditional(found.type, found.loc, further, copied(found), copied(other))
    return found


def _compared(op: str, left: t.Expr, right: t.Expr) -> t.Expr:
    return t.Binary(ty.INT, left.loc, op, left, right)
