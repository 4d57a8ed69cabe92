"""The launcher of a kernel: what the host calls. It states what the launch uses; the runtime does the rest.

In: RegionPlan, KernelPlan.   Out: LauncherView, lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.base.visible import one_line
from ompc.ir import types as ty
from ompc.omp.model import League
from ompc.plan.model.lane_steps import LaneSharing
from ompc.plan.model.launch import Agreement, Argument, GridLoop, PartsOfThreads, TeamLaunch, ThreadTable
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.plan import ChainPlan, KernelPlan, Plan, RegionPlan
from ompc.plan.model.tile_model import TilePlan
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.comments import in_comment
from ompc.render.forms.grid import GridPrinter, passed_trips
from ompc.render.launcher.declarations import Declaration, Locals, declarations
from ompc.render.launcher.launches import Launches, LaunchView
from ompc.render.launcher.work import work as work_text
from ompc.render.line_marks import in_string
from ompc.render.local_names import Namer


@dataclass(frozen=True, slots=True)
class LauncherView:
    """What the template of a launcher prints.

    `trips`         (name, expression, the loop's head as a comment)
    `declarations`  name what the kernel uses
    `names`         those of the launcher's own variables
    `launches`      of its kernels, the one for any launch first
    `league`        what it asks of teams, or None
    `work`          the operations of an iteration; empty: nobody asks whether the launch is worth it
    `iterations`    how many there are
    `where`         it is a version's, which another launcher calls
    `fused`         the lines of the loops of a joint launch
    `loops`         the same loops, as the region has them
    `phases`        the variable with the number of the phase; empty: there are none
    `chain`         how many launches one block saves, and how many of them the host would wait for
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
    iterations: str
    declarations: list[Declaration]
    launches: list[LaunchView]
    team: TeamView | None
    league: str | None
    slices: str | None
    version: VersionView | None
    where: str
    fused: str
    loops: str
    phases: str
    chain: str


@dataclass(frozen=True, slots=True)
class VersionView:
    """`when`: the condition on which the launcher calls `function`, that of the version, with `arguments`."""

    when: str
    function: str
    arguments: list[str]


@dataclass(frozen=True, slots=True)
class TeamView:
    """`agreed`: what the threads of the team must agree on before one of them launches; `apart`: TeamLaunch; `bounds`,
    `trips`, `iterations`: of the loops of which each thread finds the same number of iterations; empty: there are none.
    `tables`: those of what each thread has in a variable: the name, that of the variable, how the team is told;
    `parts`: how it is told of the thread's part of a loop that the threads divide; empty: they do not.
    """

    agreed: list[str]
    tables: list[tuple[Name, str, str]]
    gather: str
    apart: str | None
    bounds: list[str]
    trips: list[tuple[str, str, str]]
    iterations: str
    parts: str = ""


def launcher_view(
    region: RegionPlan, kernel: KernelPlan, types: TypePrinter, expressions: ExpressionPrinter, plan: Plan
) -> LauncherView:
    """The view of the launcher of `kernel`."""
    rectangular = [loop for loop in kernel.grid if not loop.loop.dependent and not loop.once]
    counted = [*rectangular, *_inner_loops(kernel)]
    shared = _shared_by_team(region, kernel, rectangular)
    numbers = [spelled(name) for name, _ in plan.enumerators]  # which bounds may name
    numbers += [each.name for macro in plan.macro_names for each in macro.with_named()]
    grid, names = GridPrinter(types, expressions), locals_of(kernel, numbers)
    whole, kernel = kernel, _sliced(kernel, names)
    return LauncherView(
        function=region.launcher,
        source=in_comment(plan.source_of(region)),
        place=in_string(one_line(plan.source_of(region))),
        parameters=[parameter(argument, types) for argument in kernel.arguments],
        names=names,
        region=[f'"{region.id}"', str(region.loop.line), f'"{region.directive}"'],
        bounds=[line for loop in counted if loop not in shared for line in grid.bounds(loop)],
        trips=[grid.trips(loop) for loop in counted if loop not in shared],
        is_empty=" || ".join(f"{loop.trips} == 0" for loop in rectangular),
        empty_result=_empty_result(kernel),
        mode=", ompc::openmpc" if kernel.per_launch_allocation else "",
        work="" if kernel.work is None else work_text(kernel.work),
        iterations=" * ".join(passed_trips(whole)) or "1",
        declarations=declarations(whole, types, plan.namespace, names),
        launches=Launches(kernel, grid, types, names).views(),
        team=None if kernel.team is None or region.where else _team(region, kernel, kernel.team, types, grid, shared),
        league=_LEAGUES[kernel.league],
        slices=None if kernel.slices is None else _slices(whole),
        version=_version(region, names),
        where=region.where,
        fused=", ".join(str(loop.line) for loop in region.loops),
        loops=_loops(region),
        phases=str(kernel.phases or ""),
        chain="" if region.chain is None else _chain(region.chain),
    )


def _chain(chain: ChainPlan) -> str:
    entries = work_text(chain.entries)
    return f"{_times(chain.launches, entries)}, {_times(chain.waits, entries)}"


def _times(factor: float, text: str) -> str:
    if text.replace(".", "").isdigit() or not factor:
        return f"{factor * float(text) if factor else 0:g}"
    return text if factor == 1 else f"{factor:g} * ({text})"


def _loops(region: RegionPlan) -> str:
    """What a joint launch does, as an argument behind others."""
    names = ", ".join(f'{{"{loop.id}", {loop.line}}}' for loop in region.loops)
    return f", {{{names}}}" if names else ""


def _version(region: RegionPlan, names: Locals) -> VersionView | None:
    if region.version is None:
        return None
    version = region.version
    return VersionView(version.when, version.region.launcher, [names.region, *map(str, version.arguments)])


def _slices(kernel: KernelPlan) -> str:
    """The launch's method that finds the slices, and its arguments."""
    tiled = any(schedule.form_of(TilePlan) is not None for schedule in kernel.schedules)
    method = "slices_of_tiles" if tiled else "slices"
    return f"{method}({', '.join(passed_trips(kernel))})"


def _sliced(kernel: KernelPlan, names: Locals) -> KernelPlan:
    """The kernel as the launcher launches it for a slice: with so many iterations of the outermost loop."""
    if kernel.slices is None:
        return kernel
    outermost, *inner = kernel.grid
    return replace(kernel, grid=(replace(outermost, trips=f"{names.slice}.trips"), *inner))


_LEAGUES = {League.NONE: None, League.IN_TURN: "ompc::teams_in_turn", League.ONE: "ompc::one_team"}


def _shared_by_team(region: RegionPlan, kernel: KernelPlan, grid: Sequence[GridLoop]) -> list[GridLoop]:
    """The loops of which all threads of a team find the same number of iterations, as the program promises of those
    that its directive is about (OpenMP 5.2, 4.4.1), where a team may be told to keep the loop on the host for a while.
    """
    if kernel.team is None or region.where or kernel.work is None or kernel.team.parts is not None:
        return []
    counters = {loop.var for loop in region.loop.loops}
    return [loop for loop in grid if loop.loop.var in counters]


def _team(
    region: RegionPlan,
    kernel: KernelPlan,
    team: TeamLaunch,
    types: TypePrinter,
    grid: GridPrinter,
    shared: Sequence[GridLoop],
) -> TeamView:
    agreed = [item for argument in kernel.arguments for item in _agreed(argument, types)]
    tables = [_table(argument, argument.table, types) for argument in kernel.arguments if argument.table is not None]
    of_version = None if region.version is None else region.version.region.kernel
    launches = (team, None if of_version is None else of_version.team)
    apart = next((launch.apart.name for launch in launches if launch is not None and launch.apart is not None), None)
    bounds, trips = [line for loop in shared for line in grid.bounds(loop)], [grid.trips(loop) for loop in shared]
    iterations = " * ".join(str(loop.trips) for loop in shared)
    gather = "ompc::may_come_late" if team.nowait else "ompc::barrier_follows"
    parts = "" if team.parts is None else _parts(team.parts, kernel.grid[0])
    return TeamView(agreed, tables, gather, apart, bounds, trips, iterations, parts)


def _parts(parts: PartsOfThreads, loop: GridLoop) -> str:
    if parts.turns is not None:
        return f"takes_turns({parts.first}, {parts.end}, {parts.turns})"
    step = f"{'-' if loop.loop.down else ''}{loop.step.constant}"
    return f'has_block({parts.first}, {parts.end}, {step}, "{loop.loop.relation}")'


def _table(argument: Argument, table: ThreadTable, types: TypePrinter) -> tuple[Name, str, str]:
    address = f"&{argument.name}" if table.by_value else str(argument.name)
    size = f"sizeof({types.declare(ty.unqualified_elements(table.variable.type))})"
    order = "returned" if table.comes_back else "only_read"
    return table.name, table.variable.name, f"{address}, {size}, {table.name}, ompc::{order}"


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
    forms = [schedule.form for schedule in kernel.schedules]
    found = [form.loop for form in forms if isinstance(form, TilePlan)]
    for form in forms:
        if isinstance(form, LaneSharing):
            found += [loop for loop in form.counted if loop not in found]
    return tuple(found)


def locals_of(kernel: KernelPlan, others: Iterable[str] = ()) -> Locals:
    """Names that nothing else has of what the launcher uses; `others` of what it may use besides."""
    taken: set[Name] = {*others, *(argument.name for argument in kernel.arguments)}
    taken |= {schedule.kernel for schedule in kernel.schedules}
    taken |= set() if kernel.phases is None else {kernel.phases}
    taken |= {argument.table.name for argument in kernel.arguments if argument.table is not None}
    for loop in (*kernel.grid, *_inner_loops(kernel)):
        taken |= {loop.trips, loop.lower.name, loop.step.name}
    for lanes in (schedule.lanes for schedule in kernel.schedules if schedule.lanes is not None):
        taken.add(lanes.group)
        taken |= set() if lanes.unroll_and_jam is None else set(lanes.unroll_and_jam.names.values())
        lengths = None if lanes.by_block is None else lanes.by_block.lengths
        taken |= set() if lengths is None else {lengths.rows}
    namer = Namer(map(str, taken))
    objects: list[Name] = [v.device_name for v in (*kernel.arrays, *kernel.linked)]
    objects += [spelled(private.symbol.name) for private in kernel.privates if private.source is not None]
    objects += [last.cell for last in kernel.lastprivates]
    objects += [reduction.name for reduction in kernel.reductions]
    objects += [array.name for array in kernel.expanded] + [copies.name for copies in kernel.own.accumulators]
    devices = {name: namer.take(f"d_{name}") for name in objects}
    region, launch, shape = namer.take("region"), namer.take("launch"), namer.take("shape")
    team, tiling, rows, tuned, slice_ = map(namer.take, ("team", "tiling", "rows", "tuned", "slice"))
    aligned, work = map(namer.take, ("aligned", "work"))
    return Locals(region, launch, shape, team, tiling, rows, tuned, slice_, aligned, work, devices)


def _empty_result(kernel: KernelPlan) -> str:
    """A loop without iterations is done, but for `&&` and `||`, where the host still makes 0 or 1 of the variables'
    values, and for user-defined reductions.
    """
    logical = any(str(r.op).startswith("Logical") or r.is_declared for r in kernel.reductions)
    return "0; // the host combines the reduction variables with nothing" if logical else "1;"


def parameter(argument: Argument, types: TypePrinter) -> str:
    """A parameter of the launcher's C++ definition."""
    return types.declare(argument.type, argument.name)
