"""What a launcher declares before it launches: each array of the kernel, what is copied of it, where results go.

    auto d_x = launch.array<const double>("x", x, ompc::object(sizeof(double[1003])), ompc::read).distinct();

In: KernelPlan.   Out: Declarations for templates/launcher.cu.j2.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.memory.bounding_sections import BoundingSection
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.iteration_footprints import IterationFootprint
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.extent import (
    BlockExtent,
    BoundingExtent,
    ExpandedExtent,
    Extent,
    MappedExtent,
    ObjectExtent,
    SectionExtent,
    Slots,
    ValueExtent,
)
from ompc.plan.model.launch import Agreement, ExpandedArray
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.plan import MESSAGES, KernelPlan, LastPrivate
from ompc.plan.model.variable import HostBuffer, Transfer, Variable
from ompc.render.code.device_printf import PRINTER
from ompc.render.code.types import TypePrinter, as_const, first_of
from ompc.render.forms import histograms as block_accumulators
from ompc.render.forms.grid import passed_trips
from ompc.render.forms.reductions import launcher_arguments, launcher_call
from ompc.render.launcher.lmads import footprint_lmads, overwritten, touched
from ompc.render.launcher.widening import narrow_names, with_few_casts


@dataclass(frozen=True, slots=True)
class Locals:
    """The launcher's own variables, none of which may have the name of a parameter; `devices` by the object's name."""

    region: str
    launch: str
    shape: str
    team: str
    tiling: str
    rows: str
    tuned: str
    slice: str
    aligned: str
    work: str
    devices: Mapping[Name, str]


Declaration = tuple[str, list[str], str]
"""A call as (what stands before its parenthesis, its arguments, what follows)."""


def declarations(kernel: KernelPlan, types: TypePrinter, namespace: str, names: Locals) -> list[Declaration]:
    trips = {loop.loop.var: loop.trips for loop in kernel.grid}
    parts = {} if kernel.slices is None else kernel.slices.parts
    copied = {accumulators.array for accumulators in kernel.own.accumulators}
    arrays = [v for v in kernel.arrays if v.symbol not in kernel.scratch]
    found = [declared for v in arrays for declared in _array(v, types, names, trips, parts, copied)]
    found += [_scratch(v, kernel, types, names) for v in kernel.arrays if v.symbol in kernel.scratch]
    for private in kernel.privates:
        if private.source is not None:
            name = spelled(private.symbol.name)
            whole = f"ompc::object(sizeof({types.declare(ty.unqualified(private.symbol.type))}))"
            element = as_const(first_of(private.symbol.type))
            arguments = [f'"{name}"', name, whole, "ompc::read"]
            found.append(_declared(name, names, types.declare(element), arguments))
    found += [_last_value(last, types, names) for last in kernel.lastprivates]
    holders = {v.slots.holder for v in kernel.linked if v.slots is not None}
    found += [_linked(v, v.slots, types, names, v.device_name in holders) for v in kernel.linked if v.slots is not None]
    passed = {argument.name for argument in kernel.arguments}
    for v in (v for v in kernel.constants if spelled(v.symbol.name) in passed):  # others never change
        arguments = [f'"{v.symbol.name}"', _symbol(namespace, v.device_name), spelled(v.symbol.name)]
        found.append((f"{names.launch}.constant", arguments, ";"))
    stays = ((argument.stays, argument.name) for argument in kernel.arguments if argument.stays is not None)
    found += [(f"{names.launch}.stays", [f'"{text}"', str(name), str(size)], ";") for (text, size), name in stays]
    if kernel.messages:
        printer = [f"{namespace}::{PRINTER}"] * kernel.prints
        heard = [_symbol(namespace, MESSAGES), *printer]
        found.append((f"{names.launch}.messages", heard, ";"))
        found += [
            (f"{names.launch}.arg_reduction", [_symbol(namespace, arg_reduction.name)], ";")
            for arg_reduction in kernel.arg_reductions
        ]
    found += [_expanded(array, kernel, types, names) for array in kernel.expanded]
    for c in kernel.own.accumulators:
        head = f"auto {names.devices[c.name]} = {names.launch}.{block_accumulators.launcher_call(c, types)}"
        meant = [" + ".join(map(str, c.count))] if c.count else []
        found.append((head, [names.devices[c.array], *meant], ";"))
    for r in kernel.reductions:
        head = f"auto {names.devices[r.name]} = {names.launch}.{launcher_call(r, types)}"
        found.append((head, launcher_arguments(r, types, " * ".join(passed_trips(kernel))), ";"))
    if kernel.slices is not None and kernel.slices.spreads:
        found.insert(0, (f"{names.launch}.spreads", [f"{kernel.grid[0].trips}"], ";"))
    found += [(f"{names.launch}.not_verified", [place], ";") for place in _without_counterpart(kernel)]
    return found


def _without_counterpart(kernel: KernelPlan) -> Iterator[str]:
    """What the launcher calls the places of results that the host's loop does not leave there: of `register` variables,
    which are copies, what each thread of a team accumulates for itself, and tables of what each of them has.
    """
    places = {v.symbol: spelled(v.symbol.name) for v in kernel.arrays if v.writes}
    places |= {last.symbol: str(last.cell) for last in kernel.lastprivates}
    places |= {r.symbol: r.name for r in kernel.reductions}
    yield from (str(a.table.name) for a in kernel.arguments if a.table is not None and a.table.comes_back)
    yield from (places[symbol] for symbol in kernel.registers if symbol in places)
    own = {argument.name for argument in kernel.arguments if argument.agreement is Agreement.NONE}
    yield from (r.name for r in kernel.reductions if kernel.team is not None and r.name in own)


def _symbol(namespace: str, name: Name) -> str:
    """A variable of the device, for the runtime."""
    return f"OMPC_SYMBOL({namespace}::{name})"


def _declared(
    name: Name, names: Locals, element: str, arguments: list[str], distinct: bool = False, more: str = ""
) -> Declaration:
    head = f"auto {names.devices[name]} = {names.launch}.array<{element}>"
    return head, arguments, f"{'.distinct()' * distinct}{more};"


def _array(
    v: Variable,
    types: TypePrinter,
    names: Locals,
    trips: Mapping[t.Symbol, Name],
    parts: Mapping[Name, Sequence[IterationFootprint]],
    copied: Collection[Name],
) -> Iterator[Declaration]:
    """`copied`: the arrays of which blocks have copies, whose elements they add up."""
    arguments = [f'"{v.symbol.name}"', spelled(v.symbol.name), _extent(v, types, trips), f"ompc::{_access(v)}"]
    if v.host_buffer is HostBuffer.HOST_REGISTER:
        arguments.append("ompc::host_register")
    element = types.declare(v.element if v.writes else as_const(v.element))
    more = "" if v.former is None else f".former({names.devices[v.former]})"
    written = None if v.device_name in parts or v.device_name in copied else v.written
    if isinstance(written, Section):
        more += _section(written, ".writes")
    yield _declared(v.device_name, names, element, arguments, v.distinct, more)
    if isinstance(written, BoundingSection):
        text = _bounding(written, "block", v, types, trips)
        yield f"{names.devices[v.device_name]}.writes", [text], ";"
    yield from ((f"{names.devices[v.device_name]}.overwrites", [part], ";") for part in overwritten(v, types, trips))
    slides = touched(parts.get(v.device_name, ()), v, types, trips)
    yield from ((f"{names.devices[v.device_name]}.slides", arguments, ";") for arguments in slides)


def _expanded(array: ExpandedArray, kernel: KernelPlan, types: TypePrinter, names: Locals) -> Declaration:
    """A private array in memory of the launch's: how many elements each thread needs, and how many threads may."""
    lengths = array.lengths if array.is_flat else array.lengths[:1]
    head = f"auto {names.devices[array.name]} = {names.launch}.expanded<{types.declare(part_type(array))}>"
    arguments = [f'"{array.symbol.name}"', f"ompc::elements({', '.join(map(str, lengths))})"]
    if not any(loop.loop.dependent for loop in kernel.grid):
        arguments.append(" * ".join(passed_trips(kernel)))
    return head, arguments, ";"


def part_type(array: ExpandedArray) -> ty.Type:
    """The type of what a thread's part consists of: elements, or rows."""
    assert isinstance(array.symbol.type, ty.Array)
    return ty.unqualified(ty.element_of(array.symbol.type) if array.is_flat else array.symbol.type.of)


def _last_value(last: LastPrivate, types: TypePrinter, names: Locals) -> Declaration:
    kind = types.declare(last.type)
    arguments = [f'"{last.symbol.name}"', str(last.cell), f"ompc::object(sizeof({kind}))", "ompc::overwrite"]
    return _declared(last.cell, names, kind, arguments)


def _scratch(v: Variable, kernel: KernelPlan, types: TypePrinter, names: Locals) -> Declaration:
    """Rows of the launch's own, one more than there are parts."""
    first, second = kernel.scratch[v.symbol]
    head = f"auto {names.devices[v.device_name]} = {names.launch}.scratch<{types.declare(v.element)}>"
    return head, [f'"{v.symbol.name}"', f"static_cast<std::size_t>({first}) * {second} + 1"], ";"


def _linked(v: Variable, slots: Slots, types: TypePrinter, names: Locals, is_holder: bool) -> Declaration:
    element = types.declare(v.element if v.writes else as_const(v.element))
    pointers = _pointers(v, slots, types)
    arguments = [f'"{v.label}"', names.devices[slots.holder], pointers, _extent(v, types, {}), f"ompc::{_access(v)}"]
    name = f"auto {names.devices[v.device_name]} = " if is_holder else ""
    promises = ".distinct()" * v.distinct + ".apart()" * v.apart
    return f"{name}{names.launch}.linked<{element}>", arguments, f"{promises};"


def _pointers(v: Variable, slots: Slots, types: TypePrinter) -> str:
    """Where the pointers to a linked object are: `ompc::pointers<offsetof(struct v, x)>(sizeof(struct v))`."""
    if slots.record is None:
        stride, offsets = f"sizeof({types.declare(ty.Pointer(v.element))})", ["0"]
    else:
        record = types.declare(ty.Struct(slots.record))
        own = {member.name: member.offset for member in slots.record.fields or ()}.get(slots.member)
        direct = slots.stride == slots.record.size and slots.offsets == (own,) and slots.member is not None
        stride = f"sizeof({record})" if slots.stride == slots.record.size else str(slots.stride)
        offsets = [f"offsetof({record}, {spelled(slots.member or '')})"] if direct else list(map(str, slots.offsets))
    text = f"ompc::pointers<{', '.join(offsets)}>({stride})"
    if slots.entries is None:
        return text
    times = slots.unit // slots.stride
    entries = slots.entries
    lower, upper = entries.lower, entries.upper
    if times > 1:
        lower, upper = f"({lower}) * {times}", f"({upper}) * {times} + {times - 1}"
    return _section(replace(entries, lower=lower, upper=upper), f"{text}.among")


def _section(section: Section, call: str, more: str = "") -> str:
    """A call with the bounds of the section, or with those of an empty one where the loop accesses nothing."""
    narrow = narrow_names(section.symbols)
    lower, upper = (with_few_casts(bound, narrow) for bound in (section.lower, section.upper))
    chosen = f"{call}({lower}, {upper}){more}"
    if section.condition is not None:
        chosen = f"({with_few_casts(section.condition, narrow)}) ? {chosen} : {call}(0, -1)"
    rounded = re.sub(r"\bfloord\(", "ompc::floord(", chosen)  # isl's name for a division that rounds down
    return _with_parameters(rounded, section.symbols)


def _access(v: Variable) -> str:
    if v.transfer_out is Transfer.NONE:  # only read, or a copy that the device may change as it likes
        return "read"
    return "overwrite" if v.transfer_in is Transfer.NONE else "readwrite"


def _extent(v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, Name]) -> str:
    extent: Extent = v.extent
    match extent:
        case ObjectExtent(bytes=None):
            return f"ompc::object({v.sizes[0]})"
        case ObjectExtent(bytes=size):
            return (
                f"ompc::object(sizeof({types.declare(ty.unqualified(v.symbol.type))}))" if size else "ompc::object(0)"
            )
        case BlockExtent(window=window):
            return "ompc::block()" if window is None else _section(window, "ompc::block")
        case BoundingExtent(bounding_section=bounding_section):
            return _bounding(bounding_section, "section" if bounding_section.exact else "block", v, types, trips)
        case MappedExtent():
            return f"ompc::block_or({v.sizes[0]}, {v.sizes[1]})"
        case SectionExtent(section=s):
            return _section(s, "ompc::section", "" if s.step == 1 else f".every({s.step})")
        case ValueExtent() | ExpandedExtent():
            return "ompc::object(0)"


def _bounding(
    found: BoundingSection, kind: str, v: Variable, types: TypePrinter, trips: Mapping[t.Symbol, Name]
) -> str:
    texts = ", ".join(footprint_lmads(found.lmads, v, types, trips))
    return f"ompc::{kind}<{types.declare(ty.unqualified(v.element))}>({{{texts}}})"


def _with_parameters(text: str, symbols: Sequence[t.Symbol]) -> str:
    """`text` over the user's names with the launcher's parameters instead."""
    for name in (symbol.name for symbol in symbols if spelled(symbol.name) != symbol.name):
        text = re.sub(rf"\b{name}\b", spelled(name), text)
    return text
