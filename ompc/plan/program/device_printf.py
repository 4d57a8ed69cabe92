"""Plan: device printf: what the iterations of a kernel tell the host.

where an iteration may end the program          the launch is given up, and the host runs the loop
where it prints                                 the host prints after the launch, sorted by the iterations' numbers

In: a kernel's facts, its grid.   Out: the sentences that say so, the iteration's number.
Not here: which calls those are -- transform/early_exit.py, transform/device_prints.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ompc.analysis.facts import Facts
from ompc.ir import tree as t
from ompc.plan.model.launch import GridLoop


def said(facts: Facts) -> tuple[str, ...]:
    """What the kernel tells, in words."""
    ends = "where an iteration ends the program, the host runs the loop from its start"
    prints = "what iterations print is printed by the host after the launch, in their order"
    return (ends,) * facts.device_code.leaves + (prints,) * bool(facts.device_code.prints)


def printed_number(facts: Facts, grid: Sequence[GridLoop]) -> str | None:
    """A number that grows from one iteration to the next in the sequential program; None: nothing is printed."""
    if not facts.device_code.prints:
        return None
    number = grid[0].counter
    for loop in grid[1:]:
        outer = f"({number})" if " " in number else number
        if loop.loop.dependent:
            number = f"({outer} << 32) + {loop.counter}"  # each outer iteration has its own trips
        else:
            number = f"{outer} * {loop.trips} + {loop.counter}"
    return number


def prints_of(kernels: Iterable[Facts]) -> tuple[t.Print, ...]:
    """The prints of a file, in the order of their numbers."""
    return tuple(dict.fromkeys(node for facts in kernels for node in facts.device_code.prints))
