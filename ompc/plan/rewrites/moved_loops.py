"""Plan: loops inside of others, or one after the other, come out as one that is an axis of the grid (`auto`).

    for (i ...) {                              for (i ...)
        for (j ...) w[j] = b[i][j];                for (j ...) {
        for (k ...)                                    double w = b[i][j];
            for (j ...) c[i][j] += w[j];   ->          for (k ...) c[i][j] += w;
    }                                              }

Where that is proved to change nothing (interchange.py), and the new loop does become an axis (mapping.py).

    In: Facts.   Out: the Facts of the same loop, and what has changed; or the same Facts.
    Not here: statements between two perfectly nested loops -- sinking.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.queries import symbols_in
from ompc.ir.rewrite import rewritten
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Mapping, choose_mapping, only_loop
from ompc.plan.rewrites.boxes import boxed
from ompc.plan.rewrites.interchange import Moved, moved_out


def with_loops_outside(facts: Facts, boxes: bool = True) -> tuple[Facts, str | None]:
    """`facts` with loops moved out of others, and a line that says which. `boxes`: also those of triangles."""
    lines: list[str] = []
    mapping = choose_mapping(facts, joins=True)
    while len(mapping.loops) < DEVICE.axes:
        found = (_boxed(facts, mapping) if boxes else None) or _deeper(facts, mapping, boxes)
        if found is None:
            break
        facts, mapping, line = found
        lines.append(line)
    return facts, "; ".join(lines) or None


def _boxed(facts: Facts, mapping: Mapping) -> tuple[Facts, Mapping, str] | None:
    """With one more axis: the bounding box of the loop that is all there is in an iteration."""
    inner, nest = only_loop(facts, mapping.body), mapping.nest or mapping.loops
    box = None if inner is None else boxed(facts, inner, nest)
    if inner is None or box is None:
        return None
    after = with_body(facts, inner.statement, box)
    deeper = None if isinstance(after, Reason) else choose_mapping(after, joins=True)
    if isinstance(after, Reason) or deeper is None or len(deeper.loops) <= len(mapping.loops):
        return None
    moving = symbols_in(inner.lower) | symbols_in(inner.upper)
    name, outer = inner.var.name, next(loop.var.name for loop in nest if loop.var in moving)
    return after, deeper, f"the loop over {name} goes over all iterations that it has for any {outer}, with a guard"


def _deeper(facts: Facts, mapping: Mapping, boxes: bool) -> tuple[Facts, Mapping, str] | None:
    """With one more axis."""
    nest = mapping.nest or mapping.loops
    for moved in moved_out(facts, mapping.body, nest):
        fixed = facts.invariance.holds(*moved.bounds)
        if not fixed and not (boxes and all(boxed(facts, loop, nest) for loop in moved.loops)):
            continue
        after = with_body(facts, mapping.body, moved.nest, moved.contracted)
        if isinstance(after, Reason):
            continue
        deeper = choose_mapping(after, joins=True)
        if not fixed and (found := _boxed(after, deeper)) is not None:
            return found[0], found[1], f"{_line(facts, moved)}; {found[2]}"
        if len(deeper.loops) > len(mapping.loops):
            return after, deeper, _line(facts, moved)
    return None


def with_body(facts: Facts, old: t.Stmt, new: t.Stmt, gone: Collection[t.Symbol] = ()) -> Facts | Reason:
    """The facts of the loop with another body for one iteration of its nest, in which some variables are `gone`."""
    loop = facts.loop
    if gone:
        loop = replace(loop, sharing={symbol: how for symbol, how in loop.sharing.items() if symbol not in gone})
    body = rewritten(facts.device_code.body, lambda node: new if node is old else None)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return gather_again(facts, replace(loop, body=body, loops=loops))


def _line(facts: Facts, moved: Moved) -> str:
    places = [loop.statement.loc for loop in moved.loops]
    lines = sorted({place.line for place in places if place.file == facts.loop.loc.file})
    where = f"the loop over {moved.loops[0].var.name} is around the others"
    if len(lines) > 1:
        where = f"the loops of lines {', '.join(map(str, lines))} are one loop around the others"
    arrays = ", ".join(symbol.name for symbol in moved.contracted)
    return where + (f", and each thread has its part of {arrays}" if arrays else "")
