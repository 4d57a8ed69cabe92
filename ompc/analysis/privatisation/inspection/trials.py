"""Analysis: what an inspector says for a few numbers in the place of what the program has settled.

    double t[N];  of each thread                       the first iteration of each thread reads what nobody has written
    for (i ...) { x[i] = t[0];  t[0] = i; }

Where that is no for all of them, a launch need not ask: the loop stays on the host, and ompc says so when it
translates. Of two inspectors, one of which begins objects anew more often, that one is as good if it says the same.

    In: an inspector, numbers that are known.   Out: its answers.
    Not here: the answer that counts, which the launch gets -- runtime/memory/ompc_inspection.h.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.base.frozen import dataclass, field
from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import is_jump

TRIED = (1, 2, 4, 8, 16, 3, 0)
_MIXED = 4
"""How often all of them are tried, each time in another order for each of the values."""
MOST_STEPS = 60_000


def answers(inspector: i.Inspector, known: Mapping[t.Symbol, int]) -> tuple[bool | None, ...]:
    """For each try; None: it takes too long. `known`: of the program's symbols."""
    numbers = {v.own: known[v.symbol] for v in inspector.values if v.symbol in known}
    return tuple(_holds(inspector, {**given, **numbers}) for given in _tried([v.own for v in inspector.values]))


def _tried(values: Sequence[t.Symbol]) -> Iterator[dict[t.Symbol, int]]:
    for mixed in range(_MIXED if len(values) > 1 else 1):
        for first in range(len(TRIED)):
            yield {own: TRIED[(first + place * mixed) % len(TRIED)] for place, own in enumerate(values)}


def _holds(inspector: i.Inspector, values: Mapping[t.Symbol, int]) -> bool | None:
    run = _Run({f.symbol: f for f in inspector.functions}, [ty.size_of(s.type) or 0 for s in inspector.objects])
    places = {place: (number + 1) << _BITS for number, place in enumerate(inspector.places)}
    run.outside = {**values, **places}
    try:
        for call in inspector.calls:
            run.value(call.expr, {})
    except _TooLong:
        return None
    except _Ends:
        return False
    return True


_BITS = 48


class _TooLong(Exception):
    """Nobody knows."""


class _Ends(Exception):
    """Something is read that is not written."""


@dataclass
class _Jump(Exception):
    statement: t.Stmt
    value: int = 0


@dataclass
class _Run:
    """`written`: the bytes of each object that are."""

    functions: Mapping[t.Symbol, t.Function]
    sizes: Sequence[int]
    outside: Mapping[t.Symbol, int] = field(default_factory=dict)
    written: dict[int, set[int]] = field(default_factory=dict)
    steps: int = 0

    # -------------------------------------------------------------------- statements

    def run(self, node: t.Stmt | None, env: dict[t.Symbol, int]) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _TooLong
        match node:
            case t.Block(items=items):
                for item in items:
                    self.run(item, env)
            case t.ExprStmt(expr=expr):
                self.value(expr, env)
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    value = 0 if decl.init is None else self.value(decl.init, env)
                    env[decl.symbol] = _as(value, decl.symbol.type)
            case t.If(condition=condition, then=then, other=other):
                self.run(then if self.value(condition, env) else other, env)
            case t.For(init=init, condition=condition, step=step, body=body):
                self.run(init, env)
                self._loop(condition, body, step, env)
            case t.While(condition=condition, body=body):
                self._loop(condition, body, None, env)
            case t.DoWhile(body=body, condition=condition):
                if self._goes_on(body, env):
                    self._loop(condition, body, None, env)
            case t.Return(value=value):
                raise _Jump(node, 0 if value is None else self.value(value, env))
            case t.Stmt() if is_jump(node):
                raise _Jump(node)
            case _:
                pass

    def _loop(self, head: t.Expr | None, body: t.Stmt, step: t.Expr | None, env: dict[t.Symbol, int]) -> None:
        while head is None or self.value(head, env):
            if not self._goes_on(body, env):
                return
            if step is not None:
                self.value(step, env)

    def _goes_on(self, body: t.Stmt, env: dict[t.Symbol, int]) -> bool:
        try:
            self.run(body, env)
        except _Jump as jump:
            if isinstance(jump.statement, t.Return):
                raise
            return isinstance(jump.statement, t.Continue)
        return True

    # ------------------------------------------------------------------- expressions

    def value(self, e: t.Expr, env: dict[t.Symbol, int]) -> int:
        return _as(self._value(e, env), e.type)

    def _value(self, e: t.Expr, env: dict[t.Symbol, int]) -> int:
        match e:
            case t.IntConst(value=value):
                return value
            case t.Name(symbol=symbol):
                return env[symbol] if symbol in env else self.outside.get(symbol, 0)
            case t.Cast(operand=operand):
                return self.value(operand, env)
            case t.Unary(op=op, operand=operand):
                value = self.value(operand, env)
                return {"-": -value, "~": ~value, "!": int(not value)}.get(op, value)
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                first = bool(self.value(left, env))
                return int(first if first == (op == "||") else bool(self.value(right, env)))
            case t.Binary(op=op, left=left, right=right):
                return _operation(op, self.value(left, env), self.value(right, env))
            case t.Conditional(condition=condition, then=then, other=other):
                return self.value(then if self.value(condition, env) else other, env)
            case t.Assign(target=t.Name(symbol=symbol), value=value):
                env[symbol] = _as(self.value(value, env), symbol.type)
                return env[symbol]
            case t.Comma(left=left, right=right):
                self.value(left, env)
                return self.value(right, env)
            case t.Call(function=t.Name(symbol=symbol), args=args):
                return self._call(symbol, [self.value(arg, env) for arg in args])
            case _:
                raise _TooLong

    def _call(self, symbol: t.Symbol, args: Sequence[int]) -> int:
        if symbol in self.functions:
            function = self.functions[symbol]
            try:
                self.run(function.body, dict(zip(function.params, args, strict=True)))
            except _Jump as jump:
                return jump.value
            return 0
        if symbol is i.ELEMENT:
            return args[0] and args[0] + args[1] * args[2]
        if symbol is i.GOES_ON or args[0] == 0:
            return 1
        number, offset = args[0] >> _BITS, args[0] & ((1 << _BITS) - 1)
        if symbol is i.BEGINS:
            self.written[number] = set()
            return 0
        if not 0 < number <= len(self.sizes) or offset + args[1] > self.sizes[number - 1]:
            raise _Ends
        touched, written = range(offset, offset + args[1]), self.written.setdefault(number, set())
        if symbol is i.WRITES:
            written.update(touched)
        elif not written.issuperset(touched):
            raise _Ends
        return 0


def _operation(op: str, left: int, right: int) -> int:
    match op:
        case "/" | "%":
            quotient = 0 if right == 0 else abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if op == "/" else left - quotient * right
        case "<<" | ">>":
            by = min(max(right, 0), 63)
            return left << by if op == "<<" else left >> by
        case "+" | "-" | "*":
            return {"+": left + right, "-": left - right, "*": left * right}[op]
        case "&" | "|" | "^":
            return {"&": left & right, "|": left | right, "^": left ^ right}[op]
        case "==" | "!=":
            return int((left == right) == (op == "=="))
        case _:
            return int({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op])


def _as(value: int, kind: ty.Type) -> int:
    kind = ty.unqualified(kind)
    if not isinstance(kind, ty.Int):
        return value
    if kind == ty.BOOL:
        return int(bool(value))
    bits = 8 * kind.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind.signed and value >> (bits - 1) else value
