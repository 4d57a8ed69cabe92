"""Plan: a pointer that keeps its value is put in the place of its name.

    double *row = a + i * m;    row[j] = 0;  *row = 1;  f(row);          a[i * m + j] = 0;  a[i * m] = 1;  f(a + i * m);
    double *row = &t[i][0];     row[j] = 0;                              t[i][0 + j] = 0;
    struct cell *c = cells + i; c->mass = 1;                             cells[i].mass = 1;

So an access has subscripts over what is outside of the loop. Subscripts are added up as the pointer's arithmetic does
it: in 64 bits.

    In: a block that declares, or assigns, the pointers; their values.   Out: the block without them.
    Not here: whether they keep their values -- sinking.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node


def with_pointers(block: t.Block, pointers: Mapping[t.Symbol, t.Expr]) -> t.Block | None:
    """`block` with the values of `pointers`; None: one of them is of another type than its value."""
    if any(not _is_alike(symbol.type, value.type) for symbol, value in pointers.items()):
        return None
    return _Substitution(pointers).within(without_values(block, pointers))


def _is_alike(kind: ty.Type, value: ty.Type) -> bool:
    value = ty.decayed(value)
    if not isinstance(kind, ty.Pointer) or not isinstance(value, ty.Pointer) or ty.is_variably_modified(kind):
        return False
    return ty.unqualified(kind.to) == ty.unqualified(value.to) and not isinstance(kind.to, ty.Void)


def without_values(block: t.Block, given: Collection[t.Symbol]) -> t.Block:
    """`block` without the statements that give these variables their values."""
    return t.Block(block.loc, tuple(kept for item in block.items if (kept := _without(item, given)) is not None))


def _without(item: t.Stmt, given: Collection[t.Symbol]) -> t.Stmt | None:
    match item:
        case t.DeclStmt(decls=decls):
            left = tuple(decl for decl in decls if decl.symbol not in given)
            return (t.DeclStmt(item.loc, left) if left else None) if len(left) < len(decls) else item
        case t.ExprStmt(expr=t.Assign(target=t.Name(symbol=symbol))) if symbol in given:
            return None
        case _:
            return item


class _Substitution:
    def __init__(self, pointers: Mapping[t.Symbol, t.Expr]) -> None:
        self._pointers = pointers

    def within(self, block: t.Block) -> t.Block:
        return rewritten(block, self._change)

    def _change(self, node: Node) -> Node | None:
        match node:
            case t.Index(base=base, index=index) if self._has(base):
                return self._element(self._value(base), rewritten(index, self._change), node)
            case t.Unary(op="*", operand=base) if self._has(base):
                return self._element(self._value(base), None, node)
            case t.Member(base=base, arrow=True, member=member) if self._has(base):
                whole = self._target(base)
                return t.Member(node.type, node.loc, self._element(self._value(base), None, whole), member, False)
            case t.Name(symbol=symbol) if symbol in self._pointers:
                return self._value(node)
            case _:
                return None

    def _has(self, base: t.Expr) -> bool:
        return any(isinstance(part, t.Name) and part.symbol in self._pointers for part in _spine(base))

    def _value(self, pointer: t.Expr) -> t.Expr:
        """The pointer's value over names that are outside of the block, a copy of its own."""

        def change(part: Node) -> Node | None:
            if isinstance(part, t.Name) and part.symbol in self._pointers:
                return rewritten(copied(self._pointers[part.symbol]), change)
            return None

        return rewritten(copied(pointer), change)

    @staticmethod
    def _target(base: t.Expr) -> t.Expr:
        kind = ty.decayed(base.type)
        assert isinstance(kind, ty.Pointer)
        return t.Unary(kind.to, base.loc, "*", base)

    def _element(self, pointer: t.Expr, index: t.Expr | None, like: t.Expr) -> t.Expr:
        """The element `index` behind the pointer, of the type of `like`: sums of pointers become sums of subscripts."""
        match pointer:
            case t.Binary(op="+", left=left, right=right) if isinstance(ty.decayed(left.type), ty.Pointer):
                return self._element(left, _sum(right, index), like)
            case t.Binary(op="+", left=left, right=right):
                return self._element(right, _sum(left, index), like)
            case t.Unary(op="&", operand=t.Index(base=base, index=first)):
                return self._element(base, _sum(first, index), like)
            case _:
                zero = t.IntConst(ty.INT, like.loc, 0, "0")
                return t.Index(like.type, like.loc, pointer, zero if index is None else index)


def _spine(pointer: t.Expr) -> tuple[Node, ...]:
    """What the address comes from: the operands of sums, without subscripts."""
    match pointer:
        case t.Binary(op="+", left=left, right=right):
            return _spine(left if isinstance(ty.decayed(left.type), ty.Pointer) else right)
        case _:
            return (pointer,)


def _sum(first: t.Expr, second: t.Expr | None) -> t.Expr:
    if second is None or constant_value(second) == 0:
        return first
    if constant_value(first) == 0:
        return second
    wide = [part if _is_wide(part) else t.Cast(ty.LONG, part.loc, part) for part in (first, second)]
    kind = ty.ULONG if any(part.type == ty.ULONG for part in wide) else ty.LONG
    return t.Binary(kind, first.loc, "+", wide[0], wide[1])


def _is_wide(part: t.Expr) -> bool:
    return isinstance(part.type, ty.Int) and part.type.size == 8
