"""Analysis: can the phases of a loop with `scan` run apart: all input phases of a tile, then all its scan phases?

A kernel runs the input phases of some iterations, combines what they have put in, and runs their scan phases. So:

    values   an iteration hands nothing from one phase to the other but the list items: no variable of its own,
             which OpenMP forbids as well ("intra-iteration dependences", 5.6), and host compilers do not keep
    items    the input phase only accumulates into them, by the operator, and the scan phase only reads them
    threads  all threads of a block come to the end of each phase: no iteration leaves, prints or waits for a lock
    memory   what one phase writes, the other phase of another iteration does not touch: that has to be proved. OpenMP
             forbids it, too, but host compilers run all input phases first, so that it works there. An iteration may
             write what it has read itself (`s += a[i]; scan; a[i] = s`), since its input phase comes first. That is
             about each object by itself; the launcher looks whether different ones overlap

    { c = a[i]; s += c; }
    #pragma omp scan inclusive(s)
    b[i] = s - c;                            OMPC367: c

In: Facts of a loop as its kernel has it (transform/scan_phases.py).   Out: `Phases`, or the reason why not.
Not here: what the directive may say -- omp/scans.py; what accumulates -- reductions/.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.independence import independence
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import goes_elsewhere
from ompc.ir.queries import called_functions, changed_in, declared_in, symbols_in
from ompc.ir.walk import Node, walk
from ompc.omp.model import League
from ompc.sema.as_written import as_written


@dataclass(frozen=True, slots=True, eq=False)
class Phases:
    """`entering`: what an iteration puts in; `seeing`: what it does with the prefix."""

    entering: t.Stmt
    seeing: t.Stmt


def phases_of(body: t.Stmt) -> Phases | None:
    """The two phases of which `body` is made."""
    match body:
        case t.Block(items=(t.Block() as entering, t.Block() as seeing)):
            return Phases(entering, seeing)
        case _:
            return None


def why_not_apart(facts: Facts) -> Reason | None:
    """Why the phases of the loop cannot run apart; None where they can, and where there are none."""
    loop = facts.loop
    if loop.scan is None:
        return None
    phases = phases_of(facts.device_code.body)
    if phases is None:
        return _reason(facts, "stand in code that a kernel has to have around both")
    if (changed := _changed_item(facts, phases.seeing)) is not None:
        message = f"'{changed.name}' is more than read in the scan phase, behind which it is another iteration's"
        return Reason("OMPC344", message, facts.loop.loc)
    if (handed := _handed_on(facts, phases)) is not None:
        return _reason(facts, f"are not apart: the input phase hands `{handed.name}` to the scan phase")
    return _why_threads_leave(facts, phases) or _meeting(facts, phases)


def _reason(facts: Facts, message: str) -> Reason:
    return Reason("OMPC367", f"the phases of its `scan` {message}", facts.loop.loc)


def _handed_on(facts: Facts, phases: Phases) -> t.Symbol | None:
    """A variable of the iteration's own in which a value, or a pointer, may come from one phase to the other."""
    declared = declared_in(phases.entering) & symbols_in(phases.seeing)
    both = symbols_in(phases.entering) & symbols_in(phases.seeing)
    items = {item.symbol for item in facts.loop.reductions}
    found = [symbol for symbol in both - items if facts.is_thread_private(MemoryObject(symbol))]
    exposed, changed = exposed_reads(phases.seeing), changed_in(phases.entering)
    written = {access.obj for access in facts.accesses if access.mode.writes}
    handed = {symbol for symbol in found if symbol in exposed and symbol in changed}
    handed |= {symbol for symbol in found if not _is_plain(symbol) and MemoryObject(symbol) in written}
    return min(declared | handed, key=lambda symbol: symbol.position, default=None)


def _is_plain(symbol: t.Symbol) -> bool:
    """Do assignments to the variable's name tell all that is done to it?"""
    return ty.is_scalar(symbol.type) and not symbol.address_taken


def _why_threads_leave(facts: Facts, phases: Phases) -> Reason | None:
    code, loop = facts.device_code, facts.loop
    if loop.target is not None or loop.league is not League.NONE:
        return _reason(facts, "are of a loop that teams have, for which OpenMP has no `inscan`")
    if code.leaves or code.prints:
        return _reason(facts, "may end the program or print, where the threads of a block wait for each other")
    if goes_elsewhere(phases.entering) or goes_elsewhere(phases.seeing):
        return _reason(facts, "are left by a jump")
    if facts.atomic_operations.arg_reductions or loop.conditional:
        return _reason(facts, "keep a value of some iterations besides")
    if loop.linear:
        return _reason(facts, "count in a `linear` variable")
    if loop.in_order is not None:
        return _reason(facts, f"are of iterations in an order of their own: {loop.in_order}")
    return None


def _changed_item(facts: Facts, seeing: t.Stmt) -> t.Symbol | None:
    """A list item that the scan phase changes, or whose address it takes."""
    inside = set(walk(seeing))
    taken = [node for node in inside if isinstance(node, t.Unary) and node.op == "&"]
    for item in facts.loop.reductions:
        written = any(a.mode.writes and a.node in inside for a in facts.of(MemoryObject(item.symbol)))
        if written or any(item.symbol in symbols_in(node) for node in taken):
            return item.symbol
    return None


def _meeting(facts: Facts, phases: Phases) -> Reason | None:
    """Two accesses by which an input phase and the scan phase of another iteration may touch one element."""
    entering, seeing = _reached(facts, phases.entering), _reached(facts, phases.seeing)
    found = independence(facts)
    for obj in found.rows:
        nodes = {access.node for access in facts.of(obj)}
        if not nodes.isdisjoint(entering) and not nodes.isdisjoint(seeing):
            return _reason(facts, f"may meet in '{obj}', rows that may overlap each other")
    for pair in found.unproved:
        first, second = pair.first.node, pair.second.node
        if (first in entering and second in seeing) or (first in seeing and second in entering):
            places = f"`{as_written(first)}` and `{as_written(second)}`"
            return _reason(facts, f"may meet in {places}, one in each phase: {pair.why}")
    return None


def _reached(facts: Facts, phase: t.Stmt) -> frozenset[Node]:
    """All nodes of the phase, and of what it calls."""
    functions = called_functions(phase, {function.symbol: function for function in facts.device_code.functions})
    return frozenset(walk(phase)).union(*(walk(f.body) for f in functions if f.body is not None))


def entering_accesses(facts: Facts, accesses: Sequence[Access]) -> tuple[Access, ...]:
    """`accesses` without those in the scan phase: of a list item, what has to accumulate."""
    phases = None if facts.loop.scan is None else phases_of(facts.device_code.body)
    inside = frozenset() if phases is None else frozenset(walk(phases.seeing))
    return tuple(access for access in accesses if access.node not in inside)
