"""The comment above a kernel: the line it comes from, how it is mapped, and where each object is and why.

In: RegionPlan, KernelPlan.   Out: lines.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from ompc.base.visible import one_line
from ompc.ir import tree as t
from ompc.plan.forms.collected_adds import collected_by
from ompc.plan.forms.slices import slices_text
from ompc.plan.model.launch import StreamPlan
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.tile_model import RowCoarsening
from ompc.plan.model.variable import Placement, Role, Transfer, Variable
from ompc.render.forms import vector_access

_WHERE = {
    Placement.CONSTANT: "constant memory",
    Placement.GLOBAL: "global memory",
    Placement.READONLY: "read-only data path",
    Placement.SHARED: "shared memory",
    Placement.REGISTER: "register",
    Placement.PARAMETER: "parameter",
}

_WIDTH = 97
"""Of the text behind `// `."""

_SUBSCRIPT = re.compile(r"\[[^][]*\]")
_LABELS = 24
"""Longer lists of names stand in no column."""


def in_comment(text: str) -> str:
    """A name of the user's, which may end neither the comment nor its line."""
    return one_line(text).replace("*/", "*\\/")


def _array_of(row: t.Expr) -> str:
    while isinstance(row, t.Index):
        row = row.base
    return row.symbol.name if isinstance(row, t.Name) else "an array"


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
    lines += _done_otherwise(kernel)
    lines += [f"  {each.heading}: {each.because}" for each in kernel.refused]
    if kernel.slices is not None:
        lines.append(f"  {slices_text(kernel.slices, kernel.grid[0])}")
    for each in region.loop.unswitched:
        lines.append(in_comment(f"  a branch is left out: the host runs the loop unless {each.condition}"))
    lines += [f"  {line}" for line in vector_access.because(kernel.own.vectors)]
    copies: dict[str, list[str]] = {}
    for copied in kernel.own.accumulators:
        copies.setdefault(copied.because, []).append(copied.symbol.name)
    lines += [f"  copies of {', '.join(names)} {because}" for because, names in copies.items()]
    lines += [f"  additions to {each.words}: {each.because}" for each in collected_by(kernel.own)]
    promised = [v.label for v in shown if v.overwrites or v.transfer_in is Transfer.NONE is not v.transfer_out]
    lines += _placed(shown)
    if promised:
        names = ", ".join(promised)
        why = "the launcher's promise; OMPC_CHECK=overwrites"
        they_are = "it is" if len(promised) == 1 else "they are"
        lines.append(f"  not copied in, since {they_are} overwritten: {names} ({why})")
    return lines


def _done_otherwise(kernel: KernelPlan) -> Iterator[str]:
    """What a thread does in another way than the program's text says."""
    own = kernel.own
    if own.batches is not None:
        yield f"  {own.batches.because}"
    if own.row_stores:
        arrays = ", ".join(dict.fromkeys(_array_of(store.row) for store in own.row_stores))
        yield f"  rows of {arrays} are stored by the lanes of a warp together"
    for form in (own.form_of(RowCoarsening), own.form_of(StreamPlan)):
        if form is not None:
            yield f"  {form.heading}: {form.because}"


def _placed(shown: Iterable[Variable]) -> list[str]:
    """Where each object is and why, once for those of which the same is said."""
    kinds: dict[str, list[str]] = {}
    for v in shown:
        kinds.setdefault(f"{_WHERE[v.placement]}: {v.placed_because}", []).append(v.label)
    labels = [", ".join(same) for same in kinds.values()]
    width = max((len(label) for label in labels if len(label) <= _LABELS), default=0)
    return [f"  {label:<{width}}  {why}" for label, why in zip(labels, kinds, strict=True)]


def wrapped(lines: Iterable[str]) -> list[str]:
    """The lines of a comment, of which the long ones go on below, further in."""
    return [piece for line in lines for piece in _wrapped(line)]


def _wrapped(line: str) -> list[str]:
    if len(line) <= _WIDTH or "\\" in line:  # which at the end of a line would join the next one to it
        return [line]
    first = line[: len(line) - len(line.lstrip())]
    kept = _SUBSCRIPT.sub(lambda found: found[0].replace(" ", "\0"), line.strip())
    wrapper = textwrap.TextWrapper(
        _WIDTH, first, f"{first}    ", replace_whitespace=False, break_long_words=False, break_on_hyphens=False
    )
    return [piece.replace("\0", " ") for piece in wrapper.wrap(kept)]


def _lines(region: RegionPlan) -> Iterable[int]:
    return (loop.line for loop in region.loops)


def pragma_of(region: RegionPlan) -> str:
    """The line of the pragma, as the user has written it if that is known."""
    pragma = region.loop.pragma
    return f"#pragma {pragma.directive.written}" if pragma.directive.written else f"#pragma {pragma.spelling}"


def _pragma_text(region: RegionPlan) -> str:
    if region.chain is not None:
        return f"a chain: one block does the loops and statements of lines {', '.join(map(str, _lines(region)))}"
    if region.loops:
        each = "statements" if region.loop.is_statement else "loops"
        return f"the {each} of lines {', '.join(map(str, _lines(region)))}, fused"
    if region.loop.is_statement:
        return "a statement between launches, added by ompc: what it reads and writes is on the device"
    if region.loop.is_divided:
        return "a loop that the threads of a parallel region divide themselves; its iterations are proved apart"
    if region.loop.is_added:
        return "a loop without a pragma, added by ompc: it stands between launches, and its iterations are proved apart"
    return pragma_of(region)
