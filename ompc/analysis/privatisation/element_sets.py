"""Analysis: which elements of one object are written at a place of the code, and which are read without that.

Sets of isl's over the variables of the loops around a place and the elements of the object (parts.py):

    for (i = 0; i < n; i++) { t[i] = x; y = t[i]; }     inside: {(i, e): e = i, 0 <= i < n} is written, e = i read
                                                        behind: {(e): 0 <= e < n} is written

`outside` collects the places whose subscripts are certainly outside the object, where the program has no meaning.

Where that depends on how large numbers are that the program has settled (settled.py), so that some loop turns at all,
their least values are a part of the answer:

    for (i = 0; i < n; i++) t[i] = 1;   x = t[0];       nothing exposed, if n >= 1

    In: parts, in the order of execution.   Out: ElementSets.found.   Not here: the order -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import islpy as isl

from ompc.analysis.integers.integer_sets import Piece, Sets
from ompc.analysis.memory.parts import Leaves, Part
from ompc.analysis.privatisation.settled import AtLeast, Place
from ompc.ir import types as ty

_SET, _PARAMETER = isl.dim_type.set, isl.dim_type.param

Marks = tuple[int, int]


class Use(Enum):
    """What a piece of code reads of an object."""

    OWN_VALUES = "only what it has written itself"
    EARLIER_VALUES = "perhaps what was there before"
    UNKNOWN = "it cannot be followed"


@dataclass(frozen=True, slots=True)
class Found:
    """`use`, as far as all of `least` is so."""

    use: Use
    least: frozenset[AtLeast] = frozenset()


MOST_LEAST, MOST_BOUNDS = 8, 6
"""The largest least value, and how many are looked for: that a grid has an inside, not how large it must be."""


class ElementSets:
    """The sets of one walk; `parameters` gives the names of all numbers that texts use."""

    def __init__(self, kind: ty.Type, parameters: Callable[[], Sequence[str]]) -> None:
        self._leaves = Leaves(kind)
        self._parameters = parameters
        self._sets = Sets()
        self._counters: list[str] = []
        self._constraints: list[str] = []
        self._exposed: list[tuple[tuple[str, ...], isl.Set]] = []
        self._outside: list[tuple[tuple[str, ...], isl.Set]] = []

    # ------------------------------------------------------------- at one place

    def none(self) -> isl.Set:
        return self._set(["1 = 0"])

    def where(self, constraint: str) -> isl.Set:
        """All elements, for those values of the counters around that satisfy `constraint`."""
        return self._set([constraint])

    def _set(self, texts: Sequence[str]) -> isl.Set:
        dimensions = (*self._counters, *self._leaves.dimensions)
        return self._sets.of(self._parameters(), *(Piece(dimensions, (text, *self._constraints)) for text in texts))

    def read(self, part: Part, written: isl.Set, certain: bool) -> None:
        texts = self._leaves.elements(part, certain=False) or ["1 = 1"]
        rest = self._set(texts).subtract(written)
        if not rest.is_empty() and not self._is_known(rest, self._exposed):
            self._exposed.append((tuple(self._counters), rest))
        self._note_subscripts(part, certain)

    def _is_known(self, found: isl.Set, among: Sequence[tuple[tuple[str, ...], isl.Set]]) -> bool:
        at = tuple(self._counters)
        return any(other == at and found.plain_is_equal(known) for other, known in among)

    def write(self, part: Part, written: isl.Set, certain: bool) -> isl.Set:
        """`written` and what is certainly written now."""
        self._note_subscripts(part, certain)
        texts = self._leaves.elements(part, certain=True)
        return written.union(self._set(texts)).coalesce() if texts else written

    def _note_subscripts(self, part: Part, certain: bool) -> None:
        outside = self._leaves.outside(part) if certain else None
        if outside is not None:
            wrong = self._set([outside])
            if not wrong.is_empty() and not self._is_known(wrong, self._outside):
                self._outside.append((tuple(self._counters), wrong))

    # ---------------------------------------------------------- loops, branches

    def enter(self, counter: str, constraint: str, written: isl.Set) -> isl.Set:
        """Into a loop: `written` as one iteration of it begins."""
        self._counters.append(counter)
        self._constraints.append(constraint)
        return written.insert_dims(_SET, len(self._counters) - 1, 1)

    def by_earlier(self, written: isl.Set, down: bool) -> isl.Set:
        """What the iterations before the present one have written, where each writes `written`."""
        depth = len(self._counters)
        both = written.intersect(self.where("1 = 1")).insert_dims(_SET, depth, 1)
        names = (*self._counters[:-1], "before", "now", *self._leaves.dimensions)
        order = self._sets.of((), Piece(names, (f"before {'>' if down else '<'} now",)))
        return both.intersect(order).project_out(_SET, depth - 1, 1)

    def leave(self, written: isl.Set) -> isl.Set:
        """Out of a loop: what all its iterations have written, where each writes `written`."""
        inside = written.intersect(self.where("1 = 1"))
        self._counters.pop()
        self._constraints.pop()
        return inside.project_out(_SET, len(self._counters), 1).coalesce()

    def under(self, constraint: str | None) -> None:
        """Into a branch of an `if`; None: its condition is not affine."""
        self._constraints.append("1 = 1" if constraint is None else constraint)

    def end_under(self) -> None:
        self._constraints.pop()

    def marks(self) -> Marks:
        return len(self._exposed), len(self._outside)

    def exposed_since(self, marks: Marks) -> bool:
        """Is anything exposed since then, as far as the program has a meaning there?"""
        return any(not self._meaningful(at, found).is_empty() for at, found in self._exposed[marks[0] :])

    def forget_since(self, marks: Marks) -> None:
        """For another walk over the same code."""
        del self._exposed[marks[0] :], self._outside[marks[1] :]

    # ------------------------------------------------------------------ the answer

    def found(self, places: Mapping[str, Place]) -> Found:
        """What is exposed; `places`: what some numbers in the sets are."""
        least: dict[str, int] = {}
        for _ in range(MOST_BOUNDS):
            numbers = self._first_exposed(least)
            if numbers is None:
                return Found(Use.OWN_VALUES, frozenset(AtLeast(places[name], n) for name, n in least.items()))
            beyond = _least_beyond(numbers, places)
            if beyond is None:
                break
            least[beyond[0]] = beyond[1]
        return Found(Use.EARLIER_VALUES)

    def _first_exposed(self, least: Mapping[str, int]) -> isl.Set | None:
        """The numbers for which something is exposed, where some of them are `least`; of the first that there is."""
        bounds = tuple(f"{name} >= {number}" for name, number in least.items())
        for at, exposed in self._exposed:
            numbers = self._sets.of(self._parameters(), Piece(None, bounds))
            rest = self._meaningful(at, exposed.intersect_params(numbers)) if least else self._meaningful(at, exposed)
            if not rest.is_empty():
                return rest.params()
        return None

    def _meaningful(self, at: tuple[str, ...], exposed: isl.Set) -> isl.Set:
        """The values of the counters for which something is exposed, and all subscripts are inside the object."""
        found = _places(exposed, len(at))
        for other, wrong in self._outside:
            common = 0
            while common < len(at) and at[common : common + 1] == other[common : common + 1]:
                common += 1
            found = found.subtract(_places(wrong, common).insert_dims(_SET, common, len(at) - common))
        return found


def _least_beyond(numbers: isl.Set, places: Mapping[str, Place]) -> tuple[str, int] | None:
    """A number in `places`, and the least value of it that is in none of the sets of `numbers`."""
    found: list[tuple[int, str]] = []
    for position in range(numbers.dim(_PARAMETER)):
        name = numbers.get_dim_name(_PARAMETER, position)
        greatest = _greatest(numbers, position) if name in places else None
        if name is not None and greatest is not None and greatest < MOST_LEAST:
            found.append((greatest + 1, name))
    if not found:
        return None
    number, name = min(found)
    return name, number


def _greatest(numbers: isl.Set, position: int) -> int | None:
    one = isl.Set.from_params(numbers).move_dims(_SET, 0, _PARAMETER, position, 1)
    greatest = one.dim_max_val(0)
    return greatest.to_python() if greatest.is_int() else None


def _places(elements: isl.Set, depth: int) -> isl.Set:
    """The values of the outer `depth` counters for which there is an element."""
    return elements.project_out(_SET, depth, elements.dim(_SET) - depth)
