"""Analysis: the concurrent context of code: which integers other threads leave alone meanwhile (interference).

Other threads may run other parts of the code around it at the same time, and it may call functions:

    #pragma omp parallel            n keeps its value in all of the region, m does not: another thread may be further
    {                               and change it
        for (i = 0; i < n; i++) t[i] = m;
        #pragma omp single
        m = 3;
    }

    In: the code, the code around it, the functions of the unit.   Out: Around.steady,
    Around.is_interference_free_element.
    Not here: values that are known although they change -- upward_exposed.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ompc.analysis.eligibility.library_effects import leaves_program_alone
from ompc.analysis.privatisation.settled import NOTHING, Settled
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import object_of
from ompc.ir.constants import constant_value
from ompc.ir.queries import (
    changed_in,
    declared_in,
    names_in,
    only_reads,
    reached,
    symbols_in,
    target_of,
)
from ompc.ir.walk import Node, walk
from ompc.omp.constructs import counts, may_run_beside


class Bodies:
    """What pieces of code name and change, with the functions that they call; each is looked at once."""

    def __init__(self, functions: Mapping[str, t.Function]) -> None:
        self.functions = functions
        self._changed: dict[Node, frozenset[t.Symbol]] = {}
        self._named: dict[Node, frozenset[t.Symbol]] = {}

    def changed(self, code: Node) -> frozenset[t.Symbol]:
        """The variables and arrays of which a part is changed by their names, and those declared."""
        if code not in self._changed:
            found = (changed_in(body) | declared_in(body) for body in self._of(code))
            self._changed[code] = frozenset[t.Symbol]().union(*found)
        return self._changed[code]

    def named(self, code: Node) -> frozenset[t.Symbol]:
        if code not in self._named:
            self._named[code] = frozenset[t.Symbol]().union(*map(symbols_in, self._of(code)))
        return self._named[code]

    def _of(self, code: Node) -> tuple[Node, ...]:
        return (code,) if isinstance(code, t.Expr) and only_reads(code) else reached(code, self.functions)


@dataclass(frozen=True, slots=True, eq=False)
class ConcurrentContext:
    """What may happen around a piece of code.

    `own`          variables that only the thread itself changes
    `changed`      variables and arrays that any code around changes by their names
    `by_pointers`  integers are changed through pointers
    `unseen`       functions are called that are not seen, or sections excluded in which other code may change anything
    `settled`      what keeps its value all the same, since the program only reads it from here on
    """

    bodies: Bodies
    own: frozenset[t.Symbol]
    changed: frozenset[t.Symbol]
    by_pointers: bool
    unseen: bool
    settled: Settled = NOTHING

    @staticmethod
    def of(code: t.Stmt, bodies: Bodies, own: Iterable[t.Symbol], settled: Settled = NOTHING) -> ConcurrentContext:
        """`own`: of the variables declared outside of `code`, those of which each thread has one."""
        functions = bodies.functions
        found = reached(code, functions)
        regions = [node for body in found for node in walk(body) if isinstance(node, t.Pragma) and may_run_beside(node)]
        of_teams = {s for region in regions for s in _shared_in(region, bodies)}
        inside = {symbol for body in found for symbol in declared_in(body)}
        params = {p for function in functions.values() if function.body in found for p in function.params}
        return ConcurrentContext(
            bodies,
            frozenset({s for s in {*own, *inside, *params} if s.is_automatic} - of_teams),
            bodies.changed(code),
            any(_changes_by_pointer(node) for body in found for node in walk(body)),
            any(is_unseen(node, functions) or _excludes(node) for body in found for node in walk(body)),
            settled,
        )

    def interference_free(self, code: Node) -> frozenset[t.Symbol]:
        """The integer variables named in `code`, or in functions that it calls, that keep their values meanwhile."""
        names = self.bodies.named(code) - self.bodies.changed(code)
        return frozenset(symbol for symbol in names if ty.is_integer(symbol.type) and self._keeps(symbol))

    def _keeps(self, symbol: t.Symbol) -> bool:
        """Does nothing but the code in question change it?"""
        if symbol in self.settled.symbols:
            return True
        if ty.element_of(symbol.type).quals & {"volatile", "_Atomic"}:
            return False
        if symbol in self.own and not symbol.address_taken:
            return True
        is_reached = symbol.address_taken or not symbol.is_automatic
        known = not (self.by_pointers and symbol.address_taken) and not (self.unseen and is_reached)
        return known and symbol not in self.changed

    def is_interference_free_element(self, node: t.Index) -> bool:
        """`sizes[0]` of an array that nothing changes."""
        match node:
            case t.Index(base=t.Name(symbol=symbol), index=index) if isinstance(symbol.type, ty.Array):
                interference_free = symbol not in self.changed or symbol in self.settled.symbols
                return interference_free and self._keeps(symbol) and constant_value(index) is not None
            case _:
                return False


def _changes_by_pointer(node: Node) -> bool:
    """Is what a pointer leads to changed, as anything but a floating-point number (C11 6.5p7)?"""
    target = target_of(node)
    return target is not None and not isinstance(target.type, ty.Float) and object_of(target) is None


def is_unseen(node: Node, functions: Mapping[str, t.Function]) -> bool:
    """A call that may run code which is not seen, or change the program's variables?"""
    match node:
        case t.Call(function=t.Name(symbol=symbol)) if isinstance(symbol.type, ty.Function):
            visible = functions.get(symbol.name)
            if visible is not None:
                return visible.body is None
            return not device_library.is_device_function(symbol.name) and not leaves_program_alone(node)
        case _:
            return isinstance(node, t.Call)


def _shared_in(region: t.Pragma, bodies: Bodies) -> frozenset[t.Symbol]:
    """What the threads of a region change of the variables that they share."""
    inside = {symbol for body in reached(region, bodies.functions) for symbol in declared_in(body)}
    return bodies.changed(region) - inside - private_in(region)


def private_in(region: t.Pragma) -> frozenset[t.Symbol]:
    """What each thread of a team has of variables declared outside: by the clauses, and as loop variables."""
    own = region.directive.listed("private", "firstprivate")
    counters: dict[t.Symbol, list[t.Pragma]] = {}
    for construct in (node for node in walk(region) if isinstance(node, t.Pragma) and counts(node.directive)):
        head = construct.body.init if isinstance(construct.body, t.For) else None
        for symbol in changed_in(head) | declared_in(head) if head is not None else ():
            counters.setdefault(symbol, []).append(construct)
    return own | {symbol for symbol, loops in counters.items() if _is_named_only_in(loops, region, symbol)}


def _is_named_only_in(parts: list[t.Pragma], region: t.Pragma, symbol: t.Symbol) -> bool:
    """Outside of its loops the name of a counter is that of a variable which all threads may share."""
    inside = {node for part in parts for node in walk(part)}
    return all(name in inside for name in names_in(region).get(symbol, ()))


def _excludes(node: Node) -> bool:
    return isinstance(node, t.Pragma) and node.directive.name in ("critical", "ordered", "flush")
