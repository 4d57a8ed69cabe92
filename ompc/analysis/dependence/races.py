"""Analysis: do two iterations of a parallel loop certainly touch the same element, one of them writing it?

The user's directive says that they do not. Where isl proves the opposite, the program is wrong with several threads and
would be more so on a device: the loop stays on the host, and the user gets two iterations as a counter-example.

    for (i = 1; i < n; i++) a[i] = a[i - 1];     { (i, i') : i != i', i = i' - 1 } holds for every n > 2:
                                                 iterations i = 1 and i = 2 both access a[1]
    for (i = 0; i < n; i++) s += a[i];           iterations i = 0 and i = 1 both access s

Nothing is claimed that a correct program could contradict: the conflict must exist for all values of the variables in
bounds and subscripts for which each parallel loop has two iterations; all that leads to the accesses must be affine;
and a store of the same value by all iterations (`found = 1`) is no conflict, since it hurts nobody.

A schedule may keep iterations in their order: those of a chunk of `schedule(static, 8)` run one after the other in one
thread. What conflicts there alone is no race but the program's right, which a device would break:

    #pragma omp parallel for schedule(static, 8)
    for (i = 0; i < n; i++) sum[i / 8] += x[i];         no race; the loop stays on the host

    In: parallel loops, the Unit.   Out: Conflicts: races, the first for each object, and conflicts in an order.
    Not here: which accesses are certain -- must_execute.py; who shares an object -- team.py; words -- race_text.py.
    Source: OpenMP 5.2, 1.4.1 (data race); Feautrier's exact dependence test, by isl.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement, islice

import islpy as isl

from ompc.analysis.flow.must_execute import Base, Condition, Guard, MustAccess, must_accesses
from ompc.analysis.flow.team import Team, pragmas_around, team_of
from ompc.analysis.integers.constraints import Points
from ompc.analysis.integers.domain_forms import Condition as Form
from ompc.analysis.integers.integer_sets import Piece, Sets, answered
from ompc.analysis.integers.iteration import IterationForms, Values
from ompc.analysis.integers.polynomials import Fixed, Monomial
from ompc.analysis.integers.ranges import range_of_type
from ompc.analysis.memory.access_relation import AccessRelation
from ompc.analysis.memory.effective_types import may_be_same
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, ParallelLoop

_LENGTHS = (2, 33, 1025)
"""The trip counts that loops are assumed to have at least, tried in this order: `a[i] = a[i - 8]` has no conflict in a
loop of two iterations.
"""

MAX_PAIRS = 500
"""The most pairs of accesses that are examined in one loop: more would take longer than the rest of the translation."""


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """Two iterations of a loop that access the same element, at least one of them to write it.

    `first`, `second`  the accesses
    `one`, `other`     their iterations: the value of each parallel loop's variable, as C text
    `element`          the values of the subscripts in `first.path`
    `example`          values of variables for which these are the iterations, when they depend on them
    """

    loop: ParallelLoop
    first: MustAccess
    second: MustAccess
    one: tuple[str, ...]
    other: tuple[str, ...]
    element: tuple[str, ...]
    example: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Of the loops that certainly have some. `ordered`: the first conflict of iterations that the schedule may keep in
    their order, in loops without races.
    """

    races: Mapping[ParallelLoop, tuple[Race, ...]]
    ordered: Mapping[ParallelLoop, Race]


def find_conflicts(unit: t.Unit, loops: Iterable[ParallelLoop]) -> Conflicts:
    """What certainly conflicts. Where a function asks for one thread, nothing is called a race."""
    alone = any(_asks_for_one_thread(function) for function in unit.functions.values())
    around: dict[str, Mapping[t.Stmt, tuple[t.Pragma, ...]]] = {}
    races: dict[ParallelLoop, tuple[Race, ...]] = {}
    ordered: dict[ParallelLoop, Race] = {}
    for loop in loops:
        if loop.loops and loop.body is not None:
            if loop.function not in around:
                around[loop.function] = pragmas_around(unit.functions[loop.function])
            team = team_of(loop, around[loop.function].get(loop.loops[0].statement, ()))
            if team is None or loop.in_order is not None:
                continue  # there is no second thread, or a proof is needed in any case
            if not alone and team.concurrent and (found := _races(loop, team, unit.functions)):
                races[loop] = found
            elif (team.keeps_order or alone or _has_quotients(loop.body)) and (
                found := _races(loop, team, unit.functions, in_order=True)
            ):
                ordered[loop] = found[0]
    return Conflicts(races, ordered)


def _has_quotients(body: t.Stmt) -> bool:
    """Are there blocks of iterations, which any schedule may keep together?"""
    found = (node for node in walk(body) if isinstance(node, t.Binary) and node.op in ("/", "%", ">>", "&"))
    return any(ty.is_integer(node.type) and constant_value(node.right) is not None for node in found)


def _asks_for_one_thread(function: t.Function) -> bool:
    """Does it call omp_set_num_threads(1)? Then it is not known which loops several threads share."""
    return function.body is not None and any(
        isinstance(node, t.Call)
        and isinstance(node.function, t.Name)
        and node.function.symbol.name == "omp_set_num_threads"
        and any(constant_value(argument) == 1 for argument in node.args)
        for node in walk(function.body)
    )


def _races(
    loop: ParallelLoop, team: Team, functions: Mapping[str, t.Function], in_order: bool = False
) -> tuple[Race, ...]:
    assert loop.body is not None
    found = must_accesses(loop.body, functions)
    if found is None or not any(access.writes for access in found):
        return ()
    question = _Question(loop, team, Values.of(loop, team, functions), _bounds(loop), in_order)
    by_base: dict[Base, list[MustAccess]] = {}
    for access in found:
        if question.is_shared(access.base):
            by_base.setdefault(access.base, []).append(access)
    races = (question.first_race(accesses) for accesses in by_base.values())
    return tuple(race for race in races if race is not None)


def _bounds(loop: ParallelLoop) -> frozenset[t.Expr]:
    ends = (end for level in loop.loops for end in (level.lower, level.upper))
    return frozenset(node for end in ends for node in walk(end) if isinstance(node, t.Expr))


@dataclass(frozen=True, slots=True)
class _Question:
    """`bounds`: all expressions in the bounds of the parallel loops. `in_order`: any two iterations count, and loops of
    some length, not those of two iterations already.
    """

    loop: ParallelLoop
    team: Team
    values: Values
    bounds: frozenset[t.Expr]
    in_order: bool = False

    def is_shared(self, base: Base) -> bool:
        """Is it the same object in all iterations of all threads?"""
        symbol = base.symbol
        if base.pointee:
            return symbol in self.values.invariant
        return symbol not in self.values.own and self.team.shares(symbol)

    def first_race(self, accesses: Sequence[MustAccess]) -> Race | None:
        """The first conflict among the accesses to one object."""
        pairs = list(islice(combinations_with_replacement(accesses, 2), MAX_PAIRS))
        pairs.sort(key=lambda pair: not (pair[0].reads or pair[1].reads))  # a value that is used says more
        for first, second in filter(lambda pair: self._is_worth_asking(*pair), pairs):
            race = self._ask(first, second)
            if race is not None:
                return race
        return None

    def _is_worth_asking(self, first: MustAccess, second: MustAccess) -> bool:
        if not (first.writes or second.writes) or _shape(first) != _shape(second):
            return False
        if self._apart(first, second):
            return False
        return not (self._is_harmless(first, second) or self._is_harmless(second, first))

    def _apart(self, first: MustAccess, second: MustAccess) -> bool:
        """Does a subscript that both have name the iteration, so that only one iteration has the element?"""
        same = [
            a.symbol
            for a, b in zip(first.path, second.path, strict=True)
            if isinstance(a, t.Name) and isinstance(b, t.Name) and a.symbol is b.symbol
        ]
        return all(loop.var in same for loop in self.loop.loops)

    def _is_harmless(self, write: MustAccess, other: MustAccess) -> bool:
        """Does `write` store what every iteration stores, and `other` nothing else?"""
        if write.value is None or not self._is_invariant(write.value):
            return False
        if not other.writes:
            return True
        if other.value is None or not self._is_invariant(other.value):
            return False
        values = constant_value(write.value), constant_value(other.value)
        return None in values or values[0] == values[1]

    def _is_invariant(self, value: t.Expr) -> bool:
        for node in walk(value):
            match node:
                case t.Name(symbol=symbol):
                    if not isinstance(symbol.type, ty.Function) and symbol not in self.values.invariant:
                        return False
                case t.Call(function=t.Name(symbol=symbol)) if device_library.is_device_function(symbol.name):
                    pass
                case t.Call() | t.Assign() | t.IncDec():
                    return False
                case _:
                    pass
        return True

    def _keeps(self, lvalue: t.Expr) -> bool:
        """Does the loop write no object of its type (C11 6.5p7)? What its own bounds read must not change while it runs
        (OpenMP 5.2, 4.4.1).
        """
        return lvalue in self.bounds or not any(may_be_same(lvalue, target) for target in self.values.written)

    def _ask(self, first: MustAccess, second: MustAccess) -> Race | None:
        """isl's answer for one pair: the least iterations in conflict."""
        points = Points()
        one, other = self._iteration(points, first, 0), self._iteration(points, second, 1)
        if one is None or other is None:
            return None
        subscripts = [f"a{k}" for k in range(len(one.subscripts))]
        points.add(self._distinct(one.counters, other.counters))
        points.add(*(f"{a} = {b}" for a, b in zip(one.subscripts, other.subscripts, strict=True)))
        points.add(*(f"{name} = {value}" for name, value in zip(subscripts, one.subscripts, strict=True)))
        asked = partial(self._least, points, (first, second), (*one.counters, *other.counters, *subscripts))
        found = answered(asked, None, self.loop.loc)
        if found is None:
            return None
        count = len(one.counters)
        values, example = found
        here, there, element = values[:count], values[count : 2 * count], values[2 * count :]
        if all(text.lstrip("-").isdecimal() for text in here + there) and _numbers(there) < _numbers(here):
            return Race(self.loop, second, first, there, here, element, example)
        return Race(self.loop, first, second, here, there, element, example)

    def _least(
        self, points: Points, accesses: Sequence[MustAccess], dimensions: tuple[str, ...]
    ) -> tuple[tuple[str, ...], Mapping[str, int]] | None:
        """The least point of the conflict, if loops of some length certainly have one."""
        names, sets = points.parameters, Sets()
        needed = [self._needed(names, accesses, trips) for trips in (_LENGTHS if self.in_order else _LENGTHS[:1])]
        conflict = sets.of(names.values(), points.piece(dimensions))
        for condition in needed if not conflict.is_empty() else ():
            if condition is None:
                return None
            enough = sets.of(names.values(), condition)
            if not enough.is_empty() and enough.is_subset(conflict.params()):
                return _example(conflict.intersect_params(enough), names)
        return None

    def _iteration(self, points: Points, access: MustAccess, copy: int) -> _Iteration | None:
        """Add the access in an iteration of its own; None where something is not affine."""
        relation = self._relation(access)
        if relation is None:
            return None
        relation = relation.in_iteration(copy, ())
        entered = all(map(points.has_entered, relation.loops)) and all(map(points.has_held, relation.conditions))
        subscripts = [None if subscript is None else points.text(subscript) for subscript in relation.subscripts]
        if not entered or None in subscripts:
            return None
        counters = [points.counters[bounds.counter] for bounds in relation.loops[: len(self.loop.loops)]]
        return _Iteration(counters, [str(text) for text in subscripts])

    def _relation(self, access: MustAccess) -> AccessRelation | None:
        """None: it is not known in which iterations of its loops it happens."""
        forms = self._forms()
        bounds = [forms.enter(loop) for loop in self.loop.loops]
        conditions: list[Form | None] = []
        for guard in access.guards:
            if isinstance(guard, Condition):
                conditions.append(forms.condition(guard.expr, guard.holds))
            elif guard.var.address_taken:
                return None
            else:  # a shared variable counts as well here: if it had no race, each iteration would see its own values
                bounds.append(forms.enter(guard))
        subscripts = tuple(forms.of(step) for step in access.path if not isinstance(step, str))
        known = tuple(condition for condition in conditions if condition is not None)
        return AccessRelation(tuple(bounds), known, subscripts, forms.wraps) if len(known) == len(conditions) else None

    def _forms(self) -> IterationForms:
        values = self.values
        return IterationForms(values.invariant, values.definitions, keeps=self._keeps, has_quotients=self.in_order)

    def _distinct(self, one: Sequence[str], other: Sequence[str]) -> str:
        """Two iterations that threads may run at the same time."""
        if self.in_order or (self.team.chunk == 1 and not self.team.dealt_in_turn):
            return "(" + " or ".join(f"{a} != {b}" for a, b in zip(one, other, strict=True)) + ")"
        (a,), (b,) = one, other
        loop = self.loop.loops[0]
        first = constant_value(loop.lower)
        if first is None or loop.constant_step is None:
            return "1 = 0"  # which iterations make a chunk is not known
        width = self.team.chunk * loop.constant_step
        chunks = [f"floor(({first} - {c})/{width})" if loop.down else f"floor(({c} - {first})/{width})" for c in (a, b)]
        if not self.team.dealt_in_turn:
            return f"{chunks[0]} != {chunks[1]}"
        # only neighbouring chunks belong to different threads whatever the number of threads is
        return f"({chunks[0]} = {chunks[1]} + 1 or {chunks[1]} = {chunks[0]} + 1)"

    def _needed(self, names: dict[Monomial, str], accesses: Sequence[MustAccess], trips: int) -> Piece | None:
        """What parameters must be for a conflict to be due: loops with `turns` iterations, `if` clauses that hold."""
        loops = list(self.loop.loops)
        for access in accesses:
            loops += [guard for guard in access.guards if isinstance(guard, CanonicalLoop) and guard not in loops]
        outside, forms = Points(parameters=names), self._forms()
        if not all(outside.has_held(forms.condition(condition)) for condition in self.team.conditions):
            return None
        trips += any(_depends(guard, self.loop) for access in accesses for guard in access.guards)
        outside.add(*filter(None, (_trips(outside, forms, loop, trips) for loop in loops)))
        symbols = ((factors[0], name) for factors, name in names.items() if len(factors) == 1)
        unsigned = (n for s, n in symbols if isinstance(s, t.Symbol) and range_of_type(s.type)[0] == 0)
        return outside.piece(None, *(f"{name} >= 0" for name in unsigned))


@dataclass(frozen=True, slots=True)
class _Iteration:
    counters: list[str]
    subscripts: list[str]


def _shape(access: MustAccess) -> tuple[str | None, ...]:
    return tuple(step if isinstance(step, str) else None for step in access.path)


def _depends(guard: Guard, loop: ParallelLoop) -> bool:
    """Is the guard another one in each iteration? Then the first iterations may be without the access."""
    parts = (guard.expr,) if isinstance(guard, Condition) else (guard.lower, guard.upper)
    names = {node.symbol for part in parts for node in walk(part) if isinstance(node, t.Name)}
    return not names.isdisjoint({level.var for level in loop.loops})


def _trips(outside: Points, forms: IterationForms, loop: CanonicalLoop, count: int) -> str | None:
    """The loop has at least `count` iterations; None where its bounds depend on other loops' variables."""
    ends = [forms.of(loop.lower), forms.of(loop.upper)]
    lower, upper = (None if end is None else outside.text(end) for end in ends)
    if lower is None or upper is None or loop.constant_step is None:
        return None
    relation = loop.relation if loop.relation != "!=" else (">" if loop.down else "<")
    return f"{lower} {'-' if loop.down else '+'} {(count - 1) * loop.constant_step} {relation} {upper}"


def _example(conflict: isl.Set, parameters: Mapping[Monomial, str]) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """The least point of the set as C text over the user's variables, or numbers for an example of their values."""
    least = conflict.lexmin()
    ends = [least.dim_min(k) for k in range(least.dim(isl.dim_type.set))]
    names = {name: _c_text(factors) for factors, name in parameters.items()}
    if all(end.n_piece() == 1 for end in ends):
        build = isl.AstBuild.from_context(least.params())
        texts = [build.expr_from_pw_aff(end).to_C_str() for end in ends]
        if not any(sign in text for text in texts for sign in ("?", "/", "%", "floord")):
            return tuple(_spelled(text, names) for text in texts), {}
    point = least.sample_point()
    numbers = tuple(_number(point, isl.dim_type.set, k) for k in range(least.dim(isl.dim_type.set)))
    positions = range(least.dim(isl.dim_type.param))
    named = {least.get_dim_name(isl.dim_type.param, k): _number(point, isl.dim_type.param, k) for k in positions}
    return tuple(map(str, numbers)), {names[name]: value for name, value in named.items() if name in names}


def _c_text(factors: Monomial) -> str:
    """A parameter as the user's text."""
    texts = [factor.text if isinstance(factor, Fixed) else getattr(factor, "name", "") for factor in factors]
    return texts[0] if isinstance(factors[0], t.Symbol) and len(factors) == 1 else f"({' * '.join(texts)})"


def _numbers(texts: Sequence[str]) -> list[int]:
    return [int(text) for text in texts]


def _number(point: isl.Point, kind: isl.dim_type, k: int) -> int:
    return int(point.get_coordinate_val(kind, k).to_python())


def _spelled(text: str, names: Mapping[str, str]) -> str:
    """isl's C text with the user's names, without needless parentheses."""
    spelled = re.sub(r"p\d+", lambda found: names.get(found.group(), found.group()), text)
    bare = spelled[1:-1]
    return bare if spelled.startswith("(") and spelled.endswith(")") and not {"(", ")"} & set(bare) else spelled
