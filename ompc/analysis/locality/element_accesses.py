"""Analysis: which elements a piece of an iteration uses, as far as constants say it.

    lhs[i + 1][2] = fac * rhs[k][j][i][m];      written: lhs, one beyond the counter, 2
                                                read: rhs, not said, not said, at the counter, each m of the short loop

Two pieces that use elements of one object concern each other unless constants in one dimension are different. Where
both say how far they are from their counters in one dimension, that is how far apart their iterations are.

    In: Facts, steps of a loop, or a statement.   Out: ElementAccess of each place where memory is used; None: more than
    that is done.
    Not here: iterations as steps -- iteration_steps.py; what follows for their order -- shifts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ompc.analysis.facts import Facts
from ompc.analysis.locality.iteration_steps import Affine, Step, affine, short_turns
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import Subscript, access_path
from ompc.ir.queries import set_in
from ompc.ir.walk import Node, children, walk

Place: TypeAlias = tuple[bool, int] | None
"""A subscript: a constant, or one that is added to the counter (True); None: neither."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementAccess:
    """`node` uses an element of `obj`; `places`: its subscripts; None: it is not said where. `step`: of a loop."""

    obj: MemoryObject
    node: t.Expr
    step: Step | None
    places: tuple[Place, ...] | None
    reads: bool
    writes: bool


def accesses_of_steps(
    facts: Facts, steps: Iterable[Step], changed: frozenset[t.Symbol]
) -> tuple[ElementAccess, ...] | None:
    """What the iterations of a loop use. `changed`: variables that do not stay the same."""
    found: list[ElementAccess] = []
    for step in steps:
        if not _is_known(step.statement):
            return None
        inside = set_inside(step.statement)
        values = {symbol: value for symbol, value in step.values.items() if symbol not in inside}
        found += _Reader(facts, changed, step).read(step.statement, values)
    return tuple(found)


def accesses_of_statement(
    facts: Facts, statement: t.Stmt, changed: frozenset[t.Symbol]
) -> tuple[ElementAccess, ...] | None:
    """What a statement uses, in which only the counters of short loops are known."""
    return tuple(_Reader(facts, changed, None).read(statement, {})) if _is_known(statement) else None


def distances(first: Sequence[ElementAccess], second: Sequence[ElementAccess]) -> Iterator[int | None]:
    """How many iterations the second piece has to be behind the first at least, of each two places; None: it concerns
    the first one in a way that no number says.
    """
    for a in first:
        for b in second:
            if not (a.writes or b.writes):
                continue
            if a.obj != b.obj:
                if a.obj.pointee and b.obj.pointee:
                    yield None  # they are different objects, but not to be wrong costs nothing
                continue
            known = _apart(a.places, b.places)
            if known is not True:
                yield known


def are_apart(a: ElementAccess, b: ElementAccess) -> bool:
    """Are they certainly different elements, in whatever iterations?"""
    return a.obj != b.obj or _apart(a.places, b.places) is True


def _apart(a: tuple[Place, ...] | None, b: tuple[Place, ...] | None) -> int | bool | None:
    """True: never the same element; else the distance; None: not known."""
    if a is None or b is None or len(a) != len(b):
        return None
    found: int | None = None
    for one, other in zip(a, b, strict=True):
        if one is None or other is None or one[0] != other[0]:
            continue
        if not one[0] and one[1] != other[1]:
            return True
        if one[0]:
            found = max(other[1] - one[1], other[1] - one[1] if found is None else found)
    return found


def _is_known(statement: t.Stmt) -> bool:
    """Is all that it does there to be read?"""
    for node in walk(statement):
        match node:
            case t.Pragma() | t.OpaqueExpr() | t.OpaqueStmt():
                return False
            case t.Call(function=t.Name(symbol=function)) if device_library.is_device_function(function.name):
                if any(isinstance(ty.decayed(arg.type), ty.Pointer) for arg in node.args):
                    return False
            case t.Call():
                return False
            case _:
                pass
    return True


def set_inside(statement: t.Stmt) -> frozenset[t.Symbol]:
    """What has another value in some places of the statement than where it begins."""
    match statement:
        case t.ExprStmt(expr=t.Assign(target=t.Name(), value=value)):
            return set_in(value)
        case _:
            return set_in(statement)


@dataclass(frozen=True, slots=True)
class _Reader:
    facts: Facts
    changed: frozenset[t.Symbol]
    step: Step | None

    def read(self, node: Node, values: Mapping[t.Symbol, Affine]) -> Iterator[ElementAccess]:
        facts = self.facts
        if isinstance(node, t.For) and (loop := facts.inner_loops.get(node)) is not None:
            turns = short_turns(facts, loop)
            if turns is not None and loop.var not in set_in(loop.body):
                for turn in turns:
                    yield from self.read(loop.body, {**values, loop.var: (0, turn)})
                return
        for access in facts.at(node):
            obj, mode = access.obj, access.mode
            if obj.pointee or not ty.is_scalar(obj.symbol.type) or not facts.is_thread_private(obj):
                places = self._places(access.node, values, obj)
                yield ElementAccess(obj, access.node, self.step, places, mode.reads, mode.writes)
        for part in children(node):
            yield from self.read(part, values)

    def _places(
        self, node: t.Expr, values: Mapping[t.Symbol, Affine], obj: MemoryObject
    ) -> tuple[Place, ...] | None:
        path = access_path(node)
        if not isinstance(path.origin, t.Name) or not all(isinstance(each, Subscript) for each in path.steps):
            return None
        if path.follows and (path.origin.symbol != obj.symbol or obj.stored or path.origin.symbol in self.changed):
            return None  # not all that leads there begins at the same place
        found: list[Place] = []
        for number, each in enumerate(path.steps):
            assert isinstance(each, Subscript)
            known = affine(each.index, values)
            length = each.whole.length if isinstance(each.whole, ty.Array) else None
            is_first = number == 0 and not isinstance(each.whole, ty.Array)
            if known is not None and known[0] == 0 and isinstance(length, int) and not 0 <= known[1] < length:
                return None  # an element of another row, as rows lie one behind the other
            is_said = known is not None and (known[0] == 1 or (known[0] == 0 and (is_first or isinstance(length, int))))
            found.append((known[0] == 1, known[1]) if known is not None and is_said else None)
        return tuple(found)
