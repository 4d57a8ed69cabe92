"""Tiles: a block computes a tile of points together, each of its threads several (forms/tiles.py).

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

    In: Schedule, TilePlan.   Out: the schedule of the second kernel.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.ir import tree as t
from ompc.plan.machine import DEVICE
from ompc.plan.model.schedule import (
    Barrier,
    Body,
    Node,
    Part,
    Private,
    Product,
    RegisterTile,
    Schedule,
    Serial,
    Stage,
    Tiles,
    in_order,
)
from ompc.plan.model.tile_model import TilePlan


def in_tiles(schedule: Schedule, form: TilePlan) -> Schedule:
    """The body's inner loop is divided: what is staged for `form.depth` of its iterations is shared by the block."""

    def points(part: Part, *statements: t.Stmt) -> Node:
        return RegisterTile(form, part, Body(statements))

    rows = DEVICE.tile_side * DEVICE.tile_points[0]
    axes = schedule.with_axes({"y": Tiles(rows, form), "x": Tiles(rows // form.narrower, form)})
    turn: list[Node] = [Barrier(staged=True), Stage(form.staged, ahead=True)]
    turn.append(points(Part.TURN, form.body) if form.product is None else Product(form))
    steps: list[Node] = [Stage(form.staged), Private((*form.kept, *form.variables)), points(Part.BEFORE, *form.before)]
    steps += [Serial(form.loop, form.depth, in_order(turn)), points(Part.AFTER, *form.after), Barrier()]
    return replace(schedule, kernel=form.kernel, what=form.heading, axes=axes, body=in_order(steps))
