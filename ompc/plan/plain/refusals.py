"""Plan: why a loop that can be on the device cannot be there without the runtime (OMPC417).

In: RegionPlan.   Out: words, or None.   Not here: extents and pointers -- arrays.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.ir import types as ty
from ompc.omp.model import League
from ompc.plan.model.extent import ExpandedExtent, ValueExtent
from ompc.plan.model.launch import Bound, GridLoop
from ompc.plan.model.plan import KernelPlan, RegionPlan
from ompc.plan.model.schedule import OnePoint
from ompc.plan.model.variable import Placement, Role

OPERATORS = frozenset({"Sum", "Product", "Min", "Max", "BitAnd", "BitOr", "BitXor"})
"""Of reductions, as the runtime calls them, those for which there is text (render/plain/reductions.py)."""

_COUNTERS = {"int": 32, "unsigned int": 32, "long": 64, "unsigned long": 64, "long long": 64, "unsigned long long": 64}
FURTHEST_LOWER = 1024
"""A counter may begin, or end as it counts down, at a number between this and its negative: what a kernel adds to it
then stays far from its type's ends.
"""
LONGEST_STEP = 64
"""Of a counter, likewise."""


def needs_runtime(region: RegionPlan, kernel: KernelPlan) -> str | None:
    """What the loop needs, in words; None: nothing."""
    return next(_needed(region, kernel), None)


def _needed(region: RegionPlan, kernel: KernelPlan) -> Iterator[str]:
    loop = region.loop
    if loop.target is not None or loop.league is not League.NONE:
        yield "what target and teams regions map is kept in the runtime's table"
    if region.call_condition is not None or region.waits or region.needs_home:
        yield "the host asks something before each launch"
    if kernel.messages or kernel.prints or kernel.arg_reductions:
        yield "its iterations tell the host something besides their results"
    if kernel.expanded:
        yield f"each thread needs memory of the launch's own for '{kernel.expanded[0].symbol.name}'"
    if kernel.linked:
        yield f"the kernel follows pointers in memory to '{kernel.linked[0].label}'"
    for last in kernel.lastprivates:
        if not isinstance(last.type, (ty.Int, ty.Float)):
            yield f"the last value of '{last.symbol.name}', which is more than a number, comes back"
    if kernel.registers:
        yield f"'{kernel.registers[0].name}' is a register variable"
    yield from _of_variables(kernel)
    yield from _of_reductions(kernel)
    yield from _of_grid(kernel)


def _of_variables(kernel: KernelPlan) -> Iterator[str]:
    for v in kernel.arrays:
        if v.role is Role.CELL:
            yield f"'{v.label}' is no array, and iterations write it"
        if v.placement is Placement.CONSTANT or isinstance(v.extent, (ExpandedExtent, ValueExtent)):
            yield f"the memory of '{v.label}' is the runtime's choice"
    if any(v.slots is not None for v in kernel.arrays):
        yield "its arrays hold pointers"
    if kernel.constants:
        yield f"'{kernel.constants[0].label}' is in constant memory"
    if any(private.source is not None for private in kernel.privates):
        yield "each iteration has a copy of an array of the host's"
    if any(ty.has_parts(v.symbol.type) for v in kernel.values):
        yield "a struct is passed by value"


def _of_reductions(kernel: KernelPlan) -> Iterator[str]:
    for r in kernel.reductions:
        if r.is_scan or r.is_latest or r.is_declared or str(r.op) not in OPERATORS:
            yield f"the reduction of '{r.symbol.name}' is more than a sum, product, extreme or bit operation"
        elif not isinstance(ty.unqualified(r.type), (ty.Int, ty.Float)):
            yield f"'{r.symbol.name}' is of a type that CUDA has no operators for"


def _of_grid(kernel: KernelPlan) -> Iterator[str]:
    for axis in kernel.own.axes:
        if len(axis.loops) > 1 or not isinstance(axis.taken, OnePoint) or axis.taken.lead:
            yield "several loops share an axis of the grid"
    yield from (f"the loop over {loop.variable} {why}" for loop in kernel.grid if (why := _of_loop(loop)) is not None)


def _of_loop(loop: GridLoop) -> str | None:
    if loop.once or loop.loop.dependent:
        return "has bounds that change from one iteration of the outer loop to the next"
    kind = ty.unqualified(loop.loop.var.type)
    if not isinstance(kind, ty.Int) or kind.name not in _COUNTERS:
        return "has a counter that is neither 32 nor 64 bits wide"
    low, high = (loop.upper, loop.lower) if loop.loop.down else (loop.lower, loop.upper)
    if loop.loop.relation not in ("<", "<=", ">", ">=") or (loop.loop.down and not kind.signed):
        return "ends by another comparison than of size, or counts down without a sign"
    if loop.step.constant is None or not 0 < loop.step.constant <= LONGEST_STEP:
        return f"does not count by a number up to {LONGEST_STEP}"
    if low.constant is not None and abs(low.constant) > FURTHEST_LOWER:
        return f"begins or ends further from 0 than {FURTHEST_LOWER}"
    if (loop.loop.down or low.constant is None) and not (_is_of(low, kind) and _is_of(high, kind)):
        return "has bounds of another type than its counter"
    if loop.loop.var.address_taken:
        return "has a counter whose address is taken"
    return None


def _is_of(bound: Bound, kind: ty.Int) -> bool:
    """Does the counter's type hold the bound, and compare with it as with its own values?"""
    if bound.expr is None or bound.constant is not None:
        return True
    own = ty.unqualified(bound.expr.type)
    return own == kind or (isinstance(own, ty.Int) and own.signed and kind.signed and own.size <= kind.size)
