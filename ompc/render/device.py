"""The device file: constants, device functions, kernels and launchers, from the plan.

This module turns the plan into lines of text for the templates in templates/device; the templates hold the shape of the
file and of each construct, and no decisions.

    In: Plan.   Out: the text of NAME.cu.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.plan.model.batch_model import NO_BATCHES
from ompc.plan.model.launch import ExpandedArray
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import MESSAGES, Binding, DeviceFunction, KernelPlan, Operator, Plan, RegionPlan
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Placement, Variable
from ompc.render.code.batched_division import BATCH_BOUNDS
from ompc.render.code.constants import constant_declaration, unconst
from ompc.render.code.device_printf import PRINTER, printed
from ompc.render.code.expressions import ExpressionPrinter, Spelling
from ompc.render.code.operators import OperatorView, operator_view
from ompc.render.code.statements import StatementPrinter
from ompc.render.code.types import RecordNames, TypePrinter, array_parameter, as_const, member_declarations
from ompc.render.comments import in_comment, kernel_comment
from ompc.render.environment import template
from ompc.render.forms import histograms as block_accumulators
from ompc.render.forms import vector_access
from ompc.render.forms.argmin_argmax import arg_reduction_objects, entries, own_copies, settled
from ompc.render.forms.grid import GridPrinter, LoopView, RowsView, begin_of_slice, passed_bounds, passed_trips
from ompc.render.forms.lanes import LanesPrinter, launch_bounds
from ompc.render.forms.reductions import combination, copy_declaration, operator_name, value_type
from ompc.render.forms.thread_coarsening import CoarseningView, coarsening_view, read_before
from ompc.render.forms.tiles import TiledView, tiled_view
from ompc.render.forms.transposed import TransposedView, transposed_view
from ompc.render.forms.unroll_and_jam import jammed_bindings
from ompc.render.launcher.declarations import part_type
from ompc.render.launcher.early import EarlyPrinter
from ompc.render.launcher.kernel_forms import template_head
from ompc.render.launcher.launcher import LauncherView, inner_lengths, launcher_view, locals_of
from ompc.render.layout import broken_lines
from ompc.render.line_marks import settled as settled_lines


@dataclass(frozen=True, slots=True)
class RecordView:
    kind: str
    name: str
    members: list[str]
    size: int
    offsets: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class FunctionView:
    signature: str
    body: list[str]


@dataclass(frozen=True, slots=True)
class KernelView:
    name: str
    bounds: str
    comment: list[str]
    parameters: list[str]
    reductions: list[str]
    loops: list[LoopView]
    privates: list[str]
    body: list[str]
    needs_exit: bool
    needs_block: bool
    last: str
    lastprivates: list[str]
    results: list[str]
    arg_reductions: list[str]
    template: str
    launcher: LauncherView
    tiled: TiledView | None
    transposed: TransposedView | None
    rows: RowsView | None
    near: CoarseningView | None


@dataclass(frozen=True, slots=True)
class _Printers:
    types: TypePrinter
    plan: Plan
    marks_lines: bool = False

    def spelling(self, kernel: KernelPlan) -> Spelling:
        const = {v.symbol for v in (*kernel.arrays, *kernel.constants) if not v.writes}
        points = None if kernel.lanes is None else kernel.lanes.unroll_and_jam
        of_each = {} if points is None else jammed_bindings(points, kernel.bindings)
        spelling = replace(
            self._spelling({**kernel.bindings, **of_each}, const),
            accumulators=block_accumulators.on_accumulators(kernel),
            batches=kernel.batches or NO_BATCHES,
        )
        ahead = {} if kernel.coarsened is None else read_before(kernel.coarsened)
        return replace(spelling, replaced=ahead | vector_access.whole_reads(kernel, ExpressionPrinter(spelling).text))

    def _spelling(self, bindings: Mapping[t.Symbol, Binding], const: Collection[t.Symbol]) -> Spelling:
        plan = self.plan
        exact = plan.contraction.exact if plan.contraction.contracts else ()
        objects = plan.contraction.roots
        fixed = (exact, self.functions(), self.enumerators(), const, plan.forms, plan.prints)
        return Spelling(self.types, bindings, *fixed, inverse_roots=objects, marks_lines=self.marks_lines)

    def in_function(self, device: DeviceFunction) -> Spelling:
        return self._spelling(device.bindings, {e.symbol for e in device.extra if not e.written})

    def functions(self) -> dict[t.Symbol, DeviceFunction]:
        return {function.function.symbol: function for function in self.plan.functions}

    def enumerators(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.plan.enumerators)


def device_text(plan: Plan, made_with: str, made_from: str, lines_from: str | None = None) -> str:
    """The text of the device file; its first lines say what made it from what (provenance.py). `lines_from`: code names
    the user's lines, in files whose relative paths start there.
    """
    known = views(plan, marks_lines=lines_from is not None)
    known |= {"made_with": made_with, "made_from": made_from, "has_launchers": True}
    text = template("device.cu.j2").render(known)
    return text if lines_from is None else settled_lines(text, f"{plan.name}.cu", lines_from)


def kernels_text(plan: Plan, made_with: str, made_from: str) -> str:
    """The device file without launchers, for a compiler that knows no host (NVRTC). It names the user's lines."""
    known = views(plan, marks_lines=True)
    known |= {"made_with": made_with, "made_from": made_from, "has_launchers": False}
    return settled_lines(template("device.cu.j2").render(known), f"{plan.name}.cu", "")


def views(plan: Plan, marks_lines: bool = False) -> dict[str, Any]:
    """What the templates of the file print."""
    names = RecordNames(plan.records)
    types = TypePrinter(names)
    printers = _Printers(types, plan, marks_lines)
    return {
        "plan": plan,
        "namespace": plan.namespace,
        "messages": MESSAGES,
        "printer": PRINTER,
        "prints": broken_lines(printed(plan.prints, types), 1),
        "enumerators": [(spelled(name), value) for name, value in plan.enumerators],
        "records": [_record_view(record, names, types) for record in plan.records],
        "constants": [(constant_declaration(c, types), c.because) for c in plan.constants],
        "functions": [_function_view(function, printers) for function in plan.functions],
        "operators": [_operator_view(operator, printers) for operator in plan.operators],
        "kernels": [
            _kernel_view(version, kernel, printers) for region in plan.regions for version, kernel in region.kernels
        ],
    }


def _record_view(record: ty.Record, names: RecordNames, types: TypePrinter) -> RecordView:
    offsets = [(spelled(m.name), m.offset) for m in record.fields or () if m.name is not None and m.bits is None]
    return RecordView(record.kind, names[record], member_declarations(types, record), record.size or 0, offsets)


def _function_view(device: DeviceFunction, printers: _Printers) -> FunctionView:
    function, types = device.function, printers.types
    assert function.body is not None and isinstance(function.symbol.type, ty.Function)
    expressions = ExpressionPrinter(printers.in_function(device))
    parameters = [types.declare(p.type, spelled(p.name)) for p in function.params]
    parameters += [
        _extra_parameter(extra.symbol, extra.binding.name, extra.binding.dereferenced, extra.written, types)
        for extra in device.extra
    ]
    returns = function.symbol.type.returns
    signature = types.declare(returns, f"{device.name}({', '.join(parameters)})")
    body = StatementPrinter(expressions, types, returns).lines(function.body)
    place = "__host__ __device__" if device.on_host else "__device__"
    return FunctionView(f"static {place} {signature}", broken_lines(body, 1))


def _operator_view(operator: Operator, printers: _Printers) -> OperatorView:
    spelling = Spelling(printers.types, {}, frozenset(), printers.functions(), printers.enumerators())
    return operator_view(operator, printers.types, ExpressionPrinter(spelling))


def _extra_parameter(symbol: t.Symbol, name: str, by_address: bool, written: bool, types: TypePrinter) -> str:
    match symbol.type:
        case ty.Array(of=of) | ty.Pointer(to=of):
            return array_parameter(types, of, name, const=not written, restrict=False)
        case kind if by_address:
            return types.declare(kind if written else as_const(kind), f"*{name}")
        case kind:
            return types.declare(ty.unqualified(kind), name)


def _kernel_view(region: RegionPlan, kernel: KernelPlan, printers: _Printers) -> KernelView:
    spelling = printers.spelling(kernel)
    expressions = ExpressionPrinter(spelling)
    elsewhere = frozenset(array.symbol for array in kernel.expanded)
    statements = StatementPrinter(
        expressions, printers.types, entries=entries(kernel), declared=elsewhere, batches=kernel.batches
    )
    if kernel.lanes is None:
        body = statements.lines(kernel.body)
    else:
        body = LanesPrinter(printers.types, expressions, statements, kernel.batches, kernel.lanes).lines()
    last_values = [_last_value(kernel, index) for index in range(len(kernel.lastprivates))]
    used = set(re.findall(r"\w+", "\n".join((*body, *last_values))))
    parameters, tiles = _parameters(kernel, printers.types), kernel.tiles
    source = in_comment(f"{printers.plan.source_of(region)}:{region.loop.line}")
    privates = _private_declarations(kernel, printers.types)
    grid = GridPrinter(printers.types, expressions)
    loops, rows = _loops(kernel, grid, used)
    near = None if kernel.coarsened is None else coarsening_view(kernel, kernel.coarsened, grid, used)
    return KernelView(
        name=kernel.name,
        bounds=_launch_bounds(kernel),
        comment=kernel_comment(printers.plan.source_of(region), region, kernel),
        parameters=parameters,
        reductions=vector_access.declarations(kernel)
        + [line for line in [near and near.count] if line]
        + [_thread_part(array, printers.types) for array in kernel.expanded]
        + [block_accumulators.declaration(accumulators, kernel, printers.types) for accumulators in kernel.accumulators]
        + [line for r in kernel.reductions for line in copy_declaration(r, printers.types)]
        + own_copies(kernel, printers.types),
        loops=loops if near is None else [near.level],
        privates=_numbered(kernel) + privates,
        body=broken_lines(body, len(loops) + 1 + (rows is not None or near is not None)),
        needs_exit=bool(kernel.lastprivates or near) and continues(kernel.body),
        needs_block=_hides_own_variable(kernel),
        last=" && ".join(f"{loop.counter} == {loop.trips} - 1" for loop in kernel.grid),
        lastprivates=last_values,
        results=_results(kernel, expressions),
        arg_reductions=arg_reduction_objects(kernel, printers.types),
        template=template_head(kernel, locals_of(kernel)),
        launcher=launcher_view(region, kernel, printers.types, EarlyPrinter(spelling), printers.plan),
        tiled=tiled_view(kernel, tiles, parameters, spelling, source) if isinstance(tiles, TilePlan) else None,
        transposed=transposed_view(kernel, tiles, parameters, privates, spelling, source)
        if isinstance(tiles, TransposedPlan)
        else None,
        rows=rows,
        near=near,
    )


def _loops(kernel: KernelPlan, grid: GridPrinter, used: Collection[str]) -> tuple[list[LoopView], RowsView | None]:
    """The loops over the axes, and the rows that a thread has of one of them."""
    loops = grid.loop_views(kernel, used)
    if not isinstance(kernel.tiles, RowCoarsening):
        return loops, None
    position = -2 if kernel.tiles.axis == "y" else -3
    begin = begin_of_slice(kernel) if len(loops) == -position else ""
    rows = grid.rows_view(kernel.tiles, kernel.grid[position], used, len(loops) + position + 1, begin)
    loops[position] = rows.level
    return loops, rows


def _launch_bounds(kernel: KernelPlan) -> str:
    if kernel.lanes is not None:
        return launch_bounds(kernel.lanes)
    if kernel.batches is not None and kernel.batches.loops and not kernel.accumulators and kernel.threads is None:
        return BATCH_BOUNDS
    return block_accumulators.launch_bounds(kernel) if kernel.accumulators else ""


def _thread_part(array: ExpandedArray, types: TypePrinter) -> str:
    part = part_type(array)
    if array.interleaved:
        return f"const ompc::Interleaved<{types.declare(part)}> {array.name} = {array.memory}.interleaved();"
    return f"{types.declare(ty.Pointer(part), f'const {array.name}')} = {array.memory}.contiguous();"


def _numbered(kernel: KernelPlan) -> list[str]:
    return [] if kernel.printed_number is None else [f"ompc::iteration() = {kernel.printed_number};"]


def _results(kernel: KernelPlan, expressions: ExpressionPrinter) -> list[str]:
    """The end of the kernel. A block of which a thread has left combines nothing."""
    lines = [block_accumulators.combination(accumulators) for accumulators in kernel.accumulators]
    lines += [combination(r) for r in kernel.reductions] + settled(kernel, expressions)
    checked = [f"if (ompc::has_left({MESSAGES}))", "    return;"] if kernel.messages and lines else []
    return checked + lines


def _hides_own_variable(kernel: KernelPlan) -> bool:
    """Does the body declare, in its outermost block, a name that the kernel declares around it?"""
    if not isinstance(kernel.body, t.Block):
        return False
    declared = {d.symbol.name for item in kernel.body.items if isinstance(item, t.DeclStmt) for d in item.decls}
    own = {private.symbol.name for private in kernel.privates} | {loop.loop.var.name for loop in kernel.grid}
    return not declared.isdisjoint(own)


def _parameters(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    """The kernel's parameter list; plan/verify.py checks that the launcher passes the same in the same order."""
    found = [types.declare(ty.unqualified(v.symbol.type), v.device_name) for v in kernel.values]
    found += [f"long {name}" for v in kernel.arrays for name in v.dimensions]
    found += [f"long {name}" for array in kernel.expanded for name in inner_lengths(array)]
    found += [types.declare(b.type, b.name) for loop in kernel.grid for b in passed_bounds(loop)]
    given = vector_access.parameter_names(kernel)
    for v in kernel.arrays:
        name = given.get(v.device_name, v.device_name)
        found.append(array_parameter(types, v.element, name, not v.writes, kernel.restrict and _is_restrict(v)))
    found += [f"ompc::Expanded<{types.declare(part_type(array))}> {array.memory}" for array in kernel.expanded]
    for private in kernel.privates:
        if private.source is not None:
            found.append(
                array_parameter(types, _element(private.symbol.type), private.source, const=True, restrict=False)
            )
    found += [f"size_t {kernel.slices.begin}"] if kernel.slices is not None else []
    found += [f"size_t {trips}" for trips in passed_trips(kernel)]
    found += [types.declare(ty.Pointer(last.type), last.cell) for last in kernel.lastprivates]
    found += [f"ompc::Reduction<{operator_name(r)}, {value_type(r, types)}> {r.result}" for r in kernel.reductions]
    found += [block_accumulators.room_parameter(accumulators) for accumulators in kernel.accumulators]
    return found + ([f"ompc::{kernel.lanes.kind} {kernel.lanes.lanes}"] if kernel.lanes is not None else [])


def _is_restrict(v: Variable) -> bool:
    """`const __restrict__` is what takes the read-only data path."""
    return v.distinct and not v.merges and (bool(v.writes) or v.placement is Placement.READONLY)


def _element(kind: ty.Type) -> ty.Type:
    return kind.of if isinstance(kind, ty.Array) else kind


def _private_declarations(kernel: KernelPlan, types: TypePrinter) -> list[str]:
    lines = []
    for private in kernel.privates:
        lines.append(types.declare(unconst(private.symbol.type), private.name) + ";")
        if private.source is not None:
            lines.append(f"memcpy({private.name}, {private.source}, sizeof({private.name}));")
    return lines


def _last_value(kernel: KernelPlan, index: int) -> str:
    """The store of a lastprivate variable; a loop's own variable ends one step past its last value."""
    last = kernel.lastprivates[index]
    if isinstance(last.type, ty.Array):
        return f"memcpy(*{last.cell}, {last.name}, sizeof({last.name}));"
    if not last.is_counter:
        return f"*{last.cell} = {last.name};"
    loop = next(loop for loop in kernel.grid if loop.loop.var is last.symbol)
    step = loop.step.name if loop.step.constant is None else str(loop.step.constant)
    return f"*{last.cell} = {last.name} {'-' if loop.loop.down else '+'} {step};"
