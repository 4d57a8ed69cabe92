"""Privatised histograms (plan/forms/histograms.py), in the kernel and its launcher.

    ompc::AccumulatorMemory count_room                                                 a parameter
    const ompc::BlockAccumulators<ompc::Sum, int, copies> count_copies(count, count_room);        at the top
    count_copies.combine();                                                     at the end
    auto d_count_copies = launch.copies<int>(d_count);                          in the launcher

The kernel is a template over whether there are any.

In: BlockAccumulators, a TypePrinter.   Out: lines without line ends.
Not here: the operations -- operations.py.
"""

from __future__ import annotations

from ompc.analysis.reductions.operations import Operation
from ompc.plan.model.launch import BlockAccumulators
from ompc.plan.model.plan import KernelPlan
from ompc.render.code.types import TypePrinter


def launch_bounds(kernel: KernelPlan) -> str:
    """The registers that there are for the blocks of either variant; for those of the user's size."""
    if kernel.threads is not None or kernel.blocks is not None:
        return "__launch_bounds__(ompc::Asked().with_accumulators)"
    asked = "Asked()" if kernel.coarsened is None else "short_bodies"
    return f"__launch_bounds__({kernel.accumulators[0].exist} ? ompc::{asked}.with_accumulators : ompc::block_threads)"


def on_accumulators(kernel: KernelPlan) -> dict[Operation, str]:
    """The operations that are done on copies, with the copies' name."""
    return {
        operation: accumulators.name for accumulators in kernel.accumulators for operation in accumulators.operations
    }


def room_parameter(accumulators: BlockAccumulators) -> str:
    """The parameter by which the launcher says how many copies there are."""
    return f"ompc::AccumulatorMemory {accumulators.room}"


def declaration(accumulators: BlockAccumulators, kernel: KernelPlan, types: TypePrinter) -> str:
    """The copies in the kernel, ready to be accumulated into."""
    others = ", true" if len(kernel.accumulators) > 1 else ""
    element = types.declare(accumulators.type)
    kind = f"ompc::BlockAccumulators<ompc::{accumulators.op}, {element}, {accumulators.exist}{others}>"
    return f"const {kind} {accumulators.name}({accumulators.array}, {accumulators.room});"


def combination(accumulators: BlockAccumulators) -> str:
    """The statement that adds them to the array."""
    return f"{accumulators.name}.combine();"


def launcher_call(accumulators: BlockAccumulators, types: TypePrinter) -> str:
    """The launch's function that is told of them."""
    return f"copies<{types.declare(accumulators.type)}>"
