"""Trees made from trees: a part becomes another one, what contains it is made anew, and the rest stays as it is.

    In: a node, and what becomes of parts.   Out: the node with them replaced; itself where nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TypeVar, cast

from ompc.ir import tree as t
from ompc.ir.walk import Node

N = TypeVar("N")

_NODES = re.compile(r"\b(?:Expr|Stmt|VarDecl|InitList)\b")


_PARTS: dict[type, tuple[str, ...]] = {}


def parts_of(node: object) -> tuple[str, ...]:
    """The names of the fields of a node in which there are nodes, alone or in tuples: the same for all of its class."""
    kind = type(node)
    if kind not in _PARTS:
        declared = fields(cast(t.Empty, node))
        _PARTS[kind] = tuple(field.name for field in declared if _NODES.search(str(field.type)))
    return _PARTS[kind]


def rewritten(node: N, change: Callable[[Node], Node | None]) -> N:
    """`node` where `change` says what becomes of parts, outer ones first; None: look inside."""
    if isinstance(node, tuple):
        items = tuple(rewritten(item, change) for item in node)
        return cast(N, items) if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not isinstance(node, (t.Expr, t.Stmt, t.VarDecl)):
        return node
    new = change(node)
    if new is not None:
        return cast(N, new)
    made = {name: rewritten(getattr(node, name), change) for name in parts_of(node)}
    return node if all(value is getattr(node, name) for name, value in made.items()) else cast(N, replace(node, **made))


def copied(node: N) -> N:
    """An expression's own copy: analyses know expressions by their nodes."""
    if isinstance(node, tuple):
        return cast(N, tuple(map(copied, node)))
    if not isinstance(node, t.Expr):
        return node
    return cast(N, replace(node, **{name: copied(getattr(node, name)) for name in parts_of(node)}))
