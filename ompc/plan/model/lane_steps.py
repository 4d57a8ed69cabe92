"""The plan of a kernel whose lanes share loops: its body as steps that all lanes of a warp take together.

    if (active[i]) {                       Chosen: own_1 where the condition holds
        double sum = 0;                        Scope: sum is declared around what follows
        for (k = row[i]; ...) sum += ...;      Alone: sum = 0;   SharedLoop
        y[i] = sum;                            Alone: y[i] = sum;
    }

Only the lane whose iteration it is executes what stands in `Alone`; conditions hold for it or for no lane. Part of the
plan (plan.py); decided by lanes.py, printed by render/forms/lanes.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from functools import reduce
from operator import or_

from ompc.analysis.reductions.atomics import Forms
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.omp.asked import Within
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.lane_results import ByLanes, InOrder, OrderedCount, Side
from ompc.plan.model.launch import CollectedAdds, GridLoop
from ompc.plan.model.names import Name

NO_FORMS = Forms()


@dataclass(frozen=True, slots=True, eq=False)
class NestedLoop:
    """A loop of a nest, inside of another one: `before` it stands what is done for each entry, `entries` is the
    variable for what there are of it.
    """

    before: tuple[t.Stmt, ...]
    loop: CanonicalLoop
    entries: Name


@dataclass(frozen=True, slots=True, eq=False)
class SharedLoop:
    """A loop whose entries the lanes share.

    `entries`  the variable for the lane's row
    `how`      the way in which the entries are combined
    `own`      the row's values that they need
    `leaves`   a `continue` ends an entry
    `side`     of loops in which the other warps of the block help
    `reads`    arrays that they read, and to which the kernel stores
    `stores`   arrays to which they store, each entry to elements of its own
    `updates`  what they do as atomic operations: several entries may do it to one element
    `nest`     loops inside of it, each in the one before: an entry is one of the innermost loop's (shared_nests.py)
    `asked`    strides of the nest's loops that must be large enough, or one lane does it (asked_strides.py)
    """

    loop: CanonicalLoop
    entries: Name
    how: InOrder | ByLanes
    own: tuple[t.Symbol, ...]
    leaves: bool
    side: Side | None = None
    reads: frozenset[t.Symbol] = frozenset()
    stores: frozenset[t.Symbol] = frozenset()
    updates: Forms = NO_FORMS
    nest: tuple[NestedLoop, ...] = ()
    asked: tuple[tuple[t.Expr, ...], ...] = ()

    @property
    def loops(self) -> tuple[CanonicalLoop, ...]:
        """Of the nest, outermost first."""
        return (self.loop, *(each.loop for each in self.nest))

    @property
    def body(self) -> t.Stmt:
        """What is done for an entry."""
        if not self.nest:
            return self.loop.body
        before = [statement for each in self.nest for statement in each.before]
        last = self.loops[-1].body
        return t.Block(self.loop.body.loc, (*before, *(last.items if isinstance(last, t.Block) else (last,))))

    @property
    def computed(self) -> t.Stmt:
        """What any lane executes for an entry."""
        return self.how.compute if isinstance(self.how, InOrder) else self.body

    @property
    def of_row(self) -> tuple[t.Symbol, ...]:
        """What others are given of a row when they help."""
        return (self.how.of_row or ()) if isinstance(self.how, ByLanes) else ()

    @property
    def combined(self) -> tuple[t.Stmt, ...]:
        """What only the row's lane executes for an entry."""
        return self.how.combine if isinstance(self.how, InOrder) else ()


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    statements: tuple[t.Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Both branches are steps for all lanes: `own_then` and `own_other` are true in the lanes that execute them."""

    condition: t.Expr
    own_then: Name
    own_other: Name
    then: Scope
    other: Scope | None


@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """A loop that all lanes go through together.

    `conditional`  it has the same iterations in all lanes that execute it, and these are not all
    `turns`        iterations have different numbers of turns: true in the lanes that have another one. The others help
    `told`         the iteration's own values that all need to know where it begins
    """

    loop: t.For
    body: Scope
    conditional: bool = False
    turns: Name | None = None
    told: tuple[t.Symbol, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """`declared` are variables of several steps; constants initialise them there, other values in their step."""

    declared: tuple[t.VarDecl, ...]
    steps: tuple[Step, ...]

    def alone(self) -> Iterator[t.Stmt]:
        """What only the iteration's own lane executes."""
        for step in self.steps:
            match step:
                case Alone(statements=statements):
                    yield from statements
                case Scope():
                    yield from step.alone()
                case Repeated(body=body):
                    yield from body.alone()
                case Chosen(then=then, other=other):
                    yield from then.alone()
                    yield from () if other is None else other.alone()
                case SharedLoop():
                    pass

    def loops(self) -> Iterator[SharedLoop]:
        """The loops that lanes share, in the order of the text."""
        for step in self.steps:
            match step:
                case SharedLoop():
                    yield step
                case Scope():
                    yield from step.loops()
                case Chosen(then=then, other=other):
                    yield from then.loops()
                    yield from () if other is None else other.loops()
                case Repeated(body=body):
                    yield from body.loops()
                case Alone():
                    pass

    def names(self) -> Iterator[t.Symbol]:
        """The variables that the text names, a shared loop's own one aside."""
        for step in self.steps:
            match step:
                case SharedLoop(loops=loops, own=own):
                    bounds = (bound for loop in loops for bound in (loop.lower, loop.upper, loop.step))
                    strides = (stride for strides in step.asked for stride in strides)
                    counters, known = {loop.var for loop in loops}, (each for each in bounds if each is not None)
                    yield from (*own, *_named((*known, *step.combined, *strides)))
                    yield from (symbol for symbol in _named((step.computed,)) if symbol not in counters)
                case Scope():
                    yield from step.names()
                case Chosen(condition=condition, then=then, other=other):
                    yield from _named((condition,))
                    yield from then.names()
                    yield from () if other is None else other.names()
                case Repeated(loop=loop, body=body):
                    yield from _named(part for part in (loop.init, loop.condition, loop.step) if part is not None)
                    yield from body.names()
                case Alone(statements=statements):
                    yield from _named(statements)


def _named(nodes: Iterable[t.Stmt | t.Expr]) -> Iterator[t.Symbol]:
    return (part.symbol for node in nodes for part in walk(node) if isinstance(part, t.Name))


class Purpose(Enum):
    """What an iteration has several lanes for.

    TURNS: where entries are combined in order, lanes help each other anyway. READ: neighbouring lanes read what is
    contiguous in memory. READ_SOME: likewise, and long rows have all lanes of a warp or a block anyway. FILL: there are
    fewer iterations than keep the device busy.
    """

    TURNS = "turns"
    READ = "reading"
    READ_SOME = "reading_some"
    FILL = "filling"


READS = (Purpose.READ, Purpose.READ_SOME)
"""The purposes for which all lanes of a block may share an iteration."""

Step = Alone | SharedLoop | Chosen | Repeated | Scope


class GroupOf(Enum):
    """Which threads share an iteration (ompc_thread_group.h).

    LANES: some of a warp, or all of a block. WARPS: some of each warp of a block, to fill the device. PRODUCERS: one
    lane of each warp of a block, where the first warp combines terms that all have computed, or sums of each.
    """

    LANES = "lanes"
    WARPS = "warps"
    PRODUCERS = "producers"


class Instead(Enum):
    """What a point has in the kernels beside one in which it has a group of threads."""

    THREAD = "thread"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class SharedWork:
    """What the cost model knows of the shared loops of an iteration (shared_work.py).

    `instructions`  of an entry, about
    `along`         bytes of an entry, in all loops, that lie beside those of the next entry
    `across`        bytes of it that lie beside those of the next iteration
    `common`        bytes of it that all iterations read
    `sums`          that are combined in the end
    `loops`         one after the other
    `together`      entries of a thread whose reads do not wait for each other
    `held`          bytes of an entry, in all loops, in arrays that a block has in the device's memory
    `held_by_block` bytes of these arrays
    """

    instructions: int
    along: int
    across: int
    common: int
    sums: int
    loops: int
    together: int
    held: int = 0
    held_by_block: int = 0


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many lanes the launch gives an iteration.

    `purpose`  what it has several lanes for
    `blocks`   how many a multiprocessor must have registers for at the same time
    `rows_in`  arrays in which rows of different lengths stand behind each other
    """

    purpose: Purpose
    blocks: int
    rows_in: tuple[t.Symbol, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UnrollAndJam:
    """The neighbouring iterations that a thread computes together (unroll_and_jam.py).

    `names`     of the kernel's own: `points` is how many, `point` one of them, `mine` those of the slot
    `own`       the variables of which there is one for each, the parallel loop's first
    `repeated`  those of them that statements set and shared loops need, also behind the last iteration
    """

    names: Mapping[str, Name]
    own: tuple[t.Symbol, ...]
    repeated: tuple[t.Symbol, ...]
    because: str


@dataclass(frozen=True, slots=True, eq=False)
class RowLengths:
    """What the launcher counts: the entries of a loop.

    `rows`         the launcher's name of what comes of it
    `definitions`  variables of the iteration that the bounds of `loop` name
    `arrays`       those whose elements the bounds name
    """

    rows: Name
    loop: CanonicalLoop
    definitions: tuple[t.VarDecl, ...]
    arrays: tuple[t.Symbol, ...]


@dataclass(frozen=True, slots=True)
class BlockForm:
    """The kernel's second form, for few rows, and for such that one of them takes longer than many others
    (block_per_row.py).

    `name` of the kernel's parameter that chooses it; `lengths`: None where the launcher cannot count rows.
    """

    name: Name
    lengths: RowLengths | None


@dataclass(frozen=True, slots=True, eq=False)
class LaneSharing:
    """The body of a kernel whose lanes share loops, with the kernel's own names.

    `group`            the kernel's parameter: the threads that share an iteration
    `slot`             a lane's number
    `own`              is the iteration the lane's?
    `renewed`          nodes that stand for one of the user's
    `group_of`         which threads the group has
    `counted`          the loops of equal lengths, for the launch
    `unroll_and_jam`   a thread may have several iterations
    `by_block`         there is a second form, in which all lanes of a block may divide a row (ompc_block_per_row.h)
    `point`            the number of a point, where the grid has several loops, which then share an axis
    `instead`          what a point has in the kernels beside this one; None: it is the kernel for any launch
    `lanes_first`      lanes of a warp share an iteration before warps do: neighbouring entries are neighbours in memory
    `work`             of the shared loops, for the launch
    `held`             arrays of the iteration's own that a block has, which has one iteration then: in shared
                       memory, or as its part of an expanded array
    `asked`            what sizes must be for the entries to be independent: else the launcher takes another kernel
    `ready`            the shared loops in front of which the group has nothing to wait for (plan/groups/barriers.py)
    `collected`        what entries of shared loops add, if the block is the group (plan/forms/collected_adds.py)
    """

    body: Scope
    group: Name
    slot: Name
    own: Name
    renewed: Mapping[t.Expr, t.Expr]
    because: str
    group_of: GroupOf
    distribution: Distribution
    counted: tuple[GridLoop, ...] = ()
    unroll_and_jam: UnrollAndJam | None = None
    by_block: BlockForm | None = None
    point: Name | None = None
    instead: Instead | None = None
    lanes_first: bool = False
    work: SharedWork | None = None
    held: frozenset[t.Symbol] = frozenset()
    asked: tuple[Within, ...] = ()
    ready: tuple[SharedLoop, ...] = ()
    collected: Mapping[SharedLoop, CollectedAdds] = field(default_factory=dict)

    @property
    def stores(self) -> bool:
        """Do shared loops store?"""
        return any(loop.stores for loop in self.body.loops())

    @property
    def updates(self) -> Forms:
        """What shared loops do as atomic operations."""
        return reduce(or_, (loop.updates for loop in self.body.loops()), NO_FORMS)

    @property
    def counts(self) -> tuple[OrderedCount, ...]:
        """The counters that entries of shared loops see."""
        ways = (loop.how for loop in self.body.loops() if isinstance(loop.how, ByLanes))
        return tuple(how.counted for how in ways if how.counted is not None)

    @property
    def of_each_point(self) -> tuple[t.Symbol, ...]:
        """The variables of which each iteration of a thread has its own."""
        return () if self.unroll_and_jam is None else self.unroll_and_jam.own

    @property
    def replaced(self) -> frozenset[t.Symbol]:
        """Variables that no kernel declares: shared loops, or several iterations of a thread, have their own."""
        counters = {loop.var for shared in self.body.loops() for loop in shared.loops}
        return frozenset(counters - set(self.body.names()) | set(self.of_each_point))

    @property
    def exchanged(self) -> frozenset[t.Symbol]:
        """The arrays through which threads that share an iteration hand values to each other."""
        return frozenset(symbol for loop in self.body.loops() for symbol in loop.reads | loop.stores)

    @property
    def side(self) -> Side:
        """Of the loops in which warps help: along rows, if there is one."""
        return Side.ALONG if any(loop.side is Side.ALONG for loop in self.body.loops()) else Side.ACROSS
