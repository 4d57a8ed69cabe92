"""The loops of a kernel: grid-stride loops over the axes, and how many iterations the launcher makes of them.

    for (size_t t_i = blockIdx.y * (size_t)blockDim.y + threadIdx.y; t_i < trips_i;
         t_i += (size_t)gridDim.y * blockDim.y) {
        const int i = (int)(t_i);
        const size_t trips_j = ompc::trips_lt<int>(i + 1, n, 1);      its bounds depend on i: every i has its own
        for (size_t t_j = ...

Loops that share an axis are numbered together: `t_a = t_outer / trips_b, t_b = t_outer % trips_b`. Grid-stride loops
are right for any shape, so that of a dependent loop may be a guess: its trips where the outer loops begin and end.

In: GridLoops of the plan.   Out: LoopViews for templates/kernel.cu.j2, lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.lane_steps import LaneSharing, Purpose, UnrollAndJam
from ompc.plan.model.launch import Bound, GridLoop
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.tile_model import RowCoarsening
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.loop_counts import trip_count
from ompc.render.code.types import TypePrinter
from ompc.render.forms.lanes import iterations_head, lane_variables
from ompc.render.forms.unroll_and_jam import jammed_head, number, set_by_number, slots_of
from ompc.render.layout import words_of


@dataclass(frozen=True, slots=True)
class LoopView:
    """One axis of the grid: what its loop needs first, the head of its grid-stride loop, and the declarations of the
    counters and the user's variables in it, those that something in the kernel uses.
    """

    before: list[str]
    head: list[str]
    variables: list[str]
    depth: int


@dataclass(frozen=True, slots=True)
class RowsView:
    """`level`: the loop over the rows of all threads; `variables` of the user's are declared for each row."""

    level: LoopView
    names: Mapping[str, str]
    trips: str
    counter: str
    variables: list[str]
    unroll: str


@dataclass(frozen=True, slots=True)
class GridPrinter:
    types: TypePrinter
    expressions: ExpressionPrinter

    def loop_views(self, kernel: KernelPlan, body: Collection[str]) -> list[LoopView]:
        """The loops around a body that uses the names in `body`."""
        used = set(body)
        for loop in kernel.grid:
            used |= words_of(self._own_bounds(loop))
        if kernel.lanes is not None:
            return [self._loop_of_lanes(kernel.lanes, kernel.grid[0], used)]
        axes = [list(group) for _, group in groupby(kernel.grid, key=lambda loop: loop.axis)]
        rows = kernel.tiles if isinstance(kernel.tiles, RowCoarsening) else None
        leads = [rows.lead if rows and group[0].axis == "x" else 0 for group in axes]
        begins = [begin_of_slice(kernel)] + [""] * (len(axes) - 1)
        return [
            self.axis_view(group, depth, used, begin, lead)
            for depth, (group, begin, lead) in enumerate(zip(axes, begins, leads, strict=True), start=1)
        ]

    def axis_view(
        self, loops: Sequence[GridLoop], depth: int, used: Collection[str], begin: str = "", lead: int = 0
    ) -> LoopView:
        """The loops that share one axis, from `begin` on; `lead` threads have nothing to do in front of the first
        iteration.
        """
        a, c = loops[0].axis, loops[0].axis_counter
        total = " * ".join(loop.trips for loop in loops)
        first = f"ompc::first_after({lead})" if lead else f"blockIdx.{a} * (size_t)blockDim.{a} + threadIdx.{a}"
        head = [
            f"for (size_t {c} = {begin}{first}; {c} < {total};",
            f"     {c} += (size_t)gridDim.{a} * blockDim.{a}) {{",
        ]
        variables = _counters(loops) + [self.variable(loop) for loop in loops if loop.variable in used]
        return LoopView(self._own_bounds(loops[0]), head, variables, depth)

    def outer_views(self, kernel: KernelPlan, used: Collection[str]) -> list[LoopView]:
        """The axes beyond the two of a tile."""
        axes = groupby(kernel.grid[:-2], key=lambda loop: loop.axis)
        begins = [begin_of_slice(kernel), ""]
        return [
            self.axis_view(list(group), depth, used, begin)
            for depth, (begin, (_, group)) in enumerate(zip(begins, axes, strict=False), start=1)
        ]

    def _loop_of_lanes(self, sharing: LaneSharing, loop: GridLoop, used: Collection[str]) -> LoopView:
        if sharing.unroll_and_jam is not None:
            return self._loop_of_points(sharing, sharing.unroll_and_jam, loop, used)
        variables = lane_variables(sharing, loop)
        if loop.variable in used:
            loops = sharing.body.loops()
            handed = sharing.by_block is not None and any(loop.loop.var in shared.of_row for shared in loops)
            variables.append(self.variable(loop).removeprefix("const " if handed else ""))
        return LoopView([], iterations_head(sharing, loop.trips), variables, 1)

    def _loop_of_points(
        self, sharing: LaneSharing, points: UnrollAndJam, loop: GridLoop, used: Collection[str]
    ) -> LoopView:
        groups, mine = jammed_head(sharing, points, loop.trips)
        value, kind = self.value(loop, number(points)), loop.lower.type
        variable = list(set_by_number(points, self.types, kind, loop.variable, value)) if loop.variable in used else []
        return LoopView([], iterations_head(sharing, groups), [mine, *variable], 1)

    def rows_view(
        self, rows: RowCoarsening, loop: GridLoop, used: Collection[str], depth: int, slice_begin: str
    ) -> RowsView:
        """An axis of which a thread has several consecutive iterations, from `slice_begin` on."""
        a = rows.axis
        first, many = rows.names["first"], rows.names["rows"]
        begin = f"(blockIdx.{a} * (size_t)blockDim.{a} + threadIdx.{a}) * {many}"
        head = [
            f"for (size_t {first} = {slice_begin}{begin}; {first} < {loop.trips};",
            f"     {first} += (size_t)gridDim.{a} * blockDim.{a} * {many}) {{",
        ]
        variables = [self.variable(loop)] if loop.variable in used else []
        unroll = "OMPC_UNROLL_TWO" if is_once(rows) and a == "z" else "OMPC_UNROLL"
        return RowsView(LoopView([], head, [], depth), rows.names, loop.trips, loop.counter, variables, unroll)

    def _own_bounds(self, loop: GridLoop) -> list[str]:
        """What a dependent loop computes in front of itself; nothing for another one."""
        if not loop.loop.dependent:
            return []
        _, trips, _ = self.trips(loop)
        return [*self.bounds(loop), f"const size_t {loop.trips} = {trips};"]

    def variable(self, loop: GridLoop) -> str:
        """The declaration of the user's variable, from the loop's counter."""
        const = "" if loop.loop.var.address_taken else "const "  # a canonical loop's body does not assign its variable
        return f"{const}{self.types.declare(loop.lower.type)} {loop.variable} = {self.value(loop, loop.counter)};"

    def with_declarations(
        self, code: list[str], counters: Mapping[GridLoop, str], definitions: Sequence[t.VarDecl] = ()
    ) -> list[str]:
        """`code` after the declarations of what it names: of the loops' variables, and of what the body defines."""
        used, lines = words_of(code), list[str]()
        for decl in reversed(definitions):
            if spelled(decl.symbol.name) in used and decl.init is not None:
                kind, init = ty.unqualified(decl.symbol.type), self.expressions.initializer(decl.init, decl.symbol.type)
                lines.insert(0, f"const {self.types.declare(kind, spelled(decl.symbol.name))} = {init};")
                used |= words_of(lines[:1])
        declared: list[str] = []
        for loop, counter in counters.items():
            if loop.variable in used:
                declared += [f"const size_t {loop.counter} = {counter};", self.variable(loop)]
        return declared + lines + code

    def value(self, loop: GridLoop, counter: str) -> str:
        """The user's variable in the iteration of that number."""
        value = self._iteration_value(replace(loop, counter=counter))
        return f"({self.types.declare(loop.lower.type)})" + (counter if value == f"0 + {counter}" else f"({value})")

    def _iteration_value(self, loop: GridLoop) -> str:
        """The loop variable's value in an iteration, in unsigned arithmetic:
        a negative constant says that it becomes that.
        """
        first, steps = self.known(loop.lower), f"{self._stride(loop.step)}{loop.counter}"
        if loop.lower.constant is not None and loop.lower.constant < 0:
            first = f"(size_t)({first})"
        return f"{first} {'-' if loop.loop.down else '+'} {steps}"

    def known(self, bound: Bound) -> str:
        """A bound in the kernel as the first term of a sum: its constant, or the variable of its name."""
        if bound.constant is None:
            return bound.name
        return self.expressions.first_term(bound.expr) if bound.expr is not None else str(bound.constant)

    def _stride(self, step: Bound) -> str:
        return "" if step.constant == 1 else f"{self.known(step) if step.constant is None else step.constant} * "

    # ------------------------------------------------------------ in the launcher

    def bounds(self, loop: GridLoop) -> list[str]:
        """Declarations of the bounds that iterations are computed from, where they are no constants and not passed."""
        needed = [b for b in (loop.lower, loop.step) if b.constant is None and b.expr is not None]
        return [f"const {self.types.declare(b.type, b.name)} = {self._converted(b)};" for b in needed]

    def _converted(self, bound: Bound) -> str:
        assert bound.expr is not None
        return self.expressions.converted(bound.expr, bound.type)

    def trips(self, loop: GridLoop) -> tuple[str, str, str]:
        """The name of the loop's trip count, the count, and the loop's head in words, for a comment."""
        lower, upper, step = self._named(loop.lower), self._value(loop.upper), self._named(loop.step)
        return loop.trips, trip_count(loop.loop, lower, upper, step), self._head(loop)

    def _value(self, bound: Bound) -> str:
        """A bound: constants and expressions as they are, else the name that holds its value."""
        if bound.constant is not None:
            return self.expressions.text(bound.expr) if bound.expr is not None else str(bound.constant)
        return bound.name if bound.expr is None else self.expressions.text(bound.expr)

    def _named(self, bound: Bound) -> str:
        """The first value or the step, of which the launcher has a variable (`bounds`) unless it is a constant."""
        return self._value(bound) if bound.constant is not None else bound.name

    def _head(self, loop: GridLoop) -> str:
        sign = "-" if loop.loop.down else "+"
        step = f"{sign}{sign}" if loop.step.constant == 1 else f" {sign}= {self._named(loop.step)}"
        lower, upper = self._named(loop.lower), self._value(loop.upper)
        return f"{loop.variable} = {lower}; {loop.variable} {loop.loop.relation} {upper}; {loop.variable}{step}"

    def widths(self, kernel: KernelPlan, launch: str, rows_in: str | None, lengths: list[str]) -> list[str]:
        """Statements that find the trips of dependent loops, for the shape only, or the lanes of an iteration, whose
        rows are in the launcher's array `rows_in`; `lengths` are statements that find how long those are.
        """
        if kernel.lanes is not None:
            return _distribution(kernel, kernel.lanes, launch, rows_in, lengths)
        dependent = [loop for loop in kernel.grid if loop.loop.dependent]
        if not dependent:
            return []
        named = words_of([line for loop in dependent for line in self._own_bounds(loop)])
        lines, opened = [f"ompc::Trips {loop.trips} = 1;" for loop in dependent], 0
        lines[0] += " // the most where the outer loops begin and end: for the shape of the grid"
        for loop in kernel.grid:
            trips = loop.trips
            if loop.loop.dependent:
                _, trips, _ = self.trips(loop)
                lines += ["    " * opened + line for line in self.bounds(loop)]
                lines.append("    " * opened + f"{loop.trips} = std::max<ompc::Trips>({loop.trips}, {trips});")
            if loop.variable in named and loop is not dependent[-1]:
                lines.append("    " * opened + f"for (const ompc::Trips {loop.counter} : ompc::ends({trips})) {{")
                opened += 1
                lines.append("    " * opened + self.variable(loop))
        return lines + ["    " * depth + "}" for depth in reversed(range(opened))]


def _distribution(
    kernel: KernelPlan, lanes: LaneSharing, launch: str, rows_in: str | None, lengths: list[str]
) -> list[str]:
    trips = kernel.grid[0].trips
    entries = ", ".join(loop.trips for loop in lanes.counted)
    if lanes.by_thread_group:
        return _thread_group(lanes, trips, launch)
    if lanes.by_warps:
        asked = f"{launch}.producer_warps({trips}, {{{entries}}}, ompc::Side::{lanes.side.value})"
        return [f"const ompc::ProducerWarps {lanes.lanes} = {asked}; // how many warps for 32 iterations"]
    if len(lanes.counted) > 1:
        entries = f"std::max<ompc::Trips>({{{entries}}})"
    elif rows_in is not None:
        entries = f"{launch}.of_each({trips}, {rows_in})"
    of_lane = f", {lanes.distribution.entries}" if lanes.distribution.purpose is not Purpose.TURNS else ""
    if lanes.by_block is not None:
        of_lane += f", {lanes.by_block.lengths.rows if lanes.by_block.lengths is not None else '{}'}"
        of_lane += ", true" if kernel.threads is None else ""
    wanted = f"ompc::LanesFor::{lanes.distribution.purpose.value}, {entries or '0'}{of_lane}"
    asked = f"{launch}.lanes({trips}, {{{wanted}}})"
    return [*lengths, "// how many lanes each iteration gets", f"const ompc::Lanes {lanes.lanes} = {asked};"]


def _thread_group(lanes: LaneSharing, trips: str, launch: str) -> list[str]:
    entries = ", ".join(loop.trips for loop in lanes.counted)
    wanted = f"{trips}, {{{entries}}}, {lanes.distribution.entries}"
    if lanes.unroll_and_jam is None:
        asked = f"{launch}.thread_group({wanted})"
        return ["// how many lanes and warps work at iterations", f"const ompc::ThreadGroup {lanes.lanes} = {asked};"]
    points = lanes.unroll_and_jam.names["points"]
    return [
        "// how many iterations a thread has, and how many lanes and warps work at them",
        f"const unsigned {points} = {launch}.points({trips});",
        f"const ompc::ThreadGroup {lanes.lanes} = {launch}.thread_group({wanted}, {points});",
    ]


def shape(kernel: KernelPlan, rows: str | None = None) -> str:
    """The trips of each axis, outermost first, and what the user asks; where a thread has several `rows`, those of
    their axis are as many fewer, and blocks are wide.
    """
    axes = _axes(kernel)
    if kernel.lanes is not None:
        axes = [f"{kernel.lanes.lanes}.slots({slots_of(kernel.lanes, kernel.grid[0].trips)})"]
    if rows is not None and isinstance(kernel.tiles, RowCoarsening):
        of = -2 if kernel.tiles.axis == "y" else -3
        axes[of] = f"ompc::ceiling({axes[of]}, {rows})"
        axes[-1] += f" + {kernel.tiles.lead}" if kernel.tiles.lead else ""
        once = "ompc::one_turn" if kernel.tiles.axis == "y" else "ompc::one_turn_of_planes"
        return ", ".join([*axes, once if is_once(kernel.tiles) else "ompc::wide_blocks"])
    if kernel.lanes is not None and (kernel.lanes.by_warps or kernel.lanes.by_thread_group):
        return f"{axes[0]}, {kernel.lanes.lanes}.shape()"
    asked = kernel.threads is not None or kernel.blocks is not None
    if kernel.coarsened is not None and not asked:
        return ", ".join([*axes, "ompc::short_bodies"])
    by_user = [f"ompc::Asked{{{kernel.threads or 0}, {kernel.blocks or 0}}}"] * asked
    if kernel.lanes is not None and kernel.lanes.by_block is not None:
        by_user = [f"{kernel.lanes.lanes}.shape({''.join(by_user)})"]
    return ", ".join(axes + by_user)


def is_once(rows: RowCoarsening) -> bool:
    """Has the kernel a form for grids with a thread for each point?"""
    return "once" in rows.names


def work_of_rows(kernel: KernelPlan, rows: RowCoarsening) -> str:
    """The trips of the axes, those of the rows last but one."""
    *outer, x = _axes(kernel)
    return ", ".join([*(reversed(outer) if rows.axis == "z" else outer), x])


def _axes(kernel: KernelPlan) -> list[str]:
    groups = groupby(kernel.grid, key=lambda loop: loop.axis)
    return [" * ".join(loop.trips for loop in group) for _, group in groups]


def passed_bounds(loop: GridLoop) -> list[Bound]:
    """The bounds that the kernel gets from its launcher."""
    if loop.loop.dependent:
        return [b for b in (loop.lower, loop.upper, loop.step) if b.host_text is not None]
    return [b for b in (loop.lower, loop.step) if b.constant is None]


def passed_trips(kernel: KernelPlan) -> list[str]:
    """The trip counts that the kernel gets from its launcher; of the outermost loop, the end of the slice."""
    return [loop.trips for loop in kernel.grid if not loop.loop.dependent]


def begin_of_slice(kernel: KernelPlan) -> str:
    """What is added to the first iteration of the outermost loop."""
    return "" if kernel.slices is None else f"{kernel.slices.begin} + "


def _counters(loops: Sequence[GridLoop]) -> list[str]:
    """The counters of loops that share an axis."""
    if len(loops) == 1:
        return []
    lines = []
    for position, loop in enumerate(loops):
        faster = [other.trips for other in loops[position + 1 :]]
        divisor = f" / {faster[0]}" if len(faster) == 1 else f" / ({' * '.join(faster)})" if faster else ""
        modulus = f" % {loop.trips}" if position else ""
        lines.append(f"const size_t {loop.counter} = {loop.axis_counter}{divisor}{modulus};")
    return lines
