"""May a loop without a pragma be a kernel? It promises nothing, so all that others promise is to be proved.

    for (j = 0; j < m; j++) x[0][j] = x[1][j];      yes
    for (j = 1; j < m; j++) x[j] += x[j - 1];       no: iterations depend on earlier ones
    for (j = 0; j < *p; j++) x[j] = 0;              no: `*p` may be an element of x
    for (j = 0; j < m; j++) ...   f(j);             no: `j` is read behind the loop

    In: the facts of a loop that was added.   Out: yes or no.
    Not here: which loops are asked about -- omp/without_pragma/added_loops.py; where they run -- the runtime.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import called, reached, statements_in
from ompc.omp.constructs import is_openmps
from ompc.omp.model import ParallelLoop
from ompc.plan.mapping.mapping import Kernel, unproved


def may_be_kernel(facts: Facts, functions: Mapping[str, t.Function]) -> bool:
    """Can nothing tell the loop, which stands in one of the program's `functions`, from a kernel?"""
    loop, function = facts.loop, functions[facts.loop.function]
    assert function.body is not None and loop.pragma.body is not None
    if any(_asks_for_team(code) for code in reached(loop.pragma.body, functions)) or _is_heard(facts):
        return False
    if facts.function_symbols or _is_read_behind(loop, function.body) or not _has_fixed_bounds(facts):
        return False  # what called functions name of the file is not known to be visible at the loop
    return any(map(_is_large, facts.shared_objects)) and unproved(facts) is None


def between_launches(kernels: Mapping[ParallelLoop, Kernel | Reason]) -> dict[ParallelLoop, Kernel | Reason]:
    """Those of the program's own loops, and those of added ones if any of its own is launched. Loops that threads
    divide are its own.
    """
    launches = any(isinstance(kernel, Kernel) for loop, kernel in kernels.items() if not loop.is_added)
    return {loop: kernel for loop, kernel in kernels.items() if launches or not loop.is_added}


def _asks_for_team(code: t.Stmt) -> bool:
    """Does it say or ask anything about threads? That means something else in a team."""
    if any(isinstance(statement, t.Pragma) and is_openmps(statement) for statement in statements_in(code)):
        return True
    return any(name.startswith("omp_") for name in called(code))


def _is_heard(facts: Facts) -> bool:
    """Does it print, or may it end the program? Then the host would wait for it."""
    return any(isinstance(node, (t.Print, t.Leave)) for node in facts.device_code.nodes)


def _is_read_behind(loop: ParallelLoop, body: t.Stmt) -> bool:
    """Does the function with this body read a loop variable behind the loop?"""
    return any(not each.declared_here and read_after(body, loop.pragma, each.var) for each in loop.loops)


def _has_fixed_bounds(facts: Facts) -> bool:
    """Are there as many iterations as the launcher counts?"""
    return all(map(facts.has_fixed_bounds, facts.loop.loops))


def _is_large(obj: MemoryObject) -> bool:
    """Is it more than a scalar, whose value a launch is given?"""
    return obj.pointee or not ty.is_scalar(obj.symbol.type)
