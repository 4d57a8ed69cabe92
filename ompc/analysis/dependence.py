"""Analysis: are the iterations of a sequential loop inside a parallel loop independent of each other?

The user's directive says it of the annotated loop; for a loop inside it must be proved. Two accesses to one array, at
least one of them a write, conflict when some iteration of the outer loops and two different iterations of the inner
loop touch the same element. isl decides whether there is such a point:

    for j: uold[i][j] = u[i][j]            { j, j' : j != j', (i, j) = (i, j') } is empty: independent
    for k: c[i][j] += a[i][k] * b[k][j]    (i, j) = (i, j) for every k != k': a conflict

Within one outer iteration, what is built from outer counters and invariants alone is a fixed number, also where it is
not affine: `u[i * m + j]` is `p + j`.

Atomic updates of one kind may be done in any order, so two of them are no conflict.

    In: Facts' parts (accesses, canonical loops, invariants).   Out: the first obstacle as a sentence, or None:
    independent.
    Not here: scalars (analysis/assigned.py); arrays that overlap, which the launcher refuses.
    Source: Feautrier's exact dependence test, by isl.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from ompc.analysis.accesses import Access
from ompc.analysis.affine import Nest, read_set
from ompc.analysis.indivisible import Indivisible
from ompc.omp.model import CanonicalLoop
from ompc.sema import tree as t
from ompc.sema import types as ty
from ompc.sema.show import c_expr
from ompc.sema.walk import walk


@dataclass(slots=True)
class _FixedOuter(Nest):
    """A nest whose `outer` counters are fixed:
    expressions of them and of invariants are opaque parameters, by their text.
    """

    outer: frozenset[t.Symbol] = frozenset()
    opaque: dict[str, str] = field(default_factory=dict)

    def affine(self, node: t.Expr) -> str | None:
        found = Nest.affine(self, node)
        if found is None and ty.is_integer(node.type) and self._is_fixed(node):
            return self.opaque.setdefault(c_expr(node), f"q{len(self.opaque)}")
        return found

    def _is_fixed(self, node: t.Expr) -> bool:
        for part in walk(node):
            match part:
                case t.IntConst() | t.Binary() | t.Unary(op="+" | "-" | "~") | t.Cast() | t.Sizeof():
                    pass
                case t.Name(symbol=symbol) if symbol in self.outer or symbol in self.invariant:
                    pass
                case _:
                    return False
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sequential loop inside `outer` (outermost first); `inner` are the canonical sequential loops further in.

    `twins`: loops with the same iterations, which count as the same loop.
    """

    loop: CanonicalLoop
    outer: tuple[CanonicalLoop, ...]
    inner: Mapping[t.For, CanonicalLoop]
    invariant: frozenset[t.Symbol]
    twins: tuple[CanonicalLoop, ...] = ()

    def around(self, access: Access) -> CanonicalLoop:
        """The candidate, or that of its twins which the access is in."""
        return next((twin for twin in self.twins if twin.statement in access.context), self.loop)


def obstacle(candidate: Candidate, accesses: Sequence[Access], indivisible: Indivisible) -> str | None:
    """Why iterations of the candidate may touch what another one writes; None: they are independent.

    `accesses` are those to objects outside the threads.
    """
    written = {access.root for access in accesses if access.mode.writes}
    try:
        for first in (access for access in accesses if access.mode.writes):
            for second in (access for access in accesses if access.root in written and access.root == first.root):
                if not indivisible.commute(first, second) and _may_conflict(candidate, first, second):
                    return f"iterations may touch the same element of '{first.root}'"
    except isl.Error:
        return "the dependence test is too large"
    return None


def _may_conflict(candidate: Candidate, first: Access, second: Access) -> bool:
    if first.subscripts is None or second.subscripts is None or len(first.subscripts) != len(second.subscripts):
        return True
    outer = frozenset(loop.var for loop in candidate.outer)
    nest = _FixedOuter(candidate.invariant, outer=outer)
    entered = [nest.enter(loop) for loop in candidate.outer]
    shared = dict(nest.counters)
    one = _place(nest, candidate, first)
    nest.counters = shared
    other = _place(nest, candidate, second)
    if one is None or other is None:
        return True
    constraints = [text for text in entered if text is not None]  # a bound that is not affine constrains nothing
    constraints += [*one.constraints, *other.constraints, f"{one.counter} != {other.counter}"]
    constraints += [f"{a} = {b}" for a, b in zip(one.subscripts, other.subscripts, strict=True)]
    names = ", ".join(nest.named)
    parameters = ", ".join([*nest.parameters.values(), *nest.opaque.values()])
    text = f"[{parameters}] -> {{ [{names}] : {' and '.join(constraints)} }}"
    return not read_set(isl.Context(), text).is_empty()


@dataclass(frozen=True, slots=True)
class _Place:
    constraints: list[str]
    counter: str
    subscripts: list[str]


def _place(nest: _FixedOuter, candidate: Candidate, access: Access) -> _Place | None:
    """The access in an iteration of its own:
    its loops' constraints and its subscripts; None when they are not affine.
    """
    loop = candidate.around(access)
    constraints = [nest.enter(loop)]
    counter = nest.counters.get(loop.var)
    for node in access.context:
        if isinstance(node, t.For) and node is not loop.statement:
            if node not in candidate.inner:
                return None
            constraints.append(nest.enter(candidate.inner[node]))
    subscripts = [nest.affine(subscript) for subscript in access.subscripts or ()]
    if counter is None or None in constraints or None in subscripts:
        return None
    return _Place([str(text) for text in constraints], counter, [str(text) for text in subscripts])
