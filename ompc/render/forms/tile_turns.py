"""A tiled kernel whose points have other iterations of the inner loop than each other: which turns a tile makes.

    const auto within = [&](size_t t_i, size_t t_k) { ...; return k >= i + 1; };
    const ompc::Stretch stretch = ompc::stretch_of(within, first_i, first_i + last_i, trips_k);

A tile goes through the iterations that any of its points has. In most turns all points have all of them; in the others
each is asked, and what is staged for one that it does not have is the element of a point that has it.

In: TilePlan.   Out: parts of the lines of render/forms/tiles.py; where all points have all iterations, what these are
without any of that.
"""

from __future__ import annotations

from ompc.plan.model.launch import GridLoop
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.tile_model import Axis, Order, StagedRead, TilePlan
from ompc.render.forms.grid import GridPrinter
from ompc.render.schedule import Lines, indented

_AT_ONCE = (Order.VECTORS, Order.POINTS)
"""The orders in which neighbours are certain, unless another point's element stands for one."""


class TileTurns:
    """Of one tiled kernel."""

    def __init__(self, kernel: KernelPlan, plan: TilePlan, grid: GridPrinter) -> None:
        self._plan, self._n, self._grid, self._part = plan, plan.names, grid, plan.part
        y, x = kernel.grid[-2:]
        self._loop: GridLoop = x if plan.part is not None and plan.part.axis is Axis.X else y
        axis = Axis.Y if plan.part is None else plan.part.axis
        self._first, self._last = self._n[f"first_{axis.value}"], self._n[f"last_{axis.value}"]

    @property
    def begin(self) -> str:
        return "0" if self._part is None else f"{self._n['stretch']}.begin"

    @property
    def end(self) -> str:
        return str(self._plan.loop.trips) if self._part is None else f"{self._n['stretch']}.end"

    def head(self) -> Lines:
        """What is found out about a tile."""
        if self._part is None:
            return []
        text, n = self._grid.expressions.text(self._part.within), self._n
        rows = f"{self._first}, {self._first} + {self._last}"
        found = f"ompc::stretch_of({n['within']}, {rows}, {self._plan.loop.trips})"
        inside = self._grid.inside(n["within"], text, (self._loop, self._plan.loop))
        return [*inside, f"const ompc::Stretch {n['stretch']} = {found};"]

    def full(self, first: str, count: str) -> str:
        """Have all points of the tile so many iterations, from the `first` one on?"""
        within = f"{self._n['within']}, {self._first}, {self._first} + {self._last}"
        return f"ompc::has_all_corners({within}, {first}, {first} + {count} - 1)"

    def first_stage(self) -> str:
        """The call that stages the first turn."""
        n = self._n
        call = f"{n['stage']}({self.begin}, 0, std::false_type{{}});"
        if self._part is None:
            return f"const bool {n['whole']} = {call}"
        return f"bool {n['whole']} = {self.begin} < {self.end} && {self._staged(call, self.begin)}"

    def _staged(self, call: str, first: str) -> str:
        """Does the call of `stage` allow whole turns? Not where another point's elements stand for a point's own ones:
        nobody has asked whether these are aligned.
        """
        return f"{call.removesuffix(';')} && {self.full(first, str(self._n['depth']))};"

    def next_stage(self) -> Lines:
        """The calls that stage the next turn, now; later, as `whole`, where `later` says so."""
        n, left = self._n, f"{self.end} - {self._n['first_k']}"
        ahead = f"{n['stage']}({n['first_k']} + {n['depth']}, {n['buffer']} ^ 1"
        call, full = f"{ahead}, std::false_type{{}});", ""
        if self._part is not None:
            following = f"{n['first_k']} + {n['depth']}"
            full = f" && {self.full(following, str(n['depth']))}"
            call = f"{n['whole']} = {self._staged(call, following)}"
        return [
            f"const bool {n['all']} = {n['whole']} && {left} >= 2 * {n['depth']}{full}, "
            f"{n['later']} = {n['all']} && ompc::stages_later();",
            f"if ({n['all']} && !{n['later']}) // the next iterations' elements arrive meanwhile",
            f"    {ahead}, std::true_type{{}});",
            f"else if (!{n['all']} && {left} > {n['depth']})",
            f"    {call}",
        ]

    def later_stage(self) -> str:
        n = self._n
        return f"{n['stage']}({n['first_k']} + {n['depth']}, {n['buffer']} ^ 1, std::true_type{{}});"

    def point(self, read: StagedRead) -> str:
        """The point whose element is staged for point `p`."""
        n = self._n
        if self._part is None or read.axis is not self._part.axis:
            return str(n["p"])
        at = f"{self._first}, {n['p']}, {self._last}, {n['first_k']} + {n['d']}"
        return f"ompc::nearest<{n['all']}>({n['within']}, {at})"

    def partly(self, read: StagedRead) -> str:
        """The template argument that says so."""
        stands = self._part is not None and read.axis is self._part.axis and read.order in _AT_ONCE
        return ", true" if stands else ""

    def of_points(self, place: str, code: Lines) -> Lines:
        """`code` of an iteration, for those points that have it; `place` of the point along the axis."""
        if self._part is None:
            return code
        n = self._n
        asked = f"{n['within']}({self._first} + ompc::lesser({place}, {self._last}), {n['first_k']} + {n['d']})"
        return [f"if (decltype({n['every']})::value || {asked}) {{", *indented(code), "}"]

    def products(self, beside: str, own: object, left: Lines, right: Lines) -> Lines:
        """All products of a turn: by tensor cores where all points have them."""
        n, part = self._n, self._part
        of = f"[&](int {n['d']}, int {n['p']}) {{"
        between = ["}, [&] {", f"    if ({n['later']})", f"        {self.later_stage()}", "});"]
        if part is None:
            head = f"ompc::add_products<{n['depth']}, {beside}>({own}, {n['left']}, {of}"
            return [head, *indented(left), f"}}, {of}", *indented(right), *between]
        down = "true" if part.axis is Axis.Y else "false"
        place = f"ompc::lesser({n['p']}, {self._last})"
        asked = f"return {n['within']}({self._first} + {place}, {n['first_k']} + {n['d']});"
        sides = f"{own}, {n['left']}, {n['of_row']}, {n['of_column']}"
        return [
            f"const auto {n['of_row']} = {of}", *indented(left), "};",
            f"const auto {n['of_column']} = {of}", *indented(right), "};",
            f"if ({self.full(str(n['first_k']), str(n['left']))}) {{",
            *indented([f"ompc::add_products<{n['depth']}, {beside}>({sides}, [&] {{", *between[1:]]),
            "} else {",
            f"    if ({n['later']})",
            f"        {self.later_stage()}",
            *indented([f"ompc::add_products_within<{down}, {beside}>({sides}, {of}", f"    {asked}", "});"]),
            "}",
        ]  # fmt: skip

    def iterations(self) -> Lines:
        """The calls of `iteration` for a turn."""
        n, part = self._n, self._part
        iteration, d, depth = n["iteration"], n["d"], n["depth"]
        every, some = ("", "") if part is None else (", std::true_type{}", ", std::false_type{}")
        full = "" if part is None else f" && {self.full(str(n['first_k']), str(depth))}"
        late = [] if part is None else [f"    if ({n['later']})", f"        {self.later_stage()}"]
        return [
            f"if ({n['left']} == {depth}{full}) {{",
            "    OMPC_UNROLL",
            f"    for (int {d} = 0; {d} < {depth} / 2; {d}++)",
            f"        {iteration}({d}{every});",
            f"    if ({n['later']})",
            f"        {self.later_stage()}",
            "    OMPC_UNROLL",
            f"    for (int {d} = {depth} / 2; {d} < {depth}; {d}++)",
            f"        {iteration}({d}{every});",
            "} else {",
            *late,
            f"    for (int {d} = 0; {d} < {n['left']}; {d}++)",
            f"        {iteration}({d}{some});",
            "}",
        ]
