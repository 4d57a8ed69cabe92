"""Analysis: with which settled values the functions of a program are called.

    int main(void) { read_sizes(); ...  fft(1); }       fft(int dir) calls  lines(dir, n);  lines(-1, n)
                                                        lines is called with (1, n) and (-1, n)

An argument counts where it is made of constants, of what the program has settled by the time (settled.py), and of
parameters of the caller for which that is so; any other is unknown.

    In: a function, the unit, what is settled.   Out: the arguments of each call, in expressions of the unit.
    Not here: the inspector's names for them -- inspectors.py.
    Source: interprocedural constant propagation (Callahan, Cooper, Kennedy, Torczon, CC 1986), of settled values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from ompc.analysis.privatisation.settled import Settled
from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigned_in, callee, nodes
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node

MOST_CONTEXTS, MOST_CALLERS = 16, 4

Args = tuple[t.Expr | None, ...]


def internal_functions(unit: t.Unit, program: WholeProgram | None) -> frozenset[str]:
    """The functions that only the unit's own code can call."""
    taken = {n.symbol for v in unit.variables if v.init for n in nodes(v.init) if isinstance(n, t.Name)}
    free = {symbol.name for symbol in taken} | unit.hidden | {"main"}
    own = set(unit.internal)
    if program is not None:
        others = [other for other in program.units if other.file != unit.file]
        known = {name for other in others for name in (*other.linked, *other.functions)}
        own |= {name for name in unit.functions if name not in known}
    return frozenset(own - free)


@dataclass(frozen=True)
class Contexts:
    """`internal`: the functions that only calls of the unit reach."""

    functions: Mapping[str, t.Function]
    internal: frozenset[str]
    settled: Settled

    def of(self, function: t.Function, depth: int = 0) -> list[Args]:
        """The arguments of all calls of it."""
        nothing: Args = (None,) * len(function.params)
        if function.name not in self.internal or depth > MOST_CALLERS or self._is_named_otherwise(function):
            return [nothing]
        found: dict[tuple[str | None, ...], Args] = {}
        for args in islice(self._calls(function, depth), MOST_CONTEXTS + 1):
            found[tuple(None if arg is None else c_expr(arg) for arg in args)] = args
        return [*found.values()] if len(found) <= MOST_CONTEXTS else [nothing]

    def _is_named_otherwise(self, function: t.Function) -> bool:
        """Is it named other than by calls of it?"""
        named = called = 0
        for node in self._all_nodes():
            named += isinstance(node, t.Name) and node.symbol is function.symbol
            called += isinstance(node, t.Call) and callee(node, self.functions) is function
        return named != called

    def _all_nodes(self) -> Iterator[Node]:
        for function in self.functions.values():
            if function.body is not None:
                yield from nodes(function.body)

    def _calls(self, function: t.Function, depth: int) -> Iterator[Args]:
        for caller in self.functions.values():
            if caller.body is None:
                continue
            for node in nodes(caller.body):
                if isinstance(node, t.Call) and callee(node, self.functions) is function:
                    yield from self._args(function, node, caller, depth)

    def _args(self, function: t.Function, call: t.Call, caller: t.Function, depth: int) -> Iterator[Args]:
        if len(call.args) != len(function.params):
            yield (None,) * len(function.params)
            return
        kept = frozenset(p for p in caller.params if p not in assigned_in(caller.body or t.Block(call.loc, ())))
        kept = frozenset(p for p in kept if not p.address_taken)
        named = {n.symbol for arg in call.args for n in nodes(arg) if isinstance(n, t.Name)} & kept
        for outer in self.of(caller, depth + 1) if named else [(None,) * len(caller.params)]:
            given = dict(zip(caller.params, outer, strict=True))
            yield tuple(self._settled(arg, {p: given[p] for p in kept}) for arg in call.args)

    def _settled(self, arg: t.Expr, given: Mapping[t.Symbol, t.Expr | None]) -> t.Expr | None:
        """An argument without the caller's parameters; None: it is not settled."""
        if not isinstance(ty.unqualified(arg.type), ty.Int):
            return None

        def inner(node: Node) -> Node | None:
            found = given.get(node.symbol) if isinstance(node, t.Name) else None
            if found is None:
                return None
            same = ty.unqualified(found.type) == ty.unqualified(node.type)  # type: ignore[union-attr]
            return found if same else t.Cast(ty.unqualified(node.type), node.loc, found)  # type: ignore[union-attr]

        return rewritten(arg, inner) if self._is_settled(arg, given) else None

    def _is_settled(self, e: t.Expr, given: Mapping[t.Symbol, t.Expr | None]) -> bool:
        if constant_value(e) is not None:
            return True
        match e:
            case t.Name(symbol=symbol):
                return symbol in self.settled.symbols or given.get(symbol) is not None
            case t.Index(base=t.Name(symbol=symbol), index=index):
                return symbol in self.settled.symbols and constant_value(index) is not None
            case t.Binary(left=left, right=right):
                return self._is_settled(left, given) and self._is_settled(right, given)
            case t.Unary(op="+" | "-" | "~" | "!", operand=operand) | t.Cast(operand=operand):
                return isinstance(ty.unqualified(operand.type), ty.Int) and self._is_settled(operand, given)
            case _:
                return False


