"""Analysis: names for the objects of a kernel, as they are known where the loop is launched.

A `Root` is a variable, or what can be reached from one by following pointers. Each `Link` is a pointer that is
followed: the variable's own value, or pointers that are stored in the object before it, told apart by the member that
holds them. All rows of a table of rows are one root.

    double **a            a,   *a   (the table),   **a   (every row)
    double *t[4]          t         (the table),   *t[]  (every row)
    struct grid *g        g,   *g,  *g->u  (what the member `u` of every struct in *g points to)

`slots_of` says where in an element of the object the pointers of a link lie.

    Source: access paths as in Landi and Ryder, "A Safe Approximate Algorithm for Interprocedural Pointer Aliasing",
    PLDI 1992, with one name for all elements of an array.
    Not here: which roots a pointer can point into -- analysis/memory/points_to.py; where they overlap -- the launcher.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty

POINTER_BYTES = 8
MOST_SLOTS = 256
"""Pointers in one element; a struct with more of them in arrays is not followed."""


@dataclass(frozen=True, slots=True)
class Link:
    """A pointer that is followed. `member` of `record` holds it; no record: it is the element, or the variable."""

    record: ty.Record | None = None
    member: ty.Field | None = None


PLAIN = Link()


@dataclass(frozen=True, slots=True)
class Root:
    """`symbol` itself when there are no `links`, else what following them from it leads to."""

    symbol: t.Symbol
    links: tuple[Link, ...] = ()

    @property
    def pointee(self) -> bool:
        """Is it reached through a pointer?"""
        return bool(self.links)

    @property
    def stored(self) -> bool:
        """Is it reached through a pointer that is stored in memory? Then it can be many objects, or none."""
        return len(self.links) > (1 if isinstance(self.symbol.type, ty.Pointer) else 0)

    @property
    def holder(self) -> Root:
        """The object that holds the last pointer."""
        return Root(self.symbol, self.links[:-1])

    def through(self, link: Link) -> Root:
        return Root(self.symbol, (*self.links, link))

    def order(self) -> tuple[int, int, str]:
        """A key to sort roots by: declaration, then distance."""
        return self.symbol.position, len(self.links), str(self)

    def __str__(self) -> str:
        return f"*{pointer_text(self)}" if self.links else self.symbol.name


def pointer_text(root: Root) -> str:
    """The pointer that leads to `root`, as C text without subscripts: `g->u`, `t[]`."""
    link, holder = root.links[-1], root.holder
    if link.member is None:
        array = not holder.links and isinstance(root.symbol.type, ty.Array)
        return f"{holder}[]" if array else str(holder)
    inside = f"{pointer_text(holder)}->" if holder.links else f"{holder}."
    return inside + (link.member.name or "")


def element_type(root: Root) -> ty.Type:
    """The type of one element of the object: what the pointer points to, or the variable's own element."""
    if not root.links:
        return ty.element_of(root.symbol.type)
    link = root.links[-1]
    kind = element_type(root.holder) if link.member is None else ty.element_of(link.member.type)
    return ty.element_of(kind.to) if isinstance(kind, ty.Pointer) else ty.Unknown("no pointer")


def target_type(root: Root) -> ty.Type:
    """What the last pointer points to, rows of arrays as they are declared."""
    link = root.links[-1]
    kind = element_type(root.holder) if link.member is None else ty.element_of(link.member.type)
    return kind.to if isinstance(kind, ty.Pointer) else ty.Unknown("no pointer")


def slots_of(root: Root) -> tuple[int, ...] | None:
    """Byte offsets, in an element of `root.holder`, of the pointers that lead to `root`; None: too many, or a union."""
    link, kind = root.links[-1], element_type(root.holder)
    if link.member is None:
        return (0,) if isinstance(kind, ty.Pointer) else None
    found: list[int] = []
    for offset in _offsets(kind, link, 0):
        if offset is None or len(found) == MOST_SLOTS:
            return None
        found.append(offset)
    return tuple(found) or None


def _offsets(kind: ty.Type, link: Link, base: int) -> Iterator[int | None]:
    """Where `link` occurs in a value of type `kind`; None for a place that cannot be told from others."""
    if isinstance(kind, ty.Array):
        element = ty.size_of(kind.of)
        count = kind.length if isinstance(kind.length, int) and element is not None else 0
        for k in range(min(count, MOST_SLOTS + 1)):
            yield from _offsets(kind.of, link, base + k * (element or 0))
    elif isinstance(kind, ty.Struct):
        for member in kind.record.fields or ():
            if kind.record is link.record and member == link.member:
                yield from (
                    None if kind.record.kind == "union" else at for at in _pointers(member.type, base + member.offset)
                )
            elif isinstance(member.type, (ty.Array, ty.Struct)):
                inside = _offsets(member.type, link, base + member.offset)
                yield from (None for _ in inside) if kind.record.kind == "union" else inside


def _pointers(kind: ty.Type, base: int) -> Iterator[int]:
    """The offsets of a member that is a pointer, or an array of pointers."""
    bytes_ = ty.size_of(kind)
    count = 0 if bytes_ is None else bytes_ // POINTER_BYTES
    yield from (base + k * POINTER_BYTES for k in range(min(count, MOST_SLOTS + 1)))
