"""Analysis: nests whose entries are at different places wherever the strides that they have in memory are large enough.

    for (k = k0; k < k1; k++)
        for (j = j0; j < j1; j++)
            for (i = i0; i < i1; i++)
                y[i + j * row + k * plane] = ...        row and plane are the iteration's own numbers

Nothing is known of row and plane but that they stay what they are. An entry's place is p + k * plane + j * row + i * 1.
Two entries, whose counters differ by dk, dj and di, are at one place if dk * plane + dj * row + di * 1 is 0. That is so
for none where each stride is larger than all smaller ones can make up for,

    |stride of a loop|  >  the sum of (entries - 1) * |stride|, over the loops with strides not larger than that,

of loops with more than one entry, a stride being what the loop's step moves a place by: of the strides whose counters
differ, the largest one outweighs the rest. A kernel knows all these numbers before the nest begins. It may ask, and
have one thread do all entries otherwise.

That tells apart the entries that access one element by the same subscript, of the same object. All other pairs must
be apart for any strides.

    In: the loops of a nest, outermost first, each as a candidate; the accesses in it.
    Out: the strides of each place that is to be asked about, one for each loop; None: that does not suffice.
    Not here: strides that the host knows (integers/delinearisation.py); what is asked in a kernel -- ompc_nests.h.
    Source: the run-time test of Pugh and Wonnacott, "Eliminating false data dependences using the Omega test" (PLDI
    1992), section 6, for what is no number at compile time; mixed-radix numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.dependence.dependence import Candidate, Dependences
from ompc.analysis.integers.constraints import is_copy
from ompc.analysis.integers.integer_sets import answered
from ompc.analysis.integers.polynomials import CounterCopy, Polynomial, number
from ompc.analysis.memory.accesses import Access
from ompc.analysis.reductions.atomic_operations import AtomicOperations

Strides = tuple[Polynomial, ...]


def strides_to_ask(
    nest: Sequence[Candidate], accesses: Sequence[Access], atomic_operations: AtomicOperations
) -> tuple[Strides, ...] | None:
    """What the kernel has to ask of, so that all entries of the nest are independent; (): nothing."""

    def asked() -> tuple[Strides, ...] | None:
        found: dict[Strides, None] = {}
        for level in nest:
            for first, second in Dependences(level).conflicts(accesses, atomic_operations):
                strides = _strides_of_both(nest, first, second)
                if strides is None:
                    return None
                found[strides] = None
        return tuple(found)

    return answered(asked, None, nest[0].loop.statement.loc)


def _strides_of_both(nest: Sequence[Candidate], first: Access, second: Access) -> Strides | None:
    """Of two accesses that are at the same place in the same entry; None: they are not, or it is not known."""
    both = Dependences(nest[0]).places(first, second)
    if both is None or len(both) != 1:
        return None
    place, other = both[0]
    rows, subscripts = place.rows, place.relation.subscripts
    if (other.rows, other.relation.subscripts) != (rows, subscripts):
        return None
    own = [CounterCopy(level.loop.var, 0) for level in nest]
    steps = [level.loop.constant_step for level in nest]
    if any(row is None or any(map(is_copy, row.factors)) for row in subscripts[:rows]) or len(subscripts) != rows + 1:
        return None
    moved = _moved(subscripts[rows], own)
    if moved is None or None in steps:
        return None
    return tuple(each * number(abs(step or 0)) for each, step in zip(moved, steps, strict=True))


def _moved(place: Polynomial | None, counters: Sequence[CounterCopy]) -> Strides | None:
    """What each counter is multiplied by, if that and the rest are the same in all entries."""
    if place is None:
        return None
    found = {counter: Polynomial() for counter in counters}
    for factors, coefficient in place.terms:
        moving = [factor for factor in factors if is_copy(factor)]
        if not moving:
            continue
        counter = moving[0]
        if len(moving) != 1 or not isinstance(counter, CounterCopy) or counter not in found:
            return None
        others = tuple(factor for factor in factors if factor is not counter)
        found[counter] += Polynomial(((others, coefficient),))
    return tuple(found.values())
