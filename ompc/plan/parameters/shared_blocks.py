"""Plan: do two pointers of a loop lead into one block, so that its kernel must not rely on their being apart?

    double *work = malloc(2 * n * sizeof *work), *p = work, *q = work + n;
    #pragma omp parallel for
    for (i...) q[i] = p[at[i]];           how far `p` is accessed is not known: for the launcher, up to the block's end

A kernel is made on the promise that arrays do not overlap, and its launcher compares them by what is accessed. Where
that is not known of one of them, it is all of the block around the pointer, in which the other one lies: each launch
would be refused. Such a kernel is made without the promise: a thread does an iteration as the text has it.

Of each pointer variable, backwards and flow-insensitive: the calls and declared arrays that its values come from, and
whether they have been moved on the way. Two pointers that come from one call or array lead into one block if only one
of them has been moved, or neither can come from anywhere else. (Two buffers that change places have the same origins.)
A wrong answer costs speed, or a launch that is refused; the kernel is right in any case.

    In: the unit, Facts of a loop.   Out: yes or no.   Not here: pointers in memory; what the launcher compares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import same
from ompc.analysis.memory.lmad import MOST_PARTS
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.base.optimisations import WITHOUT
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import pointer_and_number
from ompc.ir.constants import constant_value
from ompc.ir.conversions import uncast
from ompc.ir.queries import variables_given
from ompc.ir.walk import walk

OF_HOST = frozenset({"own-pages", "mapped-data", "constant-memory"})
RELY_ON_PROMISE = frozenset(WITHOUT) - OF_HOST
"""The optimisations that are left out where arrays may overlap: they change the order of accesses, or what is copied.
"""

_Origin = t.Call | t.Symbol
_Origins = dict[_Origin, bool]
"""Where a pointer's values come from, each with whether the pointer has been moved since."""


class SharedBlocks:
    """The questions about the loops of one unit."""

    def __init__(self, unit: t.Unit) -> None:
        self._unit = unit

    def are_used_by(self, facts: Facts) -> bool:
        """Do two of the loop's arrays, one of them written, share a block of which one may use any part?"""
        if any(obj.stored for obj in facts.shared_objects):
            return False
        arrays = [obj for obj in facts.shared_objects if _is_array(obj)]
        pairs = [(a, b) for a, b in combinations(arrays, 2) if a in facts.written or b in facts.written]
        pairs = [(a, b) for a, b in pairs if a.pointee or b.pointee]
        return any(self._share(a, b) and (_reaches_far(facts, a) or _reaches_far(facts, b)) for a, b in pairs)

    def are_one_in_a_call(self, a: t.Symbol, b: t.Symbol) -> bool:
        """Does a call give both pointers the same value, by one expression that stands for two arguments? Also such as
        are made of two parameters in the same way: `v->data + k` and `w->data + k`.
        """
        return self._meet(a, b, set())

    def _meet(self, a: t.Symbol, b: t.Symbol, seen: set[tuple[t.Symbol, t.Symbol]]) -> bool:
        if a is b:
            return True
        if (a, b) in seen:
            return False
        seen.add((a, b))
        if a in self._places and b in self._places and self._places[a][0] is self._places[b][0]:
            function, first = self._places[a]
            second = self._places[b][1]
            calls = (args for args in self._calls[function] if max(first, second) < len(args))
            return any(self._is_one_value(args[first], args[second], seen) for args in calls)
        steps = [(name, b) for value in self._values[a] for name in _unmoved(value)] if a not in self._places else []
        steps += [(a, name) for value in self._values[b] for name in _unmoved(value)] if b not in self._places else []
        if any(self._meet(*step, seen) for step in steps):
            return True
        made = self._values[a] if a not in self._places and b not in self._places else []
        pairs = ((value, other) for value in made for other in self._values[b])
        return any(not same(*pair) and self._are_made_alike(*pair, seen) for pair in pairs)

    def _are_made_alike(self, a: t.Expr, b: t.Expr, seen: set[tuple[t.Symbol, t.Symbol]]) -> bool:
        """Are they the same but for variables that are one in a call?"""
        a, b = uncast(a), uncast(b)
        if same(a, b):
            return True
        match a, b:
            case t.Name(symbol=x), t.Name(symbol=y):
                return self._meet(x, y, seen)
            case t.Member(member=x, base=first), t.Member(member=y, base=second) if x is y:
                return self._are_made_alike(first, second, seen)
            case t.Unary(op="*", operand=first), t.Unary(op="*", operand=second):
                return self._are_made_alike(first, second, seen)
            case t.Index(base=x, index=i), t.Index(base=y, index=j):
                return self._are_made_alike(x, y, seen) and self._are_made_alike(i, j, seen)
            case t.Binary(op="+" | "-", left=x, right=i), t.Binary(left=y, right=j) if a.op == b.op:
                return self._are_made_alike(x, y, seen) and self._are_made_alike(i, j, seen)
            case _:
                return False

    def _is_one_value(self, a: t.Expr, b: t.Expr, seen: set[tuple[t.Symbol, t.Symbol]]) -> bool:
        if same(uncast(a), uncast(b)):
            return True
        return any(self._meet(x, y, seen) for x in _unmoved(a) for y in _unmoved(b))

    @cached_property
    def _places(self) -> dict[t.Symbol, tuple[t.Symbol, int]]:
        """The function of each parameter, and which one it is."""
        functions = self._unit.functions.values()
        return {symbol: (function.symbol, k) for function in functions for k, symbol in enumerate(function.params)}

    @cached_property
    def _calls(self) -> dict[t.Symbol, list[tuple[t.Expr, ...]]]:
        """The arguments of the unit's calls, by function."""
        found: dict[t.Symbol, list[tuple[t.Expr, ...]]] = defaultdict(list)
        for function in self._unit.functions.values():
            for node in walk(function.body) if function.body is not None else ():
                if isinstance(node, t.Call) and isinstance(node.function, t.Name):
                    found[node.function.symbol].append(node.args)
        return found

    def _share(self, a: MemoryObject, b: MemoryObject) -> bool:
        ours, theirs = self._origins(a), self._origins(b)
        common = [each for each in ours if each in theirs]
        alone = len(ours) == len(theirs) == 1
        return any(alone or ours[each] != theirs[each] for each in common)

    def _origins(self, obj: MemoryObject) -> _Origins:
        if not obj.pointee:
            return {obj.symbol: False}
        found: _Origins = {}
        seen: dict[tuple[t.Symbol, bool], None] = {(obj.symbol, False): None}
        pending = [(obj.symbol, False)]
        while pending:
            symbol, moved = pending.pop()
            for value in self._values[symbol]:
                for origin, more in _steps(value):
                    step = (origin, moved or more)
                    if isinstance(origin, t.Call) or not isinstance(origin.type, ty.Pointer):
                        found[origin] = found.get(origin, False) or step[1]
                    elif (origin, step[1]) not in seen:
                        seen[origin, step[1]] = None
                        pending.append((origin, step[1]))
        return found

    @cached_property
    def _values(self) -> dict[t.Symbol, list[t.Expr]]:
        """What is assigned to each pointer variable, and given to each parameter."""
        found: dict[t.Symbol, list[t.Expr]] = defaultdict(list)
        functions = {function.symbol: function for function in self._unit.functions.values()}
        bodies = [function.body for function in self._unit.functions.values() if function.body is not None]
        codes: list[t.Stmt | t.VarDecl] = [*self._unit.variables, *bodies]
        for node in (node for code in codes for node in walk(code)):
            for symbol, value in variables_given(node, functions):
                found[symbol].append(value)
        return found


def _unmoved(value: t.Expr) -> Iterator[t.Symbol]:
    """The variables of which the pointer may be the value."""
    return (origin for origin, moved in _steps(value) if isinstance(origin, t.Symbol) and not moved)


def _is_array(obj: MemoryObject) -> bool:
    return obj.path == (PLAIN,) if obj.pointee else isinstance(obj.symbol.type, ty.Array)


def _reaches_far(facts: Facts, obj: MemoryObject) -> bool:
    """May all of the block around the pointer be accessed, for all that the launcher knows?"""
    if not obj.pointee or facts.footprints.section(obj) is not None or facts.is_single_object(obj):
        return False
    found = facts.bounding_sections.of(obj)
    return found is None or len(found.lmads) > MOST_PARTS


def _steps(value: t.Expr) -> Iterator[tuple[_Origin, bool]]:
    """One step back from a pointer's value: a variable, a call or an array, and whether the value has moved from it."""
    match value:
        case t.Name(symbol=symbol):
            yield symbol, False
        case t.Call():
            yield value, False
        case t.Cast(operand=operand) | t.Comma(right=operand) | t.Assign(op="=", value=operand):
            yield from _steps(operand)
        case t.Conditional(then=then, other=other):
            yield from _steps(then)
            yield from _steps(other)
        case t.Binary(op="+" | "-"):
            base, index = pointer_and_number(value)
            yield from _moved(base, constant_value(index) != 0)
        case t.Unary(op="&", operand=t.Index(base=base, index=index)):
            yield from _moved(base, constant_value(index) != 0)
        case t.Index(base=base) if isinstance(value.type, ty.Array):
            yield from _moved(base, True)
        case t.Member(base=base, arrow=False) if isinstance(value.type, ty.Array):
            yield from _moved(base, True)
        case _:
            pass


def _moved(base: t.Expr, moves: bool) -> Iterator[tuple[_Origin, bool]]:
    yield from ((origin, moved or moves) for origin, moved in _steps(base))
