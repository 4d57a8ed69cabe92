"""Rewrite: statements for one value of a loop's counter are a loop of one iteration, where that makes axes (`auto`).

    for (i = 1; i <= n; i++) A;                   for (i = 1; i <= n; i++) A;
    i = 1;                                        for (i = 1; i <= 1; i++)
    for (m = 0; m < 5; m++) B;             ->         for (m = 0; m < 5; m++) B;
    for (i = 2; i < n; i++) C;                    for (i = 2; i < n; i++) C;
    i = n;                                        for (i = n; i <= n; i++)
    for (m = 0; m < 5; m++) D;                        for (m = 0; m < 5; m++) D;

The edges of a grid are often done so, between loops over what is inside. All of them are loops over `i` then, with
bounds of their own, and may become one, which is an axis: each part is done for the iterations that were its own.

    the value       is fixed in the launch, and what is done for it does not change it
    the counter     is private to the iteration, and nobody reads behind that what it had
    an axis         comes of it, and no long loop of such statements is left to one thread, else everything stays as it
                    is

    In: Facts.   Out: the Facts of the same loop, and a line about it; or the same Facts.
    Not here: whether loops may be one -- interchange.py; what stands behind the last loop -- last_iteration.py.
    Source: the polyhedral view, in which a statement outside of a loop has one point of its dimension (Feautrier, "Some
    efficient solutions to the affine scheduling problem", 1992); Ahmed, Mateev and Pingali (ICS 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import set_in, symbols_in, unread_in
from ompc.ir.rewrite import copied
from ompc.ir.walk import walk
from ompc.omp.model import Sharing
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.moved_loops import with_body

_SHORT = 16
"""The most iterations of a loop that one thread may well do: it is unrolled."""

Nested = Callable[[Facts], tuple[Facts, str | None]]
"""What makes one loop of several."""


def with_single_iterations(facts: Facts, nested: Nested) -> tuple[Facts, str | None]:
    """`facts` with such statements in loops, where `nested` makes more axes then."""
    mapping = choose_mapping(facts, joins=True)
    body = mapping.body
    if len(mapping.loops) >= DEVICE.axes or not isinstance(body, t.Block) or not _is_plain(facts, body):
        return facts, None
    made, lines = _in_loops(facts, body)
    after = with_body(facts, body, made) if lines else Reason("", "")
    if isinstance(after, Reason):
        return facts, None
    others = sum(_long_loops(after, item.body) for item in made.items if isinstance(item, t.For) and item in body.items)
    after, line = nested(after)
    deeper = choose_mapping(after, joins=True)
    if len(deeper.loops) <= len(mapping.loops) or _long_loops(after, deeper.body) > others:
        return facts, None
    where = f"what begins at lines {', '.join(map(str, lines))} is part of the loop next to it, in one iteration"
    if len(lines) == 1:
        where = f"what begins at line {lines[0]} is part of the loop next to it, in one iteration"
    return after, "; ".join(filter(None, (where, line)))


def _is_plain(facts: Facts, body: t.Stmt) -> bool:
    """Has it no jumps, and nothing that stands where it does for a reason of its own?"""
    fixed = any(isinstance(node, t.Pragma) for node in walk(body)) or facts.device_code.says_anything(body)
    return not (fixed or jumps_in(body) or labels_in(body) or unread_in(body) is not None)


def _long_loops(facts: Facts, code: t.Stmt) -> int:
    """How many loops in it are not known to turn only a few times."""
    loops = [node for node in walk(code) if isinstance(node, (t.For, t.While, t.DoWhile))]
    known = (facts.inner_loops.get(node) if isinstance(node, t.For) else None for node in loops)
    trips = (None if loop is None else constant_trips(loop) for loop in known)
    return sum(1 for number in trips if number is None or number > _SHORT)


def _in_loops(facts: Facts, body: t.Block) -> tuple[t.Block, list[int]]:
    """The block with such loops, and the lines in which they begin."""
    counters = _counters(facts, body)
    items: list[t.Stmt] = []
    lines: list[int] = []
    at = 0
    while at < len(body.items):
        item = body.items[at]
        counter, value = _set(item, counters)
        end = at + 1
        if counter is not None and value is not None and facts.invariance.holds(value):
            end = _end_of_run(body.items, at + 1, counter)
            run = body.items[at + 1 : end]
            if _is_one_iteration(run, counter, value, body.items[end:]):
                items.append(_loop(item, counter, value, run))
                lines.append(item.loc.line)
                at = end
                continue
        items.append(item)
        at += 1
    return replace(body, items=tuple(items)), lines


def _counters(facts: Facts, body: t.Block) -> set[t.Symbol]:
    """Of the loops in the block, those that are nothing but that: private, and of no value when an iteration begins."""
    found = set[t.Symbol]()
    exposed = exposed_reads(facts.device_code.body)
    for item in body.items:
        loop = facts.inner_loops.get(item) if isinstance(item, t.For) else None
        if loop is None or loop.declared_here or loop.pointer is not None or loop.var.address_taken:
            continue
        own = facts.is_thread_private(MemoryObject(loop.var))
        plain = facts.loop.sharing.get(loop.var, Sharing.PRIVATE) is Sharing.PRIVATE
        if own and plain and loop.var not in exposed and ty.unqualified(loop.type) in (ty.INT, ty.LONG):
            found.add(loop.var)
    return found


def _set(item: t.Stmt, counters: set[t.Symbol]) -> tuple[t.Symbol | None, t.Expr | None]:
    match item:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)) if symbol in counters:
            return symbol, value
        case _:
            return None, None


def _end_of_run(items: Sequence[t.Stmt], at: int, counter: t.Symbol) -> int:
    """Where the counter gets another value, or something is declared."""
    while at < len(items) and counter not in set_in(items[at]) and not isinstance(items[at], t.DeclStmt):
        at += 1
    return at


def _is_one_iteration(run: Sequence[t.Stmt], counter: t.Symbol, value: t.Expr, behind: Sequence[t.Stmt]) -> bool:
    if not any(counter in symbols_in(item) for item in run):
        return False
    if any(set_in(item) & symbols_in(value) for item in run):
        return False
    if ty.unqualified(value.type) not in (ty.INT, ty.unqualified(counter.type)):  # which the counter can be
        return False
    return not behind or counter not in exposed_reads(t.Block(behind[0].loc, tuple(behind)))


def _loop(item: t.Stmt, counter: t.Symbol, value: t.Expr, run: Sequence[t.Stmt]) -> t.For:
    where = item.loc
    condition = t.Binary(ty.INT, where, "<=", t.Name(counter.type, where, counter), copied(value))
    step = t.IncDec(counter.type, where, "++", False, t.Name(counter.type, where, counter))
    return t.For(where, item, condition, step, t.Block(where, tuple(run)))
