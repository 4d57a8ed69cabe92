"""Rewrite: an inspector without what no access, and no way to one, depends on.

    ku = li;  n1 = n / 2;               n1 = n / 2;
    x(i * lk, n1, is);          ->      x(i * lk, n1);          where `is` only says what is computed

    In: the inspector's functions, its calls.   Out: the same without variables, parameters, loops and branches that
    nothing depends on.
    Source: elimination of dead code (Kennedy, "A survey of data flow analysis techniques", 1981).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.ir import inspector as i
from ompc.ir import tree as t
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, children

_Pruned = tuple[tuple[t.Function, ...], tuple[t.ExprStmt, ...]]


def pruned(functions: Sequence[t.Function], calls: Sequence[t.ExprStmt]) -> _Pruned:
    """`functions` and `calls`, each call once."""
    use = _Use({function.symbol: function for function in functions})
    while use.grows():
        pass
    made = {c_expr(call.expr): call for call in map(use.statement, calls) if isinstance(call, t.ExprStmt)}
    called = _called([call.expr for call in made.values()], use.functions)
    return tuple(use.made(function) for function in functions if function.symbol in called), tuple(made.values())


def _called(roots: Sequence[Node], functions: Mapping[t.Symbol, t.Function]) -> set[t.Symbol]:
    found: set[t.Symbol] = set()
    pending = list(roots)
    while pending:
        node = pending.pop()
        pending += children(node)
        if isinstance(node, t.Name) and node.symbol in functions and node.symbol not in found:
            found.add(node.symbol)
            body = functions[node.symbol].body
            pending += [] if body is None else [body]
    return found


class _Use:
    """What is `needed`: variables, parameters and functions on which an access, or a way to one, depends."""

    def __init__(self, functions: Mapping[t.Symbol, t.Function]) -> None:
        self.functions = functions
        self._needed: set[t.Symbol] = set()
        self._kept: set[t.Stmt | t.Expr] = set()

    def grows(self) -> bool:
        """Look at all functions once more: is more needed now?"""
        before = len(self._needed)
        for function in self.functions.values():
            if function.body is not None and self._matters(function.body):
                self._needed.add(function.symbol)
        return len(self._needed) > before

    def _matters(self, node: t.Stmt | t.Expr) -> bool:
        """Does it access an object, go somewhere, or change a variable that is needed?"""
        found = self._does(node)
        if found:
            self._kept.add(node)
        return found

    def _any(self, parts: Sequence[t.Stmt | t.Expr]) -> bool:
        """All parts are looked at."""
        return True in [self._matters(part) for part in parts]

    def _does(self, node: t.Stmt | t.Expr) -> bool:
        match node:
            case t.Block(items=items):
                return self._any(items)
            case t.If(condition=condition) | t.For(condition=condition):
                return self._under(node, condition)
            case t.While(condition=condition) | t.DoWhile(condition=condition):
                return self._under(node, condition)
            case t.ExprStmt(expr=expr):
                return self._matters(expr)
            case t.DeclStmt(decls=decls):
                return True in [self._given(decl.symbol, decl.init) for decl in decls]
            case t.Return(value=value):
                return self._uses(value)
            case t.Assign(target=t.Name(symbol=symbol), value=value):
                return self._given(symbol, value)
            case t.Comma(left=left, right=right):
                return self._any((left, right))
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self.functions:
                return symbol in self._needed and self._uses(node)
            case t.Expr():
                return self._uses(node)
            case _:
                return True

    def _under(self, node: t.Stmt, condition: t.Expr | None) -> bool:
        parts = [part for part in children(node) if part is not condition and not isinstance(part, t.VarDecl)]
        return self._any(parts) and self._uses(condition)

    def _given(self, symbol: t.Symbol, value: t.Expr | None) -> bool:
        return symbol in self._needed and self._uses(value)

    def _uses(self, e: t.Expr | None) -> bool:
        """All that the value of `e` depends on is needed."""
        self._needed.update(() if e is None else self._symbols(e))
        return True

    def _symbols(self, e: Node) -> Iterator[t.Symbol]:
        match e:
            case t.Name(symbol=symbol):
                yield symbol
            case t.Call(function=t.Name(symbol=symbol)) if symbol in self.functions:
                yield symbol
                for arg in self._args(e):
                    yield from self._symbols(arg)
            case _:
                for child in children(e):
                    yield from self._symbols(child)

    def _args(self, call: t.Call) -> list[t.Expr]:
        """The arguments for parameters that are needed."""
        assert isinstance(call.function, t.Name)
        params = self.functions[call.function.symbol].params
        return [arg for p, arg in zip(params, call.args, strict=True) if p in self._needed]

    # ----------------------------------------------------------------------- what is left

    def made(self, function: t.Function) -> t.Function:
        assert function.body is not None
        body = self.statement(function.body)
        params = tuple(p for p in function.params if p in self._needed)
        return replace(function, params=params, body=body if isinstance(body, t.Block) else i.block([]))

    def statement(self, node: t.Stmt) -> t.Stmt | None:
        """What is left of a statement."""
        match node:
            case t.ExprStmt(expr=expr) if expr not in self._kept and not self._matters(expr):
                return None
            case t.ExprStmt(expr=expr):
                rest_of_it = self._expression(expr)
                return None if rest_of_it is None else replace(node, expr=rest_of_it)
            case t.DeclStmt(decls=decls):
                kept = tuple(self._declaration(decl) for decl in decls if decl.symbol in self._needed)
                return replace(node, decls=kept) if kept else None
            case t.Block(items=items):
                found = [left for item in items if (left := self.statement(item)) is not None]
                return i.block(found) if found else None
            case t.Return(value=value):
                return replace(node, value=None if value is None else self._value(value))
            case _ if node not in self._kept:
                return None
            case t.If(condition=condition, then=then, other=other):
                rest = None if other is None else self.statement(other)
                return t.If(node.loc, self._value(condition), self._body(then), rest)
            case t.For(init=init, condition=condition, step=step, body=body):
                first = None if init is None else self.statement(init)
                head = None if condition is None else self._value(condition)
                return t.For(node.loc, first, head, None if step is None else self._expression(step), self._body(body))
            case t.While(condition=condition, body=body):
                return t.While(node.loc, self._value(condition), self._body(body))
            case t.DoWhile(condition=condition, body=body):
                return t.DoWhile(node.loc, self._body(body), self._value(condition))
            case _:
                return node

    def _body(self, node: t.Stmt) -> t.Stmt:
        return self.statement(node) or i.block([])

    def _declaration(self, decl: t.VarDecl) -> t.VarDecl:
        return replace(decl, init=None if decl.init is None else self._value(decl.init))

    def _expression(self, e: t.Expr) -> t.Expr | None:
        """What is left of an expression that is a statement."""
        match e:
            case t.Comma(left=left, right=right):
                parts = [part for part in map(self._expression, (left, right)) if part is not None]
                return replace(e, left=parts[0], right=parts[1]) if len(parts) == 2 else next(iter(parts), None)
            case _:
                return self._value(e) if e in self._kept else None

    def _value(self, e: t.Expr) -> t.Expr:
        """`e` with the arguments that are needed."""

        def change(node: Node) -> Node | None:
            match node:
                case t.Call(function=t.Name(symbol=symbol)) if symbol in self.functions:
                    return replace(node, args=tuple(map(self._value, self._args(node))))
                case _:
                    return None

        return rewritten(e, change)
