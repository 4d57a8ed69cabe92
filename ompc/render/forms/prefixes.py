"""A kernel that makes prefixes: a block goes twice through its iterations of a tile, and combines in between.

    for (size_t tile = ompc::next_tile(s_result); tile < ompc::scan_tiles(trips); tile = ompc::next_tile(s_result)) {
        int s_values[ompc::scan_rows] = {};
        ompc::each_of_tile(tile, trips, [&](size_t t, int row) {
            int s = ompc::Sum::identity<int>();
            const int i = (int)(t);
            s += a[i];
            s_values[row] = s;
        });
        ompc::scan_tile<true>(s_values, tile, trips, s_result);
        ompc::each_of_tile(tile, trips, [&](size_t t, int row) {
            const int s = s_values[row];
            const int i = (int)(t);
            b[i] = s;
        });
    }
    ompc::finish(s_result);

In: the nodes of the schedule (plan/schedule/prefixes.py).   Out: their lines.
Not here: what the functions do -- ompc_scan.h.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.base.frozen import dataclass
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.scan_model import ScanPlan
from ompc.plan.model.schedule import Axis, PointsOfThread, Prefix
from ompc.render.code.types import TypePrinter
from ompc.render.forms.grid import GridPrinter
from ompc.render.forms.reductions import own_value
from ompc.render.schedule import AxisText, Inside, Lines, indented


@dataclass(frozen=True, slots=True)
class PrefixTexts:
    """`privates` are declared once for a tile: their last values may come from either phase."""

    kernel: KernelPlan
    grid: GridPrinter
    types: TypePrinter
    privates: Sequence[str]

    def axis(self, axis: Axis) -> AxisText:
        """The loop over the tiles that a block takes."""
        plan = self._plan(axis)
        tile, taken = plan.tile, f"ompc::next_tile({plan.items[0].result})"
        head = [
            f"for (size_t {tile} = {taken}; {tile} < ompc::scan_tiles({self._trips(axis)});",
            f"     {tile} = {taken}) {{",
        ]
        kinds = [self.types.declare(r.type) for r in self.kernel.reductions]
        values = [f"{k} {i.values}[ompc::scan_rows] = {{}};" for k, i in zip(kinds, plan.items, strict=True)]
        return AxisText(head, [*values, *self.privates])

    def points(self, node: PointsOfThread, inside: Inside) -> Lines:
        """One phase, for each of the thread's iterations of the tile."""
        plan, (axis,) = node.scan, self.kernel.own.axes
        body = inside.lines(node.body)
        own = [] if node.entering else self._seen(plan, self.grid.expressions.words_of(body))
        variables = self.grid.point_variables(axis, self.grid.expressions.words_of(body))
        counter, row = axis.loops[0].axis_counter, plan.row
        sums = self.kernel.reductions
        if node.entering:
            own = [f"{self.types.declare(r.type, r.name)} = {own_value(r, self.types)};" for r in sums]
        into = [f"{item.values}[{row}] = {item.name};" for item in plan.items] if node.entering else []
        head = f"ompc::each_of_tile({plan.tile}, {self._trips(axis)}, [&](size_t {counter}, int {row}) {{"
        return [head, *indented([*own, *variables, *body, *into]), "});"]

    def prefix(self, node: Prefix, inside: Inside) -> Lines:
        """All threads of the block combine what their iterations have put in."""
        plan, trips = node.scan, self._trips(self.kernel.own.axes[0])
        own = "true" if plan.inclusive else "false"
        return [f"ompc::scan_tile<{own}>({i.values}, {plan.tile}, {trips}, {i.result});" for i in plan.items]

    def _seen(self, plan: ScanPlan, used: set[str]) -> Lines:
        kinds = [self.types.declare(r.type) for r in self.kernel.reductions]
        pairs = zip(kinds, plan.items, strict=True)
        return [f"const {k} {i.name} = {i.values}[{plan.row}];" for k, i in pairs if i.name in used]

    def _trips(self, axis: Axis) -> str:
        return " * ".join(str(loop.trips) for loop in axis.loops)

    @staticmethod
    def _plan(axis: Axis) -> ScanPlan:
        plan = axis.scan
        assert plan is not None
        return plan
