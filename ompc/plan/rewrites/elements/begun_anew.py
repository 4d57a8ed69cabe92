"""Rewrite: an array that each iteration of a loop leaves as it has found it is each iteration's own (`auto`).

    float sum[16] = {0};                             for (i = 0; i < 16; i++) {
    for (i = 0; i < 16; i++) {                           float sum[16];
        for (k...)                                       for (j = 0; j < 16; j++)
            for (j = 0; j < 16; j++)                         sum[j] = 0;
                sum[j] += a[i][k] * b[k][j];             for (k...)
        for (j = 0; j < 16; j++) {           ->              for (j = 0; j < 16; j++)
            c[i][j] -= sum[j];                                   sum[j] += a[i][k] * b[k][j];
            sum[j] = 0;                                  for (j = 0; j < 16; j++)
        }                                                    c[i][j] -= sum[j];
    }                                                }

All elements have one value where the loop begins, and the last thing that an iteration does to the array is to give
each of them that value again. So every iteration may begin with that instead: the elements have it already, and what
the last one leaves is read by nobody. Then no iteration waits for another one because of the array.

    where it begins   an initialiser with nothing but zeros, of an array that is declared in front of the loop, and that
                      nothing else names
    where it ends     a loop over all elements that sets each of them, in every iteration, behind all else that is done
                      with it there; nothing leaves an iteration of the outer loop before

    In: Facts, a loop.   Out: the Facts with such arrays in the loop; None: there are none.
    Not here: what an iteration begins with by itself -- analysis/privatisation; other values than zero.
    Source: array privatisation (Tu and Padua, "Automatic array privatization", LCPC 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.interchange.array_contraction import elements_in, subscripts_of
from ompc.analysis.locality.trips import constant_trips
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import declared_in, names_in, set_in, symbols_in
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.rewrites.moved_loops import with_body

_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.While, t.DoWhile, t.Switch)


def with_arrays_begun_anew(facts: Facts, loop: CanonicalLoop) -> Facts | None:
    """`facts` with the arrays that every iteration of `loop` begins with zeros in its body."""
    body = facts.device_code.body
    block = next((n for n in walk(body) if isinstance(n, t.Block) and loop.statement in n.items), None)
    if block is None or jumps_in(loop.body) or labels_in(body) or not isinstance(loop.body, t.Block):
        return None
    if any(isinstance(node, _UNFIT) for node in walk(loop.body)):
        return None
    found = [one for item in block.items if (one := _anew(facts, loop, item)) is not None]
    if not found:
        return None
    after = with_body(facts, body, _rewritten(body, loop, found))
    return None if isinstance(after, Reason) else after


@dataclass(frozen=True, slots=True, eq=False)
class _Anew:
    """`declared` in front of the loop; `end`, of the loop, sets each element to zero by the statement `reset`."""

    declared: t.DeclStmt
    end: CanonicalLoop
    reset: t.ExprStmt

    @property
    def symbol(self) -> t.Symbol:
        return self.declared.decls[0].symbol


def _anew(facts: Facts, loop: CanonicalLoop, item: t.Stmt) -> _Anew | None:
    """The array that the statement declares, if each iteration of the loop leaves it as it was."""
    match item:
        case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=t.InitList() as init),)):
            pass
        case _:
            return None
    kind = symbol.type
    if not isinstance(kind, ty.Array) or not isinstance(kind.length, int) or not _is_plain(kind.of):
        return None
    if symbol.storage is not t.Storage.AUTO or symbol.address_taken or not all(_is_zero(v) for _, v in init.items):
        return None
    if not _is_of_loop(facts, loop, symbol):
        return None
    assert isinstance(loop.body, t.Block)
    last = next((part for part in reversed(loop.body.items) if symbol in symbols_in(part)), None)
    end = facts.inner_loops.get(last) if isinstance(last, t.For) else None
    reset = None if end is None else _reset(end, symbol)
    if end is None or reset is None or not _is_whole(end, kind.length) or not _may_begin(facts, loop, end):
        return None
    return _Anew(item, end, reset)


def _is_of_loop(facts: Facts, loop: CanonicalLoop, symbol: t.Symbol) -> bool:
    """Is all that is done with the array to read and write elements, in the loop?"""
    names, elements = names_in(facts.device_code.body).get(symbol, ()), elements_in(loop.body).get(symbol, [])
    return len(names) == len(names_in(loop.body).get(symbol, ())) == len(elements)


def _is_plain(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Int | ty.Float) and not kind.quals


def _is_zero(value: t.Expr) -> bool:
    match value:
        case t.FloatConst(text=text):
            return not set(text.lower().rstrip("fl").partition("e")[0]) - set("0.")
        case t.Cast(operand=operand):
            return _is_zero(operand)
        case _:
            return constant_value(value) == 0


def _reset(end: CanonicalLoop, symbol: t.Symbol) -> t.ExprStmt | None:
    """The statement that sets the iteration's element to zero, behind all that is done with it; nothing else is done
    with others.
    """
    items = end.body.items if isinstance(end.body, t.Block) else (end.body,)
    last = next((item for item in reversed(items) if symbol in symbols_in(item)), None)
    if not all(_is_own_element(node, end) for node in elements_in(end.body)[symbol]):
        return None
    match last:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Index() as target, value=value)) if _is_zero(value):
            place = subscripts_of(target)
            return last if place is not None and place[0].symbol is symbol else None
        case _:
            return None


def _is_own_element(node: t.Index, loop: CanonicalLoop) -> bool:
    """Is it the element with the number of the loop's iteration?"""
    found = subscripts_of(node)
    return found is not None and isinstance(found[1][0], t.Name) and found[1][0].symbol is loop.var


def _is_whole(end: CanonicalLoop, length: int) -> bool:
    """Does the loop come to all elements?"""
    first = constant_value(end.upper if end.down else end.lower)
    plain = end.constant_step == 1 and end.pointer is None and end.var not in set_in(end.body)
    return plain and not end.down and first == 0 and constant_trips(end) == length


def _may_begin(facts: Facts, loop: CanonicalLoop, end: CanonicalLoop) -> bool:
    """May there be another loop over the same counter where an iteration of the outer loop begins?"""
    if end.declared_here:
        return True
    changed = end.var in exposed_reads(loop.body) or end.var is loop.var
    return not changed and not read_after(facts.device_code.body, loop.statement, end.var)


def _rewritten(body: t.Stmt, loop: CanonicalLoop, found: Sequence[_Anew]) -> t.Stmt:
    gone: set[Node] = {one.declared for one in found}
    resets: set[Node] = {one.reset for one in found}
    assert isinstance(loop.body, t.Block)
    first: list[t.Stmt] = []
    for one in found:
        first.append(t.DeclStmt(one.declared.loc, (t.VarDecl(one.symbol, None, one.declared.loc),)))
        first.append(_copied_loop(one))
    begun = replace(loop.statement, body=replace(loop.body, items=(*first, *loop.body.items)))

    def change(node: Node) -> Node | None:
        if node is loop.statement:
            return rewritten(begun, change)
        if isinstance(node, t.Block) and any(item in gone or item in resets for item in node.items):
            kept = tuple(item for item in node.items if item not in gone and item not in resets)
            return rewritten(replace(node, items=kept), change)
        return t.Empty(node.loc) if node in resets and isinstance(node, t.ExprStmt) else None

    return rewritten(body, change)


def _copied_loop(one: _Anew) -> t.For:
    """A loop that does nothing but set each element."""
    own: dict[t.Symbol, t.Symbol] = {symbol: replace(symbol) for symbol in declared_in(one.end.statement)}

    def change(node: Node) -> Node | None:
        match node:
            case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol) if symbol in own:
                return replace(node, symbol=own[symbol])
            case _:
                return None

    reset = t.ExprStmt(one.reset.loc, copied(one.reset.expr))
    whole = replace(one.end.statement, body=t.Block(one.reset.loc, (reset,)))
    condition = None if whole.condition is None else copied(whole.condition)
    step = None if whole.step is None else copied(whole.step)
    return rewritten(replace(whole, condition=condition, step=step), change)
