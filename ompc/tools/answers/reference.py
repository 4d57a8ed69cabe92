"""What a program must print, and what of it cannot be compared.

The host's own program is run twice. Lines in which these two runs differ hold times, addresses or the like, and nothing
is expected of them; where even the number of lines differs, only the exit status counts. In all other lines words and
integers must be the same, floating-point numbers within the tolerance (compare.py), since the grouping of a reduction
goes by the shape of its launch.

In: two runs of the host.   Out: what is wrong with another run.   Not here: running -- program.py.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.tools.answers.compare import first_difference


@dataclass(frozen=True, slots=True)
class Finished:
    """How a run ended, its standard output, and what it said on standard error."""

    status: int
    out: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """`lines` of the host's output, None for those that differ from run to run; None in all: their number does."""

    status: int
    lines: tuple[str | None, ...] | None
    tolerance: float

    @property
    def left_out(self) -> int | None:
        """How many lines are not compared; None: all of them."""
        if self.lines is None or (self.lines and all(line is None for line in self.lines)):
            return None
        return self.lines.count(None)

    def with_left_out(self, other: Reference) -> Reference:
        """Without the lines that another one leaves out."""
        if self.lines is None or other.lines is None:
            return replace(self, lines=None)
        lines = (None if theirs is None else mine for mine, theirs in zip(self.lines, other.lines, strict=True))
        return replace(self, lines=tuple(lines))

    def problem(self, run: Finished) -> str | None:
        """What is wrong with `run`; None: nothing."""
        if run.status != self.status:
            return f"it ended with status {run.status}, on the host with {self.status}"
        if self.lines is None:
            return None
        lines = run.out.splitlines()
        if len(lines) != len(self.lines):
            return f"it printed {len(lines)} lines, on the host {len(self.lines)}"
        for number, (want, have) in enumerate(zip(self.lines, lines, strict=True), start=1):
            difference = None if want is None else first_difference(want, have, self.tolerance, self.tolerance)
            if difference is not None:
                return f"line {number} of the output, {difference}"
        return None


def reference_of(one: Finished, two: Finished, tolerance: float) -> Reference:
    """From two runs of the host's own program; both ended with the same status, or nothing can be said."""
    first, second = one.out.splitlines(), two.out.splitlines()
    if len(first) != len(second):
        return Reference(one.status, None, tolerance)
    pairs = zip(first, second, strict=True)
    lines = (a if first_difference(a, b, tolerance, tolerance) is None else None for a, b in pairs)
    return Reference(one.status, tuple(lines), tolerance)
