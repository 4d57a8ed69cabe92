"""Plan: what a launcher says of arrays that its kernel overwrites, so that they are not copied in.

    d_next.overwrites(ompc::written<double>(0).each(trips_i, (long long)columns).each((long long)columns, 1));

Distances are in elements of the type that is written, or in bytes where members of structs are. Everything is computed
in 64 bits from what the launcher is given by value. The runtime finds the section without gaps (ompc_lattice.h).

    In: the facts' written parts, the drafts.   Out: tuple[Lattice, ...], text for people.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.memory.lattice import Lattice
from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.extent import ValueExtent
from ompc.plan.model.plan import Role
from ompc.plan.parameters.roles import Draft

MOST_PARTS, MOST_TURNS = 8, 8
"""What ompc_lattice.h has room for; beyond it nothing is said."""


def overwrites(kernel: Kernel, draft: Draft, renamed: Container[t.Symbol]) -> tuple[Lattice, ...]:
    """The parts of an array that the launch certainly writes, and does not read before.

    None that needs a variable to which the kernel gives another name.
    """
    if draft.role is not Role.ARRAY or not draft.writes or isinstance(draft.extent, ValueExtent) or draft.holds_links:
        return ()
    known = [part for part in kernel.facts.written_parts.of(draft.root) if can_say(kernel, (part,), renamed)]
    return tuple(known[:MOST_PARTS])


def can_say(kernel: Kernel, lattices: Sequence[Lattice], renamed: Container[t.Symbol]) -> bool:
    """Is the launcher given all that it needs to say where these are?"""
    passed = (other.symbol for other in kernel.drafts if other.role in (Role.VALUE, Role.FIRSTPRIVATE))
    by_value = {symbol for symbol in passed if symbol not in renamed}
    few = len(lattices) <= MOST_PARTS
    return few and all(part.symbols <= by_value and len(part.turns) <= MOST_TURNS for part in lattices)


def overwritten_text(parts: Sequence[Lattice]) -> str:
    """For the plan and for `ompc explain`."""
    gaps = "" if len(parts) == 1 and _is_gapless(parts[0]) else ", as far as that has no gap"
    return f"overwritten, so not copied in: {', '.join(map(lattice_text, parts))}{gaps}"


def lattice_text(part: Lattice) -> str:
    """An access, and for which values of the counters."""
    loops = [turn.loop for turn in part.turns if turn.apart.terms]
    values = [
        f"{c_expr(loop.lower)} {'>=' if loop.down else '<='} {loop.var.name} {loop.relation} {c_expr(loop.upper)}"
        for loop in loops
    ]
    return c_expr(part.node) + (f" for {', '.join(values)}" if values else "")


def _is_gapless(part: Lattice) -> bool:
    """Is one loop's end the next one's begin, whatever the numbers are?"""
    extent: Polynomial | None = number(part.bytes)
    for turn in reversed(part.turns):
        if extent is None or (turn.apart != extent and -turn.apart != extent):
            return False
        extent = None if turn.count is None or turn.step != 1 else extent * turn.count
    return True
