"""May a loop that the threads of a team divide themselves be a kernel over the parts of all of them?

    #pragma omp parallel
    {
        begin = ...; end = ...;                               of each thread
        if (n > 0)                                            all threads come to the loop, or none
            for (i = begin; i < end; i++) y[i] += x[i];       yes
        for (i = begin; i < end; i++) w[me] += x[i];          no: `me` is another one in each thread
        if (me != 0)
            for (i = begin; i < end; i++) z[i] = 0;           no: some threads do not come
    }

A launch does what the threads do at the loop; they come to it as often, since all that decides whether they do is the
same for them. None waits there for what another one does behind the loop (OMPC364, OMPC457), as none may with
`nowait`. What one thread's iterations do to another one's is a race of the program's, so that it does nothing; that its
own iterations are independent is proved here, of the whole range.

    In: the facts of such a loop.   Out: yes or no.
    Not here: which loops are asked about -- without_pragma/divided_loops.py; whether parts are one range -- ompc_team.h.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.flow.thread_dependence import all_come, certainly_apart, differ
from ompc.ir import tree as t
from ompc.ir.queries import called, reached, symbols_in
from ompc.omp.model import ParallelLoop, Sharing
from ompc.plan.mapping.mapping import unproved


def may_be_launched_for_all(facts: Facts, body: t.Stmt, functions: Mapping[str, t.Function]) -> bool:
    """Does one launch for all threads do what each of them does? `body`: of the function, one of `functions`."""
    loop = facts.loop
    if loop.team is None or loop.divided is None or loop.asked or facts.function_symbols:
        return False
    if any(name.startswith("omp_") for code in reached(_body(loop.pragma), functions) for name in called(code)):
        return False
    if _is_read_behind(loop, body):
        return False
    parts = [read.value for symbol, read in loop.fixed.items() if symbol in (loop.divided.first, loop.divided.end)]
    if not differ(loop, parts) or not all_come(loop):
        return False
    if _uses_what_differs(loop):
        return False
    return all(map(facts.has_fixed_bounds, loop.loops)) and unproved(facts) is None


def _is_read_behind(loop: ParallelLoop, body: t.Stmt) -> bool:
    """Does the function with this body read the counter behind the loop?"""
    own = loop.loops[0]
    return not own.declared_here and read_after(body, loop.pragma, own.var)


def _uses_what_differs(loop: ParallelLoop) -> bool:
    """Does an iteration use what is certainly another value in each thread? It would be compared in vain."""
    used = {symbol for symbol, how in loop.sharing.items() if how is Sharing.SHARED}
    return not certainly_apart(loop).isdisjoint(used & symbols_in(_body(loop.pragma)))


def _body(pragma: t.Pragma) -> t.Stmt:
    """What an iteration does, as the program has it."""
    assert isinstance(pragma.body, t.For)
    return pragma.body.body
