"""Which of an iteration's own variables its pieces declare, where lanes share loops.

    double r2, s;                                  [&](int j, double &sum) {
    [&](int j, double &sum) {                          double r2 = x[j] * x[j];
        r2 = x[j] * x[j];                   ->         sum += r2;
        sum += r2;                                 }
    }

Each piece sets them before it reads them (declared_places.py), and nothing beside the pieces names them.

    In: LaneSharing, the variables, the printer of the pieces.   Out: those that the pieces declare.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ompc.ir import tree as t
from ompc.ir.queries import declared_in, symbols_in
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import Alone, Chosen, LaneSharing, Repeated, Scope, SharedLoop
from ompc.render.code.statements import StatementPrinter


def declared_by_pieces(
    sharing: LaneSharing, variables: Collection[t.Symbol], printer: StatementPrinter
) -> frozenset[t.Symbol]:
    """Not where a thread has several iterations, each with variables of its own. `variables`: of the iteration; so are
    those that are declared in front of the pieces, without values.
    """
    if sharing.unroll_and_jam is not None:
        return frozenset()
    in_front = set(_without_values(sharing.body)) - sharing.replaced - sharing.held
    left = (set(variables) | in_front) - set(_beside_pieces(sharing.body))
    for piece, parameters in _pieces(sharing.body):
        named = (symbols_in(piece) | declared_in(piece)) - parameters
        left -= named - printer.placed(piece, left)
    return frozenset(left)


def _without_values(scope: Scope) -> Iterator[t.Symbol]:
    """What scopes declare and do not give a value."""
    yield from (decl.symbol for decl in scope.declared if decl.init is None)
    for step in scope.steps:
        match step:
            case Scope():
                yield from _without_values(step)
            case Repeated(body=body):
                yield from _without_values(body)
            case Chosen(then=then, other=other):
                yield from _without_values(then)
                yield from () if other is None else _without_values(other)
            case Alone() | SharedLoop():
                pass


def _pieces(scope: Scope) -> Iterator[tuple[t.Stmt, frozenset[t.Symbol]]]:
    """What is printed as a block of its own, and is nothing else besides; the variables that it gets as parameters."""
    for step in scope.steps:
        match step:
            case Alone(statements=statements):
                yield t.Block(statements[0].loc, tuple(statements)), frozenset()
            case SharedLoop() if _is_one_piece(step):
                yield step.body, frozenset(loop.var for loop in step.loops)
            case SharedLoop():
                pass
            case Scope():
                yield from _pieces(step)
            case Repeated(body=body):
                yield from _pieces(body)
            case Chosen(then=then, other=other):
                yield from _pieces(then)
                yield from () if other is None else _pieces(other)


def _is_one_piece(shared: SharedLoop) -> bool:
    return isinstance(shared.how, ByLanes) and shared.how.counted is None and shared.how.running is None


def _beside_pieces(scope: Scope) -> Iterator[t.Symbol]:
    """What is named elsewhere."""
    for decl in scope.declared:
        yield from () if decl.init is None else (decl.symbol, *symbols_in(decl.init))
    for step in scope.steps:
        match step:
            case Alone():
                pass
            case SharedLoop():
                yield from _beside_piece(step)
            case Scope():
                yield from _beside_pieces(step)
            case Repeated(loop=t.For(init=init, condition=condition, step=last), body=body):
                yield from _named(init, condition, last)
                yield from _beside_pieces(body)
            case Chosen(condition=condition, then=then, other=other):
                yield from symbols_in(condition)
                yield from _beside_pieces(then)
                yield from () if other is None else _beside_pieces(other)


def _beside_piece(shared: SharedLoop) -> Iterator[t.Symbol]:
    yield from (*shared.own, *shared.of_row, *shared.stores, *shared.reads)
    for loop in shared.loops:
        yield from _named(loop.lower, loop.upper, loop.step)
    if isinstance(shared.how, ByLanes):
        yield from (partial.symbol for partial in shared.how.partials)
    if not _is_one_piece(shared):
        yield from (loop.var for loop in shared.loops)
        yield from (*_named(shared.loop.statement, shared.computed, *shared.combined),)


def _named(*parts: t.Stmt | t.Expr | None) -> Iterator[t.Symbol]:
    for part in parts:
        if part is not None:
            yield from symbols_in(part)
            yield from declared_in(part)
