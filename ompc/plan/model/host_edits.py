"""The plan's part about the user's text: what changes in it besides the lines above pragmas.

PinnedArray       a declared array that is allocated by cudaMallocHost (--opt thesis)
HeapAllocation    calls of malloc and calloc that become page-locked (--opt thesis)
PinnedMacro       what both generated files must agree on
TargetLine        a line above a target construct that is no launch
RegionAsWritten   a parallel region that the host has in a second form
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t


@dataclass(frozen=True, slots=True, eq=False)
class PinnedArray:
    """A declared array that becomes a pointer to page-locked memory (thesis 4.3)."""

    symbol: t.Symbol
    is_global: bool
    at: Location


@dataclass(frozen=True, slots=True)
class HeapAllocation:
    """A call of `function`, malloc or calloc, whose block is to be page-locked (thesis 4.3).

    All calls of `function` on that line are changed, or none; the column may be unknown.
    """

    function: str
    at: Location


@dataclass(frozen=True, slots=True)
class PinnedMacro:
    """A number macro that the host file asserts to have the value that the device file was made with."""

    name: str
    value: str
    is_integer: bool


@dataclass(frozen=True, slots=True, eq=False)
class TargetLine:
    """A line of the host's above a target construct that is no launch (plan/residency/target_data.py)."""

    pragma: t.Pragma
    text: str


@dataclass(frozen=True, slots=True)
class RegionAsWritten:
    """A parallel region that the host runs as the program has it where none of its loops is launched.

    `line`, `last_line`  of the user's file, from the pragma on
    `text`               the user's own
    `loops`              how many that may be launched a thread comes to in it; 0: nobody knows
    """

    line: int
    last_line: int
    text: str
    loops: int = 0
