"""What the host asks before a launch, since the kernel rests on it: conditions in the words of the program.

    OMPC_OFFLOAD((n >= 1 && !verbose) && ompc_launch_f(...))        else the host runs the loop

In: -   Out: records, each with its `condition`, C text where the pragma stands, and `words` for people.
Not here: who asks what -- ParallelLoop.asked says where.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir.inspector import Inspector
from ompc.ir.tree import Symbol


@dataclass(frozen=True, slots=True)
class LeastValue:
    """That `text`, an integer where the pragma stands, is `number` or more."""

    text: str
    number: int

    @property
    def condition(self) -> str:
        return f"{self.text} >= {self.number}"

    @property
    def words(self) -> str:
        """For people."""
        return self.condition


@dataclass(frozen=True, slots=True)
class Unswitched:
    """That a branch is not taken which the kernel does not have: the one for when `text`, a condition, `holds`."""

    text: str
    holds: bool

    @property
    def condition(self) -> str:
        text = self.text if self.text.isidentifier() else f"({self.text})"
        return f"!{text}" if self.holds else text

    @property
    def words(self) -> str:
        """For people."""
        return self.condition


@dataclass(frozen=True, slots=True)
class Within:
    """That the integer `symbol`, where the pragma stands, is `least` or more, and not above `greatest`; None: as large
    as it likes.
    """

    symbol: Symbol
    least: int
    greatest: int | None

    @property
    def condition(self) -> str:
        if self.greatest == self.least:
            return f"{self.symbol.name} == {self.least}"
        above = f"{self.symbol.name} >= {self.least}"
        return above if self.greatest is None else f"{above} && {self.symbol.name} <= {self.greatest}"

    @property
    def words(self) -> str:
        """For people."""
        return self.condition


@dataclass(frozen=True, slots=True)
class Divisible:
    """That `size` is a multiple of `by`, a positive number; both are the text of integers where the pragma stands."""

    size: str
    by: str

    @property
    def condition(self) -> str:
        return f"{self.by} > 0 && {self.size} % {self.by} == 0"

    @property
    def words(self) -> str:
        """For people."""
        return f"{self.size} is a multiple of {self.by}"


@dataclass(frozen=True, slots=True)
class TeamSize:
    """That the number of threads of a region, `text`, is known: no limit, no adjustment, no region around it."""

    text: str

    @property
    def condition(self) -> str:
        return f"{self.text} > 0"

    @property
    def words(self) -> str:
        """For people."""
        return "it is known how many threads the region has"


@dataclass(frozen=True, slots=True)
class Inspected:
    """That no iteration reads of `objects` what it has not written itself, as the function `name` finds where the
    program has settled `arguments`.
    """

    name: str
    objects: tuple[str, ...]
    arguments: tuple[str, ...]
    inspector: Inspector

    def called(self, tag: str) -> str:
        """The condition, where `tag` tells the names of the file from those of the program's other files."""
        return f"{self.name}{tag and '_'}{tag}({', '.join(self.arguments)})"

    @property
    def words(self) -> str:
        """For people."""
        where = f", for {', '.join(self.arguments)}" if self.arguments else ""
        return f"an inspector finds that no iteration reads of {', '.join(self.objects)} what it has not written{where}"


Asked = LeastValue | Within | Divisible | Unswitched | TeamSize | Inspected
