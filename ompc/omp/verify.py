"""What must hold of the OpenMP stage's product, whatever the input. A failure is our bug."""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.diagnostics import InternalError
from ompc.ir.queries import declared_in, symbols_in
from ompc.ir.tree import Storage
from ompc.omp.loops import associated_loops
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.reductions import OPERATORS
from ompc.omp.regions import OmpUnit
from ompc.omp.show import show_loop

_REDUCED = (Sharing.REDUCTION, Sharing.SHARED_REDUCTION)


def verify_unit(unit: OmpUnit) -> None:
    """Raises InternalError with the loop's text form at the first broken invariant."""
    seen: set[str] = set()
    for loop in unit.loops:
        broken = next(_broken(loop), None)
        if loop.id in seen:
            broken = f"the id {loop.id} is used twice"
        if broken is not None:
            raise InternalError(f"{loop.loc}: {broken}\n{show_loop(loop)}")
        seen.add(loop.id)


def _broken(loop: ParallelLoop) -> Iterator[str]:
    """Each invariant that `loop` breaks."""
    positions = [symbol.position for symbol in loop.sharing]
    if positions != sorted(positions):
        yield "the sharing table is not in the order of declaration"
    if loop.host is None:
        if {r.symbol for r in loop.reductions} != {s for s, how in loop.sharing.items() if how in _REDUCED}:
            yield "the reductions are not those of the sharing table"
        yield from _broken_on_device(loop)


def _broken_on_device(loop: ParallelLoop) -> Iterator[str]:
    if len(loop.loops) != associated_loops(loop.directive) or loop.body is not loop.loops[-1].body:
        yield "the loops are not those that the directive associates"
        return
    statement = loop.loops[0].statement
    local = {s for s in declared_in(statement) if s.storage is not Storage.EXTERN}
    for symbol in symbols_in(statement) - local:
        if symbol.storage is not Storage.FUNCTION and symbol not in loop.sharing:
            yield f"the variable `{symbol.name}` has no data-sharing attribute"
    for nested in loop.loops:
        if not nested.declared_here and loop.sharing.get(nested.var) is not Sharing.LOOP:
            yield f"the loop variable `{nested.var.name}` is not private"
        if nested.constant_step is not None and nested.constant_step <= 0:
            yield "a constant step is not positive"
        if nested.down != (nested.relation in (">", ">=")) and nested.relation != "!=":
            yield "the direction contradicts the relation"
    for reduction in loop.reductions:
        if reduction.declared is None and reduction.op not in OPERATORS:
            yield f"the reduction variable `{reduction.symbol.name}` has an unknown operator"
