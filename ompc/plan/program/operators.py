"""Plan: the user-defined reductions of a file as operators of the device code.

    #pragma omp declare reduction(nearer : struct point : ...)          struct nearer { initial, apply, same };

Named after the reduction, where that has a name.

    In: the kernels.   Out: tuple[Operator, ...].
    Not here: what may be such an operator -- analysis/reductions/associativity.py; the struct's text --
    render/code/operators.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.names import Local
from ompc.plan.model.plan import Operator
from ompc.plan.program.functions import declared_of


def own_operators(kernels: Iterable[Kernel]) -> tuple[Operator, ...]:
    """An operator for every user-defined reduction, once."""
    known = {declared.key: declared for kernel in kernels for declared in declared_of(kernel.facts)}
    return tuple(
        Operator(Local(d.identifier if d.identifier.isidentifier() else "reduction"), d) for d in known.values()
    )
