"""Plan: which kernels and shapes of launches are asked for, or were measured for this loop on some device.

    static const ompc::Tuned tuned[] = {ompc::on("NVIDIA H200", 24).block(64, 4).rows(8)};

A loop is found again by its content: the text of its statement and of the functions that it calls, with macros expanded
and without line numbers, so that other code of the file may change. What the source asks for holds on all devices and
for all sizes, and then nothing that was measured counts. A loop has one kernel: it is made as was best where launches
take longest, and shapes that were measured with another one do not count.

    In: Facts, the Override, Tuning.   Out: Tuned entries with their reason, a loop's content, its knobs; Facts with how
    the kernel is to be made.
    Not here: which entry a launch takes -- runtime/launch/ompc_tuning.h; what is legal -- mapping.py, constant.py.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.base.frozen import dataclass
from ompc.base.tuning import Tuning
from ompc.ir import tree as t
from ompc.ir.show import statement_lines
from ompc.omp.model import Override
from ompc.plan.model.lane_steps import GroupOf, LaneSharing
from ompc.plan.model.launch import TunedShape
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.schedule import Schedule
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan

_ORDER = ("tile", "rows", "lanes", "block", "fills")
_OF_LANES, _OF_BLOCKS = (1, 2, 4, 8, 16, 32), (512,)
_OF_WARPS = (*_OF_LANES, 64, 128, 256)
_OF_PRODUCERS = (1, 32)
"""The lanes of an iteration: of a warp, and all those of a block; in all warps of a block; any number but one has the
other warps of the block help.
"""

_LINE = re.compile(r"  // line \d+.*")


def content_of(facts: Facts) -> str:
    """What tells the loop from others, as 16 hexadecimal digits."""
    statements: list[t.Stmt] = [facts.loop.loops[0].statement]
    lines = [facts.loop.directive.name]
    for function in sorted(facts.device_code.functions, key=lambda function: function.name):
        if function.body is not None:
            lines.append(function.name)
            statements.append(function.body)
    lines += [_LINE.sub("", line) for statement in statements for line in statement_lines(statement)]
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:16]


def with_measured_kernel(facts: Facts, tuning: Tuning | None) -> Facts:
    """`facts` with how the kernel is to be made, where that was measured and the source says nothing; at --opt auto."""
    asked = facts.loop.override
    if tuning is None or not tuning.has_kernels or asked.shape.values() or asked.annotated_only:
        return facts
    best = tuning.kernel_of(content_of(facts))
    if best is None:
        return facts
    measured = f"{best.gain:.2f} times as fast on {best.device}, measured"
    override = replace(asked, shape=best.choices.kernel, measured=measured)
    return replace(facts, loop=replace(facts.loop, override=override))


def with_tuned_shapes(region: RegionPlan, facts: Facts, tuning: Tuning | None, wanted: bool) -> RegionPlan:
    """`region` with its content, and what is known of it, if that is `wanted`."""
    assert region.kernel is not None
    content = content_of(facts)
    if not wanted:
        return replace(region, content=content)
    tuned = _tuned_shapes(facts.loop.override, tuning, content)
    because = [region.kernel.shape_because, *map(_in_words, tuned)]
    kernel = replace(region.kernel, tuned=tuned, shape_because="; ".join(filter(None, because)) or None)
    return replace(region, content=content, kernel=kernel)


def _in_words(shape: TunedShape) -> str:
    where = "" if shape.device is None else f" on {shape.device} for about 2^{shape.size_class} iterations"
    return f"{shape.choices.clauses}{where}, {shape.because}"


def _tuned_shapes(asked: Override, tuning: Tuning | None, content: str) -> tuple[TunedShape, ...]:
    """The entries of the launcher's table."""
    if asked.shape.values() and not asked.measured:
        launch = asked.shape.launch
        return (TunedShape(None, None, launch, asked.kernel_because),) if launch.values() else ()
    found = () if tuning is None else tuning.of(content)
    return tuple(
        TunedShape(entry.device, entry.size_class, entry.choices.launch, f"{entry.gain:.2f} times as fast, measured")
        for entry in found
        if entry.choices.launch.values() and entry.choices.kernel == asked.shape
    )


@dataclass(frozen=True, slots=True)
class ScheduleKnobs:
    """What can be chosen of launches of `kernel`, what decides most first; `tiles`, `lanes`: the values of these."""

    kernel: str
    knobs: tuple[str, ...]
    tiles: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()


def knobs_of(kernel: KernelPlan) -> tuple[str, ...]:
    """What can be chosen of the launches; which of their kernels it is comes first."""
    schedules = schedule_knobs(kernel)
    found = {knob for each in schedules for knob in each.knobs}
    return (*["schedule"] * (len(schedules) > 1), *(knob for knob in _ORDER if knob in found))


def schedule_knobs(kernel: KernelPlan) -> tuple[ScheduleKnobs, ...]:
    """Of each kernel among which the launcher chooses, by its number; nothing where they have OpenMPC's shape."""
    return () if kernel.per_launch_allocation else tuple(_knobs(kernel, schedule) for schedule in kernel.schedules)


def _knobs(kernel: KernelPlan, schedule: Schedule) -> ScheduleKnobs:
    if isinstance(schedule.form, (TilePlan, TransposedPlan)):
        tiles = schedule.form.tile_sizes
        return ScheduleKnobs(str(schedule.kernel), ("tile",) * bool(tiles), tiles)
    lanes = () if schedule.lanes is None else _lanes(kernel, schedule.lanes)
    own_blocks = schedule.lanes is not None and schedule.lanes.group_of is GroupOf.WARPS
    knobs = ["rows"] * _has_rows(schedule) + ["lanes"] * bool(lanes)
    knobs += ["block"] * (kernel.threads is None and not own_blocks) + ["fills"] * (kernel.blocks is None)
    return ScheduleKnobs(str(schedule.kernel), tuple(knobs), (), lanes)


def _lanes(kernel: KernelPlan, sharing: LaneSharing) -> tuple[int, ...]:
    """The threads that an iteration can have, as ompc_sharing.h has them; of a point that is not split there is another
    kernel.
    """
    match sharing.group_of:
        case GroupOf.PRODUCERS:
            return _OF_PRODUCERS
        case GroupOf.WARPS:
            return _OF_WARPS if sharing.instead is None else _OF_WARPS[1:]
        case GroupOf.LANES:
            return _OF_LANES + _OF_BLOCKS * (sharing.by_block is not None and kernel.threads is None)


def _has_rows(schedule: Schedule) -> bool:
    """Is there a form of the kernel whose threads have several rows, or iterations?"""
    lanes, rows = schedule.lanes, schedule.form_of(RowCoarsening)
    return rows is not None or (lanes is not None and lanes.unroll_and_jam is not None)
