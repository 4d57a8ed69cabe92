"""Pieces of text that kernels whose lanes share loops are put together from.

    In: lines, or what a plan says.   Out: lines; template arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.ir import tree as t
from ompc.plan.model.batch_model import BatchedLoop
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import Chosen, GroupOf, LaneSharing, Scope, SharedLoop, UnrollAndJam
from ompc.plan.model.names import Name
from ompc.render.code.statements import INDENT
from ompc.render.layout import WIDTH

_LARGER_BLOCKS = 2
"""The most blocks that a multiprocessor is asked to hold at the same time where a block has one row: that leaves 64
registers to a thread.
"""

_SHORT = 88
"""The longest function that stands in one line: with what is around it, that need not be broken."""


def waits_in_front(sharing: LaneSharing, shared: SharedLoop) -> bool:
    """Does the group wait in front of the loop for what others may have done? Tables are made ready there, too."""
    if sharing.group_of is GroupOf.PRODUCERS:  # what hands on has barriers
        return False
    return bool(shared.reads or shared.stores) and (shared not in sharing.ready or shared in sharing.collected)


def function_lines(head: str, body: Sequence[str], end: str) -> Iterator[str]:
    if len(body) == 1 and len(head) + len(body[0]) <= _SHORT:
        yield f"{2 * INDENT}{head} {body[0]} }}{end}"
    else:
        yield from (2 * INDENT + head, *(3 * INDENT + line for line in body), f"{2 * INDENT}}}{end}")


def where_apart(shared: SharedLoop, text: Callable[[t.Expr], str]) -> Iterator[str]:
    """What is asked of a nest's strides, when it is known how many entries its loops have."""
    asked = [f"counts.are_apart({', '.join(map(text, strides))})" for strides in shared.asked]
    head = f"[&](const ompc::NestCounts<{len(shared.loops)}> &counts) {{"
    return function_lines(head, [f"return {' && '.join(asked)};"], ",")


def braced(head: str, lines: Sequence[str] | Iterator[str]) -> Iterator[str]:
    yield f"{head} {{".lstrip()
    yield from (INDENT + line for line in lines)
    yield "}"


def division(how: ByLanes, batched: BatchedLoop | None, points: UnrollAndJam | None, by_block: Name | None) -> str:
    """The template arguments that say how a loop is divided."""
    size = str(how.together if batched is None else batched.size)
    arguments = [size if points is None else f"{size} / {points.names['points']}"]
    by_results = batched is not None and batched.by_results
    if by_block is not None and (by_block != "false" or by_results):
        arguments.append(str(by_block))
    return ", ".join([*arguments, "ompc::by_results"] if by_results else arguments)


def bounded(bounds: str) -> list[str]:
    """How a kernel with these launch bounds begins."""
    line = f"__global__ void {bounds}"
    return [] if not bounds else [line] if len(line) <= WIDTH else ["__global__ void", bounds]


def launch_bounds(sharing: LaneSharing) -> str:
    """So that the compiler takes the registers it needs to read several entries before it waits, and no more."""
    threads, blocks = "ompc::most_sharing_threads", sharing.distribution.blocks
    if sharing.by_block is None:
        return f"__launch_bounds__({threads}, {blocks})"
    form, larger = sharing.by_block.name, max(1, min(blocks // 2, _LARGER_BLOCKS))
    return f"__launch_bounds__({form} ? ompc::most_row_threads : {threads}, {form} ? {larger} : {blocks})"


def declared_in_scope(scope: Scope) -> Iterator[t.Symbol]:
    """What stands in the braces of a scope, if those of scopes inside of it are left out."""
    yield from (decl.symbol for decl in scope.declared)
    for step in scope.steps:
        match step:
            case Scope():
                yield from declared_in_scope(step)
            case Chosen(then=then, other=other):
                yield from declared_in_scope(then)
                yield from () if other is None else declared_in_scope(other)
            case _:
                pass


def only_condition(statements: Sequence[t.Stmt]) -> t.Expr | None:
    """Under which all of them are done."""
    match statements:
        case (t.If(condition=condition, other=None),):
            return condition
        case _:
            return None
