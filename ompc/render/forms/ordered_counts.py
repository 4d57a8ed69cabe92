"""A shared loop whose entries count and see it.

    ompc::with_ordered_counts<48>(
            group, k_entries, 1,
            ompc::Counts<int>{1, false, true, false}, count[r],
            [&](int k) -> int * {
                if (!(wanted[k]))
                    return nullptr;
                return &count[r][key[k]];
            },
            [&](int k, int counted) {
                if (wanted[k])
                    rank[r][k] = counted;
            });

In: OrderedCount, the printers of the kernel.   Out: lines of it.
Not here: what stands in front of the loop and behind it -- lanes.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.lane_results import ByLanes, OrderedCount, Reached
from ompc.plan.model.names import Name
from ompc.plan.model.schedule import Schedule
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.statements import INDENT, StatementPrinter
from ompc.render.code.types import TypePrinter
from ompc.render.forms.lane_text import braced, function_lines


def counted_values(schedule: Schedule) -> dict[t.Expr, Name]:
    """What stands for a counter's change in the entries of a loop that see it."""
    loops = () if schedule.lanes is None else schedule.lanes.body.loops()
    counts = (loop.how.counted for loop in loops if isinstance(loop.how, ByLanes))
    return {counted.update: counted.value for counted in counts if counted is not None}


@dataclass(frozen=True, slots=True)
class OrderedCountPrinter:
    types: TypePrinter
    expressions: ExpressionPrinter
    statements: StatementPrinter
    counted: OrderedCount

    def lines(self, head: str, entry: str, body: t.Stmt, own: Name) -> Iterator[str]:
        """Where the counter of an `entry` is, and the entry, which has what it sees of it. `own`: is it the calling
        thread's?
        """
        counted, text = self.counted, self.expressions.text
        kind = ty.unqualified(counted.counter.type)
        of, pointer = self.types.declare(kind), self.types.declare(ty.Pointer(kind))
        row = f"static_cast<{pointer}>(nullptr)" if counted.row is None else text(counted.row)
        seen = "true" if counted.seen is None else self._truth(counted.seen)
        one_by_one = "false" if counted.in_order is None else f"{own} && {self.expressions.name(counted.in_order)} != 0"
        step = str(counted.step) if kind in (ty.INT, ty.LONG) else f"({of}){counted.step}"
        counts = f"{step}, {'true' if counted.after else 'false'}, {seen}, {one_by_one}"
        yield f"ompc::with_ordered_counts<{counted.length}>("
        yield f"{2 * INDENT}{head}"
        yield f"{2 * INDENT}ompc::Counts<{of}>{{{counts}}}, {row},"
        place = self._way(counted.way, f"return {self.expressions.address(counted.counter)};")
        yield from function_lines(f"[&]({entry}) -> {pointer} {{", place, ",")
        value = self.types.declare(kind, str(counted.value))
        yield from function_lines(f"[&]({entry}, {value}) {{", self.statements.lines(body), ");")

    def _truth(self, condition: t.Expr) -> str:
        """A `bool`, which braces do not make of an integer."""
        text = self.expressions.text(condition)
        match condition:
            case t.Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") | t.Unary(op="!"):
                return text
            case _:
                return f"({text}) != 0"

    def _way(self, way: Sequence[Reached], end: str, hides: bool = False) -> list[str]:
        """What an entry does in front of its counter. `hides`: names of what stands before may be declared again."""
        if not way:
            return [end]
        step, declares = way[0], any(isinstance(each, t.DeclStmt) for each in way[0].before)
        lines = [line for each in step.before for line in self.statements.lines(each)]
        if step.condition is not None:
            condition = self.expressions.text(step.condition)
            lines = [f"if ({f'!({condition})' if step.wanted else condition})", f"{INDENT}return nullptr;"]
        lines += self._way(way[1:], end, hides or declares)
        return list(braced("", lines)) if hides and declares else lines
