"""Rewrite: loops that were divided into tiles by hand become whole again (`auto`).

    for (it = 0; it < n; it += T)                              for (i = 0; i < n; i++)
        for (jt = 0; jt < n; jt += T)                              for (j = 0; j < n; j++)
            for (i = it; i < min(n, it + T); i++)        ->            b[i * n + j] = a[j * n + i];
                for (j = jt; j < min(n, jt + T); j++)
                    b[i * n + j] = a[j * n + i];

Tiles for the caches of a processor are too few iterations for a device, and each of them is too much for a thread,
which would do a row of tiles. The one loop that a loop over strips and the loop through one are
(analysis/interchange/strips.py) stands where either of them stood; the counter of the outer one is wanted nowhere else.
If it comes past other loops, iterations have another order, which is right where nothing can tell:

    order     of the loops down to the last one that is concerned, all but that one are axes of the grid. So only
              iterations that differ in that one alone can depend on each other, and they have one order before and
              after
    pragma    a promise about strips is none about the iterations of one: a loop over strips that has the pragma is
              made whole where the iterations of that are proved independent

    In: Facts.   Out: the Facts of the same loop, and a line about it; or the same Facts.
    Other loops that stand beside each other come out of the body first, as one (interchange.py), and sums that begin
    with an element, and are stored there, are kept there.

    Not here: bodies that use the tile as one, as with a copy
    of it -- plan/groups.
    Source: tiling, the other way round (Wolfe, "More iteration space tiling", SC 1989).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.interchange.strips import Strips, strips_in, strips_of
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.exits import breaks, labels_in, leaves_loop
from ompc.ir.queries import is_named_outside, symbols_in
from ompc.ir.walk import walk
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop, Sharing, Succession
from ompc.omp.uses import has_side_effects
from ompc.plan.mapping.mapping import choose_mapping, only_loop, unproved
from ompc.plan.parameters.classification import classify_parameters
from ompc.plan.rewrites.boxes import over
from ompc.plan.rewrites.elements.sums_in_place import without_accumulator
from ompc.plan.rewrites.interchange import moved_out
from ompc.plan.rewrites.moved_loops import with_body

_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt)
_ASKED = Succession("a loop over strips", adds_in_order=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Nest:
    """`loops` that stand alone in each other, annotated ones first, but for what gives `ends` of strips values."""

    loops: tuple[CanonicalLoop, ...]
    ends: frozenset[t.Symbol]


def with_whole_loops(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with loops over strips, and those through them, as one loop each."""
    facts, nested = _with_whole_nest(facts)
    facts, inside = _with_whole_inner_loops(facts)
    found = (*nested, *inside)
    pairs = "; ".join(f"{each.over.var.name} and {each.through.var.name}" for each in found)
    return facts, f"loops that were divided into tiles by hand are whole again: those over {pairs}" if found else None


def _with_whole_nest(facts: Facts) -> tuple[Facts, tuple[Strips, ...]]:
    given, moved = facts, set[t.Symbol]()
    nest = _nest(facts)
    while (opened := _opened(facts, nest)) is not None:
        facts, loop = opened
        moved |= {loop} if loop is not None else set()
        nest = _nest(facts)
    if not _may_change(facts, nest):
        return given, ()
    for divisible in (False, True):
        strips = strips_in(facts, nest.loops, nest.ends, divisible)
        for outside in (True, False) if strips else ():
            order = _order(facts, nest, strips, outside)
            after = _rewritten(facts, nest, strips, order)
            if after is not None and _keeps_order(after, nest, strips, order, moved):
                return after, strips
    return given, ()


def _with_whole_inner_loops(facts: Facts) -> tuple[Facts, tuple[Strips, ...]]:
    """With those whose loop through a strip is all that there is in the one over strips: no order changes."""
    found: list[Strips] = []
    while (one := next(_inner_strips(facts), None)) is not None:
        after = with_body(facts, one.over.statement, _whole(one).statement)
        if isinstance(after, Reason):
            break
        facts = after
        found.append(one)
    return facts, tuple(found)


def _inner_strips(facts: Facts) -> Iterator[Strips]:
    for outer in facts.inner_loops.values():
        inner = only_loop(facts, outer.body)
        one = None if inner is None else strips_of(facts, outer, inner)
        if one is not None and not one.least and _is_of_loop_alone(facts, one):
            yield one


def _is_of_loop_alone(facts: Facts, strips: Strips) -> bool:
    """Are its counters wanted nowhere else, and that of the strips not inside of them either, nor left by a jump?"""
    outer, body = strips.over, strips.through.body
    if outer.var in symbols_in(body) or breaks(body) or leaves_loop(body) or labels_in(body):
        return False
    return not any(
        is_named_outside(facts.device_code.body, outer.statement, var) for var in (outer.var, strips.through.var)
    ) and all(facts.is_thread_private(MemoryObject(var)) for var in (outer.var, strips.through.var))


def _nest(facts: Facts) -> _Nest:
    loops, ends = list(facts.loop.loops), set[t.Symbol]()
    body: t.Stmt = facts.device_code.body
    while True:
        *before, last = _items(body) or [body]
        inner = facts.inner_loops.get(last) if isinstance(last, t.For) else None
        given = [_given(facts, item) for item in before]
        if inner is None or not all(given):
            return _Nest(tuple(loops), frozenset(ends))
        ends.update(*given)
        loops.append(inner)
        body = inner.body


def _opened(facts: Facts, nest: _Nest) -> tuple[Facts, t.Symbol | None] | None:
    """With one loop more that stands alone in the others, and the variable of it, if that was moved out; None: there is
    no loop through strips left.
    """
    body, counters = nest.loops[-1].body, {loop.var for loop in nest.loops}
    inner = [facts.inner_loops[node] for node in walk(body) if isinstance(node, t.For) and node in facts.inner_loops]
    if all(counters.isdisjoint(symbols_in(loop.lower)) for loop in inner) or not _may_change(facts, nest):
        return None
    in_place = without_accumulator(facts, body)
    if in_place is not None:
        after = with_body(facts, body, in_place)
        return None if isinstance(after, Reason) else (after, None)
    for moved in moved_out(facts, body, nest.loops):
        if not counters.isdisjoint(symbols_in(moved.loops[0].lower)):
            after = with_body(facts, body, moved.nest, moved.contracted)
            loop = sequential_loop(moved.nest)
            if not isinstance(after, Reason) and not isinstance(loop, Reason):
                return after, loop.var
    return None


def _items(body: t.Stmt) -> list[t.Stmt]:
    while isinstance(body, t.Block):
        items = [item for item in body.items if not isinstance(item, t.Empty)]
        if len(items) != 1:
            return items
        body = items[0]
    return [body]


def _given(facts: Facts, item: t.Stmt) -> list[t.Symbol]:
    """The integers that keep the values which the statement gives them; none, if it does anything else."""
    values: dict[t.Symbol, t.Expr | None] = {}
    match item:
        case t.DeclStmt(decls=decls):
            values = {decl.symbol: decl.init for decl in decls}
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=assigned)):
            values = {symbol: assigned}
        case _:
            pass
    for symbol, value in values.items():
        known = facts.known.definitions.get(symbol)
        if known is None or known.init is not value or has_side_effects(known.init):
            return []
    return list(values)


def _may_change(facts: Facts, nest: _Nest) -> bool:
    """May iterations come in another order, as far as what they do besides touching memory decides that?"""
    loop, body = facts.loop, facts.device_code.body
    if loop.target is not None or loop.lastprivates or loop.linear or loop.chain:
        return False
    if any(each.dependent or each.pointer is not None for each in loop.loops):
        return False
    if any(isinstance(node, _UNFIT) and not _is_atomic(node) for node in walk(body)):
        return False
    jumps = labels_in(body) or leaves_loop(body) or breaks(nest.loops[-1].body)
    return not (jumps or facts.device_code.says_anything(body))


def _is_atomic(node: object) -> bool:
    """An operation that nobody orders; whether others may come between, independence says."""
    return isinstance(node, t.Pragma) and node.directive.name == "atomic"


def _order(facts: Facts, nest: _Nest, strips: Sequence[Strips], outside: bool) -> tuple[CanonicalLoop, ...]:
    """The loops of the new nest. Those that are whole stand where the one over strips stood, if that has the pragma or
    `outside` is asked for; else where the one through a strip stood.
    """
    annotated = facts.loop.loops
    found: list[CanonicalLoop] = []
    for loop in nest.loops:
        one = next((each for each in strips if loop in (each.over, each.through)), None)
        if one is None:
            found.append(loop)
        elif (loop is one.over) == (outside or one.over in annotated):
            found.append(_whole(one))
    return tuple(found)


def _whole(strips: Strips) -> CanonicalLoop:
    """The one loop, with the body of that through a strip."""
    loop = strips.through
    statement = over(loop, strips.relation, strips.lower, strips.upper, (loop.body,))
    return replace(loop, statement=statement, lower=strips.lower, upper=strips.upper, relation=strips.relation)


def _rewritten(facts: Facts, nest: _Nest, strips: Sequence[Strips], order: Sequence[CanonicalLoop]) -> Facts | None:
    """With the loops in this order, and the body of the nest in them; None: that is not known to be right."""
    annotated = len(facts.loop.loops)
    body = nest.loops[-1].body
    for inner in reversed(order[annotated:]):
        body = t.Block(inner.body.loc, (replace(inner.statement, body=body),))
    outer = tuple(replace(each, body=body) for each in order[:annotated])
    counters = {each.over.var for each in strips}
    gone = nest.ends | counters
    heads = [part for each in outer for part in (each.lower, each.upper, each.step) if part is not None]
    if any(gone & symbols_in(part) for part in (body, *heads)):
        return None
    own = (gone | {each.through.var for each in strips}) - {each.var for each in facts.loop.loops}
    if not all(facts.is_thread_private(MemoryObject(symbol)) for symbol in own):
        return None
    sharing = {symbol: how for symbol, how in facts.loop.sharing.items() if symbol not in gone}
    sharing |= {each.var: Sharing.LOOP for each in outer}
    least = tuple(dict.fromkeys((*facts.loop.least, *(value for each in strips for value in each.least))))
    divisible = tuple(dict.fromkeys(value for each in strips for value in each.divisible))
    loop = replace(facts.loop, loops=outer, body=body, sharing=sharing, least=least, divisible=divisible)
    if not counters.isdisjoint(each.var for each in facts.loop.loops):
        loop = replace(loop, in_order=loop.in_order or _ASKED)
    after = gather_again(facts, loop)
    if isinstance(after, Reason) or isinstance(unproved(after) or classify_parameters(after), Reason):
        return None
    return after


def _keeps_order(
    after: Facts,
    nest: _Nest,
    strips: Sequence[Strips],
    order: Sequence[CanonicalLoop],
    moved: Collection[t.Symbol],
) -> bool:
    """Have iterations that may depend on each other the order that they had? Loops that were `moved` are axes."""
    places = [(nest.loops.index(each.over), nest.loops.index(each.through)) for each in strips]
    if not moved and all(inner == outer + 1 for outer, inner in places):
        return True
    concerned = {loop.var for loop in nest.loops[: max(inner for _, inner in places) + 1]}
    last = max(place for place, loop in enumerate(order) if loop.var in concerned)
    axes = {loop.var for loop in choose_mapping(after, joins=True).nest}
    return all(loop.var in axes for loop in order[:last]) and axes.issuperset(moved)
