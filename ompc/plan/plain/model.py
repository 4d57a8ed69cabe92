"""What a launch of plain output is: its names, and how each of its arrays crosses.

In: nothing.   Out: plain data, text in C over the launch function's parameters.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.plan.model.launch import Argument
from ompc.plan.model.plan import KernelPlan, Reduction, RegionPlan
from ompc.plan.model.variable import Variable


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of an array crosses: `first` bytes behind its beginning (empty: none), `bytes` of them."""

    bytes: str
    first: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlainArray:
    """`pointer` is the launch function's parameter; `device` its variable for the copy on the device, once it has a
    name.
    """

    variable: Variable
    pointer: str
    extent: Extent
    copied_in: bool
    copied_out: bool
    device: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlainLaunch:
    """A loop as a `kernel` and the function `launcher` that the host calls instead of it; their names, and those of the
    function's variables, are given when all is decided (render/plain/names.py).

    `arguments`  what the host passes
    `sums`       for each reduction, the launch function's variable for what the blocks have found, on the device
    `apart`      pairs of pointers of which the function makes sure that they differ
    """

    region: RegionPlan
    plan: KernelPlan
    arguments: tuple[Argument, ...]
    arrays: tuple[PlainArray, ...]
    apart: tuple[tuple[str, str], ...]
    kernel: str = ""
    launcher: str = ""
    sums: tuple[tuple[Reduction, str], ...] = ()
