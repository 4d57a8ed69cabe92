"""Plan: on what it rests that a loop's iterations may run at the same time: proofs, the launcher's looks, the pragma.

    for (i...) u[i] = v[i];             proved, where u and v are two declared arrays
    for (i...) p[i] = q[i];             proved, if p and q do not overlap: the launcher compares them (OMPC453)
    for (i...) u[idx[i]] += v[i];       promised by the pragma: two iterations may add to the same element

PROVED needs nothing else; PROMISED is everything between that and a loop on the host, and says what is promised and
what is checked. That two pointers lead to different objects is known where the whole program is seen, and every
address that one of them can have belongs to other objects than those of the other one (analysis/host/host_pointers.py).

    In: the plan, Facts, HostProgram.   Out: Guarantees of every loop on the device, by its id.
    Not here: the subscripts -- analysis/independence.py; the comparison itself -- runtime/memory/ompc_ranges.h.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from itertools import combinations

from ompc.analysis.facts import Facts
from ompc.analysis.flow.thread_dependence import of_one_thread
from ompc.analysis.host.host_objects import Block, Object
from ompc.analysis.host.host_objects import Variable as HostVariable
from ompc.analysis.independence import Independence, Pair, independence
from ompc.analysis.memory.accesses import Access
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.omp.model import ParallelLoop
from ompc.plan.model.extent import BlockExtent, BoundingExtent, ExpandedExtent, ValueExtent
from ompc.plan.model.launch import Agreement
from ompc.plan.model.plan import Plan, RegionPlan, Version
from ompc.plan.model.variable import Role, Variable
from ompc.plan.program.refusals import Refusal, different_values, overlap, unknown_extent
from ompc.plan.residency.residual_transfers import HostProgram
from ompc.sema.as_written import as_written

MOST_NAMED = 3
"""The most pairs of accesses that are named; the others are only counted."""

Objects = Callable[[Variable], tuple[Object, ...]]
"""From a variable of the region to what it can be a part of, or point into, in the whole program; (): that is not
known.
"""


class State(Enum):
    PROVED = "proved"
    PROMISED = "promised"


@dataclass(frozen=True, slots=True)
class Promise:
    """What nothing proves and nothing checks, as a clause; `lines`: of the accesses."""

    words: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What the launcher looks at: `words` as a clause. If it is not so, the host runs the loop, with `code` if any.

    `settles`: without it two iterations could touch the same element.
    """

    code: str | None
    of: tuple[str, ...]
    words: str
    settles: bool = True


@dataclass(frozen=True, slots=True)
class Guarantees:
    """`refusals`: launches that will be, or are likely to be, left to the host."""

    promises: tuple[Promise, ...]
    checks: tuple[Check, ...]
    refusals: tuple[Refusal, ...] = ()

    @property
    def state(self) -> State:
        settled = not self.promises and not any(check.settles for check in self.checks)
        return State.PROVED if settled else State.PROMISED

    @property
    def because(self) -> str:
        """A clause for people."""
        if self.state is State.PROVED:
            return "no two iterations touch the same element"
        if self.promises:
            more = len(self.promises) - MOST_NAMED
            others = [f"{more} more"] if more > 0 else []
            return "by the pragma: " + "; ".join([*(p.words for p in self.promises[:MOST_NAMED]), *others])
        return "proved, if " + " and ".join(check.words for check in self.checks if check.settles)


def guarantees(
    plan: Plan, facts: Mapping[ParallelLoop, Facts | Reason], program: HostProgram
) -> Mapping[str, Guarantees]:
    """What the launches of each loop on the device rest on."""
    by_id = {loop.id: known for loop, known in facts.items() if isinstance(known, Facts)}
    registered = {symbol for each in program.plans for symbol in each.registered_automatics}
    found: dict[str, Guarantees] = {}
    for region in plan.on_device:
        objects = _objects(plan, region, program)
        known = independence(by_id[region.id])
        if region.loop.phases is not None:  # analysis/loops.py has proved it of the loop itself
            known = replace(known, unproved=())
        rests = guarantees_of(region, known, objects)
        if region.version is not None:
            rests = _with_version(rests, region, region.version, objects)
        found[region.id] = replace(rests, refusals=tuple(_refusals(region, objects, registered)))
    return found


def _with_version(rests: Guarantees, region: RegionPlan, version: Version, objects: Objects) -> Guarantees:
    """With what the version rests on that the loop itself does not."""
    of_loop = {(v.symbol, v.is_pointee): v for v in region.variables if v.role is not Role.LINKED}

    def known_objects(v: Variable) -> tuple[Object, ...]:
        same = of_loop.get((v.symbol, v.is_pointee))
        return () if same is None or v.role is Role.LINKED else objects(same)

    assert version.region.facts is not None
    own = guarantees_of(version.region, independence(version.region.facts), known_objects)
    known = {promise.words for promise in rests.promises}
    more = [replace(p, words=f"where {version.region.where}, {p.words}") for p in own.promises if p.words not in known]
    return replace(rests, promises=(*rests.promises, *more))


def _refusals(region: RegionPlan, objects: Objects, registered: Collection[t.Symbol]) -> Iterator[Refusal]:
    for v in region.variables:
        if not _has_memory(v) or _is_launchers(v, region) or not _needs_block(v):
            continue
        if (refusal := unknown_extent(v, objects(v), registered)) is not None:
            yield refusal
    for v, others in _may_overlap(region, objects):
        for other in (other for other in others if not _may_be_equal(region, v, other)):
            found = overlap(v, other, objects, _reaches_far) if v.distinct or other.distinct else None
            if found is not None:
                yield found
    yield from different_values(region)


def _reaches_far(v: Variable) -> bool:
    """May all of the block around the pointer be accessed, as far as the launcher knows?"""
    return isinstance(v.extent, BlockExtent) and v.extent.window is None


def _objects(plan: Plan, region: RegionPlan, program: HostProgram) -> Objects:
    def found(v: Variable) -> tuple[Object, ...]:
        uses = program.uses()
        return () if uses is None else uses.of((plan.name, region.id, region.variables.index(v))).objects

    return found


def guarantees_of(region: RegionPlan, found: Independence, objects: Objects) -> Guarantees:
    """What the launches of `region`, which is on the device, rest on."""
    promises = [Promise(_pair_words(pair), _lines(pair)) for pair in found.unproved]
    checks: list[Check] = []
    for v in region.variables:
        if v.obj in found.rows:
            words = f"no two of the objects behind `{v.label}` overlap"
            if v.apart:
                checks.append(Check("OMPC453", (v.label,), words))
            else:
                promises.append(Promise(words))
    for v, others in _may_overlap(region, objects):
        names = tuple(other.label for other in others)
        words = f"`{v.label}` overlaps {'neither' if len(names) == 2 else 'none'} of {_listed(names)}"
        if len(names) == 1:
            words = f"`{v.label}` and `{names[0]}` do not overlap"
        equal = [other.label for other in others if _may_be_equal(region, v, other)]
        words += "".join(f", or is `{name}`" if len(names) > 1 else ", or are one array" for name in equal)
        if v.distinct or all(other.distinct for other in others):
            checks.append(Check("OMPC453", (v.label, *names), words))
        else:
            words = f"what an iteration writes by `{v.label}`, no other one accesses by {_listed(names)}"
            promises.append(Promise(words))
    return Guarantees(tuple(promises), (*checks, *_of_team(region), *_of_kernel(region), *_extents(region)))


def _may_be_equal(region: RegionPlan, a: Variable, b: Variable) -> bool:
    """Is there a version for it?"""
    stand_for = {} if region.version is None else region.version.equal
    return stand_for.get(a.symbol) is b.symbol or stand_for.get(b.symbol) is a.symbol


def _pair_words(pair: Pair) -> str:
    first, second = _access(pair.first), _access(pair.second)
    return f"{first} and {second}: {pair.why}" if first != second else f"{first}: {pair.why}"


def _access(access: Access) -> str:
    how = "written" if access.mode.writes else "read"
    return f"`{as_written(access.node)}`, {how} at line {access.node.loc.line}"


def _lines(pair: Pair) -> tuple[int, ...]:
    return tuple(sorted({pair.first.node.loc.line, pair.second.node.loc.line}))


def _may_overlap(region: RegionPlan, objects: Objects) -> Iterator[tuple[Variable, list[Variable]]]:
    """Each variable that is written, with those that may share memory with it; a pair once."""
    found: dict[Variable, list[Variable]] = {}
    memory = [v for v in region.variables if _has_memory(v) and not _is_launchers(v, region)]
    for a, b in combinations(memory, 2):
        if (a.writes or b.writes) and not _are_apart(a, b, objects):
            one, other = (a, b) if a.writes else (b, a)
            found.setdefault(one, []).append(other)
    yield from found.items()


def _is_launchers(v: Variable, region: RegionPlan) -> bool:
    """Does the launcher make the object?"""
    return v.role is not Role.LINKED and v.symbol in {*region.loop.thread_copies, *region.loop.scratch}


def _has_memory(v: Variable) -> bool:
    in_memory = v.role in (Role.ARRAY, Role.LINKED, Role.CELL)
    return in_memory and not isinstance(v.extent, (ValueExtent, ExpandedExtent))


def _are_apart(a: Variable, b: Variable, objects: Objects) -> bool:
    """Are they different objects, whatever the program does?"""
    if not a.is_pointee and not b.is_pointee:
        return True
    for v, other in ((a, b), (b, a)):
        if not v.is_pointee and v.role is Role.CELL and not v.symbol.address_taken and other.is_pointee:
            return True
    ours, theirs = objects(a), objects(b)
    known = ours and theirs and all(isinstance(each, (Block, HostVariable)) for each in (*ours, *theirs))
    return bool(known) and not set(ours) & set(theirs)


def _of_team(region: RegionPlan) -> Iterator[Check]:
    if region.loop.team is None or region.kernel is None:
        return
    apart = {symbol.name for symbol in of_one_thread(region.loop)}
    compared = [a for a in region.kernel.arguments if a.table is None and a.agreement is not Agreement.NONE]
    if region.loop.divided is not None:
        first, end = (region.loop.fixed[each].value for each in (region.loop.divided.first, region.loop.divided.end))
        bounds = (c_expr(first), c_expr(end))
        words = f"what the threads have, from {_listed(bounds[:1])} to {_listed(bounds[1:])}, is one range"
        yield Check("OMPC458", bounds, words)
    names = tuple(argument.host_text for argument in compared if argument.host_text in apart)
    if names:
        yield Check("OMPC458", names, f"{_listed(names)} {_has(names)} the same value in all threads of the team")


def _of_kernel(region: RegionPlan) -> Iterator[Check]:
    """The sizes from which on arrays of each thread are private to an iteration; what an inspector finds of them."""
    for value in region.loop.least:
        yield Check(None, (value.text,), f"`{value.text}` is at least {value.number}")
    for each in region.loop.inspected:
        yield Check("OMPC478", each.objects, f"no iteration reads of {_listed(each.objects)} what it has not written")


def _has(names: tuple[str, ...]) -> str:
    return "has" if len(names) == 1 else "have"


def _extents(region: RegionPlan) -> Iterator[Check]:
    unknown = [v for v in region.variables if _has_memory(v) and _needs_block(v) and not _is_launchers(v, region)]
    if unknown:
        names = tuple(v.label for v in unknown)
        points = "points into a block" if len(names) == 1 else "point into blocks"
        yield Check("OMPC452", names, f"{_listed(names)} {points} whose size the runtime knows", settles=False)


def _needs_block(v: Variable) -> bool:
    """Must the runtime find the block around the pointer? One element may be on the stack."""
    if isinstance(v.extent, BlockExtent) and v.role is Role.ARRAY and v.extent.window is not None:
        return (v.extent.window.lower, v.extent.window.upper) != ("0", "0")
    return isinstance(v.extent, BlockExtent) or (
        isinstance(v.extent, BoundingExtent) and not v.extent.bounding_section.exact
    )


def _listed(names: tuple[str, ...]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
