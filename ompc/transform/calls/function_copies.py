"""A function's statements as they stand in a loop that has called it: with nodes and variables of their own.

    In: statements; what stands for which parameter.   Out: their copy.
    Not here: which argument may stand for a parameter -- arguments.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import copied, copied_around, rewritten
from ompc.ir.walk import Node


@dataclass(eq=False)
class FunctionCopy:
    """Of a function's statements: nodes of their own, since analyses know code by its nodes.

    `places`: the arguments that stand for parameters; `pointees`: what stands for what they point to.
    """

    places: Mapping[t.Symbol, t.Expr]
    pointees: Mapping[t.Symbol, t.Expr]
    function: str
    free_name: Callable[[t.Symbol], str]
    symbols: dict[t.Symbol, t.Symbol] = field(default_factory=dict)

    def symbol(self, symbol: t.Symbol) -> t.Symbol:
        """The block's own variable for one of the function's."""
        if symbol not in self.symbols:
            storage = t.Storage.AUTO if symbol.storage is t.Storage.PARAMETER else symbol.storage
            kind = ty.unqualified(symbol.type) if ty.is_arithmetic(symbol.type) else symbol.type
            name, kind = self.free_name(symbol), self.type(kind)
            self.symbols[symbol] = replace(
                symbol, name=name, storage=storage, type=kind, function=self.function, written=None
            )
        return self.symbols[symbol]

    def type(self, kind: ty.Type) -> ty.Type:
        """The type with the lengths that it has in the block."""
        match kind:
            case ty.Array(of=of, length=length):
                return replace(kind, of=self.type(of), length=rewritten(length, self.of))
            case ty.Pointer(to=to):
                return replace(kind, to=self.type(to))
            case _:
                return kind

    def of(self, node: Node) -> Node | None:
        match node:
            case t.Cast(type=kind, operand=operand) if ty.is_variably_modified(kind):
                return t.Cast(self.type(kind), node.loc, rewritten(operand, self.of))
            case t.Unary(op="*", operand=t.Name(symbol=symbol)) if symbol in self.pointees:
                return copied(self.pointees[symbol])
            case t.Name(symbol=symbol) if symbol in self.places:
                return self._argument(self.places[symbol], symbol)
            case t.Name(symbol=symbol):
                return replace(node, symbol=self.symbols.get(symbol, symbol))
            case t.VarDecl(symbol=symbol):
                own = self.symbol(symbol)
                return replace(node, symbol=own, init=rewritten(node.init, self.of))
            case _:
                return copied_around(node, self.of)

    def _argument(self, arg: t.Expr, parameter: t.Symbol) -> t.Expr:
        value = copied(arg)
        kind = ty.unqualified(parameter.type)
        same = not ty.is_integer(parameter.type) or ty.unqualified(value.type) == kind
        return value if same else t.Cast(kind, value.loc, value)
