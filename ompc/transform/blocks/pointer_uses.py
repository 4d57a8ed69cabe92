"""What statements do with the pointer to a block: free it, ask whether it is there, forget it.

    free(t);  if (t) { free(t); t = NULL; }         ends: nothing but to free the block, and to forget it
    t == NULL   !t   0 != t                         test: of a block that is there, known
    if (t == NULL) exit(1);  t && n > 0             Rewriting: without tests, with an array in the place of the pointer

    In: a statement, the pointer.   Out: what it does; the statement for an array.
    Not here: which blocks become arrays -- scratch_blocks.py.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import changed_by, parts_of_comma
from ompc.ir.rewrite import rewritten, with_parts
from ompc.ir.walk import Node


def called(call: t.Call) -> str:
    return call.function.symbol.name if isinstance(call.function, t.Name) else ""


def _is_null(e: t.Expr) -> bool:
    while isinstance(e, t.Cast):
        e = e.operand
    return isinstance(e, t.IntConst) and e.value == 0


def is_pointer(e: t.Expr, pointer: t.Symbol) -> bool:
    while isinstance(e, t.Cast) and isinstance(e.type, ty.Pointer):
        e = e.operand
    return isinstance(e, t.Name) and e.symbol is pointer


def sets_null(e: Node, pointer: t.Symbol) -> bool:
    return isinstance(e, t.Assign) and e.op == "=" and is_pointer(e.target, pointer) and _is_null(e.value)


def _is_free(e: t.Expr, pointer: t.Symbol) -> bool:
    return isinstance(e, t.Call) and called(e) == "free" and all(is_pointer(arg, pointer) for arg in e.args)


def ends(item: t.Stmt, pointer: t.Symbol) -> tuple[t.Expr, ...] | None:
    """The expressions of a statement that does nothing but to free the block, if there is one, and to forget it."""
    match item:
        case t.If(condition=condition, then=then, other=None) if _is_there(condition, pointer):
            return ends(then, pointer)
        case t.Block(items=items):
            parts = [ends(each, pointer) for each in items]
            return None if None in parts or not parts else tuple(e for part in parts for e in part or ())
        case t.ExprStmt(expr=expr):
            single = tuple(parts_of_comma(expr))
            return single if all(_is_free(e, pointer) or sets_null(e, pointer) for e in single) else None
        case _:
            return None


def _is_there(condition: t.Expr, pointer: t.Symbol) -> bool:
    return is_pointer(condition, pointer) or test(condition, pointer) is True


def frees(item: t.Stmt, pointer: t.Symbol) -> bool:
    return any(_is_free(e, pointer) for e in ends(item, pointer) or ())


def changes(node: Node, pointer: t.Symbol) -> bool:
    return changed_by(node) is pointer and not sets_null(node, pointer)


def test(e: Node, pointer: t.Symbol) -> bool | None:
    """What a test for a null pointer says of an array; None: it is no such test."""
    match e:
        case t.Binary(op="==" | "!=" as op, left=left, right=right):
            tests = (is_pointer(left, pointer) and _is_null(right)) or (_is_null(left) and is_pointer(right, pointer))
            return op == "!=" if tests else None
        case t.Unary(op="!", operand=operand):
            return False if is_pointer(operand, pointer) else None
        case _:
            return None


@dataclass(frozen=True, eq=False)
class Rewriting:
    pointer: t.Symbol
    array: t.Symbol

    def item(self, item: t.Stmt) -> t.Stmt:
        return rewritten(item, self._of)

    def _of(self, node: Node) -> Node | None:
        match node:
            case t.Stmt() if ends(node, self.pointer) is not None:
                return t.Empty(node.loc)
            case t.Name(symbol=symbol) if symbol is self.pointer:
                return t.Name(self.array.type, node.loc, self.array)
            case t.If(condition=condition) if (holds := self._holds(condition)) is not None:
                taken = node.then if holds else node.other
                return t.Empty(node.loc) if taken is None else rewritten(taken, self._of)
            case t.Binary(op="&&" | "||", left=left, right=right):
                return with_parts(node, left=self._condition(left), right=self._condition(right))
            case t.Expr() if (holds := test(node, self.pointer)) is not None:
                return t.IntConst(ty.INT, node.loc, int(holds), str(int(holds)))
            case _:
                return None

    def _condition(self, e: t.Expr) -> t.Expr:
        holds = self._holds(e)
        return rewritten(e, self._of) if holds is None else t.IntConst(ty.INT, e.loc, int(holds), str(int(holds)))

    def _holds(self, condition: t.Expr) -> bool | None:
        """Of a whole condition that only asks whether the block is there."""
        return True if is_pointer(condition, self.pointer) else test(condition, self.pointer)
