"""The plan of one launch: what the host passes, the loops of the grid, what blocks settle, what a team must agree on.

Part of the plan (plan.py); a module of its own since launchers are all that reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from ompc.analysis.memory.iteration_footprints import IterationFootprint
from ompc.analysis.reductions.operations import Operation
from ompc.base.frozen import dataclass
from ompc.base.tuning import ShapeChoices
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.names import Name


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A loop bound or step in the launcher.

    `expr` is printed in the launcher when all it reads is passed by value; otherwise the host evaluates `host_text`
    in the
    call and passes it as the argument `name`.
    """

    name: Name
    type: ty.Type
    expr: t.Expr | None
    host_text: str | None
    constant: int | None


@dataclass(frozen=True, slots=True, eq=False)
class GridLoop:
    """A parallel loop mapped to one axis of the grid ("x" is the innermost, whose iterations are
    neighbouring lanes).

    Loops that share an axis are counted as one, the last of them fastest; `axis_counter` then numbers the axis and
    `counter` the loop's own iterations, else they are the same. The bounds and trips of a `loop.dependent` are computed
    by the kernel in each iteration of the outer loops. `once`: it is a statement, which has no number of iterations.
    """

    loop: CanonicalLoop
    axis: str
    axis_counter: Name
    counter: Name
    trips: Name
    variable: str
    lower: Bound
    upper: Bound
    step: Bound
    once: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ArgReductionObject:
    """`own` is the thread's copy; `cell` the kernel's pointer to the user's object."""

    symbol: t.Symbol
    type: ty.Type
    own: Name
    cell: Name


@dataclass(frozen=True, slots=True, eq=False)
class ArgReductionPlan:
    """The best value of all iterations, with what goes along with it.

    `statement`  takes a new best
    `relation`   the runtime's name of the comparison, in its namespace
    `tie`        what decides between equal keys; it has a part in the relation
    `name`       the file-scope object through which blocks settle it
    `won`        the thread's variable for the number of the best iteration
    """

    statement: t.If
    key: t.Expr
    relation: str
    name: Name
    won: Name
    objects: tuple[ArgReductionObject, ...]
    tie: t.Expr | None = None


class Agreement(Enum):
    """What the threads of a team must have in common for one of them to launch for all."""

    VALUE = "value"  # they pass the same number or address
    CONTENTS = "contents"  # the objects at the addresses that they pass are the same, byte for byte
    NONE = "none"  # nothing: the launching thread's copy takes the result


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the launcher: `type` is a scalar type, or a pointer to (const) void for objects.

    `object`: the type of what is at the address, where the threads must agree on the contents.
    `stays`: the user's name of what is at the address, and its bytes, where the loop must not write that.
    `table`: what the kernel has in its place is a table of what each thread of the team passes.
    """

    name: Name
    type: ty.Type
    host_text: str
    agreement: Agreement = Agreement.VALUE
    object: ty.Type | None = None
    stays: tuple[str, int] | None = None
    table: ThreadTable | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ThreadTable:
    """What each thread of a team has in a variable (transform/threads/thread_copies.py).

    `name`        of the table, for the launcher
    `variable`    the user's
    `by_value`    the launcher gets the variable's value, and not its address
    `comes_back`  each thread's variable gets what the kernel leaves in the table
    """

    name: Name
    variable: t.Symbol
    by_value: bool
    comes_back: bool


@dataclass(frozen=True, slots=True, eq=False)
class ExpandedArray:
    """A private array in a buffer that the launch allocates for its threads (plan/parameters/expansion.py).

    `name`         the kernel's variable for the thread's part
    `memory`       the kernel's parameter for the whole
    `lengths`      of the dimensions, outermost first, as the launcher and the kernel spell them
    `interleaved`  the thread's part is not contiguous, and `name` no pointer
    """

    symbol: t.Symbol
    name: Name
    memory: Name
    lengths: tuple[Name, ...]
    interleaved: bool

    @property
    def is_flat(self) -> bool:
        """Is it reached by one subscript, and not by one for each dimension?"""
        return self.interleaved or ty.is_variably_modified(self.symbol.type)


@dataclass(frozen=True, slots=True, eq=False)
class BlockAccumulators:
    """An array into which the kernel only accumulates, of which blocks have copies (plan/forms/histograms.py).

    `array`       the kernel's parameter for the array
    `exist`       the kernel's template parameter: has this launch copies, of this array or another one?
    `name`        the kernel's variable
    `room`        the kernel's parameter that says how many there are
    `op`          the runtime's name of the operator
    `type`        that of an element
    `operations`  all that the kernel does with the array
    `count`       no more elements are meant than the sum of these; empty: all that there are
    """

    symbol: t.Symbol
    array: Name
    exist: Name
    name: Name
    room: Name
    op: str
    type: ty.Type
    operations: frozenset[Operation]
    count: tuple[Name, ...]
    because: str


@dataclass(frozen=True, slots=True, eq=False)
class CollectedAdds:
    """Additions to integers of one type, which a block collects in shared memory (plan/forms/collected_adds.py).

    `name`        the kernel's variable for what is collected
    `stretch`     the kernel's variable for the iterations of the block
    `type`        that of the integers
    `labels`      the user's names of the arrays that they are in
    `operations`  all that the kernel does with these arrays
    `once`        the variable for what an iteration adds, if that is once at most: several wait together for what they
                  read; None: it adds where the operation stands
    """

    name: Name
    stretch: Name
    once: Name | None
    type: ty.Type
    labels: tuple[str, ...]
    operations: frozenset[Operation]
    because: str

    @property
    def words(self) -> str:
        """What is added to."""
        return ", ".join(self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class VectorAccess:
    """An array in a kernel that relies on its beginning at a multiple of `bytes`.

    `name`      the array there
    `given`     its parameter
    `together`  accesses to so many bytes, or to parts of them
    `whole`     reads of structs that are elements
    `apart`     elements that are read by one instruction, in several places, of which each wants members
    """

    symbol: t.Symbol
    name: Name
    given: Name
    bytes: int
    together: tuple[t.Expr, ...]
    whole: frozenset[t.Expr]
    apart: frozenset[t.Expr]
    because: str


@dataclass(frozen=True, slots=True, eq=False)
class VectorAccesses:
    """`relied_on` is the kernel's template parameter: are all `arrays` aligned in this launch?"""

    relied_on: Name
    arrays: tuple[VectorAccess, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RowStore:
    """`statement` gives the elements of `row`, an array's last dimension, those of `own`: by the lanes of a warp
    together (plan/forms/row_stores.py).
    """

    statement: t.For
    row: t.Index
    own: t.Symbol


@dataclass(frozen=True, slots=True, eq=False)
class NearRead:
    """`nodes` all read the element of the iteration's own number of `array`, which `name` then holds."""

    nodes: tuple[t.Expr, ...]
    array: Name
    type: ty.Type
    name: Name


@dataclass(frozen=True, slots=True, eq=False)
class CoarseningPlan:
    """A thread has `count` neighbouring iterations where there are copies (plan/forms/thread_coarsening.py).

    `names` of the kernel's own: how many there are (`neighbours`), the number of the `first`, the function that does an
    `iteration`, and its parameter, which one of them it is (`nth`).
    """

    count: int
    reads: tuple[NearRead, ...]
    names: Mapping[str, Name]


@dataclass(frozen=True, slots=True, eq=False)
class StreamElement:
    """`nodes` are elements of the iteration's own of an array, for which `name` stands: `width` of them, from `first`
    on. Where it has several, `numbers` say which of them each node is.

    `loaded`: their old values are wanted. `stored`: the iteration may write them.
    """

    nodes: tuple[t.Expr, ...]
    type: ty.Type
    name: Name
    loaded: bool
    stored: bool
    first: t.Expr
    width: int = 1
    numbers: tuple[t.Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class StreamPlan:
    """A thread has `count` neighbouring iterations, whose `elements` go through registers (forms/narrow_streams.py).

    `names` of the kernel's own: the number of the `first` iteration of a block, the function that does an `iteration`.
    """

    count: int
    elements: tuple[StreamElement, ...]
    names: Mapping[str, Name]
    because: str
    heading: ClassVar[str] = "several neighbours a thread"


@dataclass(frozen=True, slots=True, eq=False)
class SlicePlan:
    """A launch may go in slices of its outermost loop (plan/forms/slices.py).

    `begin`: the kernel's parameter for the first iteration of a slice. `parts`: what iterations touch of arrays, by
    their names in the kernel; of others nothing is known. `spreads`: several devices may do a slice each at once.
    """

    begin: Name
    parts: Mapping[Name, tuple[IterationFootprint, ...]]
    spreads: bool = False


@dataclass(frozen=True, slots=True)
class TeamLaunch:
    """All threads of a team call the launcher, and one of them launches.

    `nowait`: the loop has no barrier at its end, so that a thread may come late for a reason that waits for this one.
    `apart`: a variable on whose being another one in each thread the iterations may rely, also in a team of one.
    `parts`: each thread has a part of the loop, as the program says.
    """

    nowait: bool
    apart: t.Symbol | None = None
    parts: PartsOfThreads | None = None


@dataclass(frozen=True, slots=True)
class PartsOfThreads:
    """The launcher's arguments for the bounds of a part, in whose place come those of the whole range, and for how many
    iterations further on a thread has its next one; None: it has a block of them (ParallelLoop.divided).
    """

    first: Name
    end: Name
    turns: Name | None


@dataclass(frozen=True, slots=True)
class TunedShape:
    """Of launches with about 2 ** `size_class` iterations on the device of that name; None: of any size, on all."""

    device: str | None
    size_class: int | None
    choices: ShapeChoices
    because: str
