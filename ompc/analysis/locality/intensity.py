"""Analysis: floating-point operations and bytes of one iteration of a parallel loop, as numbers.

    for (i ...)                                       16 operations of double precision
        for (k = 0; k < 8; k++)                       192 bytes where every access goes to memory,
            c[i] += a[i][k] * x[k];                   at least 80 where each element goes once, as x[k] for all i

The two ends of what caches and registers can do: the arithmetic intensity of the roofline model lies between them.
A number that the program's text does not have is taken to be ASSUMED_LENGTH, and it is said of which; loops whose
trip counts are not known count UNKNOWN_TRIPS, the branches of an `if` half. An estimate for people: no decision reads
it.

    Source: Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52(4), 2009.
    In: Facts.   Out: Intensity.
    Not here: integer operations; the roofs of a device -- readiness/roofline.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite, prod

from ompc.analysis.facts import Facts
from ompc.analysis.locality.work import DIVISION, LIBRARY_CALL, UNKNOWN_TRIPS
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.lmad import Placed
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.conversions import uncast
from ompc.ir.show import c_expr
from ompc.ir.walk import children
from ompc.omp.model import CanonicalLoop

_OF_COMPLEX = 4
"""Operations on real numbers for one on complex ones: 2 for a sum, 6 for a product."""
ASSUMED_LENGTH = 1000
"""Of a number that is known when the program runs. Chosen; the answer names the assumptions that it rests on."""
MOST_CALLS = 6
"""Functions inside one another that are looked into: each level may multiply the nodes. It bounds the work."""
MOST_VISITED = 300_000
"""Nodes; of functions that are called behind these nothing more is known than of the library's. It bounds the work."""
MOST_NAMED = 4
"""Assumptions and unknowns of a kind that are named: so that they stay a line."""

Node = t.Expr | t.Stmt | t.VarDecl


@dataclass(frozen=True, slots=True)
class Intensity:
    """`double`, `single`: operations of each precision; `every`, `once`: bytes, as above. All for one iteration of the
    associated loops, of which there are `iterations`. `assumed`: numbers taken to be ASSUMED_LENGTH; `unknown`: what
    else was guessed, in words.
    """

    iterations: float
    double: float
    single: float
    every: float
    once: float
    assumed: tuple[str, ...]
    unknown: tuple[str, ...]


def intensity(facts: Facts) -> Intensity:
    """The estimate for the loop of `facts`."""
    return _Estimate(facts).of_loop()


@dataclass(slots=True)
class _Estimate:
    """`counters`: the middle value of each loop's variable; `times`: how often an iteration evaluates an expression."""

    facts: Facts
    counters: dict[t.Symbol, float] = field(default_factory=dict)
    trips: dict[t.For, float] = field(default_factory=dict)
    times: dict[t.Expr, float] = field(default_factory=dict)
    called: list[t.Symbol] = field(default_factory=list)
    assumed: dict[str, None] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)
    shortest: dict[t.Symbol, float] | None = None
    double: float = 0
    single: float = 0
    visited: int = 0

    def of_loop(self) -> Intensity:
        iterations = prod([self._enter(loop) for loop in self.facts.loop.loops])
        self._visit(self.facts.device_code.body, 1)
        every, once = self._bytes(max(iterations, 1))
        return Intensity(
            iterations,
            self.double,
            self.single,
            every,
            once,
            tuple(self.assumed)[:MOST_NAMED],
            tuple(self.unknown)[:MOST_NAMED],
        )

    # ------------------------------------------------------------------------ how often

    def _enter(self, loop: CanonicalLoop) -> float:
        """The turns of a loop; its variable has its middle value inside."""
        lower, upper = self._value(loop.lower), self._value(loop.upper)
        step = loop.constant_step or (None if loop.step is None else self._value(loop.step)) or 1
        if lower is None or upper is None:
            self.unknown[f"the trip count of the loop of line {loop.statement.loc.line}"] = None
            trips: float = UNKNOWN_TRIPS
        else:
            trips = (abs(upper - lower) + (loop.relation in ("<=", ">="))) / abs(step)
            trips = min(trips, self._most(loop.var))
            self.counters[loop.var] = (lower + upper) / 2
        self.trips[loop.statement] = trips
        return trips

    def _most(self, counter: t.Symbol) -> float:
        """So many elements have the shortest array that the loop goes over: an assumed bound may be beyond that."""
        if self.shortest is None:
            self.shortest = _shortest_lengths(self.facts.accesses)
        return self.shortest.get(counter, float("inf"))

    def _value(self, expr: t.Expr) -> float | None:
        """A number for a bound; None: it depends on data."""
        constant = constant_value(expr)
        if constant is not None:
            return constant
        match expr:
            case t.Name(symbol=symbol):
                return self._variable(symbol)
            case t.Cast(operand=operand) | t.Unary(op="+", operand=operand):
                return self._value(operand)
            case t.Unary(op="-", operand=operand):
                value = self._value(operand)
                return None if value is None else -value
            case t.Binary(op="+" | "-" | "*" | "/" | "%" | "<<" | ">>" as op, left=left, right=right):
                one, other = self._value(left), self._value(right)
                return None if one is None or other is None else _computed(op, one, other)
            case t.Member() if not self._moves(expr):
                return self._assumed(c_expr(expr))
            case _:
                return None

    def _variable(self, symbol: t.Symbol) -> float | None:
        if symbol in self.counters:
            return self.counters[symbol]
        definition = self.facts.known.definitions.get(symbol)
        if definition is not None:
            value = self._value(definition.init)
            if value is not None:
                return value
        return None if self.facts.is_thread_private(MemoryObject(symbol)) else self._assumed(symbol.name)

    def _assumed(self, text: str) -> float:
        self.assumed[text] = None
        return ASSUMED_LENGTH

    def _moves(self, expr: t.Expr) -> bool:
        """Does the value depend on the iteration?"""
        match expr:
            case t.Name(symbol=symbol):
                return symbol in self.counters or self.facts.is_thread_private(MemoryObject(symbol))
            case t.Call():
                return True
            case _:
                return any(self._moves(child) for child in children(expr) if isinstance(child, t.Expr))

    # ------------------------------------------------------------------------ operations

    def _visit(self, node: Node, times: float) -> None:
        self.visited += 1
        match node:
            case t.For():
                self._visit_loop(node, times)
            case t.While() | t.DoWhile():
                self.unknown[f"the trip count of the loop of line {node.loc.line}"] = None
                self._visit_all(children(node), times * UNKNOWN_TRIPS)
            case t.If(condition=condition, then=then, other=other):
                self._visit(condition, times)
                self._visit_all([branch for branch in (then, other) if branch is not None], times / 2)
            case t.Conditional(condition=condition, then=then, other=other):
                self._evaluate(node, times)
                self._visit(condition, times)
                self._visit_all([then, other], times / 2)
            case t.Expr():
                self._evaluate(node, times)
                self._visit_all(children(node), times)
            case _:
                self._visit_all(children(node), times)

    def _visit_all(self, nodes: Sequence[Node], times: float) -> None:
        for node in nodes:
            self._visit(node, times)

    def _visit_loop(self, node: t.For, times: float) -> None:
        loop = self.facts.inner_loops.get(node)
        if loop is None:
            self.unknown[f"the trip count of the loop of line {node.loc.line}"] = None
        trips = UNKNOWN_TRIPS if loop is None else self._enter(loop)
        if node.init is not None:
            self._visit(node.init, times)
        self._visit_all([part for part in (node.condition, node.step, node.body) if part is not None], times * trips)

    def _evaluate(self, node: t.Expr, times: float) -> None:
        self.times[node] = self.times.get(node, 0) + times
        kind = ty.unqualified(node.type)
        if isinstance(node, t.Call):
            self._call(node, kind, times)
        elif isinstance(kind, ty.Float):
            self._count(kind, times * _operations(node))
        elif isinstance(kind, ty.Complex):
            self._count(kind.of, times * _OF_COMPLEX * _operations(node))

    def _call(self, node: t.Call, kind: ty.Type, times: float) -> None:
        symbol = node.function.symbol if isinstance(node.function, t.Name) else None
        callee = next((f for f in self.facts.device_code.functions if f.symbol is symbol and f.body is not None), None)
        if (
            callee is None
            or callee.body is None
            or symbol is None
            or symbol in self.called
            or len(self.called) == MOST_CALLS
            or self.visited > MOST_VISITED
        ):
            if isinstance(kind, ty.Float):
                self._count(kind, times * LIBRARY_CALL)
            return
        self.called.append(symbol)
        self._visit(callee.body, times)
        self.called.pop()

    def _count(self, kind: ty.Float, operations: float) -> None:
        if kind.size == ty.FLOAT.size:
            self.single += operations
        else:
            self.double += operations

    # ------------------------------------------------------------------------ bytes

    def _bytes(self, iterations: float) -> tuple[float, float]:
        """Of one iteration: where every access goes to memory; where each element that the launch touches goes once."""
        every = 0.0
        moved: dict[tuple[MemoryObject, str], dict[object, float]] = {}
        for access in self.facts.accesses:
            size = ty.size_of(access.node.type)
            if not size or not _in_memory(access.obj) or self.facts.is_thread_private(access.obj):
                continue
            asked = self.times.get(access.node, 0) * size
            every += asked * _ways(access)
            if asked:
                touched = self._touched(access, asked * iterations, iterations)
                for way in _directions(access):
                    group = moved.setdefault((access.obj, way), {})
                    key, total = touched
                    group[key] = max(group.get(key, 0), total)
        # Where numbers are assumed, an array may be shorter than they say.
        whole = {obj: float("inf") if self.assumed else _size(obj) for obj, _ in moved}
        once = sum(min(sum(group.values()), whole[obj]) for (obj, _), group in moved.items()) / iterations
        return every, min(once, every)

    def _touched(self, access: Access, asked: float, iterations: float) -> tuple[object, float]:
        """Bytes that the launch touches by this access, and what accesses have in common that touch about the same."""
        if access.subscripts and all(constant_value(subscript) is not None for subscript in access.subscripts):
            return c_expr(access.node), min(ty.size_of(access.node.type) or 0, asked)
        place = self.facts.lmads.place(access) if access.function is None else None
        if place is None:
            self.unknown[f"which elements {c_expr(access.node)} are"] = None
            return c_expr(access.node), asked
        moving = [dimension for dimension in place.dimensions.values() if dimension.stride.terms]
        counts = [self.trips.get(dimension.loop.statement, ASSUMED_LENGTH) for dimension in moving]
        span = self._span(place)
        bytes_ = place.bytes * prod(counts)
        return frozenset(dimension.loop.var for dimension in moving), min(bytes_, span, asked)

    def _span(self, place: Placed) -> float:
        """From the first byte to the last one."""
        total: float = place.bytes
        for dimension in place.dimensions.values():
            stride = 0.0
            for factors, coefficient in dimension.stride.terms:
                values = [self._variable(f) if isinstance(f, t.Symbol) else ASSUMED_LENGTH for f in factors]
                stride += coefficient * prod([ASSUMED_LENGTH if value is None else value for value in values])
            total += abs(stride) * max(self.trips.get(dimension.loop.statement, ASSUMED_LENGTH) - 1, 0)
        return total


def _computed(op: str, one: float, other: float) -> float | None:
    match op:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "<<" | ">>":
            factor = float(1 << min(max(int(other), 0), 62))
            return one * factor if op == "<<" else one // factor
        case _ if other == 0:
            return None
        case "/":
            return one // other
        case _:
            return other / 2


def _operations(node: t.Expr) -> float:
    """Floating-point operations of the node itself, whose type is floating."""
    match node:
        case t.Binary(op="/") | t.Assign(op="/="):
            return DIVISION
        case t.Binary(op="+" | "-" | "*") | t.Assign(op="+=" | "-=" | "*=") | t.IncDec() | t.Unary(op="-"):
            return 1
        case _:
            return 0


def _in_memory(obj: MemoryObject) -> bool:
    return obj.pointee or isinstance(obj.symbol.type, ty.Array)


def _ways(access: Access) -> int:
    return sum(1 for _ in _directions(access))


def _directions(access: Access) -> Iterator[str]:
    if access.mode.reads:
        yield "in"
    if access.mode.writes:
        yield "out"


def _size(obj: MemoryObject) -> float:
    """Of the whole object, if it is known."""
    size = None if obj.pointee else ty.size_of(obj.symbol.type)
    return float("inf") if size is None else size


def _shortest_lengths(accesses: Iterable[Access]) -> dict[t.Symbol, float]:
    """Of the dimensions that each variable is a subscript of."""
    found: dict[t.Symbol, float] = {}
    for access in (access for access in accesses if not access.obj.pointee):
        lengths = ty.lengths_of(access.obj.symbol.type)
        for subscript, length in zip(map(uncast, access.subscripts or ()), lengths, strict=False):
            if isinstance(subscript, t.Name) and isinstance(length, int):
                found[subscript.symbol] = min(length, found.get(subscript.symbol, float("inf")))
    return found


def as_record(found: Intensity | None) -> Mapping[str, object] | None:
    """For the report for machines, which has no infinity."""
    if found is None or not all(map(isfinite, (found.iterations, found.double, found.single, found.every, found.once))):
        return None
    return {
        "iterations": found.iterations,
        "operations": {"double": found.double, "single": found.single},
        "bytes": {"every access": found.every, "each element once": found.once},
        "assumed": dict.fromkeys(found.assumed, ASSUMED_LENGTH),
        "unknown": list(found.unknown),
    }
