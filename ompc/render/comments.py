"""The comment above a kernel: the line it comes from, how it is mapped, and where each object is and why.

In: RegionPlan, KernelPlan.   Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.base.visible import one_line
from ompc.plan.forms.slices import slices_text
from ompc.plan.model.launch import StreamPlan
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.tile_model import RowCoarsening
from ompc.plan.model.variable import Placement, Role
from ompc.render.forms import vector_access

_WHERE = {
    Placement.CONSTANT: "constant memory",
    Placement.GLOBAL: "global memory",
    Placement.READONLY: "read-only data path",
    Placement.SHARED: "shared memory",
    Placement.REGISTER: "register",
    Placement.PARAMETER: "parameter",
}


def in_comment(text: str) -> str:
    """A name of the user's, which may end neither the comment nor its line."""
    return one_line(text).replace("*/", "*\\/")


def kernel_comment(source: str, region: RegionPlan, kernel: KernelPlan) -> list[str]:
    """The comment above a kernel: the line it comes from, and where each object is and why."""
    lines = [in_comment(f"{source}:{region.loop.line}: {_pragma_text(region)}")]
    if region.where:
        lines.append(f"  where {region.where}: one array has two names")
    expanded = {array.symbol for array in kernel.expanded}
    shown = [v for v in region.variables if v.role in (Role.ARRAY, Role.CELL, Role.LINKED) or v.symbol in expanded]
    if kernel.shape_because is not None:
        lines.append(f"  launched with {kernel.shape_because}")
    lines += [f"  {message}" for message in kernel.messages]
    if kernel.mapped_because is not None:
        axes = ", ".join(f"{loop.variable}: {loop.axis}" for loop in kernel.grid)
        lines.append(f"  grid axes {axes}; {kernel.mapped_because}")
    if kernel.own.batches is not None:
        lines.append(f"  {kernel.own.batches.because}")
    rows = kernel.own.form_of(RowCoarsening)
    if rows is not None:
        lines.append(f"  {rows.heading}: {rows.because}")
    streams = kernel.own.form_of(StreamPlan)
    if streams is not None:
        lines.append(f"  {streams.heading}: {streams.because}")
    lines += [f"  {each.heading}: {each.because}" for each in kernel.refused]
    if kernel.slices is not None:
        lines.append(f"  {slices_text(kernel.slices, kernel.grid[0])}")
    for each in region.loop.unswitched:
        lines.append(in_comment(f"  a branch is left out: the host runs the loop unless {each.condition}"))
    width = max((len(v.label) for v in shown), default=0)
    lines += [f"  {line}" for line in vector_access.because(kernel.own.vectors)]
    lines += [f"  copies of {copied.symbol.name} {copied.because}" for copied in kernel.own.accumulators]
    lines += [f"  {v.label:<{width}}  {_WHERE[v.placement]}: {v.placed_because}" for v in shown]
    return lines


def _lines(region: RegionPlan) -> Iterable[int]:
    return (loop.line for loop in region.loops)


def _pragma_text(region: RegionPlan) -> str:
    if region.chain is not None:
        return f"a chain: one block does the loops and statements of lines {', '.join(map(str, _lines(region)))}"
    if region.loops:
        each = "statements" if region.loop.is_statement else "loops"
        return f"the {each} of lines {', '.join(map(str, _lines(region)))}, fused"
    if region.loop.is_statement:
        return "a statement between launches, added by ompc: what it reads and writes is on the device"
    if region.loop.is_added:
        return "a loop without a pragma, added by ompc: it stands between launches, and its iterations are proved apart"
    return f"#pragma {region.loop.pragma.spelling}"
