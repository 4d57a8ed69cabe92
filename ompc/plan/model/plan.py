"""The plan: what will be generated, and why.

Plan
  RegionPlan        one per parallel loop: on the device with a KernelPlan, or on the host with its Reason
    Variable        one per object that the loop uses: role, placement, transfers, `because` (variable.py)
    KernelPlan      parameters, grid loops, private declarations, bindings from symbols to device names
  DeviceFunction    a called function, with the file-scope objects it needs as extra parameters
  ConstantArray     the __constant__ arrays of the file
  PinnedArray ...   what changes in the user's text besides the lines above pragmas (host_edits.py)
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Polynomial
from ompc.analysis.reductions.atomics import Forms
from ompc.base.diagnostics import Diagnostic, Reason
from ompc.base.frozen import dataclass, field
from ompc.base.macros import Macro
from ompc.base.options import Level
from ompc.base.tuning import ShapeChoices
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.omp.asked import Inspected
from ompc.omp.model import League, ParallelLoop
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.host_edits import HeapAllocation, PinnedArray, PinnedMacro, RegionAsWritten, TargetLine
from ompc.plan.model.launch import (
    ArgReductionPlan,
    Argument,
    ExpandedArray,
    GridLoop,
    SlicePlan,
    TeamLaunch,
    TunedShape,
)
from ompc.plan.model.names import Name, namespace_of
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.variable import Variable

MESSAGES = "ompc_messages"
"""The object of the device file through which iterations tell the host something."""


@dataclass(frozen=True, slots=True)
class Binding:
    """How device code spells a symbol: its name, behind a pointer or not, a VLA's strides; `assigned`: as a target."""

    name: Name
    dereferenced: bool = False
    dimensions: tuple[Name, ...] = ()
    assigned: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """A variable whose values are combined.

    `op`              the runtime's name of the operator (Sum, Product, ...), or that of one of the plan's own operators
    `type`            that of one value
    `elements`        how many the array has; None: it is no array
    `first`, `count`  of an array, `count` values from element `first` on (rows flattened) are combined
    `is_scan`         iterations see what those before them have come to
    `is_latest`       no reduction, but lastprivate(conditional:): the value of the last iteration that has assigned one
    """

    symbol: t.Symbol
    name: str
    result: Name
    op: Name
    type: ty.Type
    elements: int | None = None
    first: int = 0
    count: int = 1
    is_declared: bool = False
    is_latest: bool = False
    is_scan: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LastPrivate:
    """`cell` is the kernel's pointer parameter; `is_counter`: the loop's own variable, one step past the end."""

    symbol: t.Symbol
    name: str
    cell: Name
    type: ty.Type
    is_counter: bool


@dataclass(frozen=True, slots=True, eq=False)
class PrivateCopy:
    """A private variable declared in the kernel; `source`: the parameter that a firstprivate array is copied from."""

    symbol: t.Symbol
    name: Name
    source: Name | None = None


@dataclass(frozen=True, slots=True, eq=False)
class KernelPlan:
    """Everything that is printed for the kernels of one loop and their launcher.

    `grid`            its loops, outermost first
    `schedules`       the kernels that the launcher chooses among: the first is for any launch, each of the others is
                      asked about before those in front of it
    `refused`         what could have been, and why it is not
    `effects`         what the launch does besides the stores of its iterations
    `threads`         of a block, as the user asks; None: the runtime's choice
    `blocks`          at most, as the user asks; None: the runtime's choice
    `shape_because`   where the user says so
    `messages`        what iterations tell the host through `MESSAGES`, in words
    `prints`          iterations print, and tell the host which one it was
    `work`            of an iteration: about so many operations, over the launcher's arguments
    `tuned`           shapes that are known to be good
    `alternatives`    how else it could be made
    """

    grid: tuple[GridLoop, ...]
    body: t.Stmt
    schedules: tuple[Schedule, ...]
    mapped_because: str | None
    arguments: tuple[Argument, ...]
    values: tuple[Variable, ...]
    arrays: tuple[Variable, ...]
    linked: tuple[Variable, ...]
    constants: tuple[Variable, ...]
    reductions: tuple[Reduction, ...]
    lastprivates: tuple[LastPrivate, ...]
    privates: tuple[PrivateCopy, ...]
    expanded: tuple[ExpandedArray, ...]
    bindings: Mapping[t.Symbol, Binding]
    per_launch_allocation: bool
    restrict: bool
    effects: LaunchEffects
    team: TeamLaunch | None = None
    league: League = League.NONE
    phases: Name | None = None
    scratch: Mapping[t.Symbol, tuple[Name, Name]] = field(default_factory=dict)
    registers: tuple[t.Symbol, ...] = ()
    accumulators: tuple[t.Symbol, ...] = ()
    arg_reductions: tuple[ArgReductionPlan, ...] = ()
    threads: int | None = None
    blocks: int | None = None
    shape_because: str | None = None
    messages: tuple[str, ...] = ()
    prints: bool = False
    work: Polynomial | None = None
    tuned: tuple[TunedShape, ...] = ()
    refused: tuple[Refused, ...] = ()
    alternatives: tuple[ShapeChoices, ...] = ()

    @property
    def copied(self) -> tuple[t.Symbol, ...]:
        """The variables of whose copies the launcher gets the addresses."""
        return (*self.registers, *self.accumulators)

    @property
    def own(self) -> Schedule:
        """The kernel for any launch."""
        return self.schedules[0]

    @property
    def slices(self) -> SlicePlan | None:
        """The parts of its outermost loop in which a launch of any of the kernels may be made."""
        return self.own.axes[0].slices


def asked_text(loop: ParallelLoop, tag: str) -> str:
    """What the host asks before a launch beside the user's `if` clause, in C; empty: nothing. `tag`: of the file."""
    return " && ".join(v.called(tag) if isinstance(v, Inspected) else v.condition for v in loop.asked)


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """What one block does in place of several launches (plan/chains.py).

    `entries`   how often it comes to one of its loops
    `launches`  those that it saves for each of these
    `waits`     how many of them the host would wait for
    `is_around` the host asks in front of a `for` statement of its own; else in front of the first loop
    """

    entries: Polynomial
    launches: float
    waits: float
    is_around: bool


@dataclass(frozen=True, slots=True, eq=False)
class RegionPlan:
    """A parallel loop; exactly one of `kernel` and `reason` is set.

    `call_condition`  what the host asks before each launch
    `waits`           the tasks that the calling task has created must have finished before the launch
    `needs_home`      the launch's arguments read memory that the device may have changed
    `content`         tells the loop from others (plan/mapping/tuned.py)
    `facts`           of the loop as it is planned, for those who say more of it
    `version`         the loop where some of its pointers are equal; its launcher chooses
    `where`           of a version: which pointers are equal
    `fusion`          the loops that are launched together with it
    `loops`           of a joint launch, in the order of the text
    `chain`           of one by one block
    """

    id: str
    loop: ParallelLoop
    directive: str
    reason: Reason | None
    kernel: KernelPlan | None
    variables: tuple[Variable, ...]
    call_condition: str | None = None
    waits: bool = False
    needs_home: bool = False
    tag: str = ""
    content: str = ""
    facts: Facts | None = None
    version: Version | None = None
    where: str = ""
    fusion: Fusion | None = None
    loops: tuple[ParallelLoop, ...] = ()
    chain: ChainPlan | None = None

    @property
    def launcher(self) -> str:
        """The C function that the host calls; `tag` tells it from those of the program's other files."""
        return f"ompc_launch_{self.id}" + (f"_{self.tag}" if self.tag else "")

    @property
    def on_device(self) -> bool:
        return self.kernel is not None

    @property
    def kernels(self) -> tuple[tuple[RegionPlan, KernelPlan], ...]:
        """The kernels of the loop, in the order in which they are printed, each with the version that it belongs to."""
        own = () if self.kernel is None else ((self, self.kernel),)
        if self.version is not None:
            own = (*self.version.region.kernels, *own)
        return own if self.joint is None else (*own, *self.joint.kernels)

    @property
    def joint(self) -> RegionPlan | None:
        """The launch of all loops that are launched together, where this is the first of them."""
        return self.fusion.region if self.fusion is not None and self.fusion.lines[0] == self.loop.line else None


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """Loops that one launch does, if it is not refused (plan/fused_loops.py).

    `region`  the joint loop, which is none of the plan's own regions
    `saved`   bytes that each point of the grid moves less than they do
    """

    region: RegionPlan
    saved: int

    @property
    def lines(self) -> tuple[int, ...]:
        """Of the loops, in the order of the text."""
        return tuple(loop.line for loop in self.region.loops)

    def others(self, region: RegionPlan) -> tuple[int, ...]:
        """The lines of the loops that are launched together with `region`."""
        return tuple(line for line in self.lines if line != region.loop.line)


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What a loop is where pointers of it are equal (plan/rewrites/equal_pointers.py).

    `region`     the loop with one name for each such array; its launcher is called by the loop's own
    `equal`      the pointers, each with the one that stands for it
    `alike`      the arguments of the loop's launcher that are equal then, by pairs
    `arguments`  those that it hands on, in the order of the version's
    """

    region: RegionPlan
    equal: Mapping[t.Symbol, t.Symbol]
    alike: tuple[tuple[Name, Name], ...]
    arguments: tuple[Name, ...]

    @property
    def when(self) -> str:
        """The condition, over the arguments of the loop's launcher."""
        return " && ".join(f"{a} == {b}" for a, b in self.alike)


@dataclass(frozen=True, slots=True, eq=False)
class ExtraParameter:
    """A file-scope object that a device function gets by value, or by address when `binding.dereferenced`."""

    symbol: t.Symbol
    binding: Binding
    written: bool


@dataclass(frozen=True, slots=True, eq=False)
class DeviceFunction:
    """`on_host`: a combiner or an initializer calls it, which the launcher runs too. `of_cuda`: CUDA has it, the file
    does not.
    """

    function: t.Function
    name: str
    extra: tuple[ExtraParameter, ...]
    bindings: Mapping[t.Symbol, Binding]
    on_host: bool = False
    of_cuda: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """A user-defined reduction, as the struct `name` of the device file."""

    name: Name
    declared: DeclaredReduction


@dataclass(frozen=True, slots=True, eq=False)
class ConstantArray:
    symbol: t.Symbol
    name: Name
    type: ty.Type
    because: str
    init: t.InitList | None


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The plan of one source file. `registered_...`: arrays of which the runtime is told, to find them by address."""

    name: str
    source: str
    level: Level
    regions: tuple[RegionPlan, ...]
    functions: tuple[DeviceFunction, ...]
    constants: tuple[ConstantArray, ...]
    records: tuple[ty.Record, ...]
    pinned: tuple[PinnedArray, ...]
    registered_globals: tuple[t.Symbol, ...]
    contraction: Contraction
    forms: Forms = field(default_factory=Forms)
    enumerators: tuple[tuple[str, int], ...] = ()
    macros: tuple[PinnedMacro, ...] = ()
    macro_names: tuple[Macro, ...] = ()  # that device code may have for constants
    allocations: tuple[HeapAllocation, ...] = ()
    target_lines: tuple[TargetLine, ...] = ()
    part: bool = False  # of a program of several files
    keeps_nothing: bool = False  # no file of the program may keep mapped data on the device: this one lacks lines
    data_not_kept: Reason | None = None  # why mapped data is copied by each launch after all
    warnings: tuple[Diagnostic, ...] = ()
    operators: tuple[Operator, ...] = ()
    prints: tuple[t.Print, ...] = ()
    tag: str = ""
    registered_statics: tuple[t.Symbol, ...] = ()
    apart: tuple[t.Symbol, ...] = ()  # arrays at file scope that get pages of their own, so that these can be guarded
    registered_automatics: tuple[t.Symbol, ...] = ()
    as_written: tuple[RegionAsWritten, ...] = ()
    null_pointers: tuple[t.Symbol, ...] = ()  # that begin as null pointers

    @property
    def namespace(self) -> str:
        """The C++ namespace of the device code."""
        return namespace_of(self.source, self.tag)

    def source_of(self, region: RegionPlan) -> str:
        """The file that the loop stands in: the user's source file, or a header of the user's."""
        file = region.loop.loc.file
        return self.source if file == f"./{self.source}" else file

    @property
    def on_device(self) -> tuple[RegionPlan, ...]:
        return tuple(region for region in self.regions if region.on_device)

    @property
    def is_edited(self) -> bool:
        """Is there more than the user's own text? Target constructs may need lines where no loop is on the device."""
        return bool(self.on_device or self.target_lines or self.keeps_nothing)

    @property
    def is_only_placed(self) -> bool:
        """Is the user's text all there is, but for arrays that kernels of other files may use?"""
        return not self.is_edited and bool(self.apart)

    @property
    def messages(self) -> bool:
        return any(region.kernel is not None and region.kernel.messages for region in self.regions)
