"""Plan: the arrays of a launch without the runtime: how much of each crosses, and which must be told apart.

The runtime knows blocks by address, compares them when a loop is launched, and leaves the loop to the host where it
must. Here all of that is proved, or the loop stays on the host; but for one thing that the launch function checks
itself: two pointers to beginnings of blocks, which may be the same block.

    In: KernelPlan, the pointers of the program, Beginnings.   Out: PlainArrays and pairs to be told apart, or words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ompc.analysis.host.host_objects import Block, Object, Program
from ompc.analysis.host.host_objects import Variable as HostVariable
from ompc.analysis.host.host_pointers import Pointers
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.variable import Transfer, Variable
from ompc.plan.plain.beginnings import ALLOCATORS, Beginnings
from ompc.plan.plain.model import Extent, PlainArray, TypeText
from ompc.plan.plain.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Refused:
    """In words, behind "needs ompc's runtime: "."""

    why: str


Found = tuple[tuple[PlainArray, ...], tuple[tuple[str, str], ...]]


class Arrays:
    """Of the launches of one program."""

    def __init__(self, units: Sequence[t.Unit]) -> None:
        program = Program(units)
        self.pointers = Pointers(program)
        self._beginnings = Beginnings(program)

    def of(self, kernel: KernelPlan, types: TypeText) -> Found | Refused:
        """The arrays of `kernel`."""
        sizes, found = Sizes(kernel, types), []
        for v in kernel.arrays:
            extent = sizes.of(v) or self.whole_of(v.symbol, v.is_pointee, types)
            if extent is None:
                return Refused(f"how far '{v.label}' reaches is known to nobody but who allocates it")
            copied_in = v.transfer_in is Transfer.COPY and not self._is_overwritten(v, extent, sizes)
            name = spelled(v.symbol.name)
            copied_out = v.transfer_out is Transfer.COPY
            found.append(PlainArray(v, name, extent, copied_in, copied_out))
        apart = self._apart(kernel.arrays)
        return apart if isinstance(apart, Refused) else (tuple(found), apart)

    @staticmethod
    def _is_overwritten(v: Variable, extent: Extent, sizes: Sizes) -> bool:
        return not v.reads and any(sizes.dense(part) == extent for part in v.overwrites)

    def _objects(self, v: Variable) -> frozenset[Object]:
        return self._of_symbol(v.symbol, v.is_pointee)

    def _of_symbol(self, symbol: t.Symbol, is_pointee: bool) -> frozenset[Object]:
        one = HostVariable(self.pointers.program.one(symbol))
        return self.pointers.load([one], None) if is_pointee else frozenset({one})

    def _begins(self, symbol: t.Symbol, is_pointee: bool) -> bool:
        return not is_pointee or self._beginnings.of(t.Name(symbol.type, symbol.loc, symbol))

    def whole_of(self, symbol: t.Symbol, is_pointee: bool, types: TypeText) -> Extent | None:
        """All of the object, where the pointer is one to its beginning."""
        objects = self._of_symbol(symbol, is_pointee)
        if not objects or not self._begins(symbol, is_pointee):
            return None
        if all(isinstance(found, Block) and found.allocator in ALLOCATORS for found in objects):
            return Extent(f"malloc_usable_size((void *){spelled(symbol.name)})")
        match tuple(objects):
            case (HostVariable(symbol=variable),) if ty.size_of(variable.type):
                if len(self.pointers.program.units) > 1 and ty.has_parts(ty.element_of(variable.type)):
                    return Extent(str(ty.size_of(variable.type)))  # another file's struct has no name here
                return Extent(f"sizeof({types(ty.unqualified(variable.type))})")
            case _:
                return None

    @property
    def _seen(self) -> str:
        return "this file" if len(self.pointers.program.units) == 1 else "these files"

    def _apart(self, arrays: Sequence[Variable]) -> tuple[tuple[str, str], ...] | Refused:
        pairs = []
        for v in arrays:
            unknown = [found for found in self._objects(v) if not isinstance(found, (Block, HostVariable))]
            if unknown or not self._objects(v):
                return Refused(f"what '{v.label}' points to is not seen in {self._seen}")
        for one, other in combinations(arrays, 2):
            if not (one.writes or other.writes) or self._objects(one).isdisjoint(self._objects(other)):
                continue
            if not all(self._begins(v.symbol, v.is_pointee) for v in (one, other)):
                return Refused(f"'{one.label}' and '{other.label}' may overlap")
            kind = ty.unqualified(one.element)
            alike = kind == ty.unqualified(other.element) and isinstance(kind, (ty.Int, ty.Float))
            cast = "" if alike else "(const void *)"
            pairs.append((f"{cast}{spelled(one.symbol.name)}", f"{cast}{spelled(other.symbol.name)}"))
        return tuple(pairs)

