"""Analysis: scalar replacement in straight-line code: rows of a thread's own arrays that it works on.

    pivot = 1 / lhs[j][1][0][0];                        the row lhs[j], of 3 x 5 x 5 elements: of them these are read
    lhs[j][1][1][0] = lhs[j][1][1][0] * pivot;          before they are written, and those are written, each known by
    lhs[j][1][2][0] -= lhs[j][1][1][0] * pivot;         its constant subscripts
    ...

Compilers know that, too, but give up after a hundred instructions or so: then each statement loads what the one before
has stored. A row is what the last subscripts lead through, as many as there is room for; they must be constants. What
stands in front of them keeps its value in the whole run of statements, and differs from that of other rows of the same
array by a constant.

    In: Facts.   Out: the runs of statements, and the rows of each.
    Not here: what becomes of them -- plan/rewrites/elements/kept_rows.py; elements of loops -- scalar_replacement.py.
    Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from ompc.analysis.facts import Facts
from ompc.analysis.locality.scalar_replacement import base_and_offset
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.frozen import dataclass, field
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.constants import constant_value
from ompc.ir.queries import changed_in, declared_in, names_in, nodes, symbols_in
from ompc.ir.show import c_expr
from ompc.ir.walk import children, walk
from ompc.omp.model import Sharing

Element = tuple[int, ...]
"""The constant subscripts of an element in its row."""

_Place = tuple[t.Symbol, tuple[tuple[str, tuple[t.Symbol, ...], int], ...]]
"""An array, and the subscripts of a row of it: what is added to which constant."""


@dataclass(slots=True, eq=False)
class KeptRow:
    """`row` in a run of statements, of `lengths`; the lvalues `nodes` are its elements. `loaded` are read before they
    are written; both in the order in which that happens first.
    """

    row: t.Expr
    lengths: tuple[int, ...]
    element: ty.Type
    nodes: dict[t.Expr, Element] = field(default_factory=dict)
    loaded: dict[Element, None] = field(default_factory=dict)
    stored: dict[Element, None] = field(default_factory=dict)
    accesses: int = 0

    def read(self, node: t.Expr, element: Element) -> None:
        self.nodes[node] = element
        self.accesses += 1
        if element not in self.stored:
            self.loaded[element] = None

    def write(self, node: t.Expr, element: Element) -> None:
        self.nodes[node] = element
        self.accesses += 1
        self.stored[element] = None


@dataclass(frozen=True, slots=True)
class Room:
    """`array`: bytes of arrays that are worth it; `row`: elements of a row at most; `all`: of all rows of a run."""

    array: int
    row: int
    all: int


def _is_simple(item: t.Stmt) -> bool:
    match item:
        case t.DeclStmt(decls=decls):
            return all(isinstance(d, t.VarDecl) and ty.is_scalar(d.symbol.type) and is_pure(d.init) for d in decls)
        case t.ExprStmt(expr=t.Assign(target=t.Name() | t.Index() as target, value=value)):
            return is_pure(value) and all(map(is_pure, access_path(target).subscripts))
        case _:
            return False


def is_pure(expr: t.Expr | None) -> bool:
    """Is it only evaluated, all of it whenever the statement is?"""
    if expr is None:
        return True
    for node in walk(expr):
        match node:
            case t.Call(function=t.Name(symbol=function)) if device_library.is_device_function(function.name):
                pass
            case t.Call() | t.Assign() | t.IncDec() | t.OpaqueExpr() | t.Conditional() | t.Binary(op="&&" | "||"):
                return False
            case _:
                pass
    return True


class KeptRows:
    """The questions about one loop's code."""

    def __init__(self, facts: Facts, room: Room) -> None:
        self._facts = facts
        self._room = room
        body = facts.device_code.body
        self._arrays = frozenset(filter(self._is_fit, (*symbols_in(body), *declared_in(body))))
        self._straight: dict[t.Stmt, bool] = {}

    @property
    def may_be_kept(self) -> bool:
        return bool(self._arrays)

    def straight_runs(self, items: Sequence[t.Stmt]) -> Iterator[tuple[int, int]]:
        """Where statements without control flow follow on each other: the first, and that behind the last."""
        first = 0
        for position in range(len(items) + 1):
            if position == len(items) or not self._is_straight(items[position]):
                if position - first > 1:
                    yield first, position
                first = position + 1

    def _is_straight(self, item: t.Stmt) -> bool:
        """Blocks stand in blocks: each is looked at once."""
        if item not in self._straight:
            inside = item.items if isinstance(item, t.Block) else None
            self._straight[item] = _is_simple(item) if inside is None else all(map(self._is_straight, inside))
        return self._straight[item]

    def _is_fit(self, symbol: t.Symbol) -> bool:
        """Is it an array of the iteration's own, too large for registers, of numbers?"""
        how = self._facts.loop.sharing.get(symbol, Sharing.PRIVATE)
        if how is not Sharing.PRIVATE or not self._facts.is_thread_private(MemoryObject(symbol)):
            return False
        element = ty.element_of(symbol.type)
        plain = ty.is_arithmetic(element) and not element.quals & {"volatile", "_Atomic"}
        if not plain or not ty.constant_lengths(symbol.type) or (ty.size_of(symbol.type) or 0) < self._room.array:
            return False
        return not symbol.address_taken or self._is_named_by_elements(symbol)

    def _is_named_by_elements(self, symbol: t.Symbol) -> bool:
        """Do all that the kernel does with the array, whatever the host does, name elements of it?"""
        body = self._facts.device_code.body
        elements = {access_path(n).origin for n in nodes(body) if isinstance(n, t.Index) and ty.is_arithmetic(n.type)}
        elements -= {access_path(n.operand).origin for n in nodes(body) if isinstance(n, t.Unary) and n.op == "&"}
        inside = all(name in elements for name in names_in(body).get(symbol, ()))
        return inside and symbol not in self._facts.function_symbols

    def of_run(self, run: Sequence[t.Stmt]) -> tuple[KeptRow, ...]:
        """The rows that are worth a variable: those of whose accesses less than half are left; none where there is no
        room for all.
        """
        if self._arrays.isdisjoint(symbol for item in run for symbol in symbols_in(item)):
            return ()
        changed = frozenset(symbol for item in run for symbol in changed_in(item) | declared_in(item))
        found = _Run(self._arrays, changed, self._room.row)
        for item in run:
            found.enter(item)
        rows = [row for row in found.known() if row.accesses >= 2 * (len(row.loaded) + len(row.stored))]
        held = sum(len({*row.loaded, *row.stored}) for row in rows)
        return tuple(rows) if held <= self._room.all and any(row.stored for row in rows) else ()


@dataclass(slots=True)
class _Run:
    """`unfit`: arrays of which something else is done."""

    arrays: frozenset[t.Symbol]
    changed: frozenset[t.Symbol]
    most: int
    rows: dict[_Place, KeptRow] = field(default_factory=dict)
    unfit: set[t.Symbol] = field(default_factory=set)

    def enter(self, item: t.Stmt | t.VarDecl) -> None:
        match item:
            case t.ExprStmt(expr=t.Assign(op=op, target=target, value=value)):
                self._reads(value)
                for subscript in access_path(target).subscripts:
                    self._reads(subscript)
                if access_path(target).variable in self.arrays:
                    self._access(target, reads=op != "=", writes=True)
            case t.VarDecl(init=t.Expr() as init):
                self._reads(init)
            case t.Block(items=parts) | t.DeclStmt(decls=parts):
                for part in parts:
                    self.enter(part)
            case _:
                pass

    def _reads(self, expr: t.Expr) -> None:
        match expr:
            case t.Index() if access_path(expr).variable in self.arrays:
                for subscript in access_path(expr).subscripts:
                    self._reads(subscript)
                self._access(expr, reads=True, writes=False)
            case t.Name(symbol=symbol) if symbol in self.arrays:
                self.unfit.add(symbol)  # its address, or all of it
            case _:
                for child in children(expr):
                    if isinstance(child, t.Expr):
                        self._reads(child)

    def _access(self, lvalue: t.Expr, reads: bool, writes: bool) -> None:
        path = access_path(lvalue)
        symbol, subscripts = path.variable, path.subscripts
        assert symbol is not None
        lengths = ty.constant_lengths(symbol.type) or ()
        depth = len(lengths) - _trailing(lengths, self.most)
        element = tuple(constant_value(subscript) for subscript in subscripts[depth:])
        inside = all(value is not None and 0 <= value < n for value, n in zip(element, lengths[depth:], strict=False))
        fixed = all(map(self._is_fixed, subscripts[:depth]))
        if len(subscripts) != len(lengths) or any(path.selections) or not inside or not fixed or depth == len(lengths):
            self.unfit.add(symbol)
            return
        known = tuple(value for value in element if value is not None)
        row = self.rows.setdefault((symbol, tuple(map(_split, subscripts[:depth]))), _row(lvalue, lengths[depth:]))
        if reads:
            row.read(lvalue, known)
        if writes:
            row.write(lvalue, known)

    def _is_fixed(self, subscript: t.Expr) -> bool:
        """Has it one value in all of the run? Pointers may lead to what stands in memory, and to some variables."""
        for node in walk(subscript):
            match node:
                case t.Name(symbol=symbol):
                    if symbol in self.changed or symbol.address_taken or symbol.type.quals & {"volatile", "_Atomic"}:
                        return False
                case t.IntConst() | t.Cast() | t.Binary() | t.Unary(op="-" | "+" | "~"):
                    pass
                case _:
                    return False
        return True

    def known(self) -> Iterator[KeptRow]:
        """The rows of the arrays of which all is known, and is apart."""
        for symbol in self.arrays - self.unfit:
            places = [place for place in self.rows if place[0] is symbol]
            if all(_are_apart(a, b) for a, b in combinations(places, 2)):
                yield from (self.rows[place] for place in places)


def _trailing(lengths: Sequence[int], most: int) -> int:
    """How many of the last lengths a row may have, of `most` elements, but for the first of all."""
    count, product = 0, 1
    for length in reversed(lengths[1:]):
        product *= length
        if product > most:
            break
        count += 1
    return count


def _row(lvalue: t.Expr, lengths: Sequence[int]) -> KeptRow:
    row, element = lvalue, ty.unqualified(lvalue.type)
    for _ in lengths:
        assert isinstance(row, t.Index)
        row = row.base
    return KeptRow(row, tuple(lengths), element)


def _split(subscript: t.Expr) -> tuple[str, tuple[t.Symbol, ...], int]:
    """Numbers without a sign wrap round: two sums of one may be the same for different constants."""
    kind = ty.unqualified(subscript.type)
    signed = isinstance(kind, ty.Int) and kind.signed
    base, offset = base_and_offset(subscript) if signed or constant_value(subscript) is not None else (subscript, 0)
    if base is None:
        return "", (), offset
    return c_expr(base), tuple(names_in(base)), offset


def _are_apart(a: _Place, b: _Place) -> bool:
    return any(x[:2] == y[:2] and x[2] != y[2] for x, y in zip(a[1], b[1], strict=True))


def whole(elements: Iterable[Element], lengths: Sequence[int]) -> bool:
    """Are these all elements of an array?"""
    count = 1
    for length in lengths:
        count *= length
    return len({*elements}) == count
