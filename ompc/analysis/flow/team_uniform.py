"""Analysis: team-uniform values: expressions with one value in all threads of a team, once they agree at a launch.

    void f(double *total, int n) {          total, n: each thread's own, and never assigned: compared at the launch
        double part = 0;
        #pragma omp for
        for (...) part += a[i];
        if (n < 0) return;                  all threads jump, or none
        #pragma omp atomic
        total[3] += part;                   the same element in all threads
    }

Variables that the team shares are the same for all in a program without races, but for those that the threads change in
turn. Of the threads' own ones those are that nothing but the heads of the loops around the launch changes. A call may
give each thread another value.

    In: a loop shared by a team.   Out: yes or no, for places of the team's code; which variables to compare.
    Source: OpenMP 5.2, 11.5: every thread of the team meets the same worksharing constructs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from ompc.analysis.eligibility.library_effects import leaves_program_alone
from ompc.analysis.flow.liveness import path_to
from ompc.base.diagnostics import Reason
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import follows_pointer
from ompc.ir.exits import catches, heads_of, jumps_in, paths_to_jumps
from ompc.ir.queries import changed_in, nodes, target_of, targets_written
from ompc.ir.walk import Node, children, walk
from ompc.omp.loops import sequential_loop
from ompc.omp.model import ParallelLoop

_ONE_AFTER_THE_OTHER = ("critical", "atomic")


class TeamUniformity:
    """Answers for one loop of a team. `compared` grows by what the answers rest on."""

    def __init__(self, loop: ParallelLoop) -> None:
        assert loop.team is not None
        self._loop = loop
        self._team = loop.team
        self._around = path_to(loop.team.code, loop.pragma)
        self._needed: set[t.Symbol] = set()
        inside = {*nodes(loop.pragma)}
        others = [node for node in nodes(loop.team.code) if node not in inside]
        exclusive = [node for node in others if _is_exclusive(node)]
        self._in_turn = frozenset(symbol for node in exclusive for symbol in changed_in(node))
        self._memory_in_turn = any(follows_pointer(place) for node in exclusive for place in targets_written(node))
        self._unseen = any(map(_may_change, others))  # or there are locks

    @property
    def compared(self) -> frozenset[t.Symbol]:
        return frozenset(self._needed)

    def is_own(self, symbol: t.Symbol) -> bool:
        """Has each thread one of it?"""
        return symbol in self._team.private or symbol.threadprivate or symbol.storage is t.Storage.THREAD

    def all_come_alike(self) -> bool:
        """Do all threads go round in the loops around the launch, and into its branches, alike?"""
        return all(self.beside(head, frozenset()) for node in self._around for head in heads_of(node))

    def beside(self, code: Node, others: Set[t.Symbol]) -> bool:
        """Is everything in `code` but `others` the same in all threads?"""
        return all(self.is_same(node, others) for node in nodes(code))

    def executed_by_all(self) -> Iterator[tuple[t.Stmt, frozenset[t.Symbol]]]:
        """The statements that every thread executes as often as the launch's surroundings are executed, or as often in
        loops that all threads run alike; each with the variables of these loops, which take the same values in all. Not
        those of the launch itself, of which each thread has a part.
        """
        return self._executed_in(self._team.code, frozenset())

    def _executed_in(self, node: Node, alike: frozenset[t.Symbol]) -> Iterator[tuple[t.Stmt, frozenset[t.Symbol]]]:
        match node:
            case t.Pragma() if node is self._loop.pragma:
                return
            case t.ExprStmt():
                yield node, alike
            case t.If() if node not in self._around:
                yield node, alike  # whole: the choice of the greater
            case t.For(body=body) if node not in self._around:
                if (variable := self._counts_alike(node, alike)) is not None:
                    yield from self._executed_in(body, alike | {variable})
            case t.Block() | t.For() | t.While() | t.DoWhile() | t.If() | t.Switch() | t.Pragma():
                if isinstance(node, t.Block) or node in self._around or _is_exclusive(node):
                    for child in children(node):
                        yield from self._executed_in(child, alike)
            case _:
                return

    def _counts_alike(self, statement: t.For, alike: frozenset[t.Symbol]) -> t.Symbol | None:
        """The variable of a loop whose head alone says which values it takes, the same in all threads."""
        loop = sequential_loop(statement)
        if isinstance(loop, Reason) or loop.var.address_taken or jumps_in(loop.body):
            return None
        bounds = [bound for bound in (loop.lower, loop.upper, loop.step) if bound is not None]
        return loop.var if all(self.beside(bound, alike) for bound in bounds) else None

    def all_get_past(self) -> bool:
        """Does a jump out of the loop's surroundings take all threads, or none?"""
        return all(map(self._takes_all, paths_to_jumps(self._team.code, lambda part: part is not self._loop.pragma)))

    def _takes_all(self, path: Sequence[t.Stmt]) -> bool:
        inner = [node for node in path if node not in self._around]
        if isinstance(path[-1], t.Goto):
            return False
        if any(catches(node, path[-1]) for node in inner):
            return True
        return all(self.beside(head, frozenset()) for outer in inner for head in heads_of(outer))

    def is_same(self, node: Node, others: Set[t.Symbol]) -> bool:
        """Is it, beside `others` and what it consists of, the same in all threads?"""
        match node:
            case t.Call(function=t.Name(symbol=function)):
                return device_library.is_device_function(function.name)
            case t.Call() | t.OpaqueExpr() | t.OpaqueStmt():
                return False
            case t.Name(symbol=symbol):
                if symbol in others:
                    return True
                if symbol not in self._team.private:
                    kept = "const" in symbol.type.quals or isinstance(symbol.type, ty.Function)
                    return kept or (symbol not in self._in_turn and not self._unseen)
                return self._is_unchanged(symbol)
            case _:
                return not ((self._memory_in_turn or self._unseen) and follows_pointer(node))

    def _is_unchanged(self, symbol: t.Symbol) -> bool:
        """Can the launch compare the threads' copies, and does nothing but the loops around it change them?"""
        comparable = ty.is_arithmetic(symbol.type) or isinstance(symbol.type, ty.Pointer)
        if not comparable or symbol.address_taken or symbol.threadprivate or symbol.storage is t.Storage.THREAD:
            return False
        if self._loop.pragma.scope.get(symbol.name) is not symbol or symbol in self._team.results:
            return False
        heads = {part for node in self._around if isinstance(node, t.For) for part in _head(node)}
        if any(_assigns(node, symbol) and node not in heads for node in nodes(self._team.code)):
            return False
        self._needed.add(symbol)
        return True


def _may_change(node: Node) -> bool:
    """A call that may change what threads share, in turn or not."""
    if not isinstance(node, t.Call):
        return isinstance(node, t.OpaqueExpr | t.OpaqueStmt)
    known = isinstance(node.function, t.Name) and device_library.is_device_function(node.function.symbol.name)
    return not known and not leaves_program_alone(node)


def _is_exclusive(node: Node) -> bool:
    return isinstance(node, t.Pragma) and node.directive.name in _ONE_AFTER_THE_OTHER


def _head(loop: t.For) -> list[Node]:
    return [node for part in (loop.init, loop.step) if part is not None for node in walk(part)]


def _assigns(node: Node, symbol: t.Symbol) -> bool:
    target = target_of(node)
    return isinstance(target, t.Name) and target.symbol is symbol
