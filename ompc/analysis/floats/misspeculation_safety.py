"""Analysis: misspeculation safety: can a wrong value of some operations do harm before it is found out?

A loop's divisions may be tried by arithmetic that is wrong for operands outside of the normal range and says so
afterwards (forms/batched_division.py). Until then a wrong value may be added and compared, but must not choose what
memory is read, whether a loop ends, or what a function does:

    s += a / b;                          harmless
    s += table[(int)(a / b)];            not: reads anywhere
    if (a / b < n) s += table[k];        not: the condition may be what makes table[k] exist

    In: the body of a loop, the operations.   Out: harmless or not; what is not understood is not.
    Not here: what else the body does, such as storing -- lane_work.py.
"""

from __future__ import annotations

from collections.abc import Collection

from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import declared_in, symbols_in
from ompc.ir.walk import Node, children, walk


def harmless(body: t.Stmt, operations: Collection[t.Expr], own: Collection[t.Symbol]) -> bool:
    """Would the body end as well, and read nothing else, with any values of `operations`?

    `own` are the user's functions.
    """
    if any(symbol.address_taken for symbol in declared_in(body)):
        return False
    reached = _Misspeculation(operations, own)
    reached.follow(body)
    return not any(map(reached.harms, walk(body)))


class _Misspeculation:
    """The variables, `symbols`, whose values come from the operations in some way."""

    def __init__(self, operations: Collection[t.Expr], own: Collection[t.Symbol]) -> None:
        self._operations = frozenset(operations)
        self._own = own
        self.symbols: set[t.Symbol] = set()

    def follow(self, body: t.Stmt) -> None:
        while True:
            before = len(self.symbols)
            self._assignments(body, decided=False)
            if len(self.symbols) == before:
                return

    def reaches(self, node: Node | None) -> bool:
        """Does its value come from one of the operations?"""
        if node is None:
            return False
        return any(
            part in self._operations or (isinstance(part, t.Name) and part.symbol in self.symbols)
            for part in walk(node)
        )

    def _assignments(self, node: Node, decided: bool) -> None:
        """`decided`: whether control comes here has been decided by one of the values."""
        match node:
            case t.VarDecl(symbol=symbol, init=init) if self.reaches(init):
                self.symbols.add(symbol)
            case t.Assign(target=target, value=value) if decided or self.reaches(value):
                self.symbols |= symbols_in(target)
            case t.IncDec(operand=operand) if decided:
                self.symbols |= symbols_in(operand)
            case t.If(condition=condition) | t.Conditional(condition=condition):
                decided |= self.reaches(condition)
            case t.Binary(op="&&" | "||", left=left):
                decided |= self.reaches(left)
            case _:
                pass
        for child in children(node):
            self._assignments(child, decided)

    def harms(self, node: Node) -> bool:
        match node:
            case t.Index(base=base, index=index):
                return self.reaches(base) or self.reaches(index)
            case t.Unary(op="*", operand=operand):
                return self.reaches(operand)
            case t.Member(base=base, arrow=True):
                return self.reaches(base)
            case t.Cast(type=kind, operand=value):
                return self._converts(kind, value)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                return self._converts(symbol.type, value)
            case t.Assign(op=op, target=target, value=value):
                return self._converts(target.type, value) or (op in ("/=", "%=", "<<=", ">>=") and self._counts(node))
            case t.Binary(op="/" | "%" | "<<" | ">>"):
                return self._counts(node)
            case t.If(condition=condition, then=then, other=other):
                return self.reaches(condition) and any(
                    self._matters(part) for part in (then, other) if part is not None
                )
            case t.Conditional(condition=condition, then=then, other=other):
                return self.reaches(condition) and (self._matters(then) or self._matters(other))
            case t.Binary(op="&&" | "||", left=left, right=right):
                return self.reaches(left) and self._matters(right)
            case t.For(condition=condition):
                return self.reaches(condition)
            case t.While(condition=condition) | t.DoWhile(condition=condition) | t.Switch(value=condition):
                return self.reaches(condition)
            case t.Call(function=function, args=args):
                return not self._is_libm(function) and any(map(self.reaches, args))
            case _:
                return False

    def _converts(self, kind: ty.Type, value: t.Expr) -> bool:
        """Does one of the values become an integer or an address here?"""
        return not isinstance(kind, ty.Float) and self.reaches(value)

    def _counts(self, node: t.Binary | t.Assign) -> bool:
        """An operation on integers that the host cannot do with every operand."""
        return not isinstance(node.type, ty.Float) and self.reaches(node)

    def _is_libm(self, function: t.Expr) -> bool:
        known = isinstance(function, t.Name) and function.symbol.name in device_library.FUNCTIONS
        return known and isinstance(function, t.Name) and function.symbol not in self._own

    def _matters(self, node: Node) -> bool:
        """Does it read memory, jump, loop or call more than the C library's mathematics?"""
        return any(map(self._reads_or_jumps, walk(node)))

    def _reads_or_jumps(self, node: Node) -> bool:
        match node:
            case t.Call(function=function):
                return not self._is_libm(function)
            case t.Member(arrow=arrow):
                return arrow
            case t.Unary(op=op):
                return op == "*"
            case t.Binary(op=op):
                return op in ("/", "%", "<<", ">>") and not isinstance(node.type, ty.Float)
            case t.Assign(op=op):
                return op in ("/=", "%=", "<<=", ">>=") and not isinstance(node.type, ty.Float)
            case t.Expr() | t.ExprStmt() | t.DeclStmt() | t.VarDecl() | t.Block() | t.If() | t.Empty():
                return isinstance(node, (t.Index, t.OpaqueExpr, t.Sizeof))
            case _:
                return True
