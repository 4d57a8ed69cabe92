"""The plan as data for machines: schema 1, ready for `json.dumps`. Keys are added, never renamed or removed.

    {"schema": 1, "source", "opt", "regions": [{"id", "function", "file", "line", "directive", "clauses", "target",
     "reason", "races", "independence": {"state", "because", "promises": [{"what", "lines"}], "checks": [{"code",
     "what", "of"}], "refusals": [{"code", "certain", "what", "file", "line"}]}, "last_bits": [{"what", "lines"}],
     "launch": {"iterations", "dimensions", "block", "grid", "reductions", "condition", "mapping", "because", "axes":
     [{"axis", "loops", "iterations", "taken"}], "threads", "alone": [{"line", "loop", "iterations", "because",
     "independent"}], ...},
     "work": {"iterations", "operations": {"double", "single"}, "bytes": {"every access",
     "each element once"}, "assumed": {name: number}, "unknown": [words]}, "variables": [{"name", "type",
     "bytes", "access", "placement", "host_buffer", "transfer_in", "transfer_out", "because", "crossings": [{"way",
     "when", "because", "at": [{"file", "line", "access", "by", "function"}]}]}], "tuning": {"file", "content", "knobs",
     "tiles", "kernels", "schedules": [{"kernel", "knobs", "tiles", "lanes"}]}}]}

`clauses` are the names of those written, each once. `reason` is null for a loop on the GPU, `launch` for one on the
host; `races` are iterations that certainly conflict. `independence` says on what it rests that a loop's iterations run
at the same time, null for one on the host: "proved", or "promised", by the pragma (`promises`) or if what the launcher
looks at (`checks`; if not, the host runs it with `code`, if any) is so. `refusals` are launches that will certainly, or
are likely to, be left to the host. `axes` are those of the grid, outermost first, with the user's loops on each and
what a thread or a block takes at a time; `threads` is an expression for the most threads that have work, one for each
point of the grid, or `lanes` that share it; `alone` are long loops that one thread runs, empty where there is none;
`independent`: its iterations are, so that threads could share it.
`fusion` is the launch that does the loop together with those of other `lines`, null where there is none; a `chain`: one
block does them one after the other. So it is for the lines of `chain` of a launch.
`last_bits`: because of what floating-point numbers may differ from the host's in
their last bits. Transfers are null when nothing is copied. Variables come in the order of their declaration.
`crossings` say when the transfers are made, and because of which places in host code. `work` is an estimate for one
iteration, null where nothing is known of the loop (analysis/locality/intensity.py).
A file that cannot be read has no regions, but "problem": {"code", "message", "line", "pragmas"}
(render/host/copied_through.py). `schedules` are the kernels among which a launcher chooses, by their numbers, with what
can be chosen of each.

    In: Plan, residual transfers, estimates.   Out: plain dictionaries, lists, strings and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.analysis.locality.intensity import Intensity, as_record
from ompc.analysis.memory.bounding_sections import BoundingSection
from ompc.analysis.memory.extents import Section
from ompc.base.diagnostics import Diagnostic, Reason
from ompc.base.frozen import dataclass, field
from ompc.base.options import Level
from ompc.ir import types as ty
from ompc.ir.show import type_text
from ompc.omp.model import ParallelLoop
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.mapping.trip_text import of_user, product_text, trip_text
from ompc.plan.mapping.tuned import knobs_of, schedule_knobs
from ompc.plan.memory.copy_in_elimination import lmad_text
from ompc.plan.model.extent import (
    BlockExtent,
    BoundingExtent,
    ExpandedExtent,
    MappedExtent,
    ObjectExtent,
    SectionExtent,
    ValueExtent,
)
from ompc.plan.model.lane_steps import Instead, LaneSharing
from ompc.plan.model.launch import StreamPlan
from ompc.plan.model.plan import Fusion, KernelPlan, Plan, RegionPlan, Version
from ompc.plan.model.scan_model import TILE
from ompc.plan.model.schedule import Schedule, Slots
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan
from ompc.plan.model.variable import Role, Transfer, Variable
from ompc.plan.program.guarantees import Guarantees, Promise
from ompc.plan.program.last_bits import LastBits
from ompc.plan.program.refusals import Refusal
from ompc.plan.residency.residual_transfers import ResidualTransfer
from ompc.plan.schedule.alone import loops_alone

SCHEMA = 1

Record = dict[str, object]
Races = Mapping[str, Sequence[Diagnostic]]
ResidualTransfers = Mapping[Variable, Sequence[ResidualTransfer]]
Work = Mapping[str, Intensity]


@dataclass(frozen=True, slots=True)
class Known:
    """What is found out for people only: `races` that were proved, `residual_transfers`, estimates of the loops'
    `work`, on what launches rest, and why last bits may differ; by the loops' ids, as kernels may be of other loops.
    """

    races: Races = field(default_factory=dict)
    residual_transfers: ResidualTransfers = field(default_factory=dict)
    work: Work = field(default_factory=dict)
    guarantees: Mapping[str, Guarantees] = field(default_factory=dict)
    last_bits: Mapping[str, Sequence[LastBits]] = field(default_factory=dict)


NOTHING_MORE = Known()


def report(plan: Plan, known: Known = NOTHING_MORE) -> Mapping[str, object]:
    """The report of `plan`, with what is `known` beyond it."""
    return {
        "schema": SCHEMA,
        "source": plan.source,
        "opt": plan.level.value,
        "regions": [_region(region, known, plan) for region in plan.regions],
    }


def _region(region: RegionPlan, known: Known, plan: Plan) -> Record:
    races, residual_transfers = known.races.get(region.id, ()), known.residual_transfers
    return {
        "id": region.id,
        "function": region.loop.function,
        "file": plan.source_of(region),
        "line": region.loop.line,
        "directive": region.directive,
        "clauses": list(dict.fromkeys(clause.name for clause in region.loop.directive.clauses)),
        "target": "gpu" if region.on_device else "host",
        "reason": None if region.reason is None else _reason(region.reason, region.loop.loc.file),
        "races": [{"code": race.code, "message": race.message, "help": race.help} for race in races],
        "independence": _independence(known.guarantees.get(region.id)) if region.on_device else None,
        "last_bits": [{"what": b.words, "lines": list(b.lines)} for b in known.last_bits.get(region.id, ())],
        "work": as_record(known.work.get(region.id)),
        "launch": None if region.kernel is None else _launch(region, region.kernel, plan.level),
        "version": None if region.version is None else _version(region.version, plan.level),
        "fusion": None if region.fusion is None else _fusion(region, region.fusion, plan.level),
        "variables": [_variable(v, residual_transfers.get(v, ())) for v in sorted(region.variables, key=_order)],
        "tuning": None if region.kernel is None else _tuning(region, region.kernel, plan),
    }


def _version(version: Version, level: Level) -> Record:
    """The kernel that is launched where pointers are equal."""
    kernel = version.region.kernel
    launch = None if kernel is None else _launch(version.region, kernel, level)
    return {"where": version.region.where, "id": version.region.id, "launch": launch}


def _fusion(region: RegionPlan, fusion: Fusion, level: Level) -> Record:
    """The kernel that is launched for the loop and those of the other `lines`."""
    kernel = fusion.region.kernel
    launch = None if kernel is None else _launch(fusion.region, kernel, level)
    lines, is_chain = list(fusion.others(region)), fusion.region.chain is not None
    return {"id": fusion.region.id, "lines": lines, "saved": fusion.saved, "chain": is_chain, "launch": launch}


def _order(v: Variable) -> tuple[int, bool, bool]:
    return v.symbol.position, v.is_pointee, v.role is Role.LINKED


def _reason(reason: Reason, file: str) -> Record:
    """`line` is one of `file`, in which the loop stands; a place in another file is `at`."""
    found: Record = {"code": reason.code, "message": reason.message}
    if reason.at is not None and reason.at.file == file:
        found["line"] = reason.at.line
    elif reason.at is not None:
        found["at"] = {"file": reason.at.file, "line": reason.at.line}
    return found


def _independence(found: Guarantees | None) -> Record:
    found = found or Guarantees((Promise("the program is too large to be looked at"),), ())
    return {
        "state": found.state.value,
        "because": found.because,
        "promises": [{"what": promise.words, "lines": list(promise.lines)} for promise in found.promises],
        "checks": [{"code": check.code, "what": check.words, "of": list(check.of)} for check in found.checks],
        "refusals": [_refusal(refusal) for refusal in found.refusals],
    }


def _refusal(refusal: Refusal) -> Record:
    place = {} if refusal.at is None else {"file": refusal.at.file, "line": refusal.at.line}
    return {"code": refusal.code, "certain": refusal.certain, "what": refusal.words, **place}


def _block(kernel: KernelPlan) -> str:
    if kernel.grid[0].once:
        return "one thread"
    if kernel.threads is not None:
        return f"{kernel.threads} threads"
    if kernel.own.accumulators:
        return f"up to {512 if kernel.own.form is None else 1024} threads"
    return "128 threads" if kernel.per_launch_allocation else "up to 256 threads"


def _grid(region: RegionPlan, kernel: KernelPlan) -> str:
    if kernel.grid[0].once or region.chain is not None:
        return ""
    if region.loop.scan is not None:
        return f"tiles of {TILE} iterations"
    if kernel.per_launch_allocation:
        return "one thread per iteration"
    if kernel.own.form is None and kernel.own.once is not None:
        return "one thread per iteration, and a grid-stride loop where CUDA has no grid of that size"
    if kernel.own.collected:
        return "one thread per iteration until the device is full, then several neighbouring ones for each block"
    return "one thread per iteration until the device is full, then a grid-stride loop"


def _launch(region: RegionPlan, kernel: KernelPlan, level: Level) -> Record:
    """`iterations` of each grid loop, outermost first; `dimensions` of grid and block; their rules in words."""
    scan = "" if region.loop.scan is None else f", {region.loop.scan.words} prefixes"
    return (
        {
            "iterations": None if region.chain is not None else _iterations(region, kernel),
            "chain": None if region.chain is None else [loop.line for loop in region.loops],
            "dimensions": len({loop.axis for loop in kernel.grid}),
            "block": _block(kernel),
            "grid": _grid(region, kernel),
            "reductions": [f"{item.symbol.name} by {item.op}{scan}" for item in region.loop.reductions] or None,
            "condition": _condition(region.loop),
            "mapping": kernel.mapped_because,
            "because": kernel.shape_because,
        }
        | _schedule(region, kernel, level)
        | {key: words for schedule in kernel.schedules for key, words in _kernel(schedule).items()}
        | {each.heading: each.because for each in kernel.refused}
        | ({"messages": "; ".join(kernel.messages)} if kernel.messages else {})
    )


def _iterations(region: RegionPlan, kernel: KernelPlan) -> list[str]:
    return [trip_text(loop.loop, of_user(region.loop)) for loop in kernel.grid if not loop.once]


def _condition(loop: ParallelLoop) -> str | None:
    """When the host launches it: the `if` clause, and what the kernel rests on."""
    asked = [each.words for each in loop.asked]
    if loop.condition is not None:
        asked.insert(0, loop.condition.user_text)
    return " and ".join(asked) or None


def _schedule(region: RegionPlan, kernel: KernelPlan, level: Level) -> Record:
    """Who does what, by the schedule of the kernel that any launch can be made with."""
    schedule, fixed = kernel.own, of_user(region.loop)
    axes: list[Record] = [
        {
            "axis": axis.name,
            "loops": [loop.loop.var.name for loop in axis.loops],
            "iterations": [trip_text(loop.loop, fixed) for loop in axis.loops],
            "taken": axis.taken.words,
        }
        for axis in schedule.axes
    ]
    trips = [trip_text(loop.loop, fixed) for axis in schedule.axes for loop in axis.loops]
    trips += ["lanes"] * any(isinstance(axis.taken, Slots) for axis in schedule.axes)
    alone: list[Record] = [
        {
            "line": each.line,
            "loop": each.variable,
            "iterations": each.iterations,
            "because": each.because,
            "independent": each.independent,
        }
        for each in loops_alone(region, level)
    ]
    return {"axes": axes, "threads": product_text(trips), "alone": alone}


def _kernel(schedule: Schedule) -> Record:
    """How one of the kernels does it, and why."""
    found: Record = {f"copies of {each.symbol.name}": each.because for each in schedule.accumulators}
    found |= {f"additions to {each.words}": each.because for each in collected_by(schedule)}
    if schedule.vectors is not None:
        found["at once"] = "; ".join(array.because for array in schedule.vectors.arrays)
    match schedule.form:
        case TilePlan() | TransposedPlan() | RowCoarsening() | StreamPlan() as tiles:
            found[tiles.heading] = tiles.because
        case LaneSharing(instead=Instead(), stores=stores, because=because):
            found["groups of threads" if stores else "few points"] = because
        case _:
            pass
    return found


def _tuning(region: RegionPlan, kernel: KernelPlan, plan: Plan) -> Record:
    """What `ompc tune` can choose, and how it knows the loop."""
    found = schedule_knobs(kernel)
    return {
        "file": plan.source_of(region),
        "content": region.content,
        "knobs": list(knobs_of(kernel)),
        "tiles": [points for each in found for points in each.tiles],
        "kernels": [choices.record for choices in kernel.alternatives],
        "schedules": [
            {"kernel": each.kernel, "knobs": list(each.knobs), "tiles": list(each.tiles), "lanes": list(each.lanes)}
            for each in found
        ],
    }


def _variable(v: Variable, residual_transfers: Sequence[ResidualTransfer]) -> Record:
    return {
        "name": v.label,
        "type": type_text(v.symbol.type if v.slots is None else ty.Pointer(v.element)),
        "bytes": None if v.is_pointee else v.bytes,
        "access": access(v),
        "placement": v.placement.value,
        "host_buffer": None if v.host_buffer is None else v.host_buffer.value,
        "transfer_in": transfer_in(v),
        "transfer_out": transfer_out(v),
        "because": v.because,
        "crossings": [_residual_transfer(transfer) for transfer in residual_transfers],
    }


def _residual_transfer(transfer: ResidualTransfer) -> Record:
    return {
        "way": "in" if transfer.inward else "out",
        "when": transfer.timing.value,
        "because": transfer.because,
        "at": [
            {
                "file": access.loc.file,
                "line": access.loc.line,
                "access": access.effect.value,
                "by": access.by.value,
                "function": access.name or None,
            }
            for access in transfer.accesses
        ],
    }


def access(v: Variable) -> str:
    """What the region as a whole does with the user's object; a private copy's own accesses do not count."""
    match v.role:
        case Role.REDUCTION:
            return "readwrite"
        case Role.LASTPRIVATE:
            return "write"
        case Role.PRIVATE:
            return "readwrite"
        case Role.FIRSTPRIVATE:
            return "read"
        case _:
            return v.access


def transfer_in(v: Variable) -> str | None:
    """What is copied to the device before the launch, in words."""
    return _extent_text(v) if v.transfer_in is Transfer.COPY else None


def transfer_out(v: Variable) -> str | None:
    """What is copied back after the launch, in words."""
    if v.transfer_out is Transfer.NONE:
        return None
    if v.role is Role.REDUCTION:
        return "the result, combined with the host's value"
    if v.role is Role.LASTPRIVATE:
        return "the last iteration's value"
    match v.written:
        case Section() as section:
            return _section_text(section)
        case BoundingSection() as bounding_section:
            return _bounding_text(bounding_section)
        case None:
            return _extent_text(v)


def _extent_text(v: Variable) -> str:
    match v.extent:
        case ObjectExtent(bytes=None):
            return "whole object"
        case ObjectExtent(bytes=size):
            return f"whole object, {size} bytes"
        case BlockExtent():
            return "the block that holds it" if v.slots is None else "the blocks that hold them"
        case MappedExtent(section=mapped):
            return f"the block that holds it, or the mapped {mapped.count} elements from {mapped.first}"
        case ValueExtent() | ExpandedExtent():
            return "nothing"
        case BoundingExtent(bounding_section=bounding_section):
            return f"{_bounding_text(bounding_section)}{'' if bounding_section.exact else ', as far as the block goes'}"
        case SectionExtent(section=section):
            return _section_text(section)


def _section_text(section: Section) -> str:
    lower, upper = (_without_casts(text) for text in (section.lower, section.upper))
    return f"elements {lower} .. {upper}"


def _bounding_text(bounding_section: BoundingSection) -> str:
    texts = [lmad_text(lmad) for lmad in bounding_section.lmads]
    return texts[0] if len(texts) == 1 else f"from the first to the last of {', '.join(texts)}"


def _without_casts(text: str) -> str:
    """The widening casts are for the launcher's arithmetic, not for readers."""
    return text.replace("(long long)", "")
