"""One object that a kernel uses: how it reaches the kernel, where it lives, what is copied.

    v    const double *v, array       VALUE ARRAY CELL ...  its role
         readonly                     CONSTANT READONLY ... its place on the device
         in COPY, out NONE            its transfers at each launch
         distinct                     what the kernel relies on

In: nothing.   Out: plain data, with `because`.   Not here: who decides -- plan/memory, plan/parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ompc.analysis.memory.bounding_sections import BoundingSection
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.lmad import Lmad
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.extent import Extent, ObjectExtent, Slots
from ompc.plan.model.names import Name


class Role(Enum):
    """How a variable reaches the kernel."""

    ARRAY = "array"  # device memory behind a pointer parameter, or __constant__
    CELL = "cell"  # a shared scalar or struct that lives in device memory during the launch
    VALUE = "value"  # a scalar or struct that the kernel only reads: passed by value
    FIRSTPRIVATE = "firstprivate"  # passed by value; each thread's own copy
    PRIVATE = "private"
    REDUCTION = "reduction"
    LINKED = "linked"  # what pointers in an array, struct or table lead to; the kernel finds it there
    LASTPRIVATE = "lastprivate"  # private, and the last iteration's value comes back through a cell


class Placement(Enum):
    """Where it lives on the device."""

    CONSTANT = "constant"
    GLOBAL = "global"
    READONLY = "readonly"
    SHARED = "shared"
    REGISTER = "register"
    PARAMETER = "parameter"


class HostBuffer(Enum):
    PAGEABLE = "pageable"
    MALLOC_HOST = "malloc_host"
    HOST_REGISTER = "host_register"


class Transfer(Enum):
    """What a launch does with the old or new values."""

    COPY = "copy"
    NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One object of a region.

    `element`   what a device pointer to it points to: the row type for arrays of rank two or more; its own type else
    `reads`, `writes`   number of places in the kernel's text that read or write it
    `label`     the user's name of the variable, or of the pointer that leads to a linked object: "g->u", "a[]"
    `is_pointee`  the object is what the pointer `symbol` points to
    `distinct`  the kernel relies on it not to overlap what it writes (__restrict__, read-only path, __constant__)
    `placed_because`  the reason for the placement alone; `because` adds those for its transfers and host buffer
    `written`   the elements outside which nothing is written, where these are fewer than those that are used
    `slots`     of a linked object: where the pointers to it are
    `apart`: the kernel relies on it that no two of them overlap; `overwrites`: what need not be copied in
    `dimensions`  the parameters that carry a VLA's variable inner lengths, outermost first; all of an ExpandedExtent
    `lengths`  the user's variables that have the same numbers, where there are such; else None
    `sizes`  the launcher's parameters for what only the host knows of its extent: the first element of a mapped section
    and their number, or the bytes of a VLA
    `merges`  nvcc might merge its loads with another array's: not __restrict__ (merged_loads.py)
    `former`  the array that the kernel is given a copy of for it, made on the device before it runs (former_values.py)
    `obj`  the variable, with the pointers that lead from it to the object
    """

    symbol: t.Symbol
    role: Role
    device_name: Name
    element: ty.Type
    extent: Extent
    reads: int
    writes: int
    is_pointee: bool
    placement: Placement
    transfer_in: Transfer
    transfer_out: Transfer
    host_buffer: HostBuffer | None
    distinct: bool
    dimensions: tuple[Name, ...]
    placed_because: str
    because: str
    label: str
    slots: Slots | None = None
    apart: bool = False
    obj: MemoryObject | None = None
    overwrites: tuple[Lmad, ...] = ()
    written: Section | BoundingSection | None = None
    merges: bool = False
    sizes: tuple[Name, ...] = ()
    lengths: tuple[t.Symbol | None, ...] = ()
    former: Name | None = None

    @property
    def bytes(self) -> int | None:
        return self.extent.bytes if isinstance(self.extent, ObjectExtent) else None

    @property
    def access(self) -> str:
        if self.writes and self.reads:
            return "readwrite"
        return "write" if self.writes else "read"

    @property
    def is_only_read(self) -> bool:
        """Does the kernel rely on it that nothing changes the array during a launch?"""
        chosen = self.placement is Placement.READONLY or (self.merges and not self.writes)
        return self.distinct and chosen

    @property
    def in_device_memory(self) -> bool:
        """Does it have an allocation of its own on the device?"""
        return self.role in (Role.ARRAY, Role.CELL) and self.placement is not Placement.CONSTANT


def array_of(variables: Iterable[Variable], obj: MemoryObject) -> Variable | None:
    """The array in memory of the device that `obj` is; None: it is none."""
    found = (v for v in variables if v.obj == obj and v.role is Role.ARRAY and v.in_device_memory)
    return next(found, None)
