"""Analysis: NaN and infinity propagation: is a sum of a loop no finite number whenever one of certain values is none?

    const float r = 1 / sqrtf(d);  s += m[j] * r * r;         yes: sums and products with such a value are such values
    if (d < limit) s += r;   s += a / r;   s = fmaxf(s, r);   no: nothing is added, or 0, or the other one is chosen

Then nobody has to look at each value: the sums say it for many iterations together, as they stay what they are.

    In: the body of a loop, the values, the variables that it hands on.   Out: yes or no; what is not understood is no.
    Not here: when such a value is wrong -- ompc_rsqrt.h.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import target_of
from ompc.ir.walk import Node, walk

_SUMS = ("+=", "-=")


def propagated_to_sums(body: t.Stmt, values: Collection[t.Expr], handed_on: Collection[t.Symbol]) -> bool:
    """`values` are infinite or not a number where an operand is; every iteration runs all of a body that qualifies."""
    if any(not isinstance(node, (t.Block, t.DeclStmt, t.ExprStmt, t.Empty)) for node in _statements(body)):
        return False
    seen = _Propagation(body, values)
    for symbol in handed_on:
        seen.add_sum(symbol)
    return seen.shown.issuperset(values)


def _statements(body: t.Stmt) -> Iterator[t.Stmt]:
    return (node for node in walk(body) if isinstance(node, t.Stmt))


class _Propagation:
    """Backwards from what is added to a sum; `shown` are those of `values` that are found."""

    def __init__(self, body: t.Stmt, values: Collection[t.Expr]) -> None:
        self._body = body
        self._values = values
        nodes = list(walk(body))
        self._statements = [node.expr for node in nodes if isinstance(node, t.ExprStmt)]
        self._written = [target for node in nodes for target in _target(node)]
        self._initial = {
            node.symbol: node.init for node in nodes if isinstance(node, t.VarDecl) and isinstance(node.init, t.Expr)
        }
        self.shown: set[t.Expr] = set()

    def add_sum(self, symbol: t.Symbol) -> None:
        """What every iteration adds to `symbol`, if it does nothing else to it."""
        added = [
            node.value
            for node in self._statements
            if isinstance(node, t.Assign) and node.op in _SUMS and _names(node.target, symbol)
        ]
        if isinstance(symbol.type, ty.Float) and len(added) == self._writes(symbol):
            for value in added:
                self._follow(value)

    def _writes(self, symbol: t.Symbol) -> int:
        return sum(_names(target, symbol) for target in self._written)

    def _follow(self, node: t.Expr) -> None:
        """If `node` is infinite or not a number, a sum is."""
        if not isinstance(node.type, ty.Float):
            return
        match node:
            case t.Binary(left=left, right=t.Call(args=(operand,))) if node in self._values:
                self.shown.add(node)
                self._follow(operand)
            case t.Binary(op="+" | "-" | "*", left=left, right=right):
                self._follow(left)
                self._follow(right)
            case t.Binary(op="/", left=left):
                self._follow(left)
            case t.Unary(op="+" | "-", operand=operand) | t.Cast(operand=operand):
                self._follow(operand)
            case t.Name(symbol=symbol) if symbol in self._initial and not self._writes(symbol):
                self._follow(self._initial.pop(symbol))
            case _:
                pass


def _target(node: Node) -> Iterator[t.Expr]:
    target = node.operand if isinstance(node, t.Unary) and node.op == "&" else target_of(node)
    if target is not None:
        yield target


def _names(node: t.Expr, symbol: t.Symbol) -> bool:
    return isinstance(node, t.Name) and node.symbol is symbol
