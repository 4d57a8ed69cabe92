"""Plan: borrowed buffers: arrays of a library's callers that only its loops on the device touch.

    void step(int n, double *u, const double *f, double *norm)
    {
    #pragma omp parallel for
        for (i ...) u[i] += f[i];            u, f: kept on the device while the function runs
        norm[0] = length(n, u);              norm: touched by the host at line 6
    }

Such an array need not be copied back between the launches of a call, and one that is on the device already not at all.
Nothing guards it there: host code would find other bytes, or none. So "not known" is "touched": pointers of unknown
origin in a function, or in one that it calls; callers' pointers that are stored where a later call finds them.

    In: the units of a library, the plans of its files.   Out: BorrowedBuffers.
    Not here: what becomes of it at run time -- ompc_borrowed.h.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ompc.analysis.host.host_code import By, Launch, Use
from ompc.analysis.host.host_objects import Given
from ompc.analysis.host.host_uses import HostUses, TooMany
from ompc.base.frozen import dataclass, field
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.extent import ExpandedExtent, ValueExtent
from ompc.plan.model.plan import Plan, RegionPlan
from ompc.plan.model.variable import Role, Variable
from ompc.plan.residency.residual_transfers import HostProgram, launches_of

Place = tuple[str, int]
"""A function's name and the position of a parameter."""


@dataclass(frozen=True, slots=True)
class BorrowedBuffers:
    """`kept`: by function, the parameters whose arrays nothing but launches uses; `because`: why not the others."""

    kept: Mapping[str, frozenset[int]] = field(default_factory=dict)
    because: Mapping[Place, str] = field(default_factory=dict)

    def reason(self, function: str, position: int) -> str:
        return self.because.get((function, position), "no loop on the device uses it")


def borrowed_buffers_of(program: HostProgram) -> BorrowedBuffers:
    """Of the functions that callers outside of the program can name."""
    if any(plan.level is not Level.AUTO for plan in program.plans):
        return BorrowedBuffers()
    launches: dict[t.Pragma, Launch] = {}
    by_host: set[tuple[str, str, int]] = set()
    for plan in program.plans:
        found = launches_of(plan)
        for region in plan.on_device:
            pragma = region.loop.pragma
            launches[pragma] = _launch(plan, region, found[pragma])
            by_host |= {_key(plan, region, at) for at, v in enumerate(region.variables) if not _is_plain(v, region)}
    try:
        uses = HostUses(program.units, launches)
    except TooMany:
        return BorrowedBuffers()
    return _answers(uses, by_host)


def _launch(plan: Plan, region: RegionPlan, known: Launch) -> Launch:
    """Everything that it uses, and everything that the host reads for it."""
    uses = (
        Use(_key(plan, region, at), region.launcher, v.obj)
        for at, v in enumerate(region.variables)
        if v.obj is not None and not isinstance(v.extent, (ExpandedExtent, ValueExtent))
    )
    return Launch(tuple(uses), (*known.bounds, *_followed(region)))


def _key(plan: Plan, region: RegionPlan, at: int) -> tuple[str, str, int]:
    return plan.name, region.id, at


def _is_plain(v: Variable, region: RegionPlan) -> bool:
    """Does nobody but the kernel need to see what is in it?"""
    holds = any(other.slots is not None and other.slots.holder == v.device_name for other in region.variables)
    return v.role is Role.ARRAY and not holds


def _followed(region: RegionPlan) -> Iterator[t.Expr]:
    """What arguments of the launcher read through pointers: `row[r + 1]`, `*n`, `g->size`."""
    assert region.kernel is not None
    scope = region.loop.pragma.scope
    for argument in region.kernel.arguments:
        text = re.sub(r"\bsizeof\([^()]*\)", "", argument.host_text)  # which evaluates nothing but lengths
        if not re.search(r"->|\[|\*", text):
            continue
        for name in re.findall(r"[^\W\d]\w*", text):
            symbol = scope.get(name)
            if symbol is not None and isinstance(symbol.type, ty.Pointer):
                loc = region.loop.loc
                yield t.Unary(ty.INT, loc, "*", t.Name(symbol.type, loc, symbol))


def _answers(uses: HostUses, by_host: Iterable[tuple[str, str, int]]) -> BorrowedBuffers:
    kept: dict[str, frozenset[int]] = {}
    because: dict[Place, str] = {}
    needed = {found for key in by_host for found in uses.objects(key)}
    stored = uses.stored_parameters()
    for function in uses.entries():
        name, own = function.symbol.name, set()
        for at, parameter in enumerate(function.params):
            if not isinstance(parameter.type, ty.Pointer) or not uses.is_used(Given(parameter)):
                continue
            if stored:
                why = "the library keeps pointers of its callers"
            elif uses.follows_unknown(function.symbol):
                why = f"{name} follows pointers of which ompc cannot tell where they lead"
            elif Given(parameter) in needed:
                why = "the host reads it for a launch"
            else:
                why = _touched(uses, Given(parameter))
            if why:
                because[name, at] = why
            else:
                own.add(at)
        kept[name] = frozenset(own)
    return BorrowedBuffers(kept, because)


def _touched(uses: HostUses, found: Given) -> str:
    """Where host code accesses it; empty: nowhere."""
    for access in uses.accesses_to(found):
        if access.by is not By.CALLERS:
            return f"the host's code touches it at {access.loc.file}:{access.loc.line}"
    return ""
