"""The launcher of a kernel: what the host calls. It states what the launch uses; the runtime does the rest.

In: RegionPlan, KernelPlan.   Out: LauncherView, lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ompc.analysis.extents import Section
from ompc.omp.model import League
from ompc.plan.extent import (
    BlockExtent,
    ExpandedExtent,
    Extent,
    MappedExtent,
    ObjectExtent,
    SectionExtent,
    Slots,
    ValueExtent,
)
from ompc.plan.launch import Agreement, Argument, ExpandedArray, GridLoop, TeamLaunch
from ompc.plan.model import MESSAGES, HostBuffer, KernelPlan, Plan, RegionPlan, Transfer, Variable
from ompc.plan.names import Namer, spelled
from ompc.plan.tile_model import RowsPlan, TilePlan, TransposedPlan
from ompc.render import aligned
from ompc.render import copies as block_copies
from ompc.render.expressions import ExpressionPrinter
from ompc.render.grid import GridPrinter, passed_bounds, passed_trips, shape, work_of_rows
from ompc.render.messages import PRINTER
from ompc.render.overwritten import overwritten
from ompc.render.reductions import launcher_arguments, launcher_call
from ompc.render.tiles import tile_arguments
from ompc.render.tuned import tuned_table
from ompc.render.types import TypePrinter, as_const
from ompc.render.work import work
from ompc.sema import tree as t
from ompc.sema import types as ty


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
    devices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LauncherView:
    """`trips` are (name, expression, the loop's head as a comment); `declarations` name what the kernel uses.

    `names` are those of the launcher's own variables; `widths` are statements that find what `shape` asks for;
    `league` is what it asks of teams, or None; `work` is the operations of an iteration, and how many there are.
    """

    function: str
    source: str
    parameters: list[str]
    names: Locals
    region: list[str]
    bounds: list[str]
    trips: list[tuple[str, str, str]]
    is_empty: str
    empty_result: str
    mode: str
    work: str
    declarations: list[Declaration]
    widths: list[str]
    shape: str
    macro: str
    kernel: str
    arguments: list[str]
    team: TeamView | None
    league: str | None
    tiles: TilesView | None
    rows: str | None
    aligned: str | None


@dataclass(frozen=True, slots=True)
class TilesView:
    """`asked`: the launch's method that finds the tiles, and its arguments; `arguments` of the tiled kernel, which
    `launched` launches, with the tiling or its shape.
    """

    kernel: str
    asked: str
    launched: str
    shape: str
    arguments: list[str]


@dataclass(frozen=True, slots=True)
class TeamView:
    """`agreed`: what the threads of the team must agree on before one of them launches; `apart`: TeamLaunch."""

    agreed: list[str]
    gather: str
    apart: str | None


def launcher_view(
    region: RegionPlan, kernel: KernelPlan, types: TypePrinter, expressions: ExpressionPrinter, plan: Plan
) -> LauncherView:
    """The view of the launcher of `kernel`."""
    rectangular = [loop for loop in kernel.grid if not loop.loop.dependent]
    counted = [*rectangular, *_inner_loops(kernel)]
    grid, names = GridPrinter(types, expressions), _locals(kernel)
    return LauncherView(
        function=region.launcher,
        source=plan.source_of(region),
        parameters=[parameter(argument, types) for argument in kernel.arguments],
        names=names,
        region=[f'"{region.id}"', str(region.loop.line), f'"{region.directive}"'],
        bounds=[line for loop in counted for line in grid.bounds(loop)],
        trips=[grid.trips(loop) for loop in counted],
        is_empty=" || ".join(f"{loop.trips} == 0" for loop in rectangular),
        empty_result=_empty_result(kernel),
        mode=", ompc::openmpc" if kernel.per_launch_allocation else "",
        work="" if kernel.work is None else f"{work(kernel.work)}, {' * '.join(passed_trips(kernel))}",
        declarations=_declarations(kernel, types, plan.namespace, names),
        widths=[*tuned_table(kernel, names.tuned, names.launch), *grid.widths(kernel, names.launch)],
        shape=shape(kernel, names.rows) if isinstance(kernel.tiles, RowsPlan) else shape(kernel),
        macro="OMPC_LAUNCH_COPIES" if kernel.copies else "OMPC_LAUNCH",
        kernel=kernel.name,
        arguments=_kernel_arguments(kernel, types, names),
        team=None if kernel.team is None else _team(kernel, kernel.team, types),
        league=_LEAGUES[kernel.league],
        tiles=_tiles(kernel, types, names),
        rows=work_of_rows(kernel, kernel.tiles) if isinstance(kernel.tiles, RowsPlan) else None,
        aligned=aligned.condition(kernel, names.devices),
    )


def _tiles(kernel: KernelPlan, types: TypePrinter, names: Locals) -> TilesView | None:
    arguments = _kernel_arguments(kernel, types, names)
    match kernel.tiles:
        case TilePlan() as tiles:
            asked = f"tiling({shape(kernel)}, {tiles.loop.trips}, {tiles.narrower})"
            arguments += tile_arguments(tiles)
            return TilesView(tiles.kernel, asked, "OMPC_LAUNCH_TILES", names.tiling, arguments)
        case TransposedPlan(kernel=name, side=side):
            asked = f"transposing({shape(kernel)}, {side})"
            return TilesView(name, asked, "OMPC_LAUNCH", f"{names.tiling}.shape", arguments)
        case _:
            return None


_LEAGUES = {League.NONE: None, League.IN_TURN: "ompc::teams_in_turn", League.ONE: "ompc::one_team"}


def _team(kernel: KernelPlan, team: TeamLaunch, types: TypePrinter) -> TeamView:
    agreed = [item for argument in kernel.arguments for item in _agreed(argument, types)]
    apart = None if team.apart is None else team.apart.name
    return TeamView(agreed, "ompc::may_come_late" if team.nowait else "ompc::barrier_follows", apart)


def _agreed(argument: Argument, types: TypePrinter) -> list[str]:
    """What is compared of one argument: of a struct its members, since the bytes between them may be anything."""
    name = _users_name(argument)
    match argument.agreement, argument.object:
        case Agreement.NONE, _:
            return []
        case Agreement.VALUE, _:
            return [f'ompc::value("{name}", {argument.name})']
        case _, ty.Struct(record=record) if record.kind == "struct" and _has_plain_members(record):
            return [
                f'ompc::contents("{name}.{member.name}", {argument.name}, {member.offset}, {ty.size_of(member.type)})'
                for member in record.fields or ()
            ]
        case _, kind:
            assert kind is not None
            return [f'ompc::contents("{name}", {argument.name}, 0, sizeof({types.declare(kind)}))']


def _has_plain_members(record: ty.Record) -> bool:
    return all(member.name and member.bits is None and ty.size_of(member.type) for member in record.fields or ())


def _users_name(argument: Argument) -> str:
    """For messages: the variable, or the expression of a bound, as the host passes it."""
    return argument.host_text.lstrip("&").replace("\\", "\\\\").replace('"', "'")


def _inner_loops(kernel: KernelPlan) -> tuple[GridLoop, ...]:
    """The loops inside an iteration whose length decides how the kernel is launched."""
    if isinstance(kernel.tiles, TilePlan):
        return (kernel.tiles.loop,)
    return () if kernel.lanes is None else kernel.lanes.counted


def _locals(kernel: KernelPlan) -> Locals:
    taken = {argument.name for argument in kernel.arguments}
    for loop in (*kernel.grid, *_inner_loops(kernel)):
        taken |= {loop.trips, loop.lower.name, loop.step.name}
    taken |= {kernel.lanes.lanes} if kernel.lanes is not None else set()
    namer = Namer(taken)
    objects = [v.device_name for v in (*kernel.arrays, *kernel.linked)]
    objects += [spelled(private.symbol.name) for private in kernel.privates if private.source is not None]
    objects += [last.cell for last in kernel.lastprivates]
    objects += [reduction.name for reduction in kernel.reductions]
    objects += [array.name for array in kernel.expanded] + [copies.name for copies in kernel.copies]
    devices = {name: namer.take(f"d_{name}") for name in objects}
    region, launch, shape = namer.take("region"), namer.take("launch"), namer.take("shape")
    team, tiling, rows, tuned = map(namer.take, ("team", "tiling", "rows", "tuned"))
    return Locals(region, launch, shape, team, tiling, rows, tuned, devices)


def _empty_result(kernel: KernelPlan) -> str:
    """A loop without iterations is done, but for `&&` and `||`, where the host still makes 0 or 1 of the variables'
    values, and for user-defined reductions.
    """
    logical = any(r.op.startswith("Logical") or r.is_declared for r in kernel.reductions)
    return "0; // the host combines the reduction variables with nothing" if logical else "1;"


def parameter(argument: Argument, types: TypePrinter) -> str:
    """A parameter of the launcher's C++ definition."""
    return types.declare(argument.type, argument.name)


Declaration = tuple[str, list[str], str]
"""A call as (what stands before its parenthesis, its arguments, what follows)."""


def _declarations(kernel: KernelPlan, types: TypePrinter, namespace: str, names: Locals) -> list[Declaration]:
    trips = {loop.loop.var: loop.trips for loop in kernel.grid}
    found = [declared for v in kernel.arrays for declared in _array(v, types, names, trips)]
    for private in kernel.privates:
        if private.source is not None:
            name = spelled(private.symbol.name)
            whole = f"ompc::object(sizeof({types.declare(ty.unqualified(private.symbol.type))}))"
            element = as_const(_element(private.symbol.type))
            arguments = [f'"{name}"', name, whole, "ompc::read"]
            found.append(_declared(name, names, types.declare(element), arguments))
    for last in kernel.lastprivates:
        kind = types.declare(last.type)
        whole = f"ompc::object(sizeof({kind}))"
        arguments = [f'"{last.symbol.name}"', last.cell, whole, "ompc::overwrite"]
        found.append(_declared(last.cell, names, kind, arguments))
    holders = {v.slots.holder for v in kernel.linked if v.slots is not None}
    found += [_linked(v, v.slots, types, names, v.device_name in holders) for v in kernel.linked if v.slots is not None]
    for v in kernel.constants:
        arguments = [f'"{v.symbol.name}"', f"{namespace}::{v.device_name}", spelled(v.symbol.name)]
        found.append((f"{names.launch}.constant", arguments, ";"))
    if kernel.messages:
        heard = [f"{namespace}::{MESSAGES}"] + [f"{namespace}::{PRINTER}"] * (kernel.printed_number is not None)
        found.append((f"{names.launch}.messages", heard, ";"))
        found += [(f"{names.launch}.contest", [f"{namespace}::{contest.name}"], ";") for contest in kernel.contests]
    found += [_expanded(array, kernel, types, names) for array in kernel.expanded]
    for c in kernel.copies:
        head = f"auto {names.devices[c.name]} = {names.launch}.{block_copies.launcher_call(c, types)}"
        found.append((head, [names.devices[c.array], *filter(None, [c.count])], ";"))
    for r in kernel.reductions:
        head = f"auto {names.devices[r.name]} = {names.launch}.{launcher_call(r, types)}"
        found.append((head, launcher_arguments(r, types), ";"))
    return found


def _declared(name: str, names: Locals, element: str, arguments: list[str], distinct: bool = False) -> Declaration:
    head = f"auto {names.devices[name]} = {names.launch}.array<{element}>"
    return head, arguments, ".distinct();" if distinct else ";"


def _element(kind: ty.Type) -> ty.Type:
    return kind.of if isinstance(kind, ty.Array) else kind


def _array(v: Variable, types: TypePrinter, names: Locals, trips: Mapping[t.Symbol, str]) -> Iterator[Declaration]:
    arguments = [f'"{v.symbol.name}"', spelled(v.symbol.name), _extent(v, types), f"ompc::{_access(v)}"]
    if v.host_buffer is HostBuffer.HOST_REGISTER:
        arguments.append("ompc::host_register")
    element = types.declare(v.element if v.writes else as_const(v.element))
    yield _declared(v.device_name, names, element, arguments, v.distinct)
    yield from ((f"{names.devices[v.device_name]}.overwrites", [part], ";") for part in overwritten(v, types, trips))


def _expanded(array: ExpandedArray, kernel: KernelPlan, types: TypePrinter, names: Locals) -> Declaration:
    """A private array in memory of the launch's: how many elements each thread needs, and how many threads may."""
    lengths = array.lengths if array.is_flat else array.lengths[:1]
    head = f"auto {names.devices[array.name]} = {names.launch}.expanded<{types.declare(part_type(array))}>"
    arguments = [f'"{array.symbol.name}"', f"ompc::elements({', '.join(lengths)})"]
    if not any(loop.loop.dependent for loop in kernel.grid):
        arguments.append(" * ".join(passed_trips(kernel)))
    return head, arguments, ";"


def part_type(array: ExpandedArray) -> ty.Type:
    """The type of what a thread's part consists of: elements, or rows."""
    assert isinstance(array.symbol.type, ty.Array)
    return ty.unqualified(ty.element_of(array.symbol.type) if array.is_flat else array.symbol.type.of)


def _linked(v: Variable, slots: Slots, types: TypePrinter, names: Locals, is_holder: bool) -> Declaration:
    element = types.declare(v.element if v.writes else as_const(v.element))
    pointers = _pointers(v, slots, types)
    arguments = [f'"{v.label}"', names.devices[slots.holder], pointers, _extent(v, types), f"ompc::{_access(v)}"]
    name = f"auto {names.devices[v.device_name]} = " if is_holder else ""
    promises = ".distinct()" * v.distinct + ".apart()" * v.apart
    return f"{name}{names.launch}.linked<{element}>", arguments, f"{promises};"


def _pointers(v: Variable, slots: Slots, types: TypePrinter) -> str:
    """Where the pointers to a linked object are: `ompc::pointers(sizeof(struct v), {offsetof(struct v, x)})`."""
    if slots.record is None:
        stride, offsets = f"sizeof({types.declare(ty.Pointer(v.element))})", ["0"]
    else:
        record = types.declare(ty.Struct(slots.record))
        direct = slots.stride == slots.record.size and len(slots.offsets) == 1 and slots.member is not None
        stride = f"sizeof({record})" if slots.stride == slots.record.size else str(slots.stride)
        offsets = [f"offsetof({record}, {spelled(slots.member or '')})"] if direct else list(map(str, slots.offsets))
    text = f"ompc::pointers({stride}, {{{', '.join(offsets)}}})"
    if slots.entries is None:
        return text
    times = slots.unit // slots.stride
    entries = slots.entries
    lower, upper = entries.lower, entries.upper
    if times > 1:
        lower, upper = f"({lower}) * {times}", f"({upper}) * {times} + {times - 1}"
    return _conditional(entries, f"{text}.among({lower}, {upper})", f"{text}.among(0, -1)")


def _section(section: Section, call: str) -> str:
    """A call with the bounds of the section, or with those of an empty one where the loop accesses nothing."""
    return _conditional(section, f"{call}({section.lower}, {section.upper})", f"{call}(0, -1)")


def _conditional(section: Section, text: str, empty: str) -> str:
    chosen = text if section.condition is None else f"({section.condition}) ? {text} : {empty}"
    rounded = re.sub(r"\bfloord\(", "ompc::floord(", chosen)  # isl's name for a division that rounds down
    return _with_parameters(rounded, section.symbols)


def _access(v: Variable) -> str:
    if v.transfer_out is Transfer.NONE:  # only read, or a copy that the device may change as it likes
        return "read"
    return "overwrite" if v.transfer_in is Transfer.NONE else "readwrite"


def _extent(v: Variable, types: TypePrinter) -> str:
    extent: Extent = v.extent
    match extent:
        case ObjectExtent(bytes=None):
            return f"ompc::object({v.device_name}_bytes)"
        case ObjectExtent(bytes=size):
            return (
                f"ompc::object(sizeof({types.declare(ty.unqualified(v.symbol.type))}))" if size else "ompc::object(0)"
            )
        case BlockExtent(window=window):
            return "ompc::block()" if window is None else _section(window, "ompc::block")
        case MappedExtent():
            return f"ompc::block_or({v.device_name}_mapped_first, {v.device_name}_mapped_count)"
        case SectionExtent(section=s):
            return _section(s, "ompc::section")
        case ValueExtent() | ExpandedExtent():
            return "ompc::object(0)"


def _with_parameters(text: str, symbols: Sequence[t.Symbol]) -> str:
    """`text` over the user's names with the launcher's parameters instead."""
    for name in (symbol.name for symbol in symbols if spelled(symbol.name) != symbol.name):
        text = re.sub(rf"\b{name}\b", spelled(name), text)
    return text


def _kernel_arguments(kernel: KernelPlan, types: TypePrinter, names: Locals) -> list[str]:
    """In the order of the kernel's parameters (render/device.py)."""
    found = [_by_value(v, types) for v in kernel.values]
    found += [name for v in kernel.arrays for name in v.dimensions]
    found += [name for array in kernel.expanded for name in inner_lengths(array)]
    found += [b.name for loop in kernel.grid for b in passed_bounds(loop)]
    found += [f"{names.devices[v.device_name]}.get()" for v in kernel.arrays]
    found += [f"{names.devices[array.name]}.get()" for array in kernel.expanded]
    found += [f"{names.devices[spelled(p.symbol.name)]}.get()" for p in kernel.privates if p.source]
    found += passed_trips(kernel)
    found += [f"{names.devices[last.cell]}.get()" for last in kernel.lastprivates]
    found += [f"{names.devices[r.name]}.get()" for r in kernel.reductions]
    found += [f"{names.devices[copies.name]}.get()" for copies in kernel.copies]
    return found + ([kernel.lanes.lanes] if kernel.lanes is not None else [])


def inner_lengths(array: ExpandedArray) -> list[str]:
    """The lengths that the kernel computes elements' places with, where they are no numbers."""
    return [name for name in array.lengths[1:] if array.is_flat and not name.isdecimal()]


def _by_value(v: Variable, types: TypePrinter) -> str:
    if isinstance(v.symbol.type, ty.Struct):
        return f"*static_cast<{types.declare(as_const(v.symbol.type))} *>({v.device_name})"
    return v.device_name
