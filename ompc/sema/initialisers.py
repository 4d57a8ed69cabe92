"""Braced initialisers (C11 6.7.9): which object each value initialises, and how long `int a[] = {...}` is.

Braces may be left out (`int a[2][2] = {1, 2, 3, 4}`), and a designator moves the current object. Items keep the user's
designators; a positional item has none. The types of nested lists, the length of arrays and each item's place are
worked out:

    struct { int a; struct { int x, y; } p[2]; int b; } s = {.p[1].y = 1, 2};      places (1, 1, 1) and (2,)

In: the type of the object and pycparser's initialiser.   Out: a typed `Expr`, and the completed type.
"""

from __future__ import annotations

from pycparser import c_ast

from ompc.base.frozen import dataclass, field
from ompc.frontend.gnu import RANGE, IndexDesignator
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.tree import Expr, InitList, StringConst
from ompc.sema.context import Context, location
from ompc.sema.declarators import completed
from ompc.sema.records import find_member

_Path = tuple[str | int, ...]
_Place = tuple[int, ...]


def lower_initialiser(ctx: Context, t: ty.Type, node: c_ast.Node) -> tuple[Expr, ty.Type]:
    """The initialiser of an object of type `t`, and `t` with its length if the initialiser gives it one."""
    if isinstance(node, c_ast.InitList):
        init = lower_list(ctx, t, node)
        return init, init.type
    value = ctx.expression(node)
    if isinstance(t, ty.Array) and isinstance(value, StringConst) and isinstance(value.type, ty.Array):
        length = value.type.length
        return value, completed(t, length if isinstance(length, int) else 0)
    return value, t


def lower_list(ctx: Context, t: ty.Type, node: c_ast.InitList) -> InitList:
    """A braced list for an object of type `t`."""
    stream = _Stream(ctx, [n for item in node.exprs or () for n in _without_range(ctx, item)])
    length = _fill(stream, t, (), (), braced=True)
    while not stream.done:  # more values than the object holds: the compiler warned, keep them
        stream.take(ty.Unknown("excess initialiser"), ())
    string = _only_string(stream.items, t)
    return InitList(
        completed(t, string if string is not None else length),
        location(node),
        tuple(stream.items),
        tuple(stream.places),
    )


_LONGEST_RANGE = 4096


def _without_range(ctx: Context, node: c_ast.Node) -> list[c_ast.Node]:
    """`[0 ... 2] = x` (GNU) as `[0] = x, [1] = x, [2] = x`; of a long range the last element, with an opaque value."""
    first = node.name[0] if isinstance(node, c_ast.NamedInitializer) else None
    bounds = first.expr if isinstance(first, IndexDesignator) else None
    if not isinstance(bounds, c_ast.BinaryOp) or bounds.op != RANGE:
        return [node]
    low, high = (constant_value(ctx.expression(n)) for n in (bounds.left, bounds.right))
    if low is None or high is None or high - low > _LONGEST_RANGE:
        return [_designated(high or 0, node, c_ast.EllipsisParam(bounds.coord))]
    return [_designated(index, node, node.expr) for index in range(low, high + 1)]


def _designated(index: int, node: c_ast.NamedInitializer, value: c_ast.Node) -> c_ast.NamedInitializer:
    coord = node.name[0].coord
    designator = IndexDesignator(c_ast.Constant("int", str(index), coord), coord)
    return c_ast.NamedInitializer([designator, *node.name[1:]], value, coord)


def _only_string(items: list[tuple[_Path, Expr]], t: ty.Type) -> int | None:
    """`char s[] = {"text"}`: the length of the text."""
    if len(items) != 1 or not isinstance(t, ty.Array) or not ty.is_integer(t.of):
        return None
    value = items[0][1]
    if not isinstance(value, StringConst) or not isinstance(value.type, ty.Array):
        return None
    return value.type.length if isinstance(value.type.length, int) else None


@dataclass(slots=True)
class _Stream:
    """The values of one pair of braces, taken from the left."""

    ctx: Context
    nodes: list[c_ast.Node]
    position: int = 0
    items: list[tuple[_Path, Expr]] = field(default_factory=list)
    places: list[_Place] = field(default_factory=list)
    peeked: Expr | None = None

    @property
    def done(self) -> bool:
        return self.position >= len(self.nodes)

    def designators(self) -> _Path:
        """The designators of the next value; () when it has none."""
        node = self.nodes[self.position]
        return tuple(self._designator(d) for d in node.name) if isinstance(node, c_ast.NamedInitializer) else ()

    def _designator(self, node: c_ast.Node) -> str | int:
        if isinstance(node, c_ast.ID):
            return str(node.name)
        index = constant_value(self.ctx.expression(node.expr if isinstance(node, IndexDesignator) else node))
        return index or 0

    def value_node(self) -> c_ast.Node:
        node = self.nodes[self.position]
        return node.expr if isinstance(node, c_ast.NamedInitializer) else node

    def peek(self) -> Expr | None:
        """The next value lowered; None for a nested list."""
        node = self.value_node()
        if self.peeked is None and not isinstance(node, c_ast.InitList):
            self.peeked = self.ctx.expression(node)
        return self.peeked

    def take(self, t: ty.Type, place: _Place) -> None:
        """The next value initialises an object of type `t`."""
        value = self.peek()
        path = self.designators()
        self.items.append((path, value if value is not None else lower_list(self.ctx, t, self.value_node())))
        self.places.append(place)
        self.position += 1
        self.peeked = None


def _fill(stream: _Stream, t: ty.Type, path: _Path, place: _Place, braced: bool) -> int:
    """Initialise the aggregate at `place` from the stream, starting at the member that `path` designates; the number
    of elements met.

    Without braces of its own (`braced` false) it ends when it is full or a designator follows.
    """
    members = _members(t)
    index, longest = 0, 0
    while not stream.done:
        if not path and stream.designators():
            if not braced:
                return longest
            path = stream.designators()
        if path:
            index = _position(t, path[0])
        elif (members is not None and index >= len(members)) or (
            isinstance(t, ty.Array) and isinstance(t.length, int) and index >= t.length
        ):
            return longest
        member = _member_type(t, index)
        _fill_member(stream, member, path if path and _is_anonymous(t, index) else path[1:], (*place, index))
        path = ()
        index += 1
        longest = max(longest, index)
        if isinstance(t, ty.Struct) and t.record.kind == "union" and not braced:
            return longest
    return longest


def _fill_member(stream: _Stream, t: ty.Type, path: _Path, place: _Place) -> None:
    before = stream.position
    if path and isinstance(t, (ty.Array, ty.Struct)):
        _fill(stream, t, path, place, braced=False)
    elif _takes_whole(stream, t):
        stream.take(t, place)
    else:
        _fill(stream, t, (), place, braced=False)
    if stream.position == before:  # an object of no size holds nothing: the value must still be taken
        stream.take(t, place)


def _takes_whole(stream: _Stream, t: ty.Type) -> bool:
    """Does the next value initialise the whole object, or (braces left out) its first member?"""
    value = stream.peek()
    if value is None or not isinstance(t, (ty.Array, ty.Struct)):
        return True
    if isinstance(t, ty.Array):
        return isinstance(value, StringConst) and ty.is_integer(t.of)
    same = isinstance(value.type, ty.Struct) and value.type.record is t.record
    return same or not t.record.fields or isinstance(value.type, ty.Unknown)


def _members(t: ty.Type) -> tuple[ty.Field, ...] | None:
    """The members of a record; of a union only the first can be positional."""
    if not isinstance(t, ty.Struct):
        return None
    fields = t.record.fields or ()
    return fields[:1] if t.record.kind == "union" else fields


def _position(t: ty.Type, designator: str | int) -> int:
    if isinstance(designator, int):
        return designator
    found = find_member(t.record, designator) if isinstance(t, ty.Struct) else None
    return t.record.fields.index(found[0]) if found and isinstance(t, ty.Struct) and t.record.fields else 0


def _is_anonymous(t: ty.Type, index: int) -> bool:
    """Is the member at `index` an anonymous struct or union? A designator names what is inside."""
    return isinstance(t, ty.Struct) and bool(t.record.fields) and (t.record.fields or ())[index].name is None


def _member_type(t: ty.Type, index: int) -> ty.Type:
    if isinstance(t, ty.Array):
        return t.of
    if isinstance(t, ty.Struct) and t.record.fields and index < len(t.record.fields):
        return t.record.fields[index].type
    return t
