"""Analysis: expressions that have the same value in all threads of a team, once the threads agree at a launch.

    void f(double *total, int n) {          total, n: each thread's own, and never assigned: compared at the launch
        double part = 0;
        #pragma omp for
        for (...) part += a[i];
        if (n < 0) return;                  all threads jump, or none
        #pragma omp atomic
        total[3] += part;                   the same element in all threads
    }

Variables that the team shares are the same for all in a program without races. Of the threads' own ones those are that
nothing but the heads of the loops around the launch changes. A call may give each thread another value.

    In: a loop shared by a team.   Out: yes or no, for places of the team's code; which variables to compare.
    Source: OpenMP 5.2, 11.5: every thread of the team meets the same worksharing constructs.
"""

from __future__ import annotations

from ompc.analysis.flow.liveness import path_to
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import Node, children, walk
from ompc.omp.model import ParallelLoop
from ompc.omp.uses import nodes


class SameInAll:
    """Answers for one loop of a team. `compared` grows by what the answers rest on."""

    def __init__(self, loop: ParallelLoop) -> None:
        assert loop.team is not None
        self._loop = loop
        self._team = loop.team
        self._around = path_to(loop.team.code, loop.pragma)
        self._needed: set[t.Symbol] = set()

    @property
    def compared(self) -> frozenset[t.Symbol]:
        return frozenset(self._needed)

    def beside(self, statement: t.Stmt, symbol: t.Symbol) -> bool:
        """Is everything in `statement` but `symbol` the same in all threads?"""
        return all(self._is_same(node, symbol) for node in nodes(statement))

    def all_get_past(self) -> bool:
        """Does a jump out of the loop's surroundings take all threads, or none?"""
        return all(self._takes_all(jump) for jump in _jumps(self._team.code, self._loop.pragma))

    def _takes_all(self, jump: list[Node]) -> bool:
        if isinstance(jump[-1], (t.Goto, t.Label)):
            return False
        if not isinstance(jump[-1], t.Return) and any(_catches(node, jump[-1]) for node in self._inner(jump)):
            return True
        heads = [head for node in self._inner(jump) for head in children(node) if isinstance(head, t.Expr)]
        return all(self._is_same(node, None) for head in heads for node in nodes(head))

    def _inner(self, path: list[Node]) -> list[Node]:
        """The part of the path that is not around the loop itself."""
        return [node for node in path if node not in self._around]

    def _is_same(self, node: Node, other: t.Symbol | None) -> bool:
        match node:
            case t.Call(function=t.Name(symbol=function)):
                return device_library.is_device_function(function.name)
            case t.Call() | t.OpaqueExpr() | t.OpaqueStmt():
                return False
            case t.Name(symbol=symbol):
                return symbol is other or symbol not in self._team.private or self._is_steady(symbol)
            case _:
                return True

    def _is_steady(self, symbol: t.Symbol) -> bool:
        """Can the launch compare the threads' copies, and does nothing but the loops around it change them?"""
        comparable = ty.is_arithmetic(symbol.type) or isinstance(symbol.type, ty.Pointer)
        if not comparable or symbol.address_taken or symbol.threadprivate or symbol.storage is t.Storage.THREAD:
            return False
        if self._loop.pragma.scope.get(symbol.name) is not symbol or symbol in self._team.results:
            return False
        heads = {part for node in self._around if isinstance(node, t.For) for part in _head(node)}
        if any(_changes(node, symbol) and node not in heads for node in nodes(self._team.code)):
            return False
        self._needed.add(symbol)
        return True


def _head(loop: t.For) -> list[Node]:
    return [node for part in (loop.init, loop.step) if part is not None for node in walk(part)]


def _changes(node: Node, symbol: t.Symbol) -> bool:
    match node:
        case t.Assign(target=t.Name(symbol=target)) | t.IncDec(operand=t.Name(symbol=target)):
            return target is symbol
        case _:
            return False


def _jumps(code: t.Stmt, pragma: t.Pragma) -> list[list[Node]]:
    """The paths to all jumps in `code` but those inside `pragma`."""
    found: list[list[Node]] = []
    stack: list[list[Node]] = [[code]]
    while stack:
        path = stack.pop()
        if isinstance(path[-1], (t.Goto, t.Label, t.Break, t.Continue, t.Return)):
            found.append(path)
        stack += [[*path, c] for c in children(path[-1]) if isinstance(c, t.Stmt) and c is not pragma]
    return found


def _catches(node: Node, jump: Node) -> bool:
    loops = (t.For, t.While, t.DoWhile)
    return isinstance(node, loops) or (isinstance(node, t.Switch) and isinstance(jump, t.Break))
