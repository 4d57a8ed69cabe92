"""Kernels of plain output: the body that every kernel has, in loops over a grid that the launch function shows.

    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += gridDim.y * blockDim.y) {

The grid covers x; of y and z a launch may have too few blocks. With a reduction all threads come to the end, so x is
a loop as well, and so it is where the body goes on with the next iteration (`continue`), and where counters are longs.

    In: PlainLaunch, the printers of the file.   Out: KernelView.   Not here: bodies -- render/kernels.py.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.ir.queries import symbols_in
from ompc.plan.model.launch import Bound, GridLoop
from ompc.plan.model.names import spelled
from ompc.plan.model.schedule import Body
from ompc.plan.plain.model import PlainLaunch
from ompc.render.code.spelling import Spelling
from ompc.render.code.types import array_parameter
from ompc.render.comments import in_comment
from ompc.render.kernels import KernelPrinter, KernelView
from ompc.render.plain.reductions import combination, declaration, of_blocks
from ompc.render.schedule import Inside, Lines, indented

BEYOND: Mapping[str, str] = {"<": ">=", "<=": ">"}


class PlainKernelPrinter(KernelPrinter):
    """`launch.plan` has the runtime's reductions; here they are arrays with a value for each block."""

    def __init__(self, launch: PlainLaunch, spelling: Spelling, source: str, helpers: Mapping[str, str]) -> None:
        """`helpers`: names of the file's own functions."""
        super().__init__(launch.region, launch.plan, launch.plan.own, spelling, source)
        self._launch, self.helpers = launch, helpers

    def view(self) -> KernelView:
        kernel, launch = self._kernel, self._launch
        place = f"{self._source.rpartition('/')[2]}:{launch.region.loop.line}"
        about = in_comment(f"{place}: #pragma {launch.region.loop.pragma.spelling}")
        return KernelView(
            comment=textwrap.wrap(" ".join(about.split()), 100, subsequent_indent="  "),
            objects=[],
            head=[],
            declarator=f"__global__ void {launch.kernel}",
            parameters=self.parameters(),
            lines=indented(
                [declaration(r, self._types) for r in kernel.reductions]
                + self._loops()
                + [combination(r, self.helpers) for r in kernel.reductions]
            ),
        )

    # ------------------------------------------------------------ parameters

    def values(self) -> dict[str, str]:
        """The parameters by value, with their declarations, in the order of the launch function's."""
        found = {v.device_name: self._types.declare(ty.unqualified(v.symbol.type), v.device_name)
                 for v in self._kernel.values}  # fmt: skip
        named = {str(name): text for name, text in found.items()}
        for loop in self._kernel.grid:
            for bound in (loop.lower, loop.upper):
                named = self._of_bound(bound) | named
        order = [str(argument.name) for argument in self._kernel.arguments if str(argument.name) in named]
        return {name: named[name] for name in dict.fromkeys([*order, *named])}

    def _of_bound(self, bound: Bound) -> dict[str, str]:
        if bound.constant is not None:
            return {}
        if bound.expr is None:
            return {str(bound.name): self._types.declare(ty.unqualified(bound.type), bound.name)}
        symbols = sorted(symbols_in(bound.expr), key=lambda symbol: symbol.position)
        return {
            spelled(symbol.name): self._types.declare(ty.unqualified(symbol.type), spelled(symbol.name))
            for symbol in symbols
        }

    def parameters(self) -> list[str]:
        """In the order of `arguments`."""
        found = list(self.values().values())
        for array in self._launch.arrays:
            v = array.variable
            apart = self._kernel.restrict and v.distinct
            found.append(array_parameter(self._types, v.element, v.device_name, not v.writes, apart))
        sums = self._kernel.reductions
        return found + [self._types.declare(ty.Pointer(ty.unqualified(r.type)), of_blocks(r)) for r in sums]

    def arguments(self) -> list[str]:
        """What the launch function passes."""
        arrays = [array.device for array in self._launch.arrays]
        return [*self.values(), *arrays, *(name for _, name in self._launch.sums)]

    # ------------------------------------------------------------ loops

    def _loops(self) -> Lines:
        schedule = self._schedule
        outer = [axis.loops[0] for axis in schedule.axes if axis.name != "x"]
        inner = next(axis.loops[0] for axis in schedule.axes if axis.name == "x")
        assert isinstance(schedule.body, Body)
        stays = bool(self._kernel.reductions) or any(map(continues, schedule.body.statements))
        stays = stays or ty.size_of(inner.lower.type) == 8
        order = [*outer, inner] if stays else outer
        lines = self._body(schedule.body, Inside(lambda node: [], len(order) + 1))
        for loop in reversed(order):
            head = self._head(loop)
            lines = [f"{head} {{", *indented(lines), "}"] if len(lines) > 1 else [head, *indented(lines)]
        if stays:
            return lines
        kind, name = self._types.declare(ty.unqualified(inner.lower.type)), inner.variable
        guard = f"if ({name} {BEYOND[inner.loop.relation]} {self.bound(inner.upper)})"
        return [f"const {kind} {name} = {self._first(inner)};", guard, "    return;", *lines]

    def _head(self, loop: GridLoop) -> str:
        kind, name, axis = self._types.declare(ty.unqualified(loop.lower.type)), loop.variable, loop.axis
        condition = f"{name} {loop.loop.relation} {self.bound(loop.upper)}"
        step = f"gridDim.{axis} * {self._wide(loop)}blockDim.{axis}"
        return f"for ({kind} {name} = {self._first(loop)}; {condition}; {name} += {step})"

    def _first(self, loop: GridLoop) -> str:
        lower = f"{loop.lower.constant} + " if loop.lower.constant else ""
        return f"{lower}blockIdx.{loop.axis} * {self._wide(loop)}blockDim.{loop.axis} + threadIdx.{loop.axis}"

    def _wide(self, loop: GridLoop) -> str:
        """Indices are 32 bits wide, as is their product."""
        kind = ty.unqualified(loop.lower.type)
        return f"({self._types.declare(kind)})" if ty.size_of(kind) == 8 else ""

    def bound(self, bound: Bound) -> str:
        """As the kernel and its launch function say it."""
        if bound.constant is not None and bound.expr is None:
            return str(bound.constant)
        return str(bound.name) if bound.expr is None else self._expressions.first_term(bound.expr)
