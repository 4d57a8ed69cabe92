"""Counters that give out places in the order of the iterations: parts of each thread's iterations count first.

    #pragma omp for schedule(static)           each iteration of the kernel: a part of a thread's iterations, in turn
    for (i = 0; i < n; i++)                    phase 0    at[part][key[i]]++ for all i of the part
        out[next[key[i]]++] = i;        ->     phase 1    at[part][k] = next of its thread[k], and what the parts of
                                                          the thread in front of it have counted
                                               phase 2    out[at[part][key[i]]++] = i for all i of the part

`next` is an array of counters that each thread has for itself (thread_copies.py), as in bucket sort, radix sort, or
the rows of a sparse matrix: which place an iteration gets depends on all iterations of its thread before it. A kernel
that counts first knows what each part of a thread's iterations begins with; the last part leaves the counters as they
are at the end. Phases are launches of one kernel.

    counters     one array of integers for each thread, of a constant length; all that the loop does with it is one ++
                 or --, at most once in an iteration
    places       what that gives is the subscript of arrays to which the loop assigns there, and does nothing else;
                 places of one counter are others each time, and phase 1 looks whether those of a thread's counters lie
                 behind each other; where they do not, one part does all of the thread's iterations, in their order
    the rest     assigns to an iteration's own variables alone, so that phase 0 does the same as phase 2

In: a loop with a table of what each thread has.   Out: `InPhases`; None: it is no such loop.
Not here: whether something else in the loop keeps iterations apart -- analysis/loops.py; the launches --
templates/launcher.cu.j2; how the threads of a block go through a part -- plan/groups/ordered_counts.py.
Source: Zagha and Blelloch, "Radix sort for vector multiprocessors", Supercomputing 1991 (counting in parts, a scan over
the parts, permutation).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import PART_BEGINS, PART_ENDS
from ompc.ir.exits import labels_in
from ompc.ir.queries import nodes, symbols_in, values_given
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node
from ompc.omp.iteration_numbers import iterations
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop, ParallelLoop, Places, Sharing
from ompc.transform.threads.ordered_phases import Phases, PhaseVariables

MOST_COUNTERS = 1 << 14
"""The most counters of a thread: each part has as many."""


@dataclass(frozen=True, slots=True)
class InPhases:
    """`loop`: the parts, in phases; `stores`: the elements of `before` that the counter gives places in; `counter`: the
    element that counts.
    """

    loop: ParallelLoop
    stores: frozenset[t.Expr]
    counter: t.Expr


def with_counters_in_phases(loop: ParallelLoop) -> InPhases | None:
    """`loop` in phases, if it has such counters."""
    body = loop.body
    if body is None or len(loop.loops) != 1 or len(loop.thread_copies) != 1 or not _has_blocks(loop) or labels_in(body):
        return None
    if loop.directive.name != "for" or loop.loops[0].pointer is not None:
        return None
    if loop.reductions or loop.lastprivates or loop.conditional or loop.scan is not None or loop.linear:
        return None
    ((table, _),) = loop.thread_copies.items()
    found = _counter(body, table)
    if found is None or not isinstance(found.update.operand, t.Index):
        return None
    stores = tuple(_stores(body, found))
    whole = iterations(loop.loops)
    if not stores or whole is None or not _gives_places(body, found, stores):
        return None
    if not all(_may_be_done_twice(node) for node in _statements(body) if node not in {*stores, found.statement}):
        return None
    made = _in_phases(loop, table, found, stores, whole)
    return None if made is None else InPhases(made, frozenset(_target(store) for store in stores), found.update.operand)


def _has_blocks(loop: ParallelLoop) -> bool:
    """Has each thread one block of iterations?"""
    clause = loop.directive.first("schedule")
    return clause is None or (clause.kind == "static" and clause.expr is None and not clause.modifier)


# --------------------------------------------------------------------------------------------- what there is


@dataclass(frozen=True, slots=True)
class _Counter:
    """`update` counts, in `statement`. `slot`: the iteration's variable that gets the place; None: a subscript does."""

    update: t.IncDec
    statement: t.Stmt
    slot: t.Symbol | None


def _counter(body: t.Stmt, table: t.Symbol) -> _Counter | None:
    """All that is done with the table: `table[thread][e]++`, once in an iteration at most."""
    named = [node for node in nodes(body) if isinstance(node, t.Name) and node.symbol is table]
    updates = [node for node in nodes(body) if isinstance(node, t.IncDec) and table in symbols_in(node)]
    kind = table.type
    if len(named) != 1 or len(updates) != 1 or not isinstance(kind, ty.Pointer) or not isinstance(kind.to, ty.Array):
        return None
    length, of = kind.to.length, kind.to.of
    if not isinstance(length, int) or length > MOST_COUNTERS or not isinstance(of, ty.Int) or of.size < 4:
        return None
    match updates[0].operand:
        case t.Index(base=t.Index(base=t.Name(symbol=symbol)), index=index) if symbol is table:
            if not _changes_nothing(index):
                return None
        case _:
            return None
    statement = next((each for each in _statements(body) if updates[0] in set(nodes(each))), None)
    return None if statement is None else _of_statement(body, updates[0], statement)


def _of_statement(body: t.Stmt, update: t.IncDec, statement: t.Stmt) -> _Counter | None:
    def is_place(value: t.Expr) -> bool:
        return _uncast(value, update) is update

    match statement:
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Index(index=index))) if is_place(index):
            return _Counter(update, statement, None)
        case t.DeclStmt(decls=(t.VarDecl(symbol=slot, init=t.Expr() as init),)) if is_place(init):
            return _Counter(update, statement, slot) if _is_place(body, slot, update) else None
        case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=slot), value=value)) if is_place(value):
            return _Counter(update, statement, slot) if _is_place(body, slot, update) else None
        case _:
            return None


def _is_place(body: t.Stmt, slot: t.Symbol, update: t.IncDec) -> bool:
    """Is it a variable that gets the place and nothing else, of a type that holds it?"""
    own = slot.is_automatic and not slot.address_taken
    return own and _holds(slot.type, update.type) and len(values_given(body, slot)) == 1


def _uncast(value: t.Expr, update: t.IncDec) -> t.Expr:
    """Without casts that keep places apart: to integers that are no shorter than the counter."""
    while isinstance(value, t.Cast) and _holds(value.type, update.type):
        value = value.operand
    return value


def _holds(kind: ty.Type, place: ty.Type) -> bool:
    return isinstance(kind, ty.Int) and isinstance(place, ty.Int) and kind.size >= max(place.size, 4)


def _statements(body: t.Stmt) -> Iterator[t.Stmt]:
    """What stands in blocks and choices of an iteration, in the order of the text."""
    match body:
        case t.Block(items=items):
            for item in items:
                yield from _statements(item)
        case t.If(then=then, other=other):
            yield from _statements(then)
            if other is not None:
                yield from _statements(other)
        case t.Empty():
            pass
        case _:
            yield body


def _stores(body: t.Stmt, counter: _Counter) -> Iterator[t.ExprStmt]:
    """The assignments to elements whose place the counter gives."""
    for each in _statements(body):
        match each:
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Index(base=t.Name(), index=index), value=value)):
                at = _uncast(index, counter.update)
                by_slot = isinstance(at, t.Name) and counter.slot is not None and at.symbol is counter.slot
                if (at is counter.update or by_slot) and _changes_nothing(value):
                    yield each
            case _:
                pass


def _target(store: t.ExprStmt) -> t.Expr:
    assert isinstance(store.expr, t.Assign)
    return store.expr.target


def _gives_places(body: t.Stmt, counter: _Counter, stores: tuple[t.ExprStmt, ...]) -> bool:
    """Do those assignments alone use the place? In phase 0 it is none, and no element has it."""
    if counter.slot is None:
        return stores == (counter.statement,)
    places = [node for node in nodes(body) if isinstance(node, t.Name) and node.symbol is counter.slot]
    inside = {node for store in stores for node in nodes(store)}
    given = _target(counter.statement) if isinstance(counter.statement, t.ExprStmt) else None
    return all(place in inside or place is given for place in places)


def _may_be_done_twice(statement: t.Stmt) -> bool:
    """Does it give values to variables alone? Whose they are is asked elsewhere."""
    match statement:
        case t.DeclStmt():
            return _changes_nothing(statement)
        case t.ExprStmt(expr=t.Assign(target=t.Name(), value=value)):
            return _changes_nothing(value)
        case _:
            return False


def _changes_nothing(code: Node) -> bool:
    """Does it assign nothing itself? What functions do is asked elsewhere, too."""
    return not any(isinstance(node, (t.Assign, t.IncDec)) for node in nodes(code))


# --------------------------------------------------------------------------------------------- what is made


def _in_phases(
    loop: ParallelLoop, table: t.Symbol, counter: _Counter, stores: tuple[t.ExprStmt, ...], whole: t.Expr
) -> ParallelLoop | None:
    (old,) = loop.loops
    assert loop.body is not None and isinstance(counter.update.operand, t.Index)
    none = t.IntConst(ty.ULONG, loop.loc, 0, "0ul")
    begun = t.Binary(ty.INT, loop.loc, old.relation, copied(old.lower), copied(old.upper))
    made = PhaseVariables.of(loop, table, t.Conditional(ty.ULONG, loop.loc, begun, whole, none))
    phases = Phases(made, table, counter.update.op == "++")

    def counts(node: Node) -> Node | None:
        if node is counter.update:
            assert isinstance(node, t.IncDec) and isinstance(node.operand, t.Index)
            return replace(node, operand=phases.own(rewritten(node.operand.index, counts)))
        if node in stores and node is not counter.statement:
            return phases.only_in_last(rewritten(replace(node), counts))
        if node in stores:
            update = counts(counter.update)
            assert isinstance(update, t.Expr)
            return phases.counted_in_front(update, rewritten(replace(node), placed))
        return None

    def placed(node: Node) -> Node | None:
        return phases.slot() if node is counter.update else None

    begins, ends = (phases.bound(which) for which in (PART_BEGINS, PART_ENDS))
    inner = phases.iterations_of_part(_counter_declared(old, phases), rewritten(loop.body, counts), begins, ends)
    statement = phases.parts(inner)
    found = sequential_loop(statement)
    if not isinstance(found, CanonicalLoop):
        return None
    own = {symbol: how for symbol, how in loop.sharing.items() if symbol is not old.var}
    private = {symbol: Sharing.PRIVATE for symbol in (old.var,) if not old.declared_here}
    return replace(
        made.variables.with_body(found.body),
        body=found.body,
        loops=(found,),
        sharing={**own, **private},
        in_order=None,
        phases=made.phase,
        places=Places(made.own["slot"] if counter.slot is None else counter.slot, made.own["in_order"]),
        scratch={made.at: made.rows},
    )


def _counter_declared(old: CanonicalLoop, phases: Phases) -> t.Stmt:
    """The loop's own counter, of the number of an iteration."""
    loc = old.statement.loc
    number: t.Expr = t.Cast(ty.unqualified(old.var.type), loc, phases.number())
    step = None if old.step is None else t.Cast(ty.unqualified(old.var.type), loc, copied(old.step))
    moved = number if step is None else t.Binary(old.var.type, loc, "*", number, step)
    value = t.Binary(old.var.type, loc, "-" if old.down else "+", copied(old.lower), moved)
    if old.declared_here:
        return t.DeclStmt(loc, (t.VarDecl(old.var, value, loc),))
    return t.ExprStmt(loc, t.Assign(old.var.type, loc, "=", t.Name(old.var.type, loc, old.var), value))
