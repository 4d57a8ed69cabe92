"""Walks over the typed tree: one place that knows every node's children.

Strict: a class that is not listed raises, so that a new node class cannot be skipped silently. Types are not walked
(the length of a VLA is an expression inside a type: see `type_expressions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
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

_CHILDREN: dict[type[Node], _Children | None] = {
    IntConst: None,
    FloatConst: None,
    StringConst: None,
    Name: None,
    Unary: lambda n: (n.operand,),
    IncDec: lambda n: (n.operand,),
    Binary: attrgetter("left", "right"),
    Assign: attrgetter("target", "value"),
    Conditional: attrgetter("condition", "then", "other"),
    Comma: attrgetter("left", "right"),
    Index: attrgetter("base", "index"),
    Member: lambda n: (n.base,),
    Call: lambda n: (n.function, *n.args),
    Leave: attrgetter("args"),
    Print: attrgetter("args"),
    Cast: lambda n: (n.operand,),
    Sizeof: None,
    InitList: lambda n: tuple(value for _, value in n.items),
    CompoundLiteral: lambda n: (n.init,),
    OpaqueExpr: None,
    ExprStmt: lambda n: (n.expr,),
    Empty: None,
    VarDecl: lambda n: (n.init,),
    DeclStmt: attrgetter("decls"),
    Block: attrgetter("items"),
    If: attrgetter("condition", "then", "other"),
    While: attrgetter("condition", "body"),
    DoWhile: attrgetter("body", "condition"),
    For: attrgetter("init", "condition", "step", "body"),
    Switch: attrgetter("value", "body"),
    Case: lambda n: (n.value,),
    Label: None,
    Goto: None,
    Break: None,
    Continue: None,
    Return: lambda n: (n.value,),
    Pragma: lambda n: (n.body,),
    OpaqueStmt: None,
}
"""What gets the children of a node, of which some may be None; None: nodes of this class have no children."""


def children(node: Node) -> tuple[Node, ...]:
    """The direct children in the order of the text; KeyError for a class that the tree does not have."""
    get = _CHILDREN[type(node)]
    if get is None:
        return ()
    below = get(node)
    return cast(tuple[Node, ...], below) if all(below) else tuple(filter(None, below))  # nodes are true


_COMPOUND = frozenset({Block, If, While, DoWhile, For, Switch, Pragma})
"""Statements whose nodes are kept: nearly every analysis walks over the same ones."""

_MOST_KEPT = 100_000
"""How many of these statements are kept at most; when there are more, all are forgotten."""

_kept: dict[Node, tuple[list[Node], int, int, list[int]]] = {}
"""For each of these statements, the pre-order list of nodes of a statement around it, where in the list its own nodes
begin and end, and the places in the list of all nodes that spell a type with lengths. This stays right, since trees do
not change.
"""


def walk(node: Node) -> Iterator[Node]:
    """`node` and everything below it, in pre-order. Deep trees are fine: there is no recursion."""
    kind = type(node)
    if kind not in _COMPOUND:
        return iter((node,) if _CHILDREN[kind] is None else _below(node))
    nodes, start, end, _ = _kept.get(node) or _keep(node)
    return iter(nodes[start:end])


def walk_with_lengths(node: Node) -> Iterator[Node]:
    """As `walk`, where the lengths of variable arrays stand behind the node that spells their type."""
    if type(node) not in _COMPOUND:
        nodes = _below(node)
        return _with_lengths(nodes) if any(map(_spells_lengths, nodes)) else iter(nodes)
    nodes, start, end, spelling = _kept.get(node) or _keep(node)
    if spelling and any(start <= place < end for place in spelling):
        return _with_lengths(nodes[start:end])
    return iter(nodes[start:end])


def _with_lengths(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        if _spells_lengths(node):
            for length in type_expressions(type_written_at(node)):
                yield from walk_with_lengths(length)


def _below(root: Node) -> list[Node]:
    nodes: list[Node] = []
    stack = [root]
    while stack:
        current = stack.pop()
        nodes.append(current)
        get = _CHILDREN[type(current)]
        if get is not None and (below := get(current)):
            stack.extend(filter(None, reversed(below)))
    return nodes


def _keep(root: Node) -> tuple[list[Node], int, int, list[int]]:
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    nodes: list[Node] = []
    spelling: list[int] = []
    stack: list[Node | tuple[Node, int]] = [root]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):  # all below a statement has been found
            _kept[current[0]] = nodes, current[1], len(nodes), spelling
            continue
        kind = type(current)
        if kind in _COMPOUND:
            stack.append((current, len(nodes)))
        elif kind in _SPELL_TYPES and _spells_lengths(current):
            spelling.append(len(nodes))
        nodes.append(current)
        get = _CHILDREN[kind]
        if get is not None and (below := get(current)):
            stack.extend(filter(None, reversed(below)))
    return nodes, 0, len(nodes), spelling


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


_SPELL_TYPES = frozenset({Cast, CompoundLiteral, Sizeof, VarDecl})
"""The nodes with a type that the text spells."""


def type_written_at(node: Node) -> ty.Type:
    """The type that the text spells here; `void` when it spells none."""
    match node:
        case Cast(type=kind) | CompoundLiteral(type=kind) | Sizeof(of=kind):
            return kind
        case VarDecl(symbol=symbol):
            return symbol.type
        case _:
            return ty.VOID


def _spells_lengths(node: Node) -> bool:
    """Does the text spell a type here in which a variable array has its length?"""
    return type(node) in _SPELL_TYPES and next(type_expressions(type_written_at(node)), None) is not None
