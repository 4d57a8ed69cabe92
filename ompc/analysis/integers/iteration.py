"""Analysis: what is known of the integers in one iteration of a parallel loop, whatever thread runs it.

invariant     the same number in all iterations of all threads: shared variables that the loop does not change
definitions   a variable of the iteration's own that keeps the value of its initialiser: `int k = i + 1;`
a number      what is invariant (invariance.py), though not affine, such as n / 2: a parameter of its own; so is what
              memory holds, if the loop `keeps` it

In: a ParallelLoop, its Team.   Out: Values, and IterationNest: affine forms of expressions and of conditions.
Not here: which accesses there are -- must_execute.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ompc.analysis.flow.team import Team
from ompc.analysis.integers.affine import Nest
from ompc.analysis.integers.definitions import declared_definitions
from ompc.analysis.integers.invariance import Invariance, nothing
from ompc.analysis.integers.polynomials import Definition
from ompc.analysis.integers.ranges import range_of
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import declared_in, place_of, reached, symbols_in, targets_written
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.model import ParallelLoop, Sharing

_OF_FEW_VALUES = frozenset(("!", "%", "&&", "||", "<", "<=", ">", ">=", "==", "!="))
"""Operators whose results are few, though their operands may be many."""
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "="}


@dataclass(frozen=True, slots=True)
class Values:
    """What is known of the variables of a loop's code.

    `invariant`    the same in all iterations of all threads
    `definitions`  variables of an iteration's own that keep the value of their initialiser
    `own`          all variables of an iteration's own
    `written`      what the code writes in memory
    """

    invariant: frozenset[t.Symbol]
    definitions: Mapping[t.Symbol, t.Expr]
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
        lasting = {s: d.init for s, d in kept.items() if s not in changed and _keeps_meaning(d, changed)}
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
class IterationNest(Nest):
    """A nest in which a variable that keeps the value of its initialiser stands for it."""

    definitions: Mapping[t.Symbol, t.Expr] = field(default_factory=dict)
    opaque: dict[str, str] = field(default_factory=dict)
    keeps: Callable[[t.Expr], bool] = nothing
    has_quotients: bool = False

    def affine(self, node: t.Expr) -> str | None:
        if isinstance(node, t.Name) and isinstance(node.symbol.type, ty.Int) and node.symbol not in self.counters:
            init = self.definitions.get(node.symbol)
            if init is not None:
                return self.affine(t.Cast(ty.unqualified(node.symbol.type), node.loc, init))
        found = Nest.affine(self, node)
        if found is None:
            found = self._by_constant(node)
        invariance = Invariance(self.invariant.__contains__, self.keeps)
        few = _OF_FEW_VALUES if not self.has_quotients else frozenset[str]()  # whose order shows stays on the host
        if found is None and ty.is_integer(node.type) and _may_be_any(node, few) and invariance.holds(node):
            return self.opaque.setdefault(c_expr(node), f"q{len(self.opaque)}")
        return found

    def _by_constant(self, node: t.Expr) -> str | None:
        """A quotient or remainder of what is not negative: blocks of iterations, as in `sum[i / 8]`, `i % 4 != 0`."""
        match node:
            case t.Binary(op="/" | "%" | ">>" | "&" as op, left=left, right=right) if self.has_quotients:
                by, inner = constant_value(right), self.affine(left)
                if by is None or inner is None or not ty.is_integer(node.type) or range_of(left, self.ranges)[0] < 0:
                    return None
                if op == "&" and (block := _rounded_down_to(by, node.type)) is not None:
                    return f"({inner} - (({inner}) mod {block}))"
                if by <= 0:
                    return None
                if op == "&":
                    return f"(({inner}) mod {by + 1})" if by & (by + 1) == 0 else None
                by = 1 << by if op == ">>" and by < 32 else by
                return f"(({inner}) mod {by})" if op == "%" else f"floor(({inner})/{by})"
            case _:
                return None

    @property
    def all_parameters(self) -> tuple[str, ...]:
        return *self.parameters.values(), *self.opaque.values()

    def outside(self) -> IterationNest:
        """The same parameters outside of all loops."""
        return IterationNest(
            self.invariant,
            {},
            self.parameters,
            opaque=self.opaque,
            keeps=self.keeps,
            has_quotients=self.has_quotients,
        )

    def condition(self, node: t.Expr, holds: bool) -> str | None:
        """A comparison of affine expressions, or several, as isl text."""
        match node:
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                parts = [self.condition(left, holds), self.condition(right, holds)]
                joint = " and " if (op == "&&") == holds else " or "
                return None if None in parts else f"({joint.join(map(str, parts))})"
            case t.Unary(op="!", operand=operand):
                return self.condition(operand, not holds)
            case t.Binary(op=op, left=left, right=right) if op in _NEGATED and _compares_numbers(left, right):
                a, b = self.affine(left), self.affine(right)
                relation = (op if op != "==" else "=") if holds else _NEGATED[op]
                return None if a is None or b is None else f"{a} {relation} {b}"
            case _:
                value = self.affine(node) if ty.is_integer(node.type) else None
                return None if value is None else f"{value} {'!=' if holds else '='} 0"


def _rounded_down_to(mask: int, kind: ty.Type) -> int | None:
    """What `i & mask` is a multiple of, where the mask only leaves the last bits out: 32 of `~31`."""
    size = ty.size_of(kind)
    block = -mask if mask < 0 or size is None else (1 << 8 * size) - mask
    return block if block & (block - 1) == 0 and 0 < block < 1 << 31 else None


def _compares_numbers(left: t.Expr, right: t.Expr) -> bool:
    """Are both sides integers whose values the comparison does not convert to others?"""
    kinds = (left.type, right.type)
    if not all(isinstance(kind, (ty.Int, ty.Enum)) for kind in kinds):
        return False
    signed = [kind.signed or kind.size < ty.INT.size for kind in kinds if isinstance(kind, ty.Int)]
    constants = [constant_value(side) for side in (left, right)]
    return all(signed) or not any(signed) or any(value is not None and value >= 0 for value in constants)
