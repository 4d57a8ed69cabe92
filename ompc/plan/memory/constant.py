"""Plan: what lives in `__constant__` memory.

`baseline`: nothing but what the user asks for by `#pragma cuda gpurun constant(...)`, which holds at every level.

`thesis` (section 4.2): read-only arrays of known size, in the order found, while the file's total stays within 64 KB.
Written, by the thesis' own definition (4.2.1), is an array that is assigned, compound-assigned, incremented or
decremented; one whose address is taken or that is passed to a function is left out too, since the callee's writes are
not looked at.

`auto`: a constant read costs one transaction per distinct address in a warp: measured on an H200, 18 times slower
than global memory where lanes read different elements. So a candidate must be read at warp-uniform addresses only
(locality/uniform.py), and candidates compete for the 64 KB by estimated reads per launch per byte (the thesis' future
work). Behind a pointer, a table is as large as the elements that the launch certainly reads, when their number is
in the program's text (analysis/memory/extents.py).

The 64 KB are those of a file: nvcc makes a module of each `.cu`, and the device gives every module constant memory of
its own, so files that are linked together do not share any. (`-rdc=true` would make one module of them, and nvlink
refuses what is too much then; ompc does not use it.)

    In: the classified parameters and facts of every kernel of the file.   Out: the symbols, with the reason for each.
    Not here: refreshing the copy when the host has changed the array -- runtime/memory/ompc_constants.h.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.analysis.locality import trips
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import base_symbols
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.memory.constant_tables import constant_tables
from ompc.plan.model.extent import ObjectExtent, SectionExtent
from ompc.plan.model.variable import Role
from ompc.plan.parameters.classification import KernelParameter


@dataclass(frozen=True, slots=True)
class Candidate:
    """An array that one or more kernels only read.

    `reads`     per launch, estimated, over all kernels
    `asked`     by the user's `#pragma cuda gpurun constant(...)`
    `type`      of the array in constant memory
    `although`  what says that it may be there, where lanes read different elements
    """

    symbol: t.Symbol
    bytes: int
    reads: int
    asked: bool = False
    type: ty.Type = ty.VOID
    although: str = ""

    @property
    def reads_per_byte(self) -> float:
        return self.reads / self.bytes


@dataclass(frozen=True, slots=True)
class ConstantChoice:
    """What lives in constant memory.

    `chosen`   the arrays that some kernel reads from there, each with the reason
    `refused`  those that did not fit, each with the reason
    `types`    of the arrays there
    `initial`  what those of them are initialised with that never change (constant_tables.py)
    """

    chosen: Mapping[t.Symbol, str]
    refused: Mapping[t.Symbol, str]
    types: Mapping[t.Symbol, ty.Type]
    initial: Mapping[t.Symbol, t.InitList] = field(default_factory=dict)

    def without_memory(self) -> ConstantChoice:
        """Nothing is there, as the user asks."""
        return ConstantChoice({}, dict.fromkeys((*self.chosen, *self.refused), "--without constant-memory"), {})

    def why_not(self, kernel: Kernel, parameter: KernelParameter, level: Level) -> str | None:
        """Why an array that this kernel only reads is not in constant memory;
        None when it is or cannot be a candidate.
        """
        if _table_type(kernel, parameter, level) is None:
            return None
        return _why_not(kernel, parameter, level) or self.refused.get(parameter.symbol)

    def holds(self, kernel: Kernel, parameter: KernelParameter, level: Level) -> bool:
        """Does this kernel read the array from constant memory?"""
        kind = _table_type(kernel, parameter, level)
        same = kind is not None and kind == self.types.get(parameter.symbol)
        return same and parameter.symbol in self.chosen and _why_not(kernel, parameter, level) is None


def choose(kernels: Sequence[Kernel], level: Level) -> ConstantChoice:
    """What the `level` puts into constant memory, over all kernels of the file."""
    candidates: dict[t.Symbol, Candidate] = {}
    for kernel in kernels:
        for parameter in kernel.parameters:
            kind, seen = _table_type(kernel, parameter, level), candidates.get(parameter.symbol)
            if (
                kind is None
                or (seen is not None and seen.type != kind)
                or _why_not(kernel, parameter, level) is not None
            ):
                continue
            reads = _reads(kernel, parameter) + (seen.reads if seen else 0)
            asked = _is_asked(kernel, parameter) or (seen is not None and seen.asked)
            although = _although(kernel, parameter, level) or (seen.although if seen else "")
            candidates[parameter.symbol] = Candidate(
                parameter.symbol, ty.size_of(kind) or 0, reads, asked, kind, although
            )
    placed = place(candidates.values(), level)
    if level is not Level.AUTO or not placed.chosen:
        return placed
    return replace(placed, initial=constant_tables(kernels[0].facts.unit, placed.chosen.keys()))


def place(candidates: Iterable[Candidate], level: Level, budget: int = DEVICE.constant) -> ConstantChoice:
    """First fit: in the order found (`thesis`), or by reads per byte (`auto`); first what the user asks for.

    `budget` in bytes.
    """
    order = list(candidates)
    if level is Level.AUTO:
        order.sort(key=lambda c: (bool(c.although), -c.reads_per_byte, c.symbol.position))
    order.sort(key=lambda c: not c.asked)
    chosen: dict[t.Symbol, str] = {}
    left_out: dict[t.Symbol, str] = {}
    for c in order:
        if c.bytes <= budget:
            budget -= c.bytes
            chosen[c.symbol] = _because(c, level)
        else:
            left_out[c.symbol] = (
                f"its {c.bytes} bytes do not fit into the {budget} bytes of constant memory that are left"
            )
    return ConstantChoice(chosen, left_out, {c.symbol: c.type for c in order if c.symbol in chosen})


def refused_wishes(kernels: Sequence[Kernel], choice: ConstantChoice, level: Level) -> tuple[Diagnostic, ...]:
    """OMPC358 for each array that the user wants in constant memory and that cannot be there."""
    found = []
    for kernel in kernels:
        parameters = {parameter.symbol: parameter for parameter in kernel.parameters}
        for symbol in sorted(kernel.facts.loop.override.constant, key=lambda s: s.position):
            parameter = parameters.get(symbol)
            if parameter is not None and choice.holds(kernel, parameter, level):
                continue
            why = None if parameter is None else choice.why_not(kernel, parameter, level)
            why = why or "it is no array of known size that the loop reads"
            message = f"`constant({symbol.name})` of `#pragma cuda gpurun` is not followed: {why}"
            found.append(Diagnostic("OMPC358", Kind.WARNING, message, kernel.facts.loop.loc))
    return tuple(found)


def _is_asked(kernel: Kernel, parameter: KernelParameter) -> bool:
    return parameter.symbol in kernel.facts.loop.override.constant


def _because(c: Candidate, level: Level) -> str:
    if c.asked:
        return f"read only, {c.bytes} bytes, as `#pragma cuda gpurun` asks"
    if level is Level.THESIS:
        return f"read only in the kernel, {c.bytes} bytes, in the order found (thesis 4.2)"
    if c.although:
        return f"read only, {c.bytes} bytes, of which lanes of a warp read different elements, {c.although}"
    return f"read only, {c.bytes} bytes, each read of the same element by all lanes of a warp"


def _table_type(kernel: Kernel, parameter: KernelParameter, level: Level) -> ty.Type | None:
    """The type that the array would have in constant memory; None: its size is not known, or it cannot be there."""
    if parameter.role is not Role.ARRAY or parameter.symbol in kernel.facts.loop.former:
        return None
    if parameter.holds_pointers:  # the pointers in it are translated in a copy of the array
        return None
    match parameter.extent:
        case ObjectExtent(bytes=size) if size:
            return parameter.symbol.type
        case SectionExtent(section=section) if level is Level.AUTO and _is_plain_pointer(kernel, parameter.symbol):
            whole = section.condition is None and section.lower == "0" and section.upper.isdecimal()
            return ty.Array(parameter.element, int(section.upper) + 1) if whole else None
        case _:
            return None


def _is_plain_pointer(kernel: Kernel, symbol: t.Symbol) -> bool:
    """Is its value all that the kernel uses of the pointer? An array of that name can then stand for it."""
    return not symbol.address_taken and MemoryObject(symbol) not in kernel.facts.written


def _reads(kernel: Kernel, parameter: KernelParameter) -> int:
    loops = kernel.facts.loop.loops
    return sum(trips.reads_per_launch(access, loops) for access in kernel.facts.of(parameter.obj))


def _why_not(kernel: Kernel, parameter: KernelParameter, level: Level) -> str | None:
    """Why this kernel cannot read the array from constant memory; None when it can."""
    if parameter.writes:
        return "the kernel writes it"
    if _is_asked(kernel, parameter):
        return None
    if parameter.symbol in kernel.facts.loop.override.not_constant:
        return "`#pragma cuda gpurun` asks for no constant memory"
    if level is Level.BASELINE:
        return "baseline: every array in global memory"
    override = kernel.facts.loop.override
    if level is Level.AUTO and override.shape.constant is not None:
        return None if override.shape.constant else f"no constant memory, {override.kernel_because}"
    if level is Level.THESIS:
        return (
            "passed to a function or its address taken (thesis 4.2.1)"
            if _escapes(kernel.facts, parameter.symbol)
            else None
        )
    return "lanes of a warp read different elements" if _differs(kernel, parameter) else None


def _differs(kernel: Kernel, parameter: KernelParameter) -> bool:
    """Do lanes of a warp read different elements, as far as is known?"""
    return not all(kernel.uniformity.has_uniform_address(access.node) for access in kernel.facts.of(parameter.obj))


def _although(kernel: Kernel, parameter: KernelParameter, level: Level) -> str:
    """What says that an array is to be in constant memory that would not be there otherwise."""
    override = kernel.facts.loop.override
    asked = level is Level.AUTO and override.shape.constant == 1 and not _is_asked(kernel, parameter)
    return override.kernel_because if asked and _differs(kernel, parameter) else ""


def varying_tables(kernel: Kernel, level: Level) -> tuple[KernelParameter, ...]:
    """Arrays of which lanes read different elements, and that could be in constant memory otherwise."""
    return tuple(
        parameter
        for parameter in kernel.parameters
        if not parameter.writes
        and (kind := _table_type(kernel, parameter, level)) is not None
        and (ty.size_of(kind) or 0) <= DEVICE.constant
        and parameter.symbol not in kernel.facts.loop.override.not_constant
        and _differs(kernel, parameter)
    )


def _escapes(facts: Facts, symbol: t.Symbol) -> bool:
    """Thesis 4.2.1: is (part of) the array an argument of a call, or its address taken, in the kernel?"""
    for node in facts.device_code.nodes:
        match node:
            case t.Call(args=args):
                passed = [a for a in args if isinstance(ty.decayed(a.type), ty.Pointer)]
                if any(symbol in base_symbols(argument) for argument in passed):
                    return True
            case t.Unary(op="&", operand=operand) if symbol in base_symbols(operand):
                return True
            case _:
                pass
    return False


