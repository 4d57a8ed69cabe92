"""Analysis: statements that give single elements of a thread's own arrays a value, one for each of them.

    i = 1;                                   v[1][0] = 0;           at 1
    for (m = 0; m < 2; m++) v[i][m] = 0;     v[1][1] = 0;           at 1
    v[i + 1][1] -= c * v[i][1];              v[2][1] -= c * v[1][1] at 2, and 1 before that

What stands in them for subscripts becomes what the launch does not change: counters of short loops are numbers, and a
variable is the value that it has just got, which is said nowhere any more: nobody may read it behind them.

    In: Facts, the arrays, the dimension of each that moves; statements, one after the other.   Out: SingleElement of
    each; None: it does something else.
    Not here: what becomes of them -- shifts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from ompc.analysis.facts import Facts
from ompc.analysis.interchange.array_contraction import subscripts_of
from ompc.analysis.locality.iteration_steps import is_fixed, is_fixed_condition, is_signed, short_turns
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import set_in
from ompc.ir.rewrite import copied_around, rewritten
from ompc.ir.walk import Node, walk

Entry: TypeAlias = tuple[int, ...]
"""The constants in the other dimensions of an element."""

MOST_STATEMENTS = 64


@dataclass(frozen=True, slots=True, eq=False)
class SingleElement:
    """`statement` changes the element of its array at `position`, where all `guards` hold; `elements`: all that it
    names, with the array, the entry, and how far each is from there.
    """

    statement: t.ExprStmt
    guards: tuple[t.Expr, ...]
    position: t.Expr
    elements: Mapping[t.Index, tuple[t.Symbol, Entry, int]]


class SingleElements:
    """Reads statements one after the other. `changed`: variables that do not stay the same."""

    def __init__(
        self, facts: Facts, own: frozenset[t.Symbol], moving: Mapping[t.Symbol, int], changed: frozenset[t.Symbol]
    ) -> None:
        self._facts = facts
        self._own = own
        self._moving = moving
        self._changed = changed
        self._values: dict[t.Symbol, t.Expr] = {}
        self._guards: tuple[t.Expr, ...] = ()
        self.found: list[SingleElement] = []

    def next(self, item: t.Stmt) -> list[SingleElement] | None:
        """What the next statement does; None: something else, and it is as if it had not been asked for."""
        before, values = len(self.found), dict(self._values)
        if self._takes(item):
            return self.found[before:]
        del self.found[before:]
        self._values = values
        return None

    def _takes(self, item: t.Stmt) -> bool:
        match item:
            case t.Empty():
                return True
            case t.Block(items=items):
                return all(map(self._takes, items))
            case t.If(condition=condition, then=then, other=None):
                return self._takes_guarded(condition, then)
            case t.DeclStmt(decls=decls):
                return all(self._declares(decl) for decl in decls)
            case t.For() if (loop := self._facts.inner_loops.get(item)) is not None:
                turns = short_turns(self._facts, loop)
                if turns is None or loop.var in set_in(loop.body):
                    return False
                for turn in turns:
                    self._values[loop.var] = _number(turn, loop.lower)
                    if not self._takes(loop.body):
                        return False
                self._values[loop.var] = _number(turns.stop, loop.lower)
                return True
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                return self._sets(symbol, value)
            case t.ExprStmt(expr=t.Assign(target=t.Index() as target)):
                return self._changes(item, target)
            case _:
                return False

    def _takes_guarded(self, condition: t.Expr, then: t.Stmt) -> bool:
        if not is_fixed_condition(condition, self._facts, self._changed):
            return False
        before = self._guards
        self._guards = (*before, condition)
        taken = self._takes(then)
        self._guards = before
        self.forgets(set_in(then))  # who reads it behind that may find what it was
        return taken

    def _declares(self, decl: t.VarDecl) -> bool:
        if not isinstance(decl.symbol.type, ty.Int):
            return False
        return decl.init is None or self._sets(decl.symbol, decl.init)

    def value_of(self, expr: t.Expr) -> t.Expr | None:
        """The number, made of what the launch does not change, that the expression is where it stands; None: none."""
        found = self._said(expr)
        return found if is_fixed(found, self._facts, self._changed) else None

    def forgets(self, symbols: Iterable[t.Symbol]) -> None:
        """They have other values from now on."""
        for symbol in symbols:
            self._values.pop(symbol, None)

    def _sets(self, symbol: t.Symbol, value: t.Expr) -> bool:
        own = self._facts.is_thread_private(MemoryObject(symbol)) and not symbol.address_taken
        if not own or not is_signed(ty.unqualified(symbol.type)):
            return False
        known = self._said(value)
        if not isinstance(known, t.Expr) or not is_fixed(known, self._facts, self._changed):
            return False
        if ty.unqualified(known.type) not in (ty.INT, ty.unqualified(symbol.type)):
            return False
        self._values[symbol] = known
        return True

    def _said(self, node: t.Expr) -> t.Expr:
        """A copy, with what variables have in their places."""

        def change(part: Node) -> Node | None:
            if isinstance(part, t.Name) and part.symbol in self._values:
                return self._said(self._values[part.symbol])
            return copied_around(part, change) if isinstance(part, t.Expr) else None

        return rewritten(node, change)

    def _changes(self, item: t.ExprStmt, target: t.Index) -> bool:
        made = replace(item, expr=self._said(item.expr))
        assert isinstance(made.expr, t.Assign)
        if not isinstance(made.expr.target, t.Index):
            return False
        place = self._place(made.expr.target)
        if place is None or len(self.found) == MOST_STATEMENTS:
            return False
        symbol, entry, position = place
        elements = {made.expr.target: (symbol, entry, 0)}
        inside = {*walk(made.expr.target)}
        for node in walk(made.expr):
            if node in inside:
                continue
            if isinstance(node, t.Index):
                other = self._place(node)
                at = None if other is None else self._between(position, other[2])
                if other is None or at is None:
                    return False
                elements[node] = other[0], other[1], at
                inside |= {*walk(node)}
            elif not self._is_plain(node, made.expr):
                return False
        self.found.append(SingleElement(made, self._guards, position, elements))
        return True

    def _place(self, node: t.Index) -> tuple[t.Symbol, Entry, t.Expr] | None:
        """The array, the constants, and the subscript that moves elsewhere."""
        found = subscripts_of(node)
        if found is None or found[0].symbol not in self._own or found[0].symbol not in self._moving:
            return None
        symbol = found[0].symbol
        lengths = ty.constant_lengths(symbol.type)
        if lengths is None or len(lengths) != len(found[1]):
            return None
        entry: list[int] = []
        for number, (subscript, length) in enumerate(zip(found[1], lengths, strict=True)):
            value = constant_value(subscript)
            if number == self._moving[symbol]:
                continue
            if value is None or not 0 <= value < length:
                return None
            entry.append(value)
        position = found[1][self._moving[symbol]]
        if not is_signed(ty.unqualified(position.type)) or not is_fixed(position, self._facts, self._changed):
            return None
        return symbol, tuple(entry), position

    def _between(self, position: t.Expr, other: t.Expr) -> int | None:
        forms = self._facts.forms.of(position), self._facts.forms.of(other)
        return None if forms[0] is None or forms[1] is None else (forms[1] + -forms[0]).constant

    def _is_plain(self, node: Node, whole: t.Expr) -> bool:
        """Is it arithmetic on numbers that the iteration does not change?"""
        match node:
            case t.Name(symbol=symbol):
                if device_library.is_device_function(symbol.name):
                    return True
                fixed = self._facts.is_thread_private(MemoryObject(symbol)) or self._facts.is_only_read(symbol)
                return ty.is_arithmetic(symbol.type) and symbol not in self._changed and fixed
            case t.Assign():
                return node is whole
            case t.IncDec() | t.Member() | t.OpaqueExpr():
                return False
            case t.Unary(op=op):
                return op in ("-", "+", "!", "~")
            case t.Call(function=t.Name(symbol=function)):
                return device_library.is_device_function(function.name)
            case _:
                return not isinstance(node, t.Call)


def _number(value: int, at: t.Expr) -> t.IntConst:
    return t.IntConst(ty.INT, at.loc, value, str(value))
