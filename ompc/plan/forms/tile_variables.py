"""Plan: which variables of a tiled nest every point has a copy of.

    for (i ...) for (j ...) {
        float s = 0, w = f[i];        s: each point's own, from the declaration to the store
        for (k ...) {
            float v = a[i][k];        v: of one iteration; declared where it was
            s += v * b[k][j];
        }
        float r = s * w;              r: of what comes after the loop alone
        c[i][j] = r;
    }

Code before, in and after the inner loop becomes three loops over a thread's points, so what one part assigns and
another one reads needs a place for each point.

    In: Facts, RegisterTileBody, the variables of the grid.   Out: PointVariables, and what each part declares for
    itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.locality.register_tile import RegisterTileBody
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import Sharing
from ompc.plan.forms.tile_reads import Untileable
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.tile_model import RegisterTileVariable

Locals = tuple[tuple[t.Symbol, ...], tuple[t.Symbol, ...], tuple[t.Symbol, ...]]


def register_tile_variables(
    facts: Facts, body: RegisterTileBody, counters: Collection[t.Symbol]
) -> tuple[tuple[RegisterTileVariable, ...], Locals]:
    """What every point has of its own, and what is declared outside of the only part that uses it, by part."""
    parts = (body.before, (body.loop.body,), body.after)
    named = [{node.symbol for node in _nodes(part) if isinstance(node, t.Name)} for part in parts]
    declared = [{node.symbol for node in _nodes(part) if isinstance(node, t.VarDecl)} for part in parts]
    known = {*counters, body.loop.var} | {d.symbol for d in body.definitions}
    own: list[RegisterTileVariable] = []
    alone: tuple[list[t.Symbol], ...] = ([], [], [])
    for symbol in sorted(frozenset().union(*named), key=lambda symbol: symbol.position):
        if symbol in known or not _is_own(facts, symbol):
            continue
        used = [k for k in range(3) if symbol in named[k]]
        if symbol in declared[used[0]] and len(used) == 1:
            continue
        carried = used == [1] and symbol in exposed_reads(body.loop.body)
        if len(used) == 1 and not carried:
            alone[used[0]].append(symbol)
        else:
            own.append(_register_tile_variable(symbol))
    _check_names(body, counters, alone)
    return tuple(own), (tuple(alone[0]), tuple(alone[1]), tuple(alone[2]))


def _nodes(part: Sequence[t.Stmt]) -> Iterator[object]:
    for item in part:
        yield from walk(item)


def _is_own(facts: Facts, symbol: t.Symbol) -> bool:
    if isinstance(symbol.type, ty.Function) or facts.loop.sharing.get(symbol) is Sharing.FIRSTPRIVATE:
        return False
    return facts.is_thread_private(MemoryObject(symbol))


def _register_tile_variable(symbol: t.Symbol) -> RegisterTileVariable:
    if not ty.is_arithmetic(symbol.type) or symbol.address_taken or "volatile" in symbol.type.quals:
        raise Untileable(f"'{symbol.name}' is no plain number of which every point could have a copy")
    return RegisterTileVariable(symbol, Local(f"{spelled(symbol.name)}_own"))


def _check_names(body: RegisterTileBody, counters: Collection[t.Symbol], alone: Sequence[Sequence[t.Symbol]]) -> None:
    """What is declared anew must hide nothing of the same name."""
    moved = [d.symbol for d in body.definitions] + [symbol for part in alone for symbol in part]
    moved += [body.loop.var]
    names = {symbol.name for symbol in (*moved, *counters)}
    parts = (*body.ahead, *body.before, body.loop.body, *body.after, *body.behind)
    known = {*moved, *counters}
    clash = len(names) < len(moved) + len({symbol.name for symbol in counters}) or any(
        isinstance(node, (t.Name, t.VarDecl)) and node.symbol.name in names and node.symbol not in known
        for node in _nodes(parts)
    )
    if clash:
        raise Untileable("two variables have one name")
