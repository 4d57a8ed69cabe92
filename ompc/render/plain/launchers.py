"""Launch functions of plain output, as data for templates/plain/launcher.cu.j2.

In: PlainLaunch, its kernel's printer.   Out: PlainLauncherView; the prototype for the user's C.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_type
from ompc.plan.model.launch import Argument, GridLoop
from ompc.plan.model.names import first_free, spelled
from ompc.plan.model.plan import KernelPlan, Reduction
from ompc.plan.plain.model import DataRegion, PlainArray, PlainLaunch
from ompc.render.code.types import TypePrinter, as_const
from ompc.render.plain.kernels import PlainKernelPrinter
from ompc.render.plain.reductions import HostNames, host_combination, of_blocks

_BLOCKS: Mapping[int, tuple[int, ...]] = {1: (256,), 2: (32, 8), 3: (32, 4, 2)}
_LONG = 24
"""Characters; a longer number of bytes gets a variable."""
MOST_BLOCKS = 1024
"""Of a launch with a reduction: the host combines what they have found."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """An array as text: its copy's `declaration`; what crosses: its `device` and `host` addresses, and how many
    `bytes`; `size`: a variable for that, with its value. `kept`: where the copy is that is there already; empty: none.
    """

    declaration: str
    name: str
    device: str
    host: str
    bytes: str
    size: tuple[str, str] | None
    whole: str
    copied_in: bool
    copied_out: bool
    kept: str = ""


@dataclass(frozen=True, slots=True)
class DataRegionView:
    """The function that is called in front of statements at `place`; each of `copies`: what, how many bytes, whether
    launches write it.
    """

    place: str
    name: str
    parameters: list[str]
    copies: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Combined:
    """A reduction: `values` of the blocks on the host, on the `device`; `elements` of an array; None: a variable."""

    type: str
    values: str
    device: str
    statements: list[str]
    elements: int | None


@dataclass(frozen=True, slots=True)
class LastValue:
    """It comes from the variable `device` to where `host` points to."""

    type: str
    device: str
    host: str


@dataclass(frozen=True, slots=True)
class Names:
    """The launch function's variables besides the copies, and all that has a name there."""

    block: str
    grid: str
    count: str
    number: str
    element: str
    taken: frozenset[str]


@dataclass(frozen=True, slots=True)
class PlainLauncherView:
    """`declared`: its parameters in C; `combined`: its reductions; `blocks`: how many blocks there are; `far_ends`:
    what must hold of ends of loops.
    """

    name: str
    parameters: list[str]
    declared: list[str]
    is_empty: str
    far_ends: list[str]
    names: Names
    apart: list[tuple[str, str]]
    arrays: list[Crossing]
    block: str
    grid: str
    kernel: str
    arguments: list[str]
    combined: list[Combined]
    lasts: list[LastValue]
    blocks: str
    most: int
    axes: int


def launcher_view(launch: PlainLaunch, printer: PlainKernelPrinter, types: TypePrinter) -> PlainLauncherView:
    kernel, names = launch.plan, _names(launch)
    loops = [axis.loops[0] for axis in reversed(kernel.own.axes)]
    block = _BLOCKS[len(loops)]
    most = {1: [MOST_BLOCKS], 2: [32, 32], 3: [16, 8, 8]}[len(loops)] if kernel.reductions else [None, 65535, 65535]
    grid = [_blocks(loop, printer, names.block, limit) for loop, limit in zip(loops, most, strict=False)]
    return PlainLauncherView(
        name=launch.launcher,
        parameters=[types.declare(kind, name) for kind, name in parameters(launch)],
        declared=prototype(launch)[1],
        is_empty=" || ".join(filter(None, dict.fromkeys(map(printer.counters.is_empty, kernel.grid)))),
        far_ends=list(filter(None, dict.fromkeys(map(printer.counters.far_end, kernel.grid)))),
        apart=list(launch.apart),
        names=names,
        arrays=[_crossing(array, launch, types, names.taken, printer.helpers) for array in launch.arrays],
        block=", ".join(map(str, block)),
        grid=", ".join(grid),
        kernel=launch.kernel,
        arguments=printer.arguments(),
        combined=[_combined(r, device, names, types) for r, device in launch.sums],
        lasts=[LastValue(types.declare(last.type), device, str(last.cell)) for last, device in launch.lasts],
        blocks=" * ".join(f"{names.grid}.{axis}" for axis, _ in zip("xyz", loops, strict=False)),
        most=MOST_BLOCKS,
        axes=len(loops),
    )


def _combined(r: Reduction, device: str, names: Names, types: TypePrinter) -> Combined:
    statements = host_combination(r, HostNames(names.count, names.number, names.element))
    elements = None if r.elements is None else r.count
    return Combined(types.declare(ty.unqualified(r.type)), of_blocks(r), device, statements, elements)


def _blocks(loop: GridLoop, printer: PlainKernelPrinter, block: str, most: int | None) -> str:
    """How many of them on the loop's axis."""
    longest = printer.counters.longest(loop)
    limits = [] if most is None and not longest else [str(most or "INT_MAX")]
    limits += [longest] if longest else []
    return f"{printer.helpers['blocks']}({', '.join([printer.counters.count(loop), f'{block}.{loop.axis}', *limits])})"


def _names(launch: PlainLaunch) -> Names:
    taken = {launch.kernel, *(str(argument.name) for argument in launch.arguments)}
    taken |= {array.device for array in launch.arrays} | {device for _, device in (*launch.sums, *launch.lasts)}
    taken |= {f"{r.name}_of_block" for r, _ in launch.sums}
    block, grid, count, k, e = own = [first_free(name, taken) for name in ("block", "grid", "count", "k", "e")]
    return Names(block, grid, count, k, e, frozenset(taken.union(own)))


def _crossing(
    array: PlainArray, launch: PlainLaunch, types: TypePrinter, taken: frozenset[str], helpers: Mapping[str, str]
) -> Crossing:
    v, extent = array.variable, array.extent
    kind = ty.Pointer(ty.unqualified_elements(v.element))
    if array.kept:
        (own,) = [given for given, name in parameters(launch) if name == array.pointer]
        is_alike = isinstance(own, ty.Pointer) and ty.unqualified(own.to) == kind.to
        cast = "" if is_alike else f"({types.declare(kind)})"
        found = f"{cast}{helpers['copy_of']}({array.pointer})"
        declaration = types.declare(kind, array.device)
        return Crossing(declaration, array.device, array.device, array.pointer, "", None, "", False, False, found)
    device, host, text = array.device, array.pointer, extent.bytes
    is_long = len(text) > _LONG and not text.endswith("])")
    kept = first_free(f"{array.pointer}_bytes", taken) if is_long else ""
    whole = kept or text
    if extent.first:
        device, host = f"(char *){device} + {extent.first}", f"(char *){host} + {extent.first}"
        whole = f"{extent.first} + {kept or text}"
    return Crossing(
        declaration=types.declare(kind, array.device),
        name=array.device,
        device=device,
        host=host,
        size=(kept, text) if kept else None,
        bytes=kept or text,
        whole=whole,
        copied_in=array.copied_in,
        copied_out=array.copied_out,
    )


def parameters(launch: PlainLaunch) -> list[tuple[ty.Type, str]]:
    """Of the launch function: pointers to numbers as what they are, others to void, since the header comes before the
    user's own types.
    """
    return [(_parameter(argument, launch.plan), str(argument.name)) for argument in launch.arguments]


def _parameter(argument: Argument, kernel: KernelPlan) -> ty.Type:
    if not isinstance(argument.type, ty.Pointer):
        return ty.unqualified(argument.type.underlying if isinstance(argument.type, ty.Enum) else argument.type)
    for r in kernel.reductions:
        if r.name == str(argument.name):
            whole = ty.unqualified(r.type) if r.elements is None else ty.unqualified_elements(r.symbol.type)
            return ty.Pointer(whole) if r.elements is None else ty.decayed(whole)
    for last in kernel.lastprivates:
        if str(last.cell) == str(argument.name):
            return ty.Pointer(last.type)
    for v in kernel.arrays:
        if v.dimensions:
            continue  # the host's pointer is one to rows
        if str(argument.name) == str(v.symbol.name) and isinstance(ty.unqualified(v.element), (ty.Int, ty.Float)):
            element = ty.unqualified(v.element)
            return ty.Pointer(element if v.writes else as_const(element))
    return argument.type


def data_region_view(region: DataRegion, types: TypePrinter) -> DataRegionView:
    loc = region.statements[0].loc
    return DataRegionView(
        place=f"{loc.file.rpartition('/')[2]}:{loc.line}",
        name=region.enter,
        parameters=[types.declare(kind, name) for kind, name in _entered(region)],
        copies=[(spelled(a.root.name), a.bytes, "true" if a.written else "false") for a in region.arrays],
    )


def _entered(region: DataRegion) -> list[tuple[ty.Type, str]]:
    return [(ty.Pointer(_only_read(array.root)), spelled(array.root.name)) for array in region.arrays]


def _only_read(root: t.Symbol) -> ty.Type:
    kind = ty.decayed(root.type)
    element = ty.unqualified(kind.to) if isinstance(kind, ty.Pointer) else ty.VOID
    return as_const(element if isinstance(element, (ty.Int, ty.Float)) else ty.VOID)


def region_prototype(region: DataRegion) -> tuple[str, list[str]]:
    """The head and parameters of the function in front of it, in C."""
    return f"void {region.enter}", [c_type(kind, name) or "" for kind, name in _entered(region)]


def prototype(launch: PlainLaunch) -> tuple[str, list[str]]:
    """Its head and parameters in C."""
    found = [c_type(kind, name) for kind, name in parameters(launch)]
    return f"void {launch.launcher}", [text or "void" for text in found] or ["void"]
