"""Plan: unroll-and-jam: threads that compute several iterations together, where a loop reads the same for all.

    for (i = 0; i < n; i++) {                     for (i = 0; i < n; i += 2) {
        sum = 0;                                      sum[0] = sum[1] = 0;
        for (j = 0; j < n; j++)                       for (j = 0; j < n; j++)
            sum += f(x[j], x[i]);                         sum[0] += f(x[j], x[i]), sum[1] += f(x[j], x[i + 1]);
        y[i] = sum;                                   y[i] = sum[0], y[i + 1] = sum[1];
    }                                             }

An element of x is read once for both, and the operations of the two do not wait for each other. Iterations of a
parallel loop may run in any order, also step by step in turns; what a step of theirs computes goes from one step to the
next in variables of which there is one for each. Every operation stays what it was, and sums keep their order: the bits
are those of one iteration a thread with as many lanes.

So it is where warps divide loops to fill the device (ompc_thread_group.h), since those take their time, with nothing
around them but short stretches of code, and no branches inside, which iterations could take differently. What other
loops wait for is memory that their iterations do not have in common.

The schedule:

    axis x: i ..., together              axis x: i ..., two a thread, together
        alone: sum = 0;                      alone: sum[0] = 0; sum[1] = 0;
        together, j: sum += ...;             together, j: sum[0] += ...; sum[1] += ...;
        alone: y[i] = sum;                   alone: y[i] = sum[0]; y[i + 1] = sum[1];

    In: Schedule, Nest.   Out: Schedule; nothing is said of one whose threads have one iteration.
    Not here: how many there are -- the launch (points_of in ompc_tiling.h).
    Source: unroll-and-jam: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import assigned_in
from ompc.ir.walk import walk
from ompc.omp.model import Sharing
from ompc.plan.groups.lane_work import reads_in_common
from ompc.plan.groups.lanes import by_groups
from ompc.plan.machine import DEVICE
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.lane_results import ByLanes, Partial
from ompc.plan.model.lane_steps import Alone, GroupOf, LaneSharing, SharedLoop, Step, UnrollAndJam
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.nest import Nest

_LOOPS = (t.For, t.While, t.DoWhile)


def with_unroll_and_jam(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """With several iterations of a thread, where there are many."""
    sharing = schedule.lanes
    if sharing is None:
        return Refused()
    several = _several(nest.facts, sharing, nest.kernel.mapping.loops[0].var)
    if several is None:
        return Refused()
    because = f"{sharing.because}; {several.because}"
    return by_groups(schedule, replace(sharing, unroll_and_jam=several, because=because))


def _several(facts: Facts, sharing: LaneSharing, x: t.Symbol) -> UnrollAndJam | None:
    """The iterations of a thread; None: one, whatever the work. `x` is the parallel loop's variable."""
    loops = list(sharing.body.loops())
    if sharing.group_of is not GroupOf.WARPS or not LaunchEffects.of(facts).may_interleave:
        return None
    if not all(isinstance(step, (Alone, SharedLoop)) for step in sharing.body.steps):
        return None
    if not all(_is_straight(loop) and reads_in_common(facts, loop.loop) for loop in loops):
        return None
    alone = _nodes(sharing.body.alone())
    if len(alone) > DEVICE.jammed_around or x.address_taken or any(isinstance(node, _LOOPS) for node in alone):
        return None
    own = _of_each(facts, sharing, x)
    if own is None:
        return None
    needed = {symbol for loop in loops for symbol in (*loop.own, *(part.symbol for part in _partials(loop)))}
    changed = {symbol for statement in sharing.body.alone() for symbol in assigned_in(statement)}
    repeated = tuple(symbol for symbol in own if symbol in needed & changed)
    names = {name: Local(name) for name in ("points", "point", "mine")}
    because = f"a thread has two iterations where there are many, for which it reads {_texts(facts, loops)} once"
    return UnrollAndJam(names, own, repeated, because)


def _is_straight(shared: SharedLoop) -> bool:
    """Do all iterations execute the same operations, not too many?"""
    nodes = _nodes([shared.loop.body])
    plain = (t.Block, t.DeclStmt, t.ExprStmt, t.Empty)
    statements = all(isinstance(node, plain) for node in nodes if isinstance(node, t.Stmt))
    return statements and len(nodes) <= DEVICE.jammed_body and not shared.leaves and shared.side is None


def _of_each(facts: Facts, sharing: LaneSharing, x: t.Symbol) -> tuple[t.Symbol, ...] | None:
    """The variables by which an iteration hands on what a step of it has found; None where one is no number."""
    steps = [_statements(step) for step in sharing.body.steps]
    inside = {node.symbol for step in steps for node in _nodes(step) if isinstance(node, t.VarDecl)}
    partials = {part.symbol for loop in sharing.body.loops() for part in _partials(loop)}
    handed_on = partials.union(*map(_needs, sharing.body.steps))
    declared = {decl.symbol for decl in sharing.body.declared}
    found: list[t.Symbol] = [x]
    for symbol in dict.fromkeys(node.symbol for step in steps for node in _names(_nodes(step))):
        of_thread = facts.is_thread_private(MemoryObject(symbol)) and (
            symbol in declared or MemoryObject(symbol) in facts.written
        )
        if symbol is x or symbol in inside or not of_thread:
            continue
        if facts.loop.sharing.get(symbol) is Sharing.REDUCTION and symbol not in partials:
            continue  # of the thread, whose iterations add to it one after the other
        if not _is_own(facts, symbol):
            return None
        if symbol in handed_on:
            found.append(symbol)
    return tuple(found)


def _statements(step: Step) -> tuple[t.Stmt, ...]:
    """The code of a step, each part of which is executed for one iteration after the other."""
    match step:
        case Alone(statements=statements):
            return (t.Block(statements[0].loc, statements),)
        case SharedLoop(loop=loop):
            bounds = (bound for bound in (loop.lower, loop.upper, loop.step) if bound is not None)
            return (loop.body, *(t.ExprStmt(bound.loc, bound) for bound in bounds))
        case _:
            raise TypeError(f"iterations are not together in {type(step).__name__}")


def _needs(step: Step) -> set[t.Symbol]:
    """What may be read in a step before it is set there."""
    read = {symbol for statement in _statements(step) for symbol in exposed_reads(statement)}
    return read - ({step.loop.var} if isinstance(step, SharedLoop) else set())


def _is_own(facts: Facts, symbol: t.Symbol) -> bool:
    """Is it a number or pointer that each iteration sets before it reads it?"""
    private = facts.loop.sharing.get(symbol) in (None, Sharing.PRIVATE)
    kinds = (ty.Int, ty.Float, ty.Pointer)
    return private and isinstance(ty.unqualified(symbol.type), kinds) and not symbol.address_taken


def _partials(shared: SharedLoop) -> tuple[Partial, ...]:
    return shared.how.partials if isinstance(shared.how, ByLanes) else ()


def _texts(facts: Facts, loops: Iterable[SharedLoop]) -> str:
    found = (text for loop in loops for text in reads_in_common(facts, loop.loop))
    return ", ".join(dict.fromkeys(found))


def _nodes(statements: Iterable[t.Stmt]) -> list[t.Stmt | t.Expr | t.VarDecl]:
    return [node for statement in statements for node in walk(statement)]


def _names(nodes: Iterable[t.Stmt | t.Expr | t.VarDecl]) -> Iterator[t.Name]:
    return (node for node in nodes if isinstance(node, t.Name))
