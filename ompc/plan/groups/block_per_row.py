"""Plan: block per row: a second form of a kernel whose lanes share rows, in which all lanes of a block may divide one.

    #pragma omp parallel for
    for (i = 0; i < n; i++) {
        int first = row[i];
        for (k = first; k < row[i + 1]; k++)           the launcher reads row[i] and row[i + 1] where the host has them
            sum += val[k] * x[col[k]];
    }

It is for few rows, and for rows of which one takes longer than many others (ompc_block_per_row.h). To know that, the
host evaluates the bounds as the kernel does, for each iteration: so nothing may stand in them but numbers, what the
launcher is given, and elements that every iteration reads, of arrays that the kernel leaves as they are.

The schedule:

    axis x: i ..., together              axis x: i ..., together
        together, k: lanes ...               together, k: lanes ..., or all threads of the block

    In: Schedule, Nest.   Out: Schedule, of which the kernel has both forms.
    Not here: which form a launch takes -- ompc_block_per_row.h.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ompc.analysis.facts import Facts
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.groups.lanes import by_groups
from ompc.plan.model.lane_results import ByLanes
from ompc.plan.model.lane_steps import READS, BlockForm, LaneSharing, RowLengths, Scope, SharedLoop
from ompc.plan.model.names import Local
from ompc.plan.model.schedule import Refused, Schedule
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest

_OPERATORS, _BY_CONSTANTS = {"+", "-", "*"}, {"/", "%", "&"}


def with_block_rows(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """With a second form where lanes are for what rows read."""
    sharing = schedule.lanes
    if sharing is None or sharing.distribution.purpose not in READS:
        return Refused()
    seen = _Seen(nest.facts, nest.variables, nest.kernel.mapping.loops[0].var)
    form = BlockForm(Local("by_block"), _lengths(sharing, seen))
    because = f"{sharing.because}; those of a block where rows are few"
    if form.lengths is not None:
        because += ", or one is very long"
    return by_groups(schedule, replace(sharing, by_block=form, because=because))


def _lengths(sharing: LaneSharing, seen: _Seen) -> RowLengths | None:
    """How the launcher counts rows: those of a loop in which others help; None where it cannot."""
    for shared in _in_every_iteration(sharing.body):
        if isinstance(shared.how, ByLanes) and shared.how.of_row is not None:
            definitions = seen.definitions(shared.loop)
            if definitions is not None and (arrays := seen.arrays(shared.loop, definitions)):
                return RowLengths(Local("rows"), shared.loop, definitions, arrays)
    return None


def _in_every_iteration(scope: Scope) -> Iterator[SharedLoop]:
    for step in scope.steps:
        if isinstance(step, SharedLoop):
            yield step
        elif isinstance(step, Scope):
            yield from _in_every_iteration(step)


class _Seen:
    """What the launcher can evaluate; `x` is the parallel loop's variable."""

    def __init__(self, facts: Facts, variables: Sequence[Variable], x: t.Symbol) -> None:
        self._facts, self._x = facts, x
        self._values = {v.symbol for v in variables if v.role is Role.VALUE}
        self._arrays = {
            v.symbol
            for v in variables
            if v.role is Role.ARRAY and v.placement is not Placement.CONSTANT and not v.writes
        }

    def definitions(self, loop: CanonicalLoop) -> tuple[t.VarDecl, ...] | None:
        """The variables of the iteration that the bounds name, each after those that it names itself; None: there is
        something that the launcher does not know.
        """
        found: dict[t.Symbol, t.VarDecl] = {}
        if loop.step is not None and not self._is_known(loop.step, found):
            return None
        if not all(self._is_known(bound, found) for bound in (loop.lower, loop.upper)):
            return None
        return tuple(found.values())

    def arrays(self, loop: CanonicalLoop, definitions: Sequence[t.VarDecl]) -> tuple[t.Symbol, ...]:
        exprs = [loop.lower, loop.upper, *(decl.init for decl in definitions if decl.init is not None)]
        names = (node.symbol for expr in exprs for node in walk(expr) if isinstance(node, t.Name))
        return tuple(dict.fromkeys(symbol for symbol in names if symbol in self._arrays))

    def _is_known(self, expr: t.Expr, found: dict[t.Symbol, t.VarDecl], inside: Collection[t.Symbol] = ()) -> bool:
        """`found` gets the variables that stand for something known; `inside` are those whose values these are."""
        if not isinstance(ty.unqualified(expr.type), (ty.Int, ty.Enum)):
            return False
        match expr:
            case t.IntConst():
                return True
            case t.Name(symbol=symbol):
                return symbol is self._x or symbol in self._values or self._is_definition(expr, symbol, found, inside)
            case t.Binary(op=op, left=left, right=right) if op in _OPERATORS:
                return self._is_known(left, found, inside) and self._is_known(right, found, inside)
            case t.Binary(op=op, left=left, right=t.IntConst(value=value)) if op in _BY_CONSTANTS and value > 0:
                return self._is_known(left, found, inside)
            case t.Cast(operand=operand):
                return self._is_known(operand, found, inside)
            case t.Index(base=t.Name(symbol=symbol), index=index) if symbol in self._arrays:
                return self._is_known(index, found, inside)
            case _:
                return False

    def _is_definition(
        self, expr: t.Expr, symbol: t.Symbol, found: dict[t.Symbol, t.VarDecl], inside: Collection[t.Symbol]
    ) -> bool:
        if symbol in found:
            return True
        definition, around = self._facts.known.definitions.get(symbol), self._facts.loop.loops
        if definition is None or symbol in inside or not definition.loops.issubset(loop.statement for loop in around):
            return False
        if not self._is_known(definition.init, found, (*inside, symbol)):
            return False
        found[symbol] = t.VarDecl(symbol, definition.init, expr.loc)
        return True
