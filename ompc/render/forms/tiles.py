"""A tiled kernel: what a thread does for each of its points, three times over.

    stage         copies of what the block's points read in the next iterations of the inner loop, into shared memory
    ahead         for each point that there is, what stands beside the condition that the others are under
    before        for each point, what stands before the inner loop
    iteration     one iteration of the inner loop for all points, with elements from shared memory in registers; or
    product       all that are staged, where they add products of doubles
    after         for each point that there is, what stands after the loop

Each declares the loop variables that it names: for a point beyond the end those of the last one.

    In: the nodes of the schedule (plan/forms/tiles.py).   Out: their lines.
    Not here: decisions -- plan/forms/tiles.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.machine import DEVICE
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.plan import Binding, KernelPlan
from ompc.plan.model.schedule import Axis as GridAxis
from ompc.plan.model.schedule import Barrier, Private, Product, RegisterTile, Serial, Stage
from ompc.plan.model.tile_model import Axis, Order, Part, StagedRead, TilePlan
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.spelling import Spelling
from ompc.render.code.statements import INDENT, StatementPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.forms.grid import GridPrinter, passed_bounds
from ompc.render.forms.tile_guards import lines_of_tile
from ompc.render.forms.tile_turns import TileTurns
from ompc.render.layout import broken_lines
from ompc.render.schedule import AxisText, Inside, Lines, indented


def tile_parameters(plan: TilePlan, types: TypePrinter) -> list[str]:
    """What the tiled kernel is passed besides: what counts the inner loop."""
    bounds = [types.declare(b.type, b.name) for b in passed_bounds(plan.loop)]
    return [*bounds, f"size_t {plan.loop.trips}"]


def tile_arguments(plan: TilePlan) -> list[str]:
    return [str(name) for name in (*(b.name for b in passed_bounds(plan.loop)), plan.loop.trips)]


def tile_comment(kernel: KernelPlan, plan: TilePlan, source: str) -> list[str]:
    """What the kernel is, and why."""
    y, x = kernel.grid[-2].variable, kernel.grid[-1].variable
    lines = [
        f"{source}, where there is much work: a block computes a tile of points ({y}, {x}), a thread several of them."
    ]
    lines += [f"  {plan.depth} iterations of {plan.loop.variable} at a time, with what they read in shared memory:"]
    return lines + [f"  {line}" for line in plan.because.split("; ")]


class TileTexts:
    """The nodes of a schedule with tiles."""

    def __init__(self, kernel: KernelPlan, plan: TilePlan, spelling: Spelling, used: set[str]) -> None:
        self._kernel, self._plan, self._n, self._types = kernel, plan, plan.names, spelling.types
        self._plain, self._spelling, self._used = ExpressionPrinter(spelling), spelling, used
        self.grid = GridPrinter(spelling.types, self._plain)
        self._turns = TileTurns(kernel, plan, self.grid)
        n, point = plan.names, f"[{plan.names['y']}][{plan.names['x']}]"
        own = {variable.symbol: Binding(f"{variable.own}{point}") for variable in plan.variables}
        kept = {node: f"{element.own}{point}" for element in plan.kept for node in element.nodes}
        staged = {node: f"{read.own}[{n[read.axis.value]}]" for read in plan.staged for node in read.nodes}
        changed = replace(spelling, bindings={**spelling.bindings, **own}, replaced={**kept, **staged})
        self._own = ExpressionPrinter(changed)

    # ------------------------------------------------------------------ declarations

    def declarations(self) -> Lines:
        """What stands at the top of the kernel."""
        n, narrower = self._n, self._plan.narrower
        points = n["points"]
        across = points if narrower == 1 else f"{points} > {narrower} ? {points} / {narrower} : 1"
        of_one = f"{points} == 1 ? {self._plan.depth_of_one} : " if self._plan.depth_of_one else ""
        return [
            f"constexpr int {n['across']} = {across};",
            f"constexpr int {n['rows']} = ompc::tile_side * {points};",
            f"constexpr int {n['columns']} = ompc::tile_side * {n['across']};",
            f"constexpr int {n['depth']} = {of_one}{self._plan.depth};",
            *(self.shared(read) for read in self._plan.staged),
        ]

    @property
    def resident(self) -> str:
        """How many blocks a multiprocessor has at the same time."""
        return f"{self._n['points']} == 8 ? 1 : 2" if self._plan.product else "2"

    # ------------------------------------------------------------------ the nodes

    def axis(self, axis: GridAxis) -> AxisText:
        """The loop over the tiles of all blocks along y or x."""
        n, a, trips = self._n, axis.name, axis.loops[0].trips
        first, extent = n[f"first_{a}"], n["rows" if a == "y" else "columns"]
        begin = "" if axis.begin is None else f"{axis.begin} + "
        head = [
            f"for (size_t {first} = {begin}blockIdx.{a} * (size_t){extent}; {first} < {trips};",
            f"     {first} += (size_t)gridDim.{a} * {extent}) {{",
        ]
        last = f"const int {n[f'last_{a}']} = ompc::left_of({trips}, {first}, {extent}) - 1;"
        return AxisText(head, [last, *(self._turns.head() if a == "x" else [])])

    def _none_inside(self) -> list[str]:
        """What a block asks of a tile whose points are there under a condition."""
        if self._plan.guard is None:
            return []
        behind = self._points(self._beside(self._plan.behind), clamped=False)
        inside = self.grid.inside(self._n["inside"], self._guard(), self._kernel.grid[-2:])
        return [*inside, *lines_of_tile(self._n, self._kernel.grid[-2:], behind)]

    def _guard(self) -> str:
        assert self._plan.guard is not None
        return self._plain.text(self._plan.guard)

    def _guarded(self, code: list[str]) -> list[str]:
        """`code` for points that there are."""
        return code if self._plan.guard is None or not code else [f"if ({self._guard()}) {{", *indented(code), "}"]

    def stage(self, node: Stage, inside: Inside) -> Lines:
        """A function that stages one turn's elements, and its call for the first turn; or those for the next ones."""
        n = self._n
        if node.ahead:
            return broken_lines(self._turns.next_stage(), inside.depth - 1)
        left = f"{n['all']} ? {n['depth']} : ompc::left_of({self._turns.end}, {n['first_k']}, {n['depth']})"
        return [
            *self._printed(self._none_inside(), inside.depth),
            f"const auto {n['stage']} = [&](size_t {n['first_k']}, int {n['buffer']}, auto {n['whole']}) {{",
            *indented(
                [
                    f"constexpr bool {n['all']} = decltype({n['whole']})::value;",
                    f"const int {n['left']} = {left};",
                    *self._printed(self._staging(), inside.depth),
                ]
            ),
            "};",
            self._turns.first_stage(),
        ]

    def private(self, node: Private, inside: Inside) -> Lines:
        return self.own()

    def barrier(self, node: Barrier, inside: Inside) -> Lines:
        return ["ompc::staged();" if node.staged else "__syncthreads(); // before the next tile is staged"]

    def serial(self, node: Serial, inside: Inside) -> Lines:
        """All threads go through the inner loop, some iterations a turn."""
        n, end = self._n, self._turns.end
        first, depth = n["first_k"], n["depth"]
        return [
            f"int {n['buffer']} = 0;",
            f"for (size_t {first} = {self._turns.begin}; {first} < {end}; {first} += {depth}, {n['buffer']} ^= 1) {{",
            f"    const int {n['left']} = ompc::left_of({end}, {first}, {depth});",
            *indented(inside.lines(node.body)),
            "}",
        ]

    def product_of_turn(self, node: Product, inside: Inside) -> Lines:
        return self._printed(self.product(), inside.depth - 1)

    def points(self, node: RegisterTile, inside: Inside) -> Lines:
        """What stands before or behind the inner loop, or its iterations of one turn."""
        if node.part is Part.AHEAD:
            return self._printed(self._points(self._beside(self._plan.ahead), clamped=False), inside.depth)
        if node.part is Part.BEFORE:
            return self._printed(self.before(), inside.depth)
        if node.part is Part.AFTER:
            return self._printed(self.after(), inside.depth)
        n = self._n
        parameters = f"int {n['d']}" + ("" if self._plan.part is None else f", auto {n['every']}")
        return [
            f"const auto {n['iteration']} = [&]({parameters}) {{",
            *indented(self._printed(self.iteration(), inside.depth)),
            "};",
            *broken_lines(self._turns.iterations(), inside.depth - 1),
        ]

    def _printed(self, lines: Lines, depth: int) -> Lines:
        self._used |= self._plain.words_of(lines)
        return broken_lines(lines, depth)

    def shared(self, read: StagedRead) -> str:
        width = self._n["rows" if read.axis is Axis.Y else "columns"]
        element = self._types.declare(read.type)
        padding = self._plan.padding // (ty.size_of(read.type) or 1)
        depth = self._n["depth"]
        lines, length = (width, depth) if read.order is Order.POINTS else (depth, width)
        if self._plan.memory:
            before = " + ".join(f"sizeof {other.tile}" for other in self._plan.staged[: self._plan.staged.index(read)])
            kind = f"{element}[2][{lines}][{length} + {padding}]"
            return f"auto &{read.tile} = ompc::shared_tile<{kind}>({before or 0});"
        return f"alignas({DEVICE.vector}) OMPC_SHARED {element} {read.tile}[2][{depth}][{width} + {padding}];"

    def own(self) -> list[str]:
        kinds = [(element.type, element.own) for element in self._plan.kept]
        kinds += [(ty.unqualified(v.symbol.type), v.own) for v in self._plan.variables]
        init = "" if self._plan.guard is None else " = {}"  # points beside the others compute with it
        return [
            f"{self._types.declare(kind)} {name}[{self._n['points']}][{self._n['across']}]{init};"
            for kind, name in kinds
        ]

    # ------------------------------------------------------------------ the parts

    def _staging(self) -> list[str]:
        """Copies of what all reads need, as one condition."""
        first, *others = [self._staged(read) for read in self._plan.staged]
        lines = ["return " + first[0], *first[1:]]
        for other in others:
            lines[-1] += " &"
            lines += indented(other)
        lines[-1] += ";"
        return lines

    def _staged(self, read: StagedRead) -> list[str]:
        n, k, a = self._n, self._plan.loop, read.axis.value
        axis = self._kernel.grid[-2 if read.axis is Axis.Y else -1]
        counters = {axis: f"{n[f'first_{a}']} + {self._turns.point(read)}", k: f"{n['first_k']} + {n['d']}"}
        address = [f"return {self._plain.address(read.nodes[0])};"]
        width = n["depth" if read.order is Order.POINTS else "rows" if read.axis is Axis.Y else "columns"]
        there = n[f"last_{a}" if self._plan.guard is None else f"lines_{a}"]
        values = f"{width}, {n['all']}{self._turns.partly(read)}"
        places = f"{read.tile}[{n['buffer']}], {n['left']} - 1, {there}"
        return [
            f"ompc::stage_{read.order.value}<{values}>({places}, [&](int {n['d']}, int {n['p']}) {{",
            *indented(self._declared(address, counters)),
            "})",
        ]

    def before(self) -> list[str]:
        loads = [f"{e.own}{self._point} = {self._plain.text(e.nodes[0])};" for e in self._plan.kept if e.loaded]
        return self._points(self._guarded(self._code(self._plan.before, 0, loads)), clamped=True)

    def iteration(self) -> list[str]:
        n, lines = self._n, []
        for read in self._plan.staged:
            a = read.axis.value
            many = n["points" if read.axis is Axis.Y else "across"]
            element = f"{read.tile}[{n['buffer']}][{n['d']}][{self._place(read.axis)}]"
            lines += [
                f"{self._types.declare(read.type)} {read.own}[{many}];",
                "OMPC_UNROLL",
                f"for (int {n[a]} = 0; {n[a]} < {many}; {n[a]}++)",
                f"{INDENT}{read.own}[{n[a]}] = {element};",
            ]
        body = self._plan.body
        items = body.items if isinstance(body, t.Block) else (body,)
        k = {self._plan.loop: f"{n['first_k']} + {n['d']}"}
        code = self._code(items, 1, [])
        if self._plan.part is not None:
            code = self._turns.of_points(self._place(self._plan.part.axis), code)
        return lines + self._points(code, clamped=True, more=k)

    def product(self) -> list[str]:
        """All iterations of which elements are staged."""
        n, product = self._n, self._plan.product
        assert product is not None
        at = (f"[{n['d']}][{n['p']}]", f"[{n['p']}][{n['d']}]")
        places = {read: f"{read.tile}[{n['buffer']}]{at[read.order is Order.POINTS]}" for read in self._plan.staged}
        staged = {node: place for read, place in places.items() for node in read.nodes}
        factors = replace(self._spelling, replaced=staged)
        sides = ((Axis.Y, product.left, product.left_needs), (Axis.X, product.right, product.right_needs))
        left, right = (self._factor(ExpressionPrinter(factors), *side) for side in sides)
        if product.negative:
            left[-1] = f"return -({left[-1].removeprefix('return ').removesuffix(';')});"
        beside = f"{self._neighbours(Axis.Y)}, {self._neighbours(Axis.X)}"
        return self._turns.products(beside, product.own, left, right)

    def _neighbours(self, axis: Axis) -> int:
        """How many neighbouring points of a thread are contiguous in shared memory."""
        orders = [read.order for read in self._plan.staged if read.axis is axis]
        return 1 if Order.POINTS in orders else 2

    def _factor(self, printer: ExpressionPrinter, axis: Axis, factor: t.Expr, needs: Sequence[t.VarDecl]) -> list[str]:
        """One factor of the product in an iteration, for a point, as the body of a function."""
        n, a = self._n, axis.value
        grid = self._kernel.grid[-2 if axis is Axis.Y else -1]
        counters = {
            grid: f"{n[f'first_{a}']} + ompc::lesser({n['p']}, {n[f'last_{a}']})",
            self._plan.loop: f"{n['first_k']} + {n['d']}",
        }
        loc = self._plan.loop.loop.statement.loc
        code = (
            StatementPrinter(printer, self._types).lines(t.Block(loc, (t.DeclStmt(loc, tuple(needs)),)))
            if needs
            else []
        )
        code.append(f"return {printer.converted(factor, ty.DOUBLE)};")
        return self._declared(code, counters)

    def after(self) -> list[str]:
        stores = [f"{self._plain.text(e.nodes[0])} = {e.own}{self._point};" for e in self._plan.kept]
        done = self._guarded([*self._code(self._plan.after, 2, []), *stores])
        return self._points([*done, *self._beside(self._plan.behind)], clamped=False)

    @property
    def _point(self) -> str:
        return f"[{self._n['y']}][{self._n['x']}]"

    def _place(self, axis: Axis) -> str:
        a, many = axis.value, self._n["points" if axis is Axis.Y else "across"]
        if self._plan.product is not None:
            which, beside = "row" if axis is Axis.Y else "column", self._neighbours(axis)
            return f"ompc::{which}_place<{many}, {beside}>({self._n[a]})"
        return f"ompc::place<{many}, {self._plan.group}>(threadIdx.{a}, {self._n[a]})"

    def _points(self, code: list[str], clamped: bool, more: Mapping[GridLoop, str] | None = None) -> list[str]:
        """`code` for every point of the thread; unless `clamped`, for those that there are."""
        if not code:
            return []
        n, counters = self._n, dict(more or {})
        for axis, loop in ((Axis.Y, self._kernel.grid[-2]), (Axis.X, self._kernel.grid[-1])):
            place, last = self._place(axis), n[f"last_{axis.value}"]
            place = f"ompc::lesser({place}, {last})" if clamped else place
            counters[loop] = f"{n[f'first_{axis.value}']} + {place}"
        lines = self._declared(code, counters)
        if not clamped:
            inside = [f"{self._place(axis)} <= {n[f'last_{axis.value}']}" for axis in (Axis.Y, Axis.X)]
            lines = [f"if ({inside[0]} &&", f"    {inside[1]}) {{", *indented(lines), "}"]
        return [
            "OMPC_UNROLL",
            f"for (int {n['y']} = 0; {n['y']} < {n['points']}; {n['y']}++) {{",
            f"{INDENT}OMPC_UNROLL",
            f"{INDENT}for (int {n['x']} = 0; {n['x']} < {n['across']}; {n['x']}++) {{",
            *indented(indented(lines)),
            f"{INDENT}}}",
            "}",
        ]

    def _code(self, items: Iterable[t.Stmt], part: int, first: list[str]) -> list[str]:
        """The statements of a part, without the declarations of what every point or every part has."""
        own = {variable.symbol for variable in self._plan.variables}
        defined = {d.symbol for d in self._plan.definitions}
        kept = [left for item in items for left in _without(item, own, defined)]
        lines = [self._types.declare(ty.unqualified(s.type), self._own.name(s)) + ";" for s in self._plan.locals[part]]
        statements = StatementPrinter(self._own, self._types)
        code = statements.lines(t.Block(self._plan.loop.loop.statement.loc, tuple(kept))) if kept else []
        return first + (lines + code if code else [])

    def _beside(self, items: Sequence[t.Stmt]) -> list[str]:
        """Statements that name no variables of the thread but their own."""
        block = t.Block(self._plan.loop.loop.statement.loc, tuple(items))
        return StatementPrinter(self._own, self._types).lines(block) if items else []

    def _declared(self, code: list[str], counters: Mapping[GridLoop, str]) -> list[str]:
        return self.grid.with_declarations(code, counters, self._plan.definitions)


def _without(item: t.Stmt, own: Collection[t.Symbol], defined: Collection[t.Symbol]) -> list[t.Stmt]:
    """What is left of a statement, or of those of a block: of declarations, assignments to what every point has."""
    if isinstance(item, t.Block):
        left = [each for inner in item.items for each in _without(inner, own, defined)]
        return [replace(item, items=tuple(left))] if left else []
    if not isinstance(item, t.DeclStmt):
        return [item]
    found = list[t.Stmt]()
    for decl in item.decls:
        if decl.symbol in defined:
            continue
        if decl.symbol not in own:
            found.append(t.DeclStmt(item.loc, (decl,)))
        elif decl.init is not None:
            kind = ty.unqualified(decl.symbol.type)
            found.append(
                t.ExprStmt(item.loc, t.Assign(kind, item.loc, "=", t.Name(kind, item.loc, decl.symbol), decl.init))
            )
    return found
