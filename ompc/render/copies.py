"""Copies of an array that a block of threads has in shared memory (forms/copies.py), in the kernel and its launcher.

    ompc::CopiesRoom count_room                                                 a parameter
    const ompc::BlockCopies<ompc::Sum, int, copies> count_copies(count, count_room);        at the top
    count_copies.combine();                                                     at the end
    auto d_count_copies = launch.copies<int>(d_count);                          in the launcher

The kernel is a template over whether there are any.

In: BlockCopies, a TypePrinter.   Out: lines without line ends.
Not here: the operations -- operations.py.
"""

from __future__ import annotations

from ompc.analysis.reductions.operations import Operation
from ompc.plan.model.launch import BlockCopies
from ompc.plan.model.plan import KernelPlan
from ompc.render.types import TypePrinter


def launch_bounds(kernel: KernelPlan) -> str:
    """The registers that there are for the blocks of either variant; for those of the user's size."""
    if kernel.threads is not None or kernel.blocks is not None:
        return "__launch_bounds__(ompc::Asked().with_copies)"
    asked = "Asked()" if kernel.neighbours is None else "short_bodies"
    return f"__launch_bounds__({kernel.copies[0].exist} ? ompc::{asked}.with_copies : ompc::block_threads)"


def on_copies(kernel: KernelPlan) -> dict[Operation, str]:
    """The operations that are done on copies, with the copies' name."""
    return {operation: copies.name for copies in kernel.copies for operation in copies.operations}


def room_parameter(copies: BlockCopies) -> str:
    """The parameter by which the launcher says how many copies there are."""
    return f"ompc::CopiesRoom {copies.room}"


def declaration(copies: BlockCopies, kernel: KernelPlan, types: TypePrinter) -> str:
    """The copies in the kernel, ready to be accumulated into."""
    others = ", true" if len(kernel.copies) > 1 else ""
    kind = f"ompc::BlockCopies<ompc::{copies.op}, {types.declare(copies.type)}, {copies.exist}{others}>"
    return f"const {kind} {copies.name}({copies.array}, {copies.room});"


def combination(copies: BlockCopies) -> str:
    """The statement that adds them to the array."""
    return f"{copies.name}.combine();"


def launcher_call(copies: BlockCopies, types: TypePrinter) -> str:
    """The launch's function that is told of them."""
    return f"copies<{types.declare(copies.type)}>"
