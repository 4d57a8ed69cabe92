"""What OpenMPC's own pragmas, and ompc's, ask of a loop: the user overrides a decision.

Source: Lee and Eigenmann, "OpenMPC: Extended OpenMP Programming and Tuning for GPUs", SC'10.

    #pragma cuda gpurun threadblocksize(64) constant(w)
    #pragma omp parallel for
    for (...) ...

    cpurun, nogpurun                      the loops of the construct stay on the host (OMPC356)
    threadblocksize(N) maxnumofblocks(N)  the shape of the launch
    constant(list) noconstant(list)       what lives in constant memory
    noloopcollapse noploopswap            the annotated loops alone become the grid

`#pragma ompc` asks for the shape of launches (tuning_clauses.py).

A `cuda` or `ompc` pragma speaks of the construct or statement below it and of all loops in it; one further in wins.
Clauses about copies, registers, shared memory and texture are accepted without effect: the runtime knows what is stale,
and read-only data takes the path that texture memory became. What OpenMPC does not have, and what speaks of no loop, is
a warning (OMPC357).

In: the OpenMP view of a unit.   Out: the same, each loop with its `Override`.
Not here: whether an array can be in constant memory -- plan/memory/constant.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ompc.base.diagnostics import Diagnostic, Kind, Reason
from ompc.base.frozen import dataclass
from ompc.base.tuning import ChoiceError
from ompc.ir.constants import constant_value
from ompc.ir.directive import Clause
from ompc.ir.directive import Kind as Whose
from ompc.ir.queries import statements_in
from ompc.ir.tree import Block, Pragma, Stmt, Unit
from ompc.omp.model import Override, ParallelLoop
from ompc.omp.regions import OmpUnit
from ompc.omp.wishes.tuning_clauses import choices_asked

MOST_THREADS = 256
"""The most threads of a block. Blocks of this size can be launched whatever registers a kernel needs (255 a thread,
65,536 a multiprocessor).
"""

_WITHOUT_EFFECT = frozenset(
    "c2gmemtr noc2gmemtr g2cmemtr nog2cmemtr registerro noregister registerrw sharedro sharedrw noshared texture"
    " notexture noreductionunroll nocudamalloc nocudafree cudafree multisrccg multisrcgc guardedc2gmemtr".split()
)
_ONE_LOOP = frozenset({"noloopcollapse", "noploopswap"})
_DIRECTIVES = frozenset({"gpurun", "cpurun", "nogpurun", "ainfo"})


@dataclass(frozen=True, slots=True)
class _Wish:
    """A `cuda` or `ompc` pragma, the construct or statement that it speaks of, and what it asks."""

    pragma: Pragma
    construct: Stmt | None
    override: Override
    complaints: tuple[Diagnostic, ...]


def with_overrides(omp: OmpUnit, unit: Unit) -> OmpUnit:
    """`omp` with the user's wishes, and warnings about those that cannot be followed."""
    wishes = [_wish(pragma, None) for pragma in unit.pragmas if _is_wish(pragma)]
    for function in unit.functions.values():
        if function.body is not None:
            wishes += (_wish(pragma, construct) for pragma, construct in _wishes_in(function.body))
    if not wishes:
        return omp
    followed: set[Pragma] = set()
    loops = tuple(_with_override(loop, wishes, followed) for loop in omp.loops)
    warnings = [complaint for wish in wishes for complaint in wish.complaints]
    warnings += [_complaint(w.pragma, "speaks of no parallel loop") for w in wishes if w.pragma not in followed]
    return replace(omp, loops=loops, warnings=(*omp.warnings, *warnings))


def _is_wish(statement: Stmt) -> bool:
    return isinstance(statement, Pragma) and statement.directive.kind is Whose.OWN


def _wishes_in(body: Stmt) -> Iterator[tuple[Pragma, Stmt | None]]:
    """Each such pragma with the construct or statement below it, other pragmas between them aside."""
    for block in statements_in(body):
        items: Sequence[Stmt] = block.items if isinstance(block, Block) else ()
        for position, item in enumerate(items):
            if isinstance(item, Pragma) and _is_wish(item):
                after = items[position + 1 :]
                yield item, next((i for i in after if not (isinstance(i, Pragma) and i.body is None)), None)


def _with_override(loop: ParallelLoop, wishes: Sequence[_Wish], followed: set[Pragma]) -> ParallelLoop:
    """`loop` with all wishes that speak of it, those further out first."""
    override = Override()
    for wish in wishes:
        if wish.construct is not None and _holds(wish.construct, loop):
            followed.add(wish.pragma)
            override = override.then(wish.override)
    if override == Override():
        return loop
    return replace(loop, override=override, host=override.host or loop.host)


def _holds(construct: Stmt, loop: ParallelLoop) -> bool:
    inside = set(statements_in(construct))
    return loop.pragma in inside or (bool(loop.loops) and loop.loops[0].statement in inside)


# ------------------------------------------------------------------------ one pragma


def _wish(pragma: Pragma, construct: Stmt | None) -> _Wish:
    directive = pragma.directive
    complaints = [] if directive.problem is None else [_complaint(pragma, directive.problem.message)]
    override = Override()
    name = directive.name.removeprefix("cuda ")
    try:
        if name == "ompc":
            override = Override(shape=choices_asked(directive.clauses)) if not complaints else override
        elif name not in _DIRECTIVES:
            complaints.append(_complaint(pragma, f"has no directive `{name}`"))
        elif name in ("cpurun", "nogpurun"):
            override = Override(host=Reason("OMPC356", f"`#pragma cuda {name}` keeps it there", pragma.loc))
        for clause in directive.clauses if name == "gpurun" else ():
            override = override.then(_clause(clause))
    except ChoiceError as error:
        complaints = [_complaint(pragma, str(error))]
    return _Wish(pragma, construct, override, tuple(complaints))


def _clause(clause: Clause) -> Override:
    """What one clause of `gpurun` asks. Raises ChoiceError."""
    name = clause.name
    if name in _ONE_LOOP:
        return Override(annotated_only=True)
    if name in _WITHOUT_EFFECT:
        return Override()
    if name == "threadblocksize":
        return Override(threads=_number(clause, MOST_THREADS))
    if name == "maxnumofblocks":
        return Override(blocks=_number(clause, 1 << 31))
    if name == "constant":
        return Override(constant=frozenset(clause.symbols))
    if name == "noconstant":
        return Override(not_constant=frozenset(clause.symbols))
    raise ChoiceError(f"`{clause.text}` is no clause of it")


def _number(clause: Clause, most: int) -> int:
    value = None if clause.expr is None else constant_value(clause.expr)
    if value is None or not 1 <= value <= most:
        raise ChoiceError(f"`{clause.text}` takes a number from 1 to {most}")
    return value


def _complaint(pragma: Pragma, what: str) -> Diagnostic:
    message = f"`#pragma {pragma.directive.text}` is not followed: {what}"
    return Diagnostic("OMPC357", Kind.WARNING, message, pragma.loc)
