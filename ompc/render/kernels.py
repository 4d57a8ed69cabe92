"""The kernels of one loop: for each of its schedules the parameters, what stands at the top, the loops, and the end.

    In: RegionPlan, KernelPlan, the printers of the file.   Out: LoopView for templates/kernels.cu.j2.
    Not here: the loops -- schedule.py; the launcher -- launcher.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.ir.queries import declared_in, symbols_in
from ompc.plan.model.launch import CoarseningPlan, ExpandedArray, StreamPlan
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import MESSAGES, KernelPlan, RegionPlan
from ompc.plan.model.scan_model import ScanPlan
from ompc.plan.model.schedule import (
    Axis,
    Barrier,
    Body,
    InOrderTiles,
    Last,
    OnePoint,
    PointsOfThread,
    Prefix,
    Private,
    Product,
    RegisterTile,
    Schedule,
    Serial,
    SharedBody,
    Slots,
    Stage,
    StripLoop,
    Strips,
    TilePoints,
    Tiles,
)
from ompc.plan.model.tile_model import TilePlan, TransposedPlan
from ompc.plan.model.variable import Placement, Variable
from ompc.render.code.batched_division import BATCH_BOUNDS
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.spelling import Spelling
from ompc.render.code.statements import StatementPrinter
from ompc.render.code.types import TypePrinter, aligned_as_on_host, array_parameter, first_of
from ompc.render.comments import in_comment, kernel_comment, wrapped
from ompc.render.forms import collected_adds, vector_access
from ompc.render.forms import histograms as block_accumulators
from ompc.render.forms.argmin_argmax import arg_reduction_objects, entries, own_copies, settled
from ompc.render.forms.grid import GridPrinter, iteration_number, passed_bounds, passed_trips
from ompc.render.forms.lane_text import bounded, launch_bounds
from ompc.render.forms.lane_variables import declared_by_pieces
from ompc.render.forms.lanes import LanesPrinter
from ompc.render.forms.prefixes import PrefixTexts
from ompc.render.forms.reductions import combination, copy_declaration, parameter_type
from ompc.render.forms.strips import count_declaration, strip_loop, strips_text
from ompc.render.forms.tiles import TileTexts, tile_comment, tile_parameters
from ompc.render.forms.transposed import TransposedTexts, transposed_comment
from ompc.render.launcher.declarations import part_type
from ompc.render.launcher.kernel_forms import template_head
from ompc.render.launcher.launcher import LauncherView, locals_of
from ompc.render.launcher.launches import inner_lengths
from ompc.render.layout import broken_lines
from ompc.render.schedule import AxisText, Inside, Lines, NodeText, SchedulePrinter, indented

AxisOf = Callable[[Axis], AxisText]


@dataclass(frozen=True, slots=True)
class KernelView:
    """`objects` stand in front of it; `head` are the lines before its name, which `declarator` begins with."""

    comment: Lines
    objects: Lines
    head: Lines
    declarator: str
    parameters: Lines
    lines: Lines


@dataclass(frozen=True, slots=True)
class LoopView:
    kernels: list[KernelView]
    launcher: LauncherView


def loop_view(
    region: RegionPlan,
    kernel: KernelPlan,
    spelling: Callable[[KernelPlan, Schedule], Spelling],
    source: str,
    launcher: LauncherView,
) -> LoopView:
    """All kernels of `region`, from a line of `source`, and its launcher."""
    printers = [KernelPrinter(region, kernel, each, spelling(kernel, each), source) for each in kernel.schedules]
    return LoopView([printer.view() for printer in printers], launcher)


class KernelPrinter:
    """Prints one kernel of a loop. `used` are the names in the body of its schedule, once that is printed."""

    def __init__(
        self, region: RegionPlan, kernel: KernelPlan, schedule: Schedule, spelling: Spelling, source: str
    ) -> None:
        self._region, self._kernel, self._schedule = region, kernel, schedule
        self._spelling, self._source = spelling, source
        self._types, self._expressions = spelling.types, ExpressionPrinter(spelling)
        self._grid = GridPrinter(self._types, self._expressions)
        self._used = self._grid.names_of_bounds(kernel)
        self._privates = _private_declarations(kernel, schedule, self._types)
        self._prefixes = PrefixTexts(kernel, self._grid, self._types, self._privates)
        self._place = in_comment(f"{source}:{region.loop.line}")

    def view(self) -> KernelView:
        match self._schedule.form:
            case TilePlan() as tiles:
                return self._tiled(tiles)
            case TransposedPlan() as transposed:
                return self._transposed(transposed)
            case _:
                return self._plain()

    # ------------------------------------------------------------------ points, strips and groups of threads

    def _plain(self) -> KernelView:
        kernel, schedule = self._kernel, self._schedule
        nodes: dict[type, NodeText] = {
            Body: self._body,
            Last: self._last,
            StripLoop: self._strip,
            SharedBody: self._shared,
            PointsOfThread: self._prefixes.points,
            Prefix: self._prefixes.prefix,
        }
        axes: dict[type, AxisOf] = dict.fromkeys((OnePoint, Strips, Slots), self._axis)
        axes[InOrderTiles] = self._prefixes.axis
        loops = SchedulePrinter(axes, nodes).lines(schedule)
        template, bounds = template_head(schedule, locals_of(kernel)), bounded(self._launch_bounds())
        return KernelView(
            comment=wrapped(self._comment()),
            objects=arg_reduction_objects(kernel, self._types),
            head=[f"template <{template}>"] * bool(template) + bounds,
            declarator=f"{'' if bounds else '__global__ void '}{schedule.kernel}",
            parameters=_parameters(kernel, schedule, self._types),
            lines=indented(self._declarations()) + loops + indented(self._results()),
        )

    def _comment(self) -> Lines:
        kernel, lanes = self._kernel, self._schedule.lanes
        if self._schedule is kernel.own or lanes is None:
            return kernel_comment(self._source, self._region, kernel)
        points = ", ".join(loop.variable for loop in kernel.grid)
        if lanes.stores:
            return [f"{self._place}, where a group of threads has an iteration ({points}):", f"  {lanes.because}"]
        return [f"{self._place}, where there are few points ({points}) with long sums:", f"  {lanes.because}"]

    def _axis(self, axis: Axis) -> AxisText:
        match axis.taken:
            case Strips():
                return strips_text(axis, self._schedule.once)
            case Slots():
                return self._grid.slots_text(axis, self._used)
            case _:
                return self._grid.points_text(axis, self._used, self._schedule.once)

    def _declarations(self) -> Lines:
        """What stands at the top of the kernel."""
        kernel, schedule, types = self._kernel, self._schedule, self._types
        lines = vector_access.declarations(schedule.vectors) + count_declaration(schedule)
        held = frozenset[t.Symbol]() if schedule.lanes is None else schedule.lanes.held
        lines += [_own_part(array, types, array.symbol in held) for array in kernel.expanded]
        copies = schedule.accumulators
        lines += [block_accumulators.declaration(each, len(copies) > 1, types) for each in copies]
        lines += collected_adds.declarations(schedule, types)
        copied = (reduction for reduction in kernel.reductions if not reduction.is_scan)
        lines += [line for reduction in copied for line in copy_declaration(reduction, types)]
        return lines + own_copies(kernel, types)

    def _results(self) -> Lines:
        """The end of the kernel. A block of which a thread has left combines nothing."""
        kernel = self._kernel
        lines = [block_accumulators.combination(accumulators) for accumulators in self._schedule.accumulators]
        lines += collected_adds.write_backs(self._schedule)
        lines += [combination(r) for r in kernel.reductions] + settled(kernel, self._expressions)
        checked = [f"if (ompc::has_left({MESSAGES}))", "    return;"] if kernel.messages and lines else []
        return checked + lines

    def _launch_bounds(self) -> str:
        kernel, schedule = self._kernel, self._schedule
        if schedule.lanes is not None:
            return launch_bounds(schedule.lanes)
        if schedule.accumulators:
            return block_accumulators.launch_bounds(kernel, schedule)
        in_batches = schedule.batches is not None and schedule.batches.loops
        return BATCH_BOUNDS if in_batches and kernel.threads is None else ""

    def _statements(self) -> StatementPrinter:
        declared = frozenset(array.symbol for array in self._kernel.expanded)
        batches = self._schedule.batches
        stores = self._schedule.row_stores
        return StatementPrinter(
            self._expressions,
            self._types,
            entries=entries(self._kernel),
            declared=declared,
            batches=batches,
            row_stores=stores,
            symbols=_symbols_of(self._kernel),
        )

    def _body(self, node: Body, inside: Inside) -> Lines:
        """The thread's own variables, and the user's statements."""
        kernel, printer = self._kernel, self._statements()
        privates, body = self._privates, _one_statement(node.statements)
        if self._schedule.form_of(ScanPlan) is None:
            moved = printer.placed(body, _movable(kernel))
            privates = _private_declarations(kernel, self._schedule, self._types, moved)
        lines = printer.lines(body, are_placed=self._schedule.form_of(ScanPlan) is None)
        self._used |= self._expressions.words_of(lines)
        lines = broken_lines(lines, inside.depth)
        strips = isinstance(self._schedule.form, (CoarseningPlan, StreamPlan)) or bool(self._schedule.collected)
        if (kernel.lastprivates or strips) and any(map(continues, node.statements)):
            lines = ["do {", *indented(lines), "} while (0);"]
        elif any(map(self._hides_own_variable, node.statements)):
            lines = ["{", *indented(lines), "}"]
        if self._schedule.form_of(ScanPlan) is not None:
            return lines
        return _numbered(kernel) + privates + lines

    def _shared(self, node: SharedBody, inside: Inside) -> Lines:
        statements = self._statements()
        moved = declared_by_pieces(node.form, _movable(self._kernel) - node.form.replaced - node.form.held, statements)
        statements.around = moved
        around = frozenset(p.symbol for p in self._kernel.privates if p.symbol not in node.form.replaced) - moved
        printer = LanesPrinter(self._types, self._expressions, statements, self._schedule.batches, node.form, around)
        lines = printer.lines()
        self._used |= self._expressions.words_of(lines)
        privates = _private_declarations(self._kernel, self._schedule, self._types, moved)
        return _numbered(self._kernel) + privates + broken_lines(lines, inside.depth)

    def _strip(self, node: StripLoop, inside: Inside) -> Lines:
        lines = strip_loop(node, inside, self._grid, self._used, self._schedule)
        self._used |= self._expressions.words_of(lines)  # places of elements name variables that the body need not
        return lines

    def _last(self, node: Last, inside: Inside) -> Lines:
        kernel = self._kernel
        lines = [last_value(kernel, index) for index in range(len(kernel.lastprivates))]
        self._used |= self._expressions.words_of(lines)
        condition = " && ".join(f"{loop.counter} == {loop.trips} - 1" for loop in kernel.grid)
        return [f"if ({condition}) {{", *indented(lines), "}"]

    def _hides_own_variable(self, body: t.Stmt) -> bool:
        """Does the body declare, in its outermost block, a name that the kernel declares around it?"""
        if not isinstance(body, t.Block):
            return False
        declared = {d.symbol.name for item in body.items if isinstance(item, t.DeclStmt) for d in item.decls}
        own = {private.symbol.name for private in self._kernel.privates}
        own |= {reduction.symbol.name for reduction in self._kernel.reductions if reduction.is_scan}
        return not declared.isdisjoint(own | {loop.loop.var.name for loop in self._kernel.grid})

    # ------------------------------------------------------------------ tiles

    def _tiled(self, tiles: TilePlan) -> KernelView:
        texts = TileTexts(self._kernel, tiles, self._spelling, self._used)
        nodes: dict[type, NodeText] = {
            Stage: texts.stage,
            Private: texts.private,
            Barrier: texts.barrier,
            Serial: texts.serial,
            Product: texts.product_of_turn,
            RegisterTile: texts.points,
        }
        loops = SchedulePrinter(self._with_tiles(texts.axis), nodes).lines(self._schedule)
        bounds = f"__launch_bounds__(ompc::tile_threads, {texts.resident})"
        return KernelView(
            comment=wrapped(tile_comment(self._kernel, tiles, self._place)),
            objects=[],
            head=[f"template <int {tiles.names['points']}> {bounds}"],
            declarator=f"__global__ void {self._schedule.kernel}",
            parameters=_parameters(self._kernel, self._schedule, self._types) + tile_parameters(tiles, self._types),
            lines=indented(texts.declarations()) + loops,
        )

    def _transposed(self, transposed: TransposedPlan) -> KernelView:
        texts = TransposedTexts(self._kernel, transposed, self._spelling, self._privates, self._used)
        nodes: dict[type, NodeText] = {
            Stage: texts.stage,
            Barrier: texts.barrier,
            TilePoints: texts.points,
            Body: texts.body,
        }
        loops = SchedulePrinter(self._with_tiles(texts.axis), nodes).lines(self._schedule)
        return KernelView(
            comment=wrapped(transposed_comment(self._kernel, transposed, self._place)),
            objects=[],
            head=[],
            declarator=f"__global__ void {self._schedule.kernel}",
            parameters=_parameters(self._kernel, self._schedule, self._types),
            lines=indented(texts.declarations()) + loops + indented(map(combination, self._kernel.reductions)),
        )

    def _with_tiles(self, of_tiles: AxisOf) -> dict[type, AxisOf]:
        return {Tiles: of_tiles, OnePoint: self._axis}


def _own_part(array: ExpandedArray, types: TypePrinter, of_block: bool) -> str:
    """The part of a thread, or that which all threads of a block have together."""
    part = part_type(array)
    if of_block:
        return f"{types.declare(ty.Pointer(part), f'const {array.name}')} = {array.memory}.of_block();"
    if array.interleaved:
        return f"const ompc::Interleaved<{types.declare(part)}> {array.name} = {array.memory}.interleaved();"
    return f"{types.declare(ty.Pointer(part), f'const {array.name}')} = {array.memory}.contiguous();"


def _numbered(kernel: KernelPlan) -> list[str]:
    return [f"ompc::iteration() = {iteration_number(kernel.grid)};"] if kernel.prints else []


def _parameters(kernel: KernelPlan, schedule: Schedule, types: TypePrinter) -> list[str]:
    """The kernel's parameter list; plan/verify.py checks that the launcher passes the same in the same order."""
    found = [types.declare(ty.unqualified(v.symbol.type), v.device_name) for v in kernel.values]
    found += dict.fromkeys(f"long {name}" for v in kernel.arrays for name in v.dimensions)
    found += [f"long {name}" for array in kernel.expanded for name in inner_lengths(array)]
    found += [types.declare(b.type, b.name) for loop in kernel.grid for b in passed_bounds(loop)]
    given = vector_access.parameter_names(schedule.vectors)
    exchanged = frozenset[t.Symbol]() if schedule.lanes is None else schedule.lanes.exchanged
    for v in kernel.arrays:
        name = given.get(v.device_name, v.device_name)
        restrict = kernel.restrict and _is_restrict(v) and v.symbol not in exchanged
        found.append(array_parameter(types, v.element, name, not v.writes, restrict))
    found += [f"ompc::Expanded<{types.declare(part_type(array))}> {array.memory}" for array in kernel.expanded]
    for private in kernel.privates:
        if private.source is not None:
            found.append(
                array_parameter(types, first_of(private.symbol.type), private.source, const=True, restrict=False)
            )
    found += [f"size_t {kernel.slices.begin}"] if kernel.slices is not None else []
    found += [f"size_t {trips}" for trips in passed_trips(kernel)]
    found += [types.declare(ty.Pointer(last.type), last.cell) for last in kernel.lastprivates]
    found += [f"{parameter_type(r, types)} {r.result}" for r in kernel.reductions]
    found += [block_accumulators.room_parameter(accumulators) for accumulators in schedule.accumulators]
    return found + ([f"ompc::ThreadGroup {schedule.lanes.group}"] if schedule.lanes is not None else [])


def _is_restrict(v: Variable) -> bool:
    """`const __restrict__` is what takes the read-only data path."""
    return v.distinct and not v.merges and (bool(v.writes) or v.placement is Placement.READONLY)


def _one_statement(statements: Sequence[t.Stmt]) -> t.Stmt:
    return statements[0] if len(statements) == 1 else t.Block(statements[0].loc, tuple(statements))


def _symbols_of(kernel: KernelPlan) -> set[t.Symbol]:
    """All that the kernel has names of."""
    own = {private.symbol for private in kernel.privates} | {loop.loop.var for loop in kernel.grid}
    own |= {reduction.symbol for reduction in kernel.reductions} | {last.symbol for last in kernel.lastprivates}
    return own | symbols_in(kernel.body) | declared_in(kernel.body)


def _movable(kernel: KernelPlan) -> set[t.Symbol]:
    """Variables of an iteration of which nothing is asked behind its statements."""
    last = {last.symbol for last in kernel.lastprivates}
    return {p.symbol for p in kernel.privates if p.source is None and p.name == spelled(p.symbol.name)} - last


def _private_declarations(
    kernel: KernelPlan, schedule: Schedule, types: TypePrinter, moved: Collection[t.Symbol] = frozenset()
) -> list[str]:
    """Those of an iteration's own variables, but for those that have `moved` into its statements."""
    lines = []
    replaced = {*moved, *(() if schedule.lanes is None else schedule.lanes.replaced)}
    for private in (private for private in kernel.privates if private.symbol not in replaced):
        where = "__shared__ " if schedule.lanes is not None and private.symbol in schedule.lanes.held else ""
        declared = types.declare(ty.unqualified_elements(private.symbol.type), private.name)
        lines.append(where + aligned_as_on_host(private.symbol) + declared + ";")
        if private.source is not None:
            lines.append(f"memcpy({private.name}, {private.source}, sizeof({private.name}));")
    return lines


def last_value(kernel: KernelPlan, index: int) -> str:
    """The store of a lastprivate variable; a loop's own variable ends one step past its last value."""
    last = kernel.lastprivates[index]
    if isinstance(last.type, ty.Array):
        return f"memcpy(*{last.cell}, {last.name}, sizeof({last.name}));"
    if not last.is_counter:
        return f"*{last.cell} = {last.name};"
    loop = next(loop for loop in kernel.grid if loop.loop.var is last.symbol)
    step = loop.step.name if loop.step.constant is None else str(loop.step.constant)
    return f"*{last.cell} = {last.name} {'-' if loop.loop.down else '+'} {step};"
