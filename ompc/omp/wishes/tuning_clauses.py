"""What `#pragma ompc` asks of a loop: the shape of its launches, and how its kernel is made.

    #pragma ompc block(64, 4) rows(8)
    #pragma omp parallel for
    for (...) ...

    schedule(N)              of the launch's kernels: 0: the one for any launch; N: the N-th other one, where it can be
                             launched (OpenMP's clause is another one)
    block(WIDTH[, HEIGHT])   threads of a block: 32 to 256 in whole warps
    fills(N)                 at most N times as many blocks as are resident at once; then iterations are strided over
    rows(N)                  of a thread, where rows share what they read: 1, 4 or 8
    tile(N)                  points of a thread along y, where a block stages a tile: 2, 4 or 8; 0: no tiles
    lanes(N)                 of an iteration, where threads share loops: 1, 2, 4, ... 32 of a warp, up to 256 of several
                             warps, 512: all those of a block; 0: they share none
    inner(N)                 at most so many loops inside the annotated ones join the grid: 0, 1 or 2
    order(N, ...)            the grid's loops as axes, the last one x; from 1, as they stand in the program
    constant(N)              0: nothing is in constant memory; 1: also arrays of which lanes read different elements
    readonly(0)              arrays that are only read do not take the read-only data path
    shared(0)                no array has copies in the shared memory of blocks

A clause for which the loop's kernel has no use is without effect, and all are at the levels `baseline` and `thesis`.
`ompc tune` writes such pragmas. Compilers ignore them.

In: the clauses, read.   Out: `ShapeChoices`, or ChoiceError.   Not here: which loop they speak of -- openmpc.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.base.tuning import ShapeChoices, checked
from ompc.ir.directive import Clause


def choices_asked(clauses: Iterable[Clause]) -> ShapeChoices:
    """All of them together. Raises ChoiceError for a value that no kernel is made for."""
    choices = ShapeChoices()
    for clause in clauses:
        choices = choices.then(checked(clause.name, clause.numbers))
    return choices
