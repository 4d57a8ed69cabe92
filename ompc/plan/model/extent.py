"""Which memory an object of a loop is, and through which stored pointers it is found: parts of the plan.

In: nothing.   Out: plain data, in Variable (plan/model/variable.py).
"""

from __future__ import annotations

from ompc.analysis.memory.bounding_sections import BoundingSection
from ompc.analysis.memory.extents import Section
from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.omp.model import MappedSection
from ompc.plan.model.names import Name


@dataclass(frozen=True, slots=True)
class ObjectExtent:
    """A declared object: `bytes`, or (a variable-length array) known only where it is declared: None."""

    bytes: int | None


@dataclass(frozen=True, slots=True)
class BlockExtent:
    """The block (heap, global) that holds the address; the runtime knows it by address. Of it, only `window` is
    accessed: elements around the pointer. A window of one element may be on the stack.
    """

    window: Section | None = None


@dataclass(frozen=True, slots=True)
class SectionExtent:
    """Exactly these elements (analysis/memory/extents.py)."""

    section: Section


@dataclass(frozen=True, slots=True)
class BoundingExtent:
    """From the first byte of the bounding section to its last (memory/bounding_sections.py); if not exact, as far as
    the block goes.
    """

    bounding_section: BoundingSection


@dataclass(frozen=True, slots=True)
class MappedExtent:
    """The block that holds the address, or where there is none the section that a map clause names."""

    section: MappedSection


@dataclass(frozen=True, slots=True)
class ExpandedExtent:
    """A part of the launch's own for each thread (expansion.py).

    `lengths`      of the dimensions, outermost first: a number, or what the host evaluates at the launch
    `interleaved`  element k of all threads is contiguous in memory
    """

    lengths: tuple[int | str, ...]
    interleaved: bool


class ValueExtent:
    """Nothing: the kernel uses the value of the pointer and does not follow it."""


Extent = ObjectExtent | BlockExtent | SectionExtent | BoundingExtent | MappedExtent | ExpandedExtent | ValueExtent


@dataclass(frozen=True, slots=True)
class Slots:
    """The pointers that lead to a linked object.

    `holder`            names the object whose elements have them
    `stride`            bytes of such an element
    `offsets`           of the pointers in an element, in bytes
    `record`, `member`  of which struct they are which member
    `entries`           only the pointers in these are followed; None: all
    `unit`              the bytes of what `entries` counts, from the pointer to the holder on
    """

    holder: Name
    offsets: tuple[int, ...]
    record: ty.Record | None
    member: str | None
    stride: int
    unit: int
    entries: Section | None
