"""What a launch of plain output is: its names, and how each of its arrays crosses.

In: nothing.   Out: plain data, text in C over the launch function's parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.launch import Argument
from ompc.plan.model.plan import KernelPlan, LastPrivate, Plan, Reduction, RegionPlan
from ompc.plan.model.variable import Variable

TypeText = Callable[[ty.Type], str]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of an array crosses: `first` bytes behind its beginning (empty: none), `bytes` of them."""

    bytes: str
    first: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlainArray:
    """`pointer` is the launch function's parameter; `device` its variable for the copy on the device, once it has a
    name. `kept`: the copy is there when the launch begins, and stays (data_regions.py).
    """

    variable: Variable
    pointer: str
    extent: Extent
    copied_in: bool
    copied_out: bool
    device: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class KeptArray:
    """All `bytes` of what `root` is or points to in front of the statements; `written`: launches write it."""

    root: t.Symbol
    bytes: str
    written: bool


@dataclass(frozen=True, slots=True, eq=False)
class DataRegion:
    """`statements`, one behind the other in a block of `function` in `file`, during which arrays stay on the device.

    `enter`, `leave`: the functions that the host calls in front of them and behind them, once they have names.
    """

    function: str
    file: str
    statements: tuple[t.Stmt, ...]
    arrays: tuple[KeptArray, ...]
    enter: str = ""
    leave: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlainLaunch:
    """A loop as a `kernel` and the function `launcher` that the host calls instead of it; their names, and those of the
    function's variables, are given when all is decided (render/plain/names.py).

    `arguments`  what the host passes
    `sums`       for each reduction, the launch function's variable for what the blocks have found, on the device
    `lasts`      likewise, for each last value
    `lengths`    of rows: what the function passes for these parameters of the kernel
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
    lasts: tuple[tuple[LastPrivate, str], ...] = ()
    lengths: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TeamRegion:
    """A `parallel` region that the host runs by itself: its own pragma and those in it that are `dropped`; the private
    variables that its block declares instead (team_regions.py).
    """

    pragma: t.Pragma
    dropped: tuple[t.Pragma, ...]
    declared: tuple[t.Symbol, ...]

    @property
    def pragmas(self) -> tuple[t.Pragma, ...]:
        return (self.pragma, *self.dropped)


@dataclass(frozen=True, slots=True)
class PlainFile:
    """A file of the program: its `plan`, its `path` as locations have it, its `unit`, and how its device file prints
    `types`; its launches, and the team and data regions that stand in its text.
    """

    plan: Plan
    path: str
    unit: t.Unit
    types: TypeText
    launches: tuple[PlainLaunch, ...] = ()
    data: tuple[DataRegion, ...] = ()
    teams: tuple[TeamRegion, ...] = ()
