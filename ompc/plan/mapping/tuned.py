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
from ompc.base.tuning import Tuning
from ompc.ir import tree as t
from ompc.ir.show import statement_lines
from ompc.omp.model import Override
from ompc.plan.model.launch import TunedShape
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.tile_model import RowCoarsening, TilePlan, TransposedPlan

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


def knobs_of(kernel: KernelPlan) -> tuple[str, ...]:
    """What can be chosen of the launches, what decides most first; nothing where they have OpenMPC's shape."""
    if kernel.per_launch_allocation:
        return ()
    knobs = ["tile"] * bool(tile_sizes(kernel)) + ["rows"] * _has_rows(kernel)
    knobs += ["lanes"] * (kernel.own.lanes is not None) + ["block"] * (kernel.threads is None)
    return (*knobs, *["fills"] * (kernel.blocks is None))


def _has_rows(kernel: KernelPlan) -> bool:
    """Is there a form of the kernel whose threads have several rows, or iterations?"""
    lanes, rows = kernel.own.lanes, kernel.own.form_of(RowCoarsening)
    return rows is not None or (lanes is not None and lanes.unroll_and_jam is not None)


def tile_sizes(kernel: KernelPlan) -> tuple[int, ...]:
    """The points of a thread in the tiles that the kernel can have, 0 for none; nothing where it has none."""
    forms = (schedule.form for schedule in kernel.schedules)
    return next((form.tile_sizes for form in forms if isinstance(form, (TilePlan, TransposedPlan))), ())
