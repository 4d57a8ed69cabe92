"""Analysis: sets of integers, as isl has them: built in one place, under one budget.

    Sets().of(["p0"], Piece(("a0",), ("a0 = i0 + 1", "0 <= i0", "i0 < p0"), ("i0",)))
        [p0] -> { [a0] : exists i0: a0 = i0 + 1 and 0 <= i0 and i0 < p0 }

The constraints come as isl's text, which it reads in less time than Python calls its functions for them. What is asked
of the sets of one file may cost so much in all; the answer is unknown where that is spent, and the user is told.

    In: names of parameters, pieces.   Out: isl.Set, or an answer; isl.Error: it is too much to ask.
    Not here: what the constraints say of a program -- domain_forms.py, constraints.py.
    Source: isl (Verdoolaege, ICMS 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import islpy as isl

from ompc.base.diagnostics import Diagnostic, InternalError, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location

MOST_OPERATIONS, LEAST_OPERATIONS = 40_000, 500
"""The most and the fewest isl operations that a question is granted; the answer is unknown when they run out. One
question in a thousand needs more than 4,000, those about the work arrays of NAS BT and MG 30,000; strides of 3 and 1000
in one subscript use up whatever they are granted.
"""

FEW_VARIABLES = 12
"""The most variables of a question that gets its full share of operations. With more of them the numbers in isl's
tables get long, and an operation takes many times as long.
"""

MOST_TO_READ = MOST_OPERATIONS
"""The most isl operations for reading one question, whatever is left for answers. Conditions in each other are
multiplied out when they are read. Questions of NAS BT and MG need up to some 10,000, bounds of tiles 400,000.
"""

PARTS_READ_TOGETHER = 50
"""The most parts of a union that isl reads at once. Reading takes a time that grows with the square of the number of
parts, 5 s for 5,000; two sets that have been read become one at once.
"""

OPERATIONS_OF_FILE = 160_000
"""The isl operations that all the questions about one file which remain without an answer may cost together. A question
gets a quarter of what is left at most, or LEAST_OPERATIONS, so that something is left for those behind it.
"""


@dataclass(slots=True)
class _Allowance:
    """What isl may still do for a file. `asked`: where the last question was asked, which had `granted` operations.
    `too_large`: the code about which some question remained without an answer.
    """

    left: int = OPERATIONS_OF_FILE
    granted: int = 0
    asked: isl.Context | None = None
    too_large: dict[Location, None] = field(default_factory=dict)

    def begin(self) -> None:
        self.left, self.asked, self.too_large = OPERATIONS_OF_FILE, None, {}

    def grant(self, context: isl.Context, variables: int, most: int | None = None) -> int:
        """For the next question, which is asked in `context` about sets with at most so many variables, and which may
        take no more than `most`.
        """
        if self.asked is not None and _has_none_left(self.asked):
            self.left -= self.granted
        self.asked, self.granted = context, max(LEAST_OPERATIONS, min(most or MOST_OPERATIONS, self.left // 4))
        share = min(1.0, FEW_VARIABLES / max(1, variables))
        return max(1, int(self.granted * share * share * share))  # isl takes 0 for no bound at all


_ALLOWANCE = _Allowance()


def begin_file() -> None:
    """From here on questions are about another file."""
    _ALLOWANCE.begin()
    _ANSWERS.clear()
    _IDLE.clear()


_Answer = TypeVar("_Answer")
_Other = TypeVar("_Other")


def answered(question: Callable[[], _Answer], otherwise: _Other, about: Location) -> _Answer | _Other:
    """The answer to a question about the code at `about`; `otherwise` where it is too much to ask."""
    try:
        return question()
    except isl.Error:
        _ALLOWANCE.too_large[about] = None
        return otherwise


def left_without_answers() -> tuple[Diagnostic, ...]:
    """What the user is told of that."""
    message = "which elements are accessed here is too large a question, of which the answer counts as not known"
    places = sorted(_ALLOWANCE.too_large, key=lambda place: (place.file, place.line))
    return tuple(Diagnostic("OMPC366", Kind.HOST, message, place) for place in places)


def _has_none_left(context: isl.Context) -> bool:
    try:
        isl.Space.params_alloc(context, 0)
    except isl.Error:
        return True
    return False


@dataclass(frozen=True, slots=True)
class Piece:
    """The points of some `dimensions` at which all `constraints` hold for some values of what is `quantified`. Without
    dimensions, for which parameters there is anything.
    """

    dimensions: tuple[str, ...] | None
    constraints: tuple[str, ...]
    quantified: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        point = "" if self.dimensions is None else f"[{', '.join(self.dimensions)}] "
        exists = f"exists {', '.join(self.quantified)}: " if self.quantified else ""
        return f"{point}: {exists}{' and '.join(self.constraints) or 'true'}"

    @property
    def variables(self) -> int:
        inside = sum(constraint.count("exists ") for constraint in self.constraints)
        return len(self.dimensions or ()) + len(self.quantified) + inside


@dataclass(slots=True, eq=False)
class _Reader:
    """A context of isl's, and the texts that it has read."""

    context: isl.Context = field(default_factory=isl.Context)
    known: dict[str, isl.Set] = field(default_factory=dict)


_IDLE: list[_Reader] = []
"""Those of the file that no question uses now."""


def _reader() -> _Reader:
    while True:
        try:
            reader = _IDLE.pop()
        except IndexError:
            return _Reader()
        if not _has_none_left(reader.context):  # else it is left as it is, for `_Allowance.grant` to see
            return reader


class Sets:
    """Sets of one context of isl's, which is theirs as long as they are there: what is asked of others takes nothing of
    what they are granted. Each text is parsed once, since walks over code ask for the same ones again and again, and so
    do the walks over what a rewrite makes of it: sets do not change, so the next question may have those that were
    read for this one. `most`: the operations that a question may take, if fewer than others.
    """

    def __init__(self, most: int | None = None) -> None:
        self._reader = _reader()
        self._most = most
        self._most_variables = 0

    def __del__(self) -> None:
        _IDLE.append(self._reader)

    def of(self, parameters: Iterable[str], *pieces: Piece) -> isl.Set:
        """The union of one piece or more; questions about it may take a bounded time. InternalError: it is no isl."""
        self._most_variables = max(self._most_variables, *(piece.variables for piece in pieces))
        names, texts = ", ".join(parameters), [piece.text for piece in pieces]
        together = range(0, len(texts), PARTS_READ_TOGETHER)
        sets = [self._parsed(f"[{names}] -> {{ {'; '.join(texts[k : k + PARTS_READ_TOGETHER])} }}") for k in together]
        while len(sets) > 1:
            pairs = zip(sets[::2], sets[1::2], strict=False)
            sets = [one.union(other) for one, other in pairs] + sets[len(sets) & ~1 :]
        return sets[0]

    def _parsed(self, text: str) -> isl.Set:
        context, known = self._reader.context, self._reader.known
        granted = _ALLOWANCE.grant(context, self._most_variables, self._most)
        found = known.get(text)
        if found is None:
            context.reset_operations()
            context.set_max_operations(MOST_TO_READ)
            try:
                found = known[text] = isl.Set.read_from_str(context, text)
            except isl.Error as error:
                if _has_none_left(context):
                    raise
                raise InternalError(f"isl cannot read {text}: {error}") from None
        context.reset_operations()
        context.set_max_operations(granted)
        return found


def is_empty(parameters: Iterable[str], piece: Piece) -> bool:
    """Is there nothing in it, whatever the parameters are? Raises isl.Error where that is too much to ask."""
    question = ", ".join(parameters), piece
    if question not in _ANSWERS:
        try:
            _ANSWERS[question] = bool(Sets().of(parameters, piece).is_empty())
        except isl.Error:
            _ANSWERS[question] = None
    answer = _ANSWERS[question]
    if answer is None:
        raise isl.Error("the question is too large")
    return answer


def only_value(parameters: Iterable[str], piece: Piece) -> int | None:
    """The number that is all there is in one dimension, whatever the parameters are; None: there are others."""
    found = Sets().of(parameters, piece)
    low, high = found.dim_min_val(0), found.dim_max_val(0)
    return low.to_python() if low.is_int() and low.eq(high) else None


def greatest(parameters: Iterable[str], piece: Piece) -> int | None:
    """The largest number in one dimension, whatever the parameters are; None: there is none, or no number at all."""
    high = Sets().of(parameters, piece).dim_max_val(0)
    return high.to_python() if high.is_int() else None


_ANSWERS: dict[tuple[str, Piece], bool | None] = {}
"""The answers to questions about the file. None: the question was too large. It is not asked again, since what is left
for it only gets less.
"""
