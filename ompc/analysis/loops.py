"""Analysis: the facts of all loops of a file, each as it can be a kernel.

Where the loop cannot be one as it is, it may be one without branches for the host (transform/unswitching.py). Where the
threads of its team have other values of a variable, the kernel has those of each of them, if its iterations are proved
to be independent then (transform/threads/thread_copies.py):

    what is only read   the region's code makes another value of it for each thread, by its number or by allocation
    what carries values from one iteration of a thread to the next: nothing else stands for it (team_private.py)

No pointer of the kernel's may lead to such a variable: what is there would not be what the table has.

In: the loops as kernels have them, the program.   Out: Facts of each, or the Reason why it stays on the host.
Not here: the facts -- facts.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ompc.analysis.eligibility.device_code import device_code
from ompc.analysis.eligibility.team_waiting import WaitingTeams
from ompc.analysis.facts import Facts, gather
from ompc.analysis.floats.compared_objects import ComparedObjects
from ompc.analysis.independence import Pair, independence
from ompc.analysis.integers.integer_sets import begin_file
from ompc.analysis.memory.accesses import accesses
from ompc.analysis.memory.points_to import PointsTo, Unresolved
from ompc.analysis.privatisation.array_privatisation import PrivatisableObjects
from ompc.analysis.privatisation.team_private import of_each_thread
from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.analysis.reductions.merging import only_filled
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.omp.model import ParallelLoop, Sharing
from ompc.transform import Kernels
from ompc.transform.threads.ordered_counters import InPhases, with_counters_in_phases
from ompc.transform.threads.thread_copies import with_thread_copies
from ompc.transform.unswitching import unswitched


def analyse_loops(
    unit: t.Unit, kernels: Kernels, others: Sequence[t.Unit] = (), program: WholeProgram | None = None
) -> dict[ParallelLoop, Facts | Reason]:
    """The facts of every loop of the program, as its kernel has it, or the first reason why it stays on the host: its
    directive's, or its code's. `others` are the program's other units; `program` is all of it, if there is no more.
    """
    if not kernels.loops:
        return {}
    begin_file()
    objects = PrivatisableObjects(unit, program)
    sums = [item.symbol for loop in kernels.loops for item in loop.reductions if item.op in ("+", "-")]
    compared = ComparedObjects(kernels.unit, sums)
    teams = WaitingTeams(unit, others)
    found: dict[ParallelLoop, Facts | Reason] = {}
    for loop, of_kernel in kernels.loops.items():
        facts = loop.host or teams.why(loop) or _gather_somehow(of_kernel, kernels.unit, objects)
        if isinstance(facts, Facts):
            facts = replace(facts, compared=compared.has, tested=compared.is_in_tested_sum)
        found[loop] = facts
    return found


def _gather_somehow(loop: ParallelLoop, unit: t.Unit, objects: PrivatisableObjects) -> Facts | Reason:
    """The facts of the loop, or of what can be a kernel in its place."""

    def gathered(rest: ParallelLoop, functions: Mapping[str, t.Function]) -> Facts | None:
        found = gather(rest, replace(unit, functions=functions), objects)
        return found if isinstance(found, Facts) else None

    facts = gather(loop, unit, objects)
    if isinstance(facts, Facts) and facts.loop.inspected:
        return facts  # iterations have their own, which is more than each thread
    if isinstance(facts, Facts) or facts.code in ("OMPC345", "OMPC309"):
        facts = _with_thread_copies(loop, unit, objects) or facts
    if isinstance(facts, Facts):
        return facts
    return unswitched(loop, unit.functions, gathered, lambda found, symbol: found.is_only_read(symbol)) or facts


# ----------------------------------------------------------------------------------- tables of each thread's variables


def _with_thread_copies(loop: ParallelLoop, unit: t.Unit, objects: PrivatisableObjects) -> Facts | None:
    """The facts of the loop with tables of what its threads have, where it needs them; None: they are of no use."""
    if loop.team is None or loop.is_divided or Sharing.TEAM_PRIVATE not in loop.sharing.values():
        return None  # of a divided loop no schedule says which thread has an iteration
    code = device_code(loop, unit)
    if isinstance(code, Reason):
        return None
    try:
        points_to = PointsTo(code)
        apart = of_each_thread(loop, objects, code, points_to, accesses(code, points_to))
    except Unresolved:
        return None
    after = with_thread_copies(loop, apart) if apart else None
    found = gather(after, unit, objects) if after is not None else None
    if not isinstance(found, Facts) or not _are_tables(found):
        return None
    unproved = independence(found).unproved
    return _in_phases(found, unit, objects, unproved) if unproved else found


def _in_phases(facts: Facts, unit: t.Unit, objects: PrivatisableObjects, unproved: Sequence[Pair]) -> Facts | None:
    """The facts of the loop in phases, where iterations are independent but for a counter, and for what is stored at
    the places that it gives; None: it has no such counter.
    """
    made = with_counters_in_phases(facts.loop)
    found = gather(made.loop, unit, objects) if made is not None and _is_alone(facts, made, unproved) else None
    return found if isinstance(found, Facts) else None


def _is_alone(facts: Facts, made: InPhases, unproved: Sequence[Pair]) -> bool:
    """Does the loop change nothing but the counter and what it stores at places, and is the rest independent?"""
    at = {access.obj for access in facts.accesses if access.node in made.stores}
    counters = {access.obj for access in facts.accesses if access.node is made.counter}
    others = [a for a in facts.accesses if a.obj in at and a.node not in made.stores]
    written = {obj for obj in facts.written if not facts.is_thread_private(obj)}
    changed = {obj.symbol for obj in facts.written}
    kept = any(symbol in changed for symbol, how in facts.loop.sharing.items() if how in _KEPT)
    says = facts.device_code.prints or facts.device_code.leaves  # that would be twice
    if others or kept or says or any(obj.stored for obj in at) or not written <= at | counters:
        return False
    return all({pair.first.obj, pair.second.obj} <= at | counters for pair in unproved)


_KEPT = frozenset(how for how in Sharing if how not in (Sharing.PRIVATE, Sharing.SHARED))


def _are_tables(facts: Facts) -> bool:
    """Does nothing but the tables lead to what the kernel should find in them?"""
    copied = facts.loop.thread_copies
    named = facts.function_symbols | {access.obj.symbol for access in facts.accesses}
    return named.isdisjoint(copied.values()) and all(_is_table(facts, *each) for each in copied.items())


def _is_table(facts: Facts, table: t.Symbol, variable: t.Symbol) -> bool:
    assert facts.loop.team is not None
    taken = variable.address_taken and not only_filled(facts.loop.team.code, variable)
    hidden = variable.is_automatic or variable.storage in (t.Storage.FILE_STATIC, t.Storage.LOCAL_STATIC)
    if hidden and not taken:
        return True
    writes = any(obj.symbol is table and not obj.stored for obj in facts.written)
    copied = facts.loop.thread_copies
    others = [a for a in facts.accesses if a.obj.pointee and (a.obj.stored or a.obj.symbol not in copied)]
    return not any(writes or access.mode.writes for access in others)

