"""Which inner loops may be axes of the grid, and which have iterations that depend on each other.

    for (i ...) {                             i is an axis
        for (j ...) a[i][j] = i;              an axis, too: no two iterations of (i, j) touch the same element
        for (k ...) s[i] += a[i][k];          in order: iterations may touch the same element of 's': 's[i]' at line 3
        for (l = 0; l < t[i]; l++) ...        no axis, since its bounds are the iteration's own; but in any order

    In: Facts, a loop and those around it.   Out: the first reason against it, in words for people; None: it may.
    Not here: which of the loops become axes -- mapping.py; groups of threads that share a loop -- plan/groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from ompc.analysis.dependence.dependence import conflict, obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.flow.definite_assignment import exposed_reads
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.effective_types import may_be_same
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks, leaves_loop
from ompc.ir.queries import changed_in, declared_in, names_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing
from ompc.sema.as_written import as_written


def why_no_axis(
    facts: Facts, inner: CanonicalLoop, outer: Sequence[CanonicalLoop], accesses: Sequence[Access] | None = None
) -> str | None:
    """The first reason why `inner` cannot be an axis; None when it can. `accesses` are those of its iterations, if
    there are others in those of `outer`.
    """
    if (why_not := _why_in_turn(facts, inner)) is not None:
        return why_not
    for bound in (inner.lower, inner.upper, inner.step):
        if bound is not None and (part := facts.invariance.obstacle(bound)) is not None:
            return _why_not_fixed(facts, part)
    for symbol in _thread_scalars(facts, inner, outer):
        if (why_not := _why_not_private(facts, symbol, inner)) is not None:
            return why_not
    if (why_not := _why_rows_meet(facts)) is not None:
        return why_not
    return obstacle(facts.candidate(inner, outer), _shared(facts, accesses), facts.atomic_operations)


def why_in_order(
    facts: Facts, inner: CanonicalLoop, outer: Sequence[CanonicalLoop], accesses: Sequence[Access]
) -> str | None:
    """The first reason why iterations of `inner` may depend on earlier ones, with what they have in common and where;
    None: whoever comes to the loop may do them in any order. As of why_no_axis otherwise.

    Arrays of the thread's own, from outside of the loop, are what any other array is.
    """
    if (why_not := _why_in_turn(facts, inner)) is not None:
        return why_not
    own = set(_thread_scalars(facts, inner, outer))
    for symbol in sorted(own, key=lambda symbol: symbol.position):
        why_not = _why_not_private(facts, symbol, inner) if ty.is_scalar(symbol.type) else None
        if why_not is not None and (symbol.address_taken or symbol in changed_in(inner.body)):
            return why_not
        if ty.is_scalar(symbol.type) or facts.keeps_nothing(inner.body, symbol):
            own.discard(symbol)
    shared = [a for a in accesses if not facts.is_thread_private(a.obj) or (not a.obj.path and a.obj.symbol in own)]
    found = conflict(facts.candidate(inner, outer), shared, facts.atomic_operations)
    if isinstance(found, tuple):
        first, second = (f"'{as_written(access.node)}' at line {access.node.loc.line}" for access in found)
        with_itself = "" if second == first else f" and {second}"
        return f"iterations may touch the same element of '{found[0].obj}': {first}{with_itself}"
    return found or _why_rows_meet(facts)


def _why_in_turn(facts: Facts, inner: CanonicalLoop) -> str | None:
    if leaves_loop(inner.body) or breaks(inner.body):
        return "it can be left early"
    return "what an iteration prints stays in its order" if facts.device_code.prints else None


def _why_rows_meet(facts: Facts) -> str | None:
    unbounded = rows_without_bounds(facts)
    return None if unbounded is None else f"'{unbounded}' are objects of unknown length, which may overlap"


def _shared(facts: Facts, accesses: Sequence[Access] | None) -> list[Access]:
    own = facts.accesses if accesses is None else accesses
    return [access for access in own if not facts.is_thread_private(access.obj)]


def _why_not_fixed(facts: Facts, part: t.Expr) -> str:
    """Of a part of a bound: it is the thread's own, or a write may change it, or it is no launcher's to evaluate."""
    if any(facts.is_thread_private(MemoryObject(symbol)) for symbol in symbols_in(part)):
        return "its bounds change from one iteration to the next"
    objects = {access.obj for access in facts.at(part)}
    writes = [access for access in facts.accesses if access.mode.writes and not facts.is_thread_private(access.obj)]
    named = (write for write in writes if write.obj in objects)
    others = (write for write in writes if write.obj.pointee and may_be_same(write.node, part))
    change = next(chain(named, others), None) if objects else None
    if change is None:
        return f"'{as_written(part)}' in its bounds is not evaluated before the launch (it is with a collapse clause)"
    line = change.node.loc.line
    return f"line {line} may change '{as_written(part)}' in its bounds (a collapse clause promises that it does not)"


def rows_without_bounds(facts: Facts) -> MemoryObject | None:
    """Written objects behind stored pointers that the launcher cannot prove to be apart from each other."""
    return next((obj for obj in facts.shared_objects if obj in rows_that_may_overlap(facts)), None)


@lru_cache(maxsize=16)
def rows_that_may_overlap(facts: Facts) -> frozenset[MemoryObject]:
    """All of those."""
    stored = [obj for obj in facts.shared_objects if obj.stored and obj in facts.written]
    stored = [obj for obj in stored if not (_is_one_object(facts, obj) or facts.may_meet_itself(obj))]
    return frozenset(obj for obj in stored if facts.footprints.bounding_section(obj) is None)


def _is_one_object(facts: Facts, obj: MemoryObject) -> bool:
    """Is one stored pointer all that leads there: `g->u`, and not `rows[i]`?"""
    outer = [None if access.subscripts is None else access.subscripts[: access.outer] for access in facts.of(obj)]
    places = {None if held is None else tuple(map(constant_value, held)) for held in outer}
    return len(places) == 1 and all(place is not None and None not in place for place in places)


def _thread_scalars(facts: Facts, inner: CanonicalLoop, outer: Sequence[CanonicalLoop]) -> list[t.Symbol]:
    """The thread's own variables that the body of `inner` names and that outlive one of its iterations."""
    declared = declared_in(inner.body)
    named = names_in(inner.body)
    counters = {loop.var for loop in outer} | {inner.var}
    return [
        symbol
        for symbol in named
        if symbol not in declared
        and symbol not in counters
        and not isinstance(symbol.type, ty.Function)
        and facts.is_thread_private(MemoryObject(symbol))
    ]


def _why_not_private(facts: Facts, symbol: t.Symbol, inner: CanonicalLoop) -> str | None:
    found = facts.of(MemoryObject(symbol))
    if not any(access.mode.writes for access in found) and not symbol.address_taken:
        return None
    if facts.loop.sharing.get(symbol) is Sharing.REDUCTION:
        return None  # only accumulated into, or the loop would not be here (plan/parameters/classification.py)
    if not ty.is_scalar(symbol.type) or symbol.address_taken:
        kept = facts.loop.sharing.get(symbol, Sharing.PRIVATE) is not Sharing.PRIVATE or not facts.keeps_nothing(
            inner.body, symbol
        )
        return f"its iterations share '{symbol.name}'" if kept else None
    if symbol in exposed_reads(inner.body):
        if symbol not in changed_in(inner.body) and not symbol.address_taken:
            return f"it needs '{symbol.name}', which an iteration of the loop around it computes first"
        element = _carried_element(inner, symbol)
        if element is not None:
            return f"an iteration uses '{as_written(element)}' of an earlier one (line {element.loc.line})"
        return f"'{symbol.name}' carries a value from one iteration to the next"
    return None


def _carried_element(inner: CanonicalLoop, symbol: t.Symbol) -> t.Expr | None:
    """What the loop stores of the variables that a rewrite has put in the place of elements (carried_elements.py)."""
    if symbol.position >= 0:  # the user's
        return None
    held = {symbol}
    made = [node for node in walk(inner.statement) if isinstance(node, t.Assign) and isinstance(node.value, t.Name)]
    for node in made:  # what moves on: each place of a window gets what the next one has, in this order
        if isinstance(node.target, t.Name) and node.target.symbol in held and isinstance(node.value, t.Name):
            held.add(node.value.symbol)
    return next((n.target for n in made if not isinstance(n.target, t.Name) and symbols_in(n.value) & held), None)
