"""Plan: where each object of a kernel lives on the device, what is copied, and from what kind of host memory.

Residency (nothing copied that is already there) is a later stage of its own; here every launch copies in what the
kernel may read or leave unwritten, and copies out what it may have written:

    copied in    read, or written in part: elements that the kernel does not write must keep their old values
                 (not in `auto`, when the launch certainly writes every element; of what only the launch knows to be
                 all, see plan/memory/overwrites.py)
    copied out   written
    read-only    `const __restrict__`: loads take the read-only data path (`auto`). Not what stored pointers lead to:
                 `__ldg(&rows[i][j])` would, but nvcc 13 then no longer knows that the pointers are global addresses,
                 and loads anew what the kernel has just stored.

Host buffers. `thesis`: cudaMallocHost for declared arrays (host_buffers.py) and heap blocks (heap_blocks.py).
`auto` registers a transferred block in place, if it outlives the launch: cudaHostRegister costs 50 us and 0.03 s per
GB, a pageable copy 0.09 s per GB against 0.02 for a page-locked one, so the runtime does it once the copies of the
block would have paid for it. Automatic arrays stay pageable: nothing tells the runtime when they go.

    In: Facts, drafts, the constant arrays, the pinned arrays.   Out: tuple[Variable, ...].
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from ompc.analysis.memory.roots import Root, pointer_text
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_expr
from ompc.omp.model import Sharing
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.constant import ConstantChoice
from ompc.plan.memory.overwrites import can_say, overwrites, overwritten_text
from ompc.plan.model.contraction import Contraction
from ompc.plan.model.extent import BlockExtent, ExpandedExtent, Extent, HullExtent, ObjectExtent, ValueExtent
from ompc.plan.model.host_edits import PinnedArray
from ompc.plan.model.names import Namer, spelled
from ompc.plan.model.plan import HostBuffer, Placement, Role, Transfer, Variable
from ompc.plan.parameters.linked import linked_name, slots
from ompc.plan.parameters.roles import Draft
from ompc.plan.thesis.heap_blocks import HeapBlocks

_OUTLIVES_LAUNCH = frozenset({t.Storage.GLOBAL, t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC})


@dataclass(frozen=True, slots=True)
class Choices:
    """Decisions about the whole file that the variables of one kernel depend on."""

    level: Level
    constants: ConstantChoice
    constant_names: Mapping[t.Symbol, str]
    pinned: tuple[PinnedArray, ...]
    not_pinned: Mapping[t.Symbol, str]
    blocks: HeapBlocks
    contraction: Contraction
    without: frozenset[str] = frozenset()

    def does(self, optimisation: str) -> bool:
        """As Options.does."""
        return self.level is Level.AUTO and optimisation not in self.without

    @property
    def pinned_symbols(self) -> frozenset[t.Symbol]:
        return frozenset(array.symbol for array in self.pinned)


def variables(kernel: Kernel, choices: Choices, namer: Namer, renamed: Mapping[t.Symbol, str]) -> tuple[Variable, ...]:
    """The final form of every draft of `kernel`. `namer` gives names to the parameters of variable dimensions."""
    names: dict[Root, str] = {}
    found = []
    for draft in kernel.drafts:  # a holder comes before what its pointers lead to
        variable = _variable(kernel, draft, choices, namer, renamed, names)
        names[draft.root] = variable.device_name
        found.append(variable)
    return tuple(found)


def _variable(
    kernel: Kernel,
    draft: Draft,
    choices: Choices,
    namer: Namer,
    renamed: Mapping[t.Symbol, str],
    holders: Mapping[Root, str],
) -> Variable:
    placement, because = _placement(kernel, draft, choices)
    name = renamed.get(draft.symbol, spelled(draft.symbol.name))
    if placement is Placement.CONSTANT:
        name = choices.constant_names[draft.symbol]
    linked = draft.role is Role.LINKED
    if linked:
        name = namer.take(linked_name(draft.root, holders))
    transfer_in, transfer_out, why_transfer = _transfers(kernel, draft, choices.does("overwritten"))
    if placement is Placement.CONSTANT and draft.symbol in choices.constants.initial:
        transfer_in, why_transfer = Transfer.NONE, "its elements are in the device file: nothing is copied"
    both_ways = transfer_in is transfer_out is Transfer.COPY
    parts = overwrites(kernel, draft, renamed) if both_ways and choices.does("overwritten") else ()
    if parts:
        why_transfer = overwritten_text(parts)
    buffer, why_buffer = _host_buffer(draft, placement, choices)
    return Variable(
        symbol=draft.symbol,
        role=draft.role,
        device_name=name,
        element=draft.element,
        extent=_extent(kernel, draft, renamed),
        reads=draft.reads,
        writes=draft.writes,
        is_pointee=draft.root.pointee,
        placement=placement,
        transfer_in=transfer_in,
        transfer_out=transfer_out,
        host_buffer=buffer,
        distinct=draft.role in (Role.ARRAY, Role.LINKED) and _is_relied_on(kernel, placement, choices),
        dimensions=_dimensions(draft, name, namer),
        placed_because=because,
        because="; ".join(filter(None, (because, why_transfer, why_buffer))),
        label=pointer_text(draft.root) if linked else _label(kernel, draft.symbol),
        slots=slots(kernel.facts, draft.root, holders) if linked else None,
        apart=linked and bool(draft.writes) and _is_proved(kernel),
        root=draft.root,
        overwrites=parts,
    )


def _label(kernel: Kernel, symbol: t.Symbol) -> str:
    read = kernel.facts.loop.fixed.get(symbol)
    return symbol.name if read is None else c_expr(read.value)


def _is_relied_on(kernel: Kernel, placement: Placement, choices: Choices) -> bool:
    """Must the array not overlap what the kernel writes?"""
    promised = choices.level is Level.AUTO and not kernel.overlaps
    return promised or placement is Placement.CONSTANT or kernel.facts.is_proved_independent


def _extent(kernel: Kernel, draft: Draft, renamed: Container[t.Symbol]) -> Extent:
    """The draft's, or the hull of what is accessed in a block, if the launcher is given what it needs for that."""
    if draft.role is not Role.ARRAY or draft.extent != BlockExtent() or draft.holds_links:
        return draft.extent
    hull = kernel.facts.hulls.of(draft.root)
    return HullExtent(hull) if hull is not None and can_say(kernel, hull.lattices, renamed) else draft.extent


def _dimensions(draft: Draft, name: str, namer: Namer) -> tuple[str, ...]:
    if isinstance(draft.extent, ExpandedExtent):
        lengths = enumerate(draft.extent.lengths)
        return tuple(str(n) if isinstance(n, int) else namer.take(f"{name}_dim{k}") for k, n in lengths)
    return tuple(namer.take(f"{name}_dim{k + 1}") for k in range(draft.variable_dimensions))


def _is_proved(kernel: Kernel) -> bool:
    """Does the kernel rely on a proof, of each object by itself, that iterations are independent?"""
    return len(kernel.mapping.loops) > len(kernel.facts.loop.loops) or kernel.facts.is_proved_independent


def _placement(kernel: Kernel, draft: Draft, choices: Choices) -> tuple[Placement, str]:
    match draft.role:
        case Role.PRIVATE if isinstance(draft.extent, ExpandedExtent):
            return Placement.GLOBAL, _why_expanded(draft, draft.extent)
        case Role.VALUE if draft.symbol in kernel.facts.loop.fixed:
            return Placement.PARAMETER, "memory that the loop does not change: read by the host at the launch"
        case Role.VALUE:
            return Placement.PARAMETER, "only read: passed by value"
        case Role.PRIVATE | Role.FIRSTPRIVATE | Role.LASTPRIVATE | Role.REDUCTION:
            return Placement.REGISTER, f"{_clause(kernel, draft)}: each thread has its own"
        case Role.CELL:
            return Placement.GLOBAL, _why_cell(kernel, draft)
        case Role.LINKED:
            return Placement.GLOBAL, f"pointers in '{draft.root.holder}' lead to it: copied with them"
        case Role.ARRAY if isinstance(draft.extent, ValueExtent):
            return Placement.PARAMETER, "a pointer that is compared and not followed"
        case Role.ARRAY:
            return _array_placement(kernel, draft, choices)


def _why_expanded(draft: Draft, extent: ExpandedExtent) -> str:
    size = None if ty.is_variably_modified(draft.symbol.type) else ty.size_of(draft.symbol.type)
    why = "its size is known at the launch only" if size is None else f"{size} bytes are too much for local memory"
    order = (
        "element by element, neighbouring threads side by side" if extent.interleaved else "one part after the other"
    )
    return f"each thread's own, in memory of the launch: {why}; {order}"


def _clause(kernel: Kernel, draft: Draft) -> str:
    sharing = kernel.facts.loop.sharing[draft.symbol]
    if sharing is not Sharing.REDUCTION:
        return str(sharing.value)
    written = any(draft.symbol in clause.symbols for clause in kernel.facts.loop.directive.all("reduction"))
    return f"{'' if written else 'indivisible accumulation made a '}reduction, combined in a fixed order"


def _why_cell(kernel: Kernel, draft: Draft) -> str:
    if any(draft.symbol in contest.objects for contest in kernel.facts.indivisible.contests):
        return "each thread keeps its own best; of equal ones the lowest (or last) iteration's comes back"
    if draft.writes:
        return "a shared variable that the loop writes: one cell of device memory" + _indivisibly(kernel, draft)
    return "read in the loop, where a write through a pointer may change it: one cell of device memory"


def _indivisibly(kernel: Kernel, draft: Draft) -> str:
    """What is to be said of indivisible operations on the object."""
    found = {kernel.facts.indivisible.operation(access) for access in kernel.facts.of(draft.root)} - {None}
    if not found:
        return ""
    arithmetic = any(op is not None and isinstance(op.object.type, ty.Float) and op.group in ("+", "*") for op in found)
    order = ", in no fixed order: a floating sum's last bits may differ from run to run" if arithmetic else ""
    return f", by indivisible operations{order}"


def _array_placement(kernel: Kernel, draft: Draft, choices: Choices) -> tuple[Placement, str]:
    if choices.constants.holds(kernel, draft, choices.level):
        return Placement.CONSTANT, choices.constants.chosen[draft.symbol]
    if draft.writes:
        how = "written" if not draft.reads else "read and written"
        return Placement.GLOBAL, how + _indivisibly(kernel, draft)
    if choices.level is Level.BASELINE:
        return Placement.GLOBAL, "baseline: every array in global memory"
    why_not = choices.constants.why_not(kernel, draft, choices.level) or "size not known at compile time"
    asked = kernel.facts.loop.override
    if choices.level is Level.AUTO and asked.shape.readonly == 0:
        return Placement.GLOBAL, f"only read, not by the read-only data path, {asked.kernel_because}"
    if not choices.does("restrict"):
        return Placement.GLOBAL, f"only read, not constant: {why_not}"
    return Placement.READONLY, f"only read, not constant: {why_not}"


def _transfers(kernel: Kernel, draft: Draft, knows_overwritten: bool) -> tuple[Transfer, Transfer, str]:
    if draft.role in (Role.LASTPRIVATE, Role.REDUCTION):
        return Transfer.NONE, Transfer.COPY, ""
    if draft.role not in (Role.ARRAY, Role.CELL, Role.LINKED) or isinstance(draft.extent, ValueExtent):
        return Transfer.NONE, Transfer.NONE, ""
    out = Transfer.COPY if draft.writes else Transfer.NONE
    if kernel.facts.loop.target is not None and draft.symbol in kernel.facts.loop.target.copies:
        return Transfer.COPY, Transfer.NONE, "a copy of the target region's own: it is not mapped, so it stays there"
    if not knows_overwritten or draft.reads:
        return Transfer.COPY, out, ""
    if _surely_overwritten(kernel, draft):
        return Transfer.NONE, out, "every element is written, so nothing is copied in"
    return Transfer.COPY, out, "copied in, since elements that are not written keep their values"


def _surely_overwritten(kernel: Kernel, draft: Draft) -> bool:
    declared_array = draft.role is Role.ARRAY and isinstance(draft.extent, ObjectExtent)
    return declared_array and kernel.facts.footprints.overwrites(draft.root)


def _host_buffer(draft: Draft, placement: Placement, choices: Choices) -> tuple[HostBuffer | None, str]:
    if draft.role is Role.LINKED:
        return HostBuffer.PAGEABLE, ""
    if draft.role not in (Role.ARRAY, Role.CELL):
        return None, ""
    if draft.holds_links:
        return HostBuffer.PAGEABLE, "gathered with what its pointers lead to"
    if draft.role is Role.CELL or choices.level is Level.BASELINE or isinstance(draft.extent, ValueExtent):
        return HostBuffer.PAGEABLE, ""
    if choices.level is Level.AUTO and placement is Placement.CONSTANT:
        return HostBuffer.PAGEABLE, "at most 64 KB: page-locking would cost more than the copy"
    if choices.level is Level.THESIS:
        return _thesis_buffer(draft, choices)
    if draft.root.pointee or draft.symbol.storage in _OUTLIVES_LAUNCH:
        return HostBuffer.HOST_REGISTER, _registered(draft)
    return HostBuffer.PAGEABLE, "pageable: an automatic array, which may go at any time"


def _thesis_buffer(draft: Draft, choices: Choices) -> tuple[HostBuffer, str]:
    if draft.root.pointee:
        if draft.symbol in choices.blocks.pointers:
            return HostBuffer.MALLOC_HOST, "heap block: allocated page-locked (thesis 4.3)"
        return HostBuffer.PAGEABLE, "pageable: " + choices.blocks.pageable[draft.symbol]
    if draft.symbol in choices.pinned_symbols:
        return HostBuffer.MALLOC_HOST, "declared array: allocated page-locked (thesis 4.3)"
    return HostBuffer.PAGEABLE, "pageable: " + choices.not_pinned[draft.symbol]


def _registered(draft: Draft) -> str:
    what = "the block that holds it" if draft.root.pointee else "the array"
    return f"{what} is page-locked in place once its copies would have paid for it"
