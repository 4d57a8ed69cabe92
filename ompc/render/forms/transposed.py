"""A kernel with transposed accesses: three times over the points of a tile.

    along y      tile[p][q] = a[j][i];       what is staged in, if anything is
    along x      the body, with elements of the tiles
    along y      b[j][i] = tile[p][q];       what is staged out, if anything is

Each declares the loop variables that it names.

    In: the nodes of the schedule (plan/forms/transposed.py).   Out: their lines.
    Not here: decisions -- plan/forms/transposed.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.machine import DEVICE
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.schedule import Axis, Barrier, Body, Stage, TilePoints
from ompc.plan.model.tile_model import TransposedElement, TransposedPlan
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.spelling import Spelling
from ompc.render.code.statements import StatementPrinter
from ompc.render.forms.grid import GridPrinter
from ompc.render.forms.reductions import copy_declaration
from ompc.render.layout import broken_lines
from ompc.render.schedule import AxisText, Inside, Lines, indented


def transposed_comment(kernel: KernelPlan, plan: TransposedPlan, source: str) -> list[str]:
    """What the kernel is, and why."""
    y, x = kernel.grid[-2].variable, kernel.grid[-1].variable
    head = f"{source}, where there are many {y} and {x}: a block has a tile of points ({y}, {x}), through which pass"
    return [head, f"  {plan.because}"]


class TransposedTexts:
    """The nodes of a schedule with transposed tiles; `privates` are declared for each iteration."""

    def __init__(
        self, kernel: KernelPlan, plan: TransposedPlan, spelling: Spelling, privates: Sequence[str], used: set[str]
    ) -> None:
        self._kernel, self._plan, self._n, self._types = kernel, plan, plan.names, spelling.types
        self._privates, self._used = privates, used
        self._plain = ExpressionPrinter(spelling)
        self.grid = GridPrinter(spelling.types, self._plain)
        replaced = {node: self._cell(element) for element in plan.elements for node in element.nodes}
        self._staged = ExpressionPrinter(replace(spelling, replaced=replaced))

    def declarations(self) -> Lines:
        """What stands at the top of the kernel."""
        shared = [self._shared(element) for element in self._plan.elements]
        sums = [line for reduction in self._kernel.reductions for line in copy_declaration(reduction, self._types)]
        return [f"constexpr int {self._n['side']} = {self._plan.side};", *shared, *sums]

    def axis(self, axis: Axis) -> AxisText:
        """The loop over the tiles of all blocks along y or x."""
        n, a, (loop,) = self._n, axis.name, axis.loops
        first, side, extent = n[f"first_{a}"], n["side"], n["rows" if a == "y" else "columns"]
        begin = "" if axis.begin is None else f"{axis.begin} + "
        head = [
            f"for (size_t {first} = {begin}blockIdx.{a} * (size_t){side}; {first} < {loop.trips}; "
            f"{first} += (size_t)gridDim.{a} * {side}) {{"
        ]
        return AxisText(head, [f"const int {extent} = ompc::left_of({loop.trips}, {first}, {side});"])

    def points(self, node: TilePoints, inside: Inside) -> Lines:
        """What is done for each point of the tile; neighbouring threads have neighbours along its axis."""
        n = self._n
        return [
            f"ompc::along_{node.axis}<{n['side']}>({n['rows']}, {n['columns']}, [&](int {n['p']}, int {n['q']}) {{",
            *indented(inside.lines(node.body)),
            "});",
        ]

    def barrier(self, node: Barrier, inside: Inside) -> Lines:
        return ["__syncthreads();"]

    def stage(self, node: Stage, inside: Inside) -> Lines:
        """In, or out, the element of one point."""
        elements = [element for element in node.elements if isinstance(element, TransposedElement)]
        pairs = [(self._cell(element), self._plain.text(element.nodes[0])) for element in elements]
        lines = [f"{place} = {cell};" if node.out else f"{cell} = {place};" for cell, place in pairs]
        return self._declared(lines, self._plan.definitions, inside)

    def body(self, node: Body, inside: Inside) -> Lines:
        """The user's statements, with elements of the tiles."""
        printer = StatementPrinter(self._staged, self._types)
        lines = [line for statement in node.statements for line in printer.lines(statement)]
        within = [*self._privates, "{", *indented(lines), "}"] if self._privates else lines
        return self._declared(within, (), inside)

    def _cell(self, element: TransposedElement) -> str:
        return f"{element.tile}[{self._n['p']}][{self._n['q']}]"

    def _shared(self, element: TransposedElement) -> str:
        side, padding = self._n["side"], max(1, DEVICE.bank // (ty.size_of(element.type) or 1))
        return f"__shared__ {self._types.declare(element.type, f'{element.tile}[{side}][{side} + {padding}]')};"

    def _declared(self, code: Lines, definitions: Sequence[t.VarDecl], inside: Inside) -> Lines:
        (y, x), n = self._kernel.grid[-2:], self._n
        counters = {y: f"{n['first_y']} + {n['p']}", x: f"{n['first_x']} + {n['q']}"}
        lines = self.grid.with_declarations(code, counters, definitions)
        self._used |= self._plain.words_of(lines)
        return broken_lines(lines, inside.depth)
