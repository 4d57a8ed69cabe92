"""Analysis: an iteration of an inner loop as statements one after the other, and what is known of integers in each.

    for (j = 0; j < n; j++) {
        j1 = j + 1;                                  known behind it: j1 is the counter and 1
        for (m = 0; m < 3; m++)                      three times, where m is 0, 1 and 2
            rhs[j1][m] = rhs[j1][m] + rhs[j][m];
        if (i < last) u[j] = u[j] * 2;               under a condition that the loop does not change
    }

What else has control flow is one statement, of which nothing is known but what it sets.

    In: Facts, a loop.   Out: its steps, or NotInStepsError.   Not here: what they do -- recurrences.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from ompc.analysis.facts import Facts
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declarations_in, set_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop

Affine: TypeAlias = tuple[int, int]
"""So many times the counter, and a constant."""

MOST_TURNS = 8
"""Of an inner loop that is read as what it stands for."""

MOST_STEPS = 120
"""Statements of an iteration."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A statement of an iteration, done where all `guards` hold, which the loop does not change, with what the
    variables have that are known, and those of them that stand for constants in it.
    """

    statement: t.Stmt
    guards: tuple[t.Expr, ...]
    values: Mapping[t.Symbol, Affine]
    constants: Mapping[t.Symbol, int]


@dataclass(frozen=True, slots=True, eq=False)
class Nested:
    """A block of an iteration; `guard`: which is done only then."""

    block: t.Stmt
    guard: t.Expr | None
    items: tuple[Step | Nested, ...]


class NotInStepsError(Exception):
    """There is something that does not stand in an order known here."""


def iteration_of(facts: Facts, loop: CanonicalLoop) -> tuple[Step | Nested, ...]:
    """The items of the loop's body. Raises NotInStepsError."""
    return tuple(_Reader(facts, set_in(loop.statement), {loop.var: (1, 0)}).items(loop.statement.body))


def iteration_of_grid(facts: Facts, body: t.Stmt) -> tuple[Step | Nested, ...]:
    """The items of what a thread does for a point of the grid, whose counters it does not change. Raises
    NotInStepsError.
    """
    return tuple(_Reader(facts, set_in(body), {}).items(body))


def steps_of(items: Sequence[Step | Nested]) -> Iterator[Step]:
    """All of them, in their order."""
    for item in items:
        if isinstance(item, Step):
            yield item
        else:
            yield from steps_of(item.items)


def is_signed(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Int) and kind.signed and kind.size >= ty.INT.size


def is_fixed(expr: t.Expr, facts: Facts, changed: Collection[t.Symbol]) -> bool:
    """A number that the loop does not change, made of variables that no other thread changes."""
    for node in walk(expr):
        match node:
            case t.Name(symbol=symbol):
                own = facts.is_thread_private(MemoryObject(symbol)) and not symbol.address_taken
                if symbol in changed or not (own or facts.is_only_read(symbol)) or not ty.is_integer(symbol.type):
                    return False
            case t.IntConst() | t.Binary(op="+" | "-" | "*") | t.Unary(op="-" | "+") | t.Cast():
                pass
            case _:
                return False
    return True


def short_turns(facts: Facts, loop: CanonicalLoop) -> range | None:
    """The values of the counter of a loop that turns a few times; None: it is none."""
    if loop.down or loop.constant_step not in (1, None) or loop.relation not in ("<", "<="):
        return None
    if (loop.constant_step is None and loop.step is not None) or not is_signed(loop.type):
        return None
    lower, upper = constant_value(loop.lower), constant_value(loop.upper)
    if lower is None or upper is None or loop.pointer is not None:
        return None
    found = range(lower, upper + (loop.relation == "<="))
    own = facts.is_thread_private(MemoryObject(loop.var)) and not loop.var.address_taken
    return found if own and 0 < len(found) <= MOST_TURNS else None


def is_fixed_condition(condition: t.Expr, facts: Facts, changed: Collection[t.Symbol]) -> bool:
    """Is it a comparison of such numbers, or several that all have to hold?"""
    match condition:
        case t.Binary(op="&&", left=left, right=right):
            return all(is_fixed_condition(part, facts, changed) for part in (left, right))
        case t.Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=", left=left, right=right):
            return all(is_fixed(part, facts, changed) for part in (left, right))
        case _:
            return False


class _Reader:
    """Reads an iteration as statements one after the other."""

    def __init__(self, facts: Facts, changed: Collection[t.Symbol], values: Mapping[t.Symbol, Affine]) -> None:
        self._facts = facts
        self._changed = changed
        self._values = dict(values)
        self._constants: dict[t.Symbol, int] = {}
        self._guards: tuple[t.Expr, ...] = ()
        self._behind: dict[t.Symbol, t.Stmt] = {}  # what counters of short loops have behind them, not said so far
        self._left = MOST_STEPS

    def items(self, statement: t.Stmt) -> Iterator[Step | Nested]:
        items = statement.items if isinstance(statement, t.Block) else (statement,)
        if self._constants and any(isinstance(item, t.DeclStmt) for item in items):
            raise NotInStepsError  # each turn would declare it
        for item in items:
            if isinstance(item, t.Block):
                yield Nested(item, None, tuple(self.items(item)))
            elif isinstance(item, t.If) and item.other is None and self._is_guard(item.condition):
                yield from self._said({*self._behind})  # where the guard does not hold, too
                yield self._guarded(item)
            elif isinstance(item, t.For) and (turns := self._turns(item)) is not None:
                yield from self._turned(item, turns)
            elif not isinstance(item, t.Empty):
                yield from self._said(symbols_in(item))
                yield self._step(item)
        yield from self._said({*self._behind})

    def _said(self, symbols: Collection[t.Symbol]) -> Iterator[Step]:
        for symbol in [symbol for symbol in self._behind if symbol in symbols]:
            yield self._step(self._behind.pop(symbol))

    def _is_guard(self, condition: t.Expr) -> bool:
        return is_fixed_condition(condition, self._facts, self._changed)

    def _guarded(self, item: t.If) -> Nested:
        before = self._guards
        self._guards = (*before, item.condition)
        items = tuple(self.items(item.then))
        self._guards = before
        for symbol in set_in(item.then):  # who reads it elsewhere may find what it was
            self._values.pop(symbol, None)
        return Nested(item.then, item.condition, items)

    def _step(self, item: t.Stmt) -> Step:
        self._left -= 1
        is_simple = isinstance(item, (t.DeclStmt, t.ExprStmt))
        if self._left < 0 or (self._constants and not is_simple):
            raise NotInStepsError
        if any(isinstance(node, (t.Pragma, t.OpaqueExpr, t.OpaqueStmt)) for node in walk(item)):
            raise NotInStepsError
        found = Step(item, self._guards, dict(self._values), dict(self._constants))
        value = _assigned(item)
        for symbol in set_in(item) | {decl.symbol for decl in declarations_in(item)}:
            self._values.pop(symbol, None)
            if value is not None and value[0] is symbol and self._is_own(symbol):
                known = affine(value[1], found.values)
                self._values |= {} if known is None else {symbol: known}
        return found

    def _is_own(self, symbol: t.Symbol) -> bool:
        """Does nothing but its name lead to the variable, in this thread or another?"""
        return self._facts.is_thread_private(MemoryObject(symbol)) and not symbol.address_taken

    def _turns(self, statement: t.For) -> range | None:
        """The values of the counter of a short loop; None: it is none."""
        loop = self._facts.inner_loops.get(statement)
        return None if loop is None else short_turns(self._facts, loop)

    def _turned(self, statement: t.For, turns: range) -> Iterator[Step | Nested]:
        loop = self._facts.inner_loops[statement]
        self._behind.pop(loop.var, None)
        for turn in turns:
            self._values[loop.var] = 0, turn
            self._constants[loop.var] = turn
            yield from self.items(statement.body)
        del self._constants[loop.var]
        self._values[loop.var] = 0, turns.stop
        if not loop.declared_here:
            where = statement.loc
            name, value = t.Name(loop.type, where, loop.var), t.IntConst(ty.INT, where, turns.stop, str(turns.stop))
            self._behind[loop.var] = t.ExprStmt(where, t.Assign(loop.type, where, "=", name, value))


def _assigned(item: t.Stmt) -> tuple[t.Symbol, t.Expr] | None:
    match item:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
            return symbol, value
        case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=value),)) if value is not None:
            return symbol, value
        case _:
            return None


def affine(expr: t.Expr, values: Mapping[t.Symbol, Affine]) -> Affine | None:
    """The expression in terms of the counter, where its variables have these values."""
    if not isinstance(expr, t.IntConst) and not is_signed(ty.unqualified(expr.type)):
        return None
    match expr:
        case t.IntConst(value=value):
            return 0, value
        case t.Name(symbol=symbol):
            return values.get(symbol)
        case t.Binary(op="+" | "-" as op, left=left, right=right):
            one, other = affine(left, values), affine(right, values)
            if one is None or other is None:
                return None
            sign = 1 if op == "+" else -1
            return one[0] + sign * other[0], one[1] + sign * other[1]
        case _:
            return None
