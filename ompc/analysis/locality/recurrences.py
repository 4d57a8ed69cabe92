"""Analysis: recurrences along arrays: elements that an inner loop uses again some iterations after it has come to them.

    for (j = 1; j < n; j++)                      step by step, so no other thread can have a part of the loop
        x[j] = (x[j] - a[j] * x[j - 1]) / b[j];  and x[j - 1] is what the iteration before has written

Its elements are a window that moves along the array: `x[j]` of one iteration is `x[j - 1]` of the next. Where all that
the loop does to an array has one subscript that is its counter and a constant, and others that it does not change, what
the window holds may stay in variables, one for each place of it. Constants behind that subscript part the array into
streams, each with a window of its own: `rhs[k][j][i][m]` for `m` of 0 to 2.

    In: Facts, a loop in its code.   Out: Recurrence, or None.
    Not here: what becomes of it -- plan/rewrites/elements/carried_elements.py; elements that stay the same during the
    loop -- scalar_replacement.py.
    Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990), of which
    this is the part about values that loops carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ompc.analysis.facts import Facts
from ompc.analysis.integers.equality import form
from ompc.analysis.locality.iteration_steps import (
    Affine,
    Nested,
    NotInStepsError,
    Step,
    affine,
    is_fixed,
    is_signed,
    iteration_of,
    steps_of,
)
from ompc.analysis.locality.kept_rows import is_pure
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import AccessPath, Subscript, access_path
from ompc.ir.exits import has_goto, jumps_in
from ompc.ir.queries import set_in, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop, Sharing

Entry: TypeAlias = tuple[int | None, ...]
"""The constants behind the subscript that moves; None: what the loop does not change."""

MOST_APART = 8
"""What is added to the counter, or taken from it."""


@dataclass(frozen=True, slots=True)
class Use:
    """An lvalue in the step of that number; `at`: its place in the window, which comes down by one each time."""

    step: int
    node: t.Expr
    at: int
    reads: bool
    writes: bool


@dataclass(slots=True, eq=False)
class Stream:
    """What the loop does to the elements with one entry, in its order."""

    obj: MemoryObject
    entry: Entry
    element: ty.Type
    uses: list[Use] = field(default_factory=list)

    @property
    def last(self) -> int:
        return min(use.at for use in self.uses)

    @property
    def first(self) -> int:
        """The place at which elements enter."""
        return max(use.at for use in self.uses)

    @property
    def is_reused(self) -> bool:
        return self.last < self.first and any(use.reads for use in self.uses)

    @property
    def is_carried(self) -> bool:
        """Does an iteration read what an earlier one has written?"""
        written = [use.at for use in self.uses if use.writes]
        return any(use.reads and any(at > use.at for at in written) for use in self.uses)

    def is_read_first(self, at: int) -> bool:
        """Of an element that enters there, or is there when the loop begins: is it read before it is written?"""
        places = [use.at for use in self.uses if use.at <= at]
        return bool(places) and next(use for use in self.uses if use.at == max(places)).reads

    def written_below(self, at: int) -> int | None:
        """The next place at which the element is written again."""
        return max((use.at for use in self.uses if use.writes and use.at < at), default=None)


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """`items`: an iteration, in which `steps` stand one after the other. `guards`: where they hold, all that is done to
    the streams is done in every iteration, and else nothing. `sign`: -1 where the counter decreases; the counter of
    place `at` is `sign * at` beyond that of the iteration.
    """

    loop: CanonicalLoop
    items: tuple[Step | Nested, ...]
    steps: tuple[Step, ...]
    streams: tuple[Stream, ...]
    guards: tuple[t.Expr, ...]

    @property
    def sign(self) -> int:
        return -1 if self.loop.down else 1


def recurrence(facts: Facts, statement: t.For, most: int) -> Recurrence | None:
    """What the loop carries along arrays, in `most` variables at most; None: nothing, or it cannot be said."""
    loop = facts.inner_loops.get(statement)
    if loop is None or not has_fit_bounds(facts, loop):
        return None
    if jumps_in(statement.body) or has_goto(facts.device_code.body):
        return None
    try:
        items = iteration_of(facts, loop)
    except NotInStepsError:
        return None
    steps = tuple(steps_of(items))
    found = _Windows(facts, loop, steps).streams()
    guards = dict.fromkeys(steps[use.step].guards for stream in found for use in stream.uses)
    chosen = _chosen(found, most) if len(guards) == 1 else ()
    return Recurrence(loop, items, steps, chosen, next(iter(guards))) if chosen else None


def streams_of(facts: Facts, loop: CanonicalLoop, steps: Sequence[Step]) -> tuple[Stream, ...]:
    """What the loop carries along arrays, where it is all done under the same guards."""
    found = _Windows(facts, loop, steps).streams()
    guards = {steps[use.step].guards for stream in found for use in stream.uses}
    return tuple(found) if len(guards) == 1 else ()


def has_fit_bounds(facts: Facts, loop: CanonicalLoop) -> bool:
    """One up or down each time, to a bound that the loop does not change."""
    if loop.pointer is not None or loop.relation == "!=" or loop.constant_step not in (1, None):
        return False
    if loop.constant_step is None and loop.step is not None:
        return False
    if not is_signed(loop.type) or not facts.is_thread_private(MemoryObject(loop.var)) or loop.var.address_taken:
        return False
    parts = [loop.lower, loop.upper]
    if not all(is_signed(ty.unqualified(part.type)) for part in parts):
        return False
    return all(is_fixed(part, facts, set_in(loop.statement)) for part in parts)


class _Windows:
    """What the steps of a loop do to arrays."""

    def __init__(self, facts: Facts, loop: CanonicalLoop, steps: Sequence[Step]) -> None:
        self._facts = facts
        self._loop = loop
        self._steps = steps
        self._changed = set_in(loop.statement)
        self._unfit: set[MemoryObject] = set()
        self._rows: dict[MemoryObject, object] = {}
        self._streams: dict[tuple[MemoryObject, Entry], Stream] = {}

    def streams(self) -> Sequence[Stream]:
        """Those of arrays of which the loop carries something."""
        for number, step in enumerate(self._steps):
            for node, reads, writes in lvalues_of(step.statement):
                if found := {access.obj for access in self._facts.at(node)}:
                    self._use(found, Use(number, node, 0, reads, writes), step)
            if not is_straight(step.statement):
                self._unfit |= {access.obj for node in walk(step.statement) for access in self._facts.at(node)}
        streams = [stream for (obj, _), stream in self._streams.items() if self._is_fit(obj)]
        carried = {stream.obj for stream in streams if stream.is_carried}
        return [stream for stream in streams if stream.obj in carried and stream.is_reused]

    def _use(self, objects: set[MemoryObject], use: Use, step: Step) -> None:
        path = access_path(use.node)
        place = self._place(use.node, path, step) if len(objects) == 1 else None
        obj = next(iter(objects))
        if place is None:
            self._unfit |= objects
            return
        row, at, entry = place
        if self._rows.setdefault(obj, row) != row:
            self._unfit.add(obj)
        kind = ty.unqualified(use.node.type)
        sign = -1 if self._loop.down else 1
        stream = self._streams.setdefault((obj, entry), Stream(obj, entry, kind))
        stream.uses.append(Use(use.step, use.node, sign * at, use.reads, use.writes))

    def _place(self, node: t.Expr, path: AccessPath, step: Step) -> tuple[object, int, Entry] | None:
        """What is the same in all iterations of where it leads, what is added to the counter, and the constants behind
        that.
        """
        origin = form(path.origin) if isinstance(path.origin, t.Name) else None
        if origin is None or not self._stays(path.origin):
            return None
        row: list[object] = [origin, path.follows]
        at: int | None = None
        entry: list[int | None] = []
        for each in path.steps:
            if not isinstance(each, Subscript):
                return None
            known = affine(each.index, step.values)
            if known is None and is_fixed(each.index, self._facts, self._changed):
                row.append(form(each.index))
                entry += [] if at is None else [None]
            elif known is None or (at is not None and not _is_inside(each, known)):
                return None
            elif at is not None:
                entry.append(known[1])
            elif known[0] == 0:
                row.append(known[1])
            elif known[0] == 1:
                at = known[1]
                row.append("the one that moves")  # A[i][j] and A[j][i] are not in one row
            else:
                return None
        if at is None or abs(at) > MOST_APART or not _is_indexed(node, len(entry) + 1):
            return None
        return tuple(row), at, tuple(entry)

    def _stays(self, origin: t.Expr) -> bool:
        """Is it an array, or a pointer that leads to the same place in all iterations?"""
        facts = self._facts
        for symbol in symbols_in(origin):
            own = facts.is_thread_private(MemoryObject(symbol)) and not symbol.address_taken
            fixed = isinstance(symbol.type, ty.Array) or own or facts.is_only_read(symbol)
            if symbol in self._changed or not fixed:
                return False
        return True

    def _is_fit(self, obj: MemoryObject) -> bool:
        """Numbers in memory, to which the kernel does nothing atomic, and the loop nothing else."""
        facts = self._facts
        if obj in self._unfit or facts.loop.sharing.get(obj.symbol) in (Sharing.SHARED_REDUCTION, Sharing.REDUCTION):
            return False
        if any(access.function is not None or facts.atomic_operations.covers(access) for access in facts.of(obj)):
            return False
        inside = {*walk(self._loop.statement)}
        known = {use.node for (of, _), stream in self._streams.items() if of == obj for use in stream.uses}
        own = [access for access in facts.of(obj) if access.node in inside]
        kinds = {use.element for (of, _), use in self._streams.items() if of == obj}
        return all(access.node in known for access in own) and all(_is_plain_number(kind) for kind in kinds)


def _is_inside(subscript: Subscript, known: Affine) -> bool:
    """Is it a constant that is one of the array's? Then other constants are other elements."""
    length = subscript.whole.length if isinstance(subscript.whole, ty.Array) else None
    return known[0] == 0 and isinstance(length, int) and known[1] in range(length)


def _is_indexed(node: t.Expr, levels: int) -> bool:
    """Are the last subscripts written as such?"""
    for _ in range(levels):
        if not isinstance(node, t.Index):
            return False
        node = node.base
    return True


def _is_plain_number(kind: ty.Type) -> bool:
    return isinstance(kind, (ty.Int, ty.Float)) and not kind.quals


def is_straight(item: t.Stmt) -> bool:
    """Does it evaluate all that it names, whenever it is done?"""
    match item:
        case t.DeclStmt(decls=decls):
            return all(isinstance(decl, t.VarDecl) and is_pure(decl.init) for decl in decls)
        case t.ExprStmt(expr=t.Assign(target=t.Name() | t.Index() as target, value=value)):
            return is_pure(value) and all(map(is_pure, access_path(target).subscripts))
        case _:
            return False


def lvalues_of(item: t.Stmt) -> Iterator[tuple[t.Expr, bool, bool]]:
    """What the statement may access, in its order: whether it reads it, and writes it."""
    target: t.Expr | None = None
    compound = False
    if isinstance(item, t.ExprStmt) and isinstance(item.expr, t.Assign):
        target, compound = item.expr.target, item.expr.op != "="
    for node in walk(item):
        if isinstance(node, (t.Index, t.Unary, t.Member, t.Name)) and node is not target:
            yield node, True, False
    if target is not None:
        yield target, compound, True


def _chosen(streams: Sequence[Stream], most: int) -> tuple[Stream, ...]:
    """As many as there are variables for, and of an array all or none."""
    chosen: list[Stream] = []
    left = most
    for obj in dict.fromkeys(stream.obj for stream in streams):
        own = [stream for stream in streams if stream.obj == obj]
        needed = sum(stream.first - stream.last + 2 for stream in own)
        if needed <= left:
            chosen += own
            left -= needed
    return tuple(chosen)
