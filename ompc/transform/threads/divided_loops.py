"""A loop that the threads of a team divide themselves, as its kernel has it: over the range of all of their parts.

    for (i = begin; i < end; i++) ...                 for (i = first; i < end; i++) ...
    for (j = me; j < n; j += threads) ...             for (j = first; j < end; j++) ...

`first` and `end` are what each thread passes as the bounds of its part; the runtime puts those of the whole range in
their place, if the parts are that (runtime/launch/ompc_team.h).

    In: a loop.   Out: the same over the whole range (`ParallelLoop.divided`); itself if its threads do not divide it.
    Not here: which loops those are -- omp/without_pragma/divided_loops.py.
"""

from __future__ import annotations

from dataclasses import replace

from ompc.ir import types as ty
from ompc.omp.model import Divided, ParallelLoop
from ompc.omp.without_pragma.divided_loops import takes_turns
from ompc.transform.kernel_variables import KernelVariables

_WHOLE = "of the parts of all threads together"


def with_whole_range(loop: ParallelLoop) -> ParallelLoop:
    """`loop` with bounds that the launcher finds."""
    if not loop.is_divided or loop.team is None or loop.body is None or not loop.loops:
        return loop
    own, variables = loop.loops[0], KernelVariables(loop, loop.loc)
    kind = ty.unqualified(own.type)
    first = variables.given("first", own.lower, _WHOLE, kind)
    end = variables.given("end", own.upper, _WHOLE, ty.unqualified(own.upper.type))
    turns = own.step if takes_turns(own, loop.team.private) else None
    whole = replace(own, lower=variables.named(first), upper=variables.named(end))
    if turns is not None:
        whole = replace(whole, step=None, constant_step=1)
    found = replace(variables.with_body(loop.body), divided=Divided(first, end, turns))
    return replace(found, loops=(replace(whole, body=found.loops[0].body), *found.loops[1:]))
