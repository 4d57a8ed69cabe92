"""Bisection, and what it says of loops and of their launches.

    first_wrong(100, lambda n: n >= 41)     ->  41, after seven questions

Of a program that is right with no loop on the device, and wrong with all: there is a first loop, in the order in which
they are reached, with which it is wrong and without which it is right. Alone it may be right, since it needs what an
earlier one has done: then those stay with it. So it is with the launches of that loop.

In: the loops that are reached, a question.   Out: `Culprit`.   Not here: running a program -- judge.py; optimisations
-- variants.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ompc.base.frozen import dataclass


def first_wrong(count: int, is_wrong: Callable[[int], bool]) -> int:
    """The smallest number that a bisection finds to be wrong; 0 is known to be right and `count` to be wrong."""
    right, wrong = 0, count
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if is_wrong(middle):
            wrong = middle
        else:
            right = middle
    return wrong


@dataclass(frozen=True, slots=True)
class Reached:
    """A loop that could be launched, `times` so many times where all of them are on the host. `id` and `directive` are
    empty where only its line is known.
    """

    id: str
    file: str
    line: int
    directive: str
    times: int

    @property
    def name(self) -> str:
        """As OMPC_REGIONS has it."""
        return f"{self.id}@{self.file}" if self.id else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.id} {self.file}:{self.line}".strip()


@dataclass(frozen=True, slots=True)
class Launched:
    """Of a run with all loops on the device: how often the loop of each place was launched, on which device."""

    device: str
    times: Mapping[tuple[str, int], int]

    @property
    def count(self) -> int:
        return sum(self.times.values())

    def has(self, loop: Reached) -> bool:
        return self.times.get((loop.file, loop.line), 0) > 0


NOTHING_LAUNCHED = Launched("", {})


@dataclass(frozen=True, slots=True)
class Culprit:
    """`launch`: the first wrong one; None: it is none of those that a right run has. `alone`: no other launch of the
    loop needs to be on the device. `others`: loops without which it is right.
    """

    loop: Reached
    launch: int | None
    alone: bool
    others: tuple[Reached, ...]
    regions: str
    """The OMPC_REGIONS with which the program is wrong, and of which no part can be left out."""


def find_culprit(reached: Sequence[Reached], is_wrong: Callable[[str], bool]) -> Culprit:
    """`is_wrong`: of a value of OMPC_REGIONS, is the program's result another one than the host's?"""
    names = [loop.name for loop in reached]
    place = first_wrong(len(names), lambda count: is_wrong(",".join(names[:count])))
    loop, others = reached[place - 1], tuple(reached[: place - 1])
    if others and is_wrong(loop.name):
        others = ()
    before = "".join(f"{other.name}," for other in others)
    whole = f"{before}{loop.name}"
    if loop.times > 1 and not is_wrong(f"{whole}#..{loop.times}"):
        return Culprit(loop, None, False, others, whole)
    launch = first_wrong(loop.times, lambda count: is_wrong(f"{whole}#..{count}"))
    if launch > 1 and not is_wrong(f"{whole}#{launch}"):
        return Culprit(loop, launch, False, others, f"{whole}#..{launch}")
    return Culprit(loop, launch, True, others, f"{whole}#{launch}")
