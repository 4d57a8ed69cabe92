"""The text form of a Plan: for `--dump plan`, snapshots and internal errors.

plan jacobi of jacobi.c: auto, fp default
region main_u, line 41: parallel for
    launch: x: i = 1; i < n - 1; i += 1 (n - 2 iterations)
    call: ompc_launch_main_u(n, u, &error)
    parameters: int n, const void *u, void *error
    u: double[200][200]: array, readonly; reads 4; in whole object, 320000 bytes; distinct; host pageable
        only read, not constant: lanes of a warp read different elements
    error: double: reduction Sum; register; out the result, combined with the host's value
region main_v, line 60: parallel for: on the host
    OMPC310 (line 63): calls printf
constant w: double[33], as main_41_w
    read only, 264 bytes, ...
pinned a: double[N], line 12, local
globals: b, u
function f: double(double), as f; extra: coef (written), shift by address
structs: struct point
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ompc.base.options import FloatingPoint
from ompc.ir import types as ty
from ompc.ir.show import c_expr, type_text
from ompc.ir.tree import Expr
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.forms.slices import slices_text
from ompc.plan.mapping.trip_text import head_text
from ompc.plan.model.batch_model import BatchedLoop
from ompc.plan.model.extent import Slots
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import LaneSharing, SharedLoop
from ompc.plan.model.launch import CoarseningPlan, StreamPlan
from ompc.plan.model.plan import Binding, DeviceFunction, ExtraParameter, KernelPlan, Plan, RegionPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Variable
from ompc.plan.report import transfer_in, transfer_out

_PAD = "    "


def show_plan(plan: Plan) -> str:
    """The plan as text; every line is ended. The same plan gives the same text."""
    return "".join(line + "\n" for line in _lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    yield f"plan {plan.name} of {plan.source}: {plan.level.value}, fp {plan.contraction.fp.value}"
    for region in plan.regions:
        yield from _region(region)
    for constant in plan.constants:
        yield f"constant {constant.symbol.name}: {type_text(constant.type)}, as {constant.name}"
        yield f"{_PAD}{constant.because}"
    for array in plan.pinned:
        scope = "global" if array.is_global else "local"
        yield f"pinned {array.symbol.name}: {type_text(array.symbol.type)}, line {array.at.line}, {scope}"
    for allocation in plan.allocations:
        yield f"page-locked {allocation.function}, line {allocation.at.line}"
    if plan.registered_globals:
        yield "globals: " + ", ".join(symbol.name for symbol in plan.registered_globals)
    if plan.registered_statics:
        yield "statics: " + ", ".join(f"{symbol.function}.{symbol.name}" for symbol in plan.registered_statics)
    if plan.registered_automatics:
        yield "automatics: " + ", ".join(f"{symbol.function}.{symbol.name}" for symbol in plan.registered_automatics)
    if plan.null_pointers:
        yield "null at first: " + ", ".join(f"{symbol.function}.{symbol.name}" for symbol in plan.null_pointers)
    if plan.as_written:
        yield "regions in two forms: " + ", ".join(f"lines {r.line} to {r.last_line}" for r in plan.as_written)
    yield from (_function(function) for function in plan.functions)
    if plan.records:
        yield "structs: " + ", ".join(type_text(ty.Struct(record)) for record in plan.records)
    if plan.enumerators:
        yield "enumerators: " + ", ".join(f"{name} = {value}" for name, value in plan.enumerators)
    if not plan.contraction.contracts and plan.contraction.fp is FloatingPoint.DEFAULT:
        yield "nothing is contracted"
    elif plan.contraction.exact:
        yield f"not contracted: {_at_lines(plan.contraction.exact)}"
    if plan.contraction.roots:
        yield f"one operation each: {_at_lines(plan.contraction.roots)}"


def _at_lines(operations: Collection[Expr]) -> str:
    ordered = sorted(operations, key=lambda expr: (expr.loc, c_expr(expr)))
    return ", ".join(f"{c_expr(expr)} (line {expr.loc.line})" for expr in ordered)


def _region(region: RegionPlan) -> Iterator[str]:
    where = "" if region.kernel is not None else ": on the host"
    yield f"region {region.id}, line {region.loop.line}: {region.directive}{where}"
    if region.reason is not None:
        at = f" (line {region.reason.at.line})" if region.reason.at is not None else ""
        yield f"{_PAD}{region.reason.code}{at}: {region.reason.message}"
    if region.kernel is not None:
        yield from (_PAD + line for line in _kernel(region, region.kernel))
    for v in region.variables:
        yield from (_PAD + line for line in _variable(v, region))
    if region.version is not None:
        yield f"{_PAD}where {region.version.when}:"
        yield from (_PAD + line for line in _region(region.version.region))
    if region.joint is not None and region.fusion is not None:
        lines = ", ".join(map(str, region.fusion.lines))
        yield f"{_PAD}with lines {lines}, {region.fusion.saved} bytes less for each point:"
        yield from (_PAD + line for line in _region(region.joint))


def _kernel(region: RegionPlan, kernel: KernelPlan) -> Iterator[str]:
    for loop in kernel.grid:
        yield f"launch: {loop.axis}: {head_text(loop.loop)}"
    for schedule in kernel.schedules:
        yield from () if schedule.lanes is None else _lanes(schedule.lanes)
        yield from () if schedule.batches is None else map(_batched, schedule.batches.loops.values())
        yield from (f"row store: line {s.statement.loc.line}, from {s.own.name}" for s in schedule.row_stores)
    if kernel.shape_because is not None:
        yield f"shape: {kernel.shape_because}"
    yield from (f"messages: {message}" for message in kernel.messages)
    if region.call_condition is not None:
        yield f"if: {region.call_condition}"
    yield f"call: {region.launcher}({', '.join(argument.host_text for argument in kernel.arguments)})"
    yield "parameters: " + (", ".join(type_text(a.type, str(a.name)) for a in kernel.arguments) or "none")
    for copy in kernel.privates:
        yield f"private {copy.name}" + (f", copied from {copy.source}" if copy.source else "")
    for array in kernel.expanded:
        how = "interleaved" if array.interleaved else "contiguous"
        yield f"expanded {array.name}, in {array.memory}: {how}, lengths {', '.join(map(str, array.lengths))}"
    for last in kernel.lastprivates:
        yield f"lastprivate {last.name}, through {last.cell}" + (", the loop variable" if last.is_counter else "")
    for reduction in kernel.reductions:
        kind = "prefixes of" if reduction.is_scan else "reduction"
        yield f"{kind} {reduction.name}, {reduction.op} into {reduction.result}: {type_text(reduction.type)}"
        if reduction.elements is not None:
            yield f"{_PAD}elements {reduction.first} .. {reduction.first + reduction.count - 1}"
    for accumulators in kernel.own.accumulators:
        count = f", of {' + '.join(map(str, accumulators.count))} elements" if accumulators.count else ""
        yield (
            f"accumulators {accumulators.name} of {accumulators.array}, {accumulators.op}: "
            f"{type_text(accumulators.type)}{count}"
        )
        yield f"{_PAD}{accumulators.because}"
    for schedule in kernel.schedules:
        arrays = () if schedule.vectors is None else schedule.vectors.arrays
        yield from (f"aligned {array.name}: {array.because}" for array in arrays)
        yield from (f"collected {each.name}: {each.words}, {type_text(each.type)}" for each in collected_by(schedule))
        yield from _form(schedule)
    yield from (f"{each.heading}: {each.because}" for each in kernel.refused)
    yield from _slices(kernel)
    bindings = [f"{symbol.name} -> {_binding(b)}" for symbol, b in kernel.bindings.items() if _is_news(symbol.name, b)]
    if bindings:
        yield "spelt: " + ", ".join(bindings)
    modes = ["memory per launch"] * kernel.per_launch_allocation + ["restrict"] * kernel.restrict
    if modes:
        yield f"mode: {', '.join(modes)}"


def _slices(kernel: KernelPlan) -> Iterator[str]:
    if kernel.slices is not None:
        yield f"{slices_text(kernel.slices, kernel.grid[0])}; the first one is {kernel.slices.begin}"
        for name, parts in kernel.slices.parts.items():
            yield from (f"{_PAD}{name}: {c_expr(part.lmad.node)}" for part in parts)


def _form(schedule: Schedule) -> Iterator[str]:
    match schedule.form:
        case CoarseningPlan(count=count, reads=reads):
            near = ", ".join(f"{c_expr(read.nodes[0])} in {read.name}" for read in reads)
            yield f"{count} neighbouring iterations a thread, with {near}"
        case StreamPlan() as streams:
            yield f"{streams.heading}: {streams.because}"
        case TilePlan() | TransposedPlan() | RowCoarsening() as tiles:
            first, *parts = tiles.lines()
            yield from (first, *(_PAD + part for part in parts))
        case _:
            pass


def _shared(shared: SharedLoop) -> str:
    if isinstance(shared.how, ByLanes):
        parts = (f"{partial.operator} of {partial.symbol.name}" for partial in shared.how.partials)
        running = shared.how.running
        what = f"each {', '.join(parts)}" if running is None else f"running sum {running.symbol.name}"
        if (counted := shared.how.counted) is not None:
            row = f", of a row of {counted.length}" if counted.length else ""
            what = f"ordered counts by {counted.step} at {c_expr(counted.counter)}{row}"
    else:
        terms = (
            type_text(term.type, str(term.name)) + (f" = {term.initial}" if term.initial is not None else "")
            for term in shared.how.terms
        )
        what = f"in order, terms {', '.join(terms)}"
    own = "; of the row " + ", ".join(symbol.name for symbol in shared.own) if shared.own else ""
    who = "lanes" if shared.side is None else f"warps, {shared.side.value} rows,"
    names = ", ".join(f"{loop.var.name}, line {loop.statement.loc.line}" for loop in shared.loops)
    return f"{who} share: {names}; {what}{own}"


def _lanes(lanes: LaneSharing) -> Iterator[str]:
    yield from map(_shared, lanes.body.loops())
    if (form := lanes.by_block) is not None:
        counted = form.lengths and ", ".join(symbol.name for symbol in form.lengths.arrays)
        yield f"a form in which all lanes of a block divide rows; their lengths by {counted or 'nothing'}"
    if (points := lanes.unroll_and_jam) is not None:
        repeated = "; repeats " + ", ".join(symbol.name for symbol in points.repeated) if points.repeated else ""
        yield f"several iterations a thread: {', '.join(symbol.name for symbol in points.own)} of each{repeated}"


def _batched(batched: BatchedLoop) -> str:
    loop, carried = batched.loop, ", ".join(symbol.name for symbol in batched.carried) or "nothing"
    return f"in batches of {batched.size}: {loop.var.name}, line {loop.statement.loc.line}; carries {carried}"


def _is_news(name: str, binding: Binding) -> bool:
    return binding != Binding(name)


def _binding(binding: Binding) -> str:
    strides = "".join(f"[{dimension}]" for dimension in binding.dimensions)
    return f"{'*' if binding.dereferenced else ''}{binding.name}{strides}"


def _variable(v: Variable, region: RegionPlan) -> Iterator[str]:
    kind = type_text(v.symbol.type if v.slots is None else ty.Pointer(v.element))
    kind += ", what it points to" if v.is_pointee or v.slots is not None else ""
    role = v.role.value
    facts = [f"{role}, {v.placement.value}"]
    facts += [f"reads {v.reads}"] * bool(v.reads) + [f"writes {v.writes}"] * bool(v.writes)
    facts += [f"{way} {what}" for way, what in (("in", transfer_in(v)), ("out", transfer_out(v))) if what is not None]
    facts += [f"host {v.host_buffer.value}"] if v.host_buffer is not None else []
    facts += ["distinct"] * v.distinct + ["merges"] * v.merges
    facts += [f"lengths {', '.join(map(str, v.dimensions))}"] * bool(v.dimensions)
    facts += [f"as {v.device_name}, {_slots(v.slots)}"] if v.slots is not None else []
    yield f"{v.label}: {kind}: {'; '.join(facts)}"
    if v.because:
        yield f"{_PAD}{v.because}"


def _slots(slots: Slots) -> str:
    offsets = ", ".join(map(str, slots.offsets))
    entries = "" if slots.entries is None else f", entries {slots.entries.lower} .. {slots.entries.upper}"
    return f"by pointers in {slots.holder} at {offsets} of every {slots.stride} bytes{entries}"


def _function(function: DeviceFunction) -> str:
    extra = ", ".join(_extra(parameter) for parameter in function.extra)
    name = function.function.name
    whose = ", CUDA's" if function.of_cuda else ""
    return f"function {name}, as {function.name}{whose}" + (f", with {extra}" if extra else "")


def _extra(parameter: ExtraParameter) -> str:
    written = " (written)" if parameter.written else ""
    return f"{_binding(parameter.binding)}{written}"
