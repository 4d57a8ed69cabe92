"""Expressions that have objects of their own: GNU statement expressions and compound literals (C11 6.5.2.5).

Where the values are simple, the object becomes a variable that is declared in front of the statement and assigned where
the expression is evaluated:

    r = ({ int a = (x), b = (y); a > b ? a : b; });    int a_1, b_1;  r = (a_1 = x, b_1 = y, a_1 > b_1 ? a_1 : b_1);
    f((int[]){i, 2});                                  int l[2];  f((l[0] = i, l[1] = 2, l));
    u = (union word){.f = x};                          union word l;  u = (l = (union word){}, l.f = x, l);

C++17 has no initialiser for a later member of a union.

`({ if (c) ; else f(); })` is what glibc's assert expands to; it is a conditional expression. Everything else is opaque.

In: pycparser's nodes.   Out: tree.Expr, and variables in `Context.hoisted`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pycparser import c_ast

from ompc.base.source import Location
from ompc.ir import conversions
from ompc.ir import types as ty
from ompc.ir.rewrite import copied
from ompc.ir.tree import (
    Assign,
    Cast,
    Comma,
    CompoundLiteral,
    Conditional,
    Expr,
    Index,
    InitList,
    IntConst,
    Member,
    Name,
    StringConst,
    Symbol,
    Unary,
)
from ompc.sema.context import Context, location, named_in, opaque
from ompc.sema.declarators import lower_type
from ompc.sema.initial_parts import Part, has_later_union_member, initial_parts, part_type
from ompc.sema.initialisers import lower_initialiser

_MOST_ELEMENTS = 64
"""The most elements of an array that is assigned element by element."""


def lower_statement_expression(ctx: Context, node: c_ast.Compound) -> Expr:
    items = node.block_items or []
    lowered: Expr | None = None
    if len(items) == 1 and isinstance(items[0], c_ast.If):
        lowered = _alternatives(ctx, items[0])
    elif ctx.function is not None and items and _are_values(items):
        lowered = _values(ctx, items)
    return _opaque_statements(ctx, node) if lowered is None else lowered


# ------------------------------------------------------- declarations followed by a value

_VALUES = (
    c_ast.ID,
    c_ast.Constant,
    c_ast.BinaryOp,
    c_ast.UnaryOp,
    c_ast.ArrayRef,
    c_ast.StructRef,
    c_ast.Assignment,
    c_ast.FuncCall,
    c_ast.Cast,
    c_ast.TernaryOp,
    c_ast.ExprList,
    c_ast.Compound,
)


def _are_values(items: list[c_ast.Node]) -> bool:
    *first, last = items
    return isinstance(last, _VALUES) and all(
        isinstance(item, _VALUES)
        or (isinstance(item, c_ast.Decl) and item.name and not item.storage and not item.align)
        for item in first
    )


def _values(ctx: Context, items: list[c_ast.Node]) -> Expr | None:
    """The items from left to right as one expression; None where a variable is more than a single value."""
    result: Expr | None = None
    with ctx.block() as scope:
        for item in items:
            if not isinstance(item, c_ast.Decl):
                result = _then(result, ctx.expression(item))
                continue
            t = ty.unqualified(lower_type(ctx, item.type))
            if not ty.is_scalar(t) and not ty.has_parts(t):
                return None
            symbol = scope.names[item.name] = ctx.hoist(item.name, t, location(item))
            if item.init is not None:
                result = _then(result, _assignment(symbol, lower_initialiser(ctx, t, item.init)[0]))
    return result


def _assignment(symbol: Symbol, value: Expr) -> Expr:
    if isinstance(value, InitList):
        value = CompoundLiteral(value.type, value.loc, value)
    return Assign(symbol.type, value.loc, "=", Name(symbol.type, value.loc, symbol), value)


def _then(left: Expr | None, right: Expr) -> Expr:
    return right if left is None else Comma(conversions.rvalue(right.type), left.loc, left, right)


# ------------------------------------------------------------------- compound literals


def lower_literal(ctx: Context, init: InitList, loc: Location) -> Expr:
    """A compound literal, or the variable that it becomes."""
    literal = _array_literal(ctx, init, loc) or _union_literal(ctx, init, loc)
    return CompoundLiteral(init.type, loc, init) if literal is None else literal


def _union_literal(ctx: Context, init: InitList, loc: Location) -> Expr | None:
    """`(union word){.f = x}` as a variable that is cleared, assigned and then named; None where C++ has the literal,
    or a part cannot be assigned.
    """
    kind, parts = ty.unqualified(init.type), initial_parts(init)
    if ctx.function is None or not isinstance(kind, ty.Struct) or not has_later_union_member(parts, kind):
        return None
    if not _can_be_assigned(kind):
        return None
    symbol = ctx.hoist("literal", kind, loc)
    values = list(_values_of(parts, Name(kind, loc, symbol)))
    if len(values) > _MOST_ELEMENTS or any(isinstance(value, StringConst) for _, value in values):
        ctx.hoisted.pop()
        return None
    cleared = CompoundLiteral(kind, loc, InitList(kind, loc, (), ()))
    result: Expr = Assign(kind, loc, "=", Name(kind, loc, symbol), cleared)
    for place, value in values:
        result = _then(result, Assign(ty.unqualified(place.type), loc, "=", place, value))
    return Comma(kind, loc, result, Name(kind, loc, symbol))


def _can_be_assigned(kind: ty.Type) -> bool:
    """Has it no constant member?"""
    match kind:
        case ty.Array(of=of):
            return _can_be_assigned(of)
        case ty.Struct(record=record):
            return "const" not in kind.quals and all(_can_be_assigned(each.type) for each in record.fields or ())
        case _:
            return not kind.quals & {"const", "volatile"}


def _values_of(part: Part, place: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The places in `place` that have a value, with it."""
    if isinstance(part, Expr):
        yield copied(place), part
        return
    for index, inner in part.items():
        kind = part_type(place.type, index)
        match place.type:
            case ty.Struct(record=record):
                yield from _values_of(inner, Member(kind, place.loc, place, (record.fields or ())[index], False))
            case ty.Array():
                yield from _values_of(inner, Index(kind, place.loc, place, _index(index, place.loc)))
            case _:
                yield from _values_of(inner, place)  # a number in braces


def _array_literal(ctx: Context, init: InitList, loc: Location) -> Expr | None:
    """`(int[]){i, 2}` as a variable that is assigned and then named; None where it is too large or too involved."""
    kind = init.type
    if ctx.function is None or not isinstance(kind, ty.Array) or not isinstance(kind.length, int):
        return None
    if not 0 < kind.length <= _MOST_ELEMENTS or not (ty.is_scalar(kind.of) or ty.is_number(kind.of)):
        return None
    parts = initial_parts(init)
    if not all(0 <= index < kind.length and isinstance(part, Expr) for index, part in parts.items()):
        return None
    element = ty.unqualified(kind.of)
    symbol = ctx.hoist("literal", ty.Array(element, kind.length), loc)
    symbol.address_taken = True
    result: Expr | None = None
    for index in range(kind.length):
        place = Index(element, loc, Name(symbol.type, loc, symbol), _index(index, loc))
        result = _then(result, Assign(element, loc, "=", place, _part(parts, index, loc)))
    assert result is not None
    return Comma(symbol.type, loc, result, Name(symbol.type, loc, symbol))  # an array, as the literal is


def _index(value: int, loc: Location) -> IntConst:
    return IntConst(ty.INT, loc, value, str(value))


def _part(parts: Mapping[int, Part], index: int, loc: Location) -> Expr:
    part = parts.get(index)
    return part if isinstance(part, Expr) else _index(0, loc)


def address_of_literal(ctx: Context, literal: Expr) -> Expr | None:
    """`&(struct point){1, 2}` as a variable that is assigned and its address; None of what is no literal."""
    match literal:
        case Comma(left=left, right=Name(symbol=symbol) as named) if any(symbol is own.symbol for own in ctx.hoisted):
            symbol.address_taken = True
            return _then(left, Unary(ty.Pointer(named.type), literal.loc, "&", named))
        case CompoundLiteral():
            return _address_of_value(ctx, literal)
        case _:
            return None


def _address_of_value(ctx: Context, literal: CompoundLiteral) -> Expr | None:
    if ctx.function is None or isinstance(literal.type, (ty.Array, ty.Unknown)):
        return None
    symbol = ctx.hoist("literal", ty.unqualified(literal.type), literal.loc)
    symbol.address_taken = True
    stored, named = (Name(symbol.type, literal.loc, symbol) for _ in range(2))
    address = Unary(ty.Pointer(literal.type), literal.loc, "&", named)
    return _then(Assign(symbol.type, literal.loc, "=", stored, literal), address)


# ------------------------------------------------------------------- the rest


def _alternatives(ctx: Context, branch: c_ast.If) -> Expr | None:
    loc = location(branch)
    arms = [_arm(ctx, arm, loc) for arm in (branch.iftrue, branch.iffalse)]
    if arms[0] is None or arms[1] is None:
        return None
    return Conditional(ty.VOID, loc, ctx.expression(branch.cond), arms[0], arms[1])


def _opaque_statements(ctx: Context, node: c_ast.Node) -> Expr:
    """Nothing in it is lowered, so whatever it names may be changed, or kept by address."""
    for symbol in named_in(ctx, node)[0]:
        symbol.address_taken = True
    return opaque(node, "a statement expression")


def _arm(ctx: Context, node: c_ast.Node | None, loc: Location) -> Expr | None:
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return Cast(ty.VOID, loc, IntConst(ty.INT, loc, 0, "0"))
    if not isinstance(
        node, (c_ast.FuncCall, c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp, c_ast.Assignment)
    ):
        return None
    value = ctx.expression(node)
    return value if isinstance(value.type, ty.Void) else Cast(ty.VOID, loc, value)
