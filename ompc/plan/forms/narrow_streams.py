"""Plan: elements of one or two bytes, which neighbouring iterations have side by side, are moved in up to 16 bytes.

    for (i = 0; i < n; i++)
        a[i] = b[i] > limit ? 255 : 0;

        const auto iteration = [&](size_t, unsigned char &a_near, unsigned char b_near) {
            a_near = b_near > limit ? 255 : 0;
        };
        ompc::in_vectors<16>(first_i, trips, iteration, ompc::stored([&](size_t t) { ... return &a[i]; }),
                             ompc::loaded([&](size_t t) { ... return &b[i]; }));

A thread that moves one byte a turn has too few under way for the memory of a device. So it has several neighbouring
iterations along x: as many as have 16 bytes of the widest. It reads what they read at once, does one after the other,
and writes what they have written at once. In a row that is not aligned vectors begin at the first iteration that is;
where arrays are never aligned at once, threads have an iteration each at a time, as if there was no such form.

An iteration may have up to four neighbouring elements, as the channels of a pixel, which it finds by constants or by
the variables of short loops (stream_places.py). They are an array in registers then. For four iterations with three
bytes each a thread takes three instructions of four bytes: with 16 iterations and 16 bytes, those of a warp lie so far
apart that stores take twice the time (measured, results/2026-11-27-h200-2):

    for (p = 0; p < n; p++)                          const auto iteration = [&](size_t, unsigned char (&out_near)[3],
        for (c = 0; c < 3; c++)                                                const unsigned char (&in_near)[3]) {
            out[3 * p + c] = 255 - in[3 * p + c];        for (int c = 0; c < 3; c++)
                                                             out_near[c] = 255 - in_near[c];
                                                     };

    an iteration's own     what is read or written is one of the same few elements for all accesses to the array, or to
                           one that is only read for all that are so near; the next iteration's are the next ones, and
                           no other access moves along x
    certain                every iteration accesses the first and the last of them, whatever it finds: all of them
                           exist; and it writes all where it reads none
    apart                  an array that is written is accessed in no other way, and overlaps no other one

What an iteration may store is stored in any case: it holds what was loaded there, which is nobody else's.

The schedule:

    axis x: i ...                        axis x: i ..., up to 16 by a thread at a time
        body                                 strip of i
                                                 body

    In: Schedule, Nest.   Out: Schedule.
    Not here: elements of four bytes and more, which are enough as they are; kernels with long bodies or with loops of
    more than a few iterations, which wait for something else; reads beside the iteration's own elements (b[i + 1]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, takewhile

from ompc.analysis.facts import Facts
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.memory.accesses import Access
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.exits import breaks, has_goto, is_jump, labels_in, leaves_loop
from ompc.ir.queries import declared_in, symbols_in, unread_in
from ompc.ir.walk import Node, children, walk
from ompc.plan.forms.stream_places import Place, is_short, place_of
from ompc.plan.forms.tiles import has_only_points
from ompc.plan.machine import DEVICE
from ompc.plan.model.launch import GridLoop, StreamElement, StreamPlan
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.schedule import Refused, Schedule, StripLoop, Strips
from ompc.plan.model.variable import Placement, Role, Variable
from ompc.plan.nest import Nest
from ompc.sema.as_written import as_written

_UNFIT = (t.While, t.DoWhile, t.Switch, t.Print, t.Pragma, t.OpaqueStmt, t.OpaqueExpr)


def in_narrow_streams(schedule: Schedule, nest: Nest) -> Schedule | Refused:
    """Several neighbouring iterations of the x axis a thread, where what they read and write is narrow."""
    (*_, loop) = nest.grid
    if not schedule.is_plain or len(schedule.axis("x").loops) != 1 or not _is_fit(nest, loop):
        return Refused()
    elements = _Streams(nest, loop).elements()
    sizes = [ty.size_of(element.type) or 0 for element in elements or ()]
    if not elements or min(sizes) > DEVICE.narrow or DEVICE.vector // max(sizes) < DEVICE.least_neighbours:
        return Refused()
    widest = max(size * element.width for size, element in zip(sizes, elements, strict=True))
    count = max(_power_of_two(DEVICE.vector // widest), DEVICE.least_neighbours)
    trips = constant_trips(loop.loop)
    if count * _weight(nest, elements) > DEVICE.row_body_unrolled or (trips is not None and trips < count):
        return Refused()
    names = {"first": Local(f"first_{loop.variable}"), "iteration": Local("iteration")}
    texts = ", ".join(dict.fromkeys(as_written(element.first) for element in elements))
    form = StreamPlan(count, elements, names, f"{count} neighbours of {texts} at once, where they are aligned")
    strips = Strips(count, form)
    body = StripLoop(loop, strips, schedule.body)
    return replace(schedule, what=form.heading, axes=schedule.with_axes({"x": strips}), body=body)


def _power_of_two(most: int) -> int:
    """The largest one that is not above it."""
    return 1 << most.bit_length() >> 1


def _is_fit(nest: Nest, loop: GridLoop) -> bool:
    """Is it a short body without long loops and jumps out of it, and are its points all there is to the launch?"""
    body, nodes = nest.body, list(walk(nest.body))
    if not all(_is_short(nest.facts, node) for node in nodes if isinstance(node, t.For)):
        return False
    if loop.step.constant != 1 or loop.loop.down or loop.loop.dependent or loop.loop.var.address_taken:
        return False
    if any(isinstance(node, _UNFIT) or _takes_long(node) for node in nodes):
        return False
    if has_goto(body) or labels_in(body) or leaves_loop(body) or unread_in(body) is not None:
        return False
    return has_only_points(nest.facts, nest.variables, with_sums=True)


def _is_short(facts: Facts, node: t.For) -> bool:
    """Has it a few iterations, all of them?"""
    loop = facts.inner_loops.get(node)
    return loop is not None and is_short(loop) and not breaks(loop.body)


def _weight(nest: Nest, elements: Sequence[StreamElement]) -> int:
    """How many nodes an iteration has when its loops are unrolled; the place of an element is not computed there."""
    wide = {node for element in elements if element.width > 1 for node in element.nodes}

    def weight(node: Node) -> int:
        loop = nest.facts.inner_loops.get(node) if isinstance(node, t.For) else None
        times = 1 if loop is None else constant_trips(loop) or 1
        return 1 if node in wide else 1 + times * sum(map(weight, children(node)))

    return weight(nest.body)


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
        return symbol in self.nest.facts.invariant or symbol in others or symbol in self._counters

    @cached_property
    def _counters(self) -> frozenset[t.Symbol]:
        """The variables of the body's loops, which have the same few values in all iterations."""
        loops = (self.nest.facts.inner_loops.get(node) for node in walk(self.nest.body) if isinstance(node, t.For))
        return frozenset(loop.var for loop in loops if loop is not None)

    def _groups(self, accesses: Sequence[Access]) -> list[list[Place]] | None:
        """Those to the same few elements each; None: one is in a function, or not found by subscripts."""
        places: list[Place] = []
        for access in accesses:
            known = bool(access.subscripts) and access.function is None and not access.outer
            if not known or not _is_element(access.node):
                return None
            places.append(place_of(self.nest.facts, access, self.loop.loop.var))
        groups: list[list[Place]] = []
        for place in sorted(places, key=lambda place: min(place.numbers)):
            beside = (group for group in groups if place.is_beside(group[0]))
            group = next((group for group in beside if _end(place) <= _first(group) + (place.step or 1)), None)
            if group is None:
                groups.append([place])
            else:
                group.append(place)
        return sorted(groups, key=lambda group: min(places.index(place) for place in group))

    def _are_close(self, one: Sequence[Place], other: Sequence[Place]) -> bool:
        """May they be so few elements apart that only one of them is aligned?"""
        if one[0].step is None or other[0].step is None or len(one[0].outer) != len(other[0].outer):
            return True
        rows = [(a + -b).constant for a, b in zip(one[0].outer, other[0].outer, strict=True)]
        apart = (one[0].rest + -other[0].rest).constant
        if apart is None or any(row is None for row in rows):
            return False
        return (apart + _first(one) - _first(other)) % DEVICE.vector != 0

    def _is_own(self, group: Sequence[Place]) -> bool:
        """Are they the next iteration's next elements, whose place is known without the body?"""
        end = _first(group) + _step(group)
        near = _step(group) <= DEVICE.short_loop and all(_end(place) <= end for place in group)
        return near and all(self._is_known(place) for place in group)

    def _is_known(self, place: Place) -> bool:
        if place.step is None or place.step < 1:
            return False
        inside = declared_in(self.nest.body) - place.values.keys()
        allowed = Invariance(
            lambda symbol: symbol in place.values
            or symbol is self.loop.loop.var
            or (self._is_fixed(symbol) and symbol not in self._counters)
        )
        subscripts = place.access.subscripts or ()
        exact = all(map(_keeps_its_values, subscripts)) and all(map(allowed.holds, subscripts))
        return exact and inside.isdisjoint(symbols_in(place.node))

    def _element(self, v: Variable, group: Sequence[Place]) -> StreamElement | None:
        """None: it need not exist, or it is no plain number."""
        kind = ty.unqualified(group[0].node.type)
        plain = isinstance(kind, (ty.Int, ty.Float)) and _is_power_of_two(ty.size_of(kind))
        if not plain or not self._is_certain(group):
            return None
        modes = [place.access.mode for place in group]
        loaded, stored = any(mode.reads for mode in modes), any(mode.writes for mode in modes)
        name, first, width = Local(f"{spelled(v.symbol.name)}_near"), _first(group), _step(group)
        begin = next(place for place in group if first in place.numbers)
        numbers = tuple(place.number_from(first) for place in group) if width > 1 else ()
        nodes = tuple(place.node for place in group)
        return StreamElement(nodes, kind, name, loaded, stored, begin.element(first), width, numbers)

    def _is_certain(self, group: Sequence[Place]) -> bool:
        """Does every iteration access the first and the last of them, whatever it finds, or, if it reads none, all?"""
        before = set(takewhile(lambda node: not is_jump(node), walk(self.nest.body)))
        around = {loop.loop.statement for loop in self.nest.grid}
        around |= {node for node in before if isinstance(node, t.For)}
        certain: set[int] = set()
        for place in group:
            if around.issuperset(place.access.context) and place.node in before:
                certain |= place.numbers.keys()
        first, width = _first(group), _step(group)
        if any(place.access.mode.reads for place in group):
            return {first, first + width - 1} <= certain
        return certain.issuperset(range(first, first + width))


def _first(group: Sequence[Place]) -> int:
    return min(min(place.numbers) for place in group)


def _end(place: Place) -> int:
    return max(place.numbers) + 1


def _step(group: Sequence[Place]) -> int:
    """From one iteration's elements to the next one's."""
    return group[0].step or 1


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
