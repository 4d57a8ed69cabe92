"""Schedule trees: who does what in a kernel, and in which order, from the axes of the grid down to the statements.

    axis y: i = 0; i < n; i += 1 (n iterations), in tiles of 32        blocks take 32 iterations at a time
    axis x: j = 0; j < m; j += 1 (m iterations), in tiles of 32
        points of the tile along y                                     the threads of the block, in this order
            stage a[j][i] into a_tile
        barrier
        points of the tile along x
            body, line 12

A kernel begins as one thread for each point of its grid; each form is a rewrite of that schedule (plan/schedule/).
Nodes that repeat something have one child, `body`, and Steps are done one after the other. The cooperation of lanes is
a tree of its own below SharedBody, whose branches are the user's (lane_steps.py).

    Source: schedule trees (Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning polyhedra",
    TOPLAS 2015), as PPCG's gpu_tree.c has them, with fixed kinds of nodes instead of polyhedra.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.plan.model.batch_model import Batches
from ompc.plan.model.lane_steps import GroupOf, LaneSharing
from ompc.plan.model.launch import (
    BlockAccumulators,
    CoarseningPlan,
    CollectedAdds,
    GridLoop,
    RowStore,
    SlicePlan,
    StreamPlan,
    VectorAccesses,
)
from ompc.plan.model.names import Name
from ompc.plan.model.scan_model import TILE, ScanPlan
from ompc.plan.model.tile_model import (
    KeptElement,
    Part,
    RegisterTileVariable,
    RowCoarsening,
    StagedRead,
    TilePlan,
    TransposedElement,
    TransposedPlan,
)


class Scope(Enum):
    """Among whom values are combined, or for whom memory is."""

    THREAD = "thread"
    BLOCK = "block"
    GRID = "grid"


@dataclass(frozen=True, slots=True, eq=False)
class OnePoint:
    """A thread takes one iteration at a time. The first `lead` threads have none in the first turn. `collected`: what
    a block collects of its iterations, which are neighbours; None: those of the grid take turns.
    """

    lead: int = 0
    collected: CollectedAdds | None = None

    @property
    def words(self) -> str:
        return "one at a time" if self.collected is None else "one at a time, neighbours in a block"


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """A thread takes several consecutive iterations at a time, which a StripLoop below goes through.

    `count`  the most that a launch gives it
    """

    count: int
    form: RowCoarsening | CoarseningPlan | StreamPlan

    @property
    def words(self) -> str:
        return f"up to {self.count} by a thread at a time"


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """A block takes consecutive iterations together: whole blocks stay in the loop.

    `width`  the most iterations that a launch gives it
    """

    width: int
    form: TilePlan | TransposedPlan

    @property
    def words(self) -> str:
        return f"up to {self.width} by a block at a time"


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Lanes of a warp, or warps of a block, take an iteration together: whole warps, or blocks, stay in the loop."""

    form: LaneSharing

    @property
    def words(self) -> str:
        return f"one by several {'lanes' if self.form.group_of is GroupOf.LANES else 'warps'} at a time"


@dataclass(frozen=True, slots=True, eq=False)
class InOrderTiles:
    """Blocks take consecutive iterations together, the next ones of all each time, whichever block comes first."""

    form: ScanPlan

    @property
    def words(self) -> str:
        return f"up to {TILE} by a block at a time, in their order"


Taken = OnePoint | Strips | Tiles | Slots | InOrderTiles


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The iterations of `loops`, which share an axis of the grid, the last one fastest: a grid-stride loop.

    `taken`   what a thread, or a group of threads, takes of them at a time
    `slices`  a launch may be made of some of them at a time
    """

    loops: tuple[GridLoop, ...]
    taken: Taken = OnePoint()
    slices: SlicePlan | None = None

    @property
    def name(self) -> str:
        """`x`, `y` or `z`."""
        return self.loops[0].axis

    @property
    def scan(self) -> ScanPlan | None:
        """How prefixes over the iterations are made."""
        return self.taken.form if isinstance(self.taken, InOrderTiles) else None

    @property
    def begin(self) -> Name | None:
        """The kernel's parameter for the first iteration of a slice."""
        return None if self.slices is None else self.slices.begin


@dataclass(frozen=True, slots=True, eq=False)
class StripLoop:
    """The consecutive iterations of `loop` that a thread has taken, one after the other, unrolled."""

    loop: GridLoop
    strip: Strips
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class TilePoints:
    """The points of the block's tile, each by one thread, neighbouring ones along `axis` by neighbouring lanes."""

    axis: str
    tile: TransposedPlan
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class RegisterTile:
    """The points that a thread has of the block's tile, one after the other, unrolled. Those beyond the end repeat the
    last one's work, but have no `AHEAD` and no `AFTER`.
    """

    tile: TilePlan
    part: Part
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class PointsOfThread:
    """The iterations that a thread has of the block's tile, one after the other, unrolled; `entering`: their input
    phase, which puts values in.
    """

    scan: ScanPlan
    entering: bool
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class Prefix:
    """Of what iterations have put into the `items`, (variable, operator), each sees what those before it come to. All
    threads of the block meet there, and wait for the tiles in front of theirs.
    """

    scan: ScanPlan
    items: tuple[tuple[str, Name], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Elements are copied into shared memory, or back where `out`; `ahead`: those of the loop's next turn."""

    elements: tuple[StagedRead | TransposedElement, ...]
    out: bool = False
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Barrier:
    """All threads of the block come here before one goes on; `staged`: and what they have staged has arrived."""

    staged: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Private:
    """What each point of a thread's register tile has of its own."""

    items: tuple[KeptElement | RegisterTileVariable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Serial:
    """A loop that every thread of the block goes through, `strip` iterations at a time."""

    loop: GridLoop
    strip: int
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """The staged iterations' products of doubles are added to a warp's points by tensor cores, or by its threads."""

    tile: TilePlan


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Statements of an iteration, where they stand."""

    statements: tuple[t.Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SharedBody:
    """An iteration whose loops the group goes through together; one thread of it does what stands between them."""

    form: LaneSharing


@dataclass(frozen=True, slots=True, eq=False)
class Last:
    """Done in the last iteration alone: the values of lastprivate variables, by name."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Accumulate:
    """The threads' values of `what` are combined, among those of the `scope`, and with what is in memory. `form`: where
    they are until then, if that is in memory of the block.
    """

    what: str
    operator: Name
    scope: Scope
    form: BlockAccumulators | CollectedAdds | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """One after the other."""

    steps: tuple[Node, ...]


Node = (
    StripLoop
    | TilePoints
    | RegisterTile
    | PointsOfThread
    | Prefix
    | Stage
    | Barrier
    | Private
    | Serial
    | Product
    | Body
    | SharedBody
    | Last
    | Steps
)

_LOOPS = (StripLoop, TilePoints, RegisterTile, PointsOfThread, Serial)

Form = RowCoarsening | CoarseningPlan | StreamPlan | TilePlan | TransposedPlan | LaneSharing | ScanPlan
_F = TypeVar("_F", RowCoarsening, CoarseningPlan, StreamPlan, TilePlan, TransposedPlan, LaneSharing, ScanPlan)


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """What one of the kernels of a loop does; its launcher chooses the kernel.

    `kernel`, `what`  its name, and how the work is divided, in words
    `axes`      the loops around everything, outermost first: x is the last one
    `body`, `combined`  what is done for what is taken of all of them, and behind them
    `vectors`   the arrays of which elements are read and written at once, where they are aligned
    `batches`   the loops of the body whose divisions go in batches
    `row_stores` loops of the body that store rows by the lanes of a warp together
    `once`      the kernel's template parameter: the grid has a thread for each point, its loops one turn; or none
    """

    kernel: Name
    what: str
    axes: tuple[Axis, ...]
    body: Node
    combined: tuple[Accumulate, ...] = ()
    vectors: VectorAccesses | None = None
    batches: Batches | None = None
    row_stores: tuple[RowStore, ...] = ()
    once: Name | None = None

    def axis(self, name: str) -> Axis:
        return next(axis for axis in self.axes if axis.name == name)

    @property
    def form(self) -> Form | None:
        """What axes are taken by; None: a thread has one point at a time."""
        return next((axis.taken.form for axis in self.axes if not isinstance(axis.taken, OnePoint)), None)

    def form_of(self, kind: type[_F]) -> _F | None:
        """The form, if it is of that kind."""
        return self.form if isinstance(self.form, kind) else None

    @property
    def lanes(self) -> LaneSharing | None:
        """The loops that threads share."""
        return self.form_of(LaneSharing)

    @property
    def accumulators(self) -> tuple[BlockAccumulators, ...]:
        """The arrays of which blocks have copies."""
        return tuple(each.form for each in self.combined if isinstance(each.form, BlockAccumulators))

    @property
    def collected(self) -> tuple[CollectedAdds, ...]:
        """What blocks add in shared memory first."""
        return tuple(each.form for each in self.combined if isinstance(each.form, CollectedAdds))

    @property
    def is_plain(self) -> bool:
        """Has a thread one point at a time, with nothing that it has in common with others?"""
        return self.form is None and all(each.form is None for each in self.combined)

    def with_axes(self, taken: Mapping[str, Taken]) -> tuple[Axis, ...]:
        """The axes, of those named another part `taken` at a time."""
        return tuple(replace(axis, taken=taken.get(axis.name, axis.taken)) for axis in self.axes)

    def nodes(self) -> Iterator[tuple[Node, tuple[Node, ...]]]:
        """All nodes of the body, those around first, each with those around it, outermost first."""
        return _nodes(self.body, ())


@dataclass(frozen=True, slots=True)
class Refused:
    """What a rewrite answers where it does not apply.

    `because`  why, where there is something that it is for, but that cannot have it; in words
    `heading`  what the kernel is therefore, in the report; none: the words stand with those about the axes
    """

    because: str | None = None
    heading: str = ""


def children(node: Node) -> tuple[Node, ...]:
    """What is done inside of `node`."""
    return node.steps if isinstance(node, Steps) else (node.body,) if isinstance(node, _LOOPS) else ()


def in_order(steps: Sequence[Node]) -> Node:
    """`steps` one after the other."""
    return steps[0] if len(steps) == 1 else Steps(tuple(steps))


def _nodes(node: Node, around: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    yield node, around
    for child in children(node):
        yield from _nodes(child, (*around, node))
