"""The loops of a kernel: grid-stride loops over the axes, and how many iterations the launcher makes of them.

    for (size_t t_i = blockIdx.y * (size_t)blockDim.y + threadIdx.y; t_i < trips_i;
         t_i += (size_t)gridDim.y * blockDim.y) {
        const int i = (int)(t_i);
        const size_t trips_j = ompc::trips_lt<int>(i + 1, n, 1);      its bounds depend on i: every i has its own
        for (size_t t_j = ...

Loops that share an axis are numbered together: `t_a = t_outer / trips_b, t_b = t_outer % trips_b`. Grid-stride loops
are right for any shape, so that of a dependent loop may be a guess: its trips where the outer loops begin and end.

In: axes of a schedule, GridLoops of the plan.   Out: AxisTexts, lines for templates/launcher.cu.j2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.groups.shared_nests import LEAST
from ompc.plan.model.lane_steps import GroupOf, Instead, LaneSharing, Purpose, UnrollAndJam
from ompc.plan.model.launch import Bound, CoarseningPlan, GridLoop, StreamPlan
from ompc.plan.model.names import Name, spelled
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.scan_model import ScanPlan
from ompc.plan.model.schedule import Axis, OnePoint, Schedule, Slots
from ompc.plan.model.tile_model import RowCoarsening
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.loop_counts import trip_count
from ompc.render.code.types import TypePrinter
from ompc.render.forms.collected_adds import stretch_text
from ompc.render.forms.lanes import iterations_head, known_group, lane_variables
from ompc.render.forms.unroll_and_jam import jammed_head, number, set_by_number, slots_of
from ompc.render.layout import WIDTH
from ompc.render.schedule import AxisText, only_turn


@dataclass(frozen=True, slots=True)
class GridPrinter:
    types: TypePrinter
    expressions: ExpressionPrinter

    def names_of_bounds(self, kernel: KernelPlan) -> set[str]:
        """The names by which dependent loops count their iterations in the kernel."""
        return self.expressions.words_of(line for loop in kernel.grid for line in self._own_bounds(loop))

    def points_text(self, axis: Axis, used: Collection[str], once: Name | None) -> AxisText:
        """The loop over an axis of which a thread takes one iteration at a time, around a body that uses the names in
        `used`; where it takes one in all, if `once` is true.
        """
        assert isinstance(axis.taken, OnePoint)
        a, c, lead = axis.name, axis.loops[0].axis_counter, axis.taken.lead
        total = " * ".join(str(loop.trips) for loop in axis.loops)
        first = f"ompc::first_after({lead})" if lead else f"blockIdx.{a} * (size_t)blockDim.{a} + threadIdx.{a}"
        begin = "" if axis.begin is None else f"{axis.begin} + "
        if axis.loops[0].once:
            counter = [f"const size_t {c} = 0;"] if axis.loops[0].variable in used else []
            head = [f"if (blockIdx.{a} == 0 && threadIdx.{a} == 0) {{"]
            return AxisText(head, counter + self.point_variables(axis, used))
        if axis.taken.collected is not None:
            begins, ends = stretch_text(axis.taken.collected, c, self.types)
            return AxisText([begins], self.point_variables(axis, used), end=ends)
        head = [
            f"for (size_t {c} = {begin}{first}; {c} < {total};",
            f"     {c} += (size_t)gridDim.{a} * blockDim.{a}) {{",
        ]
        before = tuple(self._own_bounds(axis.loops[0]))
        return AxisText(head, self.point_variables(axis, used), before, only_turn(once))

    def point_variables(self, axis: Axis, used: Collection[str]) -> list[str]:
        """What an iteration has of the loops of an axis, from the counter of the axis on."""
        return _counters(axis.loops) + [self.variable(loop) for loop in axis.loops if loop.variable in used]

    def slots_text(self, axis: Axis, used: Collection[str]) -> AxisText:
        """The loop over iterations that groups of threads take together."""
        assert isinstance(axis.taken, Slots)
        sharing, loop = axis.taken.form, axis.loops[0]
        if sharing.unroll_and_jam is not None:
            return self._jammed_text(sharing, sharing.unroll_and_jam, loop, used)
        own = str(loop.trips) if axis.begin is None else f"{loop.trips} - {axis.begin}"
        own = f"({own})" if axis.begin is not None and axis.loops[1:] else own
        total = " * ".join(map(str, [own, *(each.trips for each in axis.loops[1:])]))
        is_alone = sharing.point is not None and len(axis.loops) == 1 and axis.begin is None
        variables = lane_variables(sharing, loop.counter if is_alone else loop.axis_counter, total)
        if sharing.point is not None:
            variables += [] if is_alone else _counters(axis.loops, axis.begin)
            variables += [self.variable(each) for each in axis.loops if each.variable in used]
            return AxisText(iterations_head(sharing, total), variables)
        if loop.variable in used:
            handed = sharing.by_block and any(loop.loop.var in each.of_row for each in sharing.body.loops())
            variables.append(self.variable(loop).removeprefix("const " if handed else ""))
        return AxisText(iterations_head(sharing, loop.trips), variables, known_group(sharing))

    def _jammed_text(
        self, sharing: LaneSharing, points: UnrollAndJam, loop: GridLoop, used: Collection[str]
    ) -> AxisText:
        groups, mine = jammed_head(sharing, points, loop.trips)
        value, kind = self.value(loop, number(points)), loop.lower.type
        variable = list(set_by_number(points, self.types, kind, loop.variable, value)) if loop.variable in used else []
        return AxisText(iterations_head(sharing, groups), [mine, *variable])

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
        used, lines = self.expressions.words_of(code), list[str]()
        for decl in reversed(definitions):
            if spelled(decl.symbol.name) in used and decl.init is not None:
                kind, init = ty.unqualified(decl.symbol.type), self.expressions.initializer(decl.init, decl.symbol.type)
                lines.insert(0, f"const {self.types.declare(kind, spelled(decl.symbol.name))} = {init};")
                used |= self.expressions.words_of(lines[:1])
        declared: list[str] = []
        for loop, counter in counters.items():
            if loop.variable in used:
                declared += [f"const size_t {loop.counter} = {counter};", self.variable(loop)]
        return declared + lines + code

    def with_variable(self, loop: GridLoop, code: list[str]) -> list[str]:
        """`code`, in front of it the loop's variable if it names that."""
        return [self.variable(loop), *code] if loop.variable in self.expressions.words_of(code) else code

    def inside(self, name: Name, guard: str, loops: Sequence[GridLoop]) -> list[str]:
        """A function of the numbers of iterations, of each of `loops`: does `guard` hold there?"""
        parameters = ", ".join(f"size_t {loop.counter}" for loop in loops)
        return [
            f"const auto {name} = [&]({parameters}) {{",
            *(f"    {self.variable(loop)}" for loop in loops),
            f"    return {guard};",
            "};",
        ]

    def value(self, loop: GridLoop, counter: Name) -> str:
        """The user's variable in the iteration of that number."""
        value = self._iteration_value(replace(loop, counter=counter))
        return f"({self.types.declare(loop.lower.type)}){counter if value == str(counter) else f'({value})'}"

    def _iteration_value(self, loop: GridLoop) -> str:
        """The loop variable's value in an iteration, in unsigned arithmetic:
        a negative constant says that it becomes that.
        """
        first, steps = self.known(loop.lower), f"{self._stride(loop.step)}{loop.counter}"
        if loop.lower.constant is not None and loop.lower.constant < 0:
            first = f"(size_t)({first})"
        if first == "0" and not loop.loop.down:
            return steps
        return f"{first} {'-' if loop.loop.down else '+'} {steps}"

    def known(self, bound: Bound) -> str:
        """A bound in the kernel as the first term of a sum: its constant, or the variable of its name."""
        if bound.constant is None:
            return str(bound.name)
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
        return str(loop.trips), trip_count(loop.loop, lower, upper, step), self._head(loop)

    def _value(self, bound: Bound) -> str:
        """A bound: constants and expressions as they are, else the name that holds its value."""
        if bound.constant is not None:
            return self.expressions.argument(bound.expr) if bound.expr is not None else str(bound.constant)
        return str(bound.name) if bound.expr is None else self.expressions.argument(bound.expr)

    def _named(self, bound: Bound) -> str:
        """The first value or the step, of which the launcher has a variable (`bounds`) unless it is a constant."""
        return self._value(bound) if bound.constant is not None else str(bound.name)

    def _head(self, loop: GridLoop) -> str:
        sign = "-" if loop.loop.down else "+"
        step = f"{sign}{sign}" if loop.step.constant == 1 else f" {sign}= {self._named(loop.step)}"
        lower, upper = self._named(loop.lower), self._value(loop.upper)
        return f"{loop.variable} = {lower}; {loop.variable} {loop.loop.relation} {upper}; {loop.variable}{step}"

    def widths(
        self, kernel: KernelPlan, lanes: LaneSharing | None, launch: str, rows_in: str | None, lengths: list[str]
    ) -> list[str]:
        """Statements that find the trips of dependent loops, for the shape only, or the lanes of an iteration, whose
        rows are in the launcher's array `rows_in`; `lengths` are statements that find how long those are.
        """
        if lanes is not None:
            return _distribution(kernel, lanes, launch, rows_in, lengths)
        dependent = [loop for loop in kernel.grid if loop.loop.dependent]
        if not dependent:
            return []
        named = self.expressions.words_of([line for loop in dependent for line in self._own_bounds(loop)])
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
    trips, known = kernel.grid[0].trips, ""
    entries = _entries(kernel, lanes)
    if rows_in is not None and not lanes.counted:
        entries = f"{launch}.of_each({trips}, {rows_in})"
    if lanes.by_block is not None:
        if lanes.by_block.lengths is not None:
            of = "rows_of_warp" if lanes.distribution.purpose is Purpose.READ_SOME else "rows"
            known += f".{of}({lanes.by_block.lengths.rows})"
        known += ".blocks()" * (kernel.threads is None)
    jam = lanes.unroll_and_jam
    points = [] if jam is None else [f"const unsigned {jam.names['points']} = {launch}.points({trips});"]
    shared = "which threads share an iteration" if jam is None else "how many iterations a thread has; who shares them"
    return [*lengths, f"// {shared}", *points, *_group(lanes, launch, slots_of(lanes, trips), entries, known)]


def group_of_points(kernel: KernelPlan, lanes: LaneSharing, launch: str, tiling: str) -> list[str]:
    """A statement that finds how many threads a point has, where the variable `tiling` has the tiles instead."""
    instead = f".instead_of_tiles({tiling}.cycles)" if lanes.instead is Instead.TILES else ".instead_of_thread()"
    return _group(lanes, launch, points_of(kernel), _entries(kernel, lanes), instead, _sizes_asked(kernel, lanes))


def _sizes_asked(kernel: KernelPlan, lanes: LaneSharing) -> str:
    """The condition on sizes under which the entries of loops are independent; empty: they always are."""
    names = {v.symbol: v.device_name for v in kernel.values}
    return " && ".join(f"{names[each.symbol]} >= {each.least}" for each in lanes.asked)


def _group(
    lanes: LaneSharing, launch: str, points: str, entries: str, known: str, asked: str = ""
) -> list[str]:
    """The group for so many points, by the launch's cost model (ompc_group_costs.h), with what else is `known`; one
    thread unless sizes are as `asked`.
    """
    begin, end = (f"{asked} ? ", " : ompc::GroupShape()") if asked else ("", "")
    head, work = f"const ompc::GroupShape {lanes.group} = {begin}{launch}.group({points},", lanes.work
    if work is None or lanes.group_of is GroupOf.PRODUCERS:
        return [f"{head} ompc::by_producers(ompc::Side::{lanes.side.value}, {entries}));"]
    joining = f"ompc::{_joining(lanes)}({entries}, {work.instructions})"
    more = f".along({work.along})" * (work.along != 0) + f".across({work.across})" * (work.across != 0)
    more += f".common({work.common})" * (work.common != 0)
    if work.held and work.held_by_block:
        more += f".held({work.held}, {work.held_by_block})"
    more += f".sums({work.sums})" * (work.sums != 0) + f".loops({work.loops})" * (work.loops != 1)
    more += f".together({work.together}){known}){end};"
    line = f"{head} {joining}{more}"
    return [line] if len(line) <= WIDTH else [head, f"        {joining}", f"                {more}"]


def _joining(lanes: LaneSharing) -> str:
    """In which order threads come to share an iteration: the runtime's name of it (ompc_sharing.h)."""
    if any(count.length and count.in_order for count in lanes.counts) and not lanes.held:
        return "by_blocks"
    if lanes.held or any(count.length for count in lanes.counts):
        return "by_whole_warps"
    if lanes.counts:  # warps would take turns
        return "by_lanes"
    if lanes.group_of is GroupOf.WARPS:
        return "by_lanes_first" if lanes.lanes_first else "by_warps_first"
    return "in_turns" if lanes.distribution.purpose is Purpose.TURNS else "by_lanes"


def _entries(kernel: KernelPlan, lanes: LaneSharing) -> str:
    """Of the longest loop that the launcher counts; of others as many as there are rows, of nests at least so many."""
    trips = {loop.loop.statement: str(loop.trips) for loop in lanes.counted}
    nests = [[trips.get(loop.statement) for loop in shared.loops] for shared in lanes.body.loops()]
    known = [[each for each in nest if each is not None] for nest in nests if None not in nest]
    entries = [*dict.fromkeys(" * ".join(nest) for nest in known)]
    if not entries and lanes.instead is not None:
        rows, least = str(kernel.grid[-1].trips), LEAST ** max(map(len, nests))
        return rows if least == LEAST else f"std::max<ompc::Trips>({rows}, {least})"
    if not entries:
        return "0"
    return entries[0] if len(entries) == 1 else f"std::max<ompc::Trips>({{{', '.join(entries)}}})"


def points_of(kernel: KernelPlan) -> str:
    """How many points the grid has."""
    return " * ".join(_axes(kernel))


def shape(kernel: KernelPlan, schedule: Schedule, rows: str = "") -> str:
    """The trips of each axis, outermost first, and what the user asks; where a thread has several `rows`, those of
    their axis are as many fewer, and blocks are wide.
    """
    axes, asked = _axes(kernel), kernel.threads is not None or kernel.blocks is not None
    by_user = [f"ompc::Asked{{{kernel.threads or 0}, {kernel.blocks or 0}}}"] * asked
    match schedule.form:
        case LaneSharing() as lanes:
            slots = f"{lanes.group}.slots({slots_of(lanes, points_of(kernel))})"
            if lanes.group_of is not GroupOf.LANES:
                held = any(array.symbol in lanes.held for array in kernel.expanded)
                by_user = [f"{lanes.group}.shape()" + ".with_parts_of_blocks()" * held]
            elif lanes.by_block is not None:
                by_user = [f"{lanes.group}.shape({''.join(by_user)})"]
            return ", ".join([slots, *by_user])
        case RowCoarsening() as form:
            of = -2 if form.axis == "y" else -3
            axes[of] = f"ompc::ceiling({axes[of]}, {rows})"
            axes[-1] += f" + {form.lead}" if form.lead else ""
            once = "ompc::one_turn" if form.axis == "y" else "ompc::one_turn_of_planes"
            return ", ".join([*axes, "ompc::wide_blocks" if schedule.once is None else once])
        case StreamPlan() as form:
            axes[-1] = f"ompc::ceiling({axes[-1]}, {form.count})"
            return ", ".join(axes)
        case ScanPlan():
            blocks = f", {kernel.blocks}" if kernel.blocks is not None else ""
            return f"ompc::ceiling({points_of(kernel)}, ompc::scan_rows), ompc::Asked{{ompc::scan_threads{blocks}}}"
        case CoarseningPlan() if not asked:
            return ", ".join([*axes, "ompc::short_bodies"])
        case _ if schedule.collected and not asked:
            return ", ".join([*axes, "ompc::few_blocks"])
        case _ if schedule.once is not None:
            return ", ".join([*axes, "ompc::one_turn_of_points"])
        case _:
            return ", ".join(axes + by_user)


def work_of_rows(kernel: KernelPlan, rows: RowCoarsening) -> str:
    """The trips of the axes, those of the rows last but one."""
    *outer, x = _axes(kernel)
    return ", ".join([*(reversed(outer) if rows.axis == "z" else outer), x])


def _axes(kernel: KernelPlan) -> list[str]:
    groups = groupby(kernel.grid, key=lambda loop: loop.axis)
    return ["1" if kernel.grid[0].once else " * ".join(str(loop.trips) for loop in group) for _, group in groups]


def iteration_number(grid: Sequence[GridLoop]) -> str:
    """A number that grows from one iteration to the next in the sequential program."""
    number = str(grid[0].counter)
    for loop in grid[1:]:
        outer = f"({number})" if " " in number else number
        if loop.loop.dependent:
            number = f"({outer} << 32) + {loop.counter}"  # each outer iteration has its own trips
        else:
            number = f"{outer} * {loop.trips} + {loop.counter}"
    return number


def passed_bounds(loop: GridLoop) -> list[Bound]:
    """The bounds that the kernel gets from its launcher."""
    if loop.loop.dependent:
        return [b for b in (loop.lower, loop.upper, loop.step) if b.host_text is not None]
    return [b for b in (loop.lower, loop.step) if b.constant is None]


def passed_trips(kernel: KernelPlan) -> list[str]:
    """The trip counts that the kernel gets from its launcher; of the outermost loop, the end of the slice."""
    return [str(loop.trips) for loop in kernel.grid if not loop.loop.dependent and not loop.once]


def _counters(loops: Sequence[GridLoop], begin: Name | None = None) -> list[str]:
    """The counters of loops that share an axis, from the iteration `begin` of the outermost one on; none where that of
    the axis is the loop's own.
    """
    if len(loops) == 1 and loops[0].axis_counter == loops[0].counter:
        return []
    lines = []
    for position, loop in enumerate(loops):
        faster = [str(other.trips) for other in loops[position + 1 :]]
        divisor = f" / {faster[0]}" if len(faster) == 1 else f" / ({' * '.join(faster)})" if faster else ""
        modulus = f" % {loop.trips}" if position else ""
        first = f"{begin} + " if begin is not None and position == 0 else ""
        lines.append(f"const size_t {loop.counter} = {first}{loop.axis_counter}{divisor}{modulus};")
    return lines
