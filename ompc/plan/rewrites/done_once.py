"""Plan: stores beside an inner loop are done by one of its iterations, so that it can be an axis of the grid (`auto`).

    for (i = 0; i < n; i++) {                          for (i = 0; i < n; i++)
        c[i][i] = 1;                                       for (j = 0; j < n; j++) {
        for (j = i + 1; j < n; j++) {                          if (j == i) c[i][i] = 1;
            double s = 0;                      ->              if (j >= i + 1) {
            for (k ...) s += a[k][i] * a[k][j];                    double s = 0;
            c[i][j] = c[j][i] = s;                                 for (k ...) s += a[k][i] * a[k][j];
        }                                                          c[i][j] = c[j][i] = s;
    }                                                          }
                                                           }

The loop gets an iteration in which they are certainly done, once (`_Range`): the one with the number of the loop around
it, where the loop's own iterations and those of that loop go up from one number or to one; else its first one. Where
the loop has it already, it stays as it is; else it begins earlier, or ends later, and what it did is under a condition.

    memory         iterations of the new axis touch nothing that another one writes, the statements included: this is
                   asked when the loop becomes an axis (mapping.py). In the iteration that does them, all is in order
    own scalars    the statements assign none but those that they declare, and read none that the loop changes
    own arrays     they name none, and no pointers of the thread's own
    once           no jump leaves them or the loop's iterations; there is no loop in them, which one thread would do

It is done where points can then be computed in tiles, since those of a line read the same elements; else a group of
threads has an iteration as well (groups/group_loops.py).

    In: Facts.   Out: the Facts of the same loop, perfectly nested, and a line that says so; or the same Facts.
    Not here: what may be repeated by all iterations -- sinking.py; several inner loops -- interchange.py.
    Source: index-set extension of imperfect nests, as in Ahmed, Mateev, Pingali, "Synthesizing transformations for
    locality enhancement of imperfectly-nested loop nests" (ICS 2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.ranges import range_of_type
from ompc.analysis.interchange.bounding_box import Box, bounding_box, counts_up
from ompc.analysis.locality.register_tile import register_tile_body
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import changed_in, declarations_in, declared_in, symbols_in
from ompc.ir.rewrite import copied
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Mapping, choose_mapping
from ompc.plan.rewrites.boxes import over
from ompc.plan.rewrites.moved_loops import with_body
from ompc.plan.rewrites.sinking import with_perfect_nest

_UNFIT = (t.For, t.While, t.DoWhile, t.Switch, t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Print, t.Call)


def with_stores_done_once(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with the stores beside an inner loop in one of its iterations, and a line that says which."""
    mapping = choose_mapping(facts, joins=True)
    if len(mapping.loops) == DEVICE.axes or facts.loop.reductions:
        return facts, None
    beside = _beside(facts, mapping.body)
    if beside is None:
        return facts, None
    nest = beside.nest(mapping.nest or mapping.loops)
    after = None if nest is None else with_body(facts, mapping.body, nest)
    if after is None or isinstance(after, Reason):
        return facts, None
    after, sunk = with_perfect_nest(after) if beside.kept else (after, None)
    deeper = choose_mapping(after, joins=True)
    if len(deeper.loops) <= len(mapping.loops) or not _shares_reads(after, deeper):
        return facts, None
    lines = sorted({statement.loc.line for statement in (*beside.first, *beside.last)})
    where = f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
    name = beside.loop.var.name
    said = f"what stands beside the loop over {name} ({where}) is done by one of its iterations"
    return after, "; ".join(filter(None, (said, sunk)))


def _shares_reads(facts: Facts, mapping: Mapping) -> bool:
    """Do the points of a line read the same elements, one after the other, as tiles stage them?"""
    tile = register_tile_body(facts, mapping.body, mapping.counters)
    if tile is None:
        return False
    y, x = (loop.var for loop in mapping.loops[-2:])
    for access in facts.accesses:
        if not tile.in_loop(access.context) or access.obj in facts.written or not access.subscripts:
            continue
        found = [tile.varies_with(subscript) for subscript in access.subscripts]
        varying = frozenset[t.Symbol]().union(*(each for each in found if each is not None))
        if None not in found and tile.loop.var in varying and (x in varying) != (y in varying):
            return True
    return False


def _beside(facts: Facts, body: t.Stmt) -> _Beside | None:
    """The one inner loop of `body`, and what stands beside it; None where nothing is to be done once."""
    while isinstance(body, t.Block) and len(body.items) == 1 and isinstance(body.items[0], t.Block):
        body = body.items[0]
    if not isinstance(body, t.Block):
        return None
    items = [item for item in body.items if not isinstance(item, t.Empty)]
    at = next((number for number, item in enumerate(items) if isinstance(item, t.For)), None)
    loop = None if at is None else facts.inner_loops.get(items[at])  # type: ignore[call-overload]
    if at is None or loop is None:
        return None
    first = at
    while first > 0 and _stores(facts, items[first - 1]):
        first -= 1
    found = _Beside(facts, body, loop, items[:first], items[first:at], items[at + 1 :])
    return found if (found.first or found.last) and found.may_be_done_once() else None


def _stores(facts: Facts, item: t.Stmt) -> bool:
    """Is it no declaration, and does it assign nothing of the thread's own?"""
    return not isinstance(item, t.DeclStmt) and not _own(facts, changed_in(item) - declared_in(item))


def _own(facts: Facts, symbols: Iterable[t.Symbol]) -> set[t.Symbol]:
    return {symbol for symbol in symbols if facts.is_thread_private(MemoryObject(symbol))}


@dataclass(frozen=True, slots=True, eq=False)
class _Beside:
    """`kept` stays in front of the loop; `first` and `last`, before and behind it, are done once."""

    facts: Facts
    body: t.Block
    loop: CanonicalLoop
    kept: Sequence[t.Stmt]
    first: Sequence[t.Stmt]
    last: Sequence[t.Stmt]

    def may_be_done_once(self) -> bool:
        statements = (*self.first, *self.last)
        if jumps_in(self.body) or labels_in(self.body) or self.loop.var.address_taken:
            return False
        if any(isinstance(node, _UNFIT) for item in statements for node in walk(item)):
            return False
        return self._keeps_scalars()

    def _keeps_scalars(self) -> bool:
        """Do the statements and the loop hand no value of the thread's own to each other?"""
        block = t.Block(self.body.loc, (*self.first, *self.last))
        declared = declared_in(block)
        if any(not d.symbol.is_automatic for d in declarations_in(block)):
            return False
        named = _own(self.facts, symbols_in(block) - declared)
        if any(symbol.address_taken or not ty.is_arithmetic(symbol.type) for symbol in named):
            return False
        changed = changed_in(self.loop.statement) | {self.loop.var}
        return named.isdisjoint(changed) and named.isdisjoint(changed_in(block)) and self._is_scoped(declared)

    def _is_scoped(self, declared: frozenset[t.Symbol]) -> bool:
        """Is what they declare theirs alone? In front of the loop nothing is declared but in blocks."""
        return declared.isdisjoint(symbols_in(self.loop.statement)) and not any(
            isinstance(item, t.DeclStmt) for item in self.first
        )

    def nest(self, outer: Sequence[CanonicalLoop]) -> t.Block | None:
        """What is kept, and the loop with all the rest in it; None: there is no iteration that certainly does it."""
        found = _range(self.facts, self.loop, outer)
        if found is None or self._hides_names(found):
            return None
        loc, own = self.loop.body.loc, self.loop.body
        body = own if found.guard is None else t.If(loc, found.guard, own, None)
        items = body.items if isinstance(body, t.Block) else (body,)
        parts = (*self._once(self.first, found), *items, *self._once(self.last, found))
        return t.Block(self.body.loc, (*self.kept, over(self.loop, found.relation, found.first, found.end, parts)))

    def _once(self, statements: Sequence[t.Stmt], found: _Range) -> list[t.Stmt]:
        if not statements:
            return []
        loc, place = statements[0].loc, self.loop.var
        condition = t.Binary(ty.INT, loc, "==", t.Name(place.type, loc, place), copied(found.place))
        inside = statements[0] if len(statements) == 1 else t.Block(loc, tuple(statements))
        return [t.If(loc, condition, inside, None)]

    def _hides_names(self, found: _Range) -> bool:
        """Would a variable that is declared inside hide another one of its name?"""
        moved = symbols_in(t.Block(self.body.loc, (*self.first, *self.last)))
        bounds = {symbol for bound in (found.first, found.end, found.place) for symbol in symbols_in(bound)}
        inside = declared_in(self.body) | {self.loop.var}
        own = {self.loop.var, *(declared_in(self.loop.body) if found.guard is None else ())}
        return _have_one_name(moved, own) or _have_one_name(bounds, inside)


def _have_one_name(named: Iterable[t.Symbol], declared: Iterable[t.Symbol]) -> bool:
    others = [(symbol.name, symbol) for symbol in declared]
    return any(name == symbol.name and other is not symbol for symbol in named for name, other in others)


# ------------------------------------------------------------------------------- the iteration that does it


@dataclass(frozen=True, slots=True, eq=False)
class _Range:
    """Iterations from `first` to `end`, one of which is certainly `place`; the loop's own ones are those for which
    `guard` holds, or all.
    """

    relation: str
    first: t.Expr
    end: t.Expr
    place: t.Expr
    guard: t.Expr | None


def _range(facts: Facts, loop: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> _Range | None:
    if not counts_up(loop):
        return None
    box = bounding_box(facts, loop, outer)
    if box is not None:
        return _of_triangle(box)
    if not facts.invariance.holds(loop.lower, loop.upper):
        return None
    for around in outer:
        if counts_up(around) and not around.dependent and _is_same_range(loop, around):
            return _Range(loop.relation, loop.lower, loop.upper, _name(around, loop), None)
    return _from_first(loop)


def _is_same_range(loop: CanonicalLoop, around: CanonicalLoop) -> bool:
    return same(loop.lower, around.lower) and _has_same_end(loop, around)


def _has_same_end(loop: CanonicalLoop, around: CanonicalLoop) -> bool:
    return loop.relation == around.relation and same(loop.upper, around.upper)


def _of_triangle(box: Box) -> _Range | None:
    """A box that has all iterations of the loop around it, made larger where it has not."""
    loop, around = box.loop, box.around
    if box.by != 1 or box.apart is None:
        return None
    place = _name(around, loop)
    if box.is_lower:
        if not _has_same_end(loop, around):
            return None
        first = copied(around.lower) if box.apart >= 0 else box.lower
        return _Range(box.relation, first, box.upper, place, box.guard)
    if not same(loop.lower, around.lower):
        return None
    if box.apart <= (loop.relation == "<"):
        return _Range(around.relation, box.lower, copied(around.upper), place, box.guard)
    return _Range(box.relation, box.lower, box.upper, place, box.guard)


def _from_first(loop: CanonicalLoop) -> _Range | None:
    """Where the loop has no iteration, it gets its first one."""
    first, end = constant_value(loop.lower), constant_value(loop.upper)
    if not isinstance(first, int) or first == range_of_type(ty.INT)[1]:
        return None
    if isinstance(end, int):
        is_any = first < end or (first == end and loop.relation == "<=")
        return _Range(loop.relation, loop.lower, loop.upper, loop.lower, None) if is_any else None
    loc, excluded = loop.upper.loc, loop.relation == "<"
    least = first + excluded
    enough = t.Binary(ty.INT, loc, ">=", copied(loop.upper), _number(least, loop))
    upper = t.Conditional(ty.INT, loc, enough, copied(loop.upper), _number(least, loop))
    guard = t.Binary(ty.INT, loc, loop.relation, t.Name(loop.var.type, loc, loop.var), copied(loop.upper))
    return _Range(loop.relation, loop.lower, upper, loop.lower, guard)


def _name(around: CanonicalLoop, loop: CanonicalLoop) -> t.Name:
    return t.Name(around.var.type, loop.statement.loc, around.var)


def _number(value: int, loop: CanonicalLoop) -> t.Expr:
    loc = loop.statement.loc
    number = t.IntConst(ty.INT, loc, abs(value), str(abs(value)))
    return number if value >= 0 else t.Unary(ty.INT, loc, "-", number)
