"""Plan: copy-in elimination: what a launcher says of the must-write regions of its arrays.

    d_next.overwrites(ompc::must_write<double>(0).each(trips_i, columns).each(columns, 1));

Distances are in elements of the type that is written, or in bytes where members of structs are. Everything is computed
in 64 bits from what the launcher is given by value. The runtime finds the section without gaps (ompc_lmad.h).

    In: the facts' must-write regions, the classified parameters.   Out: tuple[Lmad, ...], text for people.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.memory.lmad import MOST_DIMENSIONS, MOST_PARTS, Lmad
from ompc.ir import tree as t
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.extent import ValueExtent
from ompc.plan.model.variable import Role
from ompc.plan.parameters.classification import KernelParameter
from ompc.sema.as_written import as_written


def overwrites(kernel: Kernel, parameter: KernelParameter, renamed: Container[t.Symbol]) -> tuple[Lmad, ...]:
    """The parts of an array that the launch certainly writes, and does not read before.

    None that needs a variable to which the kernel gives another name.
    """
    if (
        parameter.role is not Role.ARRAY
        or not parameter.writes
        or isinstance(parameter.extent, ValueExtent)
        or parameter.holds_pointers
    ):
        return ()
    known = [part for part in kernel.facts.must_writes.of(parameter.obj) if can_say(kernel, (part,), renamed)]
    return tuple(known[:MOST_PARTS])


def can_say(kernel: Kernel, lmads: Sequence[Lmad], renamed: Container[t.Symbol]) -> bool:
    """Is the launcher given all that it needs to say where these are?"""
    by_value = passed_by_value(kernel, renamed)
    few = len(lmads) <= MOST_PARTS
    return few and all(part.symbols <= by_value and len(part.dimensions) <= MOST_DIMENSIONS for part in lmads)


def passed_by_value(kernel: Kernel, renamed: Container[t.Symbol]) -> frozenset[t.Symbol]:
    """The variables that the launcher is given by their own names."""
    passed = (other.symbol for other in kernel.parameters if other.role in (Role.VALUE, Role.FIRSTPRIVATE))
    return frozenset(symbol for symbol in passed if symbol not in renamed)


def must_write_text(parts: Sequence[Lmad]) -> str:
    """For the plan and for `ompc explain`."""
    gaps = "" if len(parts) == 1 and _is_gapless(parts[0]) else ", as far as that has no gap"
    return f"overwritten, so not copied in: {', '.join(map(lmad_text, parts))}{gaps}"


def lmad_text(part: Lmad) -> str:
    """An access, and for which values of the counters."""
    loops = [dimension.loop for dimension in part.dimensions if dimension.stride.terms]
    values = ", ".join(
        f"{as_written(loop.lower)} {'>=' if loop.down else '<='} "
        f"{loop.var.name} {loop.relation} {as_written(loop.upper)}"
        for loop in loops
    )
    return as_written(part.node) + (f" for {values}" if values else "")


def _is_gapless(part: Lmad) -> bool:
    """Is one loop's end the next one's begin, whatever the numbers are?"""
    extent: Polynomial | None = number(part.bytes)
    for dimension in reversed(part.dimensions):
        if extent is None or (dimension.stride != extent and -dimension.stride != extent):
            return False
        extent = None if dimension.count is None or dimension.step != 1 else extent * dimension.count
    return True
