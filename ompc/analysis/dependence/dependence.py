"""Analysis: which iterations of a loop depend on each other, and by how many iterations?

The user's directive says of the annotated loop that none do; of a loop inside it, it must be proved. Two accesses to
one array, at least one of them a write, conflict when some iteration of the outer loops and two different iterations of
the loop touch the same element. isl decides whether there is such a point, in the domains of both (access_relation.py):

    for j: uold[i][j] = u[i][j]            { j, j' : j != j', (i, j) = (i, j') } is empty: independent
    for k: c[i][j] += a[i][k] * b[k][j]    (i, j) = (i, j) for every k != k': a conflict
    for j: if (j > k) a[i][j] -= a[i][k]   { j, j' : j > k, (i, j) = (i, k) } is empty: independent
    for j: a[i][j + 1 < n ? j + 1 : 0] = 0 two accesses, each under its condition, and so three pairs: independent
    for j: c[j].x = 1, c[j + 1].y = 2      different members: independent

Within one outer iteration, what is built from outer counters and invariants alone is a fixed number, also where it is
not affine: `u[i * m + j]` is `p + j`. Of the others, linear subscripts are those of several dimensions where that is
proved: `u[j * m + k]` is `u[j][k]` (analysis/integers/delinearisation.py).

So is an integer of the thread's own that the loop leaves alone. A pointer of that kind leads to one place in all of its
iterations, whatever that is, so that elements behind it are told apart by what is added to it:

    p = &f[first[i]];  for j: p[j].x += ...     { j, j' : j != j', j = j' } is empty: independent

Behind stored pointers there may be one object at several places of a table, or objects that overlap. Where nobody rules
that out, the subscripts that select the pointer tell nothing apart: they are to be the same number in both iterations,
and then the rest of the subscripts is compared, of one object.

    for j: rows[first[i]][j] = rows[first[i]][j + n]        one row: j = j' + n
    for j: rows[j][i] = ...                                 rows[j] and rows[j'] may be one row: a conflict

What the coefficients and constant bounds of a subscript say is asked before isl is. Atomic updates of one kind may be
done in any order, so two of them are no conflict.

    In: a loop and those around it, access relations.
    Out: Dependence of two accesses; the first obstacle of a loop as a sentence, or None: independent.
    Not here: scalars (analysis/flow/definite_assignment.py); arrays that overlap, which the launcher refuses.
    Source: Feautrier's exact dependence test, by isl; directions and distances, Allen and Kennedy, "Optimizing
    Compilers for Modern Architectures", 2.2; the tests before it, 3.3 (GCD, Banerjee).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ompc.analysis.dependence.iteration_pairs import Dependence, Pairs
from ompc.analysis.integers.delinearisation import wanted_extents, where_equal
from ompc.analysis.integers.domain_forms import Comparison, Condition
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.integers.polynomials import CounterCopy, Factor, Polynomial, variable
from ompc.analysis.memory.access_relation import AccessRelation, AccessRelations
from ompc.analysis.memory.accesses import Access, by_object
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.atomic_operations import AtomicOperations
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir.access_paths import access_path
from ompc.ir.queries import set_in
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A loop whose iterations may be independent.

    `loop`       the loop that is asked about
    `outer`      the loops around it, outermost first
    `relations`  of the accesses in it
    `within`     loops around every access inside `loop`, as those that a `collapse` clause names have
    `meeting`    what stored pointers lead to, where two of them may lead to one object, or to some that overlap
    `apart`      what else is known of two accesses: they are to different objects, in whichever iterations
    """

    loop: CanonicalLoop
    outer: tuple[CanonicalLoop, ...]
    relations: AccessRelations
    within: tuple[CanonicalLoop, ...] = ()
    meeting: frozenset[MemoryObject] = frozenset()
    apart: Callable[[Access, Access], bool] = field(default=lambda _, __: False)


def obstacle(candidate: Candidate, accesses: Sequence[Access], atomic_operations: AtomicOperations) -> str | None:
    """Why iterations of the candidate may touch what another one writes; None: they are independent.

    `accesses` are those to objects outside the threads.
    """
    found = conflict(candidate, accesses, atomic_operations)
    return f"iterations may touch the same element of '{found[0].obj}'" if isinstance(found, tuple) else found


def conflict(
    candidate: Candidate, accesses: Sequence[Access], atomic_operations: AtomicOperations
) -> tuple[Access, Access] | str | None:
    """As `obstacle`: the first two accesses, one that writes before the other, or why there is no answer."""

    def first_conflict() -> tuple[Access, Access] | None:
        return next(Dependences(candidate).conflicts(accesses, atomic_operations), None)

    return answered(first_conflict, "the dependence test is too large", candidate.loop.statement.loc)


def wanted_sizes(
    candidate: Candidate, accesses: Sequence[Access], atomic_operations: AtomicOperations
) -> dict[t.Symbol, int]:
    """From which values on of sizes iterations that may conflict do not; nothing where no sizes help. Raises isl.Error.

    for j < 16, i < 16: a[i * n + j]        n: 16
    """
    dependences, found = Dependences(candidate), dict[t.Symbol, int]()
    for first, second in dependences.conflicts(accesses, atomic_operations):
        wanted = dependences.wanted_sizes(first, second)
        if not wanted:
            return {}
        found |= {symbol: max(least, found.get(symbol, 0)) for symbol, least in wanted.items()}
    return found


def _pairs(accesses: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """Those of which one writes, once: whether two accesses conflict does not depend on their order."""
    writes = [access for access in accesses if access.mode.writes]
    reads = [access for access in accesses if not access.mode.writes]
    for position, first in enumerate(writes):
        for second in (*writes[position:], *reads):
            yield first, second


@dataclass(slots=True)
class Dependences:
    """Questions about the iterations of one candidate: where an access is, and what was answered about two places."""

    candidate: Candidate
    _behind: dict[Access, Access] = field(default_factory=dict)
    _places: dict[tuple[Access, int], tuple[_Place, ...] | None] = field(default_factory=dict)
    _same: dict[_Place, _Place] = field(default_factory=dict)
    _answers: dict[tuple[int, int], bool] = field(default_factory=dict)

    def conflicts(
        self, accesses: Sequence[Access], atomic_operations: AtomicOperations
    ) -> Iterator[tuple[Access, Access]]:
        """The pairs that may touch the same element in two iterations, one of which writes. Raises isl.Error."""
        for found in by_object(accesses).values():
            for first, second in _pairs(self.distinct(found, atomic_operations)):
                if not atomic_operations.commute(first, second) and self.may_conflict(first, second):
                    yield first, second

    def places(self, first: Access, second: Access) -> list[tuple[_Place, _Place]] | None:
        """Where both are in one iteration: in each of their cases; None: not known."""
        return self._pairs(first, second, copy=0)

    def distinct(self, accesses: Sequence[Access], atomic_operations: AtomicOperations) -> list[Access]:
        """The first of all accesses to the same elements, and the first that writes them: pairs of others have the same
        answer. Straight-line code names the elements of a small block hundreds of times.
        """
        found: dict[object, Access] = {}
        for access in accesses:
            known = access.subscripts is not None and atomic_operations.operation(access) is None
            places = self._of(access, 0) if known else None
            found.setdefault(access if places is None else (*map(id, places), access.mode.writes), access)
        return list(found.values())

    def may_conflict(self, first: Access, second: Access) -> bool:
        """May two iterations touch the same element? Raises isl.Error where that is too much to ask."""
        if self.candidate.apart(first, second):
            return False
        pairs = self._pairs(first, second)
        return pairs is None or any(self._conflict(*pair) for pair in pairs)

    def _conflict(self, one: _Place, other: _Place) -> bool:
        key = id(one), id(other)
        if key not in self._answers:
            self._answers[key] = not _is_one_row(one, other) or (
                not _are_apart(one, other) and self._may_meet(one, other)
            )
        return self._answers[key]

    def wanted_sizes(self, first: Access, second: Access) -> dict[t.Symbol, int]:
        """The sizes from which on two iterations do not touch the same element, as far as those can be the reason."""
        found: dict[t.Symbol, int] = {}
        for one, other in self._pairs(first, second) or ():
            if self._conflict(one, other):
                wanted = self._wanted_sizes(one, other)
                if not wanted:
                    return {}
                found |= {symbol: max(least, found.get(symbol, 0)) for symbol, least in wanted.items()}
        return found

    def _wanted_sizes(self, one: _Place, other: _Place) -> dict[t.Symbol, int] | None:
        if one.relation.wraps or other.relation.wraps or not _is_one_row(one, other):
            return None
        different = Comparison(variable(one.counter) + -variable(other.counter), "!=")
        pairs = self._domain(one, other, different)
        for a, b in zip(one.relation.subscripts, other.relation.subscripts, strict=True):
            wanted = None if a is None or b is None else wanted_extents(a, b, pairs)
            if wanted:
                return wanted
        return None

    def between(self, first: Access, second: Access) -> Dependence | None:
        """In which iterations they touch the same element; None: not known. Raises isl.Error as `may_conflict`."""
        found = self._pairs(first, second)
        if found is None:
            return None
        all_found = [self._between(*pair) for pair in found]
        known = [each for each in all_found if each is not None and each.directions]
        if None in all_found or not known:
            return None if None in all_found else Dependence(frozenset())
        distances = {each.distance for each in known}
        directions = frozenset(direction for each in known for direction in each.directions)
        return Dependence(directions, distances.pop() if len(distances) == 1 else None)

    def _between(self, one: _Place, other: _Place) -> Dependence | None:
        if not _is_one_row(one, other):
            return None
        if _members_differ(one, other):
            return Dependence(frozenset())
        pairs = self._meeting(one, other)
        if pairs is None:
            return None
        ahead = variable(other.counter) + -variable(one.counter)
        steps = ahead if not self.candidate.loop.down else -ahead
        return pairs.dependence(steps, self.candidate.loop.constant_step or 1)

    def _pairs(self, first: Access, second: Access, copy: int = 1) -> list[tuple[_Place, _Place]] | None:
        """All places of the first with all of the other, in an iteration of its own; None: nothing is known of one."""
        if first.subscripts is None and first.base is not None and first.base is second.base:
            first, second = self._counted_from_base(first), self._counted_from_base(second)
        if first.subscripts is None or second.subscripts is None or len(first.subscripts) != len(second.subscripts):
            return None
        some, others = self._of(first, 0), self._of(second, copy)
        return None if some is None or others is None else list(product(some, others))

    def _counted_from_base(self, access: Access) -> Access:
        """The access with the subscripts that count from where its pointer leads, if that is one place in the loop."""
        base = access.base
        if base is None or access.function is not None or not base.is_automatic:
            return access
        if access not in self._behind:
            subscripts = None if _moves(base, self.candidate.loop) else access_path(access.node).leading_subscripts
            self._behind[access] = replace(access, subscripts=subscripts)
        return self._behind[access]

    def _of(self, access: Access, copy: int) -> tuple[_Place, ...] | None:
        """The access in an iteration of its own; each place is one object for all accesses to the same elements."""
        key = access, copy
        try:
            return self._places[key]
        except KeyError:
            found = _places(self.candidate, access, copy)
        self._places[key] = None if found is None else tuple(self._same.setdefault(place, place) for place in found)
        return self._places[key]

    def _may_meet(self, one: _Place, other: _Place) -> bool:
        different = Comparison(variable(one.counter) + -variable(other.counter), "!=")
        pairs = self._meeting(one, other, different)
        return pairs is None or not pairs.is_empty()

    def _meeting(self, one: _Place, other: _Place, *conditions: Condition) -> Pairs | None:
        """The pairs of iterations in which both are the same element, and those conditions hold; None: not known."""
        pairs = self._domain(one, other, *conditions)
        for a, b in (*zip(one.relation.subscripts, other.relation.subscripts, strict=True), *_inside_both(one, other)):
            if a is None or b is None:
                continue  # whatever it is: they may be equal
            difference = a + -b
            wrapped = pairs.may_wrap(difference)
            equations = pairs.where_wrapped(difference) if wrapped else where_equal(a, b, pairs)
            if equations is None:
                return None
            pairs.add(*equations)
        return pairs

    def _domain(self, one: _Place, other: _Place, *conditions: Condition) -> Pairs:
        """All pairs of iterations in which there are both, and those conditions hold."""
        pairs = Pairs(dict(self.candidate.relations.ranges), wraps=one.relation.wraps or other.relation.wraps)
        for bounds in (*one.relation.loops, *other.relation.loops):
            pairs.enter(bounds)
        known = self.candidate.relations.known.conditions
        for condition in (*known, *conditions, *one.relation.conditions, *other.relation.conditions):
            pairs.hold(condition)
        return pairs


def _moves(pointer: t.Symbol, loop: CanonicalLoop) -> bool:
    """May it lead elsewhere in another iteration?"""
    return pointer in set_in(loop.body)


@dataclass(frozen=True, slots=True)
class _Place:
    """An access in an iteration of its own, `counter`, of the candidate; equal ones touch the same elements. `rows`:
    so many subscripts select a pointer, and what others lead to may be the same.
    """

    counter: Factor
    relation: AccessRelation
    rows: int = 0


def _places(candidate: Candidate, access: Access, copy: int) -> list[_Place] | None:
    """The access in an iteration of its own, in each of its cases; None: nothing is known of its place."""
    own = candidate.loop
    around = {loop.statement for loop in (*candidate.outer, own)}
    inner = [node for node in access.context if isinstance(node, t.For) and node not in around]
    outer = frozenset(loop.var for loop in candidate.outer)
    if any(node not in candidate.relations.inner for node in inner) or own.constant_step is None:
        return None
    turning = [own, *candidate.within, *(candidate.relations.inner[node] for node in inner)]
    if any(loop.var in outer or loop.var.address_taken for loop in turning):
        return None
    relations = candidate.relations.cases(access, (*candidate.outer, *turning))
    counter = CounterCopy(own.var, copy)
    rows = access.outer if access.obj in candidate.meeting else 0
    return [_Place(counter, relation.in_iteration(copy, outer), rows) for relation in relations]


def _is_one_row(one: _Place, other: _Place) -> bool:
    """Does the same pointer lead there in both iterations, or are all rows apart?"""
    rows = max(one.rows, other.rows)
    return all(
        a is not None and b is not None and not (a + -b).terms
        for a, b in zip(one.relation.subscripts[:rows], other.relation.subscripts[:rows], strict=True)
    )


def _inside_both(one: _Place, other: _Place) -> Iterator[tuple[Polynomial | None, Polynomial | None]]:
    """The subscripts of member arrays, as far as both go into the same ones."""
    for a, b in zip(one.relation.inside, other.relation.inside, strict=False):
        if isinstance(a, str) and isinstance(b, str):
            if a != b:
                return
        elif isinstance(a, str) or isinstance(b, str):
            return
        else:
            yield a, b


def _members_differ(one: _Place, other: _Place) -> bool:
    """Are they different members, or elements of member arrays, of whatever structs?"""
    for a, b in zip(one.relation.inside, other.relation.inside, strict=False):
        if isinstance(a, str) or isinstance(b, str):
            if a != b:
                return isinstance(a, str) and isinstance(b, str)
        elif a is not None and b is not None and (a + -b).constant not in (None, 0):
            return True
    return False


def _are_apart(one: _Place, other: _Place) -> bool:
    """Are they different elements, or the same one in the same iteration alone, by the look of a subscript?"""
    if _members_differ(one, other):
        return True
    turn = variable(one.counter) + -variable(other.counter)
    for a, b in zip(one.relation.subscripts, other.relation.subscripts, strict=True):
        if a is not None and b is not None:
            difference = a + -b
            if difference.constant not in (None, 0):
                return True  # x[i][0] and x[i][1]
            if len(difference.terms) == 2 and difference in (turn, -turn):
                return True  # x[i][j] and x[i'][j']
            if not (one.relation.wraps or other.relation.wraps) and _is_never_0(difference, (one, other)):
                return True
    return False


def _is_never_0(difference: Polynomial, places: Sequence[_Place]) -> bool:
    """By the common divisor of its coefficients, or by the ranges of its variables: 2 * i - 2 * j + 1, i + 10 - j."""
    moving, constant = difference.split()
    divisor = math.gcd(*(coefficient for _, coefficient in moving.terms))
    if divisor and constant % divisor:
        return True
    ranges = {bounds.counter: bounds.range for place in places for bounds in place.relation.loops}
    found = difference.range(ranges.get)
    return found is not None and not found[0] <= 0 <= found[1]
