"""The body of a kernel whose lanes share loops, and the loop over its iterations.

    const auto k_entries = own ? ompc::entries_lt<int>(row[i], row[i + 1], 1) : ompc::no_entries();
    ompc::in_turns<double>(
        k_entries, 1,
        [&](int k, double &term) {
            term = val[k] * x[col[k]];
        },
        [&](double term) {
            sum += term;
        });

or, where each lane has a part of the sum:

    ompc::by_group_and_others<4, by_block>(
        group, k_entries, 1, ompc::of_row(),
        [&](int k, double &sum) { sum += val[k] * x[col[k]]; },
        ompc::partial<ompc::Sum>(sum));

In: LaneSharing.   Out: lines of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.model.batch_model import Batches
from ompc.plan.model.lane_results import ByLanes, InOrder, RunningSum
from ompc.plan.model.lane_steps import (
    Alone,
    Chosen,
    GroupOf,
    LaneSharing,
    Repeated,
    Scope,
    SharedLoop,
    Step,
    UnrollAndJam,
)
from ompc.plan.model.names import Name
from ompc.plan.model.plan import Binding
from ompc.plan.model.schedule import Schedule
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.statements import INDENT, StatementPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.forms.collected_adds import TOGETHER_IN_LOOP, addition, collector
from ompc.render.forms.lane_text import (
    braced,
    declared_in_scope,
    division,
    function_lines,
    only_condition,
    waits_in_front,
    where_apart,
)
from ompc.render.forms.ordered_counts import OrderedCountPrinter
from ompc.render.forms.unroll_and_jam import each, for_each, jammed_bindings


def iterations_head(sharing: LaneSharing, trips: Name) -> list[str]:
    """The head of the loop over the iterations of all lanes; whole warps stay in it together, or whole blocks."""
    slot, group = sharing.slot, sharing.group
    return [
        f"for (size_t {slot} = blockIdx.x * (size_t)blockDim.x + threadIdx.x; {group}.any({slot}, {trips});",
        f"     {slot} += (size_t)gridDim.x * blockDim.x) {{",
    ]


def known_group(sharing: LaneSharing) -> tuple[str, ...]:
    """What the compiler is to know of all groups of the kernel, so that it leaves out what others need."""
    group = sharing.group
    if sharing.group_of is GroupOf.WARPS:
        return ()
    if sharing.group_of is GroupOf.PRODUCERS:
        return (f"{group}.lanes_log2 = 0; // whatever the launch says: one lane of each warp",)
    known = f"{group}.warps_log2 = 0; // whatever the launch says: lanes of one warp"
    return (known,) if sharing.by_block is None else (f"if (!{sharing.by_block.name})", INDENT + known)


def lane_variables(sharing: LaneSharing, counter: Name, trips: str) -> list[str]:
    """Which iteration the lane has, of so many, and whether it is its own."""
    slot, group = sharing.slot, sharing.group
    return [
        f"const size_t {counter} = {group}.iteration({slot});",
        f"const bool {sharing.own} = {group}.own({slot}, {trips}); // else the lane only helps with shared loops",
    ]


def lane_bindings(schedule: Schedule, bindings: Mapping[t.Symbol, Binding]) -> dict[t.Symbol, Binding]:
    """How variables are spelt that lanes hand on, or of which each iteration has its own; `bindings`: of all others."""
    if schedule.lanes is None:
        return {}
    points = schedule.lanes.unroll_and_jam
    found = {} if points is None else jammed_bindings(points, bindings)
    terms = (loop.how.terms for loop in schedule.lanes.body.loops() if isinstance(loop.how, InOrder))
    return found | {term.symbol: Binding(term.name) for each in terms for term in each}


@dataclass(frozen=True, slots=True)
class LanesPrinter:
    """`private` are the iteration's own variables that are declared in front of the steps."""

    types: TypePrinter
    expressions: ExpressionPrinter
    statements: StatementPrinter
    batches: Batches | None
    sharing: LaneSharing
    private: frozenset[t.Symbol] = frozenset()

    @property
    def points(self) -> UnrollAndJam | None:
        """The iterations that a thread computes together."""
        return self.sharing.unroll_and_jam

    def lines(self) -> list[str]:
        sharing = self.sharing
        if self.points is None:
            return list(self._scope(sharing.body, sharing.own))
        declared = {decl.symbol: decl.init for decl in sharing.body.declared}
        of_each = [self._of_each(self.points, s, declared.get(s)) for s in self.points.own[1:]]
        plain = tuple(decl for decl in sharing.body.declared if decl.symbol not in self.points.own)
        return of_each + list(self._scope(Scope(plain, sharing.body.steps), f"{self.points.names['mine']}.own()"))

    def _of_each(self, points: UnrollAndJam, symbol: t.Symbol, init: t.Expr | None) -> str:
        initial = "" if init is None else f"({self.expressions.initializer(init, ty.unqualified(symbol.type))})"
        return f"{each(points, self.types, symbol.type)} {self._whole(symbol)}{initial};"

    def _whole(self, symbol: t.Symbol) -> str:
        """The variable's name, of all iterations of the thread."""
        name = self.expressions.name(symbol)
        return name if self.points is None else name.removesuffix(f"[{self.points.names['point']}]")

    def _scope(self, scope: Scope, own: Name) -> Iterator[str]:
        for decl in scope.declared:
            if self.statements.is_declared(decl.symbol) or decl.symbol in self.statements.around:
                continue
            kind = ty.unqualified_elements(decl.symbol.type)
            initial = "{}" if ty.is_scalar(kind) else ""
            if decl.init is not None:
                initial = f" = {self.expressions.initializer(decl.init, kind)}"
            where = "__shared__ " if decl.symbol in self.sharing.held else ""
            yield where + self.types.declare(kind, self.expressions.name(decl.symbol)) + f"{initial};"
        for step in scope.steps:
            yield from self._step(step, own)

    def _step(self, step: Step, own: Name) -> Iterator[str]:
        match step:
            case Alone(statements=statements):
                yield from self._alone(statements, own)
            case SharedLoop():
                yield from self._shared(step, own)
            case Scope():
                yield from self._braced_scope(step, own)
            case Repeated(loop=loop, body=body, turns=turns, told=told) if turns is not None:
                if told:
                    yield f"{self.sharing.group}.broadcast({', '.join(map(self._whole, told))}); // where it begins"
                yield f"bool {turns} = {own};"
                yield from braced(self._while_any(loop, turns), self._inner(body, turns))
            case Repeated(loop=loop, body=body, conditional=conditional):
                lines = braced(self.statements.for_head(loop), self._inner(body, own))
                if conditional:  # its bounds may make no sense where nobody executes it
                    lines = braced(f"if ({self._any_together(own)})", lines)
                yield from lines
            case Chosen(condition=condition, own_then=own_then, own_other=own_other, then=then, other=other):
                yield f"const bool {own_then} = {own} && {self._asked(condition)};"
                yield from self._braced_scope(then, own_then)
                if other is not None:
                    yield f"const bool {own_other} = {own} && !{own_then};"
                    yield from self._braced_scope(other, own_other)

    def _while_any(self, loop: t.For, turns: Name) -> str:
        """The head of a loop in which lanes stay until none has another turn."""
        assert loop.condition is not None
        more = f"{turns} = {turns} && {self._asked(loop.condition)}"
        return self.statements.for_head(loop, self._any_together(more))

    def _asked(self, condition: t.Expr) -> str:
        """A condition as an operand of `&&`."""
        return self.expressions.factor_of_and(condition)

    def _braced_scope(self, scope: Scope, own: Name) -> Iterator[str]:
        """A scope, in braces if a name that it declares is something else around it."""
        lines, declared = self._inner(scope, own), [*declared_in_scope(scope)]
        hides = not self.private.isdisjoint(declared) or not self.statements.are_unique(declared)
        yield from braced("", lines) if hides else lines

    def _any_together(self, own: Name) -> str:
        """Is it so in any thread of those that come to shared loops together?"""
        group, form = self.sharing.group, self.sharing.by_block
        if self.sharing.group_of is GroupOf.PRODUCERS:
            return f"{group}.any_of_block({own})"
        return f"{group}.any_together{'' if form is None else f'<{form.name}>'}({own})"

    def _inner(self, scope: Scope, own: Name) -> Iterator[str]:
        """A scope inside braces; those of a block that is all there is in it are left out."""
        while not scope.declared and len(scope.steps) == 1 and isinstance(scope.steps[0], Scope):
            scope = scope.steps[0]
        return self._scope(scope, own)

    def _alone(self, statements: Sequence[t.Stmt], own: Name) -> Iterator[str]:
        if self.points is None:
            yield from self._by_own_lane(statements, own)
        else:
            own = f"{self.points.names['mine']}.own({self.points.names['point']})"
            yield from for_each(self.points, list(self._by_own_lane(statements, own)))

    def _by_own_lane(self, statements: Sequence[t.Stmt], own: Name) -> Iterator[str]:
        lines = self.statements.lines(t.Block(statements[0].loc, tuple(statements)))
        if len(lines) == 1 and isinstance(statements[0], t.ExprStmt):
            yield f"if ({own})"
            yield INDENT + lines[0]
        elif (asked := only_condition(statements)) is not None and lines[0].startswith("if ("):
            yield f"if ({own} && {self._asked(asked)})" + " {" * lines[0].endswith("{")
            yield from lines[1:]
        elif lines:
            yield from braced(f"if ({own})", lines)

    def _shared(self, shared: SharedLoop, own: Name) -> Iterator[str]:
        stride, *strides = [apart for _, apart in map(self.statements.entries, shared.loops)]
        yield from self._entries(shared, own)
        yield from collector(self.sharing, shared, self.types)
        match shared.how:
            case ByLanes() if shared.nest:
                yield from self._by_nest(shared, (stride, *strides))
            case ByLanes() as how:
                yield from self._by_lanes(shared, how, stride, own)
            case InOrder() as how:
                yield from self._in_order(shared, how, stride)

    def _entries(self, shared: SharedLoop, own: Name) -> Iterator[str]:
        """Of each loop, as the iteration's own lane knows them."""
        for loop, name in zip(shared.loops, (shared.entries, *(nested.entries for nested in shared.nest)), strict=True):
            yield f"const auto {name} = {own} ? {self.statements.entries(loop)[0]} : ompc::no_entries();"

    def _by_nest(self, shared: SharedLoop, strides: Sequence[str]) -> Iterator[str]:
        group, names = self.sharing.group, (shared.entries, *(nested.entries for nested in shared.nest))
        yield from self._handed_over(shared)
        yield f"ompc::{'by_nest_where' if shared.asked else 'by_nest'}("
        yield f"{2 * INDENT}{group},"
        if shared.asked:
            yield from where_apart(shared, self.expressions.text)
        yield from function_lines(f"[&]({', '.join(self._parameters(shared))}) {{", self._entry(shared), ",")
        loops = [f"ompc::nest_loop({name}, {stride})" for name, stride in zip(names, strides, strict=True)]
        yield f"{2 * INDENT}{', '.join(loops)});"
        yield from self._stored(shared)

    def _stored(self, shared: SharedLoop) -> Iterator[str]:
        if shared in self.sharing.collected:
            yield f"{self.sharing.collected[shared].name}.write_back();"
        yield f"{self.sharing.group}.sync(); // what the entries have stored is there"

    # ---------------------------------------------------------------- each lane has parts of its own

    def _handed_over(self, shared: SharedLoop) -> Iterator[str]:
        """What the iteration's own lane has done and knows is there for the others."""
        if waits_in_front(self.sharing, shared):  # shuffles alone order no memory
            yield f"{self.sharing.group}.sync(); // the entries read what the iteration's own lane may have stored"
        if shared.own:
            names = ", ".join(map(self._whole, shared.own))
            yield f"{self.sharing.group}.broadcast({names}); // what the entries need of their row"

    def _by_lanes(self, shared: SharedLoop, how: ByLanes, stride: str, own: Name) -> Iterator[str]:
        yield from self._repeated(shared, how)
        group, form = self.sharing.group, self.sharing.by_block
        yield from self._handed_over(shared)
        batched = None if self.batches is None else self.batches.loops.get(shared.loop.statement)
        in_stretches = self.sharing.group_of is GroupOf.WARPS
        function, of_row = "by_stretches" if in_stretches else "by_group", ""
        by_block = None if in_stretches else "false" if form is None else form.name
        if how.of_row is not None and (form is not None or how.of_row == ()):
            function, of_row = "by_group_and_others", f" ompc::of_row({', '.join(map(self._whole, how.of_row))}),"
        if how.counted is not None:
            printer = OrderedCountPrinter(self.types, self.expressions, self.statements, how.counted)
            head = f"{group}, {shared.entries}, {stride},"
            yield from printer.lines(head, ", ".join(self._parameters(shared)), shared.loop.body, own)
        elif how.running is not None:
            yield from self._with_running_sum(shared, how.running, stride)
        elif (each := self.sharing.collected.get(shared)) is not None and each.once is not None:
            parameters = ", ".join([*self._parameters(shared), *addition(each, self.types)])
            yield f"ompc::adding<{TOGETHER_IN_LOOP}>("
            yield f"{2 * INDENT}{group}, {shared.entries}, {stride}, {each.name},"
            lines = (3 * INDENT + line for line in self._entry(shared))
            yield from (f"{2 * INDENT}[&]({parameters}) {{", *lines, f"{2 * INDENT}}});")
        else:
            yield f"ompc::{function}<{division(how, batched, self.points, by_block)}>("
            yield f"{2 * INDENT}{group}, {shared.entries}, {stride},{of_row}"
            yield from self._each(shared, how)
        if shared.stores:
            yield from self._stored(shared)

    def _each(self, shared: SharedLoop, how: ByLanes) -> Iterator[str]:
        """The function that does one entry, and what comes of all."""
        parts = [self._part(partial.symbol) for partial in how.partials]
        head = f"[&]({', '.join([*self._parameters(shared), *parts])}) {{"
        body = self._entry(shared)
        if self.points is not None:
            body = list(for_each(self.points, body))
        wholes = [f"ompc::partial<ompc::{partial.operator}>({self._whole(partial.symbol)})" for partial in how.partials]
        end = "," if wholes else ");"
        yield from function_lines(head, body, end)
        if wholes:
            yield f"{2 * INDENT}{', '.join(wholes)});"

    def _entry(self, shared: SharedLoop) -> list[str]:
        """What is done for one entry."""
        body = self.statements.lines(shared.body)
        return ["do {", *(INDENT + line for line in body), "} while (0);"] if shared.leaves else body

    def _with_running_sum(self, shared: SharedLoop, running: RunningSum, stride: str) -> Iterator[str]:
        """What each entry adds, and the entry, which begins with the sum of those before it."""
        kind, name = ty.unqualified(running.symbol.type), self.expressions.name(running.symbol)
        counter = ", ".join(self._parameters(shared))
        yield "ompc::with_running_sum("
        yield f"{2 * INDENT}{self.sharing.group}, {shared.entries}, {stride}, {name},"
        value = f"return {self.expressions.converted(running.value, kind)};"
        before = [line for statement in running.before for line in self.statements.lines(statement)]
        yield from function_lines(f"[&]({counter}) {{", [*before, value], ",")
        body = self.statements.lines(shared.loop.body)
        yield from function_lines(f"[&]({counter}, {self.types.declare(kind, name)}) {{", body, ");")

    def _repeated(self, shared: SharedLoop, how: ByLanes) -> Iterator[str]:
        """Behind the last iteration, what the entries need is that of the last one."""
        if self.points is not None:
            needed = {*shared.own, *(partial.symbol for partial in how.partials)}
            names = [self._whole(symbol) for symbol in self.points.repeated if symbol in needed]
            if names:
                yield f"{self.points.names['mine']}.repeat({', '.join(names)}); // behind the last iteration"

    def _part(self, symbol: t.Symbol) -> str:
        """The parameter for a lane's part of a variable."""
        if self.points is None:
            return self.types.declare(ty.unqualified(symbol.type), f"&{self.expressions.name(symbol)}")
        return f"{each(self.points, self.types, symbol.type)} &{self._whole(symbol)}"

    # ------------------------------------------------------------------- one lane combines in order

    def _in_order(self, shared: SharedLoop, how: InOrder, stride: str) -> Iterator[str]:
        if how.record is not None:
            members = [f"{INDENT}{self.types.declare(term.type, term.name)};" for term in how.terms]
            yield from (f"struct {how.record} {{", *members, "};")
        record = self.types.declare(how.terms[0].type) if how.record is None else how.record
        if shared.side is None:
            yield f"ompc::in_turns<{record}>("
            yield f"{2 * INDENT}{shared.entries}, {stride},"
        else:
            yield f"ompc::with_help<{record}, ompc::Side::{shared.side.value}>("
            yield f"{2 * INDENT}{self.sharing.group}, {shared.entries}, {stride},"
        result = f"{how.record} &{_RECORD}" if how.record is not None else self._term(how, "&")
        own = (self.types.declare(ty.unqualified(s.type), self.expressions.name(s)) for s in shared.own)
        parameters = [*self._parameters(shared), result, *own]
        yield from self._function(how, parameters, self._compute(shared, how), ",")
        taken = f"const {how.record} &{_RECORD}" if how.record is not None else self._term(how, "")
        own_values = [self.expressions.name(symbol) for symbol in shared.own]
        end = "".join(f", {name}" for name in own_values) + ");"
        combine = self.statements.lines(t.Block(shared.loop.statement.loc, how.combine))
        yield from self._function(how, [taken], combine, end, const="const ")

    def _parameters(self, shared: SharedLoop) -> list[str]:
        """Of what any lane executes: how it computes, which entry it is."""
        counters = [
            self.types.declare(ty.unqualified(loop.type), self.expressions.name(loop.var)) for loop in shared.loops
        ]
        fast = self.batches is not None and not self.batches.operations.isdisjoint(walk(shared.computed))
        arithmetic = [f"auto &{self.batches.arithmetic}"] if self.batches is not None and fast else []
        return [*arithmetic, *counters]

    def _term(self, how: InOrder, reference: str) -> str:
        return self.types.declare(how.terms[0].type, f"{reference}{how.terms[0].name}")

    def _function(
        self, how: InOrder, parameters: Sequence[str], body: Sequence[str], end: str, const: str = ""
    ) -> Iterator[str]:
        head = f"{2 * INDENT}[&]({', '.join(parameters)}) {{"
        if how.record is None and len(body) == 1:
            yield f"{head} {body[0]} }}{end}"
            return
        yield head
        if how.record is not None:
            names = ", ".join(str(term.name) for term in how.terms)
            yield f"{3 * INDENT}{const}auto &[{names}] = {_RECORD};"
        yield from (3 * INDENT + line for line in body)
        yield f"{2 * INDENT}}}{end}"

    def _compute(self, shared: SharedLoop, how: InOrder) -> list[str]:
        initial = [f"{term.name} = {term.initial};" for term in how.terms if term.initial is not None]
        body = self.statements.lines(how.compute)
        return initial + (["do {", *(INDENT + line for line in body), "} while (0);"] if shared.leaves else body)


_RECORD = "ompc_terms"
"""The name of a record of terms. No user's name can be the same: identifiers that begin with `ompc_` are the
translation's.
"""
