"""Jumps: how control leaves a piece of code other than by its end, and enters it other than at its beginning.

    for (...) {
        if (a) break;                   ends_early: the loop may end before its condition says so
        if (b) continue;                continues:  the iteration may end before its last statement
        switch (c) { case 1: break; }   stays inside: a break is the innermost loop's or switch's (C11 6.8.6)
    }

`goto` is not followed: it leaves all that it stands in. The end of the program (`Leave`) leaves everything.

    In: a part of the typed tree.   Out: yes or no; the statements that jump, the conditions by which they do.
    Not here: what is assigned on the way to a jump -- analysis/flow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Flag
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir.walk import Node, children, walk


class _Jump(Flag):
    NONE = 0
    BREAK = 1
    CONTINUE = 2
    GOTO = 4
    RETURN = 8
    END = 16
    LABEL = 32
    CASE = 64


_JUMPS = {
    t.Break: _Jump.BREAK,
    t.Continue: _Jump.CONTINUE,
    t.Goto: _Jump.GOTO,
    t.Return: _Jump.RETURN,
    t.Leave: _Jump.END,
    t.Label: _Jump.LABEL,
    t.Case: _Jump.CASE,
}
_KINDS = frozenset(_JUMPS)

_BOUND: dict[type[Node], _Jump] = {
    **dict.fromkeys((t.For, t.While, t.DoWhile), _Jump.BREAK | _Jump.CONTINUE),
    t.Switch: _Jump.BREAK | _Jump.CASE,
}
"""The jumps that a statement keeps to itself: they mean nothing to the statements around it."""

_KEPT = 4096


# ------------------------------------------------------------------------------------- what there is


def is_jump(node: Node) -> bool:
    """A statement behind which control does not go on; the end of the program."""
    return bool(_JUMPS.get(type(node), _Jump.NONE) & ~(_Jump.LABEL | _Jump.CASE))


def is_label(node: Node) -> bool:
    """`name:`, `case value:` or `default:`."""
    return bool(_JUMPS.get(type(node), _Jump.NONE) & (_Jump.LABEL | _Jump.CASE))


@lru_cache(maxsize=_KEPT)
def _kinds(code: Node) -> _Jump:
    found = _Jump.NONE
    for kind in _KINDS.intersection(map(type, walk(code))):
        found |= _JUMPS[kind]
    return found


def jumps_in(code: Node) -> bool:
    """Does anything in it jump, be it to a place inside?"""
    return bool(_kinds(code) & ~(_Jump.LABEL | _Jump.CASE))


def labels_in(code: Node) -> bool:
    """Is there a place in it to which control may come from elsewhere: a label, a case?"""
    return bool(_kinds(code) & (_Jump.LABEL | _Jump.CASE))


def has_goto(code: Node) -> bool:
    """Is there a `goto`, or a label for one? Then the order of the text says little about that of execution."""
    return bool(_kinds(code) & (_Jump.GOTO | _Jump.LABEL))


def returns_in(code: Node) -> bool:
    """May a function, or the program, end in it?"""
    return bool(_kinds(code) & (_Jump.RETURN | _Jump.END))


def gotos(code: Node) -> tuple[t.Goto, ...]:
    found = walk(code) if _kinds(code) & _Jump.GOTO else ()
    return tuple(node for node in found if isinstance(node, t.Goto))


def returned(body: t.Stmt) -> tuple[t.Expr, ...]:
    """The values that a function with this body may return."""
    found = walk(body) if _kinds(body) & _Jump.RETURN else ()
    return tuple(node.value for node in found if isinstance(node, t.Return) and node.value is not None)


# --------------------------------------------------------------------------------- what is left by it


@lru_cache(maxsize=_KEPT)
def _leaving(code: Node) -> _Jump:
    """The jumps in it that lead out of it, and the cases of a switch around it."""
    own = _JUMPS.get(type(code), _Jump.NONE)
    if isinstance(code, t.Expr) or own:
        return own | _kinds(code)
    found = _Jump.NONE
    if _kinds(code):
        for child in children(code):
            found |= _leaving(child)
    return found & ~_BOUND.get(type(code), _Jump.NONE)


def leaves(code: Node) -> bool:
    """Can control leave it by a jump?"""
    return bool(_leaving(code) & ~(_Jump.LABEL | _Jump.CASE))


def breaks(body: Node) -> bool:
    """Does a `break` of the loop or switch that has this body stand in it?"""
    return bool(_leaving(body) & _Jump.BREAK)


def continues(body: Node) -> bool:
    """Does a `continue` of the loop that has this body, or of one around `body`, stand in it?"""
    return bool(_leaving(body) & _Jump.CONTINUE)


def ends_early(body: Node) -> bool:
    """Can the loop that has this body end before its condition says so?"""
    return bool(_leaving(body) & ~(_Jump.CONTINUE | _Jump.LABEL | _Jump.CASE))


def leaves_loop(body: Node) -> bool:
    """Can an iteration of the loop that has this body lead to elsewhere than behind the loop, by `goto` or `return`?"""
    return bool(_leaving(body) & (_Jump.GOTO | _Jump.RETURN))


@lru_cache(maxsize=_KEPT)
def goes_elsewhere(code: Node) -> bool:
    """Can control leave it for another place of the program by a jump, or come into it from one?"""
    return bool(_leaving(code) & ~_Jump.END)


def returns_early(body: t.Block) -> bool:
    """Does a function with this body return anywhere but at its end?"""
    last = body.items[-1] if body.items else None
    found = walk(body) if _kinds(body) & _Jump.RETURN else ()
    return any(isinstance(node, t.Return) and node is not last for node in found)


def never_ends(node: t.Stmt) -> bool:
    """Does control certainly not come to what follows it in the text?"""
    match node:
        case t.Block(items=items):
            return any(map(never_ends, items))
        case t.If(then=then, other=t.Stmt() as other):
            return never_ends(then) and never_ends(other)
        case t.ExprStmt(expr=expr):
            return is_jump(expr)
        case _:
            return is_jump(node)


def is_entered(part: t.Stmt, whole: t.Stmt) -> bool:
    """Does a jump lead from elsewhere in `whole` into the middle of `part`?"""
    if not labels_in(part):
        return False
    labels = {node.name for node in walk(part) if isinstance(node, t.Label)}
    inside = frozenset(gotos(part))
    return has_free_case(part) or any(goto.name in labels and goto not in inside for goto in gotos(whole))


# ------------------------------------------------------------------------------- by which conditions


def catches(node: Node, jump: Node) -> bool:
    """Would a jump inside of `node`, and of nothing else that would, stay there: a break in a loop?"""
    return bool(_BOUND.get(type(node), _Jump.NONE) & _JUMPS[type(jump)])


def paths_to_jumps(code: t.Stmt, enters: Callable[[t.Stmt], bool] = lambda _: True) -> Iterator[tuple[t.Stmt, ...]]:
    """All that jumps in `code`, each with the statements around it, `code` first; `enters`: looks into one?"""
    stack: list[tuple[t.Stmt, ...]] = [(code,)]
    while stack:
        path = stack.pop()
        if is_jump(path[-1]):
            yield path
        below = [c for c in children(path[-1]) if isinstance(c, t.Stmt) and _kinds(c)]
        stack += [(*path, child) for child in reversed(below) if enters(child)]


def paths_out(code: t.Stmt, enters: Callable[[t.Stmt], bool] = lambda _: True) -> Iterator[tuple[t.Stmt, ...]]:
    """Of those the jumps that leave `code`, or, if that is a loop, an iteration of it."""
    for path in paths_to_jumps(code, enters):
        if not any(catches(node, path[-1]) for node in path[1:-1]):
            yield path


def heads_of(node: Node) -> Iterator[t.Expr]:
    """What a statement around others decides by: a condition, the value of a switch, all of a loop's head."""
    if not is_jump(node):
        yield from (child for child in children(node) if isinstance(child, t.Expr))


# ---------------------------------------------------------------------------------------- switches


@lru_cache(maxsize=_KEPT)
def has_hidden_case(code: Node) -> bool:
    """Does a case stand inside of another statement of its switch, which control then enters in the middle?"""
    found = walk(code) if _kinds(code) & _Jump.CASE else ()
    return any(isinstance(node, t.Switch) and _has_case_below(node.body) for node in found)


def _has_case_below(node: Node, hidden: bool = False) -> bool:
    if isinstance(node, t.Case):
        return hidden
    inside = hidden or not isinstance(node, t.Block)
    below = (child for child in children(node) if isinstance(child, t.Stmt) and not isinstance(child, t.Switch))
    return any(_has_case_below(child, inside) for child in below)


def has_free_case(code: Node) -> bool:
    """Does a case of a switch around it stand in it?"""
    return bool(_leaving(code) & _Jump.CASE)


def from_each_case(body: t.Stmt) -> list[t.Stmt]:
    """The body of a switch in pieces: control comes to each from above, or from the head."""
    pieces: list[list[t.Stmt]] = [[]]
    for item in body.items if isinstance(body, t.Block) else (body,):
        if isinstance(item, t.Case):
            pieces.append([])
        pieces[-1].append(item)
    return [t.Block(body.loc, tuple(piece)) for piece in pieces if piece]
