"""Plan: nests whose points share what they read get a second kernel, in which a block computes a tile of points.

    for (i ...) for (j ...) {                     a block: rows x columns points (i, j), 16 x 16 threads
        float s = 0;                              a thread: up to 8 x 8 of them, each with an `s` of its own
        for (k ...) s += a[i][k] * b[k][j];       a, b: through shared memory, `depth` iterations of k at a time
        c[i][j] = s;
    }

Staged is what is read in every iteration of the inner loop and varies with that loop and one of the two axes, in
arrays that the kernel does not write: a line of points across the axis reads the same elements (tile_reads.py). Each
point runs its iterations in order, with the operations that it had, so results do not change. Points beyond the end
repeat the last one's work and store nothing.

Where points are there only under a condition, as those of a triangle are (`guard`), a block leaves out tiles without
one, and stages only what belongs to rows and columns that have one. What stands beside the condition is done by each
point of its own: `ahead` of all that tiles do, or `behind` it.

    if (j == i) c[i][i] = 1;                                         ahead: by the points of the tile that there are
    if (j > i) { s = 0; for (k ...) s += ...; c[i][j] = s; }         in the tile, for points with j > i

How many iterations are staged at a time goes by what there is room for in the largest tile: fewer where more is read.

    s += a[i][k] * b[k][j];                                          doubles: 8 iterations at a time
    c[i][j] += a[j][k] * x * b[i][k] + b[j][k] * x * a[i][k];        four of them: 4 at a time

The schedule:

    axis y: i ...                        axis y: i ..., in tiles of 128
    axis x: j ...                        axis x: j ..., in tiles of 128
        s = 0;                               stage a[i][k], b[k][j] of the first 16 iterations
        for (k ...)                          each point has s
            s += a[i][k] * b[k][j];          points of the thread: s = 0;
        c[i][j] = s;                         serial k, 16 at a time
                                                 barrier
                                                 stage a[i][k], b[k][j] of the next ones
                                                 points of the thread: s += a[i][k] * b[k][j];
                                             points of the thread that there are: c[i][j] = s;
                                             barrier

    In: the kernels that there are, Nest.   Out: the schedule of another kernel, or why there is none.
    Not here: which size is taken, at run time (ompc_tiles.h); loops whose bounds differ from point to point.
    Source: Wolfe, "More iteration space tiling" (SC '89); Callahan, Carr, Kennedy, "Improving register allocation for
    subscripted variables" (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ompc.analysis.facts import Facts
from ompc.analysis.locality.register_tile import RegisterTileBody, register_tile_body
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.forms.tile_products import tile_product
from ompc.plan.forms.tile_reads import TileReads, Untileable
from ompc.plan.forms.tile_variables import register_tile_variables
from ompc.plan.machine import DEVICE
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.extent import ExpandedExtent
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import (
    Barrier,
    Body,
    Node,
    Private,
    Product,
    Refused,
    RegisterTile,
    Schedule,
    Serial,
    Stage,
    Tiles,
    in_order,
)
from ompc.plan.model.tile_model import (
    Axis,
    KeptElement,
    Order,
    Part,
    RegisterTileVariable,
    StagedRead,
    TilePart,
    TilePlan,
    TileProduct,
    words_of_point,
)
from ompc.plan.model.variable import Role, Variable
from ompc.plan.nest import Nest
from ompc.sema.as_written import as_written

_NAMES = (
    "y",
    "x",
    "d",
    "p",
    "points",
    "across",
    "rows",
    "columns",
    "depth",
    "buffer",
    "stage",
    "iteration",
    "left",
    "whole",
    "all",
    "later",
    "inside",
    "within",
    "stretch",
    "every",
    "of_row",
    "of_column",
)


def in_tiles(kernels: tuple[Schedule, ...], nest: Nest) -> Schedule | Refused:
    """The tiled kernel, beside one in which a thread has one point at a time."""
    facts, mapping = nest.facts, nest.kernel.mapping
    if not kernels[0].is_plain or not nest.is_plane or not has_only_points(facts, nest.variables):
        return Refused()
    grid = mapping.loops if nest.choices.does("boxes") else ()
    body = register_tile_body(facts, mapping.body, mapping.counters, grid)
    if body is None:
        return Refused()
    axes = nest.grid[-2].loop.var, nest.grid[-1].loop.var
    reads = TileReads(facts, body, mapping.loops, mapping.counters, axes, nest.variables)
    try:
        staged = reads.staged()
        if not staged:
            return Refused()  # points share nothing
        kept = reads.kept()
        if body.guard is not None:
            reads.check_guarded(staged, kept)
        contraction = nest.choices.contraction if nest.choices.does("tensor-cores") else None
        planner = _Planner(nest, body, contraction)
        return tiled(kernels[0], planner.plan(nest.counted(body.loop), staged, kept))
    except Untileable as untileable:
        return Refused(untileable.because, "not tiled")


def tiled(schedule: Schedule, form: TilePlan) -> Schedule:
    """The body's inner loop is divided: what is staged for `form.depth` of its iterations is shared by the block."""

    def points(part: Part, *statements: t.Stmt) -> Node:
        return RegisterTile(form, part, Body(statements))

    rows = DEVICE.tile_side * DEVICE.tile_points[0]
    axes = schedule.with_axes({"y": Tiles(rows, form), "x": Tiles(rows // form.narrower, form)})
    turn: list[Node] = [Barrier(staged=True), Stage(form.staged, ahead=True)]
    turn.append(points(Part.TURN, form.body) if form.product is None else Product(form))
    steps: list[Node] = [points(Part.AHEAD, *form.ahead)] if form.ahead else []
    steps += [Stage(form.staged), Private((*form.kept, *form.variables)), points(Part.BEFORE, *form.before)]
    steps += [Serial(form.loop, form.depth, in_order(turn)), points(Part.AFTER, *form.after, *form.behind), Barrier()]
    return replace(schedule, kernel=form.kernel, what=form.heading, axes=axes, body=in_order(steps))


def has_only_points(facts: Facts, variables: Sequence[Variable], with_sums: bool = False) -> bool:
    """Is there nothing about the launch that concerns more than its points, but for sums of numbers, if wanted?"""
    loop, effects = facts.loop, LaunchEffects.of(facts)
    asked = loop.override.threads is not None or loop.override.blocks is not None
    if asked or not (effects.has_points_and_sums if with_sums else effects.has_only_points):
        return False
    forms = facts.atomic_operations.forms
    if any(node in forms.expressions or node in forms.statements for node in facts.device_code.nodes):
        return False
    if any(access.function is not None and not facts.is_thread_private(access.obj) for access in facts.accesses):
        return False
    written = {access.obj.symbol for access in facts.accesses if access.mode.writes}
    plain = {Role.ARRAY, Role.CELL, Role.VALUE, Role.PRIVATE, Role.REDUCTION}
    if any(isinstance(v.extent, ExpandedExtent) for v in variables):
        return False
    passed = {v.symbol for v in variables if v.role is Role.FIRSTPRIVATE and not isinstance(v.symbol.type, ty.Array)}
    return all(v.role in plain or v.symbol in passed - written for v in variables)


@dataclass(frozen=True, eq=False)
class _Planner:
    """`contraction`: where tensor cores may serve."""

    nest: Nest
    body: RegisterTileBody
    contraction: Contraction | None

    def plan(self, loop: GridLoop, staged: Sequence[StagedRead], kept: Sequence[KeptElement]) -> TilePlan:
        body = self.body
        if sum(1 for _ in walk(body.loop.body)) > DEVICE.tile_body:
            raise Untileable(f"the loop over {loop.variable} does too much to be unrolled")
        if any(b.host_text is not None for b in (loop.lower, loop.upper, loop.step)):
            raise Untileable(f"the host evaluates the bounds of the loop over {loop.variable}")
        counters = self.nest.kernel.mapping.counters
        carried, alone = register_tile_variables(self.nest.facts, body, counters)
        words = words_of_point(kept, carried)
        if words > DEVICE.tile_words:
            raise Untileable(f"each point has {words} registers to keep during the loop over {loop.variable}")
        product = self._product(staged, kept, carried)
        if product is None:  # a thread reads elements of neighbouring points at once
            staged = [replace(read, order=Order.DOWN) if read.order is Order.POINTS else read for read in staged]
        narrower = 1 if product else 1 << (max(words, 1) - 1).bit_length()
        padding, room = (DEVICE.product_padding, DEVICE.shared_asked) if product else (DEVICE.vector, DEVICE.shared)
        bytes_of = partial(shared_bytes, staged, narrower=narrower, padding=padding)
        depths = (*DEVICE.tile_depths, DEVICE.tile_depth_of_many) if product is None else DEVICE.tile_depths
        depth = next((depth for depth in depths if bytes_of(depth=depth) <= room), None)
        if depth is None:
            raise Untileable("what would be staged does not fit into shared memory")
        return TilePlan(
            kernel=Local(f"{self.nest.facts.loop.id}_tiled"),
            loop=loop,
            before=body.before,
            body=body.loop.body,
            after=body.after,
            staged=tuple(staged),
            kept=tuple(kept),
            variables=carried,
            locals=alone,
            definitions=body.definitions,
            depth=depth,
            depth_of_one=0
            if product
            else next(d for d in DEVICE.tile_depths_of_one if bytes_of(depth=d, points=1) <= room),
            narrower=narrower,
            group=DEVICE.vector // max(ty.size_of(read.type) or 1 for read in staged),
            padding=padding,
            memory=tuple(bytes_of(depth=depth, points=points) for points in DEVICE.tile_points) if product else (),
            product=product,
            guard=None if body.guard is None else body.guard.condition,
            part=self._part(),
            ahead=body.ahead,
            behind=body.behind,
            names=self._names(loop),
            because=_because(staged, kept, self.nest.grid, product),
        )

    def _product(
        self, staged: Sequence[StagedRead], kept: Sequence[KeptElement], carried: Sequence[RegisterTileVariable]
    ) -> TileProduct | None:
        if self.contraction is None:
            return None
        values = {v.symbol for v in self.nest.variables if v.role is Role.VALUE and not v.writes}
        axes = self.nest.grid[-2].loop.var, self.nest.grid[-1].loop.var
        return tile_product(self.body, axes, staged, kept, carried, values, self.contraction)

    def _part(self) -> TilePart | None:
        """Which iterations of the inner loop a point has."""
        box, (y, x) = self.body.box, self.nest.grid[-2:]
        if box is None:
            return None
        if box.around.var not in (y.loop.var, x.loop.var):
            raise Untileable(f"the loop over {self.body.loop.var.name} changes with {box.around.var.name}")
        return TilePart(Axis.Y if box.around.var is y.loop.var else Axis.X, box.guard)

    def _names(self, loop: GridLoop) -> dict[str, Local]:
        names = {name: Local(name) for name in _NAMES} | {"first_k": Local(f"first_{loop.variable}")}
        for axis, of in ((Axis.Y, self.nest.grid[-2]), (Axis.X, self.nest.grid[-1])):
            for what in ("first", "last", *(["lines"] if self.body.guard is not None else [])):
                names[f"{what}_{axis.value}"] = Local(f"{what}_{of.variable}")
        return names


def shared_bytes(
    staged: Sequence[StagedRead], depth: int, narrower: int, padding: int, points: int = DEVICE.tile_points[0]
) -> int:
    """Two buffers of each read, so that one is filled while the other one is used. There is something behind each
    iteration's elements, or each point's, so that neighbouring ones lie in other banks.
    """
    total = 0
    for read in staged:
        size = ty.size_of(read.type) or 0
        width = DEVICE.tile_side * max(1, points // (narrower if read.axis is Axis.X else 1))
        lines, length = (width, depth) if read.order is Order.POINTS else (depth, width)
        total += 2 * lines * (length * size + padding)
    return total


def _because(
    staged: Sequence[StagedRead], kept: Sequence[KeptElement], grid: Sequence[GridLoop], product: TileProduct | None
) -> str:
    lines = []
    for axis, other in ((Axis.Y, grid[-1]), (Axis.X, grid[-2])):
        texts = ", ".join(as_written(read.nodes[0]) for read in staged if read.axis is axis)
        lines += [f"{texts} is the same for all {other.variable}"] * bool(texts)
    lines += [f"{as_written(element.nodes[0])} stays in a register" for element in kept]
    lines += ["tensor cores add the products, in their order"] * (product is not None)
    return "; ".join(lines)
