"""Tiles through which transposed accesses pass (forms/transposed.py): blocks take tiles, once along each axis.

    axis y: i ...                        axis y: i ..., in tiles of 64
    axis x: j ...                        axis x: j ..., in tiles of 64
        body                                 points of the tile along y
                                                 stage a[j][i] into a_tile
                                             barrier
                                             points of the tile along x
                                                 body
                                             barrier
                                             points of the tile along y
                                                 stage out b[j][i] from b_tile
                                             barrier

    In: Schedule, TransposedPlan.   Out: the schedule of the second kernel.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.plan.model.schedule import Barrier, Node, Schedule, Stage, TilePoints, Tiles, in_order
from ompc.plan.model.tile_model import TransposedPlan


def in_transposed_tiles(schedule: Schedule, form: TransposedPlan) -> Schedule:
    """Elements are staged in before the body, out behind it; reductions stay as they are."""
    tiles = Tiles(form.side, form)
    loaded = tuple(element for element in form.elements if element.loaded)
    stored = tuple(element for element in form.elements if element.stored)
    steps: list[tuple[str, Node]] = [("y", Stage(loaded))] * bool(loaded)
    steps += [("x", schedule.body)] + [("y", Stage(stored, out=True))] * bool(stored)
    body = in_order([node for axis, step in steps for node in (TilePoints(axis, form, step), Barrier())])
    axes = schedule.with_axes({"y": tiles, "x": tiles})
    return replace(schedule, kernel=form.kernel, what="transposed through tiles", axes=axes, body=body)
