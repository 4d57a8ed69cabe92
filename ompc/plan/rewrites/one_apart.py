"""Rewrite: a loop of which one iteration changes what all others read is done in three parts (`auto`).

    for (j = 0; j < n; j++)                             for (j = 0; j < k; j++) B
        if (d[i][k] + d[k][j] < d[i][j])       ->       B, with k in the place of j
            d[i][j] = d[i][k] + d[k][j];                for (j = k + 1; j < n; j++) B

Iteration k stores to d[i][k], which those before it read as it was, and those behind it as it is then. The parts have
all iterations, each once and in order, so nothing changes; and those of one part are independent of each other, so that
the threads of a group can divide them, and wait between the parts. That goes for loops over rows of which one element
is a factor, or a pivot: shortest paths, transitive closures, the elimination of Gauss and Jordan.

    which iteration   an access that does not move with the loop, and one that does, are the same element where the
                      counter is one number: a variable that the launch does not change, the counter of an annotated
                      loop, or a constant. It is found in the difference of their offsets; the parts are right
                      whichever number it is, also one that the counter never is
    bounds            where it is not known that the loop has iteration k, the first part ends with the loop if that is
                      before k, the second one has a condition, and the last one begins with the loop if k is before it
    another step      all parts have the loop's head, and conditions leave iterations out
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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import cast

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.ranges import range_of_type
from ompc.analysis.memory.accesses import Access
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import common, promoted_value
from ompc.ir.exits import breaks, continues, labels_in, leaves_loop
from ompc.ir.queries import declarations_in, declared_in, nodes, set_in, symbols_in
from ompc.ir.rewrite import copied, copied_around
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.counter_places import Place, place_in
from ompc.plan.groups.lane_declarations import with_rest
from ompc.plan.groups.lane_terms import NotDivisibleError
from ompc.plan.groups.lane_work import leaves_its_variable
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
    return steps and own and facts.has_fixed_bounds(loop) and not leaves_its_variable(facts, loop)


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
    is_plain = loop.constant_step == 1 and loop.relation in ("<", "<=") and _counts_alike(loop)
    after = _in_parts(facts, loop, _Parts(facts, loop, at).statements()) if is_plain else None
    return after or _in_parts(facts, loop, [_guarded(loop, at, op) for op in _PARTS])


def _in_parts(facts: Facts, loop: CanonicalLoop, parts: Sequence[t.Stmt]) -> Facts | None:
    made = with_body(facts, loop.statement, t.Block(loop.statement.loc, tuple(parts)))
    if isinstance(made, Reason):
        return None
    loops = [made.inner_loops.get(part) for part in parts if isinstance(part, t.For)]
    wholes = {part.var: loop for part in loops if part is not None and part.var is not loop.var}
    after = gather_again(made, replace(made.loop, wholes={**made.loop.wholes, **wholes}))
    if isinstance(after, Reason):
        return None
    independent = all(part is not None and why_dependent(after, part, ()) is None for part in loops)
    return after if independent else None


def _counts_alike(loop: CanonicalLoop) -> bool:
    """Do C's comparisons with the bound compare numbers, whichever number of the counter's type is compared?"""
    kind = ty.unqualified(loop.type)
    compared = common(kind, promoted_value(loop.upper))
    wide = isinstance(kind, ty.Int) and kind.size >= ty.INT.size
    return wide and isinstance(compared, ty.Int) and (compared.signed or compared == kind)


def _guarded(loop: CanonicalLoop, at: t.Expr, op: str) -> t.For:
    """A copy of the loop with variables of its own, of which a condition leaves out some iterations."""
    own = {symbol: replace(symbol) for symbol in declared_in(loop.statement)}
    statement = _Copy(own).of(loop.statement)
    assert isinstance(statement, t.For)
    loc = loop.statement.loc
    condition = t.Binary(ty.INT, loc, op, t.Name(loop.type, loc, own.get(loop.var, loop.var)), copied(at))
    return replace(statement, body=t.Block(loc, (t.If(loc, condition, statement.body, None),)))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The iterations before `at`, that one, and those behind it, of a loop that counts up by one. No number is computed
    that its type may not have: `at + 1` only where it is no more than the bound, and what is beyond that only where
    `at` is.
    """

    facts: Facts
    loop: CanonicalLoop
    at: t.Name | t.IntConst

    def statements(self) -> list[t.Stmt]:
        loop, place = self.loop, place_in(self.facts, self.loop, self.at)
        parts: list[t.Stmt] = []
        if not place.is_first:
            end = copied(self.at) if place.before_end else self._least_end()
            parts.append(self._loop(copied(loop.lower), "<", end))
        parts.append(self._alone(place))
        if not place.is_last:
            parts.append(self._loop(self._next(place), loop.relation, copied(loop.upper)))
        return parts

    @property
    def _loc(self) -> Location:
        return self.loop.statement.loc

    def _before_end(self) -> t.Expr:
        return t.Binary(ty.INT, self._loc, self.loop.relation, copied(self.at), copied(self.loop.upper))

    def _least_end(self) -> t.Expr:
        """Where the first part ends: at the iteration, or with the loop."""
        end = copied(self.loop.upper) if self.loop.relation == "<" else _one_more(self.loop.upper)
        kind = common(promoted_value(self.at), promoted_value(end))
        return t.Conditional(kind, self._loc, self._before_end(), copied(self.at), end)

    def _next(self, place: Place) -> t.Expr:
        """Where the last part begins: behind the iteration; with the loop, where the iteration is before that."""
        kind, loc = ty.unqualified(self.loop.type), self._loc
        begin = _one_more(self.at)
        if not (place.before_end or isinstance(self.at, t.IntConst)):
            begin = t.Conditional(kind, loc, self._before_end(), begin, copied(self.at))
        if not place.from_first:
            before = t.Binary(ty.INT, loc, "<", copied(self.at), self._first())
            begin = t.Conditional(kind, loc, before, self._first(), begin)
        return begin

    def _first(self) -> t.Expr:
        lower, kind = copied(self.loop.lower), ty.unqualified(self.loop.type)
        known, (least, greatest) = constant_value(lower), range_of_type(kind)
        as_it_is = ty.unqualified(lower.type) == kind or (isinstance(known, int) and least <= known <= greatest)
        return lower if as_it_is else t.Cast(kind, lower.loc, lower)

    def _alone(self, place: Place) -> t.Stmt:
        """The one iteration, if the loop has it."""
        body = _Copy(_own(self.loop.body), {self.loop.var: self.at}).of(self.loop.body)
        assert isinstance(body, t.Stmt)
        body = _without_continue(body)
        asked: list[t.Expr] = []
        if not place.from_first:
            asked.append(t.Binary(ty.INT, self._loc, "<=", self._first(), copied(self.at)))
        if not place.before_end:
            asked.append(self._before_end())
        if not asked:
            return body
        condition = reduce(lambda a, b: t.Binary(ty.INT, self._loc, "&&", a, b), asked)
        return t.If(self._loc, condition, body, None)

    def _loop(self, first: t.Expr, relation: str, end: t.Expr) -> t.For:
        """With variables of its own, also its counter, which nothing reads behind it."""
        loop, loc = self.loop, self._loc
        var = replace(loop.var, type=ty.unqualified(loop.type), storage=t.Storage.AUTO)
        copy = _Copy(_own(loop.body) | {loop.var: var})
        body, step = copy.of(loop.body), loop.statement.step
        assert isinstance(body, t.Stmt) and step is not None
        init = t.DeclStmt(loc, (t.VarDecl(var, first, loc),))
        condition = t.Binary(ty.INT, loc, relation, t.Name(var.type, loc, var), end)
        return replace(loop.statement, init=init, condition=condition, step=cast(t.Expr, copy.of(step)), body=body)


def _own(body: t.Stmt) -> dict[t.Symbol, t.Symbol]:
    return {symbol: replace(symbol) for symbol in declared_in(body)}


def _one_more(value: t.Expr) -> t.Expr:
    """The number behind it: `n` behind `n - 1`."""
    known, kind, loc = constant_value(value), promoted_value(value), value.loc
    if isinstance(known, int) and known < range_of_type(kind)[1]:
        return _number(kind, known + 1, loc)
    match value:
        case t.Binary(op="-", left=left, right=right, type=ty.Int(signed=True)) if constant_value(right) == 1:
            return copied(left) if ty.unqualified(left.type) == kind else t.Cast(kind, loc, copied(left))
        case _:
            return t.Binary(kind, loc, "+", copied(value), _number(ty.INT, 1, loc))


def _number(kind: ty.Type, value: int, loc: Location) -> t.Expr:
    number = t.IntConst(kind, loc, abs(value), str(abs(value)))
    return number if value >= 0 else t.Unary(kind, loc, "-", number)


def _without_continue(body: t.Stmt) -> t.Stmt:
    """The same where no loop is around it: what a `continue` passes by is in the other branch, or it leaves a loop of
    one turn.
    """
    if not continues(body):
        return body
    items = body.items if isinstance(body, t.Block) else (body,)
    at = next(number for number, item in enumerate(items) if continues(item))
    rest = items[at + 1 :]
    try:
        passed = with_rest(items[at], (_without_continue(t.Block(body.loc, rest)),) if rest else ())
    except NotDivisibleError:
        return t.DoWhile(body.loc, body, t.IntConst(ty.INT, body.loc, 0, "0"))
    return t.Block(body.loc, (*items[:at], passed))


class _Copy:
    """Copies statements: analyses know code by its nodes. `own`: what becomes of the variables that they declare;
    `values`: what stands for variables.
    """

    def __init__(self, own: dict[t.Symbol, t.Symbol], values: Mapping[t.Symbol, t.Expr] | None = None) -> None:
        self._own, self._values = own, values or {}

    def of(self, node: Node) -> Node:
        match node:
            case t.Name(symbol=symbol) if symbol in self._values:
                return copied(self._values[symbol])
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol) if symbol in self._own:
                return copied_around(replace(node, symbol=self._own[symbol]), self.of)
            case _:
                return copied_around(node, self.of)
