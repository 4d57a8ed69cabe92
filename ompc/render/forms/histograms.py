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
from ompc.plan.model.names import Name
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import Schedule
from ompc.render.code.types import TypePrinter


def launch_bounds(kernel: KernelPlan, schedule: Schedule) -> str:
    """The registers that there are for the blocks of either variant; for those of the user's size."""
    if kernel.threads is not None or kernel.blocks is not None:
        return "__launch_bounds__(ompc::Asked().with_accumulators)"
    asked = "Asked()" if schedule.form is None else "short_bodies"
    exist = schedule.accumulators[0].exist
    return f"__launch_bounds__({exist} ? ompc::{asked}.with_accumulators : ompc::block_threads)"


def on_accumulators(schedule: Schedule) -> dict[Operation, Name]:
    """The operations that are done on copies, with the copies' name."""
    return {
        operation: accumulators.name for accumulators in schedule.accumulators for operation in accumulators.operations
    }


def room_parameter(accumulators: BlockAccumulators) -> str:
    """The parameter by which the launcher says how many copies there are."""
    return f"ompc::AccumulatorMemory {accumulators.room}"


def declaration(accumulators: BlockAccumulators, several: bool, types: TypePrinter) -> str:
    """The copies in the kernel, ready to be accumulated into; `several`: of other arrays, too."""
    others = ", true" if several else ""
    element = types.declare(accumulators.type)
    kind = f"ompc::BlockAccumulators<ompc::{accumulators.op}, {element}, {accumulators.exist}{others}>"
    return f"const {kind} {accumulators.name}({accumulators.array}, {accumulators.room});"


def combination(accumulators: BlockAccumulators) -> str:
    """The statement that adds them to the array."""
    return f"{accumulators.name}.combine();"


def launcher_call(accumulators: BlockAccumulators, types: TypePrinter) -> str:
    """The launch's function that is told of them."""
    return f"copies<{types.declare(accumulators.type)}>"
