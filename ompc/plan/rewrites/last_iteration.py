"""Rewrite: what stands behind a loop becomes one iteration more of it, where that makes axes of the grid (`auto`).

    for (y = 0; y < rows; y++)                    for (y = 0; y <= rows; y++)          rows >= 0
        for (x = 0; x < n; x++) A;                    if (y < rows)
    for (x = 0; x < n; x++) B;            ->              for (x = 0; x < n; x++) A;
    C;                                                else {
                                                          for (x = 0; x < n; x++) B;
                                                          C;
                                                      }

The last row of a grid, or its last column, is often done in another way, behind the loop over the others. As an
iteration of that loop it is done in its turn, so nothing changes; and if iterations are independent, the loop is an
axis, which a loop with something behind it cannot be. The same in each of the parts: above, C is one iteration more of
the loop in front of it, and if there is something behind the first loop over x, too, both have the same iterations and
are one, outside of the condition.

    one more        the loop counts up by one to a bound that the launch does not change, and that is not below the
                    first number: else what stands behind it would not be done. The host asks, where it is not known
    to the end      no jump passes by what stands behind the loop, nor is there one in it
    the counter     is wanted nowhere else, and means nothing else there
    an axis         all these loops become axes, of which the runtime counts the iterations without overflow; none that
                    stood behind another one, nor one inside of them, is left, which one thread would do

    In: Facts.   Out: the Facts of the same loop, and a line about it; or the same Facts.
    Not here: loops that become one -- interchange.py; statements in front of a loop -- sinking.py; target regions, of
    whose variables the device may have newer values.
    Source: code sinking into a guarded iteration, as for imperfect nests (Ahmed, Mateev and Pingali, "Synthesizing
    transformations for locality enhancement of imperfectly-nested loop nests", ICS 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.locality.trips import constant_trips
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import names_in, symbols_in
from ompc.ir.rewrite import copied
from ompc.ir.walk import walk
from ompc.omp.asked import LeastValue
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.rewrites.moved_loops import with_body

_LOOPS = (t.For, t.While, t.DoWhile)
_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt)

Nested = Callable[[Facts], tuple[Facts, str | None]]
"""What makes axes of loops that stand alone in each other, or beside others of the same iterations."""


def with_last_iterations(facts: Facts, nested: Nested) -> tuple[Facts, str | None]:
    """`facts` with what stands behind loops inside of these, where `nested` makes more axes then."""
    mapping = choose_mapping(facts, joins=True)
    if facts.loop.target is not None or len(mapping.loops) >= DEVICE.axes or not _is_plain(facts, mapping.body):
        return facts, None
    writer = _Writer(facts, mapping.body)
    body = writer.of(mapping.body)
    if not writer.loops:
        return facts, None
    after = with_body(facts, mapping.body, body)
    if isinstance(after, Reason):
        return facts, None
    after, line = nested(after)
    deeper = choose_mapping(after, joins=True)
    if len(deeper.loops) <= len(mapping.loops) or not writer.are_gone(deeper.body):
        return facts, None
    asked = tuple(dict.fromkeys((*after.loop.least, *writer.least)))
    known = gather_again(after, replace(after.loop, least=asked))
    if isinstance(known, Reason):
        return facts, None
    return known, "; ".join(filter(None, (_line(writer.loops), line)))


def _is_plain(facts: Facts, body: t.Stmt) -> bool:
    """Has it no jumps, and nothing that stands where it does for a reason of its own?"""
    fixed = any(isinstance(node, _UNFIT) for node in walk(body)) or facts.device_code.says_anything(body)
    return not (fixed or jumps_in(body) or labels_in(body))


def _line(loops: Sequence[CanonicalLoop]) -> str:
    lines = ", ".join(str(loop.statement.loc.line) for loop in loops)
    if len(loops) == 1:
        return f"what stands behind the loop of line {lines} is its last iteration"
    return f"what stands behind the loops of lines {lines} is the last iteration of each"


@dataclass(slots=True)
class _Writer:
    """`loops` have one more iteration; `behind` stood behind others; `least` is what must be so."""

    facts: Facts
    body: t.Stmt
    loops: list[CanonicalLoop] = field(default_factory=list)
    behind: list[t.For] = field(default_factory=list)
    least: list[LeastValue] = field(default_factory=list)

    def of(self, node: t.Stmt) -> t.Stmt:
        """A statement with loops that do more."""
        match node:
            case t.For() if node in self.facts.inner_loops:
                return replace(node, body=self.of(node.body))
            case t.Block(items=items):
                return self._of_block(node, [item for item in items if not isinstance(item, t.Empty)])
            case _:
                return node

    def _of_block(self, block: t.Block, items: Sequence[t.Stmt]) -> t.Stmt:
        at = next((k for k, item in enumerate(items) if isinstance(item, _LOOPS)), None)
        if at is None:
            return block
        first, behind = items[at], items[at + 1 :]
        loop = self.facts.inner_loops.get(first) if isinstance(first, t.For) else None
        if not behind:
            return replace(block, items=(*items[:at], self.of(first)))
        asked = least_bound(self.facts, loop) if loop is not None and self._may_do_more(loop, behind) else None
        if loop is None or asked is None:
            return block
        self.least += asked
        self.loops.append(loop)
        self.behind += [node for item in behind for node in walk(item) if isinstance(node, t.For)]
        rest = t.Block(behind[0].loc, tuple(behind))
        return replace(block, items=(*items[:at], self._with_one_more(loop, rest)))

    def _with_one_more(self, loop: CanonicalLoop, rest: t.Block) -> t.For:
        loc, name = loop.statement.loc, t.Name(loop.var.type, loop.statement.loc, loop.var)
        inside = t.Binary(ty.INT, loc, "<", name, copied(loop.upper))
        body = t.Block(loop.body.loc, (t.If(loc, inside, self.of(loop.body), self.of(rest)),))
        condition = t.Binary(ty.INT, loc, "<=", copied(name), copied(loop.upper))
        return replace(loop.statement, condition=condition, body=body)

    def _may_do_more(self, loop: CanonicalLoop, behind: Sequence[t.Stmt]) -> bool:
        """Does it count up by one to a fixed bound, with a counter that is wanted nowhere else?"""
        kinds = {ty.unqualified(part.type) for part in (loop.var, loop.upper)}
        if loop.down or loop.constant_step != 1 or loop.relation != "<" or kinds not in ({ty.INT}, {ty.LONG}):
            return False
        if loop.pointer is not None or loop.var.address_taken or not self.facts.has_fixed_bounds(loop):
            return False
        trips = constant_trips(loop)
        return (trips is None or trips > DEVICE.short_loop) and is_own_counter(self.body, loop, behind)

    def are_gone(self, body: t.Stmt) -> bool:
        """Are none of the loops that do more, or that stood behind others, left in `body`?"""
        counters = {loop.var for loop in self.loops}
        counters |= {self.facts.inner_loops[node].var for node in self.behind if node in self.facts.inner_loops}
        left = [node for node in walk(body) if isinstance(node, _LOOPS)]
        return not any(counters & symbols_in(node) for node in left) and len(left) <= self._others()

    def _others(self) -> int:
        """How many loops the body has that neither do more nor stood behind others."""
        done = {loop.statement for loop in self.loops} | set(self.behind)
        return sum(1 for node in walk(self.body) if isinstance(node, _LOOPS) and node not in done)


def is_own_counter(body: t.Stmt, loop: CanonicalLoop, behind: Sequence[t.Stmt]) -> bool:
    """Is the counter named in the loop alone, and its name nothing else behind the loop?"""
    inside = names_in(loop.statement).get(loop.var, ())
    if len(names_in(body).get(loop.var, ())) != len(inside):
        return False
    return all(symbol.name != loop.var.name for item in behind for symbol in symbols_in(item) if symbol is not loop.var)


def least_bound(facts: Facts, loop: CanonicalLoop) -> tuple[LeastValue, ...] | None:
    """What must be so for the bound not to be below the first number; None: the host cannot ask."""
    first, end = constant_value(loop.lower), constant_value(loop.upper)
    if not isinstance(first, int):
        return None
    if isinstance(end, int):
        return () if first <= end else None
    text = text_of_bound(facts, loop.upper)
    return None if text is None else (LeastValue(text, first),)


def text_of_bound(facts: Facts, bound: t.Expr) -> str | None:
    """The bound as the host evaluates it before the launch, without overflow; None: it cannot."""
    match bound:
        case t.Name(symbol=symbol) if facts.can_be_asked(symbol):
            return symbol.name
        case t.Binary(op="+" | "-" as op, left=t.Name() as left, right=right):
            name, number = text_of_bound(facts, left), constant_value(right)
            known = name is not None and isinstance(number, int) and 0 <= number < 2**31
            return f"(long){name} {op} {number}" if known else None
        case _:
            return None
