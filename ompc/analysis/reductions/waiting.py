"""Analysis: iterations that wait for one another, which never ends where the others cannot run meanwhile.

    while (flag[i - 1] == 0) { #pragma omp flush }          a spin loop
    while (!ready) { #pragma omp atomic read  seen = done;  ready = seen; }
    omp_set_lock(&lock);                                     a lock
    do { old = x; new = f(old); compare and swap } while (!done);    lock-free, but a retry all the same

A loop waits when nothing of its own can end it: what its exits depend on, through the thread's own variables, is
shared data that the loop does not change, or changes only by indivisible operations that may fail. A counter among
it, or a pointer that moves on, ends it sooner or later.

    In: Reach, accesses, the indivisible operations.   Out: the first Reason (OMPC349), or None.
    Not here: directives that order iterations (`ordered`, OMPC313).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ompc.analysis.eligibility.reach import Reach
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.roots import Root
from ompc.analysis.reductions.indivisible import Indivisible
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.walk import children, walk

_Loop = t.While | t.DoWhile | t.For


def waiting(
    reach: Reach, accesses: Sequence[Access], indivisible: Indivisible, is_private: Callable[[Root], bool]
) -> Reason | None:
    """Why iterations of the loop may wait for one another."""
    shared = [access for access in accesses if not is_private(access.root)]
    written = {access.root for access in shared if access.mode.writes}
    changing = [access for access in shared if access.root in written]
    for node in reach.nodes:
        if isinstance(node, t.Goto) and indivisible.forms.operations:
            return Reason(
                "OMPC349", "jumps by goto between indivisible operations, and may so wait for others", node.loc
            )
        if isinstance(node, (t.While, t.DoWhile, t.For)) and _Exits(node).wait_for(changing, indivisible):
            return Reason("OMPC349", "a loop in it waits for what other iterations do", node.loc)
    return None


class _Exits:
    """What the end of one loop depends on."""

    def __init__(self, loop: _Loop) -> None:
        self.loop = loop
        self.inside = set(walk(loop))
        self.assigned = dict(_assignments(loop))

    def wait_for(self, changing: Sequence[Access], indivisible: Indivisible) -> bool:
        """Does the end of the loop depend on nothing but shared data that others change?"""
        read, names = self._closure()
        here = [access for access in changing if access.node in read]
        if not here:
            return False
        if any(map(self._moves_on, names)):
            return False
        calls = any(isinstance(node, t.Call) for node in self.inside)
        moved = {a.root for a in changing if a.mode.writes and (a.node in self.inside or (calls and a.function))}
        retries = any(indivisible.operation(access) for access in here)
        return retries or not any(access.root in moved for access in here)

    def _closure(self) -> tuple[set[object], set[t.Symbol]]:
        """The nodes that the exits evaluate, directly or by the values of variables that the loop assigns."""
        nodes: set[object] = set()
        names: set[t.Symbol] = set()
        pending: list[t.Expr] = list(_conditions(self.loop, self.loop))
        while pending:
            for node in walk(pending.pop()):
                nodes.add(node)
                if isinstance(node, t.Name) and node.symbol not in names:
                    names.add(node.symbol)
                    pending += self.assigned.get(node.symbol, ())
        return nodes, names

    def _moves_on(self, symbol: t.Symbol) -> bool:
        """Does the loop compute the variable's next value from its last one?"""
        values = self.assigned.get(symbol, ())
        return any(isinstance(part, t.Name) and part.symbol is symbol for value in values for part in walk(value))


def _conditions(node: t.Stmt, loop: _Loop) -> Iterator[t.Expr]:
    """The conditions that can end `loop`: its own, and those of the branches by which it is left or goes on."""
    if node is loop and loop.condition is not None:
        yield loop.condition
    if isinstance(node, (t.If, t.Switch)) and any(
        isinstance(part, (t.Break, t.Continue, t.Return)) for part in walk(node)
    ):
        yield node.condition if isinstance(node, t.If) else node.value
    for child in children(node):
        if isinstance(child, t.Stmt):
            yield from _conditions(child, loop)


def _assignments(loop: _Loop) -> Iterator[tuple[t.Symbol, list[t.Expr]]]:
    """For each variable, the expressions whose values the loop gives it; a compound assignment is its own value."""
    found: dict[t.Symbol, list[t.Expr]] = {}
    for node in walk(loop):
        match node:
            case t.Assign(op=op, target=t.Name(symbol=symbol), value=value):
                found.setdefault(symbol, []).append(value if op == "=" else node)
            case t.IncDec(operand=t.Name(symbol=symbol)):
                found.setdefault(symbol, []).append(node)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                found.setdefault(symbol, []).append(value)
            case _:
                pass
    yield from found.items()
