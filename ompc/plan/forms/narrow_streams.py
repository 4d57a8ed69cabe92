"""Plan: elements of one or two bytes, which neighbouring iterations have side by side, are moved 16 bytes at a time.

    for (i = 0; i < n; i++)
        a[i] = b[i] > limit ? 255 : 0;

        const auto iteration = [&](size_t, unsigned char &a_near, unsigned char b_near) {
            a_near = b_near > limit ? 255 : 0;
        };
        ompc::in_vectors<16>(first_i, trips, iteration, ompc::stored([&](size_t t) { ... return &a[i]; }),
                             ompc::loaded([&](size_t t) { ... return &b[i]; }));

A thread that moves one byte a turn has too few under way for the memory of a device. So it has several neighbouring
iterations along x: as many as there are of the widest of its elements in 16 bytes. It reads what they read at once,
does one after the other, and writes what they have written at once. Where a block begins at an element that is not
aligned, its threads have an iteration each at a time, neighbours side by side, as if there was no such form.

    an iteration's own     what is read or written is the same element for all accesses to the array, or to one that is
                           only read for all with that subscript; the next iteration's is the next one, and no other
                           access moves along x
    certain                every iteration accesses it, whatever it finds: all of them exist
    apart                  an array that is written is accessed in no other way, and overlaps no other one

What an iteration may store is stored in any case: it holds what was loaded there, which is nobody else's.

The schedule:

    axis x: i ...                        axis x: i ..., up to 16 by a thread at a time
        body                                 strip of i
                                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: elements of four bytes and more, which are enough as they are; kernels with long bodies or with loops,
    which wait for something else; reads beside the iteration's own element (b[i + 1]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile

from ompc.analysis.integers.equality import same
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.accesses import Access
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import has_goto, is_jump, labels_in, leaves_loop
from ompc.ir.queries import declared_in, symbols_in, unread_in
from ompc.ir.show import c_expr
from ompc.ir.walk import children, walk
from ompc.plan.forms.tiles import has_only_points
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.strides import moves_to_next
from ompc.plan.model.launch import GridLoop, StreamElement, StreamPlan
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.schedule import Refused, Schedule, StripLoop, Strips
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest

_UNFIT = (t.For, t.While, t.DoWhile, t.Switch, t.Print, t.Pragma, t.OpaqueStmt, t.OpaqueExpr)


def in_narrow_streams(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Several neighbouring iterations of the x axis a thread, where what they read and write is narrow."""
    (*_, loop) = nest.grid
    if not schedule.is_plain or len(schedule.axis("x").loops) != 1 or not _is_fit(nest, loop):
        return Refused()
    elements = _Streams(nest, loop).elements()
    sizes = [ty.size_of(element.type) or 0 for element in elements or ()]
    if not elements or min(sizes) > DEVICE.narrow or DEVICE.vector // max(sizes) < DEVICE.least_neighbours:
        return Refused()
    count = DEVICE.vector // max(sizes)
    trips = constant_trips(loop.loop)
    if count * sum(1 for _ in walk(nest.body)) > DEVICE.row_body_unrolled or (trips is not None and trips < count):
        return Refused()
    names = {"first": Local(f"first_{loop.variable}"), "iteration": Local("iteration")}
    texts = ", ".join(dict.fromkeys(c_expr(element.nodes[0]) for element in elements))
    form = StreamPlan(count, elements, names, f"{count} neighbours of {texts} at once, where they are aligned")
    strips = Strips(count, form)
    body = StripLoop(loop, strips, schedule.body)
    return replace(schedule, what=form.heading, axes=schedule.with_axes({"x": strips}), body=body)


def _is_fit(nest: Nest, loop: GridLoop) -> bool:
    """Is it a short body without loops and jumps out of it, and are its points all there is to the launch?"""
    body, nodes = nest.body, list(walk(nest.body))
    if loop.step.constant != 1 or loop.loop.down or loop.loop.dependent or loop.loop.var.address_taken:
        return False
    if any(isinstance(node, _UNFIT) or _takes_long(node) for node in nodes):
        return False
    if has_goto(body) or labels_in(body) or leaves_loop(body) or unread_in(body) is not None:
        return False
    return has_only_points(nest.facts, nest.variables, with_sums=True)


def _takes_long(node: object) -> bool:
    """Does a thread wait for this longer than for its elements?"""
    match node:
        case t.Call():
            return True
        case t.Binary(op="/" | "%", right=right) | t.Assign(op="/=" | "%=", value=right):
            known = constant_value(right) is not None and ty.is_integer(node.type)
            return not known and bool(symbols_in(node))  # 1.0f / 256 is a number
        case _:
            return False


@dataclass(frozen=True, eq=False)
class _Streams:
    """The accesses to memory of one nest."""

    nest: Nest
    loop: GridLoop

    def elements(self) -> tuple[StreamElement, ...] | None:
        """What goes through registers; None: something else moves along x, or is written."""
        facts, found = self.nest.facts, list[StreamElement]()
        for obj in facts.shared_objects:
            accesses = facts.of(obj)
            moving = [access for access in accesses if self._moves(access)]
            if obj in facts.written and (not moving or len(moving) < len(accesses)):
                return None
            if not moving:
                continue
            v = next((v for v in self.nest.variables if v.obj is obj), None)
            groups = self._groups(moving)
            if v is None or groups is None or not self._is_apart(v) or (v.writes and len(groups) > 1):
                return None
            if any(self._are_close(one, other) for one, other in combinations(groups, 2)):
                return None
            for group in groups:
                if not self._is_own(group) or (element := self._element(v, group)) is None:
                    return None
                found.append(element)
        return tuple(found)

    def _is_apart(self, v: Variable) -> bool:
        placed = v.placement in (Placement.GLOBAL, Placement.READONLY)
        return v.role is Role.ARRAY and placed and v.distinct and not v.merges

    def _moves(self, access: Access) -> bool:
        """May it be another element in the next iteration along x? What a launch only reads and the place of which
        another element says is read one by one.
        """
        if access.subscripts is None:
            return True
        if not access.subscripts or all(self._is_uniform(subscript) for subscript in access.subscripts):
            return False
        named = any(_names_itself(subscript, self.loop.loop.var) for subscript in access.subscripts)
        known = any(self.nest.facts.forms.of(subscript) is not None for subscript in access.subscripts)
        return named or known or access.obj in self.nest.facts.written

    def _is_uniform(self, subscript: t.Expr) -> bool:
        """Is it the same number for all iterations along x?"""
        return Invariance(self._is_fixed).holds(subscript)

    def _is_fixed(self, symbol: t.Symbol) -> bool:
        others = {loop.loop.var for loop in self.nest.grid if loop is not self.loop}
        return symbol in self.nest.facts.invariant or symbol in others

    def _groups(self, accesses: Sequence[Access]) -> list[list[Access]] | None:
        """Those to one element each; None: one is in a function, or found in another way than by subscripts."""
        groups: list[list[Access]] = []
        for access in accesses:
            known = bool(access.subscripts) and access.function is None and not access.outer
            if not known or not _is_element(access.node):
                return None
            group = next((group for group in groups if same(group[0].node, access.node)), None)
            if group is None:
                groups.append([access])
            else:
                group.append(access)
        return groups

    def _are_close(self, one: Sequence[Access], other: Sequence[Access]) -> bool:
        """May they be so few elements apart that only one of them is aligned?"""
        places = [[self.nest.facts.forms.of(index) for index in group[0].subscripts or ()] for group in (one, other)]
        differences = [None if a is None or b is None else (a + -b).constant for a, b in zip(*places, strict=True)]
        return all(apart is not None for apart in differences) and (differences[-1] or 0) % DEVICE.vector != 0

    def _is_own(self, group: Sequence[Access]) -> bool:
        """Is it the next iteration's next element, whose place is known without the body?"""
        place = group[0].subscripts or ()
        known = Invariance(lambda symbol: self._is_fixed(symbol) or symbol is self.loop.loop.var)
        inside = declared_in(self.nest.body)
        if not all(known.holds(subscript) for subscript in place) or not inside.isdisjoint(symbols_in(group[0].node)):
            return False
        facts, exact = self.nest.facts, all(map(_keeps_its_values, place))
        return exact and moves_to_next(facts, place, self.loop.loop.var)

    def _element(self, v: Variable, group: Sequence[Access]) -> StreamElement | None:
        """None: it need not exist, or it is no plain number."""
        kind = ty.unqualified(group[0].node.type)
        plain = isinstance(kind, (ty.Int, ty.Float)) and _is_power_of_two(ty.size_of(kind))
        if not plain or not self._is_certain(group):
            return None
        loaded, stored = (any(access.mode.reads for access in group), any(access.mode.writes for access in group))
        name = Local(f"{spelled(v.symbol.name)}_near")
        return StreamElement(tuple(access.node for access in group), kind, name, loaded, stored)

    def _is_certain(self, group: Sequence[Access]) -> bool:
        """Does every iteration access it, whatever it finds?"""
        before = set(takewhile(lambda node: not is_jump(node), walk(self.nest.body)))
        around = {loop.loop.statement for loop in self.nest.grid}
        return any(around.issuperset(access.context) and access.node in before for access in group)


def _is_element(node: t.Expr) -> bool:
    """`a[i]` or `a[i][j]` of an array or of what a pointer leads to?"""
    while isinstance(node, t.Index):
        node = node.base
    return isinstance(node, t.Name)


def _names_itself(subscript: t.Expr, var: t.Symbol) -> bool:
    """Does it name the variable otherwise than to read an element that says the place?"""
    if isinstance(subscript, t.Index):
        return False
    if isinstance(subscript, t.Name):
        return subscript.symbol is var
    return any(_names_itself(part, var) for part in children(subscript) if isinstance(part, t.Expr))


def _keeps_its_values(subscript: t.Expr) -> bool:
    """Are all its operations and conversions such that a program with a value that does not fit would not be right?"""
    for node in walk(subscript):
        if isinstance(node, (t.Binary, t.Unary, t.Cast)):
            kind = ty.unqualified(node.type)
            if not isinstance(kind, ty.Int) or kind.size < 4 or (kind.size == 4 and not kind.signed):
                return False
    return True


def _is_power_of_two(size: int | None) -> bool:
    return size in (1, 2, 4, 8)
