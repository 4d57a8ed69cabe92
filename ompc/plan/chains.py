"""Plan: which chains (analysis/chains.py) become launches of one block.

    all loops are shared      by the threads of the block: none of them is one thread's alone
    all is counted            how often it comes to a loop, and about how much it does, are known when it is launched

A chain that is a `for` statement of the host's has a line of its own above that, and one of loops that follow each
other is asked for above the first of them, as a fused loop is. The loops keep their own kernels and launchers.

    In: the plans of a file's loops.   Out: the same, without the chains that are none; those of runs as `fusion`.
    Not here: whether a launch is one block's -- the runtime (ompc_cost_model.h).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.analysis.locality.work import entries_of_loops
from ompc.ir import types as ty
from ompc.omp.model import ParallelLoop
from ompc.plan.groups.lanes import has_loops_alone
from ompc.plan.model.plan import ChainPlan, Fusion, RegionPlan
from ompc.plan.model.variable import Role

DIRECTIVE = "chain of loops"
"""What a chain of loops that follow each other is called where other regions have a directive."""


def with_chains(decided: Mapping[ParallelLoop, RegionPlan]) -> dict[ParallelLoop, RegionPlan]:
    """The plans of the loops, and of the chains that are asked for at a place of their own."""
    found = {loop: region for loop, region in decided.items() if not loop.chain}
    for loop, region in decided.items():
        by_pragma = {part.pragma: part for part in found}
        parts = [by_pragma[part.pragma] for part in loop.chain if part.pragma in by_pragma]
        regions = {part: found[part] for part in parts}
        chain = _chain(region, tuple(regions.values())) if loop.chain and len(regions) == len(loop.chain) else None
        if chain is None:
            continue
        if chain.is_around:
            found[loop] = replace(region, loops=tuple(regions), chain=chain)
        elif all(known.fusion is None for known in regions.values()):
            made = replace(region, directive=DIRECTIVE, loops=tuple(regions), chain=chain)
            found |= {part: replace(known, fusion=Fusion(made, 0)) for part, known in regions.items()}
    return found


def _chain(region: RegionPlan, parts: tuple[RegionPlan, ...]) -> ChainPlan | None:
    kernel, facts = region.kernel, region.facts
    if kernel is None or facts is None or kernel.work is None or not all(part.on_device for part in parts):
        return None
    if any(part.version is not None or part.waits or part.call_condition is not None for part in parts):
        return None
    if region.call_condition is not None or kernel.registers or kernel.tuned or kernel.messages or kernel.prints:
        return None
    sharing = [schedule.lanes for schedule in kernel.schedules if schedule.lanes is not None]
    if not sharing or any(has_loops_alone(facts, lanes) for lanes in sharing):
        return None
    entries = entries_of_loops(facts, kernel.body)
    if entries is None or not entries.factors <= _by_value(region):
        return None
    loops = [part for part in parts if not part.loop.is_statement]
    waits = sum(bool(part.loop.reductions) for part in loops)
    return ChainPlan(entries, len(parts) / len(loops), waits / len(loops), _is_around(region.loop))


def _by_value(region: RegionPlan) -> frozenset[object]:
    values = (v for v in region.variables if v.role in (Role.VALUE, Role.FIRSTPRIVATE))
    return frozenset(v.symbol for v in values if not isinstance(v.symbol.type, ty.Array))


def _is_around(chain: ParallelLoop) -> bool:
    """Is its text one `for` statement around its loops?"""
    return chain.line not in {part.line for part in chain.chain}
