"""Plan: an element that an inner loop goes on changing stays in a variable meanwhile (`auto`).

    y[i] = 0;                                      double y_i = 0;
    for (k = first[i]; k < first[i + 1]; k++)      for (k = first[i]; k < first[i + 1]; k++)
        y[i] += value[k] * x[column[k]];               y_i += value[k] * x[column[k]];
                                                   y[i] = y_i;

Then it is one store instead of a load and a store in each iteration, and a sum of which lanes may have parts. Where the
element is there only if the loop has an iteration:

    if (first[i] < first[i + 1]) y_i = y[i];       for (...) ...       if (first[i] < first[i + 1]) y[i] = y_i;

Nests whose points are computed in tiles keep such elements in registers already (plan/forms/tiles.py).

    In: Facts.   Out: the Facts of the same loop with such variables; or the same Facts.
    Not here: which elements may stay in a variable -- analysis/locality/scalar_replacement.py.
    Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.equality import same
from ompc.analysis.locality.register_tile import register_tile_body
from ompc.analysis.locality.scalar_replacement import ReplaceableElement, replaceable_elements
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.rewrite import copied, rebuilt, rewritten, with_items
from ompc.ir.walk import Node
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.free_names import FreeNames
from ompc.sema.as_written import as_written

_POSITION = -1_000
"""The position of the first new variable. It puts such variables before those of the file, in an order of their own."""


def with_scalars(facts: Facts) -> tuple[Facts, str | None]:
    """`facts` with the elements of arrays that inner loops keep accessing in variables, and a line that says so."""
    found = replaceable_elements(facts)
    if not found or _tiles_keep(facts):
        return facts, None
    writer = _Writer(facts)
    change = writer.plan(found)
    body = writer.of_statement(facts.device_code.body, change)
    loop = facts.loop
    loop = replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body)))
    after = gather_again(facts, loop)
    return (facts, None) if isinstance(after, Reason) else (after, _text(change, facts))


def _text(change: _Change, facts: Facts) -> str:
    lines = []
    for loop, around in change.around.items():
        inner = facts.inner_loops.get(loop) if isinstance(loop, t.For) else None
        where = f"over {inner.var.name}" if inner is not None else f"in line {loop.loc.line}"
        elements = ", ".join(as_written(one.element) for one, _ in around)
        variables = ", ".join(symbol.name for _, symbol in around)
        lines.append(f"{elements} {'stays' if len(around) == 1 else 'stay'} in {variables} during the loop {where}")
    return "; ".join(lines)


def _tiles_keep(facts: Facts) -> bool:
    """May the nest be computed in tiles, whose points each keep the one element that they write of an array?"""
    mapping = choose_mapping(facts, joins=True)
    body = None if len(mapping.loops) == 1 else register_tile_body(facts, mapping.body, mapping.counters)
    if body is None or body.ahead or body.behind:  # what is done beside the tile finds its elements in memory
        return False
    written = [facts.of(obj) for obj in facts.shared_objects if obj in facts.written]
    return all(same(access.node, found[0].node) for found in written for access in found)


@dataclass(slots=True)
class _Change:
    """What is done to the nodes of the body: one becomes a name, statements become others."""

    names: dict[t.Expr, t.Expr] = field(default_factory=dict)
    first: dict[t.Stmt, t.Symbol] = field(default_factory=dict)
    around: dict[t.Stmt, list[tuple[ReplaceableElement, t.Symbol]]] = field(default_factory=dict)


@dataclass(slots=True)
class _Writer:
    facts: Facts
    free: FreeNames = field(init=False)

    def __post_init__(self) -> None:
        self.free = FreeNames(self.facts)

    def plan(self, found: Iterable[ReplaceableElement]) -> _Change:
        change = _Change()
        for number, one in enumerate(found):
            around = change.around.setdefault(one.loop, [])
            if len(around) == DEVICE.kept_elements:
                continue
            name = self.free.take(name_of(one.element))
            kind, where = ty.unqualified(one.element.type), one.element.loc
            function = self.facts.loop.function
            symbol = t.Symbol(name, kind, t.Storage.AUTO, where, _POSITION + number, function)
            around.append((one, symbol))
            change.names |= {node: t.Name(kind, node.loc, symbol) for node in one.nodes}
            if one.first is not None:
                change.first[one.first] = symbol
        return change

    def of_statement(self, node: t.Stmt, change: _Change) -> t.Stmt:
        """`node` with everything replaced; itself where nothing is."""

        def new(part: Node) -> Node | None:
            if isinstance(part, t.Expr):
                return change.names.get(part)
            if isinstance(part, t.Block) and not any(isinstance(item, t.Case) for item in part.items):
                return with_items(part, [made for item in part.items for made in in_block(item)])
            if isinstance(part, t.Stmt) and part in change.around:
                return t.Block(part.loc, tuple(in_block(part)))  # declarations of its own, which no `case` jumps over
            return None

        def in_block(part: t.Stmt) -> Sequence[t.Stmt]:
            """What stands in a block in the place of `part`."""
            if part in change.first:
                assert isinstance(part, t.ExprStmt) and isinstance(part.expr, t.Assign)
                return [_declared(change.first[part], part.expr.value, part)]
            around = change.around.get(part)
            return [rewritten(part, new)] if around is None else [*_read(around), rebuilt(part, new), *_written(around)]

        return rewritten(node, new)


def _declared(symbol: t.Symbol, init: t.Expr, at: t.Stmt) -> t.DeclStmt:
    return t.DeclStmt(at.loc, (t.VarDecl(symbol, init, at.loc),))


def _read(around: Sequence[tuple[ReplaceableElement, t.Symbol]]) -> list[t.Stmt]:
    """The variables' declarations, those that have one already aside, and their values."""
    declared: list[t.Stmt] = []
    loads: list[t.Stmt] = []
    for one, symbol in around:
        element = copied(one.element)
        if one.guard is not None:
            declared.append(_declared(symbol, t.IntConst(ty.INT, one.loop.loc, 0, "0"), one.loop))
            loads.append(_assigned(_name(symbol, one), element))
        elif one.first is None:
            declared.append(_declared(symbol, element, one.loop))
    return [*declared, *_if_any(around, loads)]


def _written(around: Sequence[tuple[ReplaceableElement, t.Symbol]]) -> list[t.Stmt]:
    stores = [(one, _assigned(copied(one.element), _name(symbol, one))) for one, symbol in around]
    certain: list[t.Stmt] = [store for one, store in stores if one.guard is None]
    return [*certain, *_if_any(around, [store for one, store in stores if one.guard is not None])]


def _name(symbol: t.Symbol, one: ReplaceableElement) -> t.Name:
    return t.Name(symbol.type, one.element.loc, symbol)


def _assigned(target: t.Expr, value: t.Expr) -> t.ExprStmt:
    return t.ExprStmt(target.loc, t.Assign(ty.unqualified(target.type), target.loc, "=", target, value))


def _if_any(around: Sequence[tuple[ReplaceableElement, t.Symbol]], statements: Sequence[t.Stmt]) -> list[t.Stmt]:
    """`statements` where the loop has an iteration; its bounds are evaluated as the loop does."""
    loop = next((one.guard for one, _ in around if one.guard is not None), None)
    if loop is None or not statements:
        return []
    lower, where = copied(loop.lower), loop.statement.loc
    first = lower if lower.type == loop.type else t.Cast(ty.unqualified(loop.type), lower.loc, lower)
    condition = t.Binary(ty.INT, where, loop.relation, first, copied(loop.upper))
    body = statements[0] if len(statements) == 1 else t.Block(where, tuple(statements))
    return [t.If(where, condition, body, None)]
