"""Check what the plan promises before anything is printed; a failure is a bug of ours and says so with the plan's text.

    every region is on the device or has a reason, never both
    what the kernel writes comes back; what it reads in device memory is there
    nothing that is written is in constant or read-only memory
    constant memory is not overdrawn
    what is named in a kernel, or in its launcher, stands for one thing there
    parameters by value fit into the 4 KB that a kernel has
    each kernel's schedules keep the rules of all schedules (schedule/verify.py)
    a tiled kernel writes nothing but its registers before it comes to its stores
    what is staged out of tiles of transposed accesses is accessed by nothing else
    with an array of which blocks have copies, nothing is done but to accumulate into it, by operations of one group
    1 / sqrt(x) is one operation only where no last bit decides, and never with --fp strict
    what iterations of a batch write is kept with the group
    elements that are written through registers are accessed in no other way
    where a kernel relies on the alignment of an array of records, that of one is that of all
    all lanes of a warp come to the loops that they share; what any lane computes there is nothing that the row combines

In: Plan.   Out: nothing, or InternalError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from ompc.base.diagnostics import InternalError
from ompc.ir import types as ty
from ompc.ir.access_paths import base_symbols
from ompc.ir.queries import declared_in, names_in, symbols_in, target_of, targets_written
from ompc.ir.tree import Binary, Call, Name, Stmt, Symbol
from ompc.ir.walk import walk
from ompc.plan.forms.histograms import is_one_operation
from ompc.plan.forms.vector_access import alignment_of, is_record
from ompc.plan.machine import DEVICE
from ompc.plan.model.batch_model import Batches
from ompc.plan.model.lane_results import ByLanes, InOrder, Side
from ompc.plan.model.lane_steps import READS, Alone, GroupOf, LaneSharing, SharedLoop, UnrollAndJam
from ompc.plan.model.launch import Agreement, BlockAccumulators, CoarseningPlan, SlicePlan, StreamPlan, VectorAccesses
from ompc.plan.model.names import Local
from ompc.plan.model.plan import KernelPlan, Plan, RegionPlan, Version
from ompc.plan.model.scan_model import ScanPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Placement, Role, Transfer, Variable
from ompc.plan.schedule.show import show_schedule
from ompc.plan.schedule.verify import broken_rules
from ompc.plan.show import show_plan


def verify_plan(plan: Plan) -> None:
    """Raise InternalError when `plan` breaks one of its rules."""
    for broken in (*_file_rules(plan), *(f"{r.id}: {b}" for r in plan.regions for b in _region_rules(r, plan))):
        raise InternalError(f"plan: {broken}\n{show_plan(plan)}")


def _file_rules(plan: Plan) -> Iterator[str]:
    total = sum(ty.size_of(constant.type) or 0 for constant in plan.constants)
    if total > DEVICE.constant:
        yield f"{total} bytes of constant memory"
    yield from (f"two regions are called {name}" for name in _repeated(region.id for region in plan.regions))
    yield from _contraction_rules(plan)
    yield from (f"two constants are called {name}" for name in _repeated(constant.name for constant in plan.constants))


def _region_rules(region: RegionPlan, plan: Plan) -> Iterator[str]:
    if (region.kernel is None) == (region.reason is None):
        yield "neither on the device nor on the host, or both"
    accumulators = frozenset() if region.loop.target is None else region.loop.target.copies
    for v in region.variables:
        yield from (f"{v.symbol.name}: {broken}" for broken in _variable_rules(v, plan, accumulators))
    if region.kernel is not None:
        yield from _launch_rules(region.kernel)
        for schedule in region.kernel.schedules:
            text = show_schedule(schedule, region.id)
            rules = (*broken_rules(region.kernel, schedule), *_schedule_rules(region.kernel, schedule, plan))
            yield from (f"{broken}\n{text}" for broken in rules)
    if region.version is not None:
        yield from _version_rules(region, region.version)
        yield from _region_rules(region.version.region, plan)
    if region.joint is not None:
        yield from _region_rules(region.joint, plan)


def _version_rules(region: RegionPlan, version: Version) -> Iterator[str]:
    given, wanted = (() if each.kernel is None else each.kernel.arguments for each in (region, version.region))
    if not set(version.arguments) <= {argument.name for argument in given} or len(version.arguments) != len(wanted):
        yield "a version's launcher is called with other arguments than it has"
    agreed = {a.name for a in given if region.loop.team is None or a.agreement is Agreement.VALUE}
    if not agreed.issuperset(sum(version.alike, ())) or version.region.id == region.id:
        yield "a version on which the threads of a team do not agree, or that cannot be told from the loop"
    if not version.equal.keys().isdisjoint(v.symbol for v in version.region.variables):
        yield "a version has a pointer for which another one stands"


def _variable_rules(v: Variable, plan: Plan, accumulators: Collection[Symbol]) -> Iterator[str]:
    in_memory = v.role in (Role.ARRAY, Role.CELL, Role.LINKED)
    if in_memory and v.writes and v.transfer_out is Transfer.NONE and v.symbol not in accumulators:
        yield "written, but does not come back"
    initialised = any(array.symbol is v.symbol and array.init is not None for array in plan.constants)
    if in_memory and v.reads and v.transfer_in is Transfer.NONE and not initialised:
        yield "read, but never copied in"
    if v.writes and v.placement in (Placement.CONSTANT, Placement.READONLY, Placement.PARAMETER):
        yield f"written, but in {v.placement.value} memory"
    if v.placement is Placement.CONSTANT and v.symbol not in {constant.symbol for constant in plan.constants}:
        yield "in constant memory, which has no place for it"
    if not v.because and in_memory:
        yield "placed without a reason"


def _launch_rules(kernel: KernelPlan) -> Iterator[str]:
    yield from (f"two arguments are called {name}" for name in _repeated(a.name for a in kernel.arguments))
    yield from (f"two kernels are called {name}" for name in _repeated(each.kernel for each in kernel.schedules))
    by_value = sum(ty.size_of(v.symbol.type) or 0 for v in kernel.values)
    if by_value > DEVICE.parameters // 2:
        yield f"{by_value} bytes of parameters by value"
    if any(schedule.axes[0].slices is not kernel.slices for schedule in kernel.schedules):
        yield "kernels of one launch in other slices than its first one"
    if kernel.slices is not None:
        yield from _slice_rules(kernel.slices, kernel)


def _schedule_rules(kernel: KernelPlan, schedule: Schedule, plan: Plan) -> Iterator[str]:
    names = [*_parameter_names(kernel, schedule), *_form_names(schedule)]
    yield from (f"two things in the kernel are called {name}" for name in _repeated(iter(names)))
    match schedule.form:
        case TilePlan() as tiles:
            yield from _tile_rules(tiles, kernel)
            yield from _product_rules(tiles, plan)
        case TransposedPlan() as transposed:
            yield from _transposed_rules(transposed, kernel)
        case RowCoarsening():
            if kernel.expanded or not kernel.effects.has_points_and_sums:
                yield "several rows in a thread of a kernel that does more than its points"
        case CoarseningPlan() as coarsened:
            yield from _coarsening_rules(coarsened, kernel, schedule)
        case StreamPlan() as streams:
            yield from _stream_rules(streams, kernel)
        case LaneSharing() as lanes:
            yield from _lane_rules(kernel, lanes)
        case ScanPlan() as scan:
            yield from _scan_rules(scan, kernel)
        case None:
            pass
    if schedule.vectors is not None:
        yield from _alignment_rules(schedule.vectors, kernel, schedule)
    for accumulators in schedule.accumulators:
        rules = _accumulator_rules(accumulators, kernel, schedule)
        yield from (f"{accumulators.array}: {broken}" for broken in rules)
    if schedule.batches is not None:
        yield from _batch_rules(schedule.batches)
    has_points = schedule.form is None or isinstance(schedule.form, RowCoarsening)
    if schedule.row_stores and (not has_points or schedule.accumulators):
        yield "lanes store rows together where a thread has several points beside each other"


def _alignment_rules(vectors: VectorAccesses, kernel: KernelPlan, schedule: Schedule) -> Iterator[str]:
    in_tiles = isinstance(schedule.form, (TilePlan, TransposedPlan))
    if kernel.per_launch_allocation or schedule.accumulators or in_tiles:
        yield "relies on the alignment of arrays in a kernel that is not made for it"
    elements = {v.device_name: v.element for v in kernel.arrays if v.role is Role.ARRAY}
    constant = {v.device_name for v in kernel.arrays if v.is_only_read}
    for array in vectors.arrays:
        element = elements.get(array.name)
        if element is None or array.bytes not in (2, 4, 8, 16):
            yield f"relies on the alignment of {array.name} to {array.bytes} bytes"
        elif is_record(element) and alignment_of(element) % array.bytes:
            yield f"relies on the alignment of every element of {array.name} to {array.bytes} bytes"
        elif array.apart and not (
            array.name in constant and ty.size_of(ty.element_of(element)) == array.bytes >= DEVICE.vector_least
        ):
            yield f"reads elements of {array.name} at once, which may change, or are of another size"


def _coarsening_rules(plan: CoarseningPlan, kernel: KernelPlan, schedule: Schedule) -> Iterator[str]:
    if not schedule.accumulators or kernel.grid[0].loop.down or kernel.grid[0].step.constant != 1:
        yield "several neighbouring iterations a thread of a kernel that is not made for them"
    read_only = {v.device_name for v in kernel.arrays if v.is_only_read}
    yield from (f"reads {r.array} ahead, which may change" for r in plan.reads if r.array not in read_only)


def _stream_rules(plan: StreamPlan, kernel: KernelPlan) -> Iterator[str]:
    x = kernel.grid[-1]
    if kernel.expanded or not kernel.effects.has_points_and_sums or x.loop.down or x.step.constant != 1:
        yield "several neighbours a thread of a kernel that does more than its points"
    if any(plan.count * (ty.size_of(element.type) or 0) > DEVICE.vector for element in plan.elements):
        yield "more elements at once than a vector has"
    written = {v.symbol for v in kernel.arrays if v.writes}
    stored = {symbol for element in plan.elements if element.stored for symbol in symbols_in(element.nodes[0])}
    through = {id(part) for element in plan.elements for node in element.nodes for part in walk(node)}
    for node in walk(kernel.body):
        if isinstance(node, Name) and node.symbol in written & stored and id(node) not in through:
            yield f"accesses {node.symbol.name} otherwise than by the elements that are in registers"


def _accumulator_rules(
    accumulators: BlockAccumulators, kernel: KernelPlan, schedule: Schedule
) -> Iterator[str]:
    if not isinstance(schedule.form, (CoarseningPlan, type(None))) or kernel.per_launch_allocation:
        yield "accumulators of blocks in a kernel that is not made for them"
    if not is_one_operation(accumulators.operations, accumulators.type):
        yield "accumulators of blocks, for operations whose order or grouping shows"
    if kernel.threads is not None and kernel.threads > DEVICE.block_threads_shared:
        yield f"accumulators of blocks of {kernel.threads} threads"
    mentioned = {id(part) for op in accumulators.operations for node in op.mentions for part in walk(node)}
    for node in walk(kernel.body):
        if isinstance(node, Name) and node.symbol is accumulators.symbol and id(node) not in mentioned:
            yield "accumulators of blocks, but the kernel does more with the array than accumulate"


def _tile_rules(tiles: TilePlan, kernel: KernelPlan) -> Iterator[str]:
    if not kernel.effects.has_only_points:
        yield "tiles of a kernel that does more than its points"
    memory, kept = {v.symbol for v in kernel.arrays}, {node for element in tiles.kept for node in element.nodes}
    for node in (node for item in (*tiles.before, tiles.body) for node in walk(item)):
        target = target_of(node)
        if target is not None and target not in kept and not memory.isdisjoint(base_symbols(target)):
            yield "writes to memory before the stores of a tile"


def _product_rules(tiles: TilePlan, plan: Plan) -> Iterator[str]:
    if tiles.product is None:
        return
    if not plan.contraction.contracts or any(node in plan.contraction.exact for node in walk(tiles.body)):
        yield "contracts a product in a tile, though a last bit decides"
    if tiles.product.own not in {e.own for e in tiles.kept} | {v.own for v in tiles.variables}:
        yield f"sums of products in {tiles.product.own}, which points do not have"


def _transposed_rules(tiles: TransposedPlan, kernel: KernelPlan) -> Iterator[str]:
    for element in tiles.elements:
        for array in base_symbols(element.nodes[0]) if element.stored else ():
            inside = (names_in(node).get(array, ()) for node in set(element.nodes))
            if len(names_in(kernel.body).get(array, ())) != sum(map(len, inside)):
                yield f"stages out '{array.name}', which is accessed elsewhere"


def _lane_rules(kernel: KernelPlan, lanes: LaneSharing) -> Iterator[str]:
    of_threads = any(array.symbol not in lanes.held for array in kernel.expanded)
    if (len(kernel.grid) != 1 and lanes.point is None) or of_threads:
        yield "lanes share loops of a kernel in which not all iterations are alike"
    if kernel.threads is not None and (kernel.threads % DEVICE.warp or kernel.threads > DEVICE.block_threads):
        yield f"lanes share loops in blocks of {kernel.threads} threads"
    if lanes.group_of is GroupOf.WARPS and (kernel.threads or kernel.blocks):
        yield "warps divide loops in blocks of other sizes"
    stores = any(shared.stores for shared in lanes.body.loops())
    if stores and (lanes.group_of is not GroupOf.WARPS or lanes.unroll_and_jam is not None):
        yield "lanes that do not wait for each other, or that repeat iterations, share loops that store"
    if lanes.by_block is not None and lanes.distribution.purpose not in READS:
        yield "rows for all lanes of a block in a kernel that is not made for them"
    if lanes.by_block is not None and (lengths := lanes.by_block.lengths) is not None:
        held = {v.symbol for v in kernel.arrays if not v.writes}
        yield from (f"the launcher reads '{s.name}', which it does not have" for s in lengths.arrays if s not in held)
    if lanes.unroll_and_jam is not None:
        yield from _jammed_rules(kernel, lanes, lanes.unroll_and_jam)
    for shared in lanes.body.loops():
        rules = _in_order_rules(shared.how) if isinstance(shared.how, InOrder) else _by_lanes_rules(shared, shared.how)
        computed = symbols_in(shared.computed)
        name = shared.loop.var.name
        yield from (f"the loop over {name} is shared, but {rule}" for rule in rules)
        if not computed.issuperset(shared.own) or any(loop.var in shared.own for loop in shared.loops):
            yield f"the loop over {name} is shared, but hands on what nothing needs"


def _scan_rules(scan: ScanPlan, kernel: KernelPlan) -> Iterator[str]:
    if kernel.expanded or kernel.messages or kernel.threads is not None or len(kernel.schedules) != 1:
        yield "prefixes in a kernel whose blocks may have other sizes, or of which a thread may leave"
    if [item.result for item in scan.items] != [r.result for r in kernel.reductions if r.is_scan]:
        yield "prefixes of other variables than the loop reduces"
    if len(scan.items) != len(kernel.reductions):
        yield "prefixes beside other reductions"


def _jammed_rules(kernel: KernelPlan, lanes: LaneSharing, points: UnrollAndJam) -> Iterator[str]:
    together = all(isinstance(step, (Alone, SharedLoop)) for step in lanes.body.steps)
    together = together and lanes.group_of is GroupOf.WARPS
    if not kernel.effects.may_interleave or kernel.per_launch_allocation or not together:
        yield "several iterations a thread of a kernel that is not made for them"
    sums = {reduction.symbol for reduction in kernel.reductions}
    if points.own[0] is not kernel.grid[0].loop.var or not sums.isdisjoint(points.own):
        yield "several iterations a thread have what is the thread's, or not what is theirs"
    for shared in lanes.body.loops():
        parts = {part.symbol for part in shared.how.partials} if isinstance(shared.how, ByLanes) else {None}
        if not parts.union(shared.own) <= set(points.own):
            yield f"the loop over {shared.loop.var.name} needs values of which iterations have none of their own"


def _in_order_rules(how: InOrder) -> Iterator[str]:
    terms = {term.symbol for term in how.terms}
    combined = {node.symbol for node in _assigned(how.combine)}
    computed = symbols_in(how.compute)
    if not terms or not terms <= computed:
        yield "its terms are not computed"
    if combined & (computed | terms) or not combined:
        yield "computes what it combines"


def _by_lanes_rules(shared: SharedLoop, how: ByLanes) -> Iterator[str]:
    parts = {part.symbol for part in how.partials}
    parts |= set() if how.running is None else {how.running.symbol}
    if not (parts or shared.stores) or not parts <= {node.symbol for node in _assigned((shared.loop.body,))}:
        yield "lanes have parts of what it does not accumulate into"
    if parts & {shared.loop.var, *shared.own}:
        yield "lanes have parts of what the row gives them"
    if parts and shared.nest:
        yield "lanes have parts of what a nest gives them"
    if shared.side is Side.ALONG:
        yield "warps have parts of what is contiguous along the rows"


def _slice_rules(slices: SlicePlan, kernel: KernelPlan) -> Iterator[str]:
    in_groups = any(each.lanes is not None and each.lanes.point is None for each in kernel.schedules)
    if kernel.own.accumulators or kernel.expanded or in_groups or kernel.per_launch_allocation:
        yield "in slices, but does more than its iterations"
    if any(loop.loop.dependent for loop in kernel.grid):
        yield "in slices of several loops"
    if not slices.parts.keys() <= {v.device_name for v in kernel.arrays}:
        yield "in slices of what is no array"


def _batch_rules(batches: Batches) -> Iterator[str]:
    for statement, batched in batches.loops.items():
        own = declared_in(statement)
        known = {*batched.carried, *batched.renewed, *own, batched.loop.var}
        if not known.issuperset(node.symbol for node in _assigned([batched.loop.body])):
            yield f"the loop over {batched.loop.var.name} goes in batches, but writes more than its batch keeps"
        if (batches.operations | batches.normal_range | batches.approximate).isdisjoint(
            walk(statement)
        ) or batched.size < 2:
            yield f"the loop over {batched.loop.var.name} goes in batches for nothing"
        if batched.unwatched and not batches.operations.isdisjoint(walk(statement)):
            yield f"the loop over {batched.loop.var.name} has operands that must be watched"


def _contraction_rules(plan: Plan) -> Iterator[str]:
    for quotient in plan.contraction.roots:
        if quotient in plan.contraction.exact or not plan.contraction.contracts:
            yield f"the quotient in line {quotient.loc.line} is contracted, though a last bit decides"
        if not isinstance(quotient, Binary) or not isinstance(quotient.right, Call):
            yield f"in line {quotient.loc.line} something is contracted that is no quotient by a root"


def _assigned(statements: Iterable[Stmt]) -> Iterator[Name]:
    for target in (target for statement in statements for target in targets_written(statement)):
        if isinstance(target, Name):
            yield target


def _form_names(schedule: Schedule) -> Iterator[str | Local]:
    """What the form of a kernel declares besides."""
    match schedule.form:
        case LaneSharing() as lanes:
            yield from (lanes.group, lanes.slot, lanes.own)
            yield from () if lanes.unroll_and_jam is None else lanes.unroll_and_jam.names.values()
            yield from (shared.entries for shared in lanes.body.loops())
            yield from (nested.entries for shared in lanes.body.loops() for nested in shared.nest)
            yield from (count.value for count in lanes.counts)
        case CoarseningPlan(names=names, reads=reads):
            yield from (*names.values(), *(read.name for read in reads))
        case StreamPlan(names=names, elements=elements):
            yield from (*names.values(), *(element.name for element in elements))
        case RowCoarsening(names=names, kept=kept):
            yield from (*names.values(), *(read.name for read in kept))
        case TransposedPlan(names=names, elements=elements):
            yield from (*names.values(), *(element.tile for element in elements))
        case TilePlan() as tiles:
            yield from (tiles.loop.trips, tiles.loop.counter, *tiles.names.values())
            yield from (name for read in tiles.staged for name in (read.tile, read.own))
            yield from (element.own for element in tiles.kept)
            yield from (variable.own for variable in tiles.variables)
        case ScanPlan(items=items, tile=tile, row=row):
            yield from (tile, row, *(item.values for item in items))
        case None:
            pass


def _parameter_names(kernel: KernelPlan, schedule: Schedule) -> Iterator[str | Local]:
    """Everything that is declared at the top of the kernel, whatever its form."""
    yield from (v.device_name for v in (*kernel.values, *kernel.arrays))
    yield from dict.fromkeys(name for v in kernel.arrays for name in v.dimensions)
    yield from dict.fromkeys(loop.axis_counter for loop in kernel.grid if loop.axis_counter != loop.counter)
    yield from (name for array in kernel.expanded for name in (array.name, array.memory))
    yield from (name for array in kernel.expanded for name in array.lengths if isinstance(name, Local))
    for loop in kernel.grid:
        yield from (loop.counter, loop.trips, loop.lower.name, loop.step.name)
    yield from (last.cell for last in kernel.lastprivates)
    if kernel.slices is not None:
        yield kernel.slices.begin
    yield from {accumulators.exist for accumulators in schedule.accumulators}
    yield from () if schedule.once is None else (schedule.once,)
    if schedule.vectors is not None:
        yield from (schedule.vectors.relied_on, *(array.given for array in schedule.vectors.arrays))
    yield from (name for accumulators in schedule.accumulators for name in (accumulators.name, accumulators.room))
    yield from (name for each in schedule.collected for name in (each.name, each.stretch, each.once) if name)
    for reduction in kernel.reductions:
        yield from (reduction.name, reduction.result)


def _repeated(names: Iterator[str | Local]) -> list[str | Local]:
    return [name for name, count in Counter(names).items() if count > 1]
