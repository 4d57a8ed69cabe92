"""Rewrite: whether iterations end the program, the host asks before the launch, where all would or none (`auto`).

    for (i ...) {                               OMPC_OFFLOAD(!(n < 1 || n > (int)u[0]) && ompc_launch_f(...))
        int most = (int)u[0];                   for (i ...) {
        if (n < 1 || n > most)           ->         int most = (int)u[0];
            leave;                                  f(i);
        f(i);                                   }
    }

A kernel that may leave has to be ready for that in every iteration: threads can wait for each other nowhere, so no
group of them shares an iteration. Checks of arguments, as functions begin with, give one answer for all of a launch.

    one answer      the condition is made of constants, of variables that the launch does not change, of what stands
                    for such, and of parts of objects that it only reads, at constant subscripts in their bounds
    known to host   all that is visible where the pragma stands, and follows no pointer; it divides nothing. Of what a
                    pointer of the loop might write, the launcher compares the places

Where the condition holds, the host runs the loop and does what the program says: also where no iteration comes so far.

    In: Facts.   Out: the Facts of the same loop without such branches, which are in `ParallelLoop.unswitched`.
    Not here: branches that only the host can run -- transform/unswitching.py; how a kernel leaves -- early_exit.py;
    target regions, of whose variables the device may have newer values.
    Source: Allen and Cocke, "A catalogue of optimizing transformations", 1972 (unswitching).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.equality import same
from ompc.analysis.locality.invariant_loads import is_always_there, load_of
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import rewritten, with_items
from ompc.ir.walk import Node, walk
from ompc.omp.asked import Unswitched
from ompc.transform.early_exit import only_leaves
from ompc.transform.unswitching import asked

_OPERATORS = frozenset("== != < <= > >= && || & | ^ + - *".split())
_UNARY_OPERATORS = frozenset("+ - ! ~".split())


def with_exits_asked(facts: Facts, strict_aliasing: bool) -> Facts:
    """`facts` without the branches that only leave, where the host can ask for their conditions."""
    loop = facts.loop
    if loop.target is not None or not facts.device_code.leaves:
        return facts
    conditions = _Conditions(facts, strict_aliasing)
    found: dict[t.Stmt, Unswitched] = {}
    for node in walk(facts.device_code.body):
        if isinstance(node, t.If) and node.other is None and only_leaves(node.then):
            condition = conditions.at_launch(node.condition)
            if condition is not None:
                found[node] = asked(condition, True)
    if not found:
        return facts

    def change(node: Node) -> Node | None:
        match node:
            case t.Block(items=items):
                return with_items(node, [rewritten(item, change) for item in items if item not in found])
            case t.If() if node in found:
                return t.Block(node.loc, ())
            case _:
                return None

    body = rewritten(facts.device_code.body, change)
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    unswitched = tuple(dict.fromkeys((*loop.unswitched, *found.values())))
    kept = (*loop.kept, *conditions.compared)
    after = gather_again(facts, replace(loop, body=body, loops=loops, unswitched=unswitched, kept=kept))
    return facts if isinstance(after, Reason) else after


class _Conditions:
    """What the host can ask for in the place of a kernel's expression."""

    def __init__(self, facts: Facts, strict_aliasing: bool) -> None:
        self._facts, self._strict_aliasing = facts, strict_aliasing
        self.compared: list[t.Expr] = []

    def at_launch(self, expr: t.Expr, inside: Collection[t.Symbol] = ()) -> t.Expr | None:
        """`expr` where the pragma stands; None: it is not known there. `inside`: variables whose values these are."""
        if not ty.is_arithmetic(expr.type) or expr.type.quals & {"volatile", "_Atomic"}:
            return None
        match expr:
            case t.IntConst() | t.FloatConst():
                return expr
            case t.Name(symbol=symbol):
                return self._variable(expr, symbol, inside)
            case t.Index() | t.Member():
                return expr if is_always_there(expr) and self._is_kept(expr) else None
            case t.Binary(op=op, left=left, right=right) if op in _OPERATORS:
                sides = self.at_launch(left, inside), self.at_launch(right, inside)
                return None if sides[0] is None or sides[1] is None else replace(expr, left=sides[0], right=sides[1])
            case t.Unary(op=op, operand=operand) if op in _UNARY_OPERATORS:
                found = self.at_launch(operand, inside)
                return None if found is None else replace(expr, operand=found)
            case t.Cast(operand=operand):
                found = self.at_launch(operand, inside)
                return None if found is None else replace(expr, operand=found)
            case _:
                return None

    def _is_kept(self, lvalue: t.Expr) -> bool:
        """Does the launch not write it? Where only the launcher can tell, it compares."""
        load = load_of(self._facts, lvalue, self._strict_aliasing)
        if load is not None:
            self.compared += [at for at in load.compared if not any(same(at, known) for known in self.compared)]
        return load is not None

    def _variable(self, expr: t.Name, symbol: t.Symbol, inside: Collection[t.Symbol]) -> t.Expr | None:
        if self._facts.is_fixed(symbol) and self._facts.can_be_asked(symbol):
            return expr
        definition = self._facts.known.definitions.get(symbol)
        if definition is None or symbol in inside:
            return None
        value, kind = self.at_launch(definition.init, (*inside, symbol)), ty.unqualified(symbol.type)
        if value is None or ty.unqualified(value.type) == kind:
            return value
        return t.Cast(kind, expr.loc, value)
