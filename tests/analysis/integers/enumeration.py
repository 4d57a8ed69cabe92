"""An oracle for the integer core: the iterations of a parallel loop, one after the other, by C's rules for integers.

It runs the typed tree of a loop with given values of the function's parameters, and notes which bytes each iteration
reads and writes. Unsigned arithmetic wraps round, conversions drop bits; what C leaves undefined (signed overflow, a
subscript outside its row, division by zero), what takes too long and what is not modelled here is `Meaningless`.
Memory that the loop has not written holds small numbers, another one at each place.

    In: a ParallelLoop of nothing but integers, arrays, `for`, `while`, `if` and assignments; values by name.
    Out: tuple[Touch, ...], in the order of execution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ompc.ir import conversions
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import wrapped
from ompc.omp.model import CanonicalLoop, ParallelLoop

MOST_STEPS = 6_000
"""Expressions that are evaluated before a program is given up."""

Object = tuple[str, bool]
"""The name of a variable, and whether it is what the pointer of that name points to."""
Address = tuple[Object, int]
Value = int | float | Address

_LOCAL = frozenset({t.Storage.AUTO, t.Storage.REGISTER, t.Storage.PARAMETER})


class Meaningless(Exception):
    """C does not say what the program does; or it takes too long, or does what is not modelled here."""


class _Left(Exception):
    """A loop is left by `break`, or (`again`) one iteration of it by `continue`."""

    def __init__(self, again: bool) -> None:
        self.again = again


@dataclass(frozen=True, slots=True)
class Touch:
    """`bytes` bytes of an object from `first` on, in an iteration of the annotated loops.

    `turns`: of the loops in it, outermost first, by number.
    """

    iteration: tuple[int, ...]
    turns: tuple[tuple[t.For, int], ...]
    node: t.Expr
    object: Object
    first: int
    bytes: int
    writes: bool


def touches(loop: ParallelLoop, values: Mapping[str, int]) -> tuple[Touch, ...]:
    """What the loop's iterations touch of memory outside of them. Raises Meaningless."""
    return tuple(finished(loop, values).touched)


def finished(loop: ParallelLoop, values: Mapping[str, int]) -> Run:
    """The loop when all its iterations have run. Raises Meaningless."""
    run = Run(dict(values))
    run.nest(loop.loops)
    return run


def iterations(loop: CanonicalLoop, values: Mapping[str, int]) -> Iterator[int]:
    """The values of the variable of an annotated loop whose bounds name parameters only. Raises Meaningless."""
    return Run(dict(values)).counted(loop)


@dataclass(slots=True)
class Run:
    """`seen`: all values that each expression of the body had."""

    given: dict[str, int]
    own: dict[t.Symbol, Value] = field(default_factory=dict)
    memory: dict[Address, Value] = field(default_factory=dict)
    touched: list[Touch] = field(default_factory=list)
    seen: dict[t.Expr, set[Value]] = field(default_factory=dict)
    iteration: tuple[int, ...] = ()
    turns: tuple[tuple[t.For, int], ...] = ()
    steps: int = 0

    # ------------------------------------------------------------------- loops

    def nest(self, loops: tuple[CanonicalLoop, ...]) -> None:
        """The annotated loops: their iterations are counted before the first one."""
        loop, *inner = loops
        for value in list(self.counted(loop)):
            self.own[loop.var] = value
            before, self.iteration = self.iteration, (*self.iteration, value)
            if inner:
                self.nest(tuple(inner))
            else:
                self.body(loop.body)
            self.iteration = before

    def counted(self, loop: CanonicalLoop) -> Iterator[int]:
        low, high = self.integer(loop.lower), self.integer(loop.upper)
        step = 1 if loop.step is None else self.integer(loop.step)
        if step <= 0:
            raise Meaningless
        end = high + (loop.relation == "<=") - (loop.relation == ">=")
        values = range(low, end, -step if loop.down else step)
        if abs(end - low) > MOST_STEPS * step:
            raise Meaningless
        if values and any(wrapped(value, loop.type) != value for value in (values[0], values[-1])):
            raise Meaningless
        yield from values

    def body(self, statement: t.Stmt) -> bool:
        """Run the body of a loop once; is the loop to go on?"""
        try:
            self.statement(statement)
        except _Left as left:
            return left.again
        return True

    def statement(self, node: t.Stmt) -> None:
        match node:
            case t.Block(items=items):
                for item in items:
                    self.statement(item)
            case t.ExprStmt(expr=expr):
                self.value(expr)
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    if decl.init is not None:
                        self.own[decl.symbol] = self.converted(self.value(decl.init), decl.symbol.type)
            case t.If(condition=condition, then=then, other=other):
                chosen = then if self.value(condition) else other
                if chosen is not None:
                    self.statement(chosen)
            case t.For():
                self._for(node)
            case t.While(condition=condition, body=body):
                while self.value(condition) and self.body(body):
                    pass
            case t.Break() | t.Continue():
                raise _Left(isinstance(node, t.Continue))
            case t.Empty():
                pass
            case _:
                raise Meaningless

    def _for(self, node: t.For) -> None:
        if node.init is not None:
            self.statement(node.init)
        around, number = self.turns, 0
        while node.condition is None or self.value(node.condition):
            self.turns, number = (*around, (node, number)), number + 1
            if not self.body(node.body):
                break
            if node.step is not None:
                self.value(node.step)
        self.turns = around

    # ------------------------------------------------------------- expressions

    def integer(self, node: t.Expr) -> int:
        value = self.value(node)
        assert isinstance(value, int)
        return value

    def value(self, node: t.Expr) -> Value:
        found = self._value(node)
        self.seen.setdefault(node, set()).add(found)
        return found

    def _value(self, node: t.Expr) -> Value:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Meaningless
        match node:
            case t.IntConst(value=value):
                return value
            case t.FloatConst(text=text):
                return float(text)
            case t.Name() | t.Index() | t.Unary(op="*"):
                return self._place_of(node) if isinstance(node.type, ty.Array) else self._read(node)
            case t.Unary(op="!", operand=operand):
                return int(not self.value(operand))
            case t.Unary(op="+" | "-" | "~" as op, operand=operand):
                value = self.converted(self.value(operand), node.type)
                assert not isinstance(value, tuple)
                return self._in_range({"+": value, "-": -value, "~": ~int(value)}[op], node.type)
            case t.Cast(type=ty.Void(), operand=operand):
                return self.value(operand)
            case t.Cast(operand=operand):
                return self.converted(self.value(operand), node.type)
            case t.Conditional(condition=condition, then=then, other=other):
                return self.converted(self.value(then if self.value(condition) else other), node.type)
            case t.Binary(op="&&", left=left, right=right):
                return int(bool(self.value(left)) and bool(self.value(right)))
            case t.Binary(op="||", left=left, right=right):
                return int(bool(self.value(left)) or bool(self.value(right)))
            case t.Binary():
                return self._binary(node)
            case t.Assign(op=op, target=target, value=given):
                value = self.value(given if op == "=" else t.Binary(node.type, node.loc, op[:-1], target, given))
                return self._write(target, value)
            case t.IncDec(op=op, prefix=prefix, operand=operand):
                old = self.value(operand)
                one = t.IntConst(ty.INT, node.loc, 1, "1")
                kind = conversions.promoted(operand.type)
                new = self._write(operand, self.value(t.Binary(kind, node.loc, op[0], operand, one)))
                return new if prefix else old
            case _:
                raise Meaningless

    def _binary(self, node: t.Binary) -> Value:
        a, b = self.value(node.left), self.value(node.right)
        if isinstance(a, tuple) or isinstance(b, tuple):
            return self._moved(node, a, b)
        if node.op in conversions.SHIFTS:
            if b < 0 or b >= 8 * (ty.size_of(node.type) or 0) or a < 0:
                raise Meaningless
            return self._in_range(int(a) << int(b) if node.op == "<<" else int(a) >> int(b), node.type)
        kind = conversions.common(conversions.promoted_value(node.left), conversions.promoted_value(node.right))
        a, b = self.converted(a, kind), self.converted(b, kind)
        assert not isinstance(a, tuple) and not isinstance(b, tuple)
        if node.op in ("/", "%"):
            return self._quotient(node.op, a, b)
        found = _OPERATIONS[node.op](a, b)
        return int(found) if node.op in conversions.COMPARISONS else self._in_range(found, kind)

    @staticmethod
    def _quotient(op: str, a: float, b: float) -> Value:
        if b == 0:
            raise Meaningless
        if isinstance(a, float) or isinstance(b, float):
            return a / b
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - quotient * b

    def _moved(self, node: t.Binary, a: Value, b: Value) -> Address:
        pointer, by = (a, b) if isinstance(a, tuple) else (b, a)
        assert isinstance(pointer, tuple) and isinstance(by, int) and isinstance(node.type, ty.Pointer)
        size = ty.size_of(node.type.to) or 0
        return pointer[0], pointer[1] + (-by if node.op == "-" else by) * size

    def converted(self, value: Value, kind: ty.Type) -> Value:
        if isinstance(value, tuple) or isinstance(kind, (ty.Pointer, ty.Array)):
            return value
        if isinstance(kind, ty.Float):
            return float(value)
        if isinstance(value, float) and wrapped(int(value), kind) != int(value):
            raise Meaningless
        return wrapped(int(value), kind)

    @staticmethod
    def _in_range(value: float, kind: ty.Type) -> Value:
        if not isinstance(kind, ty.Int) or not isinstance(value, int):
            return value
        if kind.signed and wrapped(value, kind) != value:
            raise Meaningless
        return wrapped(value, kind)

    # ------------------------------------------------------------------ memory

    def _place_of(self, node: t.Expr) -> Address:
        match node:
            case t.Name(symbol=symbol):
                return (symbol.name, False), 0
            case t.Index(base=base, index=index):
                place, number = self.value(base), self.integer(index)
                assert isinstance(place, tuple)
                length = base.type.length if isinstance(base.type, ty.Array) else None
                if isinstance(length, int) and not 0 <= number < length:
                    raise Meaningless
                found = place[0], place[1] + number * (ty.size_of(node.type) or 0)
            case t.Unary(op="*", operand=operand):
                found = self.value(operand)
                assert isinstance(found, tuple)
            case _:
                raise Meaningless
        if abs(found[1]) >= 1 << 62:
            raise Meaningless  # there is no such address
        return found

    def _read(self, node: t.Expr) -> Value:
        if isinstance(node, t.Name):
            if node.symbol in self.own:
                return self.own[node.symbol]
            if node.symbol.name in self.given and node.symbol.storage in _LOCAL:
                return self._given(node)
            if isinstance(node.symbol.type, ty.Pointer):
                return (node.symbol.name, True), 0
        place = self._place_of(node)
        self._note(node, place, writes=False)
        return self.memory.get(place, self._given(node))

    def _given(self, node: t.Expr) -> Value:
        """What is there before the loop."""
        place = self._place_of(node)
        number = (place[1] // 4 * 7 + 3) % 11 - 3
        number = self.given.get(node.symbol.name, number) if isinstance(node, t.Name) else number
        return self.converted(number, node.type)

    def _write(self, node: t.Expr, value: Value) -> Value:
        value = self.converted(value, node.type)
        if isinstance(node, t.Name) and not isinstance(node.type, ty.Array) and node.symbol.storage in _LOCAL:
            self.own[node.symbol] = value
            return value
        place = self._place_of(node)
        self._note(node, place, writes=True)
        self.memory[place] = value
        return value

    def _note(self, node: t.Expr, place: Address, writes: bool) -> None:
        size = ty.size_of(node.type)
        assert size is not None
        self.touched.append(Touch(self.iteration, self.turns, node, place[0], place[1], size, writes))


_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
