"""Which value a variable of a region's threads has where they come to a loop, if one assignment alone decides that.

    #pragma omp parallel private(me, offset)
    {   me = omp_get_thread_num();
        if (n > 9) offset = n;                 not this one
        offset = size * me;                    offset: size * me
        #pragma omp for
        for (...) own[offset + key[i]] += w[i];
        offset = 0;                            nor this one, unless the threads come round to the loop again
    }

The assignment stands in front of the loop, in a block around it, so that every thread that comes to the loop has
executed it; nothing between them changes the variable, nor what its value is made of by other such assignments. What
stands in other statements, or in a loop around, may have been executed or not. There is no `goto` and no `switch`.

In: what a team executes, a loop in it.   Out: such variables with their values, in the order of the assignments.
Not here: which values can be made again -- thread_values.py.
Source: reaching definitions (Aho, Lam, Sethi, Ullman, 9.2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise, takewhile

from ompc.ir import tree as t
from ompc.ir.exits import labels_in
from ompc.ir.queries import changed_in, nodes, symbols_in, unread_in
from ompc.ir.walk import Node, children
from ompc.omp.constructs import is_run_by_all, readable

GIVES_VALUES = ("firstprivate", "lastprivate", "reduction", "linear", "copyprivate")
"""Clauses that give a variable another value."""

Values = dict[t.Symbol, t.Expr]

Accepts = Callable[[t.Symbol, t.Expr, Collection[t.Symbol]], bool]
"""Can the variable's value be made again of what is known: the variables whose values can be?"""


def changed_by_all_in(code: t.Stmt) -> frozenset[t.Symbol] | None:
    """The variables to which code assigns by their names, its constructs included; None: it is not known."""
    pragmas = [node for node in nodes(code) if isinstance(node, t.Pragma)]
    directives = [readable(pragma) for pragma in pragmas]
    if unread_in(code) is not None or None in directives:
        return None
    return changed_in(code).union(*(d.listed(*GIVES_VALUES) for d in directives if d is not None))


def reaching_values(code: t.Stmt, loop: t.Stmt, accepts: Accepts) -> Values:
    """Of those that `accepts` says yes to."""
    if labels_in(code) or changed_by_all_in(code) is None:
        return {}
    path = _path(code, loop)
    found = _Reaching(accepts)
    for around, below in pairwise(path):
        if not found.enter(around, below):
            return {}
    found.forget(changed_by_all_in(loop) or frozenset())
    return found.values


def _path(code: t.Stmt, loop: t.Stmt) -> list[t.Stmt]:
    """The statements from `code` down to `loop`."""
    if code is loop:
        return [code]
    below = (child for child in children(code) if isinstance(child, t.Stmt))
    found = next((path for child in below if (path := _path(child, loop))), [])
    return [code, *found] if found else []


class _Reaching:
    """What is known where control has come to. `values`: behind those that they are made of."""

    def __init__(self, accepts: Accepts) -> None:
        self.values: Values = {}
        self._accepts = accepts

    def enter(self, around: t.Stmt, below: t.Stmt) -> bool:
        """Go from the beginning of a statement to the part `below`; False: who comes there is not known."""
        match around:
            case t.Block(items=items):
                for item in takewhile(lambda item: item is not below, items):
                    self._execute(item)
            case t.If(condition=condition):
                self.forget(changed_in(condition))
            case t.For() | t.While() | t.DoWhile():
                self.forget(changed_by_all_in(around) or frozenset())  # in the round before
            case t.Pragma():
                self.forget(changed_by_all_in(around) or frozenset())
                return is_run_by_all(around)
            case _:
                return False
        return True

    def forget(self, changed: Collection[t.Symbol]) -> None:
        """What has changed, and what is made of it."""
        gone = set(changed)
        for symbol, value in list(self.values.items()):
            if _is_gone(symbol, value, gone):
                gone.add(symbol)
                del self.values[symbol]

    def _execute(self, statement: t.Stmt) -> None:
        match statement:
            case t.Block(items=items):
                for item in items:
                    self._execute(item)
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    self._give(decl.symbol, decl.init)
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                self._give(symbol, value)
            case _:
                self.forget(changed_by_all_in(statement) or frozenset())

    def _give(self, symbol: t.Symbol, value: Node | None) -> None:
        if value is not None:
            self.forget(changed_in(value))
        self.forget({symbol})
        if isinstance(value, t.Expr) and self._accepts(symbol, value, self.values.keys()):
            self.values[symbol] = value


def _is_gone(symbol: t.Symbol, value: t.Expr, changed: set[t.Symbol]) -> bool:
    """Is the variable's value another one, or cannot be made again, since others have changed?"""
    return symbol in changed or not changed.isdisjoint(symbols_in(value))
