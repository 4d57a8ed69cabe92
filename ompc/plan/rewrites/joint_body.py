"""Rewrite: the body of a loop that others have become: one variable, smaller arrays, and conditions.

    for (j = 0; j < n; j++) { w[j] = 1; }              double w;
    for (q = 1; q < n; q++) {                          w = 1;
        if (!on[q]) continue;                  ->      if (1 <= j)
        b[q] = w[q];                                       if (!!on[j]) b[j] = w;
    }

    In: statements; what becomes of variables, arrays and blocks.   Out: statements.
    Not here: whether that is right -- interchange.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from ompc.analysis.integers.equality import only_statement
from ompc.analysis.interchange.array_contraction import array_element
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import set_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node, walk
from ompc.plan.rewrites.smaller_arrays import Contraction


@dataclass(frozen=True, eq=False)
class JointBody:
    """Rewrites the code of several loops for the one loop that has the iterations of all.

    `counters`    the variables of the loops, which are `var` now
    `declared`    those that are not declared any more
    `contracted`  arrays that are smaller
    `guards`      the condition under which a block is run; None: always
    """

    var: t.Symbol
    counters: Set[t.Symbol]
    declared: Set[t.Symbol]
    contracted: Mapping[t.Symbol, Contraction]
    guards: Mapping[t.Block, t.Expr | None]

    def block(self, block: t.Block) -> t.Block:
        kept = (item for item in block.items if not self._is_gone(item))
        return replace(block, items=tuple(new for item in kept for new in self._items(item)))

    def _items(self, item: t.Stmt) -> tuple[t.Stmt, ...]:
        if not isinstance(item, t.Block) or item not in self.guards:
            return (rewritten(item, self._of),)
        inside, condition = self.block(item), self.guards[item]
        if condition is not None:
            return (t.If(item.loc, condition, inside, None),)
        return (inside,) if any(isinstance(part, t.DeclStmt) for part in inside.items) else inside.items

    def _is_gone(self, item: t.Stmt) -> bool:
        return isinstance(item, t.DeclStmt) and bool(item.decls) and all(d.symbol in self.declared for d in item.decls)

    def _of(self, node: Node) -> Node | None:
        match node:
            case t.Block():
                return self.block(node)
            case t.DeclStmt(decls=decls) if any(decl.symbol in self.declared for decl in decls):
                kept = tuple(decl for decl in decls if decl.symbol not in self.declared)
                return rewritten(replace(node, decls=kept), self._of)
            case t.VarDecl(symbol=symbol) if symbol in self.contracted:
                return self.contracted[symbol].declaration
            case t.Name(symbol=symbol) if symbol in self.counters and symbol is not self.var:
                name, kind = t.Name(self.var.type, node.loc, self.var), ty.unqualified(symbol.type)
                return name if kind == ty.unqualified(self.var.type) else t.Cast(kind, node.loc, name)
            case t.Index() if (array := array_element(node)) is not None and array in self.contracted:
                return rewritten(self.contracted[array].element(node), self._of)
            case _:
                return None


def hides_names(var: t.Symbol, body: t.Stmt) -> bool:
    """Is the loop's variable not the only one of its name inside, or does something there assign it?"""
    names = (node.symbol for node in walk(body) if isinstance(node, (t.Name, t.VarDecl)))
    return any(symbol.name == var.name and symbol is not var for symbol in names) or var in set_in(body)


def without_continues(items: Sequence[t.Stmt]) -> tuple[t.Stmt, ...]:
    """The statements of an iteration, where those behind `if (c) continue;` stand under its opposite."""
    for number, item in enumerate(items):
        if isinstance(item, t.If) and item.other is None and _is_continue(item.then):
            rest = t.Block(item.loc, without_continues(items[number + 1 :]))
            negated = t.Unary(ty.INT, item.condition.loc, "!", item.condition)
            return (*items[:number], replace(item, condition=negated, then=rest))
    return tuple(items)


def _is_continue(code: t.Stmt) -> bool:
    return isinstance(only_statement(code), t.Continue)
