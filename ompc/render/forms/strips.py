"""Strip-mined axes (forms/row_coarsening.py, forms/thread_coarsening.py): the loop over strips, and one strip.

    for (size_t first_i = (blockIdx.y * (size_t)blockDim.y + threadIdx.y) * rows; first_i < trips_i;
         first_i += (size_t)gridDim.y * blockDim.y * rows) {
        for (...) {                                                       the other axes
            const auto row = [&](size_t t_i) {
                const int i = (int)(t_i);                                 the user's variable, the body
                ...
            };
            if (trips_i - first_i >= rows) {                              all of the strip, unrolled; or what there is
                ...

or, where elements are read ahead, `constexpr int neighbours = copies ? 16 : 1;` at the top and

            const auto iteration = [&](int nth, unsigned char data_near) {
                const size_t t = first + nth;
                ...
            };
            ompc::each<neighbours>(trips - first, iteration, data + (int)first);

or, where narrow elements go through registers (forms/narrow_streams.py), a block's strips together

    for (size_t first_i = blockIdx.x * (size_t)blockDim.x * 16; first_i < trips_i;
         first_i += (size_t)gridDim.x * blockDim.x * 16) {
        const auto iteration = [&](size_t t_i, unsigned char b_near, unsigned char &a_near) {
            ...
        };
        ompc::in_vectors<16>(first_i, trips_i, iteration, ompc::loaded([&](size_t t_i) { ... return &b[i]; }), ...);

In: the nodes of the schedule, GridPrinter.   Out: their lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.launch import CoarseningPlan, StreamElement, StreamPlan
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Axis, Schedule, StripLoop, Strips
from ompc.plan.model.tile_model import RowCoarsening
from ompc.render.code.types import TypePrinter, as_const
from ompc.render.forms.grid import GridPrinter
from ompc.render.schedule import AxisText, Inside, Lines, indented, only_turn


def read_before(plan: CoarseningPlan) -> dict[t.Expr, Name]:
    """What stands for the reads in an iteration."""
    return {node: read.name for read in plan.reads for node in read.nodes}


def read_once(form: RowCoarsening, text: Callable[[t.Expr], str]) -> dict[t.Expr, Name]:
    """What stands for elements that all rows of a thread read; `text`: what they are."""
    found: dict[t.Expr, Name] = {}
    for read in form.kept:
        stands = read.name if read.always else f"{read.name}.of({text(read.value)})"
        found |= dict.fromkeys(read.nodes, stands)
    return found


def in_registers(plan: StreamPlan, text: Callable[[t.Expr], str]) -> dict[t.Expr, Name]:
    """What stands for the elements in an iteration."""
    found: dict[t.Expr, Name] = {}
    for element in plan.elements:
        found |= dict.fromkeys(element.nodes, element.name)
        numbered = zip(element.nodes, element.numbers, strict=True) if element.numbers else ()
        found |= {node: f"{element.name}[{text(number)}]" for node, number in numbered}
    return found


def count_declaration(schedule: Schedule) -> Lines:
    """How many neighbours a thread has, at the top of the kernel; a template parameter says how many rows."""
    form = schedule.form_of(CoarseningPlan)
    if form is None:
        return []
    return [f"constexpr int {form.names['neighbours']} = {schedule.accumulators[0].exist} ? {form.count} : 1;"]


def strips_text(axis: Axis, once: Name | None) -> AxisText:
    """The loop over the strips of all threads; each has one, if `once` is true."""
    assert isinstance(axis.taken, Strips)
    if isinstance(axis.taken.form, StreamPlan):
        return _blocks_text(axis, axis.taken.form)
    (loop,), a = axis.loops, axis.name
    first, many = axis.taken.form.names["first"], _count(axis.taken)
    begin = "" if axis.begin is None else f"{axis.begin} + "
    head = [
        f"for (size_t {first} = {begin}(blockIdx.{a} * (size_t)blockDim.{a} + threadIdx.{a}) * {many}; "
        f"{first} < {loop.trips};",
        f"     {first} += (size_t)gridDim.{a} * blockDim.{a} * {many}) {{",
    ]
    return AxisText(head, [], last=only_turn(once))


def _blocks_text(axis: Axis, form: StreamPlan) -> AxisText:
    """The loop over the strips of all threads of a block."""
    (loop,), a, first = axis.loops, axis.name, form.names["first"]
    begin = "" if axis.begin is None else f"{axis.begin} + "
    head = [
        f"for (size_t {first} = {begin}blockIdx.{a} * (size_t)blockDim.{a} * {form.count}; {first} < {loop.trips};",
        f"     {first} += (size_t)gridDim.{a} * blockDim.{a} * {form.count}) {{",
    ]
    return AxisText(head, [])


def _count(strips: Strips) -> Name:
    return strips.form.names["rows" if isinstance(strips.form, RowCoarsening) else "neighbours"]


def strip_loop(node: StripLoop, inside: Inside, grid: GridPrinter, used: Collection[str], schedule: Schedule) -> Lines:
    """The iterations of one strip; `used` has the names in the body once that is printed."""
    once = schedule.once is not None  # a form for grids with a thread for each point
    body = inside.lines(node.body)
    if isinstance(node.strip.form, RowCoarsening):
        unroll = "OMPC_UNROLL_TWO" if once and node.strip.form.axis == "z" else "OMPC_UNROLL"
        variables = [grid.variable(node.loop)] if node.loop.variable in used else []
        return [*_kept(node.strip.form, grid), *_rows(node, node.strip.form, [*variables, *body], unroll)]
    if isinstance(node.strip.form, StreamPlan):
        begin = next(axis.begin for axis in schedule.axes if node.loop in axis.loops)
        return _vectors(node, node.strip.form, body, grid, used, begin)
    return _neighbours(node, node.strip.form, body, grid, used)


def _kept(form: RowCoarsening, grid: GridPrinter) -> Lines:
    """What all rows read: a variable each, which has its value at once, or from the first row that reads it on."""
    lines = []
    for read in form.kept:
        if read.always:
            value = grid.expressions.text(read.value)
            lines.append(f"{grid.types.declare(as_const(read.type), read.name)} = {value};")
        else:
            lines.append(f"ompc::ReadOnce<{grid.types.declare(read.type)}> {read.name};")
    return lines


def _rows(node: StripLoop, form: RowCoarsening, body: Lines, unroll: str) -> Lines:
    n, counter, trips = form.names, node.loop.counter, node.loop.trips
    return [
        f"const auto {n['row']} = [&](size_t {counter}) {{",
        *indented(body),
        "};",
        f"if ({trips} - {n['first']} >= {n['rows']}) {{",
        *indented(
            [
                unroll,
                f"for (int {n['nth']} = 0; {n['nth']} < {n['rows']}; {n['nth']}++)",
                f"    {n['row']}({n['first']} + {n['nth']});",
            ]
        ),
        "} else {",
        *indented(
            [
                "OMPC_ROLLED",
                f"for (size_t {counter} = {n['first']}; {counter} < {trips}; {counter}++)",
                f"    {n['row']}({counter});",
            ]
        ),
        "}",
    ]


def _vectors(
    node: StripLoop, form: StreamPlan, body: Lines, grid: GridPrinter, used: Collection[str], begin: Name | None
) -> Lines:
    n, loop = form.names, node.loop
    own = [grid.variable(loop)] if loop.variable in used else []
    counted = f"size_t {loop.counter}" if own or loop.counter in used else "size_t"
    parameters = [_in_register(element, grid.types) for element in form.elements]
    lines = [
        f"const auto {n['iteration']} = [&]({', '.join([counted, *parameters])}) {{",
        *indented([*own, *body]),
        "};",
        f"ompc::in_vectors<{form.count}>({n['first']}, {loop.trips}, {n['iteration']},",
    ]
    if begin is not None:
        lines[-1] = lines[-1].replace("in_vectors<", "in_vectors_from<").replace("(", f"({begin}, ", 1)
    for element in form.elements:
        how = "updated" if element.loaded and element.stored else "loaded" if element.loaded else "stored"
        how += f"<{element.width}>" if element.width > 1 else ""
        address = [f"return {grid.expressions.address(element.first)};"]
        place = grid.with_variable(loop, address)
        lines += [f"    ompc::{how}([&](size_t {loop.counter}) {{", *indented(indented(place)), "    }),"]
    lines[-1] = "    }));"
    return lines


def _in_register(element: StreamElement, types: TypePrinter) -> str:
    """The parameter that an iteration's own element is, or its own few."""
    if element.width == 1:
        return types.declare(element.type, f"{'&' if element.stored else ''}{element.name}")
    kind = element.type if element.stored else as_const(element.type)
    return types.declare(ty.Array(kind, element.width), f"(&{element.name})")


def _neighbours(node: StripLoop, form: CoarseningPlan, body: Lines, grid: GridPrinter, used: Collection[str]) -> Lines:
    n, loop, left = form.names, node.loop, f"{node.loop.trips} - {form.names['first']}"
    first, many, iteration, nth = n["first"], n["neighbours"], n["iteration"], n["nth"]
    own, counted = loop.variable in used, loop.variable in used or loop.counter in used
    variables = [f"const size_t {loop.counter} = {first} + {nth};"] * counted + [grid.variable(loop)] * own
    parameters = [f"int {nth}" if counted else "int", *(grid.types.declare(r.type, r.name) for r in form.reads)]
    arguments = [left, str(iteration), *(f"{read.array} + {grid.value(loop, first)}" for read in form.reads)]
    return [
        f"const auto {iteration} = [&]({', '.join(parameters)}) {{",
        *indented([*variables, *body]),
        "};",
        f"ompc::each<{many}>({', '.join(arguments)});",
    ]
