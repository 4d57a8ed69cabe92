"""Plan: accesses whose neighbouring elements belong to neighbours along y, not x, go through tiles of shared memory.

    for (i ...) for (j ...) b[j][i] = a[i][j];        axes i: y, j: x

    neighbouring lanes are neighbouring j       tile[i][j] = a[i][j]       the body, with elements of the tile
    all threads of the block have come here
    neighbouring lanes are neighbouring i       b[j][i] = tile[i][j]       what it has written; before it what it reads

So all lanes of a warp read and write neighbouring elements. Staged in is an element that every point reads, of an array
that the kernel only reads; staged out one that every point writes and nothing else accesses, so that it is the point's
own: two points that write one element race. Other accesses stay as they are. Rows of a tile are longer than it is wide
by one element, or four bytes, so that neither rows nor columns meet in a bank.

The schedule:

    axis y: i ...                        axis y: i ..., in tiles of 64
    axis x: j ...                        axis x: j ..., in tiles of 64
        body                                 points of the tile along y
                                                 stage a[j][i] into a_tile
                                             barrier
                                             points of the tile along x
                                                 body
                                             barrier
                                             points of the tile along y
                                                 stage out b[j][i] from b_tile
                                             barrier

    In: the kernels that there are, Nest.   Out: the schedule of another kernel; nothing may be worth staging.
    Not here: whether there are iterations enough for tiles, at run time (ompc_transposed.h); nests with a loop that
    points share -- plan/forms/tiles.py; accesses in inner loops.
    Source: Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA" (NVIDIA, 2009).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import assignment, mentions, same
from ompc.analysis.integers.invariance import Invariance
from ompc.analysis.integers.polynomials import Polynomial, number
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.forms.row_coarsening import unrolled_weight
from ompc.plan.forms.tiles import has_only_points
from ompc.plan.machine import DEVICE
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import Local, spelled
from ompc.plan.model.schedule import Barrier, Node, Refused, Schedule, Stage, TilePoints, Tiles, in_order
from ompc.plan.model.tile_model import TransposedElement, TransposedPlan
from ompc.plan.model.variable import Role, Variable, array_of
from ompc.plan.nest import Nest
from ompc.sema.as_written import as_written

SIDES = (64, 32)
"""The points along each axis of a tile, in the order in which they are tried. The more, the longer are the runs of
memory that a block reads and writes.
"""
MOST_BYTES = dict(DEVICE.transposed_shared)
MOST_WIDTH = {64: 4, 32: 8}
"""The largest element in bytes, by the side of the tile: larger ones make long runs with fewer points."""
MOST_NODES = dict(DEVICE.transposed_body)
STAGEABLE_BYTES = (1, 2, 4, 8)

_NAMES = ("side", "p", "q", "rows", "columns")


def in_transposed_tiles(kernels: tuple[Schedule, ...], nest: Nest) -> Schedule | Refused:
    """The kernel with tiles, beside one in which a thread has one point at a time."""
    if not kernels[0].is_plain or not nest.is_plane or not has_only_points(nest.facts, nest.variables, with_sums=True):
        return Refused()
    weight = unrolled_weight(nest.body, nest.facts)
    if weight is None or weight > max(MOST_NODES.values()):
        return Refused()
    accesses = _Accesses(nest.kernel, nest.grid, nest.variables)
    found = tuple(accesses.elements())
    side = next((side for side in SIDES if _suits(side, found, weight)), SIDES[-1])
    elements = _that_fit(found, side)
    if not elements:
        return Refused()
    names = {name: Local(name) for name in _NAMES}
    for axis, of in (("y", nest.grid[-2]), ("x", nest.grid[-1])):
        names[f"first_{axis}"] = Local(f"first_{of.variable}")
    name = Local(f"{nest.facts.loop.id}_transposed")
    form = TransposedPlan(name, elements, accesses.definitions, side, names, _because(elements, nest.grid))
    return transposed(kernels[0], form)


def transposed(schedule: Schedule, form: TransposedPlan) -> Schedule:
    """Elements are staged in before the body, out behind it; reductions stay as they are."""
    tiles = Tiles(form.side, form)
    loaded = tuple(element for element in form.elements if element.loaded)
    stored = tuple(element for element in form.elements if element.stored)
    steps: list[tuple[str, Node]] = [("y", Stage(loaded))] * bool(loaded)
    steps += [("x", schedule.body)] + [("y", Stage(stored, out=True))] * bool(stored)
    body = in_order([node for axis, step in steps for node in (TilePoints(axis, form, step), Barrier())])
    axes = schedule.with_axes({"y": tiles, "x": tiles})
    return replace(schedule, kernel=form.kernel, what="transposed through tiles", axes=axes, body=body)


def tile_bytes(element: TransposedElement, side: int) -> int:
    size = ty.size_of(element.type) or 1
    return side * (side * size + max(size, DEVICE.bank))


def _suits(side: int, elements: Sequence[TransposedElement], weight: int) -> bool:
    wide = any((ty.size_of(element.type) or 1) > MOST_WIDTH[side] for element in elements)
    total = sum(tile_bytes(element, side) for element in elements)
    return not wide and total <= MOST_BYTES[side] and weight <= MOST_NODES[side]


def _that_fit(elements: Sequence[TransposedElement], side: int) -> tuple[TransposedElement, ...]:
    """The first of them; the others stay where they are."""
    totals = accumulate(tile_bytes(element, side) for element in elements)
    return tuple(element for element, total in zip(elements, totals, strict=True) if total <= MOST_BYTES[side])


def _because(elements: Sequence[TransposedElement], grid: Sequence[GridLoop]) -> str:
    texts = ", ".join(as_written(element.nodes[0]) for element in elements)
    many = "have" if len(elements) > 1 else "has"
    return f"{texts} {many} neighbouring elements along {grid[-2].variable}, not {grid[-1].variable}"


@dataclass(frozen=True, eq=False)
class _Accesses:
    """The questions about memory of one nest."""

    kernel: Kernel
    grid: Sequence[GridLoop]
    variables: Sequence[Variable]

    @property
    def facts(self) -> Facts:
        return self.kernel.facts

    def elements(self) -> Iterator[TransposedElement]:
        """What is to be staged; what is written first."""
        objects = [obj for obj in self.facts.shared_objects if array_of(self.variables, obj) is not None]
        for obj in sorted(objects, key=lambda obj: obj not in self.facts.written):
            groups = self._written(obj) if obj in self.facts.written else self._read(obj)
            for group in groups:
                access, is_loaded = group[0], obj not in self.facts.written or not self._is_set_first(group)
                kind = ty.unqualified(access.node.type)
                tile = Local(f"{spelled(obj.symbol.name)}_tile")
                nodes = tuple(each.node for each in group)
                yield TransposedElement(nodes, kind, tile, is_loaded, obj in self.facts.written)

    # ------------------------------------------------------------------ which accesses

    def _read(self, obj: MemoryObject) -> list[list[Access]]:
        """The accesses to each transposed element of an array that the kernel only reads."""
        v = array_of(self.variables, obj)
        if v is None or not v.is_only_read:
            return []
        found: list[list[Access]] = []
        for access in sorted(self.facts.of(obj), key=lambda access: not self._is_certain(access)):
            group = next((group for group in found if same(group[0].node, access.node)), None)
            if group is not None and access.function is None:
                group.append(access)  # also where it may be skipped: the element exists
            elif self._is_certain(access) and self._is_transposed(access):
                found.append([access])
        return found

    def _written(self, obj: MemoryObject) -> list[list[Access]]:
        """All accesses to an array that the kernel writes, where they are to the point's own transposed element."""
        group = list(self.facts.of(obj))
        if not all(v.distinct for v in self.variables if v.role is Role.ARRAY):
            return []
        if not all(access.function is None and same(access.node, group[0].node) for access in group):
            return []
        certain = any(access.mode.writes and self._is_certain(access) for access in group)
        return [group] if certain and self._is_transposed(group[0]) else []

    def _is_certain(self, access: Access) -> bool:
        """Is it in every iteration of the grid? Nothing in the body jumps."""
        loops = {loop.loop.statement for loop in self.grid}
        return access.function is None and all(node in loops for node in access.context)

    def _is_set_first(self, group: Sequence[Access]) -> bool:
        """Is the first that is done to the element an assignment that does not read it?"""
        if not any(access.mode.reads for access in group):
            return True
        element, body = group[0].node, self.kernel.mapping.body
        for item in body.items if isinstance(body, t.Block) else (body,):
            found = assignment(item)
            if found is not None and same(found.target, element):
                return not mentions(found.value, element)
            if any(isinstance(node, t.Expr) and same(node, element) for node in walk(item)):
                return False
        return False

    # ------------------------------------------------------------------ which elements

    def _is_transposed(self, access: Access) -> bool:
        """Are its elements neighbours along y, and far from each other along x?"""
        if not self._is_plain(access):
            return False
        y, x = self.grid[-2].loop, self.grid[-1].loop
        moves = [self._moves(subscript) for subscript in access.subscripts or ()]
        known = [move for move in moves if move is not None]
        if not known or len(known) < len(moves) or y.constant_step != 1:
            return False
        *outer, last = known
        nothing = number(0)
        if last.get(y.var, nothing).constant not in (1, -1) or any(y.var in move for move in outer):
            return False
        apart = last.get(x.var, nothing).constant
        if apart == 0:
            return any(x.var in move for move in outer)
        return apart is None or abs(apart) >= DEVICE.far_lanes

    def _is_plain(self, access: Access) -> bool:
        """An element of an array of numbers, found by subscripts alone, from what is known outside of the body too."""
        node, kind = access.node, access.node.type
        if access.function is not None or access.outer or not ty.is_arithmetic(kind) or "volatile" in kind.quals:
            return False
        while isinstance(node, t.Index):
            if not self._is_known(node.index, self._defined):
                return False
            node = node.base
        return isinstance(node, t.Name) and ty.size_of(kind) in STAGEABLE_BYTES

    @cached_property
    def definitions(self) -> tuple[t.VarDecl, ...]:
        """Declarations in the body of integers that stand for an expression of what is known outside of it."""
        body, found = self.kernel.mapping.body, list[t.VarDecl]()
        items = body.items if isinstance(body, t.Block) else ()
        for decl in (decl for item in items if isinstance(item, t.DeclStmt) for decl in item.decls):
            known, init = self.facts.known.definitions.get(decl.symbol), decl.init
            if init is None or known is None or known.init is not init or not isinstance(decl.symbol.type, ty.Int):
                continue
            if self.facts.forms.of(init) is not None and self._is_known(init, {other.symbol for other in found}):
                found.append(decl)
        return tuple(found)

    @cached_property
    def _defined(self) -> frozenset[t.Symbol]:
        return frozenset(decl.symbol for decl in self.definitions)

    def _is_known(self, expr: t.Expr, defined: Collection[t.Symbol]) -> bool:
        known = {loop.loop.var for loop in self.grid} | self.facts.invariant | set(defined)
        return Invariance(known.__contains__).holds(expr)

    def _moves(self, subscript: t.Expr) -> Mapping[t.Symbol, Polynomial] | None:
        """What an iteration of each loop of the grid moves the subscript by; None: not known."""
        forms = self.facts.forms
        form = forms.of(subscript)
        parts = None if form is None else form.linear_in(list(forms.counters))
        return None if parts is None else parts[1]
