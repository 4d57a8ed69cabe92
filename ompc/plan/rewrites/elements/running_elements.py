"""Plan: a running sum along an array of integers is a variable, so that threads can share its loop (`auto`).

    for (k = first + 1; k < last; k++)        int count_last; if (first + 1 < last) count_last = count[first + 1 - 1];
        count[k] += count[k - 1];      ->     for (k = first + 1; k < last; k++) {
                                                  count_last += count[k];
                                                  count[k] = count_last;
                                              }

Also `count[k] = count[k - 1] + e`, and `count[k + 1] += count[k]`. The loop does nothing else, so that the element
before is what the last iteration has stored; integers of 4 and 8 bytes wrap in a variable as they do in memory.

    In: Facts.   Out: the Facts of the same loop with such variables; or the same Facts.
    Not here: who has which entries of the loop -- plan/groups/running_sums.py; elements that loops carry along, of any
    type, where one thread has all of them -- carried_elements.py.
    Source: Blelloch, "Prefix sums and their applications" (1990).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.analysis.facts import Facts, gather_again
from ompc.analysis.integers.equality import same
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import only_reads, symbols_in
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.group_loops import in_groups_of_threads
from ompc.plan.groups.lane_choices import LaneChoices
from ompc.plan.mapping.mapping import choose_mapping
from ompc.plan.model.element_names import name_of
from ompc.plan.rewrites.free_names import FreeNames

_POSITION = -7_000
"""The position of the first new variable, which puts such variables before all others."""


def with_running_elements(facts: Facts, choices: LaneChoices) -> tuple[Facts, str | None]:
    """`facts` with running sums in variables, where groups of threads share more loops by that."""
    found = {loop.statement: made for loop in facts.inner_loops.values() if (made := _running(loop)) is not None}
    if not found:
        return facts, None
    free, lines = FreeNames(facts), list[str]()

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.For) or node not in found:
            return None
        name = free.take(f"{name_of(found[node].target.base)}_last")
        where = facts.loop.function
        symbol = t.Symbol(name, found[node].kind, t.Storage.AUTO, node.loc, _POSITION + len(lines), where)
        lines.append(f"{name} is the running sum of the loop over {found[node].loop.var.name}")
        return t.Block(node.loc, tuple(found[node].statements(symbol)))

    body = rewritten(facts.device_code.body, change)
    loop = facts.loop
    after = gather_again(facts, replace(loop, body=body, loops=(*loop.loops[:-1], replace(loop.loops[-1], body=body))))
    if isinstance(after, Reason):
        return facts, None
    before, now = (choose_mapping(known, joins=True) for known in (facts, after))
    shared = set(in_groups_of_threads(after, now, choices))
    more = shared - set(in_groups_of_threads(facts, before, choices))
    return (after, "; ".join(lines)) if more and len(now.loops) == len(before.loops) else (facts, None)


@dataclass(frozen=True, slots=True)
class _Running:
    """`target`, the element of an iteration, becomes the one before, `back`, and `added`."""

    loop: CanonicalLoop
    target: t.Index
    back: t.Index
    added: t.Expr

    @property
    def kind(self) -> ty.Type:
        return ty.unqualified(self.target.type)

    def statements(self, symbol: t.Symbol) -> Iterator[t.Stmt]:
        node, where, name = self.loop.statement, self.target.loc, t.Name(self.kind, self.target.loc, symbol)
        yield t.DeclStmt(where, (t.VarDecl(symbol, None, where),))
        first = self._first()
        condition = t.Binary(ty.INT, where, self.loop.relation, copied(first), copied(self.loop.upper))
        before = replace(self.back, base=copied(self.back.base), index=rewritten(copied(self.back.index), self._begin))
        yield t.If(where, condition, _assigned("=", name, before), None)
        items = (_assigned("+=", copied(name), self.added), _assigned("=", self.target, copied(name)))
        yield replace(node, body=t.Block(where, items))

    def _first(self) -> t.Expr:
        kind, lower = ty.unqualified(self.loop.type), self.loop.lower
        return lower if ty.unqualified(lower.type) == kind else t.Cast(kind, lower.loc, lower)

    def _begin(self, node: Node) -> Node | None:
        is_counter = isinstance(node, t.Name) and node.symbol is self.loop.var
        return copied(self._first()) if is_counter else None


def _assigned(op: str, target: t.Expr, value: t.Expr) -> t.Stmt:
    return t.ExprStmt(target.loc, t.Assign(ty.unqualified(target.type), target.loc, op, target, value))


def _running(loop: CanonicalLoop) -> _Running | None:
    node = loop.statement
    items = node.body.items if isinstance(node.body, t.Block) else (node.body,)
    if loop.down or loop.constant_step != 1 or loop.pointer is not None or loop.relation not in ("<", "<=", "!="):
        return None
    if len(items) != 1 or not isinstance(items[0], t.ExprStmt) or not all(map(only_reads, (loop.lower, loop.upper))):
        return None
    match items[0].expr:
        case t.Assign(op="+=", target=t.Index() as target, value=t.Index() as back):
            found = _Running(loop, target, back, copied(target))
        case t.Assign(op="=", target=t.Index() as target, value=t.Binary(op="+", left=t.Index() as back, right=added)):
            found = _Running(loop, target, back, added)
            if not _is_before(found):
                found = replace(found, back=added, added=back) if isinstance(added, t.Index) else found
        case t.Assign(op="=", target=t.Index() as target, value=t.Binary(op="+", left=added, right=t.Index() as back)):
            found = _Running(loop, target, back, added)
        case _:
            return None
    return found if _is_before(found) and _is_plain(found) else None


def _is_before(found: _Running) -> bool:
    """Is it the element that the iteration before has changed?"""
    if not same(found.target.base, found.back.base) or found.target.type != found.back.type:
        return False
    places = _offset(found.target.index, found.loop.var), _offset(found.back.index, found.loop.var)
    return places[0] is not None and places[1] is not None and places[0] - places[1] == 1


def _offset(index: t.Expr, counter: t.Symbol) -> int | None:
    """What the subscript adds to the counter."""
    match index:
        case t.Name(symbol=symbol) if symbol is counter:
            return 0
        case t.Binary(op="+" | "-" as op, left=t.Name(symbol=symbol), right=right) if symbol is counter:
            value = constant_value(right)
            return None if value is None else value if op == "+" else -value
        case _:
            return None


def _is_plain(found: _Running) -> bool:
    """An integer of an array whose place nothing in the loop changes, to which an integer is added."""
    kind = found.target.type
    whole = isinstance(kind, ty.Int) and kind.size in (4, 8) and not kind.quals and ty.is_integer(found.added.type)
    base: t.Expr = found.target.base
    while isinstance(base, t.Index) and isinstance(base.base.type, ty.Array):
        named = [part for part in walk(base.index) if isinstance(part, t.Expr)]
        if not all(isinstance(part, (t.Name, t.IntConst, t.Binary)) for part in named):
            return False
        base = base.base
    fixed = isinstance(base, t.Name) and found.loop.var not in symbols_in(found.target.base)
    before = [part for part in walk(found.added) if isinstance(part, t.Index) and same(part, found.back)]
    return whole and fixed and not before and only_reads(found.added)
