"""What rewrites of a schedule ask about: the loop nest of one launch, its variables, and what is wanted.

    In: the decisions about a loop that come before those about its threads.   Out: Nest.
    Not here: the rewrites -- a file each beside this one; their list -- plan/schedule/rewrites.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.integers.polynomials import Polynomial
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop, Override
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.variables import Choices
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.extent import ExpandedExtent
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.variable import Placement, Role, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """`grid`, outermost first; `counted` plans a loop inside an iteration as the grid's loops are planned; `work` of an
    iteration, where it is known.
    """

    kernel: Kernel
    grid: Sequence[GridLoop]
    variables: Sequence[Variable]
    choices: Choices
    counted: Callable[[CanonicalLoop], GridLoop]
    work: Polynomial | None

    @property
    def facts(self) -> Facts:
        return self.kernel.facts

    @property
    def body(self) -> t.Stmt:
        """Of an iteration."""
        return self.kernel.mapping.body

    @property
    def effects(self) -> LaunchEffects:
        return LaunchEffects.of(self.facts)

    @property
    def asked(self) -> Override:
        """What the source says of the launch."""
        return self.facts.loop.override

    @property
    def constants(self) -> tuple[Variable, ...]:
        """What is in constant memory."""
        return tuple(v for v in self.variables if v.placement is Placement.CONSTANT)

    @property
    def expanded(self) -> frozenset[t.Symbol]:
        """The private arrays in memory of the launch."""
        return frozenset(v.symbol for v in self.variables if isinstance(v.extent, ExpandedExtent))

    @property
    def has_expanded(self) -> bool:
        return bool(self.expanded)

    @property
    def has_reductions(self) -> bool:
        return any(v.role is Role.REDUCTION for v in self.variables)

    @property
    def is_plane(self) -> bool:
        """Are there one loop along x and one along y, and perhaps others, with bounds that are the same for all?"""
        sides = [loop.axis for loop in self.grid]
        alone = sides.count("x") == sides.count("y") == 1
        return alone and not any(loop.loop.dependent or loop.loop.var.address_taken for loop in self.grid)
