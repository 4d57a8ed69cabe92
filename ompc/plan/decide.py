"""Plan: all decisions about one source file, in order.

In: the Unit, the facts of its parallel loops, the options, the loops to leave alone.   Out: Plan.

1. roles of the objects of every loop, its axes; what fails here is a host loop with its reason
2. what competes across the loops of the file: constant memory, page-locked arrays, device functions
3. the kernels
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.atomics import Forms
from ompc.analysis.verify import verify_facts
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.options import Level, Options
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import Node, walk
from ompc.omp.model import ParallelLoop
from ompc.plan.alternatives import alternatives
from ompc.plan.chains import with_chains
from ompc.plan.forms.argmin_argmax import why_not_numbered
from ompc.plan.fused_loops import FusedLoops, fused_loops, fusion_of
from ompc.plan.groups.group_loops import loops_of_groups
from ompc.plan.groups.lane_choices import LaneChoices
from ompc.plan.groups.lanes import shareable
from ompc.plan.groups.rows_apart import rows_apart
from ompc.plan.kernel import kernel_plan
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.added import between_launches
from ompc.plan.mapping.divided import changed_bounds
from ompc.plan.mapping.mapping import Kernel, choose_mapping, unproved, why_not_mapped
from ompc.plan.mapping.tuned import with_tuned_shapes
from ompc.plan.memory.constant import choose, refused_wishes
from ompc.plan.memory.merged_loads import without_merged_loads
from ompc.plan.memory.variables import Choices, variables
from ompc.plan.model.contraction import contraction
from ompc.plan.model.extent import ExpandedExtent
from ompc.plan.model.host_edits import PinnedArray, TargetLine
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.plan import ConstantArray, KernelPlan, Operator, Plan, RegionPlan, asked_text
from ompc.plan.model.variable import Role
from ompc.plan.parameters.classification import classify_parameters, needs_block
from ompc.plan.parameters.shared_blocks import RELY_ON_PROMISE, SharedBlocks
from ompc.plan.program.device_printf import prints_of
from ompc.plan.program.functions import device_functions
from ompc.plan.program.macro_names import macro_names
from ompc.plan.program.macros import pinned_macros
from ompc.plan.program.operators import own_operators
from ompc.plan.program.registered import arrays_apart, registered_globals, structs_behind_pointers
from ompc.plan.program.types import enumerators_of, records_of
from ompc.plan.residency.target_data import TARGET_DATA, keeps_no_data, target_lines
from ompc.plan.rewrites.equal_pointers import (
    Equal,
    equal_pointers,
    version_of,
    with_equal_pointers,
    without_extras,
)
from ompc.plan.rewrites.fusion import fused
from ompc.plan.rewrites.order import rewritten_facts
from ompc.plan.thesis.automatic_objects import registered_automatics
from ompc.plan.thesis.heap_blocks import HeapBlocks, heap_blocks
from ompc.plan.thesis.host_buffers import pinned_arrays
from ompc.plan.thesis.static_objects import registered_statics


@dataclass(frozen=True, slots=True)
class Source:
    """The user's file.

    `name`      of the output ("jacobi")
    `path`      as the user gave it
    `text`      unedited
    `expanded`  what the preprocessor made of it
    `threads`   why no loop of the program may run on the device
    """

    name: str
    path: str
    text: str
    expanded: str
    threads: Reason | None = None


def make_plan(
    source: Source,
    unit: t.Unit,
    facts: Mapping[ParallelLoop, Facts | Reason],
    options: Options,
    given_up: Mapping[str, Reason],
) -> Plan:
    """The plan of `source`; loops in `given_up` (by id) stay on the host for the reason given there."""
    kernels: dict[ParallelLoop, Kernel | Reason] = {}
    blocks = SharedBlocks(unit)
    for loop, known in facts.items():
        if isinstance(known, Reason):
            kernels[loop] = known
        else:
            kernels[loop] = given_up.get(loop.id) or source.threads or _kernel(known, options, blocks)
    kernels = between_launches(kernels)
    versions = dict(_versions(kernels, facts, options, blocks)) if options.does("equal-pointers") else {}
    joint = _fused(unit, kernels, facts, options, blocks, given_up) if options.does("fusion") else ()
    on_device = [kernel for kernel in kernels.values() if isinstance(kernel, Kernel)]
    on_device += [*(kernel for kernel, _ in versions.values()), *(each.kernel for each in joint)]
    functions = device_functions([kernel.facts for kernel in on_device])
    operators, records = own_operators(on_device), records_of(on_device, functions)
    choices = _file_choices(source, unit, options, on_device)
    decided = {loop: _region(loop, kernel, choices, operators, options) for loop, kernel in kernels.items()}
    for loop, (kernel, equal) in versions.items():
        decided[loop] = _with_version(decided[loop], kernel, equal, choices, operators, options)
    for each in joint:
        decided |= _with_fusion(each, decided, choices, operators, options)
    regions = _in_order(with_chains(decided).values(), unit)
    contracted = choices.contraction.with_renewed(_renewed(regions))
    return Plan(
        name=source.name,
        source=source.path,
        level=options.level,
        regions=regions,
        functions=functions,
        operators=operators,
        prints=prints_of(kernel.facts for kernel in on_device),
        constants=_constant_arrays(choices),
        records=records,
        enumerators=enumerators_of(on_device),
        macro_names=macro_names(on_device, records),
        macros=pinned_macros(source.text, options.cpp_flags, given_up),
        pinned=choices.pinned,
        allocations=choices.blocks.allocations,
        registered_globals=registered_globals(unit, choices.pinned_symbols, structs_behind_pointers(on_device)),
        apart=arrays_apart(source.expanded, unit, options, choices.pinned_symbols)
        if on_device or options.part
        else (),
        registered_statics=registered_statics(unit, source.text, source.expanded) if on_device else (),
        registered_automatics=_registered_automatics(source, unit, options, on_device),
        contraction=contracted,
        tag=options.tag,
        forms=reduce(or_, (kernel.facts.atomic_operations.forms for kernel in on_device), Forms()),
        target_lines=_target_lines(unit, kernels, options, given_up),
        part=options.part,
        keeps_nothing=options.part and (TARGET_DATA in given_up or _keeps_no_data(unit, options)),
        data_not_kept=given_up.get(TARGET_DATA),
        warnings=refused_wishes(on_device, choices.constants, options.level),
    )


def _in_order(regions: Iterable[RegionPlan], unit: t.Unit) -> tuple[RegionPlan, ...]:
    """Those of the user's loops, and those of added ones that are launched, as they stand in the text."""
    functions = {name: number for number, name in enumerate(unit.functions)}
    kept = (region for region in regions if region.on_device or not region.loop.is_added)
    return tuple(sorted(kept, key=lambda region: (functions[region.loop.function], region.loop.pragma.loc.line)))


def _renewed(regions: Iterable[RegionPlan]) -> Iterator[Mapping[t.Expr, t.Expr]]:
    for _, kernel in (each for region in regions for each in region.kernels):
        yield from (schedule.lanes.renewed for schedule in kernel.schedules if schedule.lanes is not None)


def _keeps_no_data(unit: t.Unit, options: Options) -> bool:
    if "mapped-data" in options.without:
        return unit.offloads
    return keeps_no_data(unit, options.level)


def _target_lines(
    unit: t.Unit, kernels: Mapping[ParallelLoop, Kernel | Reason], options: Options, given_up: Mapping[str, Reason]
) -> tuple[TargetLine, ...]:
    launched = {loop.pragma for loop, kernel in kernels.items() if isinstance(kernel, Kernel)}
    if not launched and not options.part:
        return ()
    keeps = TARGET_DATA not in given_up and "mapped-data" not in options.without
    return target_lines(unit, launched, options.level, keeps)


def _kernel(facts: Facts, options: Options, blocks: SharedBlocks) -> Kernel | Reason:
    overlaps = options.level is Level.AUTO and not facts.is_proved_independent and blocks.are_used_by(facts)
    overlaps = overlaps and facts.loop.phases is None  # parts are apart only where arrays are
    found = _kernel_of(facts, options)
    if not overlaps or (isinstance(found, Kernel) and _are_told_apart(found.facts, facts, blocks)):
        return found
    found = _kernel_of(facts, replace(options, without=options.without | RELY_ON_PROMISE))
    if isinstance(found, Reason):
        return found
    return replace(found, overlaps=True, kept="as the text has it, since arrays of it may overlap in one block")


def _are_told_apart(after: Facts, before: Facts, blocks: SharedBlocks) -> bool:
    """Is it known by the variables that loops have been given how far the arrays reach, each of them still an array?"""
    return {*before.shared_objects} <= {*after.shared_objects} and not blocks.are_used_by(after)


def _versions(
    kernels: Mapping[ParallelLoop, Kernel | Reason],
    facts: Mapping[ParallelLoop, Facts | Reason],
    options: Options,
    blocks: SharedBlocks,
) -> Iterator[tuple[ParallelLoop, tuple[Kernel, Equal]]]:
    """The kernels of loops whose pointers are equal in some call."""
    for loop, kernel in kernels.items():
        known = facts[loop]
        if isinstance(kernel, Reason) or isinstance(known, Reason) or kernel.overlaps or loop.chain:
            continue
        equal = equal_pointers(known, blocks)
        made = with_equal_pointers(known, equal) if equal else None
        version = _kernel_of(made, without_extras(options)) if isinstance(made, Facts) else None
        if isinstance(version, Kernel):
            yield loop, (version, equal)


def _with_version(
    region: RegionPlan,
    kernel: Kernel,
    equal: Equal,
    choices: Choices,
    operators: Sequence[Operator],
    options: Options,
) -> RegionPlan:
    options = without_extras(options)
    made = _region(kernel.facts.loop, kernel, replace(choices, without=options.without), operators, options)
    return replace(region, version=version_of(region, made, equal))


def _fused(
    unit: t.Unit,
    kernels: Mapping[ParallelLoop, Kernel | Reason],
    facts: Mapping[ParallelLoop, Facts | Reason],
    options: Options,
    blocks: SharedBlocks,
    given_up: Mapping[str, Reason],
) -> tuple[FusedLoops, ...]:
    """The loops that become one."""

    def make(first: Facts, second: Facts) -> tuple[Facts, Kernel] | None:
        joint = fused(first, second, options.has_strict_aliasing)
        if joint is None or joint.loop.id in given_up or blocks.are_used_by(joint):
            return None
        found = _kernel_of(joint, without_extras(options))
        return (joint, found) if isinstance(found, Kernel) else None

    return tuple(fused_loops(unit, kernels, facts, make))


def _with_fusion(
    fused: FusedLoops,
    decided: Mapping[ParallelLoop, RegionPlan],
    choices: Choices,
    operators: Sequence[Operator],
    options: Options,
) -> dict[ParallelLoop, RegionPlan]:
    """The plans of the loops that are launched together; none, where that would lose more than it saves."""
    options = without_extras(options)
    made = _region(
        fused.kernel.facts.loop, fused.kernel, replace(choices, without=options.without), operators, options
    )
    parts = {loop: decided[loop] for loop in fused.loops}
    fusion = fusion_of(fused, made, parts.values())
    return {} if fusion is None else {loop: replace(region, fusion=fusion) for loop, region in parts.items()}


def _kernel_of(facts: Facts, options: Options) -> Kernel | Reason:
    given = facts
    facts, kept = rewritten_facts(given, options)
    loop = facts.loop
    if facts is not given:
        verify_facts({loop: facts})
    found = unproved(facts) or changed_bounds(facts, options.has_strict_aliasing) or classify_parameters(facts)
    if isinstance(found, Reason):
        return found
    by_value = sum(
        ty.size_of(parameter.symbol.type) or 0
        for parameter in found
        if parameter.role in (Role.VALUE, Role.FIRSTPRIVATE)
    )
    if by_value > DEVICE.parameters // 2:  # the rest is for pointers, lengths and bounds
        return Reason("OMPC341", f"{by_value} bytes of scalars and structs would be passed by value", loop.loc)
    if (why_not := why_not_mapped(facts, found) or why_not_numbered(facts)) is not None:
        return why_not
    mapping = choose_mapping(facts, options.does("axes"))
    if loop.scan is not None:
        large = next((p for p in found if isinstance(p.extent, ExpandedExtent)), None)
        if large is not None:
            message = f"the phases of its `scan` use `{large.symbol.name}`, which whole blocks may have no room for"
            return Reason("OMPC367", message, loop.loc)
        return Kernel(facts, found, mapping)
    lanes = LaneChoices(options.level, without=options.without)
    groups = loops_of_groups(facts, mapping, lanes) if options.does("group-loops") else ()
    shared = dict.fromkeys((*shareable(facts, mapping, lanes), *(each.var for each in groups)))
    return Kernel(facts, found, mapping, tuple(shared), kept, rows=rows_apart(facts, groups))


def _file_choices(source: Source, unit: t.Unit, options: Options, kernels: Sequence[Kernel]) -> Choices:
    constants = choose(kernels, options.level)
    if "constant-memory" in options.without:
        constants = constants.without_memory()
    names = {symbol: Local(spelled(symbol.name)) for symbol in constants.chosen}
    objects = dict.fromkeys(d.obj for kernel in kernels for d in kernel.parameters if d.role is Role.ARRAY)
    arrays = [obj.symbol for obj in objects if not obj.pointee]
    pointers = [obj.symbol for obj in objects if obj.pointee]
    pinned: tuple[PinnedArray, ...] = ()
    why_not: Mapping[t.Symbol, str] = {}
    blocks = HeapBlocks((), frozenset(), {})
    if options.level is Level.THESIS:
        pinned, why_not = pinned_arrays(unit, arrays, source.text, source.expanded)
        blocks = heap_blocks(unit, pointers, source.text, source.expanded)
    contracted = contraction(options, [kernel.facts for kernel in kernels])
    wanted = (options.without, options.several_devices)
    return Choices(options.level, constants, names, pinned, why_not, blocks, contracted, *wanted)


def _region(
    loop: ParallelLoop, kernel: Kernel | Reason, choices: Choices, operators: Sequence[Operator], options: Options
) -> RegionPlan:
    if isinstance(kernel, Reason):
        return RegionPlan(loop.id, loop, loop.directive_words, kernel, None, ())
    if kernel.overlaps:
        without = options.without | RELY_ON_PROMISE
        options, choices = replace(options, without=without), replace(choices, without=without)
    loop = kernel.facts.loop  # with the reductions that atomic sums have become
    found = variables(kernel, choices, _renamed(kernel))
    if choices.does("restrict"):
        found = without_merged_loads(kernel, found)
    plan = kernel_plan(kernel, found, choices, operators)
    if not kernel.overlaps:
        plan = replace(plan, alternatives=alternatives(kernel, plan, options.level))
    condition = _condition(loop, options.tag)
    waits = loop.target is not None and loop.target.waits
    needs_home = loop.target is not None and _reads_memory(plan)
    region = RegionPlan(
        *(loop.id, loop, loop.directive_words, None, plan, found, condition, waits, needs_home),
        tag=options.tag,
        facts=kernel.facts,
    )
    return with_tuned_shapes(region, kernel.facts, options.tuning, options.does("tuned-shapes"))


def _condition(loop: ParallelLoop, tag: str) -> str | None:
    """What the host asks before each launch, in its own words: the `if` clause, and what the kernel rests on."""
    asked = asked_text(loop, tag)
    if loop.condition is None:
        return asked or None
    return f"({loop.condition.user_text}) && {asked}" if asked else loop.condition.user_text


def _reads_memory(plan: KernelPlan) -> bool:
    """Does the host evaluate a bound that reads more than variables?"""
    for axis in plan.grid:
        planned, written = (axis.lower, axis.upper, axis.step), (axis.loop.lower, axis.loop.upper, axis.loop.step)
        for bound, expr in zip(planned, written, strict=True):
            if bound.host_text is not None and expr is not None and any(map(_is_in_memory, walk(expr))):
                return True
    return False


def _is_in_memory(node: Node) -> bool:
    match node:
        case t.Index() | t.Member(arrow=True) | t.Unary(op="*"):
            return True
        case _:
            return False


def _renamed(kernel: Kernel) -> dict[t.Symbol, Local]:
    """File-scope objects that only called functions use, and arrays that are declared at the top of the kernel, when
    the kernel's own text uses their name for something else.
    """
    own = {node.symbol for node in walk(kernel.facts.device_code.body) if isinstance(node, (t.Name, t.VarDecl))}
    own_names = {symbol.name for symbol in own}
    clashing = [s for s in kernel.facts.function_symbols if s not in own and s.name in own_names]
    renamed = {symbol: Local(f"{symbol.name}_global") for symbol in sorted(clashing, key=lambda s: s.position)}
    everything = (
        own | {parameter.symbol for parameter in kernel.parameters} | {loop.var for loop in kernel.facts.loop.loops}
    )
    for symbol in (parameter.symbol for parameter in kernel.parameters if isinstance(parameter.extent, ExpandedExtent)):
        if any(other.name == symbol.name for other in everything if other is not symbol):
            renamed[symbol] = Local(f"{symbol.name}_own")
    return renamed


def _constant_arrays(choices: Choices) -> tuple[ConstantArray, ...]:
    types, names, initial = choices.constants.types, choices.constant_names, choices.constants.initial
    chosen = choices.constants.chosen.items()
    return tuple(ConstantArray(s, names[s], types[s], because, initial.get(s)) for s, because in chosen)


def _registered_automatics(
    source: Source, unit: t.Unit, options: Options, on_device: Sequence[Kernel]
) -> tuple[t.Symbol, ...]:
    asks = options.part or any(needs_block(parameter) for kernel in on_device for parameter in kernel.parameters)
    if not on_device or not (asks or options.does("own-pages")):
        return ()
    used = {parameter.symbol for kernel in on_device for parameter in kernel.parameters}
    return registered_automatics(unit, used, asks, source.text, source.expanded)
