"""Plan: which kinds of loops groups of threads may share, by what else is decided of the file.

    In: Choices of the file, what is in constant memory.   Out: LaneChoices.
    Not here: which loops are of a kind -- lane_finder.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from ompc.base.frozen import dataclass
from ompc.base.options import FloatingPoint, Level
from ompc.ir import tree as t
from ompc.omp.model import Override
from ompc.plan.memory.variables import Choices
from ompc.plan.model.variable import Variable


class Kind(Enum):
    """Which loops: of rows of different lengths; of equal lengths, for lanes; for the warps of a block; for all threads
    of a block (split_sums.py); likewise, and they may store (group_loops.py).
    """

    ROWS = auto()
    EQUAL = auto()
    HELPED = auto()
    SPLIT = auto()
    GROUP = auto()


def may_choose(asked: Override) -> bool:
    """Is it left to ompc how many threads an iteration has, and in which blocks?"""
    return not (asked.threads or asked.blocks or asked.annotated_only or asked.shape.lanes == 0)


@dataclass(frozen=True, slots=True)
class LaneChoices:
    """What else has been decided: `constants` are the arrays in constant memory."""

    level: Level
    fp: FloatingPoint = FloatingPoint.DEFAULT
    constants: frozenset[t.Symbol] = frozenset()
    without: frozenset[str] = frozenset()

    @staticmethod
    def of(choices: Choices, constants: Iterable[Variable]) -> LaneChoices:
        fp, without = choices.contraction.fp, choices.without
        return LaneChoices(choices.level, fp, frozenset(v.symbol for v in constants), without)
