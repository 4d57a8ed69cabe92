"""Places in objects with rows of variable length: what a name stands for, how long rows are, which element is meant.

double (*x)[n];     (x + 1)[j][i], *(x[j + 1] + i)       x[1 + j][i]: an element of an object that keeps its type
double (*q)[n] = x + k;                                  q[j][i] is x[k + j][i], as long as `q` keeps its value

In: expressions, the lengths that were noted.   Out: places, lengths.
Not here: what is said by numbers of elements -- flat_rows.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import target_of
from ompc.ir.rewrite import rewritten, with_parts
from ompc.ir.walk import Node, walk
from ompc.transform.rows.row_shapes import (
    NoFlatRows,
    Shape,
    as_factor,
    as_long,
    element_of_rows,
    is_equal,
    is_kept,
    is_of_rows,
    is_stable,
    lengths_written,
    rows_of,
)


@dataclass(frozen=True, slots=True)
class Place:
    """An element, or a row, of an object that keeps its type: `root[subscripts]`, or what is `offset` rows behind."""

    root: t.Symbol
    subscripts: tuple[t.Expr, ...] = ()
    offset: t.Expr | None = None

    def behind(self, index: t.Expr) -> t.Expr:
        """The subscript `index` counted from here."""
        return index if self.offset is None else sum_of(self.offset, index)


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What is known around the code.

    `assigned`: the variables that some code of the kernel assigns; `ambiguous`: those that share their names. `known`:
    may a length that was declared outside name the variable? `parameters`: the types of those of functions that get no
    pointers to rows any more.
    """

    assigned: frozenset[t.Symbol]
    ambiguous: frozenset[t.Symbol]
    known: Callable[[t.Symbol], bool]
    parameters: Mapping[t.Symbol, tuple[ty.Type, ...]]
    free_name: Callable[[str], str]

    @cached_property
    def assigned_beside(self) -> frozenset[t.Symbol]:
        """What cannot be relied on in a block, whatever that assigns: functions assign variables of the file."""
        return self.ambiguous | {symbol for symbol in self.assigned if not symbol.is_automatic}


class Places(ABC):
    """Of the code of one function or iteration; `own`: the variables that it declares."""

    def __init__(self, around: Surroundings, own: Collection[t.Symbol]) -> None:
        self._around = around
        self._own = own
        self._assigned = around.assigned | around.ambiguous
        self._shapes: dict[t.Symbol, Shape] = {}
        self._flat: dict[t.Symbol, t.Symbol] = {}
        self._before: dict[t.Symbol, t.Symbol] = {}  # what the code assigns and hides is the pointer to rows
        self._views: dict[t.Symbol, Place | t.Expr] = {}
        self._noted = set[t.Symbol]()  # lengths that were declared here

    @abstractmethod
    def _change(self, node: Node) -> Node | None:
        """What becomes of subscripts and counts of rows."""

    def _shape(self, node: t.Expr) -> Shape:
        """The lengths of the rows that a pointer points to."""
        match node:
            case t.Name(symbol=symbol) if symbol in self._shapes:
                return self._shapes[symbol]
            case t.Name(symbol=symbol):
                lengths = self._known_lengths(symbol)
                if lengths is not None:
                    return lengths
            case t.Index() | t.Unary(op="*") if is_of_rows(base_of(node).type):
                return self._shape(base_of(node))[1:]
            case t.Unary(op="&", operand=t.Index() | t.Unary(op="*") as row) if is_of_rows(base_of(row).type):
                return self._shape(base_of(row))
            case t.Binary(left=left, right=right):
                return self._shape(left if rows_of(left.type) is not None else right)
            case t.Cast(type=kind):
                return lengths_written(kind)
            case t.Conditional(then=then, other=other):
                return self._shape(then if rows_of(then.type) is not None else other)
            case t.Comma(right=right):
                return self._shape(right)
            case _:
                target = target_of(node)
                if target is not None:
                    return self._shape(target)
        raise NoFlatRows

    def _place(self, node: t.Expr) -> Place | None:
        """The place of an expression in an object that keeps its type; of a pointer, the place that it points to."""
        match node:
            case t.Name(symbol=symbol):
                view = self._views.get(symbol)
                if view is not None or symbol in self._flat:
                    return view if isinstance(view, Place) else None
                return Place(symbol) if is_of_rows(symbol.type) else None
            case t.Index() | t.Unary(op="*") if is_of_rows(base_of(node).type):
                place = self._place(base_of(node))
                zero: t.Expr = t.IntConst(ty.INT, node.loc, 0, "0")
                if place is None:
                    return None
                index = place.behind(rewritten(node.index, self._change) if isinstance(node, t.Index) else zero)
                return Place(place.root, (*place.subscripts, index))
            case t.Unary(op="&", operand=t.Index() | t.Unary(op="*") as row) if rows_of(node.type) is not None:
                place = self._place(row)
                return place and Place(place.root, place.subscripts[:-1], place.subscripts[-1])
            case t.Binary(op="+" | "-" as op, left=left, right=right) if rows_of(node.type) is not None:
                pointer, count = (left, right) if rows_of(left.type) is not None else (right, left)
                place = self._place(pointer)
                if place is None:
                    return None
                ahead: t.Expr = rewritten(count, self._change)
                if op == "-":
                    ahead = t.Unary(ty.LONG, ahead.loc, "-", as_long(ahead, ahead.loc))
                return replace(place, offset=place.behind(ahead))
            case _:
                return None

    def _is_by_name(self, node: t.Expr) -> bool:
        """Is it an element of an object that keeps its type, by nothing but subscripts?"""
        while isinstance(node, t.Index):
            node = node.base
        return isinstance(node, t.Name) and node.symbol not in self._views and node.symbol not in self._flat

    def _same(self, node: t.Expr) -> t.Expr:
        if not isinstance(node, t.Index):
            return node
        return with_parts(node, base=self._same(node.base), index=rewritten(node.index, self._change))

    def _of_place(self, node: t.Expr, place: Place) -> t.Expr:
        """An element of an object, or a row of elements, by the object's name."""
        made: t.Expr = t.Name(place.root.type, node.loc, place.root)
        for index in place.subscripts:
            kind = ty.decayed(made.type)
            assert isinstance(kind, ty.Pointer)
            made = t.Index(kind.to, node.loc, made, index)
        return made

    def _is_like(self, place: Place, symbol: t.Symbol) -> bool:
        """Does the place lie still, and has the pointer the type that a pointer to it has?"""
        parts = (*place.subscripts, *((place.offset,) if place.offset is not None else ()))
        if not self._lies_still(place.root) or not all(is_stable(part, self._assigned) for part in parts):
            return False
        lengths = self._known_lengths(place.root)
        left = () if lengths is None else lengths[len(place.subscripts) :]
        wanted = self._shapes[symbol]
        elements = (ty.unqualified(element_of_rows(kind)) for kind in (place.root.type, symbol.type))
        same = len(left) == len(wanted) and all(is_equal(a, b) for a, b in zip(left, wanted, strict=True))
        return same and len(set(elements)) == 1

    def _lies_still(self, symbol: t.Symbol) -> bool:
        """Does the name stand for one address in all of the code?"""
        symbol = self._before.get(symbol, symbol)
        if isinstance(symbol.type, ty.Array):
            return symbol not in self._assigned
        return isinstance(symbol.type, ty.Pointer) and is_kept(symbol, self._assigned)

    def _known_lengths(self, symbol: t.Symbol) -> Shape | None:
        """Of an object that keeps its type: what the code can compute as the declaration did; else None."""
        if rows_of(symbol.type) is None:
            return None
        lengths = lengths_written(symbol.type)
        return lengths if all(isinstance(n, int) or self._is_known(n) for n in lengths) else None

    def _is_known(self, length: t.Expr) -> bool:
        named = (node.symbol for node in walk(length) if isinstance(node, t.Name))
        always = is_stable(length, self._around.assigned | self._around.ambiguous)  # also where it was declared
        return always and all(s in self._own or self._around.known(s) for s in named)


def base_of(node: t.Expr) -> t.Expr:
    """The pointer of an element."""
    assert isinstance(node, (t.Index, t.Unary))
    return node.base if isinstance(node, t.Index) else node.operand


def sum_of(first: t.Expr, second: t.Expr) -> t.Expr:
    if constant_value(first) == 0:
        return second
    if constant_value(second) == 0:
        return first
    return t.Binary(ty.LONG, first.loc, "+", as_long(first, first.loc), as_factor(second, second.loc))
