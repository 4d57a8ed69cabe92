"""Access paths: where an lvalue leads, as what it starts from and the steps from there to what it designates.

    s.rows[i].x         the variable s; .rows [i] .x
    p->x, (*p).x        what p points to; [0] .x
    *(p + i), p[i]      what p points to; [i]
    *a                  the variable a, an array; [0]
    t[i].rows[k][j]     what t[i].rows points to; [k] [j]

All that lies behind the last pointer is one path, since only pointers lead from object to object. The pointer is an
expression: an lvalue with a path of its own, or a value that is computed from others (`sources`).

    In: an lvalue.   Out: its AccessPath.
    Not here: what pointers lead to -- analysis/memory/points_to.py, analysis/host/host_pointers.py.
    Source: access paths as in Landi and Ryder, "A Safe Approximate Algorithm for Interprocedural Pointer Aliasing",
    PLDI 1992; subscripts as C11 6.5.2.1 defines them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.walk import Node

_KEPT = 1 << 15
"""How many paths are kept: those of all that is in a file, which each rewrite asks for again."""


@dataclass(frozen=True, slots=True)
class Subscript:
    """Element `index` of `whole`: of an array, or counted from where a pointer points; `type`: the element's."""

    whole: ty.Type
    index: t.Expr
    type: ty.Type

    @property
    def is_inside(self) -> bool:
        """Is it certainly an element of an array that is accessed by its name?"""
        length = self.whole.length if isinstance(self.whole, ty.Array) else None
        return isinstance(length, int) and constant_value(self.index) in range(length)


@dataclass(frozen=True, slots=True)
class Selection:
    """The `member` of a struct or union of type `whole`."""

    whole: ty.Type
    member: ty.Field

    @property
    def type(self) -> ty.Type:
        return self.member.type

    @property
    def record(self) -> ty.Record | None:
        """None: a type that is not known."""
        return self.whole.record if isinstance(self.whole, ty.Struct) else None


Step: TypeAlias = Subscript | Selection


@dataclass(frozen=True, slots=True)
class AccessPath:
    """`steps` from `origin`, outermost first; `follows`: from what it points to, and then the first is a subscript.

    An origin that is not followed is a variable, or a value without a name, such as a call's.
    """

    origin: t.Expr
    follows: bool
    steps: tuple[Step, ...] = ()

    @property
    def variable(self) -> t.Symbol | None:
        """The variable of which the object is all or a part; None: a pointer leads there, or it has no name."""
        return self.origin.symbol if not self.follows and isinstance(self.origin, t.Name) else None

    @property
    def subscripts(self) -> tuple[t.Expr, ...]:
        return tuple(step.index for step in self.steps if isinstance(step, Subscript))

    @property
    def leading_subscripts(self) -> tuple[t.Expr, ...]:
        """Those before the first member, which select the element; what follows stays inside of it."""
        found: list[t.Expr] = []
        for step in self.steps:
            if isinstance(step, Selection):
                break
            found.append(step.index)
        return tuple(found)

    @property
    def selections(self) -> Iterator[Selection]:
        return (step for step in self.steps if isinstance(step, Selection))

    @property
    def holder(self) -> Selection | None:
        """The member that the object is, or of which it is an element; None: it is, or is an element of, the origin."""
        return next((step for step in reversed(self.steps) if isinstance(step, Selection)), None)


@lru_cache(maxsize=_KEPT)
def access_path(lvalue: t.Expr) -> AccessPath:
    match lvalue:
        case t.Index(base=base, index=index):
            return _element(base, index, lvalue.type)
        case t.Member(base=base, member=member, arrow=True):
            pointer = ty.decayed(base.type)
            record = pointer.to if isinstance(pointer, ty.Pointer) else pointer
            return _longer(_first(base, lvalue, record), Selection(record, member))
        case t.Member(base=base, member=member):
            return _longer(access_path(base), Selection(base.type, member))
        case t.Unary(op="*", operand=operand):
            return _first(operand, lvalue, lvalue.type)
        case _:
            return AccessPath(lvalue, follows=False)


def _first(pointer: t.Expr, lvalue: t.Expr, kind: ty.Type) -> AccessPath:
    """Where `*pointer` leads. `*(a + i)` of an array counts on from a pointer, as it may be meant to leave a row."""
    if isinstance(pointer, t.Binary) and pointer.op == "+":
        base, index = pointer_and_number(pointer)
        if isinstance(base.type, ty.Pointer):
            return _element(base, index, kind)
    return _element(pointer, t.IntConst(ty.INT, lvalue.loc, 0, "0"), kind)


def _element(base: t.Expr, index: t.Expr, kind: ty.Type) -> AccessPath:
    path = access_path(base) if isinstance(base.type, ty.Array) else AccessPath(base, follows=True)
    return _longer(path, Subscript(base.type, index, kind))


def _longer(path: AccessPath, step: Step) -> AccessPath:
    return AccessPath(path.origin, path.follows, (*path.steps, step))


def object_of(lvalue: t.Expr) -> t.Symbol | None:
    """The variable that an lvalue is, or is a part of: `s` of `s.rows[i].x`; None: a pointer leads there."""
    return access_path(lvalue).variable


def follows_pointer(node: Node) -> bool:
    """Is it an lvalue behind a pointer that it follows itself?"""
    match node:
        case t.Index(base=base) | t.Unary(op="*", operand=base):
            return not isinstance(base.type, ty.Array)
        case t.Member(arrow=arrow):
            return arrow
        case _:
            return False


# ------------------------------------------------------------------------------------------------ pointers


def pointer_and_number(moved: t.Binary) -> tuple[t.Expr, t.Expr]:
    """The pointer, or the array, of a pointer `p + i`, `i + p` or `p - i`; and the number."""
    is_first = isinstance(ty.decayed(moved.left.type), ty.Pointer)
    return (moved.left, moved.right) if is_first else (moved.right, moved.left)


def sources(pointer: t.Expr) -> tuple[t.Expr, ...]:
    """The pointers, or arrays, of which the value of `pointer` is one, or from which it has moved inside an object."""
    match pointer:
        case t.Binary(op="+" | "-", type=ty.Pointer()):
            return (pointer_and_number(pointer)[0],)
        case t.IncDec(operand=source) | t.Assign(target=source) | t.Comma(right=source):
            return (source,)
        case t.Conditional(then=then, other=other):
            return then, other
        case t.Cast(operand=source) if isinstance(ty.decayed(source.type), ty.Pointer):
            return (source,)
        case _:
            return ()


def base_symbols(e: t.Expr) -> frozenset[t.Symbol]:
    """The variables with which the ways to an lvalue, or to what a pointer points to, begin.

    `p` of `p->rows[i]` and of `*(p + i)`; `a` and `p` of `c ? &a[i] : p`.
    """
    match e:
        case t.Name(symbol=symbol):
            return frozenset({symbol})
        case t.Unary(op="&", operand=inner) | t.Cast(operand=inner):
            return base_symbols(inner)
        case t.Index() | t.Member() | t.Unary(op="*"):
            return base_symbols(access_path(e).origin)
        case _:
            return frozenset[t.Symbol]().union(*map(base_symbols, sources(e)))
