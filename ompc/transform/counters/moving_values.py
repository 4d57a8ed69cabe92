"""The values of a variable that moves with a loop's counter, as expressions over that counter.

    for (j = 2; j < n; j++) { ... k += 3; }      in an iteration  k + (j - 2) * 3      behind the loop  k + (n - 2) * 3

Where the program's own values fit the variable's type, each part of these must: a sum or product that does not would
be another number, or undefined.

    In: the loop, and what an iteration adds.   Out: expressions, each with nodes of its own.
    Not here: which variables move so -- induction_variables.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import nodes
from ompc.ir.rewrite import copied
from ompc.ir.show import integer_text
from ompc.omp.iteration_numbers import is_plain
from ompc.omp.model import CanonicalLoop
from ompc.transform.counters.moves import Moves


def is_fixed(symbol: t.Symbol) -> bool:
    return symbol.is_automatic and not symbol.address_taken and not symbol.type.quals & {"volatile", "_Atomic"}


@dataclass(frozen=True)
class Numbers:
    """The values of a variable in a loop: what it was in front of it, and `total` for each iteration before."""

    symbol: t.Symbol
    loop: CanonicalLoop
    total: Moves
    positive: Collection[t.Symbol]

    @property
    def kind(self) -> ty.Int:
        kind = ty.unqualified(self.symbol.type)
        assert isinstance(kind, ty.Int)
        return kind

    def fit(self, begun: t.Expr | None) -> bool:
        """Does each part of what is computed fit its type, where the program's own values do? `begun`: the first."""
        loop, counter = self.loop, ty.unqualified(self.loop.var.type)
        if not isinstance(counter, ty.Int) or counter.size < 4 or loop.constant_step != 1 or not self._distance_fits():
            return False
        if counter.size > self.kind.size:
            return False
        if counter.size == self.kind.size and self.kind.signed and not counter.signed:
            return False
        if not self.kind.signed or self.kind.size > counter.size:
            return True
        if abs(self.total.number) == 1 and not self.total.others:
            return True
        upwards = self.total.number >= 0 and all(map(self._never_negative, self.total.others))
        return upwards and begun is not None and self._never_negative(begun)

    def _distance_fits(self) -> bool:
        """Is the counter's distance from its first value at most the greatest of its type?"""
        loop = self.loop
        first, last = constant_value(loop.lower), constant_value(loop.upper)
        if loop.down:
            least = -1 if loop.relation == ">" else 0
            return last is not None and last >= least and self._is_own(loop.lower)
        return (first is not None and first >= 0) or (self._is_own(loop.lower) and self._never_negative(loop.lower))

    def _is_own(self, bound: t.Expr) -> bool:
        """Is it, of the counter's type, the same all the time?"""
        kept = constant_value(bound) is not None or ty.unqualified(bound.type) == ty.unqualified(self.loop.var.type)
        named = (node.symbol for node in nodes(bound) if isinstance(node, t.Name))
        return kept and all(map(is_plain, nodes(bound))) and all(map(is_fixed, named))

    def _never_negative(self, value: t.Expr) -> bool:
        number = constant_value(value)
        if number is not None:
            return number >= 0
        kind = ty.unqualified(value.type)
        if not isinstance(kind, ty.Int):
            return False
        match value:
            case _ if not kind.signed:
                return True
            case t.Name(symbol=symbol):
                return symbol in self.positive
            case t.Binary(op="+" | "*" | "/" | "%" | ">>", left=left, right=right):
                return self._never_negative(left) and self._never_negative(right)
            case t.Cast(operand=operand):
                narrow = isinstance(operand.type, ty.Int) and operand.type.size < kind.size
                return (narrow or operand.type == kind) and self._never_negative(operand)
            case t.Conditional(then=then, other=other):
                return self._never_negative(then) and self._never_negative(other)
            case _:
                return False

    def value(self, moved: Moves, loc: Location) -> t.Expr:
        """What the variable is in an iteration, behind what `moved` says of it."""
        return self._sum(self._name(loc), self._distance(loc), moved)

    def at_end(self) -> Sequence[t.Stmt] | None:
        """What gives the variable its value behind the loop."""
        loc, trips = self.loop.statement.loc, self._trips()
        if trips is None:
            return None
        value = self._sum(self._name(loc), trips, Moves())
        return (t.ExprStmt(loc, t.Assign(self.kind, loc, "=", self._name(loc), value)),)

    def _sum(self, start: t.Expr, times: t.Expr, moved: Moves) -> t.Expr:
        """start + times * total + moved."""
        value, loc, total = start, start.loc, self.total
        number = constant_value(times)
        if not total.others and abs(total.number) == 1:
            if number != 0:
                value = self._of("+" if total.number > 0 else "-", value, times)
        elif total.others or total.number:
            factor: t.Expr | None = self._number(total.number, loc) if total.number or not total.others else None
            for other in total.others:
                each = self._as_own(copied(other))
                factor = each if factor is None else self._of("+", factor, each)
            assert factor is not None
            value = self._of("+", value, self._of("*", times, factor))
        for other in moved.others:
            value = self._of("+", value, self._as_own(copied(other)))
        if moved.number:
            value = self._of("+" if moved.number > 0 else "-", value, self._number(abs(moved.number), loc))
        return value

    def _distance(self, loc: Location) -> t.Expr:
        loop = self.loop
        counter: t.Expr = self._as_own(t.Name(loop.var.type, loc, loop.var))
        if loop.down:
            return self._of("-", self._bound(loop.lower), counter)
        return counter if constant_value(loop.lower) == 0 else self._of("-", counter, self._bound(loop.lower))

    def _trips(self) -> t.Expr | None:
        """How often the loop turns, which may be not at all."""
        loop = self.loop
        loc = loop.statement.loc
        if not self._is_own(loop.lower) or not self._is_own(loop.upper):
            return None
        first, last = (loop.upper, loop.lower) if loop.down else (loop.lower, loop.upper)
        numbers = constant_value(first), constant_value(last)
        if numbers[0] is not None and numbers[1] is not None:
            return self._number(max(0, numbers[1] - numbers[0] + (loop.relation in ("<=", ">="))), loc)
        between = self._bound(last)
        if constant_value(first) != 0:
            between = self._of("-", between, self._bound(first))
        relation = "<=" if loop.relation in ("<=", ">=") else "<"
        if relation == "<=":
            between = self._of("+", between, self._number(1, loc))
        turns = t.Binary(ty.INT, loc, relation, self._bound(first), self._bound(last))
        return t.Conditional(self.kind, loc, turns, between, self._number(0, loc))

    def _bound(self, bound: t.Expr) -> t.Expr:
        number = constant_value(bound)
        return self._as_own(copied(bound)) if number is None else self._number(number, bound.loc)

    def _name(self, loc: Location) -> t.Expr:
        return t.Name(self.symbol.type, loc, self.symbol)

    def _as_own(self, value: t.Expr) -> t.Expr:
        return value if ty.unqualified(value.type) == self.kind else t.Cast(self.kind, value.loc, value)

    def _number(self, value: int, loc: Location) -> t.Expr:
        return t.IntConst(self.kind, loc, value, integer_text(value, self.kind))

    def _of(self, op: str, left: t.Expr, right: t.Expr) -> t.Expr:
        return t.Binary(self.kind, left.loc, op, left, right)
