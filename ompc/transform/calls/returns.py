"""A function's statements without `return`: control comes to their end, and what is returned is in a variable.

    if (x > 5)                             if (x > 5)
        return 1;              ->              value = 1;
    y = x * x;                             else {
    return y + 1;                              y = x * x;
                                               value = y + 1;
                                           }

Of an `if` with a `return` in it, one branch goes on at most: what follows moves there. In a loop that is the last thing
that the function does, `return` is a `break` behind what is returned. One in another loop, or in a `switch`, stays, and
so does the function.

    In: a function's body, what a `return` becomes.   Out: the statements; None: one cannot be replaced.
    Not here: where the statements go -- inlining.py.
    Source: if-conversion of jumps forward, as in Allen, Kennedy, Porterfield, Warren, "Conversion of control
    dependence to data dependence" (POPL 1983).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir.exits import labels_in, never_ends, returns_early
from ompc.ir.rewrite import rewritten, with_parts
from ompc.ir.walk import Node, walk

Given = Callable[[t.Return], Sequence[t.Stmt]]
"""What stands in the place of a `return`."""


@lru_cache(maxsize=1024)
def without_early_returns(body: t.Block) -> t.Block:
    """A function's body in which what is returned is only evaluated; itself where a `return` cannot be replaced."""

    def evaluated(node: t.Return) -> Sequence[t.Stmt]:
        return [] if node.value is None else [t.ExprStmt(node.loc, node.value)]

    items = without_returns(body.items, evaluated) if returns_early(body) else None
    return body if items is None else t.Block(body.loc, items)


def without_returns(items: Sequence[t.Stmt], given: Given) -> tuple[t.Stmt, ...] | None:
    """`items`, statements up to a function's end, without `return`."""
    made: list[t.Stmt] = []
    for position, item in enumerate(items):
        rest = items[position + 1 :]
        if not _returns(item):
            made.append(item)
            continue
        match item:
            case t.Return() if not any(map(labels_in, rest)):
                return (*made, *given(item))
            case t.Block(items=inner):
                found = without_returns((*inner, *rest), given)  # the names of a copy are all its own
            case t.If():
                found = _branches(item, rest, given)
            case t.For() | t.While() | t.DoWhile() if not rest:
                found = _last_loop(item, given)
            case _:
                found = None
        return None if found is None else (*made, *found)
    return tuple(made)


def _branches(node: t.If, rest: Sequence[t.Stmt], given: Given) -> tuple[t.Stmt, ...] | None:
    """Of `node`, and of what follows it up to the function's end."""
    then, other = _items(node.then), _items(node.other)
    goes_on = [not never_ends(t.Block(node.loc, branch)) for branch in (then, other)]
    if all(goes_on) and rest:
        return None
    found = [
        without_returns((*branch, *rest) if on else branch, given)
        for branch, on in zip((then, other), goes_on, strict=True)
    ]
    if found[0] is None or found[1] is None:
        return None
    left = t.Block(node.loc, found[1]) if found[1] else None
    return (t.If(node.loc, node.condition, t.Block(node.loc, found[0]), left),)


def _last_loop(node: t.For | t.While | t.DoWhile, given: Given) -> tuple[t.Stmt, ...] | None:
    """The loop, behind which the function does nothing more."""

    def change(part: Node) -> Node | None:
        match part:
            case t.Return():
                return t.Block(part.loc, (*given(part), t.Break(part.loc)))
            case t.For() | t.While() | t.DoWhile() | t.Switch():
                return part  # a `break` in it would be its own
            case _:
                return None

    body = rewritten(node.body, change)
    return None if _returns(body) else (with_parts(node, body=body),)


def _items(branch: t.Stmt | None) -> tuple[t.Stmt, ...]:
    if branch is None:
        return ()
    return branch.items if isinstance(branch, t.Block) else (branch,)


def _returns(node: t.Stmt) -> bool:
    return any(isinstance(part, t.Return) for part in walk(node))
