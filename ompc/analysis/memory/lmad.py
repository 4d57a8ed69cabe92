"""Analysis: linear memory access descriptors (LMAD): where an access is, as trip counts and strides of the loops around
it.

    for (i = 0; i < rows; i++)                          8 bytes from 0 on, for each of `rows` steps of 8 * columns
        for (j = 0; j < columns; j++)                   bytes, for each of `columns` steps of 8 bytes
            next[i * columns + j] = ...

A first byte, and for each loop how often it turns and how far an iteration is from the next. Sizes are polynomials of
what the launcher is given (polynomials.py), so that the launch can say where the bytes are. Pointers of the body that
keep the value they are declared with, or are assigned once (`row = next + i * columns`), are followed.

    In: DeviceCode, access relations, accesses.   Out: Placed, or None: the place is no polynomial.
    Not here: what follows -- must_writes.py, iteration_footprints.py, bounding_sections.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.integers.polynomials import Definition, Forms, Length, Polynomial, depends_on, number, variable
from ompc.analysis.integers.ranges import is_endless
from ompc.analysis.memory.access_relation import AccessRelations
from ompc.analysis.memory.accesses import Access, Mode
from ompc.analysis.memory.memory_objects import PLAIN, MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import AccessPath, Selection, Subscript, access_path, pointer_and_number
from ompc.ir.constants import constant_value
from ompc.ir.queries import set_in
from ompc.ir.walk import children, walk
from ompc.omp.model import CanonicalLoop

MOST_PARTS, MOST_DIMENSIONS = 8, 8
"""The most LMADs of one array, and dimensions of each, that ompc_lmad.h has room for. The launcher says nothing about
what goes beyond.
"""


@dataclass(frozen=True, slots=True)
class LmadDimension:
    """One loop around an access. `count`: how often it turns, as often as `step` fits; none where that is negative.
    None: it is one of the parallel loops, whose trips the launcher has counted.
    """

    loop: CanonicalLoop
    count: Polynomial | None
    step: int
    stride: Polynomial
    """The distance in bytes from one iteration's access to the next one's."""

    @property
    def shape(self) -> tuple[object, ...]:
        """Equal for loops that turn as often, over as many bytes."""
        return self.loop.var if self.count is None else self.count, self.step, self.stride


@dataclass(frozen=True, slots=True)
class Lmad:
    """`bytes` bytes from `first` (relative to the pointer, or to the array's begin) on, in each turn of the loops."""

    node: t.Expr
    first: Polynomial
    bytes: int
    dimensions: tuple[LmadDimension, ...]

    @property
    def rank(self) -> int:
        """How many loops move it."""
        return sum(bool(dimension.stride.terms) for dimension in self.dimensions)

    @property
    def symbols(self) -> frozenset[t.Symbol]:
        """The variables that the launcher needs."""
        used = [
            self.first,
            *(p for dimension in self.dimensions for p in (dimension.count, dimension.stride) if p is not None),
        ]
        return frozenset(factor for p in used for factor in p.factors if isinstance(factor, t.Symbol))


@dataclass(frozen=True, slots=True)
class Placed:
    """An access, in each turn of the canonical loops around it.

    `first`       the place of its first byte
    `bytes`       how many bytes it is
    `number`      that of the full expression that it stands in
    `dimensions`  the loops around it, outermost first
    `within`      the bounds of a loop depend on the loops around it, and its turns are those between the least and the
                  greatest of them, or the loop is a part of another one, of which it has all turns: the access is
                  somewhere there
    """

    access: Access
    first: Polynomial
    bytes: int
    number: int
    dimensions: Mapping[t.For, LmadDimension]
    within: bool = False


_Begin = tuple[Polynomial, Polynomial | None]
_Inside = tuple[Forms, tuple[tuple[CanonicalLoop, _Begin | None], ...], frozenset[t.Symbol]]


def _has_numbers_of_c(polynomial: Polynomial) -> bool:
    """Do its numbers fit into 64 bits? Else it stands for a place that wraps round."""
    return all(-(2**63) <= coefficient < 2**63 for _, coefficient in polynomial.terms)


class Lmads:
    """The places of the accesses of one launch."""

    def __init__(self, device_code: DeviceCode, relations: AccessRelations) -> None:
        self.relations = relations
        self._placed: dict[tuple[Access, bool], Placed | None] = {}
        self._known: dict[tuple[tuple[CanonicalLoop, ...], bool], _Inside] = {}
        self._numbers = {node: k for k, whole in enumerate(_full_expressions(device_code.body)) for node in walk(whole)}
        self._definitions = relations.known.definitions
        self._wholes = device_code.loop.wholes

    @property
    def has_parts(self) -> bool:
        """Are loops parts of others?"""
        return bool(self._wholes)

    def place(self, access: Access, within: bool = False) -> Placed | None:
        """Where an access is, over the canonical loops around it; None: not known. `within`: or where it is at most."""
        loops = self.relations.around(access)
        within = within and self._inside(loops, True)[1:] != self._inside(loops, False)[1:]  # else it is the same place
        if (access, within) not in self._placed:
            self._placed[access, within] = self._place(access, loops, within)
        return self._placed[access, within]

    def _place(self, access: Access, loops: tuple[CanonicalLoop, ...], within: bool) -> Placed | None:
        size = ty.size_of(access.node.type)
        if not size or access.node not in self._numbers:
            return None
        forms, entered, dependent = self._inside(loops, within)
        offset = self._offset(forms, access.node, access.obj)
        parts = None if offset is None else offset.linear_in(forms.counters)
        if parts is None or len(forms.counters) != len(entered):
            return None
        first, coefficients = parts
        dimensions: dict[t.For, LmadDimension] = {}
        for loop, begin in entered:
            coefficient = coefficients.get(loop.var, number(0))
            if begin is None or loop.constant_step is None or loop.var.address_taken:
                if access.mode is Mode.WRITE or coefficient.terms:
                    return None
                continue
            lower, count = begin
            first += coefficient * lower
            step = 1 if loop.var in dependent else loop.constant_step
            stride = coefficient * number(-step if loop.down else step)
            dimensions[loop.statement] = LmadDimension(loop, count, step, stride)
        numbers = (first, *(dimension.stride for dimension in dimensions.values()))
        if any(factor in forms.counters for factor in first.factors) or not all(map(_has_numbers_of_c, numbers)):
            return None
        return Placed(access, first, size, self._numbers[access.node], dimensions, bool(dependent))

    def stride(self, access: Access, loop: CanonicalLoop) -> Polynomial | None:
        """How many bytes the access moves when `loop`'s variable grows by 1, whatever the bounds of the loops around it
        are; None: not known, or to another object: the j of `rows[i][j]` moves by an element, the i to another row.
        """
        if access.obj.stored:
            return self._stride_in_row(access, loop)
        parts = self.linear(access, loop)
        if parts is None and access.base is not None and access.base not in set_in(loop.body):
            return self._stride_from_pointer(access, loop)
        return None if parts is None else parts[1]

    def _stride_in_row(self, access: Access, loop: CanonicalLoop) -> Polynomial | None:
        """Behind a stored pointer, if the same one is followed in all iterations."""
        forms, _, _ = self._inside(self.relations.around(access), False)
        path = access_path(access.node)
        if access.subscripts is None or not path.follows:
            return None
        for place in map(forms.of, access.subscripts[: access.outer]):
            if place is None or any(depends_on(factor, (loop.var,)) for factor in place.factors):
                return None
        return self._stride_from_pointer(access, loop)

    def _stride_from_pointer(self, access: Access, loop: CanonicalLoop) -> Polynomial | None:
        """Behind a pointer that leads to one place while the loop runs."""
        forms, _, _ = self._inside(self.relations.around(access), False)
        offset = self._stepped(forms, number(0), access_path(access.node), access.obj)
        parts = None if offset is None else offset.linear_in([loop.var])
        return None if parts is None else parts[1].get(loop.var, number(0))

    def linear(self, access: Access, loop: CanonicalLoop) -> tuple[Polynomial, Polynomial] | None:
        """The bytes from the begin of its object to where it would be if `loop`'s variable were 0; and `stride`."""
        forms, _, _ = self._inside(self.relations.around(access), False)
        offset = self._offset(forms, access.node, access.obj)
        parts = None if offset is None else offset.linear_in([loop.var])
        return None if parts is None else (parts[0], parts[1].get(loop.var, number(0)))

    def _inside(self, loops: tuple[CanonicalLoop, ...], within: bool) -> _Inside:
        """Forms inside of `loops`, which many accesses are; where each begins; whose bounds depend on those around."""
        if (loops, within) not in self._known:
            forms, spans = Forms(self.relations.known.invariant, self._definitions), _Spans() if within else None
            entered = tuple((loop, self._entered(forms, loop, spans)) for loop in loops)
            self._known[loops, within] = forms, entered, frozenset(() if spans is None else spans.dependent)
        forms, entered, dependent = self._known[loops, within]
        return replace(forms), entered, dependent

    def _entered(self, forms: Forms, loop: CanonicalLoop, spans: _Spans | None) -> _Begin | None:
        """The first value of a loop's counter, and how far it is to the end; None: not known, or not the same in all
        turns of the loops around it. What follows is inside the loop. `spans` are those of the loops around it, where
        it is enough to know between what bounds the counter is.
        """
        known, whole = frozenset(forms.counters), self._wholes.get(loop.var) if spans is not None else None
        if spans is not None and whole is not None:
            loop = replace(loop, lower=whole.lower, upper=whole.upper, relation=whole.relation)
            spans.dependent.add(loop.var)
        bounds = forms.enter(loop)
        lower, upper = bounds.lower, bounds.upper
        if lower is not None and upper is not None and spans is not None:
            lower, upper = spans.of_loop(loop, lower, upper, known) or (None, None)
        if lower is None or known & lower.factors or is_endless(loop):
            return None
        if loop in self.relations.annotated:
            return lower, None
        if upper is None or known & upper.factors or not _counts_numbers(loop):
            return None
        distance = lower + -upper if loop.down else upper + -lower
        return lower, distance + number(loop.relation in ("<=", ">="))

    def _offset(self, forms: Forms, node: t.Expr, obj: MemoryObject) -> Polynomial | None:
        """The bytes from the begin of `obj` to what the lvalue `node` designates, which names it directly."""
        path = access_path(node)
        if path.follows:
            offset = self._pointed(forms, path.origin, obj)
        else:
            offset = number(0) if path.variable is obj.symbol and not obj.pointee else None
        return self._stepped(forms, offset, path, obj)

    def _stepped(
        self, forms: Forms, offset: Polynomial | None, path: AccessPath, obj: MemoryObject
    ) -> Polynomial | None:
        """The bytes to where the path's subscripts and members lead from `offset` on."""
        for step in path.steps:
            match step:
                case Subscript(index=index, type=kind):
                    offset = _moved(forms, offset, index, kind, obj)
                case Selection(member=member):
                    offset = None if offset is None or member.bits else offset + number(member.offset)
        return offset

    def _pointed(self, forms: Forms, pointer: t.Expr, obj: MemoryObject) -> Polynomial | None:
        """The bytes from the begin of `obj` to where a pointer points, or to an array, which decays to one."""
        match pointer:
            case t.Expr(type=ty.Array()):
                return self._offset(forms, pointer, obj)
            case t.Name(symbol=symbol) if symbol is obj.symbol:
                return number(0) if obj.path == (PLAIN,) else None
            case t.Name(symbol=symbol):
                definition = self._definitions.get(symbol)
                return None if definition is None or _has_own_rows(pointer) else self._defined(forms, definition, obj)
            case t.Unary(op="&", operand=lvalue):
                return self._offset(forms, lvalue, obj)
            case t.Cast(type=ty.Pointer(), operand=operand) if isinstance(operand.type, (ty.Pointer, ty.Array)):
                return None if _has_own_rows(pointer) else self._pointed(forms, operand, obj)
            case t.Binary(op="+", type=ty.Pointer(to=to)):
                base, index = pointer_and_number(pointer)
                return _moved(forms, self._pointed(forms, base, obj), index, to, obj)
            case t.Binary(op="-", left=left, right=right, type=ty.Pointer(to=to)):
                back = _moved(forms, number(0), right, to, obj)
                start = self._pointed(forms, left, obj)
                return None if start is None or back is None else start + -back
            case _:
                return None

    def _defined(self, forms: Forms, definition: Definition, obj: MemoryObject) -> Polynomial | None:
        """Where the value of a definition points; it is of the iteration in which it is declared."""
        counters = forms.counters
        forms.counters = {symbol: loop for symbol, loop in counters.items() if loop in definition.loops}
        found = self._pointed(forms, definition.init, obj)
        forms.counters = counters
        return found


@dataclass(slots=True)
class _Spans:
    """Between which numbers, first and last, counters of loops are. Those of loops whose bounds are `dependent` on
    other counters may be any of them, whatever the step is; so may those of parts of loops.
    """

    found: dict[t.Symbol, tuple[Polynomial, Polynomial]] = field(default_factory=dict)
    dependent: set[t.Symbol] = field(default_factory=set)

    def of_loop(
        self, loop: CanonicalLoop, lower: Polynomial, upper: Polynomial, known: frozenset[t.Symbol]
    ) -> tuple[Polynomial, Polynomial] | None:
        """The first bound and the last one that are farthest apart; None: not known."""
        begin, end = self._extreme(lower, known, loop.down), self._extreme(upper, known, not loop.down)
        if begin is None or end is None:
            return None
        if known & (lower.factors | upper.factors):
            self.dependent.add(loop.var)
        beyond = number(loop.relation not in ("<=", ">="))
        self.found[loop.var] = (end + beyond, begin) if loop.down else (begin, end + -beyond)
        return begin, end

    def _extreme(self, bound: Polynomial, known: frozenset[t.Symbol], greatest: bool) -> Polynomial | None:
        parts = bound.linear_in(known)
        if parts is None:
            return None
        value, coefficients = parts
        for counter, coefficient in coefficients.items():
            times = coefficient.constant
            if times is None or counter not in self.found:
                return None
            value += coefficient * self.found[counter][(times > 0) == greatest]
        return value


def _full_expressions(node: t.Stmt | t.VarDecl) -> Iterator[t.Expr]:
    """The full expressions (C11 6.8) of a statement, in the order of the text."""
    for child in children(node):
        if isinstance(child, t.Expr):
            yield child
        elif child is not None:
            yield from _full_expressions(child)


def _counts_numbers(loop: CanonicalLoop) -> bool:
    """Is the number of turns the distance of the bounds, also where unsigned arithmetic has wrapped round?

    A first value that has, as in `for (size_t j = n - 1; j < n; j++)`, lies beyond the end and not before it.
    """
    fixed = constant_value(loop.upper if loop.down else loop.lower)
    kinds = (loop.var.type, loop.lower.type, loop.upper.type)
    signed = all(isinstance(kind, ty.Int) and (kind.signed or kind.size < ty.INT.size) for kind in kinds)
    return signed or (fixed is not None and fixed >= 0)


def _moved(
    forms: Forms, begin: Polynomial | None, index: t.Expr, kind: ty.Type, obj: MemoryObject
) -> Polynomial | None:
    """The bytes to element `index`, of type `kind`, from `begin` on."""
    number_of, size = forms.of(index), _size(kind, obj)
    return None if begin is None or number_of is None or size is None else begin + number_of * size


def _size(kind: ty.Type, obj: MemoryObject) -> Polynomial | None:
    """`sizeof` of an element or row of `obj`."""
    if not ty.is_variably_modified(kind):
        size = ty.size_of(kind)
        return None if size is None else number(size)
    if isinstance(kind, ty.Pointer):
        return None
    element, whole = ty.size_of(ty.element_of(kind)), ty.decayed(obj.symbol.type)
    if element is None:
        return None
    lengths = len(ty.lengths_of(whole.to)) if isinstance(whole, ty.Pointer) else 0
    whole_row = number(element)
    for dimension in range(lengths - len(ty.lengths_of(kind)), lengths):
        whole_row *= variable(Length(dimension))
    return whole_row


def _has_own_rows(pointer: t.Expr) -> bool:
    """Rows of a variable length, which need not be that of the object's."""
    return isinstance(pointer.type, ty.Pointer) and ty.is_variably_modified(pointer.type.to)

