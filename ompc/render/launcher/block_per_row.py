"""How long rows are, for the launcher of a kernel with a form in which a block divides a row.

    // how long rows are, where the host knows it
    const ompc::RowLengths rows = launch.row_lengths(
        trips, {d_row.root()}, [&, row = d_row.host()](size_t t) {
            const int i = (int)t;
            return ompc::trips_lt<int>(row[i], row[i + 1], 1);
        });

In: KernelPlan.   Out: lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

from ompc.plan.model.plan import KernelPlan
from ompc.render.code.statements import INDENT, StatementPrinter
from ompc.render.forms.grid import GridPrinter
from ompc.render.launcher.declarations import Locals


def row_lengths(kernel: KernelPlan, grid: GridPrinter, names: Locals) -> list[str]:
    """The statement; nothing where they are not counted."""
    lanes = kernel.own.lanes
    if lanes is None or lanes.by_block is None or lanes.by_block.lengths is None:
        return []
    lengths, (axis,) = lanes.by_block.lengths, kernel.grid
    arrays = {v.device_name: names.devices[v.device_name] for v in kernel.arrays if v.symbol in lengths.arrays}
    statements = StatementPrinter(grid.expressions, grid.types)
    _, trips, _ = statements.bounds(lengths.loop)
    body = grid.with_declarations([f"return {trips};"], {axis: str(axis.counter)}, lengths.definitions)
    hosts = "".join(f", {name} = {device}.host()" for name, device in arrays.items())
    roots = ", ".join(f"{device}.root()" for device in arrays.values())
    return [
        "// how long rows are, where the host knows it",
        f"const ompc::RowLengths {lengths.rows} = {names.launch}.row_lengths(",
        f"{2 * INDENT}{axis.trips}, {{{roots}}}, [&{hosts}](size_t {axis.counter}) -> ompc::Trips {{",
        *(3 * INDENT + line for line in body if not line.startswith("const size_t ")),
        f"{2 * INDENT}}});",
    ]
