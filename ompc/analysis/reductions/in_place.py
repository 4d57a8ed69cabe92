"""Analysis: array reductions whose iterations accumulate into the original array (Sharing.SHARED_REDUCTION).

    #pragma omp parallel for reduction(+ : h[0:bins])
    for (...) h[key[i]]++;                                  one atomic operation on h[key[i]]

The original values take part in a reduction's result anyway, so accumulating into them gives the same, in an order that
is not fixed. Each accumulation must be an operation that the device has, whose order leaves no trace but in last bits,
in the loop's own body. `&&` and `||` are not here: they would also make 0 or 1 of elements that no iteration touches.

    In: DeviceCode, PointsTo.   Out: what the accumulations become, or the Reason (OMPC350).
    Not here: that the loop does nothing else with the array -- plan/parameters/classification.py asks accumulation.py.
    Source: OpenMP 5.2, 5.5.
"""

from __future__ import annotations

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.analysis.memory.points_to import PointsTo
from ompc.analysis.reductions.accumulation import Accumulation, accumulations_into
from ompc.analysis.reductions.atomics import Forms, unsuitable
from ompc.analysis.reductions.operations import Operation, selection, update
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import ReductionItem, Sharing

_LOGICAL = ("&&", "||")


def reduced_object(item: ReductionItem) -> MemoryObject:
    """The object that a reduction item names: the variable, or what a pointer points to."""
    return MemoryObject(item.symbol, (PLAIN,) if isinstance(item.symbol.type, ty.Pointer) else ())


def accumulated_in_place(device_code: DeviceCode, points_to: PointsTo) -> Forms | Reason:
    """The operations of all reductions of the loop that have no copies."""
    forms = Forms()
    for item in device_code.loop.reductions:
        if device_code.loop.sharing[item.symbol] is Sharing.SHARED_REDUCTION:
            found = _operations(item, device_code, points_to)
            if isinstance(found, Reason):
                return found
            forms |= found
    return forms


def _operations(item: ReductionItem, device_code: DeviceCode, points_to: PointsTo) -> Forms | Reason:
    why = "which has more elements than each thread can have copies of"
    if item.declared is not None or item.op in _LOGICAL:
        return Reason("OMPC350", f"the reduction '{item.op}' of the array '{item.symbol.name}', {why}", item.symbol.loc)
    in_body = set(walk(device_code.body))
    forms = Forms()
    for found in accumulations_into(device_code, points_to, reduced_object(item), item.op):
        operation = _operation(found)
        if operation is None or operation.group is None or unsuitable(operation) or found.node not in in_body:
            where = "" if found.node in in_body else ", in a called function"
            message = f"an accumulation into '{item.symbol.name}' that is no atomic operation{where}"
            return Reason("OMPC350", message, found.node.loc)
        forms |= (
            Forms(statements={found.node: operation})
            if isinstance(found.node, t.If)
            else Forms({found.node: operation})
        )
    return forms


def _operation(found: Accumulation) -> Operation | None:
    if isinstance(found.node, t.If):
        return selection(found.node)
    return update(found.node) or selection(found.node)
