"""Analysis: do neighbouring iterations of a loop read the same elements of arrays?

    for (i ...) for (j ...)
        v[i][j] = u[i - 1][j] + u[i][j] + u[i + 1][j];      the iteration i + 1 reads u[i][j] and u[i + 1][j] again

Two reads of an array are of one element in iterations that are c apart where each subscript of the one is that of the
other, and c times what the loop's variable moves it by. A read in a short inner loop, u[i + a][j], meets itself.

    In: accesses, canonical loops, polynomials of subscripts, the loop's variable.
    Out: the first access that is repeated, or None.
    Not here: whether it pays -- plan/forms/row_coarsening.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.analysis.integers.polynomials import Forms, Polynomial, number
from ompc.analysis.memory.accesses import Access
from ompc.ir import tree as t
from ompc.omp.model import CanonicalLoop

NEAR = 4
"""How many iterations apart two reads of one element are looked for: a stencil of two points to each side has reads
four apart. It bounds the work; no number of the device."""


def repeated_read(
    reads: Sequence[Access],
    axes: Sequence[CanonicalLoop],
    inner: Mapping[t.For, CanonicalLoop],
    forms: Forms,
) -> Access | None:
    """The first of `reads` whose element a neighbouring iteration of the first of `axes` reads too."""
    of_grid = {loop.var for loop in axes}
    known = [(access, _places(access, axes[0].var, forms)) for access in reads]
    for number_, (access, places) in enumerate(known):
        if places is None or all(step.constant == 0 for _, step in places):
            continue
        loops = (inner[node] for node in access.context if isinstance(node, t.For) and node in inner)
        around = [loop.var for loop in loops if loop.var not in of_grid]
        if any(_moves_alike(access, counter, axes[0].var, forms) for counter in around):
            return access
        others = (other for read, other in known[number_ + 1 :] if read.obj == access.obj)
        if any(other is not None and _are_near(places, other) for other in others):
            return access
    return None


_Places = list[tuple[Polynomial, Polynomial]]
"""Of each subscript: itself, and what an iteration of the loop moves it by."""


def _places(access: Access, var: t.Symbol, forms: Forms) -> _Places | None:
    found: _Places = []
    for subscript in access.subscripts or ():
        place = forms.of(subscript)
        parts = None if place is None else place.linear_in([var])
        if place is None or parts is None:
            return None
        found.append((place, parts[1].get(var, number(0))))
    return found or None


def _are_near(a: _Places, b: _Places) -> bool:
    if len(a) != len(b) or [step for _, step in a] != [step for _, step in b]:
        return False
    apart = [x + -y for (x, _), (y, _) in zip(a, b, strict=True)]
    steps = [step for _, step in a]
    near = (c for c in range(-NEAR, NEAR + 1) if c != 0)
    return any(all(gap == step * number(c) for gap, step in zip(apart, steps, strict=True)) for c in near)


def _moves_alike(access: Access, inner: t.Symbol, var: t.Symbol, forms: Forms) -> bool:
    """Does an iteration of the inner loop move the element as one of the outer loop does?"""
    here, there = _places(access, inner, forms), _places(access, var, forms)
    if here is None or there is None:
        return False
    steps, others = [step for _, step in here], [step for _, step in there]
    return steps == others or steps == [-step for step in others]
