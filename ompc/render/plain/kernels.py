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
from ompc.plan.model.launch import Bound
from ompc.plan.model.names import spelled
from ompc.plan.model.schedule import Body, Steps
from ompc.plan.plain.model import PlainLaunch
from ompc.render.code.spelling import Spelling
from ompc.render.code.types import array_parameter
from ompc.render.comments import in_comment, pragma_of
from ompc.render.kernels import KernelPrinter, KernelView, last_value
from ompc.render.plain.counters import Counters
from ompc.render.plain.reductions import combination, declaration, of_blocks
from ompc.render.schedule import Inside, Lines, indented


class PlainKernelPrinter(KernelPrinter):
    """`launch.plan` has the runtime's reductions; here they are arrays with a value for each block."""

    def __init__(self, launch: PlainLaunch, spelling: Spelling, source: str, helpers: Mapping[str, str]) -> None:
        """`helpers`: names of the file's own functions."""
        super().__init__(launch.region, launch.plan, launch.plan.own, spelling, source)
        self._launch, self.helpers = launch, helpers
        self.counters = Counters(self._expressions, self._types)

    def view(self) -> KernelView:
        kernel, launch = self._kernel, self._launch
        place = f"{self._source.rpartition('/')[2]}:{launch.region.loop.line}"
        about = in_comment(f"{place}: {pragma_of(launch.region)}")
        return KernelView(
            comment=textwrap.wrap(" ".join(about.split()), 100, subsequent_indent="  "),
            objects=[],
            head=[],
            declarator=f"__global__ void {launch.kernel}",
            parameters=self.parameters(),
            lines=indented(
                [line for r in kernel.reductions for line in declaration(r, self._types)]
                + self._loops()
                + [line for r in kernel.reductions for line in combination(r, self.helpers, self._blocks())]
            ),
        )

    def _blocks(self) -> str:
        """How many of them a launch has."""
        axes = len(self._schedule.axes)
        return "gridDim.x" if axes == 1 else f"({' * '.join(f'gridDim.{axis}' for axis in 'xyz'[:axes])})"

    # ------------------------------------------------------------ parameters

    def values(self) -> dict[str, str]:
        """The parameters by value, with their declarations, in the order of the launch function's."""
        found = {v.device_name: self._types.declare(ty.unqualified(v.symbol.type), v.device_name)
                 for v in self._kernel.values}  # fmt: skip
        named = {str(name): text for name, text in found.items()}
        named |= {str(name): f"long {name}" for v in self._kernel.arrays for name in v.dimensions}
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
        found += [self._types.declare(ty.Pointer(ty.unqualified(r.type)), of_blocks(r)) for r in sums]
        return found + [self._types.declare(ty.Pointer(last.type), last.cell) for last in self._kernel.lastprivates]

    def arguments(self) -> list[str]:
        """What the launch function passes."""
        arrays = [array.device for array in self._launch.arrays]
        values = [self._launch.lengths.get(name, name) for name in self.values()]
        return [*values, *arrays, *(name for _, name in (*self._launch.sums, *self._launch.lasts))]

    # ------------------------------------------------------------ loops

    def _loops(self) -> Lines:
        schedule = self._schedule
        outer = [axis.loops[0] for axis in schedule.axes if axis.name != "x"]
        inner = next(axis.loops[0] for axis in schedule.axes if axis.name == "x")
        body = schedule.body.steps[0] if isinstance(schedule.body, Steps) else schedule.body
        assert isinstance(body, Body)
        stays = bool(self._kernel.reductions) or ty.size_of(inner.lower.type) == 8
        stays = stays or (any(map(continues, body.statements)) and not self._kernel.lastprivates)
        order = [*outer, inner] if stays else outer
        lines = self._body(body, Inside(lambda node: [], len(order) + 1)) + self._last_values()
        for loop in reversed(order):
            head = self.counters.head(loop)
            lines = [f"{head} {{", *indented(lines), "}"] if len(lines) > 1 else [head, *indented(lines)]
        if stays:
            return lines
        first = f"const {self.counters.kind(inner)} {inner.variable} = {self.counters.first(inner)};"
        return [first, f"if ({self.counters.beyond(inner)})", "    return;", *lines]

    def _last_values(self) -> Lines:
        """What the iteration does at its end that is the last of all."""
        stores = [last_value(self._kernel, index) for index in range(len(self._kernel.lastprivates))]
        if not stores:
            return []
        condition = " && ".join(map(self.counters.is_last, self._kernel.grid))
        return [f"if ({condition}) {{", *indented(stores), "}"] if len(stores) > 1 else [
            f"if ({condition})", *indented(stores)
        ]
