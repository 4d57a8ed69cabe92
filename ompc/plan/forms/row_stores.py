"""Plan: row stores: short rows that neighbouring threads store are stored by the lanes of a warp together (`auto`).

    for (m = 0; m < 5; m++)                ompc::store_row(&rhs[k][j][i][0], row);
        rhs[k][j][i][m] = row[m];

Each thread's row lies behind its neighbour's. Where every lane stores its own, an instruction writes a part of each
piece of 32 bytes, and so does each of the others; together they write each piece once (ompc_row_stores.h). Loads need
no such thing: what one of them has brought is in the cache for the next.

    which loops     all elements of the last dimension of an array in global memory get those of a thread's own array,
                    each its own; in front of that dimension, x is counted
    which rows      are longer than a store of one thread, and not so long that blocks would have too little room; of
                    rows of different lengths or types, the first ones that there is room for

The schedule:

    axis x: i ...                           axis x: i ...
        for (m ...) rhs[k][j][i][m] = ...       rhs[k][j][i] = ..., by the warp

    In: Schedule, Nest.   Out: Schedule.
    Not here: rows that are built up in variables -- plan/rewrites/elements/iteration_rows.py; forms of which a thread
    has several points beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.analysis.locality.iteration_rows import LEAST_ROW, MOST_ROW
from ompc.analysis.locality.iteration_steps import affine
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import set_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.launch import RowStore
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.tile_model import RowCoarsening
from ompc.plan.model.variable import Placement
from ompc.plan.nest import Nest

ROOM = 24 << 10
"""Bytes of shared memory for all such rows of a kernel: half of what a block may have without asking."""

_BLOCK = 256
"""The threads that have a place there (ompc_row_stores.h)."""


def with_row_stores(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """With the loops that store such rows, where a warp does one point of each thread at a time."""
    has_rows = schedule.form is None or isinstance(schedule.form, RowCoarsening)
    if not has_rows or schedule.accumulators or schedule.collected or schedule.vectors is not None:
        return Refused()
    found = tuple(_stores(nest))
    return replace(schedule, row_stores=found) if found else Refused()


def _stores(nest: Nest) -> Iterator[RowStore]:
    x = nest.kernel.mapping.loops[-1].var
    changed = set_in(nest.body)
    kinds: dict[ty.Type, int] = {}
    for node in walk(nest.body):
        loop = nest.facts.inner_loops.get(node) if isinstance(node, t.For) else None
        if loop is None or (store := _store(nest, loop)) is None or not _moves(store.row, x, changed):
            continue
        kind = ty.unqualified(store.own.type)
        bytes_of_kind = _bytes(kind)
        if kind not in kinds and sum(kinds.values()) + bytes_of_kind > ROOM:
            continue
        kinds[kind] = bytes_of_kind
        yield store


def _bytes(kind: ty.Type) -> int:
    """Of shared memory, for rows of this type: an odd number of elements each."""
    assert isinstance(kind, ty.Array) and isinstance(kind.length, int)
    return _BLOCK * (kind.length | 1) * (ty.size_of(kind.of) or 0)


def _store(nest: Nest, loop: CanonicalLoop) -> RowStore | None:
    facts = nest.facts
    if loop.down or loop.constant_step != 1 or loop.pointer is not None or not loop.declared_here:
        return None
    item = loop.body
    while isinstance(item, t.Block) and len(item.items) == 1:
        item = item.items[0]
    match item:
        case t.ExprStmt(
            expr=t.Assign(
                op="=",
                target=t.Index(base=t.Index() as row, index=t.Name(symbol=of_target)) as target,
                value=t.Index(base=t.Name(symbol=own), index=t.Name(symbol=of_value)) as value,
            )
        ) if of_target is loop.var and of_value is loop.var:
            pass
        case _:
            return None
    length = row.type.length if isinstance(row.type, ty.Array) else None
    mine = own.type.length if isinstance(own.type, ty.Array) else None
    kind = ty.unqualified(target.type)
    if not isinstance(length, int) or length != mine or kind != ty.unqualified(value.type) or target.type.quals:
        return None
    upper = constant_value(loop.upper)
    count = None if upper is None else upper + (loop.relation == "<=")
    size = ty.size_of(kind)
    if constant_value(loop.lower) != 0 or count != length or not isinstance(kind, (ty.Int, ty.Float)) or size is None:
        return None
    objects = {access.obj for access in facts.at(target)}
    if len(objects) != 1 or not LEAST_ROW < length * size <= MOST_ROW:
        return None
    (obj,) = objects
    if not facts.is_thread_private(MemoryObject(own)) or facts.is_thread_private(obj) or not _is_plain(nest, obj):
        return None
    return RowStore(loop.statement, row, own)


def _is_plain(nest: Nest, obj: MemoryObject) -> bool:
    """Is it in global memory, under its own name, and nothing atomic done to it?"""
    variables = [v for v in nest.variables if v.obj == obj]
    if any(nest.facts.atomic_operations.covers(access) for access in nest.facts.of(obj)):
        return False
    return len(variables) == 1 and variables[0].placement is Placement.GLOBAL and not obj.stored


def _moves(row: t.Index, x: t.Symbol, changed: frozenset[t.Symbol]) -> bool:
    """Is the row of the next iteration along x the next one?"""
    known = None if x in changed else affine(row.index, {x: (1, 0)})
    return known is not None and known[0] == 1
