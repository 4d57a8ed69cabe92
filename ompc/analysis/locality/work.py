"""Analysis: about how many operations an iteration of a parallel loop does.

    for (j = 0; j < m; j++)               7 * m: a condition, an increment, three
        s += a[i][j] * x[j];              places in memory, a product, a sum

Arithmetic, accesses to memory and conversions count one each, divisions and calls of the library more, an inner loop
its body as often as it turns: a polynomial of what the launcher is given (polynomials.py). Where a loop's turns are not
known before the launch it counts UNKNOWN_TRIPS; where they depend on loops around it, as many as there can be; of
alternatives both count. It is an estimate, for the question whether a launch is worth it (ompc_cost_model.h): wrong, it
makes a program slower.

    In: Facts, the body of a thread.   Out: Polynomial.   Not here: how long an operation takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import MOST_TERMS, Forms, Polynomial, number
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.walk import children, walk
from ompc.omp.model import CanonicalLoop

UNKNOWN_TRIPS = 10
"""Of a loop in an iteration whose bounds are not known: more than a line of code, less than most loops over data.
Chosen; no measurement is on record."""
DIVISION = 4
"""Operations that a division stands for: it is several instructions on every device. Chosen; no measurement is on
record."""
LIBRARY_CALL = 20
"""Operations that a function whose body is not seen (sin, exp, ...) stands for. Chosen; no measurement is on record."""

SHORT_TRIPS = 16
"""Of a loop that counts as a line of code of the one around it."""

Node = t.Expr | t.Stmt | t.VarDecl


def work_of_iteration(facts: Facts, body: t.Stmt, axes: Sequence[CanonicalLoop] = ()) -> Polynomial:
    """The operations of `body`, over the launch's invariant integers. `axes`: the loops around it that have joined the
    parallel ones.
    """
    return _Work(facts, Forms(facts.invariant, {}), list(axes)).of(body)


def entries_of_loops(facts: Facts, body: t.Stmt) -> Polynomial | None:
    """How often `body` comes to a loop in which there is no other one, but short ones, over the launch's invariant
    integers; None: that is not known, or not how long those loops are.
    """
    return _Work(facts, Forms(facts.invariant, {})).entries(body)


@dataclass(slots=True)
class _Work:
    facts: Facts
    forms: Forms
    around: list[CanonicalLoop] = field(default_factory=list)
    called: list[t.Symbol] = field(default_factory=list)
    known: dict[t.Symbol, Polynomial] = field(default_factory=dict)
    """Of the functions that were looked at: a chain of them may call each other twice."""
    again: set[t.Symbol] = field(default_factory=set)
    """Those that were called although they are running: what was found since then holds only there."""

    def of(self, node: Node) -> Polynomial:
        match node:
            case t.For():
                return self._loop(node)
            case t.While(condition=condition, body=body) | t.DoWhile(condition=condition, body=body):
                return number(UNKNOWN_TRIPS) * (self.of(condition) + self.of(body))
            case t.Call():
                return self._call(node)
            case _:
                own, below = _own(node), children(node)
                return number(own) if not below else _sum([number(own), *map(self.of, below)])

    def _loop(self, node: t.For) -> Polynomial:
        loop = self.facts.inner_loops.get(node)
        trips = number(UNKNOWN_TRIPS) if loop is None else self._trips(loop)
        self.around += [] if loop is None else [loop]
        inside = [self.of(part) for part in (node.condition, node.step, node.body) if part is not None]
        if loop is not None:
            self.around.pop()
        found = trips * _sum(inside)
        return found if len(found.terms) <= MOST_TERMS else number(UNKNOWN_TRIPS)

    def entries(self, node: Node) -> Polynomial | None:
        """Of the innermost loops."""
        if not isinstance(node, t.For):
            found = [self.entries(child) for child in children(node)]
            return None if isinstance(node, (t.While, t.DoWhile)) or None in found else _sum([*filter(None, found)])
        loop = self.facts.inner_loops.get(node)
        trips = None if loop is None else self._known_trips(loop)
        if loop is None or trips is None:
            return None
        self.around.append(loop)
        inside = self.entries(node.body)
        self.around.pop()
        if not any(isinstance(part, t.For) and not self._is_short(part) for part in walk(node.body)):
            return number(1)
        return None if inside is None else trips * inside

    def _is_short(self, node: t.For) -> bool:
        loop = self.facts.inner_loops.get(node)
        lower, upper = (None, None) if loop is None else (constant_value(loop.lower), constant_value(loop.upper))
        return lower is not None and upper is not None and abs(upper - lower) <= SHORT_TRIPS

    def _trips(self, loop: CanonicalLoop) -> Polynomial:
        return self._known_trips(loop) or number(UNKNOWN_TRIPS)

    def _known_trips(self, loop: CanonicalLoop) -> Polynomial | None:
        """As many as there can be."""
        least, most = (loop.upper, loop.lower) if loop.down else (loop.lower, loop.upper)
        begin, end = self._extreme(least, len(self.around), False), self._extreme(most, len(self.around), True)
        if begin is None or end is None or loop.constant_step is None:
            return None
        distance = end + -begin
        trips = distance.constant
        if trips is not None:
            return number(max(trips // loop.constant_step, 1))
        return distance

    def _extreme(self, bound: t.Expr, depth: int, at_end: bool) -> Polynomial | None:
        """A bound over the invariants, in the last or the first turns of the outer `depth` loops around it."""
        loops = [*self.facts.loop.loops, *self.around[:depth]]
        self.forms.counters = {loop.var: loop.statement for loop in loops}
        found = self.forms.of(bound)
        for k in reversed(range(len(loops))):
            if found is None or loops[k].var not in found.factors:
                continue
            edge = loops[k].upper if at_end != loops[k].down else loops[k].lower
            value = self._extreme(edge, max(k - len(self.facts.loop.loops), 0), at_end)
            found = None if value is None else found.with_value(loops[k].var, value)
        return found

    def _call(self, node: t.Call) -> Polynomial:
        arguments = _sum([self.of(argument) for argument in node.args])
        symbol = node.function.symbol if isinstance(node.function, t.Name) else None
        callee = next((f for f in self.facts.device_code.functions if f.symbol is symbol and f.body is not None), None)
        if callee is None or callee.body is None or symbol is None:
            return arguments + number(LIBRARY_CALL)
        if symbol in self.called:
            self.again.add(symbol)
            return arguments + number(LIBRARY_CALL)
        return arguments + (self.known.get(symbol) or self._body(symbol, callee.body))

    def _body(self, symbol: t.Symbol, body: t.Stmt) -> Polynomial:
        """Of a function: no loop around a call gives its loops other bounds."""
        outside, self.again = self.again, set()
        self.called.append(symbol)
        found = self.of(body)
        self.called.pop()
        running = self.again - {symbol}
        if not running:
            self.known[symbol] = found
        self.again = outside | running
        return found


def _own(node: Node) -> int:
    """What the node itself does."""
    match node:
        case t.Binary(op="/" | "%"):
            return DIVISION
        case t.Assign(op="/=" | "%="):
            return DIVISION + 1
        case t.Binary() | t.Assign() | t.IncDec() | t.Conditional() | t.Index() | t.Unary(op="*" | "-" | "~" | "!"):
            return 1
        case t.Cast() if ty.is_scalar(node.type) and isinstance(node.type, ty.Float) != isinstance(
            node.operand.type, ty.Float
        ):
            return 1
        case t.Member(arrow=True) | t.VarDecl(init=t.Expr()) | t.If():
            return 1
        case _:
            return 0


def _sum(parts: list[Polynomial]) -> Polynomial:
    total = number(0)
    for part in parts:
        total += part
    return total
