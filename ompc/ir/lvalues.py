"""Walk: the lvalues that code reads and writes, in the order of the text.

    s += u[i][j]            readwrite s; read u[i][j], i, j
    p->x = *q++             write p->x; read p; read *q; readwrite q
    &a[i], sizeof(*p)       read i; nothing: the operand of sizeof is not evaluated

An array that only decays to a pointer is no lvalue that is read, nor are the characters of a string constant.

    In: expressions whose values are used.   Out: calls of `access`.
    Not here: whether an operand is evaluated -- `sometimes`; statements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import access_path
from ompc.ir.walk import children


class Mode(Enum):
    READ = "read"
    WRITE = "write"
    UPDATE = "readwrite"

    @property
    def reads(self) -> bool:
        return self is not Mode.WRITE

    @property
    def writes(self) -> bool:
        return self is not Mode.READ


class LvalueWalk(ABC):
    """What is done with each lvalue is said by those who inherit from it."""

    @abstractmethod
    def access(self, node: t.Expr, mode: Mode, value: t.Expr | None) -> None:
        """`node` is read or written; `value`: what a plain assignment stores."""

    def sometimes(self, node: t.Expr, *operands: t.Expr) -> None:
        """The operands of `node` that are evaluated only if another one says so."""
        for operand in operands:
            self.read(operand)

    def read(self, node: t.Expr) -> None:
        """An expression whose value is used."""
        match node:
            case t.Name() | t.Index() | t.Member() | t.Unary(op="*"):
                self._lvalue(node, Mode.READ)
            case t.Assign(op="=", target=target, value=value):
                self._lvalue(target, Mode.WRITE, value)
                self.read(value)
            case t.Assign(target=target, value=value):
                self._lvalue(target, Mode.UPDATE)
                self.read(value)
            case t.IncDec(operand=operand):
                self._lvalue(operand, Mode.UPDATE)
            case t.Unary(op="&", operand=operand):
                self._operands(operand)
            case t.Conditional(condition=condition, then=then, other=other):
                self.read(condition)
                self.sometimes(node, then, other)
            case t.Binary(op="&&" | "||", left=left, right=right):
                self.read(left)
                self.sometimes(node, right)
            case t.Sizeof():
                pass
            case t.Call(args=args):
                for argument in args:
                    self.read(argument)
            case _:
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self.read(child)

    def _lvalue(self, node: t.Expr, mode: Mode, value: t.Expr | None = None) -> None:
        of_text = isinstance(node, t.Index) and isinstance(node.base, t.StringConst)
        if not of_text and not isinstance(node.type, (ty.Array, ty.Function)):
            self.access(node, mode, value)
        self._operands(node)

    def _operands(self, node: t.Expr) -> None:
        """What is evaluated to find the object that the lvalue `node` designates."""
        path = access_path(node)
        if path.follows or not isinstance(path.origin, (t.Name, t.StringConst)):
            self.read(path.origin)
        for subscript in path.subscripts:
            self.read(subscript)
