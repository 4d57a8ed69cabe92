"""Plan: where each object of a kernel lives on the device, what is copied, and from what kind of host memory.

Residency (nothing copied that is already there) is a later stage of its own; here every launch copies in what the
kernel may read or leave unwritten, and copies out what it may have written:

    copied in    read, or written in part: elements that the kernel does not write must keep their old values
                 (not in `auto`, when the launch certainly writes every element; of what only the launch knows to be
                 all, see plan/memory/copy_in_elimination.py)
    copied out   written
    read-only    `const __restrict__`: loads take the read-only data path (`auto`). Not what stored pointers lead to:
                 `__ldg(&rows[i][j])` would, but nvcc 13 then no longer knows that the pointers are global addresses,
                 and loads anew what the kernel has just stored.

Host buffers. `thesis`: cudaMallocHost for declared arrays (host_buffers.py) and heap blocks (heap_blocks.py).
`auto` registers a transferred block in place, if it outlives the launch: cudaHostRegister costs 50 us and 0.03 s per
GB, a pageable copy 0.09 s per GB against 0.02 for a page-locked one, so the runtime does it once the copies of the
block would have paid for it. Automatic arrays stay pageable: nothing tells the runtime when they go.

    In: Facts, classified parameters, the constant arrays, the pinned arrays.   Out: tuple[Variable, ...].
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from ompc.analysis.memory.bounding_sections import BoundingSection
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.memory_objects import MemoryObject, pointer_text
from ompc.base.frozen import dataclass
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.omp.model import Sharing
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.constant import ConstantChoice
from ompc.plan.memory.copy_in_elimination import can_say, must_write_text, overwrites, passed_by_value
from ompc.plan.memory.row_lengths import with_common_lengths
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.extent import (
    BlockExtent,
    BoundingExtent,
    ExpandedExtent,
    Extent,
    MappedExtent,
    ObjectExtent,
    SectionExtent,
    ValueExtent,
)
from ompc.plan.model.host_edits import PinnedArray
from ompc.plan.model.names import Local, Name, spelled
from ompc.plan.model.variable import HostBuffer, Placement, Role, Transfer, Variable
from ompc.plan.parameters.classification import KernelParameter
from ompc.plan.parameters.deep_copy import deep_copy_name, slots
from ompc.plan.thesis.heap_blocks import HeapBlocks

_OUTLIVES_LAUNCH = frozenset({t.Storage.GLOBAL, t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC})


@dataclass(frozen=True, slots=True)
class Choices:
    """Decisions about the whole file that the variables of one kernel depend on."""

    level: Level
    constants: ConstantChoice
    constant_names: Mapping[t.Symbol, Name]
    pinned: tuple[PinnedArray, ...]
    not_pinned: Mapping[t.Symbol, str]
    blocks: HeapBlocks
    contraction: Contraction
    without: frozenset[str] = frozenset()
    several_devices: bool = False

    def does(self, optimisation: str) -> bool:
        """As Options.does."""
        return self.level is Level.AUTO and optimisation not in self.without

    @property
    def pinned_symbols(self) -> frozenset[t.Symbol]:
        return frozenset(array.symbol for array in self.pinned)


def variables(kernel: Kernel, choices: Choices, renamed: Mapping[t.Symbol, Name]) -> tuple[Variable, ...]:
    """The final form of every parameter of `kernel`."""
    names: dict[MemoryObject, Name] = {}
    found = []
    for parameter in kernel.parameters:  # a holder comes before what its pointers lead to, an array before its copy
        variable = _variable(kernel, parameter, choices, renamed, names)
        names[parameter.obj] = variable.device_name
        found.append(variable)
    loop = kernel.facts.loop
    return with_common_lengths(found, kernel.facts.unit.functions.get(loop.function), loop.team is not None)


def _variable(
    kernel: Kernel,
    parameter: KernelParameter,
    choices: Choices,
    renamed: Mapping[t.Symbol, Name],
    holders: Mapping[MemoryObject, Name],
) -> Variable:
    placement, because = _placement(kernel, parameter, choices)
    name: Name = renamed.get(parameter.symbol, spelled(parameter.symbol.name))
    if placement is Placement.CONSTANT:
        name = choices.constant_names[parameter.symbol]
    linked = parameter.role is Role.LINKED
    if linked:
        name = deep_copy_name(parameter.obj, holders)
    transfer_in, transfer_out, why_transfer = _transfers(kernel, parameter, choices.does("overwritten"))
    if placement is Placement.CONSTANT and parameter.symbol in choices.constants.initial:
        transfer_in, why_transfer = Transfer.NONE, "its elements are in the device file: nothing is copied"
    both_ways = transfer_in is transfer_out is Transfer.COPY
    parts = overwrites(kernel, parameter, renamed) if both_ways and choices.does("overwritten") else ()
    if parts:
        why_transfer = must_write_text(parts)
    buffer, why_buffer = _host_buffer(parameter, placement, choices)
    extent = _extent(kernel, parameter, renamed)
    original = kernel.facts.loop.former.get(parameter.symbol)
    return Variable(
        symbol=parameter.symbol,
        role=parameter.role,
        device_name=name,
        element=parameter.element,
        extent=extent,
        reads=parameter.reads,
        writes=parameter.writes,
        is_pointee=parameter.obj.pointee,
        placement=placement,
        transfer_in=transfer_in,
        transfer_out=transfer_out,
        host_buffer=buffer,
        distinct=parameter.role in (Role.ARRAY, Role.LINKED) and _is_relied_on(kernel, placement, choices),
        dimensions=_dimensions(parameter, name),
        placed_because=because,
        because="; ".join(filter(None, (because, why_transfer, why_buffer))),
        label=pointer_text(parameter.obj) if linked else _label(kernel, parameter.symbol),
        slots=slots(kernel.facts, parameter.obj, holders) if linked else None,
        apart=linked and bool(parameter.writes) and _needs_own_memory(kernel, parameter.obj),
        obj=parameter.obj,
        overwrites=parts,
        written=_written(kernel, parameter, extent, renamed) if both_ways and choices.does("written-parts") else None,
        sizes=_sizes(extent, name),
        former=None if original is None else holders[replace(parameter.obj, symbol=original)],
    )


def _written(
    kernel: Kernel, parameter: KernelParameter, extent: Extent, renamed: Container[t.Symbol]
) -> Section | BoundingSection | None:
    """Of an array of which the loop does not write all that it uses: the rest need not come home.

    for (i = 1; i < n - 1; i++) u[i] = (u[i] + v[i - 1] + v[i + 1]) / 3;      u: 1 .. n - 2, of all elements
    """
    kind = parameter.symbol.type
    match extent:
        case BoundingExtent(bounding_section=used):
            part = kernel.facts.bounding_sections.of(parameter.obj, written=True)
            fewer = part is not None and set(part.lmads) != set(used.lmads)
            return part if part is not None and fewer and can_say(kernel, part.lmads, renamed) else None
        case ObjectExtent(bytes=size) if size and isinstance(kind, ty.Array) and isinstance(kind.length, int):
            whole = ("0", str(kind.length - 1))
        case SectionExtent(section=section):
            whole = (section.lower, section.upper)
        case _:
            return None
    if parameter.role is not Role.ARRAY or parameter.holds_pointers:
        return None
    found = kernel.facts.footprints.written_section(parameter.obj)
    if found is None or (found.lower, found.upper) == whole:
        return None
    return found if passed_by_value(kernel, renamed).issuperset(found.symbols) else None


def _label(kernel: Kernel, symbol: t.Symbol) -> str:
    read = kernel.facts.loop.fixed.get(symbol)
    if read is None or read.meaning:
        return symbol.name
    return c_expr(read.value)


def _is_relied_on(kernel: Kernel, placement: Placement, choices: Choices) -> bool:
    """Must the array not overlap what the kernel writes? With a `scan`, that phases of different iterations do not meet
    is proved of each array by itself.
    """
    promised = choices.level is Level.AUTO and not kernel.overlaps
    if kernel.facts.loop.scan is not None or kernel.facts.loop.phases is not None:
        return True
    return promised or placement is Placement.CONSTANT or kernel.facts.is_proved_independent


def _extent(kernel: Kernel, parameter: KernelParameter, renamed: Container[t.Symbol]) -> Extent:
    """The parameter's, or the bounding section of what is accessed in a block, if the launcher is given what it needs
    for that.
    """
    if parameter.role is not Role.ARRAY or parameter.extent != BlockExtent() or parameter.holds_pointers:
        return parameter.extent
    bounding_section = kernel.facts.bounding_sections.of(parameter.obj)
    return (
        BoundingExtent(bounding_section)
        if bounding_section is not None and can_say(kernel, bounding_section.lmads, renamed)
        else parameter.extent
    )


def _dimensions(parameter: KernelParameter, name: Name) -> tuple[Name, ...]:
    if isinstance(parameter.extent, ExpandedExtent):
        lengths = enumerate(parameter.extent.lengths)
        return tuple(str(n) if isinstance(n, int) else Local(f"_dim{k}", after=name) for k, n in lengths)
    return tuple(Local(f"_dim{k + 1}", after=name) for k in range(parameter.variable_dimensions))


def _sizes(extent: Extent, name: Name) -> tuple[Local, ...]:
    match extent:
        case MappedExtent():
            return Local("_mapped_first", after=name), Local("_mapped_count", after=name)
        case ObjectExtent(bytes=None):
            return (Local("_bytes", after=name),)
        case _:
            return ()


def _needs_own_memory(kernel: Kernel, obj: MemoryObject) -> bool:
    """Does the kernel rely on it that no two of the objects overlap?"""
    return obj in kernel.rows or (_is_proved(kernel) and not kernel.facts.may_meet_itself(obj))


def _is_proved(kernel: Kernel) -> bool:
    """Does the kernel rely on a proof, of each object by itself, that iterations are independent?"""
    return len(kernel.mapping.loops) > len(kernel.facts.loop.loops) or kernel.facts.is_proved_independent


def _placement(kernel: Kernel, parameter: KernelParameter, choices: Choices) -> tuple[Placement, str]:
    match parameter.role:
        case Role.PRIVATE if isinstance(parameter.extent, ExpandedExtent):
            return Placement.GLOBAL, _why_expanded(parameter, parameter.extent)
        case Role.VALUE if parameter.symbol in kernel.facts.loop.fixed:
            meaning = kernel.facts.loop.fixed[parameter.symbol].meaning or "memory that the loop does not change"
            return Placement.PARAMETER, f"{meaning}: read by the host at the launch"
        case Role.VALUE:
            return Placement.PARAMETER, "only read: passed by value"
        case Role.PRIVATE | Role.FIRSTPRIVATE | Role.LASTPRIVATE | Role.REDUCTION:
            return Placement.REGISTER, f"{_clause(kernel, parameter)}: each thread has its own"
        case Role.CELL:
            return Placement.GLOBAL, _why_cell(kernel, parameter)
        case Role.LINKED:
            return Placement.GLOBAL, f"pointers in '{parameter.obj.holder}' lead to it: copied with them"
        case Role.ARRAY if isinstance(parameter.extent, ValueExtent):
            return Placement.PARAMETER, "a pointer that is compared and not followed"
        case Role.ARRAY:
            return _array_placement(kernel, parameter, choices)


def _why_expanded(parameter: KernelParameter, extent: ExpandedExtent) -> str:
    size = None if ty.is_variably_modified(parameter.symbol.type) else ty.size_of(parameter.symbol.type)
    why = "its size is known at the launch only" if size is None else f"{size} bytes are too much for local memory"
    order = (
        "element by element, neighbouring threads side by side" if extent.interleaved else "one part after the other"
    )
    return f"each thread's own, in memory of the launch: {why}; {order}"


def _clause(kernel: Kernel, parameter: KernelParameter) -> str:
    sharing = kernel.facts.loop.sharing[parameter.symbol]
    if sharing is not Sharing.REDUCTION:
        return str(sharing.value)
    written = any(parameter.symbol in clause.symbols for clause in kernel.facts.loop.directive.all("reduction"))
    return f"{'' if written else 'atomic accumulation made a '}reduction, combined in a fixed order"


def _why_cell(kernel: Kernel, parameter: KernelParameter) -> str:
    if any(
        parameter.symbol in arg_reduction.objects for arg_reduction in kernel.facts.atomic_operations.arg_reductions
    ):
        return "each thread keeps its own best; of equal ones the lowest (or last) iteration's comes back"
    if parameter.writes:
        return "a shared variable that the loop writes: one cell of device memory" + _atomically(kernel, parameter)
    return "read in the loop, where a write through a pointer may change it: one cell of device memory"


def _atomically(kernel: Kernel, parameter: KernelParameter) -> str:
    """What is to be said of atomic operations on the object."""
    found = {kernel.facts.atomic_operations.operation(access) for access in kernel.facts.of(parameter.obj)} - {None}
    if not found:
        return ""
    arithmetic = any(op is not None and isinstance(op.object.type, ty.Float) and op.group in ("+", "*") for op in found)
    order = ", in no fixed order: a floating sum's last bits may differ from run to run" if arithmetic else ""
    return f", by atomic operations{order}"


def _array_placement(kernel: Kernel, parameter: KernelParameter, choices: Choices) -> tuple[Placement, str]:
    if (original := kernel.facts.loop.former.get(parameter.symbol)) is not None:
        placement = Placement.READONLY if choices.does("restrict") else Placement.GLOBAL
        return placement, f"what '{original.name}' holds before the launch, in a copy on the device"
    if choices.constants.holds(kernel, parameter, choices.level):
        return Placement.CONSTANT, choices.constants.chosen[parameter.symbol]
    if parameter.writes:
        how = "written" if not parameter.reads else "read and written"
        return Placement.GLOBAL, how + _atomically(kernel, parameter)
    if choices.level is Level.BASELINE:
        return Placement.GLOBAL, "baseline: every array in global memory"
    why_not = choices.constants.why_not(kernel, parameter, choices.level) or "size not known at compile time"
    asked = kernel.facts.loop.override
    if choices.level is Level.AUTO and asked.shape.readonly == 0:
        return Placement.GLOBAL, f"only read, not by the read-only data path, {asked.kernel_because}"
    if not choices.does("restrict"):
        return Placement.GLOBAL, f"only read, not constant: {why_not}"
    return Placement.READONLY, f"only read, not constant: {why_not}"


def _transfers(kernel: Kernel, parameter: KernelParameter, knows_overwritten: bool) -> tuple[Transfer, Transfer, str]:
    if parameter.role in (Role.LASTPRIVATE, Role.REDUCTION):
        return Transfer.NONE, Transfer.COPY, ""
    if parameter.role not in (Role.ARRAY, Role.CELL, Role.LINKED) or isinstance(parameter.extent, ValueExtent):
        return Transfer.NONE, Transfer.NONE, ""
    out = Transfer.COPY if parameter.writes else Transfer.NONE
    if kernel.facts.loop.target is not None and parameter.symbol in kernel.facts.loop.target.copies:
        return Transfer.COPY, Transfer.NONE, "a copy of the target region's own: it is not mapped, so it stays there"
    if not knows_overwritten or parameter.reads:
        return Transfer.COPY, out, ""
    if _surely_overwritten(kernel, parameter):
        return Transfer.NONE, out, "every element is written, so nothing is copied in"
    return Transfer.COPY, out, "copied in, since elements that are not written keep their values"


def _surely_overwritten(kernel: Kernel, parameter: KernelParameter) -> bool:
    declared_array = parameter.role is Role.ARRAY and isinstance(parameter.extent, ObjectExtent)
    return declared_array and kernel.facts.footprints.overwrites(parameter.obj)


def _host_buffer(parameter: KernelParameter, placement: Placement, choices: Choices) -> tuple[HostBuffer | None, str]:
    if parameter.role is Role.LINKED:
        return HostBuffer.PAGEABLE, ""
    if parameter.role not in (Role.ARRAY, Role.CELL):
        return None, ""
    if parameter.holds_pointers:
        return HostBuffer.PAGEABLE, "gathered with what its pointers lead to"
    if parameter.role is Role.CELL or choices.level is Level.BASELINE or isinstance(parameter.extent, ValueExtent):
        return HostBuffer.PAGEABLE, ""
    if choices.level is Level.AUTO and placement is Placement.CONSTANT:
        return HostBuffer.PAGEABLE, "at most 64 KB: page-locking would cost more than the copy"
    if choices.level is Level.THESIS:
        return _thesis_buffer(parameter, choices)
    if parameter.obj.pointee or parameter.symbol.storage in _OUTLIVES_LAUNCH:
        return HostBuffer.HOST_REGISTER, _registered(parameter)
    return HostBuffer.PAGEABLE, "pageable: an automatic array, which may go at any time"


def _thesis_buffer(parameter: KernelParameter, choices: Choices) -> tuple[HostBuffer, str]:
    if parameter.obj.pointee:
        if parameter.symbol in choices.blocks.pointers:
            return HostBuffer.MALLOC_HOST, "heap block: allocated page-locked (thesis 4.3)"
        return HostBuffer.PAGEABLE, "pageable: " + choices.blocks.pageable[parameter.symbol]
    if parameter.symbol in choices.pinned_symbols:
        return HostBuffer.MALLOC_HOST, "declared array: allocated page-locked (thesis 4.3)"
    return HostBuffer.PAGEABLE, "pageable: " + choices.not_pinned[parameter.symbol]


def _registered(parameter: KernelParameter) -> str:
    what = "the block that holds it" if parameter.obj.pointee else "the array"
    return f"{what} is page-locked in place once its copies would have paid for it"
