"""Plan: loops whose entries count and use what their counter was before, which threads of a group divide (multiprefix).

    for (k = first; k < last; k++)        the entries of a warp at a time, in their order: lanes with equal keys find
        rank[k] = count[key[k]]++;        each other; each has the counter, and how many of them are below it; one adds

All that an entry hands to later ones is the counter, which changes by a constant each time: so what it was for an entry
is what it was at first and as many constants as there are entries before that have the same counter. Integers wrap, so
that they may be added at once. Asked is that

    the rest       of the entries is independent of each other, and so are the counters otherwise
    the counter    changes by one ++, --, += or -= of an entry, which is evaluated at most once; nothing else of the
                   loop reads or writes the array that it is in
    the place      in that array, and the conditions around, are computed from what no entry changes, by variables of
                   the entry, first by themselves, then again where they stand
    what it gives  is an integer; the entry has it in the place of the ++

    count[key[k]]++; sum += count[3];     it is read otherwise
    a[c[x[k]]++] = c[y[k]]++;             two may be one

Of a loop in phases (transform/threads/ordered_counters.py) the places are known to be apart, or one thread of the group
does all entries.

    In: Facts, a loop of which entries depend on each other, its objects.   Out: OrderedCount, or None.
    Not here: counters that nobody looks at meanwhile, which are atomic operations -- storing_loops.py; who counts
    which parts of a loop first -- transform/threads/.
    Source: Sheffler, "Implementing the multiprefix operation on parallel and vector computers" (SPAA 1993); Ashkiani,
    Davidson, Meyer and Owens, "GPU multisplit" (PPoPP 2016); Adinets, "CUDA pro tip: optimized filtering with
    warp-aggregated atomics" (2014).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.memory.accesses import Access
from ompc.analysis.reductions.atomics import Forms
from ompc.analysis.reductions.operations import Operation, update
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import jumps_in, labels_in
from ompc.ir.queries import set_in, symbols_in, targets_written
from ompc.ir.walk import children, walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.storing_loops import why_dependent
from ompc.plan.machine import DEVICE
from ompc.plan.model.lane_results import OrderedCount, Reached
from ompc.plan.model.names import Local


def ordered_count(
    facts: Facts, loop: CanonicalLoop, held: Collection[t.Symbol], updates: Forms
) -> OrderedCount | None:
    """The counter of the entries, but for which, and for `updates`, they are independent; None: that is not so."""
    body = loop.body
    bodies = [function.body for function in facts.device_code.functions if function.body is not None]
    if jumps_in(body) or labels_in(body) or any(_is_volatile(part) for each in bodies for part in walk(each)):
        return None
    found = [node for node in walk(body) if isinstance(node, t.Expr) and _counts(node)]
    used = [node for node in found if node not in _whole_statements(body)]
    for node in used:
        operation = update(node)
        assert operation is not None
        if not _is_alone(facts, loop, operation):
            continue
        way, places = _way(body, node), _places(facts, loop, node)
        forms = updates | Forms({node: operation})
        if way is None or why_dependent(facts, loop, held, forms, places) is not None:
            continue
        return _made(facts, loop, node, operation, way)
    return None


def _whole_statements(body: t.Stmt) -> frozenset[t.Expr]:
    """Expressions of whose values nothing becomes."""
    return frozenset(node.expr for node in walk(body) if isinstance(node, t.ExprStmt))


# ------------------------------------------------------------------------------------------------ the counter


def _counts(node: t.Expr) -> bool:
    """Does it add a constant to an integer in an array?"""
    if not isinstance(node, t.IncDec) and not (isinstance(node, t.Assign) and node.op in ("+=", "-=")):
        return False
    target = node.operand if isinstance(node, t.IncDec) else node.target
    kind = ty.unqualified(target.type)
    whole = isinstance(kind, ty.Int) and kind != ty.BOOL and not target.type.quals
    return whole and isinstance(target, t.Index) and _step(node) is not None and _is_plain(target)


def _step(node: t.Expr) -> int | None:
    """By how much the counter changes."""
    match node:
        case t.IncDec(op=op):
            return 1 if op == "++" else -1
        case t.Assign(op="+=" | "-=" as op, value=value) if ty.is_integer(value.type):
            step = constant_value(value)
            return None if step is None or abs(step) >= 1 << 31 else (step if op == "+=" else -step)
        case _:
            return None


def _is_plain(expr: t.Expr) -> bool:
    """May it be evaluated twice? Functions that the loop calls only read (lane_work.py), and get no pointers here."""
    for part in walk(expr):
        match part:
            case t.Assign() | t.IncDec():
                return False
            case t.Call(args=args) if not all(ty.is_arithmetic(arg.type) for arg in args):
                return False
            case _ if _is_volatile(part):
                return False
            case _:
                pass
    return True


def _is_volatile(part: object) -> bool:
    return isinstance(part, t.Expr) and bool(part.type.quals & {"volatile", "_Atomic"})


def _is_alone(facts: Facts, loop: CanonicalLoop, operation: Operation) -> bool:
    """Is that all that the loop does with the objects in which the counter may be?"""
    own = facts.at(operation.object)
    objects = {access.obj for access in own}
    inside = set(walk(loop.body))
    others = [a for a in facts.accesses if a.obj in objects and (a.node in inside or a.function is not None)]
    return bool(own) and all(access in own and access.function is None for access in others)


def _places(facts: Facts, loop: CanonicalLoop, node: t.Expr) -> tuple[Access, ...]:
    """Stores at the places that the counter gives, of a loop in phases, where nothing else touches those arrays."""
    known = facts.loop.places
    given = (slot for part in walk(loop.body) if (slot := _slot(part, node)) is not None)
    if known is None or known.slot not in given:
        return ()
    stores = (part.target for part in walk(loop.body) if isinstance(part, t.Assign) and part.op == "=")
    at_place = {target for target in stores if isinstance(target, t.Index) and _is_slot(target.index, known.slot)}
    return tuple(access for access in facts.accesses if access.node in at_place)


def _is_slot(index: t.Expr, slot: t.Symbol) -> bool:
    place = _uncast(index)
    return isinstance(place, t.Name) and place.symbol is slot


# ----------------------------------------------------------------------------------------------- how it is reached


def _way(node: t.Stmt, update: t.Expr) -> tuple[Reached, ...] | None:
    """What an entry does in front of the counter; None where it may change memory, or count more than once."""
    match node:
        case t.Block(items=items):
            place = next(n for n, item in enumerate(items) if _holds(item, update))
            if not all(map(_computes, items[:place])):
                return None
            rest = _way(items[place], update)
            return None if rest is None else (Reached(items[:place]), *rest)
        case t.If(condition=condition, then=then, other=other) if _is_plain(condition):
            if _holds(condition, update):
                return None
            chosen, way = (then, True) if _holds(then, update) else (other, False)
            rest = None if chosen is None else _way(chosen, update)
            return None if rest is None else (Reached((), condition, way), *rest)
        case t.ExprStmt(expr=t.Assign(target=target, value=value)):
            parts = [part for part in (target, value) if _holds(part, update)]
            return () if len(parts) == 1 and _is_evaluated(parts[0], update) else None
        case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=t.Expr() as init),)):
            return () if symbol.is_automatic and _is_evaluated(init, update) else None
        case _:
            return None


def _holds(node: t.Stmt | t.Expr, part: t.Expr) -> bool:
    return any(inner is part for inner in walk(node))


def _computes(node: t.Stmt) -> bool:
    """Does it give values to variables of the entry, and nothing else?"""
    match node:
        case t.Empty():
            return True
        case t.Block(items=items):
            return all(map(_computes, items))
        case t.If(condition=condition, then=then, other=other):
            return _is_plain(condition) and all(map(_computes, (then,) if other is None else (then, other)))
        case t.DeclStmt(decls=decls):
            kinds = all(d.symbol.is_automatic and ty.is_scalar(d.symbol.type) for d in decls)
            return kinds and all(d.init is None or (isinstance(d.init, t.Expr) and _is_plain(d.init)) for d in decls)
        case t.ExprStmt(expr=t.Assign(target=t.Name(symbol=symbol), value=value)):
            return symbol.is_automatic and not symbol.address_taken and _is_plain(value)
        case _:
            return False


def _is_evaluated(node: t.Expr, update: t.Expr) -> bool:
    """Is the update, inside, always evaluated, and by itself: does nothing else around it change anything?"""
    if node is update:
        return True
    match node:
        case t.Cast() | t.Index() | t.Unary() | t.Member():
            parts: Iterator[t.Expr] = (part for part in children(node) if isinstance(part, t.Expr))
        case t.Binary(op=op, left=left, right=right) if op not in ("&&", "||") or _holds(left, update):
            parts = iter((left, right))
        case _:
            return False
    return all(_is_evaluated(part, update) if _holds(part, update) else not targets_written(part) for part in parts)


# ------------------------------------------------------------------------------------------------ what is made


def _made(
    facts: Facts, loop: CanonicalLoop, node: t.Expr, operation: Operation, way: tuple[Reached, ...]
) -> OrderedCount:
    step = _step(node)
    assert step is not None and isinstance(operation.object, t.Index)
    after = isinstance(node, t.Assign) or (isinstance(node, t.IncDec) and node.prefix)
    row, length = operation.object.base, _row_length(loop, operation.object)
    return OrderedCount(
        node,
        operation.object,
        Local("counted"),
        step,
        after,
        way,
        row if length else None,
        length,
        _seen(facts, loop, node),
        facts.loop.places.in_order if facts.loop.places is not None and _places(facts, loop, node) else None,
    )


def _row_length(loop: CanonicalLoop, counter: t.Index) -> int:
    """How many counters all entries have in one row; 0: they are not in one, or these are too many for the block."""
    kind, changing = counter.base.type, set_in(loop.body) | {loop.var}
    if not isinstance(kind, ty.Array) or not isinstance(kind.length, int) or not _is_plain(counter.base):
        return 0
    few = has_room((), counter.type, kind.length)
    return kind.length if few and symbols_in(counter.base).isdisjoint(changing) and not _reads(counter.base) else 0


def has_room(held: Collection[t.Symbol], kind: ty.Type, length: int) -> bool:
    """Has a block room for a row of so many counters beside the arrays that it has in shared memory? It has each twice,
    and what each of its warps counts (ompc_ordered_counts.h).
    """
    taken = sum(min(ty.size_of(symbol.type) or 0, DEVICE.group_arrays) for symbol in held)
    return length * (2 * (ty.size_of(kind) or DEVICE.group_arrays) + 16) + taken <= DEVICE.group_arrays


def _reads(row: t.Expr) -> bool:
    """Does it read memory to find the row?"""
    reads = (part for part in walk(row) if isinstance(part, (t.Index, t.Member, t.Unary)))
    return any(not isinstance(part.type, ty.Array) for part in reads)


def _seen(facts: Facts, loop: CanonicalLoop, node: t.Expr) -> t.Expr | None:
    """Under which condition anything becomes of the value, the same one for all entries; None: always."""
    statement = next((part for part in walk(loop.body) if _slot(part, node) is not None), None)
    slot = None if statement is None else _slot(statement, node)
    if statement is None or slot is None or slot.address_taken or not slot.is_automatic:
        return None
    names = [part for part in walk(loop.body) if isinstance(part, t.Name) and part.symbol is slot]
    names = [name for name in names if not any(name is part for part in walk(statement))]
    chosen = [part for part in walk(loop.body) if isinstance(part, t.If) and part.other is None]
    around = [part for part in chosen if any(name is inner for inner in walk(part.then) for name in names)]
    same_for_all = all(_is_plain(part.condition) and facts.invariance.holds(part.condition) for part in around)
    alike = all(same(around[0].condition, part.condition) for part in around)
    inside = {inner for part in around for inner in walk(part.then)}
    covered = bool(around) and all(name in inside for name in names)
    return around[0].condition if covered and same_for_all and alike else None


def _slot(statement: object, update: t.Expr) -> t.Symbol | None:
    """The variable to which the statement gives what the counter was, and no more."""
    match statement:
        case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=value),)) if value is not None:
            return symbol if _uncast(value) is update else None
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
            return symbol if _uncast(value) is update else None
        case _:
            return None


def _uncast(value: t.Expr | t.InitList) -> t.Expr | t.InitList:
    while isinstance(value, t.Cast):
        value = value.operand
    return value
