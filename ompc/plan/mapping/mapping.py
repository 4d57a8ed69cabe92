"""Plan: which loops become the axes of the grid.

`baseline` and `thesis`: the annotated loops, as OpenMPC does. `auto` goes on inwards: while the body is nothing but
one more loop with fixed bounds, whose iterations are proved independent (dependence/dependence.py) and whose scalars
can be each thread's own, that loop joins the grid, up to three axes. Rows of a 200 x 200 grid must not become 200
threads.

Loops of a few iterations that would be the innermost axes stay in the thread: as the x axis they fill no warp, and
blocks have threads along x and y alone. They are axes where only neighbours along them have neighbouring elements, of
four bytes or more: there a warp's accesses fill whole sectors, and those of threads with all of them would not.

    unsigned char a[];                   float b[], f[];
    for (j = 0; j < w; j++)              for (j = 0; j < w; j++)                y axis
        for (c = 0; c < 3; c++)              for (c = 0; c < 4; c++)            x axis; of bytes it stays in the thread
            a[j * 3 + c] = ...                   b[j * 4 + c] *= f[j];

The x axis, whose neighbouring iterations are neighbouring lanes, is the loop whose variable moves most accesses by
one element.

    #pragma omp parallel for private(j)
    for (i = 1; i < n - 1; i++)          y axis
        for (j = 1; j < m - 1; j++)      x axis: proved independent, u[i][j] moves by one element
            u[i][j] = ...

    In: Facts.   Out: Mapping.   Not here: tiles; loops whose bounds depend on outer ones; what makes perfect nests --
    moved_loops.py, sinking.py.
    Source: OpenMPC's parallel loop-swap (Lee and Eigenmann, PPoPP 2009), with exact dependences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from ompc.analysis.dependence.dependence import obstacle
from ompc.analysis.facts import Facts
from ompc.analysis.independence import independence
from ompc.analysis.locality.trips import constant_trips
from ompc.analysis.locality.uniform import Uniformity
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.base.tuning import ShapeChoices
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.inner_axes import rows_without_bounds, why_no_axis
from ompc.plan.mapping.strides import moves, moves_by_one
from ompc.plan.model.effects import LaunchEffects
from ompc.plan.model.variable import Role
from ompc.plan.parameters.classification import KernelParameter


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """The loops that become the grid.

    `loops`    in the order of the axes: the last one is x
    `nest`     the loops in the program's order
    `body`     what one thread does in one iteration
    `because`  why loops inside the annotated ones joined, or why the first candidate did not; None without candidates
    """

    loops: tuple[CanonicalLoop, ...]
    body: t.Stmt
    because: str | None = None
    nest: tuple[CanonicalLoop, ...] = ()

    @property
    def counters(self) -> dict[t.Symbol, t.Symbol]:
        """The variables that number the iterations of the grid, each with that of its axis."""
        return {loop.var: loop.var for loop in self.loops}


@dataclass(frozen=True, eq=False)
class Kernel:
    """One loop that goes to the device: what is known of it, how its objects reach the kernel, how it is mapped.

    `shared` are variables of inner loops that have another value in each lane, if the lanes share them (lanes.py);
    `kept` says which elements stay in variables (scalar_replacement.py). `overlaps`: its arrays may (shared_blocks.py);
    `rows`: no two of these objects may (rows_apart.py).
    """

    facts: Facts
    parameters: tuple[KernelParameter, ...]
    mapping: Mapping
    shared: tuple[t.Symbol, ...] = ()
    kept: str | None = None
    overlaps: bool = False
    rows: frozenset[MemoryObject] = frozenset()

    @cached_property
    def uniformity(self) -> Uniformity:
        axes = [loop.statement for loop in self.mapping.loops]
        return Uniformity(self.facts.device_code, self.facts.accesses, (*self.mapping.counters, *self.shared), axes)

    @cached_property
    def named(self) -> frozenset[t.Symbol]:
        """The symbols that the text of the kernel names, and those that its functions need from outside."""
        parts: list[t.Stmt | t.Expr] = [self.mapping.body]
        parts += [bound for loop in self.mapping.loops for bound in dependent_bounds(loop)]
        names = {node.symbol for part in parts for node in walk(part) if isinstance(node, t.Name)}
        return frozenset(names) | self.facts.function_symbols


def dependent_bounds(loop: CanonicalLoop) -> tuple[t.Expr, ...]:
    """What the kernel evaluates anew in each iteration of the outer loops."""
    bounds = (loop.lower, loop.upper, loop.step) if loop.dependent else ()
    return tuple(bound for bound in bounds if bound is not None)


def why_not_mapped(facts: Facts, parameters: Sequence[KernelParameter]) -> Reason | None:
    """Why the annotated loops cannot be the axes of a grid."""
    loops = facts.loop.loops
    if not any(loop.dependent for loop in loops):
        return None
    if any(loop.dependent for loop in loops[: 1 - DEVICE.axes]):
        message = f"collapse({len(loops)}): outer loops whose bounds depend on each other share one axis of the grid"
        return Reason("OMPC343", message, facts.loop.loc)
    if facts.loop.lastprivates:
        name = facts.loop.lastprivates[0].name
        return Reason(
            "OMPC336", f"lastprivate of '{name}' in a nest whose bounds depend on outer loops", facts.loop.loc
        )
    by_value = {parameter.symbol for parameter in parameters if parameter.role in (Role.VALUE, Role.FIRSTPRIVATE)}
    by_value |= {loop.var for loop in loops}
    for bound in (bound for loop in loops for bound in dependent_bounds(loop)):
        for node in walk(bound):
            if isinstance(node, t.Name) and node.symbol not in by_value:
                message = f"a bound depends on an outer loop and on '{node.symbol.name}', which is not passed by value"
                return Reason("OMPC308", message, node.loc)
    return None


def unproved(facts: Facts) -> Reason | None:
    """Why iterations that run in order, in one thread or in vector lanes (`target simd`), cannot run in parallel."""
    if not facts.is_proved_independent:
        return None
    if facts.adds_in_order:
        facts = replace(facts, atomic_operations=replace(facts.atomic_operations, exact=True))
    outermost, *others = facts.loop.loops
    words = facts.loop.directive.name.split()
    of_target = "`num_teams(1)`" if "distribute" in words else "`simd`"
    who = of_target if facts.loop.in_order is None else facts.loop.in_order.because
    shared = [access for access in facts.accesses if not facts.is_thread_private(access.obj)]
    shared = [access for access in shared if access.obj not in facts.with_one_value]
    for access in shared:
        commutes = ty.is_integer(access.node.type) and facts.atomic_operations.commute(access, access)
        if access.mode.writes and not commutes and not access.obj.pointee and _is_value(access.obj.symbol.type):
            why = f"they share '{access.obj.symbol.name}'"
            return Reason("OMPC355", f"{who} lets iterations depend on earlier ones, and {why}", access.node.loc)
    if (unbounded := rows_without_bounds(facts)) is not None:
        message = f"{who} lets iterations depend on earlier ones, and '{unbounded}' may overlap each other"
        return Reason("OMPC355", message, facts.loop.loc)
    if others:
        together = independence(facts)
        unproved_roots = [pair.first.obj for pair in together.unproved] + list(together.rows)
        why_not = f"iterations may touch the same element of '{unproved_roots[0]}'" if unproved_roots else None
    else:
        why_not = obstacle(facts.candidate(outermost, ()), shared, facts.atomic_operations)
    if why_not is None:
        return None
    return Reason("OMPC355", f"{who} lets iterations depend on earlier ones, and {why_not}", facts.loop.loc)


_PREFIXES = {
    True: "blocks take tiles in their order, and an iteration sees what all up to its own put in",
    False: "blocks take tiles in their order, and an iteration sees what all before its own put in",
}


@lru_cache(maxsize=4)
def choose_mapping(facts: Facts, joins: bool) -> Mapping:
    """The axes of the grid for one parallel loop; several passes ask. `joins`: inner loops may become some."""
    loops, body = list(facts.loop.loops), facts.device_code.body
    if facts.loop.scan is not None:
        return Mapping(tuple(loops), body, _PREFIXES[facts.loop.scan.inclusive])
    if not joins or facts.loop.lastprivates or any(loop.dependent for loop in loops):
        return Mapping(tuple(loops), body)
    if facts.loop.override.annotated_only:
        return Mapping(tuple(loops), body, "the annotated loops alone, as `#pragma cuda` asks")
    asked, most = facts.loop.override, DEVICE.axes
    if asked.shape.inner is not None:
        most = min(most, len(loops) + asked.shape.inner)
    joined: list[str] = []
    refused: str | None = None
    while len(loops) < DEVICE.axes:
        inner = only_loop(facts, body)
        if inner is None:
            break
        if len(loops) >= most:
            refused = f"the loop over {inner.var.name} stays inside a thread, {asked.kernel_because}"
            break
        refused = why_no_axis(facts, inner, loops)
        if refused is not None:
            refused = f"the loop over {inner.var.name} stays inside a thread: {refused}"
            break
        loops.append(inner)
        joined.append(inner.var.name)
        body = inner.body
    held: str | None = None
    while joined and asked.shape.inner is None and _stays_inside(facts, loops):
        body = loops.pop().statement
        held = f"the loop over {joined.pop()} stays inside a thread: it has few iterations"
    because = f"the iterations of {' and '.join(joined)} are independent too" if joined else held or refused
    order, why = _ordered(facts, loops)
    return Mapping(order, body, "; ".join(filter(None, (because, why))) or None, nest=tuple(loops))


def _stays_inside(facts: Facts, loops: Sequence[CanonicalLoop]) -> bool:
    """Has the last loop too few iterations to be an axis? It is one where neighbours along it, and along no other loop,
    have neighbouring elements that are not narrow, unless the loop around it is short as well. A table that it alone
    moves in (`w[c]`) does not count.
    """
    *outer, last = loops
    if not _is_short(last):
        return False
    places = [access.subscripts for access in _accesses_of_wide_elements(facts) if access.subscripts]
    own = [place for place in places if any(moves(facts, place, loop.var) for loop in outer)]
    along = [place for place in own if moves(facts, place, last.var)]
    wide = [sum(moves_by_one(facts, place, loop.var) for place in along) for loop in loops]
    return _is_short(outer[-1]) or wide[-1] <= max(wide[:-1])


def _is_short(loop: CanonicalLoop) -> bool:
    trips = constant_trips(loop)
    return trips is not None and trips <= DEVICE.short_loop


def _accesses_of_wide_elements(facts: Facts) -> list[Access]:
    places = [access for access in facts.accesses if access.subscripts and not facts.is_thread_private(access.obj)]
    return [access for access in places if (ty.size_of(access.node.type) or 0) > DEVICE.narrow]


def _ordered(facts: Facts, nest: Sequence[CanonicalLoop]) -> tuple[tuple[CanonicalLoop, ...], str | None]:
    """The loops as axes, in the order that is asked for where nothing depends on it, and what is to be said of that."""
    asked = facts.loop.override
    if asked.shape.order is None:
        return _with_x_last(facts, nest), None
    if len(asked.shape.order) != len(nest) or not LaunchEffects.of(facts).is_order_free:
        text = ShapeChoices(order=asked.shape.order).clauses
        return _with_x_last(facts, nest), f"not in another order: {text}, {asked.kernel_because}, is not possible"
    order = tuple(nest[number - 1] for number in asked.shape.order)
    return order, f"in the order {', '.join(loop.var.name for loop in order)}, {asked.kernel_because}"


def only_loop(facts: Facts, body: t.Stmt) -> CanonicalLoop | None:
    """The canonical loop that is all there is in `body`, braces and empty statements aside."""
    while isinstance(body, t.Block):
        items = [item for item in body.items if not isinstance(item, t.Empty)]
        if len(items) != 1:
            return None
        body = items[0]
    return facts.inner_loops.get(body) if isinstance(body, t.For) else None


def _is_value(kind: ty.Type) -> bool:
    """Is it a number or a pointer, and no array or struct?"""
    return ty.is_scalar(kind) or ty.is_number(kind)


def _with_x_last(facts: Facts, loops: Sequence[CanonicalLoop]) -> tuple[CanonicalLoop, ...]:
    """The loops with the x axis last: the one that moves most accesses by one element; the innermost one on a tie.

    First count those that other loops move, too: of a row's coefficient there is one for the row. Before it another
    loop that moves some by one, if there is one: tiles extend along y and x. The order of annotated loops is the
    user's, unless no access moves by one element along the last of them.
    """
    strides = [unit_strides(facts, loop.var) for loop in loops]
    if len(loops) == len(facts.loop.loops) and (strides[-1] > 0 or not LaunchEffects.of(facts).is_order_free):
        return tuple(loops)
    points = [unit_strides(facts, loop.var, [other.var for other in loops if other is not loop]) for loop in loops]
    *others, x = sorted(range(len(loops)), key=lambda k: (points[k], strides[k], k))
    others.sort(key=lambda k: (strides[k] > 0, k))
    return tuple(loops[k] for k in (*others, x))


def unit_strides(facts: Facts, var: t.Symbol, others: Sequence[t.Symbol] = ()) -> int:
    """How many accesses to arrays `var` moves by one element, of those that one of the `others` moves."""
    places = [a.subscripts for a in facts.accesses if a.subscripts and not facts.is_thread_private(a.obj)]
    found = [p for p in places if not others or any(moves(facts, p, other) for other in others)]
    return sum(moves_by_one(facts, place, var) for place in found)
