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

from ompc.analysis.assigned import Flow
from ompc.omp.uses import nodes
from ompc.sema import tree as t
from ompc.sema.walk import Node, children, walk


def read_after(code: t.Stmt, statement: t.Stmt, symbol: t.Symbol) -> bool:
    """May a path from the end of `statement`, which stands in `code`, to the end of `code` read `symbol` as it is?"""
    if any(isinstance(node, (t.Goto, t.Label)) for node in walk(code)):
        return _named_outside(code, statement, symbol)
    below: Node = statement
    may_have_left = False
    for parent in reversed(path_to(code, statement)[:-1]):
        for part in _executed_next(parent, below):
            flow = Flow(part)
            if symbol in flow.exposed:
                return True
            may_have_left |= any(isinstance(node, (t.Break, t.Continue, t.Return)) for node in walk(part))
            if symbol in flow.assigned and not may_have_left and not _is_loop(parent):
                return False
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


def _named_outside(code: t.Stmt, statement: t.Stmt, symbol: t.Symbol) -> bool:
    inside = set(walk(statement))
    return any(isinstance(node, t.Name) and node.symbol is symbol and node not in inside for node in nodes(code))
