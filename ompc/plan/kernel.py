"""Plan: one kernel and its launcher, put together from the decisions about its objects.

Grid: the annotated loops as they are, one iteration per thread, in a grid-stride loop (any trip count, any grid). With
`collapse` the innermost loop is the x axis, so that neighbouring lanes have neighbouring values of it; loops beyond the
inner two share the z axis.

    In: Facts, Variables, the loop's directive.   Out: KernelPlan.
    Not here: loop interchange, tiling, other mappings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.locality.work import UNKNOWN_TRIPS, work_of_iteration
from ompc.analysis.scan_phases import phases_of
from ompc.base.frozen import dataclass
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import symbols_in
from ompc.omp.model import CanonicalLoop, Override, ReductionItem
from ompc.omp.reductions import elements_of, fixed_range
from ompc.plan.arguments import (
    OBJECT,
    READ_ONLY_OBJECT,
    agreement_on,
    bound,
    copied_reductions,
    host_name,
    kept_arguments,
    length_arguments,
    named_once,
    object_argument,
    of_each_thread,
    own_accumulators,
    registers,
    rows_of_scratch,
    turns_argument,
    value_arguments,
)
from ompc.plan.forms.argmin_argmax import arg_reduction_plans, own_bindings
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.variables import Choices
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.extent import ExpandedExtent
from ompc.plan.model.launch import Argument, Bound, ExpandedArray, GridLoop
from ompc.plan.model.names import Local, Name, spelled
from ompc.plan.model.plan import Binding, KernelPlan, LastPrivate, Operator, PrivateCopy, Reduction
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest
from ompc.plan.program.device_printf import said
from ompc.plan.program.team_launch import team_launch
from ompc.plan.schedule.points import one_point_a_thread
from ompc.plan.schedule.prefixes import with_prefixes
from ompc.plan.schedule.rewrites import rewritten

AXES = ("x", "y", "z")

OPERATORS = {
    "+": "Sum", "-": "Sum", "*": "Product", "min": "Min", "max": "Max", "&": "BitAnd", "|": "BitOr", "^": "BitXor",
    "&&": "LogicalAnd", "||": "LogicalOr",
}  # fmt: skip
"""The runtime's names of the reduction operators."""



@dataclass(frozen=True, slots=True)
class _Builder:
    kernel: Kernel
    variables: Sequence[Variable]

    def with_role(self, *roles: Role) -> tuple[Variable, ...]:
        return tuple(v for v in self.variables if v.role in roles)


def kernel_plan(
    kernel: Kernel, variables: Sequence[Variable], choices: Choices, operators: Sequence[Operator] = ()
) -> KernelPlan:
    """The plan of one kernel; `operators` are the file's own."""
    builder = _Builder(kernel, variables)
    loop, level = kernel.facts.loop, choices.level
    arrays = tuple(v for v in variables if v.in_device_memory)
    constants = tuple(v for v in variables if v.placement is Placement.CONSTANT)
    refreshed = tuple(v for v in constants if v.symbol not in choices.constants.initial)
    firstprivate_arrays = tuple(v for v in builder.with_role(Role.FIRSTPRIVATE) if isinstance(v.symbol.type, ty.Array))
    values = tuple(v for v in builder.with_role(Role.VALUE, Role.FIRSTPRIVATE) if v not in firstprivate_arrays)
    grid = _grid(builder, values)
    lastprivates = tuple(_lastprivate(builder, s) for s in loop.lastprivates if s not in loop.conditional)
    latest = tuple(_latest(builder, s) for s in loop.lastprivates if s in loop.conditional)
    expanded = tuple(_expanded(builder, v) for v in _in_launch_memory(variables))
    by_value = {v.symbol for v in values}
    reductions = (*(_reduction(builder, item, operators) for item in copied_reductions(loop)), *latest)
    arg_reductions = arg_reduction_plans(kernel.facts.atomic_operations.arg_reductions, variables, loop.id)
    work = _work(kernel, grid, by_value) if level is Level.AUTO else None
    points = one_point_a_thread(Local(loop.id), grid, kernel.mapping.body, lastprivates, reductions, arg_reductions)
    counted = partial(inner_loop, kernel, variables)
    schedules, refused = _schedules(points, Nest(kernel, grid, variables, choices, counted, work), reductions)
    asked = loop.override if loop.scan is None else replace(loop.override, threads=None)  # a tile has so many
    return KernelPlan(
        grid=grid,
        body=kernel.mapping.body,
        schedules=schedules,
        mapped_because=_mapped_because(kernel, schedules, refused),
        arguments=_arguments(builder, grid, arrays, refreshed, firstprivate_arrays, lastprivates),
        values=tuple(v for v in values if v.symbol in kernel.named),
        arrays=arrays,
        linked=builder.with_role(Role.LINKED),
        constants=constants,
        reductions=reductions,
        lastprivates=lastprivates,
        privates=_privates(builder, grid, firstprivate_arrays),
        expanded=expanded,
        bindings={**_bindings(variables, expanded), **own_bindings(arg_reductions)},
        per_launch_allocation=level is not Level.AUTO,
        restrict=choices.does("restrict"),
        effects=LaunchEffects.of(kernel.facts),
        team=None if loop.team is None else team_launch(kernel.facts, {v.symbol: v.device_name for v in values}),
        league=loop.league,
        phases=next((v.device_name for v in values if v.symbol is loop.phases), None),
        scratch=rows_of_scratch(loop, values),
        registers=() if loop.team is not None else registers(loop, variables),
        accumulators=own_accumulators(loop),
        arg_reductions=arg_reductions,
        threads=asked.threads,
        blocks=asked.blocks,
        shape_because=_asked_shape(asked),
        messages=said(kernel.facts),
        prints=bool(kernel.facts.device_code.prints),
        work=work,
        refused=tuple(each for each in refused if each.heading),
    )


def _schedules(
    points: Schedule, nest: Nest, reductions: Sequence[Reduction]
) -> tuple[tuple[Schedule, ...], tuple[Refused, ...]]:
    """The kernels of the launch; with a `scan` there is one."""
    scan, phases = nest.facts.loop.scan, phases_of(nest.body)
    if scan is None or phases is None:
        return rewritten(points, nest)
    return (with_prefixes(points, scan, phases, reductions),), ()


def _mapped_because(kernel: Kernel, schedules: Sequence[Schedule], refused: Sequence[Refused]) -> str | None:
    """Why the loops are mapped as they are, and shared, or not; another schedule that shares them has its own words."""
    first, *others = schedules
    if first.lanes is not None:
        lines = [first.lanes.because]
    else:
        lines = [kernel.mapping.because or ""]
        if all(other.lanes is None for other in others):
            lines += [each.because or "" for each in refused if not each.heading]
    return "; ".join(filter(None, (*lines, kernel.kept))) or None


def _work(kernel: Kernel, grid: Sequence[GridLoop], by_value: Collection[t.Symbol]) -> Polynomial | None:
    """Of an iteration; None where the launch does not count them, or the user has asked for the device."""
    if kernel.facts.loop.target is not None or any(loop.loop.dependent for loop in grid):
        return None
    mapping = kernel.mapping
    axes = [axis for axis in mapping.nest if axis not in kernel.facts.loop.loops]
    found = work_of_iteration(kernel.facts, mapping.body, axes)
    for factor in found.factors:
        if factor not in by_value:
            found = found.with_value(factor, number(UNKNOWN_TRIPS))
    return found


def _asked_shape(asked: Override) -> str | None:
    """The user's wishes about the launch, in words."""
    words = [f"{asked.threads} threads a block"] * bool(asked.threads)
    words += [f"at most {asked.blocks} blocks"] * bool(asked.blocks)
    return f"{', '.join(words)}, as `#pragma cuda gpurun` asks" if words else None


def _grid(builder: _Builder, values: Sequence[Variable]) -> tuple[GridLoop, ...]:
    by_value = {v.symbol for v in values}
    loops = builder.kernel.mapping.loops
    axes = [AXES[min(len(loops) - 1 - depth, len(AXES) - 1)] for depth in range(len(loops))]
    if builder.kernel.facts.loop.scan is not None:
        axes = ["x"] * len(loops)  # their iterations have one order
    shared = next((axis for axis in AXES if axes.count(axis) > 1), None)
    outer = None if shared is None else Local("t_outer", "iteration_outer")
    return tuple(
        _grid_loop(builder, loop, axis, outer if axis == shared else None, by_value)
        for loop, axis in zip(loops, axes, strict=True)
    )


def inner_loop(kernel: Kernel, variables: Sequence[Variable], loop: CanonicalLoop) -> GridLoop:
    """A loop inside an iteration, planned as the grid's loops are: the launcher counts it."""
    roles = (Role.VALUE, Role.FIRSTPRIVATE)
    by_value = {v.symbol for v in variables if v.role in roles and not isinstance(v.symbol.type, ty.Array)}
    return _grid_loop(_Builder(kernel, variables), loop, "k", None, by_value)


def _grid_loop(
    builder: _Builder, loop: CanonicalLoop, axis: str, axis_counter: Name | None, by_value: Collection[t.Symbol]
) -> GridLoop:
    variable = spelled(loop.var.name)
    kind = ty.unqualified(loop.var.type)
    suffix = f"_{variable}" if len(builder.kernel.mapping.loops) > 1 else ""

    def is_value(symbol: t.Symbol) -> bool:
        return loop.dependent or symbol in by_value

    def planned(what: str, expr: t.Expr | None) -> Bound:
        return bound(Local(f"{variable}_{what}"), kind, expr, is_value)

    counter = Local("t" + suffix, "iteration" + suffix)
    return GridLoop(
        loop=loop,
        axis=axis,
        axis_counter=axis_counter or counter,
        counter=counter,
        trips=Local("trips" + suffix),
        variable=variable,
        lower=planned("first", loop.lower),
        upper=planned("end", loop.upper),
        step=planned("step", loop.step),
        once=builder.kernel.facts.loop.is_statement,
    )


def _reduction(builder: _Builder, item: ReductionItem, operators: Sequence[Operator]) -> Reduction:
    symbol = item.symbol
    first, count = fixed_range(item)
    key = None if item.declared is None else item.declared.key
    own = next((operator.name for operator in operators if operator.declared.key == key), None)
    return Reduction(
        symbol,
        spelled(symbol.name),
        Local(f"{symbol.name}_result"),
        OPERATORS[item.op] if own is None else own,
        ty.unqualified(ty.element_of(symbol.type)),
        elements=elements_of(symbol.type) if isinstance(symbol.type, ty.Array) else None,
        first=first,
        count=count,
        is_declared=own is not None,
        is_scan=builder.kernel.facts.loop.scan is not None,
    )


def _lastprivate(builder: _Builder, symbol: t.Symbol) -> LastPrivate:
    name = spelled(symbol.name)
    annotated = builder.kernel.facts.loop
    counters = {loop.var for loop in annotated.loops}
    return LastPrivate(
        annotated.linear.get(symbol, symbol),
        name,
        Local(f"{symbol.name}_last"),
        ty.unqualified(symbol.type),
        is_counter=symbol in counters,
    )


def _latest(builder: _Builder, symbol: t.Symbol) -> Reduction:
    result = Local(f"{symbol.name}_result")
    return Reduction(symbol, spelled(symbol.name), result, "Latest", ty.unqualified(symbol.type), is_latest=True)


def _privates(
    builder: _Builder, grid: Sequence[GridLoop], firstprivate_arrays: Sequence[Variable]
) -> tuple[PrivateCopy, ...]:
    """Declared in each thread: private and lastprivate variables, and arrays that firstprivate copies."""
    counters = {loop.loop.var for loop in grid}
    named = symbols_in(builder.kernel.mapping.body)  # a rewrite may have put the value in its place
    plain = [
        PrivateCopy(v.symbol, v.device_name)
        for v in builder.with_role(Role.PRIVATE, Role.LASTPRIVATE)
        if v.symbol not in counters and v.symbol not in builder.kernel.facts.loop.conditional
        if not isinstance(v.extent, ExpandedExtent) and (v.symbol in named or v.role is Role.LASTPRIVATE)
    ]
    copied = [PrivateCopy(v.symbol, v.device_name, Local("_initial", after=v.device_name)) for v in firstprivate_arrays]
    return (*plain, *copied)


def _in_launch_memory(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    return tuple(v for v in variables if isinstance(v.extent, ExpandedExtent))


def _expanded(builder: _Builder, v: Variable) -> ExpandedArray:
    assert isinstance(v.extent, ExpandedExtent)
    memory = Local("_memory", after=v.device_name)
    return ExpandedArray(v.symbol, v.device_name, memory, v.dimensions, v.extent.interleaved)


def _arguments(
    builder: _Builder,
    grid: Sequence[GridLoop],
    arrays: Sequence[Variable],
    constants: Sequence[Variable],
    firstprivate_arrays: Sequence[Variable],
    lastprivates: Sequence[LastPrivate],
) -> tuple[Argument, ...]:
    """What the host passes: scalars, lengths, bounds it must evaluate itself, then objects by address."""
    annotated = builder.kernel.facts.loop
    by_value = (v for v in builder.with_role(Role.VALUE, Role.FIRSTPRIVATE) if v not in firstprivate_arrays)
    arguments = [argument for v in by_value for argument in value_arguments(v, annotated)]
    lengths = [argument for v in arrays for argument in length_arguments(v, annotated)]
    arguments += named_once(lengths)
    for v in _in_launch_memory(builder.variables):
        assert isinstance(v.extent, ExpandedExtent)
        known = zip(v.dimensions, v.extent.lengths, strict=True)
        arguments += [Argument(name, ty.LONG, text) for name, text in known if isinstance(text, str)]
    for loop in grid:
        for b in (loop.lower, loop.upper, loop.step):
            if b.host_text is not None:
                arguments.append(Argument(b.name, b.type, b.host_text))
    for v in (*arrays, *constants, *firstprivate_arrays):
        if v.symbol in annotated.scratch:
            continue
        if (variable := annotated.thread_copies.get(v.symbol)) is not None:
            arguments.append(of_each_thread(v, variable))
            continue
        kind = OBJECT if v.writes else READ_ONLY_OBJECT
        name = host_name(v, annotated)
        text = name if v.role is not Role.CELL else f"&{name}"
        arguments.append(object_argument(v, spelled(v.symbol.name), kind, text, annotated))
    for item in copied_reductions(annotated):
        text = item.symbol.name if isinstance(item.symbol.type, ty.Array) else f"&{item.symbol.name}"
        agreement = agreement_on(item.symbol, annotated)
        arguments.append(Argument(spelled(item.symbol.name), OBJECT, text, agreement))
    for symbol in (symbol for symbol in annotated.lastprivates if symbol in annotated.conditional):
        arguments.append(Argument(spelled(symbol.name), OBJECT, f"&{symbol.name}"))
    for last in lastprivates:
        arguments.append(Argument(last.cell, OBJECT, f"&{last.symbol.name}"))
    for symbol in annotated.agreed:
        own = READ_ONLY_OBJECT if isinstance(symbol.type, ty.Pointer) else ty.unqualified(symbol.type)
        arguments.append(Argument(Local(f"{symbol.name}_agreed"), own, symbol.name))
    return (*arguments, *turns_argument(annotated), *kept_arguments(annotated))


def _bindings(variables: Sequence[Variable], expanded: Sequence[ExpandedArray]) -> Mapping[t.Symbol, Binding]:
    """How the kernel's text spells each symbol; symbols that are not listed keep their own name."""
    found: dict[t.Symbol, Binding] = {}
    for v in (v for v in variables if v.role is not Role.LINKED):
        found[v.symbol] = Binding(v.device_name, dereferenced=v.role is Role.CELL, dimensions=v.dimensions)
    for array in expanded:
        found[array.symbol] = Binding(array.name, dimensions=array.lengths[1:] if array.is_flat else ())
    return found
