"""The launcher of a kernel: what the host calls. It states what the launch uses; the runtime does the rest.

In: RegionPlan, KernelPlan.   Out: LauncherView, lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.base.visible import one_line
from ompc.ir import types as ty
from ompc.omp.model import League
from ompc.plan.model.launch import Agreement, Argument, ExpandedArray, GridLoop, TeamLaunch
from ompc.plan.model.names import Namer, spelled
from ompc.plan.model.plan import KernelPlan, Plan, RegionPlan
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Variable
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.types import TypePrinter, as_const
from ompc.render.comments import in_comment
from ompc.render.forms import vector_access
from ompc.render.forms.grid import GridPrinter, group_of_points, passed_bounds, passed_trips, shape, work_of_rows
from ompc.render.forms.tiles import tile_arguments
from ompc.render.launcher.block_per_row import row_lengths
from ompc.render.launcher.declarations import Declaration, Locals, declarations
from ompc.render.launcher.kernel_forms import ALWAYS, Form, forms, forms_of_tiles, rows_asked
from ompc.render.launcher.tuned import tuned_table
from ompc.render.launcher.work import work
from ompc.render.line_marks import in_string


@dataclass(frozen=True, slots=True)
class LauncherView:
    """What the template of a launcher prints.

    `trips`         (name, expression, the loop's head as a comment)
    `declarations`  name what the kernel uses
    `names`         those of the launcher's own variables
    `widths`        statements that find what `shape` asks for
    `league`        what it asks of teams, or None
    `work`          the operations of an iteration, and how many there are
    `where`         it is a version's, which another launcher calls
    """

    function: str
    source: str
    place: str
    """`source` as it stands between the quotes of a string."""
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
    aligned: str | None
    kernel: str
    forms: list[Form]
    arguments: list[str]
    team: TeamView | None
    league: str | None
    split: SplitView | None
    tiles: TilesView | None
    rows: tuple[str, str, str] | None
    slices: str | None
    version: VersionView | None
    where: str


@dataclass(frozen=True, slots=True)
class VersionView:
    """`when`: the condition on which the launcher calls `function`, that of the version, with `arguments`."""

    when: str
    function: str
    arguments: list[str]


@dataclass(frozen=True, slots=True)
class TilesView:
    """`asked`: the launch's method that finds the tiles, and its arguments; `arguments` of the tiled kernel.
    """

    kernel: str
    asked: str
    shape: str
    forms: list[Form]
    arguments: list[str]


@dataclass(frozen=True, slots=True)
class SplitView:
    """`group`: the launcher's variable, which the launch's method `asked` for gives; `arguments` of the kernel."""

    group: str
    asked: str
    shape: str
    kernel: str
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
    grid, names = GridPrinter(types, expressions), locals_of(kernel)
    whole, kernel = kernel, _sliced(kernel, names)
    return LauncherView(
        function=region.launcher,
        source=in_comment(plan.source_of(region)),
        place=in_string(one_line(plan.source_of(region))),
        parameters=[parameter(argument, types) for argument in kernel.arguments],
        names=names,
        region=[f'"{region.id}"', str(region.loop.line), f'"{region.directive}"'],
        bounds=[line for loop in counted for line in grid.bounds(loop)],
        trips=[grid.trips(loop) for loop in counted],
        is_empty=" || ".join(f"{loop.trips} == 0" for loop in rectangular),
        empty_result=_empty_result(kernel),
        mode=", ompc::openmpc" if kernel.per_launch_allocation else "",
        work="" if kernel.work is None else f"{work(kernel.work)}, {' * '.join(passed_trips(whole))}",
        declarations=declarations(whole, types, plan.namespace, names),
        widths=tuned_table(kernel, names.tuned, names.launch)
        + grid.widths(kernel, names.launch, _rows_in(kernel, names), row_lengths(kernel, grid, names)),
        shape=shape(kernel, names.rows) if isinstance(kernel.tiles, RowCoarsening) else shape(kernel),
        aligned=vector_access.condition(kernel, names.devices),
        kernel=kernel.name,
        forms=forms(kernel, names),
        arguments=_kernel_arguments(kernel, types, names),
        team=None if kernel.team is None else _team(kernel, kernel.team, types),
        league=_LEAGUES[kernel.league],
        split=_split(kernel, types, names),
        tiles=_tiles(kernel, types, names),
        rows=_rows_of_thread(kernel),
        slices=None if kernel.slices is None else _slices(whole),
        version=_version(region, names),
        where=region.where,
    )


def _version(region: RegionPlan, names: Locals) -> VersionView | None:
    if region.version is None:
        return None
    version = region.version
    return VersionView(version.when, version.region.launcher, [names.region, *version.arguments])


def _rows_of_thread(kernel: KernelPlan) -> tuple[str, str, str] | None:
    """The launch's method that says how many rows a thread gets, and its arguments."""
    if not isinstance(kernel.tiles, RowCoarsening):
        return None
    return *rows_asked(kernel.tiles, kernel.name), work_of_rows(kernel, kernel.tiles)


def _rows_in(kernel: KernelPlan, names: Locals) -> str | None:
    symbols = () if kernel.lanes is None else kernel.lanes.distribution.rows_in
    found = [names.devices[v.device_name] for v in kernel.arrays if v.symbol in symbols]
    return found[0] if found else None


def _slices(kernel: KernelPlan) -> str:
    """The launch's method that finds the slices, and its arguments."""
    method = "slices_of_tiles" if isinstance(kernel.tiles, TilePlan) else "slices"
    return f"{method}({', '.join(passed_trips(kernel))})"


def _sliced(kernel: KernelPlan, names: Locals) -> KernelPlan:
    """The kernel as the launcher launches it for a slice: with so many iterations of the outermost loop."""
    if kernel.slices is None:
        return kernel
    outermost, *inner = kernel.grid
    return replace(kernel, grid=(replace(outermost, trips=f"{names.slice}.trips"), *inner))


def _tiles(kernel: KernelPlan, types: TypePrinter, names: Locals) -> TilesView | None:
    arguments = _kernel_arguments(kernel, types, names)
    match kernel.tiles:
        case TilePlan() as tiles:
            memory = f", {{{', '.join(map(str, tiles.memory))}}}" if tiles.memory else ""
            asked = f"tiling({shape(kernel)}, {tiles.loop.trips}, {tiles.narrower}{memory})"
            arguments += tile_arguments(tiles)
            return TilesView(tiles.kernel, asked, f"{names.tiling}.shape", forms_of_tiles(tiles, names), arguments)
        case TransposedPlan(kernel=name, side=side):
            asked = f"transposing({shape(kernel)}, {side})"
            return TilesView(name, asked, f"{names.tiling}.shape", [Form(ALWAYS, name)], arguments)
        case _:
            return None


def _split(kernel: KernelPlan, types: TypePrinter, names: Locals) -> SplitView | None:
    lanes = None if kernel.split is None else kernel.split.lanes
    if kernel.split is None or lanes is None or lanes.split_of is None:
        return None
    split = replace(kernel.split, grid=kernel.grid)
    asked = group_of_points(kernel, lanes)
    arguments = _kernel_arguments(split, types, names)
    return SplitView(lanes.group, asked, f"{names.launch}.shape({shape(split)})", split.name, arguments)


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
    found = [kernel.tiles.loop] if isinstance(kernel.tiles, TilePlan) else []
    for each in (kernel, kernel.split):
        if each is not None and each.lanes is not None:
            found += [loop for loop in each.lanes.counted if loop not in found]
    return tuple(found)


def locals_of(kernel: KernelPlan) -> Locals:
    taken = {argument.name for argument in kernel.arguments}
    for loop in (*kernel.grid, *_inner_loops(kernel)):
        taken |= {loop.trips, loop.lower.name, loop.step.name}
    taken |= {kernel.lanes.group} if kernel.lanes is not None else set()
    taken |= (
        set(kernel.lanes.unroll_and_jam.names.values())
        if kernel.lanes is not None and kernel.lanes.unroll_and_jam
        else set()
    )
    taken |= {kernel.split.lanes.group} if kernel.split is not None and kernel.split.lanes is not None else set()
    form = None if kernel.lanes is None else kernel.lanes.by_block
    taken |= {form.lengths.rows} if form is not None and form.lengths is not None else set()
    namer = Namer(taken)
    objects = [v.device_name for v in (*kernel.arrays, *kernel.linked)]
    objects += [spelled(private.symbol.name) for private in kernel.privates if private.source is not None]
    objects += [last.cell for last in kernel.lastprivates]
    objects += [reduction.name for reduction in kernel.reductions]
    objects += [array.name for array in kernel.expanded] + [accumulators.name for accumulators in kernel.accumulators]
    devices = {name: namer.take(f"d_{name}") for name in objects}
    region, launch, shape = namer.take("region"), namer.take("launch"), namer.take("shape")
    team, tiling, rows, tuned, slice_ = map(namer.take, ("team", "tiling", "rows", "tuned", "slice"))
    return Locals(region, launch, shape, team, tiling, rows, tuned, slice_, namer.take("aligned"), devices)


def _empty_result(kernel: KernelPlan) -> str:
    """A loop without iterations is done, but for `&&` and `||`, where the host still makes 0 or 1 of the variables'
    values, and for user-defined reductions.
    """
    logical = any(r.op.startswith("Logical") or r.is_declared for r in kernel.reductions)
    return "0; // the host combines the reduction variables with nothing" if logical else "1;"


def parameter(argument: Argument, types: TypePrinter) -> str:
    """A parameter of the launcher's C++ definition."""
    return types.declare(argument.type, argument.name)


def _kernel_arguments(kernel: KernelPlan, types: TypePrinter, names: Locals) -> list[str]:
    """In the order of the kernel's parameters (render/device.py)."""
    found = [_by_value(v, types) for v in kernel.values]
    found += [name for v in kernel.arrays for name in v.dimensions]
    found += [name for array in kernel.expanded for name in inner_lengths(array)]
    found += [b.name for loop in kernel.grid for b in passed_bounds(loop)]
    found += [f"{names.devices[v.device_name]}.get()" for v in kernel.arrays]
    found += [f"{names.devices[array.name]}.get()" for array in kernel.expanded]
    found += [f"{names.devices[spelled(p.symbol.name)]}.get()" for p in kernel.privates if p.source]
    if kernel.slices is None:
        found += passed_trips(kernel)
    else:
        found += [f"{names.slice}.begin", f"{names.slice}.end", *passed_trips(kernel)[1:]]
    found += [f"{names.devices[last.cell]}.get()" for last in kernel.lastprivates]
    found += [f"{names.devices[r.name]}.get()" for r in kernel.reductions]
    found += [f"{names.devices[accumulators.name]}.get()" for accumulators in kernel.accumulators]
    return found + ([kernel.lanes.group] if kernel.lanes is not None else [])


def inner_lengths(array: ExpandedArray) -> list[str]:
    """The lengths that the kernel computes elements' places with, where they are no numbers."""
    return [name for name in array.lengths[1:] if array.is_flat and not name.isdecimal()]


def _by_value(v: Variable, types: TypePrinter) -> str:
    if isinstance(v.symbol.type, ty.Struct):
        return f"*static_cast<{types.declare(as_const(v.symbol.type))} *>({v.device_name})"
    return v.device_name
