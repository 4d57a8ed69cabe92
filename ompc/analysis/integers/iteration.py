"""Analysis: what is known of the integers in one iteration of a parallel loop, whatever thread runs it.

invariant     the same number in all iterations of all threads: shared variables that the loop does not change
definitions   a variable of the iteration's own that keeps the value of its initialiser: `int k = i + 1;`
a number      what is invariant (invariance.py), though no polynomial, such as n / 2: a parameter of its own; so is what
              memory holds, if the loop `keeps` it

In: a ParallelLoop, its Team.   Out: Values, and IterationForms: polynomials of expressions, and conditions.
Not here: which accesses there are -- must_execute.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ompc.analysis.flow.team import Team
from ompc.analysis.integers.definitions import declared_definitions
from ompc.analysis.integers.domain_forms import DomainForms
from ompc.analysis.integers.invariance import Invariance, nothing
from ompc.analysis.integers.polynomials import Definition, Polynomial
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.queries import declared_in, place_of, reached, symbols_in, targets_written
from ompc.ir.walk import walk
from ompc.omp.model import ParallelLoop, Sharing

_OF_FEW_VALUES = frozenset(("!", "%", "&&", "||", "<", "<=", ">", ">=", "==", "!="))
"""Operators whose results are few, though their operands may be many."""


@dataclass(frozen=True, slots=True)
class Values:
    """What is known of the variables of a loop's code.

    `invariant`    the same in all iterations of all threads
    `definitions`  variables of an iteration's own that keep the value of their initialiser
    `own`          all variables of an iteration's own
    `written`      what the code writes in memory
    """

    invariant: frozenset[t.Symbol]
    definitions: Mapping[t.Symbol, Definition]
    own: frozenset[t.Symbol]
    written: tuple[t.Expr, ...] = ()

    @staticmethod
    def of(loop: ParallelLoop, team: Team, functions: Mapping[str, t.Function]) -> Values:
        assert loop.body is not None
        statement = loop.loops[0].statement
        codes = (statement, *reached(loop.body, functions)[1:])
        targets = [target for code in codes for target in targets_written(code)]
        places = (place_of(target) for target in targets)
        changed = {place.symbol for place in places if place is not None}
        named = symbols_in(statement)
        inside = declared_in(statement)
        stable = {s for s in named - changed - inside if not s.address_taken}
        uniform = {s for s in stable if team.shares(s) or _is_same_copy(loop, team, s)}
        kept = declared_definitions(loop.body, frozenset(level.statement for level in loop.loops))
        lasting = {s: d for s, d in kept.items() if s not in changed and _keeps_meaning(d, changed)}
        private = (s for s, sharing in loop.sharing.items() if sharing is not Sharing.SHARED)
        statics = {s for s in inside if s.storage is t.Storage.LOCAL_STATIC}
        return Values(
            frozenset(uniform),
            lasting,
            frozenset({*inside, *private} - statics),
            tuple(filter(_is_in_memory, targets)),
        )


def _keeps_meaning(definition: Definition, changed: Collection[t.Symbol]) -> bool:
    """Is the initialiser's value the same where the variable is read? Not in `int x = q;` between two loops over q."""
    steps = (loop.step for loop in definition.loops if loop.step is not None)
    counters = {place.symbol for step in steps for place in map(place_of, targets_written(step)) if place is not None}
    named = {node.symbol for node in walk(definition.init) if isinstance(node, t.Name)}
    return named.isdisjoint(set(changed) - counters)


def _is_same_copy(loop: ParallelLoop, team: Team, symbol: t.Symbol) -> bool:
    """Is it a copy that each thread of the loop's own team gets of one value?"""
    return loop.pragma is team.region and loop.sharing.get(symbol) is Sharing.FIRSTPRIVATE


def _is_in_memory(target: t.Expr) -> bool:
    """May a pointer lead to it?"""
    return not isinstance(target, t.Name) or target.symbol.address_taken


def _may_be_any(node: t.Expr, few: Collection[str]) -> bool:
    """Can the number have any value? `n > 1 ? 1 : n`, `n % 2` and `!n` are small whatever n is: a loop up to them may
    never have the iterations that would meet. `few`: operators whose results are few.
    """
    for part in walk(node):
        match part:
            case t.Conditional():
                return False
            case t.Binary(op=op) | t.Unary(op=op) if op in few:
                return False
            case _:
                pass
    return True


@dataclass(slots=True)
class IterationForms(DomainForms):
    """Forms in which what a loop `keeps` in memory is a number, too; `has_quotients`: so are divided counters."""

    keeps: Callable[[t.Expr], bool] = nothing
    has_quotients: bool = False

    def _quotient(self, node: t.Expr) -> Polynomial | None:
        """As in `sum[i / 8]`; one that does not turn is some number."""
        divides = self.has_quotients and not self._is_some_number(node)
        return DomainForms._quotient(self, node) if divides else None

    def _is_some_number(self, node: t.Expr) -> bool:
        few = _OF_FEW_VALUES if not self.has_quotients else frozenset[str]()  # whose order shows stays on the host
        return _may_be_any(node, few) and Invariance(self.invariant.__contains__, self.keeps).holds(node)
