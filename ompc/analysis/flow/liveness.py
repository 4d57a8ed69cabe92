"""Analysis: is a variable's value still wanted after a piece of code?

    for (...) {                 the value that t has at the end of the inner loop is not read: the next statement
        for (i...) t = ...;     that names t assigns it
        t = 0; f(t);
    }

Behind a jump out of the statement's surroundings (break, continue, return) nothing counts as assigned any more; `goto`
makes every other place that names the variable count as reading it.

    In: what a thread runs, a statement of it.   Out: whether some path from the statement's end reads the variable.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ompc.analysis.flow.definite_assignment import flow_of
from ompc.ir import tree as t
from ompc.ir.exits import has_goto, leaves
from ompc.ir.queries import is_named_outside
from ompc.ir.walk import Node, children


def read_after(code: t.Stmt, statement: t.Stmt, symbol: t.Symbol) -> bool:
    """May a path from the end of `statement`, which stands in `code`, to the end of `code` read `symbol` as it is?"""
    if has_goto(code):
        return is_named_outside(code, statement, symbol)
    return symbol in _live_after(code, statement)


@lru_cache(maxsize=64)
def _live_after(code: t.Stmt, statement: t.Stmt) -> frozenset[t.Symbol]:
    """The variables whose value at the end of `statement` a path to the end of `code`, without jumps, may read."""
    below: Node = statement
    live, replaced = set[t.Symbol](), set[t.Symbol]()
    may_have_left = False
    for parent in reversed(path_to(code, statement)[:-1]):
        for part in _executed_next(parent, below):
            flow = flow_of(part)
            live |= flow.exposed - replaced
            may_have_left |= leaves(part)
            if not may_have_left and not _is_loop(parent):
                replaced |= flow.assigned
        below = parent
    return frozenset(live)


def object_read_after(code: t.Stmt, statement: t.Stmt, symbol: t.Symbol, reads: Callable[[Node], bool]) -> bool:
    """The same for an object of parts; `reads` says whether a piece of code reads what the object was before it."""
    if has_goto(code):
        return is_named_outside(code, statement, symbol)
    below: Node = statement
    for parent in reversed(path_to(code, statement)[:-1]):
        following = _executed_next(parent, below)
        if isinstance(parent, t.Block) and len(following) > 1:
            following = [t.Block(parent.loc, tuple(part for part in following if isinstance(part, t.Stmt)))]
        if any(reads(part) for part in following):
            return True
        below = parent
    return False


def path_to(code: t.Stmt, statement: t.Stmt) -> list[Node]:
    """The nodes from `code` down to `statement`, both included."""
    found = _path(code, statement)
    assert found is not None, "the statement does not stand in the code"
    return found


def _path(node: Node, goal: t.Stmt) -> list[Node] | None:
    if node is goal:
        return [node]
    for child in children(node):
        below = None if isinstance(child, t.Expr) else _path(child, goal)
        if below is not None:
            return [node, *below]
    return None


def _executed_next(parent: Node, below: Node) -> list[Node]:
    """What may run after `below`, inside `parent`, in order."""
    match parent:
        case t.Block(items=items):
            position = next(i for i, item in enumerate(items) if item is below)
            return list(items[position + 1 :])
        case t.For(condition=condition, step=step, body=body):
            return [part for part in (step, condition, body) if part is not None]
        case t.While(condition=condition, body=body) | t.DoWhile(condition=condition, body=body):
            return [condition, body]
        case _:
            return []


def _is_loop(node: Node) -> bool:
    return isinstance(node, (t.For, t.While, t.DoWhile))
