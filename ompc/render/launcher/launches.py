"""The launches among which a launcher chooses: for each kernel when it is launched, how, and with which arguments.

    const ompc::Shape shape = launch.shape(trips_i, trips_j);                 `before` of the kernel for any launch
    const ompc::Tiling tiling = launch.tiling(trips_i, trips_j, trips_k, 1);  `before` of another one
    if (tiling.points != 0)                                                   `when`
        launch.dispatch(tiling.shape, {...}, d_a.get(), ...);                 `shape`, `forms`, `arguments`
    else
        OMPC_LAUNCH(launch, shape, relax, d_a.get(), ...);

    In: the schedules of a KernelPlan.   Out: LaunchViews for templates/launcher.cu.j2.
    Not here: the rest of the launcher -- launcher.py.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.plan.model.lane_steps import Instead, LaneSharing
from ompc.plan.model.launch import ExpandedArray
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Variable
from ompc.render.code.types import TypePrinter, as_const
from ompc.render.forms import vector_access
from ompc.render.forms.grid import GridPrinter, group_of_points, passed_bounds, passed_trips, shape, work_of_rows
from ompc.render.forms.tiles import tile_arguments
from ompc.render.launcher.block_per_row import row_lengths
from ompc.render.launcher.declarations import Locals
from ompc.render.launcher.kernel_forms import ALWAYS, Form, forms, forms_of_tiles, rows_asked
from ompc.render.launcher.tuned import tuned_table


@dataclass(frozen=True, slots=True)
class LaunchView:
    """`before`: statements that find what `when` and `shape` ask for; `when`: None: where no other one is wanted."""

    before: list[str]
    when: str | None
    shape: str
    forms: list[Form]
    arguments: list[str]


@dataclass(frozen=True, slots=True)
class Launches:
    """Of `kernel`, as the launcher launches it for a slice, if there are any."""

    kernel: KernelPlan
    grid: GridPrinter
    types: TypePrinter
    names: Locals

    def views(self) -> list[LaunchView]:
        """In the order of the kernels: the first one is for any launch."""
        return [self._view(schedule) for schedule in self.kernel.schedules]

    def _view(self, schedule: Schedule) -> LaunchView:
        match schedule.form:
            case TilePlan() as tiles:
                return self._tiled(schedule, tiles)
            case TransposedPlan(kernel=name, side=side):
                asked = f"transposing({shape(self.kernel, self.kernel.own)}, {side})"
                return self._in_tiles(asked, [Form(ALWAYS, str(name))], self._arguments(schedule))
            case LaneSharing(instead=Instead()) as lanes:
                return self._divided(schedule, lanes)
            case _:
                return self._general(schedule)

    def _general(self, schedule: Schedule) -> LaunchView:
        kernel, names = self.kernel, self.names
        before = tuned_table(kernel, names.tuned, names.launch)
        lengths = row_lengths(kernel, self.grid, names)
        before += self.grid.widths(kernel, schedule.lanes, names.launch, self._rows_in(schedule), lengths)
        aligned = vector_access.condition(schedule.vectors, names.devices)
        looked = [f"const bool {names.aligned} = {aligned};"] * (aligned is not None)
        rows = schedule.form_of(RowCoarsening)
        if rows is not None:
            before += [*looked, f"const unsigned {names.rows} = {self._rows(schedule, rows)};"]
        asked = shape(kernel, schedule, names.rows)
        before.append(f"const ompc::Shape {names.shape} = {names.launch}.shape({asked});")
        before += looked if rows is None else []
        return LaunchView(before, None, names.shape, forms(schedule, names), self._arguments(schedule))

    def _rows(self, schedule: Schedule, rows: RowCoarsening) -> str:
        """How many rows a thread gets; arrays have been looked at, if it matters whether they are aligned."""
        method, form = rows_asked(schedule, rows)
        found = f"{self.names.launch}.{method}({form}, {work_of_rows(self.kernel, rows)})"
        return found if schedule.vectors is None else f"{self.names.aligned} ? {found} : 1"

    def _rows_in(self, schedule: Schedule) -> str | None:
        symbols = () if schedule.lanes is None else schedule.lanes.distribution.rows_in
        found = [self.names.devices[v.device_name] for v in self.kernel.arrays if v.symbol in symbols]
        return found[0] if found else None

    def _tiled(self, schedule: Schedule, tiles: TilePlan) -> LaunchView:
        memory = f", {{{', '.join(map(str, tiles.memory))}}}" if tiles.memory else ""
        points = shape(self.kernel, self.kernel.own)
        asked = f"tiling({points}, {tiles.loop.trips}, {tiles.narrower}{memory})"
        arguments = self._arguments(schedule) + tile_arguments(tiles)
        return self._in_tiles(asked, forms_of_tiles(tiles, self.names), arguments)

    def _in_tiles(self, asked: str, found: list[Form], arguments: list[str]) -> LaunchView:
        tiling = self.names.tiling
        before = [f"const ompc::Tiling {tiling} = {self.names.launch}.{asked};"]
        return LaunchView(before, f"{tiling}.points != 0", f"{tiling}.shape", found, arguments)

    def _divided(self, schedule: Schedule, lanes: LaneSharing) -> LaunchView:
        what = "share an iteration" if lanes.stores else "divide the sum of a point, where there are few points"
        group = group_of_points(self.kernel, lanes, self.names.launch, self.names.tiling)
        before = [f"// how many threads {what}", *group]
        shaped = f"{self.names.launch}.shape({shape(self.kernel, schedule)})"
        found = forms(schedule, self.names)
        return LaunchView(before, f"{lanes.group}.divides()", shaped, found, self._arguments(schedule))

    def _arguments(self, schedule: Schedule) -> list[str]:
        """In the order of the kernel's parameters (render/kernels.py)."""
        kernel, names = self.kernel, self.names
        found = [_by_value(v, self.types) for v in kernel.values]
        found += dict.fromkeys(str(name) for v in kernel.arrays for name in v.dimensions)
        found += [name for array in kernel.expanded for name in inner_lengths(array)]
        found += [str(b.name) for loop in kernel.grid for b in passed_bounds(loop)]
        found += [f"{names.devices[v.device_name]}.get()" for v in kernel.arrays]
        found += [f"{names.devices[array.name]}.get()" for array in kernel.expanded]
        found += [f"{names.devices[spelled(p.symbol.name)]}.get()" for p in kernel.privates if p.source]
        if kernel.slices is None:
            found += passed_trips(kernel)
        else:
            found += [f"{names.slice}.begin", f"{names.slice}.end", *passed_trips(kernel)[1:]]
        found += [f"{names.devices[last.cell]}.get()" for last in kernel.lastprivates]
        found += [f"{names.devices[r.name]}.get()" for r in kernel.reductions]
        found += [f"{names.devices[accumulators.name]}.get()" for accumulators in schedule.accumulators]
        return found + ([str(schedule.lanes.group)] if schedule.lanes is not None else [])


def inner_lengths(array: ExpandedArray) -> list[str]:
    """The lengths that the kernel computes elements' places with, where they are no numbers."""
    return [str(name) for name in array.lengths[1:] if array.is_flat and not str(name).isdecimal()]


def _by_value(v: Variable, types: TypePrinter) -> str:
    if ty.has_parts(v.symbol.type):
        return f"*static_cast<{types.declare(as_const(v.symbol.type))} *>({v.device_name})"
    return str(v.device_name)
