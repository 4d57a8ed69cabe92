"""Plan: residual transfers: which copies remain between the launches, and because of which statements of the host.

    u  in   before the first launch only   written by the host at a.c:75, never between launches
    u  out  when the host reads it         read by the host at a.c:124 and a.c:137, after the last launch
    t  in   before every launch            written by the host at a.c:77, inside the loop of line 70 over the launches
    w  out  at most when the program ends  no host code reads it

What the program's text says about the runtime's own decisions: at `auto` a block stays on the device, and its pages
are copied back, or are copied again, when host code touches them (ompc_resident.h). What each launch copies says why.
Words for people: nothing at run time depends on them.

    In: the plans of the program's files, HostUses.   Out: for each variable that has device memory, its residual
    transfers.
    Not here: how many bytes -- the ledger of a run (docs/profile.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from ompc.analysis.host.host_code import Access, By, Launch, Use
from ompc.analysis.host.host_objects import Unknown
from ompc.analysis.host.host_objects import Variable as HostVariable
from ompc.analysis.host.host_uses import HostUses, Relation, TooMany, UsesOf, When
from ompc.base.frozen import dataclass, field
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.plan.model.extent import ExpandedExtent, ValueExtent
from ompc.plan.model.plan import Plan, RegionPlan
from ompc.plan.model.variable import Placement, Role, Transfer, Variable
from ompc.plan.thesis.automatic_objects import is_large

PAGE_BYTES = 4096
MOST_PLACES = 3
"""The most places of each kind that are named; the others are only counted."""


class Timing(Enum):
    """When something crosses."""

    EACH_IN = "before every launch"
    EACH_OUT = "after every launch"
    FIRST = "before the first launch only"
    FIRST_OF_ALL = "before the first launch that uses it"
    ONCE = "before the launch"
    AGAIN = "again when the host has written it"
    READ = "when the host reads it"
    WRITTEN = "where the host writes to it"
    END = "at most when the program ends"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ResidualTransfer:
    """Of one variable of a region. `inward`: to the device. `accesses`: the host's that it is because of."""

    inward: bool
    timing: Timing
    because: str
    accesses: tuple[Access, ...] = ()


Key = tuple[str, str, int]
"""A plan's name, a region's id, the position of a variable in the region."""


def launches_of(plan: Plan) -> dict[t.Pragma, Launch]:
    """What the analysis is to look for."""
    return {region.loop.pragma: _launch(plan, region) for region in plan.on_device}


def _launch(plan: Plan, region: RegionPlan) -> Launch:
    uses = (
        Use((plan.name, region.id, at), region.launcher, obj)
        for at, v in enumerate(region.variables)
        if (obj := _of_host(region, v).obj) is not None and _crosses(v)
    )
    condition = region.loop.condition.expr if region.loop.condition is not None else None
    bounds = [e for loop in region.loop.loops if not loop.dependent for e in (loop.lower, loop.upper, loop.step)]
    return Launch(tuple(uses), tuple(e for e in (*bounds, condition) if e is not None))


def _of_host(region: RegionPlan, v: Variable) -> Variable:
    """The array that the host has, where the kernel is given a copy of it."""
    return v if v.former is None else next(other for other in region.variables if other.device_name == v.former)


def _crosses(v: Variable) -> bool:
    if isinstance(v.extent, (ExpandedExtent, ValueExtent)):
        return False
    return v.role in (Role.ARRAY, Role.CELL, Role.LINKED, Role.LASTPRIVATE, Role.REDUCTION)


@dataclass(slots=True)
class HostProgram:
    """All files of a program: their units, and the plans of those that are translated here. Analysed when asked."""

    units: Sequence[t.Unit]
    plans: list[Plan] = field(default_factory=list)
    _known: HostUses | None = None
    _too_large: bool = False

    def uses(self) -> HostUses | None:
        """None: the program is too large for this question."""
        if self._known is None and not self._too_large:
            launches = {pragma: launch for plan in self.plans for pragma, launch in launches_of(plan).items()}
            try:
                self._known = HostUses(self.units, launches)
            except TooMany:
                self._too_large = True
        return self._known


def residual_transfers(plan: Plan, program: HostProgram) -> Mapping[Variable, tuple[ResidualTransfer, ...]]:
    """Of every variable that has some."""
    found: dict[Variable, tuple[ResidualTransfer, ...]] = {}
    for region in plan.on_device:
        for at, v in enumerate(region.variables):
            if _crosses(v):
                found[v] = tuple(_residual_transfers(plan, region, v, (plan.name, region.id, at), program))
    return found


def _residual_transfers(
    plan: Plan, region: RegionPlan, v: Variable, key: Key, program: HostProgram
) -> Iterator[ResidualTransfer]:
    copies_in, copies_out = v.transfer_in is Transfer.COPY, v.transfer_out is Transfer.COPY
    if plan.level is not Level.AUTO:
        because = f"--opt {plan.level.value}: every launch copies"
        yield from [ResidualTransfer(True, Timing.EACH_IN, because)] * copies_in
        yield from [ResidualTransfer(False, Timing.EACH_OUT, because)] * copies_out
        return
    uses = program.uses()
    if uses is None:
        yield from [_but_overwritten(v, ResidualTransfer(True, Timing.AGAIN, _NOT_ASKED))] * copies_in
        yield from [ResidualTransfer(False, Timing.READ, _NOT_ASKED)] * copies_out
        return
    host = uses.of(key)
    told = {symbol for each in program.plans for symbol in each.registered_automatics if is_large(symbol)}
    each = _why_each(region, v, host, told)
    if each is not None:
        yield from [_but_overwritten(v, ResidualTransfer(True, Timing.EACH_IN, each))] * copies_in
        yield from [_result(each, host)] * copies_out
    elif host.objects:
        if copies_in:
            yield _but_overwritten(v, _inward(host))
        elif v.role is Role.ARRAY:
            yield ResidualTransfer(True, Timing.NEVER, "every element is overwritten")
        if copies_out:
            yield _outward(host)


def _but_overwritten(v: Variable, inward: ResidualTransfer) -> ResidualTransfer:
    """Without the parts that the launch need not copy (plan/memory/copy_in_elimination.py)."""
    return replace(inward, because=f"{inward.because}; what is overwritten is not copied") if v.overwrites else inward


def _why_each(region: RegionPlan, v: Variable, host: UsesOf, told: Collection[t.Symbol]) -> str | None:
    """Why each launch copies it, whatever the host does; `told`: automatic arrays of which the runtime is."""
    if v.role in (Role.REDUCTION, Role.LASTPRIVATE):
        return "the result, which each launch brings home"
    if v.role is Role.CELL:
        return "a variable of a few bytes: each launch copies it"
    if any(other.slots is not None and other.slots.holder == v.device_name for other in region.variables):
        return "it holds pointers, which each launch translates"
    if v.placement is Placement.CONSTANT:
        return None
    if v.bytes is not None and v.bytes < PAGE_BYTES:
        return f"{v.bytes} bytes are no page of memory: each launch copies it"
    if any(isinstance(o, HostVariable) and o.symbol.is_automatic and o.symbol not in told for o in host.objects):
        return "an automatic array, which may go at any time: each launch copies it"
    return None


def _result(because: str, host: UsesOf) -> ResidualTransfer:
    """What each launch copies back, with the host code that may read it."""
    later = [relation for relation in host.relations if relation.when is not When.BEFORE]
    reads = [relation for relation in later if relation.access.effect.reads]
    said = f"{because}; {_said(reads, 'read')}" if reads else because
    return ResidualTransfer(False, Timing.EACH_OUT, said, tuple(dict.fromkeys(relation.access for relation in reads)))


def _inward(host: UsesOf) -> ResidualTransfer:
    first = Timing.FIRST_OF_ALL if host.shared else Timing.FIRST if host.repeated else Timing.ONCE
    if any(isinstance(found, Unknown) for found in host.objects):
        return ResidualTransfer(True, Timing.AGAIN, _UNKNOWN)
    writes = [relation for relation in host.relations if relation.access.effect.writes]
    around = [relation for relation in writes if relation.when is When.AROUND]
    always = [relation for relation in around if _is_certain(relation)]
    if always:
        return _residual_transfer(True, Timing.EACH_IN, always, "written", _around(always))
    if around:
        return _residual_transfer(True, Timing.AGAIN, around, "written", _around(around))
    between = [relation for relation in writes if relation.between]
    if between:
        return _residual_transfer(True, Timing.AGAIN, between, "written", "between launches")
    before = [relation for relation in writes if relation.when is When.BEFORE]
    if before:
        return _residual_transfer(
            True, first, before, "written", "" if first is Timing.ONCE else "never between launches"
        )
    return ResidualTransfer(True, first, "no host code writes it")


def _outward(host: UsesOf) -> ResidualTransfer:
    if any(isinstance(found, Unknown) for found in host.objects):
        return ResidualTransfer(False, Timing.READ, _UNKNOWN)
    later = [relation for relation in host.relations if relation.when is not When.BEFORE]
    reads = [relation for relation in later if relation.access.effect.reads]
    around = [relation for relation in reads if relation.when is When.AROUND]
    always = [relation for relation in around if _is_certain(relation)]
    if always:
        return _residual_transfer(False, Timing.EACH_OUT, always, "read", _around(always))
    if around:
        return _residual_transfer(False, Timing.READ, around, "read", _around(around))
    if reads:
        return _residual_transfer(
            False, Timing.READ, reads, "read", f"after the {'last ' if host.repeated else ''}launch"
        )
    if later:
        return _residual_transfer(False, Timing.WRITTEN, later, "written", "the rest of the pages is copied back first")
    return ResidualTransfer(False, Timing.END, "no host code reads it")


_NOT_ASKED = "too many calls and launches in this program to say which host code that is"
_UNKNOWN = "where it points to is not known here, so any host code may be what accesses it"


def _is_certain(relation: Relation) -> bool:
    return not relation.sometimes and relation.access.by in (By.HOST, By.LIBRARY)


def _around(relations: Sequence[Relation]) -> str:
    """Where the loops are that go over the accesses and the launches."""
    if any(relation.loop is None for relation in relations):
        return "between calls by code that is not seen"
    lines = sorted({relation.loop.line for relation in relations if relation.loop is not None})
    over = f"the loop of line {lines[0]}" if len(lines) == 1 else f"the loops of lines {' and '.join(map(str, lines))}"
    place = "in the condition of" if all(relation.in_condition for relation in relations) else "inside"
    condition = "under a condition " if all(relation.sometimes for relation in relations) else ""
    return f"{condition}{place} {over} over the launches"


def _residual_transfer(
    inward: bool, timing: Timing, relations: Sequence[Relation], verb: str, when: str
) -> ResidualTransfer:
    accesses = tuple(dict.fromkeys(relation.access for relation in relations))
    said = _said(relations, verb)
    return ResidualTransfer(inward, timing, f"{said}, {when}" if when else said, accesses)


def _said(relations: Iterable[Relation], verb: str) -> str:
    """Whose accesses they are, and where."""
    groups: dict[str, dict[_Place, None]] = {}
    for relation in relations:
        groups.setdefault(_whose(relation.access, verb), {})[_place(relation)] = None
    return "; ".join(words.format(_places(list(places))) for words, places in groups.items())


def _whose(access: Access, verb: str) -> str:
    """With `{}` for the places."""
    match access.by:
        case By.HOST:
            return f"{verb} by the host at {{}}"
        case By.LIBRARY:
            return f"{verb} by {access.name} at {{}}"
        case By.UNSEEN:
            return f"may be {verb} by code that is not seen, at {{}}"
        case By.CALLERS:
            return f"may be {verb} by code that is not seen, which can call {{}}"
        case By.POINTER:
            return f"may be {verb} through a pointer of unknown origin at {{}}"


_Place = tuple[str, int, str]
"""A file, a line, and what is to be said of it."""


def _place(relation: Relation) -> _Place:
    access, call = relation.access, relation.call
    file = access.loc.file.removeprefix("./")
    if access.by is By.CALLERS:
        return "", 0, access.name
    if access.by is By.UNSEEN:
        return file, access.loc.line, f" ({access.name})" if access.name else ""
    if call is None:
        return file, access.loc.line, ""
    other = "" if call.file == access.loc.file else f"{call.file.removeprefix('./')}:"
    return file, access.loc.line, f" (called at {other or 'line '}{call.line})"


def _places(places: Sequence[_Place]) -> str:
    """`a.c:5, 9, b.c:7 and 2 more`."""
    named, others = places[:MOST_PLACES], len(places) - MOST_PLACES
    said: list[str] = []
    for at, (file, line, note) in enumerate(named):
        place = str(line) if at > 0 and named[at - 1][0] == file else f"{file}:{line}"
        again = at + 1 < len(named) and named[at + 1][2] == note
        said.append(note if not file else place if again else place + note)
    if others > 0:
        said.append(f"{others} more")
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))
