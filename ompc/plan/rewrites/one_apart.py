"""Rewrite: a loop of which one iteration changes what all others read is done in three parts (`auto`).

    for (j = 0; j < n; j++)                             for (j = 0; j < n; j++) if (j < k) B
        if (d[i][k] + d[k][j] < d[i][j])       ->       for (j = 0; j < n; j++) if (j == k) B
            d[i][j] = d[i][k] + d[k][j];                for (j = 0; j < n; j++) if (j > k) B

Iteration k stores to d[i][k], which those before it read as it was, and those behind it as it is then. The parts have
all iterations, each once and in order, so nothing changes; and those of one part are independent of each other, so that
the threads of a group can divide them, and wait between the parts. That goes for loops over rows of which one element
is a factor, or a pivot: shortest paths, transitive closures, the elimination of Gauss and Jordan.

    which iteration   an access that does not move with the loop, and one that does, are the same element where the
                      counter is one number: a variable that the launch does not change, the counter of an annotated
                      loop, or a constant. It is found in the difference of their offsets; the parts are right
                      whichever number it is, also one that the counter never is
    the same head     bounds and that number are the same when the second and the third part begin
    to the end        no iteration leaves the loop, so that the others would not be done
    neighbours        where neighbouring iterations have neighbouring elements: a thread alone is not served by parts

    In: Facts.   Out: the Facts of the same loop, and a line about what was done; or the same Facts.
    Not here: why iterations of a part are independent -- groups/storing_loops.py; loops that are axes of the grid as
    they are; two such iterations; parts as axes of several launches, since a loop is one launch.
    Source: index set splitting (Wolfe, "High Performance Compilers for Parallel Computing", 9.3; Griebl, Feautrier and
    Lengauer, "Index set splitting", 2000).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.memory.accesses import Access
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import breaks, labels_in, leaves_loop
from ompc.ir.queries import declarations_in, declared_in, nodes, set_in, symbols_in
from ompc.ir.rewrite import copied_around
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.storing_loops import why_dependent
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.moved_loops import with_body

_PARTS = ("<", "==", ">")
_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.For, t.While, t.DoWhile)


def with_one_apart(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with loops in three parts, where that makes the iterations of each independent."""
    lines: list[str] = []
    for loop in list(_candidates(facts)):
        for at in _conflicts(facts, loop):
            after = _divided(facts, loop, at) if is_kept(facts, loop, at) else None
            if after is not None:
                facts = after
                lines.append(_line(loop, at))
                break
    return facts, "; ".join(lines) or None


def _line(loop: CanonicalLoop, at: t.Name | t.IntConst) -> str:
    name = at.symbol.name if isinstance(at, t.Name) else at.text
    where = f"the iteration of the loop over {loop.var.name} in which it is {name}"
    return f"{where} is done between those before it and those behind it, which read what it stores"


def _candidates(facts: Facts) -> Iterator[CanonicalLoop]:
    """The loops in one iteration of the grid, not in each other, whose own iterations depend on each other."""
    body = choose_mapping(facts, joins=True).body
    for node in _outermost_loops(body):
        loop = facts.inner_loops.get(node)
        if loop is not None and can_repeat(facts, loop) and why_dependent(facts, loop, ()) is not None:
            yield loop


def _outermost_loops(body: t.Stmt) -> Iterator[t.For]:
    match body:
        case t.For():
            yield body
        case t.Block(items=items):
            for item in items:
                yield from _outermost_loops(item)
        case t.If(then=then, other=other):
            for branch in (then, other):
                if branch is not None:
                    yield from _outermost_loops(branch)
        case _:
            pass


def can_repeat(facts: Facts, loop: CanonicalLoop) -> bool:
    """May there be three such loops, one after the other, which each do some of the iterations?"""
    if any(isinstance(node, _UNFIT) for node in walk(loop.body)) or sum(1 for _ in walk(loop.body)) > DEVICE.tile_body:
        return False
    if facts.device_code.says_anything(loop.body):
        return False
    if breaks(loop.body) or leaves_loop(loop.body) or labels_in(loop.body):
        return False
    if not all(decl.symbol.is_automatic for decl in declarations_in(loop.body)):
        return False
    steps = loop.constant_step is not None and not loop.down and loop.pointer is None
    own = loop.var not in set_in(loop.body) and not loop.var.address_taken and isinstance(loop.type, ty.Int)
    return steps and own and facts.has_fixed_bounds(loop)


# ------------------------------------------------------------- the iteration


def _conflicts(facts: Facts, loop: CanonicalLoop) -> Iterator[t.Name | t.IntConst]:
    """The numbers of iterations in which an access that moves is where one is that does not; one of them stores."""
    inside = set(walk(loop.body))
    accesses = [access for access in facts.accesses if access.node in inside and access.function is None]
    seen: set[t.Symbol | int] = set()
    for one in accesses:
        for other in accesses:
            if one.obj == other.obj and (one.mode.writes or other.mode.writes):
                found = _same_place(facts, loop, one, other)
                if found is not None and found not in seen:
                    seen.add(found)
                    yield _as_expression(found, loop)


def _same_place(facts: Facts, loop: CanonicalLoop, moving: Access, still: Access) -> t.Symbol | int | None:
    """The variable or number that the counter is where both are the same element."""
    moves, stands = facts.lmads.linear(moving, loop), facts.lmads.linear(still, loop)
    if moves is None or stands is None or stands[1].terms:
        return None
    if not 0 < (moves[1].constant or 0) <= DEVICE.near:  # else neighbouring threads are better off with the outer loop
        return None
    at, rest = (stands[0] + -moves[0]).divided(moves[1])
    if rest.terms:
        return None
    if at.constant is not None:
        return at.constant if 0 <= at.constant < 2**31 else None
    ((factors, coefficient), *more) = at.terms
    symbol = factors[0] if len(factors) == 1 and coefficient == 1 and not more else None
    return symbol if isinstance(symbol, t.Symbol) else None


def _as_expression(at: t.Symbol | int, loop: CanonicalLoop) -> t.Name | t.IntConst:
    loc = loop.statement.loc
    return t.Name(at.type, loc, at) if isinstance(at, t.Symbol) else t.IntConst(ty.INT, loc, at, str(at))


def is_kept(facts: Facts, loop: CanonicalLoop, at: t.Name | t.IntConst) -> bool:
    """Is it the same number at the beginning of each part, of the counter's type and known there by its name?"""
    if isinstance(at, t.IntConst):
        return ty.unqualified(loop.type) == ty.INT
    symbol = at.symbol
    if ty.unqualified(symbol.type) != ty.unqualified(loop.type) or symbol not in symbols_in(loop.body):
        return False
    counters = [around.var for around in facts.loop.loops]
    alike = {node.symbol for node in nodes(facts.device_code.body) if isinstance(node, (t.Name, t.VarDecl))}
    return (symbol in facts.invariant or symbol in counters) and all(
        other is symbol or other.name != symbol.name for other in alike
    )


# ------------------------------------------------------------------ the parts


def _divided(facts: Facts, loop: CanonicalLoop, at: t.Name | t.IntConst) -> Facts | None:
    """With the three parts; None: iterations of one of them depend on each other still."""
    parts = tuple(_part(loop, at, op) for op in _PARTS)
    after = with_body(facts, loop.statement, t.Block(loop.statement.loc, parts))
    if isinstance(after, Reason):
        return None
    loops = [after.inner_loops.get(part) for part in parts]
    independent = all(part is not None and why_dependent(after, part, ()) is None for part in loops)
    return after if independent else None


def _part(loop: CanonicalLoop, at: t.Name | t.IntConst, op: str) -> t.For:
    """A copy of the loop with variables of its own, which does only some of its iterations."""
    own = {symbol: replace(symbol) for symbol in declared_in(loop.statement)}
    statement = _Copy(own).of(loop.statement)
    assert isinstance(statement, t.For)
    loc = loop.statement.loc
    condition = t.Binary(ty.INT, loc, op, t.Name(loop.type, loc, own.get(loop.var, loop.var)), replace(at))
    return replace(statement, body=t.Block(loc, (t.If(loc, condition, statement.body, None),)))


class _Copy:
    """Copies statements: analyses know code by its nodes. `own`: what becomes of the variables that they declare."""

    def __init__(self, own: dict[t.Symbol, t.Symbol]) -> None:
        self._own = own

    def of(self, node: Node) -> Node:
        match node:
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol) if symbol in self._own:
                return copied_around(replace(node, symbol=self._own[symbol]), self.of)
            case _:
                return copied_around(node, self.of)
