"""Plan: device printf: what the iterations of a kernel tell the host.

where an iteration may end the program          the launch is given up, and the host runs the loop
where it prints                                 the host prints after the launch, sorted by the iterations' numbers

In: a kernel's facts.   Out: the sentences that say so.
Not here: which calls those are -- transform/early_exit.py, transform/device_prints.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.analysis.facts import Facts
from ompc.ir import tree as t


def said(facts: Facts) -> tuple[str, ...]:
    """What the kernel tells, in words."""
    ends = "where an iteration ends the program, the host runs the loop from its start"
    prints = "what iterations print is printed by the host after the launch, in their order"
    return (ends,) * facts.device_code.leaves + (prints,) * bool(facts.device_code.prints)


def prints_of(kernels: Iterable[Facts]) -> tuple[t.Print, ...]:
    """The prints of a file, in the order of their numbers."""
    return tuple(dict.fromkeys(node for facts in kernels for node in facts.device_code.prints))
