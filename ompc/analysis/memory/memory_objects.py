"""Analysis: memory objects of a kernel, named by access paths that are known where the loop is launched.

A `MemoryObject` is a variable, or what can be reached from one by following pointers. Each `PathStep` is a pointer that
is followed: the variable's own value, or pointers that are stored in the object before it, told apart by the member
that holds them. All rows of a table of rows are one object.

    double **a            a,   *a   (the table),   **a   (every row)
    double *t[4]          t         (the table),   *t[]  (every row)
    struct grid *g        g,   *g,  *g->u  (what the member `u` of every struct in *g points to)

`slots_of` says where in an element of the object the pointers of a step lie.

    Source: access paths as in Landi and Ryder, "A Safe Approximate Algorithm for Interprocedural Pointer Aliasing",
    PLDI 1992, with one name for all elements of an array.
    Not here: which object a pointer can point into -- analysis/memory/points_to.py; where they overlap -- the launcher.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty

POINTER_BYTES = 8
MOST_SLOTS = 256
"""The most pointers in one element; a struct that has more of them in arrays is not followed."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """A pointer that is followed. `member` of `record` holds it; no record: it is the element, or the variable."""

    record: ty.Record | None = None
    member: ty.Field | None = None


PLAIN = PathStep()


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """`symbol` itself when there are no `path`, else what following them from it leads to."""

    symbol: t.Symbol
    path: tuple[PathStep, ...] = ()

    @property
    def pointee(self) -> bool:
        """Is it reached through a pointer?"""
        return bool(self.path)

    @property
    def stored(self) -> bool:
        """Is it reached through a pointer that is stored in memory? Then it can be many objects, or none."""
        return len(self.path) > (1 if isinstance(self.symbol.type, ty.Pointer) else 0)

    @property
    def holder(self) -> MemoryObject:
        """The object that holds the last pointer."""
        return MemoryObject(self.symbol, self.path[:-1])

    def through(self, step: PathStep) -> MemoryObject:
        return MemoryObject(self.symbol, (*self.path, step))

    def order(self) -> tuple[int, int, str]:
        """A key to sort objects by: declaration, then distance."""
        return self.symbol.position, len(self.path), str(self)

    def __str__(self) -> str:
        return f"*{pointer_text(self)}" if self.path else self.symbol.name


def pointer_text(obj: MemoryObject) -> str:
    """The pointer that leads to `obj`, as C text without subscripts: `g->u`, `t[]`."""
    step, holder = obj.path[-1], obj.holder
    if step.member is None:
        array = not holder.path and isinstance(obj.symbol.type, ty.Array)
        return f"{holder}[]" if array else str(holder)
    inside = f"{pointer_text(holder)}->" if holder.path else f"{holder}."
    return inside + (step.member.name or "")


def element_type(obj: MemoryObject) -> ty.Type:
    """The type of one element of the object: what the pointer points to, or the variable's own element."""
    if not obj.path:
        return ty.element_of(obj.symbol.type)
    step = obj.path[-1]
    kind = element_type(obj.holder) if step.member is None else ty.element_of(step.member.type)
    return ty.element_of(kind.to) if isinstance(kind, ty.Pointer) else ty.Unknown("no pointer")


def target_type(obj: MemoryObject) -> ty.Type:
    """What the last pointer points to, rows of arrays as they are declared."""
    step = obj.path[-1]
    kind = element_type(obj.holder) if step.member is None else ty.element_of(step.member.type)
    return kind.to if isinstance(kind, ty.Pointer) else ty.Unknown("no pointer")


def slots_of(obj: MemoryObject) -> tuple[int, ...] | None:
    """Byte offsets, in an element of `obj.holder`, of the pointers that lead to `obj`; None: too many, or a union."""
    step, kind = obj.path[-1], element_type(obj.holder)
    if step.member is None:
        return (0,) if isinstance(kind, ty.Pointer) else None
    found: list[int] = []
    for offset in _offsets(kind, step, 0):
        if offset is None or len(found) == MOST_SLOTS:
            return None
        found.append(offset)
    return tuple(found) or None


def _offsets(kind: ty.Type, step: PathStep, base: int) -> Iterator[int | None]:
    """Where `step` occurs in a value of type `kind`; None for a place that cannot be told from others."""
    if isinstance(kind, ty.Array):
        element = ty.size_of(kind.of)
        count = kind.length if isinstance(kind.length, int) and element is not None else 0
        for k in range(min(count, MOST_SLOTS + 1)):
            yield from _offsets(kind.of, step, base + k * (element or 0))
    elif isinstance(kind, ty.Struct):
        for member in kind.record.fields or ():
            if kind.record is step.record and member == step.member:
                yield from (
                    None if kind.record.kind == "union" else at for at in _pointers(member.type, base + member.offset)
                )
            elif isinstance(member.type, (ty.Array, ty.Struct)):
                inside = _offsets(member.type, step, base + member.offset)
                yield from (None for _ in inside) if kind.record.kind == "union" else inside


def _pointers(kind: ty.Type, base: int) -> Iterator[int]:
    """The offsets of a member that is a pointer, or an array of pointers."""
    bytes_ = ty.size_of(kind)
    count = 0 if bytes_ is None else bytes_ // POINTER_BYTES
    yield from (base + k * POINTER_BYTES for k in range(min(count, MOST_SLOTS + 1)))
