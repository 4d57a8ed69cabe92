"""Plan: thread coarsening along y: a thread computes several rows, since neighbouring rows read the same elements.

    v[i][j] = u[i - 1][j] + u[i][j] + u[i + 1][j]      eight rows in one thread: 10 reads of u, not 24

With three axes these are rows that lie behind each other, where they have elements in common: what those beside each
other have is in the cache, since a block extends along y.

The rows of a thread are one unrolled loop; the compiler sees that they read the same elements of arrays that the kernel
does not write, and keeps those in registers. What all rows read of an array that the kernel writes, too, is a variable
(`a[k][j]` of `a[i][j] -= a[i][k] * a[k][j]`), and so is what lies in another piece of memory for each thread. A grid
with too little work for all threads of the device goes on having one row a thread, which is decided at run time
(ompc_tiles.h): the kernel is a template over their number. And over whether the grid has a thread for every point, as
it has but for sums: then threads leave the loops over the grid after one turn (`once`), for which the compiler needs
fewer registers; rows that lie behind each other are unrolled by two. The lanes of a warp begin where its memory does:
those in front of the first column have nothing to do.

The schedule (strip-mine and interchange):

    axis y: i ...                        axis y: i ..., 8 a thread
    axis x: j ...                        axis x: j ...
        body                                 strip of i
                                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: rows of an inner loop, in shared memory -- plan/forms/tiles.py.
    Source: thread coarsening, as in Volkov, "Better performance at lower occupancy" (GTC 2010); strip-mine and
    interchange (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, 8.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.locality.common_reads import common_reads
from ompc.analysis.locality.reuse import repeated_read
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.exits import is_jump, is_label
from ompc.ir.walk import children, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.element_names import name_of
from ompc.plan.model.extent import ExpandedExtent
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import OnePoint, Refused, Schedule, StripLoop, Strips
from ompc.plan.model.tile_model import RowCoarsening, RowRead
from ompc.plan.model.variable import Role, Variable
from ompc.plan.nest import Nest
from ompc.sema.as_written import as_written

MOST_TRIPS = 16
"""The most iterations of a loop that counts as short, which nvcc unrolls. The number is the compiler's, and no
device's.
"""

MOST_KEPT = 4
"""The most elements that the rows of a thread have in variables, which are registers."""

_UNFIT = (t.While, t.DoWhile, t.Switch, t.Print, t.Pragma, t.OpaqueStmt, t.OpaqueExpr)


def in_rows(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Several neighbouring iterations of an axis a thread, as many as there is work for."""
    if not schedule.is_plain or not nest.is_plane or not _is_plain(nest.facts, nest.variables):
        return Refused()
    weight = unrolled_weight(nest.body, nest.facts)
    written = sum(1 for _ in walk(nest.body))
    if weight is None or weight > DEVICE.row_body_unrolled or written > DEVICE.row_body:
        return Refused()
    form = _form(nest)
    if form is None:
        return Refused()
    return replace(coarsened(schedule, form), once=None if nest.has_reductions else Local("once"))


def _form(nest: Nest) -> RowCoarsening | None:
    facts, grid = nest.facts, nest.grid
    sides = [loop.axis for loop in grid]
    read_only = {v.obj for v in nest.variables if v.is_only_read}
    reads = [a for a in facts.accesses if a.obj in read_only and a.function is None and a.subscripts]
    for rows in (loop for axis in ("z", "y") for loop in grid if loop.axis == axis and sides.count(axis) == 1):
        axes = [rows.loop, *(loop.loop for loop in grid if loop is not rows)]
        found = repeated_read(reads, axes, facts.inner_loops, facts.forms)
        common = common_reads(facts, nest.body, axes)[:MOST_KEPT]
        if found is not None or common:
            names = {name: Local(name) for name in ("rows", "row", "nth")}
            names["first"] = Local(f"first_{rows.variable}")
            element = as_written(common[0].nodes[0] if found is None else found.node)
            because = f"neighbouring iterations of {rows.variable} read the same elements, such as {element}"
            kept = tuple(
                RowRead(r.nodes, replace(r.nodes[0]), r.type, Local(name_of(r.nodes[0])), r.always) for r in common
            )
            return RowCoarsening(rows.axis, _lead(grid[-1].loop), names, because, kept)
    return None


def coarsened(schedule: Schedule, form: RowCoarsening) -> Schedule:
    """The strips of `form.axis` lie inside of the loops over the other axes, so that neighbouring ones can share what
    they read; the lanes of a warp begin where its memory does.
    """
    (loop,) = schedule.axis(form.axis).loops
    strips = Strips(form.counts[0], form)
    axes = schedule.with_axes({form.axis: strips, "x": OnePoint(form.lead)})
    return replace(schedule, what="several rows a thread", axes=axes, body=StripLoop(loop, strips, schedule.body))


def _lead(x: CanonicalLoop) -> int:
    """How far the first iteration along x is from where, in rows that are aligned, the memory of a warp begins."""
    first = constant_value(x.lower)
    return 0 if first is None or x.down or x.constant_step != 1 else int(first) % DEVICE.warp


def _is_plain(facts: Facts, variables: Sequence[Variable]) -> bool:
    """Is a row nothing but its points, and sums of them?"""
    loop = facts.loop
    asked = loop.override.threads is not None or loop.override.blocks is not None
    if asked or facts.device_code.functions or not LaunchEffects.of(facts).has_points_and_sums:
        return False
    if any(isinstance(v.extent, ExpandedExtent) for v in variables):
        return False
    written = {access.obj for access in facts.accesses if access.mode.writes}
    plain = {Role.ARRAY, Role.CELL, Role.VALUE, Role.PRIVATE, Role.REDUCTION}
    passed = {v.symbol for v in variables if v.role is Role.FIRSTPRIVATE and MemoryObject(v.symbol) not in written}
    return all(v.role in plain or v.symbol in passed for v in variables)


def unrolled_weight(node: t.Stmt | t.Expr | t.VarDecl, facts: Facts) -> int | None:
    """How many nodes the code has when its short loops are unrolled; None: it has other loops, or jumps."""
    if isinstance(node, _UNFIT) or is_jump(node) or is_label(node):
        return None
    if isinstance(node, t.VarDecl) and node.symbol.storage is t.Storage.LOCAL_STATIC:
        return None
    times = 1
    if isinstance(node, t.For):
        loop = facts.inner_loops.get(node)
        trips = None if loop is None else constant_trips(loop)
        if trips is None or trips > MOST_TRIPS:
            return None
        times = trips
    below = [unrolled_weight(child, facts) for child in children(node)]
    known = [weight for weight in below if weight is not None]
    return 1 + times * sum(known) if len(known) == len(below) else None
