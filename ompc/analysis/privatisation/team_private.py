"""Analysis: what becomes, in a kernel, of variables that each thread of the team has a copy of.

One thread launches the kernel for the whole team (OpenMP 5.2, 11.5.1: how iterations are divided among the threads is
the implementation's choice, unless schedule(static) is written), so such a variable must be one of

    only read      passed as it is in the launching thread; the runtime compares the copies of all threads first and
                   leaves the loop to the host when they differ (`lo = omp_get_thread_num() * chunk`)
    scratch        every iteration assigns it before it reads it, and its value is not read after the loop: private
    accumulated    by one operation, and outside the loop only set, and merged by that operation into something shared:
                   a reduction into the launching thread's copy; of an array, element by element, of a struct, member
                   by member

        #pragma omp parallel
        {   double part = 0, t;
            #pragma omp for
            for (...) { t = a[i]; part += t * t; }      t is privatisable, part is accumulated
            #pragma omp critical
            total += part;
        }

Anything else stays on the host (OMPC345).

In: a loop shared by a team, its accesses.   Out: the loop with every TEAM_PRIVATE variable resolved, or a Reason.
Not here: the comparison -- runtime/launch/ompc_team.h; which arguments it covers -- plan/kernel.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.flow.liveness import path_to, read_after
from ompc.analysis.flow.thread_dependence import certainly_apart
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject, element_type
from ompc.analysis.memory.points_to import PointsTo
from ompc.analysis.privatisation.array_privatisation import PrivatisableObjects
from ompc.analysis.privatisation.settled import key_of
from ompc.analysis.reductions.accumulation import other_use
from ompc.analysis.reductions.merging import only_filled, only_merged
from ompc.analysis.reductions.record_merging import Merged, merged_by_members
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declarations_in, is_named_outside, symbols_in, unread_in
from ompc.omp.asked import LeastValue
from ompc.omp.model import ParallelLoop, ReductionItem, Sharing
from ompc.omp.uses import named_in_clauses

_OPERATORS = ("+", "*", "max", "min", "&", "|", "^", "&&", "||")


def resolve(
    loop: ParallelLoop,
    objects: PrivatisableObjects,
    device_code: DeviceCode,
    points_to: PointsTo,
    accesses: Iterable[Access],
) -> ParallelLoop | Reason:
    """`loop` with another attribute for every variable that is TEAM_PRIVATE, or why it stays on the host."""
    found = dict(_Question(loop, objects, device_code, points_to, tuple(accesses)).answers())
    sharing, reductions, agreed = dict(loop.sharing), list(loop.reductions), set[t.Symbol]()
    least = set[LeastValue]()
    inspected = objects.inspected(loop, [symbol for symbol, why in found.items() if isinstance(why, Reason)])
    for symbol, answer in found.items():
        match answer:
            case Reason() if inspected is not None:
                sharing[symbol] = Sharing.PRIVATE
            case Reason():
                return answer
            case Merged(item=item, compared=compared):
                sharing[symbol] = Sharing.REDUCTION
                reductions.append(item)
                agreed |= compared
            case frozenset():
                sharing[symbol] = Sharing.PRIVATE
                least |= answer
            case None:
                sharing[symbol] = Sharing.SHARED
    in_order = tuple(sorted(agreed, key=lambda symbol: symbol.position))
    known = {value.text: value for value in sorted(least, key=lambda value: (value.text, value.number))}
    values = tuple(known.values())  # the greatest number of each
    after = replace(loop, sharing=sharing, reductions=tuple(reductions), agreed=in_order, least=values)
    return after if inspected is None else inspected.of(after)


def of_each_thread(
    loop: ParallelLoop,
    objects: PrivatisableObjects,
    device_code: DeviceCode,
    points_to: PointsTo,
    accesses: Iterable[Access],
) -> frozenset[t.Symbol]:
    """The TEAM_PRIVATE variables of which the kernel needs that of each thread: what the loop only reads, and the code
    of the team gives another value in each of them; what carries a value.
    """
    if loop.team is None:
        return frozenset()
    apart, found = certainly_apart(loop), _Question(loop, objects, device_code, points_to, tuple(accesses)).answers()
    return frozenset(s for s, answer in found if isinstance(answer, Reason) or (answer is None and s in apart))


@dataclass(frozen=True)
class _Question:
    """As of `resolve`."""

    loop: ParallelLoop
    objects: PrivatisableObjects
    device_code: DeviceCode
    points_to: PointsTo
    accesses: tuple[Access, ...]

    def answers(self) -> Iterator[tuple[t.Symbol, frozenset[LeastValue] | Merged | Reason | None]]:
        """Each TEAM_PRIVATE variable with what must be so for it to be an iteration's own, its reduction, or None: the
        loop only reads it; a Reason against all of them.
        """
        for symbol, how in self.loop.sharing.items():
            if how is Sharing.TEAM_PRIVATE:
                yield symbol, self._answer(symbol)

    def _answer(self, symbol: t.Symbol) -> frozenset[LeastValue] | Merged | Reason | None:
        loop, objects = self.loop, self.objects
        if loop.team is None:  # a region of its own, with threadprivate variables
            needed = None if _named_in_bounds(loop, symbol) else _privatisable(loop, objects, symbol)
            message = f"the threadprivate variable `{symbol.name}` is used in the loop"
            return Reason("OMPC309", message, loop.loc) if needed is None else needed
        own = tuple(access for access in self.accesses if access.obj.symbol is symbol and not access.obj.pointee)
        if not any(access.mode.writes for access in own):
            return _not_comparable(symbol, self.accesses)
        if (needed := _privatisable_of_team(loop, objects, symbol)) is not None:
            return needed
        found_by = _accumulated_by(loop, self.device_code, self.points_to, symbol, own) or merged_by_members(
            loop, objects.functions, self.device_code, self.points_to, symbol, own
        )
        if found_by is not None and (not _outlives(symbol) or objects.only_in_region(loop, symbol)):
            return found_by
        if _outlives(symbol):
            return Reason("OMPC309", f"the loop changes the threadprivate variable `{symbol.name}`", own[0].node.loc)
        return _carried(symbol, own)


def _carried(symbol: t.Symbol, own: tuple[Access, ...]) -> Reason:
    at = next(access.node.loc for access in own if access.mode.writes)
    message = f"`{symbol.name}`, private to each thread of the region, carries a value into or out of the loop"
    return Reason("OMPC345", message, at)


def _not_comparable(symbol: t.Symbol, accesses: tuple[Access, ...]) -> Reason | None:
    """Why the threads' copies of a variable that the loop only reads cannot be compared at the launch."""
    if ty.is_variably_modified(symbol.type) and isinstance(symbol.type, ty.Array):
        return Reason("OMPC325", f"each thread of the region has a `{symbol.name}` of variable size", symbol.loc)
    through_pointer = next((a.node.loc for a in accesses if a.obj.pointee and a.mode.writes), None)
    if symbol.address_taken and not isinstance(symbol.type, ty.Array) and through_pointer is not None:
        message = f"a write through a pointer may change `{symbol.name}`, private to each thread of the region"
        return Reason("OMPC345", message, through_pointer)
    return None


# ----------------------------------------------------------------------- scratch


def _privatisable(loop: ParallelLoop, objects: PrivatisableObjects, symbol: t.Symbol) -> frozenset[LeastValue] | None:
    """What must be so for the object to be privatisable, in names that the pragma sees; None: it is not."""
    found = objects.privatisable(loop, symbol)
    if found is None:
        return None
    values: list[LeastValue] = []
    for value in found:
        key = value.place.key
        seen = loop.pragma.scope.get(key if isinstance(key, str) else key.name)
        if seen is None or key_of(seen) != key or not _may_be_named(loop, seen):
            return None
        values.append(LeastValue(value.place.text, value.number))
    return frozenset(values)


def _may_be_named(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """May a line inside the loop's region name the variable? `default(none)` lets it where the loop does."""
    region = loop.team.region if loop.team is not None else None
    default = region.first("default") if region is not None else None
    return default is None or default.kind != "none" or symbol in loop.sharing


def _privatisable_of_team(
    loop: ParallelLoop, objects: PrivatisableObjects, symbol: t.Symbol
) -> frozenset[LeastValue] | None:
    """Does no iteration read what it has not written, and nothing after the loop what the loop has written?"""
    assert loop.team is not None and loop.body is not None
    code = loop.team.code
    if symbol in loop.team.results or unread_in(code) is not None or symbol in named_in_clauses(code, loop.pragma):
        return None
    if _named_in_bounds(loop, symbol):
        return None
    if _is_plain(symbol) and symbol not in exposed_reads(loop.body) and not read_after(code, loop.pragma, symbol):
        return frozenset()
    return frozenset() if _has_no_value_before(loop, symbol) else _privatisable(loop, objects, symbol)


def _is_plain(symbol: t.Symbol) -> bool:
    """Is it one of a block's own variables that nothing but its name changes, and as a whole?"""
    return not symbol.address_taken and not isinstance(symbol.type, ty.Array) and not _outlives(symbol)


def _outlives(symbol: t.Symbol) -> bool:
    """Does each thread keep its own from region to region?"""
    return symbol.threadprivate or symbol.storage is t.Storage.THREAD


def _named_in_bounds(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    bounds = (e for nested in loop.loops for e in (nested.lower, nested.upper, nested.step) if e is not None)
    return any(symbol in symbols_in(bound) for bound in bounds)


def _only_in_loop(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Is the loop the only place of the team's code that names the variable?"""
    assert loop.team is not None
    return not is_named_outside(loop.team.code, loop.pragma, symbol)


def _has_no_value_before(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Is the variable uninitialised when the loop begins, whatever thread comes?

    Then every iteration that can be the first of some thread must write it before it reads it: all of them, unless
    schedule(static, n), or the program itself, keeps iterations together.
    """
    assert loop.team is not None
    if _outlives(symbol) or read_after(loop.team.code, loop.pragma, symbol):
        return False
    declaration = _declaration_in(loop.team.code, symbol)
    starts_undefined = declaration.init is None if declaration is not None else _is_private_by_clause(loop, symbol)
    in_a_loop = any(isinstance(node, (t.For, t.While, t.DoWhile)) for node in path_to(loop.team.code, loop.pragma))
    return starts_undefined and _only_in_loop(loop, symbol) and not in_a_loop and not _keeps_together(loop)


def _declaration_in(code: t.Stmt, symbol: t.Symbol) -> t.VarDecl | None:
    return next((decl for decl in declarations_in(code) if decl.symbol is symbol), None)


def _is_private_by_clause(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    region = loop.team.region if loop.team is not None else None
    return region is not None and any(symbol in clause.symbols for clause in region.all("private"))


def _keeps_together(loop: ParallelLoop) -> bool:
    if loop.is_divided:
        return True  # as the program has divided it
    schedule = loop.directive.first("schedule")
    if schedule is None or schedule.kind != "static" or schedule.expr is None:
        return False
    return constant_value(schedule.expr) != 1


# ------------------------------------------------------------------- accumulated


def _accumulated_by(
    loop: ParallelLoop, device_code: DeviceCode, points_to: PointsTo, symbol: t.Symbol, own: tuple[Access, ...]
) -> Merged | None:
    """The operation of which the loop and the team's other code make nothing but one result for the whole team;
    and the variables on which the threads must agree for that.
    """
    assert loop.team is not None
    element = element_type(MemoryObject(symbol))
    if not ty.is_number(element) or ty.is_variably_modified(symbol.type) or _named_in_bounds(loop, symbol):
        return None
    if symbol.address_taken and not only_filled(loop.team.code, symbol):
        return None
    wanted = loop.team.results.get(symbol)
    operators = _OPERATORS if wanted is None else ("+" if wanted == "-" else wanted,)
    for op in operators:
        if other_use(device_code, points_to, MemoryObject(symbol), op, own) is None:
            compared = only_merged(loop, device_code, symbol, op)
            if compared is not None:
                return Merged(ReductionItem(symbol, op), compared)
    return None
