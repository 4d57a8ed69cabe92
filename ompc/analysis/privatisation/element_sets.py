"""Analysis: which elements of one object are written at a place of the code, and which are read without that.

Sets of isl's over the variables of the loops around a place and the elements of the object (parts.py):

    for (i = 0; i < n; i++) { t[i] = x; y = t[i]; }     inside: {(i, e): e = i, 0 <= i < n} is written, e = i read
                                                        behind: {(e): 0 <= e < n} is written

`outside` collects the places whose subscripts are certainly outside the object, where the program has no meaning.

Where that depends on how large numbers are that the program has settled (settled.py), so that some loop turns at all,
their least values are a part of the answer:

    for (i = 0; i < n; i++) t[i] = 1;   x = t[0];       nothing exposed, if n >= 1

    In: loops, conditions and parts, in the order of execution.   Out: ElementSets.found.
    Not here: the order -- upward_exposed.py; constraints of loops and conditions -- constraints.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

import islpy as isl

from ompc.analysis.integers.constraints import Points
from ompc.analysis.integers.domain_forms import Bounds, Condition
from ompc.analysis.integers.integer_sets import Piece, Sets
from ompc.analysis.integers.polynomials import Factor, Monomial
from ompc.analysis.memory.parts import Leaves, Part
from ompc.analysis.privatisation.settled import AtLeast, Place
from ompc.base.frozen import dataclass
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


_ALL = "1 = 1"

MOST_LEAST, MOST_BOUNDS = 8, 6
"""The largest least value, and how many are looked for: that a grid has an inside, not how large it must be."""


@dataclass(frozen=True, slots=True, eq=False)
class _Entered:
    """A loop, each time that the walk comes to it; its `counter` is a dimension."""

    counter: str


class ElementSets:
    """The sets of one walk. `parameters`: the names of all numbers in them."""

    def __init__(self, kind: ty.Type) -> None:
        self._leaves = Leaves(kind)
        self.parameters: dict[Monomial, str] = {}
        self._sets = Sets()
        self._around = [Points(parameters=self.parameters)]
        self._loops: list[_Entered] = []
        self._exposed: list[tuple[tuple[_Entered, ...], isl.Set]] = []
        self._outside: list[tuple[tuple[_Entered, ...], isl.Set]] = []

    # ------------------------------------------------------------- at one place

    def none(self) -> isl.Set:
        return self._set(self._around[-1], "1 = 0")

    def where(self, condition: Condition | None) -> isl.Set | None:
        """All elements, for those values of the counters around for which it holds; None: that is not affine."""
        points = self._around[-1].copy()
        return self._set(points, _ALL) if points.has_held(condition) else None

    def _set(self, points: Points, *texts: str) -> isl.Set:
        dimensions = (*(entered.counter for entered in self._loops), *self._leaves.dimensions)
        return self._sets.of(self.parameters.values(), *(points.piece(dimensions, text) for text in texts))

    def read(self, part: Part, written: isl.Set, certain: bool) -> None:
        points, subscripts = self._place(part, certain)
        texts = self._leaves.elements(part, subscripts, certain=False) or [_ALL]
        self._note(self._exposed, self._set(points, *texts).subtract(written))

    def write(self, part: Part, written: isl.Set, certain: bool) -> isl.Set:
        """`written` and what is certainly written now."""
        points, subscripts = self._place(part, certain)
        texts = self._leaves.elements(part, subscripts, certain=True)
        return written.union(self._set(points, *texts)).coalesce() if texts else written

    def _place(self, part: Part, certain: bool) -> tuple[Points, list[str | None]]:
        """Where a part is accessed, and its subscripts; notes where they are `certain` to be outside the object."""
        points = self._around[-1].copy()
        subscripts = [None if subscript is None else points.text(subscript) for subscript in part.subscripts]
        outside = self._leaves.outside(part, subscripts) if certain else None
        if outside is not None:
            self._note(self._outside, self._set(points, outside))
        return points, subscripts

    def _note(self, among: list[tuple[tuple[_Entered, ...], isl.Set]], found: isl.Set) -> None:
        at = tuple(self._loops)
        if not found.is_empty() and not any(other == at and found.plain_is_equal(known) for other, known in among):
            among.append((at, found))

    # ---------------------------------------------------------- loops, branches

    def enter(self, bounds: Bounds, written: isl.Set) -> isl.Set | None:
        """Into a loop: `written` as one iteration of it begins; None: its iterations are not affine."""
        points = self._around[-1].copy()
        if not points.has_entered(bounds):
            return None
        self._around.append(points)
        self._loops.append(_Entered(points.counters[bounds.counter]))
        return written.insert_dims(_SET, len(self._loops) - 1, 1)

    def by_earlier(self, written: isl.Set, down: bool) -> isl.Set:
        """What the iterations before the present one have written, where each writes `written`."""
        depth = len(self._loops)
        both = written.intersect(self._set(self._around[-1], _ALL)).insert_dims(_SET, depth, 1)
        names = (*(entered.counter for entered in self._loops[:-1]), "before", "now", *self._leaves.dimensions)
        order = self._sets.of((), Piece(names, (f"before {'>' if down else '<'} now",)))
        return both.intersect(order).project_out(_SET, depth - 1, 1)

    def leave(self, written: isl.Set) -> isl.Set:
        """Out of a loop: what all its iterations have written, where each writes `written`."""
        inside = written.intersect(self._set(self._around[-1], _ALL))
        self._loops.pop()
        self._around.pop()
        return inside.project_out(_SET, len(self._loops), 1).coalesce()

    def under(self, condition: Condition | None) -> bool:
        """Into a branch of an `if`. Is its condition affine?"""
        self._around.append(self._around[-1].copy())
        return self._around[-1].has_held(condition)

    def end_under(self) -> None:
        self._around.pop()

    def marks(self) -> Marks:
        return len(self._exposed), len(self._outside)

    def exposed_since(self, marks: Marks) -> bool:
        """Is anything exposed since then, as far as the program has a meaning there?"""
        return any(not self._meaningful(at, found).is_empty() for at, found in self._exposed[marks[0] :])

    def forget_since(self, marks: Marks) -> None:
        """For another walk over the same code."""
        del self._exposed[marks[0] :], self._outside[marks[1] :]

    # ------------------------------------------------------------------ the answer

    def found(self, place: Callable[[Factor], Place | None]) -> Found:
        """What is exposed; `place`: where the program has a number, if it has settled that."""
        found = ((name, place(factors[0])) for factors, name in self.parameters.items() if len(factors) == 1)
        places = {name: known for name, known in found if known is not None}
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
            numbers = self._sets.of(self.parameters.values(), Piece(None, bounds))
            rest = self._meaningful(at, exposed.intersect_params(numbers)) if least else self._meaningful(at, exposed)
            if not rest.is_empty():
                return rest.params()
        return None

    def _meaningful(self, at: tuple[_Entered, ...], exposed: isl.Set) -> isl.Set:
        """The values of the counters for which something is exposed, and all subscripts are inside the object."""
        found = _places(exposed, len(at))
        for other, wrong in self._outside:
            common = 0
            while at[common : common + 1] == other[common : common + 1] != ():
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
