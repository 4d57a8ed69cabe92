"""When a loop ends: the conditions, and the values that they are made from, through variables and called functions.

    while (!look(&flag[i]));      int look(int *f) { int seen; seen = *f; return seen; }

ends by what look returns, which is made from seen, *f, flag and i: none of them moves on by what the loop does itself.

    In: a loop, the functions that are seen.   Out: the nodes and variables that its end depends on.
    Not here: where jumps lead -- exits.py; who else changes the values -- analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ompc.ir import tree as t
from ompc.ir.exits import heads_of, paths_out, returned
from ompc.ir.queries import declared_in, nodes, reached, symbols_in, target_of
from ompc.ir.walk import Node

Loop = t.While | t.DoWhile | t.For


class LoopEnd:
    """What the end of one loop depends on."""

    def __init__(self, loop: Loop, functions: Mapping[str, t.Function]) -> None:
        self._functions = functions
        self._loop = loop
        self._bodies = reached(loop, functions)[1:]

    @cached_property
    def inside(self) -> frozenset[Node]:
        """All that an iteration runs."""
        return frozenset(node for code in (self._loop, *self._bodies) for node in nodes(code))

    @cached_property
    def _renewed(self) -> frozenset[t.Symbol]:
        """The variables that each turn has anew."""
        declared = frozenset[t.Symbol]().union(*(declared_in(code) for code in (self._loop.body, *self._bodies)))
        own = {symbol for symbol in declared if symbol.storage in (t.Storage.AUTO, t.Storage.REGISTER)}
        called = (function for function in self._functions.values() if function.body in self._bodies)
        return frozenset(own.union(*(function.params for function in called)))

    @cached_property
    def _values(self) -> Mapping[t.Symbol, list[t.Expr]]:
        """The expressions whose values the loop gives each variable; a compound assignment is its own value."""
        found: dict[t.Symbol, list[t.Expr]] = {}
        for node in self.inside:
            match node:
                case t.Assign(op="=", target=t.Name(symbol=symbol), value=value):
                    found.setdefault(symbol, []).append(value)
                case t.Expr() if isinstance(target := target_of(node), t.Name):
                    found.setdefault(target.symbol, []).append(node)
                case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                    found.setdefault(symbol, []).append(value)
                case t.Call(function=t.Name(symbol=symbol), args=args) if symbol.name in self._functions:
                    for parameter, arg in zip(self._functions[symbol.name].params, args, strict=False):
                        found.setdefault(parameter, []).append(arg)
                case _:
                    pass
        return found

    @cached_property
    def nodes(self) -> frozenset[Node]:
        """What decides, directly or by the values of variables and functions."""
        found: set[Node] = set()
        seen: set[t.Symbol] = set()
        pending = list(_conditions(self._loop))
        while pending:
            for node in nodes(pending.pop()):
                found.add(node)
                if isinstance(node, t.Name) and node.symbol not in seen:
                    seen.add(node.symbol)
                    pending += self._values.get(node.symbol, ())
                    pending += self._results(node.symbol)
        return frozenset(found)

    def _results(self, symbol: t.Symbol) -> Iterator[t.Expr]:
        """What the value of a function depends on."""
        function = self._functions.get(symbol.name) if symbol.storage is t.Storage.FUNCTION else None
        if function is not None and function.body is not None:
            yield from returned(function.body)
            yield from _branches_out(function.body)

    @property
    def names(self) -> frozenset[t.Symbol]:
        return frozenset(node.symbol for node in self.nodes if isinstance(node, t.Name))

    def moves_on(self, symbol: t.Symbol) -> bool:
        """Does the loop compute the variable's next value from its last one? One that each turn has anew does not."""
        values = () if symbol in self._renewed else self._values.get(symbol, ())
        return any(symbol in symbols_in(value) for value in values)


def _conditions(loop: Loop) -> tuple[t.Expr, ...]:
    """Of the loop itself, and of the branches by which it is left, or goes on early."""
    own = () if loop.condition is None else (loop.condition,)
    return (*own, *_branches_out(loop))


def _branches_out(code: t.Stmt) -> Iterator[t.Expr]:
    """Not what loops inside count: each of them ends by itself."""
    for path in paths_out(code):
        yield from (head for node in path[1:] if isinstance(node, (t.If, t.Switch)) for head in heads_of(node))
