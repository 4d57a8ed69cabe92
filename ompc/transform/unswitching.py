"""Loop unswitching: a branch that only the host can run, under a condition that the loop does not change, is left out.

    for (...) {                                     if (timers) the host runs all of the loop
        if (timers)                          ->     else for (...)
            timer_start(2);                             a[i] = f(i);
        a[i] = f(i);
    }

The launch asks for the condition first; where the branch would be run, the whole loop stays on the host. The condition
is made of variables that the loop only reads, and has a value wherever the pragma stands: it calls nothing and follows
no pointer. What is left has to have facts, or the loop stays as it was.

    In: a loop that cannot be a kernel; its facts without some branches.   Out: the facts of the loop without as few
    branches as can be; None: it does not depend on such.
    Not here: branches of called functions; those of target regions, whose variables may be newer on the device.
    Source: Allen and Cocke, "A catalogue of optimizing transformations", 1972 (unswitching).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import labels_in
from ompc.ir.queries import changed_in, nodes, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop, Sharing, Unswitched

MOST_BRANCHES = 8
"""The most branches that are looked at: the loop is analysed once more for each."""

_ONLY_OF_HOST = (t.Call, t.OpaqueExpr, t.OpaqueStmt, t.Pragma)
_OPERANDS = (t.Name, t.IntConst, t.FloatConst, t.Cast, t.Unary, t.Binary, t.Member)
_OPERATORS = frozenset("== != < <= > >= && || & | ^ + -".split())
_UNARY_OPERATORS = frozenset("+ - !".split())

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class _Branch:
    """A branch of `choice` that is left out: the one for when its condition `holds`."""

    choice: t.If
    holds: bool

    @property
    def rest(self) -> t.Stmt:
        kept = self.choice.other if self.holds else self.choice.then
        return t.Block(self.choice.loc, ()) if kept is None else kept

    @property
    def asked(self) -> Unswitched:
        return Unswitched(c_expr(rewritten(self.choice.condition, _in_digits)), self.holds)

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        return symbols_in(self.choice.condition)


def unswitched(
    loop: ParallelLoop,
    gather: Callable[[ParallelLoop], Found | None],
    only_reads: Callable[[Found, t.Symbol], bool],
) -> Found | None:
    """What `gather` finds of the loop without branches; `only_reads`: does what is left change none of a variable?"""
    branches = list(_branches(loop))
    if not branches or len(branches) > MOST_BRANCHES:
        return None

    def without(left_out: Sequence[_Branch]) -> Found | None:
        found = gather(_without(loop, left_out))
        read = {symbol for branch in left_out for symbol in branch.symbols}
        return found if found is not None and all(only_reads(found, symbol) for symbol in read) else None

    best = without(branches)
    if best is None:
        return None
    for branch in tuple(branches):
        fewer = [other for other in branches if other is not branch]
        if fewer and (found := without(fewer)) is not None:
            branches, best = fewer, found
    return best


def _branches(loop: ParallelLoop) -> Iterator[_Branch]:
    """The branches that may be left out, outer ones first; of one inside of another nothing is said."""
    if loop.body is None or loop.target is not None:
        return
    changed = changed_in(loop.body)
    inside: set[Node] = set()
    for node in nodes(loop.body):
        if not isinstance(node, t.If) or node in inside or not _is_fixed(loop, node.condition, changed):
            continue
        of_host = [part is not None and _is_only_of_host(part) for part in (node.then, node.other)]
        if labels_in(node):  # a way into a branch beside its condition
            continue
        value = constant_value(node.condition)
        if any(of_host) and not all(of_host) and (value is None or bool(value) != of_host[0]):
            yield _Branch(node, holds=of_host[0])
            inside |= {*nodes(node)}


def _is_only_of_host(branch: t.Stmt) -> bool:
    return any(isinstance(node, _ONLY_OF_HOST) for node in nodes(branch))


def _is_fixed(loop: ParallelLoop, condition: t.Expr, changed: frozenset[t.Symbol]) -> bool:
    """Has the condition one value where the pragma stands and in all iterations?"""
    for node in nodes(condition):
        match node:
            case t.Name(symbol=symbol):
                shared = loop.sharing.get(symbol) in (Sharing.SHARED, Sharing.FIRSTPRIVATE)
                if not shared or symbol in changed or loop.pragma.scope.get(symbol.name) is not symbol:
                    return False
            case t.Binary(op=op) if op not in _OPERATORS:
                return False
            case t.Unary(op=op) if op not in _UNARY_OPERATORS:
                return False  # the address of a copy is another one than where the pragma stands
            case t.Member(arrow=True):
                return False
            case t.Cast(type=kind) if not isinstance(kind, ty.Int | ty.Float):
                return False  # its type may have another name where the pragma stands, or none
            case t.Expr() if not isinstance(node, _OPERANDS):
                return False
            case _:
                pass
        if isinstance(node, t.Expr) and not _is_plain(node.type):
            return False
    return True


def _in_digits(node: Node) -> Node | None:
    """An enumerator's name may mean something else where the pragma stands."""
    if isinstance(node, t.IntConst) and node.text.isidentifier():
        return replace(node, text=str(node.value) if node.value >= 0 else f"({node.value})")
    return None


def _is_plain(kind: ty.Type) -> bool:
    """One that is read as often as one likes, and compared with 0."""
    is_value = isinstance(kind, ty.Pointer | ty.Struct) or ty.is_arithmetic(kind)
    return is_value and not kind.quals & {"volatile", "_Atomic"}


def _is_empty(statement: t.Stmt) -> bool:
    return isinstance(statement, t.Block) and not statement.items


def _without(loop: ParallelLoop, branches: Sequence[_Branch]) -> ParallelLoop:
    assert loop.body is not None
    rest: dict[Node, t.Stmt] = {branch.choice: branch.rest for branch in branches}

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Block) or rest.keys().isdisjoint(node.items):
            return rest.get(node)
        kept = [item for item in node.items if item not in rest or not _is_empty(rest[item])]
        return replace(node, items=tuple(rewritten(item, change) for item in kept))

    body = rewritten(loop.body, change)
    inner = replace(loop.loops[-1], body=body)
    asked = tuple(dict.fromkeys(branch.asked for branch in branches if branch.symbols))
    return replace(loop, body=body, loops=(*loop.loops[:-1], inner), unswitched=asked)
