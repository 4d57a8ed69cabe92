"""Analysis: iterations that wait for one another, which never ends where the others cannot run meanwhile.

    while (flag[i - 1] == 0) { #pragma omp flush }          a spin loop
    while (!ready) { #pragma omp atomic read  seen = done;  ready = seen; }
    omp_set_lock(&lock);                                     a lock
    do { old = x; new = f(old); compare and swap } while (!done);    lock-free, but a retry all the same

A loop waits when nothing of its own can end it: what its exits depend on, through the thread's own variables, is
shared data that the loop does not change, or changes only by atomic operations that may fail. A counter among
it, or a pointer that moves on, ends it sooner or later.

    In: DeviceCode, accesses, the atomic operations.   Out: the first Reason (OMPC349), or None.
    Not here: directives that order iterations (`ordered`, OMPC313).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.reductions.atomic_operations import AtomicOperations
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.loop_ends import LoopEnd


def waiting(
    device_code: DeviceCode,
    accesses: Sequence[Access],
    atomic_operations: AtomicOperations,
    is_private: Callable[[MemoryObject], bool],
) -> Reason | None:
    """Why iterations of the loop may wait for one another."""
    shared = [access for access in accesses if not is_private(access.obj)]
    written = {access.obj for access in shared if access.mode.writes}
    changing = [access for access in shared if access.obj in written]
    functions = {function.name: function for function in device_code.functions}
    for node in device_code.nodes:
        if isinstance(node, t.Goto) and atomic_operations.forms.operations:
            return Reason("OMPC349", "jumps by goto between atomic operations, and may so wait for others", node.loc)
        if isinstance(node, (t.While, t.DoWhile, t.For)) and _waits(
            LoopEnd(node, functions), changing, atomic_operations
        ):
            return Reason("OMPC349", "a loop in it waits for what other iterations do", node.loc)
    return None


def _waits(end: LoopEnd, changing: Sequence[Access], atomic_operations: AtomicOperations) -> bool:
    """Does the end of the loop depend on nothing but shared data that others change?"""
    here = [access for access in changing if access.node in end.nodes]
    if not here or any(map(end.moves_on, end.names)):
        return False
    moved = {access.obj for access in changing if access.mode.writes and access.node in end.inside}
    retries = any(atomic_operations.operation(access) for access in here)
    return retries or not any(access.obj in moved for access in here)
