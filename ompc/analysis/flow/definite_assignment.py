"""Analysis: definite assignment: variables that a piece of code reads before it has assigned them.

A scalar that every iteration assigns before it reads can be each thread's own, whatever thread runs the iteration.

    r = u[i][j] - f[i][j];  s += r * r;        read before assigned: s, i, j;   not r

A path that may skip an assignment counts as not assigning; a loop body may run zero times, any case of a switch may be
the first, and one thread alone may execute what stands below a pragma. `goto` makes every variable count as read, and
so does a case inside of another statement of its switch (Duff's device).

    In: a statement.   Out: the scalar variables that it may read from outside.
"""

from __future__ import annotations

from functools import lru_cache

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.exits import continues, has_goto, has_hidden_case
from ompc.ir.queries import symbols_in, type_written_at
from ompc.ir.walk import Node, children, type_expressions


def exposed_reads(body: t.Stmt) -> frozenset[t.Symbol]:
    """The variables whose value from before `body` some path through `body` may read."""
    return flow_of(body).exposed


@dataclass(frozen=True, slots=True)
class Flow:
    """What one piece of code does to the variables that it names.

    `exposed`   whose value from before some path may read
    `assigned`  whose value every path to its end has replaced
    """

    exposed: frozenset[t.Symbol]
    assigned: frozenset[t.Symbol]


@lru_cache(maxsize=4096)
def flow_of(code: t.Stmt | t.VarDecl | t.Expr) -> Flow:
    """The flow of `code`; kept, since every loop of a function asks about what comes after it."""
    if has_goto(code) or has_hidden_case(code):
        return Flow(symbols_in(code), frozenset())
    scan, assigned = _Scan(), set[t.Symbol]()
    if isinstance(code, t.Expr):
        scan.expression(code, assigned)
    else:
        scan.statement(code, assigned)
    return Flow(frozenset(scan.exposed), frozenset(assigned))


def is_always_assigned(body: t.Stmt, symbol: t.Symbol) -> bool:
    """Does each iteration of the loop that has this body assign it? No, when it may `continue` before."""
    for item in body.items if isinstance(body, t.Block) else (body,):
        if has_goto(item) or continues(item):
            return False
        if symbol in flow_of(item).assigned:
            return True
    return False


class _Scan:
    """Walks code in evaluation order with the set of variables that are certainly assigned by then."""

    def __init__(self) -> None:
        self.exposed: set[t.Symbol] = set()
        self._before_switch: list[set[t.Symbol]] = []

    def statement(self, node: t.Stmt | t.VarDecl, assigned: set[t.Symbol]) -> None:
        match node:
            case t.ExprStmt(expr=expr):
                self.expression(expr, assigned)
            case t.VarDecl(symbol=symbol, init=init):
                self._lengths(node, assigned)
                if init is not None:
                    self.expression(init, assigned)
                assigned.add(symbol)
            case t.If(condition=condition, then=then, other=other):
                self.expression(condition, assigned)
                self._branches(then, other, assigned)
            case t.For(init=init, condition=condition, step=step, body=body):
                if init is not None:
                    self.statement(init, assigned)
                self._loop((condition, step), body, assigned)
            case t.While(condition=condition, body=body):
                self._loop((condition,), body, assigned)
            case t.DoWhile(body=body, condition=condition):
                self.statement(body, set(assigned))
                self.expression(condition, set(assigned))
            case t.Switch(value=value, body=body):
                self.expression(value, assigned)
                self._before_switch.append(set(assigned))
                self.statement(body, set(assigned))
                self._before_switch.pop()
            case t.Case() if self._before_switch:
                assigned &= self._before_switch[-1]
            case t.Pragma(body=body):
                if body is not None:  # one thread may execute it, on a copy of its own
                    self.statement(body, set(assigned))
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self.expression(child, assigned)
                    else:
                        self.statement(child, assigned)

    def _branches(self, then: t.Stmt, other: t.Stmt | None, assigned: set[t.Symbol]) -> None:
        in_then, in_other = set(assigned), set(assigned)
        self.statement(then, in_then)
        if other is not None:
            self.statement(other, in_other)
        assigned |= in_then & in_other

    def _loop(self, heads: tuple[t.Expr | None, ...], body: t.Stmt, assigned: set[t.Symbol]) -> None:
        condition, *step = heads
        if condition is not None:
            self.expression(condition, assigned)
        inside = set(assigned)
        self.statement(body, inside)
        if continues(body):
            inside = set(assigned)
        for head in step:
            if head is not None:
                self.expression(head, inside)

    def _lengths(self, node: Node, assigned: set[t.Symbol]) -> None:
        """The lengths of variable arrays in a type that the text spells here."""
        for length in type_expressions(type_written_at(node)):
            self.expression(length, assigned)

    def expression(self, node: t.Expr, assigned: set[t.Symbol]) -> None:
        self._lengths(node, assigned)
        match node:
            case t.Assign(op="=", target=t.Name(symbol=symbol), value=value):
                self.expression(value, assigned)
                assigned.add(symbol)
            case t.Name(symbol=symbol):
                if symbol not in assigned:
                    self.exposed.add(symbol)
            case t.Binary(op="&&" | "||", left=left, right=right):
                self.expression(left, assigned)
                self.expression(right, set(assigned))
            case t.Conditional(condition=condition, then=then, other=other):
                self.expression(condition, assigned)
                self.expression(then, set(assigned))
                self.expression(other, set(assigned))
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self.expression(child, assigned)
