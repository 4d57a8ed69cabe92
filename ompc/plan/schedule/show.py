"""The text form of schedules: for `--dump schedule`, tests and internal errors.

    main_u of region main_u: several rows a thread
        axis y: i = 1; i < n - 1; i += 1 (n - 2 iterations), up to 8 by a thread at a time
        axis x: j = 1; j < m - 1; j += 1 (m - 2 iterations)
            strip of i
                body, line 14
        combine error, Sum, grid

    In: Plan, or a Schedule.   Out: text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.plan.mapping.trip_text import head_text
from ompc.plan.model.lane_steps import Alone, Chosen, Repeated, SharedLoop, Step
from ompc.plan.model.lane_steps import Scope as LaneScope
from ompc.plan.model.plan import Plan
from ompc.plan.model.schedule import (
    Axis,
    Barrier,
    Body,
    Last,
    Node,
    OnePoint,
    PointsOfThread,
    Prefix,
    Private,
    Product,
    RegisterTile,
    Schedule,
    Serial,
    SharedBody,
    Stage,
    Steps,
    StripLoop,
    TilePoints,
)
from ompc.plan.model.tile_model import Part, StagedRead, TransposedElement

_PAD = "    "


def show_schedules(plan: Plan) -> str:
    """The schedules of all kernels of the file; every line is ended. The same plan gives the same text."""
    kernels = (found for region in plan.regions for found in region.kernels)
    return "".join(show_schedule(s, region.id) for region, kernel in kernels for s in kernel.schedules)


def show_schedule(schedule: Schedule, region: str) -> str:
    """One schedule, of a loop of that name."""
    lines = [f"{schedule.kernel} of region {region}: {schedule.what}"]
    turn = "" if schedule.once is None else ", or one turn"
    lines += [_PAD + _axis(axis) + turn for axis in schedule.axes]
    lines += (2 * _PAD + line for line in _node(schedule.body))
    lines += [f"{_PAD}combine {each.what}, {each.operator}, {each.scope.value}" for each in schedule.combined]
    return "".join(line + "\n" for line in lines)


def _axis(axis: Axis) -> str:
    loops = ", ".join(head_text(loop.loop) for loop in axis.loops)
    begin = "" if axis.begin is None else f", from {axis.begin} on"
    lead = axis.taken.lead if isinstance(axis.taken, OnePoint) else 0
    taken = f", behind {lead} idle" if lead else "" if axis.taken.words == OnePoint().words else f", {axis.taken.words}"
    return f"axis {axis.name}: {loops}{begin}{taken}"


def _node(node: Node) -> Iterator[str]:
    match node:
        case Steps(steps=steps):
            for step in steps:
                yield from _node(step)
        case StripLoop(loop=loop, body=body):
            yield from _around(f"strip of {loop.variable}", body)
        case TilePoints(axis=axis, body=body):
            yield from _around(f"points of the tile along {axis}", body)
        case RegisterTile(part=part, body=body):
            real = " that there are" if part in (Part.AHEAD, Part.AFTER) else ""
            yield from _around(f"points of the thread{real}", body)
        case PointsOfThread(body=body):
            yield from _around("points of the thread", body)
        case Prefix(scan=scan, items=items):
            yield f"prefix of {', '.join(f'{name}, {op}' for name, op in items)}, {scan.words}"
        case Serial(loop=loop, strip=strip, body=body):
            yield from _around(f"serial {head_text(loop.loop)}, {strip} at a time", body)
        case Stage(elements=elements, out=out, ahead=ahead):
            way = "stage out" if out else "stage the next turn's" if ahead else "stage"
            yield f"{way} {', '.join(map(_staged, elements))}"
        case Barrier():
            yield "barrier"
        case Private(items=items):
            yield "each point has " + ", ".join(str(item.own) for item in items)
        case Product(tile=tile):
            yield f"products of doubles into {tile.product.own if tile.product else ''}"
        case Body(statements=statements):
            yield f"body, {_lines(statements)}"
        case SharedBody(form=form):
            yield from _scope(form.body)
        case Last(names=names):
            yield f"in the last iteration: {', '.join(names)}"


def _around(head: str, body: Node) -> Iterator[str]:
    yield head
    yield from (_PAD + line for line in _node(body))


def _scope(scope: LaneScope) -> Iterator[str]:
    for step in scope.steps:
        yield from _step(step)


def _step(step: Step) -> Iterator[str]:
    match step:
        case Alone(statements=statements):
            yield f"alone, {_lines(statements)}"
        case SharedLoop(loops=loops, side=side):
            yield f"together, {'lanes' if side is None else 'warps'}: {', '.join(map(head_text, loops))}"
        case LaneScope():
            yield from _scope(step)
        case Repeated(loop=loop, body=body):
            yield f"all, line {loop.loc.line}: repeated"
            yield from (_PAD + line for line in _scope(body))
        case Chosen(condition=condition, then=then, other=other):
            yield f"where {c_expr(condition)}"
            yield from (_PAD + line for line in _scope(then))
            if other is not None:
                yield "else"
                yield from (_PAD + line for line in _scope(other))


def _staged(element: StagedRead | TransposedElement) -> str:
    return f"{c_expr(element.nodes[0])} in {element.tile}"


def _lines(statements: Iterable[t.Stmt]) -> str:
    lines = sorted({statement.loc.line for statement in statements})
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}" if lines else "empty"
