"""Plan: loops whose entries add to an integer and use what it is then, which threads of a group divide (prefix sums).

    for (k = first; k < last; k++) {          a tile of entries at a time, one for each thread:
        sum += count[k];                          what each adds: count[k]; what all before it have added, by shuffles
        place[k] = sum;                           the entry as it stands, which begins with that
    }

Each entry adds once, whatever happens; what it adds is computed from what other entries do not change, first by itself,
then again where it stands. Integers only: they wrap, so that sums may be formed in any order.

    In: Facts, a loop, the variables that its entries hand on.   Out: RunningSum, or None.
    Not here: whether entries are independent but for that -- storing_loops.py; sums that nobody sees meanwhile --
    lane_sums.py.
    Source: Hillis and Steele, "Data parallel algorithms" (1986); Blelloch, "Prefix sums and their applications" (1990).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.operations import update
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import assigned_in, declared_in, only_reads, symbols_in, targets_written
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.plan.model.lane_results import RunningSum


def running_sum(facts: Facts, loop: CanonicalLoop, carried: Collection[t.Symbol]) -> RunningSum | None:
    """The integer to which each entry adds; None: entries hand on something else, or in another way."""
    symbol = next(iter(carried), None)
    if symbol is None or len(carried) != 1 or jumps_in(loop.body) or labels_in(loop.body):
        return None
    kind = ty.unqualified(symbol.type)
    plain = isinstance(kind, ty.Int) and kind.size in (4, 8) and not symbol.address_taken
    if not plain or facts.loop.sharing.get(symbol) is Sharing.REDUCTION:
        return None
    items = loop.body.items if isinstance(loop.body, t.Block) else (loop.body,)
    if sum(_is_variable(target, symbol) for target in targets_written(loop.body)) != 1:
        return None
    place = next((n for n, item in enumerate(items) if _added(item, symbol) is not None), None)
    value = None if place is None else _added(items[place], symbol)
    if value is None:
        return None
    before = _computed_before(items[:place], symbol)
    return RunningSum(symbol, value, before) if _is_seen(value, items[len(before) : place]) else None


def _added(item: t.Stmt, symbol: t.Symbol) -> t.Expr | None:
    """What the statement adds to the variable."""
    operation = update(item.expr) if isinstance(item, t.ExprStmt) else None
    if operation is None or operation.name != "add" or not _is_variable(operation.object, symbol):
        return None
    (value,) = operation.operands
    whole = ty.is_integer(value.type) and only_reads(value) and symbol not in symbols_in(value)
    return value if whole and not any(_is_volatile(part) for part in walk(value)) else None


def _computed_before(items: Sequence[t.Stmt], symbol: t.Symbol) -> tuple[t.Stmt, ...]:
    """Those with which an entry begins and that do nothing but compute variables, without the sum."""
    found: list[t.Stmt] = []
    for item in items:
        match item:
            case t.DeclStmt(decls=decls):
                values = [decl.init for decl in decls if decl.init is not None]
                plain = all(ty.is_arithmetic(decl.symbol.type) and decl.symbol.is_automatic for decl in decls)
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=target), value=value)):
                values, plain = [value], target.is_automatic and not target.address_taken
            case _:
                break
        if not plain or not all(only_reads(value) and symbol not in symbols_in(value) for value in values):
            break
        if any(_is_volatile(part) for value in values for part in walk(value)):
            break
        found.append(item)
    return tuple(found)


def _is_seen(value: t.Expr, others: Sequence[t.Stmt]) -> bool:
    """Does what stands between not change the value?"""
    changed = {symbol for item in others for symbol in assigned_in(item) | declared_in(item)}
    reads_memory = any(isinstance(part, (t.Index, t.Member)) or _is_pointee(part) for part in walk(value))
    return changed.isdisjoint(symbols_in(value)) and not (others and reads_memory)


def _is_variable(lvalue: t.Expr, symbol: t.Symbol) -> bool:
    return isinstance(lvalue, t.Name) and lvalue.symbol is symbol


def _is_pointee(part: object) -> bool:
    return isinstance(part, t.Unary) and part.op == "*"


def _is_volatile(part: object) -> bool:
    return isinstance(part, t.Expr) and "volatile" in part.type.quals
