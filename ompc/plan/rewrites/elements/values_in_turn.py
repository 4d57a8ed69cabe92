"""Plan: a number that an iteration sets anew, for what follows, becomes another variable there (`auto`).

    row = first;                                          row = first;
    for (j...) x[row + j] = ...;                          for (j...) x[row + j] = ...;
    row += 16 * (k + 1);                           ->     int row_2 = row + 16 * (k + 1);
    for (j...) y[row + j] = x[first + j];                 for (j...) y[row_2 + j] = x[first + j];

Then `row_2` is one expression wherever it is read, and it is known that both places are apart. The statements that set
the variable stand one after the other in the iteration's own block, so each of them decides all that is read until the
next one. Of what branches or loops set, too, nothing would be known: it stays.

    In: Facts.   Out: the Facts of the same loop with more variables; or the same Facts.
    Not here: variables that loops set for themselves -- renaming.py; what is set in branches.
    Source: static single assignment, of straight-line code (Cytron, Ferrante, Rosen, Wegman, Zadeck, TOPLAS 1991).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.conversions import common, promoted_value
from ompc.ir.exits import has_goto
from ompc.ir.queries import assigned_in, changed_by, changed_in, names_in, symbols_in, unread_in
from ompc.ir.rewrite import copied, with_symbols
from ompc.ir.walk import walk
from ompc.omp.model import Sharing
from ompc.plan.rewrites.free_names import FreeNames
from ompc.plan.rewrites.moved_loops import with_body

_OPERATORS = {"+=": "+", "-=": "-", "*=": "*"}


def with_values_in_turn(facts: Facts) -> Facts:
    """`facts` with a variable for each value where one stood for several, one after the other."""
    body = facts.device_code.body
    if not facts.inner_loops or not isinstance(body, t.Block) or has_goto(body) or unread_in(body) is not None:
        return facts
    items, free = list(body.items), FreeNames(facts)
    for symbol in sorted(assigned_in(body), key=lambda symbol: symbol.position):
        places = _places(facts, items, symbol)
        if places is not None and _is_used_in_loops(items, symbol):
            items = _with_own(items, symbol, places, free, facts)
    if items == list(body.items):
        return facts
    after = with_body(facts, body, t.Block(body.loc, tuple(items)))
    return facts if isinstance(after, Reason) else after


def _places(facts: Facts, items: list[t.Stmt], symbol: t.Symbol) -> list[int] | None:
    """The statements of the block that set the variable anew, if they and the first one are all that set it."""
    if not _is_own_number(facts, symbol) or symbol in exposed_reads(t.Block(items[0].loc, tuple(items))):
        return None
    found = [place for place, item in enumerate(items) if _value(item, symbol) is not None]
    decls = (decl for item in items if isinstance(item, t.DeclStmt) for decl in item.decls)
    declared = any(_is_begun(decl, symbol) for decl in decls)
    if len(found) + declared < 2 or not _are_all(items, symbol, len(found) + declared):
        return None
    return found if declared else found[1:]


def _are_all(items: list[t.Stmt], symbol: t.Symbol, places: int) -> bool:
    """Does nothing else set the variable than so many places?"""
    nodes = [node for item in items for node in walk(item)]
    return sum(changed_by(node) is symbol or _is_begun(node, symbol) for node in nodes) == places


def _is_own_number(facts: Facts, symbol: t.Symbol) -> bool:
    kind = symbol.type
    private = facts.loop.sharing.get(symbol, Sharing.PRIVATE) is Sharing.PRIVATE and symbol.is_automatic
    plain = isinstance(kind, ty.Int) and not kind.quals and not symbol.address_taken
    return private and plain and facts.is_thread_private(MemoryObject(symbol))


def _is_begun(node: object, symbol: t.Symbol) -> bool:
    return isinstance(node, t.VarDecl) and node.symbol is symbol and node.init is not None


def _is_used_in_loops(items: list[t.Stmt], symbol: t.Symbol) -> bool:
    return any(symbol in symbols_in(item) for item in items if isinstance(item, t.For))


def _value(item: t.Stmt, symbol: t.Symbol) -> t.Expr | None:
    """What the statement sets the variable to, if that is all it does."""
    match item:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=target), value=value)):
            found = value
        case t.ExprStmt(expr=t.Assign(op=op, target=t.Name(symbol=target) as name, value=value)) if op in _OPERATORS:
            if not isinstance(value.type, ty.Int):
                return None
            kind = common(promoted_value(name), promoted_value(value))
            found = t.Binary(kind, item.loc, _OPERATORS[op], _as(kind, copied(name)), _as(kind, value))
        case _:
            return None
    return found if target is symbol and symbol not in changed_in(value) else None


def _as(kind: ty.Type, value: t.Expr) -> t.Expr:
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)


def _with_own(
    items: list[t.Stmt], symbol: t.Symbol, places: list[int], free: FreeNames, facts: Facts
) -> list[t.Stmt]:
    found: list[t.Stmt] = []
    known: Mapping[t.Symbol, t.Symbol] = {}
    for place, item in enumerate(items):
        value = _value(item, symbol) if place in places else None
        if value is None:
            found.append(with_symbols(item, known) if known and symbol in names_in(item) else item)
            continue
        own = replace(symbol, name=free.take(symbol.name), storage=t.Storage.AUTO, function=facts.loop.function)
        value = with_symbols(value, known) if known else value
        found.append(t.DeclStmt(item.loc, (t.VarDecl(own, value, item.loc),)))
        known = {symbol: own}
    return found
