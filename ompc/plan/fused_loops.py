"""Plan: which loops that follow each other are launched as one kernel.

    for (i...) x[i] = a * y[i];         x[i] is stored, and loaded again by the second kernel
    for (i...) z[i] += x[i];            one kernel keeps it: 8 bytes less for each iteration of two loops that move 40

Loops follow each other where nothing stands between them in a block. From the first one on, as many become one as may
(rewrites/fusion.py), one after the other, if for each one more

    bytes are saved     elements that an iteration of both touches, in the body of the innermost axes: loaded again, or
                        stored again. An element that is only loaded here and only stored there saves nothing. Of two
                        statements (omp/without_pragma/added_loops.py), it is enough that a launch is saved
    no form is lost     the joint kernel has the axes of both, in the same order, and whatever form either has: tiles,
                        rows or streams of a thread, loops that lanes share, copies in shared memory

The loops keep their own kernels and launchers: the host asks for the joint launch first, and where that is refused, as
for arrays that overlap, it asks for each of them. The host's text of the loops is as it was.

    In: the kernels of a file's loops.   Out: runs of loops, each with the kernel that is all of them.
    Not here: what the host asks -- render/host/host.py; that a refused joint launch is nobody's -- ompc_launch.h.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import form
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.model import CanonicalLoop, ParallelLoop
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.plan import Fusion, KernelPlan, RegionPlan

MOST_LOOPS = 4
"""The most loops that become one: a thread needs the registers of all of them. The runtime's Region names as many."""

Kernels = Mapping[ParallelLoop, Kernel | Reason]
Make = Callable[[Facts, Facts], tuple[Facts, Kernel] | None]
"""From the facts of two loops to those of the joint one, and its kernel."""


@dataclass(frozen=True, slots=True, eq=False)
class FusedLoops:
    """`loops` in the order of the text, and the kernel that does them all; `saved`: bytes in each of its points."""

    loops: tuple[ParallelLoop, ...]
    kernel: Kernel
    saved: int


def fused_loops(
    unit: t.Unit, kernels: Kernels, facts: Mapping[ParallelLoop, Facts | Reason], make: Make
) -> Iterator[FusedLoops]:
    """The loops of `unit` that become one. `make`: the kernel of two, if they may have one."""
    for run in _runs(unit, kernels):
        at = 0
        while at < len(run) - 1:
            found = _from(run[at : at + MOST_LOOPS], kernels, facts, make)
            at += 1 if found is None else len(found.loops)
            if found is not None:
                yield found


def _runs(unit: t.Unit, kernels: Kernels) -> Iterator[list[ParallelLoop]]:
    """Loops on the device that follow each other, as many as do."""
    loops = {loop.pragma: loop for loop, kernel in kernels.items() if isinstance(kernel, Kernel)}
    bodies = [function.body for function in unit.functions.values() if function.body is not None]
    if len(loops) < 2:
        return
    for block in (node for body in bodies for node in nodes(body) if isinstance(node, t.Block)):
        run: list[ParallelLoop] = []
        for item in (*block.items, None):
            loop = loops.get(item) if isinstance(item, t.Pragma) else None
            if loop is not None and (not run or _begins_line_behind(run[-1], loop)):
                run.append(loop)
                continue
            if len(run) > 1:
                yield run
            run = [] if loop is None else [loop]


def _begins_line_behind(first: ParallelLoop, second: ParallelLoop) -> bool:
    """Each gets a line of the host's of its own."""
    return first.loc.file == second.loc.file and first.loc.line < second.loc.line


def _from(
    run: Sequence[ParallelLoop],
    kernels: Kernels,
    facts: Mapping[ParallelLoop, Facts | Reason],
    make: Make,
) -> FusedLoops | None:
    """The first loops of `run`, as many as become one."""
    found: FusedLoops | None = None
    first, so_far = facts[run[0]], kernels[run[0]]
    for count, loop in enumerate(run[1:], 2):
        second, other = facts[loop], kernels[loop]
        assert isinstance(first, Facts) and isinstance(second, Facts)
        assert isinstance(so_far, Kernel) and isinstance(other, Kernel)
        saved, both = _saved_bytes(so_far, other), first.loop.is_statement and second.loop.is_statement
        if so_far.overlaps or other.overlaps or not (saved or both):
            break
        made = make(first, second)
        if made is None or not _has_axes_of(made[1], so_far, other):
            break
        first, so_far = made
        found = FusedLoops(tuple(run[:count]), so_far, saved + (0 if found is None else found.saved))
    return found


def _has_axes_of(joint: Kernel, *parts: Kernel) -> bool:
    """Has it the axes of its parts, in their order?"""
    return all(_axes(joint) == _axes(part) for part in parts)


def _axes(kernel: Kernel) -> list[int]:
    """Which loop of the nest, counted from the outermost, each axis is."""
    return [_nest(kernel).index(loop) for loop in kernel.mapping.loops]


def _nest(kernel: Kernel) -> Sequence[CanonicalLoop]:
    return kernel.mapping.nest or kernel.mapping.loops


def fusion_of(fused: FusedLoops, made: RegionPlan, parts: Iterable[RegionPlan]) -> Fusion | None:
    """The loops of `fused`, `parts`, as one launch that is `made`; None: it would lose a form, or do what only one of
    them can.
    """
    parts = tuple(parts)
    kernels = [part.kernel for part in (made, *parts) if part.kernel is not None]
    if made.call_condition is not None or any(part.version is not None or part.waits for part in parts):
        return None
    if any(kernel.registers or kernel.tuned or kernel.messages or kernel.prints for kernel in kernels):
        return None
    joint, *own = kernels
    if any(not _forms(kernel) <= _forms(joint) for kernel in own):
        return None
    directive = "fused loops" if any(not part.loop.is_added for part in parts) else made.directive
    return Fusion(replace(made, directive=directive, loops=fused.loops), fused.saved)


def _forms(kernel: KernelPlan) -> set[str]:
    found = {type(schedule.form).__name__ for schedule in kernel.schedules if schedule.form is not None}
    found |= {"vectors"} if kernel.own.vectors is not None else set()
    found |= {"batches"} if kernel.own.batches is not None else set()
    found |= {f"additions to {each.words}" for each in kernel.own.collected}
    return found | {f"copies of {copied.symbol.name}" for copied in kernel.own.accumulators}


# ------------------------------------------------------------------------ bytes

_Element = tuple[MemoryObject, tuple[object, ...]]
"""An object, and what is equal for equal subscripts, over the numbers of the axes."""


_NO_NUMBER = -(1 << 70)
"""No program's: what stands for the variable of the first axis."""


@dataclass(slots=True)
class _Use:
    """How an iteration uses an element of so many bytes."""

    size: int
    reads: bool = False
    writes: bool = False


def _saved_bytes(first: Kernel, second: Kernel) -> int:
    """What the second kernel loads or stores again of what is in a register of the first one's, for each point."""
    if len(_nest(first)) != len(_nest(second)):
        return 0
    before, saved = _uses(first), 0
    for element, use in _uses(second).items():
        if (known := before.get(element)) is not None:
            saved += known.size * (use.reads + (use.writes and known.writes))
    return saved


def _uses(kernel: Kernel) -> dict[_Element, _Use]:
    """The elements in memory that each point certainly uses: not those in loops of a thread, or under conditions."""
    around = {loop.statement for loop in _nest(kernel)}
    found: dict[_Element, _Use] = {}
    for access in kernel.facts.accesses:
        size = ty.size_of(access.node.type)
        in_memory = access.obj.pointee or not ty.is_scalar(access.obj.symbol.type)
        if not size or not in_memory or kernel.facts.is_thread_private(access.obj):
            continue
        if access.function is None and around.issuperset(access.context) and (key := _key(kernel, access)) is not None:
            use = found.setdefault(key, _Use(size))
            use.reads |= access.mode.reads
            use.writes |= access.mode.writes
    return found


def _key(kernel: Kernel, access: Access) -> _Element | None:
    numbers = {loop.var: number for number, loop in enumerate(_nest(kernel))}
    fixed = kernel.facts.loop.fixed

    def change(node: Node) -> Node | None:
        if not isinstance(node, t.Name):
            return None
        if node.symbol in numbers:
            return t.IntConst(ty.LONG, node.loc, _NO_NUMBER - numbers[node.symbol], "the number of an axis")
        return fixed[node.symbol].value if node.symbol in fixed else None

    if access.subscripts is None:
        return None
    if not any(symbol in numbers for subscript in access.subscripts for symbol in symbols_in(subscript)):
        return None  # of all points: it is near anyway
    forms = [form(rewritten(subscript, change)) for subscript in access.subscripts]
    return None if None in forms else (access.obj, tuple(forms))
