"""Analysis: footprints: which bytes of an array the first iterations of a loop may touch.

    for (i = 0; i < rows; i++)                      iteration i: columns elements from i * columns on, so the first k
        for (j = 0; j < columns; j++)               iterations nothing behind element k * columns
            ... a[i * columns + j] ...

So a launch can begin with iterations whose elements are there, while others are still on their way. Of each access,
read or write, certain or not, the bytes as an LMAD over the loops around it (lmad.py), without the loop in
question, and how far an iteration of that loop moves them. Never less than may be touched: where one access is not
known, nothing is.

    In: the places of accesses.   Out: tuple[IterationFootprint, ...], or None: not known.
    Not here: where the last of these bytes is, which the launch finds out (ompc_slices.h).
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.lmad import Lmad, Lmads
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop


@dataclass(frozen=True, slots=True)
class IterationFootprint:
    """What is touched in the loop's first iteration, and how many bytes further on in each next one."""

    lmad: Lmad
    stride: Polynomial

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        """The variables that the launcher needs."""
        return self.lmad.symbols | {factor for factor in self.stride.factors if isinstance(factor, t.Symbol)}


def iteration_footprints(
    lmads: Lmads, accesses: Iterable[Access], loop: CanonicalLoop
) -> tuple[IterationFootprint, ...] | None:
    """What `accesses`, all those of one array, touch in the iterations of `loop`.

    Of parts that lie a constant distance apart, the one that ends last stands for all.
    """
    found: dict[tuple[object, ...], IterationFootprint] = {}
    for access in accesses:
        place = None if access.obj.stored else lmads.place(access, within=lmads.has_parts)
        if place is None:
            return None
        own = place.dimensions.get(loop.statement)
        dimensions = tuple(
            dimension for dimension in place.dimensions.values() if dimension is not own and dimension.stride.terms
        )
        part = IterationFootprint(
            Lmad(access.node, place.first, place.bytes, dimensions), number(0) if own is None else own.stride
        )
        moving, _ = place.first.split()
        key = (moving, part.stride, tuple(dimension.shape for dimension in dimensions))
        if key not in found or _end(found[key]) < _end(part):
            found[key] = part
    return tuple(found.values())


def _end(part: IterationFootprint) -> int:
    return part.lmad.first.split()[1] + part.lmad.bytes
