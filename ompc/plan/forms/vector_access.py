"""Plan: vector access: contiguous elements are read and written at once, where arrays are aligned (`auto`).

    struct body { float x, y, z, mass; };     template <bool aligned>
    sx += p[j].mass * (p[j].x - x);           ... const auto p = ompc::aligned<aligned, 16>(p_given); ...

The kernel is a template over whether its arrays begin at multiples of 16 bytes, or of 8: as many as are a multiple of
the elements' size, and as what is contiguous needs (memory/contiguity.py). The launcher looks at the addresses
that the arrays have on the device. Where they are aligned, structs have a type that says so, and the device's compiler
reads neighbouring members with one instruction; of other elements it is told the alignment of the first one.

A record of 8 or 16 bytes that nobody changes, and of which members are read in several places, or not all of them, is
read by one instruction at each place, and by the compiler once: its other members are memory of the same object.

A name that stands for something else than an element keeps its array as it is: its pointer has another type in C++.

A thread with several rows of a nest reads records of all of them so; where the arrays are not aligned, it has one row.

The schedule:

    axis x: i ...                        axis x: i ..., members of p[j] at once
        body                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: tiles, of which every form would be there twice: what a block stages it looks at itself, and copies 16
    bytes where they are aligned (ompc_tiles.h), but a member of a record goes to a tile of its own; kernels whose
    blocks have copies; accesses in functions that are called, and through other pointers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.analysis.memory.accesses import Access, Mode
from ompc.analysis.memory.contiguity import contiguous_accesses, lowest_bit, read_apart, record_around
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.launch import StreamPlan, VectorAccess, VectorAccesses
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest
from ompc.sema.as_written import as_written

TYPE_NAME = "AlignedElement"
"""Of an element's type at the device (ompc_vector_access.h): it would hide a member of that name."""


def with_vectors(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Arrays of which elements are read and written at once."""
    if schedule.accumulators or isinstance(schedule.form, (TilePlan, TransposedPlan, StreamPlan)):
        return Refused()
    if sum(1 for _ in walk(nest.body)) > DEVICE.aligned_body:
        return Refused()
    rows = isinstance(schedule.form, RowCoarsening)
    arrays = tuple(found for v in nest.variables if (found := _aligned(v, nest.kernel, rows)) is not None)
    if not arrays:
        return Refused()
    return replace(schedule, vectors=VectorAccesses(Local("aligned", "arrays_aligned"), arrays))


def is_record(element: ty.Type) -> bool:
    """Does an element, or an element of a row, get a type of its own?"""
    kind = ty.element_of(element)
    return isinstance(kind, ty.Struct) and kind.record.kind == "struct"


def alignment_of(element: ty.Type) -> int:
    """To how many bytes all records of an array are aligned if the first one is."""
    return min(DEVICE.vector, lowest_bit(ty.size_of(ty.element_of(element)) or 1))


def _aligned(v: Variable, kernel: Kernel, rows: bool) -> VectorAccess | None:
    if v.role is not Role.ARRAY or v.placement not in (Placement.GLOBAL, Placement.READONLY) or v.obj is None:
        return None
    own = [a for a in kernel.facts.of(v.obj) if a.function is None and a.subscripts is not None]
    found, apart = contiguous_accesses(own), _apart(own, v, rows)
    if (found is None and not apart) or not _can_have_type(v.element) or not _only_elements(v, kernel.mapping.body):
        return None
    to = alignment_of(v.element) if found is None or is_record(v.element) else found.bytes
    together = (*(found.nodes if found is not None and not apart else ()), *apart)
    texts = ", ".join(dict.fromkeys(as_written(node) for node in together))
    wide = to if found is None else found.bytes
    because = f"{wide} bytes of {v.label} at once, if it is aligned to {to} at the launch: {texts}"
    given, whole = Local("_given", after=v.device_name), frozenset(_whole(own, v.element))
    return VectorAccess(v.symbol, v.device_name, given, to, together, whole, frozenset(apart), because)


def _apart(accesses: Sequence[Access], v: Variable, rows: bool) -> tuple[t.Expr, ...]:
    """Elements that are best read whole: as they are aligned, one instruction does. Where a thread has several `rows`,
    all, since an element of which one row wants a member is that of which the next one wants others.
    """
    kind = ty.element_of(v.element)
    if not v.is_only_read or not isinstance(kind, ty.Struct):
        return ()
    fits = is_record(kind) and kind.record.size == alignment_of(kind) and kind.record.size >= DEVICE.vector_least
    found = read_apart(accesses, kind.record) if fits else ()
    if not found or not rows:
        return found
    parts = (record_around(access.node, kind.record) for access in accesses if ty.is_scalar(access.node.type))
    return tuple(node for node in parts if node is not None)


def _can_have_type(element: ty.Type) -> bool:
    """Can records of the device be aligned to more than they are anyway?"""
    kind = ty.element_of(element)
    if not isinstance(kind, ty.Struct) or kind.record.kind != "struct":
        return True
    fields = kind.record.fields or ()
    plain = all(field.name != TYPE_NAME and ty.size_of(field.type) for field in fields)
    return plain and alignment_of(element) > (kind.record.align or DEVICE.vector)


def _whole(accesses: Sequence[Access], element: ty.Type) -> Iterator[t.Expr]:
    """Reads of a struct that is an element, not of one that is a member."""
    for access in accesses:
        struct = isinstance(access.node.type, ty.Struct) and is_record(element)
        if struct and access.mode is Mode.READ and not isinstance(access.node, t.Member):
            yield access.node


def _only_elements(v: Variable, body: t.Stmt) -> bool:
    """Does every name of the array stand for an element of it? Of numbers it does not matter."""
    if not is_record(v.element):
        return True
    nodes = list(walk(body))
    if any(isinstance(node, t.Binary) and node.op == "-" and _are_pointers(node) for node in nodes):
        return False
    named = sum(1 for node in nodes if isinstance(node, t.Name) and node.symbol is v.symbol)
    return named == sum(1 for node in nodes if _element_base(node) is v.symbol)


def _are_pointers(node: t.Binary) -> bool:
    return all(isinstance(side.type, (ty.Pointer, ty.Array)) for side in (node.left, node.right))


def _element_base(node: object) -> t.Symbol | None:
    """The array of which `node` is an element."""
    match node:
        case t.Index(base=base, type=kind) if not isinstance(kind, ty.Array):
            while isinstance(base, t.Index):
                base = base.base
        case t.Member(base=base, arrow=True):
            pass
        case t.Unary(op="*", operand=base, type=kind) if not isinstance(kind, ty.Array):
            pass
        case _:
            return None
    return base.symbol if isinstance(base, t.Name) else None
