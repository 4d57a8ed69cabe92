"""Trees made from trees: a part becomes another one, what contains it is made anew, and the rest stays as it is.

In: a node, and what becomes of parts.   Out: the node with them replaced; itself where nothing is.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from operator import is_not
from typing import Any, TypeVar, cast

from ompc.ir import tree as t
from ompc.ir.directive import Clause, Directive, ListItem, Operand, Section
from ompc.ir.walk import Node, walk

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
        items = tuple([rewritten(item, change) for item in node])
        return cast(N, items) if any(map(is_not, items, node)) else node
    if type(node) not in _PARTS and not isinstance(node, (t.Expr, t.Stmt, t.VarDecl)):
        return node
    new = change(cast(Node, node))
    return rebuilt(node, change) if new is None else cast(N, new)


def rebuilt(node: N, change: Callable[[Node], Node | None]) -> N:
    """`node`, whatever becomes of itself, with its parts rewritten."""
    changed: dict[str, Any] = {}
    for name in parts_of(node):
        part = getattr(node, name)
        new = rewritten(part, change)
        if new is not part:
            changed[name] = new
    return cast(N, replace(cast(t.Empty, node), **changed)) if changed else node


def copied_around(node: N, change: Callable[[Node], Node | None]) -> N:
    """A node of its own for `node`, with its parts rewritten: analyses know code by its nodes."""
    made: dict[str, Any] = {name: rewritten(getattr(node, name), change) for name in parts_of(node)}
    return cast(N, replace(cast(t.Empty, node), **made))


def with_parts(node: N, **parts: Any) -> N:
    """`node` with other parts; itself where all are the same."""
    same = all(value is getattr(node, name) for name, value in parts.items())
    return node if same else cast(N, replace(cast(t.Empty, node), **parts))


def with_bodies(unit: t.Unit, has_any: Callable[[Node], bool], change: Callable[[t.Block], t.Block]) -> t.Unit:
    """`unit` with what `change` makes of the functions in which some node is one."""
    functions = dict(unit.functions)
    for name, function in unit.functions.items():
        if function.body is not None and any(map(has_any, walk(function.body))):
            body = change(function.body)
            functions[name] = function if body is function.body else replace(function, body=body)
    return replace(unit, functions=functions)


def with_items(node: t.Block, items: Sequence[t.Stmt]) -> t.Block:
    """`node` with other statements; itself where all are the same."""
    same = len(items) == len(node.items) and all(a is b for a, b in zip(items, node.items, strict=True))
    return node if same else replace(node, items=tuple(items))


def copied(node: N) -> N:
    """An expression's own copy: analyses know expressions by their nodes."""
    if isinstance(node, tuple):
        return cast(N, tuple(map(copied, node)))
    if not isinstance(node, t.Expr):
        return node
    return copied_around(node, lambda part: copied(part) if isinstance(part, t.Expr) else None)


def with_symbols(node: N, renamed: Mapping[t.Symbol, t.Symbol]) -> N:
    """`node` with the symbols in `renamed` exchanged, also where it declares them, and in the scopes and clauses of
    pragmas."""

    def change(node: Node) -> Node | None:
        match node:
            case t.Name(symbol=symbol):
                return replace(node, symbol=renamed[symbol]) if symbol in renamed else None
            case t.VarDecl(symbol=symbol, init=init) if symbol in renamed:
                return replace(node, symbol=renamed[symbol], init=with_symbols(init, renamed))
            case t.Pragma():
                body, scope = with_symbols(node.body, renamed), _scope(node.scope, renamed)
                directive = directive_with_symbols(node.directive, renamed)
                same = body is node.body and scope is node.scope and directive is node.directive
                return node if same else replace(node, body=body, scope=scope, directive=directive)
            case _:
                return None

    return rewritten(node, change)


def _scope(scope: Mapping[str, t.Symbol], renamed: Mapping[t.Symbol, t.Symbol]) -> Mapping[str, t.Symbol]:
    hidden = {old.name: new for old, new in renamed.items() if scope.get(old.name) is old}
    return ChainMap(hidden, cast("dict[str, t.Symbol]", scope)) if hidden else scope


def directive_with_symbols(directive: Directive, renamed: Mapping[t.Symbol, t.Symbol]) -> Directive:
    """`directive` with the symbols in `renamed` exchanged."""
    if renamed.keys().isdisjoint(directive.named):
        return directive
    clauses = tuple(_clause(clause, renamed) for clause in directive.clauses)
    named, used = (frozenset(renamed.get(s, s) for s in found) for found in (directive.named, directive.used))
    return replace(directive, clauses=clauses, named=named, used=used)


def _clause(clause: Clause, renamed: Mapping[t.Symbol, t.Symbol]) -> Clause:
    exprs = {name: with_symbols(getattr(clause, name), renamed) for name in ("expr", "lower")}
    return replace(clause, listed=tuple(_item(item, renamed) for item in clause.listed), **exprs)


def _item(item: ListItem, renamed: Mapping[t.Symbol, t.Symbol]) -> ListItem:
    def operand(part: Operand | None) -> Operand | None:
        return None if part is None else replace(part, expr=with_symbols(part.expr, renamed))

    def section(of: Section) -> Section:
        return replace(of, base=operand(of.base) or of.base, first=operand(of.first), count=operand(of.count))

    return replace(
        item,
        symbol=renamed.get(item.symbol, item.symbol),
        brackets=tuple(replace(b, lower=operand(b.lower), length=operand(b.length)) for b in item.brackets),
        section=None if item.section is None else section(item.section),
    )
