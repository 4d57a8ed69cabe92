"""Walks over the typed tree: one place that knows every node's children.

Strict: a class that is not listed raises, so that a new node class cannot be skipped silently. Types are not walked
(the length of a VLA is an expression inside a type: see `type_expressions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from ompc.ir import types as ty
from ompc.ir.tree import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Case,
    Cast,
    Comma,
    CompoundLiteral,
    Conditional,
    Continue,
    DeclStmt,
    DoWhile,
    Empty,
    Expr,
    ExprStmt,
    FloatConst,
    For,
    Goto,
    If,
    IncDec,
    Index,
    InitList,
    IntConst,
    Label,
    Leave,
    Member,
    Name,
    OpaqueExpr,
    OpaqueStmt,
    Pragma,
    Print,
    Return,
    Sizeof,
    Stmt,
    StringConst,
    Switch,
    Unary,
    VarDecl,
    While,
)

Node = Expr | Stmt | VarDecl

_Children = Callable[..., tuple[Node | None, ...]]

_CHILDREN: dict[type[Node], _Children] = {
    IntConst: lambda n: (),
    FloatConst: lambda n: (),
    StringConst: lambda n: (),
    Name: lambda n: (),
    Unary: lambda n: (n.operand,),
    IncDec: lambda n: (n.operand,),
    Binary: lambda n: (n.left, n.right),
    Assign: lambda n: (n.target, n.value),
    Conditional: lambda n: (n.condition, n.then, n.other),
    Comma: lambda n: (n.left, n.right),
    Index: lambda n: (n.base, n.index),
    Member: lambda n: (n.base,),
    Call: lambda n: (n.function, *n.args),
    Leave: lambda n: n.args,
    Print: lambda n: n.args,
    Cast: lambda n: (n.operand,),
    Sizeof: lambda n: (),
    InitList: lambda n: tuple(value for _, value in n.items),
    CompoundLiteral: lambda n: (n.init,),
    OpaqueExpr: lambda n: (),
    ExprStmt: lambda n: (n.expr,),
    Empty: lambda n: (),
    VarDecl: lambda n: (n.init,),
    DeclStmt: lambda n: n.decls,
    Block: lambda n: n.items,
    If: lambda n: (n.condition, n.then, n.other),
    While: lambda n: (n.condition, n.body),
    DoWhile: lambda n: (n.body, n.condition),
    For: lambda n: (n.init, n.condition, n.step, n.body),
    Switch: lambda n: (n.value, n.body),
    Case: lambda n: (n.value,),
    Label: lambda n: (),
    Goto: lambda n: (),
    Break: lambda n: (),
    Continue: lambda n: (),
    Return: lambda n: (n.value,),
    Pragma: lambda n: (n.body,),
    OpaqueStmt: lambda n: (),
}


def children(node: Node) -> tuple[Node, ...]:
    """The direct children in the order of the text; KeyError for a class that the tree does not have."""
    below = _CHILDREN[type(node)](node)
    return cast(tuple[Node, ...], below) if all(below) else tuple(filter(None, below))  # nodes are true


_COMPOUND = frozenset({Block, If, While, DoWhile, For, Switch, Pragma})
"""Statements whose nodes are kept: nearly every analysis walks over the same ones."""

_MOST_KEPT = 100_000
"""How many of these statements are kept at most; when there are more, all are forgotten."""

_kept: dict[Node, tuple[list[Node], int, int]] = {}
"""For each of these statements, the pre-order list of nodes of a statement around it, and where in the list its own
nodes begin and end. This stays right, since trees do not change.
"""


def walk(node: Node) -> Iterator[Node]:
    """`node` and everything below it, in pre-order. Deep trees are fine: there is no recursion."""
    if type(node) not in _COMPOUND:
        return _walked(node)
    nodes, start, end = _kept.get(node) or _keep(node)
    return iter(nodes[start:end])


def _walked(node: Node) -> Iterator[Node]:
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        yield current
        if below := _CHILDREN[type(current)](current):
            stack.extend(filter(None, reversed(below)))


def _keep(root: Node) -> tuple[list[Node], int, int]:
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    nodes: list[Node] = []
    stack: list[Node | tuple[Node, int]] = [root]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):  # all below a statement has been found
            _kept[current[0]] = nodes, current[1], len(nodes)
            continue
        if type(current) in _COMPOUND:
            stack.append((current, len(nodes)))
        nodes.append(current)
        if below := _CHILDREN[type(current)](current):
            stack.extend(filter(None, reversed(below)))
    return nodes, 0, len(nodes)


def evaluated(expr: Expr) -> Iterator[Expr]:
    """The parts of `expr` that are evaluated, and whose value is wanted, whenever it is."""
    yield expr
    match expr:
        case Binary(op="&&" | "||", left=left):
            yield from evaluated(left)
        case Conditional(condition=condition):
            yield from evaluated(condition)
        case Sizeof() | Unary(op="&"):
            pass
        case _:
            for child in children(expr):
                if isinstance(child, Expr):
                    yield from evaluated(child)


def type_expressions(t: ty.Type) -> Iterator[Expr]:
    """The lengths of variable arrays inside a type, outermost first."""
    match t:
        case ty.Array(of=of, length=length):
            if isinstance(length, Expr):
                yield length
            yield from type_expressions(of)
        case ty.Pointer(to=to):
            yield from type_expressions(to)
        case _:
            return
