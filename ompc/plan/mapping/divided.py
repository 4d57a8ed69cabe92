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

    In: the facts of such a loop, or why there are none.   Out: the same, or why it may not.
    Not here: which loops are asked about -- without_pragma/divided_loops.py; whether the parts are one range --
    ompc_team.h.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.flow.liveness import read_after
from ompc.analysis.flow.thread_dependence import all_come, computed_apart, differ
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import called, reached, statements_in, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.omp.model import Divided, ParallelLoop, Sharing
from ompc.omp.without_pragma.divided_loops import is_quiet
from ompc.plan.mapping.kept_bounds import changed_part
from ompc.plan.mapping.mapping import unproved
from ompc.sema.as_written import as_written
from ompc.transform.thread_numbers import is_question


def kernel_or_why(
    loop: ParallelLoop, known: Facts | Reason, functions: Mapping[str, t.Function]
) -> Facts | Reason | None:
    """`known`, if one launch for all threads does what each of them does, else why each thread runs its own part; None:
    all threads run the whole loop. `functions`: of the program.
    """
    if isinstance(known, Reason):
        return known
    found, own = known.loop, known.loop.loops[0]
    if found.divided is None or not differ(found, [known.loop.fixed[s].value for s in _bounds(found.divided)]):
        return None
    code, body = _body(loop.pragma), functions[loop.function].body
    assert body is not None
    parts = list(reached(code, functions))
    asked = next((name for part in parts for name in called(part) if name.startswith("omp_")), None)
    if asked is not None:
        return Reason("OMPC339", f"calls '{asked}', whose answer is another one in each thread", code.loc)
    pragmas = (node for part in parts for node in statements_in(part) if isinstance(node, t.Pragma))
    if (loud := next((each for each in pragmas if not is_quiet(each)), None)) is not None:
        message = f"`{loud.directive.name}` in its code is about the team, of which each thread has other iterations"
        return Reason("OMPC339", message, loud.loc)
    if not own.declared_here and read_after(body, loop.pragma, own.var):
        return Reason("OMPC345", f"`{own.var.name}` is read behind the loop, as each thread has it", loop.loc)
    if not all_come(found):
        return Reason("OMPC339", "perhaps not all threads of its region come to the loop", loop.loc)
    if (symbol := _what_differs(found, code)) is not None:
        return Reason("OMPC339", f"`{symbol.name}` is another one in each thread", code.loc)
    if found.asked:
        words = " and ".join(each.words for each in found.asked)
        return Reason("OMPC339", f"each thread would ask for itself whether {words}", loop.loc)
    return unproved(known) or known


def changed_bounds(facts: Facts, strict_aliasing: bool) -> Reason | None:
    """Why the bounds of a thread's part may change while the launch runs, which it finds once: no directive promises
    that they do not. Of any other loop nothing is said.
    """
    divided = facts.loop.divided
    if divided is None:
        return None
    first, end = (_without_questions(facts.loop.fixed[bound].value) for bound in _bounds(divided))
    turns = None if divided.turns is None else _without_questions(divided.turns)
    part = changed_part(facts, (first, end, turns), strict_aliasing)
    words = "" if part is None else f"the loop may change `{as_written(part)}` in its bounds"
    return None if part is None else Reason("OMPC312", words, part.loc)


def _without_questions(bound: t.Expr) -> t.Expr:
    """The bound with a number in the place of questions about the thread, which get the same answer each time."""
    return rewritten(bound, lambda node: t.IntConst(ty.INT, node.loc, 0, "0") if is_question(node) else None)


def _bounds(divided: Divided) -> tuple[t.Symbol, t.Symbol]:
    return divided.first, divided.end


def _what_differs(loop: ParallelLoop, code: t.Stmt) -> t.Symbol | None:
    """What is certainly another value in each thread, and used by an iteration: it would be compared in vain."""
    used = {symbol for symbol, how in loop.sharing.items() if how is Sharing.SHARED} & symbols_in(code)
    return next(iter(sorted(computed_apart(loop) & used, key=lambda symbol: symbol.position)), None)


def _body(pragma: t.Pragma) -> t.Stmt:
    """What an iteration does, as the program has it."""
    assert isinstance(pragma.body, t.For)
    return pragma.body.body
