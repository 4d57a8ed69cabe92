"""Analysis: are the iterations of the parallel loop itself proved independent, or does the pragma promise it?

A directive says that the iterations may run in any order, and a launch relies on it. For a reader that is not the same
as a proof. Every pair of accesses to one object, at least one of them a write, is asked about with two different
iterations of the annotated loops (all of them together, under `collapse`):

    for (i...) y[i] = a * x[i];           proved, if x and y do not overlap
    for (i...) y[idx[i]] += x[i];         promised: `y[idx[i]]` of two iterations may be the same element
    for (i...) rows[i][0] = 0;            proved, if no two rows overlap (`rows`)

"I do not know" is never a proof: an access in a called function, or by a pointer that moves, is promised. A proof is
about each object by itself. That different pointers lead to different objects is another question.

    In: Facts.   Out: Independence.   Not here: objects that overlap -- guarantees.py; certain races -- races.py.
    Source: Feautrier's exact dependence test, by isl (dependence.py); OpenMP 5.2, 1.4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement

from ompc.analysis.dependence.dependence import Candidate, Dependences
from ompc.analysis.facts import Facts
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.integers.polynomials import Forms, Polynomial
from ompc.analysis.integers.ranges import Range
from ompc.analysis.memory.accesses import Access, by_object
from ompc.analysis.memory.memory_objects import MemoryObject, slots_of
from ompc.analysis.reductions.in_place import reduced_object
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.sema.as_written import as_written

_FAR = 1 << 30
"""Counters without constant bounds reach this magnitude, so nothing is concluded from indices that do."""
MOST_QUESTIONS = 400
"""The most pairs of accesses of one loop that isl is asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two accesses to one object, at least one of them a write, that could not be proved apart. `why`: a clause."""

    first: Access
    second: Access
    why: str


@dataclass(frozen=True, slots=True)
class Independence:
    """`unproved` is empty where the iterations are proved independent as far as one object is concerned; `rows` are
    objects behind stored pointers, no two of which may overlap for that.
    """

    unproved: tuple[Pair, ...]
    rows: tuple[MemoryObject, ...]


def independence(facts: Facts) -> Independence:
    """What is proved of the annotated loops' iterations."""
    questions = _Questions(facts)
    written = {access.obj for access in questions.accesses if access.mode.writes}
    rows = tuple(obj for obj in facts.shared_objects if obj in written and questions.has_several(obj))
    return Independence(tuple(questions.unproved()), rows)


class _Questions:
    """The pairs of one loop. `accesses` are those to objects that iterations share, but for accumulations."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        reduced = {reduced_object(item) for item in facts.loop.reductions}
        if facts.is_proved_independent:
            reduced |= facts.with_one_value  # a promise is nowhere, and who stores it last does not matter
        self.accesses = tuple(
            access
            for access in facts.accesses
            if not facts.is_thread_private(access.obj)
            and access.obj not in reduced
            and not facts.atomic_operations.is_arg_reduced(access)
        )
        loops = facts.loop.loops
        self._levels = tuple(
            Dependences(Candidate(loop, tuple(loops[:k]), facts.relations, within=tuple(loops[k + 1 :])))
            for k, loop in enumerate(loops)
        )
        self._asked = 0

    def has_several(self, obj: MemoryObject) -> bool:
        """Can `obj` stand for more than one object in the accesses of the loop?"""
        if not obj.stored or self._facts.may_meet_itself(obj):
            return False
        if any(
            len(slots_of(MemoryObject(obj.symbol, obj.path[:k])) or "none") > 1 for k in range(1, len(obj.path) + 1)
        ):
            return True  # members that are arrays of pointers
        selected = {self._selection(access) for access in self.accesses if access.obj == obj}
        return None in selected or len(selected) > 1

    @staticmethod
    def _selection(access: Access) -> tuple[int, ...] | None:
        """The constants that select the pointer which is followed; None: it is not the same in all iterations."""
        if access.subscripts is None:
            return None
        values = [constant_value(subscript) for subscript in access.subscripts[: access.outer]]
        return None if None in values else tuple(value for value in values if value is not None)

    def unproved(self) -> Iterator[Pair]:
        for accesses in by_object(self.accesses).values():
            if any(access.mode.writes for access in accesses):
                different = self._different(accesses)
                leaving = [access for access in different if self._leaves_row(access)]
                yield from (Pair(access, access, "it goes beyond its row, into other rows") for access in leaving)
                yield from self._pairs([access for access in different if access not in leaving])

    def _leaves_row(self, access: Access) -> bool:
        """Is a row's subscript, in loops between constants, beyond its length? For the test rows are apart."""
        forms = Forms(self._facts.known.invariant, self._facts.known.definitions)
        for loop in self._facts.relations.around(access):
            forms.enter(loop)
        return any(_is_beyond(forms.of(index), length, forms.ranges) for index, length in _in_rows(access.node))

    def _pairs(self, accesses: list[Access]) -> Iterator[Pair]:
        for first, second in combinations_with_replacement(accesses, 2):
            if first.mode.writes or second.mode.writes:
                why = None if self._facts.atomic_operations.commute(first, second) else self._why_not(first, second)
                if why is not None:
                    yield Pair(first, second, why)

    def _why_not(self, first: Access, second: Access) -> str | None:
        """Why two iterations may touch the same element by these; None: they do not."""
        if first.subscripts == second.subscripts == ():
            return f"all iterations share `{first.obj}`"
        for access in (first, second):
            if access.subscripts is None:
                where = f" in {access.function.name}" if access.function is not None else ""
                return f"which element `{as_written(access.node)}`{where} is, is not known"
        if self._asked >= MOST_QUESTIONS:
            return "the loop has too many pairs of accesses to ask about each"
        self._asked += 1
        asked = partial(self._may_meet, first, second)
        return answered(asked, "the dependence test is too large", self._facts.loop.loc)

    def _may_meet(self, first: Access, second: Access) -> str | None:
        meet = any(level.may_conflict(first, second) for level in self._levels)
        return "they may be the same element in two iterations" if meet else None

    def _different(self, accesses: Sequence[Access]) -> list[Access]:
        """One of those that are alike, a write before a read: of most elements there are several in the text."""
        found: dict[object, Access] = {}
        for access in sorted(accesses, key=lambda access: not access.mode.writes):
            found.setdefault((self._facts.atomic_operations.operation(access), _place(access)), access)
        chosen = set(found.values())
        return [access for access in accesses if access in chosen]


def _in_rows(lvalue: t.Expr) -> Iterator[tuple[t.Expr, int]]:
    """The subscripts of rows, and of arrays that are members, each with the constant length."""
    while isinstance(lvalue, (t.Index, t.Member)):
        base = lvalue.base
        array = base.type if isinstance(base, (t.Index, t.Member)) and isinstance(base.type, ty.Array) else None
        if isinstance(lvalue, t.Index) and array is not None and isinstance(array.length, int):
            yield lvalue.index, array.length
        lvalue = base


def _is_beyond(place: Polynomial | None, length: int, ranges: Mapping[t.Symbol, Range]) -> bool:
    """For certain: whatever is not known is within."""
    ends = None
    if place is not None and place.degree <= 1:
        ends = place.range(lambda factor: ranges.get(factor) if isinstance(factor, t.Symbol) else None)
    return ends is not None and max(map(abs, ends)) < _FAR and (ends[0] < 0 or ends[1] >= length)


def _place(access: Access) -> object:
    """Equal for accesses to the same elements in the same loops."""
    if access.subscripts is None:
        return access.function, c_expr(access.node)
    nodes = (node for subscript in access.subscripts for node in walk(subscript))
    names = tuple(node.symbol for node in nodes if isinstance(node, t.Name))
    loops = tuple(node for node in access.context if isinstance(node, t.For))
    return tuple(map(c_expr, access.subscripts)), names, loops
