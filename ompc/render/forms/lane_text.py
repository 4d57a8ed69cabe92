"""Pieces of text that kernels whose lanes share loops are put together from.

    In: lines, or what a plan says.   Out: lines; template arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.plan.model.batch_model import BatchedLoop
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import UnrollAndJam
from ompc.plan.model.names import Name
from ompc.render.code.statements import INDENT


def function_lines(head: str, body: Sequence[str], end: str) -> Iterator[str]:
    if len(body) == 1:
        yield f"{2 * INDENT}{head} {body[0]} }}{end}"
    else:
        yield from (2 * INDENT + head, *(3 * INDENT + line for line in body), f"{2 * INDENT}}}{end}")


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
