"""The text form of `Kernels`, for `--dump kernels`: what one iteration of each loop is for its kernel.

    main_x: as in the file
    main_y: for its kernel
        if (x[i] < 0)
            __ompc_leave();
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.ir.show import statement_lines
from ompc.omp.model import ParallelLoop
from ompc.transform import Kernels


def show_kernels(kernels: Kernels) -> str:
    """A line, or a block, for each loop, in the order of the text."""
    return "".join(f"{line}\n" for loop, own in kernels.loops.items() for line in _loop(loop, own))


def _loop(loop: ParallelLoop, own: ParallelLoop) -> Iterator[str]:
    if own.body is loop.body or own.body is None:
        yield f"{loop.id}: as in the file"
        return
    yield f"{loop.id}: for its kernel"
    yield from statement_lines(own.body)
