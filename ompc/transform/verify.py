"""What must hold of `Kernels`, whatever the input. A failure is our bug.

    a kernel's loop is that of the file but for its code: the same pragma, id and directive
    its body is that of its innermost loop
    every automatic variable in it is declared there, counts a loop, or has a data-sharing attribute

In: `Kernels`.   Out: nothing, or InternalError.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.diagnostics import InternalError
from ompc.ir.queries import declared_in, symbols_in
from ompc.omp.model import ParallelLoop
from ompc.transform import Kernels
from ompc.transform.show import show_kernels


def verify_kernels(kernels: Kernels) -> None:
    """Raise InternalError at the first broken promise."""
    for loop, own in kernels.loops.items():
        for broken in _broken(loop, own):
            shown = show_kernels(Kernels(kernels.unit, {loop: own}))
            raise InternalError(f"the kernel of {loop.id}: {broken}\n{shown}")


def _broken(loop: ParallelLoop, own: ParallelLoop) -> Iterator[str]:
    if (own.id, own.pragma, own.directive) != (loop.id, loop.pragma, loop.directive):
        yield "it is another loop's"
    if own is loop or own.host is not None or own.body is None:
        return
    if not own.loops or own.loops[-1].body is not own.body:
        yield "its body is not that of its innermost loop"
    known = declared_in(own.body) | {*own.sharing, *own.fixed} | {nest.var for nest in own.loops}
    for symbol in symbols_in(own.body):
        if symbol.is_automatic and symbol not in known:
            yield f"nothing declares the variable `{symbol.name}`"
