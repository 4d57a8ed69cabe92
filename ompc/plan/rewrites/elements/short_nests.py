"""Rewrite: short loops that stand in each other become one loop, whose iterations threads can share (`auto`).

    for (i = 0; i < 16; i++)                       for (int i_j = 0; i_j < 16 * 16; i_j++) {
        for (j = 0; j < 16; j++)            ->         int i_2 = i_j / 16, j_2 = i_j % 16;
            t[16 * i + j] = a[i * n + j];              t[16 * i_2 + j_2] = a[i_2 * n + j_2];
                                                   }

Sixteen iterations are too few for the threads of a block, 256 are not. The loops must stand alone in each other, or
come to do so: loops inside of the outer one, one after the other or inside of others, become one (interchange.py), with
arrays that an iteration of the outer one begins anew (begun_anew.py) as variables of each of its iterations.

    which loops     those with numbers for bounds and steps, short ones, outermost ones first, as many of a nest as
                    stand alone in each other, of together MOST_POINTS iterations at most; whose counters nobody wants
                    behind them
    which order     that of the program, but the loop whose neighbours are neighbours in memory is the fastest one
    when            threads of a group share it then, or it is an axis of the grid. So its iterations are independent
                    (storing_loops.py, mapping.py), and they, and those of loops that have become one, may come in any
                    order. Where they are so for usual sizes alone, and come in another one, the host asks for these
                    before the launch; in the program's order, only the kernel of groups needs them

    In: Facts.   Out: the Facts of the same loop, and a line that says so; or the same Facts.
    Not here: loops that are not short, of which one alone is enough for all threads.
    Source: Polychronopoulos, "Loop coalescing: a compiler transformation for parallel machines" (ICPP 1987).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks, labels_in, leaves_loop
from ompc.ir.queries import set_in, symbols_in
from ompc.ir.rewrite import copied, rewritten, with_symbols
from ompc.ir.walk import Node, walk
from ompc.omp.asked import Within
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.groups.group_loops import in_groups_of_threads, sizes_of_independent_entries, sizes_together
from ompc.plan.groups.lane_choices import LaneChoices
from ompc.plan.groups.storing_loops import nearness
from ompc.plan.groups.worth_sharing import LEAST_TRIPS, is_short
from ompc.plan.mapping.mapping import choose_mapping, only_loop, unproved
from ompc.plan.parameters.classification import classify_parameters
from ompc.plan.rewrites.elements.begun_anew import with_arrays_begun_anew
from ompc.plan.rewrites.elements.unread_variables import without_unread
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.interchange import moved_out
from ompc.plan.rewrites.moved_loops import with_body

MOST_POINTS = 1 << 16
"""Of a nest that becomes one loop: what has more is no short one."""
MOST_NESTS = 16
"""Of an iteration, that are looked at."""

_POSITION = -5_000
"""The position of the first new variable, which puts such variables before all others."""
_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Switch)


def with_short_nests(facts: Facts, choices: LaneChoices) -> tuple[Facts, str | None]:
    """`facts` with such nests as one loop each, where groups of threads share them."""
    if not any(_is_outer(facts, loop) for loop in facts.inner_loops.values()):
        return facts, None
    mapping = choose_mapping(facts, joins=True)
    wanted: set[int] | None = None
    for _ in range(2):  # all of them, and then those alone that are shared
        joining = _Joining(facts, choices, mapping.nest or mapping.loops, wanted)
        after = joining.joined()
        if after is None:
            return facts, None
        now = choose_mapping(after, joins=True)
        shared = {*in_groups_of_threads(after, now, choices), *(loop.var for loop in now.loops)}
        kept = {nest.number for nest in joining.made if nest.var in shared}
        if len(kept) == len(joining.made) and len(now.loops) >= len(mapping.loops):
            if isinstance(unproved(after) or classify_parameters(after), Reason):
                return facts, None
            return after, "; ".join(nest.line for nest in joining.made)
        if not kept or wanted is not None:
            return facts, None
        wanted = kept
    return facts, None


def _is_outer(facts: Facts, loop: CanonicalLoop) -> bool:
    """Is it short, and has it others in it?"""
    inside = any(isinstance(node, t.For) for node in walk(loop.body))
    return inside and constant_trips(loop) is not None and is_short(facts, loop)


@dataclass(frozen=True, slots=True, eq=False)
class _Nest:
    """One loop over `var`, made of the `number`-th nest of the text."""

    number: int
    var: t.Symbol
    line: str


@dataclass(eq=False)
class _Joining:
    """Joins the `wanted` nests, by their numbers; None: all of them."""

    facts: Facts
    choices: LaneChoices
    axes: Sequence[CanonicalLoop]
    wanted: set[int] | None
    made: list[_Nest] = field(default_factory=list)

    def joined(self) -> Facts | None:
        """None where there are none."""
        first = self.facts
        number = 0
        done: set[Node] = set()
        while number < MOST_NESTS:
            loop = next((each for each in self._outer_loops() if each.statement not in done), None)
            if loop is None:
                break
            number += 1
            done.add(loop.statement)
            if self.wanted is None or number in self.wanted:
                self._join(loop, number)
        return None if self.facts is first else self.facts

    def _outer_loops(self) -> Iterator[CanonicalLoop]:
        """Those that stand in no other short one, in the order of the text."""
        covered: set[Node] = set()
        for node, loop in self.facts.inner_loops.items():
            if node not in covered and _is_outer(self.facts, loop):
                covered.update(walk(node.body))
                yield loop

    def _join(self, loop: CanonicalLoop, number: int) -> None:
        for facts, outer in _perfect(self.facts, loop, self.axes):
            whole = list(_nest(facts, outer))
            for depth in range(len(whole), 1, -1):  # a sum may be the innermost loop
                nest = whole[:depth]
                made = self._made(facts, nest)
                if made is not None:
                    lines = ", ".join(dict.fromkeys(str(each.statement.loc.line) for each in nest))
                    names = " and ".join(each.var.name for each in nest)
                    self.facts, var = made
                    self.made.append(_Nest(number, var, f"the short loops over {names} (line {lines}) are one"))
                    return

    def _made(self, facts: Facts, nest: Sequence[CanonicalLoop]) -> tuple[Facts, t.Symbol] | None:
        """With one loop for those of the nest, over a new variable; None: threads cannot share it, or need not."""
        points = prod(constant_trips(each) or 0 for each in nest)
        if not LEAST_TRIPS <= points <= MOST_POINTS:
            return None
        order = _order(facts, nest)
        made = _one_loop(facts, nest, order, _POSITION + 10 * len(self.made))
        if made is None:
            return None
        after, var = made
        whole = next(each for each in after.inner_loops.values() if each.var is var)
        asked = sizes_of_independent_entries(after, whole, self.choices)
        if asked is None or (facts is self.facts and order == list(nest)):
            return None if asked is None else made
        found = _where(after, asked)
        return None if found is None else (found, var)


def _where(facts: Facts, asked: tuple[Within, ...]) -> Facts | None:
    """The loop where the host has found such sizes: its iterations' own order is another one, whoever executes them."""
    if not asked:
        return facts
    if not all(facts.can_be_asked(each.symbol) for each in asked):
        return None
    found = gather_again(facts, replace(facts.loop, within=sizes_together(facts.loop.within, asked)))
    return None if isinstance(found, Reason) else found


def _perfect(
    facts: Facts, loop: CanonicalLoop, axes: Sequence[CanonicalLoop]
) -> Iterator[tuple[Facts, CanonicalLoop]]:
    """The loop as it is, and with all that is in it in one loop more, in several ways."""
    if only_loop(facts, loop.body) is not None:
        yield facts, loop
        return
    number = _number_of(facts, loop)
    for anew in (with_arrays_begun_anew(facts, loop), facts):
        outer = None if anew is None else _same_loop(anew, number)
        if anew is None or outer is None or _carries(outer):
            continue
        for moved in moved_out(anew, outer.body, (*axes, outer), inside=True):
            if any(constant_trips(each) is None for each in moved.loops):
                continue
            after = with_body(anew, outer.body, moved.nest, moved.contracted)
            found = None if isinstance(after, Reason) else _same_loop(after, number)
            if found is not None and not isinstance(after, Reason):
                yield after, found


def _carries(loop: CanonicalLoop) -> bool:
    """Does an iteration read what an earlier one has left in a scalar?"""
    return bool(exposed_reads(loop.body) & set_in(loop.body) - {loop.var})


def _number_of(facts: Facts, loop: CanonicalLoop) -> int:
    """How many loops begin in front of it: no rewrite of the loop itself, or of what is behind it, changes that."""
    statements = [node for node in walk(facts.device_code.body) if isinstance(node, t.For)]
    return next(number for number, node in enumerate(statements) if node is loop.statement)


def _same_loop(facts: Facts, number: int) -> CanonicalLoop | None:
    """The loop of that number in rewritten code."""
    statements = [node for node in walk(facts.device_code.body) if isinstance(node, t.For)]
    return facts.inner_loops.get(statements[number])


def _nest(facts: Facts, loop: CanonicalLoop) -> Iterator[CanonicalLoop]:
    """The loop and those that stand alone in it, as far as they can be one."""
    points = 1
    while _is_plain(facts, loop):
        points *= constant_trips(loop) or 1
        if points > MOST_POINTS:
            return
        yield loop
        inner = only_loop(facts, loop.body)
        if inner is None:
            return
        loop = inner


def _is_plain(facts: Facts, loop: CanonicalLoop) -> bool:
    """Has it numbers for bounds, and a counter that only its head changes and nobody wants behind it?"""
    if constant_trips(loop) is None or not is_short(facts, loop) or loop.pointer is not None:
        return False
    node, var = loop.statement, loop.var
    if var in set_in(node.body) or var.address_taken or not isinstance(ty.unqualified(var.type), ty.Int):
        return False
    if labels_in(node.body) or leaves_loop(node.body) or breaks(node.body):
        return False
    if any(isinstance(part, _UNFIT) for part in walk(node.body)):
        return False
    return _is_own_counter(facts, loop)


def _is_own_counter(facts: Facts, loop: CanonicalLoop) -> bool:
    """Is the counter the iteration's own, and does nobody want it behind the loop?"""
    node, var = loop.statement, loop.var
    if isinstance(node.init, t.DeclStmt):
        return len(node.init.decls) == 1
    private = facts.loop.sharing.get(var, Sharing.PRIVATE) is Sharing.PRIVATE and var.is_automatic
    own = private and facts.is_thread_private(MemoryObject(var))
    return own and not read_after(facts.device_code.body, node, var)


def _order(facts: Facts, nest: Sequence[CanonicalLoop]) -> list[CanonicalLoop]:
    """The loops of the nest, the fastest one last."""
    order = list(nest)
    if nearness(facts, order[-2], order[-1]) > 0:
        order[-2:] = reversed(order[-2:])
    return order


def _one_loop(
    facts: Facts, nest: Sequence[CanonicalLoop], order: Sequence[CanonicalLoop], position: int
) -> tuple[Facts, t.Symbol] | None:
    """With one loop for those of the nest, over a new variable."""
    free, outer, loc = FreeNames(facts), nest[0].statement, nest[0].statement.loc
    joint = free.take("_".join(each.var.name for each in order))
    whole = t.Symbol(joint, ty.INT, t.Storage.AUTO, loc, position, facts.loop.function)
    counters = {each.var: _new_counter(facts, each, free) for each in order}
    items: list[t.Stmt] = []
    for k, each in enumerate(order):
        value = _counter(each, t.Name(ty.INT, loc, whole), order[k + 1 :], begins_again=k > 0)
        items.append(t.DeclStmt(loc, (t.VarDecl(counters[each.var], value, loc),)))
    body = with_symbols(nest[-1].body, counters)
    items += body.items if isinstance(body, t.Block) else (body,)
    loop = _counted(whole, _product(order), items)
    code = facts.device_code.body
    new = rewritten(code, lambda node: loop if node is outer else None)
    left = {each.var for each in nest if not each.declared_here}
    new = without_unread(new, left, facts)
    after = with_body(facts, code, new, left - symbols_in(new))
    return None if isinstance(after, Reason) else (after, whole)


def _new_counter(facts: Facts, loop: CanonicalLoop, free: FreeNames) -> t.Symbol:
    name = loop.var.name if loop.declared_here else free.take(loop.var.name)
    kind = ty.unqualified(loop.var.type)
    return replace(loop.var, name=name, type=kind, storage=t.Storage.AUTO, function=facts.loop.function)


def _counted(whole: t.Symbol, trips: t.Expr, items: Sequence[t.Stmt]) -> t.For:
    loc = whole.loc
    init = t.DeclStmt(loc, (t.VarDecl(whole, _number(0, loc), loc),))
    condition = t.Binary(ty.INT, loc, "<", t.Name(ty.INT, loc, whole), trips)
    step = t.IncDec(ty.INT, loc, "++", False, t.Name(ty.INT, loc, whole))
    return t.For(loc, init, condition, step, t.Block(loc, tuple(items)))


def _product(loops: Sequence[CanonicalLoop]) -> t.Expr:
    """How many iterations they have together."""
    found = _trips(loops[0])
    for loop in loops[1:]:
        found = t.Binary(ty.INT, found.loc, "*", found, _trips(loop))
    return found


def _trips(loop: CanonicalLoop) -> t.Expr:
    """How many iterations the loop has: its bound, as the program writes it, where that is the number."""
    trips = constant_trips(loop)
    assert trips is not None
    if constant_value(loop.upper) == trips and ty.unqualified(loop.upper.type) == ty.INT:
        return copied(loop.upper)
    return _number(trips, loop.statement.loc)


def _counter(loop: CanonicalLoop, whole: t.Expr, behind: Sequence[CanonicalLoop], begins_again: bool) -> t.Expr:
    """The loop's counter: it moves on when those `behind` it have been through all their iterations."""
    value, loc = whole, whole.loc
    if behind:
        value = t.Binary(ty.INT, loc, "/", value, _product(behind))
    if begins_again:
        value = t.Binary(ty.INT, loc, "%", value, _trips(loop))
    step, first = loop.constant_step or 1, constant_value(loop.lower)
    assert first is not None
    if step != 1:
        value = t.Binary(ty.INT, loc, "*", value, _number(step, loc))
    if loop.down:
        return t.Binary(ty.INT, loc, "-", _signed(first, loc), value)
    if first != 0:
        value = t.Binary(ty.INT, loc, "+" if first > 0 else "-", value, _number(abs(first), loc))
    return value


def _signed(value: int, loc: Location) -> t.Expr:
    found = _number(abs(value), loc)
    return found if value >= 0 else t.Unary(ty.INT, loc, "-", found)


def _number(value: int, loc: Location) -> t.Expr:
    return t.IntConst(ty.INT, loc, value, str(value))
