"""The plan of a tiled kernel: part of the plan (plan.py), read by render/forms/tiles.py and plan/verify.py.

A block computes a tile of the points of the grid, each of its threads several of them; what one point does is

    before      float s = 0;                              of every point of the thread, then
    loop        for (k = 0; k < n; k++)                   together, `depth` iterations at a time, with the elements
                    s += a[i][k] * b[k][j];               that they read in shared memory
    after       c[i][j] = s;                              of every point that there is

TilePlan, TransposedPlan and RowCoarsening say of themselves what is said of them:

    heading     what it is, in the report and the comment above the kernel, with `because`
    kernel      the name of the second kernel; None: a form of the kernel itself
    tile_sizes  the points of a thread among which `ompc tune` chooses
    has_rows    whether it chooses the rows of a thread
    lines()     for `--dump plan`; those behind the first are about parts
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import ClassVar

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Name


class Axis(Enum):
    """A direction of the tile: `x` neighbouring lanes."""

    X = "x"
    Y = "y"


class Part(Enum):
    """Of a nest whose points share an inner loop: what is ahead of all that is done under a guard, what is before the
    loop, its iterations of a turn, what is behind it.
    """

    AHEAD = "ahead"
    BEFORE = "before"
    TURN = "turn"
    AFTER = "after"


class Order(Enum):
    """Which threads of a block stage what: neighbours have neighbouring iterations of the inner loop, or points."""

    DOWN = "down"
    ACROSS = "across"
    ROWS = "rows"  # points, several of which have neighbouring elements
    VECTORS = "vectors"  # certainly
    POINTS = "points"  # iterations, several of which certainly have neighbouring elements, also in shared memory


@dataclass(frozen=True, slots=True, eq=False)
class StagedRead:
    """Reads of one element that all points of a line across an axis share.

    `nodes`  the same expression each
    `axis`   the line is across it
    `order`  that in which neighbouring threads stage neighbouring elements, where there is one
    `tile`   the shared array
    `own`    the thread's copy of those that its points need in one iteration
    """

    nodes: tuple[t.Expr, ...]
    axis: Axis
    order: Order
    type: ty.Type
    tile: Name
    own: Name


@dataclass(frozen=True, slots=True, eq=False)
class KeptElement:
    """An element that each point reads and writes, and nothing else does: a register from beginning to end.

    `loaded`: its old value is wanted.
    """

    nodes: tuple[t.Expr, ...]
    type: ty.Type
    own: Name
    loaded: bool


@dataclass(frozen=True, slots=True, eq=False)
class RegisterTileVariable:
    """A variable of the user's of which each point of a thread has a copy, in the array `own`."""

    symbol: t.Symbol
    own: Name


@dataclass(frozen=True, slots=True, eq=False)
class TileProduct:
    """All that an iteration of the inner loop does to a point: it adds a product of doubles.

    `own`                        what is added to
    `left`                       the factor that varies along y alone
    `right`                      the factor that varies along x alone
    `left_needs`, `right_needs`  the declarations of the body that they need
    `negative`                   the product is subtracted
    """

    own: Name
    left: t.Expr
    right: t.Expr
    left_needs: tuple[t.VarDecl, ...]
    right_needs: tuple[t.VarDecl, ...]
    negative: bool


@dataclass(frozen=True, slots=True, eq=False)
class TilePart:
    """A point has the iterations of the inner loop of which `within` holds; the comparison moves along one `axis`."""

    axis: Axis
    within: t.Expr


def words_of_point(kept: Iterable[KeptElement], variables: Iterable[RegisterTileVariable]) -> int:
    """How many words of four bytes a point keeps from one iteration of the inner loop to the next."""
    kinds = [element.type for element in kept] + [ty.unqualified(each.symbol.type) for each in variables]
    return sum((ty.size_of(kind) or 0) // 4 for kind in kinds)


@dataclass(frozen=True, slots=True, eq=False)
class TilePlan:
    """A second kernel for the same nest, which the launcher takes where there is enough work.

    `locals`        variables of one of `before`, `body` and `after` alone that are declared outside of it
    `definitions`   what a part repeats where it needs it: the same in all iterations with the same counters
    `depth_of_one`  the depth where a thread has one point; 0: it always has more
    `narrower`      a thread has so many times fewer points along x than along y
    `group`         so many of them are neighbours
    `padding`       bytes behind the elements of an iteration, or of a point
    `memory`        bytes of shared memory for 8, 4 and 2 points, where the launch gives it to the blocks
    `product`       what the loop is where it is a sum of products
    `guard`         holds for the points that there are; others may be beside them in a tile
    `part`          which iterations a point has; None: all points have all
    `ahead`         what each point does before all else, whether the guard holds or not
    `behind`        what each point does in the end, likewise
    `names`         of what the kernel declares itself
    """

    kernel: Name
    loop: GridLoop
    before: tuple[t.Stmt, ...]
    body: t.Stmt
    after: tuple[t.Stmt, ...]
    staged: tuple[StagedRead, ...]
    kept: tuple[KeptElement, ...]
    variables: tuple[RegisterTileVariable, ...]
    locals: tuple[tuple[t.Symbol, ...], tuple[t.Symbol, ...], tuple[t.Symbol, ...]]
    definitions: tuple[t.VarDecl, ...]
    depth: int
    depth_of_one: int
    narrower: int
    group: int
    padding: int
    memory: tuple[int, ...]
    product: TileProduct | None
    guard: t.Expr | None
    part: TilePart | None
    ahead: tuple[t.Stmt, ...]
    behind: tuple[t.Stmt, ...]
    names: Mapping[str, Name]
    because: str
    heading: ClassVar[str] = "tiled"
    tile_sizes: ClassVar[tuple[int, ...]] = (8, 4, 2)
    has_rows: ClassVar[bool] = False

    @property
    def registers(self) -> int:
        """What a thread keeps from one iteration of the inner loop to the next, at most, in words of four bytes."""
        points = self.tile_sizes[0] * max(1, self.tile_sizes[0] // self.narrower)
        return points * words_of_point(self.kept, self.variables)

    def lines(self) -> Iterator[str]:
        of_one = f", {self.depth_of_one} for single points" if self.depth_of_one else ""
        yield f"tiled as {self.kernel}, with {self.depth} iterations of {self.loop.variable} at a time{of_one}"
        yield self.because
        for read in self.staged:
            yield f"staged {c_expr(read.nodes[0])} along {read.axis.value}, {read.order.value}, in {read.tile}"
        for element in self.kept:
            yield f"kept {c_expr(element.nodes[0])}, {'loaded' if element.loaded else 'set first'}"
        yield from (f"each point's {variable.symbol.name}" for variable in self.variables)
        if self.part is not None:
            yield f"a point has the iterations with {c_expr(self.part.within)}"


@dataclass(frozen=True, slots=True, eq=False)
class RowRead:
    """An element that all rows of a thread read. `nodes`: the same expression each, and `value`, which is none of them;
    `always`: every row reads it, else the first one that does so puts it into `name`.
    """

    nodes: tuple[t.Expr, ...]
    value: t.Expr
    type: ty.Type
    name: Name
    always: bool


@dataclass(frozen=True, slots=True)
class RowCoarsening:
    """The kernel computes several neighbouring iterations of an `axis` in a thread, one after the other, unrolled.

    `lead`: so many threads have nothing to do in front of the first iteration along x; `kept`: elements that all of
    them read, which the thread reads once.
    """

    axis: str
    lead: int
    names: Mapping[str, Name]
    because: str
    kept: tuple[RowRead, ...] = ()
    kernel: ClassVar[None] = None
    heading: ClassVar[str] = "several rows a thread"
    tile_sizes: ClassVar[tuple[int, ...]] = ()
    has_rows: ClassVar[bool] = True
    counts: ClassVar[tuple[int, ...]] = (8, 4, 1)  # of a thread's iterations, as the runtime chooses them

    def lines(self) -> Iterator[str]:
        yield f"{self.heading}: {self.because}"


@dataclass(frozen=True, slots=True, eq=False)
class TransposedElement:
    """The accesses `nodes`, the same expression each, to an element that its point finds in the shared array `tile`:
    `loaded` before the body, `stored` after it.
    """

    nodes: tuple[t.Expr, ...]
    type: ty.Type
    tile: Name
    loaded: bool
    stored: bool


@dataclass(frozen=True, slots=True, eq=False)
class TransposedPlan:
    """A second kernel for a nest in which a block has a tile of `side` x `side` points and stages `elements`.

    `definitions`: declarations of the body that are repeated where the place of an element needs them.
    """

    kernel: Name
    elements: tuple[TransposedElement, ...]
    definitions: tuple[t.VarDecl, ...]
    side: int
    names: Mapping[str, Name]
    because: str
    heading: ClassVar[str] = "transposed through tiles"
    tile_sizes: ClassVar[tuple[int, ...]] = ()  # its tiles have one size
    has_rows: ClassVar[bool] = False

    def lines(self) -> Iterator[str]:
        yield f"tiles of {self.side} x {self.side} points as {self.kernel}: {self.because}"
        for staged in self.elements:
            ways = " and ".join(["in"] * staged.loaded + ["out"] * staged.stored)
            yield f"staged {c_expr(staged.nodes[0])} {ways}, through {staged.tile}"
