"""A kernel with transposed accesses as lines for templates/transposed.cu.j2: three times over the points of a tile.

    along y      tile[p][q] = a[j][i];       what is staged in, if anything is
    along x      the body, with elements of the tiles
    along y      b[j][i] = tile[p][q];       what is staged out, if anything is

Each declares the loop variables that it names.

    In: KernelPlan with its TransposedPlan.   Out: TransposedView.   Not here: decisions -- plan/forms/transposed.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.machine import DEVICE
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.tile_model import TransposedElement, TransposedPlan
from ompc.render.code.expressions import ExpressionPrinter, Spelling
from ompc.render.code.statements import INDENT, StatementPrinter
from ompc.render.forms.grid import GridPrinter, LoopView, begin_of_slice
from ompc.render.forms.reductions import combination, copy_declaration
from ompc.render.layout import broken_lines, words_of


@dataclass(frozen=True, slots=True)
class Step:
    """What is done for each point; neighbouring threads have neighbours along `axis`."""

    axis: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class TransposedView:
    """`outer` are the axes of the grid beyond the tile's two; `n` the names of what the kernel declares itself."""

    name: str
    comment: list[str]
    parameters: list[str]
    n: Mapping[str, str]
    side: int
    shared: list[str]
    outer: list[LoopView]
    begin_y: str
    trips_y: str
    trips_x: str
    steps: list[Step]
    sums: list[str]
    results: list[str]


def transposed_view(
    kernel: KernelPlan,
    plan: TransposedPlan,
    parameters: list[str],
    privates: Sequence[str],
    spelling: Spelling,
    source: str,
) -> TransposedView:
    """The view of the second kernel of `kernel`, whose first one has `parameters` and declares `privates` for each
    iteration; `source` is the user's line.
    """
    printer = _Printer(kernel, plan, spelling)
    staged = [("y", printer.loads()), ("x", printer.body(privates)), ("y", printer.stores())]
    outer = printer.grid.outer_views(kernel, words_of(line for _, lines in staged for line in lines))
    return TransposedView(
        name=plan.kernel,
        comment=transposed_comment(kernel, plan, source),
        parameters=parameters,
        n=plan.names,
        side=plan.side,
        shared=[printer.shared(element) for element in plan.elements],
        outer=outer,
        begin_y="" if outer else begin_of_slice(kernel),
        trips_y=kernel.grid[-2].trips,
        trips_x=kernel.grid[-1].trips,
        steps=[Step(axis, broken_lines(lines, len(outer) + 4)) for axis, lines in staged if lines],
        sums=[line for reduction in kernel.reductions for line in copy_declaration(reduction, spelling.types)],
        results=[combination(reduction) for reduction in kernel.reductions],
    )


def transposed_comment(kernel: KernelPlan, plan: TransposedPlan, source: str) -> list[str]:
    """What the kernel is, and why."""
    y, x = kernel.grid[-2].variable, kernel.grid[-1].variable
    head = f"{source}, where there are many {y} and {x}: a block has a tile of points ({y}, {x}), through which pass"
    return [head, f"  {plan.because}"]


class _Printer:
    def __init__(self, kernel: KernelPlan, plan: TransposedPlan, spelling: Spelling) -> None:
        self._kernel, self._plan, self._n, self._types = kernel, plan, plan.names, spelling.types
        self._plain = ExpressionPrinter(spelling)
        self.grid = GridPrinter(spelling.types, self._plain)
        replaced = {node: self._cell(element) for element in plan.elements for node in element.nodes}
        self._staged = ExpressionPrinter(replace(spelling, replaced=replaced))

    def _cell(self, element: TransposedElement) -> str:
        return f"{element.tile}[{self._n['p']}][{self._n['q']}]"

    def shared(self, element: TransposedElement) -> str:
        side, padding = self._n["side"], max(1, DEVICE.bank // (ty.size_of(element.type) or 1))
        return f"__shared__ {self._types.declare(element.type, f'{element.tile}[{side}][{side} + {padding}]')};"

    def loads(self) -> list[str]:
        loaded = (element for element in self._plan.elements if element.loaded)
        lines = [f"{self._cell(element)} = {self._plain.text(element.nodes[0])};" for element in loaded]
        return self._declared(lines, self._plan.definitions)

    def stores(self) -> list[str]:
        stored = (element for element in self._plan.elements if element.stored)
        lines = [f"{self._plain.text(element.nodes[0])} = {self._cell(element)};" for element in stored]
        return self._declared(lines, self._plan.definitions)

    def body(self, privates: Sequence[str]) -> list[str]:
        lines = StatementPrinter(self._staged, self._types).lines(self._kernel.body)
        inside = [*privates, "{", *(INDENT + line for line in lines), "}"] if privates else lines
        return self._declared(inside, ())

    def _declared(self, code: list[str], definitions: Sequence[t.VarDecl]) -> list[str]:
        (y, x), n = self._kernel.grid[-2:], self._n
        counters = {y: f"{n['first_y']} + {n['p']}", x: f"{n['first_x']} + {n['q']}"}
        return self.grid.with_declarations(code, counters, definitions)
