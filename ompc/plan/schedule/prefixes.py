"""The schedule of a loop with `scan`: blocks take tiles in their order; iterations see what those before them put in.

    axis x: i ..., up to 4096 by a block at a time, in their order
        points of the thread
            body, line 5                     the input phase
        prefix of s, Sum, inclusive          all threads of the block meet; what other blocks have found is waited for
        points of the thread
            body, line 7                     the scan phase
            in the last iteration: x
    combine s, Sum, grid                     what the last iteration has seen, with the original value

One pass: the input phase runs once, so that it may write. Each block publishes what its tile comes to before it waits
for those in front of it, so that none waits long (ompc_scan.h). The other way, reduce-then-scan, runs it twice, and
would have to be proved right.

All levels have it: it is what the directive means, and no optimisation. No other rewrite of a schedule is tried: each
knows iterations whose statements are one piece.

    Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.

    In: the kernel with one point a thread, the phases of its body, what is combined.   Out: Schedule.
    Not here: whether the phases may run apart -- analysis/scan_phases.py; text -- render/forms/prefixes.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.scan_phases import Phases
from ompc.omp.model import Scan
from ompc.plan.model.names import Local
from ompc.plan.model.plan import Reduction
from ompc.plan.model.scan_model import ScanItem, ScanPlan
from ompc.plan.model.schedule import Body, InOrderTiles, Last, Node, PointsOfThread, Prefix, Schedule, Steps, in_order


def with_prefixes(points: Schedule, scan: Scan, phases: Phases, items: Sequence[Reduction]) -> Schedule:
    """`points`, the kernel with one point a thread, as it is where the `items` are prefixes."""
    found = tuple(ScanItem(item.name, Local(f"{item.name}_values"), item.result) for item in items)
    plan = ScanPlan(scan.inclusive, found, Local("tile"), Local("row"))
    last = [node for node in _steps(points.body) if isinstance(node, Last)]
    steps = (
        PointsOfThread(plan, True, Body((phases.entering,))),
        Prefix(plan, tuple((item.symbol.name, item.op) for item in items)),
        PointsOfThread(plan, False, in_order((Body((phases.seeing,)), *last))),
    )
    axes = tuple(replace(axis, taken=InOrderTiles(plan)) for axis in points.axes)
    return replace(points, what="prefixes in one pass", axes=axes, body=Steps(steps))


def _steps(node: Node) -> tuple[Node, ...]:
    return node.steps if isinstance(node, Steps) else (node,)
