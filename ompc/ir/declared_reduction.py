"""A reduction of the user's own, `declare reduction`, for one type (OpenMP 5.2, 5.5.11).

In: what omp/reading has read.   Out: its expressions.
Not here: which of them a clause means -- omp/declared_reductions.py.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.tree import Expr, Name, Symbol
from ompc.ir.walk import walk


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredReduction:
    """A `declare reduction` for one type.

    `variables`    omp_out, omp_in, omp_priv, omp_orig of its expressions
    `initial`      the value of a new copy, `initializer` a call that sets it; zero when there is neither
    `merged`       the variable of a region's threads that they merge so, where no directive says it
    """

    identifier: str
    type: ty.Type
    variables: tuple[Symbol, ...]
    combiner: Expr
    initial: Expr | None
    initializer: Expr | None
    loc: Location
    merged: Symbol | None = None

    @property
    def key(self) -> tuple[str, Location, ty.Type]:
        """What copies of one directive have in common."""
        return self.identifier, self.loc, self.type

    @property
    def uses_original(self) -> bool:
        """Does a new copy depend on the original variable's value?"""
        names = (node for e in self.expressions[1:] for node in walk(e) if isinstance(node, Name))
        return any(name.symbol is self.variables[3] for name in names)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return tuple(e for e in (self.combiner, self.initial, self.initializer) if e is not None)
